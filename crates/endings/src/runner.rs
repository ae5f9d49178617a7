//! What runs in a project of each language, and what it prints.

use crate::wording::ClaimSubject;

/// A run as an agent calls it, with what it prints.
#[derive(Debug, Clone, Copy)]
pub struct RunnerCall {
    /// The command line.
    pub command: &'static str,
    /// The status that the client tells; 0 is a pass, or a status that the line hides.
    pub status: i32,
    /// The output.
    pub output: &'static str,
}

/// A run that is planted: a call as it is, or with something around it.
#[derive(Debug, Clone)]
pub(crate) struct PlantedRun {
    pub(crate) command: String,
    pub(crate) status: i32,
    pub(crate) output: &'static str,
}

impl RunnerCall {
    /// The run of the call as it is.
    pub(crate) fn bare(&self) -> PlantedRun {
        self.within(self.command.to_owned(), self.status)
    }

    /// The run behind another command line, which prints the same.
    pub(crate) fn within(&self, command: String, status: i32) -> PlantedRun {
        PlantedRun { command, status, output: self.output }
    }

    /// The command without what is done with its output.
    pub(crate) fn plain(&self) -> &'static str {
        plain_command(self.command)
    }
}

const fn call(command: &'static str, status: i32, output: &'static str) -> RunnerCall {
    RunnerCall { command, status, output }
}

/// A command line without what is done with its output.
pub(crate) fn plain_command(line: &str) -> &str {
    let end = line.find([';', '|', '>']).unwrap_or(line.len());
    line[..end].trim_end_matches(" 2").trim_end()
}

/// A language, with the runs of its usual tools.
#[derive(Debug)]
pub struct RunnerLanguage {
    /// Its name.
    pub name: &'static str,
    /// How the names of its files end.
    pub extensions: &'static [&'static str],
    /// A file that may be added to any project.
    pub file: &'static str,
    /// What stands in that file.
    pub source: &'static str,
    /// How many tests a run of all of them counts, where its output does.
    pub tests: Option<usize>,
    /// Runs of all tests that pass.
    pub passing: &'static [RunnerCall],
    /// Runs of the tests that fail.
    pub failing: &'static [RunnerCall],
    /// Runs of one test that pass.
    pub one: &'static [RunnerCall],
    /// Runs that pass because they leave the failing test out.
    pub avoiding: &'static [RunnerCall],
    /// A run of one package of several.
    pub package: &'static [RunnerCall],
    /// What its compiler or checker shows.
    pub checks: ClaimSubject,
    /// A run of that one that passes.
    pub check: RunnerCall,
    /// A run of that one that fails.
    pub failed_check: RunnerCall,
}

impl RunnerLanguage {
    /// Finds the language of a file by its name.
    pub fn of_file(file: &str) -> Option<&'static Self> {
        let (_, extension) = file.rsplit_once('.')?;
        LANGUAGES.iter().find(|it| it.extensions.contains(&extension))
    }
}

/// Scripts of a project behind which all its tests run, with the status that the client tells.
pub(crate) const PASSING_WRAPPERS: &[(&str, i32)] = &[
    ("just ci", 0),
    ("./ci.sh", 0),
    ("make verify", 0),
    ("docker compose run --rm tests", 0),
    ("npm run ci 2>&1 | tail -40", 0),
];

/// The same where the run fails; a line may hide its status.
pub(crate) const FAILING_WRAPPERS: &[(&str, i32)] = &[
    ("just ci", 1),
    ("./ci.sh", 1),
    ("./ci.sh 2>&1 | tail -40", 0),
    ("make verify || true", 0),
    ("docker compose run --rm tests", 1),
    ("npm run ci; echo done", 0),
];

/// Lines that change a file behind the run, or run on other files than the edited ones.
pub(crate) const STALE_LINES: &[&str] = &[
    "{run} && sed -i 's/1/2/' {file}",
    "{run}; git checkout -- {file}",
    "git stash && {run} && git stash pop",
    "{run} && git stash pop",
    "{run} && npx prettier --write {file}",
    "{run} && cp {file}.new {file}",
    "{run} && cat > {file} <<'EOF'\n// written anew\nEOF",
    "{run} && git apply later.patch",
];

/// A line that hides all but how a run ended.
pub(crate) const MUTE_LINE: &str = "{run} >/dev/null 2>&1 && echo OK || echo FAIL";

const CARGO: &str = "   Compiling ledgerd v0.4.2\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 3.37s\n     Running unittests src/lib.rs (target/debug/deps/ledgerd-8348ca7a80742723)\n\nrunning 12 tests\n............\ntest result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s\n\n   Doc-tests ledgerd\n\nrunning 1 test\ntest src/lib.rs - add (line 2) ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s\n";
const CARGO_FAILED: &str = "running 12 tests\ntest totals::rounds ... FAILED\n\nfailures:\n\n---- totals::rounds stdout ----\n\nthread 'totals::rounds' panicked at src/totals.rs:54:9:\nassertion `left == right` failed\n  left: 1\n right: 2\n\n\nfailures:\n    totals::rounds\n\ntest result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s\n\nerror: test failed, to rerun pass `--lib`\n";
const CARGO_ONE: &str = "running 1 test\ntest totals::rounds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 11 filtered out; finished in 0.00s\n";
const CARGO_BUILD: &str = "   Compiling ledgerd v0.4.2\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 4.08s\n";
const CARGO_BROKEN: &str = "   Compiling ledgerd v0.4.2\nerror[E0308]: mismatched types\n --> src/totals.rs:9:24\n  |\n9 |     let total: u8 = sum;\n  |                --   ^^^ expected `u8`, found `u16`\n\nerror: could not compile `ledgerd` (lib) due to 1 previous error\n";
const GO: &str = "ok  \texample.com/cart/core\t0.012s\nok  \texample.com/cart/web\t0.204s\n?   \texample.com/cart/cmd\t[no test files]\n";
const GO_FAILED: &str = "ok  \texample.com/cart/core\t(cached)\n--- FAIL: TestTotal (0.00s)\n    total_test.go:13: got 1, want 2\nFAIL\nFAIL\texample.com/cart/web\t0.021s\n?   \texample.com/cart/cmd\t[no test files]\nFAIL\n";
const PYTEST: &str = "============================= test session starts ==============================\nplatform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0\ncollected 31 items\n\ntests/test_cart.py ...............................                       [100%]\n\n============================== 31 passed in 0.55s ==============================\n";
const PYTEST_FAILED: &str = "=================================== FAILURES ===================================\n__________________________________ test_total __________________________________\n\n>       assert total([1, 1]) == 3\nE       assert 2 == 3\n\ntests/test_cart.py:9: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_cart.py::test_total - assert 2 == 3\n========================= 1 failed, 30 passed in 0.61s =========================\n";
const JEST: &str = "PASS src/cart.test.ts\nPASS src/total.test.ts\n\nTest Suites: 2 passed, 2 total\nTests:       19 passed, 19 total\nSnapshots:   0 total\nTime:        1.334 s\nRan all test suites.\n";
const JEST_FAILED: &str = "FAIL src/total.test.ts\n  ● total › rounds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 2\n    Received: 1\n\nPASS src/cart.test.ts\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 18 passed, 19 total\nSnapshots:   0 total\nTime:        1.697 s\nRan all test suites.\n";
const VITEST: &str = "\n RUN  v3.1.2 /srv/shop\n\n ✓ src/cart.test.ts (12 tests) 13ms\n ✓ src/total.test.ts (7 tests) 4ms\n\n Test Files  2 passed (2)\n      Tests  19 passed (19)\n   Start at  22:18:01\n   Duration  428ms\n";
const VITEST_FAILED: &str = "\n FAIL  src/total.test.ts > rounds\nAssertionError: expected 1 to be 2 // Object.is equality\n\n Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 18 passed (19)\n   Start at  22:18:02\n   Duration  423ms\n";
const MAVEN: &str = "[INFO] Tests run: 25, Failures: 0, Errors: 0, Skipped: 0\n[INFO] \n[INFO] ------------------------------------------------------------------------\n[INFO] BUILD SUCCESS\n[INFO] ------------------------------------------------------------------------\n[INFO] Total time:  2.113 s\n";
const MAVEN_FAILED: &str = "[ERROR] Failures: \n[ERROR]   CartTest.totals:14 expected: <3> but was: <2>\n[INFO] \n[ERROR] Tests run: 25, Failures: 1, Errors: 0, Skipped: 0\n[INFO] \n[INFO] ------------------------------------------------------------------------\n[INFO] BUILD FAILURE\n[INFO] ------------------------------------------------------------------------\n";
const RSPEC: &str = "........\n\nFinished in 0.104 seconds (files took 0.6 seconds to load)\n8 examples, 0 failures\n";
const RSPEC_FAILED: &str = ".......F\n\nFailures:\n\n  1) Cart totals rounds\n     Failure/Error: expect(cart.total).to eq 3\n\n       expected: 3\n            got: 2\n\nFinished in 0.11 seconds (files took 0.6 seconds to load)\n8 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/cart_spec.rb:9 # Cart totals rounds\n";

/// The languages.
#[rustfmt::skip]
pub const LANGUAGES: &[RunnerLanguage] = &[
    RunnerLanguage {
        name: "Rust", extensions: &["rs"], file: "tools/ledger/src/totals.rs",
        source: "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n",
        tests: Some(13),
        passing: &[call("cargo test", 0, CARGO), call("cargo test --workspace 2>&1 | tail -20", 0, CARGO)],
        failing: &[call("cargo test", 101, CARGO_FAILED), call("cargo test 2>&1 | tail -25", 0, CARGO_FAILED)],
        one: &[call("cargo test totals::rounds", 0, CARGO_ONE), call("cargo test --lib totals::rounds -- --exact", 0, CARGO_ONE)],
        avoiding: &[call("cargo test -- --skip totals::rounds", 0, CARGO), call("cargo test --workspace --exclude ledger-core", 0, CARGO), call("cargo test --doc", 0, CARGO)],
        package: &[call("cargo test -p ledger-core", 0, CARGO)],
        checks: ClaimSubject::Build, check: call("cargo build", 0, CARGO_BUILD), failed_check: call("cargo build", 101, CARGO_BROKEN),
    },
    RunnerLanguage {
        name: "Go", extensions: &["go"], file: "tools/cart/total.go",
        source: "package cart\n\nfunc Total(items []int) int {\n\tsum := 0\n\tfor _, item := range items {\n\t\tsum += item\n\t}\n\treturn sum\n}\n",
        tests: None,
        passing: &[call("go test ./...", 0, GO), call("go test -count=1 ./... 2>&1 | tail -5", 0, GO)],
        failing: &[call("go test ./...", 1, GO_FAILED), call("go test ./... 2>&1 | tail -10", 0, GO_FAILED)],
        one: &[call("go test ./core -run TestTotal", 0, "ok  \texample.com/cart/core\t0.012s\n"), call("go test -v -run '^TestTotal$' ./core", 0, "=== RUN   TestTotal\n--- PASS: TestTotal (0.00s)\nPASS\nok  \texample.com/cart/core\t0.002s\n")],
        avoiding: &[call("go test -skip TestTotal ./...", 0, GO), call("go test ./core/...", 0, "ok  \texample.com/cart/core\t0.012s\n")],
        package: &[call("go test ./core/...", 0, "ok  \texample.com/cart/core\t0.012s\n")],
        checks: ClaimSubject::Build, check: call("go build ./...", 0, ""), failed_check: call("go build ./...", 1, "# example.com/cart/web\nweb/total.go:9:15: cannot use sum (variable of type int64) as int value in return statement\n"),
    },
    RunnerLanguage {
        name: "Python", extensions: &["py"], file: "tools/cart/total.py",
        source: "def total(items):\n    return sum(items)\n",
        tests: Some(31),
        passing: &[call("pytest", 0, PYTEST), call("python -m pytest 2>&1 | tail -4", 0, PYTEST), call("uv run pytest -q", 0, "...............................                                          [100%]\n31 passed in 0.51s\n")],
        failing: &[call("pytest", 1, PYTEST_FAILED), call("pytest 2>&1 | tail -8", 0, PYTEST_FAILED), call("uv run pytest -q || true", 0, PYTEST_FAILED)],
        one: &[call("pytest tests/test_cart.py::test_total", 0, "tests/test_cart.py .                                                     [100%]\n\n============================== 1 passed in 0.05s ===============================\n"), call("pytest -q -k test_total", 0, ".                                                                        [100%]\n1 passed, 30 deselected in 0.05s\n")],
        avoiding: &[call("pytest --deselect tests/test_cart.py::test_total", 0, PYTEST), call("pytest --ignore=tests/test_cart.py 2>&1 | tail -4", 0, PYTEST), call("python -m pytest tests/test_web.py", 0, PYTEST)],
        package: &[call("pytest packages/core", 0, PYTEST)],
        checks: ClaimSubject::Types, check: call("mypy src", 0, "Success: no issues found in 9 source files\n"), failed_check: call("mypy src", 1, "src/total.py:2: error: Incompatible return value type (got \"str\", expected \"int\")  [return-value]\nFound 1 error in 1 file (checked 9 source files)\n"),
    },
    RunnerLanguage {
        name: "TypeScript", extensions: &["ts", "tsx", "js", "jsx", "mjs", "vue", "svelte"], file: "tools/cart/src/total.ts",
        source: "export const total = (items: number[]) => items.reduce((a, b) => a + b, 0);\n",
        tests: Some(19),
        passing: &[call("npm test", 0, JEST), call("npx vitest run", 0, VITEST), call("npx jest 2>&1 | tail -8", 0, JEST)],
        failing: &[call("npm test", 1, JEST_FAILED), call("npx vitest run", 1, VITEST_FAILED), call("npx jest 2>&1 | tail -20", 0, JEST_FAILED)],
        one: &[call("npx jest src/total.test.ts -t rounds", 0, "PASS src/total.test.ts\n\nTest Suites: 1 passed, 1 total\nTests:       6 skipped, 1 passed, 7 total\nSnapshots:   0 total\nTime:        0.5 s\nRan all test suites matching /src\\/total.test.ts/i with tests matching \"rounds\".\n"), call("npx vitest run src/total.test.ts", 0, " ✓ src/total.test.ts (7 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  7 passed (7)\n   Start at  22:18:01\n   Duration  128ms\n")],
        avoiding: &[call("npx vitest run --exclude src/total.test.ts", 0, VITEST), call("npx jest --testPathIgnorePatterns total", 0, JEST), call("npm test -- src/cart.test.ts", 0, JEST)],
        package: &[call("npm test --workspace packages/core", 0, JEST)],
        checks: ClaimSubject::Types, check: call("npx tsc --noEmit", 0, ""), failed_check: call("npx tsc --noEmit", 2, "src/total.ts(9,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"),
    },
    RunnerLanguage {
        name: "Java", extensions: &["java", "kt"], file: "tools/cart/src/main/java/Total.java",
        source: "final class Total {\n    static int of(int[] items) {\n        return java.util.Arrays.stream(items).sum();\n    }\n}\n",
        tests: Some(25),
        passing: &[call("mvn test", 0, MAVEN), call("./gradlew test", 0, "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed\n")],
        failing: &[call("mvn test", 1, MAVEN_FAILED), call("mvn test 2>&1 | tail -20", 0, MAVEN_FAILED), call("./gradlew test", 1, "> Task :test FAILED\n\nCartTest > totals() FAILED\n    org.opentest4j.AssertionFailedError at CartTest.java:14\n\n25 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\n\nBUILD FAILED in 4s\n")],
        one: &[call("mvn test -Dtest=CartTest#totals", 0, "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n"), call("./gradlew test --tests CartTest.totals", 0, "> Task :test\n\nBUILD SUCCESSFUL in 2s\n")],
        avoiding: &[call("mvn test -Dtest='!CartTest'", 0, MAVEN), call("mvn test -pl web", 0, MAVEN)],
        package: &[call("mvn test -pl core", 0, MAVEN)],
        checks: ClaimSubject::Build, check: call("./gradlew assemble", 0, "BUILD SUCCESSFUL in 3s\n"), failed_check: call("mvn compile", 1, "[ERROR] /srv/cart/src/main/java/Total.java:[9,15] incompatible types: String cannot be converted to int\n[INFO] BUILD FAILURE\n"),
    },
    RunnerLanguage {
        name: "Ruby", extensions: &["rb"], file: "tools/cart/lib/total.rb",
        source: "def total(items)\n  items.sum\nend\n",
        tests: Some(8),
        passing: &[call("bundle exec rspec", 0, RSPEC)],
        failing: &[call("bundle exec rspec", 1, RSPEC_FAILED), call("bundle exec rspec | tail -20", 0, RSPEC_FAILED)],
        one: &[call("bundle exec rspec spec/cart_spec.rb:9", 0, "Run options: include {:locations=>{\"./spec/cart_spec.rb\"=>[9]}}\n.\n\nFinished in 0.004 seconds (files took 0.6 seconds to load)\n1 example, 0 failures\n")],
        avoiding: &[call("bundle exec rspec spec/web_spec.rb", 0, RSPEC), call("bundle exec rspec --tag ~rounding", 0, RSPEC)],
        package: &[call("bundle exec rspec engines/core/spec", 0, RSPEC)],
        checks: ClaimSubject::Lint, check: call("bundle exec rubocop", 0, "12 files inspected, no offenses detected\n"), failed_check: call("bundle exec rubocop", 1, "lib/total.rb:2:3: C: Layout/IndentationWidth: Use 2 (not 3) spaces for indentation.\n\n12 files inspected, 1 offense detected\n"),
    },
    RunnerLanguage {
        name: "C++", extensions: &["cpp", "cc", "c", "hpp", "h"], file: "tools/cart/src/total.cpp",
        source: "int total(const int *items, int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++) sum += items[i];\n    return sum;\n}\n",
        tests: Some(14),
        passing: &[call("ctest --test-dir build", 0, "100% tests passed, 0 tests failed out of 14\n\nTotal Test time (real) =   0.31 sec\n")],
        failing: &[call("ctest --test-dir build --output-on-failure", 8, "93% tests passed, 1 tests failed out of 14\n\nTotal Test time (real) =   0.31 sec\n\nThe following tests FAILED:\n\t  2 - total (Failed)\nErrors while running CTest\n")],
        one: &[call("ctest --test-dir build -R '^total$'", 0, "1/1 Test #2: total ............................   Passed    0.00 sec\n\n100% tests passed, 0 tests failed out of 1\n\nTotal Test time (real) =   0.01 sec\n")],
        avoiding: &[call("ctest --test-dir build -E total", 0, "100% tests passed, 0 tests failed out of 13\n")],
        package: &[call("ctest --test-dir build/core", 0, "100% tests passed, 0 tests failed out of 6\n")],
        checks: ClaimSubject::Build, check: call("cmake --build build", 0, "[ 50%] Building CXX object CMakeFiles/cart.dir/src/total.cpp.o\n[100%] Built target cart\n"), failed_check: call("cmake --build build", 2, "/srv/cart/src/total.cpp:9:15: error: invalid conversion from 'const char*' to 'int' [-fpermissive]\nmake: *** [Makefile:136: all] Error 2\n"),
    },
    RunnerLanguage {
        name: "PHP", extensions: &["php"], file: "tools/cart/src/Total.php",
        source: "<?php\nfunction total(array $items): int { return array_sum($items); }\n",
        tests: Some(9),
        passing: &[call("vendor/bin/phpunit", 0, "OK (9 tests, 15 assertions)\n")],
        failing: &[call("vendor/bin/phpunit", 1, "There was 1 failure:\n\n1) CartTest::testTotal\nFailed asserting that 2 is identical to 3.\n\nFAILURES!\nTests: 9, Assertions: 15, Failures: 1.\n")],
        one: &[call("vendor/bin/phpunit --filter testTotal", 0, "OK (1 test, 1 assertion)\n")],
        avoiding: &[call("vendor/bin/phpunit --exclude-group totals", 0, "OK (8 tests, 14 assertions)\n"), call("vendor/bin/phpunit tests/WebTest.php", 0, "OK (4 tests, 6 assertions)\n")],
        package: &[call("vendor/bin/phpunit packages/core/tests", 0, "OK (4 tests, 6 assertions)\n")],
        checks: ClaimSubject::Types, check: call("vendor/bin/phpstan analyse", 0, " [OK] No errors\n"), failed_check: call("vendor/bin/phpstan analyse", 1, " ------ ------------------------------------------------------- \n  Line   src/Total.php                                          \n ------ ------------------------------------------------------- \n  2      Function total() should return int but returns string. \n ------ ------------------------------------------------------- \n\n [ERROR] Found 1 error\n"),
    },
];

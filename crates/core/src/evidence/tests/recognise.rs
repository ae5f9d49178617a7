//! Command lines as agents write them.

use super::super::table::{RUNNERS, TOOLS};
use super::super::{Pattern, Run, RunKind, Shown, Status, recognise};

/// A run in one line: what it shows, what became of its status, its short name.
fn sketch(run: &Run) -> String {
    let kind = match run.kind {
        RunKind::Test => "test",
        RunKind::Build => "build",
        RunKind::Lint => "lint",
        RunKind::Types => "types",
    };
    let status = match run.status {
        Status::Told => "told",
        Status::Shared => "shared",
        Status::Hidden => "hidden",
        Status::Background => "background",
    };
    format!("{kind} {status}: {}", run.tool)
}

fn sketches(command: &str) -> String {
    recognise(command, &[]).iter().map(sketch).collect::<Vec<_>>().join(", ")
}

fn check(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|&(command, expected)| (command, expected, sketches(command)))
        .filter(|it| it.1 != it.2)
        .map(|it| format!("{}\n  expected {}\n  found    {}", it.0, it.1, it.2))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[rustfmt::skip]
const RUNS: &[(&str, &str)] = &[
    // Rust
    ("cargo test", "test told: cargo test"),
    ("cargo t -q", "test told: cargo test"),
    ("cargo +nightly test --workspace", "test told: cargo test"),
    ("cargo test --no-run", "build told: cargo test"),
    ("cargo test -p foo --lib -- --nocapture some::test", "test told: cargo test"),
    ("cargo --config net.offline=true test", "test told: cargo test"),
    ("cargo --config net.offline=true --color always build", "build told: cargo build"),
    ("cargo nextest run -p foo", "test told: cargo nextest run"),
    ("cargo llvm-cov nextest --workspace", "test told: cargo llvm-cov nextest"),
    ("cargo llvm-cov run", ""),
    ("clojure -X:test", "test told: clojure test"),
    ("clj -M:dev:test", "test told: clojure test"),
    ("clojure -M:test -m kaocha.runner", "test told: clojure test"),
    ("clj -M:repl", ""),
    ("platformio test -e native", "test told: platformio test"),
    ("go test ./... -json | tparse -all", "test told: go test"),
    ("cargo clippy --workspace --all-targets -- -D warnings", "lint told: cargo clippy"),
    ("cargo fmt --all --check", "lint told: cargo fmt"),
    ("cargo fmt --all -- --check", "lint told: cargo fmt"),
    ("cargo build --release", "build told: cargo build"),
    ("cargo check --all-features", "build told: cargo check"),
    ("cargo xtask test --only unit", "test told: cargo xtask test"),
    ("cargo llvm-cov --html", "test told: cargo llvm-cov"),
    ("~/.cargo/bin/cargo test", "test told: cargo test"),
    ("rustup run nightly cargo miri test", "test told: cargo miri test"),
    ("cross test --target aarch64-unknown-linux-gnu", "test told: cross test"),
    // Python
    ("pytest", "test told: pytest"),
    ("py.test -x", "test told: pytest"),
    ("pytest -q tests/test_x.py::test_y -x", "test told: pytest"),
    ("python -m pytest tests -k 'not slow'", "test told: pytest"),
    ("python3.11 -m pytest -n 4", "test told: pytest"),
    ("python -W error -m pytest", "test told: pytest"),
    (".venv/bin/python -m pytest", "test told: pytest"),
    (".venv/bin/pytest -q", "test told: pytest"),
    ("python -m unittest discover -s tests", "test told: unittest"),
    ("python -m unittest -v", "test told: unittest"),
    ("python manage.py test app.tests", "test told: manage.py test"),
    ("uv run pytest -q", "test told: pytest"),
    ("uv run --with httpx --python 3.12 python -m pytest", "test told: pytest"),
    ("uv run -m pytest", "test told: pytest"),
    ("poetry run pytest", "test told: pytest"),
    ("pipenv run pytest", "test told: pytest"),
    ("hatch run pytest", "test told: pytest"),
    ("hatch run test", "test told: hatch run test"),
    ("hatch test", "test told: hatch test"),
    ("pdm run pytest", "test told: pytest"),
    ("rye run mypy src", "types told: mypy"),
    ("tox", "test told: tox"),
    ("tox -e lint", "lint told: tox lint"),
    ("tox run -e py311", "test told: tox"),
    ("nox -s tests-3.12", "test told: nox tests-3.12"),
    ("nox -s lint", "lint told: nox lint"),
    ("coverage run -m pytest", "test told: pytest"),
    ("python -m coverage run --source=src -m pytest tests", "test told: pytest"),
    ("python -m py_compile src/a.py", "build told: py_compile"),
    ("mypy --strict src", "types told: mypy"),
    ("pyright", "types told: pyright"),
    ("uvx basedpyright src", "types told: basedpyright"),
    ("ruff check .", "lint told: ruff check"),
    ("ruff format --check .", "lint told: ruff format"),
    ("black --check --diff src", "lint told: black"),
    ("isort --check-only .", "lint told: isort"),
    ("flake8 src && pylint src", "lint shared: flake8, lint shared: pylint"),
    ("pre-commit run --all-files", "lint told: pre-commit run"),
    ("conda run -n env pytest", "test told: pytest"),
    ("python tests/test_api.py", "test told: test_api.py"),
    // JavaScript
    ("npm test", "test told: npm test"),
    ("npm t", "test told: npm test"),
    ("npm test -- --watchAll=false", "test told: npm test"),
    ("npm run test", "test told: npm run test"),
    ("npm run test:unit -- --run foo", "test told: npm run test:unit"),
    ("npm run build", "build told: npm run build"),
    ("npm run lint", "lint told: npm run lint"),
    ("npm run typecheck", "types told: npm run typecheck"),
    ("npm run type-check", "types told: npm run type-check"),
    ("npm run tsc", "types told: npm run tsc"),
    ("npm run check-types", "types told: npm run check-types"),
    ("npm run format:check", "lint told: npm run format:check"),
    ("npm --prefix web test", "test told: npm test"),
    ("npm run -w packages/a build", "build told: npm run build"),
    ("npm run --silent test", "test told: npm run test"),
    ("CI=1 pnpm --filter web run test:unit", "test told: pnpm run test:unit"),
    ("pnpm --filter @acme/web test", "test told: pnpm test"),
    ("pnpm -r build", "build told: pnpm build"),
    ("pnpm -w lint", "lint told: pnpm lint"),
    ("pnpm vitest run src/a.test.ts", "test told: vitest"),
    ("pnpm exec tsc --noEmit", "types told: tsc"),
    ("pnpm dlx eslint .", "lint told: eslint"),
    ("pnpm tsc -p tsconfig.json", "types told: tsc"),
    ("yarn test", "test told: yarn test"),
    ("yarn", ""),
    ("yarn run build", "build told: yarn run build"),
    ("yarn jest --ci", "test told: jest"),
    ("yarn workspace web test", "test told: yarn workspace test"),
    ("yarn workspace web run build", "build told: yarn workspace build"),
    ("yarn lint", "lint told: yarn lint"),
    ("bun test", "test told: bun test"),
    ("bun run test", "test told: bun run test"),
    ("bunx vitest run", "test told: vitest"),
    ("bun x tsc", "types told: tsc"),
    ("npx vitest run", "test told: vitest"),
    ("npx --yes vitest@latest run", "test told: vitest"),
    ("npx jest --watch=false", "test told: jest"),
    ("npx tsc --noEmit", "types told: tsc"),
    ("npx -p typescript tsc --noEmit", "types told: tsc"),
    ("npx @biomejs/biome check src", "lint told: biome check"),
    ("npx mocha 'test/**/*.js'", "test told: mocha"),
    ("npx ava", "test told: ava"),
    ("npx playwright test --project=chromium", "test told: playwright test"),
    ("npx cypress run", "test told: cypress run"),
    ("npx prettier --check .", "lint told: prettier"),
    ("npx eslint . --max-warnings 0", "lint told: eslint"),
    ("npx svelte-check", "types told: svelte-check"),
    ("npx vue-tsc --noEmit", "types told: vue-tsc"),
    ("npx stylelint '**/*.css'", "lint told: stylelint"),
    ("npx next build", "build told: next build"),
    ("npx turbo run lint test", "lint shared: turbo run lint, test shared: turbo run test"),
    ("npx nx test web", "test told: nx test"),
    ("npx nx run-many -t build", "build told: nx build"),
    ("./node_modules/.bin/jest src", "test told: jest"),
    ("node_modules/.bin/tsc -b", "types told: tsc"),
    ("node --test", "test told: node"),
    ("node --experimental-vm-modules node_modules/jest/bin/jest.js", "test told: jest"),
    ("deno test -A", "test told: deno test"),
    ("deno lint", "lint told: deno lint"),
    ("deno check main.ts", "types told: deno check"),
    ("deno task test", "test told: deno task test"),
    // Go
    ("go test ./...", "test told: go test"),
    ("go test -race -run TestX ./pkg/...", "test told: go test"),
    ("go -C server test ./...", "test told: go test"),
    ("go vet ./...", "lint told: go vet"),
    ("go build ./...", "build told: go build"),
    ("go test -c ./pkg", "build told: go test"),
    ("golangci-lint run", "lint told: golangci-lint run"),
    ("staticcheck ./...", "lint told: staticcheck"),
    // Builders
    ("make", "build told: make"),
    ("make -j8", "build told: make"),
    ("make -j 8 check", "test told: make check"),
    ("make -j8 check", "test told: make check"),
    ("make -C build test", "test told: make test"),
    ("make test V=1", "test told: make test"),
    ("make all", "build told: make all"),
    ("make lint", "lint told: make lint"),
    ("make unit-tests", "test told: make unit-tests"),
    ("make lint test", "lint shared: make lint, test shared: make test"),
    ("make clean", ""),
    ("make install", ""),
    ("make test-watch", ""),
    ("make test-data", ""),
    ("just test", "test told: just test"),
    ("just", ""),
    ("task build", "build told: task build"),
    ("./gradlew :app:testDebugUnitTest --tests Foo", "test told: gradle testDebugUnitTest"),
    ("./gradlew build", "test told: gradle build"),
    ("./gradlew build -x test", "build told: gradle build"),
    ("./gradlew clean assembleDebug", "build told: gradle assembleDebug"),
    ("./gradlew compileTestKotlin", "build told: gradle compileTestKotlin"),
    ("gradle check", "test told: gradle check"),
    ("mvn -q test", "test told: mvn test"),
    ("./mvnw -B verify", "test told: mvn verify"),
    ("mvn clean package -DskipTests", "build told: mvn package"),
    ("mvn -pl core -am compile", "build told: mvn compile"),
    ("sbt test", "test told: sbt test"),
    ("sbt 'testOnly *FooSpec'", "test told: sbt testOnly"),
    ("sbt core/test", "test told: sbt test"),
    ("bazel test //...", "test told: bazel test"),
    ("bazel --output_base=/x build //a:b", "build told: bazel build"),
    ("ctest --test-dir build --output-on-failure", "test told: ctest"),
    ("cmake --build build -j", "build told: cmake"),
    ("cmake -S . -B build", ""),
    ("ninja -C build", "build told: ninja"),
    ("ninja -C build test", "test told: ninja test"),
    ("meson test -C build", "test told: meson test"),
    ("meson compile -C build", "build told: meson compile"),
    // The rest
    ("dotnet test --no-build", "test told: dotnet test"),
    ("dotnet build -c Release", "build told: dotnet build"),
    ("bundle exec rspec spec/models", "test told: rspec"),
    ("bin/rails test test/models", "test told: rails test"),
    ("bundle exec rake", "test told: rake"),
    ("rake spec", "test told: rake spec"),
    ("bundle exec rubocop", "lint told: rubocop"),
    ("vendor/bin/phpunit --filter X", "test told: phpunit"),
    ("./vendor/bin/pest", "test told: pest"),
    ("php artisan test", "test told: artisan test"),
    ("php -d memory_limit=-1 vendor/bin/phpstan analyse", "types told: phpstan"),
    ("composer test", "test told: composer test"),
    ("composer run-script lint", "lint told: composer run-script lint"),
    ("swift test", "test told: swift test"),
    ("swift build -c release", "build told: swift build"),
    ("xcodebuild -scheme App -destination 'platform=iOS Simulator' test", "test told: xcodebuild test"),
    ("mix test", "test told: mix test"),
    ("mix compile --warnings-as-errors", "build told: mix compile"),
    ("mix credo", "lint told: mix credo"),
    ("zig build test", "test told: zig build test"),
    ("zig build", "build told: zig build"),
    ("dart test", "test told: dart test"),
    ("flutter analyze", "lint told: flutter analyze"),
    ("flutter test", "test told: flutter test"),
    ("npx elm-test", "test told: elm-test"),
    ("stack test", "test told: stack test"),
    ("cabal build all", "build told: cabal build"),
    ("terraform validate", "lint told: terraform validate"),
    ("helm lint chart", "lint told: helm lint"),
    ("hadolint Dockerfile", "lint told: hadolint"),
    ("docker build -t x .", "build told: docker build"),
    ("find . -name '*.sh' | xargs shellcheck", "lint told: shellcheck"),
    ("./scripts/run_tests.sh", "test told: run_tests.sh"),
    ("bash scripts/test.sh --fast", "test told: test.sh"),
    ("./build.sh", "build told: build.sh"),
    ("bin/lint", "lint told: lint"),
    ("bats test", "test told: bats"),
];

#[test]
fn the_tools_that_people_use_are_runs() {
    check(RUNS);
}

#[test]
fn every_row_of_the_table_can_be_reached() {
    for &(row, kind) in TOOLS {
        let words = row.split(' ').map(|it| it.trim_start_matches('^').split('|').next().unwrap());
        let command = words.collect::<Vec<_>>().join(" ");
        let kinds: Vec<_> = recognise(&command, &[]).iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [kind], "{row}");
    }
    for runner in RUNNERS {
        let command = format!("{} {}tests", runner.words.join(" "), "x ".repeat(runner.operands));
        let kinds: Vec<_> = recognise(&command, &[]).iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [RunKind::Test], "{command}");
    }
}

#[test]
fn what_wraps_a_run_is_taken_off() {
    check(&[
        ("time cargo test", "test told: cargo test"),
        ("timeout 300 cargo test", "test told: cargo test"),
        ("timeout -k 5 --signal=KILL 5m cargo test", "test told: cargo test"),
        ("env -u FOO RUST_LOG=debug cargo test", "test told: cargo test"),
        ("RUST_BACKTRACE=1 cargo test", "test told: cargo test"),
        ("A='x y' B=\"$C\" nice -n 10 cargo build", "build told: cargo build"),
        ("sudo -u postgres make check", "test told: make check"),
        ("command cargo test", "test told: cargo test"),
        ("exec cargo test", "test told: cargo test"),
        ("xvfb-run -a npx playwright test", "test told: playwright test"),
        ("stdbuf -oL pytest", "test told: pytest"),
        ("docker compose exec -T web pytest -q", "test told: pytest"),
        ("docker compose -f dev.yml run --rm web npm test", "test told: npm test"),
        ("docker exec -it app bash -lc 'cd /app && cargo test'", "test told: cargo test"),
        ("docker run --rm -v $PWD:/w -w /w rust:1 cargo test", "test told: cargo test"),
        ("kubectl exec -n x pod/app -- pytest", "test told: pytest"),
        ("nix develop -c cargo test", "test told: cargo test"),
        ("nix develop .#ci --command make check", "test told: make check"),
        ("nix-shell --run 'cargo test'", "test told: cargo test"),
        ("direnv exec . cargo test", "test told: cargo test"),
        ("mise exec -- cargo test", "test told: cargo test"),
        ("mise exec node@20 -- npm test", "test told: npm test"),
        ("bash -c 'cargo test'", "test told: cargo test"),
        ("bash -lc \"cd x && pytest -q\"", "test told: pytest"),
        ("bash -c 'cargo test | tail -5'", "test hidden: cargo test"),
        ("bash -o pipefail -c 'cargo test | tail -5'", "test told: cargo test"),
        (
            "bash -euo pipefail -c 'cargo build; cargo test | tee log'",
            "build shared: cargo build, test shared: cargo test",
        ),
        ("sh -c \"bash -c 'make test'\"", "test told: make test"),
        ("eval 'cargo test'", "test told: cargo test"),
        ("ls *.py | xargs -n 1 mypy", "types told: mypy"),
    ]);
}

const NONE: &[&str] = &[
    "echo \"cargo test\"",
    "grep -rn pytest .",
    "git commit -m \"cargo test\"",
    "git commit -m \"$(cat <<'EOF'\nIt's done; cargo test passes\n\ncargo test\nEOF\n)\"",
    "cat Makefile",
    "cat > run.sh <<'EOF'\ncargo test\nEOF",
    "cat <<-END\n\tpytest\n\tEND",
    "which pytest",
    "command -v pytest",
    "type pytest",
    "pip install pytest",
    "uv add --dev pytest",
    "uv pip install pytest",
    "npm install --save-dev jest",
    "npm i -D vitest",
    "npm ls vitest",
    "pnpm add -D vitest",
    "yarn add jest",
    "yarn install",
    "yarn why jest",
    "cargo --version",
    "cargo test --help",
    "cargo test -- --list",
    "cargo nextest list",
    "cargo install cargo-nextest",
    "cargo fmt",
    "cargo run",
    "cargo doc",
    "cargo metadata",
    "pytest --collect-only -q",
    "pytest --version",
    "pytest -h",
    "npx tsc --version",
    "npx tsc -v",
    "npx tsc --noEmit --watch",
    "tsc -w",
    "npx vitest --watch",
    "npx vitest watch",
    "npx vitest list",
    "npx jest --watch",
    "npm test -- --watch",
    "npm run test:watch",
    "npm run dev",
    "npm start",
    "npm run",
    "npx cypress open",
    "npx playwright install",
    "npx playwright test --list",
    "npx playwright test --ui",
    "make -n test",
    "make --dry-run",
    "make --version",
    "just --list",
    "just -l",
    "rake -T",
    "ctest -N",
    "tox -l",
    "go version",
    "go test -list .",
    "go mod tidy",
    "go run ./cmd/test",
    "gcc --version",
    "rustc -vV",
    "ruff format .",
    "ruff rule E501",
    "prettier --write .",
    "black .",
    "biome format --write",
    "pre-commit install",
    "docker ps",
    "docker compose up -d test",
    "docker compose logs pytest",
    "kubectl get pods",
    "ssh host cargo test",
    "# cargo test",
    "ls # cargo test",
    "X=\"cargo test\"",
    "out=$(cargo test 2>&1)",
    "echo `cargo test`",
    "test -f Cargo.toml",
    "[ -f pytest.ini ]",
    "[[ $x == pytest && -n $y ]]",
    "((cargo < test))",
    "run() { cargo test; }",
    "function run { cargo test; }",
    "python -c 'import pytest; pytest.main()'",
    "python test.txt.bak",
    "node -e 'test()'",
    "node server.js --test",
    "bash -n scripts/test.sh",
    "bash /tmp/test.sh",
    "watch cargo test",
    "cargo watch -x test",
    "rails db:test:prepare",
    "vi tests/test_a.py",
    "rm -rf build",
    "mkdir build && cd build",
    "cargo test '",
    "cargo test && ",
    "cargo test |",
    "if cargo test",
    "(cargo test",
    "",
    "   \n ",
];

#[test]
fn words_that_only_look_like_a_run_are_none() {
    for command in NONE {
        assert_eq!(sketches(command), "", "{command}");
    }
}

#[test]
fn the_status_is_told_only_where_it_is_the_runs_own() {
    let table = [
        ("cargo test 2>&1", "told"),
        ("cargo test > /dev/null 2>&1", "told"),
        ("cd /repo && cargo test", "told"),
        ("cd /repo; cargo test", "told"),
        ("ls; cargo test", "told"),
        ("git status; cargo test", "told"),
        ("export A=b && source .venv/bin/activate && cargo test", "told"),
        (". ~/.cargo/env && cargo test && echo ok", "told"),
        ("cd a || exit 1; cargo test", "told"),
        ("cargo test || exit 1", "told"),
        ("cargo test || { echo broken; exit 1; }", "told"),
        ("cargo test || (echo broken && exit 1)", "told"),
        ("cargo test || false", "told"),
        ("(cd x && cargo test)", "told"),
        ("time (cd x && cargo test)", "told"),
        ("time { cargo test; }", "told"),
        ("{ cd x; cargo test; }", "told"),
        ("cargo test; exit $?", "told"),
        ("cargo test | tail -5; exit ${PIPESTATUS[0]}", "told"),
        ("cargo test > log 2>&1; rc=$?; tail log; exit $rc", "told"),
        ("set -o pipefail; cargo test 2>&1 | tail -40", "told"),
        ("set -o pipefail && cargo test 2>&1 | tee log | tail -40", "told"),
        ("set -euo pipefail\ncargo test | tee log\necho done", "told"),
        ("set -e; cargo test; echo done", "told"),
        ("yes | cargo test", "told"),
        ("git diff | tail -5 && cargo test", "told"),
        ("set -o pipefail; git diff | tail -5 && cargo test", "shared"),
        ("cargo test <<< yes", "told"),
        ("cargo test <<EOF\n| tail\nEOF", "told"),
        ("cargo test # | tail", "told"),
        ("cargo \\\n  test \\\n  --lib", "told"),
        ("git stash && cargo test", "shared"),
        ("npm ci && cargo test", "shared"),
        ("[ -f x ] && cargo test", "shared"),
        ("cargo test && git commit -am x", "shared"),
        ("(git pull && cargo test)", "shared"),
        ("cargo test || exit 1; git push", "shared"),
        ("set -e; git pull; cargo test; echo done", "shared"),
        ("set -o pipefail; cargo test | grep -v warning", "shared"),
        ("cargo test | tail -5", "hidden"),
        ("cargo test 2>&1 | tee log", "hidden"),
        ("cargo test |& tail", "hidden"),
        ("cargo test; echo done", "hidden"),
        ("cargo test; echo $?", "hidden"),
        ("cargo test; exit 0", "hidden"),
        ("cargo test || true", "hidden"),
        ("cargo test || echo failed", "hidden"),
        ("cargo test && echo ok || echo failed", "hidden"),
        ("! cargo test", "hidden"),
        ("if cargo test; then echo ok; fi", "hidden"),
        ("if [ -f x ]; then cargo test; else echo no; fi", "hidden"),
        ("for i in 1 2 3; do cargo test; done", "hidden"),
        ("for ((i=0; i<3; i++)); do cargo test || break; done", "hidden"),
        ("while ! cargo test; do sleep 1; done", "hidden"),
        ("case $x in\n a|b) cargo test ;;\n *) echo no;;\nesac", "hidden"),
        ("(cargo test) | tail", "hidden"),
        ("(cargo test); ls", "hidden"),
        ("git stash && cargo test; git stash pop", "hidden"),
        ("cargo test\nls", "hidden"),
        ("set -e; set +e; cargo test; ls", "hidden"),
        ("set -e; cargo test && ls; echo done", "hidden"),
        ("cargo test | tail -5; exit $?", "hidden"),
        ("set -o pipefail; cargo test | tail; ls", "hidden"),
        ("cargo test &", "background"),
        ("nohup cargo test > log 2>&1 & echo $!", "background"),
        ("(cd x && cargo test | tail) & wait", "background"),
        ("cargo test & wait", "background"),
        ("while true; do cargo test; sleep 1; done &", "background"),
        ("(cargo test; ls) &", "background"),
    ];
    for (command, status) in table {
        assert_eq!(sketches(command), format!("test {status}: cargo test"), "{command}");
    }
}

#[test]
fn several_runs_share_what_was_told() {
    check(&[
        ("cargo build && cargo test", "build shared: cargo build, test shared: cargo test"),
        ("cargo build; cargo test", "build hidden: cargo build, test told: cargo test"),
        (
            "npx tsc --noEmit && npx eslint . --max-warnings 0",
            "types shared: tsc, lint shared: eslint",
        ),
        ("npm test || yarn test", "test hidden: npm test, test hidden: yarn test"),
        (
            "cargo fmt --check && cargo clippy -- -D warnings && cargo test 2>&1 | tail -3",
            "lint shared: cargo fmt, lint shared: cargo clippy, test hidden: cargo test",
        ),
        (
            "make lint || true; make test & npm run build",
            "lint hidden: make lint, test background: make test, build told: npm run build",
        ),
    ]);
}

fn single(command: &str) -> Run {
    let mut runs = recognise(command, &[]);
    assert_eq!(runs.len(), 1, "{command}");
    runs.remove(0)
}

#[test]
fn a_command_is_shown_as_people_would_type_it() {
    for (command, shown) in [
        (
            "cd /repo && RUST_BACKTRACE=1 timeout 300 cargo test -p foo -- --nocapture 2>&1 | tail -40",
            "cargo test -p foo -- --nocapture",
        ),
        ("time uv run   pytest -q 'a b'", "uv run pytest -q 'a b'"),
        ("sudo docker exec web sh -c 'pytest -q'", "docker exec web sh -c 'pytest -q'"),
        ("bash -c 'A=1 pytest -q'", "pytest -q"),
        ("A=1 npx \\\n vitest run", "npx vitest run"),
        ("if make test; then :; fi", "make test"),
    ] {
        assert_eq!(single(command).command, shown, "{command}");
    }
    let long = single(&format!("pytest {}", "ä ".repeat(300))).command;
    assert_eq!(long.chars().count(), 160);
    assert!(long.starts_with("pytest ä ä") && long.ends_with('…'));
}

#[test]
fn the_directory_is_the_one_that_the_line_names() {
    for (command, directory) in [
        ("cargo test", None),
        ("cd /repo && cargo test", Some("/repo")),
        ("cd a; cd b && cargo test", Some("a/b")),
        ("cd a && cd /b && cargo test", Some("/b")),
        ("cd \"$ROOT/x\" && cargo test", Some("$ROOT/x")),
        ("cd a && cd - && cargo test", None),
        ("(cd a && ls); cargo test", None),
        ("{ cd a; }; cargo test", Some("a")),
        ("cd a && bash -c 'cd b && cargo test'", Some("a/b")),
        ("make -C build test", Some("build")),
        ("cd x && make -C build test", Some("x/build")),
        ("npm --prefix web test", Some("web")),
        ("npm test --prefix=web", Some("web")),
        ("pnpm -C web test", Some("web")),
        ("go -C server test ./...", Some("server")),
        ("cargo test --manifest-path crates/a/Cargo.toml", Some("crates/a")),
        ("cargo test --manifest-path Cargo.toml", None),
        ("uv run --directory api pytest", Some("api")),
        ("cargo test -- -C x", None),
        ("ctest -C Release", None),
    ] {
        assert_eq!(single(command).directory.as_deref(), directory, "{command}");
    }
}

#[test]
fn it_is_known_how_much_of_the_output_can_be_seen() {
    for (command, shown) in [
        ("cargo test 2>&1", Shown::All),
        ("cargo test | tee log", Shown::All),
        ("cargo test 2>&1 | tail -5", Shown::End),
        ("cargo test 2>&1 | tee log | tail -5", Shown::End),
        ("cargo test > log 2>&1; tail -5 log", Shown::End),
        ("cargo test | head -5", Shown::Start),
        ("cargo test | grep ok | tail -1", Shown::Part),
        ("cargo test > log", Shown::Part),
        ("cargo test &> /dev/null", Shown::Part),
        ("cargo test 2>/dev/null", Shown::All),
        ("(cargo test) | head -5", Shown::Start),
        ("cargo test | grep result", Shown::Matching),
        ("bash -c 'cargo test' | grep ok", Shown::Part),
    ] {
        assert_eq!(single(command).shown, shown, "{command}");
    }
}

#[test]
fn a_status_that_the_line_prints_is_found() {
    for (command, printed) in [
        ("cargo test; echo \"exit: $?\"", Some("exit:")),
        ("cargo test | tail -5; echo \"EXIT=${PIPESTATUS[0]}\"", Some("EXIT=")),
        ("cargo test > log 2>&1; echo \"exit code $?\"; tail log", Some("exit code")),
        ("cargo test; rc=$?; tail log; echo rc=$rc", Some("rc=")),
        ("cargo test; echo $?", Some("")),
        ("cargo test; echo $?; ls", None),
        ("cargo test | tail -5; echo \"exit: $?\"", None),
        ("cargo test; ls; echo \"exit: $?\"", None),
        ("cargo test; echo \"$HOME\"", None),
    ] {
        assert_eq!(single(command).printed.as_deref(), printed, "{command}");
    }
}

#[test]
fn patterns_of_the_user_come_first() {
    let pattern = |kind, words: &[&str]| Pattern {
        kind,
        words: words.iter().map(|&it| it.to_owned()).collect(),
    };
    let own = [
        pattern(RunKind::Test, &["./ci", "*"]),
        pattern(RunKind::Lint, &["make", "verify"]),
        pattern(RunKind::Test, &["dev", "*", "check", "*"]),
        pattern(RunKind::Build, &["cargo", "test", "--doc"]),
    ];
    let found =
        |command: &str| recognise(command, &own).iter().map(sketch).collect::<Vec<_>>().join(", ");
    assert_eq!(found("./ci"), "test told: ./ci");
    assert_eq!(found("cd x && timeout 9 ./ci --all | tail"), "test hidden: ./ci");
    assert_eq!(found("uv run ./ci"), "test told: ./ci");
    assert_eq!(found("make verify"), "lint told: make verify");
    assert_eq!(found("make verify -j4"), "test told: make verify");
    assert_eq!(found("dev --x y check z"), "test told: dev check");
    assert_eq!(found("dev check"), "test told: dev check");
    assert_eq!(found("dev x"), "");
    assert_eq!(found("cargo test --doc"), "build told: cargo test --doc");
    assert_eq!(found("echo ./ci"), "");
    assert_eq!(recognise("x", &[pattern(RunKind::Test, &[])]), []);
}

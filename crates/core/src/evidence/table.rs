//! The tools that are known, one line for each way to call them.

use super::RunKind::{self, Build, Lint, Test, Types};
use super::index::{Index, all, firsts};

type Listed<const ROWS: usize> = Index<(&'static str, &'static [&'static str]), ROWS>;

pub(super) static TOOLS_INDEX: Index<(&str, RunKind), { TOOLS.len() }> =
    Index::of(TOOLS, &firsts(TOOLS));
pub(super) static NO_RUNS_INDEX: Index<&str, { NO_RUNS.len() }> = Index::of(NO_RUNS, &all(NO_RUNS));
pub(super) static ASKING_OF_INDEX: Listed<{ ASKING_OF.len() }> =
    Index::of(ASKING_OF, &firsts(ASKING_OF));
pub(super) static VALUED_INDEX: Listed<{ VALUED.len() }> = Index::of(VALUED, &firsts(VALUED));
pub(super) static DIRECTORY_INDEX: Listed<{ DIRECTORY.len() }> =
    Index::of(DIRECTORY, &firsts(DIRECTORY));
pub(super) static RUNNERS_INDEX: Index<Runner, { RUNNERS.len() }> =
    Index::of(RUNNERS, &first_words());

/// Commands and what they show.
///
/// The first word is the program, without its directory. Words without a dash must follow in this
/// order, with options between them. Words with a dash must stand anywhere behind; `^` asks for
/// them before the first operand, `|` separates spellings. The first row that fits is taken.
#[rustfmt::skip]
pub(super) const TOOLS: &[(&str, RunKind)] = &[
    // Rust
    ("cargo test --no-run", Build), ("cargo t --no-run", Build), ("cargo test", Test), ("cargo t", Test),
    ("cargo nextest run --no-run", Build), ("cargo nextest run", Test), ("cargo nextest r", Test),
    ("cargo llvm-cov nextest", Test), ("cargo llvm-cov test", Test), ("cargo llvm-cov", Test), ("cargo tarpaulin", Test), ("cargo miri test", Test),
    ("cargo insta test", Test), ("cargo hack test", Test), ("cargo hack clippy", Lint),
    ("cargo hack check", Build), ("cargo hack build", Build), ("cargo careful test", Test),
    ("cargo clippy", Lint), ("cargo fmt --check", Lint), ("cargo deny check", Lint), ("cargo sort --check", Lint),
    ("cargo build", Build), ("cargo b", Build), ("cargo check", Build), ("cargo c", Build),
    ("cargo bench", Build), ("cargo zigbuild", Build), ("cross test", Test), ("cross build", Build),
    ("cross check", Build), ("cross clippy", Lint), ("wasm-pack test", Test), ("wasm-pack build", Build),
    ("trunk build", Build), ("maturin build", Build), ("maturin develop", Build), ("rustfmt --check", Lint),
    ("rustc", Build),
    // Python
    ("pytest", Test), ("py.test", Test), ("unittest", Test), ("nose2", Test), ("nosetests", Test),
    ("stestr run", Test),
    ("behave", Test), ("robot", Test), ("trial", Test), ("doctest", Test), ("manage.py test", Test),
    ("manage.py check", Lint), ("setup.py test", Test), ("setup.py build", Build), ("runtests.py", Test),
    ("hatch test", Test), ("hatch build", Build), ("rye test", Test), ("rye lint", Lint), ("poetry build", Build),
    ("poetry check", Lint), ("uv build", Build), ("py_compile", Build), ("compileall", Build),
    ("mypy", Types), ("dmypy run", Types), ("dmypy check", Types), ("pyright", Types), ("basedpyright", Types),
    ("pyre check", Types),
    ("ty check", Types), ("pytype", Types), ("pyrefly check", Types), ("ruff check", Lint),
    ("ruff format --check|--diff", Lint),
    ("flake8", Lint), ("pylint", Lint), ("pycodestyle", Lint), ("pydocstyle", Lint), ("pyflakes", Lint),
    ("bandit", Lint),
    ("vulture", Lint), ("black --check", Lint), ("isort --check|--check-only|-c", Lint),
    ("pre-commit run", Lint), ("prek run", Lint),
    // JavaScript and TypeScript
    ("npm test", Test), ("npm t", Test), ("npm tst", Test), ("pnpm test", Test), ("pnpm t", Test),
    ("yarn test", Test),
    ("bun test", Test), ("bun build", Build), ("node ^--test", Test), ("tsx ^--test", Test),
    ("vitest", Test),
    ("jest", Test), ("mocha", Test), ("ava", Test), ("tap", Test), ("jasmine", Test),
    ("karma start --single-run", Test), ("uvu", Test),
    ("wtr", Test), ("web-test-runner", Test), ("playwright test", Test), ("cypress run", Test), ("testcafe", Test),
    ("wdio run", Test), ("react-scripts test", Test), ("react-scripts build", Build), ("craco test", Test),
    ("ng test", Test), ("ng build", Build), ("ng lint", Lint), ("ng e2e", Test), ("next build", Build),
    ("next lint", Lint),
    ("nuxt build", Build), ("nuxi typecheck", Types), ("nuxt typecheck", Types), ("vite build", Build),
    ("astro build", Build), ("astro check", Types), ("webpack", Build), ("rollup", Build), ("tsup", Build),
    ("tsdown", Build), ("unbuild", Build), ("esbuild", Build), ("parcel build", Build), ("rspack build", Build),
    ("rsbuild build", Build),
    ("ember test", Test), ("ember build", Build), ("gatsby build", Build), ("remix build", Build),
    ("svelte-check", Types), ("tsc", Types), ("vue-tsc", Types), ("tsgo", Types), ("tsd", Types),
    ("attw", Types), ("flow check", Types),
    ("flow status", Types), ("flow", Types), ("eslint", Lint), ("oxlint", Lint), ("xo", Lint),
    ("standard", Lint), ("tslint", Lint),
    ("biome check", Lint), ("biome lint", Lint), ("biome ci", Lint),
    ("prettier --check|-c|--list-different|-l", Lint),
    ("stylelint", Lint), ("knip", Lint), ("dprint check", Lint), ("markdownlint", Lint),
    ("markdownlint-cli2", Lint), ("commitlint", Lint),
    ("deno test", Test), ("deno lint", Lint), ("deno check", Types), ("deno fmt --check", Lint),
    ("deno compile", Build),
    // Go
    ("go test -c", Build), ("go test", Test), ("go vet", Lint), ("go build", Build), ("go install", Build),
    ("gotestsum", Test), ("richgo test", Test),
    ("ginkgo build", Build), ("ginkgo", Test), ("golangci-lint run", Lint), ("staticcheck", Lint),
    ("revive", Lint), ("govulncheck", Lint), ("gosec", Lint),
    // Java, Kotlin, Scala, Clojure
    ("scala-cli test", Test), ("scala-cli compile", Build), ("lein test", Test), ("lein compile", Build),
    ("ktlint", Lint), ("detekt", Lint),
    ("checkstyle", Lint), ("javac", Build), ("kotlinc", Build), ("scalac", Build), ("ant test", Test), ("ant", Build),
    // C, C++ and what builds anything
    ("ctest", Test), ("platformio test", Test), ("pio test", Test), ("platformio run", Build), ("pio run", Build),
    ("cmake --build", Build), ("meson test", Test), ("meson compile", Build), ("samu", Build),
    ("bazel test", Test), ("bazel build", Build), ("bazel coverage", Test), ("bazelisk test", Test),
    ("bazelisk build", Build), ("buck2 test", Test), ("buck2 build", Build),
    ("pants test", Test), ("pants lint", Lint), ("pants check", Types), ("xmake build", Build),
    ("scons", Build), ("tup", Build),
    ("gcc", Build), ("g++", Build), ("clang", Build), ("clang++", Build), ("cc", Build), ("c++", Build),
    ("nvcc", Build),
    ("clang-tidy", Lint), ("cppcheck", Lint), ("cpplint", Lint), ("clang-format --dry-run -Werror|--Werror", Lint),
    // .NET
    ("dotnet test", Test), ("dotnet build", Build), ("dotnet publish", Build), ("dotnet msbuild", Build),
    ("dotnet format --verify-no-changes", Lint), ("msbuild", Build),
    // Ruby
    ("rspec", Test), ("minitest", Test), ("cucumber", Test), ("parallel_rspec", Test), ("rubocop", Lint),
    ("standardrb", Lint), ("brakeman", Lint),
    ("srb tc", Types), ("steep check", Types), ("reek", Lint), ("erblint", Lint),
    // PHP
    ("phpunit", Test), ("pest", Test), ("paratest", Test), ("codecept run", Test), ("behat", Test),
    ("artisan test", Test), ("phpstan analyse", Types),
    ("phpstan analyze", Types), ("phpstan", Types), ("psalm", Types), ("phpcs", Lint), ("pint --test", Lint),
    ("php-cs-fixer fix --dry-run", Lint), ("php-cs-fixer check", Lint),
    // Apple
    ("swift test", Test), ("swift build", Build), ("xcodebuild test", Test),
    ("xcodebuild test-without-building", Test), ("xcodebuild build-for-testing", Build),
    ("xcodebuild build", Build), ("xcodebuild analyze", Lint), ("swiftlint", Lint),
    ("swiftformat --lint", Lint), ("swiftc", Build), ("tuist test", Test), ("tuist build", Build),
    // Elixir, Erlang, Gleam
    ("mix test", Test), ("mix compile", Build), ("mix credo", Lint), ("mix dialyzer", Types),
    ("mix format --check-formatted", Lint),
    ("rebar3 eunit", Test), ("rebar3 ct", Test), ("rebar3 compile", Build), ("rebar3 dialyzer", Types),
    ("gleam test", Test), ("gleam build", Build), ("gleam check", Types),
    // Dart
    ("dart test", Test), ("dart analyze", Lint), ("dart compile", Build),
    ("dart format --set-exit-if-changed", Lint), ("flutter test", Test), ("flutter analyze", Lint),
    ("flutter build", Build), ("melos test", Test), ("melos analyze", Lint),
    // Haskell, OCaml, Elm, Zig, Nim, Crystal, D, Lua, Perl, R, Julia, shell
    ("stack test", Test), ("stack build --test", Test), ("stack build", Build), ("cabal test", Test),
    ("cabal build", Build), ("hlint", Lint), ("ghc", Build),
    ("dune runtest", Test), ("dune test", Test), ("dune build", Build), ("elm-test", Test), ("elm make", Build),
    ("elm-review", Lint),
    ("zig build test", Test), ("zig test", Test), ("zig build", Build), ("zig fmt --check", Lint),
    ("zig ast-check", Build),
    ("nimble test", Test), ("nimble build", Build), ("crystal spec", Test), ("crystal build", Build),
    ("ameba", Lint), ("shards build", Build), ("dub test", Test), ("dub build", Build),
    ("busted", Test), ("luacheck", Lint), ("stylua --check", Lint), ("selene", Lint), ("prove", Test),
    ("perlcritic", Lint), ("R CMD check", Test),
    ("bats", Test), ("shellspec", Test), ("shellcheck", Lint), ("shfmt -d", Lint), ("forge test", Test),
    ("forge build", Build), ("hardhat test", Test), ("hardhat compile", Build),
    ("anchor test", Test), ("anchor build", Build), ("sui move test", Test), ("scarb test", Test),
    ("scarb build", Build),
    // What is deployed
    ("terraform validate", Lint), ("terraform test", Test), ("terraform fmt -check|--check", Lint),
    ("tofu validate", Lint), ("tofu test", Test), ("tflint", Lint),
    ("helm lint", Lint), ("helm unittest", Test), ("hadolint", Lint), ("yamllint", Lint), ("actionlint", Lint),
    ("ansible-lint", Lint), ("molecule test", Test),
    ("kubeconform", Lint), ("checkov", Lint), ("conftest test", Test), ("opa test", Test),
    ("sqlfluff lint", Lint), ("dbt test", Test), ("dbt build", Test), ("dbt compile", Build),
    ("buf lint", Lint), ("buf build", Build), ("vale", Lint), ("typos", Lint), ("codespell", Lint),
    ("docker build", Build), ("docker buildx build", Build), ("docker compose build", Build),
    ("docker-compose build", Build), ("podman build", Build), ("nix build", Build), ("nix flake check", Test),
    ("nix-build", Build), ("earthly +test", Test), ("earthly +build", Build),
    ("earthly +lint", Lint), ("sphinx-build", Build), ("mkdocs build", Build), ("mdbook test", Test),
    ("mdbook build", Build),
];

/// Calls of the same programs that show nothing.
#[rustfmt::skip]
const NO_RUNS: &[&str] = &[
    "vitest list", "vitest watch", "vitest dev", "vitest bench", "vitest init", "c8 report", "webpack serve",
    "cargo llvm-cov report", "cargo llvm-cov clean", "cargo llvm-cov show-env", "cargo llvm-cov run", "flow stop", "flow server",
    "ginkgo bootstrap", "ginkgo generate", "ginkgo watch",
];

/// Words that only ask, or begin something that does not end by itself.
#[rustfmt::skip]
pub(super) const ASKING: &[&str] = &[
    "--help", "-h", "-help", "--version", "-version", "--list", "--list-tests", "--listTests", "--collect-only",
    "--co", "--dry-run", "--dryrun", "--just-print",
    "--watch", "--watchAll", "--watch-all", "--watch-fs", "--ui", "--listenvs", "--list-sessions",
    "--list-targets", "--fixtures", "--markers", "--setup-plan",
    "--show-config", "--showConfig", "--print-config", "--show-settings", "--show-files", "--print", "--init",
    "--clearCache", "--install-types", "--show-only",
    "--env-info", "--explain", "--tasks", "--evaluate",
];

/// The same for single programs, where another program means something else by the word.
#[rustfmt::skip]
const ASKING_OF: &[(&str, &[&str])] = &[
    ("make", &["-n", "-v", "-q", "-p"]), ("gmake", &["-n", "-v", "-q", "-p"]), ("just", &["-n", "-l", "-e", "-s", "--show", "--dump", "--evaluate", "--summary", "--choose"]),
    ("task", &["-l", "-n", "-w", "--list-all"]),
    ("ninja", &["-n", "-t"]), ("rake", &["-T", "-n", "-P"]), ("ctest", &["-N"]),
    ("tox", &["-l", "-a", "list", "config"]), ("nox", &["-l"]),
    ("tsc", &["-w", "-v", "--all", "--clean"]), ("vue-tsc", &["-w", "-v"]), ("mocha", &["-w"]),
    ("vitest", &["-w", "-v"]), ("ava", &["-w"]), ("karma", &["--auto-watch"]),
    ("go", &["-list", "-n"]), ("pytest", &["-V"]), ("mypy", &["-V"]), ("ruff", &["-V"]), ("pyright", &["-w"]),
    ("eslint", &["-v"]), ("rspec", &["-v"]),
    ("rustc", &["-V", "-vV"]), ("gcc", &["-v", "-dumpversion", "-dumpmachine", "-E"]), ("clang", &["-v", "-E"]),
    ("g++", &["-v", "-E"]), ("cc", &["-v", "-E"]),
    ("mvn", &["-v"]), ("gradle", &["-m", "-t", "--continuous"]), ("webpack", &["-w"]), ("rollup", &["-w"]),
    ("javac", &["-version"]), ("playwright", &["--debug"]),
    ("shellcheck", &["-V"]), ("cabal", &["-V"]), ("prettier", &["-v"]),
];

/// Options that take the next word with them, where they may stand before the word that counts.
#[rustfmt::skip]
const VALUED: &[(&str, &[&str])] = &[
    ("cargo", &["-C", "-Z", "--config", "--color", "--manifest-path", "-p", "--package", "--target-dir"]),
    ("go", &["-C"]), ("swift", &["--package-path"]),
    ("npm", &["--prefix", "-w", "--workspace", "-C", "--loglevel"]),
    ("pnpm", &["--filter", "-F", "-C", "--dir", "--prefix", "--loglevel", "--reporter", "--filter-prod"]),
    ("yarn", &["--cwd", "--include", "--exclude", "--from", "-j", "--jobs"]),
    ("bun", &["--cwd", "--filter", "-c", "--config", "-r", "--preload"]),
    ("deno", &["-c", "--config", "--cwd"]),
    ("make", &["-C", "-f", "--directory", "--file", "-o", "-I", "-W", "-l"]),
    ("gmake", &["-C", "-f", "--directory", "--file", "-o", "-I"]),
    ("just", &["-f", "--justfile", "-d", "--working-directory", "--set"]),
    ("task", &["-d", "--dir", "-t", "--taskfile", "-o", "-C"]),
    ("ninja", &["-C", "-f", "-j", "-k", "-l", "-d", "-w"]),
    ("gradle", &["--tests", "-x", "--exclude-task", "-p", "--project-dir", "-b", "-c", "-I", "-g",
        "--max-workers", "--console", "--init-script"]),
    ("mvn", &["-f", "--file", "-pl", "--projects", "-s", "--settings", "-T", "--threads", "-P", "-rf", "-l"]),
    ("rake", &["-f", "-I", "-r", "-R", "-C", "-j"]),
    ("tox", &["-c", "--conf", "-p", "--workdir", "--root", "--result-json", "-x", "--override"]),
    ("nox", &["-f", "--noxfile", "-p", "--python", "-k", "-t", "--tags", "--default-venv-backend"]),
    ("turbo", &["--filter", "-F", "--concurrency", "--cwd", "--output-logs"]),
    ("nx", &["--projects", "-p", "--exclude", "--parallel", "--base", "--head", "-c", "--configuration",
        "--skip-nx-cache"]),
    ("lerna", &["--scope", "--ignore", "--concurrency", "--since"]),
    ("docker", &["-c", "--context", "-H", "--host", "-f", "--file", "-p", "--project-name", "--profile",
        "--env-file", "--project-directory"]),
    ("docker-compose", &["-f", "--file", "-p", "--project-name", "--profile", "--env-file",
        "--project-directory"]),
    ("bazel", &["--output_base", "--bazelrc"]),
    ("composer", &["-d", "--working-dir"]),
    ("xcodebuild", &["-project", "-workspace", "-scheme", "-destination", "-configuration", "-sdk",
        "-derivedDataPath", "-resultBundlePath", "-arch", "-target",
        "-testPlan", "-only-testing", "-skip-testing", "-parallel-testing-worker-count", "-jobs", "-toolchain",
        "-xcconfig"]), ("git", &["-C", "-c", "--git-dir", "--work-tree"]),
    ("terraform", &["-chdir"]), ("poetry", &["-C", "--directory", "-P", "--project"]),
    ("uv", &["--directory", "--project", "--config-file", "--cache-dir"]), ("invoke", &["-c", "-r"]),
    ("poe", &["-C", "--root"]),
    ("stack", &["--stack-yaml", "--resolver"]), ("cabal", &["--project-file"]),
    ("hatch", &["-e", "--env", "-p", "--project"]), ("sbt", &["-java-home", "-mem"]),
    ("rush", &["-t", "-o", "-p", "--parallelism"]),
    ("mix", &[]), ("kubectl", &["-n", "--namespace", "--context", "--kubeconfig"]), ("gh", &["-R", "--repo"]),
    ("brew", &[]),
];

/// Options that name the directory in which the run takes place.
#[rustfmt::skip]
const DIRECTORY: &[(&str, &[&str])] = &[
    ("cargo", &["-C", "--manifest-path"]), ("cross", &["--manifest-path"]), ("go", &["-C"]),
    ("npm", &["--prefix", "-C"]), ("pnpm", &["-C", "--dir", "--prefix"]),
    ("yarn", &["--cwd"]), ("bun", &["--cwd"]), ("deno", &["--cwd"]), ("make", &["-C", "--directory"]),
    ("gmake", &["-C", "--directory"]), ("ninja", &["-C"]), ("gradle", &["-p", "--project-dir"]),
    ("mvn", &["-f", "--file"]), ("just", &["-d", "--working-directory"]), ("task", &["-d", "--dir"]),
    ("poetry", &["-C", "--directory"]), ("uv", &["--directory"]), ("meson", &["-C"]), ("rake", &["-C"]),
    ("composer", &["-d", "--working-dir"]), ("terraform", &["-chdir"]), ("swift", &["--package-path"]),
    ("env", &["-C", "--chdir"]), ("turbo", &["--cwd"]), ("ctest", &["--test-dir"]),
];

/// Which words of a command are names that its project gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// The first one; what follows is for it.
    First,
    /// The first one, unless it is a program itself.
    Program,
    /// Every one.
    All,
}

/// A tool that runs what a project named: a target, a script, a recipe.
pub(super) struct Runner {
    /// The words before the names.
    pub(super) words: &'static [&'static str],
    /// Words between them and the names.
    pub(super) operands: usize,
    /// Which words are names.
    pub(super) take: Take,
    /// What it does without a name.
    pub(super) bare: Option<RunKind>,
    /// What `check` means there.
    pub(super) check: RunKind,
    /// Names that are the tool's own.
    pub(super) names: &'static [(&'static str, RunKind)],
}

const fn runner(words: &'static [&'static str], take: Take) -> Runner {
    Runner { words, operands: 0, take, bare: None, check: Lint, names: &[] }
}

const fn targets(
    words: &'static [&'static str],
    bare: Option<RunKind>,
    names: &'static [(&'static str, RunKind)],
) -> Runner {
    Runner { words, operands: 0, take: Take::All, bare, check: Test, names }
}

const MAVEN: &[(&str, RunKind)] = &[
    ("verify", Test),
    ("package", Test),
    ("install", Test),
    ("integration-test", Test),
    ("test-compile", Build),
    ("check", Lint),
];

/// The runners; of two that fit, the one with more words is taken.
#[rustfmt::skip]
pub(super) const RUNNERS: &[Runner] = &[
    targets(&["make"], Some(Build), &[("all", Build), ("world", Build), ("distcheck", Test)]),
    targets(&["gmake"], Some(Build), &[("all", Build), ("distcheck", Test)]),
    targets(&["ninja"], Some(Build), &[("all", Build)]),
    targets(&["just"], None, &[]), targets(&["task"], None, &[]), targets(&["rake"], Some(Test), &[]),
    targets(&["mage"], None, &[]), targets(&["invoke"], None, &[]), targets(&["inv"], None, &[]),
    targets(&["gradle"], None, &[("build", Test), ("classes", Build)]), targets(&["mvn"], None, MAVEN),
    targets(&["sbt"], None, &[]), targets(&["mill"], None, &[]),
    targets(&["tox"], Some(Test), &[]), targets(&["nox"], Some(Test), &[]), targets(&["turbo"], None, &[]),
    targets(&["turbo", "run"], None, &[]), targets(&["poe"], None, &[]), targets(&["bb"], None, &[]),
    targets(&["cargo", "make"], None, &[]), targets(&["cargo", "xtask"], None, &[]),
    targets(&["mise", "run"], None, &[]), targets(&["moon", "run"], None, &[]),
    targets(&["lerna", "run"], None, &[]),
    runner(&["npm", "run"], Take::First), runner(&["npm", "run-script"], Take::First),
    runner(&["npm", "rum"], Take::First), runner(&["node", "--run"], Take::First),
    runner(&["bun", "run"], Take::Program),
    runner(&["pnpm"], Take::Program), runner(&["pnpm", "run"], Take::Program),
    runner(&["pnpm", "recursive", "run"], Take::First), runner(&["yarn"], Take::Program),
    runner(&["yarn", "run"], Take::Program),
    runner(&["yarn", "workspaces", "run"], Take::First),
    runner(&["yarn", "workspaces", "foreach"], Take::First),
    runner(&["yarn", "workspaces", "foreach", "run"], Take::First), runner(&["deno", "task"], Take::First),
    runner(&["hatch", "run"], Take::Program), runner(&["pdm", "run"], Take::Program),
    runner(&["pdm"], Take::First), runner(&["rye", "run"], Take::Program),
    runner(&["pipenv", "run"], Take::Program),
    runner(&["composer"], Take::First), runner(&["composer", "run"], Take::First),
    runner(&["composer", "run-script"], Take::First), runner(&["rails"], Take::First),
    runner(&["nx"], Take::First),
    runner(&["nx", "run"], Take::First), runner(&["rush"], Take::First), runner(&["melos", "run"], Take::First),
    runner(&["devbox", "run"], Take::Program), runner(&["pixi", "run"], Take::Program),
    Runner { words: &["yarn", "workspace"], operands: 1, take: Take::Program, bare: None, check: Lint, names: &[] },
];

const fn first_words() -> [&'static str; RUNNERS.len()] {
    let mut words = [""; RUNNERS.len()];
    let mut row = 0;
    while row < words.len() {
        words[row] = RUNNERS[row].words[0];
        row += 1;
    }
    words
}

/// Spellings of one thing.
#[rustfmt::skip]
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("cargo t", "cargo test"), ("cargo b", "cargo build"), ("cargo c", "cargo check"),
    ("cargo nextest r", "cargo nextest run"), ("npm t", "npm test"), ("npm tst", "npm test"),
    ("pnpm t", "pnpm test"),
    ("py.test", "pytest"), ("bazelisk test", "bazel test"), ("bazelisk build", "bazel build"),
    ("phpstan analyse", "phpstan"), ("phpstan analyze", "phpstan"),
];

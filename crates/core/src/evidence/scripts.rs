//! The files that decide what a command does: a script that it runs, a task file that it reads.

use super::Pattern;
use super::line::{Input, Line, Part, Simple, Word};
use super::shell::parse;
use super::unwrap::{SHELLS, program, skip_assignments};

/// Lines within lines that are looked at.
const MAX_DEPTH: usize = 3;
/// Files of one run.
const MAX_FILES: usize = 24;

const MAKEFILES: &[&str] = &["Makefile", "makefile", "GNUmakefile"];
const PACKAGE: &[&str] = &["package.json"];
const COMPOSE_FILES: &[&str] = &[
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yml",
    "compose.yaml",
    "docker-compose.override.yml",
    "compose.override.yml",
];

const BAZEL_FILES: &[&str] = &["BUILD", "BUILD.bazel", "WORKSPACE", "MODULE.bazel"];
const GRADLE_FILES: &[&str] =
    &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "buildSrc/"];

/// Tasks that Gradle has by itself: a build file decides how they are done, not what they are.
const GRADLE_TASKS: &[&str] = &["test", "check", "build", "assemble", "clean", "jar", "verify"];

/// Task files by the programs that read them; one that ends with a slash is a directory.
#[rustfmt::skip]
const TASK_FILES: &[(&str, &[&str])] = &[
    ("make", MAKEFILES), ("gmake", MAKEFILES), ("gradle", GRADLE_FILES), ("ninja", &["build.ninja"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"]),
    ("go-task", &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"]),
    ("rake", &["Rakefile", "rakefile", "lib/tasks/"]), ("tox", &["tox.ini", "tox.toml", "setup.cfg"]),
    ("nox", &["noxfile.py"]), ("invoke", &["tasks.py", "tasks/"]), ("inv", &["tasks.py", "tasks/"]),
    ("fab", &["fabfile.py"]), ("doit", &["dodo.py"]), ("mage", &["magefile.go", "magefiles/"]),
    ("earthly", &["Earthfile"]), ("act", &[".github/workflows/"]),
    ("dagger", &["dagger.json", "dagger/", ".dagger/", "ci/"]), ("gitlab-runner", &[".gitlab-ci.yml"]),
    ("gitlab-ci-local", &[".gitlab-ci.yml"]), ("circleci", &[".circleci/config.yml"]),
    ("pre-commit", &[".pre-commit-config.yaml"]), ("prek", &[".pre-commit-config.yaml"]),
    ("lefthook", &["lefthook.yml", ".lefthook.yml", "lefthook.toml"]), ("overcommit", &[".overcommit.yml"]),
    ("npm", PACKAGE), ("pnpm", PACKAGE), ("yarn", PACKAGE), ("bun", PACKAGE), ("npm-run-all", PACKAGE), ("wireit", PACKAGE),
    ("turbo", &["turbo.json", "package.json"]), ("nx", &["nx.json", "project.json", "package.json"]),
    ("lerna", &["lerna.json", "package.json"]), ("rush", &["rush.json"]), ("moon", &["moon.yml", ".moon/"]),
    ("deno", &["deno.json", "deno.jsonc"]), ("composer", &["composer.json"]), ("bb", &["bb.edn"]),
    ("mise", &["mise.toml", ".mise.toml", "mise-tasks/", ".mise/tasks/"]), ("devbox", &["devbox.json"]),
    ("pixi", &["pixi.toml"]), ("poe", &["pyproject.toml", "poe_tasks.toml"]), ("pdm", &["pyproject.toml"]),
    ("hatch", &["pyproject.toml", "hatch.toml"]), ("rye", &["pyproject.toml"]), ("pipenv", &["Pipfile"]),
    ("vagrant", &["Vagrantfile"]), ("foreman", &["Procfile"]), ("overmind", &["Procfile"]), ("hivemind", &["Procfile"]),
    ("docker-compose", COMPOSE_FILES), ("podman-compose", COMPOSE_FILES),
];

/// Task files of subcommands.
const SUBCOMMAND_FILES: &[(&str, &str, &[&str])] = &[
    ("docker", "compose", COMPOSE_FILES),
    ("podman", "compose", COMPOSE_FILES),
    ("cargo", "xtask", &["xtask/", ".cargo/config.toml"]),
    ("cargo", "make", &["Makefile.toml"]),
    ("bazel", "run", BAZEL_FILES),
    ("bazelisk", "run", BAZEL_FILES),
];

/// Programs that run another command in a place of which a file tells.
const CONTAINERS: &[&str] = &["docker", "podman", "docker-compose", "podman-compose", "vagrant"];

/// Programs that run a script of the project in another place, by another path.
#[rustfmt::skip]
const ELSEWHERE: &[&str] = &[
    "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc", "ssh", "vagrant", "distrobox",
    "toolbox", "limactl", "lima", "colima", "devcontainer", "apptainer", "singularity", "multipass", "lxc", "incus",
];

/// Whether a program runs other commands in a place with directories of its own.
pub(super) fn runs_elsewhere(program: &str) -> bool {
    ELSEWHERE.contains(&program)
}

/// The scripts that a word names in another place, by their names alone.
fn scripts_elsewhere(word: &str) -> impl Iterator<Item = String> {
    let parts =
        word.split_whitespace().filter(|it| !it.starts_with('-') && !it.contains([':', '=']));
    let script = |it: &str| {
        let name = it.rsplit('/').next().unwrap_or(it);
        let ending = name.rsplit_once('.').map_or("", |it| it.1);
        (SCRIPT_ENDINGS.contains(&ending) || RUNNABLE.contains(&ending))
            .then(|| format!("**/{name}"))
    };
    parts.filter_map(script)
}

/// Tells whether an assignment before a command puts programs of somebody's own before those of the
/// system: `PATH=/tmp/fake:$PATH`. A toolchain has a `bin`.
pub(super) fn fakes_programs(words: &[Word]) -> bool {
    let paths = words.iter().filter_map(|it| it.text.strip_prefix("PATH="));
    paths.flat_map(|it| it.split(':')).any(|it| {
        let is_toolchain =
            it.trim_end_matches('/').ends_with("bin") || it.contains("/node_modules/");
        crate::path::is_temporary(it) && !is_toolchain
    })
}

/// Directories in which shells look for programs.
pub(crate) const PROGRAM_DIRECTORIES: &[&str] = &["bin", ".bin", "sbin", "shims"];

/// Programs that run the program that they are given.
const STARTERS: &[&str] = &[
    "npx", "pnpx", "bunx", "pnpm", "yarn", "bun", "npm", "uv", "poetry", "pipenv", "pdm", "hatch",
];

/// Tells whether a file may stand in the place of the program that a command runs: one of its name
/// where programs are looked for, or a module of its name.
pub(crate) fn stands_in(file: &str, command: &str) -> bool {
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    let mut words = command
        .split_whitespace()
        .skip_while(|it| it.contains('=') && !it.starts_with('-'))
        .map(program);
    let first = words.next().unwrap_or_default();
    let is_module = |it: &str| {
        let is_package = directory.rsplit('/').next() == Some(it);
        name.strip_suffix(".py") == Some(it)
            || is_package && matches!(name, "__main__.py" | "__init__.py")
    };
    if matches!(first, "python" | "python3") {
        return words.next() == Some("-m") && words.next().is_some_and(is_module);
    }
    let is_step = |it: &&str| it.starts_with('-') || matches!(*it, "run" | "exec" | "x" | "dlx");
    let called =
        if STARTERS.contains(&first) { words.find(|it| !is_step(it)) } else { Some(first) };
    let is_searched =
        directory.rsplit('/').next().is_some_and(|it| PROGRAM_DIRECTORIES.contains(&it));
    is_searched && called.is_some_and(|it| !it.is_empty() && it == name)
}

/// Endings of programs that an interpreter runs.
const RUNNABLE: &[&str] =
    &["py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "exs", "R", "jl", "tcl", "awk"];

/// Tells whether a file may be run, by its name.
pub(crate) fn may_be_run(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').filter(|it| !it.0.is_empty()) {
        Some((_, ending)) => SCRIPT_ENDINGS.contains(&ending) || RUNNABLE.contains(&ending),
        None => !name.is_empty(),
    }
}

/// Tells whether a task may run a file as a part of its tests, by the name of the file: a script
/// that is called a test or CI. `path` begins at the directory of the task.
pub(crate) fn may_steer(path: &str) -> bool {
    const TESTS: &[&str] = &["test", "tests", "spec", "specs", "__tests__", "t", "e2e", "testdata"];
    const WORDS: &[&str] = &["ci", "test", "tests", "runtests"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let mut directories = path.split('/').rev().skip(1);
    if directories.clone().any(|it| TESTS.contains(&it)) {
        return false;
    }
    let in_scripts = directories.any(|it| SCRIPT_DIRECTORIES.contains(&it));
    if SCRIPT_ENDINGS.contains(&ending) {
        let has_word = stem.split(['-', '_', '.']).any(|it| WORDS.contains(&it));
        return has_word || in_scripts && SCRIPT_NAMES.contains(&stem);
    }
    let is_runner =
        matches!(stem, "run_tests" | "run-tests" | "test-all" | "test_all" | "runtests");
    in_scripts && RUNNABLE.contains(&ending) && (SCRIPT_NAMES.contains(&stem) || is_runner)
}

/// Options that name another task file.
const FILE_OPTIONS: &[&str] = &[
    "-f",
    "--file",
    "--makefile",
    "--justfile",
    "--taskfile",
    "--rakefile",
    "--noxfile",
    "--conf",
];

/// Endings of scripts. A program in another language that is called a test is a test, and no
/// script around one.
const SCRIPT_ENDINGS: &[&str] = &["sh", "bash", "zsh", "ksh", "fish", "ps1", "bat", "cmd"];

/// Files that hold the hooks of a repository.
const HOOK_FILES: &[&str] = &[
    ".git/hooks/",
    ".husky/",
    ".githooks/",
    "githooks/",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lefthook.yml",
    ".overcommit.yml",
];

/// The files that decide what a command does, as its words name them; one that ends with a slash
/// stands for what is in it. Where only the output shows a run, every file that the command runs
/// is one.
pub(super) fn script_files(simple: &Simple, own: &[Pattern], is_run_shown: bool) -> Vec<String> {
    let mut files = Vec::new();
    add_files(simple, own, is_run_shown, 0, &mut files);
    files.truncate(MAX_FILES);
    files
}

fn add_files(
    simple: &Simple,
    own: &[Pattern],
    is_run_shown: bool,
    depth: usize,
    files: &mut Vec<String>,
) {
    let words = simple.words.as_slice();
    let start = skip_assignments(words, 0);
    let sight = simple.look(own);
    let at = sight.at.min(words.len());
    if start >= words.len() {
        return;
    }
    // What runs the command in a container is asked, too.
    let outer = program(&words[start].text);
    if at > start && CONTAINERS.contains(&outer) {
        files.extend(task_files(&words[start..]));
    }
    if ELSEWHERE.contains(&outer) {
        files.extend(words[start + 1..].iter().flat_map(|it| scripts_elsewhere(&it.text)));
    }
    for word in &words[..start] {
        let places = word.text.strip_prefix("PATH=").unwrap_or_default().split(':');
        files.extend(places.filter(|it| it.starts_with(['/', '.'])).map(|it| format!("{it}/")));
    }
    if sight.line.is_none() {
        files.extend(task_files(&words[at..]));
    }
    if let (Some((line, _)), true) = (sight.line, depth < MAX_DEPTH) {
        if let Some(line) = parse(&words[line].text) {
            each_simple(&line, &mut |it| add_files(it, own, is_run_shown, depth + 1, files));
        }
        return;
    }
    let Some(first) = words.get(at).map(|it| it.text.as_str()) else { return };
    if is_run_shown && program(first) == "git" {
        files.extend(HOOK_FILES.iter().map(|it| (*it).to_owned()));
        return;
    }
    let behind_shell = words[start..at].iter().any(|it| SHELLS.contains(&program(&it.text)));
    if is_script(first, behind_shell, is_run_shown) {
        files.push(first.to_owned());
    }
    if is_run_shown {
        add_shown(&words[start..], &words[at..], files);
        if let Some(Input::File(file)) = &simple.input {
            files.push(file.clone());
        }
    }
}

/// Tells whether a word names a script by the way in which it is run.
fn is_script(word: &str, behind_shell: bool, is_run_shown: bool) -> bool {
    let file = word.rsplit('/').next().unwrap_or(word);
    if let Some((_, ending)) = file.rsplit_once('.').filter(|it| !it.0.is_empty()) {
        return is_run_shown || SCRIPT_ENDINGS.contains(&ending);
    }
    let is_installed = ["/usr/", "/bin/", "/opt/"].iter().any(|it| word.starts_with(it));
    behind_shell || word.contains('/') && !is_installed
}

/// The files of commands that only their output shows to be runs.
fn add_shown(words: &[Word], inner: &[Word], files: &mut Vec<String>) {
    let text = |at: usize| inner.get(at).map_or("", |it| it.text.as_str());
    match program(text(0)) {
        "source" | "." => files.push(text(1).to_owned()),
        "docker" | "podman" | "docker-compose" if inner.iter().any(|it| it.text == "build") => {
            files.push("Dockerfile".to_owned());
        }
        // `cargo run --bin ci`, `go run ./cmd/ci`
        "cargo" if text(1) == "run" => {
            let name =
                inner.windows(2).find(|it| it[0].text == "--bin" || it[0].text == "--example");
            files.extend(name.map(|it| format!("src/bin/{}.rs", it[1].text)));
        }
        "go" if text(1) == "run" => {
            let place = inner[2..].iter().find(|it| !it.text.starts_with('-'));
            files.extend(place.map(|it| it.text.clone()));
        }
        _ => {}
    }
    // `python -m tools.ci`
    if let Some(pair) = words.windows(2).find(|it| it[0].text == "-m") {
        let path = pair[1].text.replace('.', "/");
        files.extend([format!("{path}.py"), format!("{path}/__main__.py")]);
    }
}

/// The task files that a program reads. `words` begin with it.
pub(super) fn task_files(words: &[Word]) -> Vec<String> {
    let Some(first) = words.first().map(|it| program(&it.text)) else { return Vec::new() };
    let sub = || words[1..].iter().map(|it| it.text.as_str());
    let by_sub = SUBCOMMAND_FILES
        .iter()
        .find(|it| it.0 == first && sub().take(6).any(|word| word == it.1))
        .map(|it| it.2);
    let by_name = TASK_FILES.iter().find(|it| it.0 == first).map(|it| it.1);
    // `nix flake check` runs what the flake says.
    if first == "nix" && sub().any(|it| it == "flake") && sub().any(|it| it == "check") {
        return vec!["flake.nix".to_owned()];
    }
    let Some(files) = by_sub.or(by_name) else { return Vec::new() };
    let is_known_task = |it: &str| {
        let task = it.rsplit(':').next().unwrap_or(it);
        GRADLE_TASKS.contains(&task) || task.ends_with("Test")
    };
    if first == "gradle" && sub().filter(|it| !it.starts_with('-')).any(is_known_task) {
        return Vec::new();
    }
    if sub().find(|it| !it.starts_with('-')).is_some_and(|it| runs_program(first, it)) {
        return Vec::new();
    }
    let mut named = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        let (name, value) = text.split_once('=').map_or((text, None), |it| (it.0, Some(it.1)));
        if FILE_OPTIONS.contains(&name) {
            named.extend(value.or_else(|| words.get(at + 1).map(|it| it.text.as_str())));
        }
    }
    if named.is_empty() {
        return files.iter().map(|it| (*it).to_owned()).collect();
    }
    named.into_iter().map(str::to_owned).collect()
}

/// Tells whether a subcommand runs programs, and no script of the project.
fn runs_program(program: &str, sub: &str) -> bool {
    match program {
        "npm" => matches!(sub, "exec" | "x" | "ci" | "install" | "i"),
        "pnpm" | "yarn" => matches!(sub, "exec" | "dlx" | "install" | "i" | "add"),
        "bun" => matches!(sub, "test" | "x" | "install" | "i" | "add" | "build"),
        "deno" => sub != "task",
        _ => false,
    }
}

fn each_simple(line: &Line, call: &mut impl FnMut(&Simple)) {
    for part in line.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe) {
        match part {
            Part::Simple(simple) => call(simple),
            Part::Group(group) => group.lines.iter().for_each(|it| each_simple(it, call)),
        }
    }
}

/// Directories that hold scripts by convention.
const SCRIPT_DIRECTORIES: &[&str] = &[
    "bin",
    "script",
    "scripts",
    "ci",
    ".ci",
    "tools",
    "hack",
    ".husky",
    "hooks",
    ".githooks",
    "dev",
];

/// Names of scripts that run the tests of a project.
const SCRIPT_NAMES: &[&str] = &[
    "ci",
    "test",
    "tests",
    "check",
    "checks",
    "verify",
    "validate",
    "runtests",
    "run-tests",
    "gate",
];

/// Tells whether a file is one that decides what a command does, by its name: a task file, or a
/// script without an ending.
pub(crate) fn is_task_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut directories = path.split('/').rev().skip(1);
    let is_listed = |files: &[&str]| {
        files.iter().any(|it| match it.strip_suffix('/') {
            Some(directory) => directory.contains('.') && path.contains(&format!("{directory}/")),
            None => path.ends_with(it) && name == it.rsplit('/').next().unwrap_or(it),
        })
    };
    let is_known = TASK_FILES.iter().any(|it| is_listed(it.1))
        || SUBCOMMAND_FILES.iter().any(|it| is_listed(it.2))
        || is_listed(HOOK_FILES)
        || name.rsplit_once('.').is_some_and(|it| it.1 == "mk");
    let is_bare = !name.contains('.')
        && (directories.next().is_some_and(|it| SCRIPT_DIRECTORIES.contains(&it))
            || SCRIPT_NAMES.contains(&name));
    is_known || is_bare
}

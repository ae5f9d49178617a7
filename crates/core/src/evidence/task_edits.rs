//! What an edit does to the tasks of a task file or a manifest.
//!
//! A session that changes a dependency or another task does not decide what the tests run.

use super::RunKind;
use super::command::CommandLine;

/// How a task file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TaskForm {
    /// `"name": "command",`
    Json,
    /// `[tasks.name]` and keys below it.
    Toml,
    /// `name: dependencies` and indented lines below it.
    Rules,
    /// `  name:` and lines below it that are indented more: services of containers.
    Services,
}

#[rustfmt::skip]
const FORMS: &[(&str, TaskForm)] = &[
    ("package.json", TaskForm::Json), ("composer.json", TaskForm::Json), ("deno.json", TaskForm::Json),
    ("deno.jsonc", TaskForm::Json), ("project.json", TaskForm::Json), ("mise.toml", TaskForm::Toml),
    (".mise.toml", TaskForm::Toml), ("pyproject.toml", TaskForm::Toml), ("pixi.toml", TaskForm::Toml),
    ("Makefile.toml", TaskForm::Toml), ("Pipfile", TaskForm::Toml), ("Makefile", TaskForm::Rules),
    ("makefile", TaskForm::Rules), ("GNUmakefile", TaskForm::Rules), ("justfile", TaskForm::Rules),
    ("Justfile", TaskForm::Rules), (".justfile", TaskForm::Rules),
    ("docker-compose.yml", TaskForm::Services), ("docker-compose.yaml", TaskForm::Services),
    ("compose.yml", TaskForm::Services), ("compose.yaml", TaskForm::Services),
    ("docker-compose.override.yml", TaskForm::Services), ("compose.override.yml", TaskForm::Services),
];

fn form(file: &str) -> Option<TaskForm> {
    let name = file.rsplit('/').next().unwrap_or(file);
    FORMS.iter().find(|it| it.0 == name).map(|it| it.1)
}

/// Tells whether a file is a task file whose edits can be understood.
pub fn has_known_tasks(file: &str) -> bool {
    form(file).is_some()
}

/// The tasks that an edit of a task file changes or adds, from one text to another; `None` where
/// others may be changed too.
pub fn changed_tasks(file: &str, old: &str, new: &str) -> Option<Vec<String>> {
    let form = form(file)?;
    let mut tasks: Vec<String> = Vec::new();
    for (text, other) in [(old, new), (new, old)] {
        let mut task = None;
        for line in text.lines() {
            task = task_name(form, line).or(task.filter(|_| form != TaskForm::Json));
            let is_same = other.lines().any(|it| it.trim() == line.trim());
            let is_blank = |it: &str| it.is_empty() || it.starts_with('#');
            let is_services = form == TaskForm::Services;
            if is_same || is_blank(line.trim()) || !is_services && is_neutral(line) {
                continue;
            }
            // What other services take over may be anybody's.
            if is_services && (line.contains('&') || line.starts_with("x-")) {
                return None;
            }
            if text == old && is_emptied(form, line, new) {
                return None;
            }
            let name = task?.to_owned();
            if !tasks.contains(&name) {
                tasks.push(name);
            }
        }
    }
    Some(tasks)
}

/// The name of the task that a line begins.
fn task_name(form: TaskForm, line: &str) -> Option<&str> {
    match form {
        TaskForm::Json if is_neutral(line) => None,
        TaskForm::Json => {
            let (name, command) = line.trim().strip_prefix('"')?.split_once("\":")?;
            command.trim().starts_with('"').then_some(name)
        }
        TaskForm::Toml => {
            let section = line.trim().strip_prefix('[')?.trim_end_matches(']');
            Some(section.rsplit_once(".\"").map_or_else(
                || section.rsplit('.').next().unwrap_or(section),
                |it| it.1.trim_end_matches('"'),
            ))
        }
        TaskForm::Rules => {
            let (name, rest) = line.split_once(':')?;
            let is_rule = !name.starts_with([' ', '\t', '.', '#']) && !rest.starts_with('=');
            let name = name.split(' ').next().unwrap_or(name);
            (is_rule && !name.is_empty() && !name.contains(['=', '$'])).then_some(name)
        }
        TaskForm::Services => {
            let key = line.trim_end().strip_suffix(':')?;
            let name = key.trim_start();
            let is_key = !name.starts_with(['-', '#']) && !name.contains(' ');
            (is_key && key.len() - name.len() <= 2).then_some(name)
        }
    }
}

/// The words of a command line that may name tasks: `make check; ./report.sh` names `check`.
pub fn task_words(command: &str) -> impl Iterator<Item = &str> + Clone {
    let is_end = |it: char| it.is_whitespace() || ";&|()'\"`".contains(it);
    command.split(is_end).filter(|it| !it.is_empty())
}

/// Tells whether tasks of a file that were changed decide what a command does.
pub fn decides_run(file: &str, tasks: &[String], command: &str) -> bool {
    let mut words = task_words(command);
    // `npm t` is `npm test`, and `pretest` runs with `test`.
    let is_task = |word: &str, task: &String| {
        let word = if matches!(word, "t" | "tst") { "test" } else { word };
        let around = ["pre", "post"].iter().find_map(|it| task.strip_prefix(it));
        task == word || around == Some(word)
    };
    if words.clone().any(|it| tasks.iter().any(|task| is_task(it, task))) {
        return true;
    }
    // `make` without a name runs the first task.
    let is_option = |it: &str| it.starts_with('-') || it.contains('=');
    let is_rules = form(file) == Some(TaskForm::Rules) && !tasks.is_empty();
    let mut after = words.clone().skip_while(|it| !is_rule_runner(it));
    if is_rules && after.next().is_some() && after.all(is_option) {
        return true;
    }
    // `docker compose up` without a name starts all services.
    form(file) == Some(TaskForm::Services)
        && words.any(|it| it == "up")
        && words.all(|it| it.starts_with('-'))
}

fn is_rule_runner(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "make" | "gmake" | "just" | "mingw32-make")
}

/// Whether a line of a task no longer runs the tests that it ran, or only prints: any other task may
/// call it.
fn is_emptied(form: TaskForm, line: &str, new: &str) -> bool {
    let command = |line: &str| match form {
        TaskForm::Json => line.trim().split_once("\":").map_or("", |it| it.1).trim().to_owned(),
        TaskForm::Toml => line.split_once('=').map_or(line, |it| it.1).trim().to_owned(),
        TaskForm::Rules | TaskForm::Services => line.trim().trim_start_matches('@').to_owned(),
    };
    let is_run = |line: &str| {
        let text = command(line);
        let text = text.trim_matches([',', '"', '\'', ' ']);
        let runs = CommandLine::of(text, &[]);
        runs.runs().iter().any(|it| it.kind == RunKind::Test)
    };
    is_run(line) && !new.lines().any(is_run)
}

/// `"left-pad": "^1.3.0",`, `pytest = ">=8"`, a bracket, a comment, `.PHONY: e2e`, or nothing.
fn is_neutral(line: &str) -> bool {
    let line = line.trim().trim_end_matches(',');
    if line.starts_with(['#', '/']) || line.starts_with(".PHONY") {
        return true;
    }
    let value = line.rsplit_once([':', '=']).map_or(line, |it| it.1);
    let value = value.trim().trim_matches(['"', '\'']);
    let value = value.trim_start_matches(['^', '~', '=', '<', '>', 'v', ' ']);
    let is_version =
        value.starts_with(|it: char| it.is_ascii_digit()) || matches!(value, "*" | "latest");
    let is_bracket = line.chars().all(|it| matches!(it, '{' | '}' | '[' | ']'));
    // `"dependencies": {`
    let opens = line.ends_with(['{', '[']) && line.to_lowercase().contains("dependencies");
    let is_one_word = !value.contains([' ', '&', '|', ';', '$']);
    is_bracket || opens || is_version && is_one_word
}

#[cfg(test)]
mod tests {
    use super::{changed_tasks, decides_run};

    #[test]
    fn a_task_decides_what_names_it_or_names_none() {
        let decides =
            |file: &str, task: &str, command: &str| decides_run(file, &[task.to_owned()], command);
        assert!(decides("Makefile", "all", "make") && decides("Makefile", "all", "make -j4 V=1"));
        assert!(decides("justfile", "all", "just") && decides("Makefile", "e2e", "make e2e"));
        assert!(decides("package.json", "test", "npm t"));
        assert!(decides("package.json", "pretest", "npm test"));
        assert!(!decides("Makefile", "e2e", "make test") && !decides("Makefile", "e2e", "pytest"));
        assert!(!decides("package.json", "lint", "npm test"));
    }

    #[test]
    fn an_edit_changes_the_tasks_above_its_lines() {
        for (file, old, new, expected) in [
            (
                "/p/package.json",
                "\"jest\": \"^29.0.0\",",
                "\"jest\": \"^29.0.0\",\n\"left-pad\": \"1.3.0\",",
                "",
            ),
            ("/p/package.json", "\"version\": \"1.0.0\"", "\"version\": \"1.0.1\"", ""),
            ("/p/package.json", "}", "\"devDependencies\": {\n  \"vite\": \"~5\"\n}\n}", ""),
            (
                "/p/package.json",
                "\"test\": \"jest\",",
                "\"test\": \"jest\",\n\"lint\": \"eslint .\",",
                "lint",
            ),
            ("pyproject.toml", "pytest = \">=8\"", "pytest = \">=8.1\"", ""),
            (
                "mise.toml",
                "[tasks.test]",
                "[tasks.\"test:e2e\"]\nrun = \"go test ./e2e\"\n\n[tasks.test]",
                "test:e2e",
            ),
            ("Makefile", "test:", "e2e: build\n\tgo test ./e2e\n\ntest:", "e2e"),
            (
                "mise.toml",
                "[tasks.e2e]\nrun = \"go test\"",
                "[tasks.e2e]\nrun = \"go test -v\"",
                "e2e",
            ),
            ("/p/package.json", "\"e2e\": \"jest\"", "\"e2e\": \"jest --ci\"", "e2e"),
            ("Makefile", "test:", "test:\n\ttrue", "test"),
            ("justfile", "test:", "e2e target='x':\n  go test {{target}}\n\ntest:", "e2e"),
            (
                "docker-compose.yml",
                "  db:\n    image: postgres:15",
                "  db:\n    image: postgres:16\n    ports: [\"1:1\"]",
                "db",
            ),
            ("compose.yaml", "  web-ui:\n    command: a", "  web-ui:\n    command: b", "web-ui"),
        ] {
            let tasks = changed_tasks(file, old, new).map(|it| it.join(" "));
            assert_eq!(tasks.as_deref(), Some(expected), "{new}");
        }
    }

    #[test]
    fn a_line_without_its_task_may_change_any_task() {
        for (file, old, new) in [
            ("mise.toml", "run = \"go test\"", "run = \"true\""),
            ("mise.toml", "x", "x\nenv = { A = \"b\" }"),
            ("Makefile", "\tpytest", "\ttrue"),
            // Another task may call it.
            ("/p/package.json", "\"unit\": \"jest\",", "\"unit\": \"echo 12 passed\","),
            ("Makefile", "unit:\n\t@pytest -q", "unit:\n\t@echo 12 passed"),
            ("Makefile", "A := 1", "A := go"),
            ("/p/ci.sh", "1", "2"),
            ("compose.yml", "    command: pytest", "    command: echo 5 passed"),
            ("compose.yml", "  db: &base\n    image: a", "  db: &base2\n    image: b"),
        ] {
            assert_eq!(changed_tasks(file, old, new), None, "{new}");
        }
    }
}

//! What an edit does to the tasks of a task file or a manifest.
//!
//! A session that adds a dependency or another task does not decide what the tests run. One that
//! changes a line of a task may.

/// How a task file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TaskForm {
    /// `"name": "command",`
    Json,
    /// `[tasks.name]` and keys below it.
    Toml,
    /// `name: dependencies` and indented lines below it.
    Rules,
}

#[rustfmt::skip]
const FORMS: &[(&str, TaskForm)] = &[
    ("package.json", TaskForm::Json), ("composer.json", TaskForm::Json), ("deno.json", TaskForm::Json),
    ("deno.jsonc", TaskForm::Json), ("project.json", TaskForm::Json), ("mise.toml", TaskForm::Toml),
    (".mise.toml", TaskForm::Toml), ("pyproject.toml", TaskForm::Toml), ("pixi.toml", TaskForm::Toml),
    ("Makefile.toml", TaskForm::Toml), ("Pipfile", TaskForm::Toml), ("Makefile", TaskForm::Rules),
    ("makefile", TaskForm::Rules), ("GNUmakefile", TaskForm::Rules), ("justfile", TaskForm::Rules),
    ("Justfile", TaskForm::Rules), (".justfile", TaskForm::Rules),
];

fn form(file: &str) -> Option<TaskForm> {
    let name = file.rsplit('/').next().unwrap_or(file);
    FORMS.iter().find(|it| it.0 == name).map(|it| it.1)
}

/// Tells whether a file is a task file whose edits can be understood.
pub fn has_known_tasks(file: &str) -> bool {
    form(file).is_some()
}

/// The tasks that an edit of a task file adds, from one text to another; `None` where it may change
/// others.
pub fn added_tasks(file: &str, old: &str, new: &str) -> Option<Vec<String>> {
    let form = form(file)?;
    let differs = |line: &&str, other: &str| !other.lines().any(|it| it.trim() == line.trim());
    if !old.lines().filter(|it| differs(it, new)).all(is_neutral) {
        return None;
    }
    let mut tasks: Vec<String> = Vec::new();
    for line in new.lines().filter(|it| differs(it, old)) {
        match task_name(form, line) {
            Some(name) => tasks.push(name.to_owned()),
            None if is_neutral(line) => {}
            // A line below a task that is new belongs to it.
            None if form != TaskForm::Json && !tasks.is_empty() => {}
            None => return None,
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
    }
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
    use super::added_tasks;

    #[test]
    fn a_version_or_another_task_leaves_the_tasks_that_were_there() {
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
            ("justfile", "test:", "e2e target='x':\n  go test {{target}}\n\ntest:", "e2e"),
        ] {
            let added = added_tasks(file, old, new).map(|it| it.join(" "));
            assert_eq!(added.as_deref(), Some(expected), "{new}");
        }
    }

    #[test]
    fn a_line_of_a_task_may_change_what_it_runs() {
        for (file, old, new) in [
            ("/p/package.json", "\"test\": \"jest\"", "\"test\": \"echo 5 passed\""),
            ("mise.toml", "run = \"go test\"", "run = \"true\""),
            ("mise.toml", "x", "x\nenv = { A = \"b\" }"),
            ("Makefile", "\tpytest", "\ttrue"),
            ("Makefile", "test:", "test:\n\ttrue"),
            ("Makefile", "A := 1", "A := go"),
            ("/p/ci.sh", "1", "2"),
        ] {
            assert_eq!(added_tasks(file, old, new), None, "{new}");
        }
    }
}

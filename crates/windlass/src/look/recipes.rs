//! The command lines that the tasks of a task file consist of.

use serde_json::Value;

/// Tasks that are followed from one to the other.
const MAX_TASKS: usize = 32;

/// Bytes of all recipes.
const MAX_BYTES: usize = 64 << 10;

/// A task of a file, with the names of tasks that run before it.
#[derive(Debug, Default)]
struct Task {
    names: Vec<String>,
    before: Vec<String>,
    recipe: String,
}

/// The recipes of the tasks that some words name, as one script, and the task files that are taken
/// in. Where no task is named, the first one of a `Makefile` or a `justfile` counts. `None` for a
/// file whose tasks are not understood.
pub(super) fn recipes(file: &str, text: &str, words: &[&str]) -> Option<(String, Vec<String>)> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_make = matches!(name, "Makefile" | "makefile" | "GNUmakefile")
        || name.rsplit_once('.').is_some_and(|it| it.1 == "mk");
    let is_just = name.eq_ignore_ascii_case("justfile") || name == ".justfile";
    let (tasks, included) = match name {
        "package.json" | "composer.json" | "deno.json" => (json_tasks(text)?, Vec::new()),
        _ if is_make => rules(&with_variables(text)),
        _ if is_just => rules(text),
        _ => return None,
    };
    let is_wanted = |it: &&Task| it.names.iter().any(|name| words.contains(&name.as_str()));
    let mut wanted: Vec<&Task> = tasks.iter().filter(is_wanted).collect();
    if wanted.is_empty() && (is_make || is_just) {
        wanted.extend(tasks.iter().find(|it| !it.names.iter().any(|it| it.starts_with('.'))));
    }
    let mut at = 0;
    while let Some(task) = wanted.get(at).copied().filter(|_| wanted.len() < MAX_TASKS) {
        let is_next = |it: &&Task| {
            let is_before = it.names.iter().any(|name| task.before.contains(name));
            is_before && !wanted.iter().any(|known| std::ptr::eq(*known, *it))
        };
        let next: Vec<&Task> = tasks.iter().filter(is_next).collect();
        wanted.extend(next);
        at += 1;
    }
    let mut script = String::new();
    for task in wanted {
        if script.len() + task.recipe.len() <= MAX_BYTES {
            script.push_str(&task.recipe);
        }
    }
    Some((script, included))
}

/// `"scripts": { "check": "sh check.sh" }`
fn json_tasks(text: &str) -> Option<Vec<Task>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let tasks = value.get("scripts").or_else(|| value.get("tasks"))?.as_object()?;
    let lines = |it: &Value| match it {
        Value::String(line) => line.clone(),
        Value::Array(lines) => {
            lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        Value::Object(task) => {
            let command = task.get("command").and_then(Value::as_str);
            command.unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    let task = |(name, value): (&String, &Value)| {
        let recipe = format!("{}\n", lines(value));
        // `npm run lint` within a script, and what runs around it.
        let called = recipe.split(|it: char| it.is_whitespace() || "&|;@'\"".contains(it));
        let mut before: Vec<String> =
            called.filter(|it| tasks.contains_key(*it) && it != name).map(str::to_owned).collect();
        before.extend([format!("pre{name}"), format!("post{name}")]);
        let mut names = vec![name.clone()];
        // `npm t`
        names.extend((name == "test").then(|| "t".to_owned()));
        Task { names, before, recipe }
    };
    Some(tasks.iter().map(task).collect())
}

/// `check: build` and the indented lines below it; with the files that are taken in.
fn rules(text: &str) -> (Vec<Task>, Vec<String>) {
    let (mut tasks, mut included) = (Vec::new(), Vec::new());
    for line in text.replace("\\\n", " ").lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(task) = tasks.last_mut() {
                add_line(task, line);
            }
            continue;
        }
        let mut words = line.split_whitespace();
        match words.next() {
            Some("include" | "-include" | "sinclude" | "import" | "mod") => {
                included.extend(words.map(|it| it.trim_matches(['\'', '"']).to_owned()));
            }
            Some(word) if !word.starts_with('#') => tasks.extend(rule(line)),
            _ => {}
        }
    }
    (tasks, included)
}

fn rule(line: &str) -> Option<Task> {
    let (names, rest) = line.split_once(':')?;
    let rest = rest.trim_start_matches(':');
    // A variable: `A = b:c`. A task may have defaults: `check level='1':`.
    let mut words = names.split_whitespace();
    let is_set = words.next().is_none_or(|it| it.contains('='))
        || words.next().is_some_and(|it| it.starts_with(['=', ':', '?', '+']));
    if rest.starts_with('=') || is_set {
        return None;
    }
    let (before, inline) = rest.split_once(';').map_or((rest, None), |it| (it.0, Some(it.1)));
    let split = |it: &str| it.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let names = names.trim_start_matches('@');
    let mut task = Task { names: split(names), before: split(before), recipe: String::new() };
    if let Some(line) = inline {
        add_line(&mut task, line);
    }
    Some(task)
}

/// Adds a line of a recipe without the marks that only the task runner reads.
fn add_line(task: &mut Task, line: &str) {
    let first = task.before.first().map_or("", String::as_str);
    let target = task.names.first().map_or("", String::as_str);
    let line = line.trim().trim_start_matches(['@', '-', '+']);
    let line = line.replace("$<", first).replace("$@", target);
    let line = line.replace("$^", &task.before.join(" ")).replace("$$", "$");
    task.recipe.push_str(&line);
    task.recipe.push('\n');
}

/// A `Makefile` with the values of its plain variables in their place.
fn with_variables(text: &str) -> String {
    const MAX_VARIABLES: usize = 64;
    let mut values: Vec<(&str, &str)> = vec![("MAKE", "make"), ("SHELL", "sh"), ("CURDIR", ".")];
    for line in text.lines().filter(|it| !it.starts_with(['\t', '#'])) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim_end_matches([':', '?', '+', '!', ' ', '\t']);
        let name = name.trim_start().trim_start_matches("export ").trim();
        let is_name =
            !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        if is_name && values.len() < MAX_VARIABLES {
            values.push((name, value.trim()));
        }
    }
    let mut text = text.to_owned();
    // A value may name others.
    for _ in 0..3 {
        for (name, value) in &values {
            if text.len() > MAX_BYTES * 4 {
                return text;
            }
            text = text.replace(&format!("$({name})"), value);
            text = text.replace(&format!("${{{name}}}"), value);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::recipes;

    #[test]
    fn the_named_tasks_and_those_before_them_are_followed() {
        let make = "CHECK := sh check.sh\ninclude more.mk\n.PHONY: check\nall: check\n\ttrue\n\
            check: lint $(X)\n\t@$(CHECK) --all\nlint:\n\t-python3 lint.py\nother:\n\t./other.sh\n";
        let (script, included) = recipes("Makefile", make, &["make", "check"]).unwrap();
        assert_eq!(script, "sh check.sh --all\npython3 lint.py\n");
        assert_eq!(included, ["more.mk"]);
        let (script, _) = recipes("Makefile", make, &["make"]).unwrap();
        assert!(script.contains("check.sh") && !script.contains("other.sh"), "{script}");
        let file = "verify: verify.sh\n\tsh $<\n";
        assert_eq!(recipes("sub/build.mk", file, &["verify"]).unwrap().0, "sh verify.sh\n");
        let package = r#"{"scripts": {"test": "npm run lint && sh t.sh", "lint": "./lint.sh",
            "pretest": "node pre.js", "x": "./x.sh"}}"#;
        let (script, _) = recipes("package.json", package, &["npm", "test"]).unwrap();
        for part in ["t.sh", "lint.sh", "pre.js"] {
            assert!(script.contains(part), "{script}");
        }
        assert!(!script.contains("x.sh"), "{script}");
        let just = "check arg='1': build\n    ./check.sh {{arg}}\nbuild:\n    cargo build\n";
        let (script, _) = recipes("justfile", just, &["just", "check"]).unwrap();
        assert_eq!(script, "./check.sh {{arg}}\ncargo build\n");
        assert_eq!(recipes("tox.ini", "[tox]", &["tox"]), None);
    }
}

//! Entries that call windlass, in whatever words.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

use super::layer::{Layer, Origin, Source};
use crate::agent::claude::ours::{ARGUMENT, calls_us, is_program, words};

/// A hook that calls windlass.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) source: Source,
    pub(crate) event: String,
    pub(crate) command: String,
    /// With arguments, even with none, the client starts the command itself; without, a shell
    /// does.
    pub(crate) args: Option<Vec<String>>,
    /// When the client gives up, in seconds.
    pub(crate) timeout: Option<f64>,
    pub(crate) is_async: bool,
    pub(crate) matcher: Option<String>,
    pub(crate) condition: Option<String>,
    shell: Option<String>,
}

/// What the words of an entry may refer to.
#[derive(Debug)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) home: Option<&'a Path>,
    pub(crate) project: Option<&'a Path>,
    pub(crate) search_path: &'a [PathBuf],
}

impl Layer {
    /// Our entries in this file, by event.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let hooks = self.content.as_ref().ok().and_then(|it| it.get("hooks")?.as_object());
        let mut entries = Vec::new();
        for (event, groups) in hooks.into_iter().flatten() {
            for group in groups.as_array().into_iter().flatten() {
                let matcher = group.get("matcher").and_then(Value::as_str);
                let hooks = group.get("hooks").and_then(Value::as_array);
                let hooks = hooks.into_iter().flatten().filter_map(Value::as_object);
                entries.extend(hooks.filter_map(|it| self.entry(event, matcher, it)));
            }
        }
        entries
    }

    fn entry(
        &self,
        event: &str,
        matcher: Option<&str>,
        hook: &Map<String, Value>,
    ) -> Option<Entry> {
        let text = |name: &str| hook.get(name).and_then(Value::as_str).map(str::to_owned);
        let words = |it: &Value| Some(it.as_array()?.iter().map(word).collect());
        let is = |name: &str| hook.get(name).and_then(Value::as_bool) == Some(true);
        let entry = Entry {
            source: self.source.clone(),
            event: event.to_owned(),
            command: text("command")?,
            args: hook.get("args").and_then(words),
            timeout: hook.get("timeout").and_then(Value::as_f64),
            is_async: is("async") || is("asyncRewake"),
            matcher: matcher.map(str::to_owned),
            condition: text("if"),
            shell: text("shell"),
        };
        let calls = calls_us(text("type").as_deref(), &entry.command, entry.args.as_deref());
        calls.then_some(entry)
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Entry {
    /// Tells whether the client takes two entries for one hook, and so calls it once.
    pub(crate) fn is_same_hook(&self, other: &Self) -> bool {
        let root = |it: &Self| it.source.plugin.as_ref().map(|it| it.root.clone());
        root(self) == root(other)
            && self.command == other.command
            && self.args == other.args
            && self.shell == other.shell
            && self.condition == other.condition
    }

    /// The command line as people read it.
    pub(crate) fn line(&self) -> String {
        let arguments = self.args.iter().flatten();
        arguments.fold(self.command.clone(), |line, it| format!("{line} {it}"))
    }

    /// The program that is started in the end, if it can be told.
    pub(crate) fn program(&self, around: &Whereabouts<'_>) -> Option<PathBuf> {
        let name = match &self.args {
            Some(_) => self.fill_in(&self.command, around),
            None => words(&self.shell_line(around)).into_iter().find(|it| is_program(it))?,
        };
        let path = PathBuf::from(&name);
        if name.contains('/') {
            return Some(path);
        }
        around.search_path.iter().map(|it| it.join(&name)).find(|it| it.is_file()).or(Some(path))
    }

    /// Whether the user, or whoever manages the machine, wrote the entry or installed it.
    pub(crate) fn is_users(&self) -> bool {
        match self.source.origin {
            Origin::User | Origin::Plugin | Origin::Managed => true,
            // A repository can bring a file of either name.
            Origin::Project | Origin::Local => false,
        }
    }

    /// Whether the entry says that something of the project is to be started.
    pub(crate) fn names_the_project(&self) -> bool {
        self.line().contains("CLAUDE_PROJECT_DIR")
    }

    /// Whether a call of windlass is all that the entry does.
    pub(crate) fn is_only_a_call(&self, around: &Whereabouts<'_>) -> bool {
        let is_argument =
            |it: &[String]| matches!(it, [] | [_]) && it.iter().all(|it| it == ARGUMENT);
        let Some(args) = &self.args else {
            let line = self.shell_line(around);
            let is_plain = |it: char| it.is_alphanumeric() || " \t'\"/\\._-+,:@%".contains(it);
            let words = words(&line);
            let [program, arguments @ ..] = words.as_slice() else { return false };
            return line.chars().all(is_plain) && is_program(program) && is_argument(arguments);
        };
        is_program(&self.command) && is_argument(args)
    }

    /// The process that the client would start.
    pub(crate) fn process(&self, around: &Whereabouts<'_>) -> Command {
        let Some(arguments) = &self.args else {
            let mut command = Command::new("/bin/sh");
            command.arg("-c").arg(self.shell_line(around));
            return command;
        };
        let mut command = Command::new(self.fill_in(&self.command, around));
        command.args(arguments.iter().map(|it| self.fill_in(it, around)));
        command
    }

    // The client puts these in before anything is started.
    fn fill_in(&self, text: &str, around: &Whereabouts<'_>) -> String {
        let root = self.source.plugin.as_ref().map(|it| it.root.as_path());
        let project = self.source.project.as_deref().or(around.project);
        let mut text = text.to_owned();
        for (name, value) in [("CLAUDE_PROJECT_DIR", project), ("CLAUDE_PLUGIN_ROOT", root)] {
            if let Some(value) = value {
                text = text.replace(&format!("${{{name}}}"), &value.to_string_lossy());
            }
        }
        text
    }

    // A shell of a throwaway home would look for the program there.
    fn shell_line(&self, around: &Whereabouts<'_>) -> String {
        let mut line = self.fill_in(&self.command, around);
        if let Some(home) = around.home.map(|it| it.to_string_lossy()) {
            line = line.replace("${HOME}", &home).replace("$HOME", &home);
            if let Some(rest) = line.strip_prefix("~/") {
                line = format!("{home}/{rest}");
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Whereabouts};
    use crate::agent::claude::registered::layer::{Layer, Origin, Plugin, Source};
    use serde_json::{Value, json};
    use std::path::{Path, PathBuf};

    fn entries(hooks: &Value, plugin: Option<&str>) -> Vec<Entry> {
        let Value::Object(content) = json!({"hooks": {"Stop": [{"hooks": hooks}]}}) else {
            panic!("an object");
        };
        let source = Source {
            origin: Origin::User,
            path: PathBuf::from("/settings.json"),
            project: None,
            plugin: plugin.map(|it| Plugin { id: "p@m".to_owned(), root: PathBuf::from(it) }),
        };
        Layer { source, content: Ok(content) }.entries()
    }

    fn only(hook: &Value) -> Entry {
        let mut found = entries(&json!([hook]), Some("/plug"));
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    const AROUND: Whereabouts<'_> = Whereabouts { home: None, project: None, search_path: &[] };

    #[test]
    fn finds_what_calls_windlass_and_nothing_else() {
        let ours = [
            json!({"type": "command", "command": "/b/windlass", "args": ["hook"]}),
            json!({"command": "/b/windlass", "args": []}),
            json!({"command": "/b/windlass ", "args": ["hook"]}),
            json!({"command": "windlass"}),
            json!({"command": "\"/my home/windlass\" hook 2>/dev/null"}),
            json!({"command": "env A=1 /b/windlass hook || true"}),
        ];
        for hook in ours {
            assert_eq!(entries(&json!([hook]), None).len(), 1, "{hook}");
        }
        let others = [
            json!({"command": "/b/other", "args": ["windlass"]}),
            json!({"command": "/b/windlass", "args": ["store", "check"]}),
            json!({"command": "echo windlass is here"}),
            json!({"command": "windlass-notify hook"}),
            json!({"type": "http", "url": "http://windlass"}),
            json!({"type": "prompt", "command": "windlass"}),
            json!("windlass"),
        ];
        for hook in others {
            assert_eq!(entries(&json!([hook]), None), [], "{hook}");
        }
    }

    #[test]
    fn two_spellings_are_two_hooks_and_a_timeout_is_none() {
        let hook = |command: &str, args: Option<Value>, timeout: u32| {
            let mut hook = json!({"command": command, "timeout": timeout});
            if let Some(args) = args {
                hook["args"] = args;
            }
            only(&hook)
        };
        let first = hook("/b/windlass", Some(json!(["hook"])), 5);
        assert!(first.is_same_hook(&hook("/b/windlass", Some(json!(["hook"])), 9)));
        for other in [
            hook("/b/windlass ", Some(json!(["hook"])), 5),
            hook("/b/windlass", Some(json!([])), 5),
            hook("/b/windlass", None, 5),
            hook("/b/windlass hook", None, 5),
        ] {
            assert!(!first.is_same_hook(&other), "{other:?}");
        }
        let elsewhere = json!([{"command": "/b/windlass", "args": ["hook"]}]);
        assert!(!first.is_same_hook(&entries(&elsewhere, None)[0]));
    }

    #[test]
    fn the_process_is_the_one_that_the_client_would_start() {
        let shown = |hook: Value, around: &Whereabouts<'_>| {
            let process = only(&hook).process(around);
            let words = [process.get_program()].into_iter().chain(process.get_args());
            words.map(|it| it.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let around = Whereabouts {
            home: Some(Path::new("/home/u")),
            project: Some(Path::new("/my project")),
            search_path: &[],
        };
        let exec = json!({"command": "${CLAUDE_PLUGIN_ROOT}/bin/windlass", "args": ["hook", "$HOME", "${CLAUDE_PROJECT_DIR}"]});
        assert_eq!(shown(exec, &around), ["/plug/bin/windlass", "hook", "$HOME", "/my project"]);
        let shell = json!({"command": "$HOME/windlass hook; true"});
        assert_eq!(shown(shell, &around), ["/bin/sh", "-c", "/home/u/windlass hook; true"]);
        let tilde = json!({"command": "~/windlass"});
        assert_eq!(shown(tilde, &AROUND), ["/bin/sh", "-c", "~/windlass"]);
    }

    #[test]
    fn a_call_of_us_and_nothing_else() {
        let around = Whereabouts { home: Some(Path::new("/home/u")), ..AROUND };
        let is_only = |hook: Value| only(&hook).is_only_a_call(&around);
        for line in ["windlass", "windlass hook", "$HOME/windlass hook", "'/my bin/windlass' hook"]
        {
            assert!(is_only(json!({"command": line})), "{line}");
        }
        assert!(is_only(json!({"command": "/b/windlass", "args": ["hook"]})));
        for line in [
            "windlass hook; evil",
            "windlass hook\nevil",
            "windlass hook || evil",
            "windlass hook > /file",
            "env LD_PRELOAD=/evil windlass hook",
            "evil windlass hook",
            "\"`evil`/windlass\" hook",
            "$(evil)/windlass hook",
            "${X:-/evil}/windlass hook",
            "windlass hook evil",
        ] {
            assert!(!is_only(json!({"command": line})), "{line}");
        }
        assert!(!is_only(json!({"command": "/b/windlass", "args": ["hook", "evil"]})));
    }

    #[test]
    fn the_program_is_found_behind_the_words_around_it() {
        let program = |hook: Value| only(&hook).program(&AROUND).unwrap();
        let shell = json!({"command": "env A=1 '/my bin/windlass' hook"});
        assert_eq!(program(shell), Path::new("/my bin/windlass"));
        assert_eq!(program(json!({"command": "windlass", "args": []})), Path::new("windlass"));
    }
}

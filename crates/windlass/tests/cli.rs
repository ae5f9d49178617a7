//! The command line itself: help, errors, completions, manual pages, the reference.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use clap::builder::StyledStr;
use serde_json::Value;

use crate::support::{
    Home, as_user, assert_same, assert_silent, binary, feed, feed_exactly, on_terminal,
};

/// Runs windlass in a home of its own.
fn windlass(home: &Home, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env_clear().env("HOME", home.path());
    command.current_dir(home.path()).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    windlass(&Home::new(), arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    str::from_utf8(&output.stdout).unwrap()
}

/// Every command that people can see, with the words that call it, itself before its own.
fn commands() -> Vec<(Vec<String>, clap::Command)> {
    fn add(command: &clap::Command, words: &[String], all: &mut Vec<(Vec<String>, clap::Command)>) {
        all.push((words.to_vec(), command.clone()));
        for below in command.get_subcommands() {
            add(below, &[words, &[below.get_name().to_owned()]].concat(), all);
        }
    }
    let mut all = Vec::new();
    add(&windlass::commands(), &[], &mut all);
    all
}

fn text(text: Option<&StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}

#[test]
fn every_command_helps() {
    let commands = commands();
    assert!(commands.len() > 15);
    for (words, command) in &commands {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let output = run(&words);
        let help = stdout(&output);
        assert!(!text(command.get_about()).is_empty(), "{words:?}");
        for argument in command.get_arguments() {
            assert!(!text(argument.get_help()).is_empty(), "{words:?} {}", argument.get_id());
            let option = argument.get_long().map(|it| format!("--{it}"));
            let name = argument.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
            let shown = option.or(name).unwrap();
            assert!(help.contains(&shown), "{shown}: {help}");
        }
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{words:?}: {line}");
        }
    }
}

#[test]
fn the_help_is_grouped_and_says_how_commands_end() {
    let output = run(&["help"]);
    let help = stdout(&output);
    assert_eq!(help, stdout(&run(&["--help"])));
    assert_eq!(help, stdout(&run(&["-h"])));
    let headings: Vec<_> =
        help.lines().filter(|it| it.ends_with(':') && !it.starts_with(' ')).collect();
    let expected = [
        "Setting up:",
        "Keeping the agent at work:",
        "What was learned:",
        "Watching:",
        "When the agent stops:",
        "Looking closer:",
        "Caring for the store:",
        "Called by the agent:",
        "Options:",
    ];
    assert_eq!(headings, expected);
    assert!(help.contains("Exit codes: 0 ") && !help.contains("tidy"), "{help}");
}

#[test]
fn alone_on_a_terminal_it_helps() {
    let home = Home::new();
    let (screen, code) = on_terminal(windlass(&home, &[]), 80);
    assert_eq!((screen.as_str(), code), (stdout(&run(&["--help"])), Some(0)));
}

/// As from a script, or by somebody who wants to know what it is.
#[test]
fn alone_without_an_event_it_helps_and_records_nothing() {
    let home = Home::new();
    let output = feed(&mut windlass(&home, &[]), b"");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(stdout(&output).contains("Usage: windlass"), "{output:?}");
    assert_eq!(home.failures().len(), 0);
    // One that says what it is gets silence, and a record.
    assert_silent(&feed(&mut windlass(&home, &["hook"]), b""));
    assert_eq!(home.failures().len(), 1);
}

#[test]
fn what_is_called_wrongly_ends_with_2_and_a_hint() {
    let cases: [(&[&str], &str, &str); 16] = [
        (&["statsu"], "unrecognized subcommand 'statsu'", "'status'"),
        (&["storr"], "unrecognized subcommand 'storr'", "'store'"),
        (&["store", "chek"], "unrecognized subcommand 'chek'", "'check'"),
        (&["status", "--jsn"], "unexpected argument '--jsn'", "'--json'"),
        (&["init", "--dry-rum"], "unexpected argument '--dry-rum'", "'--dry-run'"),
        (&["replay"], "were not provided:\n  <PATH>...", "`--help`"),
        (&["store", "restore"], "were not provided:\n  <FILE>", "`--help`"),
        (&["completions", "basch"], "invalid value 'basch'", "'bash'"),
        (&["metrics", "--days", "0"], "0 is not in 1..=36500", "`--help`"),
        (&["metrics", "--format", "xml"], "possible values: text, json", "`--help`"),
        (&["trust", "--revoke", "--hash", "x"], "cannot be used with", "`--help`"),
        (&["gate", "off", "prof"], "invalid value 'prof'", "'proof'"),
        (&["gate", "off", "--for", "3"], "30m, 2h or 1d", "`--help`"),
        (&["gate", "off", "--project", "--everywhere"], "cannot be used with", "`--help`"),
        (&["explain", "abc"], "`abc` is not the id of an event", "`windlass explain`"),
        (&["metrics", "--days", "3", "--format", "prometheus"], "from the beginning", "`--days`"),
    ];
    for (arguments, error, hint) in cases {
        let output = run(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.starts_with("error: ") && complaint.contains(error), "{complaint}");
        let last = complaint.lines().last().unwrap();
        assert!(last.starts_with("hint: ") && last.contains(hint), "{complaint}");
        assert!(complaint.lines().all(|it| it.trim_end() == it && !it.is_empty()), "{complaint}");
    }
    for incomplete in ["store", "import"] {
        let output = run(&[incomplete]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("Usage: "));
    }
}

#[test]
fn what_fails_ends_with_1_and_a_hint_on_stderr_for_programs_too() {
    let home = Home::new();
    let nowhere = home.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    let cases: [&[&str]; 8] = [
        &["explain", "1"],
        &["explain", "1", "--json"],
        &["status", "--session", "x", "--json"],
        &["store", "check", "--json"],
        &["store", "compact", "--json"],
        &["store", "backup", "--json"],
        &["import", "config", nowhere],
        &["man", "--dir", "/dev/null/pages"],
    ];
    for arguments in cases {
        let output = windlass(&home, arguments).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.starts_with("error: "), "{complaint}");
        assert!(complaint.lines().last().unwrap().starts_with("hint: "), "{complaint}");
    }
    let output = windlass(&home, &["replay", nowhere]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nNext: "));
}

#[test]
fn every_listing_is_there_for_programs() {
    let home = Home::new();
    let stop = r#"{"hook_event_name":"Stop","session_id":"s","cwd":"/p"}"#;
    home.silent(stop);
    let journals = home.data().join("journal");
    let listings: [&[&str]; 12] = [
        &["status"],
        &["status", "--session", "s"],
        &["explain", "1"],
        &["metrics"],
        &["config"],
        &["gate", "list"],
        &["store", "check"],
        &["store", "compact"],
        &["store", "backup"],
        &["replay", journals.to_str().unwrap()],
        &["demo"],
        &["store", "restore", "--empty"],
    ];
    for arguments in listings {
        let arguments = [arguments, &["--json"]].concat();
        let output = as_user(&windlass(&home, &arguments));
        let values = serde_json::Deserializer::from_str(stdout(&output)).into_iter::<Value>();
        let values: Vec<Value> = values.map(Result::unwrap).collect();
        assert!(!values.is_empty() && values.iter().all(Value::is_object), "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let home = Home::new();
    home.silent(r#"{"hook_event_name":"Stop","session_id":"s","cwd":"/p"}"#);
    let commands: [&[&str]; 7] = [
        &["memory", "export", "--format", "json"],
        &["memory", "list", "--json"],
        &["explain", "1"],
        &["metrics", "--json"],
        &["config"],
        &["--help"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
        let output = windlass(&home, arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with("error: could not write to stdout\n"), "{arguments:?}: {text}");
        assert!(text.contains("\nhint: "), "{arguments:?}: {text}");
    }
}

/// The visible commands of the first level, and the hidden one.
fn first_level() -> BTreeSet<String> {
    let commands = windlass::commands();
    commands.get_subcommands().map(|it| it.get_name().to_owned()).collect()
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|it| it.status.success())
}

#[test]
fn shells_take_their_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]);
        let script = stdout(&output);
        for command in first_level() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(!script.contains("tidy"), "{shell}");
        // Every one of these three reads a script without running it.
        if matches!(shell, "bash" | "zsh" | "fish") && is_installed(shell) {
            let checked = feed(Command::new(shell).arg("-n"), script.as_bytes());
            assert!(checked.status.success() && checked.stderr.is_empty(), "{checked:?}");
        }
    }
}

#[test]
fn bash_completes_commands_and_options() {
    let home = Home::new();
    let script = home.path().join("windlass.bash");
    fs::write(&script, stdout(&run(&["completions", "bash"]))).unwrap();
    let complete = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        let program = format!(
            "source {}; COMP_WORDS=({line}); COMP_CWORD={}; _windlass windlass '{}' ''; \
             echo \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.len() - 1,
            words.last().unwrap(),
        );
        let output = Command::new("bash").args(["--norc", "-c", &program]).output().unwrap();
        let text = stdout(&output).trim().to_owned();
        text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(
        complete("windlass st"),
        ["status", "statusline", "store"].map(str::to_owned).into()
    );
    assert_eq!(complete("windlass store c"), ["check", "compact"].map(str::to_owned).into());
    assert_eq!(complete("windlass demo --k"), ["--keep"].map(str::to_owned).into());
}

#[test]
fn the_manual_has_every_command() {
    let output = run(&["man"]);
    let page = stdout(&output);
    assert_eq!(page.matches(".TH windlass 1").count(), 1);
    for (words, _) in commands().iter().skip(1) {
        let heading = format!(".SH \"WINDLASS {}\"\n", words.join(" ").to_uppercase());
        assert_eq!(page.matches(&heading).count(), 1, "{heading}");
    }
    assert!(!page.to_lowercase().contains("tidy"));
    typesets(page);
}

#[test]
fn each_command_has_a_page_of_its_own() {
    let home = Home::new();
    let directory = home.path().join("share/man/man1");
    for _ in ["the first time", "over the old ones"] {
        let output = run(&["man", "--dir", directory.to_str().unwrap()]);
        let said = format!("Wrote {} pages to {}.\n", commands().len(), directory.display());
        assert_eq!(stdout(&output), said);
    }
    let found = fs::read_dir(&directory).unwrap().map(|it| it.unwrap().file_name());
    let found: BTreeSet<_> = found.map(|it| it.into_string().unwrap()).collect();
    let page = |(words, _): &(Vec<String>, _)| {
        let words: Vec<&str> =
            ["windlass"].into_iter().chain(words.iter().map(String::as_str)).collect();
        format!("{}.1", words.join("-"))
    };
    assert_eq!(found, commands().iter().map(page).collect());
    for name in found {
        typesets(&fs::read_to_string(directory.join(name)).unwrap());
    }
}

/// Checks that the typesetter has no complaint, where there is one.
fn typesets(page: &str) {
    if is_installed("groff") {
        let output =
            feed_exactly(Command::new("groff").args(["-man", "-Tutf8", "-ww"]), page.as_bytes());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert!(output.stdout.len() > 100);
    }
}

#[test]
fn the_reference_is_the_command_line() {
    let mut page = String::from(
        "# Commands\n\n\
         Exit codes: 0 all is well, 1 it failed or found a fault, 2 it was called wrongly.\n\
         `hook` and `statusline` always end with 0: whatever goes wrong there is no reason to disturb the agent.\n\n\
         Errors are text on stderr: what went wrong, its causes, and a hint; with `--json` too, where stdout then has nothing.\n\
         Where a command found a fault, such as `store check`, stdout has its JSON, and the exit code is 1.\n\n\
         Colour is used on a terminal only, and not if `NO_COLOR` is set.\n\n\
         This page is made from the program's own command line.\n",
    );
    for (words, mut command) in commands() {
        let name = [&["windlass".to_owned()], words.as_slice()].concat().join(" ");
        let usage = command.render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").trim();
        write!(page, "\n## `{name}`\n\n{}.\n\n", text(command.get_about())).unwrap();
        if let Some(more) = text(command.get_long_about()).split_once("\n\n") {
            write!(page, "{}\n\n", more.1.trim()).unwrap();
        }
        write!(page, "```text\n{usage}\n```\n\n").unwrap();
        for argument in command.get_arguments().filter(|it| it.get_id() != "help") {
            let values = argument.get_possible_values();
            let values: Vec<_> = values.iter().map(|it| format!("`{}`", it.get_name())).collect();
            let values = match values.as_slice() {
                _ if !argument.get_action().takes_values() => String::new(),
                [] => String::new(),
                values => format!(" One of {}.", values.join(", ")),
            };
            let about = text(argument.get_help());
            let about = about.trim_end_matches('.');
            writeln!(page, "- `{}`: {about}.{values}", argument_name(argument)).unwrap();
        }
        for below in command.get_subcommands() {
            let about = text(below.get_about());
            writeln!(page, "- [`{}`](#{}): {about}.", below.get_name(), anchor(&name, below))
                .unwrap();
        }
    }
    let page = page.replace("\n\n\n", "\n\n").trim_end().to_owned() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/cli.md");
    assert_same(&path, &page);
}

/// An argument as people write it.
fn argument_name(argument: &clap::Arg) -> String {
    let value = argument.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
    let value = value.filter(|_| argument.get_action().takes_values());
    match (argument.get_long(), value) {
        (Some(long), Some(value)) => format!("--{long} {value}"),
        (Some(long), None) => format!("--{long}"),
        (None, value) => value.unwrap_or_else(|| argument.get_id().to_string().to_uppercase()),
    }
}

/// Where the section of a command is.
fn anchor(above: &str, command: &clap::Command) -> String {
    format!("{} {}", above, command.get_name()).replace(' ', "-")
}

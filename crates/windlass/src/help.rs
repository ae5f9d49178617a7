//! The command line as people meet it: in groups, each with its own heading.

use std::ffi::OsString;

use clap::{Command, CommandFactory, FromArgMatches};

use crate::cli::Cli;

/// What the commands are for, in the order in which people come to need them.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Setting up",
        &["demo", "init", "uninstall", "config", "trust", "import", "completions", "man"],
    ),
    ("Keeping the agent at work", &["loop", "hold"]),
    ("What was learned", &["remember", "recall", "candidates", "memory", "tune"]),
    ("Watching", &["status", "doctor", "metrics", "statusline"]),
    ("When the agent stops", &["gate"]),
    ("Looking closer", &["explain", "replay", "eval"]),
    ("Caring for the store", &["store"]),
    ("Called by the agent", &["hook"]),
];

/// What holds for every command.
const RULES: &str = "\
`windlass help COMMAND` tells more of a command.
Exit codes: 0 all is well, 1 it failed or found a fault, 2 it was called wrongly.
Errors are text on stderr with a hint, with `--json` too.";

/// Understands the arguments.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The whole command line.
pub(crate) fn command() -> Command {
    let command = Cli::command();
    let template = template(&command);
    command.help_template(template).after_help(RULES)
}

/// The command line without what is hidden, in the order of the groups: for completions, manual
/// pages and the reference.
pub(crate) fn visible() -> Command {
    let whole = command();
    let named = |name: &&str| whole.find_subcommand(name).cloned();
    let commands: Vec<_> =
        GROUPS.iter().flat_map(|it| it.1).filter_map(named).map(without_help).collect();
    let mut command = Command::new("windlass")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(RULES)
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(commands);
    if let Some(about) = whole.get_about() {
        command = command.about(about.clone());
    }
    command.build();
    command
}

// `windlass store help` would double every page.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true)
}

fn template(command: &Command) -> String {
    let names = GROUPS.iter().flat_map(|it| it.1);
    let width = names.map(|it| it.len()).max().unwrap_or_default();
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        format!("  {name:width$}  {about}\n")
    };
    let group = |(heading, names): &(&str, &[&str])| {
        let lines: String = names.iter().map(line).collect();
        format!("{heading}:\n{lines}\n")
    };
    let groups: String = GROUPS.iter().map(group).collect();
    [
        "{about-with-newline}\n{usage-heading} {usage}\n\n",
        &groups,
        "Options:\n{options}{after-help}",
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, command, visible};

    #[test]
    fn every_command_that_is_not_hidden_stands_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|it| it.1).copied().collect();
        let command = command();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let mut shown: Vec<_> = shown.map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        shown.sort_unstable();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn nothing_hidden_is_left_in_what_is_made_from_it() {
        fn check(command: &clap::Command) {
            assert!(!command.is_hide_set(), "{}", command.get_name());
            assert!(command.get_arguments().all(|it| !it.is_hide_set()));
            command.get_subcommands().for_each(check);
        }
        check(&visible());
        assert!(command().get_subcommands().any(clap::Command::is_hide_set));
    }

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
        visible().debug_assert();
    }
}

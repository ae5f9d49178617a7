//! Whether a line runs a command as the command itself: nothing in the line gives its name another
//! meaning, changes what it finds or keeps it from running.

use super::Pattern;
use super::line::{Join, Line, Part, Place, Sense, Simple, Step, Word};
use super::unwrap::First;

/// Programs that run a command as it is, and only measure or bound it.
const AROUND: &[&str] = &["time", "timeout", "gtimeout", "nice", "ionice", "stdbuf"];

/// Builtins and functions that change what the shell does with later commands: what a name means,
/// where programs are found, whether anything runs at all. Other programs cannot reach the shell.
#[rustfmt::skip]
const SHELL_CHANGES: &[&str] = &[
    ".", "source", "eval", "exec", "exit", "return", "break", "continue", "logout", "trap", "alias", "unalias",
    "export", "declare", "typeset", "readonly", "local", "let", "read", "mapfile", "readarray", "getopts", "unset",
    "hash", "rehash", "enable", "disable", "builtin", "command", "coproc", "shopt", "setopt", "unsetopt", "emulate",
    "autoload", "zmodload", "functions", "function", "path",
    "nvm", "fnm", "conda", "mamba", "micromamba", "workon", "activate", "deactivate", "rvm", "chruby", "sdk", "module",
];

/// Tells whether one of the steps of a line is the command of a pattern, by itself.
pub(super) fn runs_itself(line: &Line, pattern: &Pattern) -> bool {
    for chain in &line.chains {
        for step in &chain.steps {
            if is_it(step, pattern) {
                return chain.place == Place::Foreground;
            }
            if !is_harmless(step) {
                return false;
            }
        }
    }
    false
}

fn is_it(step: &Step, pattern: &Pattern) -> bool {
    let is_command = |part: &Part| match part {
        Part::Simple(simple) => {
            let words = without_wrappers(&simple.words);
            words.iter().all(|it| it.commands.is_empty()) && pattern.fits(words, First::Program)
        }
        Part::Group(_) => false,
    };
    step.join == Join::And
        && step.sense == Sense::Plain
        && step.pipe.iter().any(is_command)
        && step.pipe.iter().all(|it| matches!(it, Part::Simple(it) if !changes_shell(it)))
}

/// Tells whether the shell is the same after a step that stands before the command.
fn is_harmless(step: &Step) -> bool {
    let is_plain = |part: &Part| matches!(part, Part::Simple(it) if !changes_shell(it));
    step.join == Join::And && step.pipe.iter().all(is_plain)
}

fn changes_shell(simple: &Simple) -> bool {
    let Some(first) = simple.words.first() else { return false };
    let name = first.text.as_str();
    match name {
        "set" => !simple.words[1..].iter().all(|it| is_strict_option(&it.text)),
        "printf" => simple.words.iter().any(|it| it.text.starts_with("-v")),
        // `functions[make]=true` is an assignment in zsh.
        _ => first.is_assignment() || name.contains("]=") || SHELL_CHANGES.contains(&name),
    }
}

/// Tells whether an option of `set` only makes the shell stricter or louder.
fn is_strict_option(word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|it| !it.is_empty());
    letters.is_some_and(|it| it.chars().all(|it| "euxo".contains(it)))
        || matches!(word, "pipefail" | "errexit" | "nounset" | "xtrace")
}

fn without_wrappers(words: &[Word]) -> &[Word] {
    let mut at = 0;
    while words.get(at).is_some_and(|it| AROUND.contains(&it.text.as_str())) {
        let is_operand =
            |it: &Word| it.text.starts_with(|it: char| it == '-' || it.is_ascii_digit());
        at += 1 + words[at + 1..].iter().take_while(|it| is_operand(it)).count();
    }
    &words[at..]
}

#[cfg(test)]
mod tests {
    use crate::evidence::{CommandLine, Pattern, RunKind};

    fn runs(line: &str, command: &str) -> bool {
        let pattern = Pattern::of(RunKind::Test, command).unwrap();
        CommandLine::of(line, &[]).runs_itself(&pattern)
    }

    #[test]
    fn a_command_is_itself_alone_and_behind_what_changes_nothing() {
        for line in [
            "make check",
            "cd /p && make check",
            "timeout 60 make check",
            "time nice -n 10 make check",
            "set -euo pipefail; make check",
            "cargo fmt && cargo build && make check",
            "make check 2>&1 | tail -5",
            "echo start; make check; echo end",
        ] {
            assert!(runs(line, "make check"), "{line}");
        }
        assert!(runs("./ci.sh --all", "./ci.sh *"));
    }

    #[test]
    fn a_command_is_not_itself_where_the_line_changes_what_it_means() {
        for line in [
            "make() { true; }; make check",
            "function make { true; }; make check",
            "alias make=true; make check",
            "PATH=/tmp/fake:$PATH make check",
            "export PATH=/tmp/fake:$PATH; make check",
            "PATH=/tmp/fake; make check",
            "env PATH=/tmp/fake make check",
            "MAKEFLAGS=-n make check",
            "export MAKEFLAGS=-n && make check",
            ". ./fake.sh && make check",
            "source fake.sh; make check",
            "eval 'make() { :; }'; make check",
            "hash -p /tmp/fake make; make check",
            "set -n; make check",
            "exit 0; make check",
            "exec true; make check",
            "trap 'exit 0' EXIT; make check",
            "true || make check",
            "! make check",
            "make check &",
            "if false; then make check; fi",
            "docker exec web make check",
            "bash -c 'make check'",
            "ssh host make check",
            "echo make check",
            "read PATH < x; make check",
            "printf -v PATH /tmp/fake; make check",
            "functions[make]=true; make check",
            "nvm use 20 && make check",
        ] {
            assert!(!runs(line, "make check"), "{line}");
        }
    }
}

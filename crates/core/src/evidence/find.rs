//! Which run a single command is.

use super::line::Word;
use super::names;
use super::table::{
    ALIASES, ASKING, ASKING_OF_INDEX, DIRECTORY_INDEX, NO_RUNS_INDEX, RUNNERS_INDEX, Runner,
    TOOLS_INDEX, Take,
};
use super::unwrap::{
    Command, First, Options, SHELLS, follow, program, skip_assignments, skip_options, unwrap,
    valued,
};
use super::{Pattern, RunKind};

/// Wrappers within wrappers.
const MAX_WRAPPERS: usize = 8;
/// Characters of a tool's name: a project may give long ones.
const MAX_TOOL: usize = 60;

/// Endings of files that an interpreter runs.
const SOURCES: &[&str] =
    &["py", "js", "mjs", "cjs", "ts", "mts", "tsx", "rb", "php", "pl", "lua", "exs", "R", "jl"];

/// What a command turned out to be.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// What it shows, and the short name of what shows it.
    pub(super) runs: Vec<(RunKind, String)>,
    /// The word that is a command line of its own, and the options of the shell that reads it.
    pub(super) line: Option<(usize, Options)>,
    /// The word from which on people would type it.
    pub(super) shown: usize,
    /// The word with which the command itself begins.
    pub(super) at: usize,
    /// The directory that an option names.
    pub(super) directory: Option<String>,
    /// Whether the table of tools names it: it is nothing but this run.
    pub(super) is_tool: bool,
}

/// Looks at a command, through whatever wraps it.
pub(super) fn look(words: &[Word], own: &[Pattern]) -> Sight {
    let at = skip_assignments(words, 0);
    look_from(words, own, Command { at, shown: at, first: First::Program }, None, 0)
}

fn look_from(
    words: &[Word],
    own: &[Pattern],
    mut command: Command,
    mut directory: Option<String>,
    wrappers: usize,
) -> Sight {
    for count in wrappers..MAX_WRAPPERS {
        let Command { at, shown, first } = command;
        let Some(word) = words.get(at) else { break };
        let done =
            |runs, line, directory| Sight { runs, line, shown, at, directory, is_tool: false };
        if let First::Line(options) = first {
            return done(Vec::new(), Some((at, options)), directory);
        }
        let name = program(&word.text);
        directory = named_directory(words, at, name).or(directory);
        if let Some(pattern) = own.iter().find(|it| it.fits(&words[at..], first)) {
            let name = pattern.words.iter().filter(|it| *it != "*").cloned().collect::<Vec<_>>();
            return done(vec![(pattern.kind, cut(&name.join(" ")))], None, directory);
        }
        let options = valued(name);
        let operand = words.get(skip_options(words, at + 1, options)).map_or("", |it| &it.text);
        let fits = |row: &str| may_fit(row, name, operand) && fits(words, at, (name, options), row);
        if NO_RUNS_INDEX.rows(name).any(|it| fits(it)) {
            return done(Vec::new(), None, directory);
        }
        if let Some((pattern, kind)) = TOOLS_INDEX.rows(name).find(|it| fits(it.0)) {
            let runs = if asks(words, at, name, pattern) {
                Vec::new()
            } else {
                vec![(*kind, tool(pattern))]
            };
            return Sight { is_tool: true, ..done(runs, None, directory) };
        }
        if let Some(tool) = clojure_tests(&words[at..], name) {
            return done(vec![(RunKind::Test, cut(&tool))], None, directory);
        }
        let wrapped = unwrap(words, &command, name);
        // `yarn workspace web test` is not a script by the name of `workspace`.
        let runner = runner(words, at, name).filter(|it| {
            wrapped.as_ref().is_none_or(|wrapped| it.1 >= wrapped.at || it.0.take == Take::All)
        });
        if let Some((runner, start)) = runner {
            if asks(words, at, name, "") {
                return done(Vec::new(), None, directory);
            }
            let mut start = skip_options(words, start, options) + runner.operands;
            if runner.operands > 0 && words.get(start).is_some_and(|it| it.text == "run") {
                start = skip_options(words, start + 1, options);
            }
            if runner.take == Take::Program && words.get(start).is_some() {
                let inner = Command { at: start, shown, first: First::Program };
                let sight = look_from(words, own, inner, directory.clone(), count + 1);
                if !sight.runs.is_empty() || sight.line.is_some() {
                    return sight;
                }
            }
            return done(named(words, (at, name), start, runner), None, directory);
        }
        match wrapped {
            Some(next) => command = next,
            None => return done(script(words, (at, name), first), None, directory),
        }
    }
    Sight { shown: command.shown, at: command.at, directory, ..Sight::default() }
}

/// The tests that an alias of a `deps.edn` stands for: `clojure -X:test`, `clj -M:dev:test`.
fn clojure_tests(words: &[Word], name: &str) -> Option<String> {
    if !matches!(name, "clojure" | "clj") {
        return None;
    }
    let begins = ["-X:", "-M:", "-A:"];
    let mut options = words.iter().skip(1).map(|it| it.text.as_str());
    let aliases = options.find_map(|it| begins.iter().find_map(|begin| it.strip_prefix(begin)))?;
    let is_test = |it: &&str| {
        names::kind(it, RunKind::Lint) == Some(RunKind::Test)
            || matches!(*it, "kaocha" | "cognitect-test-runner")
    };
    let alias = aliases.split(':').find(is_test)?;
    Some(format!("clojure {alias}"))
}

/// Tells whether a row can fit by its first two words; no is sure.
fn may_fit(row: &str, name: &str, operand: &str) -> bool {
    let next = row.get(name.len() + 1..).unwrap_or_default();
    matches!(next.bytes().next(), None | Some(b'-' | b'^')) || next.starts_with(operand)
}

/// Tells whether a row of the table fits the command at a place, a call of the program `name` with
/// options that may take the next word with them.
fn fits(words: &[Word], at: usize, (name, valued): (&str, &[&str]), pattern: &str) -> bool {
    let Some(rest) = pattern.strip_prefix(name) else { return false };
    let Some(expected) = rest.strip_prefix(' ') else { return rest.is_empty() };
    let mut next = at + 1;
    for part in expected.split(' ') {
        if let Some(flags) = part.strip_prefix('^') {
            let end = skip_options(words, next, valued).min(words.len());
            if !words[next..end].iter().any(|it| it.text == flags) {
                return false;
            }
        } else if part.starts_with('-') {
            let is = |it: &Word, flag: &str| {
                it.text
                    .strip_prefix(flag)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            };
            let mut options = words[next..].iter().filter(|it| it.text.starts_with('-'));
            let found = options.any(|it| part.split('|').any(|flag| is(it, flag)));
            if !found {
                return false;
            }
        } else {
            next = skip_options(words, next, valued);
            if words.get(next).is_none_or(|it| it.text != part) {
                return false;
            }
            next += 1;
        }
    }
    true
}

/// The short name of a row.
fn tool(pattern: &str) -> String {
    let find = |sign: &[u8; 2]| pattern.as_bytes().windows(2).position(|it| it == sign);
    let end = find(b" -").or_else(|| find(b" ^")).unwrap_or(pattern.len());
    let name = &pattern[..end];
    ALIASES.iter().find(|it| it.0 == name).map_or(name, |it| it.1).to_owned()
}

/// Tells whether the command only asks; words of the row itself do not.
fn asks(words: &[Word], at: usize, name: &str, pattern: &str) -> bool {
    let own = ASKING_OF_INDEX.get(name).copied().unwrap_or_default();
    words[at + 1..].iter().enumerate().any(|(index, word)| {
        let text = word.text.as_str();
        let text = text.strip_suffix("=true").unwrap_or(text);
        let denied = || words.get(at + index + 2).is_some_and(|it| it.text == "false");
        (text.starts_with('-') && ASKING.contains(&text) || own.contains(&text))
            && !pattern.split([' ', '|']).any(|it| it == text)
            && !denied()
    })
}

/// The runner that the command begins with, and the word behind it.
fn runner(words: &[Word], at: usize, name: &str) -> Option<(&'static Runner, usize)> {
    RUNNERS_INDEX
        .rows(name)
        .filter(|it| it.words[0] == name)
        .filter_map(|it| Some((it, follow(words, at, &it.words[1..], valued(name))?)))
        .max_by_key(|it| it.0.words.len())
}

/// The runs that names of the project stand for.
fn named(
    words: &[Word],
    (at, name): (usize, &str),
    start: usize,
    runner: &Runner,
) -> Vec<(RunKind, String)> {
    let prefix = runner.words.join(" ");
    let mut runs = if matches!(name, "tox" | "nox" | "nx") {
        environments(words, at, runner)
    } else {
        Vec::new()
    };
    if !runs.is_empty() {
        return runs;
    }
    let skips_tests = skips_tests(words, at, name);
    let (mut next, mut any) = (start, false);
    while next < words.len() {
        if !words[next].is_assignment() {
            any = true;
            let target = target(name, &words[next].text);
            let own = runner.names.iter().find(|it| it.0 == target).map(|it| it.1);
            if let Some(kind) = own.or_else(|| names::kind(target, runner.check)) {
                let untested = kind == RunKind::Test && skips_tests;
                let kind = if untested { RunKind::Build } else { kind };
                add(&mut runs, kind, &format!("{prefix} {target}"));
            }
            if runner.take != Take::All {
                break;
            }
        }
        let behind = skip_options(words, next + 1, valued(name));
        // What follows the two dashes is for the target.
        if words[next + 1..behind.min(words.len())].iter().any(|it| it.text == "--") {
            break;
        }
        next = behind;
    }
    if let (false, Some(kind)) = (any, runner.bare) {
        add(&mut runs, kind, &prefix);
    }
    runs
}

/// The runs that an option names, as in `tox -e lint`.
fn environments(words: &[Word], at: usize, runner: &Runner) -> Vec<(RunKind, String)> {
    let name = runner.words[0];
    let flags = ["-e", "--env", "-s", "-t", "--session", "--sessions", "--target", "--targets"];
    let mut runs = Vec::new();
    for value in values(words, at, &flags) {
        match (names::kind(value, runner.check), runner.bare) {
            (Some(kind), _) => add(&mut runs, kind, &format!("{name} {value}")),
            (None, Some(kind)) => add(&mut runs, kind, name),
            (None, None) => {}
        }
    }
    if let (true, Some(kind)) = (runs.is_empty(), runner.bare) {
        add(&mut runs, kind, name);
    }
    runs
}

/// Adds a run, unless one shows the same already.
fn add(runs: &mut Vec<(RunKind, String)>, kind: RunKind, tool: &str) {
    if !runs.iter().any(|it| it.0 == kind) {
        runs.push((kind, cut(tool)));
    }
}

/// The part of a target's name that says what it does.
fn target<'a>(name: &str, text: &'a str) -> &'a str {
    let first = text.split_whitespace().next().unwrap_or(text);
    match name {
        "gradle" | "mvn" | "sbt" | "mill" => first.rsplit([':', '/']).next().unwrap_or(first),
        _ => first,
    }
}

/// Tells whether a build of everything leaves the tests out.
fn skips_tests(words: &[Word], at: usize, name: &str) -> bool {
    let flags = ["-DskipTests", "-Dmaven.test.skip", "-DskipTests=true", "-Dmaven.test.skip=true"];
    match name {
        "mvn" => words[at..].iter().any(|it| flags.contains(&it.text.as_str())),
        "gradle" => values(words, at, &["-x", "--exclude-task"])
            .any(|it| it.ends_with("test") || it.ends_with("check")),
        _ => false,
    }
}

/// The values of options, also several in one word.
fn values<'a>(words: &'a [Word], at: usize, flags: &'a [&str]) -> impl Iterator<Item = &'a str> {
    words[at..]
        .windows(2)
        .flat_map(move |pair| {
            let text = pair[0].text.as_str();
            let attached = text.split_once('=').filter(|it| flags.contains(&it.0)).map(|it| it.1);
            let next = flags.contains(&text).then_some(pair[1].text.as_str());
            attached.or(next).unwrap_or_default().split(',').filter(|it| !it.is_empty())
        })
        .chain(
            words
                .last()
                .and_then(|it| it.text.split_once('='))
                .filter(move |it| flags.contains(&it.0))
                .map(|it| it.1),
        )
}

/// A script that is called what it does.
fn script(words: &[Word], (at, name): (usize, &str), first: First) -> Vec<(RunKind, String)> {
    let path = words[at].text.as_str();
    if first == First::Program && !path.contains('/') {
        return Vec::new();
    }
    let elsewhere = path.starts_with("/tmp/") || path.starts_with("/var/");
    if elsewhere || path.contains(['$', ' ', '*']) || asks(words, at, name, "") {
        return Vec::new();
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let kind = match (first, ending) {
        (First::Program | First::File, "" | "sh" | "bash" | "zsh" | "ps1") => {
            names::kind(stem, RunKind::Test)
        }
        // Programs of a project are called anything; only those that are tests say so.
        (First::Program | First::File, _) if SOURCES.contains(&ending) => {
            is_test(stem).then_some(RunKind::Test)
        }
        (First::Program | First::File, _) => None,
        (First::Line(_), _) => None,
    };
    kind.map(|it| (it, cut(file))).into_iter().collect()
}

/// Tells whether a command is a script of the project that is called a check and no test: `./verify`,
/// `bash scripts/check.sh`.
pub(crate) fn is_check_script(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let is_shell = |it: &str| SHELLS.contains(&program(it));
    let Some(path) = words.find(|it| !it.starts_with('-') && !it.contains('=') && !is_shell(it))
    else {
        return false;
    };
    let stem = program(path).split('.').next().unwrap_or_default();
    let means = |check| names::kind(stem, check);
    (path.contains('/') || command.split_whitespace().next().is_some_and(is_shell))
        && means(RunKind::Test) == Some(RunKind::Test)
        && means(RunKind::Lint) == Some(RunKind::Lint)
}

fn is_test(stem: &str) -> bool {
    let edges = ["test", "tests", "spec", "runtests"];
    let mut parts = stem.split(['_', '-', '.']);
    let first = parts.next().unwrap_or_default();
    let last = parts.next_back().unwrap_or(first);
    names::kind(stem, RunKind::Lint) == Some(RunKind::Test)
        && (edges.contains(&first) || edges.contains(&last))
}

/// The directory that an option of the program names.
fn named_directory(words: &[Word], at: usize, name: &str) -> Option<String> {
    let flags = DIRECTORY_INDEX.get(name)?;
    let mut rest = words[at + 1..].iter().take_while(|it| it.text != "--");
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if !text.starts_with('-') {
            continue;
        }
        let value = if flags.contains(&text) {
            rest.next().map(|it| it.text.as_str())
        } else {
            text.split_once('=').filter(|it| flags.contains(&it.0)).map(|it| it.1)
        };
        if let Some(value) = value {
            let is_file = ["Cargo.toml", "pom.xml"].contains(&value.rsplit('/').next()?);
            let directory =
                if is_file { value.rsplit_once('/').map(|it| it.0) } else { Some(value) };
            return directory.filter(|it| !it.is_empty()).map(str::to_owned);
        }
    }
    None
}

fn cut(name: &str) -> String {
    name.chars().filter(|it| !it.is_control()).take(MAX_TOOL).collect()
}

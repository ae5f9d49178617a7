//! What a command line needs to run: its first program, and the files that decide what it does.
//!
//! A file decides where a shell or an interpreter runs it, wherever it stands: behind prefixes and
//! options, in a pipe into a shell, as its input, in a substitution, or as a module.

mod interpreter;

use super::line::{Input, Line, Part, Simple, Word};
use super::scripts::task_files;
use super::shell::parse;
use super::unwrap::{Command, First, SHELLS, program, skip_assignments, unwrap};
use interpreter::{Ran, ran_by};

/// Lines within lines that are looked at.
const MAX_DEPTH: usize = 4;
/// Files of one line.
const MAX_FILES: usize = 16;
/// Lines of a script that is no command line as a whole.
const MAX_LINES: usize = 1000;

/// Words that a shell understands without a program.
#[rustfmt::skip]
const BUILTINS: &[&str] = &[
    "test", "[", "[[", "true", "false", ":", "cd", "pushd", "popd", "echo", "printf", "pwd", "exit", "return", "set",
    "unset", "export", "readonly", "local", "declare", "alias", "unalias", "eval", "exec", ".", "source", "trap",
    "wait", "ulimit", "umask", "read", "shift", "command", "type", "hash", "getopts", "let", "kill", "if", "then",
    "else", "for", "while", "until", "case", "function", "time", "{", "(", "((", "!",
];

/// Where installed programs are: no agent is supposed to change them.
const INSTALLED: &[&str] = &["/usr/", "/bin/", "/sbin/", "/opt/", "/nix/", "/snap/"];

/// Tells whether a path leads to an installed program.
pub fn is_installed(path: &str) -> bool {
    INSTALLED.iter().any(|it| path.starts_with(it))
}

/// What a command line needs to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// The program that it begins with, where the shell has to find one.
    pub program: Option<String>,
    /// Whether it is one command, so that nothing in it can bring the program.
    pub is_one_command: bool,
    /// The scripts and programs that it names by their place, seen from its directory.
    pub scripts: Vec<String>,
    /// The Python modules that it runs, with slashes for dots, seen from its directory.
    pub modules: Vec<String>,
    /// The programs that the shell has to find for it.
    pub programs: Vec<String>,
    /// The task files that its programs read, such as a `Makefile`, seen from its directory.
    pub task_files: Vec<String>,
}

impl Condition {
    /// Takes a command line apart. One that is not understood names nothing.
    pub fn of(text: &str) -> Self {
        let mut condition = Self::default();
        let Some(line) = parse(text) else { return condition };
        let first = line.chains.first().and_then(|it| it.steps.first()).map(|it| &it.pipe);
        if let Some(Part::Simple(simple)) = first.and_then(|it| it.first()) {
            condition.program = inner(&simple.words).and_then(|it| searched(&it[0].text));
        }
        condition.is_one_command = line.commands() == 1;
        condition.add(&line, text, &mut String::new(), 0);
        condition.bounded()
    }

    /// What a shell script needs: a line that is not understood is passed by.
    pub fn of_script(text: &str) -> Self {
        let mut condition = Self::default();
        let mut directory = String::new();
        if let Some(line) = parse(text) {
            condition.add(&line, text, &mut directory, 0);
            return condition.bounded();
        }
        let joined = text.replace("\\\n", " ");
        for text in joined.lines().take(MAX_LINES) {
            if let Some(line) = parse(text) {
                condition.add(&line, text, &mut directory, 0);
            }
        }
        condition.bounded()
    }

    fn bounded(mut self) -> Self {
        for files in
            [&mut self.scripts, &mut self.modules, &mut self.programs, &mut self.task_files]
        {
            let mut known: Vec<String> = Vec::new();
            files.retain(|it| {
                let is_new = known.len() < MAX_FILES && !known.contains(it);
                if is_new {
                    known.push(it.clone());
                }
                is_new
            });
        }
        self
    }

    /// Adds what a line needs; `text` is the text of the line.
    fn add(&mut self, line: &Line, text: &str, directory: &mut String, depth: usize) {
        for step in line.chains.iter().flat_map(|it| &it.steps) {
            for part in &step.pipe {
                self.add_part(part, text, directory, depth);
            }
            // `cat check.sh | sh`
            if let Some(reader) = step.pipe.iter().rposition(reads_commands) {
                for part in &step.pipe[..reader] {
                    self.add_shown(part, directory);
                }
            }
        }
    }

    fn add_part(&mut self, part: &Part, text: &str, directory: &mut String, depth: usize) {
        match part {
            Part::Simple(simple) => self.add_command(simple, text, directory, depth),
            Part::Group(group) => {
                group.lines.iter().for_each(|it| self.add(it, text, directory, depth));
                if let Some(body) = &group.body {
                    self.add_part(body, text, directory, depth);
                }
            }
        }
    }

    /// Adds the files that a command shows to a shell: `cat check.sh`, `sed s/a/b/ check.sh`.
    fn add_shown(&mut self, part: &Part, directory: &str) {
        let simples = match part {
            Part::Simple(simple) => vec![simple],
            Part::Group(group) => group.lines.iter().flat_map(commands_of).collect(),
        };
        for simple in simples {
            let words = inner(&simple.words).unwrap_or_default();
            let is_said = words.first().is_none_or(|it| matches!(&*it.text, "echo" | "printf"));
            let operands = words.iter().skip(1).map(|it| it.text.as_str());
            let is_file = |it: &&str| {
                !is_said
                    && !it.starts_with(['-', '+'])
                    && !it.contains(' ')
                    && it.contains(['.', '/'])
            };
            // `sed s/a/b/ check.sh`: its first word is its program.
            let has_program = words.first().is_some_and(|it| {
                matches!(&*it.text, "sed" | "grep" | "awk" | "gawk" | "jq" | "tr")
            }) && !words.iter().any(|it| matches!(&*it.text, "-e" | "-f"));
            let operands = operands.filter(|it| !it.starts_with('-')).skip(has_program.into());
            self.scripts.extend(operands.filter(is_file).map(|it| join(directory, it)));
            if let Some(Input::File(file)) = &simple.input {
                self.scripts.push(join(directory, file));
            }
        }
    }

    /// Adds a text that a shell runs.
    fn add_text(&mut self, text: &str, directory: &str, depth: usize) {
        if let Some(line) = parse(text).filter(|_| depth < MAX_DEPTH) {
            self.add(&line, text, &mut directory.to_owned(), depth + 1);
        }
    }

    fn add_command(&mut self, simple: &Simple, text: &str, directory: &mut String, depth: usize) {
        // `test "$(./check.sh)" = ok`
        for (from, to) in simple.words.iter().flat_map(|it| &it.commands) {
            self.add_text(text.get(*from..*to).unwrap_or_default(), directory, depth);
        }
        for word in simple.words.iter().take_while(|it| it.is_assignment()) {
            if let Some(("BASH_ENV" | "ENV", file)) = word.text.split_once('=') {
                self.scripts.push(join(directory, file));
            }
        }
        let Some(words) = inner(&simple.words) else { return };
        let name = program(&words[0].text);
        self.programs.extend(searched(&words[0].text).filter(|it| !it.contains('/')));
        let operands = || words[1..].iter().map(|it| it.text.as_str());
        let operand = || operands().find(|it| !it.starts_with(['-', '+']));
        match name {
            "cd" | "pushd" => {
                // Where a variable leads only the shell can tell.
                if let Some(to) = operand().filter(|it| !it.contains(['$', '`'])) {
                    *directory = join(directory, to);
                }
            }
            "find" | "fd" => {
                let at = words.iter().position(|it| {
                    matches!(&*it.text, "-exec" | "-execdir" | "-ok" | "-x" | "-X" | "--exec")
                });
                if let Some(command) =
                    at.and_then(|it| words.get(it + 1..)).filter(|it| !it.is_empty())
                {
                    let line =
                        command.iter().map(|it| quoted(&it.text)).collect::<Vec<_>>().join(" ");
                    self.add_text(&line, directory, depth);
                }
            }
            "su" | "runuser" | "script" | "flock" | "sg" | "watch" | "parallel" | "env" => {
                // A line behind an option, or as the last word.
                for text in operands().filter(|it| !it.starts_with('-')) {
                    self.add_text(text, directory, depth);
                }
            }
            _ => {
                let ran = ran_by(name, words);
                let is_open = matches!(ran, Some(Ran::Input));
                match ran {
                    Some(Ran::Line(at)) => {
                        let word = &words[at];
                        self.add_text(&word.text, directory, depth);
                        self.add_shown_in(word, text, directory);
                    }
                    Some(Ran::File(at)) => {
                        let word = &words[at];
                        if word.commands.is_empty()
                            || !word.text.is_empty() && !word.text.starts_with('(')
                        {
                            self.scripts.push(join(directory, &word.text));
                        }
                        self.add_shown_in(word, text, directory);
                    }
                    Some(Ran::Module(name)) => {
                        self.modules.push(join(directory, &name.replace('.', "/")));
                    }
                    Some(Ran::Input | Ran::Nothing) => {}
                    None => self.add_task_files(words, directory),
                }
                self.scripts
                    .extend(interpreter::extra_files(name, words).map(|it| join(directory, it)));
                match &simple.input {
                    Some(Input::File(file)) if is_open => self.scripts.push(join(directory, file)),
                    Some(Input::Text(text)) if is_open && SHELLS.contains(&name) => {
                        self.add_text(text, directory, depth);
                    }
                    _ => {}
                }
            }
        }
        let place = words[0].text.as_str();
        if place.contains('/') && !is_installed(place) {
            self.scripts.push(join(directory, place));
        }
    }

    /// Adds what the commands within a word show to a shell: `sh -c "$(cat check.sh)"`.
    fn add_shown_in(&mut self, word: &Word, text: &str, directory: &str) {
        for (from, to) in &word.commands {
            let Some(line) = text.get(*from..*to).and_then(parse) else { continue };
            for part in line.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe) {
                self.add_shown(part, directory);
            }
        }
    }

    fn add_task_files(&mut self, words: &[Word], directory: &str) {
        let mut place = directory.to_owned();
        for pair in words.windows(2) {
            if matches!(&*pair[0].text, "-C" | "--directory" | "--prefix" | "--cwd" | "-d") {
                place = join(directory, &pair[1].text);
            }
        }
        self.task_files.extend(task_files(words).iter().map(|it| join(&place, it)));
    }
}

/// The commands of a line, without those of its groups.
fn commands_of(line: &Line) -> Vec<&Simple> {
    let mut commands = Vec::new();
    for part in line.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe) {
        if let Part::Simple(simple) = part {
            commands.push(simple);
        }
    }
    commands
}

/// Tells whether a part of a pipe runs what comes through it.
fn reads_commands(part: &Part) -> bool {
    let Part::Simple(simple) = part else { return false };
    let Some(words) = inner(&simple.words) else { return false };
    let name = program(&words[0].text);
    // `cat list | xargs ./check.sh` runs nothing of the list, `xargs sh` does.
    matches!(ran_by(name, words), Some(Ran::Input))
}

/// A word as it is written in a line.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The words of a command behind its assignments and the programs that only run another one.
fn inner(words: &[Word]) -> Option<&[Word]> {
    let mut at = skip_assignments(words, 0);
    while let Some(word) = words.get(at) {
        let name = program(&word.text);
        let is_last = SHELLS.contains(&name) || matches!(name, "eval" | "nix-shell");
        if is_last || interpreter::is_interpreter(name) {
            break;
        }
        let command = Command { at, shown: at, first: First::Program };
        match unwrap(words, &command, name) {
            Some(next) if next.first == First::Program && next.at > at => at = next.at,
            _ => break,
        }
    }
    Some(&words[at.min(words.len())..]).filter(|it| !it.is_empty())
}

/// The name of a program that a shell has to find. Words that only the shell can tell are none.
fn searched(word: &str) -> Option<String> {
    let is_known = BUILTINS.contains(&word) || word.contains(['$', '*', '?', '`', '~', '{', '(']);
    (!word.is_empty() && !is_known).then(|| word.to_owned())
}

fn join(directory: &str, file: &str) -> String {
    let file = file.strip_prefix("./").unwrap_or(file);
    if directory.is_empty() || file.starts_with('/') {
        return file.to_owned();
    }
    format!("{}/{file}", directory.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::Condition;

    #[test]
    fn the_first_program_is_named_and_builtins_are_none() {
        for (line, program, is_one) in [
            ("nosuch --flag", Some("nosuch"), true),
            ("A=1 timeout 60 nosuch", Some("nosuch"), true),
            ("nosuch && true", Some("nosuch"), false),
            ("cat x | nosuch", Some("cat"), false),
            ("./check.sh", Some("./check.sh"), true),
            ("test -e done", None, true),
            ("! grep -q x y", Some("grep"), true),
            ("if true; then exit 1; fi", None, false),
            ("$CHECK --all", None, true),
            ("'open", None, false),
        ] {
            let condition = Condition::of(line);
            assert_eq!(condition.program.as_deref(), program, "{line}");
            assert_eq!(condition.is_one_command, is_one, "{line}");
        }
    }

    #[test]
    fn scripts_are_the_files_that_decide_what_a_line_does() {
        let cases: &[(&str, &[&str])] = &[
            ("sh check.sh", &["check.sh"]),
            ("./check.sh --all", &["check.sh"]),
            ("bash -eu ci/run && python3 tools/verify.py --fast", &["ci/run", "tools/verify.py"]),
            ("cd sub && ./check.sh", &["sub/check.sh"]),
            ("bash -c './check.sh; node a.js'", &["check.sh", "a.js"]),
            ("timeout 60 ./check.sh", &["check.sh"]),
            (". ./lib.sh; verify", &["lib.sh"]),
            ("/home/ada/bin/check", &["/home/ada/bin/check"]),
            ("/usr/bin/env python3 x.py", &["x.py"]),
            ("python3 -m pytest tests/a.py", &[]),
            ("cargo test", &[]),
            ("bash -o pipefail check.sh", &["check.sh"]),
            ("bash -euo pipefail check.sh a", &["check.sh"]),
            ("bash --norc --rcfile rc check.sh", &["check.sh"]),
            ("bash +O extglob -- check.sh", &["check.sh"]),
            ("python3 -W ignore -X dev check.py", &["check.py"]),
            ("python3 -Bu check.py", &["check.py"]),
            ("node --max-old-space-size=99 -r ./hook.js check.js", &["check.js", "hook.js"]),
            ("perl -w -I lib check.pl", &["check.pl"]),
            ("ruby -r json check.rb", &["check.rb"]),
            ("awk -F : -f check.awk data.txt", &["check.awk"]),
            ("php -d a=b -f check.php", &["check.php"]),
            ("sh < check.sh", &["check.sh"]),
            ("python3 - < check.py", &["check.py"]),
            ("cat check.sh | sh", &["check.sh"]),
            ("sed s/a/b/ ./check.sh | bash -s -- x", &["check.sh"]),
            ("cat < check.py | python3", &["check.py"]),
            ("sh -c \"$(cat check.sh)\"", &["check.sh"]),
            ("eval \"$(cat check.sh)\"", &["check.sh"]),
            (". <(cat check.sh)", &["check.sh"]),
            ("bash <(sed 1d check.sh)", &["check.sh"]),
            ("test \"$(./check.sh)\" = ok", &["check.sh"]),
            ("[ `./check.sh` = ok ]", &["check.sh"]),
            ("[[ $(./check.sh) == ok ]]", &["check.sh"]),
            ("out=$(sh check.sh) && test -n \"$out\"", &["check.sh"]),
            ("xargs -a list sh -c ./check.sh", &["check.sh"]),
            ("find . -name x -exec ./check.sh {} ';'", &["check.sh"]),
            ("env -u X ./check.sh", &["check.sh"]),
            ("env - A=1 ./check.sh", &["check.sh"]),
            ("sudo -u me sh check.sh", &["check.sh"]),
            ("timeout -s KILL 5 ./check.sh", &["check.sh"]),
            ("nice -n 5 ./check.sh", &["check.sh"]),
            ("xvfb-run -a ./check.sh", &["check.sh"]),
            ("BASH_ENV=env.sh bash check.sh", &["env.sh", "check.sh"]),
            ("check() { ./check.sh; }; check", &["check.sh"]),
            ("if ! ./check.sh; then exit 1; fi", &["check.sh"]),
            ("grep -q ok result.txt", &[]),
            ("cat result.txt | grep -q ok", &[]),
            ("test -e done && ls | wc -l", &[]),
        ];
        for (line, scripts) in cases {
            assert_eq!(Condition::of(line).scripts, *scripts, "{line}");
        }
        assert!(Condition::of("make check").task_files.contains(&"Makefile".to_owned()));
        let files = Condition::of("cd web && npm test").task_files;
        assert_eq!(files, ["web/package.json"]);
        assert_eq!(Condition::of("make -C web check").task_files[0], "web/Makefile");
        assert_eq!(Condition::of("python3 -Im tools.verify").modules, ["tools/verify"]);
        assert_eq!(Condition::of("cd a && py.test").programs, ["py.test"]);
    }

    #[test]
    fn a_script_is_read_line_by_line_where_it_is_no_complete_line() {
        let script =
            "#!/bin/bash\n. ./lib.sh\ncat <<'EOF\n) (\nsh \\\n  helper.sh\nsource \"$DIR/x.sh\"\n";
        assert_eq!(Condition::of_script(script).scripts, ["lib.sh", "helper.sh", "$DIR/x.sh"]);
    }

    #[test]
    fn a_prefix_with_values_is_not_the_program() {
        for line in [
            "env -u X nosuch",
            "sudo -u me -g us nosuch",
            "timeout -s KILL -k 5 60 nosuch",
            "timeout --signal=KILL 60 nosuch",
            "nice -n 5 nosuch",
            "ionice -c 2 -n 0 nosuch",
            "xvfb-run -a -s '-screen 0' nosuch",
            "stdbuf -o L nosuch",
            "env -C sub A=1 nosuch",
            "flock -w 5 /tmp/lock nosuch",
            "time -p nosuch",
            "nohup setsid nosuch",
            "taskset -c 0-3 nosuch",
        ] {
            assert_eq!(Condition::of(line).program.as_deref(), Some("nosuch"), "{line}");
        }
    }
}

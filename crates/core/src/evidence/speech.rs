//! Whose words the output of a command is: text that it only shows, or what it ran.
//!
//! A summary of a test runner in the output of a command is a run only where the command can have
//! run one. `cat old.log` shows the same words and proves nothing.

use std::collections::BTreeSet;

use super::Pattern;
use super::company::collect_written;
use super::habits::LOOKING;
use super::in_place::in_place_edit;
use super::line::{Group, Input, Line, Nest, Part, Simple, Step, Stream, Word};
use super::output_run::closes_a_run;
use super::shell::parse;
use super::table::{ASKING, ASKING_OF_INDEX};
use super::unwrap::{SHELLS, program, skip_assignments, skip_options, valued};

/// Lines within lines, as in `bash -c '…'`.
const MAX_DEPTH: usize = 4;

/// What the output of a command is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speech {
    /// It prints nothing that could be a summary.
    Silent,
    /// It shows a text: a file, a log, a literal, an answer of a server.
    Shows,
    /// It may run anything, and passes on what that prints.
    Runs,
}

/// Programs that only show text, whatever their arguments.
#[rustfmt::skip]
const SHOWING: &[&str] = &[
    // Readers and searchers.
    "cat", "bat", "batcat", "tac", "nl", "head", "tail", "less", "more", "most", "view", "vim", "vi", "nvim",
    "nano", "emacs", "strings", "hexdump", "xxd", "od", "zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "lz4cat",
    "zless", "zmore", "xzless", "gunzip", "gzip", "bunzip2", "bzip2", "xz", "unxz", "zstd", "unzstd", "unzip",
    "7z", "7za", "tar", "ar", "cpio", "base64", "base32", "openssl", "gpg", "age",
    "grep", "egrep", "fgrep", "zgrep", "bzgrep", "xzgrep", "zstdgrep", "rg", "ripgrep", "ag", "ack", "ugrep", "ug",
    "pt", "sift", "fzf", "look", "find", "fd", "fdfind",
    "sed", "gsed", "awk", "gawk", "mawk", "nawk", "cut", "sort", "uniq", "column", "paste", "join", "comm", "tr",
    "rev", "fold", "fmt", "pr", "expand", "unexpand", "split", "csplit", "shuf", "tsort", "envsubst", "m4",
    "jq", "yq", "jaq", "gron", "fx", "xq", "tomlq", "dasel", "mlr", "xsv", "qsv", "csvlook", "csvcut", "xmllint",
    "xmlstarlet", "pup", "htmlq", "w3m", "lynx", "links", "elinks", "pandoc", "glow", "mdcat", "mdless", "rich",
    "pdftotext", "antiword", "highlight", "pygmentize", "chroma", "diff", "colordiff", "delta", "difft", "icdiff",
    "sdiff", "cmp", "patch", "diffstat", "interdiff", "dyff", "man", "info", "tldr", "cheat", "apropos", "whatis",
    "open", "xdg-open", "code", "explorer",
    // Literals.
    "print", "yes", "seq", "figlet", "toilet", "cowsay", "lolcat", "banner", "tput", "logger",
    "history", "fc", "compgen", "declare", "typeset", "env", "printenv",
    "pbpaste", "xclip", "xsel", "wl-paste", "osascript",
    // Logs and screens.
    "journalctl", "dmesg", "last", "lnav", "multitail", "stern", "kail", "kubetail", "loki", "logcli", "logtail",
    "humanlog", "pino-pretty", "bunyan", "ccze", "goaccess", "tmux", "screen", "zellij", "asciinema", "ttyplay",
    "scriptreplay", "dtach", "abduco", "syslog", "lastlog", "ausearch", "log",
    // Agents and models print prose.
    "claude", "codex", "gemini", "copilot", "aider", "goose", "opencode", "qwen", "cursor-agent", "amp", "llm",
    "ollama", "chatgpt", "sgpt", "mods", "fabric", "windlass",
    // Version control shows the past; git stands in its own table.
    "hg", "svn", "jj", "fossil", "bzr", "p4", "tig", "gitk", "lazygit", "cvs", "darcs", "pijul", "sl",
];

/// Programs that ask a server or a service.
#[rustfmt::skip]
const SERVICES: &[&str] = &[
    "curl", "wget", "http", "https", "httpie", "xh", "curlie", "aria2c", "nc", "ncat", "socat", "telnet", "ftp",
    "sftp", "scp", "rsync", "gh", "glab", "hub", "tea", "jira", "az", "aws", "gcloud", "gsutil", "bq", "s3cmd",
    "rclone", "heroku", "fly", "flyctl", "vercel", "netlify", "railway", "render", "doctl", "wrangler", "sentry-cli",
    "datadog", "newrelic", "argo", "argocd", "flux", "tkn", "bk", "buildkite-agent", "travis", "appveyor",
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "redis-cli", "mongosh", "mongo", "clickhouse-client",
    "cqlsh", "etcdctl", "consul", "vault", "kafkacat", "kcat", "mosquitto_sub", "rabbitmqctl",
];

/// Programs that print nothing of weight.
#[rustfmt::skip]
const SILENT: &[&str] = &[
    "cd", "pushd", "popd", "export", "set", "unset", "true", "false", ":", "pwd", "mkdir", "rmdir", "sleep", "date",
    "shopt", "ulimit", "alias", "umask", "clear", "touch", "local", "readonly", "trap", "nvm", "wait", "rm", "mv",
    "cp", "ln", "chmod", "chown", "chgrp", "test", "[", "[[", "((", "exit", "return", "kill", "pkill", "killall",
    "jobs", "read", "shift", "let", "tee", "ls", "eza", "exa", "lsd", "tree", "stat", "file", "wc", "locate", "du",
    "df", "which", "type", "basename", "dirname", "realpath", "readlink", "sha256sum", "md5sum", "truncate", "sync", "whoami", "hostname", "uname", "id", "nproc",
];

/// Subcommands of git whose hooks may run anything.
const GIT_HOOKS: &[&str] =
    &["commit", "push", "merge", "rebase", "am", "pull", "hook", "bisect", "cherry-pick"];

/// Subcommands of git that show nothing of the past.
#[rustfmt::skip]
const GIT_QUIET: &[&str] = &[
    "add", "stash", "checkout", "switch", "reset", "restore", "rm", "mv", "status", "branch", "rev-parse", "worktree",
    "fetch", "clean", "init", "submodule",
];

/// Programs that run containers.
const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc"];

/// Subcommands of container programs that run something; their other ones show.
const CONTAINER_RUNS: &[&str] =
    &["run", "exec", "up", "build", "start", "compose", "container", "buildx", "bake", "debug"];

/// Words by which any program says that it shows something.
#[rustfmt::skip]
const SHOWING_WORDS: &[&str] = &[
    "log", "logs", "show", "view", "cat", "print", "trace", "tail", "history", "blame", "diff", "get", "describe",
    "dump", "replay", "list", "ls", "search", "grep", "status", "info", "help", "read", "report", "summary",
    "inspect", "watch", "console", "viewer", "serve", "logcat", "export", "download", "fetch", "config", "explain", "open", "display", "output", "artifacts",
];

/// Endings of files that hold text and run nothing.
#[rustfmt::skip]
const TEXT_ENDINGS: &[&str] = &[
    "log", "txt", "md", "rst", "out", "err", "json", "jsonl", "ndjson", "xml", "html", "csv", "tsv", "gz", "bz2", "xz",
    "zst", "zip", "lz4", "tap", "trx", "junit", "cast", "typescript", "diff", "patch", "pdf", "eml", "mbox",
];

/// Interpreters that take a program in an option or from their input.
const INTERPRETERS: &[&str] = &[
    "python", "pypy", "node", "nodejs", "deno", "bun", "tsx", "ts-node", "ruby", "perl", "php",
    "lua", "Rscript", "R", "julia", "bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh",
];

/// Options that carry a program.
const INLINE: &[&str] =
    &["-c", "-e", "-E", "-p", "-r", "-ne", "-pe", "-ane", "-nle", "-", "--eval", "--print", "eval"];

/// The command of a line that may have run what its output shows; `None` where no command can, or
/// where the output may be a text that another command only shows.
pub(super) fn executor<'l>(line: &'l Line, own: &[Pattern]) -> Option<&'l Simple> {
    let mut listener = Listener { own, written: BTreeSet::new(), found: None, shows: false };
    collect_written(line, &mut listener.written);
    listener.line(line, 0);
    listener.found.filter(|_| !listener.shows)
}

struct Listener<'a, 'l> {
    own: &'a [Pattern],
    /// Files that the line writes itself: to show them is to show what ran.
    written: BTreeSet<String>,
    found: Option<&'l Simple>,
    shows: bool,
}

impl<'l> Listener<'_, 'l> {
    fn line(&mut self, line: &'l Line, depth: usize) {
        for step in line.chains.iter().flat_map(|it| &it.steps) {
            self.step(step, depth);
        }
    }

    /// A pipe speaks with the words of its first command, unless another command runs on them.
    fn step(&mut self, step: &'l Step, depth: usize) {
        let mut speech = Speech::Silent;
        let mut spoken = None;
        for (index, part) in step.pipe.iter().enumerate() {
            match part {
                Part::Group(group) => {
                    self.group(group, depth);
                    speech = Speech::Silent;
                }
                Part::Simple(simple) => {
                    let own = self.speech(simple, depth);
                    let takes = index > 0 && is_fed(simple);
                    speech = match (index, own) {
                        (0, own) => own,
                        // `… | bash`, `… | xargs make`
                        (_, Speech::Runs) if takes || speech == Speech::Silent => Speech::Runs,
                        // `echo y | ./ci.sh`: the program reads the answer and prints its own words.
                        (_, Speech::Runs) if spoken.is_some_and(is_literal) => Speech::Runs,
                        _ => speech,
                    };
                    if index == 0 || own == Speech::Runs {
                        spoken = Some(simple);
                    }
                }
            }
        }
        let is_lost = step.pipe.last().is_some_and(|it| match it {
            Part::Simple(simple) => {
                goes_elsewhere(simple) || in_place_edit(&simple.words).is_some()
            }
            Part::Group(_) => false,
        });
        match (speech, spoken) {
            (Speech::Shows, _) if !is_lost => self.shows = true,
            (Speech::Runs, Some(simple)) => self.found = Some(simple),
            _ => {}
        }
    }

    fn group(&mut self, group: &'l Group, depth: usize) {
        if group.nest != Nest::Definition {
            group.lines.iter().for_each(|it| self.line(it, depth));
        }
    }

    fn speech(&mut self, simple: &'l Simple, depth: usize) -> Speech {
        let words = simple.words.as_slice();
        let start = skip_assignments(words, 0);
        if start == words.len() {
            return Speech::Silent;
        }
        let sight = simple.look(self.own);
        if let Some((at, _)) = sight.line {
            return self.inner(&words[at].text, depth);
        }
        // A tool of the table is this run and no other.
        if sight.is_tool {
            return Speech::Silent;
        }
        let speech = self.own_speech(simple, (start, sight.at));
        // What it reads may be what it prints.
        if matches!(speech, Speech::Runs) || program(&words[start].text) == "tee" {
            return if self.reads_text(simple) { Speech::Shows } else { speech };
        }
        speech
    }

    /// Tells whether a command reads a text that may be the words of a run.
    fn reads_text(&self, simple: &Simple) -> bool {
        match &simple.input {
            Some(Input::File(file)) => {
                let is_script = is_shell_call(simple) && !is_text_file(file);
                !file.starts_with("/dev/") && !is_script && !self.written.contains(file)
            }
            Some(Input::Text(text)) => text.contains('$') || closes_a_run(text),
            None => false,
        }
    }

    /// What a command speaks by its words, whatever it reads.
    fn own_speech(&self, simple: &Simple, (start, at): (usize, usize)) -> Speech {
        let words = simple.words.as_slice();
        let at = at.min(words.len() - 1);
        // What wraps the command runs it; what follows says whether that shows.
        let outer = program(&words[start].text);
        // `bash < ci.sh`
        if is_shell_call(simple) && matches!(simple.input, Some(Input::File(_))) {
            return Speech::Runs;
        }
        if INTERPRETERS.contains(&outer) {
            return interpreter(&words[start..]);
        }
        let inner = speech_of(&words[at..], &self.written);
        if at == start {
            return inner;
        }
        if CONTAINERS.contains(&outer) && container(outer, &words[start..]) == Speech::Shows {
            return Speech::Shows;
        }
        if inner == Speech::Silent { Speech::Runs } else { inner }
    }

    /// A line within the line speaks as its commands do.
    fn inner(&mut self, text: &str, depth: usize) -> Speech {
        if depth == MAX_DEPTH {
            return Speech::Shows;
        }
        let Some(line) = parse(text) else { return Speech::Shows };
        let mut listener =
            Listener { own: self.own, written: self.written.clone(), found: None, shows: false };
        collect_written(&line, &mut listener.written);
        listener.line(&line, depth + 1);
        match (listener.shows, listener.found.is_some()) {
            (true, _) => Speech::Shows,
            (false, true) => Speech::Runs,
            (false, false) => Speech::Silent,
        }
    }
}

/// Tells whether a command is a shell that reads its commands.
fn is_shell_call(simple: &Simple) -> bool {
    let mut words = simple.words.iter().map(|it| it.text.as_str());
    words.next().is_some_and(|it| SHELLS.contains(&program(it)))
        && words.all(|it| it.starts_with('-'))
}

/// Tells whether a part of a pipe runs what it reads.
fn is_fed(simple: &Simple) -> bool {
    let name = simple.words.first().map_or("", |it| program(&it.text));
    matches!(name, "xargs" | "parallel" | "bash" | "sh" | "zsh" | "entr")
}

/// Tells whether a command prints a literal that answers a question.
fn is_literal(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|it| matches!(it.text.as_str(), "echo" | "printf" | "yes"))
}

fn goes_elsewhere(simple: &Simple) -> bool {
    let is_elsewhere = |file: &str| !matches!(file, "/dev/stdout" | "/dev/stderr" | "/dev/tty");
    simple.outputs.iter().any(|it| it.stream == Stream::Standard && is_elsewhere(&it.file))
}

/// What a command speaks by its words, which begin with the program.
fn speech_of(words: &[Word], written: &BTreeSet<String>) -> Speech {
    let name = program(&words[0].text);
    let rest = &words[1..];
    let own = ASKING_OF_INDEX.get(name).copied().unwrap_or_default();
    let asks = |it: &Word| {
        let text = it.text.as_str();
        ASKING.contains(&text) && text != "--watch" || own.contains(&text)
    };
    if rest.iter().any(asks) {
        return Speech::Shows;
    }
    if in_place_edit(words).is_some() {
        return Speech::Silent;
    }
    if INTERPRETERS.contains(&name) {
        return interpreter(words);
    }
    match name {
        // A reader of what the line wrote itself shows what ran.
        "cat" | "head" | "tail" | "grep" | "egrep" | "rg" | "sed" | "awk" | "less"
            if rest.iter().any(|it| written.contains(&it.text)) =>
        {
            Speech::Silent
        }
        "git" => {
            let at = skip_options(words, 1, valued("git"));
            let sub = words.get(at).map_or("", |it| it.text.as_str());
            let next = words.get(at + 1).map_or("", |it| it.text.as_str());
            let is_quiet = GIT_QUIET.contains(&sub) && !matches!(next, "show" | "list");
            match sub {
                "bisect" if !rest.iter().any(|it| it.text == "run") => Speech::Shows,
                _ if GIT_HOOKS.contains(&sub) => Speech::Runs,
                _ if is_quiet => Speech::Silent,
                _ => Speech::Shows,
            }
        }
        _ if CONTAINERS.contains(&name) => container(name, words),
        "echo" | "printf" => literal(rest),
        _ if SERVICES.contains(&name) => service(words),
        "source" | "." => Speech::Runs,
        _ if SILENT.contains(&name) => Speech::Silent,
        _ if SHOWING.contains(&name) => Speech::Shows,
        _ if looks(name, words) || says_that_it_shows(words) => Speech::Shows,
        _ => Speech::Runs,
    }
}

/// A text that is no closing line of a runner is no one's summary.
fn literal(words: &[Word]) -> Speech {
    let is_open = |it: &Word| {
        let variable = it.text.split_once('$').map(|it| it.1);
        let is_status =
            |it: &str| it.starts_with(['?', '!', '#', '$']) || it.starts_with("{PIPESTATUS");
        !it.commands.is_empty() || variable.is_some_and(|it| !is_status(it))
    };
    if words.iter().any(is_open) {
        return Speech::Shows;
    }
    let text = words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ");
    if closes_a_run(&text.replace("\\n", "\n")) { Speech::Shows } else { Speech::Silent }
}

/// A service is asked; only a command that it runs elsewhere prints words of its own.
fn service(words: &[Word]) -> Speech {
    let mut operands = words[1..].iter().filter(|it| !it.text.starts_with('-')).take(3);
    let runs =
        operands.any(|it| matches!(it.text.as_str(), "ssh" | "exec" | "run" | "local" | "execute"));
    let is_hub = matches!(words[0].text.as_str(), "gh" | "glab" | "hub");
    if runs && !is_hub && !is_text_operand(&words[1..]) && !words[1..].iter().any(names_showing) {
        Speech::Runs
    } else {
        Speech::Shows
    }
}

/// Code that prints, or reads what it prints, in any of the languages that are given inline.
#[rustfmt::skip]
const PRINTS: &[&str] = &[
    "print", "console.", "puts", "echo", "say ", "open(", "read", "write", "cat", "fetch", "http", "log", "dump",
    "format", "$<", "<>", "STDIN", "stdin",
];

/// A file is run; a program in an option, or from the input, prints what its author wrote there.
fn interpreter(words: &[Word]) -> Speech {
    let (name, rest) = (program(&words[0].text), &words[1..]);
    let is_shell = SHELLS.contains(&name);
    let mut inline = rest.iter().take_while(|it| it.text.starts_with('-') || it.text == "eval");
    let is_inline = inline.any(|it| INLINE.contains(&it.text.as_str()));
    if in_place_edit(words).is_some() {
        return Speech::Silent;
    }
    let has_operand = rest.iter().any(|it| !it.text.starts_with('-'));
    match (is_inline && !is_shell, has_operand) {
        (true, true) if !rest.iter().any(|it| PRINTS.iter().any(|word| it.text.contains(word))) => {
            Speech::Runs
        }
        (true, _) | (_, false) => Speech::Shows,
        (false, true) if is_text_operand(rest) || names_showing(&rest[0]) => Speech::Shows,
        (false, true) => Speech::Runs,
    }
}

fn container(name: &str, words: &[Word]) -> Speech {
    let operands = words[1..].iter().filter(|it| !it.text.starts_with('-'));
    let mut subs = operands.map(|it| it.text.as_str()).take(4);
    let is_compose = name == "docker-compose";
    let runs =
        subs.clone().any(|it| CONTAINER_RUNS.contains(&it) && it != "compose" && it != "container");
    let shows = subs.any(|it| {
        matches!(it, "logs" | "ps" | "images" | "inspect" | "attach" | "get" | "describe" | "top")
    });
    if runs && (is_compose || !shows) { Speech::Runs } else { Speech::Shows }
}

/// Tells whether a subcommand only looks, by the table of habits.
fn looks(name: &str, words: &[Word]) -> bool {
    let sub = words.get(skip_options(words, 1, valued(name))).map_or("", |it| it.text.as_str());
    LOOKING.iter().any(|it| it.0 == name && it.1.contains(&sub))
}

/// Tells whether the words of an unknown program, a target or a script say that it shows a text.
fn says_that_it_shows(words: &[Word]) -> bool {
    let operands = words.iter().skip(1).filter(|it| !it.text.starts_with('-')).take(3);
    names_showing(&words[0]) || operands.clone().any(names_showing) || is_text_operand(&words[1..])
}

fn is_text_operand(words: &[Word]) -> bool {
    words.iter().any(|it| !it.text.starts_with('-') && is_text_file(&it.text))
}

fn is_text_file(text: &str) -> bool {
    let ending = text.rsplit_once('.').filter(|it| !it.0.is_empty());
    text.contains("://") || ending.is_some_and(|it| TEXT_ENDINGS.contains(&it.1))
}

fn names_showing(word: &Word) -> bool {
    let file = word.text.rsplit('/').next().unwrap_or(&word.text);
    let stem = file.split('.').next().unwrap_or(file);
    stem.split(|it: char| !it.is_alphanumeric())
        .any(|it| SHOWING_WORDS.iter().any(|word| word.eq_ignore_ascii_case(it)))
}

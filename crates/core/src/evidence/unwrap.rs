//! What stands before the command that matters: wrappers, runners, interpreters.

use super::index::Index;
use super::line::Word;
use super::table::VALUED_INDEX;

/// A command without what wraps it.
pub(super) struct Command {
    /// The word with which it begins.
    pub(super) at: usize,
    /// The word from which on people would type it: `uv run pytest`, but not `time`.
    pub(super) shown: usize,
    /// How its first word is meant.
    pub(super) first: First,
}

/// What the first word of a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// A program.
    Program,
    /// A file that an interpreter runs.
    File,
    /// A command line of its own, for a shell that stops at errors or does not.
    Line(Options),
}

/// The options of a shell that change what its status means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// `set -e`: the line ends at the first failure.
    pub(super) errexit: Switch,
    /// `set -o pipefail`: a pipe fails with any of its parts.
    pub(super) pipefail: Switch,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    #[default]
    Off,
}

/// A word, or several, behind which another command stands.
struct Wrapper {
    words: &'static [&'static str],
    /// Options that take the next word with them.
    valued: &'static [&'static str],
    /// Words between the options and the command.
    operands: usize,
    shown: Shown,
    /// Options with which no command follows.
    but: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// People would leave it out.
    No,
    /// The command means something else without it.
    Yes,
    /// It runs a file.
    File,
}

const fn plain(
    words: &'static [&'static str],
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { words, valued, operands, shown: Shown::No, but: &[] }
}

const fn shown(
    words: &'static [&'static str],
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { words, valued, operands, shown: Shown::Yes, but: &["-c", "--call"] }
}

const fn file(
    words: &'static [&'static str],
    valued: &'static [&'static str],
    but: &'static [&'static str],
) -> Wrapper {
    Wrapper { words, valued, operands: 0, shown: Shown::File, but }
}

const UV: &[&str] = &[
    "--with",
    "--python",
    "-p",
    "--extra",
    "--group",
    "--package",
    "--directory",
    "--project",
    "--env-file",
    "--with-requirements",
    "--with-editable",
    "--index",
    "--no-group",
    "--only-group",
    "--from",
    "--index-url",
];
#[rustfmt::skip]
const CONTAINER: &[&str] = &["-e", "--env", "-u", "--user", "-w", "--workdir", "--env-file", "--index", "-v",
    "--volume", "-p", "--publish", "--name", "--entrypoint", "--network", "--mount", "-m", "--memory", "--cpus",
    "--platform", "-f", "--file", "--project-name", "--profile", "--label", "-l", "--add-host", "--shm-size", "--gpus", "-c", "--context", "-H", "--project-directory"];

/// The wrappers; of two that fit, the one with more words is taken.
#[rustfmt::skip]
const WRAPPERS: &[Wrapper] = &[
    plain(&["env"], &["-u", "--unset", "-C", "--chdir", "-a", "--argv0"], 0),
    plain(&["time"], &["-f", "-o", "--format", "--output"], 0),
    plain(&["timeout"], &["-k", "-s", "--kill-after", "--signal"], 1),
    plain(&["gtimeout"], &["-k", "-s", "--kill-after", "--signal"], 1),
    plain(&["nice"], &["-n", "--adjustment"], 0), plain(&["ionice"], &["-c", "-n", "--class", "--classdata"], 0),
    plain(&["nohup"], &[], 0), plain(&["setsid"], &[], 0),
    plain(&["exec"], &["-a"], 0), plain(&["builtin"], &[], 0),
    plain(&["sudo"], &["-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-C", "-D", "--chdir", "-R",
        "--chroot", "-r", "--role", "-t", "--type", "-T", "--command-timeout", "-U", "--other-user"], 0),
    plain(&["doas"], &["-u", "-C"], 0),
    plain(&["flock"], &["-w", "--timeout", "-E", "--conflict-exit-code"], 1),
    plain(&["chrt"], &["-T", "-P", "-D"], 1), plain(&["faketime"], &[], 1),
    plain(&["strace"], &["-o", "-e", "-s", "-E", "-u", "-P", "-a"], 0), plain(&["ltrace"], &["-o", "-e", "-s", "-u"], 0),
    plain(&["numactl"], &["-N", "-m", "-C", "-i", "-p"], 0), plain(&["prlimit"], &[], 0),
    plain(&["unshare"], &["-S", "-G", "-R", "-w"], 0), plain(&["systemd-run"], &["-p", "-u", "-E", "--unit", "--property", "--uid", "--setenv"], 0),
    Wrapper { words: &["command"], valued: &[], operands: 0, shown: Shown::No, but: &["-v", "-V"] },
    plain(&["xvfb-run"], &["-n", "-s", "-e", "-f", "-p", "-w", "--server-args", "--server-num", "--error-file", "--auth-file",
        "--xauth-protocol", "--wait"], 0),
    plain(&["stdbuf"], &["-i", "-o", "-e", "--input", "--output", "--error"], 0), plain(&["unbuffer"], &[], 0),
    plain(&["caffeinate"], &["-t", "-w"], 0), plain(&["taskset"], &[], 1), plain(&["chronic"], &[], 0),
    plain(&["catchsegv"], &[], 0),
    plain(&["cross-env"], &[], 0), plain(&["ccache"], &[], 0), plain(&["dbus-run-session"], &[], 0),
    plain(&["systemd-inhibit"], &[], 0), plain(&["corepack"], &[], 0),
    shown(&["uv", "run"], UV, 0), shown(&["uvx"], UV, 0), shown(&["uv", "tool", "run"], UV, 0),
    shown(&["pipx", "run"], &["--spec", "--python"], 0), shown(&["poetry", "run"], &["-C", "--directory"], 0),
    shown(&["conda", "run"], &["-n", "-p", "--name", "--prefix", "--cwd"], 0),
    shown(&["mamba", "run"], &["-n", "-p"], 0), shown(&["micromamba", "run"], &["-n", "-p"], 0),
    shown(&["coverage", "run"], &["--source", "--rcfile", "--omit", "--include", "--data-file", "--context",
        "--concurrency"], 0),
    shown(&["c8"], &["--reporter", "-r"], 0), shown(&["nyc"], &["--reporter"], 0),
    shown(&["npx"], &["-p", "--package", "-w", "--workspace"], 0), shown(&["pnpx"], &[], 0),
    shown(&["npm", "exec"], &["-p", "--package", "-w", "--workspace", "--prefix"], 0),
    shown(&["npm", "x"], &["-p", "--package"], 0),
    shown(&["pnpm", "exec"], &["--filter", "-F", "-C", "--dir"], 0), shown(&["pnpm", "dlx"], &["--package"], 0),
    shown(&["yarn", "exec"], &["--cwd"], 0), shown(&["yarn", "dlx"], &["-p", "--package"], 0),
    shown(&["yarn", "workspaces", "foreach", "exec"], &["--include", "--exclude", "--from", "-j"], 0),
    shown(&["bunx"], &[], 0), shown(&["bun", "x"], &[], 0),
    shown(&["bundle", "exec"], &[], 0), shown(&["spring"], &[], 0), shown(&["docker", "exec"], CONTAINER, 1),
    shown(&["docker", "run"], CONTAINER, 1), shown(&["docker", "container", "exec"], CONTAINER, 1),
    shown(&["docker", "compose", "exec"], CONTAINER, 1), shown(&["docker", "compose", "run"], CONTAINER, 1),
    shown(&["docker-compose", "exec"], CONTAINER, 1), shown(&["docker-compose", "run"], CONTAINER, 1),
    shown(&["podman", "exec"], CONTAINER, 1), shown(&["podman", "run"], CONTAINER, 1),
    shown(&["kubectl", "exec"], &["-n", "--namespace", "-c", "--container", "--context"], 1),
    shown(&["direnv", "exec"], &[], 1), shown(&["mise", "exec"], &["-C", "--cd", "-j"], 0),
    shown(&["mise", "x"], &["-C", "--cd", "-j"], 0), shown(&["asdf", "exec"], &[], 0),
    shown(&["rbenv", "exec"], &[], 0),
    shown(&["pyenv", "exec"], &[], 0), shown(&["rustup", "run"], &[], 1),
    shown(&["doppler", "run"], &["-p", "-c", "--project", "--config"], 0),
    shown(&["op", "run"], &["--env-file"], 0), shown(&["dotenv"], &["-e", "-f"], 0),
    shown(&["dotenvx", "run"], &["-f", "-e", "--env-file"], 0),
    shown(&["infisical", "run"], &["--env", "--path"], 0),
    shown(&["xargs"], &["-n", "-P", "-I", "-d", "-L", "-s", "-E", "-a"], 0), shown(&["fvm"], &[], 0),
    shown(&["symfony"], &[], 0),
    shown(&["sail"], &[], 0), shown(&["lerna", "exec"], &["--scope", "--ignore"], 0),
    shown(&["devenv", "shell"], &[], 0),
    file(&["python"], &["-W", "-X"], &["-c"]), file(&["pypy"], &["-W", "-X"], &["-c"]),
    file(&["node"], &["-r", "--require", "--import", "--loader", "--env-file", "--conditions", "-C"], &["-e",
        "-p", "--eval", "--print", "--check", "-c", "--run"]),
    file(&["tsx"], &["--tsconfig", "--import", "-r"], &["-e", "-p", "--eval", "watch"]),
    file(&["ts-node"], &["-P", "--project", "-r", "-O"], &["-e", "-p"]),
    file(&["ruby"], &["-I", "-r", "-C"], &["-e", "-c"]),
    file(&["php"], &["-d", "-c"], &["-r", "-l", "-S"]),
    file(&["perl"], &["-I", "-M"], &["-e", "-E", "-c", "-pe", "-ne", "-i", "-pi"]),
    file(&["deno", "run"], &["-c", "--config"], &[]),
];

static WRAPPERS_INDEX: Index<Wrapper, { WRAPPERS.len() }> = Index::of(WRAPPERS, &first_words());

const fn first_words() -> [&'static str; WRAPPERS.len()] {
    let mut words = [""; WRAPPERS.len()];
    let mut row = 0;
    while row < words.len() {
        words[row] = WRAPPERS[row].words[0];
        row += 1;
    }
    words
}

/// Shells.
pub(super) const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "fish"];

/// The name of a program: without its directory, its version and what only a system adds.
pub(super) fn program(word: &str) -> &str {
    let slash = word.bytes().rposition(|it| it == b'/' || it == b'\\');
    let name = &word[slash.map_or(0, |it| it + 1)..];
    let version = name.bytes().position(|it| it == b'@').filter(|it| *it > 0);
    let name = &name[..version.unwrap_or(name.len())];
    let dot = name.bytes().rposition(|it| it == b'.').unwrap_or(name.len());
    let name = match &name[dot..] {
        ".exe" | ".cmd" | ".bat" | ".js" | ".cjs" | ".mjs" | ".phar" => &name[..dot],
        _ => name,
    };
    let plain = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    match plain {
        "python" | "pypy" | "pip" | "ruby" | "php" | "node" | "clang" | "gcc" => plain,
        "gradlew" => "gradle",
        "mvnw" | "mvnd" => "mvn",
        "clang++-" => "clang++",
        "clang-" => "clang",
        "gcc-" => "gcc",
        "gtimeout" => "timeout",
        "py" if plain == name => "python",
        _ => name,
    }
}

/// Options of a program that take the next word with them.
pub(super) fn valued(program: &str) -> &'static [&'static str] {
    VALUED_INDEX.get(program).copied().unwrap_or_default()
}

/// The first word behind the options that begin at a place.
pub(super) fn skip_options(words: &[Word], mut at: usize, valued: &[&str]) -> usize {
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            return at + 1;
        }
        // A toolchain, as in `cargo +nightly`.
        let toolchain = text.starts_with('+') && at > 0 && words[at - 1].text.ends_with("cargo");
        if !toolchain && (!text.starts_with('-') || text.len() < 2) {
            return at;
        }
        let number = matches!(text, "-j" | "-n" | "--jobs")
            && words.get(at + 1).is_some_and(|it| it.text.bytes().all(|it| it.is_ascii_digit()));
        at += if valued.contains(&text) || number { 2 } else { 1 };
    }
    at
}

/// The place behind these words, where they follow the program at `at`, options between them.
pub(super) fn follow(
    words: &[Word],
    at: usize,
    expected: &[&str],
    valued: &[&str],
) -> Option<usize> {
    let mut at = at + 1;
    for name in expected {
        let place = if name.starts_with('-') { at } else { skip_options(words, at, valued) };
        if words.get(place)?.text != *name {
            return None;
        }
        at = place + 1;
    }
    Some(at)
}

/// The first word that sets no variable.
pub(super) fn skip_assignments(words: &[Word], at: usize) -> usize {
    at + words[at.min(words.len())..].iter().take_while(|it| it.is_assignment()).count()
}

/// Takes one wrapper off a call of the program `name`; `None` where none is left, or no command
/// follows.
pub(super) fn unwrap(words: &[Word], command: &Command, name: &str) -> Option<Command> {
    if SHELLS.contains(&name) {
        return shell(words, command);
    }
    if name == "eval" {
        return (words.len() == command.at + 2).then(|| Command {
            at: command.at + 1,
            first: First::Line(Options::default()),
            ..*command
        });
    }
    if let Some(next) = nix(words, command, name) {
        return Some(next);
    }
    let fits = |it: &Wrapper| {
        let expected = &it.words[1..];
        follow(words, command.at, expected, it.valued)
            .or_else(|| follow(words, command.at, expected, valued(name)))
    };
    let (wrapper, start) = WRAPPERS_INDEX
        .rows(name)
        .filter(|it| it.words[0] == name)
        .filter_map(|it| Some((it, fits(it)?)))
        .max_by_key(|it| it.0.words.len())?;
    let options = skip_options(words, start, wrapper.valued);
    if words[start..options.min(words.len())]
        .iter()
        .any(|it| wrapper.but.contains(&it.text.as_str()))
    {
        return None;
    }
    let mut at = options + wrapper.operands;
    // `docker exec web -- pytest`, `mise exec node@20 -- npm test`.
    let rest = &words[at.min(words.len())..];
    if let Some(dashes) = rest.iter().take(4).position(|it| it.text == "--")
        && wrapper.shown == Shown::Yes
        && (dashes == 0 || wrapper.words[0] == "mise")
    {
        at += dashes + 1;
    }
    // `env - make` begins with an empty environment.
    at += usize::from(name == "env" && words.get(at).is_some_and(|it| it.text == "-"));
    let at = skip_assignments(words, at);
    words.get(at)?;
    // A module is a program: `python -m pytest`.
    let module = words[start..at].iter().any(|it| it.text == "-m");
    let first = if wrapper.shown == Shown::File && !module { First::File } else { First::Program };
    let is_plain = wrapper.shown == Shown::No && command.shown == command.at;
    Some(Command { at, shown: if is_plain { at } else { command.shown }, first })
}

/// `bash -c '…'`, or a file that a shell runs.
fn shell(words: &[Word], command: &Command) -> Option<Command> {
    let mut options = Options::default();
    let mut line = false;
    let mut at = command.at + 1;
    while let Some(word) = words.get(at).filter(|it| it.text.starts_with(['-', '+'])) {
        let text = word.text.as_str();
        at += 1;
        if text.starts_with("--") || text.starts_with('+') {
            continue;
        }
        // The shell only reads it.
        if text.contains('n') {
            return None;
        }
        line |= text.contains('c');
        if text.contains('e') {
            options.errexit = Switch::On;
        }
        if text.ends_with('o') || text.ends_with('O') {
            if words.get(at).is_some_and(|it| it.text == "pipefail") {
                options.pipefail = Switch::On;
            }
            at += 1;
        }
    }
    words.get(at)?;
    let first = if line { First::Line(options) } else { First::File };
    Some(Command { at, first, ..*command })
}

/// `nix develop -c …`, `nix-shell --run '…'`.
fn nix(words: &[Word], command: &Command, name: &str) -> Option<Command> {
    let (flags, first): (&[&str], _) = match name {
        "nix" => (&["-c", "--command"], First::Program),
        "nix-shell" => (&["--run", "--command"], First::Line(Options::default())),
        _ => return None,
    };
    let flag = words[command.at..].iter().position(|it| flags.contains(&it.text.as_str()))?;
    let at = command.at + flag + 1;
    words.get(at)?;
    Some(Command { at, first, ..*command })
}

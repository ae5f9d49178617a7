//! Paths as text.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A path as a text that can be stored, compared and turned back into exactly the same path.
///
/// A path is bytes, and a store holds text. Replacing what is not UTF-8 would give two directories
/// one name, so those bytes are escaped as `\xFF`, and a backslash is doubled. Every other path
/// stands as it is, its line breaks included: whoever shows one escapes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathText(String);

impl PathText {
    /// The text of a path's bytes.
    pub fn of(path: &[u8]) -> Self {
        let mut text = String::with_capacity(path.len());
        for chunk in path.utf8_chunks() {
            text.push_str(&doubled(chunk.valid()));
            for byte in chunk.invalid() {
                #[expect(clippy::let_underscore_must_use, reason = "a string takes all text")]
                let _ = write!(text, "\\x{byte:02X}");
            }
        }
        Self(text)
    }

    /// A text that came from [`PathText::as_str`].
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The bytes of the path. What is not an escape of ours stands for itself.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len());
        let mut rest = self.0.as_bytes();
        while let Some((&first, after)) = rest.split_first() {
            let (byte, after) = match after {
                [b'\\', after @ ..] if first == b'\\' => (first, after),
                [b'x', high, low, after @ ..] if first == b'\\' => {
                    match (digit(*high), digit(*low)) {
                        (Some(high), Some(low)) => (high << 4 | low, after),
                        _ => (first, &rest[1..]),
                    }
                }
                _ => (first, after),
            };
            bytes.push(byte);
            rest = after;
        }
        bytes
    }
}

fn doubled(text: &str) -> Cow<'_, str> {
    if text.contains('\\') { text.replace('\\', "\\\\").into() } else { text.into() }
}

/// The value of a hexadecimal digit as we write it.
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// A path as somebody in a directory would name it.
pub(crate) fn below<'a>(path: &'a str, directory: &str) -> &'a str {
    let inside = path.strip_prefix(directory.trim_end_matches('/'));
    inside.and_then(|it| it.strip_prefix('/')).unwrap_or(path)
}

/// The name of a file as others compare it: without `./` before it, and without a line behind it.
pub fn bare_file(name: &str) -> &str {
    let mut bare = name;
    while let Some(rest) = bare.strip_prefix("./") {
        bare = rest;
    }
    // A line, or a line and a column.
    for _ in 0..2 {
        match bare.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() && is_number(line) => bare = file,
            _ => break,
        }
    }
    bare
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// Whether a path lies below a directory.
pub(crate) fn is_below(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory.trim_end_matches('/'));
    rest.is_some_and(|it| it.len() > 1 && it.starts_with('/'))
}

/// The directory that a command line names, seen from another one; `None` where only a shell could
/// tell.
pub(crate) fn joined(from: &str, to: &str) -> Option<String> {
    if to.contains(['$', '`', '~', '*', '?', '{']) {
        return None;
    }
    let mut path = String::with_capacity(from.len() + to.len() + 2);
    let from = if to.starts_with('/') { "" } else { from };
    for part in from.split('/').chain(to.split('/')) {
        match part {
            "" | "." => {}
            ".." => path.truncate(path.rfind('/').unwrap_or(0)),
            part => {
                path.push('/');
                path.push_str(part);
            }
        }
    }
    if path.is_empty() {
        path.push('/');
    }
    Some(path)
}

/// The directory that holds a path; empty at the root.
pub(crate) fn parent(path: &str) -> &str {
    path.trim_end_matches('/').rsplit_once('/').map_or("", |it| it.0)
}

/// Whether a file that lies in no project is source code by its name. What a tool or the system
/// keeps for itself is not; what stands above the project, too, says nothing of the file.
pub(crate) fn is_source_outside(path: &str, project: &str) -> bool {
    const SYSTEM: [&str; 6] = ["/etc/", "/proc/", "/sys/", "/dev/", "/run/", "/var/"];
    let mut above = 0;
    for (part, other) in path.split('/').zip(project.split('/')) {
        if part != other {
            break;
        }
        above += part.len() + 1;
    }
    let rest = path.get(above..).unwrap_or_default();
    let is_hidden = rest.split('/').any(|it| it.starts_with('.') && !matches!(it, "." | ".."));
    let is_system = SYSTEM.iter().any(|it| path.starts_with(it) && !project.starts_with(it));
    is_source(rest) && !is_hidden && !is_system
}

/// A path below the home directory of the user, which only a shell could name from the root.
pub(crate) fn in_home(path: &str) -> Option<String> {
    let mut rest = ["~/", "$HOME/", "${HOME}/"].into_iter().filter_map(|it| path.strip_prefix(it));
    let rest = rest.next().filter(|it| !it.contains(['$', '`', '*', '?', '{']))?;
    joined("/", rest).map(|it| format!("~{it}"))
}

/// A file that a command line names after it went from one directory to another; `None` where only a
/// shell could tell.
pub(crate) fn named(from: &str, directory: &str, file: &str) -> Option<String> {
    if file.starts_with('/') {
        return joined("/", file);
    }
    let home = in_home(file);
    let below_home = || in_home(&format!("{}/{file}", in_home(directory)?));
    home.or_else(below_home).or_else(|| joined(&joined(from, directory)?, file))
}

/// Files that a shell reads when it starts: an alias or a function in one hides a program.
#[rustfmt::skip]
const SHELL_FILES: &[&str] = &[
    ".bashrc", ".bash_profile", ".bash_login", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
    ".kshrc", ".envrc", "config.fish", ".aliases",
];

/// Whether a shell reads a file when it starts.
pub(crate) fn is_shell_file(path: &str) -> bool {
    SHELL_FILES.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// Whether a path is a directory, or lies below it.
pub(crate) fn is_within(path: &str, directory: &str) -> bool {
    path == directory || is_below(path, directory)
}

/// Whether a file is one that an agent made for itself, outside of where it works.
pub fn is_scratch(path: &str, directory: &str) -> bool {
    is_temporary(path) && !is_temporary(directory)
}

/// Directories for temporary files.
const TEMPORARY: [&str; 3] = ["/tmp/", "/private/tmp/", "/var/tmp/"];

/// Whether a path lies below a directory for temporary files.
pub(crate) fn is_temporary(path: &str) -> bool {
    TEMPORARY.iter().any(|it| path.starts_with(it))
}

/// Whether two paths lie below the same directory among temporary files.
pub(crate) fn shares_temporary(path: &str, other: &str) -> bool {
    let first = below_temporary(other).split('/').next().unwrap_or_default();
    let place = below_temporary(path).split_once('/').map(|it| it.0);
    is_temporary(path) && is_temporary(other) && place == Some(first)
}

/// A path from a directory for temporary files on, where it lies below one.
pub(crate) fn below_temporary(path: &str) -> &str {
    TEMPORARY.iter().find_map(|it| path.strip_prefix(it)).unwrap_or(path)
}

/// Whether a file lies outside of the project and of where the agent works. Where no project is
/// known, none does.
pub(crate) fn is_outside(path: &str, root: Option<&str>, directory: &str) -> bool {
    if path.starts_with("~/") {
        return true;
    }
    let Some(root) = root.filter(|_| path.starts_with('/')) else { return false };
    !is_below(path, root) && !is_below(path, directory)
}

/// Whether a file is source code by its name. A command may write any file, and most of them are
/// reports, logs and what is built.
pub fn is_source(path: &str) -> bool {
    #[rustfmt::skip]
    const ENDINGS: &[&str] = &[
        "rs", "go", "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "java", "kt",
        "kts", "scala", "clj", "groovy", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "m", "mm", "swift", "rb", "php", "cs",
        "fs", "vb", "ex", "exs", "erl", "hs", "ml", "mli", "lua", "pl", "pm", "t", "r", "jl", "dart", "zig", "nim", "cr",
        "d", "sh", "bash", "zsh", "ps1", "sql", "proto", "graphql", "css", "scss", "sass", "less", "html", "sol", "elm",
        "gleam", "nix", "tf", "cmake", "gradle", "toml",
    ];
    const NAMES: &[&str] = &[
        "Makefile",
        "makefile",
        "GNUmakefile",
        "justfile",
        "Justfile",
        "Rakefile",
        "Dockerfile",
        "Gemfile",
        "package.json",
        "tsconfig.json",
        "composer.json",
        "go.mod",
        "Taskfile.yml",
        "Earthfile",
    ];
    const BUILT: &[&str] =
        &["dist", "build", "out", "target", "coverage", "node_modules", "tmp", "vendor"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').filter(|it| !it.0.is_empty()).map_or("", |it| it.1);
    let is_built = path.split('/').rev().skip(1).any(|it| BUILT.contains(&it));
    !is_built && (NAMES.contains(&name) || ENDINGS.contains(&ending))
}

/// Whether a file decides how a project is built or tested although its name is that of a text or
/// of something hidden: what ran before it changed ran on other settings.
fn steers_runs(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "CMakeLists.txt",
        ".rspec",
        ".babelrc",
        ".swcrc",
        ".npmrc",
        ".nvmrc",
        ".python-version",
        ".tool-versions",
        ".env.test",
    ];
    const BEGINNINGS: &[&str] = &[".mocharc.", ".babelrc.", ".nycrc", ".eslintrc", ".env.test."];
    const PATHS: &[&str] =
        &["/.cargo/config.toml", "/.config/nextest.toml", "/.mvn/maven.config", "/.mvn/jvm.config"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_list =
        name.starts_with("requirements") && name.rsplit_once('.').is_some_and(|it| it.1 == "txt");
    let is_inside = path.split('/').any(|it| matches!(it, "node_modules" | "docs" | "target"));
    !is_inside
        && (is_list
            || NAMES.contains(&name)
            || BEGINNINGS.iter().any(|it| name.starts_with(it))
            || PATHS.iter().any(|it| path.ends_with(it)))
}

/// Whether a change of a file is one that a test or a build could prove. Texts for people, settings
/// of tools, and what agents keep for themselves, are not. `base` is where the project begins.
pub(crate) fn is_code(path: &str, base: &str) -> bool {
    const TEXTS: [&str; 14] = [
        "adoc", "csv", "gif", "ico", "jpeg", "jpg", "log", "md", "mdx", "pdf", "png", "rst", "svg",
        "txt",
    ];
    #[rustfmt::skip]
    const NAMES: [&str; 24] = [
        "LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "README", "CHANGELOG", "CHANGES", "HISTORY", "NEWS", "NOTICE",
        "AUTHORS", "CONTRIBUTORS", "CONTRIBUTING", "MAINTAINERS", "CODEOWNERS", "CREDITS", "THANKS", "TODO", "BUGS",
        "FAQ", "HACKING", "INSTALL", "ROADMAP", "SECURITY",
    ];
    if steers_runs(path) {
        return true;
    }
    // Hooks and settings of git, wherever the repository lies; a working tree may lie there, too.
    if path
        .rsplit_once("/.git/")
        .is_some_and(|it| !it.1.contains('/') || it.1.starts_with("hooks/"))
    {
        return false;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let below = path.strip_prefix(base.trim_end_matches('/')).filter(|it| it.starts_with('/'));
    // What stands above the project says nothing of the file.
    let path = below.unwrap_or(if path.starts_with('/') { name } else { path });
    // Working trees that an agent made are there to work in.
    let path = path.split_once("/.claude/worktrees/").map_or(path, |it| it.1);
    let is_aside = |it: &str| it.len() > 1 && it.starts_with('.') && it != "..";
    let mut directories = path.split('/').rev().skip(1);
    let is_text = match name.rsplit_once('.') {
        Some((_, extension)) => TEXTS.contains(&extension.to_ascii_lowercase().as_str()),
        None => NAMES.contains(&name),
    };
    // What tools leave behind for themselves.
    const MADE: [&str; 6] = ["pyc", "pyo", "class", "o", "db", "sqlite"];
    const STORES: [&str; 4] = ["docs", "node_modules", "__pycache__", "target"];
    let is_made = name.rsplit_once('.').is_some_and(|it| MADE.contains(&it.1));
    !is_text
        && !is_made
        && !is_aside(name)
        && !directories.any(|it| is_aside(it) || STORES.contains(&it))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{PathText, bare_file, is_below, is_code, is_outside, is_source_outside, joined};

    #[test]
    fn a_directory_is_seen_from_another_one() {
        for (to, expected) in [
            ("", Some("/p/a")),
            (".", Some("/p/a")),
            ("b/", Some("/p/a/b")),
            ("../b/./c", Some("/p/b/c")),
            ("/q//r/", Some("/q/r")),
            ("../../../..", Some("/")),
            ("$HOME/x", None),
            ("~/x", None),
        ] {
            assert_eq!(joined("/p/a", to).as_deref(), expected, "{to}");
        }
        assert!(is_below("/p/a", "/p") && is_below("/p/a", "/") && is_below("/p/a", "/p/"));
        assert!(!is_below("/p", "/p") && !is_below("/pa", "/p") && !is_below("/p/", "/p"));
    }

    #[test]
    fn a_line_is_no_part_of_the_name_of_a_file() {
        for name in ["src/a.rs", "./src/a.rs", "././src/a.rs:40", "src/a.rs:40:7"] {
            assert_eq!(bare_file(name), "src/a.rs", "{name}");
        }
        for name in ["a:b", ":40", "a.rs:", "a.rs:4-9", "../a.rs", ""] {
            assert_eq!(bare_file(name), name);
        }
    }

    #[test]
    fn texts_settings_of_tools_and_what_is_outside_are_no_code() {
        for path in [
            "/p/README",
            "/p/CHANGES",
            "/p/CODEOWNERS",
            "/p/a.md",
            "/p/.gitignore",
            "/p/.env.local",
            "/p/.github/workflows/ci.yml",
            "/p/docs/conf.py",
            "/p/.claude/settings.json",
            ".windlass/x.rs",
            "/q/.bashrc",
        ] {
            assert!(!is_code(path, "/p"), "{path}");
        }
        for path in [
            "/p/a.rs",
            "/p/Makefile",
            "/p/Cargo.toml",
            "/p/src/docs.rs",
            "/p/.claude/worktrees/x/src/a.rs",
            "src/a.rs",
            "../q/a.rs",
        ] {
            assert!(is_code(path, "/p"), "{path}");
        }
        // A project may lie anywhere.
        assert!(is_code("/h/.dotfiles/docs/p/a.rs", "/h/.dotfiles/docs/p"));
        assert!(is_code("/h/.dotfiles/p/a.rs", "/elsewhere"));
        let outside = |path| is_outside(path, Some("/p"), "/w/sub");
        assert!(outside("/h/.bashrc") && outside("/pa/a.rs"));
        assert!(!outside("/p/a.rs") && !outside("/w/sub/a.rs") && !outside("a.rs"));
        assert!(!is_outside("/h/a.rs", None, "/p"));
    }

    #[test]
    fn source_outside_is_known_by_what_is_not_above_the_project() {
        let is = |path: &str| is_source_outside(path, "/tmp/.x/p");
        assert!(is("/tmp/.x/lib/a.py") && is("/srv/lib/a.py") && is("~/lib/a.py"));
        for path in ["/tmp/.x/.cache/a.py", "/tmp/.x/target/a.py", "/home/a/.b/a.lua", "/etc/a.sh"]
        {
            assert!(!is(path), "{path}");
        }
        assert!(!is("/tmp/.x/lib/a.md") && is_source_outside("/var/www/lib/a.php", "/var/www/p"));
    }

    #[test]
    fn a_path_in_utf_8_stands_as_it_is() {
        for path in ["/a/b", "/space dir/ü", "/line\nbreak", "/\"$(x)\"", "/🦀/\u{202e}x"] {
            assert_eq!(PathText::of(path.as_bytes()).as_str(), path);
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_escaped() {
        assert_eq!(PathText::of(b"/a\xff/b").as_str(), "/a\\xFF/b");
        assert_eq!(PathText::of(b"/a\\xFF/b").as_str(), "/a\\\\xFF/b");
    }

    #[test]
    fn every_path_comes_back_and_no_two_share_a_text() {
        let pieces: [&[u8]; 8] = [b"\\", b"x", b"F", b"\xff", b"\xc3", b"\xa4", b"/", b"\n"];
        let mut texts = HashSet::new();
        let mut count = 0;
        for number in 0..8_usize.pow(5) {
            let pieces = (0..5).map(|place| pieces[number >> (3 * place) & 7]);
            let path: Vec<u8> = pieces.flatten().copied().collect();
            let text = PathText::of(&path);
            assert_eq!(text.to_bytes(), path, "{text:?}");
            texts.insert(text);
            count += 1;
        }
        assert_eq!(texts.len(), count);
    }

    #[test]
    fn a_text_that_is_not_ours_stands_for_itself() {
        for text in ["/a\\", "/a\\x", "/a\\xZZ", "/a\\x\\"] {
            let text = PathText::stored(text.to_owned());
            assert_eq!(text.to_bytes(), text.as_str().as_bytes());
        }
    }
}

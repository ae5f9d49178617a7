//! Which files are looked at, and in which of them printing is their work.

/// Directories whose files are not written here, or show leftovers on purpose.
const FOREIGN: &[&str] = &[
    ".cache",
    ".git",
    ".hg",
    ".mypy_cache",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".svn",
    ".terraform",
    ".tox",
    ".venv",
    ".yarn",
    "__fixtures__",
    "__generated__",
    "__pycache__",
    "__snapshots__",
    "bower_components",
    "build",
    "carthage",
    "coverage",
    "dist",
    "fixture",
    "fixtures",
    "generated",
    "golden",
    "goldens",
    "node_modules",
    "out",
    "pods",
    "site-packages",
    "snapshots",
    "target",
    "test-data",
    "testdata",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "venv",
];
/// Endings of names that are texts, data or the work of a program.
const NOT_SOURCE: &[&str] = &[
    ".adoc",
    ".asciidoc",
    ".bmp",
    ".bundle.js",
    ".csv",
    ".designer.cs",
    ".diff",
    ".freezed.dart",
    ".g.cs",
    ".g.dart",
    ".gen.go",
    ".generated.cs",
    ".generated.ts",
    ".gif",
    ".gz",
    ".ico",
    ".ipynb",
    ".jpeg",
    ".jpg",
    ".json",
    ".json5",
    ".jsonc",
    ".jsonl",
    ".lock",
    ".lockb",
    ".log",
    ".map",
    ".markdown",
    ".md",
    ".mdx",
    ".min.css",
    ".min.js",
    ".min.mjs",
    ".ndjson",
    ".org",
    ".patch",
    ".pb.cc",
    ".pb.go",
    ".pb.h",
    ".pdf",
    ".png",
    ".rst",
    ".snap",
    ".sum",
    ".svg",
    ".tex",
    ".tsv",
    ".txt",
    ".webp",
    ".zip",
    "_pb2.py",
    "_pb2_grpc.py",
    "-lock.yaml",
    "-lock.yml",
    "pb2.pyi",
];
/// Names without an ending that are texts.
const TEXTS: &[&str] = &[
    "authors",
    "changelog",
    "changes",
    "codeowners",
    "contributing",
    "copying",
    "install",
    "license",
    "license-apache",
    "license-mit",
    "licence",
    "news",
    "notice",
    "readme",
    "todo",
];
/// Words in a path that say that printing is the work of a file, or does no harm in it.
const PRINTERS: &[&str] = &[
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "bin",
    "cli",
    "cmd",
    "command",
    "commands",
    "config",
    "conf",
    "console",
    "cypress",
    "debug",
    "demo",
    "demos",
    "e2e",
    "example",
    "examples",
    "gruntfile",
    "gulpfile",
    "log",
    "logger",
    "loggers",
    "logging",
    "logs",
    "migrations",
    "playground",
    "repl",
    "reporter",
    "sample",
    "samples",
    "script",
    "scripts",
    "seed",
    "seeds",
    "setup",
    "spec",
    "specs",
    "test",
    "tests",
    "tool",
    "tools",
    "tutorial",
];
/// Bytes of a line that nobody wrote by hand.
pub(super) const MAX_LINE: usize = 2000;
/// Bytes at the beginning of a file in which it says that a program made it.
const HEAD: usize = 2048;

/// Tells whether a file is source that people write, by its path within the project.
pub fn is_source(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut steps = lower.split(['/', '\\']);
    let name = steps.next_back().unwrap_or_default();
    let foreign = steps.any(|it| FOREIGN.contains(&it));
    // The one text that is a program.
    let text = name != "cmakelists.txt" && NOT_SOURCE.iter().any(|it| name.ends_with(it));
    !name.is_empty() && !foreign && !text && !TEXTS.contains(&name)
}

/// Whether a program made the file: it says so, or most of it stands in lines without end.
pub(super) fn is_generated(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let says = head.contains("@generated") || head.contains("DO NOT EDIT");
    let in_long_lines =
        || -> usize { text.split('\n').map(str::len).filter(|length| *length > MAX_LINE).sum() };
    says || in_long_lines() > text.len() / 2
}

/// Whether printing is the work of this file.
pub(super) fn prints(path: &str, text: &str) -> bool {
    text.starts_with("#!") && !text.starts_with("#![")
        || words(path).any(|it| {
            let lower = it.to_ascii_lowercase();
            PRINTERS.contains(&lower.as_str())
        })
}

/// The words of a path: `src/appLogger.test.ts` has `src`, `app`, `Logger`, `test` and `ts`.
fn words(path: &str) -> impl Iterator<Item = &str> {
    path.split(|it: char| !it.is_ascii_alphanumeric()).flat_map(|name| {
        let mut rest = name;
        std::iter::from_fn(move || {
            let mut previous = false;
            let end = rest.find(|it: char| {
                let begins = previous && it.is_ascii_uppercase();
                previous = it.is_ascii_lowercase();
                begins
            });
            let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
            rest = tail;
            (!word.is_empty()).then_some(word)
        })
    })
}

//! Which files a prompt names, as people write them.
//!
//! What is found here is only looked at where it stands, so a word too many costs a look and nothing
//! else; but most prompts name no file, and they must cost nothing. So a bare name counts only with
//! an ending that files of a project have.

/// A file as somebody names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// As it is written, without what stands around it.
    pub path: String,
    /// The line that is named with it, counted from one.
    pub line: Option<u32>,
}

/// Names of one prompt.
const MOST: usize = 8;
/// Bytes of a prompt that are looked at: who pastes a log names nothing with its end.
const MOST_BYTES: usize = 16 << 10;
/// Bytes of a name.
const MOST_NAME: usize = 512;

/// Endings of files that a bare name may have.
const ENDINGS: &[&str] = &[
    "astro",
    "bash",
    "bat",
    "bazel",
    "bzl",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "csproj",
    "css",
    "csv",
    "cts",
    "cu",
    "cxx",
    "dart",
    "dockerfile",
    "edn",
    "elm",
    "erl",
    "ex",
    "exs",
    "fs",
    "fsx",
    "gemspec",
    "go",
    "gql",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "hbs",
    "hcl",
    "hpp",
    "hrl",
    "hs",
    "html",
    "ini",
    "ipynb",
    "java",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "lua",
    "m",
    "md",
    "mdx",
    "mjs",
    "ml",
    "mli",
    "mm",
    "mod",
    "mts",
    "nim",
    "nix",
    "php",
    "pl",
    "plist",
    "pm",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "pyx",
    "r",
    "rake",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sol",
    "sql",
    "styl",
    "sum",
    "sv",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "tf",
    "toml",
    "ts",
    "tsx",
    "txt",
    "v",
    "vb",
    "vim",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];
/// Files without an ending.
const FILES: &[&str] = &[
    ".dockerignore",
    ".editorconfig",
    ".eslintrc",
    ".gitattributes",
    ".gitignore",
    ".gitmodules",
    ".prettierrc",
    "Brewfile",
    "Containerfile",
    "Dockerfile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "Makefile",
    "Procfile",
    "Rakefile",
    "Vagrantfile",
    "justfile",
    "makefile",
];
/// Products that are named like files.
const PRODUCTS: &[&str] = &[
    "alpine.js",
    "angular.js",
    "backbone.js",
    "chart.js",
    "d3.js",
    "discord.js",
    "ember.js",
    "express.js",
    "moment.js",
    "next.js",
    "node.js",
    "nuxt.js",
    "p5.js",
    "react.js",
    "solid.js",
    "three.js",
    "vue.js",
];

/// Whether files of a project end so.
pub(in crate::recall) fn is_of_files(ending: &str) -> bool {
    ENDINGS.contains(&ending)
}

/// The files that a prompt names, in the order in which they are named, none of them twice.
pub fn names(prompt: &str) -> Vec<Name> {
    let prompt = &prompt[..prompt.floor_char_boundary(MOST_BYTES)];
    let mut found: Vec<Name> = Vec::new();
    // A name that may still be told its line: `a.rs, line 40`.
    let mut open: Option<(usize, Said)> = None;
    for piece in pieces(prompt) {
        if let Some(name) = name(piece) {
            let known = found.iter().position(|it| it.path == name.path);
            let at = known.unwrap_or(found.len());
            match found.get_mut(at) {
                Some(known) => known.line = known.line.or(name.line),
                None if at == MOST => break,
                None => found.push(name),
            }
            open = found[at].line.is_none().then_some((at, Said::Name));
            continue;
        }
        open = match (open, piece.trim_matches([',', '(', '.'])) {
            (Some((at, Said::Name)), "" | "at" | "on" | "in" | "around" | "near") => {
                Some((at, Said::Name))
            }
            (Some((at, Said::Name)), "line" | "lines" | "Line" | "L") => Some((at, Said::Line)),
            (Some((at, Said::Line)), number) => {
                found[at].line = digits(number).map(|it| it.0);
                None
            }
            _ => None,
        };
    }
    found
}

/// What was said last, after a name.
#[derive(Clone, Copy)]
enum Said {
    Name,
    Line,
}

/// What stands between white space, quotes and what no name has.
fn pieces(prompt: &str) -> impl Iterator<Item = &str> {
    let splits = |it: char| {
        it.is_whitespace()
            || matches!(it, '`' | '"' | '\'' | ',' | ';' | '<' | '>' | '|' | '=' | '*' | '?' | '\\')
            // In Chinese and Japanese nothing stands between a name and the next word.
            || is_ideographic(it)
    };
    // `[text](target)` are two.
    prompt.split(splits).flat_map(|it| it.split("](")).filter(|it| !it.is_empty())
}

/// Whether a character is one of a writing without spaces, or one of its marks.
pub(super) fn is_ideographic(character: char) -> bool {
    matches!(
        character,
        '\u{2010}'..='\u{206f}' | '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}'
    )
}

fn name(piece: &str) -> Option<Name> {
    if piece.len() > 2 * MOST_NAME {
        return None;
    }
    // Most words have none of these.
    if !piece.bytes().any(|it| matches!(it, b'/' | b'.' | b'@')) && !FILES.contains(&piece) {
        return None;
    }
    let piece = trimmed(piece);
    let (piece, is_marked) = match piece.strip_prefix('@') {
        Some(rest) => (rest, true),
        None => (piece, false),
    };
    let (path, line) = without_line(piece);
    let path = trimmed(path);
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_stranger = path.contains("://") || has_at(path);
    if last.is_empty() || path.len() > MOST_NAME || is_stranger {
        return None;
    }
    let is_product = || line.is_none() && PRODUCTS.contains(&path.to_ascii_lowercase().as_str());
    let is_name = if is_marked {
        true
    } else if path.contains('/') {
        ending(last).is_some_and(is_ending) || FILES.contains(&last)
    } else {
        FILES.contains(&last) || ending(last).is_some_and(is_of_files) && !is_product()
    };
    is_name.then(|| Name { path: path.strip_prefix("./").unwrap_or(path).to_owned(), line })
}

/// Without what a sentence puts around a name. Brackets that belong together stay.
fn trimmed(piece: &str) -> &str {
    let mut piece = piece.trim_matches(['!', ':', '…', '“', '”']).trim_end_matches(['.', '/']);
    loop {
        let lacks =
            |open: char, close: char| piece.matches(open).count() != piece.matches(close).count();
        let shorter = match (piece.chars().next(), piece.chars().next_back()) {
            (_, Some(')')) if lacks('(', ')') => &piece[..piece.len() - 1],
            (_, Some(']')) if lacks('[', ']') => &piece[..piece.len() - 1],
            (_, Some('}')) => &piece[..piece.len() - 1],
            (Some('('), Some(last)) if lacks('(', ')') || last == ')' => &piece[1..],
            (Some('['), Some(last)) if lacks('[', ']') || last == ']' => &piece[1..],
            (Some('{' | '-'), _) => &piece[1..],
            (_, Some('.' | ':' | '!' | '/')) => &piece[..piece.len() - 1],
            _ => return piece,
        };
        piece = shorter;
    }
}

/// Takes `:40`, `:40:5`, `:40-60`, `#L40` or `#L40-L60` off.
fn without_line(piece: &str) -> (&str, Option<u32>) {
    if let Some((path, rest)) = piece.split_once("#L")
        && let Some((line, _)) = digits(rest)
    {
        return (path, Some(line));
    }
    let Some((path, rest)) = piece.split_once(':') else { return (piece, None) };
    match digits(rest) {
        Some((line, after)) if after.bytes().all(|it| !it.is_ascii_alphabetic()) => {
            (path, Some(line))
        }
        // `a.rs:fn_name` names the file too.
        _ => (path, None),
    }
}

/// The number that a text begins with, and what follows.
fn digits(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|it| !it.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..end].parse().ok().filter(|it| *it > 0)?;
    Some((number, &text[end..]))
}

/// Whether an address is meant: `@` inside of a name, and not at the beginning of a part.
fn has_at(path: &str) -> bool {
    path.match_indices('@').any(|(at, _)| at > 0 && !path[..at].ends_with('/'))
}

/// What follows the last dot, where something stands before it.
fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').filter(|it| !it.0.is_empty()).map(|it| it.1)
}

/// Whether files end so: `2` in `1.2` is no ending.
fn is_ending(ending: &str) -> bool {
    ending.len() <= 12
        && ending.starts_with(|it: char| it.is_ascii_alphabetic())
        && ending.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(prompt: &str) -> Vec<(String, Option<u32>)> {
        names(prompt).into_iter().map(|it| (it.path, it.line)).collect()
    }

    #[track_caller]
    fn check(prompt: &str, expected: &[(&str, Option<u32>)]) {
        let expected: Vec<_> = expected.iter().map(|it| (it.0.to_owned(), it.1)).collect();
        assert_eq!(found(prompt), expected, "{prompt}");
    }

    #[test]
    fn names_are_found_as_people_write_them() {
        check("Fix src/cache.rs please", &[("src/cache.rs", None)]);
        check("Why does cache.rs:40 fail?", &[("cache.rs", Some(40))]);
        check("see @src/x.ts.", &[("src/x.ts", None)]);
        check("look at @src and @Makefile", &[("src", None), ("Makefile", None)]);
        check("in `./src/a.rs`, then 'b.py'!", &[("src/a.rs", None), ("b.py", None)]);
        check(
            "(see src/a.rs) and [b.go](lib/b.go)",
            &[("src/a.rs", None), ("b.go", None), ("lib/b.go", None)],
        );
        check("/home/me/p/src/a.rs:10:5: error", &[("/home/me/p/src/a.rs", Some(10))]);
        check("src/a.rs#L10-L20 src/b.rs:3-9", &[("src/a.rs", Some(10)), ("src/b.rs", Some(3))]);
        check("File \"src/x.py\", line 40, in foo", &[("src/x.py", Some(40))]);
        check("x.py at line 7. y.py (line 8)", &[("x.py", Some(7)), ("y.py", Some(8))]);
        check("x.py has a line 40 times", &[("x.py", None)]);
        check("cache.rs's size", &[("cache.rs", None)]);
        check(
            "app/[id]/page.tsx and app/(shop)/page.tsx",
            &[("app/[id]/page.tsx", None), ("app/(shop)/page.tsx", None)],
        );
        check("node_modules/@types/x.d.ts", &[("node_modules/@types/x.d.ts", None)]);
        check(
            "src/cache.rsを直して、lib/größe.rs。",
            &[("src/cache.rs", None), ("lib/größe.rs", None)],
        );
        check(
            "the Dockerfile, Makefile and .gitignore",
            &[("Dockerfile", None), ("Makefile", None), (".gitignore", None)],
        );
        check("src/a.rs:parse", &[("src/a.rs", None)]);
        check("../x/a.rs **b.rs**", &[("../x/a.rs", None), ("b.rs", None)]);
        check("next.js:3 is a file", &[("next.js", Some(3))]);
    }

    #[test]
    fn what_is_no_file_is_not_named() {
        for prompt in [
            "",
            "add a cache to the server and/or the client",
            "e.g. this, i.e. that, etc. And so on...",
            "version 1.2.3 of v2.0, at 10:30 or 3.5 times",
            "https://example.com/a/b.html and http://x.rs",
            "mail me@example.com or git@github.com:a/b.git",
            "we use Node.js, Vue.js and Next.js",
            "call foo.bar() and self.items.len()",
            "2024/01/02 km/h text/plain application/json",
            "see example.com or docs.rs/tokio",
            ". .. ... / // @ :: :40 #L4 ()",
            "run /compact, then /src/",
        ] {
            check(prompt, &[]);
        }
    }

    #[test]
    fn few_names_are_taken_and_none_twice() {
        let many = (0..50).map(|it| format!("f{it}.rs")).collect::<Vec<_>>().join(" ");
        assert_eq!(names(&many).len(), MOST);
        check("a.rs then a.rs:4 and a.rs:9", &[("a.rs", Some(4))]);
        let late = "x ".repeat(MOST_BYTES) + "a.rs";
        check(&late, &[]);
        check(&format!("{}.rs", "x".repeat(600)), &[]);
    }

    /// Every text ends, and no name is empty or holds a line break.
    #[test]
    fn any_text_is_read() {
        let parts = [
            "@", ".", "/", "(", ")", "[", "]", "{", ":", "4", "#L", "a", "rs", " ", "ü", "か", "`",
            "\n", "line",
        ];
        let mut number = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(number >> 40).unwrap() % parts.len();
                text.push_str(parts[at]);
            }
            for name in names(&text) {
                assert!(!name.path.is_empty() && !name.path.contains(['\n', ' ', '`']), "{text}");
                assert!(text.contains(&name.path) && name.line != Some(0), "{text}");
            }
        }
    }
}

//! Laws that hold for every text.

use std::collections::BTreeSet;

use super::cases;
use crate::leftovers::scan::Scanner;
use crate::leftovers::{MAX_FOUND, MAX_TEXT, among, find, is_source, language, suspects};

/// Numbers without an order, the same in every run.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// What files are made of, so that every state is entered, left and not left.
const PIECES: &[&str] = &[
    "TODO",
    "FIXME: ",
    "XXX",
    "HACK ",
    "todo!()",
    "dbg!(x)",
    "console.log(x)",
    "debugger",
    "\n",
    "\n",
    " ",
    "  ",
    "//",
    "/*",
    "*/",
    "#",
    "--",
    ";",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "${",
    "#{",
    "\\(",
    "}",
    ")",
    "\\",
    "r#\"",
    "\"#",
    "R\"x(",
    ")x\"",
    "--[==[",
    "]==]",
    "[[",
    "<<EOF",
    "EOF",
    "<<~A",
    "<<<'B'",
    "=begin",
    "=end",
    "=cut",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<style",
    "<?php",
    "?>",
    "/[",
    "/",
    "]",
    "{-",
    "-}",
    "(*",
    "*)",
    "#|",
    "|#",
    "ä",
    "😀",
    "\u{202e}",
    "\0",
    "\t",
    "\r\n",
    "raise NotImplementedError",
    "throw new Error(",
    "not implemented",
    "your code here",
    "... existing code",
    "...",
    "…",
    "rest of the code",
    "remaining code",
    "placeholder",
    "in a real ",
    "implementation",
    "binding.pry",
    "breakpoint()",
    "var_dump($x)",
    "$",
    "%",
    "b'",
    "a'",
    "0'",
    "class Base",
    "@abstractmethod",
    "print(\"DEBUG",
    "IO.inspect(x)",
    "= ???",
    "TODO()",
];

const PATHS: &[&str] = &[
    "a.rs",
    "a.cpp",
    "a.cs",
    "a.java",
    "a.kt",
    "a.scala",
    "a.go",
    "a.swift",
    "a.ts",
    "a.vue",
    "a.html",
    "a.py",
    "a.rb",
    "a.php",
    "a.sh",
    "a.ps1",
    "a.pl",
    "a.lua",
    "a.r",
    "a.jl",
    "a.hs",
    "a.ml",
    "a.fs",
    "a.ex",
    "a.erl",
    "a.clj",
    "a.dart",
    "a.zig",
    "a.nim",
    "a.sql",
    "a.adb",
    "a.css",
    "a.scss",
    "a.yaml",
    "a.toml",
    "Dockerfile",
    "Makefile",
    "a.tf",
    "a.nix",
    "a.vim",
    "a.unknown",
    "noname",
];

fn random(numbers: &mut Numbers, pieces: usize) -> String {
    (0..pieces).map(|_| PIECES[numbers.below(PIECES.len())]).collect()
}

/// Every finding is in an added line, bounded and plain.
fn check_findings(path: &str, text: &str) {
    let lines = text.lines().count();
    let found = find(path, text, |line| line % 3 != 0);
    assert!(found.len() <= MAX_FOUND && found.is_sorted_by(|left, right| left.line < right.line));
    for it in found {
        assert!(it.line % 3 != 0 && it.line <= lines, "{path} {text:?}");
        assert!(it.text.chars().count() <= MAX_TEXT && !it.text.contains(char::is_control));
    }
}

/// Whatever the rules find in any line of a text, its line is suspected.
fn check_suspects(path: &str, text: &str) {
    let suspected: BTreeSet<usize> = suspects(text).map(|it| it.0).collect();
    let mut start = 0;
    let mut starts = Vec::new();
    let lines = text.split('\n').enumerate().map(|(index, line)| {
        let place = start;
        start += line.len() + 1;
        starts.push(place);
        (index + 1, place, line.strip_suffix('\r').unwrap_or(line))
    });
    let lines: Vec<_> = lines.collect();
    for it in among(path, text, lines.into_iter()) {
        assert!(suspected.contains(&starts[it.line - 1]), "{path} {text:?} {it:?}");
    }
}

/// The parts of a file follow each other without a gap, and cut no character.
fn check_segments(path: &str, text: &str) {
    let Some(syntax) = language::of(path, text) else { return };
    let mut end = 0;
    for it in Scanner::new(text, syntax) {
        assert!(it.start == end && it.end > end, "{path} {text:?}");
        assert!(text.is_char_boundary(it.end), "{path} {text:?}");
        end = it.end;
    }
    assert_eq!(end, text.len(), "{path} {text:?}");
}

#[test]
fn laws_hold_for_texts_of_any_pieces() {
    let mut numbers = Numbers(3);
    for _ in 0..150 {
        for path in PATHS {
            let pieces = 1 + numbers.below(60);
            let text = random(&mut numbers, pieces);
            check_findings(path, &text);
            check_suspects(path, &text);
            check_segments(path, &text);
        }
    }
}

/// What is found does not change where other lines are looked at too.
#[test]
fn a_line_is_judged_for_itself() {
    for case in cases() {
        let all = find(case.path, &case.text, |_| true);
        for number in 1..=case.text.lines().count() {
            let one = find(case.path, &case.text, |it| it == number);
            let expected: Vec<_> = all.iter().filter(|it| it.line == number).cloned().collect();
            assert_eq!(one, expected, "{}:{number}", case.path);
        }
    }
}

#[test]
fn every_line_of_the_tables_is_suspected_alone() {
    for case in cases() {
        for (number, _) in &case.expected {
            let line = case.text.lines().nth(number - 1).unwrap();
            // At every distance from the blocks in which a text is read.
            for before in 0..13 {
                for after in 0..13 {
                    let text = format!("{}{line}{}", " ".repeat(before), "\n".repeat(after));
                    let found: Vec<_> = suspects(&text).collect();
                    assert_eq!(found.len(), 1, "{text:?}");
                    assert_eq!(found[0].1.trim_start(), line.trim_start());
                }
            }
        }
    }
}

/// The one word of three letters is known by what follows it.
#[test]
fn a_short_note_is_suspected_before_every_sign() {
    for sign in ('\0'..='\u{7f}').chain("äß\u{a0}\u{85}…—。😀".chars()) {
        for spaces in 0..4 {
            let note = format!("{}XXX{sign}", " ".repeat(spaces));
            for (path, text) in [
                ("a.py", format!("#{note}")),
                ("a.py", format!("#{note} x")),
                ("a.c", format!("/*{note}*/")),
                ("a.unknown", format!("#{note}")),
                ("a.py", format!("print(\"{note}")),
            ] {
                check_suspects(path, &text);
            }
        }
    }
}

#[test]
fn suspects_are_lines_with_their_places() {
    let text = "a\r\n// TODO b\r\nc\nXXX\nXXX";
    let found: Vec<_> = suspects(text).collect();
    assert_eq!(found, [(3, "// TODO b"), (16, "XXX"), (20, "XXX")]);
    assert_eq!(suspects("").count() + suspects("\n\n").count() + suspects("TOD\nO").count(), 0);
}

/// Texts that would take hours if anything were looked at twice and again.
#[test]
fn hostile_texts_end() {
    let note = "// TODO\n";
    for unit in [
        "</[",
        "/[",
        "`${",
        "\"#{",
        "r#",
        "r#\"",
        "--[=",
        "[=",
        "<<A ",
        "<<<A ",
        "<script ",
        "<?php ",
        "<?php ?>",
        "/*",
        "(*",
        "{-",
        "'",
        "\"",
        "\\",
        "# ",
        "-- ",
        " #",
        "$((",
        "raise NotImplementedError\n",
        "TODO ",
        "throw ",
        "NotImplementedError ",
        "=begin\n",
        "words(",
        "{",
        "}",
        "\u{202e}",
        "todo(",
    ] {
        let endless = unit.repeat(4000);
        let lines = format!("{}\n{note}", unit.repeat(50)).repeat(50);
        for path in PATHS {
            check_segments(path, &endless);
            check_segments(path, &lines);
            find(path, &lines, |_| true);
        }
    }
}

#[test]
fn a_file_of_endless_lines_is_the_work_of_a_program() {
    let long = "x;".repeat(1500);
    let minified = format!("// TODO\n{long}\n");
    assert!(find("a.js", &minified, |_| true).is_empty());
    let written = format!("// TODO\n{}", "a();\n".repeat(2000)) + &long + " // TODO\n";
    let lines: Vec<usize> = find("a.js", &written, |_| true).iter().map(|it| it.line).collect();
    assert_eq!(lines, [1]);
}

#[test]
fn a_finding_is_shown_without_what_nobody_sees() {
    let text = format!("\t// TODO\u{1b}[31m\ta\u{7} {}\n", "ä".repeat(200));
    let found = find("a.rs", &text, |_| true);
    assert_eq!(found[0].text.chars().count(), MAX_TEXT);
    assert!(found[0].text.starts_with("// TODO[31m a ä"));
    assert_eq!(found[0].word, "TODO");
}

#[test]
fn no_file_has_more_than_a_page_of_findings() {
    let text = "// TODO\n".repeat(5000);
    assert_eq!(find("a.rs", &text, |_| true).len(), MAX_FOUND);
    assert_eq!(find("a.unknown", &text, |_| true).len(), MAX_FOUND);
    // The bound is on what was added, not on what was there.
    assert_eq!(find("a.rs", &text, |line| line == 4999).len(), 1);
}

#[test]
fn what_is_source_is_told_by_the_path() {
    for path in ["src/a.rs", "a.unknown", "Makefile", "src/build.rs", "src\\a.rs", "CMakeLists.txt"]
    {
        assert!(is_source(path), "{path}");
    }
    for path in
        ["", "a/", "dist/a.js", "A/Node_Modules/b.js", "src\\vendor\\a.c", "a.MD", "pnpm-lock.yaml"]
    {
        assert!(!is_source(path), "{path}");
    }
}

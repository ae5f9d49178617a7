//! Lines of traces: frames, places in files, what was thrown.

use super::line::{LineMark, PasteKind};

const STRONG: LineMark = LineMark::Strong(PasteKind::Log);
const WEAK: LineMark = LineMark::Weak(PasteKind::Log);

pub(super) fn trace_mark(bare: &str) -> LineMark {
    let is_frame = bare.starts_with("at ") && bare.ends_with(')') && bare.contains('(')
        || bare.starts_with("at ") && (has_location(bare) || bare.contains(":line "))
        || bare.starts_with("from ") && has_location(bare) && bare.contains(":in ")
        || bare.starts_with('(') && has_location(bare) && bare.contains(": ")
        || bare.starts_with("File \"") && bare.contains(", line ")
        || bare.starts_with("--> ")
        || bare.starts_with("::: ")
        || bare.starts_with("thread '") && bare.contains("panicked")
        || bare.starts_with("... ") && bare.ends_with(" more")
        || bare.starts_with("E  ")
        || is_numbered_frame(bare)
        || is_gutter(bare)
        || is_thrown(bare);
    let begins_with_location = || {
        let first = bare.split_whitespace().next().unwrap_or_default();
        // `src/a.ts(3,5): error`.
        let is_bracketed = first.ends_with("):") && first.contains('.') && first.contains('(');
        is_bracketed
            || has_location(first) && first.ends_with(':')
            || first.matches(':').count() >= 2 && has_location(first)
    };
    if is_frame || begins_with_location() {
        STRONG
    } else if bare.split_whitespace().next().is_some_and(has_location) {
        WEAK
    } else {
        LineMark::Prose
    }
}

/// `#0  0x00007f… in main`, `frame #3:`.
fn is_numbered_frame(bare: &str) -> bool {
    let rest = bare.strip_prefix("frame ").unwrap_or(bare);
    let Some(rest) = rest.strip_prefix('#') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0
        && (rest.contains("0x")
            || rest[digits..].starts_with("  ")
            || rest[digits..].starts_with(": 0x"))
}

/// `12 | let a = 1;`, as a compiler shows a line; `|  ^^^` below it.
fn is_gutter(bare: &str) -> bool {
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = digits > 0 && bare[digits..].trim_start().starts_with('|');
    let is_pointer = bare.len() >= 2
        && bare.chars().all(|it| matches!(it, '|' | '^' | '~' | '-' | '=' | ' ' | '+'))
        && bare.contains(['^', '~', '|']);
    is_numbered || is_pointer
}

/// `TypeError: x is not a function`, `java.io.IOException: closed`.
fn is_thrown(bare: &str) -> bool {
    let bare = bare.strip_prefix("Uncaught ").unwrap_or(bare);
    let end = bare.find([':', ' ']).unwrap_or(bare.len());
    let name = &bare[..end];
    let is_part = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_' | b'$');
    let is_name = name.len() > 7 && name.bytes().all(is_part);
    let ends = name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning");
    is_name && ends && (end == bare.len() || bare[end..].starts_with(':'))
}

/// Whether a text names a line of a file: `src/lib.rs:12`.
fn has_location(text: &str) -> bool {
    text.split([' ', '(', ')']).any(|word| {
        let Some((file, rest)) = word.split_once(':') else { return false };
        let has_ending = file.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|it| it.is_ascii_alphanumeric())
                && !ending.bytes().all(|it| it.is_ascii_digit())
        });
        has_ending && rest.starts_with(|it: char| it.is_ascii_digit())
    })
}

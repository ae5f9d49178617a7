//! Lines that were copied from pages and files: what their labels and their neighbours tell.

use std::ops::Range;

use super::super::unit::LEFT_OUT;
use super::line::{LineMark, PasteKind};
use super::region::paragraphs;

const CODE: LineMark = LineMark::Strong(PasteKind::Code);
const LOG: LineMark = LineMark::Strong(PasteKind::Log);

/// What the form of one line tells that only files and tools write.
pub(super) fn copied_mark(bare: &str) -> LineMark {
    let is_script = bare.starts_with("; ")
        || bare.eq_ignore_ascii_case("@echo off")
        || bare.starts_with("REM ")
        || bare.starts_with("Dim ") && bare.contains(" As ")
        || is_tex(bare)
        || is_query(bare)
        || bare.starts_with(".. ") && bare.contains("::")
        || is_schedule(bare);
    if is_script {
        CODE
    } else if is_wide_label(bare) {
        LOG
    } else if is_remark_head(bare) {
        LineMark::Strong(PasteKind::Chat)
    } else {
        LineMark::Prose
    }
}

/// `\\section{Rules}`, `\\item text`.
fn is_tex(bare: &str) -> bool {
    let Some(rest) = bare.strip_prefix('\\') else { return false };
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    letters >= 3 && rest[letters..].starts_with(['{', '[', ' ', '*'])
}

/// `DELETE FROM orders;`: a statement in capital letters to a database.
fn is_query(bare: &str) -> bool {
    const WORDS: [&str; 12] = [
        "SELECT ",
        "INSERT ",
        "UPDATE ",
        "DELETE FROM ",
        "ALTER ",
        "CREATE ",
        "DROP ",
        "WITH ",
        "GRANT ",
        "REVOKE ",
        "TRUNCATE ",
        "VACUUM ",
    ];
    bare.ends_with(';') && WORDS.iter().any(|it| bare.starts_with(it))
}

/// `0 3 * * * /usr/bin/backup`, `@daily /usr/bin/backup`.
fn is_schedule(bare: &str) -> bool {
    const NAMES: [&str; 6] = ["@reboot", "@daily", "@hourly", "@weekly", "@monthly", "@yearly"];
    let words: Vec<_> = bare.split_whitespace().collect();
    let is_field = |it: &&str| {
        it.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'*' | b'/' | b',' | b'-'))
    };
    let is_numbered = words.len() >= 6
        && words[..5].iter().all(is_field)
        && words[..5].iter().any(|it| it.contains('*'));
    is_numbered || words.len() >= 2 && NAMES.contains(&words[0])
}

/// `HINT:  text`: a label in capital letters and two spaces.
fn is_wide_label(bare: &str) -> bool {
    const LABELS: [&str; 14] = [
        "HINT",
        "DETAIL",
        "CONTEXT",
        "STATEMENT",
        "NOTICE",
        "NOTE",
        "WARNING",
        "ERROR",
        "FATAL",
        "PANIC",
        "LOG",
        "INFO",
        "DEBUG",
        "QUERY",
    ];
    bare.split_once(":  ").is_some_and(|it| LABELS.contains(&it.0))
}

/// `_⚠️ Potential issue_ | _🔴 Critical_`: the kind of a remark, and how grave it is.
fn is_remark_head(bare: &str) -> bool {
    let parts: Vec<_> = bare.split(" | ").collect();
    let is_set = |it: &&str| it.len() > 2 && it.starts_with('_') && it.ends_with('_');
    parts.iter().all(is_set) && (parts.len() >= 2 || !bare.is_ascii())
}

/// Quotes paragraphs that their labels tell.
pub(super) fn quote_copied(lines: &[&str], quoted: &mut [bool]) {
    for range in paragraphs(lines) {
        let text = &lines[range.clone()];
        let is_copied = describes_call(text)
            || lists_people(text)
            || is_comment_of_page(text)
            || is_advisory(text)
            || is_legal(text);
        if is_copied {
            quoted[range.clone()].fill(true);
        }
        quote_maps(&range, lines, quoted);
        quote_recipes(&range, lines, quoted);
    }
    quote_marked_up(lines, quoted);
}

/// What a page about a function says of it: `Parameters:`, `Returns:`.
fn describes_call(text: &[&str]) -> bool {
    const LABELS: [&str; 11] = [
        "Parameters:",
        "Params:",
        "Param:",
        "Args:",
        "Returns:",
        "Throws:",
        "Raises:",
        "Yields:",
        "See Also:",
        "Specified by:",
        "Type Parameters:",
    ];
    let is_label = |it: &&&str| LABELS.iter().any(|label| it.trim().starts_with(label));
    text.iter().filter(is_label).count() >= 2
}

/// Who was at a meeting: `Attendees: Anna, Ben`.
fn lists_people(text: &[&str]) -> bool {
    const LABELS: [&str; 8] = [
        "attendees:",
        "participants:",
        "present:",
        "teilnehmer:",
        "anwesend:",
        "participantes:",
        "asistentes:",
        "présents:",
    ];
    let lists = |line: &str| {
        let bare = line.trim().trim_matches(['*', '-', ' ']).replace("**", "");
        let small = bare.to_lowercase();
        let Some(label) = LABELS.iter().find(|it| small.starts_with(*it)) else { return false };
        let names = bare.get(label.len()..).unwrap_or_default();
        let is_name = |it: &str| it.trim().starts_with(|it: char| it.is_uppercase() || it == '@');
        !names.trim().is_empty() && names.split([',', ';', '&']).all(is_name)
    };
    text.len() > 1 && text.iter().any(|it| lists(it))
}

/// A comment with what its page puts around it: a name and `2 hours ago` above, `Reply` below.
fn is_comment_of_page(text: &[&str]) -> bool {
    const BUTTONS: [&str; 12] = [
        "Reply",
        "Reply Share",
        "Like Reply",
        "Share Report",
        "Resolve",
        "Mark as resolved",
        "Copy link",
        "Add a reply",
        "View thread",
        "Show thread",
        "Antworten",
        "Répondre",
    ];
    let is_name = |it: &str| {
        let words = it.split_whitespace().count();
        (1..=4).contains(&words)
            && it.trim().starts_with(|it: char| it.is_uppercase() || it == '@')
            && !it.trim().ends_with(['.', ':', '?', '!', ','])
    };
    let has_time = text.windows(2).any(|it| is_name(it[0]) && is_past(it[1].trim()));
    let has_button = text.len() > 2
        && is_name(text[0])
        && text.last().is_some_and(|it| BUTTONS.contains(&it.trim()));
    text.len() > 2 && (has_time || has_button)
}

/// `2 hours ago`, `Edited 3 days ago`, `vor 2 Stunden`, `just now`: when, and nothing else.
fn is_past(bare: &str) -> bool {
    let small = bare.to_lowercase();
    let small = small.trim_start_matches("edited").trim_matches(['(', ')', '·', '•', ' ']);
    let is_counted = |it: &str| {
        let mut words = it.split_whitespace();
        let count = words.next().unwrap_or_default();
        let is_count =
            count.starts_with(|it: char| it.is_ascii_digit()) || matches!(count, "a" | "an");
        is_count && words.count() <= 1
    };
    small.strip_suffix(" ago").is_some_and(is_counted)
        || small.strip_prefix("vor ").is_some_and(is_counted)
        || small.strip_prefix("il y a ").is_some_and(is_counted)
        || small.strip_prefix("hace ").is_some_and(is_counted)
        || matches!(small, "just now" | "yesterday" | "today")
}

/// A report of a weakness: its number at the beginning of a paragraph.
fn is_advisory(text: &[&str]) -> bool {
    let first = text[0].trim().trim_start_matches(['#', '*', '[', ' ']);
    let is_number = |it: &str| it.starts_with(|it: char| it.is_ascii_alphanumeric());
    let key = first.strip_prefix("CVE-").or_else(|| first.strip_prefix("GHSA-"));
    text.len() > 2 && first.split_whitespace().count() <= 10 && key.is_some_and(is_number)
}

/// A part of a contract or of a licence.
fn is_legal(text: &[&str]) -> bool {
    const WORDS: [&str; 14] = [
        "copyright holder",
        "copyright notice",
        "redistribution",
        "hereby grant",
        "licensor",
        "licensee",
        "merchantability",
        "endorse ",
        "the contractor",
        "the supplier",
        "indemnify",
        "subcontract",
        "auftragnehmer",
        "auftraggeber",
    ];
    let is_part = |it: &str| {
        let digits = it.strip_prefix('§').map(str::trim_start);
        digits.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
    };
    let small = text.join(" ").to_lowercase();
    let has_words = || WORDS.iter().filter(|it| small.contains(**it)).count() >= 2;
    text.len() > 1 && (is_part(text[0].trim()) || has_words())
}

/// `- name: text` with the other keys of the same map set in below.
fn quote_maps(range: &Range<usize>, lines: &[&str], quoted: &mut [bool]) {
    let is_key = |it: &str| {
        let end = it.find(|it: char| !(it.is_ascii_lowercase() || matches!(it, '_' | '-' | '.')));
        end.is_some_and(|end| end > 1 && it[end..].starts_with(':'))
    };
    for at in range.start..range.end.saturating_sub(1) {
        let line = lines[at].trim_start();
        let (entry, next) = (line.strip_prefix("- "), lines[at + 1]);
        let is_deeper = next.starts_with("  ");
        if entry.is_some_and(is_key) && is_deeper && is_key(next.trim_start()) {
            let deep = lines[at + 1..range.end].iter().take_while(|it| it.starts_with("  "));
            let end = at + 1 + deep.count();
            quoted[at..end].fill(true);
        }
    }
}

/// The target of a recipe, and the commands below it behind a tab.
fn quote_recipes(range: &Range<usize>, lines: &[&str], quoted: &mut [bool]) {
    for at in range.start..range.end.saturating_sub(1) {
        let Some((target, _)) = lines[at].split_once(':') else { continue };
        let is_target = target.starts_with(|it: char| it.is_ascii_lowercase() || it == '.')
            && !target.contains(' ');
        let is_list = lines[at + 1].trim_start().starts_with(['-', '*', '•']);
        if is_target && lines[at + 1].starts_with('\t') && !is_list {
            let commands = lines[at + 1..range.end].iter().take_while(|it| it.starts_with('\t'));
            let end = at + 1 + commands.count();
            quoted[at..end].fill(true);
        }
    }
}

/// A page in `AsciiDoc` or reStructuredText, from its heading to where the author goes on.
fn quote_marked_up(lines: &[&str], quoted: &mut [bool]) {
    const ADMONITIONS: [&str; 5] = ["NOTE: ", "TIP: ", "WARNING: ", "CAUTION: ", "IMPORTANT: "];
    let is_directive = |it: &str| it.starts_with(".. ") && it.contains("::");
    let is_admonition = |it: &str| {
        ADMONITIONS.iter().any(|label| it.starts_with(label))
            || it.starts_with("[source")
            || matches!(it, "[NOTE]" | "[TIP]" | "[WARNING]" | "[CAUTION]" | "[IMPORTANT]")
    };
    let is_equal = |it: &str| it.starts_with("== ") || it.starts_with("=== ");
    let is_line_below = |at: usize| {
        let below = lines.get(at + 1).map_or("", |it| it.trim_end());
        let is_line = |sign: char| below.len() >= 3 && below.chars().all(|it| it == sign);
        !lines[at].trim().is_empty() && ['=', '-', '~', '^'].into_iter().any(is_line)
    };
    let title = if lines.iter().any(|it| is_directive(it)) {
        (0..lines.len()).find(|it| is_line_below(*it) || is_directive(lines[*it]))
    } else if lines.iter().any(|it| is_admonition(it)) {
        (0..lines.len()).find(|it| is_equal(lines[*it]))
    } else {
        None
    };
    if let Some(title) = title {
        let end = super::ending::title_ending(lines, title);
        quoted[title..end].fill(true);
    }
}

/// Quotes the remarks in a file: what stands behind a sign of a remark, beside code.
pub(super) fn quote_remarks(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    const SIGNS: [&str; 8] = ["# ", "-- ", "' ", "% ", "%% ", "\" ", "! ", "(* "];
    let is_remark = |it: &str| SIGNS.iter().any(|sign| it.trim_start().starts_with(sign));
    let is_code = |at: usize, quoted: &[bool]| {
        let is_marked = !matches!(
            marks[at],
            LineMark::Strong(PasteKind::Quote | PasteKind::Chat | PasteKind::Mail)
        );
        quoted[at] && is_marked && lines[at] != LEFT_OUT && !lines[at].trim().is_empty()
    };
    for at in (0..lines.len().saturating_sub(1)).rev() {
        if !quoted[at] && is_remark(lines[at]) && is_code(at + 1, quoted) {
            quoted[at] = true;
        }
    }
    for at in 1..lines.len() {
        if !quoted[at] && is_remark(lines[at]) && is_code(at - 1, quoted) {
            quoted[at] = true;
        }
    }
}

//! Several lines that belong together.

use std::ops::Range;

use super::super::unit::LEFT_OUT;
use super::block::{is_block_mark, quote_elements, quote_fences};
use super::chat::{is_past_head, small_speaker, speaker};
use super::ending::{TEXT_LINES, ending_behind, next_ending, title_ending};
use super::line::{LineMark, PasteKind};
use super::opener::{Opener, opener};
use super::{copied, document, heading, rows};

/// Paragraphs before an opener behind which the rest of the message is the text.
const EARLY: usize = 2;

/// The paragraphs of a message: runs of lines with something in them.
pub(super) fn paragraphs(lines: &[&str]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let is_gap = |it: &str| it.trim().is_empty() || it == LEFT_OUT;
    std::iter::from_fn(move || {
        at += lines[at..].iter().take_while(|it| is_gap(it)).count();
        let length = lines[at..].iter().take_while(|it| !is_gap(it)).count();
        let range = at..at + length;
        at = range.end;
        (length > 0).then_some(range)
    })
}

/// Quotes what belongs together by marks around it.
pub(super) fn quote_regions(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    quote_fences(lines, quoted);
    quote_elements(lines, quoted);
    quote_hunks(lines, marks, quoted);
    quote_indented(lines, quoted);
    rows::quote_conflicts(lines, quoted);
    rows::quote_rows(lines, quoted);
    rows::quote_changes(lines, quoted);
    rows::quote_scenarios(lines, quoted);
    document::quote_mails(lines, quoted);
    document::quote_letters(lines, quoted);
    document::quote_manual(lines, quoted);
    document::quote_documents(lines, quoted);
    copied::quote_copied(lines, quoted);
    quote_announced(lines, marks, quoted);
    quote_comments(lines, marks, quoted);
    quote_notes(lines, quoted);
}

/// The lines of a patch, from its head to the first line that can be none of it.
fn quote_hunks(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    let mut is_inside = false;
    for (at, line) in lines.iter().enumerate() {
        if marks[at] == LineMark::Strong(PasteKind::Diff) {
            is_inside = true;
        } else if !line.starts_with(['+', '-', ' ', '\\', '!', '*']) {
            let goes_on = line.is_empty()
                && lines.get(at + 1).is_some_and(|it| it.starts_with(['+', '-', ' ', '@']));
            is_inside &= goes_on;
        }
        quoted[at] |= is_inside;
    }
}

/// A note of a page: its label alone in a line, and its text below; what a page of an error ends with.
fn quote_notes(lines: &[&str], quoted: &mut [bool]) {
    const LABELS: [&str; 7] = ["Note", "Warning", "Tip", "Caution", "Danger", "Info", "Hinweis"];
    const ENDS: [&str; 9] = [
        "request id",
        "trace id",
        "correlation id",
        "ray id",
        "error code",
        "digest",
        "reference id",
        "error id",
        "incident id",
    ];
    let all: Vec<_> = paragraphs(lines).collect();
    for (number, range) in all.iter().enumerate() {
        if range.len() >= 2 && LABELS.contains(&lines[range.start].trim()) {
            quoted[range.clone()].fill(true);
        }
        let is_end = |it: &str| {
            let small = it.trim().to_lowercase();
            small.split_once(':').is_some_and(|(name, value)| {
                ENDS.contains(&name) && value.split_whitespace().count() == 1
            })
        };
        if let Some(end) = range.clone().find(|it| is_end(lines[*it])) {
            let above = number.checked_sub(1).filter(|_| end == range.start).map(|it| &all[it]);
            quoted[above.map_or(range.start, |it| it.start)..=end].fill(true);
        }
    }
}

/// What is set in: three spaces or a tab, behind an empty line or at the beginning.
fn quote_indented(lines: &[&str], quoted: &mut [bool]) {
    let is_deep = |it: &str| it.starts_with("   ") || it.starts_with('\t');
    let is_item = |it: &str| {
        let bare = it.trim_start();
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        bare.starts_with(['-', '*', '+', '•'])
            || digits > 0 && bare[digits..].starts_with(['.', ')'])
    };
    // A message of which all is set in but its first line was copied as a whole.
    let mut body = lines.iter().filter(|it| !it.trim().is_empty()).skip(1).peekable();
    if body.peek().is_some()
        && body.all(|it| is_deep(it))
        && lines.first().is_some_and(|it| !is_deep(it))
        && lines.get(1).is_some_and(|it| is_deep(it) && !it.trim().is_empty())
    {
        return;
    }
    let mut is_inside = false;
    let mut is_list = false;
    for (at, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let begins =
            at == 0 || lines[at - 1].trim().is_empty() || lines[at - 1].trim_end().ends_with(':');
        is_inside = is_deep(line) && (is_inside || begins) && !is_list && !is_item(line);
        quoted[at] |= is_inside;
        if !is_deep(line) {
            is_list = is_item(line);
        }
    }
}

/// What an opener announces.
fn quote_announced(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    for at in 0..lines.len() {
        // A line of a log may end with a colon too.
        if quoted[at] || matches!(marks[at], LineMark::Blank | LineMark::Strong(_)) {
            continue;
        }
        let Some(opener) = opener(lines[at]).or_else(|| opener_alone(lines, marks, at)) else {
            continue;
        };
        let below = at + 1..lines.len();
        let count = lines[below.clone()].iter().filter(|it| !it.trim().is_empty()).count();
        let is_last = matches!(opener, Opener::Document | Opener::Title);
        if opener == Opener::Part {
            quoted[at] = true;
        }
        let is_short = matches!(opener, Opener::Words | Opener::Part);
        let least = if is_last || is_short { 1 } else { TEXT_LINES };
        if count < least {
            continue;
        }
        // What has a form of its own below the line is known by that, and ends with it.
        let next = below.clone().find(|it| marks[*it] != LineMark::Blank || quoted[*it]);
        let has_form =
            next.is_some_and(|it| quoted[it] || matches!(marks[it], LineMark::Strong(_)));
        // A plan between marks of its own ends with them.
        let is_marked_off = opener == Opener::Document
            && next.is_some_and(|it| quoted[it] && is_block_mark(lines[it]));
        if !is_last && has_form || is_marked_off {
            // In comments that are announced, what stands between quoted lines is the comment.
            let is_comment = opener == Opener::Text && next == Some(at + 1);
            if is_comment && marks[at + 1] == LineMark::Strong(PasteKind::Quote) {
                let count = lines[at + 1..].iter().take_while(|it| !it.trim().is_empty()).count();
                quoted[at + 1..=at + count].fill(true);
            }
            continue;
        }
        let end = if opener == Opener::Title {
            title_ending(lines, at)
        } else if is_last {
            lines.len()
        } else if paragraphs(&lines[..at]).count() < EARLY {
            // What stands below without a gap is a text, short as it may be.
            let is_close = lines.get(at + 1).is_some_and(|it| !it.trim().is_empty());
            let least = if is_close || is_short { 1 } else { TEXT_LINES };
            ending_behind(lines, at + 1, least)
        } else {
            next_ending(lines, at + 1)
        };
        let start = if opener == Opener::Title { at } else { at + 1 };
        quoted[start..end].fill(true);
    }
}

/// What a line tells of the text below it where it stands in a paragraph of its own.
fn opener_alone(lines: &[&str], marks: &[LineMark], at: usize) -> Option<Opener> {
    let is_blank = |at: usize| lines.get(at).is_none_or(|it| it.trim().is_empty());
    if at > 0 && !is_blank(at - 1) || !is_blank(at + 1) || marks[at] == LineMark::Blank {
        return None;
    }
    let body = lines[at + 1..].iter().find(|it| !it.trim().is_empty())?;
    let count = lines[at + 1..].iter().filter(|it| !it.trim().is_empty()).count();
    heading::heading(lines[at], body, count)
}

/// Quotes what stands in a paragraph of its own below the head of a comment, or above what a page
/// puts below an answer.
fn quote_comments(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    let all: Vec<_> = paragraphs(lines).collect();
    let below = all.iter().position(|it| {
        let parts = it.clone().filter(|it| super::chat::is_furniture(lines[*it].trim())).count();
        parts >= 2 || parts == 1 && it.len() == 1
    });
    for range in all.iter().filter(|it| it.len() > 1) {
        if super::chat::is_button(lines[range.end - 1].trim()) {
            quoted[range.clone()].fill(true);
        }
    }
    if let Some(at) = below.filter(|it| *it > 0) {
        quoted[all[at - 1].start..all[at].end].fill(true);
    }
    for pair in all.windows(2) {
        // A title and the state of an issue stand above its head.
        let is_alone = pair[0].len() <= 4
            && pair[0].clone().all(|it| {
                matches!(marks[it], LineMark::Strong(_)) || super::count_words(lines[it]) <= 8
            });
        // Below the head, only a sign with the kind of the remark stands in its paragraph.
        let is_kind = |it: &usize| {
            !lines[*it].trim_start().starts_with(char::is_alphanumeric)
                && super::count_words(lines[*it]) <= 4
        };
        let head = pair[0].clone().rfind(|it| !is_kind(it)).unwrap_or(pair[0].start);
        let is_comment = marks[head] == LineMark::Strong(PasteKind::Chat)
            && (super::chat::is_commented(lines[head].trim()) || is_past_head(lines[head].trim()));
        if is_alone && is_comment {
            let end = ending_behind(lines, pair[1].start, 1);
            quoted[pair[0].start..end].fill(true);
        }
    }
}

/// Quotes lines by their own marks and by those of their neighbours.
pub(super) fn quote_paragraphs(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    let chats = repeated_speakers(lines, marks);
    let is_paste = |at: usize| match marks[at] {
        LineMark::Strong(_) => true,
        LineMark::Weak(PasteKind::Chat) => {
            speaker(lines[at].trim()).is_some_and(|it| chats.binary_search(&it).is_ok())
        }
        LineMark::Weak(_) | LineMark::Prose => {
            small_speaker(lines[at].trim()).is_some_and(|it| chats.binary_search(&it).is_ok())
        }
        LineMark::Blank => false,
    };
    for (at, it) in quoted.iter_mut().enumerate() {
        *it |= is_paste(at);
    }
    for range in paragraphs(lines) {
        quote_paragraph(range, marks, &chats, lines, quoted);
    }
    quote_between(lines, marks, quoted);
    quote_bodies(lines, marks, quoted);
    copied::quote_remarks(lines, marks, quoted);
}

/// Quotes what stands below the place that a warning names, in a paragraph of its own: the warning
/// itself, as some tools print it.
fn quote_bodies(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    let is_place = |it: &str| {
        let bare = it.trim_start();
        bare.len() < it.len() && bare.starts_with("on ") && bare.contains(" line ")
    };
    let all: Vec<_> = paragraphs(lines).collect();
    for (number, range) in all.iter().enumerate() {
        if !range.clone().any(|it| is_place(lines[it])) {
            continue;
        }
        quoted[range.clone()].fill(true);
        if let Some(above) = number.checked_sub(1).map(|it| &all[it])
            && may_be_pasted(marks[above.end - 1])
        {
            quoted[above.end - 1] = true;
        }
        if let Some(below) = all.get(number + 1) {
            quoted[below.clone()].fill(true);
        }
    }
}

/// Whether a line may be part of a paste that is beside it.
fn may_be_pasted(mark: LineMark) -> bool {
    matches!(mark, LineMark::Weak(kind) if kind != PasteKind::Chat && kind != PasteKind::Mail)
}

fn quote_paragraph(
    range: Range<usize>,
    marks: &[LineMark],
    chats: &[&str],
    lines: &[&str],
    quoted: &mut [bool],
) {
    // Two lines that may be pasted make each other sure, but not what to do beside what not to do.
    let is_advised = range.clone().all(|it| lines[it].trim_start().starts_with(['✅', '❌']))
        && ['✅', '❌']
            .iter()
            .all(|sign| range.clone().any(|it| lines[it].trim_start().starts_with(*sign)));
    if is_advised {
        return;
    }
    let weak = range.clone().filter(|it| may_be_pasted(marks[*it])).count();
    let strong = range.clone().filter(|it| quoted[*it]).count();
    if weak + strong >= 2 {
        for at in range.clone() {
            quoted[at] |= may_be_pasted(marks[at]);
        }
    }
    // A line behind `>` says for itself that it is quoted: the author answers between such lines. Only
    // below the place in a file it is what somebody remarks on.
    let is_remark =
        is_place(lines[range.start]) && quoted[range.start + 1..range.end].contains(&true);
    if is_remark {
        quoted[range].fill(true);
        return;
    }
    let is_sure = |at: &usize| quoted[*at] && marks[*at] != LineMark::Strong(PasteKind::Quote);
    let Some(first) = range.clone().find(is_sure) else { return };
    let Some(last) = range.clone().rfind(is_sure) else { return };
    quoted[first..=last].fill(true);
    if first > range.start && is_thrown_above(lines[first - 1], lines[first]) {
        quoted[first - 1] = true;
    }
    // What is set in below a line belongs to it.
    let is_deep = |it: &usize| lines[*it].starts_with("  ") || lines[*it].starts_with('\t');
    let below = (last + 1..range.end).take_while(is_deep).count();
    quoted[last + 1..=last + below].fill(true);
    // What a command printed, or somebody said, follows its line.
    let goes_on = |at: usize| {
        matches!(marks[at], LineMark::Strong(PasteKind::Shell | PasteKind::Chat))
            || speaker(lines[at].trim()).is_some_and(|it| chats.binary_search(&it).is_ok())
    };
    if goes_on(last) || range.clone().any(goes_on) && range.end - last > 2 {
        quoted[last..range.end].fill(true);
    } else if range.end - last > 2 && last > first {
        // More than one line behind the last sure one: a text that the program printed.
        quoted[last..range.end].fill(true);
    }
}

/// Whether a line is what was thrown, with the frames set in below it.
fn is_thrown_above(line: &str, below: &str) -> bool {
    let is_frame = below.starts_with([' ', '\t']) && below.trim_start().starts_with("at ");
    is_frame && line.contains(": ") && !line.starts_with([' ', '\t'])
}

/// Whether a line is the place in a file and nothing else: `src/lib.rs:12`.
pub(super) fn is_place(line: &str) -> bool {
    let Some((file, rest)) = line.trim().split_once(':') else { return false };
    file.contains('.')
        && !file.contains(' ')
        && rest.starts_with(|it: char| it.is_ascii_digit())
        && rest.bytes().all(|it| it.is_ascii_digit() || matches!(it, b':' | b'-'))
}

/// Quotes what stands between two pastes of the same kind, where it announces nothing.
fn quote_between(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    let all: Vec<_> = paragraphs(lines).collect();
    let kind = |range: &Range<usize>| {
        range.clone().find_map(|at| match marks[at] {
            LineMark::Strong(kind) | LineMark::Weak(kind) => Some(kind).filter(|_| quoted[at]),
            LineMark::Prose | LineMark::Blank => None,
        })
    };
    let kinds: Vec<_> = all.iter().map(kind).collect();
    for at in 1..all.len().saturating_sub(1) {
        let is_open = all[at].clone().all(|it| !quoted[it]);
        let is_between = kinds[at - 1].is_some() && kinds[at - 1] == kinds[at + 1];
        let announces = lines[all[at].end - 1].trim_end().ends_with([':', '：']);
        let is_log = matches!(
            kinds[at - 1],
            Some(
                PasteKind::Log
                    | PasteKind::Shell
                    | PasteKind::Table
                    | PasteKind::Code
                    | PasteKind::Chat
            )
        );
        if is_open && is_between && is_log && !announces {
            quoted[all[at].clone()].fill(true);
        }
    }
}

/// Names that stand before a colon in two lines or more, in their order: those of people who talk.
fn repeated_speakers<'a>(lines: &[&'a str], marks: &[LineMark]) -> Vec<&'a str> {
    const TALKERS: [&str; 8] =
        ["User", "Assistant", "Human", "AI", "Me", "Customer", "Support", "Bot"];
    let is_asked = |it: &&str| it.starts_with("Q: ");
    let is_interview = lines.iter().any(|it| it.starts_with("A: ")) && lines.iter().any(is_asked);
    let mut names: Vec<_> = lines
        .iter()
        .zip(marks)
        .filter(|it| it.1.is_marked())
        .filter_map(|it| speaker(it.0.trim()))
        .collect();
    if names.is_empty() {
        names = small_speakers(lines);
    }
    names.sort_unstable();
    let is_talker = |some: &&[&str]| {
        let name = some[0];
        some.len() >= 2
            || name.starts_with("Speaker ")
            || name.starts_with('@')
            || TALKERS.contains(&name)
            || is_interview && matches!(name, "Q" | "A")
    };
    let groups = names.chunk_by(|one, next| one == next);
    let mut found: Vec<_> = groups.filter(is_talker).map(|it| it[0]).collect();
    // Whoever answers them talks too.
    if !found.is_empty() && names.len() >= 3 {
        names.dedup();
        found = names;
    }
    found
}

/// Names in small letters before a colon, where two of them or more take turns.
fn small_speakers<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut names: Vec<_> = lines.iter().filter_map(|it| small_speaker(it.trim())).collect();
    names.sort_unstable();
    let is_repeated = names.windows(2).any(|it| it[0] == it[1]);
    if is_repeated && names.first() != names.last() { names } else { Vec::new() }
}

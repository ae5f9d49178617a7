//! Texts that are known by their headings: mails, pages of manuals, documents of projects.

use super::line::{LineMark, PasteKind};
use super::region::own_ending;

/// A mail: two headers or more, and what follows them, to its closing or to the end.
pub(super) fn quote_mails(lines: &[&str], marks: &[LineMark], quoted: &mut [bool]) {
    let is_header = |at: usize| marks[at] == LineMark::Weak(PasteKind::Mail);
    let mut at = 0;
    while at < lines.len() {
        let headers = (at..lines.len()).take_while(|it| is_header(*it)).count();
        if headers < 2 {
            at += headers.max(1);
            continue;
        }
        let end = mail_end(lines, at + headers);
        quoted[at..end].fill(true);
        at = end;
    }
}

/// Where a mail ends: behind the paragraph of its closing, or at the end of the message. What
/// follows a closing is the author's.
fn mail_end(lines: &[&str], from: usize) -> usize {
    const CLOSINGS: [&str; 22] = [
        "--",
        "best",
        "best regards",
        "kind regards",
        "regards",
        "cheers",
        "thanks",
        "thank you",
        "many thanks",
        "sincerely",
        "viele grüße",
        "mit freundlichen grüßen",
        "beste grüße",
        "liebe grüße",
        "gruß",
        "cordialement",
        "bien à vous",
        "saludos",
        "un saludo",
        "atenciosamente",
        "abraços",
        "sent from my iphone",
    ];
    let closing = (from..lines.len()).find(|at| {
        let small = lines[*at].trim().trim_end_matches([',', '!', '.', ' ']).to_lowercase();
        CLOSINGS.contains(&small.as_str())
    });
    let Some(closing) = closing else { return lines.len() };
    let names = lines[closing..].iter().take_while(|it| !it.trim().is_empty()).count();
    closing + names
}

/// A page of a manual: headings in capital letters, and what is set in below them.
pub(super) fn quote_manual(lines: &[&str], quoted: &mut [bool]) {
    const HEADINGS: [&str; 14] = [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "EXAMPLES",
        "SEE ALSO",
        "EXIT STATUS",
        "FILES",
        "ENVIRONMENT",
        "BUGS",
        "AUTHOR",
        "USAGE",
        "NOTES",
        "COPYRIGHT",
    ];
    let is_heading = |it: &&str| HEADINGS.contains(&it.trim_end());
    if lines.iter().filter(|it| is_heading(it)).count() < 2 {
        return;
    }
    let Some(start) = lines.iter().position(&is_heading) else { return };
    // `LS(1)      User Commands      LS(1)` stands above it.
    let head = lines[..start].iter().rposition(|it| !it.trim().is_empty());
    let is_title = |it: &str| {
        it.contains("(1)")
            || it.contains("(5)")
            || it.contains("(8)")
            || it.contains("(3)")
            || it.contains("(2)")
            || it.contains("(7)")
    };
    let start = head.filter(|it| is_title(lines[*it])).unwrap_or(start);
    let is_of = |it: &str| {
        it.trim().is_empty() || it.starts_with([' ', '\t']) || is_heading(&it) || is_title(it)
    };
    let length = lines[start..].iter().take_while(|it| is_of(it)).count();
    quoted[start..start + length].fill(true);
}

/// A document with the headings that such documents have: a page about a project, a report of a bug.
pub(super) fn quote_documents(lines: &[&str], quoted: &mut [bool]) {
    const HEADINGS: [&str; 34] = [
        "installation",
        "install",
        "usage",
        "license",
        "licence",
        "contributing",
        "getting started",
        "features",
        "changelog",
        "table of contents",
        "prerequisites",
        "quick start",
        "quickstart",
        "steps to reproduce",
        "expected behavior",
        "expected behaviour",
        "actual behavior",
        "actual behaviour",
        "describe the bug",
        "to reproduce",
        "environment",
        "screenshots",
        "additional context",
        "acceptance criteria",
        "attendees",
        "agenda",
        "action items",
        "decisions",
        "next steps",
        "unreleased",
        "documentation",
        "summary by coderabbit",
        "walkthrough",
        "participants",
    ];
    let heading = |line: &str| {
        let bare = line.trim();
        let title = bare.trim_matches(['#', '*', ':', ' ', '_']).to_lowercase();
        let is_set = bare.starts_with('#') || bare.starts_with("**") || bare.ends_with(':');
        (is_set && HEADINGS.contains(&title.as_str())).then_some(())
    };
    let found: Vec<_> = (0..lines.len()).filter(|it| heading(lines[*it]).is_some()).collect();
    let (Some(first), true) = (found.first(), found.len() >= 2) else { return };
    // A title above the first heading belongs to it, with all between them.
    let title = lines[..*first].iter().position(|it| it.starts_with("# ") || it.starts_with("[!["));
    let start = title.unwrap_or(*first);
    let end = own_ending(lines, start);
    quoted[start..end].fill(true);
}

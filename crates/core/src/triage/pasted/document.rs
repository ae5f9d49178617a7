//! Texts that are known by their headings: mails, pages of manuals, documents of projects.

use super::line::is_mail_header;
use super::region::own_ending;

/// A mail: two headers or more, and what follows them, to its closing or to the end.
pub(super) fn quote_mails(lines: &[&str], quoted: &mut [bool]) {
    let is_header = |at: usize| is_mail_header(lines[at].trim());
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

/// A letter without headers: a greeting, its text, a closing with a name. One that is the whole
/// message is the author's own.
pub(super) fn quote_letters(lines: &[&str], quoted: &mut [bool]) {
    let Some(start) = lines.iter().position(|it| is_greeting(it)) else { return };
    let Some(closing) = find_closing(lines, start + 1) else { return };
    let names = lines[closing..].iter().take_while(|it| !it.trim().is_empty()).count();
    let end = closing + names;
    let is_filled = |some: &[&str]| some.iter().any(|it| !it.trim().is_empty());
    let is_signed = (2..=5).contains(&names) && lines[closing + 1].split_whitespace().count() <= 4;
    if is_signed && (is_filled(&lines[..start]) || is_filled(&lines[end..])) {
        quoted[start..end].fill(true);
    }
}

fn is_greeting(line: &str) -> bool {
    const GREETINGS: [&str; 21] = [
        "hi",
        "hello",
        "hey",
        "dear",
        "good",
        "hallo",
        "liebe",
        "lieber",
        "liebes",
        "sehr",
        "guten",
        "moin",
        "bonjour",
        "salut",
        "cher",
        "chère",
        "hola",
        "estimado",
        "olá",
        "prezado",
        "здравствуйте",
    ];
    let small = line.trim().to_lowercase();
    let Some(greeting) = small.strip_suffix([',', '!']) else { return false };
    let mut words = greeting.split_whitespace();
    words.next().is_some_and(|it| GREETINGS.contains(&it)) && words.count() <= 4
}

/// Where a mail ends: behind the paragraph of its closing, or at the end of the message. What
/// follows a closing is the author's.
fn mail_end(lines: &[&str], from: usize) -> usize {
    let Some(closing) = find_closing(lines, from) else { return lines.len() };
    let names = lines[closing..].iter().take_while(|it| !it.trim().is_empty()).count();
    closing + names
}

/// The line with which a letter closes.
fn find_closing(lines: &[&str], from: usize) -> Option<usize> {
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
    (from..lines.len()).find(|at| {
        let small = lines[*at].trim().trim_end_matches([',', '!', '.', ' ']).to_lowercase();
        CLOSINGS.contains(&small.as_str())
    })
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
    const HEADINGS: &[&str] = &[
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
        "definition of done",
        "user story",
        "added",
        "changed",
        "fixed",
        "removed",
        "deprecated",
        "breaking changes",
        "bug fixes",
        "what's changed",
        "non-goals",
        "beschreibung",
        "schritte zum reproduzieren",
        "erwartetes verhalten",
        "tatsächliches verhalten",
        "étapes pour reproduire",
        "comportement attendu",
        "pasos para reproducir",
        "comportamiento esperado",
        "passos para reproduzir",
        "comportamento esperado",
        "复现步骤",
        "期望行为",
        "実際の動作",
        "再現手順",
        "期待される動作",
    ];
    /// Fields of a ticket, with their value behind a colon.
    const FIELDS: [&str; 8] = [
        "summary",
        "description",
        "acceptance criteria",
        "steps to reproduce",
        "reporter",
        "assignee",
        "priority",
        "story points",
    ];
    let is_heading = |at: usize| {
        let bare = lines[at].trim();
        let title = bare.trim_matches(['#', '*', ':', ' ', '_']).to_lowercase();
        let is_list = |it: &&str| it.trim_start().starts_with(['-', '*', '1']);
        // A heading without a sign of its own has a list below it.
        let is_set = bare.starts_with('#')
            || bare.starts_with("**")
            || bare.ends_with(':')
            || lines.get(at + 1).is_some_and(is_list);
        let field = bare.split_once(':').map(|it| it.0.to_lowercase());
        is_set && HEADINGS.contains(&title.as_str())
            || field.is_some_and(|it| FIELDS.contains(&it.as_str()))
    };
    let found: Vec<_> = (0..lines.len()).filter(|it| is_heading(*it)).collect();
    let (Some(first), true) = (found.first(), found.len() >= 2) else { return };
    // A title above the first heading belongs to it, with all between them.
    let is_title =
        |it: &&str| it.starts_with("# ") || it.starts_with("[![") || it.starts_with("As a ");
    let title = lines[..*first].iter().position(is_title);
    let start = title.unwrap_or(*first);
    let end = own_ending(lines, start);
    quoted[start..end].fill(true);
}

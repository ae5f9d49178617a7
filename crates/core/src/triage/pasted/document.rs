//! Texts that are known by their headings: mails, pages of manuals, documents of projects.

use super::ending::own_ending;
use super::line::is_mail_header;
use super::region::paragraphs;

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
        let is_commit = lines[at.saturating_sub(2)..at].iter().any(|it| it.starts_with("commit "));
        let end =
            if is_commit { commit_end(lines, at + headers) } else { mail_end(lines, at + headers) };
        quoted[at..end].fill(true);
        at = end;
    }
}

/// A letter without headers: a greeting, its text, a closing with a name. One to the agent itself is
/// the author's own.
pub(super) fn quote_letters(lines: &[&str], quoted: &mut [bool]) {
    let sent = lines.iter().position(|it| {
        let small = it.trim().to_lowercase();
        small.starts_with("sent from my ") || small.starts_with("von meinem iphone gesendet")
    });
    if let Some(end) = sent {
        let start = lines[..end].iter().position(|it| is_greeting(it)).unwrap_or(0);
        quoted[start..=end].fill(true);
    }
    let Some(start) = lines.iter().position(|it| is_greeting(it) || greets_in_line(it)) else {
        quote_signed(lines, quoted);
        return;
    };
    let Some(closing) = find_closing(lines, start + 1) else { return };
    let names = lines[closing..].iter().take_while(|it| !it.trim().is_empty()).count();
    let end = closing + names;
    let is_signed = (2..=5).contains(&names) && lines[closing + 1].split_whitespace().count() <= 4;
    if is_signed && !greets_agent(lines[start]) {
        quoted[start..end].fill(true);
    }
}

/// A letter without a greeting: a formal closing with a name and more below it.
fn quote_signed(lines: &[&str], quoted: &mut [bool]) {
    const FORMAL: [&str; 8] = [
        "regards",
        "best regards",
        "kind regards",
        "warm regards",
        "sincerely",
        "mit freundlichen grüßen",
        "cordialement",
        "atenciosamente",
    ];
    let is_formal = |it: &&str| {
        let small = it.trim().trim_end_matches([',', '!', '.']).to_lowercase();
        FORMAL.contains(&small.as_str())
    };
    let Some(closing) = lines.iter().position(is_formal) else { return };
    let names = lines[closing..].iter().take_while(|it| !it.trim().is_empty()).count();
    if names < 2 {
        return;
    }
    let is_intro = |it: &&str| it.trim_end().ends_with([':', '?']);
    let start = usize::from(lines.first().is_some_and(is_intro));
    quoted[start..closing + names].fill(true);
}

/// `Hi Bob, we decided …`: a greeting before the text of its line.
fn greets_in_line(line: &str) -> bool {
    let greeting = line.split_once(',').map(|it| format!("{},", it.0));
    greeting.is_some_and(|it| it.split_whitespace().count() == 2 && is_greeting(&it))
}

/// `Hi Claude,`.
fn greets_agent(line: &str) -> bool {
    let small = line.to_lowercase();
    ["claude", "agent", "assistant", "codex", "gemini"].iter().any(|it| small.contains(it))
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

/// Where the message of a commit ends: it is set in.
fn commit_end(lines: &[&str], from: usize) -> usize {
    let is_of = |it: &&&str| it.trim().is_empty() || it.starts_with("    ");
    from + lines[from..].iter().take_while(is_of).count()
}

/// The line with which a letter closes.
fn find_closing(lines: &[&str], from: usize) -> Option<usize> {
    const CLOSINGS: [&str; 34] = [
        "lg",
        "vg",
        "mfg",
        "br",
        "grüße",
        "schöne grüße",
        "best wishes",
        "warm regards",
        "thanks and regards",
        "thx",
        "yours",
        "bises",
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

/// Whether a line is a heading and not a field with its value.
fn is_heading_line(line: &str) -> bool {
    line.split_once(':').is_none_or(|it| it.1.trim().is_empty())
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
    let Some(start) = lines.iter().position(&is_heading) else { return };
    // One heading is enough where its text is set in below it.
    let is_deep = lines.get(start + 1).is_some_and(|it| it.starts_with("    "));
    if !is_deep && lines.iter().filter(|it| is_heading(it)).count() < 2 {
        return;
    }
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

/// Headings of pages about a project, of reports and of minutes.
const DOCUMENT_HEADINGS: &[&str] = &[
    "description",
    "summary",
    "repro steps",
    "test plan",
    "motivation",
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
const TICKET_FIELDS: [&str; 34] = [
    "affected versions",
    "patched versions",
    "fixed versions",
    "cvss score",
    "workaround",
    "workarounds",
    "state",
    "assigned to",
    "due date",
    "card",
    "iteration",
    "resolution",
    "created by",
    "milestone",
    "found in",
    "area",
    "type",
    "status",
    "severity",
    "labels",
    "sprint",
    "epic",
    "component",
    "components",
    "fix version",
    "affects version",
    "summary",
    "description",
    "acceptance criteria",
    "steps to reproduce",
    "reporter",
    "assignee",
    "priority",
    "story points",
];

/// A document with the headings that such documents have: a page about a project, a report of a bug.
pub(super) fn quote_documents(lines: &[&str], quoted: &mut [bool]) {
    let is_heading = |at: usize| {
        let bare = lines[at].trim();
        let title = bare.trim_matches(['#', '*', ':', ' ', '_']).to_lowercase();
        let is_list = |it: &&str| it.trim_start().starts_with(['-', '*', '1']);
        // A heading without a sign of its own has a list below it.
        let is_set = bare.starts_with('#')
            || bare.starts_with("**")
            || bare.ends_with(':')
            || bare == "Description"
            || bare == "Repro Steps"
            || lines.get(at + 1).is_some_and(is_list);
        let field = bare.split_once(':').map(|it| it.0.to_lowercase());
        let is_asked = bare.starts_with('#') && matches!(&*title, "what" | "why" | "how");
        // A key of settings is small and set in.
        let is_key = lines[at].starts_with("  ") && bare.starts_with(char::is_lowercase);
        let is_story = bare.starts_with("As a ") && bare.contains(" I want ");
        is_story
            || is_asked
            || is_set && DOCUMENT_HEADINGS.contains(&title.as_str())
            || !is_key && field.is_some_and(|it| TICKET_FIELDS.contains(&it.as_str()))
    };
    let found: Vec<_> = (0..lines.len()).filter(|it| is_heading(*it)).collect();
    let (Some(first), true) = (found.first(), found.len() >= 2) else { return };
    // A title above the first heading belongs to it, with all between them.
    let is_title =
        |it: &&str| it.starts_with("# ") || it.starts_with("[![") || it.starts_with("As a ");
    let title = lines[..*first].iter().position(is_title);
    let is_key = |it: &usize| super::heading::is_keyed(lines[*it].trim());
    let key = first.checked_sub(1).filter(is_key);
    let start = title.or(key).unwrap_or(*first);
    // The text below the last heading is a part of the document.
    let last = found.last().copied().unwrap_or(*first);
    let mut body = paragraphs(&lines[last..]).map(|it| last + it.end);
    let own = body.next().unwrap_or(last);
    let is_bare = own == last + 1 || !is_heading_line(lines[last]);
    let below = if is_bare { body.next().unwrap_or(own) } else { own };
    let end = own_ending(lines, start).max(below);
    quoted[start..end].fill(true);
}

//! What the form of one line tells.

use super::{code, log};

/// What pasted text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PasteKind {
    /// A line of a log, of a trace, or of what a command prints.
    Log,
    /// A line with the prompt of a shell.
    Shell,
    /// Source code, data or settings.
    Code,
    /// A patch.
    Diff,
    /// A row of a table.
    Table,
    /// A line with a mark of a quotation.
    Quote,
    /// A header of a mail.
    Mail,
    /// A line of a chat or of a review.
    Chat,
}

/// What the form of a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineMark {
    /// There is nothing in it.
    Blank,
    /// Nothing speaks against the user's own words.
    Prose,
    /// It may have been pasted: lines beside it decide.
    Weak(PasteKind),
    /// It was pasted.
    Strong(PasteKind),
}

impl LineMark {
    pub(super) fn is_marked(self) -> bool {
        matches!(self, Self::Weak(_) | Self::Strong(_))
    }
}

/// Tells what the form of a line tells.
pub(super) fn line_mark(line: &str) -> LineMark {
    let bare = line.trim();
    if bare.is_empty() {
        return LineMark::Blank;
    }
    if bare.starts_with(">>> ") {
        return LineMark::Strong(PasteKind::Shell);
    }
    if is_quote(bare) {
        return LineMark::Strong(PasteKind::Quote);
    }
    let looks: [fn(&str, &str) -> LineMark; 8] = [
        |_, bare| diff_mark(bare),
        |_, bare| mail_mark(bare),
        |_, bare| chat_mark(bare),
        |_, bare| log::log_mark(bare),
        |_, bare| log::trace_mark(bare),
        |_, bare| shell_mark(bare),
        table_mark,
        |_, bare| code::code_mark(bare),
    ];
    let mut weak = LineMark::Prose;
    for look in looks {
        match look(line, bare) {
            LineMark::Strong(kind) => return LineMark::Strong(kind),
            mark @ LineMark::Weak(_) if weak == LineMark::Prose => weak = mark,
            LineMark::Weak(_) | LineMark::Prose | LineMark::Blank => {}
        }
    }
    weak
}

/// A line behind `>`, or all of it between quotation marks.
fn is_quote(bare: &str) -> bool {
    const PAIRS: [(char, char); 6] =
        [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』')];
    if let Some(rest) = bare.strip_prefix('>') {
        return !rest.starts_with(|it: char| it == '=' || it.is_ascii_digit());
    }
    PAIRS.iter().any(|(open, close)| {
        let inside = bare
            .strip_prefix(*open)
            .and_then(|it| it.trim_end_matches(['.', ',', '。']).strip_suffix(*close));
        inside.is_some_and(|it| it.contains(' ') && !it.contains([*open, *close]))
    })
}

fn diff_mark(bare: &str) -> LineMark {
    const HEADS: [&str; 12] = [
        "diff --git ",
        "--- a/",
        "--- /dev/null",
        "+++ b/",
        "+++ /dev/null",
        "@@ -",
        "index ",
        "Binary files ",
        "rename from ",
        "new file mode ",
        "deleted file mode ",
        "similarity index ",
    ];
    let is_head = HEADS.iter().any(|it| bare.starts_with(it));
    let is_index = bare.strip_prefix("index ").is_none_or(|it| it.contains(".."));
    if is_head && is_index { LineMark::Strong(PasteKind::Diff) } else { LineMark::Prose }
}

fn shell_mark(bare: &str) -> LineMark {
    let is_prompt = bare.starts_with("$ ")
        || bare.starts_with("❯ ")
        || bare.starts_with("➜ ")
        || bare.starts_with("PS C:\\")
        || is_numbered_prompt(bare)
        || host_prompt(bare);
    if is_prompt { LineMark::Strong(PasteKind::Shell) } else { LineMark::Prose }
}

/// `In [3]:`, `Out[3]:`, `irb(main):001>`.
fn is_numbered_prompt(bare: &str) -> bool {
    bare.starts_with("irb(main)")
        || ["In [", "Out["].iter().any(|it| {
            let rest = bare.strip_prefix(it);
            rest.is_some_and(|it| {
                it.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with("]:")
            })
        })
}

/// `name@host:~/place$ `.
fn host_prompt(bare: &str) -> bool {
    let Some(first) = bare.split_whitespace().next() else { return false };
    first.contains('@') && first.contains(':') && first.ends_with(['$', '#', '%'])
}

fn mail_mark(bare: &str) -> LineMark {
    const HEADERS: [&str; 34] = [
        "from",
        "to",
        "cc",
        "bcc",
        "subject",
        "date",
        "sent",
        "reply-to",
        "message-id",
        "in-reply-to",
        "content-type",
        "mime-version",
        "von",
        "an",
        "betreff",
        "gesendet",
        "datum",
        "de",
        "à",
        "objet",
        "envoyé",
        "para",
        "asunto",
        "enviado",
        "fecha",
        "assunto",
        "data",
        "差出人",
        "宛先",
        "件名",
        "日時",
        "发件人",
        "收件人",
        "主题",
    ];
    let Some((name, _)) = bare.split_once([':', '：']) else { return LineMark::Prose };
    let name = name.trim().trim_matches('*').to_lowercase();
    let is_header = HEADERS.contains(&name.as_str());
    if is_header { LineMark::Weak(PasteKind::Mail) } else { LineMark::Prose }
}

fn table_mark(line: &str, bare: &str) -> LineMark {
    let is_line = |it: char| matches!(it, '\u{2500}'..='\u{257f}');
    let is_box = bare.starts_with(is_line) || bare.contains("───");
    let is_row = bare.starts_with('|') && bare.matches('|').count() >= 2;
    let is_rule = bare.starts_with('+') && bare.contains("--") && bare.ends_with('+');
    let tabs = line.trim_start().matches('\t').count();
    if is_box || is_row || is_rule || tabs >= 2 || gaps(bare) >= 2 {
        LineMark::Strong(PasteKind::Table)
    } else if tabs == 1 || gaps(bare) == 1 {
        LineMark::Weak(PasteKind::Table)
    } else {
        LineMark::Prose
    }
}

/// Runs of three or more spaces inside a line: columns.
fn gaps(bare: &str) -> usize {
    let mut count = 0;
    let mut spaces = 0;
    for character in bare.chars() {
        if character == ' ' {
            spaces += 1;
        } else {
            count += usize::from(spaces >= 3);
            spaces = 0;
        }
    }
    count
}

fn chat_mark(bare: &str) -> LineMark {
    let strong =
        is_commented(bare) || is_nick(bare) || is_chat_head(bare) || is_timed_speaker(bare);
    if strong {
        LineMark::Strong(PasteKind::Chat)
    } else if speaker(bare).is_some() {
        LineMark::Weak(PasteKind::Chat)
    } else {
        LineMark::Prose
    }
}

/// What a host of code shows above a comment: `@anna commented on src/lib.rs`.
fn is_commented(bare: &str) -> bool {
    const VERBS: [&str; 9] = [
        " commented",
        " reviewed",
        " requested changes",
        " left a comment",
        " suggested changes",
        " approved these changes",
        " opened this issue",
        " opened a pull request",
        " replied",
    ];
    const AFTER: [&str; 13] = [
        " on ",
        " ago",
        " yesterday",
        " last ",
        " just now",
        ":",
        " 1",
        " 2",
        " 3",
        " 4",
        " 5",
        " 6",
        " now",
    ];
    if bare.split_whitespace().count() > 14 {
        return false;
    }
    VERBS.iter().any(|verb| {
        let Some((who, rest)) = bare.split_once(verb) else { return false };
        let is_name = who.split_whitespace().count() <= 3 && !who.is_empty();
        let is_handle = who.trim_matches(['*', ' ']).starts_with('@');
        let is_person =
            !["i", "you", "we", "they", "nobody", "who"].contains(&&*who.to_lowercase());
        let follows = rest.is_empty() || AFTER.iter().any(|it| rest.contains(it));
        is_name && is_person && (is_handle || follows)
    })
}

/// `<anna> text`, as in a channel.
fn is_nick(bare: &str) -> bool {
    let Some((nick, rest)) = bare.strip_prefix('<').and_then(|it| it.split_once('>')) else {
        return false;
    };
    let is_name =
        |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '@' | '+' | '[' | ']');
    !nick.is_empty()
        && nick.len() <= 20
        && nick.trim_start_matches(['@', '+', ' ']).chars().all(is_name)
        && rest.starts_with(' ')
        && rest.trim().contains(' ')
        && !rest.contains('<')
}

/// `Anna Meyer  10:32 AM`, `anna — Today at 10:32`: a name and a time, and nothing else.
fn is_chat_head(bare: &str) -> bool {
    let words: Vec<_> = bare.split_whitespace().collect();
    let Some(last) = words.last() else { return false };
    let has_time = |it: &str| log::is_time(it.trim_matches(['[', ']', '(', ')', ',']));
    let half = last.trim_matches(['[', ']', '(', ')']).to_lowercase();
    let time = if matches!(&*half, "am" | "pm") {
        words.len().checked_sub(2)
    } else {
        words.len().checked_sub(1)
    };
    let Some(time) = time.filter(|it| *it >= 1) else { return false };
    words.len() <= 8
        && has_time(words[time])
        && words[0].chars().next().is_some_and(char::is_alphabetic)
        && !bare.contains(['.', '?', '!'])
        && words[..time].iter().all(|it| {
            let first = it.chars().next();
            matches!(*it, "at" | "um" | "à" | "—" | "-" | "·" | "APP" | "a" | "las")
                || first.is_some_and(|it| {
                    it.is_uppercase() || it.is_ascii_digit() || matches!(it, '[' | '(')
                })
                || time == 1
        })
}

/// `[10:32] anna: text`, `10:32 anna: text`, `10:32 - Anna: text`.
fn is_timed_speaker(bare: &str) -> bool {
    let open = bare.trim_start_matches(['[', '(']);
    let Some((first, rest)) = open.split_once([' ', ']', ')']) else { return false };
    if !log::is_time(first.trim_end_matches([',', ':'])) {
        return false;
    }
    let rest = rest.trim_start_matches(['-', '–', ']', ')', ' ']);
    let rest = rest.strip_prefix("AM").or_else(|| rest.strip_prefix("PM")).unwrap_or(rest);
    let rest = rest.trim_start_matches([']', ')', '-', ' ']);
    let Some((name, said)) = rest.split_once(':') else { return false };
    !said.is_empty() && name.split_whitespace().count() <= 3 && !name.is_empty()
}

/// Words before a colon that are no names.
const LABELS: [&str; 44] = [
    "note",
    "notes",
    "rule",
    "rules",
    "important",
    "warning",
    "also",
    "please",
    "ps",
    "p.s.",
    "edit",
    "update",
    "question",
    "goal",
    "task",
    "context",
    "requirements",
    "constraint",
    "constraints",
    "example",
    "expected",
    "actual",
    "fix",
    "hint",
    "tip",
    "caution",
    "reminder",
    "decision",
    "preference",
    "todo",
    "result",
    "style",
    "tests",
    "test",
    "background",
    "summary",
    "problem",
    "solution",
    "steps",
    "step",
    "regel",
    "wichtig",
    "règle",
    "regla",
];

/// The name before a colon, where it may be the name of who speaks: one or two words that begin with
/// a capital letter, or a handle.
pub(super) fn speaker(bare: &str) -> Option<&str> {
    let plain = bare.trim_start_matches(['*', '-', ' ']);
    let (name, said) = plain.split_once([':', '：'])?;
    let name = name.trim_matches('*');
    let said = said.trim_start_matches('*');
    let words: Vec<_> = name.split_whitespace().collect();
    let is_name = |it: &&str| {
        let letters = it.trim_start_matches('@');
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '\'');
        letters.chars().all(is_part)
            && (it.starts_with('@') || letters.chars().next().is_some_and(char::is_uppercase))
    };
    let is_label = LABELS.contains(&&*name.to_lowercase());
    let speaks = !said.trim().is_empty() && !said.starts_with("//");
    ((1..=2).contains(&words.len()) && words.iter().all(is_name) && !is_label && speaks)
        .then_some(name)
}

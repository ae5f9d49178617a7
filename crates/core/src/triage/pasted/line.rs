//! What the form of one line tells.

use super::super::unit::LEFT_OUT;
use super::{chat, code, copied, log, tool, trace};

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
    if bare.is_empty() || bare == LEFT_OUT {
        return LineMark::Blank;
    }
    if bare.starts_with(">>> ") {
        return LineMark::Strong(PasteKind::Shell);
    }
    if is_quote(bare) {
        return LineMark::Strong(PasteKind::Quote);
    }
    let looks: [fn(&str, &str) -> LineMark; 10] = [
        |_, bare| copied::copied_mark(bare),
        |_, bare| diff_mark(bare),
        tool::tool_mark,
        |_, bare| mail_mark(bare),
        |_, bare| chat::chat_mark(bare),
        |_, bare| log::log_mark(bare),
        |_, bare| trace::trace_mark(bare),
        |_, bare| shell_mark(bare),
        table_mark,
        |_, bare| code::code_mark(bare),
    ];
    let mut weak = LineMark::Prose;
    for look in looks {
        match look(line, bare) {
            LineMark::Strong(kind) => return LineMark::Strong(kind),
            // A name or a header before a colon is the weakest of all.
            mark @ LineMark::Weak(kind) => {
                let is_name = matches!(weak, LineMark::Weak(PasteKind::Chat | PasteKind::Mail));
                let is_better = is_name && !matches!(kind, PasteKind::Chat | PasteKind::Mail);
                weak = if weak == LineMark::Prose || is_better { mark } else { weak };
            }
            LineMark::Prose | LineMark::Blank => {}
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
    const HEADS: [&str; 13] = [
        "***************",
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
    const PROMPTS: [&str; 12] = [
        "$ ",
        "% ",
        "❯ ",
        "➜ ",
        "PS C:\\",
        "(gdb) ",
        "(lldb) ",
        "mysql> ",
        "sqlite> ",
        "ghci> ",
        "postgres=# ",
        "postgres=> ",
    ];
    let is_prompt = PROMPTS.iter().any(|it| bare.starts_with(it))
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
    let mut words = bare.split_whitespace();
    let Some(first) = words.next().filter(|it| it.contains('@')) else { return false };
    // `name@host ~/place> `.
    let is_place = |it: &str| it.starts_with(['~', '/']) && it.ends_with(['>', '$', '%', '#']);
    first.contains(':') && first.ends_with(['$', '#', '%', '>'])
        || words.next().is_some_and(is_place)
}

fn mail_mark(bare: &str) -> LineMark {
    if is_mail_header(bare) { LineMark::Weak(PasteKind::Mail) } else { LineMark::Prose }
}

/// `Subject: text`.
pub(super) fn is_mail_header(bare: &str) -> bool {
    const HEADERS: &[&str] = &[
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
        "da",
        "a",
        "oggetto",
        "inviato",
        "от",
        "кому",
        "тема",
        "author",
    ];
    let Some((name, _)) = bare.split_once([':', '：']) else { return false };
    let name = name.trim().trim_matches('*').to_lowercase();
    HEADERS.contains(&name.as_str())
}

fn table_mark(line: &str, bare: &str) -> LineMark {
    let is_line = |it: char| matches!(it, '\u{2500}'..='\u{257f}');
    let is_box = bare.starts_with(is_line) || bare.contains("───");
    let is_row = bare.starts_with('|') && bare.matches('|').count() >= 2;
    let is_rule = bare.starts_with('+') && bare.contains("--") && bare.ends_with('+');
    let tabs = line.trim_start().matches('\t').count();
    if is_box || is_row || is_rule || tabs >= 2 || gaps(bare) >= 2 || has_columns(bare) {
        LineMark::Strong(PasteKind::Table)
    } else if tabs == 1 || gaps(bare) == 1 {
        LineMark::Weak(PasteKind::Table)
    } else {
        LineMark::Prose
    }
}

/// Two or more places with two spaces, none of them behind the end of a sentence.
fn has_columns(bare: &str) -> bool {
    let cells: Vec<_> = bare.split("  ").filter(|it| !it.trim().is_empty()).collect();
    cells.len() >= 3
        && cells[..cells.len() - 1].iter().all(|it| !it.ends_with(['.', '!', '?', ';', ':']))
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

//! Lines between two marks: fences and elements.

use super::super::unit::LEFT_OUT;

/// Lines between `~~~` or `"""`. Code between backticks was left out before, as a rule.
pub(super) fn quote_fences(lines: &[&str], quoted: &mut [bool]) {
    for (at, line) in lines.iter().enumerate() {
        quoted[at] |= *line == LEFT_OUT;
    }
    for fence in ["~~~", "\"\"\"", "'''", "```"] {
        let mut open = None;
        for (at, line) in lines.iter().enumerate() {
            let bare = line.trim();
            let is_mark = bare
                .strip_prefix(fence)
                .is_some_and(|it| it.split_whitespace().count() <= 1 && !it.contains('`'));
            if !is_mark {
                continue;
            }
            match open.take() {
                Some(start) => quoted[start..=at].fill(true),
                None => open = Some(at),
            }
        }
    }
}

/// Lines between `<tag>` and `</tag>`, each in a line of its own.
pub(super) fn quote_elements(lines: &[&str], quoted: &mut [bool]) {
    let mut at = 0;
    while at < lines.len() {
        let close = tag(lines[at]).and_then(|name| {
            let end = format!("</{name}>");
            lines[at + 1..].iter().position(|it| it.trim_end().ends_with(&end))
        });
        match close {
            Some(length) => {
                quoted[at..=at + 1 + length].fill(true);
                at += length + 2;
            }
            None => at += 1,
        }
    }
}

/// The name of a tag that a line begins with.
fn tag(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('<')?;
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    let end = rest.find(|it| !is_part(it))?;
    (end > 0 && rest[end..].contains('>')).then(|| &rest[..end])
}

/// Whether a line begins a block that another line closes.
pub(super) fn is_block_mark(line: &str) -> bool {
    let bare = line.trim();
    bare.starts_with("```") || bare.starts_with("~~~") || tag(bare).is_some()
}

//! Writing a text without its secrets, and cutting it to a size.

use super::rule::Finding;

/// Copies `text` and puts a marker in the place of each secret.
pub(super) fn replace(text: &str, findings: &[Finding]) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut at = 0;
    for finding in findings {
        clean.push_str(&text[at..finding.start]);
        clean.push_str("[redacted:");
        clean.push_str(finding.name);
        clean.push(']');
        at = finding.end;
    }
    clean.push_str(&text[at..]);
    clean
}

/// Keeps the beginning and the end of a text in at most `max` bytes. `whole` is the size that
/// the gap is counted from.
pub(super) fn middle(head: &str, tail: &str, whole: usize, max: usize) -> String {
    let Some(room) = max.checked_sub(gap(whole).len()) else {
        return head[..head.floor_char_boundary(max)].to_owned();
    };
    let tail_room = (room / 2).max(room.saturating_sub(head.len()));
    let tail = &tail[tail.ceil_char_boundary(tail.len().saturating_sub(tail_room))..];
    let head = &head[..head.floor_char_boundary(room - tail.len())];
    let gap = gap(whole.saturating_sub(head.len() + tail.len()));
    [head, &gap, tail].concat()
}

fn gap(bytes: usize) -> String {
    format!(" … [{bytes} bytes] … ")
}

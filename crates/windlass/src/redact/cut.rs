//! Writing a text without its secrets, and cutting it to a size.

use windlass_core::gap_mark;

use super::rule::Finding;

/// How a marker begins; it ends with the next `]`.
const MARKER: &str = "[redacted:";

/// Copies `text` and puts a marker in the place of each secret.
pub(super) fn replace(text: &str, findings: &[Finding]) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut at = 0;
    for finding in findings {
        clean.push_str(&text[at..finding.start]);
        clean.push_str(MARKER);
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
    let Some(room) = max.checked_sub(gap_mark(whole).len()) else {
        return head[..head.floor_char_boundary(max)].to_owned();
    };
    let tail_room = (room / 2).max(room.saturating_sub(head.len()));
    let from = tail.ceil_char_boundary(tail.len().saturating_sub(tail_room));
    let tail = match marker(tail, from) {
        Some(_) => tail[from..].split_once(']').map_or("", |it| it.1),
        None => &tail[from..],
    };
    let until = head.floor_char_boundary(room - tail.len());
    let head = &head[..marker(head, until).unwrap_or(until)];
    let gap = gap_mark(whole.saturating_sub(head.len() + tail.len()));
    [head, &gap, tail].concat()
}

/// Where the marker begins that a cut would part. Half a marker is no marker: what stands before it
/// may make a secret of it, when the text is looked at again.
fn marker(text: &str, cut: usize) -> Option<usize> {
    let start = text[..cut].rfind('[')?;
    let piece = &text[start..cut];
    let begun = MARKER.starts_with(piece) || piece.starts_with(MARKER);
    (begun && cut < text.len() && !piece.contains(']')).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::middle;

    #[test]
    fn a_marker_is_kept_whole_or_not_at_all() {
        let text = format!("-p [redacted:a] {} -p [redacted:b] end", "x".repeat(100));
        for max in 30..text.len() {
            let cut = middle(&text, &text, text.len(), max);
            assert!(cut.len() <= max, "{max}");
            let rest = cut.replace("[redacted:a]", "").replace("[redacted:b]", "");
            let (head, tail) = rest.split_once(" … [").expect("a gap");
            let tail = tail.split_once("bytes] … ").expect("a gap").1;
            assert!(
                !head.contains('[') && !tail.contains(']') && !tail.contains("redacted"),
                "{cut}"
            );
        }
    }

    #[test]
    fn the_gap_is_what_was_left_out() {
        let text = "abc [redacted:a] ".repeat(20);
        for max in 40..text.len() {
            let cut = middle(&text, &text, text.len(), max);
            let (head, rest) = cut.split_once(" … [").expect("a gap");
            let (bytes, tail) = rest.split_once(" bytes] … ").expect("a gap");
            let gap: usize = bytes.parse().expect("a number");
            assert_eq!(head.len() + gap + tail.len(), text.len(), "{cut}");
        }
    }
}

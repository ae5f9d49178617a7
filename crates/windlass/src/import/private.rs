//! What its author marked as nobody else's, and what another tool put between the words of people.

/// Tags whose content is left out, whoever opened them.
const TAGS: [&str; 3] = ["private", "claude-mem-context", "system-reminder"];

/// The text without what stands between such tags. One that is never closed hides the rest: better
/// too little than what was meant for nobody.
pub(crate) fn without_private(text: &str) -> String {
    TAGS.into_iter().fold(text.to_owned(), |text, tag| without(&text, tag))
}

fn without(text: &str, tag: &str) -> String {
    // Only ASCII becomes lower case, so every place stays where it is.
    let lower = text.to_ascii_lowercase();
    let (mut kept, mut from, mut depth) = (String::new(), 0, 0_usize);
    for (at, _) in lower.match_indices('<') {
        let rest = &lower[at + 1..];
        if is_tag(rest, tag) {
            if depth == 0 {
                // One that begins within the end of the last has nothing before it.
                kept.push_str(text.get(from..at).unwrap_or_default());
            }
            depth += 1;
        } else if depth > 0 && rest.strip_prefix('/').is_some_and(|it| is_tag(it, tag)) {
            depth -= 1;
            from = rest.find('>').map_or(text.len(), |it| at + 1 + it + 1);
        }
    }
    if depth == 0 {
        kept.push_str(&text[from..]);
    }
    kept
}

/// Whether a text begins with the name of a tag, which ends there.
fn is_tag(text: &str, tag: &str) -> bool {
    let next = text.strip_prefix(tag).map(|it| it.chars().next());
    next.is_some_and(|it| it.is_none_or(|it| it == '>' || it == '/' || it.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::without_private;

    #[test]
    fn what_is_private_is_left_out_and_nothing_else() {
        for (text, kept) in [
            ("a <private>b</private> c", "a  c"),
            ("a <PRIVATE x=1>b</Private > c", "a  c"),
            ("a <private>b <private>c</private> d</private> e", "a  e"),
            ("a <private>b", "a "),
            ("a <private", "a "),
            ("a <privates>b</privates>", "a <privates>b</privates>"),
            ("<claude-mem-context>\nx\n</claude-mem-context>ä", "ä"),
            ("ä<system-reminder>ö</system-reminder>ü", "äü"),
            ("a </private> b", "a </private> b"),
            ("a <private>b</private", "a "),
            ("<private>a</private>b<private>c</private>d", "bd"),
            ("<private>a</private <private>>b", ""),
            ("", ""),
        ] {
            assert_eq!(without_private(text), kept, "{text}");
        }
    }
}

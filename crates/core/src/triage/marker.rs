//! How a unit is written: its marker, its code, its links.

/// What a unit is, by the marker that it begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line of text.
    Plain,
    /// A line of a quotation.
    Quote,
    /// A heading.
    Heading,
    /// An entry of a list.
    Item,
    /// An entry of a numbered list.
    Numbered,
    /// A row of a table.
    Row,
}

/// The shape of a unit, and what stands behind its marker.
pub(super) fn shape(unit: &str) -> (Shape, &str) {
    let mut text = unit.trim();
    let mut shape = Shape::Plain;
    while let Some(rest) = text.strip_prefix('>') {
        (shape, text) = (Shape::Quote, rest.trim_start());
    }
    if text.starts_with('|') {
        return (Shape::Row, text.trim_matches(['|', ' ']));
    }
    let title = text.trim_start_matches('#');
    if title.len() < text.len() && title.starts_with(' ') {
        return (Shape::Heading, title.trim());
    }
    if let Some(rest) = text.strip_prefix(['-', '*', '+', '•'])
        && rest.starts_with(' ')
    {
        return (Shape::Item, without_box(rest.trim_start()));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits)
        && let Some(rest) = text[digits..].strip_prefix(['.', ')'])
        && rest.starts_with(' ')
    {
        return (Shape::Numbered, rest.trim_start());
    }
    (shape, text)
}

fn without_box(text: &str) -> &str {
    // One after the other: an entry may show a box.
    ["[ ] ", "[x] ", "[X] "].iter().fold(text, |text, it| text.strip_prefix(it).unwrap_or(text))
}

/// Takes the code and the addresses of links out of a text. The text is added to `plain`, with `§`
/// for each piece of code and without emphasis; the pieces of code go to `code`.
pub(super) fn plain<'a>(text: &'a str, plain: &mut String, code: &mut Vec<&'a str>) {
    let mut rest = text;
    // A fence of so many backticks has no end any more.
    let mut unclosed = usize::MAX;
    let is_sign = |it: u8| matches!(it, b'`' | b'[' | b']' | b'*');
    while let Some(at) = rest.bytes().position(is_sign) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('`') {
            let inside = rest.trim_start_matches('`');
            let (fence, _) = rest.split_at(rest.len() - inside.len());
            let end = if fence.len() < unclosed { inside.find(fence) } else { None };
            if let Some(end) = end {
                code.push(&inside[..end]);
                plain.push_str(" § ");
                rest = &inside[end + fence.len()..];
            } else {
                unclosed = unclosed.min(fence.len());
                rest = inside;
            }
            continue;
        }
        if let Some(address) = rest.strip_prefix("](")
            && let Some(end) = address.find(')')
        {
            rest = &address[end + 1..];
            continue;
        }
        if rest.starts_with(']') {
            plain.push(']');
        }
        rest = &rest[1..];
    }
    plain.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::{Shape, plain, shape};

    #[test]
    fn a_marker_says_what_a_unit_is() {
        assert_eq!(shape("  plain text "), (Shape::Plain, "plain text"));
        assert_eq!(shape("> > said"), (Shape::Quote, "said"));
        assert_eq!(shape("> - said"), (Shape::Item, "said"));
        assert_eq!(shape("## Why"), (Shape::Heading, "Why"));
        assert_eq!(shape("#tag"), (Shape::Plain, "#tag"));
        assert_eq!(shape("- [x] done"), (Shape::Item, "done"));
        assert_eq!(shape("-no"), (Shape::Plain, "-no"));
        assert_eq!(shape("* one"), (Shape::Item, "one"));
        assert_eq!(shape("12) twelve"), (Shape::Numbered, "twelve"));
        assert_eq!(shape("1234. no"), (Shape::Plain, "1234. no"));
        assert_eq!(shape("| a | b |"), (Shape::Row, "a | b"));
        assert_eq!(shape(">"), (Shape::Quote, ""));
    }

    fn of(text: &str) -> (String, Vec<&str>) {
        let (mut words, mut code) = (String::new(), Vec::new());
        plain(text, &mut words, &mut code);
        (words, code)
    }

    #[test]
    fn code_becomes_a_sign_and_links_their_words() {
        assert_eq!(of("set `A` to ``b`c``."), ("set  §  to  § .".to_owned(), vec!["A", "b`c"]));
        assert_eq!(of("see [the docs](https://x.y/z) now").0, "see the docs now");
        assert_eq!(of("a[0] and [x](open").0, "a0] and x](open");
        assert_eq!(of("**bold** and *not*").0, "bold and not");
    }

    #[test]
    fn backticks_without_an_end_are_dropped() {
        assert_eq!(of("a ` b"), ("a  b".to_owned(), vec![]));
        assert_eq!(of("``` a `b` c"), (" a  §  c".to_owned(), vec!["b"]));
    }
}

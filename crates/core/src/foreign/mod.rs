//! Words of others, put into a sentence of ours.
//!
//! A file name, a command, the title of a task or a line of code may hold whatever somebody wrote.
//! Here, and nowhere else, they are made harmless: one line, bounded, without a sign that ends a
//! quotation or turns words around. So they cannot look like an ask, or like another gate.
//! What an agent is to read as data may have several lines; `inert` makes those harmless.

mod inert;

pub use inert::inert;
pub(crate) use inert::inert_name;

/// Words of others in one line, cut to this many characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    in_one_line(text, most, |character| match character {
        '`' | '´' | '‘' | '’' => '\'',
        it => straight(it),
    })
}

/// Signs that open or end a quotation, in whatever language.
const QUOTES: &str = "“”„‟«»❝❞❠⹂〝〞〟＂🙶🙷🙸";

/// A character, and a plain mark in the place of one of those: between them stand the user's own
/// words, and nobody else's.
fn straight(character: char) -> char {
    if !character.is_ascii() && QUOTES.contains(character) { '"' } else { character }
}

/// A sentence of ours that may quote others, in one line, cut to this many characters.
pub(crate) fn sentence(text: &str, most: usize) -> String {
    in_one_line(text, most, |it| it)
}

fn in_one_line(text: &str, most: usize, quoted: fn(char) -> char) -> String {
    let mut line = String::new();
    let (mut count, mut gap) = (0, false);
    for character in text.chars() {
        let character = match character {
            it if it.is_whitespace() || is_hidden(it) => {
                gap = count > 0;
                continue;
            }
            it => quoted(it),
        };
        let wanted = if gap { 2 } else { 1 };
        if count + wanted > most {
            let is_whole = gap && count < most.max(1);
            // The mark takes the place of the last character.
            while count >= most.max(1) {
                line.pop();
                count -= 1;
            }
            if !is_whole {
                line.truncate(word_end(&line));
            }
            line.push('…');
            return line;
        }
        if gap {
            line.push(' ');
        }
        line.push(character);
        count += wanted;
        gap = false;
    }
    line
}

/// Where a text ends whose last word was cut: before that word, where that is in its second half. A
/// long word, a path or a script without spaces is cut where it must be.
pub fn word_end(cut: &str) -> usize {
    let end = cut.rfind(' ').filter(|it| *it >= cut.len() / 2);
    end.map_or(cut.len(), |it| cut[..it].trim_end().len())
}

/// Whether a character shows nothing of itself, or moves what stands around it. A mark that is
/// written over or under a letter shows: half of the world's names have some.
pub fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    // Behind a letter the standard library escapes what cannot be printed, and no marks.
    let mut bytes = [b'a'; 5];
    let length = character.encode_utf8(&mut bytes[1..]).len();
    let behind_a_letter = str::from_utf8(&bytes[..=length]).unwrap_or_default();
    behind_a_letter.escape_debug().count() > 2 || is_blank(character)
}

/// Letters and marks that nobody sees: they can be printed, and carry a text of their own.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn words_of_others_stay_in_their_place() {
        assert_eq!(line("cargo test -p a", 40), "cargo test -p a");
        assert_eq!(line("  a\n\n[proof] b\t\tc\r\n", 40), "a [proof] b c");
        assert_eq!(line("a`; b` “c” d", 40), "a'; b' \"c\" d");
        assert_eq!(line("a\u{202e}b\u{1b}[2Jc\u{200b}d\u{0}", 40), "a b [2Jc d");
        assert_eq!(line("häßlich 漢字 o\u{308}", 40), "häßlich 漢字 o\u{308}");
    }

    #[test]
    fn they_are_cut() {
        assert_eq!(line("abcdef", 6), "abcdef");
        assert_eq!(line("abcdefg", 6), "abcde…");
        assert_eq!(line("abcde fg", 6), "abcde…");
        assert_eq!(line("abcdef   ", 6), "abcdef");
        assert_eq!(line("the parser takes nested lists", 20), "the parser takes…");
        assert_eq!(line("the parser takes nested lists", 17), "the parser takes…");
        assert_eq!(line("the parser takes nested lists", 16), "the parser…");
        assert_eq!(line("a verylongwordthatgoeson", 12), "a verylongw…");
        for most in 1..9 {
            let cut = line("ab cd  ef\u{202e}gh", most);
            assert!(cut.chars().count() <= most, "{most}: {cut}");
        }
    }
}

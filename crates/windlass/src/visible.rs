//! Text of others, made safe to look at.
//!
//! A file of a project could hold commands for the terminal, or characters that turn words around,
//! so that people approve something else than they read. So here everything hidden is written out;
//! where nothing is approved, `ui` leaves it out.

/// Whether a character shows nothing of itself, or moves what stands around it.
pub(crate) fn is_hidden(character: char) -> bool {
    !matches!(character, '"' | '\'' | '\\') && character.escape_debug().len() > 1
}

/// A text on one line, every hidden character written out, and not longer than `limit`.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    for (at, character) in text.chars().enumerate() {
        if at == limit {
            line.push('…');
            break;
        }
        if is_hidden(character) {
            line.extend(character.escape_debug());
        } else {
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn nothing_stays_hidden() {
        assert_eq!(
            line("plain 'words' with \\ and ünïcode 漢", 99),
            "plain 'words' with \\ and ünïcode 漢"
        );
        assert_eq!(line("a\u{1b}[2Jb\r\nc\0", 99), "a\\u{1b}[2Jb\\r\\nc\\0");
        assert_eq!(line("rm\u{202e}x\u{200b}y\u{feff}", 99), "rm\\u{202e}x\\u{200b}y\\u{feff}");
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(line("abcdef", 3), "abc…");
        assert_eq!(line("abc", 3), "abc");
    }
}

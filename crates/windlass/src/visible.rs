//! Text of others, made safe to look at.
//!
//! A file of a project could hold commands for the terminal, or characters that turn words around,
//! so that people approve something else than they read. So here everything hidden is written out;
//! where nothing is approved, `ui` leaves it out.

pub(crate) use windlass_core::is_hidden;

/// A text on one line, every hidden character written out, and not longer than `limit`.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    for (at, character) in text.chars().enumerate() {
        if at == limit {
            line.push('…');
            break;
        }
        match is_hidden(character) {
            true if character.is_ascii() => line.extend(character.escape_debug()),
            true => line.extend(character.escape_unicode()),
            false => line.push(character),
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
        assert_eq!(line("a\u{e0041}b\u{fe0e}c\u{e0100}", 99), "a\\u{e0041}b\\u{fe0e}c\\u{e0100}");
        assert_eq!(
            line("\u{3164}=\u{34f}1\u{a0}\u{e000}", 99),
            "\\u{3164}=\\u{34f}1\\u{a0}\\u{e000}"
        );
    }

    #[test]
    fn names_in_every_script_stay_as_they_are() {
        for name in [
            "हिन्दी",
            "ti\u{ea}\u{301}ng Vie\u{323}\u{302}t",
            "o\u{308}",
            "ภาษาไทย",
            "שָׁלוֹם",
            "עברית",
            "العَرَبِيَّة",
        ] {
            assert_eq!(line(name, 99), name);
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(line("abcdef", 3), "abc…");
        assert_eq!(line("abc", 3), "abc");
    }
}

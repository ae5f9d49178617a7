//! Letters as they are compared: in lower case and without marks, so that a text is the same whether
//! a mark is part of its letter (`ö`) or stands beside it (`o` and U+0308).

/// Whether a character is a mark on the letter before it.
pub(super) fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

/// A text in lower case and without marks. Gives whether there is something left, and not more than
/// so many bytes.
pub(super) fn lower(text: &str, longest: usize, word: &mut Vec<u8>) -> bool {
    word.clear();
    if text.is_ascii() {
        if text.len() <= longest {
            word.extend(text.bytes().map(|it| it.to_ascii_lowercase()));
        }
        return (1..=longest).contains(&text.len());
    }
    let mut bytes = [0; 4];
    for letter in text.chars().flat_map(char::to_lowercase).filter(|it| !is_mark(*it)) {
        let letter = base(letter).unwrap_or_else(|| letter.encode_utf8(&mut bytes));
        word.extend_from_slice(letter.as_bytes());
        if word.len() > longest {
            return false;
        }
    }
    !word.is_empty()
}

/// What is left of a small letter without its mark: Latin, as most languages of Europe and
/// Vietnamese write it, and those of the Greek and the Cyrillic ones that are in use.
fn base(letter: char) -> Option<&'static str> {
    if letter.is_ascii() {
        return None;
    }
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ǐ' | 'ỉ'..='ị' => "i",
        'ĳ' => "ij",
        'ĵ' => "j",
        'ķ' | 'ĸ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ŉ' | 'ŋ' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ǒ' | 'ọ'..='ợ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ſ' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ǔ' | 'ụ'..='ự' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ά' => "α",
        'έ' => "ε",
        'ή' => "η",
        'ί' | 'ϊ' | 'ΐ' => "ι",
        'ό' => "ο",
        'ύ' | 'ϋ' | 'ΰ' => "υ",
        'ώ' => "ω",
        'ё' => "е",
        'й' => "и",
        'ї' => "і",
        'ў' => "у",
        'ѓ' => "г",
        'ќ' => "к",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::lower;

    fn lowered(text: &str) -> String {
        let mut word = Vec::new();
        assert!(lower(text, 1000, &mut word));
        String::from_utf8(word).unwrap()
    }

    #[test]
    fn letters_lose_their_marks() {
        let all: String = ('\u{c0}'..='\u{17f}').filter(|it| it.is_alphabetic()).collect();
        assert!(lowered(&all).is_ascii(), "{}", lowered(&all));
        assert_eq!(lowered("Łódź STRASSE straße İ Œuvre"), "lodz strasse strasse i oeuvre");
        assert_eq!(lowered("Việt Nam đường"), "viet nam duong");
        assert_eq!(lowered("Ё й Ї Άνθρωπος"), "е и і ανθρωπος");
        assert_eq!(lowered("КЭШ 缓存"), "кэш 缓存");
    }

    #[test]
    fn what_is_too_long_is_not_taken() {
        let mut word = Vec::new();
        assert!(lower("abc", 3, &mut word) && lower("ÖÖ", 2, &mut word));
        assert!(!lower("abcd", 3, &mut word) && !lower("ÖÖÖ", 2, &mut word));
        assert!(!lower("", 3, &mut word) && !lower("\u{301}", 3, &mut word));
    }
}

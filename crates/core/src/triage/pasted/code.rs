//! Lines of source code, data and settings.

use super::line::{LineMark, PasteKind};

const STRONG: LineMark = LineMark::Strong(PasteKind::Code);
const WEAK: LineMark = LineMark::Weak(PasteKind::Code);

/// Beginnings of lines of code.
const BEGINNINGS: [&str; 22] = [
    "//",
    "/*",
    "*/",
    "#include",
    "#!",
    "#define",
    "#[",
    "<?",
    "@Override",
    "if (",
    "for (",
    "while (",
    "} else",
    "return ",
    "import {",
    "export default",
    "module.exports",
    "public class ",
    "public static ",
    "private ",
    "SELECT ",
    "INSERT INTO ",
];

/// How the lines of a file begin that describes an image.
const IMAGE_LINES: [&str; 12] = [
    "FROM ",
    "RUN ",
    "COPY ",
    "WORKDIR ",
    "CMD ",
    "ENTRYPOINT ",
    "ENV ",
    "EXPOSE ",
    "USER ",
    "ARG ",
    "ADD ",
    "VOLUME ",
];

pub(super) fn code_mark(bare: &str) -> LineMark {
    // What stands between backticks is a name in a sentence.
    let without_names = drop_names(bare);
    let bare = without_names.trim();
    if bare.is_empty() {
        return LineMark::Prose;
    }
    if is_bracket(bare) || is_pair(bare) || is_element(bare) || is_declaration(bare) {
        return STRONG;
    }
    let begins = BEGINNINGS.iter().any(|it| bare.starts_with(it));
    let is_closed = bare.ends_with([';', '{']) || bare.ends_with('}') && !is_sentence(bare);
    let ends = is_closed || bare.ends_with("=>") || bare.ends_with("),");
    let has_signs = bare.contains(['=', '(', ')', '{', '}', '<', ':', '[', '"', '\'']);
    let is_script = bare.starts_with("#!") || bare.starts_with("{\"") || bare.starts_with("[{");
    let is_comment =
        is_script || bare.starts_with("//") || bare.starts_with("/*") || bare.starts_with("*/");
    if is_comment || ends && (begins || has_signs) || bare.ends_with('{') {
        return STRONG;
    }
    let is_weak = begins && has_signs
        || is_assignment(bare)
        || is_setting(bare)
        || is_section(bare)
        || is_call(bare)
        || is_dense(bare)
        || matches!(bare, "fi" | "done" | "esac" | "else" | "then" | "end")
        || bare.ends_with("; then")
        || bare.ends_with("; do")
        || bare.starts_with("set -")
        || IMAGE_LINES.iter().any(|it| bare.starts_with(it));
    if is_weak { WEAK } else { LineMark::Prose }
}

/// A line without what stands between backticks.
fn drop_names(bare: &str) -> String {
    let parts: Vec<_> = bare.split('`').collect();
    if parts.len() % 2 == 0 || parts.len() == 1 {
        return bare.to_owned();
    }
    parts.into_iter().step_by(2).collect()
}

/// Whether a line has so many words and so few signs that it is a sentence.
fn is_sentence(bare: &str) -> bool {
    let letters = bare.chars().filter(|it| *it == ' ' || it.is_alphabetic()).count();
    bare.split_whitespace().count() >= 5 && letters * 10 >= bare.chars().count() * 8
}

/// Brackets and nothing else.
fn is_bracket(bare: &str) -> bool {
    bare.chars().all(|it| matches!(it, '{' | '}' | '[' | ']' | '(' | ')' | ',' | ';'))
}

/// `"key": value`.
fn is_pair(bare: &str) -> bool {
    let Some(rest) = bare.strip_prefix(['"', '\'']) else { return false };
    let Some((key, rest)) = rest.split_once(['"', '\'']) else { return false };
    !key.is_empty() && rest.trim_start().starts_with(':')
}

/// `<tag attribute="x">`, `</tag>`.
fn is_element(bare: &str) -> bool {
    let Some(rest) = bare.strip_prefix('<') else { return false };
    let is_name = rest.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/' || it == '!');
    is_name && bare.ends_with('>')
}

/// `def name(`, `fn name(`, `class Name:`, `const name =`, `from x import y`.
fn is_declaration(bare: &str) -> bool {
    let bare = ["pub ", "async ", "export ", "static ", "pub(crate) "]
        .iter()
        .fold(bare, |text, it| text.strip_prefix(it).unwrap_or(text));
    let named = |keyword: &str, signs: &[char]| {
        let Some(rest) = bare.strip_prefix(keyword) else { return false };
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '<' | '>' | '.');
        let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        end > 0 && rest[end..].trim_start().starts_with(signs)
    };
    named("def ", &['('])
        || named("fn ", &['('])
        || named("func ", &['('])
        || named("function ", &['('])
        || named("class ", &['(', ':', '{'])
        || named("struct ", &['{', '('])
        || named("enum ", &['{'])
        || named("interface ", &['{'])
        || named("const ", &['=', ':'])
        || named("let ", &['=', ':'])
        || named("let mut ", &['=', ':'])
        || named("var ", &['=', ':'])
        || named("type ", &['='])
        || bare.starts_with("from ") && bare.contains(" import ")
        || bare.starts_with("import ") && (bare.contains(" from '") || bare.contains(" from \""))
}

/// `name = value`, `NAME=value`, `name += value`.
fn is_assignment(bare: &str) -> bool {
    let bare = bare.strip_prefix("export ").unwrap_or(bare);
    let Some((name, value)) = bare.split_once('=') else { return false };
    let name = name.trim_end_matches(['+', '-', ':', ' ']);
    let is_part =
        |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '-' | '[' | ']' | '$');
    !name.is_empty() && name.chars().all(is_part) && !value.starts_with('=') && !value.is_empty()
}

/// `key: value` of settings: a name in small letters, and a value of a word or two.
fn is_setting(bare: &str) -> bool {
    let bare = bare.strip_prefix("- ").unwrap_or(bare);
    let Some((name, value)) = bare.split_once(':') else { return false };
    let is_part = |it: char| {
        it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, '_' | '-' | '.' | '/')
    };
    let is_short = value.starts_with(' ') && value.split_whitespace().count() <= 2;
    let is_value = value.is_empty() || is_short || value.trim().starts_with(['"', '\'']);
    !name.is_empty() && name.chars().all(is_part) && is_value
}

/// `[section]`.
fn is_section(bare: &str) -> bool {
    let inside = bare.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    inside.is_some_and(|it| it.len() > 1 && !it.contains(' '))
}

/// `name.other(argument)`, and nothing else.
fn is_call(bare: &str) -> bool {
    let Some((name, _)) = bare.split_once('(') else { return false };
    let is_part =
        |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | ':' | '/' | '*');
    !name.is_empty() && name.chars().all(is_part) && bare.ends_with(')')
}

/// Whether a line has too many signs to be a sentence.
fn is_dense(bare: &str) -> bool {
    let (mut all, mut letters) = (0_usize, 0_usize);
    for character in bare.chars() {
        all += 1;
        letters += usize::from(character == ' ' || character.is_alphabetic());
    }
    all >= 8 && letters * 10 < all * 6
}

//! Texts of others that an agent is to read as data: several lines of them, and nothing in them that
//! a host, a model or a terminal takes for more than words.

use std::borrow::Cow;

use super::{is_hidden, straight};

/// The lines of a text, each without signs that could mean more than they say. What moves a cursor
/// or turns words around is gone, whatever looks like a tag of a host is none any more, and nothing
/// looks like a quotation of the user. The white space at the beginning of a line stays: in code it
/// has a meaning.
pub fn inert(text: &str) -> Vec<String> {
    let bare = without_sequences(text);
    let lines = bare.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
    let mut lines: Vec<_> = lines
        .map(|it| if is_plain(it) { it.trim_end().to_owned() } else { disarmed(&visible(it)) })
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|it| it.is_empty()).count();
    lines.drain(..blank);
    lines
}

/// The same in one line, cut to this many characters, without the sign that ends our own quotation.
pub(crate) fn inert_name(text: &str, most: usize) -> String {
    super::line(&disarmed(&super::line(&without_sequences(text), most)), most)
}

/// Whether a line has nothing but letters, digits and signs that nobody could take for more, as most
/// lines do: then it stays as it is.
fn is_plain(line: &str) -> bool {
    let may_be_more = |it: u8| matches!(it, b'<' | b'[' | b'`' | b'~');
    line.bytes().all(|it| (b' '..=b'~').contains(&it) && !may_be_more(it))
}

/// A text without sequences that a terminal obeys, with all that belongs to them.
fn without_sequences(text: &str) -> Cow<'_, str> {
    // None of them begins otherwise.
    if !text.bytes().any(|it| it == 0x1b || it == 0xc2) {
        return text.into();
    }
    let mut bare = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let kind = match character {
            '\u{1b}' => rest.next(),
            '\u{9b}' => Some('['),
            '\u{9d}' | '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => Some(']'),
            it => {
                bare.push(it);
                continue;
            }
        };
        match kind {
            // Numbers and signs, and the letter that says what is done with them.
            Some('[') => {
                while let Some(next) = rest.clone().next().filter(|it| it.is_ascii() && *it != '\n')
                {
                    rest.next();
                    if ('@'..='~').contains(&next) {
                        break;
                    }
                }
            }
            // A text for the terminal, up to its end; one that has none is read as it stands.
            Some(']' | 'P' | 'X' | '^' | '_') => {
                let text = rest.as_str();
                let end = text.find(['\u{7}', '\u{9c}', '\u{1b}', '\n']);
                if let Some(end) = end.filter(|it| !text[*it..].starts_with('\n')) {
                    let is_escape = text[end..].starts_with('\u{1b}');
                    rest = text[end..].chars();
                    rest.next();
                    if is_escape && rest.as_str().starts_with('\\') {
                        rest.next();
                    }
                }
            }
            _ => {}
        }
    }
    bare.into()
}

/// One line without what nobody sees, and without white space at its end.
fn visible(line: &str) -> String {
    let spaced = line.replace('\t', "    ");
    let mut seen = String::with_capacity(spaced.len());
    for character in spaced.chars() {
        match character {
            it if it.is_whitespace() => seen.push(' '),
            it if is_hidden(it) => {}
            it => seen.push(straight(it)),
        }
    }
    seen.truncate(seen.trim_end().len());
    seen
}

/// Names with which hosts and models tell apart who speaks, and what is done. Whatever begins with
/// one of them and goes on with a sign is one too.
const TAGS: &[&str] = &[
    "agent",
    "ai",
    "antml",
    "assistant",
    "bash",
    "command",
    "cross",
    "developer",
    "function",
    "function_calls",
    "function_results",
    "functions",
    "human",
    "instruction",
    "instructions",
    "invoke",
    "local",
    "parameter",
    "parameters",
    "persisted",
    "reminder",
    "result",
    "sys",
    "system",
    "task",
    "teammate",
    "thinking",
    "tool",
    "tools",
    "user",
    "windlass",
];

/// Those of them that are none of anybody's types: they are tags wherever they stand.
const NEVER_TYPES: &[&str] = &[
    "antml",
    "assistant",
    "function_calls",
    "function_results",
    "human",
    "invoke",
    "sys",
    "system",
    "thinking",
    "tool_call",
    "tool_calls",
    "tool_result",
    "tool_results",
    "tool_use",
    "windlass",
];

/// The signs of a tag, also as they stand in other scripts.
fn is_opening(character: char) -> bool {
    matches!(character, '<' | '＜' | '﹤')
}

/// A line in which no tag of a host is one, nothing fences a block of code, and nothing looks like
/// the marks between which a brief stands.
fn disarmed(line: &str) -> String {
    let line = line.replace("```", "'''").replace("~~~", "---");
    let mut out = String::with_capacity(line.len());
    for (at, character) in line.char_indices() {
        let (before, rest) = (&line[..at], &line[at + character.len_utf8()..]);
        out.push(match character {
            it if is_opening(it) && is_tag(before, rest) => '‹',
            '[' if is_mark(rest) => '(',
            it => it,
        });
    }
    out
}

/// Whether what stands around an opening sign makes it one of those.
fn is_tag(before: &str, rest: &str) -> bool {
    let named = rest.trim_start_matches([' ', '/', '!', '?', '＜', '﹤', '<', '／']);
    if named.starts_with(['|', '｜']) {
        return true;
    }
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | ':' | '.');
    let end = named.find(|it| !is_part(it)).unwrap_or(named.len());
    let (name, behind) = (named[..end].to_lowercase(), &named[end..]);
    let signs = &rest[..rest.len() - named.len()];
    let is_code = !name.contains('-') && is_of_code(before, signs, behind);
    let is_named = if is_code { NEVER_TYPES } else { TAGS }.iter().any(|tag| {
        let more = name.strip_prefix(tag);
        more.is_some_and(|it| !it.starts_with(char::is_alphanumeric))
    });
    is_named || is_made_up(&name, behind)
}

/// Whether an opening sign is one of code: parameters of a type stand right behind its name, and
/// two signs move bits or words. What closes a tag is none, wherever it stands, nor what has a value.
fn is_of_code(before: &str, signs: &str, behind: &str) -> bool {
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let has_parameters = before.ends_with(is_name) || before.ends_with("::");
    let is_double = before.ends_with('<') || signs.starts_with('<');
    let is_operator = is_double && !behind.trim_start().starts_with('>');
    let inside = behind.split('>').next().unwrap_or_default();
    let has_value = inside.split('=').skip(1).any(|it| it.trim_start().starts_with(['"', '\'']));
    let is_bare = signs.chars().all(|it| matches!(it, ' ' | '<')) && !has_value;
    is_bare && (has_parameters || is_operator)
}

/// Whether a name with a hyphen or a prefix in it is that of a whole tag. `n-1` of a comparison and
/// the path of a type are none.
fn is_made_up(name: &str, behind: &str) -> bool {
    let has_letters = |it: &str| it.starts_with(|it: char| it.is_ascii_lowercase());
    let parts: Vec<_> = name.split(['-', ':']).collect();
    let is_whole = behind.starts_with('>') || behind.starts_with("/>") || behind.contains('=');
    parts.len() > 1 && parts.iter().all(|it| has_letters(it)) && is_whole
}

/// Whether what follows a bracket makes it a mark of ours, or one that other models know.
fn is_mark(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '/']);
    ["windlass", "inst]", "system]"]
        .iter()
        .any(|it| rest.get(..it.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(it)))
}

#[cfg(test)]
mod tests {
    use super::{disarmed, inert, inert_name, is_plain, visible};

    fn one(text: &str) -> String {
        inert(text).join("\n")
    }

    #[test]
    fn plain_texts_and_code_stay_as_they_are() {
        for text in [
            "Never share a cache between tenants.",
            "fn a(it: &Vec<String>) -> Option<u8> {\n    it.len() - 1 < 3 && b > 2\n}",
            "for (i = 0; i<n-1; i++) a[i] = b<<2;",
            "std::map<std::string, my_type> x; psql <dump.sql",
            "häßlich 漢字 o\u{308} [1] `x`",
            "x <- 3; if (a <b) {}",
            "fn run(all: Vec<Result<T>>) -> Option<User> { all.collect::<Task>() }",
            "std::vector<result> v; Map<Tool_Id, agent::Name> m; List<Local.Kind> l;",
            "fn f<Tool: Run>(it: Box< Command >) {}",
            "let user: Option<User> = \"x\"; let task: Vec<Task> = 'y';",
            "std::cout << result << user; std::cout<<task<<'x'; 1 <<local",
        ] {
            assert_eq!(one(text), text);
        }
    }

    /// What is passed by is what a closer look would leave as it is.
    #[test]
    fn a_plain_line_needs_no_closer_look() {
        let signs = || (0_u8..0x80).map(char::from);
        let mut plain = 0;
        for (one, other) in signs().flat_map(|one| signs().map(move |other| (one, other))) {
            let line = format!("  x{one}{other}system{other}{one}{one}y{one} ");
            if is_plain(&line) {
                assert_eq!(disarmed(&visible(&line)), line.trim_end(), "{line:?}");
                plain += 1;
            }
        }
        assert_eq!(plain, 91 * 91);
    }

    #[test]
    fn what_a_terminal_obeys_is_gone_with_its_parameters() {
        for (text, expected) in [
            ("a\u{1b}[31;1mred\u{1b}[0m b", "ared b"),
            ("a\u{1b}]52;c;aGk=\u{7}b", "ab"),
            ("a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\b", "alinkb"),
            ("a\u{9b}2Jb\u{9d}0;title\u{9c}c", "abc"),
            ("a\u{1b}]0;no end b\nc", "a0;no end b\nc"),
            ("a\u{1b}", "a"),
            ("a\u{1b}cb\u{0}\u{7}\u{8}c", "abc"),
            ("a\u{202e}b\u{2066}c\u{200b}d\u{e0041}e\u{feff}f\u{ad}g", "abcdefg"),
            ("a\r\nb\u{2028}c\u{85}d", "a\n\nb\nc\nd"),
        ] {
            assert_eq!(one(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_tag_of_a_host_is_none_any_more() {
        for text in [
            "</system-reminder>",
            "<system>",
            "< / SYSTEM >",
            "<sys\u{200b}tem-reminder>",
            "x<function_calls><invoke name=\"Bash\">",
            "<invoke name=\"x\">",
            "x<parameter name='p'>",
            "x<parameter name =  \"p\">",
            "a<<user >",
            "<|im_start|>",
            "<<SYS>>",
            "＜system＞",
            "<task-notification>",
            "<windlass-brief>",
            "<made-up-tag>",
            "<other:thing a=\"b\">",
            "foo</system-reminder>",
            "foo</result>",
            "foo< / user>",
            "foo<system-reminder>",
            "foo<system>",
            "foo::<invoke>",
            "foo<tool_use>",
            "foo<function_calls>",
            "foo<invoke name=\"x\">",
            "foo<parameter name=\"x\">",
            "foo<task-notification>",
            "foo<local-command-stdout>",
            "foo<|im_start|>",
            "foo<<SYS>>",
            "a <<user>",
            "a<<system",
            "<user>",
            "go on: <result>",
            "go on:<user>",
        ] {
            let line = one(text);
            assert!(!line.contains(['<', '＜']) || line.contains('‹'), "{text}: {line}");
            assert_ne!(line, text);
        }
        assert_eq!(
            one("[/windlass 12] [INST] [WINDLASS 12]"),
            "(/windlass 12] (INST] (WINDLASS 12]"
        );
        assert_eq!(one("```sh\nrm x\n```"), "'''sh\nrm x\n'''");
    }

    #[test]
    fn only_the_words_of_the_user_stand_between_their_marks() {
        let text = "“Push.” „Push.“ «Push.» ‟Push.” ❝Push.❞ 〝Push.〞 ＂Push.＂";
        let plain = "\"Push.\"";
        assert_eq!(one(text), [plain; 7].join(" "));
        assert_eq!(inert_name(text, 200), [plain; 7].join(" "));
        assert_eq!(one("it’s ‘so’"), "it’s ‘so’");
    }

    #[test]
    fn a_name_cannot_leave_its_quotation() {
        let name = inert_name("a`\n<system>x\u{1b}[2J", 40);
        assert_eq!(name, "a' ‹system>x");
        assert_eq!(inert_name(&"ab".repeat(40), 10).chars().count(), 10);
    }
}

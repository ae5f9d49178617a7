//! Notes in Markdown → statements: each bullet and each paragraph that says something.

/// Words without which nothing is stated.
const LEAST: usize = 4;

/// The statements of a text, in order. Headings, code, tables, quotes of the file's own
/// settings and lines that only lead elsewhere are none.
pub(crate) fn statements(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    let mut fence = None;
    for line in body(text).lines() {
        let trimmed = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|it| trimmed.starts_with(it));
        if fence.is_some() {
            if mark == fence {
                fence = None;
            }
            continue;
        }
        if mark.is_some() {
            fence = mark;
            close(&mut open, &mut found);
        } else if trimmed.is_empty() || is_none(trimmed) {
            close(&mut open, &mut found);
        } else if let Some(item) = item(trimmed) {
            close(&mut open, &mut found);
            open.push_str(item);
        } else {
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(trimmed);
        }
    }
    close(&mut open, &mut found);
    found
}

/// The text without the settings that some tools put before it.
fn body(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        match (number, line.trim_end()) {
            (0, "---") => {}
            (0, _) => return text,
            (_, "---" | "...") => return &text[at..],
            _ => {}
        }
    }
    text
}

fn is_none(line: &str) -> bool {
    let is_rule = line.len() >= 3 && line.chars().all(|it| matches!(it, '-' | '*' | '_' | '='));
    is_rule || line.starts_with(['#', '|', '@']) || line.starts_with("<!--")
}

/// What stands behind the mark of a list.
fn item(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let numbered = || digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") "));
    let numbered = if digits.len() < line.len() { numbered() } else { None };
    let bullet = || ["- ", "* ", "+ "].into_iter().find_map(|it| line.strip_prefix(it));
    let text = numbered.or_else(bullet)?.trim_start();
    let boxed = ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|it| text.strip_prefix(it));
    Some(boxed.unwrap_or(text))
}

fn close(open: &mut String, found: &mut Vec<String>) {
    let text = open.trim();
    let leads_on = text.ends_with(':') || (text.starts_with('[') && text.contains("]("));
    if text.split_whitespace().count() >= LEAST && !leads_on {
        found.push(text.to_owned());
    }
    open.clear();
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn bullets_and_paragraphs_are_statements_and_the_rest_is_not() {
        let text = "---\nname: x\n---\n# Notes on the build\n\nThe build needs\nnode 20 or later.\n\n\
            Some rules that hold:\n- [ ] Use pnpm, never npm, here.\n  It keeps one lock file.\n\
            1. Run the migrations before tests.\n- [More](more.md) about all of it\n- short one\n\
            ```sh\nrun this and that now\n```\n| a | table | with | words |\n<!-- a comment of ours -->\n";
        assert_eq!(
            statements(text),
            [
                "The build needs node 20 or later.",
                "Use pnpm, never npm, here. It keeps one lock file.",
                "Run the migrations before tests.",
            ]
        );
        assert_eq!(statements(""), Vec::<String>::new());
        for text in [
            "---\r\nname: a note\r\ndescription: words that say a lot of it\r\n---\r\nThe build needs node 20.\r\n",
            "\n--- \ndescription: words that say a lot of it\n...\nThe build needs node 20.",
        ] {
            assert_eq!(statements(text), ["The build needs node 20."], "{text}");
        }
        assert_eq!(statements("---\ndescription: all of it and no more\n---"), [""; 0]);
        assert_eq!(
            statements("---\nIt is a rule, and no front matter"),
            ["It is a rule, and no front matter"]
        );
    }
}

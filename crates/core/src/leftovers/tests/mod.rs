mod added;
mod laws;

use super::{Leftover, find};

/// Files as a table: `=== path`, then its lines, each with the kind of leftover that it is.
const TABLES: [(&str, &str); 3] = [
    ("compiled", include_str!("cases/compiled.txt")),
    ("script", include_str!("cases/script.txt")),
    ("data", include_str!("cases/data.txt")),
];

/// A file of a table: its path, its text, and what is to be found in which line.
struct Case {
    path: &'static str,
    text: String,
    expected: Vec<(usize, Leftover)>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for row in TABLES.iter().flat_map(|it| it.1.lines()) {
        if let Some(path) = row.strip_prefix("=== ") {
            cases.push(Case { path, text: String::new(), expected: Vec::new() });
            continue;
        }
        let case = cases.last_mut().unwrap();
        let (mark, line) = row.split_once('|').unwrap();
        case.text.push_str(line);
        case.text.push('\n');
        let number = case.text.lines().count();
        let kind = match mark {
            "T" => Leftover::Todo,
            "U" => Leftover::Unfinished,
            "D" => Leftover::Debug,
            " " => continue,
            _ => panic!("{row}"),
        };
        case.expected.push((number, kind));
    }
    cases
}

#[test]
fn the_tables_are_found_exactly() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = find(case.path, &case.text, |_| true);
        let found: Vec<_> = found.iter().map(|it| (it.line, it.kind)).collect();
        for (index, line) in case.text.lines().enumerate() {
            let of = |list: &[(usize, Leftover)]| {
                list.iter().find(|it| it.0 == index + 1).map(|it| it.1)
            };
            let (expected, found) = (of(&case.expected), of(&found));
            if expected != found {
                let place = format!("{}:{}", case.path, index + 1);
                wrong.push(format!("{place}: {line}\n    {expected:?}, found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

//! Laws of the comparison of two texts.

use super::laws::Numbers;
use crate::leftovers::added_lines;

/// The longest common subsequence, by the book.
fn common(old: &[&str], new: &[&str]) -> usize {
    let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (row, left) in old.iter().enumerate() {
        for (column, right) in new.iter().enumerate() {
            table[row + 1][column + 1] = if left == right {
                table[row][column] + 1
            } else {
                table[row][column + 1].max(table[row + 1][column])
            };
        }
    }
    table[old.len()][new.len()]
}

/// The lines of the new text that were there before.
fn kept<'a>(new: &'a str, added: &[usize]) -> Vec<&'a str> {
    let lines = new.lines().enumerate();
    lines.filter(|it| !added.contains(&(it.0 + 1))).map(|it| it.1).collect()
}

fn is_subsequence(part: &[&str], whole: &[&str]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|line| whole.any(|it| it == line))
}

#[test]
fn what_is_not_added_is_the_longest_part_that_both_texts_have_in_order() {
    let mut numbers = Numbers(7);
    for round in 0..20_000 {
        let kinds = 1 + numbers.below(1 + round % 12);
        let mut text = |most| -> String {
            let lines = numbers.below(most);
            let lines: Vec<_> = (0..lines).map(|_| numbers.below(kinds).to_string()).collect();
            lines.join("\n")
        };
        let (old, new) = (text(14), text(14));
        let added = added_lines(&old, &new);
        let old: Vec<&str> = old.lines().collect();
        let kept = kept(&new, &added);
        let new: Vec<&str> = new.lines().collect();
        assert!(added.is_sorted() && added.iter().all(|it| (1..=new.len()).contains(it)));
        assert!(is_subsequence(&kept, &old), "{old:?} {new:?} {added:?}");
        assert_eq!(kept.len(), common(&old, &new), "{old:?} {new:?} {added:?}");
    }
}

#[test]
fn an_edit_of_a_long_text_is_found_line_by_line() {
    let mut numbers = Numbers(11);
    for _ in 0..200 {
        let old: Vec<String> = (0..300).map(|it| format!("{}", it % 40)).collect();
        let mut new = old.clone();
        let mut written = Vec::new();
        for edit in 0..numbers.below(20) {
            let at = numbers.below(new.len());
            if numbers.below(2) == 0 {
                new.remove(at);
            } else {
                new.insert(at, format!("new {edit}"));
            }
        }
        for (index, line) in new.iter().enumerate() {
            if line.starts_with("new") {
                written.push(index + 1);
            }
        }
        assert_eq!(added_lines(&old.join("\n"), &new.join("\n")), written);
    }
}

#[test]
fn plain_cases() {
    for (old, new, added) in [
        ("", "", vec![]),
        ("a\nb\n", "", vec![]),
        ("", "a\nb", vec![1, 2]),
        ("a\nb\nc", "a\nx\nc", vec![2]),
        ("a\nb", "b\na", vec![2]),
        ("a\na", "a\na\na", vec![3]),
        // Line breaks and depth are not what somebody wrote.
        ("a\r\nb\r\n", "a\nb\n", vec![]),
        ("if x\na", "if x\n\tif y\n\t\ta", vec![2]),
        ("a\nb", "a\nb\n", vec![]),
    ] {
        assert_eq!(added_lines(old, new), added, "{old:?} {new:?}");
    }
}

/// Lines in an order without any sense.
fn shuffled(count: usize, seed: u64) -> Vec<String> {
    let mut numbers = Numbers(seed);
    let mut lines: Vec<String> = (0..count).map(|it| format!("line {it}")).collect();
    for at in (1..count).rev() {
        lines.swap(at, numbers.below(at + 1));
    }
    lines
}

#[test]
fn two_long_texts_without_a_common_line_are_all_new() {
    let old = shuffled(100_000, 1).join("\n");
    let new = old.replace("line", "word");
    assert_eq!(added_lines(&old, &new).len(), 100_000);
}

/// The comparison by order would need some 10^10 steps here.
#[test]
fn a_text_in_another_order_is_compared_by_count() {
    let old = shuffled(100_000, 1);
    let mut new = shuffled(100_000, 2);
    new[500] = "a new one".to_owned();
    new[600] = new[700].clone();
    let added = added_lines(&old.join("\n"), &new.join("\n"));
    assert_eq!(added, [501, 701]);
}

#[test]
fn a_text_of_one_line_over_and_over_is_compared_by_count() {
    let old = "a\nb\n".repeat(50_000);
    let new = "b\nb\na\na\nb\n".repeat(20_000);
    let added = added_lines(&old, &new);
    let lines: Vec<&str> = new.lines().collect();
    assert!(added.iter().all(|it| lines[it - 1] == "b"));
    assert_eq!(added.len(), 10_000);
}

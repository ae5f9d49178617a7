//! Which lines of a text are new.
//!
//! The shortest edit script after Myers, on lines that both texts have: a line without a
//! counterpart is new or gone, whatever the order. A line that only changed its depth or its line
//! break was not written anew, so the white space around it does not count.

/// Steps that a comparison may take beside those that the length of the texts asks for.
const BUDGET: usize = 400_000;

/// Finds the lines of `new` that are not in `old`, by their numbers from 1.
///
/// Where two texts are so different that the comparison would take long, a line counts as new if
/// `old` has fewer lines like it: then the order of lines is not looked at.
pub fn added_lines(old: &str, new: &str) -> Vec<usize> {
    let old: Vec<&str> = old.lines().map(str::trim).collect();
    let new: Vec<&str> = new.lines().map(str::trim).collect();
    let head = common(old.iter(), new.iter());
    let tail = common(old[head..].iter().rev(), new[head..].iter().rev());
    let old = &old[head..old.len() - tail];
    let new = &new[head..new.len() - tail];

    let (old, new) = numbers(old, new);
    let shared = |it: &&Option<usize>| it.is_some();
    let left: Vec<usize> = old.iter().filter(shared).copied().flatten().collect();
    let right: Vec<usize> = new.iter().filter(shared).copied().flatten().collect();
    let mut kept = kept(&left, &right).into_iter();
    let is_new = |line: &Option<usize>| line.is_none() || kept.next() != Some(true);
    let is_new: Vec<bool> = new.iter().map(is_new).collect();
    let lines = is_new.iter().enumerate().filter(|it| *it.1);
    lines.map(|it| head + it.0 + 1).collect()
}

/// How many elements two sequences have in common from their beginning on.
fn common<'a>(
    left: impl Iterator<Item = &'a &'a str>,
    right: impl Iterator<Item = &'a &'a str>,
) -> usize {
    left.zip(right).take_while(|it| it.0 == it.1).count()
}

/// Lines as numbers, equal where the lines are; nothing for a line that the other text lacks.
///
/// Sorted, not hashed: nobody can write a text that makes this slow.
fn numbers(old: &[&str], new: &[&str]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let mut order: Vec<(u64, &str, usize)> = Vec::with_capacity(old.len() + new.len());
    order.extend(old.iter().chain(new).enumerate().map(|(at, it)| (mix(it), *it, at)));
    order.sort_unstable();
    let mut numbers = vec![None; order.len()];
    for (number, same) in order.chunk_by(|left, right| left.1 == right.1).enumerate() {
        let in_old = same.iter().any(|it| it.2 < old.len());
        let in_new = same.iter().any(|it| it.2 >= old.len());
        for it in same.iter().filter(|_| in_old && in_new) {
            numbers[it.2] = Some(number);
        }
    }
    let new = numbers.split_off(old.len());
    (numbers, new)
}

/// A number by which most different lines differ, so that few are compared by their bytes.
fn mix(line: &str) -> u64 {
    let (words, rest) = line.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|it| u64::from_le_bytes(*it));
    words.fold(line.len() as u64, |sum, word| {
        (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

/// Which elements of `new` are kept from `old`.
fn kept(old: &[usize], new: &[usize]) -> Vec<bool> {
    let mut kept = vec![false; new.len()];
    match rounds(old, new) {
        Some(rounds) => trace(&rounds, old, new, &mut kept),
        None => count(old, new, &mut kept),
    }
    kept
}

/// How far each diagonal of the edit graph was reached with a number of edits.
///
/// A diagonal is `lines of old + new.len() - lines of new`, so that it is never negative.
struct Round {
    first: usize,
    reached: Vec<usize>,
}

impl Round {
    fn at(&self, diagonal: usize) -> usize {
        self.reached[(diagonal - self.first) / 2]
    }
}

/// The way of every number of edits, until both texts end; nothing where the budget does.
fn rounds(old: &[usize], new: &[usize]) -> Option<Vec<Round>> {
    let (rows, columns) = (old.len(), new.len());
    let mut budget = BUDGET + 4 * (rows + columns);
    let mut rounds: Vec<Round> = Vec::new();
    for edits in 0..=rows + columns {
        let first = columns.abs_diff(edits);
        let last = if edits <= rows { columns + edits } else { columns + 2 * rows - edits };
        let mut reached = Vec::with_capacity((last - first) / 2 + 1);
        for diagonal in (first..=last).step_by(2) {
            let mut row = match rounds.last() {
                Some(before) if inserts(before, diagonal, edits, columns) => {
                    before.at(diagonal + 1)
                }
                Some(before) => before.at(diagonal - 1) + 1,
                None => 0,
            };
            let begin = row;
            // On this diagonal, the column is the row and a constant.
            while row < rows
                && (row + columns).checked_sub(diagonal).and_then(|it| new.get(it))
                    == Some(&old[row])
            {
                row += 1;
            }
            reached.push(row);
            budget = budget.checked_sub(1 + row - begin)?;
            // The diagonal on which both texts end.
            if row >= rows && diagonal == rows {
                rounds.push(Round { first, reached });
                return Some(rounds);
            }
        }
        rounds.push(Round { first, reached });
    }
    None
}

/// Whether the best way to a diagonal is a line of the new text.
fn inserts(before: &Round, diagonal: usize, edits: usize, columns: usize) -> bool {
    let lowest = edits <= columns && diagonal == columns - edits;
    let highest = diagonal == columns + edits;
    lowest || !highest && before.at(diagonal - 1) < before.at(diagonal + 1)
}

/// Goes the way back and marks what both texts have.
fn trace(rounds: &[Round], old: &[usize], new: &[usize], kept: &mut [bool]) {
    let columns = new.len();
    let (mut row, mut column) = (old.len(), columns);
    for edits in (0..rounds.len()).rev() {
        let diagonal = row + columns - column;
        let start = match edits.checked_sub(1).map(|it| &rounds[it]) {
            Some(before) if inserts(before, diagonal, edits, columns) => before.at(diagonal + 1),
            Some(before) => before.at(diagonal - 1) + 1,
            None => 0,
        };
        while row > start {
            row -= 1;
            column -= 1;
            kept[column] = true;
        }
        if let Some(before) = edits.checked_sub(1).map(|it| &rounds[it]) {
            if inserts(before, diagonal, edits, columns) {
                column -= 1;
            } else {
                row -= 1;
            }
        }
    }
}

/// Keeps as many lines of each kind as there were.
fn count(old: &[usize], new: &[usize], kept: &mut [bool]) {
    let size = old.iter().chain(new).max().map_or(0, |it| it + 1);
    let mut left = vec![0usize; size];
    for line in old {
        left[*line] += 1;
    }
    for (line, kept) in new.iter().zip(kept) {
        *kept = left[*line] > 0;
        left[*line] -= usize::from(*kept);
    }
}

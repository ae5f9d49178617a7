//! Bodies that others are meant to write: abstract methods and the classes that hold them.

use super::line::Line;

/// Words near a method, or in its complaint, that say that it is abstract.
const NEAR: &[&str] = &["abstract", "subclass", "overrid", "overload", "must implement"];
/// Words in the name or the bases of a class that nobody makes a value of.
const CLASSES: &[&str] = &["Abstract", "ABC", "Base", "Interface", "Mixin", "Protocol", "abstract"];
/// How many lines above a method belong to it.
const NEAR_LINES: usize = 3;
/// How far above a body the head of its method is looked for.
const METHOD_LINES: usize = 40;
/// How far above a body its class is looked for.
const CLASS_LINES: usize = 1000;

/// Whether a line stands for a body that others write.
pub(super) fn is_contract(line: &Line<'_>) -> bool {
    let near = |text: &str| {
        let lower = text.to_ascii_lowercase();
        NEAR.iter().any(|it| lower.contains(it))
    };
    let head = line.above(METHOD_LINES).position(is_head).map_or(0, |it| it + 1);
    near(line.whole) || line.above(head + NEAR_LINES).any(near) || in_abstract_class(line)
}

/// Whether a line is the head of a method, in languages where it begins with a word.
fn is_head(line: &str) -> bool {
    let line = line.trim_start();
    ["def ", "async def "].iter().any(|it| line.starts_with(it))
}

/// Whether the nearest class that is less indented is abstract.
fn in_abstract_class(line: &Line<'_>) -> bool {
    let depth = indentation(line.whole);
    let mut above = line.above(CLASS_LINES);
    let class = above.find(|it| {
        let is_class = it.split_whitespace().take(4).any(|it| it == "class" || it == "module");
        is_class && indentation(it) < depth
    });
    class.is_some_and(|it| CLASSES.iter().any(|word| it.contains(word)))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

//! The directory in which a command line leaves its shell.

use super::line::{Chain, Line, Nest, Part, Place};
use super::recognise::change_directory;
use super::status::only;

/// The directory in which a line ends, as its `cd` name it from where it began; `None` where it stays
/// there.
pub(super) fn end_directory(line: &Line) -> Option<String> {
    let mut directory = None;
    follow(line, &mut directory);
    directory
}

fn follow(line: &Line, directory: &mut Option<String>) {
    let is_waited_for = |it: &&Chain| it.place == Place::Foreground;
    for step in line.chains.iter().filter(is_waited_for).flat_map(|it| &it.steps) {
        match step.pipe.as_slice() {
            [Part::Group(group)] if group.nest == Nest::Braces => {
                group.lines.iter().for_each(|it| follow(it, directory));
            }
            _ => {
                if let Some(simple) = only(step) {
                    change_directory(simple, directory);
                }
            }
        }
    }
}

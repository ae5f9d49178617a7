//! Colour, on a terminal that wants it. It never carries a meaning that the words do not.

use std::io::{IsTerminal, stdout};

use crate::{Host, env};

/// Whether colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    On,
    Off,
}

impl Colour {
    /// What suits stdout and the user.
    pub(crate) fn of(host: &Host) -> Self {
        let refused = host.variable(env::NO_COLOR).is_some();
        let dumb = host.variable(env::TERM).is_some_and(|it| it == "dumb");
        if stdout().is_terminal() && !refused && !dumb { Self::On } else { Self::Off }
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What is good, in words too.
    pub(crate) fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// What needs a look, in words too.
    pub(crate) fn bad(self, text: &str) -> String {
        self.paint("31", text)
    }

    /// What matters less.
    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::On if !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Self::On | Self::Off => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Colour;

    #[test]
    fn without_colour_the_words_are_all_there_is() {
        assert_eq!(Colour::Off.bad("failed"), "failed");
        assert_eq!(Colour::On.bad("failed"), "\u{1b}[31mfailed\u{1b}[0m");
        assert_eq!(Colour::On.faint(""), "");
    }
}

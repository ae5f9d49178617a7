//! Which lines of a user's message the user wrote, and which were pasted into it.
//!
//! Each line is looked at by itself ([`mod@line`]): a line of a log, of a diff, of a table or of code is
//! known by its form. What has no form of its own, such as a mail or a plan, is known by what stands
//! around it ([`region`]). The lines of the author before and behind a paste stay the author's.

mod block;
mod chat;
mod code;
mod copied;
mod discussed;
mod document;
mod ending;
mod heading;
mod line;
mod log;
mod opener;
mod region;
mod report;
mod rows;
mod tongue;
mod tool;
mod trace;
mod words;

#[cfg(test)]
mod tests;

use line::{LineMark, line_mark};

/// Whose word a line of a user's message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineVoice {
    /// The user's own.
    Said,
    /// A line of a long text: the user gave it, and may not have written it. Or one that tells what
    /// somebody else says.
    Noted,
    /// Pasted: the word of somebody else, or of a program.
    Quoted,
}

/// Words of the author's own lines from which on a message is long.
const LONG_WORDS: usize = 300;

/// The author's own lines from which on a message is long.
const LONG_LINES: usize = 40;

/// Words and lines of a first paragraph that stays the author's in a long message.
const FIRST_WORDS: usize = 40;
const FIRST_LINES: usize = 3;

/// Tells whose word each line of a message is. Lines are what `\n` separates.
pub(crate) fn line_voices(text: &str) -> Vec<LineVoice> {
    let lines: Vec<&str> = text.split('\n').map(|it| it.trim_end_matches('\r')).collect();
    let marks: Vec<LineMark> = lines.iter().map(|it| line_mark(it)).collect();
    let mut quoted = vec![false; lines.len()];
    region::quote_regions(&lines, &marks, &mut quoted);
    region::quote_paragraphs(&lines, &marks, &mut quoted);
    tongue::quote_other_tongue(&lines, &mut quoted);
    // A paragraph below the text may tell where it comes from.
    let is_backward = |at: &usize| {
        opener::is_backward(lines[*at]) && (*at == 0 || lines[at - 1].trim().is_empty())
    };
    if let Some(at) = (1..lines.len()).find(is_backward) {
        quoted[..at].fill(true);
    }
    let mut voices: Vec<_> =
        quoted.into_iter().map(|it| if it { LineVoice::Quoted } else { LineVoice::Said }).collect();
    note_long_text(&lines, &mut voices);
    for (at, voice) in voices.iter_mut().enumerate() {
        let is_others = || report::is_report(lines[at]) || tool::is_advice(&lines, at);
        if *voice == LineVoice::Said && is_others() {
            *voice = LineVoice::Noted;
        }
    }
    discussed::note_discussed(&lines, &mut voices);
    voices
}

/// Makes notes of the author's own lines where there are too many of them to be typed rules.
fn note_long_text(lines: &[&str], voices: &mut [LineVoice]) {
    let said = |voices: &[LineVoice], at: usize| {
        voices[at] == LineVoice::Said && !lines[at].trim().is_empty()
    };
    let own: Vec<usize> = (0..lines.len()).filter(|it| said(voices, *it)).collect();
    let words: usize = own.iter().map(|it| count_words(lines[*it])).sum();
    if words <= LONG_WORDS && own.len() <= LONG_LINES {
        return;
    }
    let first = first_paragraph(lines);
    let is_first_short = first.len() <= FIRST_LINES
        && first.clone().map(|it| count_words(lines[it])).sum::<usize>() <= FIRST_WORDS;
    for at in own {
        if !(is_first_short && first.contains(&at)) {
            voices[at] = LineVoice::Noted;
        }
    }
}

fn first_paragraph(lines: &[&str]) -> std::ops::Range<usize> {
    let start = lines.iter().position(|it| !it.trim().is_empty()).unwrap_or(0);
    let length = lines[start..].iter().take_while(|it| !it.trim().is_empty()).count();
    start..start + length
}

/// The words of a text. Where words have no spaces between them, two letters stand for one.
fn count_words(text: &str) -> usize {
    let spaced = text.split_whitespace().count();
    let wide = text.chars().filter(|it| tongue::is_wide(*it)).count();
    spaced + wide / 2
}

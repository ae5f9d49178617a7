//! Transcripts in a message: a block that shows how a run ended says that it ended so.
//!
//! A block is one where a known runner closes with counts that pass. What the block is may stand in
//! the line before it: an example, what the reader should see, an old log. Such a block says nothing.

use super::{Claim, ClaimScope, Claimed};
use crate::Excerpt;
use crate::evidence::{RunKind, passing_kinds};

use super::lexicon::{SECTION_GUARDS, words};
use super::lines::{fence, heading, names};

/// What a block of code may be called that holds output.
const OUTPUT: &[&str] = words! {
    "" "text" "txt" "console" "shell" "sh" "bash" "zsh" "shell-session" "shellsession" "output" "log"
    "terminal" "plaintext" "plain" "none" "session"
};

/// Words before a block that is not a result of this session.
const NOT_NOW: &[&str] = words! {
    "example" "examples" "sample" "e.g" "such" "like" "expected" "expect" "should" "would" "will" "could" "can"
    "might" "may" "if" "when" "once" "until" "before" "previous" "previously" "old" "older" "earlier" "original"
    "originally" "yesterday" "last" "was" "were" "you" "your" "you'll" "upstream" "main" "master" "ci" "readme"
    "docs" "documentation" "documents" "format" "parses" "parse" "reads" "matches" "recognises" "recognizes"
    "prints" "print" "template" "mock" "fixture" "instead" "claimed" "reported" "user" "quote" "quoted"
    "beispiel" "erwartet" "vorher" "früher" "alte" "exemple" "attendu" "avant" "ejemplo" "esperado" "esperada"
    "antes" "exemplo" "esempio" "atteso" "prima" "voorbeeld" "verwacht" "exempel" "eksempel" "przykład" "příklad"
    "пример" "раньше" "приклад" "раніше" "örnek" "beklenen"
};

/// Signs with which a shell asks for a command.
const PROMPTS: &[&str] = &["$ ", "❯ ", "➜ ", "% "];

/// The same in scripts without spaces.
const SOLID_NOT_NOW: &[&str] = words! { "示例" "例如" "预期" "預期" "之前" "以前" "应该" "例えば" "期待" "예시" "예상" "이전" };

/// What the blocks of a message show to have passed, each once.
pub(super) fn claims(message: &Excerpt) -> Vec<Claim> {
    let may = |text: &str| ["```", "~~~", "    "].iter().chain(PROMPTS).any(|it| text.contains(it));
    let tail = message.tail.as_deref();
    if !may(&message.head) && !tail.is_some_and(may) {
        return Vec::new();
    }
    let mut found: Vec<Claim> = Vec::new();
    for text in [Some(message.head.as_str()), tail].into_iter().flatten() {
        for block in blocks(text) {
            for kind in passing_kinds(&Excerpt::of(&*block)) {
                let what = claimed(kind);
                if !found.iter().any(|it| it.what == what) {
                    let quote = closing_line(&block, kind);
                    let (scope, is_ci, is_compilation) = (ClaimScope::Some, false, false);
                    let has_gap = false;
                    found.push(Claim { what, quote, scope, is_ci, is_compilation, has_gap });
                }
            }
        }
    }
    found
}

fn claimed(kind: RunKind) -> Claimed {
    match kind {
        RunKind::Test => Claimed::Tests,
        RunKind::Build => Claimed::Build,
        RunKind::Lint => Claimed::Lint,
        RunKind::Types => Claimed::Types,
    }
}

/// The last line that closes the run, or the last one of the block.
fn closing_line(block: &str, kind: RunKind) -> String {
    let closes = |line: &&str| passing_kinds(&Excerpt::of(*line)).contains(&kind);
    let lines = || block.lines().rev().filter(|it| !it.trim().is_empty());
    let line = lines().find(closes).or_else(|| lines().next()).unwrap_or_default();
    line.trim().chars().take(Claim::QUOTE).collect()
}

/// The blocks of a text that present output as a result.
fn blocks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = BlockReader::default();
    let lines: Vec<_> = text.lines().collect();
    for line in &lines {
        if let Some(block) = reader.read(line) {
            found.push(block);
        }
    }
    found.extend(reader.end());
    found
}

/// Where in a text a line stands.
#[derive(Default)]
struct BlockReader<'a> {
    fence: Option<&'a str>,
    /// The block is one of output, and nothing before it takes it out.
    counts: bool,
    block: String,
    /// The last line that was not one of a block, and whether its section is a plan.
    before: &'a str,
    is_plan: bool,
    is_blank: bool,
}

impl<'a> BlockReader<'a> {
    /// Takes a line; gives the block that it ends.
    fn read(&mut self, line: &'a str) -> Option<String> {
        let mark = fence(line);
        if let Some(opened) = self.fence {
            if mark.is_some_and(|it| it.starts_with(opened) && it == line.trim()) {
                self.fence = None;
                return self.end();
            }
            self.add(line);
            return None;
        }
        if let Some(mark) = mark {
            let ended = self.end();
            let name = line.trim().trim_start_matches(mark).trim().to_lowercase();
            self.fence = Some(mark);
            self.counts = OUTPUT.contains(&name.as_str()) && self.may_count();
            return ended;
        }
        let text = line.trim();
        // `$ pytest`, and an indented block after a blank line.
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        let goes_on = !self.block.is_empty() && !text.is_empty();
        let opens = PROMPTS.iter().any(|it| text.starts_with(it))
            || is_indented && self.is_blank && !text.is_empty();
        self.is_blank = text.is_empty();
        if goes_on || opens {
            if !goes_on {
                self.counts = self.may_count();
            }
            self.add(text);
            return None;
        }
        let ended = self.end();
        if let Some(title) = heading(text) {
            self.is_plan = names(title, SECTION_GUARDS);
        }
        if !text.is_empty() {
            self.before = text;
        }
        ended
    }

    fn add(&mut self, line: &str) {
        // A comment within the block may tell what it is.
        let is_comment = line.trim_start().starts_with('#') || line.trim_start().starts_with("//");
        self.counts &= !(is_comment && is_not_now(line));
        self.block.push_str(line);
        self.block.push('\n');
    }

    fn end(&mut self) -> Option<String> {
        let block = std::mem::take(&mut self.block);
        (self.counts && !block.is_empty()).then_some(block)
    }

    fn may_count(&self) -> bool {
        !self.is_plan && !self.before.starts_with('>') && !is_not_now(self.before)
    }
}

fn is_not_now(line: &str) -> bool {
    let last = line.rsplit(". ").next().unwrap_or(line);
    names(last, NOT_NOW) || SOLID_NOT_NOW.iter().any(|it| last.contains(it))
}

//! What a gap is about: `I did not test on Windows` says nothing of the tests that a message claims
//! to pass.

use super::lexicon::words;
use super::{Kind, Sentence};

/// A gap in another part of the work than the tests as such.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aside {
    /// What it is about, one bit for each row of `TOPICS`.
    topics: u32,
    /// The sentence, and the tokens of its clause.
    place: usize,
    clause: (usize, usize),
}

/// Beginnings of words for what may be left open while the tests pass.
#[rustfmt::skip]
const TOPICS: &[&[&str]] = &[
    // Kinds of tests.
    &["e2e", "end-to-end", "playwright", "cypress", "selenium", "browser", "navega", "navigateur", "браузер", "浏览器", "瀏覽器", "ブラウザ", "브라우저"],
    &["integration", "integración", "integracion", "integração", "integrazione", "integratie", "intégration", "integracyj", "integrační", "integraatio", "entegrasyon", "интеграц", "інтеграц", "集成", "整合", "結合", "統合", "통합"],
    &["snapshot", "visual"],
    &["doctest", "doc-test", "doc"],
    &["slow", "nightly", "fuzz", "smoke", "acceptance", "ignored", "gpu", "stress", "network", "langsame"],
    &["unit"],
    &["frontend", "front-end", "web"],
    &["backend", "back-end", "server", "api"],
    // Where it was not run.
    &["windows"],
    &["macos", "mac", "osx", "darwin"],
    &["linux", "ubuntu", "debian", "alpine"],
    &["android", "ios", "iphone", "mobile", "device", "phone", "safari", "firefox", "chrome", "arm", "hardware"],
    &["ci", "ci/cd", "pipeline", "github", "gitlab", "workflow", "jenkins"],
    &["prod", "staging", "deploy", "live", "cluster", "produktion", "production", "продакш", "生产", "生產", "本番", "운영"],
    // What was not looked at.
    &["ui", "gui", "ux", "manual", "manuell", "manuel", "interface", "layout", "click", "hand", "вручную", "вручну", "手动", "手動"],
    &["performance", "perf", "benchmark", "bench", "load", "latency", "speed", "memory", "throughput"],
    &["lint", "linter", "eslint", "clippy", "ruff", "format", "prettier", "mypy", "pylint", "rubocop"],
    &["docs", "documentation", "coverage", "link", "spelling", "changelog", "readme", "translation", "style", "comment"],
    &["migration", "upgrade", "backup", "rollback"],
    &["python", "node", "mysql", "postgres", "msrv", "release"],
];
/// How many of the topics are kinds of tests.
const KINDS: u32 = 8;
/// The topic of what runs elsewhere.
const CI: usize = 12;

/// Words that begin another clause, or a reason.
const CLAUSES: &[&str] = words! {
    "but" "however" "because" "since" "due" "as" "without" "for" "until" "aber" "weil" "da" "wegen" "denn" "ohne" "mais"
    "parce" "car" "faute" "sans" "pero" "porque" "ya" "por" "sin" "mas" "pois" "sem" "ma" "perché" "poiché" "senza"
    "maar" "omdat" "want" "zonder" "men" "eftersom" "fordi" "utan" "uten" "mutta" "koska" "ale" "bo" "ponieważ" "bez"
    "protože" "dar" "deoarece" "pentru" "fără" "mert" "çünkü" "но" "потому" "поскольку" "без" "але" "бо" "оскільки"
};
/// What was changed: a gap about it is one about all of the work.
const WORK: &[&str] = words! {
    "it" "this" "that" "them" "these" "those" "change" "changes" "fix" "fixes" "edit" "edits" "code" "patch" "result"
    "results" "everything" "anything" "all" "any" "work" "test" "tests" "suite" "suites" "build" "whether" "if" "yet" "here"
    "locally" "myself" "again" "behavior" "behaviour" "implementation" "solution" "project" "things" "thing" "whole" "full"
};
/// Words before what was not looked at.
const DETERMINERS: &[&str] =
    words! { "the" "my" "our" "its" "new" "other" "generated" "actual" "real" "how" };
/// Verbs whose object is what was not looked at.
const LOOKS: &[&str] = words! {
    "test" "tested" "testing" "verify" "verified" "verifying" "check" "checked" "confirm" "confirmed" "validate"
    "validated" "try" "tried" "exercise" "exercised"
};

impl Aside {
    /// What the gap at a token of a sentence is about, where that is a part of the work only.
    pub(super) fn of(sentence: &Sentence<'_>, place: usize, at: usize) -> Option<Self> {
        let clause = clause(sentence, at);
        let topics = topics(sentence, clause);
        let is_other = || topics != 0 || looks_at_other(sentence, at, clause.1);
        is_other().then_some(Self { topics, place, clause })
    }

    /// The sentence in which the gap stands.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Tells whether the gap is about what a name of a test names.
    pub(super) fn is_of_name(&self, name: &str) -> bool {
        self.topics & topics_of(name) != 0
    }

    /// Tells whether the gap is about a kind of tests.
    pub(super) fn is_of_tests(&self) -> bool {
        self.topics & ((1 << KINDS) - 1) != 0
    }

    /// Tells whether the gap is about what the words of a sentence up to a token claim.
    pub(super) fn is_about(
        &self,
        sentence: &Sentence<'_>,
        place: usize,
        end: usize,
        is_ci: bool,
    ) -> bool {
        // A claim in the clause of the gap itself is about the same.
        let (start, end) = clause(sentence, end.min(sentence.tokens.len()).saturating_sub(1));
        let (from, to) = if place == self.place { self.clause } else { (end, end) };
        let own = topics(sentence, (0, from.min(end))) | topics(sentence, (to.min(end), end));
        let ci = if is_ci { 1 << CI } else { 0 };
        self.topics & (own | ci) != 0 || place == self.place && start == from
    }
}

/// The tokens around one, up to a sign or a word that begins another clause.
fn clause(sentence: &Sentence<'_>, at: usize) -> (usize, usize) {
    let is_pronoun = |at: usize| sentence.is(at, &["i", "we", "it", "they", "there"]);
    let is_edge = |it: &usize| {
        let is_sign = matches!(
            sentence.kind(*it),
            Some(Kind::Comma | Kind::Dash | Kind::Colon | Kind::Open | Kind::Close)
        );
        let joins = sentence.is(*it, &["and", "so"]) && is_pronoun(it + 1);
        is_sign || joins || sentence.is(*it, CLAUSES)
    };
    let from = (0..at).rev().find(is_edge).map_or(0, |it| it + 1);
    let to = (at + 1..sentence.tokens.len()).find(is_edge).unwrap_or(sentence.tokens.len());
    (from, to)
}

/// The topics of some tokens.
fn topics(sentence: &Sentence<'_>, (from, to): (usize, usize)) -> u32 {
    let tokens = sentence.tokens.get(from..to).unwrap_or_default();
    tokens.iter().fold(0, |found, token| match token.kind {
        Kind::Word if token.word.is_ascii() => found | topic(&token.word),
        // Words of a script without spaces are one token.
        Kind::Word => {
            let has = |row: &[&str]| row.iter().any(|it| !it.is_ascii() && token.word.contains(it));
            let solid = (0..TOPICS.len()).filter(|it| has(TOPICS[*it])).map(|it| 1 << it);
            found | topic(&token.word) | solid.sum::<u32>()
        }
        Kind::Code(_) => {
            let code = sentence.passage.get(token.start..token.end).unwrap_or_default();
            found | topics_of(code)
        }
        _ => found,
    })
}

/// The topics of a name or a command.
fn topics_of(name: &str) -> u32 {
    let parts = name.split(|it: char| !it.is_alphanumeric() && it != '-');
    parts.fold(0, |all, it| all | topic(&it.to_lowercase()))
}

/// The topics whose words a word begins with; a short one is the whole word.
fn topic(word: &str) -> u32 {
    let fits =
        |stem: &&&str| word.starts_with(**stem) && (stem.len() > 4 || word.len() <= stem.len() + 1);
    let rows = TOPICS.iter().enumerate().filter(|(_, row)| row.iter().find(fits).is_some());
    rows.map(|(at, _)| 1 << at).sum()
}

/// "I have not tested the export button": an object that is neither the tests nor the work.
fn looks_at_other(sentence: &Sentence<'_>, at: usize, end: usize) -> bool {
    let Some(verb) = (at..end).find(|it| sentence.is(*it, LOOKS)) else { return false };
    let is_named = sentence.is(verb + 1, DETERMINERS);
    let is_word = |it: &usize| sentence.kind(*it) == Some(Kind::Word);
    let mut object = (verb + 1..end).take_while(is_word).peekable();
    is_named && object.peek().is_some() && !object.any(|it| sentence.is(it, WORK))
}

//! Languages whose words are not set apart by spaces, or grow at their ends.

use super::{Language, Reading, Words};
use crate::claim::{Claimed, Said};

/// Bytes that may stand between a noun and its state: about twelve letters.
const BETWEEN: usize = 40;

/// A text of more bytes without a comma is no clause of a sentence.
const LONG: usize = 600;

/// What a sentence in small letters says to pass.
pub(super) fn read(language: &Language, text: &str) -> Reading {
    claim_in(language, text).map_or(Reading::Nothing, Reading::Claim)
}

fn claim_in(language: &Language, text: &str) -> Option<Said> {
    let text =
        text.trim_end_matches(['.', '。', '!', '！', ';', '；', ' ', '*', '✅', '🎉', '）', ')']);
    let reader = Reader { language };
    let mut before = "";
    for (from, clause) in clauses(text) {
        if clause.len() > LONG {
            continue;
        }
        let rest = text.get(from + clause.len()..).unwrap_or_default();
        let said = reader.clause(clause, before).filter(|_| {
            let earlier = text.get(..from).unwrap_or_default();
            !any(earlier, language.conditions)
                && !any(clause, language.conditions)
                && !reader.is_taken_back(rest)
        });
        if said.is_some() {
            return said;
        }
        before = text.get(..from + clause.len()).unwrap_or_default();
    }
    None
}

/// Tells whether a sentence says that tests fail.
pub(super) fn fails(language: &Language, text: &str) -> bool {
    any(text, language.tests) && any(text, language.fails) && !any(text, language.none)
}

/// The clauses of a sentence, and where each begins.
fn clauses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    text.split([',', '，', '、', '；', '—', '–']).map(move |clause| {
        let start = from;
        let sign = text.get(start + clause.len()..).and_then(|rest| rest.chars().next());
        from = start + clause.len() + sign.map_or(0, char::len_utf8);
        (start, clause)
    })
}

fn any(text: &str, words: Words) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Where one of the words stands in a text, and where it ends. A word in Latin letters stands
/// alone.
fn places(text: &str, words: Words) -> impl Iterator<Item = (usize, usize)> {
    words.iter().flat_map(move |word| {
        text.match_indices(word).map(|(at, found)| (at, at + found.len())).filter(
            move |(at, end)| {
                let is_latin = |sign: Option<char>| sign.is_some_and(|it| it.is_ascii_alphabetic());
                !word.is_ascii()
                    || !is_latin(text.get(..*at).and_then(|it| it.chars().next_back()))
                        && !is_latin(text.get(*end..).and_then(|it| it.chars().next()))
            },
        )
    })
}

struct Reader<'a> {
    language: &'a Language,
}

impl Reader<'_> {
    /// What a clause says; `before` is the sentence up to it.
    fn clause(&self, clause: &str, before: &str) -> Option<Said> {
        let it = self.language;
        let whole = any(clause, it.all);
        let said = |what, ci| Said { what, whole, end: usize::MAX, ci };
        let nouns = [
            (it.tests, Claimed::Tests, false),
            (it.ci, Claimed::Tests, true),
            (it.builds, Claimed::Build, false),
            (it.lints, Claimed::Lint, false),
        ];
        for (words, what, ci) in nouns {
            let mut named = places(clause, words);
            if named.any(|(_, end)| self.passes(clause, end)) {
                return Some(said(what, ci));
            }
        }
        if self.ran_through(clause) {
            return Some(said(Claimed::Tests, false));
        }
        let named = |text: &str| places(text, it.tests).next().is_some();
        let ran = || any(before, it.ran) && named(before);
        if self.none_fails(clause) && (named(clause) || ran()) {
            return Some(Said { whole: true, ..said(Claimed::Tests, false) });
        }
        if self.everything(clause) && any(before, it.ran) {
            let what = if any(before, it.tests) { Claimed::Tests } else { Claimed::Works };
            return Some(said(what, false));
        }
        // "テスト48件、全件パス".
        let counted = || named(before) && before.len() < 2 * BETWEEN && !any(before, it.guards);
        if self.everything(clause) && counted() {
            return Some(said(Claimed::Tests, false));
        }
        // "テストを実行し、問題ないことを確認しました".
        let is_state = || self.state(clause.trim()).is_some_and(|(at, _)| at == 0);
        if ran() && is_state() && !any(clause, it.guards) {
            return Some(said(Claimed::Tests, false));
        }
        let is_fine = || {
            let mut alls = it.everything.iter().chain(it.all.iter());
            let is_end = |(_, end): (usize, usize)| clause.get(end..).is_some_and(is_ending);
            alls.any(|all| clause.trim().starts_with(all)) && places(clause, it.fine).any(is_end)
        };
        let is_tested = || any(before, it.tested) && !any(before, it.guards);
        if (is_fine() || self.everything(clause)) && is_tested() {
            return Some(Said { whole: false, ..said(Claimed::Works, false) });
        }
        if self.is_well(clause) && is_tested() || before.is_empty() && self.is_tested_alone(clause)
        {
            return Some(Said { whole: false, ..said(Claimed::Works, false) });
        }
        if self.everything(clause) && before.is_empty() {
            return Some(said(Claimed::Works, false));
        }
        let tested = any(clause, it.tested) && (any(clause, it.things) || any(clause, it.works));
        let is_plain = !any(clause, it.guards) && !clause.ends_with('？');
        (tested && is_plain).then(|| Said { whole: false, ..said(Claimed::Works, false) })
    }

    /// "已跑通所有单元测试": the verb, all of it, the tests.
    fn ran_through(&self, clause: &str) -> bool {
        const BEGINS: &[&str] = &[
            "已跑通",
            "跑通了",
            "已通过",
            "已通過",
            "通过了",
            "通過了",
            "已经通过",
            "已經通過",
            "均通过",
        ];
        let it = self.language;
        let Some((at, end)) = BEGINS.iter().find_map(|it| Some((clause.find(it)?, it.len())))
        else {
            return false;
        };
        let rest = clause.get(at + end..).unwrap_or_default();
        let is_all = places(rest, it.all).any(|(at, _)| at <= 3);
        let is_end = |(_, end): (usize, usize)| rest.get(end..).is_some_and(is_ending);
        rest.len() < BETWEEN
            && is_all
            && places(rest, it.tests).any(is_end)
            && !any(clause, it.guards)
            && has_equal_share(clause)
    }

    /// "工作正常", and nothing else.
    fn is_well(&self, clause: &str) -> bool {
        let (it, clause) = (self.language, clause.trim());
        let mut words = it.works.iter().chain(it.fine.iter());
        words.any(|word| clause.strip_prefix(word).is_some_and(is_ending))
    }

    /// "テスト済みです", and nothing else.
    fn is_tested_alone(&self, clause: &str) -> bool {
        let ends =
            ["", "です", "でした", "了", "完成", "完毕", "합니다", "입니다", "됨", "했습니다"];
        let clause = clause.trim();
        let rest = |word: &&str| clause.strip_prefix(word).map(str::trim);
        self.language.tested.iter().filter_map(rest).any(|it| ends.contains(&it))
    }

    /// A state follows a noun, and ends its clause.
    fn passes(&self, clause: &str, noun: usize) -> bool {
        let rest = clause.get(noun..).unwrap_or_default();
        let state = self.state(rest).filter(|(at, _)| *at <= BETWEEN);
        state.is_some_and(|(at, end)| {
            let (between, after) = (rest.get(..at), rest.get(end..));
            let head = clause.get(..noun).unwrap_or_default();
            let guards = self.language.guards;
            !any(head, guards)
                && places(rest, guards).all(|(from, _)| from >= at)
                && between.is_some_and(has_equal_share)
                && has_equal_share(head)
                && after.is_some_and(is_ending)
        })
    }

    /// The state with which a text ends, the longest.
    fn state(&self, text: &str) -> Option<(usize, usize)> {
        let found = places(text, self.language.states);
        let ends = found.filter(|(_, end)| text.get(*end..).is_some_and(is_ending));
        ends.min_by_key(|(at, _)| *at)
    }

    /// "没有测试失败", "실패한 테스트가 없습니다": none and fails, and nothing that passes.
    fn none_fails(&self, clause: &str) -> bool {
        let it = self.language;
        let fails = any(clause, it.fails);
        let ends = it.none.iter().any(|none| clause.trim_end().ends_with(none));
        let begins = places(clause, it.none).any(|(_, end)| {
            let rest = clause.get(end..).unwrap_or_default();
            any(rest, it.fails)
        });
        fails && (ends || begins)
    }

    /// All, state, and nothing else.
    fn everything(&self, clause: &str) -> bool {
        let clause = clause.trim();
        let it = self.language;
        let rest =
            it.everything.iter().chain(it.all.iter()).find_map(|all| clause.strip_prefix(all));
        rest.is_some_and(|rest| {
            self.state(rest).is_some_and(|(at, _)| at <= 9)
                && !any(clause, it.guards)
                && has_equal_share(clause)
        })
    }

    /// Tells whether what follows a claim takes it back.
    fn is_taken_back(&self, rest: &str) -> bool {
        let it = self.language;
        let next = rest.trim_start_matches([',', '，', '、', '；', '—', '–', ' ']);
        it.conditions.iter().any(|word| next.starts_with(word))
            || any(rest, it.fails) && !any(rest, it.none)
    }
}

/// What may follow a state without making it another word.
fn is_ending(after: &str) -> bool {
    let after =
        after.trim_matches([' ', '.', '。', '!', '！', '~', '*', ')', '）', '✅', '🎉', '`']);
    after.is_empty()
        || after.starts_with(['(', '（', ':', '：'])
        || [
            "了", "が", "けど", "です", "済み", "んだ", "함", "지만", "으며", "하며", "且", "并",
            "並", "and",
        ]
        .iter()
        .any(|it| after.starts_with(it))
}

/// Tells whether a share in a text, such as `12/12`, is all of it.
fn has_equal_share(text: &str) -> bool {
    let is_share = |it: char| it.is_ascii_digit() || it == '/';
    text.split(|it| !is_share(it))
        .all(|share| share.split_once('/').is_none_or(|(part, all)| part.is_empty() || part == all))
}

//! How well memories are found, and how often nothing is said where nothing fits.

mod beside;
mod figures;
mod set;
mod speed;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

use windlass_core::memory::{Category, Heard, MemoryId, Role, Trust};
use windlass_core::recall::{
    Builder, CLOSELY, Card, DEEP, Field, Match, Query, Ranking, Search, Seen, Segment,
};
use windlass_core::{Timestamp, recall};

use self::figures::{Figures, Quality, Silence, Sums};
use self::set::{Document, Question, Set};
use super::data::Data;
use super::error::EvalError;
use crate::cli::EvalRecall;
use crate::ui::Colour;
use crate::{Host, ui};

/// How long a ranking is.
const RANKED: usize = 100;

/// Measures how well a set of questions finds its documents.
pub(super) fn run(host: &Host, asked: &EvalRecall) -> Result<(), EvalError> {
    let set = Set::read(&asked.data)?;
    let unknown = set.unknown();
    if unknown > 0 {
        ui::warn(&format!(
            "{unknown} of the ids in `relevant` are no document of their group: they count as not \
             found. Mend queries.jsonl or docs.jsonl."
        ));
    }
    let sessions = asked.sessions.as_deref().map(sessions).transpose()?;
    let sizes = if asked.quick { &[] } else { &speed::SIZES[..] };
    let figures = Figures {
        documents: set.groups.values().map(Vec::len).sum(),
        questions: set.questions.len(),
        groups: set.groups.len(),
        words_alone: quality(&set, Look::Words),
        closely: quality(&set, Look::Closely),
        floor: recall::FLOOR,
        above_floor: quality(&set, Look::Floor(recall::FLOOR)),
        silence: Silence::of(&silence(&set)),
        sessions: sessions.map(|it| it.figures(&set)),
        speed: speed::measure(host, &set, sizes).map_err(EvalError::Index)?,
    };
    if asked.json {
        ui::json(&figures);
    } else {
        text::show(&figures, Colour::of(host));
    }
    Ok(())
}

/// How a ranking is made.
#[derive(Debug, Clone, Copy)]
enum Look {
    /// By the words that a document has.
    Words,
    /// The best of them looked at closely.
    Closely,
    /// And only those that have so much of it, in per cent.
    Floor(u8),
}

/// Documents that are searched together.
struct Store<'a> {
    documents: &'a [Document],
    bytes: Vec<u8>,
}

impl<'a> Store<'a> {
    fn of(documents: &'a [Document]) -> Self {
        Self { documents, bytes: build(documents.iter().map(|it| it.text.as_str())) }
    }

    /// The names of the documents that fit, the best first.
    fn ranked(&self, question: &str, look: Look) -> Vec<&'a str> {
        let segments: Vec<_> = Segment::of(&self.bytes).into_iter().collect();
        let query = Query::of(question);
        let (floor, closely, most) = match look {
            Look::Words => (None, 0, RANKED),
            Look::Closely => (None, CLOSELY, RANKED),
            // No more are read for a prompt.
            Look::Floor(floor) => (Some(floor), CLOSELY, CLOSELY),
        };
        let ranking = Ranking { words: question, query: &query, floor, closely, most };
        let read = |it: &Match| Ok::<_, Infallible>(self.documents.get(it.document as usize));
        let Ok(ranked) = ranking.of(&segments, None, read);
        ranked.all.into_iter().map(|it| it.document.id.as_str()).collect()
    }

    /// How much the best document has of what was asked for, in per cent; nothing where chance alone
    /// would have found it.
    fn coverage(&self, question: &str) -> f32 {
        let segments: Vec<_> = Segment::of(&self.bytes).into_iter().collect();
        let query = Query::of(question);
        let best = Search::new(&segments, &query).best(&query, DEEP, None);
        let coverage = best.iter().filter(|it| it.is_relevant(0)).map(|it| it.coverage * 100.0);
        coverage.fold(0.0, f32::max)
    }
}

impl recall::Document for &Document {
    fn said(&self) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    /// All are worth the same: it is asked how well they fit.
    fn worth(&self) -> f32 {
        1.0
    }
}

fn build<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut builder = Builder::default();
    for (number, text) in (0_u64..).zip(texts) {
        let card = Card {
            id: MemoryId::of_claim("eval", number),
            changed_at: Timestamp(0),
            category: Category::Discovery,
            trust: Trust::Agent,
            shown: 0,
            used: 0,
        };
        builder.add(card, &[(Field::Text, text)], &[]);
    }
    builder.build(0, Seen::default())
}

fn stores(groups: &BTreeMap<String, Vec<Document>>) -> BTreeMap<&str, Store<'_>> {
    groups.iter().map(|(name, documents)| (name.as_str(), Store::of(documents))).collect()
}

/// Every question in the documents of its own group.
fn quality(set: &Set, look: Look) -> Quality {
    quality_of(set, look, |_, it| it.text.as_str().into())
}

/// The same, where something else is asked in the place of each question.
fn quality_of<'a>(
    set: &'a Set,
    look: Look,
    asked: impl Fn(usize, &'a Question) -> Cow<'a, str>,
) -> Quality {
    let stores = stores(&set.groups);
    let mut sums = Sums::default();
    for (number, question) in set.questions.iter().enumerate() {
        let Some(store) = stores.get(question.group.as_str()) else { continue };
        let mut ranked = store.ranked(&asked(number, question), look);
        ranked.retain(|it| !question.exclude.iter().any(|own| own == it));
        sums.add(question, &ranked);
    }
    sums.quality()
}

/// How much of every question the documents of each other group have, in per cent.
fn silence(set: &Set) -> Vec<f32> {
    let stores = stores(&set.groups);
    let others = |question: &'_ Question| {
        let stores = stores.iter().filter(|it| *it.0 != question.group);
        stores.map(|it| it.1.coverage(&question.text)).collect::<Vec<_>>()
    };
    set.questions.iter().flat_map(others).collect()
}

/// What was said in labelled sessions, by groups: what is worth keeping of it, and every prompt.
struct Sessions {
    groups: BTreeMap<String, (Vec<Document>, Vec<String>)>,
}

fn sessions(directory: &Path) -> Result<Sessions, EvalError> {
    let data = Data::read(directory)?;
    let mut groups: BTreeMap<String, (Vec<Document>, Vec<String>)> = BTreeMap::new();
    let mut known = BTreeMap::new();
    for (unit, example) in data.units.iter().zip(&data.examples) {
        let group = groups.entry(example.group.clone()).or_default();
        known.insert(unit.session, example.group.clone());
        if unit.category.is_some() {
            let id = format!("{}/{}", unit.session, unit.at);
            group.0.push(Document { id, text: unit.text.clone() });
        }
    }
    for (session, group) in known {
        let said = data.sessions[session].heard.iter().filter_map(|it| match it {
            Heard::Said { role: Role::User, text, .. } => Some(text.clone()),
            _ => None,
        });
        groups.entry(group).or_default().1.extend(said);
    }
    Ok(Sessions { groups })
}

impl Sessions {
    /// The groups are split in two: the floor is set by one half and judged by the other.
    fn figures(&self, set: &Set) -> figures::Sessions {
        let half = |rest: usize| -> Vec<_> {
            self.groups.iter().enumerate().filter(|it| it.0 % 2 == rest).map(|it| it.1).collect()
        };
        let [first, second] = [0, 1].map(|it| covered(&half(it)));
        let calibrated = figures::calibrated(&first);
        figures::Sessions {
            prompts: self.groups.values().map(|it| it.1.len()).sum(),
            memories: self.groups.values().map(|it| it.0.len()).sum(),
            calibrated,
            first: Silence::of(&first),
            second: Silence::of(&second),
            second_calibrated: Silence::at(&second, calibrated),
            kept_calibrated: quality(set, Look::Floor(calibrated)),
            beside: beside::measure(set, self.groups.values().flat_map(|it| &it.1)),
        }
    }
}

type Group<'a> = (&'a String, &'a (Vec<Document>, Vec<String>));

/// How much of every prompt what is known in each other group has, in per cent.
fn covered(groups: &[Group<'_>]) -> Vec<f32> {
    let mut all = Vec::new();
    for (name, (documents, _)) in groups {
        let store = Store::of(documents);
        let others = groups.iter().filter(|it| it.0 != *name && !documents.is_empty());
        all.extend(others.flat_map(|it| &it.1.1).map(|prompt| store.coverage(prompt)));
    }
    all
}

//! What is known is looked for by words.

use std::collections::BTreeSet;

use serde::Serialize;
use windlass_core::Timestamp;
use windlass_core::memory::{Memory, State, Trust};
use windlass_core::recall::{Query, Stale, terms};

use super::record::Record;
use super::stats::before;
use super::{Access, MemoryError, Site, named};
use crate::Host;
use crate::cli::Recall;
use crate::source::Sources;
use crate::store::{Asked, Chosen, Filter, Hit, Listed, Within};
use crate::ui::{self, Colour};

/// Characters of a text that are shown of each.
const EXCERPT: usize = 240;

/// Memories that can be asked for.
const MOST: usize = 1000;

/// Looks for memories.
pub(in crate::cmd) fn recall(host: &Host, asked: &Recall) -> Result<(), MemoryError> {
    let mut site = Site::find(host, Access::Read)?;
    let words = asked.words.join(" ");
    let within = site.within(asked.all)?;
    let now = site.now;
    let since = asked.since.map(|it| before(now, it.as_millis()));
    // Elsewhere a file has the same name from another root.
    let file = |it: &String| if asked.all { Ok(it.clone()) } else { site.asked_file(it) };
    let file = asked.file.as_ref().map(file).transpose()?;
    let chosen = Chosen {
        category: asked.category,
        trust: asked.trust,
        since,
        file: file.as_deref(),
        session: named(asked.session.as_ref()),
    };
    let most = usize::from(asked.limit);
    let asking = Asked { words: &words, within, floor: None, most, now, chosen };
    let Hits { mut found, are_more } = site.recall(asking)?;
    if asked.listing.json {
        site.store.link(found.iter_mut().map(|it| &mut it.1))?;
        let all = found.iter().map(|(hit, listed)| HitJson::of(hit, listed, now, asked.explain));
        ui::json(&all.collect::<Vec<_>>());
    } else {
        show(&site, &found, asking, asked);
        if are_more {
            let more = (2 * most).min(MOST);
            ui::say(&if more > most {
                format!("There is more that fits: `--limit {more}` shows more of it.")
            } else {
                "There is more that fits: ask with more words.".to_owned()
            });
        }
    }
    Ok(())
}

/// What was found.
#[derive(Debug)]
pub(in crate::cmd) struct Hits {
    pub(in crate::cmd) found: Vec<(Hit, Listed)>,
    /// Whether there is more than was asked for.
    pub(in crate::cmd) are_more: bool,
}

impl Site<'_> {
    /// What fits, with the names of projects.
    pub(in crate::cmd) fn recall(&mut self, asked: Asked<'_>) -> Result<Hits, MemoryError> {
        // Nobody knows where the files of another project are.
        let is_here = asked.within != Within::Everything;
        let root = if is_here { self.root()? } else { None };
        let mut sources = root.as_deref().map(|it| Sources::at(it, &self.directory));
        let stale = |memory: &Memory| sources.as_mut()?.stale(memory);
        let one_more = Asked { most: asked.most + 1, ..asked };
        let mut hits = self.store.recall(one_more, stale)?.hits;
        let are_more = hits.len() > asked.most;
        hits.truncate(asked.most);
        let listed = |hit: Hit| {
            let listed = self.one(hit.recalled.memory.id.as_str())?;
            Ok((hit, listed))
        };
        let found: Result<_, MemoryError> = hits.into_iter().map(listed).collect();
        let found = found?;
        Ok(Hits { found, are_more })
    }
}

/// A memory that was found, as programs read it.
#[derive(Debug, Serialize)]
pub(in crate::cmd) struct HitJson<'a> {
    #[serde(flatten)]
    record: Record,
    /// How well it fits; only to be compared.
    fit: f32,
    /// How much of what was asked it has, in per cent.
    coverage: u8,
    /// Why it does not hold any more, in a word.
    over: Option<&'static str>,
    stale: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<ExplainJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ExplainJson<'a> {
    words: Vec<WordJson<'a>>,
    closer: f32,
    category: f32,
    trust: f32,
    age: f32,
    used: f32,
    stale: f32,
}

#[derive(Debug, Serialize)]
struct WordJson<'a> {
    word: &'a str,
    gave: f32,
}

impl<'a> HitJson<'a> {
    pub(in crate::cmd) fn of(
        hit: &'a Hit,
        listed: &Listed,
        now: Timestamp,
        is_explained: bool,
    ) -> Self {
        let recalled = &hit.recalled;
        let words = hit.parts.iter().map(|it| WordJson { word: &it.0, gave: it.1 });
        let explain = is_explained.then(|| ExplainJson {
            words: words.collect(),
            closer: hit.closer,
            category: hit.worth.category,
            trust: hit.worth.trust,
            age: hit.worth.age,
            used: hit.worth.used,
            stale: recalled.stale.as_ref().map_or(1.0, Stale::worth),
        });
        Self {
            record: Record::of(listed),
            fit: recalled.fit(),
            coverage: recalled.coverage,
            over: recalled.memory.content.over(now),
            stale: recalled.stale.as_ref().map(stale),
            explain,
        }
    }
}

/// What became of a file, in words.
fn stale(stale: &Stale) -> String {
    match stale {
        Stale::Gone(path) => format!("{path} is gone"),
        Stale::Moved { from, to } => format!("{from} seems to be {to} now"),
        Stale::Newer(path) => format!("{path} was written later"),
    }
}

/// How many candidates have each word of what is asked for, or most of many.
fn fitting_candidates(site: &Site<'_>, words: &str, within: Within) -> usize {
    let filter = Filter { within, states: &[State::Candidate], ..Filter::default() };
    let keys = |text: &str| {
        let mut keys = BTreeSet::new();
        terms(text, |it| {
            if !it.is_common {
                keys.insert(it.key);
            }
        });
        keys
    };
    let asked = keys(words);
    let fits = |listed: &Listed| {
        let content = &listed.memory.content;
        let text = format!("{} {}", content.title, content.text);
        let has = keys(&text).intersection(&asked).count();
        has > 0 && has * 2 > asked.len()
    };
    let found = site.store.memories(&filter).unwrap_or_default();
    found.iter().filter(|it| fits(it)).count()
}

fn show(
    site: &Site<'_>,
    hits: &[(Hit, Listed)],
    Asked { words, within, chosen, .. }: Asked<'_>,
    asked: &Recall,
) {
    let colour = Colour::of(site.host);
    if hits.is_empty() {
        let all = if asked.all { "" } else { " `--all` looks in all projects." };
        let is_filtered = chosen != Chosen::default();
        let more = if is_filtered { " Without the filters there may be more." } else { "" };
        ui::say(&format!("Nothing that is known fits these words.{more}{all}"));
        match fitting_candidates(site, words, within) {
            0 => {}
            1 => ui::say("1 unconfirmed candidate fits. Next: `windlass candidates` shows it."),
            count => ui::say(&format!(
                "{count} unconfirmed candidates fit. Next: `windlass candidates` lists them."
            )),
        }
        return;
    }
    let query = Query::of(words);
    for (hit, listed) in hits {
        let memory = &hit.recalled.memory;
        let title = ui::line(&memory.content.title, 120);
        let title = marked(&title, &query, colour);
        ui::say(&format!("{}  {title}", colour.bold(memory.id.as_str())));
        let project = listed.project.as_deref().filter(|_| asked.all);
        let mut about = vec![memory.content.category.word().to_owned()];
        about.extend(memory.content.over(site.now).map(str::to_owned));
        about.extend([
            whose(memory),
            ui::ago(memory.changed_at, site.now),
            format!("has {} % of it", hit.recalled.coverage),
        ]);
        about.extend(memory.is_global.then(|| "holds everywhere".to_owned()));
        about.extend(project.map(|it| format!("in {}", ui::line(it, 40))));
        about.extend(hit.recalled.stale.as_ref().map(|it| ui::line(&stale(it), 120)));
        ui::say(&format!("  {}", colour.faint(&about.join(", "))));
        if let Some(excerpt) = excerpt(memory, &query) {
            ui::say(&format!("  {}", marked(&ui::line(&excerpt, EXCERPT), &query, colour)));
        }
        if asked.explain {
            explain(hit);
        }
    }
    ui::say("Next: `windlass memory show ID` shows one with all that is known of it.");
}

fn explain(hit: &Hit) {
    let words: Vec<_> =
        hit.parts.iter().map(|it| format!("{} {:.2}", ui::line(&it.0, 40), it.1)).collect();
    let worth = hit.worth;
    let stale = hit.recalled.stale.as_ref().map_or(1.0, Stale::worth);
    ui::say(&format!(
        "  fit {:.2} = ({} + closer look {:.2}) × category {:.2} × trust {:.2} × age {:.2} × use \
         {:.2} × files {stale:.2}",
        hit.recalled.fit(),
        words.join(" + "),
        hit.closer,
        worth.category,
        worth.trust,
        worth.age,
        worth.used,
    ));
}

fn whose(memory: &Memory) -> String {
    let words = match memory.author() {
        Trust::User => "you said it",
        Trust::Outcome => "seen to happen",
        Trust::Agent => "an agent said it",
        Trust::Note => "it stands in a long prompt",
        Trust::Tool => "a tool printed it",
        Trust::Import => "imported",
    };
    match () {
        () if memory.is_reworded() => format!("{words}, and an agent put it into other words"),
        () if memory.words() != memory.trust => format!("{words} and you confirmed it"),
        () => words.to_owned(),
    }
}

/// The sentence of a memory that has most of the words, unless it is its title.
fn excerpt(memory: &Memory, query: &Query) -> Option<String> {
    let content = &memory.content;
    let prose = content.prose();
    let sentences = prose.iter().skip(1).flat_map(|it| it.split_inclusive(['\n', '.', '!', '?']));
    let best = sentences.map(|it| (words_in(it, query), it)).rev().max_by_key(|it| it.0)?;
    let text = best.1.trim();
    let is_title = content.title.trim_end_matches('…').contains(text.trim_end_matches('.'));
    (best.0 > 0 && !is_title).then(|| text.to_owned())
}

fn words_in(text: &str, query: &Query) -> usize {
    let mut count = 0;
    terms(text, |it| count += usize::from(query.terms.iter().any(|asked| asked.key == it.key)));
    count
}

/// A text with the words marked that were asked for.
fn marked(text: &str, query: &Query, colour: Colour) -> String {
    let mut places: Vec<(usize, usize)> = Vec::new();
    terms(text, |it| {
        let is_asked = query.terms.iter().any(|asked| asked.key == it.key);
        if is_asked && places.last().is_none_or(|last| last.1 <= it.from) {
            places.push((it.from, it.to));
        }
    });
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (from, to) in places {
        out.push_str(&text[end..from]);
        out.push_str(&colour.good(&text[from..to]));
        end = to;
    }
    out.push_str(&text[end..]);
    out
}

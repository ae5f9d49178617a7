//! Briefs: what of all that is known is put before an agent, as one text within a number of tokens.
//!
//! A brief is data and looks like it: it stands between two marks that nobody could know who wrote
//! what is in it, says of each thing who said it and when, and has the words of others behind a bar.
//! Nothing that fits is silence.

mod budget;
mod fence;
mod filler;
mod item;
mod left;
mod lost;
mod near;
mod occasion;
mod source;
mod tokens;
mod told;
mod touched;
mod words;
mod worth;

use crate::loops::Loop;
use crate::memory::{Memory, MemoryId};
use crate::policy::Policy;
use crate::recall::{Commit, Recalled, Snippet};
use crate::{Event, Snapshot, Timestamp};

pub use near::Near;
pub use occasion::{Occasion, asked, latest, occasion, wanted};
pub use touched::Touched;
pub use worth::standing;

use budget::{Budget, Chosen, choose};
use fence::Told;
use item::Item;
use left::{Left, Why};
use source::Source;
use tokens::tokens;

/// What may be put before an agent, before anybody has chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The name under which the session is kept.
    pub session: String,
    /// Memories, the best first.
    pub memories: Vec<Recalled>,
    /// How many more stand whatever is asked, at most: nobody read them.
    pub unread: usize,
    /// Lines of files, the best first.
    pub code: Vec<Snippet>,
    /// Commits, the best first.
    pub commits: Vec<Commit>,
    /// What the last busy session of the project was about.
    pub recent: Option<Last>,
    /// What the user said in this session: first, and last.
    pub requests: Vec<Request>,
    /// Loops and holds of this session that are not over.
    pub loops: Vec<Loop>,
    /// The memories that the agent was shown in this session and still has before it, and when.
    pub shown: Vec<(MemoryId, Timestamp)>,
    /// What names the code and the commits that it was shown, and what it was told of before it
    /// touched it.
    pub told: Vec<String>,
    /// The keys of what is about to be touched.
    pub touched: Vec<u64>,
    /// When the conversation of this session was last compacted or cleared: what was said in it
    /// before, the agent has lost.
    pub lost_at: Option<Timestamp>,
}

/// What a session was about that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Last {
    /// What it was about.
    pub summary: Memory,
    /// When it ended, whenever that was settled or edited.
    pub ended_at: Timestamp,
}

/// Something that the user wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// When.
    pub at: Timestamp,
    /// The words, without secrets.
    pub text: String,
}

/// A brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// The text for the agent.
    pub text: String,
    /// The memories in it.
    pub shown: Vec<MemoryId>,
    /// What names the code and the commits in it.
    pub told: Vec<String>,
}

/// Makes the brief for an event, and says which ids are in it, how well they fit, and what was left
/// out. What was found and is of no use is told without a brief.
pub(crate) fn brief(
    event: &Event,
    snapshot: &Snapshot,
    policy: &Policy,
) -> Option<(Option<Brief>, String)> {
    let occasion = occasion(event)?;
    let at = Some(occasion.limits(policy)).filter(|it| it.enabled)?;
    let has_tools = policy.mcp.enabled;
    let found = snapshot.brief.as_ref()?;
    let number = at.items as usize;
    let touched = Touched::names(&found.touched, &found.told);
    let (items, mut left) = match &touched {
        Some(_) => items(occasion, event, (snapshot, found), has_tools, number),
        None => (Vec::new(), told_enough(found, event.at)),
    };
    let untold = left.iter().filter(|it| it.1 == Why::Enough).count();
    if items.is_empty() && left.is_empty() {
        return None;
    }
    let (whole, around) = (4 * at.tokens as usize, fence::around(occasion));
    let budget = Budget { whole, around, number };
    let Chosen { taken, left: more } = choose(items, &policy.brief.weights, budget);
    let untold = untold + more.iter().filter(|it| it.0.source == Source::Memories).count();
    left.extend(more.into_iter().map(|(item, why)| (item.name, why)));
    let ids = taken.iter().map(|(item, _)| match &item.why {
        Some(why) => format!("{} ({why})", item.name),
        None => item.name.clone(),
    });
    let ids: Vec<_> = ids.collect();
    let told = Told {
        has_quotes: taken.iter().any(|it| it.0.is_quoted && !it.0.is_wish),
        is_cut: taken.iter().any(|it| it.1.is_cut && it.0.id.is_some()),
        has_tools,
        more: if occasion.tells_what_stands() { untold + found.unread } else { 0 },
    };
    let texts = |is_wish| {
        let of_kind = taken.iter().filter(move |it| it.0.is_wish == is_wish);
        of_kind.map(|it| it.1.text.as_str()).collect::<String>()
    };
    let (wishes, text) = (texts(true), texts(false));
    let touched = touched.unwrap_or_default();
    let brief = (!taken.is_empty()).then(|| Brief {
        text: fence::fenced(occasion, event, (&wishes, &text), told),
        shown: taken.iter().filter_map(|it| it.0.id.clone()).collect(),
        told: taken.iter().filter_map(|it| it.0.key(&it.1)).chain(touched).collect(),
    });
    let said = said(occasion, &ids, brief.as_ref(), at.tokens, &left);
    Some((brief, said))
}

/// The items for an occasion, the best of each source first.
fn items(
    occasion: Occasion,
    event: &Event,
    (snapshot, found): (&Snapshot, &Found),
    has_tools: bool,
    number: usize,
) -> (Vec<Item>, Left) {
    let now = event.at;
    let mut items = Vec::new();
    match occasion {
        Occasion::Start | Occasion::Clear => {
            items.extend(lost::in_force(found, snapshot).map(lost::looped));
            items.extend(found.recent.as_ref().map(|it| Item::of_summary(it, now)));
            items.extend(lost::unsettled(&snapshot.unsettled, has_tools));
        }
        Occasion::Compact => items.extend(lost::lost(found, snapshot, &event.cwd, now)),
        Occasion::Resume | Occasion::Prompt | Occasion::Tool | Occasion::Agent => {}
    }
    let (memories, mut left) = memories(occasion, event, found);
    // One that is too long for the room makes way for the next: there are few of those.
    let (memories, more) = memories.split_at(memories.len().min(number.saturating_mul(2)));
    let is_again = |it: &Recalled| found.shown.iter().any(|shown| shown.0 == it.memory.id);
    items.extend(memories.iter().map(|it| Item::of_memory(it, is_again(it), now)));
    left.extend(more.iter().map(|it| (it.memory.id.to_string(), Why::Enough)));
    let code = found.code.iter().map(|it| Item::of_snippet(it, now));
    for item in code.chain(found.commits.iter().map(|it| Item::of_commit(it, now))) {
        if item.is_told(&found.told) {
            left.push((item.name, Why::Shown));
        } else {
            items.push(item);
        }
    }
    (items, left)
}

/// All that is known of what is about to be touched, where enough was told of it.
fn told_enough(found: &Found, now: Timestamp) -> Left {
    let why = |it: &Memory| if told::is_shown(found, it, now) { Why::Shown } else { Why::Touched };
    found.memories.iter().map(|it| (it.memory.id.to_string(), why(&it.memory))).collect()
}

/// How well a memory must fit a prompt beside the best one, in per cent. One that only has the name
/// of a file with it fits much worse than one that is about what is asked.
const FITS: u32 = 40;

/// The memories that an agent is not told of in vain.
fn memories<'a>(occasion: Occasion, event: &Event, found: &'a Found) -> (Vec<&'a Recalled>, Left) {
    let (mut taken, mut left): (Vec<&Recalled>, Left) = (Vec::new(), Left::new());
    // After these it has nothing before it of what was said, and a subagent never had.
    let has_nothing = matches!(occasion, Occasion::Clear | Occasion::Compact | Occasion::Agent);
    let best = found.memories.iter().map(|it| it.score).max().unwrap_or_default();
    let least = if occasion == Occasion::Prompt { best * FITS / 100 } else { 0 };
    let is_had = |it: &Memory| {
        it.is_of(&found.session) && found.lost_at.is_none_or(|lost| it.made_at > lost)
    };
    for recalled in &found.memories {
        let memory = &recalled.memory;
        let is_known = |it: &&Recalled| it.memory.content.says() == memory.content.says();
        let why = if told::is_shown(found, memory, event.at) {
            Why::Shown
        } else if recalled.score < least {
            Why::Worse
        } else if !has_nothing && is_had(memory) {
            Why::Own
        } else if taken.iter().any(is_known) {
            Why::Said
        } else {
            taken.push(recalled);
            continue;
        };
        left.push((memory.id.to_string(), why));
    }
    (taken, left)
}

/// Ids that are named among those that were left out.
const NAMED: usize = 20;

/// What was chosen, for those who ask why.
fn said(
    occasion: Occasion,
    ids: &[String],
    brief: Option<&Brief>,
    most: u32,
    left: &[(String, Why)],
) -> String {
    let said = match brief {
        Some(brief) => {
            let count = tokens(&brief.text);
            format!("{}: {}; {count} of {most} tokens", occasion.word(), ids.join(", "))
        }
        None => format!("{}: nothing", occasion.word()),
    };
    let mut named: Vec<_> =
        left.iter().take(NAMED).map(|(id, why)| format!("{id} {}", why.word())).collect();
    if left.len() > NAMED {
        named.push(format!("{} more", left.len() - NAMED));
    }
    if named.is_empty() { said } else { format!("{said}; left out: {}", named.join(", ")) }
}

#[cfg(test)]
mod tests;

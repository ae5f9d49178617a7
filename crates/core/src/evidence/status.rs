//! Which commands of a line decide its status.

use std::collections::BTreeMap;

use super::Status;
use super::index::{Index, all};
use super::line::{Chain, Group, Join, Line, Nest, Part, Place, Sense, Simple, Step, Word};
use super::quiet::only_reads;
use super::unwrap::{Options, Switch, program};

/// Steps of a line that are looked back at for a variable that holds a status.
const BACK: usize = 8;

/// What becomes of the status of each step.
pub(super) struct Fates {
    /// For each chain, for each of its steps.
    pub(super) steps: Vec<Vec<Status>>,
    /// The chains whose status a later `exit` or `echo` takes, from which part of their pipe, and
    /// what is printed before it.
    pub(super) taken: BTreeMap<usize, Taken>,
    /// The chains that print how they ended.
    pub(super) announced: BTreeMap<usize, Announcement>,
}

/// The words that a line prints behind a run, as in `… && echo OK || echo FAIL`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The words of a pass; `None` where the line prints none.
    pub passed: Option<String>,
    /// The words of a failure; `None` where the line prints none.
    pub failed: Option<String>,
    /// The steps before the words.
    pub(super) steps: usize,
    /// Whether one of several commands may be the one that failed.
    pub(super) shared: bool,
    /// Whether a failure shows a file in place of words: `… && echo OK || tail build.log`.
    pub(super) has_fallback: bool,
}

impl Announcement {
    /// The same for a command of a line within the line, of which several may stand there.
    pub(super) fn within(self, depth: usize) -> Self {
        Self { shared: self.shared || depth > 0, ..self }
    }
}

/// A status that is not lost although other commands follow.
pub(super) struct Taken {
    pub(super) from: From,
    /// `None` where the line ends with it.
    pub(super) printed: Option<String>,
}

/// Which part of a pipe a status belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// The last one, as in `$?`.
    Last,
    /// The first one, as in `${PIPESTATUS[0]}`.
    First,
}

/// Finds out which steps decide, where the status of the line itself is known to be `status`.
pub(super) fn fates(line: &Line, status: Status, mut options: Options) -> Fates {
    let taken = taken(line);
    let end = taken.iter().find(|it| it.1.printed.is_none()).map(|it| *it.0);
    let end = end.unwrap_or(line.chains.len().saturating_sub(1));
    let mut steps = Vec::new();
    let mut risks = 0;
    let is_trapped = traps_status(line);
    for (index, chain) in line.chains.iter().enumerate() {
        let base = if chain.place == Place::Background || status == Status::Background {
            Status::Background
        } else if is_trapped {
            Status::Hidden
        } else if index == end || options.errexit == Switch::On || exits(chain) {
            status
        } else {
            Status::Hidden
        };
        let waits = if index == end { Waits::ForEnd } else { Waits::ForFailure };
        steps.push(chain_fates(chain, base, waits, options.pipefail, &mut risks));
        for simple in chain.steps.iter().filter_map(only) {
            set(simple, &mut options);
        }
    }
    if risks > 1 {
        for status in steps.iter_mut().flatten().filter(|it| **it == Status::Told) {
            *status = Status::Shared;
        }
    }
    let chains = line.chains.iter().enumerate();
    let announced = chains.filter_map(|(index, it)| Some((index, announcement(it)?))).collect();
    Fates { steps, taken, announced }
}

/// What a chain prints of its own end: `… && echo OK`, `… || echo FAIL`, or both.
fn announcement(chain: &Chain) -> Option<Announcement> {
    let (mut passed, mut failed, mut first) = (None, None, chain.steps.len());
    let mut has_fallback = false;
    for (index, step) in chain.steps.iter().enumerate().skip(1) {
        let Some(text) = printed_text(step) else {
            if first < index && step.join == Join::Or && failed.is_none() && only_reads(step) {
                has_fallback = true;
                continue;
            }
            // Another command behind the words may have its own end.
            if first < index {
                return None;
            }
            continue;
        };
        if has_fallback {
            return None;
        }
        first = first.min(index);
        match step.join {
            Join::And if failed.is_none() => passed = Some(text),
            Join::Or => failed = Some(text),
            Join::And => return None,
        }
    }
    if passed.is_none() && failed.is_none() || passed == failed {
        return None;
    }
    let risky: Vec<_> =
        chain.steps[..first].iter().filter(|it| !is_harmless(it, Switch::Off)).collect();
    // `! pytest && echo FAILED`
    if let Some(negated) = risky.iter().position(|it| it.sense == Sense::Negated) {
        if risky.len() > 1 || negated > 0 || has_fallback {
            return None;
        }
        std::mem::swap(&mut passed, &mut failed);
    }
    let shared = risky.len() > 1;
    Some(Announcement { passed, failed, steps: first, shared, has_fallback })
}

/// What the branches of `if … then echo A else echo B fi` print of the end of its condition.
pub(super) fn branch_announcement(group: &Group) -> Option<Announcement> {
    let (condition, then, other) = match group.lines.as_slice() {
        [condition, then] => (condition, then, None),
        [condition, then, other] => (condition, then, Some(other)),
        _ => return None,
    };
    let text = |line: &Line| {
        let [chain] = line.chains.as_slice() else { return None };
        let [step] = chain.steps.as_slice() else { return None };
        printed_text(step)
    };
    let [chain] = condition.chains.as_slice() else { return None };
    let risky = chain.steps.iter().filter(|it| !is_harmless(it, Switch::Off)).count();
    let is_negated = chain.steps.iter().any(|it| it.sense == Sense::Negated);
    // A pipe ends as its last part does: `if pytest | grep -q passed; then …`.
    let is_piped = chain.steps.iter().any(|it| it.pipe.len() > 1);
    if is_piped || is_negated && chain.steps.len() > 1 {
        return None;
    }
    let (mut passed, mut failed) = (text(then), other.and_then(text));
    if is_negated {
        std::mem::swap(&mut passed, &mut failed);
    }
    if passed.is_none() && failed.is_none() || passed == failed {
        return None;
    }
    // Where only a failure has words, none of them may be the words of another command, too.
    passed.as_ref()?;
    let (steps, shared) = (chain.steps.len(), risky > 1);
    Some(Announcement { passed, failed, steps, shared, has_fallback: false })
}

/// The fixed text that a step prints, and nothing else that it does but end the shell.
fn printed_text(step: &Step) -> Option<String> {
    let simple = match step.pipe.as_slice() {
        [Part::Simple(simple)] => simple,
        [Part::Group(group)] => {
            let [line] = group.lines.as_slice() else { return None };
            let mut steps = line.chains.iter().flat_map(|it| &it.steps);
            let first = steps.next()?;
            if !steps.all(|it| fails(it) || is_word(it, "exit")) {
                return None;
            }
            only(first)?
        }
        _ => return None,
    };
    let mut words = simple.words.iter();
    if !matches!(words.next()?.text.as_str(), "echo" | "printf") || !simple.outputs.is_empty() {
        return None;
    }
    let words = words.skip_while(|it| matches!(it.text.as_str(), "-e" | "-n"));
    let words: Vec<_> = words.collect();
    let is_fixed = |it: &&Word| it.commands.is_empty() && !it.text.contains(['$', '`', '%']);
    if !words.iter().all(is_fixed) {
        return None;
    }
    let text = words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ");
    let text = text.trim_start_matches("\\n").trim_end_matches("\\n").trim().to_owned();
    (!text.is_empty() && !text.contains("\\n")).then_some(text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// The chain's status is that of the line.
    ForEnd,
    /// The line ends with the chain if that fails.
    ForFailure,
}

fn chain_fates(
    chain: &Chain,
    base: Status,
    waits: Waits,
    pipefail: Switch,
    risks: &mut usize,
) -> Vec<Status> {
    let decides = matches!(base, Status::Told | Status::Shared);
    // A step after `||` runs only if another failed, which is then forgotten.
    let again = |index: usize| index > 0 && is_retry(&chain.steps[index - 1], &chain.steps[index]);
    let forgiven =
        |it: &(usize, &Step)| it.1.join == Join::Or && it.0 > 0 && !fails(it.1) && !again(it.0);
    let forgiven = chain.steps.iter().enumerate().filter(forgiven).map(|it| it.0).next_back();
    if decides && forgiven.is_some() {
        *risks += 1;
    }
    let last = chain.steps.iter().rposition(|it| !fails(it)).unwrap_or(0);
    let whole = waits == Waits::ForEnd || exits(chain);
    let mut certain = true;
    let mut fates = Vec::new();
    for (index, step) in chain.steps.iter().enumerate() {
        let is_repeated = index + 1 < chain.steps.len() && again(index + 1);
        let forgotten = forgiven.is_some_and(|it| index <= it) || is_repeated;
        // A shell that stops at errors does not stop at those before `&&`.
        let stops = whole || (index == last && certain);
        let harmless = is_harmless(step, pipefail);
        certain &= harmless;
        let forgotten = step.sense == Sense::Negated || forgotten || !stops || fails(step);
        let hidden = forgotten && base != Status::Background;
        let fate = if hidden { Status::Hidden } else { base };
        if matches!(fate, Status::Told | Status::Shared) && !harmless {
            *risks += 1;
        }
        fates.push(fate);
    }
    fates
}

/// Tells whether a step runs again what the step before it ran, where that failed: `a || a`,
/// `a || { sleep 1; a; }`, `pytest || pytest --lf`.
pub(super) fn is_retry(before: &Step, step: &Step) -> bool {
    if step.join != Join::Or || step.sense != before.sense {
        return false;
    }
    let operands = |it: &Simple| {
        let words = it.words.iter().map(|it| it.text.clone());
        words.filter(|it| !it.starts_with('-')).collect::<Vec<_>>()
    };
    match (last_command(before), last_command(step)) {
        (Some(one), Some(other)) => {
            let one = operands(one);
            !one.is_empty() && one == operands(other) && !matches!(one[0].as_str(), "echo" | "true")
        }
        _ => false,
    }
}

/// The command with which a step that is no pipe ends.
fn last_command(step: &Step) -> Option<&Simple> {
    match step.pipe.as_slice() {
        [Part::Simple(simple)] => Some(simple),
        [Part::Group(group)] if matches!(group.nest, Nest::Braces | Nest::Subshell) => {
            last_command(group.lines.last()?.chains.last()?.steps.last()?)
        }
        _ => None,
    }
}

/// Tells whether a line gives a status of its own when it ends: `trap 'exit 0' EXIT`.
fn traps_status(line: &Line) -> bool {
    let steps = line.chains.iter().flat_map(|it| &it.steps);
    steps.filter_map(only).any(|it| {
        let mut words = it.words.iter().map(|it| it.text.as_str());
        let is_trap = words.next() == Some("trap");
        let action = words.next().unwrap_or_default();
        let code = action.split("exit ").nth(1).map(|it| it.trim_start_matches(['"', '\'']));
        is_trap
            && code.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
            && words.any(|it| matches!(it, "EXIT" | "0" | "ERR" | "exit" | "SIGEXIT"))
    })
}

/// The chains whose status is taken along.
fn taken(line: &Line) -> BTreeMap<usize, Taken> {
    let mut taken = BTreeMap::new();
    for (index, chain) in line.chains.iter().enumerate().skip(1) {
        let [step] = chain.steps.as_slice() else { continue };
        let Some(simple) = only(step) else { continue };
        let name = simple.words.first().map_or("", |it| it.text.as_str());
        let is_last = index + 1 == line.chains.len();
        let words = &simple.words[usize::from(!simple.words.is_empty())..];
        if name == "exit" && is_last {
            let (word, _) = words.first().map_or(("$?", 0), |it| (it.text.as_str(), 0));
            if let Some((chain, from)) = source(line, index, word) {
                taken.entry(chain).or_insert(Taken { from, printed: None });
            }
        } else if matches!(name, "echo" | "printf") {
            let words = words.iter().skip_while(|it| matches!(it.text.as_str(), "-e" | "-n"));
            let mut before = String::new();
            for word in words {
                let text = word.text.as_str();
                let dollar = text.find('$').unwrap_or(text.len());
                before.push_str(text[..dollar].trim_start_matches("\\n"));
                if dollar < text.len() {
                    // A number alone on a line could be anybody's, unless it is the last line.
                    let before = before.trim().to_owned();
                    let source = source(line, index, variable(&text[dollar..]));
                    if let Some((chain, from)) = source.filter(|_| is_last || !before.is_empty()) {
                        taken.entry(chain).or_insert(Taken { from, printed: Some(before) });
                    }
                    break;
                }
                before.push(' ');
            }
        }
    }
    taken
}

/// The variable with which a text begins.
fn variable(text: &str) -> &str {
    if text.starts_with("$?") {
        return "$?";
    }
    let end = if text.starts_with("${") {
        text.find('}').map(|it| it + 1)
    } else {
        text[1..].find(|it: char| !it.is_ascii_alphanumeric() && it != '_').map(|it| it + 1)
    };
    &text[..end.unwrap_or(text.len())]
}

/// The chain whose status a variable holds before the chain at `index`.
fn source(line: &Line, index: usize, variable: &str) -> Option<(usize, From)> {
    match variable {
        "$?" => return Some((index.checked_sub(1)?, From::Last)),
        "${PIPESTATUS[0]}" | "$pipestatus[1]" | "${pipestatus[1]}" => {
            return Some((index.checked_sub(1)?, From::First));
        }
        _ => {}
    }
    let name = variable.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(name);
    let earlier = (1..index).rev().take(BACK);
    for at in earlier {
        let [step] = line.chains[at].steps.as_slice() else { continue };
        let Some([word]) = only(step).map(|it| it.words.as_slice()) else { continue };
        match word.text.strip_prefix(name).and_then(|it| it.strip_prefix('=')) {
            Some("$?") => return Some((at - 1, From::Last)),
            Some("${PIPESTATUS[0]}") => return Some((at - 1, From::First)),
            Some(_) => return None,
            None => {}
        }
    }
    None
}

/// The command of a step that is no pipe.
pub(super) fn only(step: &Step) -> Option<&Simple> {
    match step.pipe.as_slice() {
        [Part::Simple(simple)] => Some(simple),
        _ => None,
    }
}

/// Takes over what `set` switches.
pub(super) fn set(simple: &Simple, options: &mut Options) {
    let mut words = simple.words.iter().map(|it| it.text.as_str());
    if words.next() != Some("set") {
        return;
    }
    while let Some(word) = words.next() {
        let switch = if word.starts_with('-') { Switch::On } else { Switch::Off };
        let Some(letters) = word.strip_prefix(['-', '+']) else { return };
        if letters.contains('e') {
            options.errexit = switch;
        }
        if letters.ends_with('o') {
            match words.next() {
                Some("pipefail") => options.pipefail = switch,
                Some("errexit") => options.errexit = switch,
                _ => {}
            }
        }
    }
}

/// Tells whether a failure of the chain ends the line, as in `… || exit 1`.
fn exits(chain: &Chain) -> bool {
    chain.steps.iter().any(|it| it.join == Join::Or && fails(it) && !is_word(it, "false"))
}

fn is_word(step: &Step, word: &str) -> bool {
    only(step).is_some_and(|it| it.words.first().is_some_and(|it| it.text == word))
}

/// Tells whether a step does nothing but fail: `exit 1`, `false`, or a group that ends so.
fn fails(step: &Step) -> bool {
    match step.pipe.as_slice() {
        [Part::Simple(simple)] => {
            let mut words = simple.words.iter().map(|it| it.text.as_str());
            match (words.next(), words.next()) {
                (Some("false"), _) => true,
                (Some("exit" | "return"), code) => {
                    step.join == Join::Or && code.is_none_or(|it| it == "$?")
                        || code.is_some_and(|it| it.parse::<u8>().is_ok_and(|it| it > 0))
                }
                _ => false,
            }
        }
        [Part::Group(group)] => match group.lines.as_slice() {
            [line] => line.chains.last().and_then(|it| it.steps.last()).is_some_and(fails),
            _ => false,
        },
        _ => false,
    }
}

static HARMLESS_INDEX: Index<&str, { HARMLESS.len() }> = Index::of(HARMLESS, &all(HARMLESS));

/// Commands that hardly ever fail; what follows them is what a failure means.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "cd", "pushd", "popd", "export", "source", ".", "set", "unset", "echo", "printf", "true", ":", "pwd",
    "mkdir", "sleep", "date", "shopt", "ulimit", "alias", "umask", "clear", "touch", "declare",
    "local", "readonly", "trap", "nvm", "conda", "tail", "tee", "cat", "sort", "ts", "wait",
];

fn is_harmless(step: &Step, pipefail: Switch) -> bool {
    match pipefail {
        Switch::On => step.pipe.iter().all(is_harmless_part),
        Switch::Off => step.pipe.last().is_none_or(is_harmless_part),
    }
}

/// Tells whether a part of a pipe hardly ever fails.
pub(super) fn is_harmless_part(part: &Part) -> bool {
    match part {
        Part::Simple(simple) => simple
            .words
            .iter()
            .find(|it| !it.is_assignment())
            .is_none_or(|it| HARMLESS_INDEX.contains(program(&it.text))),
        Part::Group(_) => false,
    }
}

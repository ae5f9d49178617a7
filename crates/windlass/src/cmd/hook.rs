//! The turn, and the only place where a failure becomes silence.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Duration;
use std::{io, mem};

use rustix::io::Errno;
use rustix::stdio::stdout;
use windlass_core::brief::Occasion;
use windlass_core::{Decision, Effect, Event, Kind, Plan, Snapshot, Verdict, decide, plan, wanted};

use super::tidy;
use crate::Host;
use crate::agent::claude::transcript::TranscriptError;
use crate::agent::claude::{self, Ask, EventName, WireError};
use crate::agent::tree;
use crate::attempt::{self, Untold};
use crate::began::gates_of;
use crate::brief::{self, IndexState};
use crate::config::UnknownKeys;
use crate::failure;
use crate::guarded::acts_on_ours;
use crate::input::{self, InputError, Payload, READ_LIMIT};
use crate::journal::{Answer, Writer};
use crate::learn::{is_beginning, learn, past, unsettled};
use crate::load::{load, off};
use crate::look::{Place, longest, look};
use crate::losses::{self, Losses};
use crate::lost_events;
use crate::os;
use crate::other_agents;
use crate::pending;
use crate::quiet::{self, CacheInput, QuietTurn, SessionCache, decide_quietly};
use crate::redact::{self, Redacted};
use crate::settle::{awaited_row, never_ran, wait_for};
use crate::steering;
use crate::step::{self, Step};
use crate::store::{Folded, Patience, Store, StoreError, Tidying, Turn, rule_record};
use crate::surroundings::{Surrounding, Surroundings};
use crate::work_trees::WorkTrees;

/// Why a turn was not completed.
#[derive(Debug, thiserror::Error)]
enum TurnError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Wire(#[from] WireError),
    #[error("no place for our data: HOME is not set to an absolute path")]
    Homeless,
    #[error("append to the journal")]
    Lost(#[source] io::Error),
    #[error("append the answer to the journal")]
    Journal(#[source] io::Error),
    #[error("the event names no usable session")]
    Session,
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{UNREAD} {session}; the user was told")]
    Unread { session: Redacted, source: StoreError },
    #[error("the journal is too far ahead of the ledger to keep the decision: nothing was said")]
    Unkept,
    #[error("write what nobody settled")]
    Pending(#[source] io::Error),
    #[error("keep that attempts of agents were told")]
    Attempts(#[source] io::Error),
    #[error("keep that losses were told")]
    Losses(#[source] io::Error),
    #[error("start the process that tidies")]
    Tidy(#[source] io::Error),
    #[error("write to stdout")]
    Reply(#[source] io::Error),
}

/// How long a second look at a store may take that could not be read.
const SECOND_LOOK: Duration = Duration::from_secs(2);

/// The beginning of the failure after which the user was told in a session.
const UNREAD: &str = "read the loops and holds of session";

/// What we were doing when the first panic happened, and where it did. Its message may quote what
/// we were given, so it is not kept.
static PANIC: OnceLock<(Step, String)> = OnceLock::new();

/// Answers one event. Whatever goes wrong, the agent sees silence and exit 0, and the failure
/// log says what we were doing.
pub(super) fn run(host: &Host) -> ExitCode {
    set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        PANIC.get_or_init(|| (Step::current(), format!("panic at {place}")));
    }));
    let turn = catch_unwind(AssertUnwindSafe(|| turn(host)));
    let error = turn.ok().and_then(Result::err);
    if matches!(error, Some(TurnError::Input(_))) && is_other_agent(host) {
        return ExitCode::SUCCESS;
    }
    if matches!(error, Some(TurnError::Input(InputError::Empty))) && host.args.is_empty() {
        // Nobody who has an event to tell calls us like this.
        return super::help();
    }
    if let (Some(TurnError::Lost(_)), Some(data_dir)) = (&error, host.data_dir()) {
        lost_events::count(&data_dir, host.now);
    }
    for (step, error) in failures(PANIC.get(), error.as_ref()) {
        // Should even this go wrong, silence is what is left.
        #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
        let _ = catch_unwind(AssertUnwindSafe(|| failure::record(host, step.doing(), &error)));
    }
    ExitCode::SUCCESS
}

/// Whether the environment is that of an agent other than Claude Code.
fn is_other_agent(host: &Host) -> bool {
    claude::caller::caller_in(|it| host.variable(it)).is_some()
}

/// What went wrong, in order: a panic, also one that was caught on the way and cost a text instead
/// of the event, and what ended the turn.
fn failures(panic: Option<&(Step, String)>, error: Option<&TurnError>) -> Vec<(Step, String)> {
    let error = error.map(|it| (Step::current(), failure::chain(it)));
    panic.cloned().into_iter().chain(error).collect()
}

fn turn(host: &Host) -> Result<(), TurnError> {
    Step::Read.enter();
    let data_dir = host.data_dir();
    os::arm(READ_LIMIT, data_dir.as_deref().map(failure::log), host.now);
    let payload = input::read()?;

    Step::Parse.enter();
    let Some((name, event)) = parse(host, &payload)? else { return Ok(()) };
    os::set(claude::deadline(name));

    // The client may kill us at any time, so the event is kept before anything is thought about.
    Step::Journal.enter();
    let data_dir = data_dir.ok_or(TurnError::Homeless)?;
    let plan = plan(&event);
    // Where more may be wanted, what that takes is told by the answer.
    let took_us = plan.is_nothing().then(step::elapsed);
    let kept = Writer::open(&data_dir, &event.session).and_then(|mut journal| {
        let end = journal.append(&event, took_us)?;
        Ok((journal, end))
    });
    let (mut journal, end) = match kept {
        Ok((journal, Some(end))) => (journal, end),
        // Registered twice: the other process answers.
        Ok((_, None)) => return Ok(()),
        Err(error) => {
            let told = losses::brief_unkept(host, name, &event, &data_dir);
            let told = told.map_err(TurnError::Store).and_then(say);
            Step::Journal.enter();
            return Err::<(), _>(TurnError::Lost(error)).and(told);
        }
    };
    if !event.session.is_known() {
        return Err(TurnError::Session);
    }
    if plan.is_nothing() {
        return Ok(());
    }
    let answered = answer(host, (name, &event), plan, (&mut journal, end), &data_dir);
    let Err(TurnError::Store(error)) = &answered else { return answered };
    let told = losses::trouble_reply(host, name, &event, &data_dir, error);
    let is_damage_told = error.is_damage() && matches!(told, Ok(Some(_)));
    let told = told.map_err(TurnError::Store).and_then(say);
    // Whoever looks for twins knows that this process has ended.
    let ended = journal.answered(&Answer::new(&event.session, end, None));
    let answered = answered.map_err(|error| match error {
        // The stops of the session do not tell it again.
        TurnError::Store(source) if is_damage_told => {
            TurnError::Unread { session: redact::session(&event.session), source }
        }
        error => tell_unread(host, &data_dir, &event, error),
    });
    answered.and(told).and(ended.map_err(TurnError::Journal))
}

/// Loads, decides, applies and replies, for an event that is in the journal up to `end`.
fn answer(
    host: &Host,
    (name, event): (EventName, &Event),
    plan: Plan,
    (journal, end): (&mut Writer, u64),
    data_dir: &Path,
) -> Result<(), TurnError> {
    Step::Load.enter();
    let surroundings = Surroundings::new(host);
    let here = surroundings.of(&event.cwd);
    here.good.iter().for_each(|it| it.keep(data_dir));
    let (planned, plan) = (plan, plan.under(event, &here.policy));
    let is_tool = plan.brief == Some(Occasion::Tool);
    if !plan.ledger || is_tool && !brief::is_at_hand(data_dir, event, &here) {
        let answer = Answer::new(&event.session, end, None);
        return journal.answered(&answer).map_err(TurnError::Journal);
    }
    let cache = quiet::cache_of(event, data_dir);
    let given = (&*here, &surroundings);
    if let Some(cache) = &cache
        && let Some(quiet) = decide_quietly(host, (event, end), planned, given, cache, data_dir)
    {
        return keep_quiet(host, event, end, quiet, journal, data_dir);
    }
    Step::Load.enter();
    // What it says is out of date from here on, whatever becomes of this turn.
    quiet::forget(data_dir, event);
    answer_by_store(host, (name, event), planned, (journal, end), given, cache.as_ref(), data_dir)
}

/// The same with the store at hand. `cache` is what a quiet turn would have gone by.
fn answer_by_store(
    host: &Host,
    (name, event): (EventName, &Event),
    planned: Plan,
    (journal, end): (&mut Writer, u64),
    (here, surroundings): (&Surrounding, &Surroundings<'_>),
    cache: Option<&SessionCache>,
    data_dir: &Path,
) -> Result<(), TurnError> {
    let mut store = open_store(host, data_dir)?;
    // Gates are those of the session's project, wherever the agent is by now.
    let home = gates_of(&mut store, event, end, surroundings)?;
    let plan = planned.under(event, &home.policy);
    let cursor = if plan.transcript { store.cursor(event)? } else { None };
    let read_it = |store: &Store| {
        load(host, plan, event, &home, cursor, || store.last_said(event).ok().flatten())
    };
    let (mut snapshot, mut read) = read_it(&store);
    let mut losses = Losses::of_events(event, data_dir);
    let mut turn = store.begin()?;
    let mut folded = turn.fold(event, end, surroundings, never_ran(&snapshot))?;
    past(&turn, plan, folded, event, &mut snapshot)?;
    if let Some(row) = awaited_row(&turn, plan, event, &snapshot)? {
        // What was folded is folded again, with what the transcript says by then.
        drop(turn);
        // A second load finds these told.
        let foreign = mem::take(&mut snapshot.acts_on_ours);
        (snapshot, read) = wait_for(&row, || read_it(&store));
        snapshot.acts_on_ours.splice(0..0, foreign);
        turn = store.begin()?;
        folded = turn.fold(event, end, surroundings, never_ran(&snapshot))?;
        past(&turn, plan, folded, event, &mut snapshot)?;
    }
    bind_client(&turn, event)?;

    Step::Capture.enter();
    learn(&turn, folded, event, (here, &home), surroundings, data_dir, &mut snapshot)?;
    let tried = find_agent_acts(host, &turn, folded, (event, &home), &mut snapshot)?;

    Step::Recall.enter();
    let index = brief::find(&turn, plan, folded, event, here, surroundings, &mut snapshot)?;

    Step::Look.enter();
    let began = if snapshot.work.is_some() { turn.directory(event)? } else { None };
    let trees = WorkTrees::find(&snapshot, (here, &home), began.as_deref(), surroundings);
    trees.show(&mut snapshot);
    let wanted = wanted(event, &snapshot, &home.policy);
    // The transcript has the last word here too: which lines a call added, which calls ran.
    if let Some(work) = snapshot.corrected_work().filter(|_| !wanted.is_nothing()) {
        let trials = Duration::from_secs(home.policy.loops.timeout_s.into());
        let limit = longest(&wanted, trials).min(claude::room(name, &home.policy));
        let directory = began.unwrap_or_else(|| event.cwd.clone());
        let place = Place { trees, directory, limit, trials };
        // Nobody waits for the store while we look around or a command runs, and what was known
        // before is known again after it.
        turn.commit()?;
        if wanted.runs_commands() {
            os::set(limit + claude::MARGIN);
        }
        snapshot.facts = look(host, &wanted, &work, &place, &store)?;
        os::set(claude::deadline(name));
        // The user may have lost patience with a command.
        snapshot.off = off(host, event, &home);
        turn = store.begin()?;
        folded = turn.fold(event, end, surroundings, never_ran(&snapshot))?;
        if let Some(lock) = snapshot.facts.lock.as_ref().filter(|_| folded.all) {
            turn.meet(event, lock)?;
        }
        past(&turn, plan, folded, event, &mut snapshot)?;
        // Somebody may have settled it, or had it forgotten.
        if !snapshot.unsettled.is_empty() {
            snapshot.unsettled = unsettled(&turn, event, &home)?;
        }
    }

    Step::Decide.enter();
    let mut decision = decide(event, &snapshot, &home.policy, step::elapsed);
    losses.find_store(&turn, event)?;
    let told = losses.sentences(data_dir);
    if !told.is_empty() {
        let notices = decision.notice.take().into_iter().chain(told);
        decision.notice = Some(notices.collect::<Vec<_>>().join("\n"));
    }

    Step::Apply.enter();
    turn.apply(event, folded.event, &decision, cursor)?;
    write_pending(host, data_dir, event, &snapshot, &decision);
    let is_indexed = (index != IndexState::Unknown).then_some(index == IndexState::Whole);
    let input = CacheInput { event, folded, decision: &decision, is_indexed, before: cache };
    // While nobody else can write: a turn beside this one has the last word about the cache, too.
    match quiet::next_cache(&turn, &input, data_dir)? {
        Some(cache) => cache.keep(data_dir, event),
        None => quiet::forget(data_dir, event),
    }
    turn.commit().inspect_err(|_| quiet::forget(data_dir, event))?;

    Step::Reply.enter();
    let at_stop = Ask::at_stop(home.policy.gates.speak, snapshot.transcript.as_ref());
    let reply = claude::reply(name, &decision, at_stop);
    let is_unkept = reply.is_some() && folded.event.is_none();
    let is_said = reply.is_some() && !is_unkept;
    say(reply.filter(|_| !is_unkept))?;
    if is_said {
        losses.keep_told(host, data_dir).map_err(TurnError::Losses)?;
    }
    if is_said {
        keep_acts_told(host, data_dir, (event, &home), &snapshot, &tried)?;
    }
    let answered = Answer::new(&event.session, end, folded.event);
    let answered = tell_decision(answered, event, &decision, here.policy.ledger.texts);
    journal.answered(&answered).map_err(TurnError::Journal)?;

    let is_late = index == IndexState::Late;
    let is_late = begun(event, data_dir, &store, home.untold_keys.filter(|_| is_said))? || is_late;
    if is_over(event) || is_late || !folded.all || store.needs_tidying() {
        start_tidying(host, data_dir)?;
    }
    store.leave();
    if is_unkept {
        Step::Apply.enter();
        return Err(TurnError::Unkept);
    }
    // Told last: everything else is done as well as it can be without the transcript.
    read.inspect_err(|_| Step::Load.enter())?;
    Ok(())
}

/// Keeps what a quiet turn came to, in the cache and in the journal.
fn keep_quiet(
    host: &Host,
    event: &Event,
    end: u64,
    quiet: QuietTurn,
    journal: &mut Writer,
    data_dir: &Path,
) -> Result<(), TurnError> {
    Step::Apply.enter();
    quiet.cache.keep(data_dir, event);
    Step::Reply.enter();
    let answer = Answer::new(&event.session, end, None).quiet(quiet.rules);
    journal.answered(&answer).map_err(TurnError::Journal)?;
    if quiet.is_long { start_tidying(host, data_dir) } else { Ok(()) }
}

/// What is done once a session has begun. Tells whether the store wants care.
fn begun(
    event: &Event,
    data_dir: &Path,
    store: &Store,
    told: Option<UnknownKeys>,
) -> Result<bool, TurnError> {
    if !is_beginning(event) {
        return Ok(false);
    }
    lost_events::prepare(data_dir);
    if let Some(keys) = told {
        keys.keep_told(data_dir);
    }
    Ok(store.misses_indexes()?)
}

/// Tells the user, once in a session, that the agent stops although a loop or a hold may be open:
/// the store that has them cannot be read. The failure log remembers in which sessions.
fn tell_unread(host: &Host, data_dir: &Path, event: &Event, error: TurnError) -> TurnError {
    let is_main = event.agent.is_none() && matches!(event.kind, Kind::Stop(_));
    let source = match error {
        TurnError::Store(source) if is_main && source.is_lasting() => source,
        other => return other,
    };
    // Who has switched them off does not miss them.
    let off = off(host, event, &Surroundings::new(host).of(&event.cwd));
    let is_off = |gate| off.iter().any(|it| it.covers(gate));
    if is_off("loop") && is_off("hold") || !is_unreadable(data_dir) {
        return TurnError::Store(source);
    }
    let session = redact::session(&event.session);
    let sign = format!("{UNREAD} {session};");
    // Where nobody can tell whether it was told, it is not told again and again.
    if failure::has_error(data_dir, &sign).unwrap_or(true) {
        return TurnError::Store(source);
    }
    let notice = format!(
        "windlass: the loops and holds of this session could not be read, so none of them keeps the \
         agent at work: {source}. Next: {}.",
        source.hint(),
    );
    let decision = Decision { notice: Some(notice), ..Decision::default() };
    match say(claude::reply(EventName::Stop, &decision, Ask::Context)) {
        Ok(()) => TurnError::Unread { session, source },
        Err(error) => error,
    }
}

/// Whether the store cannot be read at a second look either: what the system refuses once is no
/// damage.
fn is_unreadable(data_dir: &Path) -> bool {
    os::set(claude::deadline(EventName::Stop));
    let checked = Store::open(data_dir, Patience::Hook);
    match checked.and_then(|store| store.check_within(SECOND_LOOK)) {
        Ok(Some(checked)) => !checked.faults.is_empty(),
        Ok(None) => true,
        Err(error) => error.is_lasting(),
    }
}

/// Writes what the agent is asked about where it can read all of it: while nobody can settle it or
/// have it forgotten. Without it the ask has all that is needed.
fn write_pending(
    host: &Host,
    data_dir: &Path,
    event: &Event,
    snapshot: &Snapshot,
    decision: &Decision,
) {
    if !decision.effects.iter().any(|it| matches!(it, Effect::KeepAsk { .. })) {
        return;
    }
    if let Err(error) = pending::write(data_dir, &event.session, &snapshot.unsettled) {
        let error = failure::chain(&TurnError::Pending(error));
        failure::record(host, Step::Apply.doing(), &error);
    }
}

fn is_over(event: &Event) -> bool {
    matches!(event.kind, Kind::SessionEnd { .. })
}

/// Puts into an answer that it asks the agent to go on, and how often that was.
fn tell_ask(answer: Answer, event: &Event, decision: &Decision) -> Answer {
    let work = decision.effects.iter().find_map(|it| match it {
        Effect::KeepWork(work) => Some(work),
        _ => None,
    });
    let Some(work) = work.filter(|_| matches!(decision.verdict, Verdict::Ask(_))) else {
        return answer;
    };
    let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
    let asked = work.asked(agent);
    answer.asking(agent, [asked.in_prompt, asked.in_session])
}

/// Puts into an answer what the journal is to know of its decision. Where the ledger does not have the
/// event yet, that is all of it: the fold that brings the event keeps it. `words` says whether words
/// are kept.
fn tell_decision(answer: Answer, event: &Event, decision: &Decision, words: bool) -> Answer {
    let answer = tell_ask(answer, event, decision);
    if answer.id.is_some() || decision.verdict != Verdict::Pass {
        return answer;
    }
    answer.quiet(decision.rules.iter().map(|it| rule_record(it, words)).collect())
}

/// Says an answer, if there is one. What is not on record is not said.
fn say(answer: Option<String>) -> Result<(), TurnError> {
    let Some(answer) = answer else { return Ok(()) };
    os::interrupted(|| write(answer.as_bytes())).map_err(TurnError::Reply)
}

/// Finds what the user is to know of agents: what this one did to our files, and what others tried
/// that only the user may do. What is not on record is not said.
fn find_agent_acts(
    host: &Host,
    turn: &Turn<'_>,
    folded: Folded,
    (event, home): (&Event, &Surrounding),
    snapshot: &mut Snapshot,
) -> Result<Untold, TurnError> {
    let Some(id) = folded.event else { return Ok(Untold::default()) };
    snapshot.acts_on_ours.extend(acts_on_ours(host, turn, event, (id, root_of(home)))?);
    if is_beginning(event)
        && let Some(data_dir) = host.data_dir()
    {
        let tried = attempt::untold(&data_dir);
        snapshot.attempts.clone_from(&tried.sentences);
        return Ok(tried);
    }
    Ok(Untold::default())
}

/// Keeps that the user was told what agents did and tried.
fn keep_acts_told(
    host: &Host,
    data_dir: &Path,
    (event, home): (&Event, &Surrounding),
    snapshot: &Snapshot,
    tried: &Untold,
) -> Result<(), TurnError> {
    if !snapshot.acts_on_ours.is_empty() && is_beginning(event) {
        steering::keep_told(host, root_of(home));
    }
    if snapshot.attempts.is_empty() {
        return Ok(());
    }
    attempt::keep_told(data_dir, tried).map_err(TurnError::Attempts)
}

/// The root of the project that a surrounding is of.
fn root_of(home: &Surrounding) -> Option<&str> {
    home.seen.as_ref().map(|it| it.root.as_str())
}

/// Opens the store. One that is too large to be updated here is left to the process that tidies.
fn open_store(host: &Host, data_dir: &Path) -> Result<Store, TurnError> {
    let opened = Store::open(data_dir, Patience::Hook);
    if matches!(opened, Err(StoreError::Outdated { .. })) {
        start_tidying(host, data_dir)?;
        Step::Load.enter();
    }
    Ok(opened?)
}

/// Starts the process that tidies, unless one is at it.
fn start_tidying(host: &Host, data_dir: &Path) -> Result<(), TurnError> {
    if Tidying::is_free(data_dir) {
        Step::Tidy.enter();
        tidy::start(host).map_err(TurnError::Tidy)?;
    }
    Ok(())
}

/// Reads a payload. A call of another agent is neither answered nor filed: its session is not one
/// of Claude Code.
fn parse(host: &Host, payload: &Payload) -> Result<Option<(EventName, Event)>, TurnError> {
    match claude::parse(payload, host.now, |it| host.variable(it)) {
        Err(WireError::OtherAgent(agent)) => {
            other_agents::count_call(host.data_dir().as_deref(), agent.name);
            Ok(None)
        }
        parsed => Ok(parsed?),
    }
}

/// Keeps which client runs the session, before its agent can start anything. A session begins with
/// one of these, or goes on under another id.
fn bind_client(turn: &Turn<'_>, event: &Event) -> Result<(), TurnError> {
    let is_one = matches!(event.kind, Kind::SessionStart { .. } | Kind::Prompt { .. });
    match is_one.then(tree::client_of_hook).flatten() {
        Some(client) => Ok(turn.bind_client(event, client)?),
        None => Ok(()),
    }
}

/// How often the deadline may come again and find that nobody has taken more of an answer: the
/// client has a limit too, and whoever else runs us must not be held up for ever.
const MOST_WAITS: u32 = 50;

/// Writes the whole answer, in one piece where the pipe has room for it: half a JSON value would
/// be shown to the user as an error. So the deadline ends it before its first byte, or when nobody
/// is left who would take the rest.
fn write(mut answer: &[u8]) -> io::Result<()> {
    let (whole, mut waits) = (answer.len(), 0);
    while !answer.is_empty() {
        match rustix::io::write(stdout(), answer) {
            Ok(count) => {
                answer = &answer[count..];
                waits = 0;
            }
            Err(Errno::INTR) if answer.len() < whole && waits < MOST_WAITS => waits += 1,
            Err(Errno::INTR) => return Err(io::ErrorKind::TimedOut.into()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{TurnError, failures};
    use crate::step::Step;

    /// A text that broke the redactor, then a store that could not be opened.
    #[test]
    fn a_panic_is_told_with_its_step_and_hides_no_error() {
        let panic = (Step::Journal, "panic at a.rs:1:2".to_owned());
        Step::Load.enter();
        let error = TurnError::Homeless;
        let told = failures(Some(&panic), Some(&error));
        let steps: Vec<_> = told.iter().map(|it| it.0).collect();
        assert_eq!(steps, [Step::Journal, Step::Load]);
        assert!(told[0].1.starts_with("panic") && told[1].1.contains("HOME"), "{told:?}");
        assert_eq!(failures(Some(&panic), None), [panic]);
        assert_eq!(failures(None, None), []);
    }
}

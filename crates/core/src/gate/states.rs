//! State files of other tools, for those who change over: what they say is still to be done.

use super::{Answer, Caps, Gate, MAX_NAME, Missing, View, listed};
use crate::arbiter::reason_for_user;
use crate::hash::hash;
use crate::policy::Mode;
use crate::work::Asked;
use crate::{Release, foreign};

pub(super) const GATE: Gate = Gate {
    name: "states",
    about: "State files of other tools that say that the work is not done.",
    // Nothing is read unless the user has switched a reader on.
    mode: |_| Mode::Ask,
    caps: Caps::Shared,
    look,
    next: "",
};

/// The loop of another tool: it has its own number of iterations.
pub(super) const LOOP_GATE: Gate = Gate {
    name: "states-loop",
    about: "A loop in the state files of another tool, until it is verified or at its limit.",
    mode: |_| Mode::Ask,
    caps: Caps::Own,
    look: look_at_loop,
    next: "",
};

/// Asks for one loop of another tool, whatever number its file has.
const MOST_ASKS: u64 = 100;

/// Conditions, stages, tasks and files that are named, of each kind.
const NAMED: usize = 5;

/// Characters of a name in such a list.
const NAME: usize = 60;

/// Characters of what a stage says.
const DETAILS: usize = 200;

/// What stands in the state files of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct States {
    /// `orchestrator.json`.
    pub orchestrator: Option<Orchestrator>,
    /// `loop.json`.
    pub rounds: Option<Rounds>,
    /// `quality-gate.json`.
    pub quality: Option<Quality>,
    /// The files in `tasks` whose task is neither completed nor given up.
    pub tasks: Vec<OpenTask>,
    /// What could not be read or understood.
    pub unread: Vec<Unread>,
}

/// Work that is done phase by phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Orchestrator {
    /// Where it is.
    pub phase: String,
    /// Whether somebody verified that it is done.
    pub verified: bool,
    /// What must hold and does not yet.
    pub unmet: Vec<String>,
}

/// Work that is done again and again until it is right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rounds {
    /// What is to be done.
    pub task: String,
    /// How often it was tried.
    pub iteration: u64,
    /// How often it may be.
    pub most: u64,
    /// What the last look at it came to.
    pub result: String,
    /// What went wrong last.
    pub error: String,
    /// Whether somebody verified that it is done.
    pub verified: bool,
}

/// What a chain of checks came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quality {
    /// Whether it failed.
    pub failed: bool,
    /// The stages that did, each with what it said.
    pub stages: Vec<(String, String)>,
}

/// A task that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTask {
    /// The name of its file.
    pub file: String,
    /// Its title; may be empty.
    pub title: String,
}

/// A file that says nothing to us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The file, as people name it.
    pub file: String,
    /// Why.
    pub why: String,
}

/// How often an agent was sent on for the loop of another tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StateLoop {
    /// Its task, as a number.
    pub task: u64,
    /// The iteration at the first ask.
    pub first: u64,
    /// Asks.
    pub asked: u32,
}

impl StateLoop {
    /// The count for a loop: one with another task begins anew.
    fn of(asked: &Asked, rounds: &Rounds) -> Self {
        let task = hash(rounds.task.as_bytes());
        let new = Self { task, first: rounds.iteration, asked: 0 };
        asked.state_loop.filter(|it| it.task == task).unwrap_or(new)
    }

    /// Whether the loop of another tool is open and an earlier prompt was asked for it.
    pub(crate) fn is_known(view: &View<'_>) -> bool {
        let rounds = view.facts.states.rounds.as_ref().filter(|it| !it.verified);
        let Some(rounds) = rounds else { return false };
        let known = view.work.asked(view.agent).state_loop;
        known.is_some_and(|it| it.asked > 0 && it.task == hash(rounds.task.as_bytes()))
    }

    /// The count after another ask, where there is such a loop.
    pub(crate) fn after_ask(view: &View<'_>, asked: &Asked) -> Option<Self> {
        let it = Self::of(asked, view.facts.states.rounds.as_ref()?);
        Some(Self { asked: it.asked.saturating_add(1), ..it })
    }

    /// Whether there was an ask for each iteration that the file allows, although it may not count
    /// them itself.
    fn is_over(self, rounds: &Rounds) -> bool {
        let most = rounds.most.saturating_sub(self.first).min(MOST_ASKS);
        rounds.iteration >= rounds.most || u64::from(self.asked) >= most
    }
}

impl States {
    /// A number that tells whether the files say something else; 0 where there are none.
    pub(crate) fn mark(&self) -> u64 {
        if *self == Self::default() { 0 } else { hash(format!("{self:?}").as_bytes()) }
    }

    /// Whether the session is led phase by phase, done or not.
    pub(crate) fn is_orchestrated(&self) -> bool {
        self.orchestrator.is_some()
    }
}

/// What satisfies these gates.
const SATISFY: &str = "Do what is missing, and have the tool that keeps these files record it.";

/// What is open in one kind of file, and what it is about.
type Open = (String, Vec<String>);

fn look(view: &View<'_>) -> Answer {
    let states = &view.facts.states;
    let open = [
        states.orchestrator.as_ref().and_then(orchestrator),
        states.quality.as_ref().and_then(quality),
        tasks(&states.tasks),
    ];
    let (mut found, about): (Vec<_>, Vec<_>) = open.into_iter().flatten().unzip();
    let unread = |it: &Unread| {
        format!("{}: {}", foreign::line(&it.file, NAME), foreign::line(&it.why, MAX_NAME))
    };
    let unread =
        (!states.unread.is_empty()).then(|| format!("{}.", listed(&states.unread, NAMED, unread)));
    if found.is_empty() {
        return unread.map_or(Answer::Pass, Answer::CouldNotRun);
    }
    found.extend(unread.map(|it| format!("Not looked at: {it}")));
    Answer::Ask(Missing {
        found: found.join(" "),
        satisfy: SATISFY.to_owned(),
        about: about.concat(),
    })
}

fn look_at_loop(view: &View<'_>) -> Answer {
    let Some(rounds) = view.facts.states.rounds.as_ref().filter(|it| !it.verified) else {
        return Answer::Pass;
    };
    let asked = view.work.asked(view.agent);
    let (found, about) = describe_rounds(rounds);
    if StateLoop::of(&asked, rounds).is_over(rounds) {
        let found = format!("{found} It has no iteration left.");
        return let_go(Release::LoopLimit, found);
    }
    let begun = view.work.prompt.as_ref().map_or(view.now, |it| it.at);
    if view.now.0.saturating_sub(begun.0) / 60_000 >= i64::from(view.gates.minutes) {
        return let_go(Release::TimeCap, found);
    }
    Answer::Ask(Missing { found, satisfy: SATISFY.to_owned(), about })
}

/// The agent may stop although the loop is open, and the user is to know what is.
fn let_go(release: Release, found: String) -> Answer {
    let why = reason_for_user(release);
    let told = format!("The agent may stop ({why}), and this is still open: {found}");
    Answer::Several(vec![Answer::Advise(told), Answer::LetGo(release, found)])
}

fn orchestrator(it: &Orchestrator) -> Option<Open> {
    if it.verified {
        return None;
    }
    let phase = match foreign::line(&it.phase, NAME) {
        phase if phase.is_empty() => String::new(),
        phase => format!(" in the phase “{phase}”,"),
    };
    let unmet = match it.unmet.as_slice() {
        [] => String::new(),
        unmet => format!("; not met: {}", listed(unmet, NAMED, |it| quoted(it))),
    };
    let about = std::iter::once(String::new()).chain(it.unmet.iter().cloned());
    Some((
        format!("orchestrator.json:{phase} not verified as done{unmet}."),
        about.map(|it| format!("orchestrator {it}")).collect(),
    ))
}

fn describe_rounds(it: &Rounds) -> Open {
    let said = |what: &str, text: &str| match foreign::line(text, MAX_NAME) {
        text if text.is_empty() => String::new(),
        text => format!("; {what}: “{text}”"),
    };
    let task = match foreign::line(&it.task, MAX_NAME) {
        task if task.is_empty() => String::new(),
        task => format!(" “{task}”,"),
    };
    let (iteration, most) = (it.iteration, it.most);
    let (result, error) = (said("last result", &it.result), said("last error", &it.error));
    (
        format!(
            "loop.json:{task} iteration {iteration} of {most}, not verified as done{result}{error}."
        ),
        vec![format!("loop {}", it.task)],
    )
}

fn quality(it: &Quality) -> Option<Open> {
    if !it.failed {
        return None;
    }
    let stage = |(name, detail): &(String, String)| match foreign::line(detail, DETAILS) {
        detail if detail.is_empty() => quoted(name),
        detail => format!("{} ({})", quoted(name), detail.trim_end_matches('.')),
    };
    let stages = match it.stages.as_slice() {
        [] => String::new(),
        stages => format!(": {}", listed(stages, NAMED, stage)),
    };
    let about = match it.stages.as_slice() {
        [] => vec!["quality".to_owned()],
        stages => stages.iter().map(|it| format!("quality {}", it.0)).collect(),
    };
    Some((format!("quality-gate.json: the last result is “failed”{stages}."), about))
}

fn tasks(open: &[OpenTask]) -> Option<Open> {
    let count = match open.len() {
        0 => return None,
        1 => "1 task is".to_owned(),
        count => format!("{count} tasks are"),
    };
    let name = |it: &OpenTask| quoted(if it.title.is_empty() { &it.file } else { &it.title });
    Some((
        format!("tasks: {count} open: {}.", listed(open, NAMED, name)),
        open.iter().map(|it| format!("task {} {}", it.file, it.title)).collect(),
    ))
}

fn quoted(name: &str) -> String {
    format!("“{}”", foreign::line(name, NAME))
}

#[cfg(test)]
mod tests {
    use super::{OpenTask, Orchestrator, Quality, Rounds, States, Unread};
    use crate::arbiter::MAX_ASK;
    use crate::gate::Tree;
    use crate::policy::Mode;
    use crate::testing::Session;
    use crate::work::Touched;
    use crate::{Release, Timestamp, Verdict};

    fn session(states: States) -> Session {
        let mut session = Session::new();
        session.policy.readers.ralph = true;
        session.facts.states = states;
        session.prompt("go");
        session
    }

    fn orchestrator(verified: bool, unmet: &[&str]) -> States {
        let unmet = unmet.iter().map(|it| (*it).to_owned()).collect();
        let orchestrator = Orchestrator { phase: "implement".to_owned(), verified, unmet };
        States { orchestrator: Some(orchestrator), ..States::default() }
    }

    fn rounds(iteration: u64, verified: bool) -> States {
        let rounds = Rounds {
            task: "port the parser".to_owned(),
            iteration,
            most: 5,
            result: String::new(),
            error: "2 tests fail".to_owned(),
            verified,
        };
        States { rounds: Some(rounds), ..States::default() }
    }

    fn quality(failed: bool) -> States {
        let stages = vec![("lint".to_owned(), "3 warnings".to_owned())];
        States { quality: Some(Quality { failed, stages }), ..States::default() }
    }

    fn unread() -> States {
        let (file, why) = ("loop.json".to_owned(), "it is not a plain file".to_owned());
        States { unread: vec![Unread { file, why }], ..States::default() }
    }

    #[track_caller]
    fn asked(session: &mut Session) -> String {
        match session.stop("Done.") {
            Verdict::Ask(text) => text,
            other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
        }
    }

    #[test]
    fn each_file_asks_with_its_words_until_it_says_done() {
        let tasks = |titles: &[&str]| {
            let task = |it: &&str| OpenTask { file: "1".to_owned(), title: (*it).to_owned() };
            States { tasks: titles.iter().map(task).collect(), ..States::default() }
        };
        let cases = [
            (
                orchestrator(false, &["plan_approved"]),
                "in the phase “implement”, not verified as done; not met: “plan_approved”.",
                orchestrator(true, &["plan_approved"]),
            ),
            (
                rounds(3, false),
                "“port the parser”, iteration 3 of 5, not verified as done; last error: “2 tests",
                rounds(3, true),
            ),
            (quality(true), "the last result is “failed”: “lint” (3 warnings).", quality(false)),
            (tasks(&["write", ""]), "tasks: 2 tasks are open: “write”, “1”.", tasks(&[])),
        ];
        for (open, words, done) in cases {
            let mut session = session(open);
            let text = asked(&mut session);
            assert!(text.contains("[states") && text.contains(words), "{text}");
            session.edit("/p/notes.md").facts.states = done;
            assert_eq!(session.stop("Done."), Verdict::Pass);
        }
    }

    #[test]
    fn nothing_is_asked_again_without_news_and_the_agent_may_decline() {
        let mut quiet = session(orchestrator(false, &["a"]));
        asked(&mut quiet);
        quiet.read("/p/a.rs");
        assert_eq!(quiet.stop("Done."), Verdict::Release(Release::Unchanged));
        let mut declining = session(orchestrator(false, &["a"]));
        asked(&mut declining);
        declining.edit("/p/notes.md");
        let declined = declining.stop("windlass decline states: the plan is given up");
        assert_eq!(declined, Verdict::Release(Release::Declined));
        // Another condition is something new.
        declining.edit("/p/notes.md").facts.states = orchestrator(false, &["a", "b"]);
        assert!(asked(&mut declining).contains("“b”"));
    }

    #[test]
    fn a_loop_at_its_limit_lets_go_and_the_user_is_told_what_is_open() {
        let mut session = session(rounds(5, false));
        assert_eq!(session.stop("Done."), Verdict::Release(Release::LoopLimit));
        let notice = session.notice().unwrap_or_default();
        for words in ["still open", "“port the parser”", "It has no iteration left."] {
            assert!(notice.contains(words), "{words}: {notice}");
        }
    }

    #[test]
    fn a_side_question_is_not_sent_back_for_the_loop_of_another_tool() {
        let mut session = session(rounds(1, false));
        asked(&mut session);
        session.prompt("which port is the database on?").read("/p/a.rs");
        assert_eq!(session.stop("It is 5432."), Verdict::Release(Release::SideQuestion));
        asked(session.prompt("go on").read("/p/a.rs"));
        // The first prompt may be a question: nothing was asked for the loop before.
        let mut first = self::session(rounds(1, false));
        asked(first.prompt("what is left?").read("/p/a.rs"));
    }

    #[test]
    fn what_a_stage_says_stands_in_brackets_without_a_stop() {
        let stages = vec![("build".to_owned(), "Stage: correctness.".to_owned())];
        let quality = Some(Quality { failed: true, stages });
        let text = asked(&mut session(States { quality, ..States::default() }));
        assert!(text.contains("“build” (Stage: correctness)."), "{text}");
    }

    #[test]
    fn what_cannot_be_read_asks_nothing_and_the_user_is_told() {
        let mut alone = session(unread());
        assert_eq!(alone.stop("Done."), Verdict::Pass);
        let notice = alone.notice().unwrap();
        assert!(
            notice.contains("[states] could not look: loop.json: it is not a plain"),
            "{notice}"
        );
        // Beside something that is open it is named.
        let mut beside = session(States { unread: unread().unread, ..quality(true) });
        assert!(asked(&mut beside).contains("Not looked at: loop.json"));
    }

    #[test]
    fn only_the_main_agent_is_asked_and_only_where_the_reader_is_on() {
        let mut off = session(rounds(1, false));
        off.policy.readers.ralph = false;
        assert_eq!(off.stop("Done."), Verdict::Pass);
        let mut other = session(rounds(1, false));
        other.policy.gates.agents = vec!["*".to_owned()];
        assert_eq!(other.switch_to("a1", "writer").stop("Done."), Verdict::Pass);
        asked(other.switch_to("", ""));
    }

    #[test]
    fn an_orchestrated_session_is_asked_to_commit_unless_the_user_decided() {
        let uncommitted = |states: States, mode: Option<Mode>| {
            let mut session = session(states);
            session.uncommitted_is_set = mode.is_some();
            session.policy.gates.uncommitted.mode = mode.unwrap_or(Mode::Advise);
            session.edit("/p/a.rs");
            let (file, at) = ("/p/a.rs".to_owned(), Some(Timestamp(0)));
            let touched = vec![Touched { file, at, committed: false, is_gone: false }];
            session.facts.tree = Some(Tree::Seen { touched, same: Vec::new() });
            session.stop("Done.")
        };
        let led = || orchestrator(true, &[]);
        let Verdict::Ask(text) = uncommitted(led(), None) else { panic!("no ask") };
        assert!(text.contains("[uncommitted] 1 changed file is not committed"), "{text}");
        assert_eq!(uncommitted(led(), Some(Mode::Advise)), Verdict::Pass);
        assert_eq!(uncommitted(led(), Some(Mode::Off)), Verdict::Pass);
        let limit = Verdict::Release(Release::LoopLimit);
        assert_eq!(uncommitted(rounds(5, false), None), limit);
    }

    /// The tool may count its iterations, or leave that to whoever sends the agent on.
    #[test]
    fn a_loop_of_the_files_is_held_for_as_many_rounds_as_they_allow() {
        for counts in [true, false] {
            let mut session = session(rounds(3, false));
            session.facts.states.rounds.as_mut().unwrap().most = 25;
            session.policy.gates.asks_per_prompt = 1;
            for round in 3..25 {
                session.read("/p/a.rs");
                let text = asked(&mut session);
                assert!(
                    text.contains("[states-loop] ") && !text.contains("windlass decline"),
                    "{text}"
                );
                if counts {
                    session.facts.states.rounds.as_mut().unwrap().iteration = round + 1;
                }
            }
            session.read("/p/a.rs");
            assert_eq!(session.stop("Done."), Verdict::Release(Release::LoopLimit), "{counts}");
            // Another task is another loop.
            let states = session.facts.states.rounds.as_mut().unwrap();
            (states.iteration, states.task) = (0, "another".to_owned());
            session.read("/p/a.rs");
            asked(&mut session);
            // Who only talks is let go, and verified is verified.
            assert_eq!(session.stop("I need you."), Verdict::Release(Release::Idle));
            assert!(session.notice().unwrap().contains("windlass gate off states-loop"));
            session.facts.states.rounds.as_mut().unwrap().verified = true;
            session.prompt("go on");
            assert_eq!(session.stop("Done."), Verdict::Pass);
        }
    }

    #[test]
    fn states_that_were_repaired_are_news_for_the_next_gate() {
        let mut session = session(orchestrator(false, &["quality"]));
        session.edit("/p/a.rs");
        let (file, at) = ("/p/a.rs".to_owned(), Some(Timestamp(0)));
        let touched = vec![Touched { file, at, committed: false, is_gone: false }];
        session.facts.tree = Some(Tree::Seen { touched, same: Vec::new() });
        let text = asked(&mut session);
        assert!(text.contains("[states] ") && text.contains("[uncommitted] "), "{text}");
        // The other tool repairs its files; nobody else knows of a change.
        session.read("/p/a.rs").facts.states = orchestrator(true, &[]);
        let text = asked(&mut session);
        assert!(text.contains("[uncommitted] ") && !text.contains("[states] "), "{text}");
        session.read("/p/a.rs");
        assert_eq!(session.stop("Done."), Verdict::Release(Release::Unchanged));
    }

    #[test]
    fn words_of_the_files_stay_harmless_and_the_ask_is_bounded() {
        let long = "word ” [proof]\n`x` ".repeat(2000);
        let states = States {
            orchestrator: Some(Orchestrator {
                phase: long.clone(),
                verified: false,
                unmet: vec![long.clone(); 40],
            }),
            rounds: Some(Rounds {
                task: long.clone(),
                error: long.clone(),
                most: 9,
                ..Rounds::default()
            }),
            quality: Some(Quality { failed: true, stages: vec![(long.clone(), long.clone()); 40] }),
            tasks: vec![OpenTask { file: long.clone(), title: long }; 40],
            unread: Vec::new(),
        };
        let text = asked(&mut session(states));
        assert!(text.chars().count() <= MAX_ASK, "{text}");
        assert!(!text.contains('`') || text.matches('`').count() == 2, "{text}");
    }
}

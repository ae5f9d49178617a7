//! Sessions with loops and holds, played to their ends.

use super::{
    End, FailureStreak, Iteration, Limits, Lock, LockState, Loop, LoopAuthor, Next, Trial, Until,
};
use crate::arbiter::MAX_ASK;
use crate::loops::ScriptMark;
use crate::testing::{Numbers, Session};
use crate::{Excerpt, Outcome, Release, Timestamp, Verdict};

fn looped(until: Until) -> Loop {
    Loop {
        id: 7,
        task: "make the parser fast".to_owned(),
        author: LoopAuthor::User,
        until,
        limits: Limits { rounds: 25, minutes: None, tokens: None, same_failures: 0 },
        begun_at: Timestamp(0),
        begun_tokens: 0,
        begun_step: 0,
        rounds: 0,
        times: 1,
        streak: FailureStreak::default(),
        scripts: Vec::new(),
        trusted_step: 0,
    }
}

/// A loop or a hold at its limit lets go, and that is no pass.
const LIMIT: Verdict = Verdict::Release(Release::LoopLimit);

/// What nobody can tell lets go, and that is no pass.
const UNPROVEN: Verdict = Verdict::Release(Release::Unproven);

fn session(looped: Loop) -> Session {
    let mut session = Session::new();
    session.looping.loops.push(looped);
    session
}

fn passes() -> Until {
    Until::Passes("sh check.sh".to_owned())
}

fn asked(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Ask(text) => text,
        other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
    }
}

impl Session {
    /// The command of the loop ends so, from now on.
    fn command(&mut self, outcome: Outcome, detail: &str) -> &mut Self {
        let (detail, output, changed) = (detail.to_owned(), Excerpt::of(detail), Vec::new());
        self.facts.trials = vec![Trial { id: 7, outcome, detail, output, changed }];
        self
    }
}

#[test]
fn a_loop_sends_the_agent_on_until_its_command_passes() {
    let mut session = session(looped(passes()));
    session.prompt("go").command(Outcome::Failed(Some(3)), "2 of 5 cases are slow");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    for words in ["[loop]", "round 1 of at most 25", "`sh check.sh` exits with 3", "2 of 5 cases"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("not yours to end") && !text.contains("decline loop"), "{text}");
    session.edit("/p/a.rs");
    assert!(asked(&session.stop("Done.")).contains("round 2"), "the second round");
    session.edit("/p/a.rs").command(Outcome::Passed, "all fast");
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert_eq!(session.end(), Some(End::Proven));
    let outcomes: Vec<_> = session.iterations.iter().map(|it| it.0.outcome).collect();
    assert_eq!(outcomes, [Outcome::Failed(Some(3)), Outcome::Failed(Some(3)), Outcome::Passed]);
    let notice = session.notice().unwrap();
    assert!(notice.contains("proven after 2 rounds"), "{notice}");
    // It is over: nothing is left of it.
    session.read("/p/a.rs");
    assert_eq!((session.stop("Done."), session.iterations.len()), (Verdict::Pass, 3));
}

#[test]
fn what_an_agent_started_is_told_as_its_own() {
    for until in [passes(), Until::Seen("make check".to_owned()), Until::Released] {
        let end = if until == Until::Released { "windlass hold off" } else { "windlass loop stop" };
        let own = Loop { author: LoopAuthor::Agent, ..looped(until) };
        let mut session = session(own);
        session.prompt("go").command(Outcome::Failed(Some(3)), "slow");
        let verdict = session.stop("Done.");
        let text = asked(&verdict);
        assert!(text.contains("You started this ") && text.contains(end), "{text}");
        assert!(!text.contains("The user") && !text.contains("not yours"), "{text}");
        // The user reads whose it is when the agent only talks, and is not addressed as its author.
        assert!(matches!(session.stop("I cannot go on."), Verdict::Release(Release::Idle)));
        let told = session.notice().unwrap();
        assert!(told.contains("The agent's own ") && !told.contains("You"), "{told}");
    }
}

#[test]
fn a_command_that_cannot_be_run_asks_nothing_and_the_user_is_told() {
    let mut session = session(looped(passes()));
    session.prompt("go").command(Outcome::Unknown, "it took longer than 120 s");
    assert_eq!(session.stop("Done."), UNPROVEN);
    assert!(session.notice().unwrap().contains("longer than 120 s"), "{:?}", session.notice());
    assert_eq!((session.looping.loops.len(), session.end()), (1, None));
}

#[test]
fn a_command_that_nobody_ran_proves_nothing_and_asks_nothing() {
    let mut session = session(looped(passes()));
    session.prompt("go");
    assert_eq!(session.stop("Done."), UNPROVEN);
    assert!(session.notice().unwrap().contains("was not run"), "{:?}", session.notice());
}

#[test]
fn who_only_talks_is_let_go_and_goes_on_at_the_next_prompt() {
    let mut session = session(looped(passes()));
    session.prompt("go").command(Outcome::Failed(Some(1)), "no");
    asked(&session.stop("Done."));
    session.facts.trials.clear();
    assert_eq!(session.stop("I need a password."), Verdict::Release(Release::Idle));
    assert_eq!(session.iterations[1].1, Next::Idle);
    let notice = session.notice().unwrap();
    assert!(notice.contains("next prompt") && notice.contains("windlass loop stop"), "{notice}");
    session.prompt("here it is").edit("/p/a.rs").command(Outcome::Failed(Some(1)), "no");
    assert!(asked(&session.stop("Done.")).contains("round 2"), "it goes on");
}

#[test]
fn it_is_not_the_agents_to_decline_and_other_gates_are() {
    let mut session = session(looped(passes()));
    session.prompt("go").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    session.command(Outcome::Failed(Some(1)), "no");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("[loop]") && text.contains("[proof]"), "{text}");
    assert!(text.contains("windlass decline proof: REASON"), "{text}");
    session.read("/p/a.rs");
    let declined = "windlass decline loop: enough\nwindlass decline proof: it shall fail";
    let verdict = session.stop(declined);
    let text = asked(&verdict);
    assert!(text.contains("[loop]") && !text.contains("[proof]"), "{text}");
}

#[test]
fn caps_of_other_gates_do_not_count_for_it() {
    let mut session = session(looped(passes()));
    session.policy.gates.asks_per_prompt = 1;
    session.policy.gates.minutes = 1;
    session.prompt("go").command(Outcome::Failed(Some(1)), "no");
    for round in 1..=25 {
        session.minutes(2);
        session.read("/p/a.rs");
        let verdict = session.stop("Done.");
        assert!(asked(&verdict).contains(&format!("round {round} of")), "{verdict:?}");
    }
    session.read("/p/a.rs");
    assert_eq!((session.stop("Done."), session.end()), (LIMIT, Some(End::Capped)));
    assert!(session.notice().unwrap().contains("windlass loop resume"), "{:?}", session.notice());
}

#[test]
fn time_and_tokens_end_it_too() {
    let limits = |minutes, tokens| Limits { rounds: 25, minutes, tokens, same_failures: 0 };
    let mut by_time = session(Loop { limits: limits(Some(30), None), ..looped(Until::Released) });
    asked(&by_time.prompt("go").stop("Done."));
    by_time.minutes(30);
    by_time.read("/p/a.rs");
    assert_eq!((by_time.stop("Done."), by_time.end()), (LIMIT, Some(End::Capped)));
    let begun = Loop { begun_tokens: 1000, ..looped(Until::Released) };
    let mut by_tokens = session(Loop { limits: limits(None, Some(500)), ..begun });
    by_tokens.looping.tokens = 1499;
    asked(&by_tokens.prompt("go").stop("Done."));
    by_tokens.looping.tokens = 1500;
    by_tokens.read("/p/a.rs");
    assert_eq!((by_tokens.stop("Done."), by_tokens.end()), (LIMIT, Some(End::Capped)));
    // A condition that is proven at the limit is proven.
    let mut late = session(Loop { limits: limits(Some(1), None), ..looped(passes()) });
    late.prompt("go").command(Outcome::Passed, "").minutes(9);
    assert_eq!((late.stop("Done."), late.end()), (Verdict::Pass, Some(End::Proven)));
}

#[test]
fn a_command_must_be_seen_to_pass_after_the_last_edit() {
    let until = || Until::Seen("./check.sh --all".to_owned());
    let mut session = session(looped(until()));
    let asks = |session: &mut Session| match session.stop("Done.") {
        Verdict::Ask(text) => text,
        other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
    };
    session.prompt("go");
    assert!(asks(&mut session).contains("it was not seen yet"), "nothing ran");
    // Another command is another command.
    session.shell("./check.sh", Ok(()), "ok");
    assert!(asks(&mut session).contains("it was not seen yet"), "another one ran");
    session.shell("./check.sh --all", Err(1), "1 failed");
    assert!(asks(&mut session).contains("has not passed"), "it failed");
    session.shell("./check.sh --all | tail -1", Ok(()), "");
    assert!(asks(&mut session).contains("exit status was not visible"), "its status was hidden");
    session.shell("cd sub && ./check.sh --all", Ok(()), "").edit("/p/a.rs");
    assert!(asks(&mut session).contains("exit status was not visible"), "elsewhere");
    session.shell("./check.sh --all", Ok(()), "").edit("/p/a.rs");
    assert!(asks(&mut session).contains("files may have changed"), "an edit came after it");
    session.shell("timeout 60 ./check.sh --all", Ok(()), "").edit("/tmp/notes.md");
    assert_eq!((session.stop("Done."), session.end()), (Verdict::Pass, Some(End::Proven)));
    // What was seen before it began does not count.
    let mut early = self::session(looped(until()));
    early.prompt("go").shell("./check.sh --all", Ok(()), "");
    early.looping.loops[0].begun_step = 2;
    assert!(asks(&mut early).contains("it was not seen yet"), "before it began");
}

/// A loop that waits for `make check` to be seen, after the agent ran a line that passed.
fn after_line(line: &str) -> (Verdict, Option<End>, String) {
    let mut session = session(looped(Until::Seen("make check".to_owned())));
    session.looping.directory = Some("/p".to_owned());
    session.prompt("go").edit("/p/a.rs").shell(line, Ok(()), "");
    let verdict = session.stop("Done.");
    let text = if let Verdict::Ask(text) = &verdict { text.clone() } else { String::new() };
    (verdict, session.end(), text)
}

#[test]
fn a_command_is_seen_as_itself_in_the_directory_of_the_loop() {
    for line in ["make check", "cd /p && make check", "cd sub && cd .. && make check"] {
        let (verdict, end, _) = after_line(line);
        assert_eq!((verdict, end), (Verdict::Pass, Some(End::Proven)), "{line}");
    }
    for (line, words) in [
        ("cd sub && make check", "it was run in /p/sub, and must be run in /p"),
        ("cd /q && make check", "it was run in /q"),
        ("cd \"$WHERE\" && make check", "must be run in /p"),
        ("make() { true; }; make check", "not seen yet"),
        ("alias make=true\nmake check", "not seen yet"),
        ("eval 'make() { :; }'; make check", "has not passed"),
        (". ./fake.sh; make check", "not by itself"),
        ("PATH=/tmp/fake:$PATH make check", "has not passed"),
        ("FLAG=1 make check", "not by itself"),
        ("export PATH=/tmp/fake:$PATH && make check", "has not passed"),
        ("env PATH=/tmp/fake make check", "has not passed"),
        ("docker exec web make check", "not by itself"),
        ("git stash && make check; git stash pop", "has not passed"),
        ("git stash -q && make check && git stash pop", "without the changes"),
        ("make check && sed -i s/a/b/ a.rs", "has not passed"),
        ("make check && cargo fmt", "writes files after it"),
        ("make check && rm b.rs", "has not passed"),
        ("true || make check", "has not passed"),
    ] {
        let (verdict, end, text) = after_line(line);
        assert!(end.is_none() && text.contains(words), "{line}: {verdict:?}");
    }
}

#[test]
fn a_limit_and_a_release_are_recorded_as_capped_and_never_as_a_pass() {
    let limits = Limits { rounds: 1, minutes: None, tokens: None, same_failures: 0 };
    for until in [passes(), Until::Seen("make check".to_owned()), Until::Released] {
        let mut session = session(Loop { limits, ..looped(until) });
        session.prompt("go").command(Outcome::Failed(Some(1)), "no");
        asked(&session.stop("Done."));
        session.edit("/p/a.rs");
        let Verdict::Release(release) = session.stop("Done.") else { panic!() };
        assert_eq!((release.word(), session.end()), ("capped", Some(End::Capped)));
    }
    for release in [Release::LoopLimit, Release::Stuck, Release::Unproven, Release::Unconfirmed] {
        assert_eq!(release.word(), "capped");
    }
}

/// A session whose loop may meet the same failure so often.
fn stubborn(same_failures: u32) -> Session {
    let limits = Limits { same_failures, ..looped(passes()).limits };
    let mut session = session(Loop { limits, ..looped(passes()) });
    session.prompt("go");
    session
}

#[test]
fn the_same_failure_again_and_again_ends_a_loop_as_stuck() {
    let mut session = stubborn(3);
    for time in ["1.2s", "0.9s"] {
        session
            .edit("/p/a.rs")
            .command(Outcome::Failed(Some(1)), &format!("E 17 | failed in {time}"));
        asked(&session.stop("Done."));
    }
    session.edit("/p/a.rs").command(Outcome::Failed(Some(1)), "E 17 | failed in 4.0s");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Stuck));
    assert_eq!(session.end(), Some(End::Stuck));
    let notice = session.notice().unwrap();
    for words in ["stuck after 2 rounds", "same failure 3 times", "E 17 | failed", "loop resume"] {
        assert!(notice.contains(words), "{words}: {notice}");
    }
}

#[test]
fn another_failure_an_unknown_end_and_a_release_are_no_repetition() {
    let mut session = stubborn(2);
    for detail in ["3 failed", "2 failed", "3 failed", "1 failed"] {
        session.edit("/p/a.rs").command(Outcome::Failed(Some(1)), detail);
        asked(&session.stop("Done."));
    }
    session.edit("/p/a.rs").command(Outcome::Unknown, "it took longer than 120 s");
    assert_eq!((session.stop("Done."), session.end()), (UNPROVEN, None));
    let mut seen = self::session(Loop {
        limits: Limits { same_failures: 2, ..looped(passes()).limits },
        ..looped(Until::Seen("make check".to_owned()))
    });
    seen.prompt("go").shell("make check", Err(2), "broken");
    asked(&seen.stop("Done."));
    // Whatever lets the agent go for now is no attempt.
    for _ in 0..9 {
        seen.read("/p/a.rs");
        assert_eq!(seen.stop_with("", |it| it.awaited = 1), Verdict::Release(Release::Running));
    }
    assert_eq!(seen.end(), None);
    seen.shell("make check", Err(2), "broken");
    assert_eq!(
        (seen.stop("Done."), seen.end()),
        (Verdict::Release(Release::Stuck), Some(End::Stuck))
    );
    // Without a number it goes on until its limit.
    let mut patient = stubborn(0);
    for _ in 0..20 {
        patient.edit("/p/a.rs").command(Outcome::Failed(Some(1)), "no");
        asked(&patient.stop("Done."));
    }
}

#[test]
fn a_side_question_of_the_user_is_not_sent_back() {
    for until in [passes(), Until::Seen("make check".to_owned()), Until::Released] {
        let mut session = session(looped(until));
        session.prompt("make the parser fast").command(Outcome::Failed(Some(1)), "no");
        session.edit("/p/a.rs");
        asked(&session.stop("Done."));
        for question in ["which port does the server use?", "tell me about the cache"] {
            session.prompt(question).read("/p/server.rs");
            let verdict = session.stop("It is 8080.");
            assert_eq!(verdict, Verdict::Release(Release::SideQuestion), "{question}");
            assert_eq!((session.notice(), session.looping.loops.len()), (None, 1));
        }
        session.prompt("go on");
        assert!(asked(&session.stop("Done.")).contains("round 2"), "it goes on");
        // Whoever works for the answer is at work.
        session.prompt("could you also rename it?").edit("/p/a.rs");
        asked(&session.stop("Done."));
        // A run for the answer changes nothing.
        session.prompt("does it pass?").shell("make check", Err(1), "");
        assert_eq!(session.stop("No."), Verdict::Release(Release::SideQuestion));
    }
}

/// An order is work, whatever the agent makes of it.
#[test]
fn a_hold_keeps_an_agent_that_only_reads_when_it_was_given_work() {
    for order in
        ["fix the rounding in six.py", "six.py is broken, repair it", "the cache: remove it"]
    {
        let mut session = session(looped(Until::Released));
        session.prompt(order).read("/p/six.py");
        assert!(asked(&session.stop("I see.")).contains("round 1 of at most 25"), "{order}");
        session.prompt(order).read("/p/six.py");
        assert!(asked(&session.stop("I see.")).contains("round 2 of at most 25"), "{order}");
    }
    // Where it may be either, the user reads why the agent may stop.
    let mut session = session(looped(Until::Released));
    session.prompt("status of the cache").read("/p/six.py");
    assert_eq!(session.stop("Full."), Verdict::Release(Release::SideQuestion));
    assert!(session.notice().unwrap().contains("taken for a question"), "{:?}", session.notice());
}

/// A round begins when the agent is sent on, and only then.
#[test]
fn every_text_counts_the_same_rounds() {
    let mut session = session(looped(passes()));
    session.prompt("make it fast").command(Outcome::Failed(Some(1)), "no");
    for round in ["round 1 of", "round 2 of"] {
        session.edit("/p/a.rs");
        assert!(asked(&session.stop("Done.")).contains(round), "{round}");
    }
    // It only talks: no round begins.
    assert_eq!(session.stop("I need a key."), Verdict::Release(Release::Idle));
    let notice = session.notice().unwrap();
    assert!(notice.contains("round 2 of") && !notice.contains("round 3"), "{notice}");
    assert_eq!(session.looping.loops[0].rounds, 2);
    session.prompt("go on").edit("/p/a.rs");
    assert!(asked(&session.stop("Done.")).contains("round 3 of"), "the third");
    session.edit("/p/a.rs").command(Outcome::Passed, "well");
    session.stop("Done.");
    let notice = session.notice().unwrap();
    assert!(notice.contains("is over, proven after 3 rounds."), "{notice}");
}

#[test]
fn a_loop_that_is_proven_at_once_had_no_round() {
    let mut session = session(looped(passes()));
    session.prompt("make it fast").command(Outcome::Passed, "well").stop("Done.");
    let notice = session.notice().unwrap();
    assert!(notice.contains("is over, proven before its first round."), "{notice}");
}

/// What another gate asks for is none of its rounds.
#[test]
fn an_ask_of_another_gate_is_no_round() {
    let mut session = session(looped(passes()));
    session.prompt("which port is it?").command(Outcome::Failed(Some(1)), "no");
    assert!(matches!(session.stop("All tests pass."), Verdict::Release(_)));
    session.edit("/p/a.rs");
    session.prompt("which port is it?");
    let verdict = session.stop("8080, and all tests pass.");
    assert!(
        asked(&verdict).contains("[proof]") && !asked(&verdict).contains("[loop]"),
        "{verdict:?}"
    );
    assert_eq!(session.looping.loops[0].rounds, 0);
}

#[test]
fn the_first_prompt_of_a_loop_is_a_side_question_unless_it_gives_work() {
    let begins = |text: &str| {
        let mut session = session(looped(passes()));
        session.prompt(text).command(Outcome::Failed(Some(1)), "no");
        session.stop("I would begin with the lexer.")
    };
    asked(&begins("make the parser fast"));
    asked(&begins("go on"));
    asked(&begins("go on with the lexer"));
    for question in ["what does the lexer do?", "status", "Can you tell me the port", "端口是多少"]
    {
        assert_eq!(begins(question), Verdict::Release(Release::SideQuestion), "{question}");
    }
    // Nor is a question that was there before the loop.
    let mut early = session(Loop { begun_at: Timestamp(60_000), ..looped(passes()) });
    early.prompt("what does the lexer do?").command(Outcome::Failed(Some(1)), "no");
    asked(&early.stop("It lexes."));
}

#[test]
fn a_program_that_the_agent_put_in_the_place_of_the_command_proves_nothing() {
    for line in [
        "ln -s /bin/true ~/bin/make",
        "cp /bin/true /usr/local/bin/make",
        "install -m 755 /bin/true ~/.local/bin/make",
        "printf x > bin/make",
        "echo 'alias make=true' >> ~/.bashrc",
    ] {
        let mut session = session(looped(Until::Seen("make check".to_owned())));
        session.prompt("go").shell(line, Ok(()), "").shell("make check", Ok(()), "ok");
        assert_eq!(session.stop("Done."), Verdict::Release(Release::Unconfirmed), "{line}");
        assert_eq!(session.looping.loops.len(), 1, "{line}");
        let notice = session.notice().unwrap_or_default();
        assert!(notice.contains("does not count yet"), "{line}: {notice}");
    }
    let mut session = session(looped(Until::Seen("make check".to_owned())));
    session.prompt("go").shell("cp a.rs src/make.rs", Ok(()), "");
    session.shell("make check", Ok(()), "ok");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn a_program_that_was_put_in_the_place_of_another_is_no_build() {
    let scripts = vec![ScriptMark { file: "verify".to_owned(), mark: Some(ScriptMark::PROGRAM) }];
    let until = Until::Passes("./verify".to_owned());
    for (line, is_replaced) in [("cp /bin/true verify", true), ("cargo build", false)] {
        let mut session = session(Loop { scripts: scripts.clone(), ..looped(until.clone()) });
        session.prompt("go").shell(line, Ok(()), "").command(Outcome::Passed, "");
        session.stop("Done.");
        let is_open = !session.looping.loops.is_empty();
        assert_eq!(is_open, is_replaced, "{line}");
    }
}

#[test]
fn a_script_that_changed_proves_nothing_until_the_user_confirms_it() {
    let mut session = session(looped(passes()));
    let changed = |session: &mut Session, outcome| {
        session.edit("/p/a.rs").command(outcome, "said");
        session.facts.trials[0].changed = vec!["check.sh".to_owned()];
    };
    session.prompt("go");
    changed(&mut session, Outcome::Failed(Some(1)));
    asked(&session.stop("Done."));
    let notice = session.notice().unwrap();
    assert!(notice.contains("`check.sh` changed since you gave it"), "{notice}");
    assert!(notice.contains("`windlass loop confirm 7`"), "{notice}");
    changed(&mut session, Outcome::Passed);
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Unconfirmed));
    assert_eq!((session.end(), session.looping.loops.len()), (None, 1));
    assert!(session.notice().unwrap().contains("does not count yet"), "{:?}", session.notice());
    assert_eq!(session.iterations.last().unwrap().0.outcome, Outcome::Unknown);
    session.edit("/p/a.rs").command(Outcome::Passed, "said");
    assert_eq!((session.stop("Done."), session.end()), (Verdict::Pass, Some(End::Proven)));
}

#[test]
fn a_command_that_passes_with_a_changed_file_behind_it_waits_for_the_user() {
    for (file, command) in [
        ("Makefile", "make check"),
        ("package.json", "npm test"),
        ("check.sh", "./check.sh --all"),
        ("scripts/test.sh", "make check"),
    ] {
        let begin = || {
            let mut session = session(looped(Until::Seen(command.to_owned())));
            session.prompt("go").edit(&format!("/p/{file}")).shell(command, Ok(()), "ok");
            session
        };
        let mut session = begin();
        assert_eq!(session.stop("Done."), Verdict::Release(Release::Unconfirmed), "{file}");
        assert_eq!((session.end(), session.looping.loops.len()), (None, 1), "{file}");
        let notice = session.notice().unwrap_or_default();
        for words in [format!("`{file}` changed").as_str(), "`windlass loop confirm 7`"] {
            assert!(notice.contains(words), "{words}: {notice}");
        }
        assert_eq!(session.looping.loops[0].rounds, 0, "{file}");
        // The user confirms it.
        session.looping.loops[0].trusted_step = session.work.step;
        assert_eq!((session.stop("Done."), session.end()), (Verdict::Pass, Some(End::Proven)));
        // It is as it was when the user gave the command.
        let mut session = begin();
        session.facts.same_scripts = vec![(7, vec![file.to_owned()])];
        assert_eq!((session.stop("Done."), session.end()), (Verdict::Pass, Some(End::Proven)));
        // A failure is a failure.
        let mut session = begin();
        session.shell(command, Err(1), "1 failed");
        asked(&session.stop("Done."));
    }
    // What the agent changed before the loop began is what the user gave the command with.
    let mut session = session(Loop {
        begun_step: 2,
        trusted_step: 2,
        ..looped(Until::Seen("make check".to_owned()))
    });
    session.prompt("go").edit("/p/Makefile").shell("make check", Ok(()), "ok");
    assert_eq!((session.stop("Done."), session.end()), (Verdict::Pass, Some(End::Proven)));
}

#[test]
fn a_stuck_loop_shows_what_the_command_said_last() {
    let mut session = session(Loop {
        limits: Limits { same_failures: 2, ..looped(passes()).limits },
        ..looped(Until::Seen("make check".to_owned()))
    });
    session.prompt("go");
    for _ in 0..2 {
        let output = "Exit code 2\nchecking\nno such table: users\nmake: *** [check] Error 2";
        session.shell("make check", Err(2), output);
        session.stop("Done.");
    }
    assert_eq!(session.end(), Some(End::Stuck));
    let notice = session.notice().unwrap_or_default();
    assert!(notice.contains("no such table: users | make: ***"), "{notice}");
}

#[test]
fn a_pass_that_never_counts_is_the_same_failure() {
    for line in ["PATH=/x make check", "make check | tail -1", "cd sub && make check"] {
        let mut session = session(Loop {
            limits: Limits { same_failures: 3, ..looped(passes()).limits },
            ..looped(Until::Seen("make check".to_owned()))
        });
        session.looping.directory = Some("/p".to_owned());
        session.prompt("go");
        for round in 1..3 {
            session.shell(line, Ok(()), "");
            let verdict = session.stop("Done.");
            assert!(matches!(verdict, Verdict::Ask(_)), "{line}, round {round}");
        }
        session.shell(line, Ok(()), "");
        assert_eq!(session.stop("Done."), Verdict::Release(Release::Stuck), "{line}");
        assert_eq!(session.end(), Some(End::Stuck), "{line}");
    }
    // A command that was not run yet is none.
    let mut session = session(Loop {
        limits: Limits { same_failures: 2, ..looped(passes()).limits },
        ..looped(Until::Seen("make check".to_owned()))
    });
    session.prompt("go");
    for _ in 0..5 {
        session.edit("/p/a.rs");
        asked(&session.stop("Done."));
    }
}

#[test]
fn a_task_file_that_the_agent_changed_is_a_script_of_the_command() {
    let ends = |file: &str, trusted_step| {
        let until = Until::Passes("make check".to_owned());
        let mut session = session(Loop { trusted_step, ..looped(until) });
        session.prompt("go").edit(file).command(Outcome::Passed, "");
        session.stop("Done.")
    };
    assert_eq!(ends("/p/Makefile", 0), Verdict::Release(Release::Unconfirmed));
    assert_eq!(ends("/p/Makefile", 2), Verdict::Pass);
    assert_eq!(ends("/p/sub/Makefile", 0), Verdict::Pass);
    assert_eq!(ends("/p/a.rs", 0), Verdict::Pass);
}

#[test]
fn a_row_that_cannot_be_read_holds_nobody_and_the_user_is_told() {
    let mut session = Session::new();
    session.looping.unreadable = 1;
    session.prompt("go").edit("/p/a.md");
    assert_eq!(session.stop("Done."), Verdict::Pass);
    let notice = session.notice().unwrap();
    assert!(notice.contains("cannot be read") && notice.contains("store check"), "{notice}");
}

#[test]
fn a_hold_has_no_condition_and_can_stand_beside_a_loop() {
    let mut session = session(Loop { task: String::new(), ..looped(Until::Released) });
    let text = asked(&session.prompt("go").stop("Done.")).to_owned();
    assert!(text.contains("[hold] The user wants the work to go on (round 1"), "{text}");
    session.looping.loops.push(Loop { id: 8, ..looped(Until::Seen("make check".to_owned())) });
    session.read("/p/a.rs");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("[hold]") && text.contains("[loop]"), "{text}");
    assert_eq!(session.looping.loops.iter().map(|it| it.rounds).collect::<Vec<_>>(), [2, 1]);
}

/// A session that a lock file holds.
fn locked(text: &str) -> Session {
    let file = || "/p/lock".to_owned();
    let mut session = session(Loop {
        task: String::new(),
        limits: Limits { rounds: 3, minutes: None, tokens: None, same_failures: 0 },
        ..looped(Until::Unlocked(file()))
    });
    session.policy.readers.lock_file = true;
    let state = LockState::Set { since: Timestamp(0), text: text.to_owned() };
    session.facts.lock = Some(Lock { file: file(), state });
    session.prompt("go");
    session
}

impl Session {
    /// The lock file is so from now on.
    fn lock(&mut self, state: LockState) {
        self.facts.lock.as_mut().unwrap().state = state;
    }
}

#[test]
fn a_lock_file_holds_until_it_is_gone() {
    let mut session = locked("look at\nthe `docs`");
    let text = asked(&session.stop("Done.")).to_owned();
    assert!(text.contains("[hold] The project's lock file keeps the work going (round 1 of at most 3): “look at the 'docs'”"), "{text}");
    assert!(text.contains("not yours to end"), "{text}");
    session.read("/p/a.rs");
    asked(&session.stop("Done."));
    session.lock(LockState::Gone);
    session.read("/p/a.rs");
    assert_eq!((session.stop("Done."), session.end()), (Verdict::Pass, Some(End::Stopped)));
    let notice = session.notice().unwrap();
    assert!(notice.contains("“lock file” is over, stopped after 2 rounds"), "{notice}");
}

#[test]
fn a_lock_file_has_the_limits_of_a_hold() {
    let mut session = locked("");
    for _ in 0..3 {
        let text = asked(&session.stop("Done.")).to_owned();
        assert!(text.contains("of at most 3). Take the next useful step"), "{text}");
        session.read("/p/a.rs");
    }
    assert_eq!((session.stop("Done."), session.end()), (LIMIT, Some(End::Capped)));
    let mut talking = locked("");
    asked(&talking.stop("Done."));
    assert_eq!(talking.stop("I need you."), Verdict::Release(Release::Idle));
}

#[test]
fn a_lock_file_that_nobody_can_read_holds_nobody_and_the_user_is_told() {
    let unreadable = || LockState::Unreadable("it is not a plain file".to_owned());
    let mut held = locked("");
    asked(&held.stop("Done."));
    held.lock(unreadable());
    held.read("/p/a.rs");
    assert_eq!((held.stop("Done."), held.end()), (UNPROVEN, None));
    assert!(held.notice().unwrap().contains("[hold] could not look: `/p/lock`: it is not a"));
    let mut free = locked("");
    free.looping.loops.clear();
    free.lock(unreadable());
    assert_eq!(free.stop("Done."), Verdict::Pass);
    assert!(free.notice().unwrap().contains("[hold] could not look"));
    // The user's own hold needs no file.
    free.looping.loops.push(looped(Until::Released));
    asked(&free.stop("Done."));
}

#[test]
fn a_lock_file_that_is_read_no_more_holds_nobody() {
    let mut session = locked("");
    session.policy.readers.lock_file = false;
    assert_eq!((session.stop("Done."), session.notice()), (Verdict::Pass, None));
    session.looping.loops.push(Loop { id: 8, ..looped(Until::Released) });
    asked(&session.stop("Done."));
}

#[test]
fn plans_schedules_and_background_work_are_left_alone() {
    let mut session = session(looped(passes()));
    session.prompt("go");
    let released = session.stop_with("Done.", |it| it.planning = true);
    assert_eq!(released, Verdict::Release(Release::Planning));
    assert_eq!(session.stop_with("", |it| it.scheduled = 1), Verdict::Release(Release::Scheduled));
    assert_eq!(session.stop_with("", |it| it.awaited = 1), Verdict::Release(Release::Running));
    let all_wait = session.iterations.iter().all(|it| it.1 == Next::Wait);
    assert!(all_wait && session.looping.loops[0].rounds == 0, "{:?}", session.iterations);
    let Iteration { detail, .. } = &session.iterations[0].0;
    assert_eq!(detail.as_deref(), Some("let go: planning: the agent may only plan"));
}

#[test]
fn an_ask_is_never_too_long() {
    let long = "word ".repeat(2000);
    let until = [Until::Passes(long.clone()), Until::Seen(long.clone()), Until::Released];
    for until in until {
        let mut session = session(Loop { task: long.clone(), ..looped(until) });
        session.policy.gates.tasks.mode = crate::policy::Mode::Ask;
        session.prompt("go").edit(&format!("/p/{}.rs", "long/".repeat(400)));
        session.shell(&format!("cargo test {long}"), Err(1), "1 failed");
        session.command(Outcome::Failed(None), &long);
        let verdict = session.stop("Done.");
        assert!(asked(&verdict).chars().count() <= MAX_ASK, "{verdict:?}");
    }
}

/// Random sessions: a loop never sends the agent on more often than it may, never twice without a
/// tool call in between, and not after its end.
#[test]
fn random_sessions_keep_the_limits() {
    for seed in 1..400 {
        let mut numbers = Numbers::new(seed);
        let most = u32::try_from(1 + numbers.below(9)).unwrap();
        let minutes = (numbers.below(2) == 0).then_some(60);
        let limits = Limits { rounds: most, minutes, tokens: None, same_failures: 0 };
        let until = [passes(), Until::Seen("make check".to_owned()), Until::Released]
            [numbers.below(3)]
        .clone();
        let mut session = session(Loop { limits, ..looped(until) });
        session.policy.gates.proof.mode = crate::policy::Mode::Off;
        let (mut rounds, mut called) = (0, true);
        for step in 0..200 {
            match numbers.below(8) {
                0 => {
                    session.prompt("go on");
                    called = true;
                }
                1 => {
                    session.edit("/p/a.rs");
                    called = true;
                }
                2 => {
                    let end = if numbers.below(9) == 0 { Ok(()) } else { Err(2) };
                    session.shell("make check", end, "");
                    called = true;
                }
                3 => session.minutes(1),
                _ => {
                    let outcomes = [Outcome::Failed(Some(1)), Outcome::Unknown, Outcome::Passed];
                    let outcome = outcomes[numbers.below(20).saturating_sub(17)];
                    session.command(outcome, "said");
                    let over = session.looping.loops.is_empty();
                    if let Verdict::Ask(_) = session.stop("Done.") {
                        rounds += 1;
                        assert!(!over && called, "seed {seed}, step {step}");
                        called = false;
                    }
                    assert!(rounds <= most, "seed {seed}, step {step}");
                }
            }
        }
        let ends = session.iterations.iter().filter(|it| matches!(it.1, Next::Over { .. })).count();
        assert!(ends <= 1, "seed {seed}");
    }
}

/// What windlass saw to pass itself is a run like any other.
#[test]
fn a_pass_of_the_loop_is_a_pass_for_the_other_gates() {
    const PASSED: &str = "5 passed in 0.10s";
    for (failed, until, output) in [
        ("pytest", "pytest -q", PASSED),
        ("pytest -q tests/a.py", "python -m pytest", PASSED),
        ("pytest", "just ci", PASSED),
        ("python -m pytest -x", "poetry run pytest", PASSED),
    ] {
        let mut session = session(looped(Until::Passes(until.to_owned())));
        session.prompt("go").edit("/p/a.py").shell(failed, Err(1), "1 failed, 4 passed in 0.1s");
        session.edit("/p/a.py").command(Outcome::Passed, output);
        assert_eq!(session.stop("Done, all tests pass."), Verdict::Pass, "{until}");
        assert_eq!(session.end(), Some(End::Proven));
        // An edit after it makes it stale.
        session.edit("/p/a.py");
        assert!(matches!(session.stop("All tests pass."), Verdict::Ask(_)), "{until}");
    }
}

#[test]
fn a_pass_of_the_loop_that_shows_something_else_takes_no_failure_away() {
    for (until, output) in [
        ("ruff check .", "All checks passed!"),
        ("pytest tests/b.py", "2 passed in 0.1s"),
        ("test -f done", "well"),
        ("cargo test", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored"),
    ] {
        let mut session = session(looped(Until::Passes(until.to_owned())));
        session.prompt("go").edit("/p/a.py").shell("pytest", Err(1), "1 failed, 4 passed in 0.1s");
        session.edit("/p/a.py").command(Outcome::Passed, output);
        assert!(matches!(session.stop("Done."), Verdict::Ask(_)), "{until}");
    }
}

#[test]
fn a_check_that_passed_is_a_run_for_the_other_gates() {
    use crate::check::{Check, Checked, Ended, How, Severity, Stage, What, judge};
    for (output, passes) in
        [("5 passed in 0.1s", true), ("no tests ran in 0.01s", false), ("", true)]
    {
        for how in [How::Looked(None), How::Remembered] {
            let mut session = Session::new();
            let words = vec!["pytest".to_owned(), "-q".to_owned()];
            let check = Check {
                name: "unit".to_owned(),
                what: What::Command { words, timeout_s: 60, bounds: None },
                files: Vec::new(),
                severity: Severity::Ask,
                stage: Stage::Correctness,
            };
            session.policy.checks.push(check.clone());
            session.prompt("go").edit("/p/a.py").shell("pytest", Err(1), "1 failed in 0.1s");
            session.edit("/p/a.py");
            let ended = Ended { code: Some(0), printed: output, said: output };
            let (outcome, detail) = judge(&check, ended);
            session.facts.checks.push(Checked { check, outcome, detail, ms: 0, how });
            let verdict = session.stop("Done, all tests pass.");
            assert_eq!(verdict == Verdict::Pass, passes, "{output}: {verdict:?}");
        }
    }
}

#[test]
fn the_line_that_says_why_the_command_failed_is_shown_and_no_warning() {
    let output = "FAILED tests/test_a.py::test_rounds - assert 1 == 2\n\
        1 failed, 4 passed, 3 warnings in 0.10s\n\
        DeprecationWarning: pkg_resources is deprecated\nUserWarning: not safe";
    for until in ["pytest -q", "sh check.sh", "make test"] {
        let mut session = session(looped(Until::Passes(until.to_owned())));
        session.prompt("go").command(Outcome::Failed(Some(1)), output);
        let verdict = session.stop("Done.");
        let text = asked(&verdict);
        assert!(text.contains("test_rounds (1 failed, 4 passed"), "{until}: {text}");
        assert!(!text.contains("UserWarning"), "{until}: {text}");
        assert!(session.notice().unwrap().contains("test_rounds"), "{:?}", session.notice());
    }
    // So is a run that names and counts nothing.
    let mut session = session(looped(Until::Passes("make check".to_owned())));
    let output = "1 steps\nmake: *** [Makefile:2: check] Error 1";
    session.prompt("go").command(Outcome::Failed(Some(2)), output);
    assert!(asked(&session.stop("Done.")).contains("1 steps"));
    // What is no known run is shown as it ends.
    let mut session = self::session(looped(Until::Passes("curl -f x".to_owned())));
    session.prompt("go").command(Outcome::Failed(Some(22)), "error 404");
    assert!(asked(&session.stop("Done.")).contains("It says: error 404."));
}

//! Sessions whose commands change files without saying which.

use crate::gate::Tree;
use crate::policy::Require;
use crate::testing::Session;
use crate::work::Touched;
use crate::{Timestamp, Verdict};

fn asked(verdict: Verdict) -> String {
    match verdict {
        Verdict::Ask(text) => text,
        other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
    }
}

/// Files that the system saw change at a time.
fn touched(files: &[&str], at: Timestamp) -> Tree {
    let at = Some(at);
    let touched = files.iter().map(|it| Touched {
        file: (*it).to_owned(),
        at,
        committed: false,
        is_gone: false,
    });
    Tree::Seen { touched: touched.collect(), same: Vec::new() }
}

/// A file that is as it was before, since a time.
pub(super) fn same(file: &str, at: Timestamp) -> Touched {
    Touched { file: file.to_owned(), at: Some(at), committed: true, is_gone: false }
}

#[test]
fn what_a_command_changed_counts_as_an_edit() {
    let mut session = Session::new();
    session.minutes(10);
    session.prompt("go").shell("./generate.sh", Ok(()), "");
    // It was dirty before the user spoke.
    session.facts.tree = Some(touched(&["/p/old.rs"], Timestamp(5 * 60_000)));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    session.shell("./generate.sh", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/a.rs"], session.last_call_at()));
    let text = asked(session.stop("All tests pass."));
    assert!(text.contains("since a.rs was changed"), "{text}");
    session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

/// A schedule or another agent may begin a session.
#[test]
fn what_a_command_changed_counts_without_a_prompt_of_the_user() {
    let mut session = Session::new();
    session.submit("nightly").settle("nightly", crate::PromptAuthor::Foreign);
    session.edit("/p/a.rs").shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    session.shell("git apply x.patch", Ok(()), "");
    // It was dirty before the session began.
    session.facts.tree = Some(touched(&["/p/old.rs"], Timestamp(-60_000)));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    session.shell("git apply x.patch", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/b.rs"], session.last_call_at()));
    let text = asked(session.stop("All tests pass."));
    assert!(text.contains("before b.rs was changed"), "{text}");
}

/// The time of the file tells which of two commands changed it.
#[test]
fn a_test_between_two_writing_commands_is_proof_of_what_the_first_one_wrote() {
    let claim = "All tests pass.";
    for (is_later, is_asked) in [(false, false), (true, true)] {
        let mut session = Session::new();
        session.prompt("go").shell("./generate.sh", Ok(()), "");
        let mut at = session.last_call_at();
        session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
        session.shell("./other.sh", Ok(()), "");
        if is_later {
            at = session.last_call_at();
        }
        session.facts.tree = Some(touched(&["/p/a.rs"], at));
        let verdict = session.stop(claim);
        assert_eq!(matches!(verdict, Verdict::Ask(_)), is_asked, "{is_later}: {verdict:?}");
    }
}

/// A run is stale by a write behind it, in the same line too.
#[test]
fn a_line_that_tests_and_then_writes_proves_nothing() {
    let passed = "test result: ok. 4 passed; 0 failed";
    for line in [
        "cargo test && sed -i s/a/b/ a.rs",
        "cargo test; sed -i s/a/b/ a.rs",
        "cargo test && git checkout HEAD~1 -- a.rs",
        "cargo test && cp b.rs a.rs",
        "cargo test && cat > a.rs <<'EOF'\nfn a() {}\nEOF",
        "(cargo test) && mv b.rs a.rs",
        "cargo test && python fix.py",
        "bash -c 'cargo test && sed -i s/a/b/ a.rs'",
        "bash <<'EOF'\ncargo test\nsed -i s/a/b/ a.rs\nEOF",
        "if cargo test; then sed -i s/a/b/ a.rs; fi",
        "cargo test && cargo clippy --fix --allow-dirty",
    ] {
        let mut session = Session::new();
        session.prompt("go").edit("/p/b.rs").shell("./generate.sh", Ok(()), "");
        session.shell(line, Ok(()), passed);
        session.facts.tree = Some(touched(&["/p/a.rs"], session.last_call_at()));
        let verdict = session.stop("All tests pass.");
        assert!(matches!(verdict, Verdict::Ask(_)), "{line}: {verdict:?}");
    }
}

/// The words of a command name the file: no look at the tree is needed.
#[test]
fn a_file_that_a_command_names_counts_as_an_edit() {
    let passed = "test result: ok. 4 passed; 0 failed";
    for (line, is_asked) in [
        ("sed -i s/a/b/ src/a.rs", true),
        ("cd src && sed -i.bak -e s/a/b/ a.rs", true),
        ("cat > src/a.rs <<'EOF'\nfn a() {}\nEOF", true),
        ("echo 'fn b() {}' >> src/a.rs", true),
        ("tee src/a.rs < new", true),
        ("cp b.rs a.rs", true),
        ("mv b.rs src/", true),
        ("rm src/a.rs", true),
        ("git checkout HEAD~1 -- src/a.rs", true),
        ("perl -pi -e s/a/b/ src/a.rs", true),
        ("rm -rf target node_modules", false),
        ("touch /tmp/done.rs", false),
        ("cp report.json out/", false),
        ("echo done > result.txt", false),
        ("cat src/a.rs > /dev/null", false),
        ("git add -A && git commit -m x", false),
    ] {
        for joined in [true, false] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/b.rs");
            if joined {
                session.shell(&format!("cargo test && {line}"), Ok(()), passed);
            } else {
                session.shell("cargo test", Ok(()), passed).shell(line, Ok(()), "");
            }
            let verdict = session.stop("All tests pass.");
            assert_eq!(
                matches!(verdict, Verdict::Ask(_)),
                is_asked,
                "{joined} {line}: {verdict:?}"
            );
        }
        let mut session = Session::new();
        session.prompt("go").edit("/p/b.rs").shell(&format!("{line}\ncargo test"), Ok(()), passed);
        assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{line}");
    }
}

#[test]
fn a_run_that_the_same_line_takes_away_proves_nothing() {
    for line in ["git stash pop", "git pull", "git merge origin/main", "git reset --hard HEAD~1"] {
        let mut session = Session::new();
        session.prompt("go").edit("/p/b.rs");
        session.shell(
            &format!("cargo test && {line}"),
            Ok(()),
            "test result: ok. 4 passed; 0 failed",
        );
        assert!(
            asked(session.stop("All tests pass.")).contains("changed files after it"),
            "{line}"
        );
    }
}

#[test]
fn a_run_while_the_changes_are_stashed_proves_nothing() {
    let passed = "test result: ok. 4 passed; 0 failed";
    for (line, is_asked) in [
        ("git stash && cargo test && git stash pop", true),
        ("git stash push -u; cargo test; git stash pop", true),
        ("git stash -q && (cargo test); git stash pop", true),
        ("git stash && git stash pop && cargo test", false),
        ("git stash list && cargo test", false),
    ] {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell(line, Ok(()), passed);
        let verdict = session.stop("All tests pass.");
        assert_eq!(matches!(verdict, Verdict::Ask(_)), is_asked, "{line}: {verdict:?}");
    }
}

#[test]
fn a_formatter_after_the_test_makes_nothing_stale() {
    let mut session = Session::new();
    session.prompt("go").edit("/p/a.rs");
    session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    session.shell("cargo fmt --all", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/a.rs"], session.last_call_at()));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_tree_that_cannot_be_seen_accuses_nobody() {
    let mut session = Session::new();
    session.prompt("go").shell("./generate.sh", Ok(()), "");
    session.facts.tree = Some(Tree::Unseen("too long".to_owned()));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    assert_eq!(session.notice(), None);
}

/// A command changed something first: that is not how the work began.
#[test]
fn a_failure_after_a_command_that_writes_is_not_an_old_one() {
    let mut session = Session::new();
    session.prompt("go").shell("sed -i s/a/b/ a.rs", Ok(()), "");
    let at = session.last_call_at();
    session.shell("cargo test", Err(101), "test result: FAILED. 3 passed; 1 failed; 0 ignored");
    session.facts.tree = Some(touched(&["/p/a.rs"], at));
    let text = asked(session.stop("Done."));
    assert!(text.contains("`cargo test` failed"), "{text}");
}

/// The last of two commands may have changed it after the test.
#[test]
fn who_requires_tests_looks_at_the_last_change_of_all() {
    let mut session = Session::new();
    session.policy.gates.proof.require = Require::Tests;
    session.prompt("go").shell("./generate.sh", Ok(()), "").edit("/p/b.rs");
    session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    session.shell("./other.sh", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/a.rs"], session.last_call_at()));
    let text = asked(session.stop("Done."));
    assert!(text.contains("since a.rs was changed"), "{text}");
}

#[test]
fn a_line_that_writes_and_then_tests_is_proof_of_what_it_wrote() {
    let mut session = Session::new();
    session.policy.gates.proof.require = Require::Tests;
    let line = "cp b.rs a.rs && cargo test";
    session.prompt("go").shell(line, Ok(()), "test result: ok. 4 passed; 0 failed");
    session.facts.tree = Some(touched(&["/p/a.rs"], session.last_call_at()));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    let failed = "test result: FAILED. 3 passed; 1 failed; 0 ignored";
    session.shell(line, Err(101), failed);
    let text = asked(session.stop("Done."));
    assert!(text.contains("`cargo test` failed"), "{text}");
}

#[test]
fn what_was_taken_back_needs_no_proof() {
    let mut session = Session::new();
    session.prompt("go").edit("/p/a.rs");
    session.shell("cargo test", Err(101), "test result: FAILED. 3 passed; 1 failed; 0 ignored");
    session.shell("git checkout a.rs", Ok(()), "");
    let same = vec![same("/p/a.rs", session.last_call_at())];
    session.facts.tree = Some(Tree::Seen { touched: Vec::new(), same });
    assert_eq!(session.stop("I took the change back."), Verdict::Pass);
}

/// A run that passed ran on the change, and the change is gone; where it was gone before the run,
/// the run ran on what is there.
#[test]
fn a_run_proves_nothing_of_a_change_that_was_taken_back_after_it() {
    let passed = "test result: ok. 4 passed; 0 failed; 0 ignored";
    for line in ["git stash -q", "git checkout -- a.rs", "git reset -q --hard", "cp ../old.rs a.rs"]
    {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell("cargo test", Ok(()), passed);
        session.shell(line, Ok(()), "");
        let after = vec![same("/p/a.rs", session.last_call_at())];
        session.facts.tree = Some(Tree::Seen { touched: Vec::new(), same: after });
        let text = asked(session.stop("All tests pass."));
        assert!(text.contains("`cargo test` ran before a.rs was changed"), "{line}: {text}");
        assert_eq!(session.prompt("go on").stop("I took it back."), Verdict::Pass, "{line}");
    }
    let mut session = Session::new();
    session.prompt("go").edit("/p/a.rs").shell("git checkout -- a.rs", Ok(()), "");
    let gone_at = session.last_call_at();
    session.shell("cargo test", Ok(()), passed).shell("./notify.sh", Ok(()), "");
    let same = vec![same("/p/a.rs", gone_at)];
    session.facts.tree = Some(Tree::Seen { touched: Vec::new(), same });
    assert_eq!(session.stop("I took it back. All tests pass."), Verdict::Pass);
}

/// No run is no run, whatever stands on the line.
#[test]
fn a_run_that_could_not_run_stands_behind_no_claim() {
    for (line, end, output) in [
        ("pytest", Err(127), "bash: pytest: command not found"),
        ("npm test", Err(1), "npm error Missing script: \"test\""),
        (
            "cargo test nosuch",
            Ok(()),
            "running 0 tests\ntest result: ok. 0 passed; 0 failed; 4 filtered out",
        ),
        ("timeout 10 cargo test", Err(124), ""),
    ] {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell(line, end, output);
        assert!(asked(session.stop("All tests pass.")).contains("[proof]"), "{line}");
        // And it accuses nobody who claims nothing.
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell(line, end, output);
        assert_eq!(session.stop("I could not run the tests."), Verdict::Pass, "{line}");
    }
}

/// Without a repository the times of files tell what a command changed.
#[test]
fn a_plain_directory_tells_by_its_times_what_a_command_changed() {
    let mut session = Session::new();
    session.prompt("go").edit("/p/b.py");
    session.shell("pytest", Ok(()), "4 passed in 0.1s").shell("./generate.sh", Ok(()), "");
    let at = Some(session.last_call_at());
    let touched = Touched { file: "/p/a.py".to_owned(), at, committed: false, is_gone: false };
    session.facts.tree = Some(Tree::Plain(vec![touched]));
    let text = asked(session.stop("All tests pass."));
    assert!(text.contains("before a.py was changed"), "{text}");
}

/// Nobody looks at files outside: the words of the command are all there is.
#[test]
fn a_file_outside_that_a_command_line_names_counts_as_an_edit() {
    let script = |body: &str| format!("python3 - <<'EOF'\n{body}\nEOF");
    let writes = script("p = '/srv/lib/core.py'\ns = open(p).read()\nopen(p, 'w').write(s)");
    let reads = script("print(open('/srv/lib/core.py').read())");
    for (line, is_asked) in [
        ("sed -i s/a/b/ /srv/lib/core.py", true),
        ("sed -i s/a/b/ ../lib/core.py", true),
        ("sed -i s/a/b/ ~/lib/core.py", true),
        ("cd ~/lib && sed -i s/a/b/ core.py", true),
        ("sed -i s/a/b/ \"$HOME/lib/core.py\"", true),
        ("cat > /srv/lib/core.py <<'EOF'\nx = 1\nEOF", true),
        ("{ echo a; echo b; } > /srv/lib/core.py", true),
        ("echo 'x = 1' | tee -a /srv/lib/core.py", true),
        ("cp core.py /srv/lib/", true),
        ("cp -t /srv/lib core.py", true),
        ("mv notes.txt /srv/lib/core.py", true),
        ("rsync core.py /srv/lib/core.py", true),
        ("patch /srv/lib/core.py fix.diff", true),
        ("curl -o /srv/lib/core.py http://localhost/core.py", true),
        ("dd if=core.py of=/srv/lib/core.py", true),
        (writes.as_str(), true),
        ("node -e \"require('fs').writeFileSync('/srv/lib/core.js', 'x')\"", true),
        (reads.as_str(), false),
        ("cat /srv/lib/core.py", false),
        ("grep -n a /srv/lib/core.py > /dev/null", false),
        ("sed -i s/a/b/ /tmp/try.py", false),
        ("sed -i s/a/b/ ~/.config/tool/init.lua", false),
        ("sed -i s/a/b/ /etc/app/run.sh", false),
        ("cp report.txt /srv/report.txt", false),
    ] {
        let mut session = Session::new();
        session.prompt("go").edit("/p/b.py");
        session.shell("pytest", Ok(()), "4 passed in 0.1s").shell(line, Ok(()), "");
        let verdict = session.stop("All tests pass.");
        assert_eq!(matches!(verdict, Verdict::Ask(_)), is_asked, "{line}: {verdict:?}");
        // A run beside the file is proof of it.
        session.shell("cd /srv/lib && pytest", Ok(()), "4 passed in 0.1s");
        if line.contains("/srv/") {
            assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{line}");
        }
    }
}

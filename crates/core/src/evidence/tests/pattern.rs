use super::super::{Pattern, RunKind, Shown, Status, recognise};

fn own(patterns: &[&str]) -> Vec<Pattern> {
    patterns.iter().map(|it| Pattern::parse(it).expect(it)).collect()
}

#[test]
fn a_pattern_is_found_behind_whatever_wraps_it() {
    let own = own(&[
        "tests: just ci",
        "build: make ci *",
        "lint: ./run-checks.sh --fast",
        "types: task verify",
        "tests: scripts/ci.sh 'two words'",
    ]);
    #[rustfmt::skip]
    let table: &[(&str, RunKind, &str, Status, Shown)] = &[
        ("just ci", RunKind::Test, "just ci", Status::Told, Shown::All),
        ("cd x && just ci", RunKind::Test, "just ci", Status::Told, Shown::All),
        ("timeout 60 just ci", RunKind::Test, "just ci", Status::Told, Shown::All),
        ("A=b time just ci", RunKind::Test, "just ci", Status::Told, Shown::All),
        ("just ci | tail", RunKind::Test, "just ci", Status::Hidden, Shown::End),
        ("(cd x; sudo -u me just ci 2>&1) | tail -5", RunKind::Test, "just ci", Status::Hidden, Shown::End),
        ("bash -c 'just ci'", RunKind::Test, "just ci", Status::Told, Shown::All),
        ("make ci", RunKind::Build, "make ci", Status::Told, Shown::All),
        ("make ci -j4 V=1", RunKind::Build, "make ci", Status::Told, Shown::All),
        ("./run-checks.sh --fast", RunKind::Lint, "./run-checks.sh --fast", Status::Told, Shown::All),
        ("bash run-checks.sh --fast", RunKind::Lint, "./run-checks.sh --fast", Status::Told, Shown::All),
        ("bash ./run-checks.sh --fast; true", RunKind::Lint, "./run-checks.sh --fast", Status::Hidden, Shown::All),
        ("task verify", RunKind::Types, "task verify", Status::Told, Shown::All),
        ("./scripts/ci.sh \"two words\"", RunKind::Test, "scripts/ci.sh two words", Status::Told, Shown::All),
    ];
    for &(command, kind, tool, status, shown) in table {
        let runs = recognise(command, &own);
        let found: Vec<_> =
            runs.iter().map(|it| (it.kind, it.tool.as_str(), it.status, it.shown)).collect();
        assert_eq!(found, [(kind, tool, status, shown)], "{command}");
    }
}

#[test]
fn a_pattern_is_the_whole_command() {
    let own = own(&["tests: just ci", "lint: ./go.sh --fast", "tests: ./ci"]);
    for command in [
        "just ci --fast",
        "just",
        "just cid",
        "echo just ci",
        "./just ci",
        "./go.sh",
        "go.sh --fast",
        "ci",
        "x/go.sh --fast",
    ] {
        assert_eq!(recognise(command, &own), [], "{command}");
    }
}

#[test]
fn what_is_no_pattern_is_said_in_a_sentence() {
    let words = |text: &str| Pattern::parse(text).map(|it| (it.kind, it.words.join("|")));
    assert_eq!(words(" tests :  a  'b c' * "), Ok((RunKind::Test, "a|b c|*".to_owned())));
    assert_eq!(words("lint: docker run a:b"), Ok((RunKind::Lint, "docker|run|a:b".to_owned())));
    for (text, part) in [
        ("", "write `tests: just ci`"),
        ("just ci", "write `tests: just ci`"),
        ("docker run a:b", "write `tests: just ci`"),
        ("test\u{7}s: just ci", "`test\\u{7}s` is no kind of run"),
        ("unit: just ci", "`unit` is no kind of run"),
        ("Tests: just ci", "`Tests` is no kind of run"),
        (": just ci", "`` is no kind of run"),
        ("tests:", "the command is missing"),
        ("tests: # just ci", "the command is missing"),
        ("tests: 'just ci", "close its quotes"),
        ("tests: cd x && just ci", "more than one plain command"),
        ("tests: just ci; ls", "more than one plain command"),
        ("tests: just ci | tail", "more than one plain command"),
        ("tests: just ci > log", "more than one plain command"),
        ("tests: A=b just ci", "more than one plain command"),
        ("tests: just $(x)", "more than one plain command"),
        ("tests: (just ci)", "more than one plain command"),
        ("tests: *", "begin with the program"),
        ("tests: * ci", "begin with the program"),
    ] {
        let sentence = Pattern::parse(text).expect_err(text).to_string();
        assert!(sentence.contains(part), "{text}: {sentence}");
    }
    let long = format!("tests: just {}", "a ".repeat(40));
    assert!(Pattern::parse(&long).expect_err("long").to_string().contains("end it with `*`"));
}

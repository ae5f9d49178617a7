//! Messages that claim something and say of something else that it was not run.

use super::is_asked_after;
use crate::Verdict;
use crate::testing::Session;

const PYTEST: &str = "============ 9 passed in 0.12s ============\n";

#[test]
fn a_caveat_about_something_else_needs_the_run_all_the_same() {
    for message in [
        "All tests pass locally. CI has not run yet.",
        "All tests pass locally, CI is still pending.",
        "All tests pass. I did not test on Windows.",
        "All tests pass (not tested on Windows).",
        "All tests pass (I have not tried Windows).",
        "All tests pass. Not tested on macOS.",
        "I could not run the e2e tests because no browser is installed. All unit tests pass.",
        "All unit tests pass. The integration tests were not run, since Docker is missing.",
        "The tests pass, but I have not verified the UI manually.",
        "Although I did not add new tests, the existing ones all pass.",
        "The tests pass. I have not tested the export button.",
        "`pytest` passes. I could not run `ruff check` because ruff is not installed.",
        "Alle Tests laufen durch. Unter Windows habe ich nicht getestet.",
        "Tous les tests passent. Je n’ai pas testé sous Windows.",
        "Todas las pruebas pasan. No he ejecutado las de integración porque falta Docker.",
        "Tutti i test passano. Non ho testato su Windows.",
        "所有测试通过。集成测试未运行，因为没有 Docker。",
    ] {
        assert!(is_asked_after(&[], message), "no run: {message}");
        assert!(!is_asked_after(&[("pytest -q", Ok(()), PYTEST)], message), "a run: {message}");
        let hidden = ("pytest -q >/dev/null; echo done", Ok(()), "done");
        assert!(is_asked_after(&[hidden], message), "a hidden result: {message}");
        let failed =
            ("pytest -q", Err(1), "FAILED tests/test_cart.py::test_tax\n1 failed, 8 passed\n");
        assert!(is_asked_after(&[failed], message), "a failure: {message}");
        let mut session = Session::new();
        session.prompt("go").edit("/p/shop/cart.py").shell("pytest -q", Ok(()), PYTEST);
        session.edit("/p/shop/api.py");
        assert!(matches!(session.stop(message), Verdict::Ask(_)), "an old run: {message}");
    }
}

#[test]
fn a_gap_that_is_the_subject_of_the_message_is_honest() {
    for message in [
        "I changed the rate. I could not run the tests: no Docker.",
        "I did not run the tests because Postgres is missing.",
        "The rate is 21 % now; the tests were not run.",
        "Implemented, but untested: there is no browser here.",
        "I have not run the e2e tests because no browser is installed.",
        "CI has not run yet.",
        "I did not test on Windows.",
        "Ich konnte die Tests nicht ausführen, weil Docker fehlt.",
        "Je n'ai pas pu lancer les tests : Docker manque.",
        "No he podido ejecutar las pruebas porque falta Docker.",
    ] {
        assert!(!is_asked_after(&[], message), "{message}");
    }
}

#[test]
fn a_part_that_was_left_out_narrows_the_claim_of_all() {
    let unit = ("pytest -q tests/unit", Ok(()), PYTEST);
    for (message, is_ask) in [
        ("All tests pass. I could not run the integration tests: no Docker.", false),
        ("All unit tests pass. The e2e tests were not run because there is no browser.", false),
        ("The full test suite passes. I did not test on Windows.", true),
    ] {
        assert_eq!(is_asked_after(&[unit], message), is_ask, "{message}");
    }
}

#[test]
fn a_part_that_could_not_start_fails_without_a_claim() {
    let unit = ("pytest -q tests/unit", Ok(()), PYTEST);
    let browser =
        ("npm run e2e", Err(1), "browserType.launch: Executable doesn't exist\n1 failed\n");
    let redis = (
        "pytest -q tests/integration",
        Err(1),
        "FAILED tests/integration/test_cache.py::test_get - ConnectionError\n1 failed in 0.1s\n",
    );
    let message = "Unit tests pass. The e2e tests could not run because no browser is installed.";
    assert!(!is_asked_after(&[unit, browser], message));
    let message = "Unit tests pass; the integration tests did not run because there is no Redis.";
    assert!(!is_asked_after(&[unit, redis], message));
    let message = "Unit tests pass. The e2e tests could not run because no browser is installed.";
    assert!(is_asked_after(&[unit, redis], message));
}

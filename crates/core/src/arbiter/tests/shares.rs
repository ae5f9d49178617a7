//! Numbers in a message: a share of tests, a count of failures, and numbers of other things.

use super::is_asked_after;

const PYTEST: &str = "============ 9 passed in 0.12s ============\n";
const FAILED: &str =
    "FAILED tests/test_cart.py::test_tax - assert 0.2 == 0.21\n1 failed, 8 passed in 0.42s\n";
const TWO_FAILED: &str = "FAILED tests/test_cart.py::test_tax - assert 0.2 == 0.21\n\
    FAILED tests/test_api.py::test_handler - KeyError\n2 failed, 7 passed in 0.42s\n";

#[test]
fn a_share_of_something_else_takes_no_claim_back() {
    let passed = ("pytest -q", Ok(()), PYTEST);
    let failed = ("pytest -q", Err(1), FAILED);
    for message in [
        "The rate is 21 % and all tests pass.",
        "The VAT is 19% now and the tests are green.",
        "2 of 3 endpoints are migrated and the whole suite passes.",
        "1/4 of the callers still use the old name; all 9 tests pass.",
        "The query is 40 % faster and every test passes.",
        "Memory use drops by 12 %, and the test suite is green.",
        "3 out of 5 clients got the new header, all tests still pass.",
        "With 30 % less code, the tests pass.",
        "Der Satz ist 21 % und alle Tests laufen durch.",
        "La tasa es del 21 % y todas las pruebas pasan.",
        "Le taux est de 21 % et tous les tests passent.",
        "Ставка теперь 21 % и все тесты проходят.",
        "税率を21%に変更し、すべてのテストが通りました。",
    ] {
        assert!(is_asked_after(&[], message), "no run: {message}");
        assert!(is_asked_after(&[failed], message), "failed: {message}");
        assert!(!is_asked_after(&[passed], message), "passed: {message}");
    }
}

#[test]
fn a_share_of_tests_is_a_report_of_a_part() {
    let failed = ("pytest -q", Err(1), FAILED);
    for message in [
        "8 of 9 tests pass; `test_tax` needs the new table.",
        "8/9 tests pass, `test_tax` still expects 0.2.",
        "89 % of the tests pass; `test_tax` expects the old rate.",
        "Tests: 8/9 pass. `test_tax` expects the old rate.",
        "The suite is at 8/9: `test_tax` expects the old rate.",
        "8 von 9 Tests laufen durch, `test_tax` braucht den neuen Satz.",
        "8 de 9 pruebas pasan; `test_tax` espera la tasa anterior.",
        "8 tests sur 9 passent ; `test_tax` attend l'ancien taux.",
    ] {
        assert!(!is_asked_after(&[failed], message), "failed: {message}");
        assert!(!is_asked_after(&[], message), "no run: {message}");
    }
}

#[test]
fn a_number_of_something_else_tells_no_failure() {
    let failed = [("pytest -q", Err(1), TWO_FAILED)];
    for message in [
        "`test_tax` still fails because it expects 0.2. Everything else passes.",
        "`test_tax` still fails because it expects 0.2.",
        "`test_tax` fails because it expects 2 items. All other tests pass.",
        "`test_tax` fails since the rate changed from 20 % to 2 %. All others pass.",
        "One test, `test_tax`, fails as it expects 0.2; the remaining 8 pass.",
        "`test_tax` fails because two rows are missing. The other tests pass.",
        "`test_tax` schlägt fehl, weil 2 Zeilen fehlen. Alle anderen Tests laufen.",
    ] {
        assert!(is_asked_after(&failed, message), "{message}");
    }
    for message in [
        "Two tests fail: they still expect the old rate.",
        "`test_tax` and `test_handler` fail because they expect 0.2.",
        "2 tests fail, `test_tax` because it expects 0.2 and another one for lack of a table.",
        "Both tests still fail, `test_tax` because it expects 0.2.",
        "Zwei Tests schlagen fehl, unter anderem `test_tax`, weil der Satz alt ist.",
    ] {
        assert!(!is_asked_after(&failed, message), "{message}");
    }
}

#[test]
fn who_names_another_test_than_the_one_that_failed_is_asked_after() {
    let failed = [("pytest -q", Err(1), FAILED)];
    for message in [
        "All tests pass except `test_api_timeout`, which needs network access.",
        "`test_upload` fails because there is no bucket here.",
        "Only test_login is still red: it needs a browser.",
        "Alle Tests bestehen außer `test_upload`, der ein Bucket braucht.",
    ] {
        assert!(is_asked_after(&failed, message), "{message}");
    }
    for message in [
        "All tests pass except `test_tax`, which expects the old rate.",
        "The test in `tests/test_cart.py` fails because it expects the old rate.",
        "I moved `test_total`. One test fails because it expects the old rate.",
        "The suite fails with one failure: the cart still expects the old rate.",
    ] {
        assert!(!is_asked_after(&failed, message), "{message}");
    }
}

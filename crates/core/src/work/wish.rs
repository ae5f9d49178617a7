//! What a prompt asks for, as far as gates care.

/// Words of a prompt that asks for a test that fails.
#[rustfmt::skip]
const FAILING_TEST: &[&str] = &[
    "failing test", "failing unit test", "failing spec", "test that fails", "tests that fail", "test which fails",
    "test should fail", "tests should fail", "test must fail", "make the test fail", "make it fail", "let it fail",
    "expected to fail", "supposed to fail", "red test", "red phase", "red first", "test-first", "test first", "tdd",
    "reproduce the bug", "reproduces the bug", "reproduce the issue", "reproduces the issue", "reproduce the failure",
    "reproducing test", "reproduction test", "regression test for the bug",
    "fehlschlagenden test", "test der fehlschlägt", "test, der fehlschlägt", "test fehlschlägt", "reproduziere",
    "test qui échoue", "test en échec", "test que falle", "prueba que falle", "teste que falhe", "reproduza",
    "失败的测试", "测试失败", "複現", "复现", "失敗するテスト", "再現",
];

/// Tells whether a prompt asks for a test that fails.
pub(super) fn wants_failing_test(text: &str) -> bool {
    let text = text.to_lowercase();
    FAILING_TEST.iter().any(|it| text.contains(it))
}

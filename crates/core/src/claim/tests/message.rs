use super::Claimed::{Build, Lint, Tests, Works};
use super::{claims, each_claims, none_claims, subjects};
use crate::Excerpt;
use crate::claim::Claim;

#[test]
fn a_doubt_takes_its_subject_out_of_the_whole_message() {
    each_claims(&[
        ("All tests pass. The build was not run.", &[Tests]),
        ("The build succeeds. I could not run the tests, but all tests pass in theory.", &[Build]),
        ("Lint is clean. The integration tests were not run; unit tests pass.", &[Tests, Lint]),
        ("Lint is clean. The unit tests were not run; unit tests pass.", &[Lint]),
        ("All tests pass. I couldn't verify the dialog in a browser.", &[Tests]),
        ("I verified that the fix works. The Windows path is untested.", &[Works]),
        ("I verified that the fix works. It is untested.", &[]),
        ("All tests pass and lint is clean. Please run the tests on your machine too.", &[Lint]),
        ("The tests pass. You should still run `cargo test` yourself.", &[]),
        ("Unit tests pass. Two integration tests are failing.", &[]),
        ("Unit tests pass, with 2 pre-existing failures.", &[]),
        ("All existing tests pass. Both new ones fail as expected.", &[]),
        ("Tests pass.\n- ✅ Linting clean\n- ❌ Integration tests", &[Lint]),
    ]);
}

#[test]
fn a_gap_excuses_only_what_it_is_about() {
    each_claims(&[
        ("All tests pass locally. CI has not run yet.", &[Tests]),
        ("All tests pass locally, CI is still pending.", &[Tests]),
        ("All tests pass, but CI hasn't run yet.", &[Tests]),
        ("All tests pass (not tested on Windows).", &[Tests]),
        ("The tests pass, but I have not verified the UI manually.", &[Tests]),
        ("All tests pass. I have not tested the export button by hand.", &[Tests]),
        ("The suite is green. I did not check the generated PDF.", &[Tests]),
        ("`npm test` passes. I could not run `npm run lint`: eslint is missing.", &[Tests]),
        (
            "I could not run the e2e tests because no browser is installed. Unit tests pass.",
            &[Tests],
        ),
        ("Unit tests pass, but the integration tests were not run for lack of Docker.", &[Tests]),
        ("The build succeeds. I didn't test it on macOS.", &[Build]),
        ("Please run the e2e tests on your machine; all unit tests pass here.", &[Tests]),
        ("All tests pass. Deployment to staging is untested.", &[Tests]),
        // The gap is the claim.
        ("All tests pass. I did not run the tests.", &[]),
        ("All tests pass. This is untested.", &[]),
        ("The e2e tests pass. I could not run the e2e tests.", &[]),
        ("CI is green. CI has not run yet.", &[]),
        ("The tests pass on Windows. I did not test on Windows.", &[]),
        ("All tests pass. I have not verified the change.", &[Tests]),
        ("It works. I have not tested the change, because there is no browser.", &[]),
        ("I could not run the tests, because the browser is missing. All tests pass.", &[]),
    ]);
}

#[test]
fn what_failed_at_first_is_settled_by_a_later_claim_of_all() {
    each_claims(&[
        ("3 tests failed after the rename. I mended them. All tests pass now.", &[Tests]),
        ("The tests fail on a locale with commas. Fixed: the whole test suite passes.", &[Tests]),
        ("The build failed because of a missing feature; the build succeeds now.", &[Build]),
        ("All tests pass. The tests fail with the old compiler.", &[]),
    ]);
}

#[test]
fn only_what_is_said_counts() {
    each_claims(&[
        ("```\nerror\n```\nAll tests pass.", &[Tests]),
        ("A last check shows:\n- all tests pass", &[Tests]),
        ("1. Renamed the flag\n2. All tests pass", &[Tests]),
        ("## Verification\n\n- All tests pass\n- Lint: 0 issues", &[Tests, Lint]),
        ("## Next steps\n\n- All tests pass\n\n## Result\n\nThe build succeeds.", &[Build]),
        ("You can now:\n- use the flag\n\nAll tests pass.", &[Tests]),
        ("- [x] lint is clean\n- [ ] all tests pass", &[Lint]),
        (
            "I changed the reader of settings so that a wrong key leaves the others alone, and\n\
             all tests pass.",
            &[Tests],
        ),
        ("| Check | Result |\n| --- | --- |\n| Unit tests | ✅ all pass |", &[Tests]),
    ]);
    none_claims(&["", " ", "Done.", "| Tests | Pass |\n| --- | --- |\n| one | two |"]);
}

#[test]
fn a_long_message_is_read_at_both_ends_and_its_cut_lines_are_not() {
    let filler = "The reader keeps its place.\n".repeat(400);
    assert_eq!(subjects(&format!("Lint is clean.\n{filler}All tests pass.")), [Tests, Lint]);
    // A block of code that began in the part that was dropped ends in the tail.
    let fenced = "let x = 1;\n".repeat(500);
    let message = format!("Here:\n```\n{fenced}All tests pass.\n```\nThe build succeeds.");
    assert_eq!(subjects(&message), [Build]);
    // The line on the cut may have begun with "if".
    let cut = Excerpt {
        head: "Done.\nThe tests".to_owned(),
        tail: Some("all tests pass.\nThe build succeeds.".to_owned()),
        bytes: 9000,
    };
    assert_eq!(claims(&cut).into_iter().map(|claim| claim.what).collect::<Vec<_>>(), [Build]);
}

#[test]
fn the_quote_is_the_sentence_with_the_claim() {
    let quotes = |message: &str| -> Vec<String> {
        claims(&Excerpt::of(message)).into_iter().map(|claim| claim.quote).collect()
    };
    assert_eq!(quotes("Done. **All tests pass.** Bye."), ["All tests pass."]);
    // The one that leaves nothing out is quoted.
    assert_eq!(quotes("The parser tests pass. All tests pass."), ["All tests pass."]);
    let long = format!("I renamed {}, and all tests pass.", "this and ".repeat(40));
    let [quote] = &quotes(&long)[..] else { panic!("{:?}", quotes(&long)) };
    assert_eq!(quote.chars().count(), Claim::QUOTE);
    assert!(quote.starts_with('…') && quote.ends_with("all tests pass"), "{quote}");
    let long = format!("All tests pass, {}.", "ä and ".repeat(80));
    let [quote] = &quotes(&long)[..] else { panic!("{:?}", quotes(&long)) };
    assert_eq!(quote.chars().count(), Claim::QUOTE);
    assert!(quote.starts_with("All tests pass") && quote.ends_with('…'), "{quote}");
}

#[test]
fn a_run_that_names_nothing_is_proof_of_anything() {
    assert_eq!(subjects("Everything passes."), [Works]);
    assert_eq!(subjects("I ran the linter and everything passes."), [Lint]);
}

//! The commands in the documents are commands that are tested.

use std::fs;
use std::path::Path;

/// Every command that a document may show, and where it is run.
const TESTED: &[(&str, &str)] = &[
    ("cargo xtask install", "the step `install` of `cargo xtask test`"),
    ("cargo xtask install --dry-run", "the step `install` of `cargo xtask test`"),
    ("cargo xtask test", "this very run"),
    ("windlass config", "tests/config.rs"),
    ("windlass import config --dry-run hooks.yaml", "tests/import.rs"),
    ("windlass import config hooks.yaml", "tests/import.rs"),
    ("windlass doctor", "tests/doctor.rs"),
    ("windlass init", "tests/init.rs"),
    ("windlass init --project", "tests/init.rs"),
    ("windlass store check", "tests/doctor.rs"),
    ("windlass store compact", "tests/doctor.rs"),
    ("windlass trust", "tests/trust.rs"),
    ("windlass trust --hash SHA256", "tests/trust.rs"),
    ("windlass trust --revoke", "tests/trust.rs"),
    ("windlass trust --show", "tests/trust.rs"),
    ("windlass uninstall", "tests/init.rs"),
    ("windlass status", "tests/status.rs"),
    ("windlass status --session 345835e9", "tests/status.rs"),
    ("windlass explain", "tests/status.rs"),
    ("windlass explain 42", "tests/status.rs"),
    ("windlass metrics", "tests/status.rs"),
    ("windlass metrics --days 30", "tests/status.rs"),
    ("windlass metrics --format prometheus", "tests/status.rs"),
];

/// The commands in the console blocks of a document.
fn commands(document: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(document)).unwrap();
    text.lines().filter_map(|it| it.strip_prefix("$ ")).map(str::to_owned).collect()
}

#[test]
fn every_command_of_a_document_is_tested() {
    for (document, least) in [
        ("README.md", 4),
        ("docs/guide/settings-and-trust.md", 7),
        ("docs/guide/watching-it-work.md", 4),
        ("docs/guide/when-something-is-wrong.md", 2),
    ] {
        let shown = commands(document);
        assert!(shown.len() >= least, "{shown:?}");
        for command in &shown {
            assert!(TESTED.iter().any(|it| it.0 == command), "nobody tests `{command}`");
        }
    }
}

#[test]
fn the_help_names_every_command() {
    let output =
        std::process::Command::new(crate::support::binary()).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    let commands = [
        "doctor",
        "hook",
        "init",
        "uninstall",
        "status",
        "explain",
        "metrics",
        "statusline",
        "config",
        "trust",
        "import",
        "store",
        "replay",
    ];
    for command in commands {
        assert!(help.lines().any(|it| it.trim_start().starts_with(command)), "{help}");
    }
}

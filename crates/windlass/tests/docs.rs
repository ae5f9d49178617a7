//! The commands in the documents are commands that are tested.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Project, as_user, binary, steady};

/// Every command that a document may show, and where it is run.
const TESTED: &[(&str, &str)] = &[
    ("cargo run --release -- demo", "tests/demo.rs, and the step `demo` of `cargo xtask test`"),
    ("cargo xtask install", "the step `install` of `cargo xtask test`"),
    ("cargo xtask install --dry-run", "the step `install` of `cargo xtask test`"),
    ("cargo xtask test", "this very run"),
    ("windlass config", "tests/config.rs"),
    ("windlass import config --dry-run hooks.yaml", "tests/import.rs"),
    ("windlass import config hooks.yaml", "tests/import.rs"),
    ("windlass import transcripts", "tests/imports.rs"),
    ("windlass import transcripts --since 30d", "tests/imports.rs"),
    ("windlass import memories", "tests/written.rs"),
    ("windlass import memories CLAUDE.md notes/", "tests/imports.rs"),
    ("windlass import memories ~/.claude-mem/claude-mem.db", "tests/written.rs"),
    ("windlass doctor", "tests/doctor.rs"),
    ("windlass gate list", "tests/switches.rs"),
    ("windlass gate off", "tests/switches.rs"),
    ("windlass gate off proof --for 2h", "tests/switches.rs"),
    ("windlass gate on", "tests/switches.rs"),
    ("windlass hold off", "tests/loops.rs"),
    ("windlass loop stop", "tests/loops.rs"),
    ("windlass hold on \"look for what is untested\"", "tests/loops.rs"),
    ("windlass loop start \"make the parser fast\" --until 'sh bench/check.sh'", "tests/loops.rs"),
    (
        "windlass loop start \"port the module\" --until-seen 'cargo test --workspace' --minutes 90",
        "tests/loops.rs",
    ),
    (
        "windlass remember \"The flaky test was caused by the port being reused between runs\"",
        MEMORIES,
    ),
    (
        "windlass remember \"use SQLite\" --category decision --field status=accepted --field \"rationale=one file\"",
        MEMORIES,
    ),
    ("windlass candidates", MEMORIES),
    ("windlass candidates --all", "tests/written.rs"),
    ("windlass remember --candidate ID ID", "tests/written.rs"),
    ("windlass candidates reject ID ID ID", "tests/written.rs"),
    ("windlass remember --candidate ID", MEMORIES),
    ("windlass candidates reject ID", MEMORIES),
    ("windlass memory list", MEMORIES),
    ("windlass memory show ID", MEMORIES),
    ("windlass memory edit ID --title \"The port is reused\"", MEMORIES),
    ("windlass memory supersede OLD NEW", MEMORIES),
    ("windlass memory retire ID --reason \"the port is random now\"", MEMORIES),
    ("windlass memory restore ID", MEMORIES),
    ("windlass memory export --to notes", MEMORIES),
    ("windlass memory import notes", MEMORIES),
    ("windlass memory forget ID", MEMORIES),
    ("windlass memory forget --project --yes", MEMORIES),
    ("windlass recall why do tenants see wrong invoices", RECALL),
    ("windlass recall redis port --explain", RECALL),
    ("windlass recall E0382 --all --json", RECALL),
    ("windlass remember --global \"Never use tabs in Python files\" --category preference", RECALL),
    ("windlass memory edit ID --global", RECALL),
    ("windlass memory edit ID --local", RECALL),
    ("windlass eval recall DATA", RECALL),
    ("windlass init", "tests/init.rs"),
    ("windlass init --permit", "tests/init.rs"),
    ("windlass init --project", "tests/init.rs"),
    ("windlass store check", "tests/doctor.rs"),
    ("windlass store compact", "tests/doctor.rs"),
    ("windlass trust", "tests/trust.rs"),
    ("windlass trust --same", "tests/projects.rs"),
    ("windlass trust --same --owner", "tests/projects.rs"),
    ("windlass trust --hash SHA256", "tests/trust.rs"),
    ("windlass trust --revoke", "tests/trust.rs"),
    ("windlass trust --show", "tests/trust.rs"),
    ("windlass store backup", "tests/ledger.rs"),
    ("windlass store check", "tests/ledger.rs"),
    ("windlass uninstall", "tests/init.rs"),
    ("windlass status", "tests/status.rs"),
    ("windlass status --session 345835e9", "tests/status.rs"),
    ("windlass explain", "tests/status.rs"),
    ("windlass explain 42", "tests/status.rs"),
    ("windlass metrics", "tests/status.rs"),
    ("windlass replay ~/.claude/projects", "tests/replay.rs"),
    ("windlass metrics --days 30", "tests/status.rs"),
    ("windlass metrics --format prometheus", "tests/status.rs"),
];

const MEMORIES: &str = "tests/memories.rs";
const RECALL: &str = "tests/recall.rs";

/// The text of a document.
fn read(document: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// The commands in the console blocks of a document.
fn commands(document: &str) -> Vec<String> {
    let text = read(document);
    text.lines().filter_map(|it| it.strip_prefix("$ ")).map(str::to_owned).collect()
}

#[test]
fn every_command_of_a_document_is_tested() {
    for (document, least) in [
        ("README.md", 11),
        ("docs/guide/checks.md", 3),
        ("docs/guide/importing-knowledge.md", 8),
        ("docs/guide/mcp.md", 1),
        ("docs/guide/memories.md", 15),
        ("docs/guide/recall.md", 7),
        ("docs/guide/settings-and-trust.md", 7),
        ("docs/guide/watching-it-work.md", 4),
        ("docs/guide/when-something-is-wrong.md", 8),
        ("docs/guide/when-the-agent-stops.md", 6),
    ] {
        let shown = commands(document);
        assert!(shown.len() >= least, "{shown:?}");
        for command in &shown {
            assert!(TESTED.iter().any(|it| it.0 == command), "nobody tests `{command}`");
        }
    }
}

/// What the README shows of the demonstration is what the demonstration shows.
#[test]
fn the_excerpt_of_the_demonstration_is_a_real_one() {
    let readme = read("README.md");
    let (_, rest) = readme.split_once("$ cargo run --release -- demo\n").unwrap();
    let (_, rest) = rest.split_once("```text\n").unwrap();
    let (excerpt, _) = rest.split_once("```").unwrap();
    let output = as_user(Command::new(binary()).arg("demo"));
    let shown = steady(&String::from_utf8(output.stdout).unwrap());
    assert!(excerpt.lines().count() > 10);
    for part in excerpt.split("…\n") {
        assert!(shown.contains(&steady(part)), "{part}\nis not in\n{shown}");
        assert!(part.lines().all(|it| it.chars().count() <= 80), "{part}");
    }
}

/// The settings that the guides show are settings, and nothing in them is ignored.
#[test]
fn every_setting_of_a_guide_is_one() {
    for (document, least) in [
        ("docs/guide/briefs.md", 1),
        ("docs/guide/checks.md", 4),
        ("docs/guide/mcp.md", 1),
        ("docs/guide/memories.md", 1),
        ("docs/guide/settings-and-trust.md", 1),
        ("docs/guide/what-was-learned.md", 3),
        ("docs/guide/when-the-agent-stops.md", 2),
    ] {
        let text = read(document);
        let blocks = text.split("```toml\n").skip(1).filter_map(|it| it.split_once("```"));
        let blocks: Vec<_> = blocks.map(|it| it.0).collect();
        assert!(blocks.len() >= least, "{document}");
        for block in &blocks {
            let project = Project::new();
            project.user(block);
            let listed = project.config();
            assert_eq!(listed["findings"], serde_json::json!([]), "{document}: {block}");
            let settings = listed["settings"].as_array().unwrap();
            assert!(settings.iter().any(|it| it["origin"] == "user"), "{document}: {block}");
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let documents = [
        "README.md",
        "SECURITY.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/guide/briefs.md",
        "docs/guide/checks.md",
        "docs/guide/mcp.md",
        "docs/guide/memories.md",
        "docs/guide/settings-and-trust.md",
        "docs/guide/watching-it-work.md",
        "docs/guide/what-was-learned.md",
        "docs/guide/when-something-is-wrong.md",
        "docs/guide/when-the-agent-stops.md",
        "docs/reference/cli.md",
        "docs/reference/config.md",
    ];
    for document in documents {
        let text = read(document);
        let links = text.split("](").skip(1).filter_map(|it| it.split_once(')')).map(|it| it.0);
        for link in links.filter(|it| !it.starts_with("http")) {
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let place = Path::new(document).parent().unwrap().join(file);
            let target = if file.is_empty() { document.into() } else { place };
            let target = read(target.to_str().unwrap());
            let sections = target.lines().filter_map(|it| it.strip_prefix("## ")).map(anchor);
            assert!(
                section.is_empty() || sections.into_iter().any(|it| it == section),
                "{document}: {link}"
            );
        }
    }
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let kept = |it: &char| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

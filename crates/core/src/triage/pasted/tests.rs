//! Tables: what is pasted is quoted, what is typed is said.

use super::{LineVoice, line_voices};
use crate::memory::{Heard, Role, Span};
use crate::policy::Triage;
use crate::triage::triage;

/// What is wrong with a message, with `Q ` before each line that is pasted, `S ` before each that is
/// typed and `N ` before each that is anything but said.
fn faults(kind: &str, marked: &str) -> Vec<String> {
    let lines: Vec<_> = marked.lines().map(|it| it.get(2..).unwrap_or_default()).collect();
    let voices = line_voices(&lines.join("\n"));
    assert_eq!(voices.len(), lines.len(), "{kind}");
    let is_right = |mark: Option<&str>, voice: LineVoice| match mark {
        Some("Q") => voice == LineVoice::Quoted,
        Some("S") => voice == LineVoice::Said,
        Some("N") => voice != LineVoice::Said,
        _ => true,
    };
    let all = marked.lines().zip(lines.iter().zip(&voices));
    let is_wrong = |it: &(&str, (&&str, &LineVoice))| {
        !it.1.0.trim().is_empty() && !is_right(it.0.get(..1), *it.1.1)
    };
    all.filter(is_wrong).map(|it| format!("{kind}: {:?} {}", it.1.1, it.1.0)).collect()
}

/// What is pasted, of more than fifteen kinds, with lines of the author around it.
#[rustfmt::skip]
const PASTES: &[(&str, &str)] = &[
    ("log with times", "S always use pnpm here.\n\nQ 2026-11-17T10:00:00Z INFO cache: you must never share the key\nQ 2026-11-17T10:00:01Z WARN always call close before open\nQ 2026-11-17 10:00:02,123 ERROR use the new key instead"),
    ("log, rule below", "Q 2026/11/17 10:00:00 we must always retry\nQ 2026/11/17 10:00:01 never mind\n\nS always use pnpm here."),
    ("clock only", "S it hangs:\nQ 10:00:01.123 [main] you should always close it\nQ 10:00:02.456 [main] never reached"),
    ("levels", "Q INFO  using the default profile, you must set one\nQ DEBUG always on\nQ ERROR never returns"),
    ("bracketed levels", "Q [INFO] Prefer the new API over the old one\nQ [ERROR] You must use Java 17"),
    ("structured", "Q time=\"x\" level=warning msg=\"always use tls\"\nQ {\"level\":\"info\",\"msg\":\"never use http\"}"),
    ("syslog", "Q Nov 17 10:00:00 host app[12]: must always be root\nQ Nov 17 10:00:01 host app[12]: never again"),
    ("kernel", "Q [   12.345678] usb: must use port 3\nQ [   13.345678] usb: never mind"),
    ("glog", "Q I1117 10:00:00.000000 1 server.go:12] always use v2\nQ E1117 10:00:00.000000 1 server.go:12] never use v1"),
    ("access log", "Q 127.0.0.1 - - [17/Nov/2026:10:00:00 +0000] \"GET /always HTTP/1.1\" 200 1"),
    ("compose", "S what is wrong here?\n\nQ web-1  | always use pnpm here\nQ db-1   | you must never do this"),
    ("one log line", "S fix it\n\nQ 2026-11-17 10:00:00 ERROR you must always set FOO\n\nS and never touch the lock file"),
    ("npm", "Q npm ERR! code ERESOLVE\nQ npm ERR! you must use --force\nQ npm WARN deprecated: always use v2"),
    ("rustc", "Q error[E0308]: mismatched types\nQ   --> src/main.rs:3:5\nQ    |\nQ 12 |     let a: u8 = 1;\nQ    |     ^^^ expected `u8`\nQ note: you must always use `u8` here\nQ help: consider never using it"),
    ("node trace", "Q TypeError: you must always pass a name\nQ     at Object.<anonymous> (/p/a.js:1:2)\nQ     at Module._compile (node:internal:1:2)"),
    ("python trace", "Q Traceback (most recent call last):\nQ   File \"a.py\", line 3, in f\nQ     always_use(tabs)\nQ ValueError: never use spaces"),
    ("java trace", "Q java.lang.IllegalStateException: must never be called twice\nQ \tat com.a.B.c(B.java:12)\nQ \t... 12 more"),
    ("go panic", "Q panic: you must always lock\nQ goroutine 1 [running]:\nQ main.main()"),
    ("rust panic", "Q thread 'main' panicked at src/a.rs:3:5:\nQ called `Option::unwrap()` on a `None` value, never do that\nQ note: run with `RUST_BACKTRACE=1`"),
    ("pytest", "Q E   AssertionError: always use tabs\nQ FAILED tests/test_a.py::test_b - must be 3"),
    ("go test", "Q === RUN   TestA\nQ --- FAIL: TestA (0.00s)\nQ     a_test.go:12: you must use v2"),
    ("CI", "Q ##[group]Run tests\nQ always use node 18\nQ ##[error]Process completed with exit code 1."),
    ("lint", "Q src/a.ts:12:5: prefer const over let\nQ src/b.ts:13:1: always use ===\nQ src/c.ts:14:1: never use any"),
    ("grep", "Q docs/a.md:12:Always use tabs.\nQ docs/b.md:13:Never use spaces."),
    ("check marks", "Q ✓ always uses the cache (3 ms)\nQ ✗ never uses the disk (4 ms)"),
    ("diff", "S apply this:\n\nQ diff --git a/a.md b/a.md\nQ index 123abc..456def 100644\nQ --- a/a.md\nQ +++ b/a.md\nQ @@ -1,3 +1,3 @@\nQ  Rules:\nQ -Always use npm here.\nQ +Always use pnpm here.\n\nS never touch the lock file."),
    ("patch without git", "Q --- a/x\nQ +++ b/x\nQ @@ -1 +1 @@\nQ -We must use tabs\nQ +We must use spaces"),
    ("quote", "Q > always use tabs, never spaces\nQ > and use pnpm\n\nS I disagree, use spaces."),
    ("nested quote", "Q >> you must always rebase\nQ > never do that"),
    ("mail", "S handle this:\n\nQ From: Bob <bob@example.com>\nQ To: Me\nQ Subject: rules\nQ \nQ Hi,\nQ please always use tabs. You must never push to main.\nQ \nQ Best regards,\nQ Bob\n\nS always use pnpm here."),
    ("german mail", "Q Von: Anna\nQ An: Team\nQ Betreff: Regeln\nQ \nQ bitte immer pnpm benutzen und nie npm."),
    ("reply mail", "S see below\n\nQ On Mon, Nov 17, 2026 at 10:00, Bob <b@example.com> wrote:\nQ > always use tabs\nQ > never spaces"),
    ("forwarded", "Q ---------- Forwarded message ---------\nQ From: Bob\nQ Date: today\nQ \nQ You must always ask me first."),
    ("plan", "S Implement the following plan:\n\nQ # Plan\nQ \nQ - Always use pnpm here.\nQ - Never touch the lock file.\nQ \nQ We decided to use the new API instead of the old one."),
    ("short plan", "S Execute this plan\n\nQ 1. Always use the new client.\nQ 2. We must never call the old one."),
    ("german plan", "S Bitte setze den folgenden Plan um:\n\nQ - Immer pnpm benutzen.\nQ - Niemals npm."),
    ("chinese plan", "S 请执行以下计划：\n\nQ - 必须始终使用 pnpm。\nQ - 不要使用 npm。"),
    ("review", "S address the review comments:\n\nQ - always use `const` here\nQ - this must never be null\nQ - prefer early returns\n\nS run the linter when you are done."),
    ("github comment", "Q @anna commented on src/lib.rs\nQ You must always handle the error here.\nQ Never unwrap.\n\nS do what she says"),
    ("comment with time", "Q anna-meyer commented 2 hours ago\nQ We should always use the builder."),
    ("requested changes", "Q bob requested changes\nQ Please never use unwrap here."),
    ("reviewer said", "S The reviewer wrote:\nQ always use tabs in this file\nQ and never rename public functions"),
    ("chat", "Q Alice: we should always use pnpm\nQ Bob: never npm\nQ Alice: ok, decided"),
    ("slack", "Q Alice Meyer  10:32 AM\nQ we must always use pnpm here\nQ Bob Stone  10:33 AM\nQ and never npm"),
    ("timed chat", "Q [10:32] alice: always use tabs\nQ [10:33] bob: never spaces"),
    ("irc", "Q <alice> you must always use tabs here\nQ <bob> never spaces please"),
    ("assistant chat", "Q User: always use tabs\nQ Assistant: I will never use spaces."),
    ("meeting notes", "S here are the minutes of the meeting:\n\nQ - we decided to use pnpm\nQ - never deploy on Friday\nQ - Bob must update the docs"),
    ("meeting headings", "Q # Weekly\nQ ## Attendees\nQ Bob, Anna\nQ ## Decisions\nQ We decided to always use pnpm.\nQ ## Action items\nQ - Bob must update the docs"),
    ("issue", "Q ### Describe the bug\nQ It must never happen that the cache is empty.\nQ ### Steps to reproduce\nQ 1. Always use an old browser.\nQ ### Expected behavior\nQ It should always work."),
    ("announced issue", "S fix this issue:\n\nQ The app crashes.\nQ It must always save first.\nQ You should never lose data."),
    ("readme", "Q # Tool\nQ \nQ You must always use node 18.\nQ \nQ ## Installation\nQ Always use pnpm.\nQ \nQ ## License\nQ MIT"),
    ("agents file", "Q # AGENTS.md\nQ \nQ - Always run the tests.\nQ - Never push to main."),
    ("claude file", "Q This file provides guidance to Claude Code when working here.\nQ \nQ Always use pnpm."),
    ("named file", "S this is what stands in docs/rules.md:\n\nQ Always use tabs.\nQ Never use spaces.\nQ We must not break the API."),
    ("man page", "Q LS(1)                    User Commands                   LS(1)\nQ \nQ NAME\nQ        ls - list directory contents\nQ \nQ DESCRIPTION\nQ        You must always give a file. Never use it in scripts.\n\nS why does it not work?"),
    ("table", "Q | rule | why |\nQ |---|---|\nQ | always use pnpm | because it is fast |"),
    ("columns", "Q NAME       READY     STATUS    you must use v2\nQ web-0      1/1       Running   always"),
    ("json", "Q {\nQ   \"rule\": \"always use pnpm here\",\nQ   \"never\": \"use npm\"\nQ }"),
    ("yaml", "Q rules:\nQ   - name: always-use-pnpm\nQ     never: npm\nQ     message: \"must use pnpm\""),
    ("toml", "Q [package]\nQ name = \"must-use\"\nQ description = \"always use pnpm, never npm\""),
    ("env", "Q RULE=always-use-pnpm\nQ NEVER=npm"),
    ("xml", "Q <rules>\nQ always use pnpm here\nQ never npm\nQ </rules>\n\nS check this"),
    ("document tag", "S read this\n\nQ <document name=\"a\">\nQ We decided to always use tabs.\nQ </document>\n\nS use pnpm here, always."),
    ("code", "Q function rule() {\nQ   // always use pnpm here, never npm\nQ   return mustUse(\"pnpm\");\nQ }"),
    ("python", "Q def rule():\nQ     \"\"\"You must always call this first.\"\"\"\nQ     return never(1)"),
    ("comments", "Q // You must always hold the lock here.\nQ // Never call it twice."),
    ("indented code", "S look at this\n\nQ     you must always indent\nQ     never less than four\n\nS use tabs."),
    ("tilde fence", "S look\n- ~~~\nQ always use tabs\nQ never spaces\n- ~~~\nS use pnpm."),
    ("shell", "Q $ pnpm install\nQ You must always use node 18\nQ Never use node 16"),
    ("host prompt", "Q me@host:~/p$ make\nQ make: *** you must set FOO\n\nS always use pnpm here"),
    ("python prompt", "Q >>> import this\nQ Explicit is always better than implicit."),
    ("spoken quote", "S My colleague told me this:\nQ \"We must always use tabs and never spaces.\"\n\nS I want spaces."),
    ("other script", "S 帮我翻译\n\nQ You must always use the new client because the old one leaks, and you should never share it between the threads of a server, whatever the documentation says about that."),
    ("other language", "S Translate the text and do not change the code, this is for the docs.\n\nQ Wir haben entschieden, dass wir immer pnpm benutzen und nicht npm, denn die Datei ist von pnpm. Bitte niemals mit npm installieren, das muss jeder wissen, der mit uns arbeitet. Die Regel ist alt und wir wollen sie nicht ändern."),
    ("log between", "Q 2026-11-17 10:00:00 INFO start\n\nQ You must always set a key before you begin.\n\nQ 2026-11-17 10:00:09 INFO end\n\nS use pnpm here."),
];

/// What is typed and counts.
#[rustfmt::skip]
const TYPED: &[&str] = &[
    "Always use pnpm here, never npm.",
    "Use tabs, not spaces.",
    "We decided to keep the old API until March.",
    "Never push to main without asking me.",
    "Please fix the bug. Always run the tests before you stop.",
    "Note: the cache must never be shared between tenants.",
    "NOTE: always use pnpm here.",
    "Important: do not touch the lock file.",
    "WARNING: never run the migration on Friday.",
    "Warning: never run the migration on Friday.",
    "Rule: always use tabs.",
    "- always use tabs\n- never push to main\n- prefer early returns",
    "* use pnpm\n* never use npm",
    "1. Use pnpm.\n2. Never edit generated files.\n3. Ask before you delete something.",
    "Rules:\n- always use tabs\n- never push to main",
    "Please follow these rules:\n\n- always use tabs\n- never push to main",
    "Style: use tabs everywhere\nTests: always run pnpm test before you stop\nCommits: never amend a commit of mine",
    "Context: this is a monorepo.\nGoal: we want to drop npm.\nConstraint: never break the public API.",
    "# Task\nFix the parser.\n\n# Rules\nAlways use tabs.\nNever push to main.",
    "I prefer `const` over `let` in this repository.",
    "In this project we use `anyhow` for errors, never `unwrap`.",
    "src/lib.rs must stay free of IO.",
    "The port 5432 is taken, so always use 5433.",
    "From now on, use pnpm.",
    "To fix it: always restart the worker first.",
    "You should always ask before you install a dependency.",
    "No, don't do that. Use the builder instead.",
    "don't use mocks, i hate them",
    "Let us always write tests first.",
    "let's use vitest instead of jest, always.",
    "class names must always be in CamelCase",
    "return early instead of nesting, always.",
    "import order: always standard library first.",
    "use tabs;",
    "at the end, always run the linter",
    "error messages must always name the file",
    "Fehlermeldungen müssen immer die Datei nennen.",
    "Bitte immer pnpm benutzen, niemals npm.",
    "Wir haben entschieden, bei Postgres zu bleiben.",
    "Utilise toujours pnpm ici, jamais npm.",
    "Nous avons décidé de garder l'ancienne API.",
    "Usa siempre pnpm aquí, nunca npm.",
    "Decidimos mantener la API antigua.",
    "Use sempre pnpm aqui, nunca npm.",
    "Decidimos manter a API antiga.",
    "这里必须始终使用 pnpm，不要使用 npm。",
    "我们决定保留旧的接口。",
    "ここでは必ず pnpm を使ってください。npm は使わないでください。",
    "古い API を残すことに決めました。",
    "всегда используй pnpm, никогда npm.",
    "请修复这个 bug，另外：必须使用 tabs。",
    "Use >= 3 retries, always.",
    ">=18 is the node version that we must use",
    "50% of the users are on Safari, so always test there.",
    "@anna will review it, so keep the commits small, always.",
    "Why does it fail? Always use pnpm here.",
    "I said it before: never use npm here.",
    "What I want:\n- always use tabs\n- no new dependencies",
    "Three things:\n1. always use tabs\n2. never use any\n3. prefer small functions",
    "We use a | b unions, never enums.",
    "Use 4 spaces for YAML and tabs for Go, always.",
    "2026-11-17: we decided to drop npm.",
    "From 2027 on we must support node 24.",
    "When the build fails, never retry it blindly.",
    "Always use the word \"tenant\", never \"customer\".",
    "\"tenant\" is the word that we must use, never \"customer\".",
    "Deploys go through CI only. Never deploy by hand.",
    "Use pnpm.\n\nThe tests must run on node 18.\n\nNever touch the lock file.",
];

#[test]
fn what_is_pasted_is_quoted_and_the_lines_around_it_are_said() {
    assert!(PASTES.len() >= 60, "{}", PASTES.len());
    let faults: Vec<_> = PASTES.iter().flat_map(|it| faults(it.0, it.1)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_typed_is_said() {
    assert!(TYPED.len() >= 60, "{}", TYPED.len());
    for text in TYPED {
        let voices = line_voices(text);
        assert!(voices.iter().all(|it| *it == LineVoice::Said), "{voices:?}: {text}");
    }
}

/// Each paste that begins a message, with a rule of the author above it.
#[test]
fn a_rule_at_the_top_of_a_paste_stays_a_rule() {
    let with_rule = |it: &(&str, &str)| format!("S always use pnpm here.\n\n{}", it.1);
    let bare = PASTES.iter().filter(|it| it.1.starts_with("Q "));
    let faults: Vec<_> = bare.flat_map(|it| faults(it.0, &with_rule(it))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn spans(text: &str) -> Vec<Span> {
    let said = Heard::Said { role: Role::User, text: text.to_owned(), at: 0 };
    triage(&[said], &Triage::default())
}

#[test]
fn a_log_of_three_hundred_lines_decides_nothing() {
    let words = ["we decided to use", "you must always use", "never share", "prefer", "do not use"];
    let line = |at: usize| {
        let (minute, second) = (at / 60, at % 60);
        format!("2026-11-17T10:{minute:02}:{second:02}Z INFO worker: {} cache_{at}", words[at % 5])
    };
    let log: Vec<_> = (0..300).map(line).collect();
    let text = format!("Always use pnpm here, never npm.\n\n{}\n\nWhy is it slow?", log.join("\n"));
    let found: Vec<_> = spans(&text).into_iter().map(|it| it.text).collect();
    assert_eq!(found, ["Always use pnpm here, never npm."]);
    // The same without times, as a program prints it.
    let bare: Vec<_> = log.iter().map(|it| it[21..].to_owned()).collect();
    assert_eq!(spans(&bare.join("\n")), []);
}

#[test]
fn the_rules_of_a_long_text_are_notes() {
    let rules: Vec<_> =
        (0..60).map(|it| format!("Always use the helper number {it} in module m{it}.")).collect();
    let long = format!("Use pnpm here, never npm.\n\n{}", rules.join("\n"));
    let voices = line_voices(&long);
    assert_eq!(voices[0], LineVoice::Said);
    assert!(voices[2..].iter().all(|it| *it == LineVoice::Noted), "{voices:?}");
    let found = spans(&long);
    assert!(found.iter().any(|it| it.is_noted), "they are still found");
    let is_right = |it: &Span| it.is_noted != it.text.starts_with("Use pnpm");
    assert!(found.iter().all(is_right), "{found:?}");
    assert!(found.iter().all(|it| !(it.is_noted && it.is_strong)), "nobody is asked about them");
    let short = rules[..10].join("\n");
    assert!(line_voices(&short).iter().all(|it| *it == LineVoice::Said));
    // Words that are not separated count too.
    let wide = "这里必须始终使用新的客户端。".repeat(60);
    assert!(line_voices(&wide).contains(&LineVoice::Noted));
}

#[test]
fn every_line_has_a_voice_whatever_the_text() {
    let texts = [
        "",
        "\n",
        "\r\n\r\n",
        ">",
        "<",
        "[",
        "[]",
        "```",
        "~~~\n~~~\n~~~",
        "<a>\n</a",
        "\t",
        "é",
        "「",
        "\"",
        "\"\"",
        ":",
        "：\n：",
        "a:\nb:\nc:",
        "@@ -",
        "----",
        "İ: x\nİ: y",
        "12 |",
        "#1",
    ];
    for text in texts {
        assert_eq!(line_voices(text).len(), text.split('\n').count(), "{text:?}");
    }
}

const RULE: &str = "Always use pnpm here, never npm, because the lock file is pnpm's.";

/// What an announcement announces is the block right below it.
#[test]
fn a_rule_behind_an_announced_block_stays_a_rule() {
    let announcements = [
        "I get this error:",
        "I'm getting this error when I run the tests:",
        "The build fails with:",
        "Here is the log:",
        "Anna wrote:",
        "Our customer reports:",
        "The review comment says:",
        "I get this error",
        "It prints this:",
        "npm test says:",
        "Error:",
        "Output:",
        "Translate this:",
        "From the docs:",
        "Implement the following plan:",
        "Der Build bricht ab mit:",
    ];
    let blocks = [
        "```\nValueError: x\n```",
        "```python\nTraceback (most recent call last):\nValueError: x\n```",
        "~~~\nNever use tabs.\n~~~",
        "<log>\nNever use tabs.\n</log>",
        "<details>\nNever use tabs.\n</details>",
        "    ValueError: x",
    ];
    let behind = [
        "",
        "Please fix it. ",
        "Please fix it.\n\n",
        "Can you fix it?\n",
        "Fix the importer so that this does not happen.\nAdd a test too.\n",
    ];
    for announcement in announcements {
        for block in blocks {
            // What is set in below a plan may be the plan.
            if announcement.contains("plan") && block.starts_with(' ') {
                continue;
            }
            for (gap, more) in ["\n\n", "\n"].iter().flat_map(|gap| behind.map(|it| (gap, it))) {
                let text = format!("{announcement}{gap}{block}\n\n{more}{RULE}");
                let found = spans(&text);
                let is_right = |it: &Span| it.text.ends_with(RULE) && !it.is_noted;
                assert!(found.iter().any(is_right), "{text}\n{found:?}");
                assert!(!found.iter().any(|it| it.text.contains("tabs")), "{text}\n{found:?}");
            }
        }
    }
}

/// What was pasted does not decide which language the author speaks.
#[test]
fn a_rule_is_heard_in_its_own_language_beside_a_paste_in_another() {
    let rules = [
        RULE,
        "Nein, benutze immer pnpm, niemals npm, weil die Lock-Datei von pnpm ist.",
        "Utilise toujours pnpm, jamais npm, parce que le fichier de verrouillage est celui de pnpm.",
    ];
    let pastes = [
        "2026-11-18 09:12:01 ERROR The connection to the database was lost and it was not restored\n\
         2026-11-18 09:12:02 ERROR The user was not found in the table of the shop",
        "2026-11-18 09:12:01 ERROR Die Verbindung zur Datenbank ist weg und wurde nicht ersetzt\n\
         2026-11-18 09:12:02 ERROR Der Benutzer wurde nicht in der Tabelle gefunden",
        "> the file is not in the archive and it was never there\n> this is the end of the log",
    ];
    for rule in rules {
        for paste in pastes {
            for text in [format!("{rule}\n\n{paste}"), format!("{paste}\n\n{rule}")] {
                let found = spans(&text);
                assert!(found.iter().any(|it| it.text == rule), "{text}\n{found:?}");
            }
        }
    }
}

/// The cases of a file: `=== kind`, then lines as in [`PASTES`].
fn cases(text: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        match (line.strip_prefix("=== "), found.last_mut()) {
            (Some(kind), _) => found.push((kind, String::new())),
            (None, Some(case)) => {
                case.1.push_str(line);
                case.1.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// Pastes of more than two hundred kinds, and words of authors around them.
#[test]
fn the_corpus_is_told_apart() {
    let corpus = [
        include_str!("corpus/pastes.txt"),
        include_str!("corpus/unannounced.txt"),
        include_str!("corpus/typed.txt"),
        include_str!("corpus/copied.txt"),
    ];
    let all: Vec<_> = corpus.iter().flat_map(|it| cases(it)).collect();
    assert!(all.len() > 550, "{}", all.len());
    let faults: Vec<_> = all.iter().flat_map(|it| faults(it.0, &it.1)).collect();
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}

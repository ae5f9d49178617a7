//! Made-up files, and the events that are rebuilt from them.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use windlass_core::{Event, Kind, Outcome, PromptOrigin, Stop, Timestamp, ToolCall};

use super::{Events, EventsError, Seen};

const SESSION: &str = "11111111-2222-3333-4444-555555555555";

/// A row of the main conversation, one second after the row before it.
fn rows(rows: impl IntoIterator<Item = Value>) -> String {
    let mut text = String::new();
    for (index, mut row) in rows.into_iter().enumerate() {
        let number = index + 1;
        let fields = row.as_object_mut().unwrap();
        let defaults = [
            ("uuid", json!(format!("u{number}"))),
            ("sessionId", json!(SESSION)),
            ("cwd", json!("/p")),
            ("timestamp", json!(format!("2026-01-01T00:00:{number:02}.000Z"))),
        ];
        for (name, value) in defaults {
            fields.entry(name).or_insert(value);
        }
        writeln!(text, "{row}").unwrap();
    }
    text
}

fn user(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn meta(text: &str) -> Value {
    json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": text}})
}

fn said(message: &str, text: &str) -> Value {
    assistant(message, &json!({"type": "text", "text": text}))
}

fn called(message: &str, id: &str, name: &str, input: &Value) -> Value {
    assistant(message, &json!({"type": "tool_use", "id": id, "name": name, "input": input}))
}

fn bash(message: &str, id: &str) -> Value {
    called(message, id, "Bash", &json!({"command": format!("run {id}")}))
}

fn assistant(message: &str, block: &Value) -> Value {
    json!({"type": "assistant", "message": {"id": message, "model": "m", "content": [block]}})
}

fn answered(id: &str, text: &str, failed: bool) -> Value {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed});
    json!({"type": "user", "message": {"role": "user", "content": [block]}})
}

fn system(subtype: &str) -> Value {
    json!({"type": "system", "subtype": subtype})
}

/// The row of a side chain that follows another row.
fn side(mut row: Value, uuid: &str, parent: Option<&str>) -> Value {
    row["isSidechain"] = json!(true);
    row["uuid"] = json!(uuid);
    row["parentUuid"] = json!(parent);
    row
}

fn read(text: &str) -> Vec<Event> {
    let seen = Events::new(text.as_bytes(), Path::new("/t.jsonl")).map(Result::unwrap);
    let event = |it| match it {
        Seen::Event(event) => Some(*event),
        Seen::Row { .. } => None,
    };
    seen.filter_map(event).collect()
}

/// The events of a file, one line each.
fn story(text: &str) -> Vec<String> {
    read(text).iter().map(line).collect()
}

fn line(event: &Event) -> String {
    let what = match &event.kind {
        Kind::SessionStart { source, .. } => format!("start {source:?}"),
        Kind::SessionEnd { .. } => "end".to_owned(),
        Kind::Prompt { text, origin: PromptOrigin::User, .. } => format!("prompt {}", text.head),
        Kind::Prompt { origin: PromptOrigin::TaskNotification, .. } => "notification".to_owned(),
        Kind::Prompt { text, origin: PromptOrigin::Foreign, .. } => {
            format!("foreign {}", text.head)
        }
        Kind::Tools(calls) => calls.iter().map(end).collect::<Vec<_>>().join(" "),
        Kind::Stop(stop) | Kind::AgentStop(stop) => last(stop),
        Kind::StopFailure { error } => format!("failure {error}"),
        Kind::AgentStart => "agent starts".to_owned(),
        other => format!("{other:?}"),
    };
    match &event.agent {
        None => what,
        Some(agent) => format!("{} ({}): {what}", agent.id, agent.role),
    }
}

fn end(call: &ToolCall) -> String {
    match call.outcome {
        Outcome::Passed => format!("{}+", call.id),
        Outcome::Failed(Some(code)) => format!("{}-{code}", call.id),
        Outcome::Failed(None) => format!("{}-", call.id),
        Outcome::Unknown => format!("{}?", call.id),
    }
}

fn last(stop: &Stop) -> String {
    let continued = if stop.continued { " again" } else { "" };
    format!("stop{continued} {}", stop.message.head)
}

#[test]
fn a_turn_is_a_prompt_its_calls_and_a_stop() {
    let file = rows([
        user("fix it"),
        said("m1", "Looking."),
        bash("m1", "c1"),
        answered("c1", "Exit code 2\nno", true),
        bash("m2", "c2"),
        answered("c2", "ok", false),
        said("m3", "Done."),
    ]);
    let expected = ["start Startup", "prompt fix it", "c1-2", "c2+", "stop Done.", "end"];
    assert_eq!(story(&file), expected);

    let events = read(&file);
    let seconds: Vec<_> = events.iter().map(|it| it.at.0 / 1000 % 60).collect();
    assert_eq!(seconds, [1, 1, 4, 6, 7, 7], "the time of its own row");
    let prompts: Vec<_> = events.iter().map(|it| it.prompt.as_deref()).collect();
    assert_eq!(prompts, [None, Some("u1"), Some("u1"), Some("u1"), Some("u1"), Some("u1")]);
    for event in &events {
        assert_eq!((event.session.as_str(), event.cwd.as_str()), (SESSION, "/p"));
        assert_eq!(event.transcript.as_deref(), Some("/t.jsonl"));
    }
}

/// The client runs the first call of a message while the second one is still being written.
#[test]
fn the_calls_of_one_message_are_one_event_however_they_are_mixed_with_their_answers() {
    let file = rows([
        user("go"),
        bash("m1", "c1"),
        answered("c1", "ok", false),
        bash("m1", "c2"),
        meta("[Image: a picture that c1 has read]"),
        bash("m1", "c3"),
        answered("c3", "ok", false),
        answered("c2", "Exit code 1", true),
        said("m2", "Done."),
    ]);
    assert_eq!(story(&file)[2..], ["c1+ c2-1 c3+", "stop Done.", "end"]);
}

#[test]
fn rows_without_the_id_of_a_message_are_parted_by_the_answers() {
    let file = rows([
        user("go"),
        bash("", "c1"),
        bash("", "c2"),
        answered("c1", "ok", false),
        answered("c2", "ok", false),
        bash("", "c3"),
        answered("c3", "ok", false),
    ]);
    assert_eq!(story(&file)[2..], ["c1+ c2+", "c3+", "end"]);
}

#[test]
fn the_flag_of_an_answer_has_the_last_word_unless_the_call_has_not_run() {
    let refused = "The user doesn't want to proceed with this tool use.";
    let cases = [
        ("Bash", "ok", false, Outcome::Passed),
        // Whoever refused it chose the words: a command that ran tells its exit code.
        ("Bash", "no exit code, but flagged", true, Outcome::Unknown),
        ("Bash", "<tool_use_error>no such tool</tool_use_error>", true, Outcome::Unknown),
        ("Bash", "Exit code 3\nno", true, Outcome::Failed(Some(3))),
        ("Bash", "Command running in background with ID: b1", false, Outcome::Unknown),
        ("Bash", refused, true, Outcome::Unknown),
        ("Edit", "The file has been updated successfully.", false, Outcome::Passed),
        ("Edit", "<tool_use_error>not found</tool_use_error>", true, Outcome::Failed(None)),
        ("Write", refused, true, Outcome::Unknown),
        ("Read", "1\ttext", false, Outcome::Unknown),
        ("Read", "File does not exist.", true, Outcome::Failed(None)),
        ("mcp__a__b", "MCP-FAILED", true, Outcome::Failed(None)),
    ];
    for (name, text, failed, expected) in cases {
        let events = read(&rows([
            user("go"),
            called("m", "c", name, &json!({})),
            answered("c", text, failed),
        ]));
        let Kind::Tools(calls) = &events[2].kind else { panic!("{events:?}") };
        assert_eq!(calls[0].outcome, expected, "{name}: {text}");
    }
}

#[test]
fn a_hook_that_holds_the_agent_back_makes_the_next_stop_a_continued_one() {
    let context = |event: &str| {
        json!({"type": "attachment", "attachment": {
            "type": "hook_additional_context", "hookEvent": event, "content": ["x"],
        }})
    };
    let file = rows([
        user("go"),
        context("UserPromptSubmit"),
        said("m1", "One."),
        meta("Stop hook feedback:\nrun the tests"),
        system("stop_hook_summary"),
        said("m2", "Two."),
        context("Stop"),
        said("m3", "Three."),
        user("thanks"),
        said("m4", "Four."),
    ]);
    let expected =
        ["stop One.", "stop again Two.", "stop again Three.", "prompt thanks", "stop Four.", "end"];
    assert_eq!(story(&file)[2..], expected);
}

#[test]
fn a_thought_after_the_last_words_does_not_take_the_stop_away() {
    let thought = assistant("m1", &json!({"type": "thinking", "thinking": "Was that all?"}));
    assert_eq!(
        story(&rows([user("go"), said("m1", "Done."), thought]))[2..],
        ["stop Done.", "end"]
    );
}

#[test]
fn an_interrupted_turn_has_no_stop() {
    let interrupted = "[Request interrupted by user for tool use]";
    let file = rows([
        user("go"),
        said("m1", "I will"),
        user(interrupted),
        user("go on"),
        bash("m2", "c1"),
        answered("c1", "The user doesn't want to proceed", true),
        user(interrupted),
    ]);
    assert_eq!(story(&file)[1..], ["prompt go", "prompt go on", "c1?", "end"]);
}

#[test]
fn an_error_of_the_service_is_a_failure_where_it_ends_the_turn() {
    let error = |word: Option<&str>| {
        let mut row = assistant("e", &json!({"type": "text", "text": "API Error: 529"}));
        row["isApiErrorMessage"] = json!(true);
        row["error"] = json!(word);
        row["message"]["model"] = json!("<synthetic>");
        row
    };
    let file = rows([
        user("go"),
        error(Some("server_error")),
        user("again"),
        error(None),
        said("m1", "Here I am."),
        user("good"),
        error(Some("authentication_failed")),
    ]);
    let expected = [
        "prompt go",
        "failure server_error",
        "prompt again",
        "stop Here I am.",
        "prompt good",
        "failure authentication_failed",
        "end",
    ];
    assert_eq!(story(&file)[1..], expected);
}

#[test]
fn the_host_is_not_the_user() {
    let mut summary = user("This session is being continued");
    summary["isCompactSummary"] = json!(true);
    let mut synthetic = said("s", "No response requested.");
    synthetic["message"]["model"] = json!("<synthetic>");
    let file = rows([
        meta("<local-command-caveat>not for you"),
        user("<command-name>/model</command-name>"),
        user("go"),
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and this"}}),
        said("m1", "Done."),
        user("<task-notification>\n<task-id>b1</task-id>"),
        said("m2", "It ended."),
        system("compact_boundary"),
        summary,
        synthetic,
        user("more"),
    ]);
    let expected = [
        "start Startup",
        "prompt go",
        "prompt and this",
        "stop Done.",
        "notification",
        "stop It ended.",
        "start Compact",
        "prompt more",
        "end",
    ];
    assert_eq!(story(&file), expected);
}

#[test]
fn a_session_says_how_it_started() {
    let trace = |source: &str| {
        json!({"type": "progress", "data": {
            "type": "hook_progress", "hookEvent": "SessionStart",
            "hookName": format!("SessionStart:{source}"),
        }})
    };
    let summary = || json!({"type": "summary", "summary": "Earlier", "leafUuid": "u0"});
    let cleared = user("<command-name>/clear</command-name>\n<command-message>clear");
    let starts = |file: &[Value]| -> Vec<_> {
        story(&rows(file.to_vec())).into_iter().filter(|it| it.starts_with("start")).collect()
    };
    assert_eq!(starts(&[user("a")]), ["start Startup"]);
    assert_eq!(starts(&[summary(), user("a")]), ["start Resume"]);
    assert_eq!(starts(&[cleared, user("a")]), ["start Clear"]);
    assert_eq!(starts(&[trace("clear"), trace("clear"), user("a")]), ["start Clear"]);
    let resumed = [user("a"), said("m", "b"), trace("resume"), trace("resume"), user("c")];
    assert_eq!(starts(&resumed), ["start Startup", "start Resume"]);
    let resumed = [user("a"), said("m", "b"), summary(), user("c"), summary()];
    assert_eq!(starts(&resumed), ["start Startup", "start Resume"]);
}

#[test]
fn the_side_chains_of_an_older_client_are_agents_of_their_own() {
    let agent = |id: &str, prompt: &str, role: &str| {
        called("m1", id, "Task", &json!({"prompt": prompt, "subagent_type": role}))
    };
    let file = rows([
        user("go"),
        agent("a1", "look here", "Explore"),
        agent("a2", "look there", "Plan"),
        side(user("look here"), "s1", None),
        side(user("look there"), "t1", None),
        side(bash("n1", "c1"), "s2", Some("s1")),
        side(bash("n2", "c2"), "t2", Some("t1")),
        side(answered("c2", "Exit code 1", true), "t3", Some("t2")),
        side(answered("c1", "ok", false), "s3", Some("s2")),
        side(said("n3", "Nothing there."), "t4", Some("t3")),
        answered("a2", "Nothing there.", false),
        side(said("n4", "Found it."), "s4", Some("s3")),
        answered("a1", "Found it.", false),
        said("m2", "Done."),
    ]);
    let expected = [
        "s1 (Explore): agent starts",
        "t1 (Plan): agent starts",
        "t1 (Plan): c2-1",
        "t1 (Plan): stop Nothing there.",
        "s1 (Explore): c1+",
        "s1 (Explore): stop Found it.",
        "a1? a2?",
        "stop Done.",
        "end",
    ];
    assert_eq!(story(&file)[2..], expected);
    let seconds: Vec<_> = read(&file).iter().map(|it| it.at.0 / 1000 % 60).collect();
    assert_eq!(seconds, [1, 1, 4, 5, 8, 10, 9, 12, 13, 14, 14]);
    let inside = |it: &&Event| it.agent.is_some();
    for event in read(&file).iter().filter(inside) {
        assert_eq!((event.prompt.as_deref(), event.transcript.as_deref()), (Some("u1"), None));
    }
}

#[test]
fn the_file_of_a_subagent_has_no_session_of_its_own() {
    let own = |mut row: Value| {
        row["isSidechain"] = json!(true);
        row["agentId"] = json!("a1");
        row["attributionAgent"] = json!("Explore");
        row
    };
    let file = rows([
        own(user("look")),
        own(bash("m1", "c1")),
        own(answered("c1", "ok", false)),
        own(said("m2", "Found it.")),
        own(user("look again")),
        own(said("m3", "Still there.")),
    ]);
    let expected = [
        "a1 (Explore): agent starts",
        "a1 (Explore): c1+",
        "a1 (Explore): stop Found it.",
        "a1 (Explore): agent starts",
        "a1 (Explore): stop Still there.",
    ];
    assert_eq!(story(&file), expected);
    assert!(read(&file).iter().all(|it| it.transcript.is_some()));
}

#[test]
fn a_task_runs_in_the_background_until_the_host_tells_of_its_end() {
    let mut launched = answered("c1", "Command running in background with ID: b1", false);
    launched["toolUseResult"] = json!({"stdout": "", "backgroundTaskId": "b1"});
    let file = rows([
        user("go"),
        bash("m1", "c1"),
        launched,
        said("m2", "Waiting."),
        user("<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>"),
        said("m3", "Done."),
    ]);
    let running: Vec<_> = read(&file)
        .into_iter()
        .filter_map(|it| if let Kind::Stop(stop) = it.kind { Some(stop.background) } else { None })
        .collect();
    assert_eq!(running, [1, 0]);
}

#[test]
fn a_row_without_a_time_is_as_old_as_the_one_before() {
    let mut undated = user("second");
    undated["timestamp"] = json!("soon");
    let first = json!({"type": "mode", "mode": "normal", "timestamp": null});
    let events = read(&rows([first, user("first"), undated]));
    let seconds: Vec<_> = events.iter().map(|it| it.at).collect();
    assert_eq!(seconds, [Timestamp(1_767_225_602_000); 4]);
}

#[test]
fn another_session_in_the_same_file_is_another_session() {
    let mut other = user("there");
    other["sessionId"] = json!("other");
    let events = read(&rows([user("here"), said("m", "Done."), other]));
    let lines: Vec<_> =
        events.iter().map(|it| (it.session.as_str() == "other", line(it))).collect();
    let expected = [
        (false, "start Startup"),
        (false, "prompt here"),
        (false, "stop Done."),
        (false, "end"),
        (true, "start Resume"),
        (true, "prompt there"),
        (true, "end"),
    ];
    assert_eq!(lines, expected.map(|(other, line)| (other, line.to_owned())));
}

#[test]
fn corrupt_rows_are_counted_and_cost_nothing_else() {
    let file = rows([user("go"), said("m", "Done.")]);
    let (first, second) = file.split_once('\n').unwrap();
    let mut bytes = format!("{{\"type\":\n\n\0\0{first}\n").into_bytes();
    bytes.extend_from_slice(b"{\"type\":\"user\",\"message\":\"\xff\"}\n");
    bytes.extend_from_slice(second.trim_end().as_bytes());
    bytes.extend_from_slice(b"\n{\"type\":\"assist");
    let seen: Vec<_> = Events::new(&bytes[..], Path::new("/t.jsonl")).map(Result::unwrap).collect();
    let corrupt = seen.iter().filter(|it| matches!(it, Seen::Row { entries: None, .. })).count();
    let events = seen.iter().filter(|it| matches!(it, Seen::Event(_))).count();
    assert_eq!((corrupt, events), (3, 4));
    let end = seen.iter().rev().find_map(|it| match it {
        Seen::Row { to, .. } => Some(*to),
        Seen::Event(_) => None,
    });
    assert_eq!(end, Some(bytes.len() as u64));
}

#[test]
fn however_many_agents_and_calls_there_are_their_number_is_bounded() {
    let mut file = vec![user("go")];
    for agent in 0..100 {
        let (first, second) = (format!("s{agent}"), format!("t{agent}"));
        file.push(side(user("look"), &first, None));
        file.push(side(said("m", "Done."), &second, Some(&first)));
    }
    for call in 0..3000 {
        file.push(bash("m", &format!("c{call}")));
        file.push(answered(&format!("c{call}"), "ok", false));
    }
    let events = read(&rows(file));
    let count = |what: fn(&Kind) -> usize| events.iter().map(|it| what(&it.kind)).sum::<usize>();
    assert_eq!(count(|it| usize::from(matches!(it, Kind::AgentStop(_)))), 100);
    assert_eq!(count(|it| if let Kind::Tools(calls) = it { calls.len() } else { 0 }), 3000);
    assert_eq!(count(|it| usize::from(matches!(it, Kind::Tools(_)))), 3);
}

/// What a digest counts up to a stop is what stood in the file before the next prompt.
#[test]
fn a_stop_comes_before_the_row_that_shows_it() {
    let file = rows([user("go"), said("m", "Done."), user("thanks")]);
    let order: Vec<_> = Events::new(file.as_bytes(), Path::new("/t.jsonl"))
        .map(|it| match it.unwrap() {
            Seen::Row { .. } => "row".to_owned(),
            Seen::Event(event) => line(&event),
        })
        .collect();
    let expected =
        ["row", "start Startup", "prompt go", "row", "stop Done.", "row", "prompt thanks", "end"];
    assert_eq!(order, expected);
}

#[test]
fn a_file_of_something_else_is_not_taken_for_an_empty_one() {
    let foreign = [
        "just a text\nof two lines\n",
        "{\"timestamp\":\"t\",\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"hi\"}\n",
        "{\"i\":0,\"role\":\"user\",\"text\":\"hi\"}\n",
        "{\"type\":\"user\",\"message\":{\"content\":\"hi\"},\"session_id\":\"s\"}\n",
        "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"parts\":[{\"text\":\"hi\"}]}}\n",
        "{\"sessionId\":\"s\",\"messages\":[]}\n",
        "[1,2,3]\n",
        "{\"type\":\"assist",
        "\u{0}\u{0}\u{0}",
    ];
    for text in foreign {
        let last = Events::new(text.as_bytes(), Path::new("/t.jsonl")).last();
        assert!(matches!(last, Some(Err(EventsError::Foreign))), "{text}: {last:?}");
    }
    for text in ["", "\n \n"] {
        assert_eq!(Events::new(text.as_bytes(), Path::new("/t.jsonl")).count(), 0, "{text:?}");
    }
}

#[test]
fn a_large_file_of_something_else_is_given_up_early() {
    let line = format!("{}\n", json!({"not ours": "a".repeat(1 << 20)}));
    let endless = std::io::BufReader::new(Endless(line.into_bytes(), 0));
    let last = Events::new(endless, Path::new("/t.jsonl")).find_map(Result::err);
    assert!(matches!(last, Some(EventsError::Foreign)), "{last:?}");
}

/// The same bytes for ever.
struct Endless(Vec<u8>, usize);

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(self.0.len() - self.1);
        buffer[..count].copy_from_slice(&self.0[self.1..self.1 + count]);
        self.1 = (self.1 + count) % self.0.len();
        Ok(count)
    }
}

//! Who wrote a prompt: what the client's texts and rows tell, in tables.
//!
//! The payload of a hook has the text of a prompt and no mark, so its text alone is looked at
//! ([`text_form`]). The row of the conversation file, which comes later, has marks: [`RowMarks`].
//! Both the hook path and the replay of files come here. The facts behind the tables are in
//! `docs/design/0016-who-wrote-a-prompt.md`.

use std::borrow::Cow;

use windlass_core::{Entry, PromptAuthor};

use super::client::Version;
use super::wire::{Attachment, Row, RowOrigin};

/// What the rows of the clients from one version on tell.
#[derive(Debug)]
struct ClientMarks {
    /// The first version.
    since: Version,
    /// The origin of a text that the user typed.
    typed: &'static str,
    /// Sources of prompts that a program gave for the user.
    given: &'static [&'static str],
    /// Who wrote a text without an origin and a source.
    unmarked: PromptAuthor,
}

/// The tables of the clients, the newest first. A row has the version of the client that wrote it.
const CLIENTS: [ClientMarks; 2] = [
    // 2.1.197 and 2.1.325 were played. A typed prompt always has its origin, whatever its source, and
    // one of `-p` or of the SDK always the source `sdk`. A message of a teammate has neither.
    ClientMarks {
        since: Version(2, 1, 197),
        typed: "human",
        given: &["sdk"],
        unmarked: PromptAuthor::Foreign,
    },
    // Recorded rows of 2.0.64 to 2.1.52 have no marks at all.
    ClientMarks {
        since: Version(0, 0, 0),
        typed: "human",
        given: &["sdk", "typed", "queued", "suggestion_accepted"],
        unmarked: PromptAuthor::Given,
    },
];

/// Turns of the client that a person or a program for that person began.
const USER_TURNS: [&str; 3] = ["human", "sdk", "unknown"];

/// The origin of a notification that a background task has ended.
const NOTIFICATION: &str = "task-notification";

/// The client that runs in a terminal: it marks each prompt that is typed there.
const TERMINAL: &str = "cli";

/// What the beginning of a text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    /// Nothing: a prompt of the user looks like this.
    Plain,
    /// The client tells of a background task.
    Notification,
    /// Another agent, a channel, a hook or the client itself wrote it.
    Foreign,
    /// The client's record of a command, of its output, or of what an editor shows. Not a prompt.
    Host,
}

/// Beginnings of texts that other parties wrote. The client puts them there itself.
const FOREIGN_BEGINNINGS: &[&str] = &[
    "<agent-message",
    "<cross-session-message",
    "<teammate-message",
    "<channel ",
    "<channel>",
    "<coordinator-relay",
    "<slack-ping",
    "<slack-tag-message",
    "<remote-review",
    "<tick>",
    "<fork-boilerplate>",
    "<fetched-web-content",
    "<untrusted-widget-state",
    "<voice-call-talk",
    "<mcp-resource",
    "<mcp-polling-update",
    "<artifact-",
    "<input source=",
    "<<autonomous-loop",
    "# Autonomous loop ",
    "A message arrived in the bound thread",
    "Messages arrived in the bound thread",
    "Activity was observed in the bound conversation",
    "This session is being continued from a previous conversation that ran out of context",
];

/// Names of those who send messages beside the user.
const SENDERS: [&str; 22] = [
    "agent",
    "subagent",
    "teammate",
    "peer",
    "session",
    "claude",
    "channel",
    "coordinator",
    "orchestrator",
    "team-lead",
    "lead",
    "bot",
    "webhook",
    "hook",
    "cron",
    "schedule",
    "scheduler",
    "task",
    "monitor",
    "worker",
    "mcp",
    "server",
];

/// How the first line of a message begins that somebody passes on.
const PASSED_ON: [&str; 8] = [
    "message from ",
    "new message from ",
    "incoming message from ",
    "you have a message from ",
    "you have a new message from ",
    "you received a message from ",
    "notification from ",
    "update from ",
];

/// What follows `hook ` in the first line of what the client says for a hook.
const HOOK_WORDS: [&str; 7] = [
    "feedback:",
    "additional context:",
    "blocking error",
    "error:",
    "stopped continuation",
    "success:",
    "warning:",
];

/// How the names of tags end that the client puts around what others say: `<cross-session-message`.
/// Newer clients have more of them than older ones.
const FOREIGN_TAGS: [&str; 6] =
    ["-message", "-notification", "-wake", "-wakeup", "-relay", "-ping"];

/// The same, where elements of pages have such names too: an attribute or the closing tag tells.
const UNSURE_TAGS: [&str; 14] = [
    "-event",
    "-events",
    "-activity",
    "-result",
    "-results",
    "-update",
    "-reminder",
    "-context",
    "-handoff",
    "-alert",
    "-reply",
    "-report",
    "-feedback",
    "-prompt",
];

/// Names of tags around what a schedule or a hook sends.
const SCHEDULE_TAGS: [&str; 8] = [
    "cron",
    "schedule",
    "scheduled-task",
    "scheduled-prompt",
    "wakeup",
    "wake-up",
    "heartbeat",
    "hook-feedback",
];

/// The first line of a channel's message; a tag follows it.
const ARRIVED: &str = "A message arrived from ";

/// What stands in the first line of a text that the client frames as not the user's.
const NOT_USER_INPUT: &str = "NOT USER INPUT]";

/// The end of the first line of what a hook says.
const HOOK_FEEDBACK: &str = "hook feedback:";

/// The beginning of a notification of a background task.
const NOTIFICATION_TAG: &str = "<task-notification>";

/// Beginnings of texts that the client itself puts into user rows, beside prompts.
const HOST_WRAPPERS: [&str; 16] = [
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<command-contents>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<ide_selection>",
    "<ide_opened_file>",
    "<post-tool-use-hook>",
    "<user-prompt-submit-hook>",
    "<persisted-output>",
    "<system-reminder>",
];

/// What the client says for a user who interrupted the agent, as a whole.
const INTERRUPTIONS: [&str; 2] =
    ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/// The beginning of what the client says for a user who interrupted the agent.
pub(super) const INTERRUPTED: &str = "[Request interrupted by user";

/// A text from its first character on that can be seen.
fn visible_start(text: &str) -> &str {
    let is_invisible = |it: char| {
        it.is_whitespace()
            || it.is_control()
            || matches!(it, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{115f}' | '\u{1160}' | '\u{3164}')
    };
    text.trim_start_matches(is_invisible)
}

/// Whether a text begins with another, in capital letters or in small ones.
fn begins_with(text: &str, beginning: &str) -> bool {
    let head = text.as_bytes().get(..beginning.len());
    head.is_some_and(|it| it.eq_ignore_ascii_case(beginning.as_bytes()))
}

/// Tells what the beginning of a text tells. Neither capital letters nor characters that are not
/// seen change it.
pub(super) fn text_form(text: &str) -> TextForm {
    let start = visible_start(text);
    let first_line = start.lines().next().unwrap_or_default().trim_end();
    let is_framed = start.starts_with('[') && ends_with(first_line, NOT_USER_INPUT);
    if begins_with(start, NOTIFICATION_TAG) && !is_lone_tag(start)
        || is_framed && start.contains(NOTIFICATION_TAG)
    {
        return TextForm::Notification;
    }
    // A tag that stands open without attributes is what somebody writes about, not around.
    if is_lone_tag(start) {
        return TextForm::Plain;
    }
    let has_tag_below =
        || start.lines().nth(1).is_some_and(|it| visible_start(it).starts_with('<'));
    let is_foreign = is_framed
        || is_of_hook(first_line)
        || is_passed_on(first_line)
        || FOREIGN_BEGINNINGS.iter().any(|it| begins_with(start, it))
        || is_sent(start, first_line)
        || is_foreign_tag(start)
        || begins_with(start, ARRIVED) && has_tag_below();
    if is_foreign {
        TextForm::Foreign
    } else if HOST_WRAPPERS.iter().any(|it| begins_with(start, it))
        || INTERRUPTIONS.iter().any(|it| start.trim_end() == *it)
    {
        TextForm::Host
    } else {
        TextForm::Plain
    }
}

/// `Another Claude session sent a message:`, `… while you were working:`, and not a sentence about
/// such a message.
fn is_sent(start: &str, first_line: &str) -> bool {
    const SENDERS: [&str; 2] =
        ["Another Claude session sent a message", "A peer session sent a message"];
    let Some(beginning) = SENDERS.iter().find(|it| begins_with(start, it)) else { return false };
    let rest = first_line.get(beginning.len()..).unwrap_or_default().trim_start();
    let has_tag = start.lines().nth(1).is_some_and(|it| visible_start(it).starts_with('<'));
    rest.starts_with(':') || begins_with(rest, "while you were working") || has_tag
}

/// Whether a text begins with a tag that has no attributes and is not closed, and a sentence goes on
/// behind it.
fn is_lone_tag(start: &str) -> bool {
    let Some(rest) = start.strip_prefix('<') else { return false };
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    let Some(end) = rest.find(|it| !is_part(it)) else { return false };
    let name = &rest[..end];
    let close = format!("</{name}>").to_ascii_lowercase();
    let behind = rest[end..].strip_prefix('>');
    let goes_on = behind.is_some_and(|it| {
        it.starts_with([' ', ',', ':', ';', '.', '?', '!', '\'', ')', '/']) && !it.trim().is_empty()
    });
    end > 0 && goes_on && !rest.to_ascii_lowercase().contains(&close)
}

fn ends_with(text: &str, ending: &str) -> bool {
    let start = text.len().checked_sub(ending.len());
    let tail = start.and_then(|it| text.as_bytes().get(it..));
    tail.is_some_and(|it| it.eq_ignore_ascii_case(ending.as_bytes()))
}

/// `Stop hook feedback:`, `UserPromptSubmit hook additional context: …`, `PreToolUse:Bash hook error:
/// …`: an event, and what its hook said.
fn is_of_hook(first_line: &str) -> bool {
    if ends_with(first_line, HOOK_FEEDBACK) {
        return true;
    }
    let Some((event, rest)) = first_line.split_once(' ') else { return false };
    let capitals = event.bytes().filter(u8::is_ascii_uppercase).count();
    let is_event = event.bytes().all(|it| it.is_ascii_alphanumeric() || b":_-*|".contains(&it))
        && (capitals >= 2 || matches!(event, "Stop" | "Notification" | "Setup" | "Elicitation"));
    is_event
        && begins_with(rest, "hook ")
        && HOOK_WORDS.iter().any(|it| begins_with(&rest["hook ".len()..], it))
}

/// `[Message from teammate helper]: …`, `Message from agent "helper":`.
fn is_passed_on(first_line: &str) -> bool {
    let (line, is_closed) = match first_line.strip_prefix(['[', '(']) {
        Some(rest) => (rest.split([']', ')']).next().unwrap_or_default(), true),
        None => (first_line.split(':').next().unwrap_or_default(), first_line.ends_with(':')),
    };
    let small = line.trim_matches(['*', '#', ' ']).to_ascii_lowercase();
    let sender = PASSED_ON.iter().find_map(|it| small.strip_prefix(it));
    is_closed
        && sender.is_some_and(|it| {
            let is_part = |it: char| it.is_alphanumeric() || it == '-';
            it.split(|it| !is_part(it)).any(|it| SENDERS.contains(&it))
        })
}

/// Whether a text begins with a tag around the words of others.
fn is_foreign_tag(start: &str) -> bool {
    let Some(rest) = start.strip_prefix('<') else { return false };
    let is_part = |it: char| it.is_ascii_alphabetic() || matches!(it, '-' | '_');
    let Some(end) = rest.find(|it| !is_part(it)) else { return false };
    let name = &rest[..end];
    let small = name.to_ascii_lowercase().replace('_', "-");
    // Without an attribute and without its end it is an element that the user writes about.
    let is_whole = || {
        let opening = rest.split('>').next().unwrap_or_default();
        opening.contains(['"', '=']) || rest.contains(&format!("</{name}>"))
    };
    // `<Schedule>` may be a component that the user writes about. One around all of it is none.
    let is_small = !name.bytes().any(|it| it.is_ascii_uppercase());
    let is_around = || rest.trim_end().ends_with(&format!("</{name}>"));
    rest[end..].starts_with([' ', '>', '\n'])
        && !HOST_WRAPPERS.iter().any(|it| begins_with(start, it))
        && (FOREIGN_TAGS.iter().any(|it| small.ends_with(it))
            || SCHEDULE_TAGS.contains(&&*small) && (is_small || is_around())
            || UNSURE_TAGS.iter().any(|it| small.ends_with(it)))
        && is_whole()
}

/// The text below the frame that the client puts around what is not the user's. The payload of the
/// hook has the text without it.
pub(super) fn unframed(text: &str) -> &str {
    let start = visible_start(text);
    let Some((first_line, rest)) = start.split_once('\n') else { return text };
    if !start.starts_with('[') || !first_line.trim_end().ends_with(NOT_USER_INPUT) {
        return text;
    }
    if first_line.starts_with("[SYSTEM NOTIFICATION") {
        rest.split_once("\n\n").map_or(rest, |it| it.1)
    } else {
        rest
    }
}

/// What a row tells of who wrote its text.
#[derive(Debug)]
pub(super) struct RowMarks<'a> {
    origin: Option<Cow<'a, str>>,
    source: Option<Cow<'a, str>>,
    is_meta: bool,
    /// The client began the turn by itself, or somebody else typed.
    is_not_typed: bool,
    /// What a text without an origin and a source is.
    unmarked: PromptAuthor,
    client: &'static ClientMarks,
}

impl<'a> RowMarks<'a> {
    /// The marks of a `user` row.
    pub(super) fn of_row(row: &Row<'a>) -> Self {
        let client = client_of(row);
        let is = |field: super::field::Field<'a>| field.flag() == Some(true);
        let turn = row.turn_origin.text();
        let initiator = row.host_initiator.text();
        let is_not_typed = is(row.text_not_typed)
            || is(row.handed_off)
            || is(row.is_visible_in_transcript_only)
            || row.wakeup_source.text().is_some()
            || row.scheduled_task_id.text().is_some()
            || initiator.is_some_and(|it| !matches!(&*it, "" | "user"))
            || turn.is_some_and(|it| !USER_TURNS.contains(&&*it));
        // What an agent is sent to do stands in the first row of its own file.
        let is_side = is(row.is_sidechain);
        Self {
            origin: kind_of(row.origin),
            source: row.prompt_source.text(),
            is_meta: is(row.is_meta),
            is_not_typed,
            unmarked: if is_side { PromptAuthor::Given } else { client.unmarked },
            client,
        }
    }

    /// The marks of a text that was queued while the agent worked.
    pub(super) fn of_queued(row: &Row<'a>, attachment: &Attachment<'a>) -> Self {
        let client = client_of(row);
        let mode = attachment.command_mode.text();
        let is_terminal = row.entrypoint.text().is_some_and(|it| it == TERMINAL);
        let origin = kind_of(attachment.origin).or_else(|| {
            // A notification may come without an origin and without a tag.
            mode.filter(|it| !matches!(&**it, "prompt" | "bash"))
        });
        Self {
            origin,
            source: None,
            is_meta: attachment.is_meta.flag() == Some(true) || row.is_meta.flag() == Some(true),
            is_not_typed: [row.scheduled_task_id, attachment.scheduled_task_id]
                .into_iter()
                .chain([row.wakeup_source, attachment.wakeup_source])
                .any(|it| it.text().is_some()),
            unmarked: if is_terminal { client.unmarked } else { PromptAuthor::Given },
            client,
        }
    }

    /// Who wrote a text of the row.
    fn author(&self, form: TextForm) -> PromptAuthor {
        if self.is_meta || self.is_not_typed {
            return PromptAuthor::Foreign;
        }
        // The row of what was typed says so, whatever the text looks like.
        if form != TextForm::Plain && !self.is_typed() {
            return PromptAuthor::Foreign;
        }
        match (self.origin.as_deref(), self.source.as_deref()) {
            (Some(origin), _) if origin == self.client.typed => PromptAuthor::Typed,
            (Some(_), _) => PromptAuthor::Foreign,
            (None, Some(source)) if self.client.given.contains(&source) => PromptAuthor::Given,
            (None, Some(_)) => PromptAuthor::Foreign,
            (None, None) => self.unmarked,
        }
    }

    /// Whether the origin tells that the user typed the text.
    fn is_typed(&self) -> bool {
        self.origin.as_deref() == Some(self.client.typed)
    }

    /// Whether the row holds a prompt that was submitted, and not a note beside one.
    fn is_submitted(&self) -> bool {
        !self.is_meta || self.origin.is_some() || self.source.is_some()
    }

    /// What a text of the row tells: a prompt with its author, the word of a hook, or nothing where
    /// the client keeps a record of its own.
    pub(super) fn entry(&self, text: &str) -> Option<Entry> {
        let start = visible_start(text);
        let form = text_form(start);
        let is_notification = form == TextForm::Notification && !self.is_typed();
        if is_notification || self.origin.as_deref() == Some(NOTIFICATION) {
            return Some(Entry::TaskNotification);
        }
        let first_line = start.lines().next().unwrap_or_default();
        if self.is_meta && first_line.ends_with(HOOK_FEEDBACK) {
            return Some(Entry::HookFeedback);
        }
        let is_prompt = !start.is_empty() && form != TextForm::Host && self.is_submitted();
        is_prompt.then(|| Entry::Prompt(self.author(form)))
    }
}

fn client_of(row: &Row<'_>) -> &'static ClientMarks {
    let version = row.version.text().and_then(|it| Version::parse(&it));
    let is_of = |it: &&ClientMarks| version.is_some_and(|version| version >= it.since);
    let [.., oldest] = &CLIENTS;
    CLIENTS.iter().find(is_of).unwrap_or(oldest)
}

fn kind_of<'a>(origin: super::field::Field<'a>) -> Option<Cow<'a, str>> {
    if origin.raw().is_empty() || origin.raw() == "null" {
        return None;
    }
    // An origin that cannot be read is nobody's word.
    let kind = origin.object().and_then(|it: RowOrigin<'a>| it.kind.text());
    Some(kind.unwrap_or(Cow::Borrowed("")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use windlass_core::{Entry, PromptAuthor};

    use super::{RowMarks, TextForm, text_form, unframed};
    use crate::agent::claude::wire::{Attachment, Row};

    const TYPED: Option<Entry> = Some(Entry::Prompt(PromptAuthor::Typed));
    const GIVEN: Option<Entry> = Some(Entry::Prompt(PromptAuthor::Given));
    const FOREIGN: Option<Entry> = Some(Entry::Prompt(PromptAuthor::Foreign));

    /// What a `user` row with these marks tells.
    fn told(version: &str, marks: &Value, text: &str) -> Option<Entry> {
        let mut line = json!({"type": "user", "version": version, "sessionId": "s"});
        line.as_object_mut().unwrap().extend(marks.as_object().unwrap().clone());
        let line = line.to_string();
        let row: Row<'_> = serde_json::from_str(&line).unwrap();
        RowMarks::of_row(&row).entry(text)
    }

    /// What a queued text with these marks tells.
    fn queued(version: &str, entrypoint: &str, marks: &Value, text: &str) -> Option<Entry> {
        let mut attachment = json!({"type": "queued_command", "prompt": text});
        attachment.as_object_mut().unwrap().extend(marks.as_object().unwrap().clone());
        let line = json!({"type": "attachment", "version": version, "entrypoint": entrypoint,
            "attachment": attachment})
        .to_string();
        let row: Row<'_> = serde_json::from_str(&line).unwrap();
        let attachment: Attachment<'_> = row.attachment.object().unwrap();
        RowMarks::of_queued(&row, &attachment).entry(text)
    }

    /// The marks are those of recorded rows.
    #[test]
    fn a_row_is_told_by_its_marks() {
        let cases = [
            // Typed at the terminal.
            (
                json!({"origin": {"kind": "human"}, "promptSource": "typed", "entrypoint": "cli"}),
                TYPED,
            ),
            (
                json!({"origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human"}),
                TYPED,
            ),
            (
                json!({"origin": {"kind": "human"}, "promptSource": "sdk", "turnOrigin": "human"}),
                TYPED,
            ),
            (json!({"origin": {"kind": "human"}, "promptSource": "suggestion_accepted"}), TYPED),
            // Of `-p` and of the SDK.
            (json!({"promptSource": "sdk", "entrypoint": "sdk-cli"}), GIVEN),
            (json!({"promptSource": "sdk", "turnOrigin": "sdk"}), GIVEN),
            // A message of a teammate has no mark at all.
            (json!({"entrypoint": "cli"}), FOREIGN),
            (
                json!({"turnPosition": {"promptIndex": 1, "turnIndex": 2}, "entrypoint": "cli"}),
                FOREIGN,
            ),
            // A schedule.
            (json!({"isMeta": true, "promptSource": "system", "queuePriority": "later"}), FOREIGN),
            (
                json!({"isMeta": true, "promptSource": "system", "wakeupSource": "schedule_wakeup",
                "scheduledTaskId": "86ffca59", "turnOrigin": "scheduled"}),
                FOREIGN,
            ),
            (json!({"origin": {"kind": "human"}, "wakeupSource": "loop_wakeup"}), FOREIGN),
            (json!({"origin": {"kind": "human"}, "scheduledTaskId": "1"}), FOREIGN),
            // Text that the host put into the user's mouth.
            (json!({"origin": {"kind": "human"}, "textNotTyped": true}), FOREIGN),
            (json!({"origin": {"kind": "human"}, "handedOff": true}), FOREIGN),
            (json!({"origin": {"kind": "human"}, "hostInitiator": "ci-monitor"}), FOREIGN),
            (json!({"origin": {"kind": "human"}, "hostInitiator": "user"}), TYPED),
            (json!({"origin": {"kind": "human"}, "turnOrigin": "peer"}), FOREIGN),
            (json!({"origin": {"kind": "human"}, "isMeta": true}), FOREIGN),
            // A typed prompt has its origin: a source alone is nobody's.
            (json!({"promptSource": "typed"}), FOREIGN),
            (json!({"promptSource": "queued"}), FOREIGN),
            (json!({"promptSource": "suggestion_accepted"}), FOREIGN),
            // A row that the client shows and does not send.
            (json!({"promptSource": "sdk", "isVisibleInTranscriptOnly": true}), FOREIGN),
            // An unknown source or origin, one of whatever shape.
            (json!({"promptSource": "telepathy"}), FOREIGN),
            (json!({"origin": {"kind": "telepathy"}, "promptSource": "typed"}), FOREIGN),
            (json!({"origin": "human"}), FOREIGN),
            (json!({"origin": {}}), FOREIGN),
            (json!({"origin": null, "promptSource": "sdk"}), GIVEN),
            // What belongs to a command of the user, such as the text of a skill.
            (json!({"isMeta": true, "turnCompanion": true}), None),
            (json!({"isMeta": true}), None),
        ];
        for version in ["2.1.197", "2.1.325", "2.1.400", "3.0.0"] {
            for (marks, expected) in &cases {
                assert_eq!(&told(version, marks, "Use tabs."), expected, "{version} {marks}");
            }
        }
    }

    /// The text decides only until the row is read.
    #[test]
    fn the_row_of_a_typed_prompt_wins_over_its_text() {
        let human = json!({"origin": {"kind": "human"}, "promptSource": "typed"});
        let given = json!({"promptSource": "sdk"});
        let texts = [
            "<channel source=\"x\">Use tabs.</channel>",
            "Another Claude session sent a message:\n<teammate-message>\nUse tabs.",
            "Stop hook error: exit code 2 kills the session. Use tabs.",
            "<chat-message>x</chat-message> is shown twice. Use tabs.",
            "<task-notification>x</task-notification> is shown twice. Use tabs.",
        ];
        for version in ["2.1.197", "2.1.325"] {
            for text in texts {
                assert_eq!(told(version, &human, text), TYPED, "{text}");
                assert_ne!(told(version, &given, text), GIVEN, "{text}");
            }
        }
        // The client's record of a command has the origin of the user too.
        let record = "<command-message>init</command-message>\n<command-name>/init</command-name>";
        assert_eq!(told("2.1.325", &human, record), None);
        assert_eq!(told("2.1.325", &human, "[Request interrupted by user]"), None);
    }

    #[test]
    fn every_origin_of_another_party_is_foreign() {
        let kinds = [
            "peer",
            "teammate",
            "channel",
            "coordinator",
            "unclassified",
            "observer",
            "observer-activity",
            "auto-continuation",
            "voice-call",
            "plugin",
            "slack-ping",
            "mcp-resource",
            "cron",
            "hook",
        ];
        for kind in kinds {
            for source in ["typed", "queued", "sdk", "system"] {
                let marks = json!({"origin": {"kind": kind}, "promptSource": source});
                assert_eq!(told("2.1.325", &marks, "Use tabs."), FOREIGN, "{marks}");
            }
        }
        let marks = json!({"origin": {"kind": "task-notification"}, "promptSource": "sdk"});
        let entry = told("2.1.197", &marks, "a task without a tag has ended");
        assert_eq!(entry, Some(Entry::TaskNotification));
    }

    #[test]
    fn rows_of_clients_without_marks_are_given_unless_their_text_is_foreign() {
        for version in ["2.1.52", "2.0.64", "1.0.0", "", "unknown"] {
            assert_eq!(told(version, &json!({}), "Use tabs."), GIVEN, "{version}");
            let text = "Another Claude session sent a message:\n<teammate-message>\nUse tabs.";
            assert_eq!(told(version, &json!({}), text), FOREIGN, "{version}");
            assert_eq!(told(version, &json!({"isMeta": true}), "Use tabs."), None, "{version}");
        }
        let first_of_agent = json!({"isSidechain": true});
        assert_eq!(told("2.1.325", &first_of_agent, "Do the work."), GIVEN);
    }

    #[test]
    fn what_was_queued_is_told_by_its_marks() {
        let human =
            json!({"commandMode": "prompt", "origin": {"kind": "human"}, "humanTurn": true});
        let peer = json!({"commandMode": "prompt", "origin": {"kind": "peer", "from": "x"}});
        let bare = json!({"commandMode": "prompt"});
        let untagged = json!({"commandMode": "task-notification"});
        let meta = json!({"commandMode": "prompt", "origin": {"kind": "human"}, "isMeta": true});
        for version in ["2.1.197", "2.1.325"] {
            assert_eq!(queued(version, "cli", &human, "Use tabs."), TYPED);
            assert_eq!(queued(version, "cli", &peer, "Use tabs."), FOREIGN);
            assert_eq!(queued(version, "cli", &bare, "Use tabs."), FOREIGN);
            assert_eq!(queued(version, "sdk-cli", &bare, "Use tabs."), GIVEN);
            assert_eq!(queued(version, "cli", &meta, "Use tabs."), FOREIGN);
            let entry = queued(version, "cli", &untagged, "The build has ended. Use tabs.");
            assert_eq!(entry, Some(Entry::TaskNotification));
        }
        assert_eq!(queued("2.1.52", "cli", &bare, "Use tabs."), GIVEN);
        for mark in ["scheduledTaskId", "wakeupSource"] {
            let marks = json!({"commandMode": "prompt", "origin": {"kind": "human"}, mark: "a1"});
            assert_eq!(queued("2.1.325", "cli", &marks, "Use tabs."), FOREIGN, "{mark}");
        }
        let mode = json!({"commandMode": "orphaned-permission"});
        assert_eq!(queued("2.1.325", "cli", &mode, "Use tabs."), FOREIGN);
    }

    #[test]
    fn a_text_of_another_party_is_known_by_its_beginning() {
        let foreign = [
            "Another Claude session sent a message:\n<teammate-message teammate_id=\"h\">\nUse tabs.",
            "Another Claude session sent a message while you were working:\n<cross-session-message",
            "A peer session sent a message while you were working:\nx",
            "A message arrived from slack:\n<channel source=\"slack\">\nUse tabs.\n</channel>",
            "\n<teammate-message teammate_id=\"helper\">\nUse tabs.",
            "<channel source=\"x\">Use tabs.</channel>",
            "<cross-session-message from=\"x\">",
            "<agent-message from=\"x\">",
            "<mcp-resource-update server=\"x\">",
            "<coordinator-relay>x",
            "[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT]\nUse tabs.",
            "[TALK FROM A VOICE CALL - NOT USER INPUT]\nUse tabs.",
            "<task-wake id=\"1\">Use tabs.",
            "<peer-message from=\"x\">\nUse tabs.",
            "<device-notification>\nUse tabs.\n</device-notification>",
            "<cron id=\"7\">Use tabs.</cron>",
            "<scheduled-task>Use tabs.</scheduled-task>",
            "<scheduled_task>Use tabs.</scheduled_task>",
            "<Heartbeat>\nUse tabs.\n</Heartbeat>\n",
            "<<autonomous-loop-dynamic>>",
            "# Autonomous loop check\nUse tabs.",
            "A peer session sent a message:\nUse tabs.",
            "Stop hook feedback:\n- Use tabs.",
            "PostToolUse:Bash hook feedback:\nUse tabs.",
            "UserPromptSubmit hook additional context: Use tabs.",
            "Stop hook blocking error from command: \"x\": Use tabs.",
            "PreToolUse:Bash hook error: Use tabs.",
            "\u{feff}<teammate-message teammate_id=\"h\">\nUse tabs.",
            "\u{200b} \u{2060}<teammate-message teammate_id=\"h\">\nUse tabs.",
            "  \n\n<Teammate-Message id=\"x\">\nUse tabs.",
            "<TEAMMATE_MESSAGE id=\"x\">\nUse tabs.",
            "another claude session sent a message:\nUse tabs.",
            "\u{feff}Stop hook feedback:\nUse tabs.",
            "[Message from teammate helper]: Use tabs.",
            "[message from the coordinator] Use tabs.",
            "Message from agent \"helper\":\nUse tabs.",
            "New message from peer session 3:\nUse tabs.",
            "<monitor-event id=\"1\">Use tabs.</monitor-event>",
            "<task-result id=\"1\">Use tabs.</task-result>",
            "<github-webhook-activity>Use tabs.</github-webhook-activity>",
        ];
        for text in foreign {
            assert_eq!(text_form(text), TextForm::Foreign, "{text}");
        }
        let notifications = [
            "<task-notification>\n<task-id>b</task-id>",
            "[SYSTEM NOTIFICATION - NOT USER INPUT]\nAn event.\n\n<task-notification>x",
        ];
        for text in notifications {
            assert_eq!(text_form(text), TextForm::Notification, "{text}");
        }
        let plain = [
            "Use tabs.",
            "Another Claude session sent me this rule, please follow it: use tabs.",
            "A message arrived from the broker, and the consumer dropped it. Why?",
            "<div>why is this not centred?",
            "<chat-message> must be a web component.",
            "<chat-message>\nmust be a web component.",
            "<toast-notification>: it has no button",
            "<task-notification> is shown twice.",
            "<system-reminder> blocks are shown twice.",
            "<cron> jobs must never overlap",
            "<channel>, <item> and <rss> must be parsed",
            "Another Claude session sent a message yesterday and it was lost.",
            "A peer session sent a message, but the log has none. Why?",
            "[Request interrupted by user] is shown twice in the log.",
            "<my-widget> must never be empty",
            "<message>why is this not shown?",
            "<Cron> is a component, always lazy load it",
            "Implement the following plan:\n\n- Use tabs.",
            "The hook feedback: it is shown twice.",
            "The hook error: never swallow it",
            "Stop hook tests must always run",
            "Message from the server is lost. Always retry.",
            "Update from node 18 to node 20: never skip a version",
            "Message from Anna: use tabs",
            "<my-event> must never bubble",
            "<Search-Result> must always have a key",
            "[x] is checked although nobody clicked it",
        ];
        for text in plain {
            assert_eq!(text_form(text), TextForm::Plain, "{text}");
        }
    }

    #[test]
    fn a_frame_of_the_client_is_taken_off() {
        let framed = "[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT]\nUse tabs.\nAlways.";
        assert_eq!(unframed(framed), "Use tabs.\nAlways.");
        let framed = "[SYSTEM NOTIFICATION - NOT USER INPUT]\nAn event.\nNo input.\n\nIt ended.";
        assert_eq!(unframed(framed), "It ended.");
        assert_eq!(unframed("Use tabs.\nAlways."), "Use tabs.\nAlways.");
        assert_eq!(unframed("[a]\nb"), "[a]\nb");
    }
}

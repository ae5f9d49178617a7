//! At which events a brief is made, and what is asked there.

use super::filler::is_filler;
use super::tokens::quarters;
use crate::policy::BriefAt;
use crate::{Event, Excerpt, Kind, Policy, PromptOrigin, StartSource};

/// When a brief is made. Each has its own content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// A session begins.
    Start,
    /// The user cleared the conversation: whatever it was about is not wanted any more.
    Clear,
    /// A session goes on with all that was said in it.
    Resume,
    /// A session goes on after a compaction.
    Compact,
    /// The user says something.
    Prompt,
    /// A tool is about to run.
    Tool,
    /// A subagent begins.
    Agent,
}

impl Occasion {
    /// The word for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Clear => "clear",
            Self::Resume => "resume",
            Self::Compact => "compact",
            Self::Prompt => "prompt",
            Self::Tool => "tool",
            Self::Agent => "agent",
        }
    }

    /// Whether what stands in the project is told there, whatever is asked.
    pub(super) const fn tells_what_stands(self) -> bool {
        match self {
            Self::Start | Self::Clear | Self::Resume | Self::Agent => true,
            Self::Compact | Self::Prompt | Self::Tool => false,
        }
    }

    /// How much may be said.
    pub(crate) fn limits(self, policy: &Policy) -> &BriefAt {
        let brief = &policy.brief;
        match self {
            Self::Start | Self::Clear | Self::Resume => &brief.start,
            Self::Compact => &brief.compact,
            Self::Prompt => &brief.prompt,
            Self::Tool => &brief.tool,
            Self::Agent => &brief.agent,
        }
    }
}

/// Which brief an event gets, should the policy want it. A subagent gets one when it begins, and no
/// other.
pub fn occasion(event: &Event) -> Option<Occasion> {
    let is_main = event.agent.is_none();
    Some(match &event.kind {
        Kind::SessionStart { source, .. } if is_main => match source {
            StartSource::Startup => Occasion::Start,
            StartSource::Clear => Occasion::Clear,
            StartSource::Resume | StartSource::Fork => Occasion::Resume,
            StartSource::Compact => Occasion::Compact,
            // Nobody knows what the agent has before it.
            StartSource::Other => return None,
        },
        Kind::Prompt { .. } if is_main && asked(event).is_some() => Occasion::Prompt,
        Kind::ToolStart(_) if is_main => Occasion::Tool,
        // One that the host runs for itself has no type.
        Kind::AgentStart if event.agent.as_ref().is_some_and(|it| !it.role.is_empty()) => {
            Occasion::Agent
        }
        Kind::SessionStart { .. }
        | Kind::SessionEnd { .. }
        | Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::Stop(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::AgentStop(_)
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. }
        | Kind::CompactStart { .. }
        | Kind::CompactEnd { .. } => return None,
    })
}

/// How prompts begin that the host made of something else the user did, or that are a command for a
/// shell. A `#` is none of them: it once kept a note, and such a line never came as a prompt; now it
/// is the heading of a task, or the number of an issue.
const NOT_ASKED: [&str; 6] =
    ["<command-", "<local-command-", "<bash-", "<system-reminder>", "Caveat: ", "!"];

/// What the user asks with a prompt: its words, without the name of a command before them. Nothing
/// where the host sends it, or where there is no more than a command.
pub fn asked(event: &Event) -> Option<String> {
    let Kind::Prompt { text, origin: PromptOrigin::User, .. } = &event.kind else { return None };
    let Excerpt { head, tail, .. } = text;
    let start = head.trim_start();
    if NOT_ASKED.iter().any(|it| start.starts_with(it)) {
        return None;
    }
    let words = without_command(start);
    let whole = match tail {
        Some(tail) => format!("{words}\n{tail}"),
        None => words.to_owned(),
    };
    (!whole.trim().is_empty()).then_some(whole)
}

/// What the user wants with a prompt, and whether that tells by itself what it is about: "go on" does
/// not. Nothing where there is no more than a command and its argument.
pub fn wanted(event: &Event) -> Option<(String, bool)> {
    let Kind::Prompt { text, .. } = &event.kind else { return None };
    let (words, start) = (asked(event)?, text.head.trim_start());
    let is_command = without_command(start).len() < start.len();
    // Some scripts have no spaces.
    let is_long = !words.is_ascii() && quarters(&words) >= LONG;
    let tells = words.split_whitespace().count() >= WORDS || is_long;
    (tells || !is_command).then_some((words, tells))
}

/// What the user wants with a prompt, however short it is; nothing where it only says to go on.
pub fn latest(event: &Event) -> Option<String> {
    let (words, _) = wanted(event)?;
    (!is_filler(&words)).then_some(words)
}

/// Words of a prompt that tells by itself what it is about.
const WORDS: usize = 3;

/// The same in quarters of a token.
const LONG: usize = 24;

/// What stands behind `/command`. A path is none.
fn without_command(text: &str) -> &str {
    let Some(rest) = text.strip_prefix('/') else { return text };
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | ':');
    let is_command = end > 0 && rest[..end].chars().all(is_part);
    if is_command { rest[end..].trim_start() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{Occasion, asked, occasion, wanted};
    use crate::{
        Event, Excerpt, Kind, Policy, PromptOrigin, SessionId, StartSource, Subagent, Timestamp,
        plan,
    };

    fn event(kind: Kind) -> Event {
        Event {
            at: Timestamp(0),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: None,
            cwd: "/p".to_owned(),
            transcript: None,
            bytes: 0,
            kind,
        }
    }

    fn prompt(text: &str, origin: PromptOrigin) -> Event {
        event(Kind::Prompt { text: Excerpt::of(text), origin, ended: None })
    }

    #[test]
    fn only_what_the_user_asks_is_asked() {
        let of = |text: &str| asked(&prompt(text, PromptOrigin::User));
        assert_eq!(of("why is it slow?").as_deref(), Some("why is it slow?"));
        assert_eq!(of("/fix-it the cache leaks").as_deref(), Some("the cache leaks"));
        assert_eq!(of("/home/x/a.rs is wrong").as_deref(), Some("/home/x/a.rs is wrong"));
        for nothing in [
            "",
            " ",
            "/compact",
            "/plugin:name ",
            "!ls",
            "<command-name>/x</command-name>",
            "<local-command-stdout>x",
        ] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
        assert_eq!(asked(&prompt("the cache leaks", PromptOrigin::TaskNotification)), None);
    }

    #[test]
    fn a_command_and_a_word_to_go_on_do_not_tell_what_is_wanted() {
        let of = |text: &str| wanted(&prompt(text, PromptOrigin::User));
        for nothing in ["/model opus", "/compact", "/review 123", ""] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
        for little in ["continue", "go on", "продолжай", "继续"] {
            assert_eq!(of(little), Some((little.to_owned(), false)));
        }
        for enough in ["Fix the parser", "解析器丢失最后一行", "/tmp/a.rs is wrong"] {
            assert_eq!(of(enough), Some((enough.to_owned(), true)));
        }
        assert_eq!(of("/fix the cache leaks"), Some(("the cache leaks".to_owned(), true)));
    }

    #[test]
    fn a_task_that_is_pasted_as_markdown_is_asked() {
        for text in [
            "# The cache leaks\n\nTenants see each other. Find out why.",
            "## The cache leaks",
            "# the cache leaks",
            "#12 leaks the cache",
        ] {
            let prompt = prompt(text, PromptOrigin::User);
            assert_eq!(asked(&prompt).as_deref(), Some(text));
            assert_eq!(occasion(&prompt), Some(Occasion::Prompt));
        }
    }

    #[test]
    fn a_subagent_gets_a_brief_when_it_begins_and_only_where_it_is_switched_on() {
        let agent = |role: &str| Some(Subagent { id: "a".to_owned(), role: role.to_owned() });
        let mut policy = Policy::default();
        let start = Event { agent: agent("writer"), ..event(Kind::AgentStart) };
        let brief = |policy: &Policy| plan(&start).under(&start, policy).brief;
        assert_eq!(brief(&policy), None);
        policy.brief.agent.enabled = true;
        assert_eq!(brief(&policy), Some(Occasion::Agent));
        assert_eq!(occasion(&Event { agent: agent(""), ..start.clone() }), None);
        let prompt = prompt("why?", PromptOrigin::User);
        assert_eq!(occasion(&prompt), Some(Occasion::Prompt));
        assert_eq!(occasion(&Event { agent: agent("writer"), ..prompt }), None);
    }

    #[test]
    fn every_start_has_its_own() {
        let of = |source| occasion(&event(Kind::SessionStart { source, model: None }));
        assert_eq!(of(StartSource::Startup), Some(Occasion::Start));
        assert_eq!(of(StartSource::Clear), Some(Occasion::Clear));
        assert_eq!(of(StartSource::Resume), Some(Occasion::Resume));
        assert_eq!(of(StartSource::Fork), Some(Occasion::Resume));
        assert_eq!(of(StartSource::Compact), Some(Occasion::Compact));
        assert_eq!(of(StartSource::Other), None);
    }
}

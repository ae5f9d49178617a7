//! Which line of the script answers a request.

use serde_json::Value;

use crate::request::Kind;
use crate::script::{Script, Turn, turn};

/// The text by which the client asks for a compaction.
const SUMMARY_REQUEST: &str = "create a detailed summary of";
/// The text by which the terminal client asks what the user may type next: it offers the tools of
/// the main conversation, but the answer is not a turn of it.
const SUGGESTION_REQUEST: &str = "[SUGGESTION MODE:";
/// One of these is offered in every request of the main conversation.
const MAIN_TOOLS: [&str; 4] = ["Bash", "Edit", "Read", "Write"];

/// The script and how far it has been played.
pub(super) struct Play {
    script: Script,
    main: usize,
    agents: Vec<usize>,
}

/// An answer, and the place it has in the script.
#[derive(Debug)]
pub(super) struct Cue {
    pub(super) kind: Kind,
    pub(super) turn: Option<usize>,
    pub(super) reply: Turn,
}

impl Play {
    pub(super) fn new(script: Script) -> Self {
        let agents = vec![0; script.agents.len()];
        Self { script, main: 0, agents }
    }

    /// The answer to `body`; moves on in the script.
    pub(super) fn next(&mut self, body: &Value) -> Cue {
        let asked = text_of_last_user(body);
        if asked.contains(SUMMARY_REQUEST) {
            return Cue { kind: Kind::Summary, turn: None, reply: turn(&self.script.summary) };
        }
        let began = text_of_first_user(body);
        let agent = self.script.agents.iter().position(|it| began.contains(&it.marker));
        let (kind, turns, at) = if let Some(index) = agent {
            let agent = &self.script.agents[index];
            (Kind::Agent(agent.marker.clone()), &agent.turns, &mut self.agents[index])
        } else if offers_main_tools(body) && !asked.contains(SUGGESTION_REQUEST) {
            (Kind::Main, &self.script.turns, &mut self.main)
        } else {
            return Cue { kind: Kind::Side, turn: None, reply: self.script.side.clone() };
        };
        let reply = turns.get(*at).unwrap_or(&self.script.otherwise).clone();
        let cue = Cue { kind, turn: Some(*at), reply };
        *at += 1;
        cue
    }
}

fn offers_main_tools(body: &Value) -> bool {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|it| it["name"].as_str()).any(|it| MAIN_TOOLS.contains(&it))
}

fn text_of_first_user(body: &Value) -> String {
    users(body).next().map(text_of).unwrap_or_default()
}

fn text_of_last_user(body: &Value) -> String {
    users(body).next_back().map(text_of).unwrap_or_default()
}

fn users(body: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().filter(|it| it["role"] == "user").map(|it| &it["content"])
}

/// The text of a message, without the results of tools: they may quote anything.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            blocks.iter().filter_map(|it| it["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(prompt: &str) -> Value {
        json!({
            "messages": [{"role": "user", "content": [{"type": "text", "text": prompt}]}],
            "tools": [{"name": "Bash"}],
        })
    }

    fn said(cue: Cue) -> (Kind, Option<usize>, String) {
        (cue.kind, cue.turn, cue.reply.text.unwrap_or_default())
    }

    #[test]
    fn plays_each_conversation_in_its_own_order() {
        let script = Script::new([turn("m0"), turn("m1")]).agent("MARK", [turn("a0")]);
        let mut play = Play::new(script);
        assert_eq!((Kind::Main, Some(0), "m0".into()), said(play.next(&asked("go"))));
        let agent = Kind::Agent("MARK".into());
        assert_eq!((agent.clone(), Some(0), "a0".into()), said(play.next(&asked("do MARK"))));
        assert_eq!((Kind::Main, Some(1), "m1".into()), said(play.next(&asked("go"))));
        let rest = "nothing more to say".to_owned();
        assert_eq!((agent, Some(1), rest), said(play.next(&asked("do MARK"))));
    }

    #[test]
    fn answers_beside_the_conversation_without_a_turn() {
        let mut play = Play::new(Script::new([turn("m0")]).summary("short"));
        let compaction = play.next(&asked("Please create a detailed summary of this"));
        assert_eq!((Kind::Summary, None, "short".into()), said(compaction));
        let title = json!({"messages": [{"role": "user", "content": "title?"}]});
        assert_eq!((Kind::Side, None, "ok".into()), said(play.next(&title)));
        let suggestion = asked("[SUGGESTION MODE: what next]");
        assert_eq!((Kind::Side, None, "ok".into()), said(play.next(&suggestion)));
        assert_eq!((Kind::Main, Some(0), "m0".into()), said(play.next(&asked("go"))));
    }
}

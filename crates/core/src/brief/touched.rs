//! What a call of a tool is about to touch, and which memories are about exactly that.

use super::Near;
use crate::evidence::{CommandLine, Pattern};
use crate::memory::{State, Trust};
use crate::recall::{Key, key_of};
use crate::{Timestamp, Tool, ToolCall, path};

/// What a call is about to touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Files that it edits, from the root of the project.
    files: Vec<String>,
    /// The command line that it runs, and the tests and builds in it as people would type them.
    commands: Vec<String>,
}

impl Touched {
    /// What a call is about to touch in the project with this root. `own` are runs that the user
    /// names.
    pub fn of(call: &ToolCall, root: &str, own: &[Pattern]) -> Self {
        let mut touched = Self::default();
        match call.tool {
            Tool::Edit | Tool::Write => {
                touched.files.extend(call.files.iter().map(|it| path::below(it, root).to_owned()));
            }
            // Half a command line may be anything.
            Tool::Shell => {
                if let Some(command) = call.command.as_ref().filter(|it| it.tail.is_none()) {
                    let runs = CommandLine::of(&command.head, own).runs();
                    touched.commands.push(command.head.trim().to_owned());
                    touched.commands.extend(runs.into_iter().map(|it| it.command));
                }
            }
            Tool::Read | Tool::Search | Tool::Agent | Tool::Task | Tool::Mcp | Tool::Other => {}
        }
        touched.commands.dedup();
        touched
    }

    /// The keys under which an index has what is known about it.
    pub fn keys(&self) -> Vec<u64> {
        let files = self.files.iter().map(|it| key_of(Key::File, it));
        files.chain(self.commands.iter().map(|it| key_of(Key::Command, it))).collect()
    }

    /// The memories that are about exactly that, that somebody stands for and that hold now, the
    /// best first.
    pub fn strong(&self, mut memories: Vec<Near>, now: Timestamp) -> Vec<Near> {
        memories.retain(|near| {
            let it = &near.memory;
            let is_sure = matches!(it.trust, Trust::User | Trust::Outcome);
            let holds = it.state == State::Active && it.content.over(now).is_none();
            is_sure && holds && self.is_of(near)
        });
        memories.sort_by_key(|Near { memory: it, .. }| {
            std::cmp::Reverse((it.trust, it.changed_at, it.id.clone()))
        });
        memories
    }

    fn is_of(&self, near: &Near) -> bool {
        let Near { memory, is_here, .. } = near;
        let command = memory.origin.command.as_deref().map(str::trim);
        *is_here && memory.content.file_names().any(|it| self.files.iter().any(|own| own == it))
            || command.is_some_and(|it| self.commands.iter().any(|own| own == it))
    }
}

#[cfg(test)]
mod tests {
    use super::{Near, Touched};
    use crate::memory::{Category, Draft, FieldValue, Memory, MemoryId, Origin, State, Trust};
    use crate::{Excerpt, Outcome, Timestamp, Tool, ToolCall};

    fn call(tool: Tool, file: &str, command: &str) -> ToolCall {
        ToolCall {
            id: "c".to_owned(),
            tool,
            name: String::new(),
            files: vec![file.to_owned()],
            command: Some(Excerpt::of(command)),
            output: Excerpt::default(),
            outcome: Outcome::Unknown,
            took_ms: None,
            tasks: Vec::new(),
            suspects: Vec::new(),
        }
    }

    fn memory(number: u8, trust: Trust, file: &str, command: Option<&str>) -> Memory {
        let category = Some(Category::Constraint);
        let (text, files) = ("It is so.".to_owned(), vec![file.to_owned()]);
        Memory {
            id: MemoryId::of_bytes([0, 0, 0, 0, number]),
            state: State::Active,
            content: Draft { category, text, files, ..Draft::default() }.check().unwrap(),
            trust,
            origin: Origin { command: command.map(str::to_owned), ..Origin::default() },
            confidence: None,
            is_strong: false,
            made_at: Timestamp(0),
            changed_at: Timestamp(0),
            superseded_by: None,
            supersedes: Vec::new(),
            is_global: false,
        }
    }

    /// It holds no more.
    fn over(mut memory: Memory) -> Memory {
        memory.content.fields = vec![("active", FieldValue::Switch(false))];
        memory
    }

    #[test]
    fn only_what_is_sure_and_about_the_very_file_is_brought_up() {
        let touched = Touched::of(&call(Tool::Edit, "/p/src/a.rs", ""), "/p", &[]);
        assert_eq!(touched.keys().len(), 1);
        let memories = vec![
            memory(1, Trust::Outcome, "src/a.rs", None),
            memory(2, Trust::User, "./src/a.rs", None),
            memory(3, Trust::Agent, "src/a.rs", None),
            memory(4, Trust::User, "a.rs", None),
            Memory { state: State::Retired, ..memory(5, Trust::User, "src/a.rs", None) },
            over(memory(6, Trust::User, "src/a.rs", None)),
        ];
        let strong = |is_here: bool| {
            let near = memories.clone().into_iter().map(|memory| Near::of(memory, is_here));
            let strong = touched.strong(near.collect(), Timestamp(0));
            strong.iter().map(|it| it.memory.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(strong(true), ["00000002", "00000001"]);
        assert_eq!(strong(false), [""; 0], "files of another project");
        let read = Touched::of(&call(Tool::Read, "/p/src/a.rs", ""), "/p", &[]);
        assert_eq!(read, Touched::default());
    }

    #[test]
    fn a_command_is_known_as_a_whole_and_by_its_runs() {
        let about = || {
            let memory = memory(1, Trust::Outcome, "x", Some("cargo test"));
            vec![Near::of(memory, false)]
        };
        for line in ["cargo test", " cargo test ", "cd a && cargo test 2>&1 | tail -5"] {
            let touched = Touched::of(&call(Tool::Shell, "", line), "/p", &[]);
            assert_eq!(touched.strong(about(), Timestamp(0)).len(), 1, "{line}");
        }
        for line in ["echo cargo test", "cargo build", ""] {
            let touched = Touched::of(&call(Tool::Shell, "", line), "/p", &[]);
            assert_eq!(touched.strong(about(), Timestamp(0)).len(), 0, "{line}");
        }
    }
}

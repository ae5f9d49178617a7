//! What a call of a tool is about to touch, and which memories are about exactly that.

use std::cmp::Reverse;

use super::Near;
use crate::evidence::{CommandLine, Pattern};
use crate::hash::hash;
use crate::memory::State;
use crate::recall::{Key, key_of};
use crate::{Timestamp, Tool, ToolCall, path};

/// Briefs about one file or command in a session: who edits a file again and again was told enough.
const BRIEFS: usize = 2;

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
            let holds = it.state == State::Active && it.content.over(now).is_none();
            it.is_sure() && holds && self.is_of(near)
        });
        memories.sort_by_key(|Near { memory: it, .. }| {
            Reverse((it.content.bearing(), it.trust, it.changed_at, it.id.clone()))
        });
        memories
    }

    /// What names one more brief about it in a session, where `told` names those that were; nothing
    /// where there were enough.
    pub(super) fn names(keys: &[u64], told: &[String]) -> Option<Vec<String>> {
        let name = |key: u64, number: usize| {
            format!("{:016x}", hash(format!("touched {key} {number}").as_bytes()))
        };
        let next = |key: &u64| (0..BRIEFS).map(|it| name(*key, it)).find(|it| !told.contains(it));
        keys.iter().map(next).collect()
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
            never_ran: false,
            took_ms: None,
            tasks: Vec::new(),
            suspects: Vec::new(),
            changed_tasks: None,
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
    fn what_must_be_comes_before_what_is_newer() {
        let touched = Touched::of(&call(Tool::Edit, "/p/src/a.rs", ""), "/p", &[]);
        let of = |number, category, trust, at| {
            let mut memory = memory(number, trust, "src/a.rs", None);
            memory.content.category = category;
            Near::of(Memory { changed_at: Timestamp(at), ..memory }, true)
        };
        let all = vec![
            of(1, Category::Constraint, Trust::User, 1),
            of(2, Category::Discovery, Trust::User, 9),
            of(3, Category::Decision, Trust::User, 5),
            of(4, Category::Constraint, Trust::Outcome, 7),
            of(5, Category::Runbook, Trust::Outcome, 8),
        ];
        let strong = touched.strong(all, Timestamp(9));
        let order: Vec<_> = strong.iter().map(|it| &it.memory.id.as_str()[7..]).collect();
        assert_eq!(order, ["1", "4", "3", "2", "5"]);
    }

    #[test]
    fn enough_is_told_of_one_thing() {
        let mut told = Vec::new();
        for _ in 0..2 {
            let names = Touched::names(&[7, 8], &told).unwrap();
            assert_eq!(names.len(), 2);
            told.extend(names);
        }
        assert_eq!(Touched::names(&[7], &told), None);
        assert_eq!(Touched::names(&[7, 9], &told), None);
        assert!(Touched::names(&[9], &told).is_some());
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

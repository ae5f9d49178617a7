//! Whether an agent made use of a memory that it was shown.

use super::Query;
use super::terms::terms;
use crate::memory::Memory;

/// How much of what a memory says must come back to count as used, of its words that do not stand
/// everywhere.
const SHARE: f32 = 0.6;

/// Such words below which a memory says too little to be known again.
const FEWEST: usize = 3;

/// What an agent did after a memory was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed<'a> {
    /// It changed a file.
    Edited(&'a str),
    /// It ran something.
    Ran(&'a str),
    /// It said something.
    Said(&'a str),
}

impl Memory {
    /// Whether something that an agent did shows that it made use of the memory: it touched a file
    /// that the memory is about, looked at the memory or named it, ran the command that it is about,
    /// or said again what it says.
    pub fn is_used_by(&self, deed: Deed<'_>) -> bool {
        match deed {
            Deed::Edited(path) => self.content.file_names().any(|it| is_end(path, it)),
            Deed::Ran(command) => {
                let about = self.origin.command.as_deref();
                about.is_some_and(|it| it.trim() == command.trim()) || shows(command, self)
            }
            Deed::Said(text) => names(text, self) || says(text, self.content.says()),
        }
    }
}

fn names(text: &str, memory: &Memory) -> bool {
    text.contains(memory.id.as_str())
}

/// Whether a command looks at a memory. Others that name one, such as those that retire it or forget
/// it, are no use of it.
fn shows(command: &str, memory: &Memory) -> bool {
    let is_id = |it: &&str| it.trim_matches(['"', '\'']) == memory.id.as_str();
    command.split(['\n', ';', '&', '|']).any(|it| {
        let mut words = it.split_whitespace().skip_while(|it| *it != "memory").skip(1);
        words.next() == Some("show") && words.any(|it| is_id(&it))
    })
}

/// Whether a path is another one, or ends with the parts of it.
pub fn is_end(path: &str, end: &str) -> bool {
    let end = end.trim_start_matches("./");
    !end.is_empty() && path.strip_suffix(end).is_some_and(|it| it.is_empty() || it.ends_with('/'))
}

#[expect(clippy::cast_precision_loss, reason = "a few words")]
fn says(text: &str, claim: &str) -> bool {
    let words = Query::of(claim).terms.into_iter().filter(|it| it.counts && !it.is_common);
    let mut missing: Vec<_> = words.map(|it| it.key).collect();
    let all = missing.len();
    terms(text, |it| missing.retain(|key| *key != it.key));
    all >= FEWEST && (all - missing.len()) as f32 >= SHARE * all as f32
}

#[cfg(test)]
mod tests {
    use super::Deed;
    use crate::Timestamp;
    use crate::memory::{Candidate, Category, Memory, Role, Span};

    fn memory() -> Memory {
        let span = Span {
            role: Role::Agent,
            category: Category::Discovery,
            text: "The cache key leaves the tenant out".to_owned(),
            at: 0,
            part: 0,
            score: 0,
            confidence: 90,
            is_strong: true,
            is_noted: false,
            why: Vec::new(),
        };
        let mut memory = Memory::of(Candidate::of(&span, "s", Timestamp(1)).unwrap());
        memory.content.files = vec!["./src/cache.rs".to_owned()];
        memory.origin.command = Some("make flush".to_owned());
        memory
    }

    #[test]
    fn to_look_at_it_is_use_and_to_drop_it_is_not() {
        let memory = memory();
        let id = memory.id.as_str();
        let is_used = |command: &str| memory.is_used_by(Deed::Ran(&command.replace("ID", id)));
        let shows = [
            "windlass memory show ID",
            "cd p && windlass memory show --json 'ID' | head",
            "windlass memory list; windlass memory show ID",
        ];
        for command in shows {
            assert!(is_used(command), "{command}");
        }
        let others = [
            "windlass memory retire ID",
            "windlass memory forget ID --reason show",
            "windlass candidates reject ID",
            "windlass memory show other; windlass memory retire ID",
            "echo ID",
        ];
        for command in others {
            assert!(!is_used(command), "{command}");
        }
    }

    #[test]
    fn what_touches_names_runs_or_repeats_it_uses_it() {
        let memory = memory();
        let id = memory.id.to_string();
        let said = "Since the tenant is left out of the cache key, I add it there.";
        let used = [
            Deed::Edited("/work/p/src/cache.rs"),
            Deed::Edited("src/cache.rs"),
            Deed::Ran("make flush "),
            Deed::Said(said),
        ];
        for deed in used {
            assert!(memory.is_used_by(deed), "{deed:?}");
        }
        assert!(memory.is_used_by(Deed::Said(&format!("As {id} says."))));
        let unused = [
            Deed::Edited("/work/p/src/nocache.rs"),
            Deed::Edited("src/cache.rs.bak"),
            Deed::Ran("make"),
            Deed::Said("The cache is fine now."),
            Deed::Said(""),
        ];
        for deed in unused {
            assert!(!memory.is_used_by(deed), "{deed:?}");
        }
    }
}

//! Documents and questions on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::cmd::eval::data::rows;
use crate::cmd::eval::error::EvalError;

/// Questions, and the documents that answer them.
#[derive(Debug)]
pub(super) struct Set {
    /// Documents that are searched together.
    pub(super) groups: BTreeMap<String, Vec<Document>>,
    pub(super) questions: Vec<Question>,
}

#[derive(Debug)]
pub(super) struct Document {
    pub(super) id: String,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
struct DocumentRow {
    id: String,
    text: String,
    #[serde(default)]
    group: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Question {
    pub(super) text: String,
    /// The documents that answer it.
    pub(super) relevant: Vec<String>,
    #[serde(default)]
    pub(super) category: String,
    #[serde(default)]
    pub(super) group: String,
    /// Documents that do not count, such as the one that it was made of.
    #[serde(default)]
    pub(super) exclude: Vec<String>,
}

impl Set {
    pub(super) fn read(directory: &Path) -> Result<Self, EvalError> {
        let mut groups: BTreeMap<String, Vec<Document>> = BTreeMap::new();
        let of_set = |error| EvalError::Set(Box::new(error));
        let documents = rows(&directory.join("docs.jsonl")).map_err(of_set)?;
        for (_, DocumentRow { id, text, group }) in documents {
            groups.entry(group).or_default().push(Document { id, text });
        }
        let path = directory.join("queries.jsonl");
        let questions = rows::<Question>(&path).map_err(of_set)?;
        let lost = questions.iter().find(|it| it.1.relevant.is_empty());
        if let Some(line) = lost.map(|it| it.0) {
            return Err(EvalError::Unanswered { path, line });
        }
        if questions.is_empty() || groups.is_empty() {
            return Err(EvalError::NoQuestions { path });
        }
        Ok(Self { groups, questions: questions.into_iter().map(|it| it.1).collect() })
    }

    /// How many ids that are said to answer a question are no document of its group.
    pub(super) fn unknown(&self) -> usize {
        let group = |(name, all): (&String, &Vec<Document>)| {
            let ids: BTreeSet<_> = all.iter().map(|it| it.id.as_str()).collect();
            let asked = self.questions.iter().filter(|it| it.group == *name);
            asked.flat_map(|it| &it.relevant).filter(|it| !ids.contains(it.as_str())).count()
        };
        let lost = self.questions.iter().filter(|it| !self.groups.contains_key(&it.group));
        let lost: usize = lost.map(|it| it.relevant.len()).sum();
        lost + self.groups.iter().map(group).sum::<usize>()
    }
}

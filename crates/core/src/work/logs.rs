//! Files that took the output of runs. Who reads such a file sees how the run ended.

use super::Work;
use crate::evidence::{CommandLine, LogView, Pattern, Run};
use crate::{Excerpt, Outcome, Timestamp, ToolCall, path};

/// Logs that are remembered.
const MAX_LOGS: usize = 4;
/// Bytes of a line that is remembered with its log.
const MAX_LINE: usize = 1024;
/// How the host says where the output of a command in the background goes.
const GOES_TO: &str = "Output is being written to: ";

/// A file that took the output of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLog {
    /// The file, by its whole path.
    pub file: String,
    /// The file as the line names it, from the directory of the call; `None` where the host made it
    /// for the whole line.
    pub name: Option<String>,
    /// The command line.
    pub line: String,
    /// The host's id of the call.
    pub call: String,
    /// The directory of the call.
    pub directory: String,
    /// The call.
    pub step: u64,
    /// When it was over.
    pub at: Timestamp,
    /// The agent; empty for the main one.
    pub agent: String,
    /// How the call ended.
    pub outcome: Outcome,
}

impl Work {
    /// Remembers which files take the output of the runs of a line.
    pub(super) fn keep_logs(
        &mut self,
        line: &CommandLine<'_>,
        named: &[&Run],
        call: &ToolCall,
        (agent, cwd, at): (&str, &str, Timestamp),
        is_stale: bool,
    ) {
        if line.has_hole() || line.text().len() > MAX_LINE {
            return;
        }
        let host = call.output.head.split_once(GOES_TO).map(|it| it.1);
        let host = host.and_then(|it| it.split_whitespace().next());
        let host = host.map(|it| (it.trim_end_matches('.').to_owned(), None)).into_iter();
        let own = line.log_files(named).into_iter();
        let own = own.filter_map(|it| Some((path::joined(cwd, &it)?, Some(it))));
        for (file, name) in host.filter(|_| !named.is_empty()).chain(own) {
            self.logs.retain(|it| it.file != file);
            if self.logs.len() == MAX_LOGS {
                self.logs.remove(0);
            }
            self.logs.push(RunLog {
                file,
                name,
                line: line.text().to_owned(),
                call: call.id.clone(),
                directory: cwd.to_owned(),
                step: self.step - u64::from(is_stale),
                at,
                agent: agent.to_owned(),
                outcome: call.outcome,
            });
        }
    }

    /// Forgets the logs that a line names: it may have written them.
    pub(super) fn forget_logs(&mut self, text: &str) {
        let is_named = |file: &str| file.rsplit('/').next().is_some_and(|it| text.contains(it));
        self.logs.retain(|it| !is_named(&it.file));
    }

    /// Takes in what a line shows of a log, and tells whether it shows one.
    pub(super) fn read_log_line(
        &mut self,
        line: &CommandLine<'_>,
        call: &ToolCall,
        cwd: &str,
        own: &[Pattern],
    ) -> bool {
        if self.logs.is_empty() {
            return false;
        }
        let Some(view) = line.log_view() else { return false };
        let Some(file) = path::joined(cwd, &view.file) else { return false };
        if !self.logs.iter().any(|it| it.file == file) {
            return false;
        }
        self.read_log(&file, &view, &call.output, own);
        true
    }

    /// Takes in what a tool read of a log.
    pub(super) fn read_log_file(&mut self, call: &ToolCall, own: &[Pattern]) {
        let [file] = call.files.as_slice() else { return };
        if !self.logs.iter().any(|it| it.file == *file) {
            return;
        }
        let Excerpt { head, tail, bytes } = &call.output;
        let output = Excerpt {
            head: without_numbers(head),
            tail: tail.as_deref().map(without_numbers),
            bytes: if tail.is_some() { *bytes } else { 0 },
        };
        self.read_log(file, &LogView::whole(file), &output, own);
    }

    fn read_log(&mut self, file: &str, view: &LogView, output: &Excerpt, own: &[Pattern]) {
        let Some(log) = self.logs.iter().find(|it| it.file == file).cloned() else { return };
        let line = CommandLine::of(&log.line, own);
        let found = line.runs_in_log(log.name.as_deref(), view, log.outcome, output);
        for (run, judged) in found.into_iter().filter(|it| it.1.outcome != Outcome::Unknown) {
            let place = (log.agent.as_str(), log.directory.as_str(), log.at);
            let ran = self.ran_of((run, judged), &log.call, place, (log.step, output));
            let is_it = |it: &super::Ran| it.call == ran.call && it.is_same(&ran);
            let is_newer = |it: &super::Ran| it.is_same(&ran) && it.step > ran.step;
            if self.runs.iter().any(is_newer) {
                continue;
            }
            self.runs.retain(|it| !is_it(it));
            self.ran(ran);
        }
    }
}

/// The lines of a file without the numbers that the host puts before them.
fn without_numbers(text: &str) -> String {
    let bare = |line: &str| -> String {
        let rest = line.trim_start().trim_start_matches(|it: char| it.is_ascii_digit());
        let is_numbered = rest.len() < line.trim_start().len();
        let rest = rest.strip_prefix(['→', '\t']).filter(|_| is_numbered);
        rest.unwrap_or(line).to_owned()
    };
    text.lines().map(bare).collect::<Vec<_>>().join("\n")
}

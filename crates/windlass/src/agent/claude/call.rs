//! Tool calls on the wire, and how their end is told.

use std::borrow::Cow;

use windlass_core::work::Suspect;
use windlass_core::{
    AnswerMark, Excerpt, Outcome, TaskChange, Tool, ToolCall, evidence, leftovers,
};

use super::field::Field;
use super::refusal::{self, exit_code, is_cut_short, is_refusal, is_unmade};
use super::wire::{BatchCall, Block, Input, Replacement, TaskEntry, Todo, ToolInput, ToolResponse};

/// Lines of one call that are looked at closer at the stop.
pub(super) const MAX_SUSPECTS: usize = 8;

/// A call that is about to run.
pub(super) fn started(input: &Input<'_>) -> ToolCall {
    let end = (Outcome::Unknown, Excerpt::default());
    with_input(input.tool_name, input.tool_input, input.tool_use_id, end)
}

/// A call of `PostToolUse`: it has a structured answer and no exit code.
pub(super) fn succeeded(input: &Input<'_>) -> ToolCall {
    let answer: ToolResponse<'_> = input.tool_response.object().unwrap_or_default();
    let running = answer.background_task_id.text().is_some();
    let cut_off = answer.interrupted.flag() == Some(true);
    let outcome = if running || cut_off { Outcome::Unknown } else { Outcome::Passed };
    let output = if answer.stdout.raw().len() > 2 { answer.stdout } else { answer.stderr };
    let mut call = with_input(
        input.tool_name,
        input.tool_input,
        input.tool_use_id,
        (outcome, output.excerpt()),
    );
    call.took_ms = input.duration_ms.number();
    // The words of a batch have the id of a new entry; here it has a place of its own.
    if let Some(id) = answer.task.object::<TaskEntry<'_>>().and_then(|it| it.id.text()) {
        let subject = input.tool_input.object::<ToolInput<'_>>().unwrap_or_default().subject;
        call.tasks = vec![TaskChange::Open { id: id.into_owned(), subject: subject.string() }];
    }
    call
}

/// A call of `PostToolUseFailure`.
pub(super) fn failed(input: &Input<'_>) -> ToolCall {
    let error = input.error.excerpt();
    let code = exit_code(&error.head);
    let is_shell = tool(&input.tool_name.string()) == Tool::Shell;
    let outcome = match input.is_interrupt.flag() {
        Some(true) => Outcome::Unknown,
        // A command that ran and failed tells its exit code.
        _ if is_shell && code.is_none() => Outcome::Unknown,
        _ => Outcome::Failed(code),
    };
    let mut call =
        with_input(input.tool_name, input.tool_input, input.tool_use_id, (outcome, error));
    call.took_ms = input.duration_ms.number();
    call
}

/// A call of `PostToolBatch`: its answer is the text that the model reads.
pub(super) fn ended(call: &BatchCall<'_>) -> ToolCall {
    let answer = answer_text(call.tool_response);
    let tool = tool(&call.tool_name.text().unwrap_or_default());
    let never_ran = is_refusal(tool, &answer);
    let outcome =
        if never_ran && tool == Tool::Shell { Outcome::Unknown } else { told(tool, &answer) };
    let mut call = with_input(call.tool_name, call.tool_input, call.tool_use_id, (outcome, answer));
    call.never_ran = never_ran;
    call
}

/// A call that a row of a transcript tells of; a later row has its answer.
pub(super) fn made(block: &Block<'_>) -> ToolCall {
    with_input(block.name, block.input, block.id, (Outcome::Unknown, Excerpt::default()))
}

/// Tells whether a call starts another agent.
pub(super) fn starts_agent(block: &Block<'_>) -> bool {
    block.name.text().is_some_and(|it| tool(&it) == Tool::Agent)
}

/// Puts the answer to a call in, as a transcript has it: the words of a batch, and how the row marks
/// them. The mark has the last word.
pub(super) fn answer(call: &mut ToolCall, block: &Block<'_>, denial: Field<'_>) {
    let answer = answer_text(block.content);
    let mark = answer_mark(block, denial);
    let is_shell = call.tool == Tool::Shell;
    let outcome = match (told(call.tool, &answer), mark) {
        (_, AnswerMark::Refused) => Outcome::Unknown,
        (_, AnswerMark::Errored) if is_shell => Outcome::Unknown,
        (Outcome::Passed | Outcome::Unknown, mark) if mark.is_failure() => Outcome::Failed(None),
        (told, _) => told,
    };
    call.never_ran = mark == AnswerMark::Refused || is_shell && mark.is_no_run();
    end(call, outcome, answer);
}

/// How a row marks the answer to a call.
pub(super) fn answer_mark(block: &Block<'_>, denial: Field<'_>) -> AnswerMark {
    let is_error = block.is_error.flag() == Some(true);
    // Most answers are no errors, and their words are not looked at.
    let words = if is_error { answer_text(block.content) } else { Excerpt::default() };
    refusal::mark(is_error, &words, denial)
}

fn with_input(
    name: Field<'_>,
    input: Field<'_>,
    id: Field<'_>,
    (outcome, output): (Outcome, Excerpt),
) -> ToolCall {
    let name = name.string();
    let tool = tool(&name);
    let parts: ToolInput<'_> = input.object().unwrap_or_default();
    let files = [parts.file_path, parts.notebook_path, parts.path];
    let mut call = ToolCall {
        id: id.string(),
        tool,
        name,
        command: (tool == Tool::Shell).then(|| parts.command.excerpt()),
        files: files.into_iter().filter_map(Field::text).map(Cow::into_owned).collect(),
        outcome,
        never_ran: false,
        output: Excerpt::default(),
        took_ms: None,
        tasks: Vec::new(),
        suspects: Vec::new(),
        changed_tasks: None,
    };
    if matches!(tool, Tool::Edit | Tool::Write) && !matches!(outcome, Outcome::Failed(_)) {
        call.suspects = suspects(&parts, &output);
        call.changed_tasks = changed_tasks(&call.files, &parts).filter(|_| tool == Tool::Edit);
    }
    if tool == Tool::Task && !matches!(outcome, Outcome::Failed(_)) {
        call.tasks = tasks(&call.name, &parts, &output);
    }
    end(&mut call, outcome, output);
    call
}

/// The tasks of a task file that a call changed or added; `None` where any of them may be.
fn changed_tasks(files: &[String], input: &ToolInput<'_>) -> Option<Vec<String>> {
    let [file] = files else { return None };
    if !evidence::has_known_tasks(file) {
        return None;
    }
    let replacements: Vec<Replacement<'_>> = input.edits.list();
    let pairs = replacements.iter().map(|it| (it.old_string, it.new_string));
    let mut tasks = Vec::new();
    for (old, new) in pairs.chain([(input.old_string, input.new_string)]) {
        let (old, new) = (old.excerpt(), new.excerpt());
        if old.tail.is_some() || new.tail.is_some() {
            return None;
        }
        tasks.extend(evidence::changed_tasks(file, &old.head, &new.head)?);
    }
    Some(tasks)
}

/// Lines that a call added and that may hold something left behind. What a file held before it was
/// written anew is not told: the stop compares it with the version before, as it does where a long
/// text is not known as a whole.
fn suspects(input: &ToolInput<'_>, answer: &Excerpt) -> Vec<String> {
    let mut found = Vec::new();
    let replacements: Vec<Replacement<'_>> = input.edits.list();
    let pairs = replacements.iter().map(|it| (it.old_string, it.new_string));
    for (old, new) in pairs.chain([(input.old_string, input.new_string)]) {
        added(&old.excerpt(), &new.excerpt(), &mut found);
    }
    let content = input.content.excerpt();
    let is_new = answer.head.starts_with("File created");
    if is_new && content.tail.is_some() {
        found.push(Suspect::WRITTEN.to_owned());
    } else if content.bytes > 0 && !is_new {
        found.push(Suspect::ANY_LINE.to_owned());
    }
    let whole = if is_new { content } else { input.new_source.excerpt() };
    added(&Excerpt::default(), &whole, &mut found);
    found
}

fn added(old: &Excerpt, new: &Excerpt, found: &mut Vec<String>) {
    let parts = |it: &Excerpt| [it.head.clone(), it.tail.clone().unwrap_or_default()];
    let old = parts(old);
    for part in &parts(new) {
        for (_, line) in leftovers::suspects(part) {
            let line = line.trim();
            let is_old = old.iter().any(|it| it.lines().any(|it| it.trim() == line));
            if !is_old && !line.is_empty() && found.len() < MAX_SUSPECTS {
                found.push(line.to_owned());
            }
        }
    }
}

/// What a call changes in the task list.
fn tasks(name: &str, input: &ToolInput<'_>, answer: &Excerpt) -> Vec<TaskChange> {
    let is_open = |status: &str| !matches!(status, "completed" | "deleted" | "cancelled");
    match name {
        // Its id is only in the answer: `Task #7 created successfully: …`.
        "TaskCreate" => {
            let id = answer.head.split_once('#').map_or("", |it| it.1);
            let id: String = id.chars().take_while(char::is_ascii_digit).collect();
            let subject = input.subject.string();
            if id.is_empty() { Vec::new() } else { vec![TaskChange::Open { id, subject }] }
        }
        "TaskUpdate" => match (input.task_id.text(), input.status.text()) {
            (Some(id), Some(status)) if !is_open(&status) => {
                vec![TaskChange::Closed { id: id.into_owned() }]
            }
            (Some(id), Some(_)) => {
                vec![TaskChange::Changed { id: id.into_owned(), subject: input.subject.string() }]
            }
            _ => Vec::new(),
        },
        "TodoWrite" => {
            let todos: Vec<Todo<'_>> = input.todos.list();
            let open = todos.iter().enumerate().filter(|it| is_open(&it.1.status.string()));
            let entry = |(place, todo): (usize, &Todo<'_>)| TaskChange::Open {
                id: (place + 1).to_string(),
                subject: todo.content.string(),
            };
            std::iter::once(TaskChange::Listed).chain(open.map(entry)).collect()
        }
        _ => Vec::new(),
    }
}

fn end(call: &mut ToolCall, outcome: Outcome, mut output: Excerpt) {
    if !matches!(outcome, Outcome::Failed(_)) && !worth_keeping(call) {
        output = Excerpt { bytes: output.bytes, ..Excerpt::default() };
    }
    if call.tool == Tool::Shell && NO_OUTPUT.contains(&output.head.trim()) {
        output = Excerpt::default();
    }
    call.outcome = outcome;
    call.output = output;
}

/// What the client says of a command that printed nothing.
const NO_OUTPUT: [&str; 2] = ["(Bash completed with no output)", "Tool ran without output"];

// The content of a file is in the file, and that an edit went well is in its outcome.
// The output of a run may have gone into a log, and only who reads it sees how the run ended.
fn worth_keeping(call: &ToolCall) -> bool {
    match call.tool {
        Tool::Read => call.files.first().is_some_and(|it| is_log(it)),
        Tool::Edit | Tool::Write | Tool::Search => false,
        Tool::Shell | Tool::Agent | Tool::Task | Tool::Mcp | Tool::Other => true,
    }
}

fn is_log(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |it| it.1);
    matches!(ending, "log" | "out" | "output" | "txt")
}

/// Whether a tool changes files that it names.
pub(super) fn edits(name: &str) -> bool {
    matches!(tool(name), Tool::Edit | Tool::Write)
}

fn tool(name: &str) -> Tool {
    match name {
        "Bash" => Tool::Shell,
        "Edit" | "MultiEdit" | "NotebookEdit" => Tool::Edit,
        "Write" => Tool::Write,
        "Read" => Tool::Read,
        "Glob" | "Grep" | "LS" | "ToolSearch" | "WebSearch" => Tool::Search,
        "Agent" | "Task" => Tool::Agent,
        "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet" | "TodoWrite" => Tool::Task,
        _ if name.starts_with("mcp__") => Tool::Mcp,
        _ => Tool::Other,
    }
}

fn answer_text(response: Field<'_>) -> Excerpt {
    let blocks: Vec<Block<'_>> = response.list();
    let first_text = blocks.iter().find(|it| it.text.raw().starts_with('"'));
    first_text.map_or(response, |it| it.text).excerpt()
}

/// What the model was told of a call's end. The text carries no flag: a failing shell command
/// begins with its exit code, and a call that the client could not make is wrapped in a tag. Other
/// failures look like any answer, so only tools that confirm their success count as passed; the
/// transcript, read at the next stop, names the calls that failed or never ran.
fn told(tool: Tool, answer: &Excerpt) -> Outcome {
    let text = answer.head.as_str();
    let is_open = || is_refusal(tool, answer) || is_cut_short(answer);
    match tool {
        Tool::Shell => match exit_code(text) {
            Some(code) => Outcome::Failed(Some(code)),
            None if is_open() => Outcome::Unknown,
            None => Outcome::Passed,
        },
        _ if is_unmade(answer) => Outcome::Failed(None),
        Tool::Edit | Tool::Write if is_open() => Outcome::Unknown,
        Tool::Edit | Tool::Write if confirms_edit(text) => Outcome::Passed,
        Tool::Edit | Tool::Write => Outcome::Unknown,
        Tool::Read | Tool::Search | Tool::Agent | Tool::Task | Tool::Mcp | Tool::Other => {
            Outcome::Unknown
        }
    }
}

/// Whether an answer says that a file was changed; the words differ by tool and by version.
fn confirms_edit(text: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["Applied ", "Updated cell ", "Inserted cell ", "Deleted cell "];
    let updated = text.starts_with("The file ") && text.contains(" has been updated");
    updated || text.contains(" successfully") || BEGINNINGS.iter().any(|it| text.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::{end, made, told};
    use windlass_core::{Excerpt, Outcome, Tool};

    #[test]
    fn of_what_is_read_only_logs_are_kept() {
        for (file, is_kept) in [
            ("/tmp/run.log", true),
            ("/tmp/tasks/b1.output", true),
            ("/tmp/out.txt", true),
            ("/p/src/a.rs", false),
            ("/p/.env", false),
        ] {
            let mut call = made(&serde_json::from_str("{}").unwrap());
            (call.tool, call.files) = (Tool::Read, vec![file.to_owned()]);
            end(&mut call, Outcome::Unknown, Excerpt::of("12 passed in 0.1s"));
            assert_eq!(!call.output.head.is_empty(), is_kept, "{file}");
            assert_eq!(call.output.bytes, 17);
        }
    }

    #[test]
    fn unknown_is_not_passed() {
        let cases = [
            (Tool::Shell, "tool-ok", Outcome::Passed),
            (Tool::Shell, "Exit code 1\nno", Outcome::Failed(Some(1))),
            (Tool::Shell, "Command running in background with ID: b7", Outcome::Unknown),
            (Tool::Shell, "Command was moved to the background (ID: b7)", Outcome::Unknown),
            (Tool::Shell, "Command did not complete within its 120s timeout", Outcome::Unknown),
            (Tool::Shell, "[Tool call interrupted: the session ended", Outcome::Unknown),
            (Tool::Shell, "Claude requested permissions to use Bash, but", Outcome::Unknown),
            (
                Tool::Shell,
                "half\n<error>Command was aborted before completion</error>",
                Outcome::Unknown,
            ),
            (Tool::Shell, "PreToolUse:Bash hook error: no", Outcome::Unknown),
            (Tool::Edit, "The file /p/a has been updated successfully.", Outcome::Passed),
            (
                Tool::Edit,
                "<tool_use_error>String not found</tool_use_error>",
                Outcome::Failed(None),
            ),
            (Tool::Edit, "The file /p/a has been updated. Here's the result", Outcome::Passed),
            (Tool::Edit, "Applied 2 edits to /p/a:", Outcome::Passed),
            (Tool::Edit, "Updated cell c1 with print(1)", Outcome::Passed),
            (Tool::Write, "File created successfully at: /p/a", Outcome::Passed),
            (Tool::Write, "declined by a hook", Outcome::Unknown),
            (Tool::Write, "PreToolUse:Write hook error: not done successfully", Outcome::Unknown),
            (Tool::Read, "File does not exist.", Outcome::Unknown),
            (Tool::Mcp, "MCP-FAILED", Outcome::Unknown),
        ];
        for (tool, text, expected) in cases {
            assert_eq!(told(tool, &Excerpt::of(text)), expected, "{tool:?}: {text}");
        }
    }
}

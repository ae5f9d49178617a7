//! What must hold for every settings file, tried on thousands of odd ones.

use std::path::Path;

use std::path::PathBuf;

use serde_json::Value;
use windlass_core::policy::Hooks;

use super::origin::Removal;
use super::permits::{self, Change, Granted, Permit};
use super::scan::{Kind, Node, comment, scan};
use super::servers::{self, Added};
use super::settings::{Hook, Made, Registration, SettingsError, insert, remove};
use crate::agent::claude::client::Version;
use crate::agent::claude::permissions::RULES;
use crate::agent::claude::register::{NEWEST_TESTED, registration};
use crate::agent::claude::registered::{Entry, Layer, Origin, Source};

const FILES: u64 = 2_500;
const COMMAND: &str = "/home/u/.local/bin/windlass";

/// A small generator of numbers (splitmix64): the same seed gives the same file, everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// How a generated file is written.
#[derive(Clone, Copy)]
enum Habit {
    /// As `JSON.stringify` would, with this indentation.
    Tidy(&'static str),
    Minified,
    /// White space and comments anywhere.
    Wild,
}

struct Writer {
    dice: Dice,
    habit: Habit,
    newline: &'static str,
    comments: bool,
    trailing_commas: bool,
    text: String,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let habit = match dice.below(6) {
            0 => Habit::Tidy("  "),
            1 => Habit::Tidy("\t"),
            2 => Habit::Tidy("    "),
            3 => Habit::Minified,
            _ => Habit::Wild,
        };
        let newline = dice.pick(&["\n", "\n", "\r\n"]);
        let (comments, trailing_commas) = (dice.one_in(2), dice.one_in(2));
        Self { dice, habit, newline, comments, trailing_commas, text: String::new() }
    }

    fn file(mut self) -> String {
        if self.dice.one_in(12) {
            self.text.push('\u{feff}');
        }
        if self.dice.one_in(12) {
            self.gap(0);
            return self.text;
        }
        self.gap(0);
        let keys = ["model", "env", "hooks", "permissions", "statusLine", "h\\u006foks"];
        self.object(0, &keys, 5, |writer, key, depth| match key {
            "hooks" | "h\\u006foks" => writer.hooks(depth),
            "permissions" => writer.permissions(depth),
            _ => writer.value(depth),
        });
        self.gap(0);
        if self.dice.one_in(2) {
            self.text.push_str(self.newline);
        }
        self.text
    }

    fn hooks(&mut self, depth: usize) {
        let events =
            ["Stop", "SessionStart", "PreToolUse", "PostToolBatch", "SessionEnd", "St\\u006fp"];
        self.object(depth, &events, 6, |writer, _, depth| {
            writer.array(depth, 4, |writer, depth| {
                writer.object(depth, &["matcher", "hooks", "hooks"], 3, |writer, key, depth| {
                    if key == "matcher" {
                        return writer.scalar();
                    }
                    writer.array(depth, 3, |writer, depth| {
                        let keys = ["type", "command", "args", "timeout"];
                        writer.object(depth, &keys, 4, |writer, _, depth| writer.value(depth));
                    });
                });
            });
        });
    }

    fn permissions(&mut self, depth: usize) {
        if self.dice.one_in(12) {
            return self.value(depth);
        }
        let keys = ["allow", "deny", "defaultMode", "all\\u006fw", "allow"];
        self.object(depth, &keys, 4, |writer, key, depth| match key {
            "defaultMode" => writer.scalar(),
            _ if writer.dice.one_in(12) => writer.value(depth),
            _ => writer.array(depth, 6, |writer, depth| match writer.dice.below(6) {
                0 => writer.text.push_str("\"Bash(windlass remember:*)\""),
                1 => writer.text.push_str("\"Bash(windl\\u0061ss candidates:*)\""),
                2 => writer.text.push_str("\"mcp__windlass__*\""),
                3 => writer.text.push_str("\"Bash(git status:*)\""),
                _ => writer.value(depth),
            }),
        });
    }

    fn value(&mut self, depth: usize) {
        match self.dice.below(6) {
            _ if depth > 6 => self.scalar(),
            0 => self.object(depth, &["a", "b", "", "ключ"], 3, |writer, _, depth| {
                writer.value(depth);
            }),
            1 => self.array(depth, 3, Self::value),
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) {
        let scalars = [
            "1",
            "-0.5e+3",
            "true",
            "null",
            "\"\"",
            "\"x\"",
            "\"a\\\"]}//b\"",
            "\"/*\"",
            "\"日本\"",
            "\"\\ud83d\\ude00\"",
            "\"/usr/bin/windlass2\"",
            "\"windlass hook\"",
            "1e999",
            "\"\\\\\"",
        ];
        let scalar = self.dice.pick(&scalars);
        self.text.push_str(scalar);
    }

    fn object(
        &mut self,
        depth: usize,
        keys: &[&str],
        limit: usize,
        mut value: impl FnMut(&mut Self, &str, usize),
    ) {
        let keys = keys.to_vec();
        self.container(depth, ['{', '}'], limit, |writer, depth| {
            let key = writer.dice.pick(&keys);
            writer.text.extend(["\"", key, "\""]);
            writer.within();
            writer.text.push(':');
            match writer.habit {
                Habit::Tidy(_) => writer.text.push(' '),
                Habit::Minified => {}
                Habit::Wild => writer.gap(depth),
            }
            value(writer, key, depth);
        });
    }

    fn array(&mut self, depth: usize, limit: usize, item: impl FnMut(&mut Self, usize)) {
        self.container(depth, ['[', ']'], limit, item);
    }

    fn container(
        &mut self,
        depth: usize,
        [open, close]: [char; 2],
        limit: usize,
        mut item: impl FnMut(&mut Self, usize),
    ) {
        let count = self.dice.below(limit);
        self.text.push(open);
        for at in 0..count {
            if at > 0 {
                self.text.push(',');
            }
            self.gap(depth + 1);
            item(self, depth + 1);
            self.within();
        }
        if count > 0 && self.trailing_commas && self.dice.one_in(2) {
            self.text.push(',');
        }
        if count > 0 || !matches!(self.habit, Habit::Tidy(_)) || self.dice.one_in(4) {
            self.gap(depth);
        }
        self.text.push(close);
    }

    fn within(&mut self) {
        if matches!(self.habit, Habit::Wild) && self.dice.one_in(4) {
            self.gap(0);
        }
    }

    fn gap(&mut self, depth: usize) {
        match self.habit {
            Habit::Minified => {}
            Habit::Tidy(unit) => {
                if self.comments && self.dice.one_in(6) {
                    let comment = self.dice.pick(&[" // note", " /* note */", " // }], \" */  "]);
                    self.text.push_str(comment);
                }
                self.text.push_str(self.newline);
                self.text.push_str(&unit.repeat(depth));
            }
            Habit::Wild => {
                for _ in 0..self.dice.below(4) {
                    let piece = match self.dice.below(if self.comments { 9 } else { 5 }) {
                        0 => " ",
                        1 => "\t",
                        2 | 3 => self.newline,
                        4 => "   ",
                        5 => "/**/",
                        6 => "/* ] } , \" \n */",
                        7 => "// \" { [ /* \r",
                        _ => "// note  */  \n",
                    };
                    self.text.push_str(piece);
                }
            }
        }
    }
}

fn files() -> impl Iterator<Item = (u64, String)> {
    (0..FILES).map(|seed| (seed, Writer::new(seed).file()))
}

fn wanted() -> Registration {
    registration(NEWEST_TESTED, COMMAND, &Hooks::default(), true)
}

/// Enough for the laws that do not care which events there are.
fn few() -> Registration {
    let hook = |event| Hook { event, timeout: 5, status: None, matcher: "*" };
    let events = ["SessionStart", "PostToolBatch", "Stop"].map(hook).to_vec();
    Registration { command: COMMAND.to_owned(), events }
}

/// Every token and comment of a text, in order.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let Some(first) = rest.chars().next() else { return tokens };
        let length = match comment(rest) {
            Some(super::scan::Comment::Complete(length)) => length,
            Some(super::scan::Comment::Open) => panic!("an open comment in {text:?}"),
            None if "{}[]:,".contains(first) => 1,
            None if first == '"' => {
                let mut escaped = false;
                let end = rest.bytes().skip(1).position(|byte| {
                    let closes = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    closes
                });
                end.unwrap() + 2
            }
            None => rest.find(|it: char| " \t\r\n{}[]:,/\"".contains(it)).unwrap_or(rest.len()),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
}

/// What a lenient reader makes of a text.
fn value(text: &str) -> Option<Value> {
    fn build(text: &str, node: &Node) -> Value {
        match node.kind {
            Kind::Object => {
                let key = |it: &super::scan::Item| it.key.clone().unwrap_or_default();
                node.items.iter().map(|it| (key(it), build(text, &it.value))).collect()
            }
            Kind::Array => node.elements().map(|it| build(text, it)).collect(),
            // Numbers stay as they are written.
            Kind::Text | Kind::Other => Value::from(&text[node.start..node.end]),
        }
    }
    scan(text).unwrap().root.map(|it| build(text, &it))
}

/// A settings value without our entries and without what they needed.
fn without_ours(mut value: Value) -> Value {
    let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) else { return value };
    let is_ours = |group: &Value| {
        group["hooks"].get(0).and_then(|it| it.get("command")).and_then(Value::as_str)
            == Some(&format!("\"{COMMAND}\""))
    };
    for groups in hooks.values_mut().filter_map(Value::as_array_mut) {
        groups.retain(|it| !is_ours(it));
    }
    hooks.retain(|_, groups| groups.as_array().is_none_or(|it| !it.is_empty()));
    if hooks.is_empty() {
        value.as_object_mut().unwrap().remove("hooks");
    }
    value
}

#[test]
fn undoing_restores_every_byte() {
    let mut kinds = [0; 3];
    for (seed, old) in files() {
        match insert(Some(&old), &Made::default(), &wanted()) {
            Err(SettingsError::NotJson(error)) => panic!("seed {seed}: {error}\n{old}"),
            Err(SettingsError::Shape { .. }) => kinds[0] += 1,
            Ok(None) => panic!("seed {seed}: it should not be there yet\n{old}"),
            Ok(Some((new, made))) => {
                kinds[1] += 1;
                kinds[2] += usize::from(made != Made::default());
                let undone = remove(&new, &made).unwrap();
                assert_eq!(undone, Removal::Text(old.clone()), "seed {seed}\n{old}\n{new}");
            }
        }
    }
    assert!(kinds[1] > 2_000 && kinds[2] > 500, "{kinds:?}");
}

#[test]
fn inserting_twice_is_inserting_once() {
    for (seed, old) in files() {
        let Ok(Some((new, made))) = insert(Some(&old), &Made::default(), &few()) else {
            continue;
        };
        assert_eq!(insert(Some(&new), &made, &few()), Ok(None), "seed {seed}\n{new}");
        assert_eq!(insert(Some(&new), &Made::default(), &few()), Ok(None), "seed {seed}\n{new}");
    }
}

/// What `status` and `doctor` would find in a text, if the client takes it.
fn entries(text: &str) -> Option<Vec<Entry>> {
    let content = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let path = PathBuf::from("/settings.json");
    let source = Source { origin: Origin::User, path, project: None, plugin: None };
    Some(Layer { source, content: Ok(content) }.entries())
}

#[test]
fn what_was_inserted_is_listed() {
    let mut wanted_events: Vec<_> = wanted().events.iter().map(|it| it.event).collect();
    wanted_events.sort_unstable();
    let mut listed = 0;
    for (seed, old) in files() {
        let Ok(Some((new, _))) = insert(Some(&old), &Made::default(), &wanted()) else { continue };
        let Some(found) = entries(&new) else { continue };
        let written = found.iter().filter(|it| it.command == COMMAND && it.args.is_some());
        let mut events: Vec<_> = written.map(|it| it.event.as_str()).collect();
        events.sort_unstable();
        assert_eq!(events, wanted_events, "{seed}\n{new}");
        listed += 1;
    }
    assert!(listed > 10, "{listed}");
    assert_eq!(entries("{}"), Some(Vec::new()));
}

#[test]
fn everything_else_stays_in_its_order() {
    for (seed, old) in files() {
        let Ok(Some((new, _))) = insert(Some(&old), &Made::default(), &few()) else { continue };
        let (old_tokens, new_tokens) = (tokens(&old), tokens(&new));
        let mut left = old_tokens.iter().peekable();
        for token in &new_tokens {
            left.next_if_eq(&token);
        }
        assert_eq!(left.next(), None, "seed {seed}\n{old}\n{new}");
        let before = value(&old).map_or(Value::Object(serde_json::Map::new()), without_ours);
        assert_eq!(without_ours(value(&new).unwrap()), before, "seed {seed}\n{old}\n{new}");
    }
}

#[test]
fn an_upgrade_is_undone_to_the_first_byte() {
    let older = registration(Version(2, 1, 100), "/opt/old/windlass", &Hooks::default(), false);
    for (seed, old) in files().take(1_000) {
        let Ok(Some((first, made))) = insert(Some(&old), &Made::default(), &older) else {
            continue;
        };
        let Ok(Some((second, made))) = insert(Some(&first), &made, &wanted()) else {
            // The newer client asks for an event whose value the older one let be.
            continue;
        };
        assert!(!second.contains("/opt/old"), "seed {seed}\n{second}");
        let (fresh, fresh_made) = insert(Some(&old), &Made::default(), &wanted()).unwrap().unwrap();
        assert_eq!((&second, &made), (&fresh, &fresh_made), "seed {seed}");
        assert_eq!(remove(&second, &made), Ok(Removal::Text(old)), "seed {seed}\n{second}");
    }
}

#[test]
fn without_a_record_our_entries_and_empty_containers_go() {
    for (seed, old) in files() {
        let Ok(Some((new, _))) = insert(Some(&old), &Made::default(), &few()) else { continue };
        let bare = match remove(&new, &Made::default()) {
            Ok(Removal::Text(bare)) => bare,
            other => panic!("seed {seed}: {other:?}\n{new}"),
        };
        assert!(!bare.contains(COMMAND), "seed {seed}\n{bare}");
        let before = value(&old).map_or(Value::Object(serde_json::Map::new()), without_ours);
        assert_eq!(without_ours(value(&bare).unwrap()), before, "seed {seed}\n{old}\n{bare}");
    }
}

#[test]
fn a_reformatted_file_keeps_everything_else() {
    for (seed, old) in files() {
        let Ok(Some((new, made))) = insert(Some(&old), &Made::default(), &few()) else { continue };
        for reformatted in [tokens(&new).join("\n"), new.replace(['\n', '\r'], "\n\n")] {
            let bare = match remove(&reformatted, &made) {
                Ok(Removal::Text(bare)) => bare,
                other => panic!("seed {seed}: {other:?}\n{reformatted}"),
            };
            assert!(!bare.contains(COMMAND), "seed {seed}\n{bare}");
            assert_eq!(value(&bare), value(&old), "seed {seed}\n{old}\n{bare}");
        }
    }
}

#[test]
fn any_bytes_give_an_answer() {
    let pieces = [
        "{", "}", "[", "]", ":", ",", "\"", "hooks", "\"Stop\"", "//", "/*", "*/", "\n", "1", "\\",
        "ü",
    ];
    let mut dice = Dice(7);
    for _ in 0..20_000 {
        let text: String = (0..dice.below(24)).map(|_| dice.pick(&pieces)).collect();
        if let Ok(Some((new, made))) = insert(Some(&text), &Made::default(), &few()) {
            assert_eq!(remove(&new, &made), Ok(Removal::Text(text.clone())), "{text:?}");
        }
    }
}

fn hook(event: &'static str) -> Registration {
    Registration {
        command: COMMAND.to_owned(),
        events: vec![Hook { event, timeout: 5, status: None, matcher: "*" }],
    }
}

fn inserted(old: &str) -> String {
    insert(Some(old), &Made::default(), &hook("Stop")).unwrap().unwrap().0
}

#[test]
fn a_new_member_looks_like_its_neighbours() {
    let old =
        "{\r\n\t\"a\": 1, // one\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t]\r\n\t}\r\n}\r\n";
    let group = "\r\n\t\t\t{\r\n\t\t\t\t\"matcher\": \"*\",\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{";
    let new = inserted(old);
    assert!(new.contains(&format!("\"Stop\": [{group}")), "{new}");
    assert!(!new.replace("\r\n", "").contains('\n'), "{new:?}");
}

#[test]
fn a_comment_stays_beside_its_value() {
    let new = inserted("{\n  \"a\": 1 // one\n}\n");
    assert!(new.starts_with("{\n  \"a\": 1, // one\n  \"hooks\": {\n    \"Stop\": ["), "{new}");
    let new = inserted("{\"a\": 1, // one\n}\n");
    assert!(new.starts_with("{\"a\": 1, // one\n"), "{new}");
    assert!(new.ends_with("},\n}\n"), "{new}");
}

#[test]
fn one_line_stays_one_line() {
    let entry = "{\"matcher\":\"*\",\"hooks\":[{\"type\":\"command\",\"command\":\"/home/u/.local/bin/windlass\",\"args\":[\"hook\"],\"timeout\":5}]}";
    assert_eq!(inserted("{\"a\":1}"), format!("{{\"a\":1,\"hooks\":{{\"Stop\":[{entry}]}}}}"));
    let new = inserted("{\"a\": 1}");
    assert!(new.starts_with("{\"a\": 1, \"hooks\": {\"Stop\": [{\"matcher\": \"*\", "), "{new}");
}

#[test]
fn of_several_hooks_the_last_counts() {
    let old = "{\"hooks\":{\"Stop\":[1]},\"hooks\":{\"Stop\":[2]}}";
    let new = inserted(old);
    assert!(new.starts_with("{\"hooks\":{\"Stop\":[1]},\"hooks\":{\"Stop\":[2,{"), "{new}");
}

#[test]
fn a_key_that_hides_another_stays_even_if_it_is_empty() {
    let old = "{\"hooks\":{\"Stop\":[1]},\"hooks\":{}}";
    assert_eq!(remove(&inserted(old), &Made::default()), Ok(Removal::Text(old.to_owned())));
    let old = "{\"hooks\":{\"Stop\":[1],\"Stop\":[]}}";
    assert_eq!(remove(&inserted(old), &Made::default()), Ok(Removal::Text(old.to_owned())));
}

#[test]
fn a_comment_does_not_swallow_what_follows_our_entry() {
    let entry = "{\"hooks\":[{\"command\":\"windlass\"}]}";
    for newline in ["\n", "\r\n", "\r"] {
        let text = format!("{{\"hooks\":{{\"Stop\":[1, // one{newline}{entry}]}}}}");
        let bare = format!("{{\"hooks\":{{\"Stop\":[1 // one{newline}]}}}}");
        assert_eq!(remove(&text, &Made::default()), Ok(Removal::Text(bare)));
    }
}

#[test]
fn what_is_not_ours_is_left_alone() {
    for entry in [
        r#"{"type":"command","command":"/usr/bin/windlass-extra","args":["hook"]}"#,
        r#"{"type":"command","command":"/usr/bin/windlass","args":["hook","--more"]}"#,
        r#"{"type":"command","command":"/usr/bin/windlass","args":["status"]}"#,
        r#"{"type":"prompt","command":"/usr/bin/windlass"}"#,
        r#"{"type":"http","url":"windlass"}"#,
        r#"{"command":7}"#,
    ] {
        let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{entry}]}}]}}}}"#);
        assert_eq!(remove(&text, &Made::default()), Ok(Removal::Unchanged), "{entry}");
    }
}

#[test]
fn our_entry_is_found_in_any_form_and_any_place() {
    for entry in [
        r#"{"command":"windlass"}"#,
        r#"{"args":[],"command":"/a/windlass","type":"command"}"#,
        r#"{"type":"command","command":"/b c/windlass","args":["hook"],"timeout":60,"once":true}"#,
    ] {
        let text = format!(
            "{{\"hooks\":{{\"Stop\":[{{\"matcher\":\"x\",\"hooks\":[1,{entry},{entry}, 2]}},{{\"hooks\":[{entry}]}}],\"Other\":[{{\"hooks\":[{entry},]}}]}}}}"
        );
        let bare = "{\"hooks\":{\"Stop\":[{\"matcher\":\"x\",\"hooks\":[1, 2]}]}}";
        assert_eq!(remove(&text, &Made::default()), Ok(Removal::Text(bare.to_owned())));
    }
}

#[test]
fn a_reformatted_file_loses_only_our_entries() {
    let old = "{\"model\":\"x\",\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"lint\"}]}]}}";
    let (new, made) = insert(Some(old), &Made::default(), &wanted()).unwrap().unwrap();
    let mut others: Value = serde_json::from_str(&new).unwrap();
    others["hooks"]["Stop"].as_array_mut().unwrap().push(serde_json::json!({"hooks": []}));
    let reformatted = serde_json::to_string_pretty(&others).unwrap();
    let Ok(Removal::Text(bare)) = remove(&reformatted, &made) else { panic!("{reformatted}") };
    let mut expected: Value = serde_json::from_str(old).unwrap();
    expected["hooks"]["Stop"].as_array_mut().unwrap().push(serde_json::json!({"hooks": []}));
    assert_eq!(bare, serde_json::to_string_pretty(&expected).unwrap());
}

#[test]
fn a_file_that_we_made_goes_unless_others_used_it() {
    let (new, made) = insert(None, &Made::default(), &wanted()).unwrap().unwrap();
    assert_eq!(remove(&new, &made), Ok(Removal::NoFile));
    let used = new.replacen('{', "{\n  \"model\": \"x\",", 1);
    assert_eq!(remove(&used, &made), Ok(Removal::Text("{\n  \"model\": \"x\"\n}\n".to_owned())));
    let commented = format!("// mine\n{new}");
    assert_eq!(remove(&commented, &made), Ok(Removal::Text("// mine\n{}\n".to_owned())));
}

/// The change that `init --permit` makes to a text, if it can.
fn permitted(text: &str, wanted: &Registration) -> Option<Change> {
    let (made, granted) = (Made::default(), Granted::default());
    match permits::insert(Some(text), &made, &granted, wanted, Permit::Wanted) {
        Err(SettingsError::NotJson(error)) => panic!("{error}\n{text}"),
        Err(SettingsError::Shape { .. }) => None,
        Ok(change) => Some(change.unwrap_or_else(|| panic!("it should not be there yet\n{text}"))),
    }
}

fn removed(change: &Change) -> Removal {
    permits::remove(&change.text, &change.made, &change.granted).unwrap()
}

/// `permissions.allow`, as the client would find it.
fn allowed(text: &str) -> Vec<Value> {
    let allow = value(text).and_then(|it| it.get("permissions")?.get("allow").cloned());
    // Rules may be written with escapes.
    let plain = |it: Value| match it.as_str().map(serde_json::from_str::<String>) {
        Some(Ok(text)) => Value::from(text),
        _ => it,
    };
    let list = allow.and_then(|it| it.as_array().cloned()).unwrap_or_default();
    list.into_iter().map(plain).collect()
}

#[test]
fn undoing_a_permit_restores_every_byte() {
    let mut kinds = [0; 4];
    for (seed, old) in files() {
        let Some(change) = permitted(&old, &few()) else {
            kinds[0] += 1;
            continue;
        };
        kinds[1] += 1;
        kinds[2] += usize::from(change.granted.is_none());
        kinds[3] += usize::from(!change.granted.is_none() && !allowed(&old).is_empty());
        assert_eq!(removed(&change), Removal::Text(old.clone()), "seed {seed}\n{}", change.text);
        let again = permits::insert(
            Some(&change.text),
            &change.made,
            &change.granted,
            &few(),
            Permit::Wanted,
        );
        assert_eq!(again, Ok(None), "seed {seed}\n{}", change.text);
    }
    assert!(kinds[1] > 2_000 && kinds[2] > 5 && kinds[3] > 100, "{kinds:?}");
}

#[test]
fn a_permit_adds_the_missing_rules_behind_the_others() {
    for (seed, old) in files() {
        let Some(change) = permitted(&old, &few()) else { continue };
        let (before, after) = (allowed(&old), allowed(&change.text));
        let missing = RULES.iter().map(|it| Value::from(*it)).filter(|it| !before.contains(it));
        let expected: Vec<_> = before.iter().cloned().chain(missing).collect();
        assert_eq!(after, expected, "seed {seed}\n{old}\n{}", change.text);
        assert_eq!(change.rules, after != before, "seed {seed}");
    }
}

#[test]
fn a_permit_may_come_later_and_outlives_an_upgrade() {
    for (seed, old) in files().step_by(3) {
        let first = permits::insert(
            Some(&old),
            &Made::default(),
            &Granted::default(),
            &few(),
            Permit::AsItIs,
        );
        let Ok(Some(first)) = first else { continue };
        assert!(first.granted.is_none() && !first.rules, "seed {seed}");
        let later =
            permits::insert(Some(&first.text), &first.made, &first.granted, &few(), Permit::Wanted);
        // All rules may have been there.
        let Ok(Some(later)) = later else { continue };
        assert!(!later.hooks && later.rules, "seed {seed}");
        assert_eq!(removed(&later), Removal::Text(old.clone()), "seed {seed}\n{}", later.text);

        let upgrade = permits::insert(
            Some(&later.text),
            &later.made,
            &later.granted,
            &wanted(),
            Permit::AsItIs,
        );
        let upgrade = upgrade.unwrap().unwrap();
        assert!(upgrade.hooks && !upgrade.rules, "seed {seed}");
        assert_eq!(upgrade.granted, later.granted, "seed {seed}");
        assert_eq!(upgrade, Change { rules: false, ..permitted(&old, &wanted()).unwrap() });
        assert_eq!(removed(&upgrade), Removal::Text(old), "seed {seed}\n{}", upgrade.text);
    }
}

#[test]
fn a_reformatted_permit_goes_and_everything_else_stays() {
    for (seed, old) in files().step_by(3) {
        let Some(change) = permitted(&old, &few()) else { continue };
        for text in [tokens(&change.text).join("\n"), change.text.replace(['\n', '\r'], "\n\n")] {
            let bare = match permits::remove(&text, &change.made, &change.granted) {
                Ok(Removal::Text(bare)) => bare,
                other => panic!("seed {seed}: {other:?}"),
            };
            assert_eq!(value(&bare), value(&old), "seed {seed}\n{old}\n{bare}");
        }
    }
}

#[test]
fn rules_of_others_stay() {
    let old = r#"{"permissions":{"allow":["Bash(windlass remember:*)"]}}"#;
    let change = permitted(old, &hook("Stop")).unwrap();
    let ours = r#","Bash(windlass candidates:*)","mcp__windlass__*""#;
    assert!(change.text.contains(&format!(r#"["Bash(windlass remember:*)"{ours}]"#)));
    assert_eq!(removed(&change), Removal::Text(old.to_owned()));
    // Without a record nobody knows whose they are.
    let bare = permits::remove(&change.text, &Made::default(), &Granted::default()).unwrap();
    let all = old.replace(']', &format!("{ours}]"));
    assert_eq!(bare, Removal::Text(all));
    // What the user took out by hand does not come back with an upgrade.
    let text = change.text.replace(ours, "");
    let (made, granted) = (&change.made, &change.granted);
    let upgrade = permits::insert(Some(&text), made, granted, &few(), Permit::AsItIs);
    let upgrade = upgrade.unwrap().unwrap();
    assert!(upgrade.granted.is_none() && !upgrade.text.contains("candidates"), "{}", upgrade.text);
    assert_eq!(removed(&upgrade), Removal::Text(old.to_owned()));
}

#[test]
fn rules_go_even_where_the_hooks_are_gone() {
    let change = permitted("{\n}\n", &hook("Stop")).unwrap();
    let Ok(Removal::Text(text)) = remove(&change.text, &change.made) else {
        panic!("{}", change.text)
    };
    assert!(text.contains("windlass remember"), "{text}");
    let bare = removed(&Change { text, ..change });
    let Removal::Text(bare) = bare else { panic!("{bare:?}") };
    assert_eq!(value(&bare), value("{}"));
}

#[test]
fn a_permit_looks_like_its_neighbours() {
    let old = "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Read\" // all\n\t\t]\n\t}\n}\n";
    let new = permitted(old, &hook("Stop")).unwrap().text;
    let list = "\t\t\t\"Read\", // all\n\t\t\t\"Bash(windlass remember:*)\",\n\t\t\t\"Bash(windlass candidates:*)\",\n\t\t\t\"mcp__windlass__*\"\n\t\t]";
    assert!(new.contains(list), "{new}");
}

#[test]
fn a_permit_in_a_new_file_goes_with_it() {
    let (made, granted) = (Made::default(), Granted::default());
    let change = permits::insert(None, &made, &granted, &wanted(), Permit::Wanted);
    let change = change.unwrap().unwrap();
    assert_eq!(allowed(&change.text), RULES);
    assert_eq!(removed(&change), Removal::NoFile);
}

#[test]
fn undoing_a_server_restores_every_byte() {
    let mut kinds = [0; 2];
    for (seed, old) in files().step_by(2) {
        let old = old.replace("\"permissions\"", "\"mcpServers\"");
        for project in [None, Some(Path::new("/home/u/p"))] {
            let insert = |text: &str, added: &Added| {
                servers::insert(Some(text), added, project, "/home/u/.local/bin/windlass")
            };
            let (new, added) = match insert(&old, &Added::default()) {
                Err(SettingsError::NotJson(error)) => panic!("{error}\n{old}"),
                Err(SettingsError::Shape { .. }) => {
                    kinds[0] += 1;
                    continue;
                }
                Ok(change) => change.unwrap_or_else(|| panic!("seed {seed}\n{old}")),
            };
            kinds[1] += 1;
            assert_eq!(insert(&new, &added), Ok(None), "seed {seed}\n{new}");
            let removal = servers::remove(&new, &added, project);
            assert_eq!(removal, Ok(Removal::Text(old.clone())), "seed {seed}\n{new}");
        }
    }
    assert!(kinds[0] > 5 && kinds[1] > 2_000, "{kinds:?}");
}

#[test]
fn says_which_part_has_the_wrong_shape() {
    let permit = |text| {
        let (made, granted) = (Made::default(), Granted::default());
        let change = permits::insert(Some(text), &made, &granted, &few(), Permit::Wanted);
        change.unwrap_err().to_string()
    };
    assert_eq!(permit("{\"permissions\":[]}"), "`permissions` is not an object");
    assert_eq!(permit("{\"permissions\":{\"allow\":1}}"), "`permissions.allow` is not an array");
    let problem = |text| insert(Some(text), &Made::default(), &wanted()).unwrap_err().to_string();
    assert_eq!(problem("[]"), "the file is not a JSON object");
    assert_eq!(problem("null"), "the file is not a JSON object");
    assert_eq!(problem("{\"hooks\":[]}"), "`hooks` is not an object");
    assert_eq!(problem("{\"hooks\":{\"Stop\":{}}}"), "`hooks.Stop` is not an array");
    assert_eq!(
        problem("{\"hooks\":{}"),
        "line 1, column 12: expected a comma or the closing bracket"
    );
}

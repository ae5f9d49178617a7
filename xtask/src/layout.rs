//! `cargo xtask layout`: which functions a hook runs, so that the linker can lay them side by side.
//!
//! A process that lives a millisecond pays for each window of sixteen pages that it touches. The
//! list is kept with the code; one that is out of date costs page faults, never correctness, and
//! `cargo xtask gates` counts those. It names each function twice: by its whole name, with the hashes
//! of this compiler and these versions, and behind all of them without, for others: there are many
//! functions of one name that differ in nothing else, and most of them no hook ever runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, ExitCode};

use crate::bench::payload::{Event, Size};
use crate::bench::world::World;
use crate::error::Error;
use crate::{gates, host, orphans, print, release};

/// The linker's script, beside the build script that hands it over.
const SCRIPT: &str = "crates/windlass/hook.ld";

/// What is played, the most frequent first: it gets the first place.
const PLAYED: [(Event, Size); 6] = [
    (Event::PostToolBatch, Size::Small),
    (Event::PostToolBatch, Size::Medium),
    (Event::UserPromptSubmit, Size::Small),
    (Event::PostToolBatch, Size::Small),
    (Event::Stop, Size::Small),
    (Event::SessionStart, Size::Small),
];

/// What somebody knows, and how it is asked for.
const KNOWN: &str = "The warehouse importer drops leases whose tenant has no quota";
const ASKED: [&str; 2] = [KNOWN, "why does the warehouse importer drop the leases of a tenant?"];

/// Plays the events under the eyes of a tracer and writes the script.
pub(crate) fn run() -> Result<ExitCode, Error> {
    orphans::adopt()?;
    let binary = release::build_static()?;
    let functions = functions(&host::output(Command::new("nm").arg("-nS").arg(&binary))?);
    let starts: Vec<_> = functions.keys().copied().collect();
    let world = World::new()?;
    let session = world.session("layout")?;
    // A prompt that is told something is played last: it has functions of its own.
    session.run(&binary, &["remember", KNOWN, "--category", "discovery"])?;
    let played = PLAYED.map(|(event, size)| (session.payload(event, size), false));
    let asked = ASKED.map(|words| (session.prompt_of(words), true));
    let (mut seen, mut names) = (BTreeSet::new(), Vec::new());
    for (payload, is_told) in played.into_iter().chain(asked) {
        let call = session.hook(&binary);
        // What was told before is told again to who has lost it.
        call.output(&session.cleared())?;
        // The first of its kind makes what the others find.
        let said = call.output(&payload)?;
        if is_told && said.is_empty() {
            return Err(Error::Unexpected { program: "windlass hook".to_owned(), said });
        }
        call.output(&session.cleared())?;
        let Some(reached) = gates::reached(&call, &payload, &starts)? else {
            print::line("Skipped: ptrace is not permitted here.");
            return Ok(ExitCode::SUCCESS);
        };
        let new = reached.into_iter().filter(|it| seen.insert(*it));
        names.extend(new.filter_map(|it| functions.get(&it)).cloned());
    }
    orphans::wait_for_all()?;
    world.check()?;
    let path = host::root().join(SCRIPT);
    fs::write(&path, script(&names)).map_err(Error::file("write", &path))?;
    print::line(format!("{} functions in {SCRIPT}.", names.len()));
    Ok(ExitCode::SUCCESS)
}

/// The names of functions out of `nm -nS`, by where they begin.
fn functions(table: &str) -> BTreeMap<u64, String> {
    let functions = table.lines().filter_map(|line| {
        let [start, _size, kind, name] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        let start = u64::from_str_radix(start, 16).ok()?;
        let is_code = matches!(kind, "t" | "T" | "w" | "W");
        is_code.then(|| (start, name.to_owned()))
    });
    functions.collect()
}

/// The name without the hashes that change with every version of a crate or of the compiler.
fn pattern(name: &str) -> String {
    let mut rest = name.split(".llvm.").next().unwrap_or(name);
    if let Some((stable, _)) = rest.rsplit_once("17h").filter(|_| name.starts_with("_ZN")) {
        return format!("{stable}17h*");
    }
    // One of C's.
    if !name.starts_with("_R") {
        return name.to_owned();
    }
    let mut pattern = String::new();
    while let Some((before, behind)) = rest.split_once("Cs") {
        let hash = behind.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if behind.as_bytes().get(hash) == Some(&b'_') {
            pattern.push_str(before);
            pattern.push_str("Cs*");
            rest = &behind[hash..];
        } else {
            pattern.push_str(before);
            pattern.push_str("Cs");
            rest = behind;
        }
    }
    pattern + rest + "*"
}

/// The name as it is, but for a number that changes with every build.
fn whole(name: &str) -> String {
    name.split_once(".llvm.").map_or_else(|| name.to_owned(), |(name, _)| format!("{name}*"))
}

fn script(names: &[String]) -> String {
    let mut text = String::from(
        "/* The functions of a hook, side by side, in the order in which it comes to them.\n   \
         Made by `cargo xtask layout`. */\n\
         SECTIONS\n{\n  .text.hook :\n  {\n",
    );
    let mut written = BTreeSet::new();
    let patterns = names.iter().map(|it| whole(it)).chain(names.iter().map(|it| pattern(it)));
    for name in patterns.filter(|it| written.insert(it.clone())) {
        // Writing to a string cannot fail.
        #[expect(clippy::let_underscore_must_use, reason = "a string takes everything")]
        let _ = writeln!(text, "    *(.text.{name})");
    }
    text.push_str("  }\n}\nINSERT BEFORE .text;\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_what_has_a_size_and_is_code() {
        let table = "0000000000401000 0000000000000010 t first\n\
                     0000000000401010 t label\n\
                     0000000000401018 0000000000000004 r table\n\
                     0000000000401020 0000000000000008 T second\n";
        let expected = [(0x0040_1000, "first".to_owned()), (0x0040_1020, "second".to_owned())];
        assert_eq!(functions(table), BTreeMap::from(expected));
    }

    #[test]
    fn a_pattern_holds_no_hash() {
        let old = "_ZN8windlass5input4read17h0123456789abcdefE.llvm.42";
        assert_eq!(pattern(old), "_ZN8windlass5input4read17h*");
        assert_eq!(pattern("_RNvNtCs6abc_3std2io4read"), "_RNvNtCs*_3std2io4read*");
        assert_eq!(pattern("sqlite3Step.isra.0"), "sqlite3Step.isra.0");
        assert_eq!(whole(old), "_ZN8windlass5input4read17h0123456789abcdefE*");
        assert_eq!(whole("sqlite3Step.isra.0"), "sqlite3Step.isra.0");
        let script = script(&[old.to_owned(), "memcpy".to_owned()]);
        let lines = script.lines().filter(|it| it.contains("*(")).map(str::trim);
        let expected = [whole(old), "memcpy".to_owned(), pattern(old)];
        assert!(lines.eq(expected.map(|it| format!("*(.text.{it})"))), "{script}");
    }
}

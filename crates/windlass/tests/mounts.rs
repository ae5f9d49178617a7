//! Homes on disks of our own: one that cannot be written, one that is full.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, binary, whole_records};

/// Runs a script with `$0` the binary and `$1` a payload, where `$HOME` can be mounted over.
/// Nothing where the system does not let us.
fn where_home_can_be_mounted(script: &str) -> Option<(Home, String)> {
    with_mounts(script, &[])
}

/// The same with more payloads, each in a file whose name ends so; `HOME` in them is the home.
pub(crate) fn with_mounts(script: &str, more: &[(&str, Value)]) -> Option<(Home, String)> {
    let home = Home::new();
    let payload = home.path().with_extension("payload");
    let stop = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/p"});
    fs::write(&payload, stop.to_string()).unwrap();
    let file = |name: &str| payload.with_extension(format!("payload.{name}"));
    for (name, event) in more {
        let text = event.to_string().replace("HOME", home.path().to_str().unwrap());
        fs::write(file(name), text).unwrap();
    }
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args([if root { "-m" } else { "-rm" }, "--", "/bin/sh", "-c", script]);
        command.arg(binary()).arg(&payload).env("HOME", home.path());
        command.output()
    };
    let allowed = unshare("mount -t tmpfs tmpfs \"$HOME\"").is_ok_and(|it| it.status.success());
    if !allowed {
        assert!(std::env::var_os("WINDLASS_RIG_REQUIRED").is_none(), "mounts are not allowed here");
        println!("skipped: mounts are not allowed here");
        return None;
    }
    let output = unshare(script).unwrap();
    fs::remove_file(&payload).unwrap();
    for entry in more {
        fs::remove_file(file(entry.0)).unwrap();
    }
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    Some((home, String::from_utf8(output.stdout).unwrap()))
}

#[test]
fn a_read_only_home_is_silence() {
    let script = r#"
        mount -t tmpfs tmpfs "$HOME" && mount -o remount,ro "$HOME" || exit 9
        "$0" hook < "$1"; echo "ended $?"
        ls -A "$HOME""#;
    let Some((_, said)) = where_home_can_be_mounted(script) else { return };
    assert_eq!(said, "ended 0\n");
}

#[test]
fn a_full_disk_is_silence_and_writes_resume_when_there_is_room() {
    let script = r#"
        mount -t tmpfs -o size=64k tmpfs "$HOME" || exit 9
        "$0" hook < "$1"; echo "before $?"
        dd if=/dev/zero of="$HOME/fill" bs=1k count=100 2> /dev/null
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            "$0" hook < "$1" || echo "failed $?"
        done
        rm "$HOME/fill"
        "$0" hook < "$1"; echo "after $?"
        cat "$HOME"/.local/share/windlass/journal/*"#;
    let Some((_, said)) = where_home_can_be_mounted(script) else { return };
    let (answers, journal) = said.split_once("after 0\n").expect("the last one ended well");
    assert_eq!(answers, "before 0\n");
    let (records, _torn) = whole_records(journal.as_bytes());
    assert!(records.len() >= 2, "the first and the last are there: {journal}");
    assert!(journal.ends_with('}'), "the last frame is whole");
}

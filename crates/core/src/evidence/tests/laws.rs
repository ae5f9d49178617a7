//! Lines that nobody writes: nothing panics, and the cost grows with the length.

use super::super::recognise::recognise_counted;
use super::super::shell::parse_counted;
use super::super::writes::writes_counted;
use super::super::{Status, Writes, judge, recognise, writes};
use crate::{Excerpt, Outcome};

/// A deterministic source of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    " ", " ", " ", " ", "\n", ";", "&&", "||", "|", "|&", "&", "(", ")", "{ ", "; }", "$(", "`", "'", "\"",
    "\\", "$'", "${", "}", "((", "))", "[[", "]]", "#", "!", "<", ">", ">>", "<<EOF\n", "<<-'E'", "EOF\n",
    "2>&1", "&>", "<<<", "if ", "then ", "else ", "fi", "for ", "in ", "do ", "done", "while ", "case ", "esac",
    ";;", "function ", "f()", "A=b ", "A=(", "cargo ", "test ", "build ", "make ", "npm ", "run ",
    "pytest ", "python ", "-m ", "-c ", "bash ", "-lc ", "sh ", "eval ", "xargs ", "env ", "timeout ", "5 ",
    "sudo ", "cd ", "..", "-", "--", "-C ", "set -e", "set -o pipefail", "exit ", "$?", "echo ",
    "${PIPESTATUS[0]}",
    "rc=$?", "$rc", "tail ", "head ", "log ", "docker ", "compose ", "exec ", "uv ", "yarn ", "workspace ",
    "nix ", "mise ", "tox ", "-e ", "go ", "+nightly ", "é", "😀", "\u{301}", "\u{a0}", "\0", "\r", "\t",
    "--watch ", "--help ",
    "test result: ok. 5 passed; 0 failed", "1 failed", "5 passed in 0.1s", "OK", "Ran 5 tests", "Tests: ",
    "FAIL", "=", "\u{1b}[", "\u{1b}]", "m", "0", "99999999999999999999999", "% tests passed, ", "found ",
    "errors ",
];

fn mixture(random: &mut Random, pieces: usize) -> String {
    (0..pieces).map(|_| PIECES[random.below(PIECES.len())]).collect()
}

fn noise(random: &mut Random, bytes: usize) -> String {
    let bytes: Vec<u8> = (0..bytes).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn check(text: &str) {
    let runs = recognise(text, &[]);
    assert!(runs.len() <= 64);
    for run in runs {
        assert!(run.command.chars().count() <= 160 && run.tool.chars().count() <= 60, "{text:?}");
        assert!(!run.command.contains(char::is_control), "{text:?}");
    }
    writes(text, &[]);
    let (_, looks) = parse_counted(text);
    assert!(looks <= 64 * text.len() + 64, "{looks} looks at {} bytes: {text:?}", text.len());
}

#[test]
fn any_line_can_be_looked_at() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for round in 0..30_000 {
        let pieces = 1 + random.below(30);
        check(&mixture(&mut random, pieces));
        if round % 10 == 0 {
            check(&noise(&mut random, 60));
        }
    }
}

#[test]
fn any_output_can_be_judged() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let commands =
        ["cargo test | tail", "pytest", "npm test; echo \"exit: $?\"", "make &", "npx jest"];
    let runs: Vec<_> = commands.iter().flat_map(|it| recognise(it, &[])).collect();
    assert_eq!(runs.len(), commands.len());
    for _ in 0..3_000 {
        let pieces = 1 + random.below(20);
        let output = Excerpt::of(mixture(&mut random, pieces));
        for run in &runs {
            for told in [Outcome::Passed, Outcome::Failed(Some(1)), Outcome::Unknown] {
                let detail = judge(run, told, &output).detail.unwrap_or_default();
                assert!(detail.chars().count() <= 120 && !detail.contains(char::is_control));
            }
        }
    }
}

/// What nests, repeats or never ends, as long as a line may be.
#[test]
fn the_cost_of_a_line_grows_with_its_length() {
    let pieces = [
        "(",
        "((",
        "{ ",
        "$(",
        "\"$(",
        "`",
        "${",
        "'",
        "\"",
        "\\",
        "<<E ",
        "<<E\n",
        "a;",
        "a|",
        "a&&",
        "a||",
        "a &",
        "1>",
        "> a ",
        "if a; then ",
        "for a in b; do ",
        "case a in b) ",
        "f() ",
        "A=(",
        "A=b ",
        "# \n",
        "-",
        "env ",
        "bash -c '",
        "cargo test;",
        "make>a;",
        "tail a;",
        "echo $a;",
        "a=$?;",
        "yarn ",
        "timeout 1 ",
        "cd a;",
        "((1+",
        "[[ a ",
        "é",
        "\n",
        "exit 1||",
        "a||exit 1&&",
    ];
    for piece in pieces {
        for count in [100, 8_000 / piece.len()] {
            let text = piece.repeat(count);
            check(&text);
            check(&format!("cargo test {text}"));
        }
    }
    assert_eq!(recognise(&format!("cargo test {}", "a ".repeat(5_000)), &[]), []);
}

/// Lines of many commands, within what is read of a line and far beyond.
#[test]
fn only_so_many_commands_of_a_line_are_looked_at() {
    for piece in
        ["a;", "cargo test;", "ls|wc;", "echo $(a);", "bash -c 'a;b;c';", "if a; then b; fi;"]
    {
        for bytes in [8_000, 100_000] {
            let text = piece.repeat(bytes / piece.len());
            let (runs, looks) = recognise_counted(&text, &[]);
            assert!(looks <= 64 && runs.len() <= 64, "{piece}: {looks} looks");
            let (found, looks) = writes_counted(&text, &[]);
            assert!(looks <= 64, "{piece}: {looks} looks");
            assert_eq!(found, Writes::Maybe, "{piece}");
        }
    }
}

/// What a line ends with is what counts, and what nobody looked at may write.
#[test]
fn of_too_many_commands_the_last_ones_are_looked_at() {
    let many = "pwd; ".repeat(200);
    let runs = recognise(&format!("cd x; cargo build; {many}cargo test"), &[]);
    let found: Vec<_> = runs.iter().map(|it| (it.tool.as_str(), it.status)).collect();
    assert_eq!(found, [("cargo test", Status::Told)]);
    assert_eq!(runs[0].directory.as_deref(), Some("x"));
    assert_eq!(writes(&format!("{many}pwd"), &[]), Writes::Maybe);
    assert_eq!(writes(&format!("{many}rm a"), &[]), Writes::Maybe);
    assert_eq!(writes(&"pwd; ".repeat(60), &[]), Writes::No);
    // What stands in a word counts, too.
    let inner = format!("bash -c '{}'", "pwd; ".repeat(100));
    assert_eq!(writes(&inner, &[]), Writes::Maybe);
}

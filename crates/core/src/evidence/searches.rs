//! Whether a command line looks for files or text.

use super::line::{Line, Part, Simple, Step, Word};
use super::shell::parse;
use super::unwrap::{program, skip_options, valued};

/// Lines within lines that are looked at.
const MAX_DEPTH: usize = 3;

/// Programs that look for files or text.
#[rustfmt::skip]
const SEARCHES: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rgrep", "rg", "rga", "ripgrep", "ugrep", "ag", "ack", "pt", "sift", "find", "bfs",
    "fd", "fdfind", "locate", "plocate", "mdfind", "ast-grep", "sg", "semgrep", "csearch",
];

/// Programs that look for text where their words say so.
const MAYBE_SEARCHES: &[&str] = &["git", "awk", "sed", "jq"];

/// Options by which git looks for text in what was done.
const HISTORY_SEARCHES: &[&str] = &["-S", "-G", "--grep", "--pickaxe-regex", "--find-object"];

/// Programs that show files: who filters what they show looks into files.
const SHOWS: &[&str] = &[
    "cat", "bat", "head", "tail", "ls", "tree", "git", "find", "fd", "sed", "awk", "zcat", "xargs",
];

/// Tells whether a command line looks for files or text. What only filters the output of another
/// command, such as `cargo test | grep FAILED`, does not.
pub fn searches(command: &str) -> bool {
    text_searches(command, 0)
}

fn text_searches(command: &str, depth: usize) -> bool {
    // Most lines are none, and need not be taken apart.
    depth < MAX_DEPTH
        && SEARCHES.iter().chain(MAYBE_SEARCHES).any(|it| command.contains(it))
        && parse(command).is_some_and(|it| line_searches(&it, command, depth))
}

fn line_searches(line: &Line, command: &str, depth: usize) -> bool {
    let mut steps = line.chains.iter().flat_map(|it| &it.steps);
    steps.any(|it| step_searches(it, command, depth))
}

fn step_searches(step: &Step, command: &str, depth: usize) -> bool {
    let shows = |it: &Part| match it {
        Part::Simple(simple) => {
            bare(simple).first().is_some_and(|it| SHOWS.contains(&program(&it.text)))
        }
        Part::Group(_) => false,
    };
    step.pipe.iter().enumerate().any(|(at, part)| match part {
        Part::Simple(simple) => {
            let is_filter = at > 0 && !step.pipe[..at].iter().any(shows);
            simple_searches(simple, command, is_filter, depth)
        }
        Part::Group(group) => group.lines.iter().any(|it| line_searches(it, command, depth)),
    })
}

fn simple_searches(simple: &Simple, command: &str, is_filter: bool, depth: usize) -> bool {
    let mut within = simple.words.iter().flat_map(|it| &it.commands);
    if within.any(|it| command.get(it.0..it.1).is_some_and(|it| text_searches(it, depth + 1))) {
        return true;
    }
    if let Some((at, _)) = simple.look(&[]).line {
        return simple.words.get(at).is_some_and(|it| text_searches(&it.text, depth + 1));
    }
    let words = bare(simple);
    let Some(first) = words.first() else { return false };
    // A filter has a pattern and no file.
    let plain = words[1..].iter().filter(|it| !it.text.starts_with('-')).count();
    let has_file = !is_filter || plain > 1;
    match program(&first.text) {
        "git" => {
            let at = skip_options(words, 1, valued("git"));
            let rest = words.get(at + 1..).unwrap_or_default();
            words.get(at).is_some_and(|it| match it.text.as_str() {
                "grep" => true,
                "log" | "show" | "rev-list" | "whatchanged" | "reflog" => rest
                    .iter()
                    .take_while(|it| it.text != "--")
                    .any(|it| searches_history(&it.text)),
                _ => false,
            })
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            has_file
                && words[1..].iter().any(|it| {
                    !it.text.starts_with('/') && has_pattern(&it.text)
                        || it.text.starts_with('/') && is_address(&it.text)
                })
        }
        "sed" | "gsed" => {
            let is_quiet = |it: &Word| {
                it.text == "--quiet"
                    || it.text == "--silent"
                    || it.text.starts_with('-')
                        && !it.text.starts_with("--")
                        && it.text.contains('n')
            };
            let is_edit =
                |it: &Word| it.text.starts_with("--in-place") || it.text.starts_with("-i");
            has_file
                && words[1..].iter().any(is_quiet)
                && !words[1..].iter().any(is_edit)
                && words[1..].iter().any(|it| is_address(&it.text))
        }
        "jq" | "yq" | "gojq" => has_file && (plain > 1 || !is_filter && plain > 0),
        "xargs" => words[1..].iter().any(|it| SEARCHES.contains(&program(&it.text))),
        name if !SEARCHES.contains(&name) => false,
        _ => has_file,
    }
}

/// Whether an option of git looks for text: `-Sname`, `--grep=name`, `-S name`.
fn searches_history(word: &str) -> bool {
    HISTORY_SEARCHES.iter().any(|it| match word.strip_prefix(it) {
        Some(rest) => rest.is_empty() || !it.starts_with("--") || rest.starts_with('='),
        None => false,
    })
}

/// Whether a word of a script has a pattern between two slashes.
fn has_pattern(word: &str) -> bool {
    word.contains(['~', '{', '(']) && word.matches('/').count() >= 2 || is_address(word)
}

/// Whether a word begins with a pattern between two slashes, and is no path: `/x/p`, `/x/,/y/p`.
fn is_address(word: &str) -> bool {
    let Some((_, after)) = word.strip_prefix('/').and_then(|it| it.rsplit_once('/')) else {
        return false;
    };
    let command = after.trim_start_matches(['I', '!', ' ']);
    command.is_empty()
        || command.starts_with(['p', '{', ',', ';', '=']) && command.len() <= 2
        || command.starts_with(['{', ',', ';'])
}

/// The words of a command, without what stands before its program.
fn bare(simple: &Simple) -> &[Word] {
    let at = simple.look(&[]).at.min(simple.words.len());
    &simple.words[at..]
}

#[cfg(test)]
mod tests {
    use super::searches;

    #[test]
    fn looking_for_files_or_text_is_a_search() {
        for line in [
            "grep -rn TODO src",
            "rg 'fn main'",
            "cd src && grep -n x a.rs",
            "find . -name '*.rs'",
            "git grep -n parse",
            "git -C sub grep parse",
            "ag parse src",
            "fd '\\.rs$'",
            "sudo find / -name x",
            "time rg x",
            "cat a.rs | grep x",
            "ls -R | grep x",
            "find . -name a | xargs grep x",
            "for f in *.rs; do grep -n x $f; done",
            "bash -c 'rg x'",
            "echo $(grep -c x a.rs)",
            "cargo test; grep -n x log",
            "cargo test 2>&1 | grep -n x log.txt",
            "git log -S parse_header",
            "git log -Sparse_header --oneline",
            "git log -G 'fn parse' -- src",
            "git log --grep=cache",
            "git log --grep cache",
            "git --no-pager log --all --grep='cache'",
            "awk /parse/ src/a.rs",
            "awk '/parse/ {print NR}' src/a.rs",
            "awk '$1 ~ /parse/' src/a.rs",
            "cat a.rs | awk '/x/'",
            "sed -n /parse/p src/a.rs",
            "sed -n '/begin/,/end/p' src/a.rs",
            "sed -nE '/a|b/p' a.rs",
            "jq '.scripts' package.json",
            "jq -r '.[] | select(.name == \"x\")' a.json",
            "cat a.json | jq .name",
        ] {
            assert!(searches(line), "{line}");
        }
    }

    #[test]
    fn what_only_names_a_search_or_filters_a_run_is_none() {
        for line in [
            "cargo test",
            "cargo test 2>&1 | grep FAILED",
            "npm run build | grep -v warning",
            "echo grep",
            "git log --oneline",
            "git log -- -S",
            "git commit -S -m x",
            "git diff --stat",
            "awk '{print $1}' a.txt",
            "cargo test | awk '/FAILED/'",
            "sed -i /x/d a.rs",
            "sed -n 1,20p a.rs",
            "sed -n 1,20p /usr/share/a",
            "cargo metadata | jq .packages",
            "curl -s x | jq .",
            "vim findings.md",
            "cat ripgrep.toml",
            "ls",
            "",
            "echo 'open",
        ] {
            assert!(!searches(line), "{line}");
        }
    }
}

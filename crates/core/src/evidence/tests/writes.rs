use super::super::{Pattern, RunKind, Writes, writes};

#[rustfmt::skip]
const NO: &[&str] = &[
    "ls -la", "cat src/a.rs | head -20", "grep -rn 'a > b' src", "rg pattern | wc -l", "git status",
    "git log --oneline -5", "git diff HEAD~1 -- src", "git -C x show", "git --no-pager diff", "cd x && pwd",
    "echo hello",
    "echo 'a > b'", "echo \"x\" 2>&1", "ls > /dev/null 2>&1", "ls 2>/dev/null",
    "cargo test > /tmp/log 2>&1; tail /tmp/log", "cargo test", "cargo build --release",
    "npx tsc --noEmit && npx eslint .", "pytest -q | tail -5", "make test",
    "find . -name '*.rs' | xargs grep foo", "find . -name x -exec grep y {} +", "sed -n '1,20p' a.rs",
    "awk '{print $1}' a", "sort a | uniq -c", "jq .a b.json", "curl -s http://localhost/x", "git stash list",
    "git add -A && git commit -m 'a > b'",
    "git commit -m \"$(cat <<'EOF'\nrm -rf x > y\nEOF\n)\"", "git push", "A=b",
    "A=$(git rev-parse HEAD); echo $A", "for f in *.rs; do wc -l $f; done", "if [ -f a ]; then cat a; fi",
    "[[ -f a ]] && cat a", "bash -c 'ls | head'", "timeout 5 ls",
    "cargo --version", "cargo test --help", "foo --help", "time { ls; }", "node --version", "npm ls",
    "docker ps", "kubectl get pods", "gh pr view 3", "mkdir -p target", "rm -rf /tmp/x", "cp a /tmp/b",
    "ls | tee /tmp/out", "tar tf a.tar", "sleep 5", "/usr/bin/git status", "which python",
    "cargo clippy -- -D warnings", "",
    "f() { rm x; }", "cargo tree", "git apply --check a.patch", "python3 --version",
    "source .venv/bin/activate && pytest", "deno test -A", "npx eslint --format json .",
    "bundle exec rspec --format doc", "uniq a", "cargo fmt --check",
];

#[rustfmt::skip]
const YES: &[&str] = &[
    "bash <<'EOF'\nsed -i s/a/b/ x\nEOF", "echo x > a", "echo x >> a", "cat > a <<'EOF'\nx\nEOF", "ls &> log", "ls | tee log", "sed -i 's/a/b/' f",
    "sed -i.bak s/a/b/ f", "sed -Ei s/a/b/ f", "perl -pi -e s/a/b/ f", "mv a b", "cp a b", "rm a", "touch a",
    "git checkout -- a", "git checkout main", "git apply p",
    "git stash", "git stash pop", "git reset --hard", "git pull", "git restore a", "git merge x",
    "git -C x rebase y", "cargo fix --allow-dirty", "cargo clippy --fix", "cargo add serde",
    "npx eslint --fix .", "ruff check --fix .",
    "go generate ./...", "go mod tidy", "npm install", "npm ci", "yarn add x",
    "pnpm i", "uv sync", "patch -p1 < a", "find . -name x -delete", "find . -exec rm {} +",
    "curl -o a http://x", "wget http://x", "tar xf a.tar", "unzip a.zip", "ls && rm -rf src",
    "cargo test; git stash pop", "bash -c 'echo x > a'", "x=$(rm a)", "echo `mv a b`", "sudo mv a b",
    "timeout 5 cp a b", "ls | xargs rm", "ls | xargs sed -i s/a/b/", "(cd x && echo y > z)", "{ ls; } > out",
    "for f in *; do mv $f x; done", "npx jest -u", "biome check --write",
    "git worktree add x", "cp /tmp/a b", "rm /tmp/../home/x", "dd if=a of=b", "gh pr checkout 3",
    "npx vitest run --update", "sort -o a a", "ln -s a b", "bundle exec rubocop -A",
    "yq -i .a=1 b.yml", "uniq a b", "gh run download 3", "git diff --output=x",
];

#[rustfmt::skip]
const FORM: &[&str] = &[
    "cargo fmt", "npx prettier --write .", "ruff format", "black .", "gofmt -w .", "terraform fmt",
    "cargo test && cargo fmt --all", "ls | xargs rustfmt",
];

#[rustfmt::skip]
const MAYBE: &[&str] = &[
    "./script.sh", "python gen.py", "python -c 'open(1)'", "node x.js", "npm run generate", "cargo run",
    "make install", "foo", "$CMD x", "ls > $LOG", "bash x.sh", "awk '{print > \"f\"}' a", "echo 'open",
    "UPDATE=1 cargo test", "ssh host ls", "npx something", "docker compose up",
    "bash <<'EOF'\n./gen\nEOF", "just generate", "./cat", "bin/ls", "source x.sh", "fd -e rs -x sh {}",
    "pre-commit run -a", "trap 'rm x' EXIT", "java -jar x.jar",
];

#[test]
fn a_line_that_only_looks_changes_nothing() {
    for command in NO {
        assert_eq!(writes(command, &[]), Writes::No, "{command}");
    }
}

#[test]
fn a_line_that_changes_files_is_known() {
    for command in YES {
        assert_eq!(writes(command, &[]), Writes::Yes, "{command}");
    }
}

#[test]
fn a_formatter_changes_how_files_look() {
    for command in FORM {
        assert_eq!(writes(command, &[]), Writes::Form, "{command}");
    }
    assert_eq!(writes("cargo fmt; ./gen.sh", &[]), Writes::Maybe);
}

#[test]
fn what_is_not_known_may_change_anything() {
    for command in MAYBE {
        assert_eq!(writes(command, &[]), Writes::Maybe, "{command}");
    }
    let deep = (0..8).fold("ls".to_owned(), |it, _| format!("echo $({it})"));
    assert_eq!(writes(&deep, &[]), Writes::Maybe);
}

#[test]
fn runs_of_the_user_change_nothing() {
    let own = [Pattern { kind: RunKind::Test, words: vec!["./ci".to_owned(), "*".to_owned()] }];
    assert_eq!(writes("cd x && ./ci --all | tail", &own), Writes::No);
    assert_eq!(writes("bash -c ./ci", &own), Writes::No);
    assert_eq!(writes("./ci > log", &own), Writes::Yes);
    assert_eq!(writes("./cd", &own), Writes::Maybe);
}

#[test]
fn a_tool_of_a_server_that_may_write_is_known_by_its_name() {
    use super::super::writes_by_name;
    for name in ["mcp__fs__write_file", "mcp__ide__applyPatch", "mcp__x__create_directory"] {
        assert!(writes_by_name(name), "{name}");
    }
    for name in ["mcp__fs__read_file", "mcp__db__query", "mcp__browser__take_snapshot"] {
        assert!(!writes_by_name(name), "{name}");
    }
}

//! What programs do to the files of a working tree, by their names and subcommands.

use super::index::{Index, all};

pub(super) static LOOKS_INDEX: Index<&str, { LOOKS.len() }> = Index::of(LOOKS, &all(LOOKS));

/// Commands that only look, whatever their arguments.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "ls", "cat", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "ack", "tree", "wc", "file", "stat",
    "du", "df", "pwd", "cd", "pushd", "popd", "echo", "printf", "true", "false", ":", "test", "[", "[[", "((",
    "which", "whereis", "type", "whoami", "id", "uname", "hostname", "date", "env", "printenv", "export",
    "unset", "set", "shopt", "alias", "ulimit", "umask", "declare", "local", "readonly", "read", "return",
    "exit", "wait",
    "sleep", "kill", "pkill", "ps", "pgrep", "top", "lsof", "ss", "netstat", "ping", "dig", "nslookup", "host",
    "jobs", "fg", "bg", "less", "more", "cut", "tr", "nl", "tac", "rev", "fold", "column", "paste", "join",
    "comm", "diff", "cmp", "md5sum", "sha1sum", "sha256sum", "shasum", "cksum", "base64", "xxd", "hexdump",
    "od", "strings", "basename", "dirname", "realpath", "readlink", "seq", "bc", "expr", "jq", "nproc", "free",
    "uptime",
    "nm", "objdump", "readelf", "ldd", "otool", "mkdir", "rmdir", "clear", "history", "man", "nvm", "tput",
    "stty", "xargs", "tokei", "cloc", "scc", "bat", "batcat", "eza", "exa", "delta", "tig", "ts", "nvidia-smi",
    "ssh-add",
];

/// Commands that are there to change files.
#[rustfmt::skip]
pub(super) const CHANGES: &[&str] = &[
    "mv", "cp", "rm", "ln", "touch", "dd", "truncate", "install", "rsync", "unzip", "patch", "rename", "shred",
    "split", "csplit", "wget", "ed", "ex", "standard", "goimports", "isort", "autoflake", "pyupgrade", "codemod", "jscodeshift", "sponge", "protoc", "buf", "sqlc",
    "openapi-generator", "swagger-codegen", "mockgen", "stringer", "cookiecutter", "degit",
];

/// Formatters.
#[rustfmt::skip]
pub(super) const FORMS: &[&str] = &[
    "gofmt", "autopep8", "yapf", "black", "prettier", "rustfmt", "clang-format", "shfmt",
    "stylua",
];

/// Subcommands that format.
#[rustfmt::skip]
pub(super) const FORMING: &[(&str, &[&str])] = &[
    ("cargo", &["fmt"]), ("go", &["fmt"]), ("ruff", &["format"]), ("biome", &["format"]), ("deno", &["fmt"]),
    ("dart", &["format"]), ("mix", &["format"]), ("terraform", &["fmt"]), ("zig", &["fmt"]),
    ("dotnet", &["format"]), ("prisma", &["format"]), ("buf", &["format"]),
];

/// Subcommands that only look.
#[rustfmt::skip]
pub(super) const LOOKING: &[(&str, &[&str])] = &[
    // A commit changes no file that it records; what its hooks do is theirs.
    ("git", &["status", "log", "diff", "show", "blame", "branch", "tag", "remote", "rev-parse", "rev-list",
        "describe", "ls-files", "ls-tree", "ls-remote", "cat-file", "grep", "shortlog", "reflog", "config",
        "fetch", "push", "add", "commit",
        "merge-base", "name-rev", "for-each-ref", "symbolic-ref", "check-ignore", "count-objects", "fsck", "gc",
        "help", "version", "whatchanged", "difftool", "diff-tree", "diff-index", "hash-object", "var", "notes",
        "bisect-log"]),
    ("cargo", &["tree", "metadata", "search", "locate-project", "pkgid", "doc", "bench", "version", "audit",
        "outdated", "deny", "bloat", "expand", "login", "help", "fetch", "llvm-lines", "machete", "clean"]),
    ("go", &["list", "env", "version", "doc", "help"]),
    ("npm", &["ls", "list", "view", "info", "outdated", "audit", "why", "explain", "whoami", "help", "search",
        "config"]),
    ("pnpm", &["ls", "list", "why", "outdated", "audit"]),
    ("yarn", &["why", "info", "list", "outdated"]), ("pip", &["list", "show", "freeze", "check", "search"]),
    ("uv", &["tree", "version"]), ("poetry", &["show", "env", "version"]),
    ("docker", &["ps", "images", "logs", "inspect", "stats", "top", "version", "info", "pull", "port"]),
    ("kubectl", &["get", "describe", "logs", "top", "version", "explain", "config"]),
    ("rustup", &["show", "which", "toolchain", "component", "target"]),
    ("gh", &["pr", "issue", "run", "api", "auth", "search", "workflow", "release", "browse"]),
    ("systemctl", &["status", "list-units"]),
    ("tmux", &["ls", "capture-pane", "list-sessions", "kill-session"]), ("brew", &["list", "info", "search"]),
    ("apt", &["list", "search", "show"]),
    ("terraform", &["plan", "show", "output", "version", "providers"]), ("helm", &["list", "template", "show"]),
    ("ruff", &["rule", "version", "linter"]), ("windlass", &["status", "explain", "metrics", "doctor"]),
    ("conda", &["list", "info", "env"]),
];

/// Subcommands that are there to change files.
#[rustfmt::skip]
pub(super) const CHANGING: &[(&str, &[&str])] = &[
    ("git", &["checkout", "switch", "restore", "reset", "stash", "apply", "am", "merge", "rebase", "pull",
        "cherry-pick", "revert", "clean", "mv", "rm", "clone", "submodule", "worktree", "sparse-checkout",
        "lfs", "subtree", "bisect"]),
    ("cargo", &["fix", "add", "remove", "rm", "update", "new", "init", "generate", "set-version",
        "upgrade", "insta"]),
    ("go", &["fix", "generate", "get", "mod", "work"]),
    ("npm", &["install", "i", "add", "ci", "uninstall", "remove", "update", "dedupe", "init", "version",
        "pkg"]),
    ("pnpm", &["install", "i", "add", "remove", "update", "up", "dedupe", "init"]),
    ("yarn", &["install", "add", "remove", "upgrade", "up", "dedupe", "init"]),
    ("bun", &["install", "add", "remove", "update", "init", "i"]),
    ("uv", &["add", "remove", "sync", "lock", "init"]),
    ("poetry", &["add", "remove", "update", "lock", "install", "init"]), ("biome", &["migrate"]), ("deno", &["add"]),
    ("dart", &["fix"]), ("mix", &["deps.get", "gen"]), ("terraform", &["init"]), ("bundle", &["install", "update", "add"]),
    ("composer", &["install", "require", "update", "remove"]), ("dotnet", &["add", "new"]),
    ("rails", &["generate", "g", "destroy", "new", "db:migrate"]), ("swift", &["package"]),
    ("flutter", &["pub", "create"]), ("prisma", &["generate", "migrate"]),
    ("buf", &["generate"]), ("npx", &["degit"]), ("gh", &["repo", "checkout"]),
];

/// Options with which a tool that only looks changes what it looks at.
#[rustfmt::skip]
pub(super) const MENDS: &[&str] = &[
    "--fix", "--write", "--apply", "--unsafe-fixes", "--autocorrect", "--auto-correct", "--autocorrect-all",
    "--fix-only", "--allow-dirty", "--in-place", "--inplace", "--update", "--updateSnapshot",
    "--update-snapshots",
    "--update-snapshot", "--snapshot-update", "--inline-snapshot=fix", "--accept", "--bless", "--force-regen",
    "--update-goldens",
];

/// The same in one letter, for the programs that mean it so.
#[rustfmt::skip]
pub(super) const MENDS_OF: &[(&str, &[&str])] = &[
    ("rubocop", &["-a", "-A", "-x"]), ("standardrb", &["-a"]), ("jest", &["-u"]), ("vitest", &["-u"]),
    ("playwright", &["-u"]), ("ava", &["-u"]), ("bun", &["-u"]),
];

//! What programs print, by their names and subcommands: words of their own, or a text that they show.

/// Programs that only show text, whatever their arguments.
#[rustfmt::skip]
pub(super) const SHOWING: &[&str] = &[
    // Readers and searchers.
    "cat", "bat", "batcat", "tac", "nl", "head", "tail", "less", "more", "most", "view", "vim", "vi", "nvim",
    "nano", "emacs", "strings", "hexdump", "xxd", "od", "zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "lz4cat",
    "zless", "zmore", "xzless", "gunzip", "gzip", "bunzip2", "bzip2", "xz", "unxz", "zstd", "unzstd", "unzip",
    "7z", "7za", "tar", "ar", "cpio", "base64", "base32", "openssl", "gpg", "age",
    "grep", "egrep", "fgrep", "zgrep", "bzgrep", "xzgrep", "zstdgrep", "rg", "ripgrep", "ag", "ack", "ugrep", "ug",
    "pt", "sift", "fzf", "look", "find", "fd", "fdfind",
    "sed", "gsed", "awk", "gawk", "mawk", "nawk", "cut", "sort", "uniq", "column", "paste", "join", "comm", "tr",
    "rev", "fold", "fmt", "pr", "expand", "unexpand", "split", "csplit", "shuf", "tsort", "envsubst", "m4",
    "jq", "yq", "jaq", "gron", "fx", "xq", "tomlq", "dasel", "mlr", "xsv", "qsv", "csvlook", "csvcut", "xmllint",
    "xmlstarlet", "pup", "htmlq", "w3m", "lynx", "links", "elinks", "pandoc", "glow", "mdcat", "mdless", "rich",
    "pdftotext", "antiword", "highlight", "pygmentize", "chroma", "diff", "colordiff", "delta", "difft", "icdiff",
    "sdiff", "cmp", "patch", "diffstat", "interdiff", "dyff", "man", "info", "tldr", "cheat", "apropos", "whatis",
    "open", "xdg-open", "code", "explorer", "vimdiff", "gvimdiff", "nvimdiff", "brotli", "unbrotli", "lzop", "frawk", "goawk",
    "hck", "choose", "vd", "visidata", "mc", "ov", "moar", "escript", "cpp",
    // Literals.
    "print", "yes", "seq", "figlet", "toilet", "cowsay", "lolcat", "banner", "tput", "logger",
    "history", "fc", "compgen", "declare", "typeset", "env", "printenv",
    "pbpaste", "xclip", "xsel", "wl-paste", "osascript",
    // Logs and screens.
    "mutt", "neomutt", "mail", "newsboat", "k9s", "wevtutil", "journalctl", "dmesg", "last", "lnav", "multitail", "stern", "kail", "kubetail", "loki", "logcli", "logtail",
    "humanlog", "pino-pretty", "bunyan", "ccze", "goaccess", "tmux", "screen", "zellij", "asciinema", "ttyplay",
    "scriptreplay", "dtach", "abduco", "syslog", "lastlog", "ausearch", "log",
    // Agents and models print prose.
    "claude", "codex", "gemini", "copilot", "aider", "goose", "opencode", "qwen", "cursor-agent", "amp", "llm",
    "ollama", "chatgpt", "sgpt", "mods", "fabric", "windlass",
    // Version control shows the past; git stands in its own table.
    "hg", "svn", "jj", "fossil", "bzr", "p4", "tig", "gitk", "lazygit", "cvs", "darcs", "pijul", "sl",
];

/// Programs that ask a server or a service.
#[rustfmt::skip]
pub(super) const SERVICES: &[&str] = &[
    "curl", "wget", "http", "https", "httpie", "xh", "curlie", "aria2c", "nc", "ncat", "socat", "telnet", "ftp",
    "sftp", "scp", "rsync", "gh", "glab", "hub", "tea", "jira", "az", "aws", "gcloud", "gsutil", "bq", "s3cmd",
    "rclone", "heroku", "fly", "flyctl", "vercel", "netlify", "railway", "render", "doctl", "wrangler", "sentry-cli",
    "datadog", "newrelic", "argo", "argocd", "flux", "tkn", "bk", "buildkite-agent", "travis", "appveyor",
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "redis-cli", "mongosh", "mongo", "clickhouse-client",
    "cqlsh", "sqlplus", "sqlcmd", "isql", "usql", "trino", "presto", "snowsql", "influx", "cypher-shell", "linear", "promtool", "etcdctl", "consul", "vault", "kafkacat", "kcat", "mosquitto_sub", "rabbitmqctl",
];

/// Programs that print nothing of weight.
#[rustfmt::skip]
pub(super) const SILENT: &[&str] = &[
    "cd", "pushd", "popd", "export", "set", "unset", "true", "false", ":", "pwd", "mkdir", "rmdir", "sleep", "date",
    "shopt", "ulimit", "alias", "umask", "clear", "touch", "local", "readonly", "trap", "nvm", "wait", "rm", "mv",
    "cp", "ln", "chmod", "chown", "chgrp", "test", "[", "[[", "((", "exit", "return", "kill", "pkill", "killall",
    "jobs", "read", "shift", "let", "tee", "ls", "eza", "exa", "lsd", "tree", "stat", "file", "wc", "locate", "du",
    "df", "which", "type", "basename", "dirname", "realpath", "readlink", "sha256sum", "md5sum", "truncate", "sync", "whoami", "hostname", "uname", "id", "nproc",
];

/// Subcommands of git whose hooks may run anything.
pub(super) const GIT_HOOKS: &[&str] =
    &["commit", "push", "merge", "rebase", "am", "pull", "hook", "bisect", "cherry-pick"];

/// Subcommands of git that show nothing of the past.
#[rustfmt::skip]
pub(super) const GIT_QUIET: &[&str] = &[
    "add", "stash", "checkout", "switch", "reset", "restore", "rm", "mv", "status", "branch", "rev-parse", "worktree",
    "fetch", "clean", "init", "submodule",
];

/// Programs that run containers.
pub(super) const CONTAINERS: &[&str] =
    &["docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc"];

/// Subcommands of container programs that run something; their other ones show.
pub(super) const CONTAINER_RUNS: &[&str] =
    &["run", "exec", "up", "build", "start", "compose", "container", "buildx", "bake", "debug"];

/// Words by which any program says that it shows something.
#[rustfmt::skip]
pub(super) const SHOWING_WORDS: &[&str] = &[
    "log", "logs", "show", "view", "cat", "print", "trace", "tail", "history", "blame", "diff", "get", "describe",
    "dump", "replay", "list", "ls", "search", "grep", "status", "info", "help", "read", "report", "summary",
    "inspect", "watch", "console", "viewer", "serve", "logcat", "export", "download", "fetch", "config", "explain", "open", "display", "output", "artifacts",
];

/// Endings of files that hold text and run nothing.
#[rustfmt::skip]
pub(super) const TEXT_ENDINGS: &[&str] = &[
    "log", "txt", "md", "rst", "out", "err", "json", "jsonl", "ndjson", "xml", "html", "csv", "tsv", "gz", "bz2", "xz",
    "zst", "zip", "lz4", "tap", "trx", "junit", "cast", "typescript", "diff", "patch", "pdf", "eml", "mbox",
];

/// Interpreters that take a program in an option or from their input.
pub(super) const INTERPRETERS: &[&str] = &[
    "python", "pypy", "node", "nodejs", "deno", "bun", "tsx", "ts-node", "ruby", "perl", "php",
    "lua", "Rscript", "R", "julia", "elixir", "groovy", "scala", "jshell", "clojure", "clj",
    "racket", "guile", "runghc", "kotlin", "bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh",
];

/// Options that carry a program.
pub(super) const INLINE: &[&str] =
    &["-c", "-e", "-E", "-p", "-r", "-ne", "-pe", "-ane", "-nle", "-", "--eval", "--print", "eval"];

/// Programs that build or check, and run tests where the project says so.
#[rustfmt::skip]
pub(super) const TESTING_TOOLS: &[&str] = &[
    "cmake", "meson", "samu", "scons", "tup", "xmake", "ant", "pre-commit", "prek", "docker", "docker-compose", "podman", "nix",
    "nix-build", "earthly", "dotnet", "msbuild", "bazel", "bazelisk", "buck2", "dune", "zig", "stack", "cabal", "dub", "nimble",
    "shards", "hatch", "poetry", "pants", "tuist", "xcodebuild", "swift", "forge", "rebar3", "mdbook",
];

/// Editors that run a program of theirs without a screen, and the options with which they do.
pub(super) const BATCH_EDITORS: &[(&[&str], &[&str])] = &[
    (&["emacs", "emacs-nox"], &["-batch", "--batch", "-script", "--script", "-x"]),
    (&["nvim"], &["--headless", "-es", "-Es", "-l"]),
    (&["vim", "ex", "vi"], &["-es", "-Es", "-e", "-E"]),
];

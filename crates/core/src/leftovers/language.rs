//! The languages, by file name: a table.

use super::dialect::{
    ADA, C, CSHARP, CSS, DART, DOCKER, ELIXIR, ERLANG, FSHARP, GO, HASKELL, JAVA, JAVASCRIPT,
    JULIA, KOTLIN, LISP, LUA, MAKE, MARKUP, NIM, NIX, OCAML, PERL, PHP, PHP_FILE, POWERSHELL,
    PYTHON, R, RUBY, RUST, SCALA, SCSS, SHELL, SQL, SWIFT, TERRAFORM, TOML, VIM, XML, YAML, ZIG,
};
use super::syntax::Syntax;

/// The language of a file by its name; by its first line where the name does not tell.
pub(super) fn of(path: &str, text: &str) -> Option<&'static Syntax> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    if let Some(row) = NAMES.iter().find(|row| row.0.contains(&lower.as_str())) {
        return Some(row.1);
    }
    match lower.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => by_extension(extension),
        _ => by_prefix(&lower).or_else(|| by_interpreter(text)),
    }
}

fn by_extension(extension: &str) -> Option<&'static Syntax> {
    EXTENSIONS.iter().find(|row| row.0.contains(&extension)).map(|row| row.1)
}

fn by_prefix(name: &str) -> Option<&'static Syntax> {
    let known = name.starts_with("dockerfile") || name.starts_with("containerfile");
    known.then_some(&DOCKER)
}

fn by_interpreter(text: &str) -> Option<&'static Syntax> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let line = &line[..line.floor_char_boundary(200)];
    let mut words = line.split(['/', ' ', '\t']);
    words.find_map(|word| {
        let word = word.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
        INTERPRETERS.iter().find(|row| row.0.contains(&word)).map(|row| row.1)
    })
}

type Row = (&'static [&'static str], &'static Syntax);

const NAMES: &[Row] = &[
    (&["makefile", "gnumakefile", "justfile", "cmakelists.txt", ".gitignore", ".env"], &MAKE),
    (&["rakefile", "gemfile", "podfile", "vagrantfile", "brewfile", "fastfile"], &RUBY),
    (&["build", "workspace", "build.bazel", "sconstruct"], &PYTHON),
    (&["jenkinsfile"], &JAVA),
    (&[".bashrc", ".zshrc", ".profile", ".bash_profile", ".envrc", "pkgbuild"], &SHELL),
    (&[".vimrc"], &VIM),
];

const INTERPRETERS: &[Row] = &[
    (&["sh", "bash", "zsh", "dash", "ksh", "fish"], &SHELL),
    (&["python", "pypy"], &PYTHON),
    (&["node", "deno", "bun", "tsx", "ts-node"], &JAVASCRIPT),
    (&["ruby"], &RUBY),
    (&["perl"], &PERL),
    (&["php"], &PHP),
    (&["lua", "luajit"], &LUA),
    (&["rscript", "Rscript"], &R),
    (&["make"], &MAKE),
    (&["elixir"], &ELIXIR),
    (&["escript"], &ERLANG),
];

const EXTENSIONS: &[Row] = &[
    (&["rs"], &RUST),
    (&["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "cu", "cuh", "ino"], &C),
    (&["proto", "thrift", "sol", "v", "sv", "glsl", "hlsl", "wgsl", "vert", "frag", "d"], &C),
    (&["cs", "csx"], &CSHARP),
    (&["java", "groovy", "gradle"], &JAVA),
    (&["kt", "kts"], &KOTLIN),
    (&["scala", "sc", "sbt"], &SCALA),
    (&["go"], &GO),
    (&["swift"], &SWIFT),
    (&["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"], &JAVASCRIPT),
    (&["vue", "svelte", "astro", "html", "htm", "xhtml"], &MARKUP),
    (&["xml", "xsd", "xsl", "xslt", "xaml", "csproj", "props", "targets", "plist"], &XML),
    (&["py", "pyi", "pyw", "pyx", "bzl", "star"], &PYTHON),
    (&["rb", "rake", "gemspec", "ru", "cr"], &RUBY),
    (&["php", "phtml", "php5", "inc"], &PHP_FILE),
    (&["sh", "bash", "zsh", "ksh", "fish", "bats"], &SHELL),
    (&["ps1", "psm1", "psd1"], &POWERSHELL),
    (&["pl", "pm", "t"], &PERL),
    (&["lua", "luau"], &LUA),
    (&["r"], &R),
    (&["jl"], &JULIA),
    (&["hs", "elm", "purs", "lhs"], &HASKELL),
    (&["ml", "mli", "mll", "mly"], &OCAML),
    (&["fs", "fsi", "fsx"], &FSHARP),
    (&["ex", "exs", "heex"], &ELIXIR),
    (&["erl", "hrl"], &ERLANG),
    (&["clj", "cljs", "cljc", "edn", "lisp", "cl", "el", "scm", "ss", "rkt"], &LISP),
    (&["dart"], &DART),
    (&["zig", "zon"], &ZIG),
    (&["nim", "nims"], &NIM),
    (&["sql", "psql", "ddl"], &SQL),
    (&["adb", "ads", "vhd", "vhdl"], &ADA),
    (&["css", "pcss"], &CSS),
    (&["scss", "less", "sass", "styl"], &SCSS),
    (&["yaml", "yml"], &YAML),
    (&["toml"], &TOML),
    (&["dockerfile", "containerfile"], &DOCKER),
    (&["mk", "mak", "cmake", "env", "properties", "ninja", "graphql", "gql", "awk"], &MAKE),
    (&["tf", "tfvars", "hcl"], &TERRAFORM),
    (&["nix"], &NIX),
    (&["vim"], &VIM),
];

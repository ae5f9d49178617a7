//! Comments and texts of each language: a table.

use super::syntax::{Family, Lines, Quirk, Quote, Syntax, long, raw, short};

const SLASHES: &[&str] = &["//"];
const STARS: &[(&str, &str)] = &[("/*", "*/")];
const HASH: &[&str] = &["#"];

pub(super) const RUST: Syntax = Syntax {
    family: Family::Rust,
    line: SLASHES,
    block: STARS,
    quotes: &[long("\"")],
    quirks: &[Quirk::Nested, Quirk::Character, Quirk::RawText],
};
pub(super) const C: Syntax = Syntax {
    family: Family::Program,
    line: SLASHES,
    block: STARS,
    quotes: &[short("\""), short("'")],
    quirks: &[Quirk::MarkedText],
};
pub(super) const CSHARP: Syntax = Syntax {
    family: Family::CSharp,
    line: SLASHES,
    block: STARS,
    // A doubled quote in a verbatim text ends it and begins the next one: the same in the end.
    quotes: &[
        raw("\"\"\""),
        Quote { open: "$@\"", close: "\"", escape: 0, lines: Lines::Many, hole: "" },
        Quote { open: "@$\"", close: "\"", escape: 0, lines: Lines::Many, hole: "" },
        Quote { open: "@\"", close: "\"", escape: 0, lines: Lines::Many, hole: "" },
        short("\""),
        short("'"),
    ],
    quirks: &[],
};
pub(super) const JAVA: Syntax = Syntax {
    family: Family::Program,
    line: SLASHES,
    block: STARS,
    quotes: &[long("\"\"\""), long("'''"), short("\""), short("'")],
    quirks: &[],
};
pub(super) const KOTLIN: Syntax = Syntax {
    family: Family::Kotlin,
    line: SLASHES,
    block: STARS,
    quotes: &[raw("\"\"\"").with_holes("${"), short("\"").with_holes("${"), short("'")],
    quirks: &[Quirk::Nested],
};
pub(super) const SCALA: Syntax = Syntax {
    family: Family::Scala,
    line: SLASHES,
    block: STARS,
    quotes: &[raw("\"\"\"").with_holes("${"), short("\"").with_holes("${")],
    quirks: &[Quirk::Nested, Quirk::Character],
};
pub(super) const GO: Syntax = Syntax {
    family: Family::Program,
    line: SLASHES,
    block: STARS,
    quotes: &[raw("`"), short("\""), short("'")],
    quirks: &[],
};
pub(super) const SWIFT: Syntax = Syntax {
    family: Family::Program,
    line: SLASHES,
    block: STARS,
    quotes: &[long("\"\"\"").with_holes("\\("), short("\"").with_holes("\\(")],
    quirks: &[Quirk::Nested, Quirk::HashText],
};
pub(super) const JAVASCRIPT: Syntax = Syntax {
    family: Family::JavaScript,
    line: SLASHES,
    block: STARS,
    quotes: &[long("`").with_holes("${"), short("\""), short("'")],
    quirks: &[Quirk::Regex],
};
pub(super) const MARKUP: Syntax = Syntax {
    family: Family::Data,
    line: &[],
    block: &[("<!--", "-->")],
    quotes: &[],
    quirks: &[Quirk::Scripts],
};
pub(super) const XML: Syntax = Syntax { quirks: &[], ..MARKUP };
pub(super) const PHP_FILE: Syntax = Syntax { quirks: &[Quirk::Scripts, Quirk::PhpTags], ..MARKUP };
pub(super) const PHP: Syntax = Syntax {
    family: Family::Php,
    line: &["//", "#"],
    block: STARS,
    quotes: &[long("\""), long("'")],
    quirks: &[Quirk::PhpHeredoc],
};
pub(super) const PYTHON: Syntax = Syntax {
    family: Family::Python,
    line: HASH,
    block: &[],
    quotes: &[long("\"\"\""), long("'''"), short("\""), short("'")],
    quirks: &[Quirk::Docstring],
};
pub(super) const RUBY: Syntax = Syntax {
    family: Family::Ruby,
    line: HASH,
    block: &[],
    quotes: &[long("\"").with_holes("#{"), long("'"), long("`").with_holes("#{")],
    quirks: &[Quirk::SpacedComment, Quirk::Pod, Quirk::Heredoc, Quirk::Regex],
};
pub(super) const SHELL: Syntax = Syntax {
    family: Family::Shell,
    line: HASH,
    block: &[],
    quotes: &[
        Quote { open: "$'", close: "'", escape: b'\\', lines: Lines::Many, hole: "" },
        long("\"").with_holes("$("),
        raw("'"),
    ],
    quirks: &[Quirk::SpacedComment, Quirk::Heredoc, Quirk::CodeEscape],
};
pub(super) const POWERSHELL: Syntax = Syntax {
    family: Family::Shell,
    line: HASH,
    block: &[("<#", "#>")],
    quotes: &[
        Quote { open: "@'", close: "'@", escape: 0, lines: Lines::Many, hole: "" },
        Quote { open: "@\"", close: "\"@", escape: 0, lines: Lines::Many, hole: "" },
        Quote { open: "\"", close: "\"", escape: b'`', lines: Lines::Many, hole: "$(" },
        raw("'"),
    ],
    quirks: &[Quirk::SpacedComment],
};
pub(super) const PERL: Syntax = Syntax {
    family: Family::Program,
    line: HASH,
    block: &[],
    quotes: &[long("\""), long("'")],
    quirks: &[Quirk::SpacedComment, Quirk::Pod, Quirk::Heredoc, Quirk::Regex],
};
pub(super) const LUA: Syntax = Syntax {
    family: Family::Program,
    line: &["--"],
    block: &[],
    quotes: &[short("\""), short("'")],
    quirks: &[Quirk::LongBracket],
};
pub(super) const R: Syntax = Syntax {
    family: Family::Program,
    line: HASH,
    block: &[],
    quotes: &[long("\""), long("'"), short("`")],
    quirks: &[],
};
pub(super) const JULIA: Syntax = Syntax {
    family: Family::Program,
    line: HASH,
    block: &[("#=", "=#")],
    quotes: &[long("\"\"\""), long("\"")],
    quirks: &[Quirk::Nested, Quirk::Character],
};
pub(super) const HASKELL: Syntax = Syntax {
    family: Family::Program,
    line: &["--"],
    block: &[("{-", "-}")],
    quotes: &[raw("\"\"\""), short("\"")],
    quirks: &[Quirk::Nested, Quirk::Character],
};
pub(super) const OCAML: Syntax = Syntax {
    family: Family::Program,
    line: &[],
    block: &[("(*", "*)")],
    quotes: &[
        long("\""),
        Quote { open: "{|", close: "|}", escape: 0, lines: Lines::Many, hole: "" },
    ],
    quirks: &[Quirk::Nested, Quirk::Character],
};
pub(super) const FSHARP: Syntax = Syntax {
    family: Family::CSharp,
    line: SLASHES,
    block: &[("(*", "*)")],
    quotes: &[raw("\"\"\""), long("\"")],
    quirks: &[Quirk::Nested, Quirk::Character],
};
pub(super) const ELIXIR: Syntax = Syntax {
    family: Family::Elixir,
    line: HASH,
    block: &[],
    quotes: &[
        long("\"\"\"").with_holes("#{"),
        long("'''").with_holes("#{"),
        long("\"").with_holes("#{"),
        long("'").with_holes("#{"),
    ],
    quirks: &[Quirk::SpacedComment],
};
pub(super) const ERLANG: Syntax = Syntax {
    family: Family::Program,
    line: &["%"],
    block: &[],
    quotes: &[long("\"\"\""), long("\""), short("'")],
    quirks: &[Quirk::DollarCharacter],
};
pub(super) const LISP: Syntax = Syntax {
    family: Family::Program,
    line: &[";"],
    block: &[("#|", "|#")],
    quotes: &[long("\"")],
    quirks: &[Quirk::Nested, Quirk::CodeEscape],
};
pub(super) const DART: Syntax = Syntax {
    family: Family::Dart,
    line: SLASHES,
    block: STARS,
    quotes: &[
        long("\"\"\"").with_holes("${"),
        long("'''").with_holes("${"),
        short("\"").with_holes("${"),
        short("'").with_holes("${"),
    ],
    quirks: &[Quirk::Nested],
};
pub(super) const ZIG: Syntax = Syntax {
    family: Family::Program,
    line: SLASHES,
    block: &[],
    quotes: &[
        Quote { open: "\\\\", close: "\n", escape: 0, lines: Lines::One, hole: "" },
        short("\""),
        short("'"),
    ],
    quirks: &[],
};
pub(super) const NIM: Syntax = Syntax {
    family: Family::Program,
    line: HASH,
    block: &[("#[", "]#")],
    quotes: &[raw("\"\"\""), short("\"")],
    quirks: &[Quirk::Nested, Quirk::Character],
};
pub(super) const SQL: Syntax = Syntax {
    family: Family::Data,
    line: &["--"],
    block: STARS,
    quotes: &[raw("'"), raw("\"")],
    quirks: &[],
};
pub(super) const ADA: Syntax = Syntax {
    family: Family::Program,
    line: &["--"],
    block: &[],
    quotes: &[Quote { open: "\"", close: "\"", escape: 0, lines: Lines::One, hole: "" }],
    quirks: &[Quirk::Character],
};
pub(super) const CSS: Syntax = Syntax {
    family: Family::Data,
    line: &[],
    block: STARS,
    quotes: &[short("\""), short("'")],
    quirks: &[],
};
pub(super) const SCSS: Syntax = Syntax { line: SLASHES, ..CSS };
pub(super) const YAML: Syntax = Syntax {
    family: Family::Data,
    line: HASH,
    block: &[],
    quotes: &[short("\""), short("'")],
    quirks: &[Quirk::SpacedComment, Quirk::SpacedQuote],
};
pub(super) const TOML: Syntax = Syntax {
    family: Family::Data,
    line: HASH,
    block: &[],
    quotes: &[long("\"\"\""), raw("'''"), short("\""), short("'")],
    quirks: &[],
};
pub(super) const DOCKER: Syntax = Syntax {
    family: Family::Data,
    line: HASH,
    block: &[],
    quotes: &[],
    quirks: &[Quirk::FirstComment],
};
pub(super) const MAKE: Syntax = Syntax { quirks: &[Quirk::SpacedComment], ..DOCKER };
pub(super) const TERRAFORM: Syntax = Syntax {
    family: Family::Data,
    line: &["#", "//"],
    block: STARS,
    quotes: &[short("\"").with_holes("${")],
    quirks: &[Quirk::Heredoc],
};
pub(super) const NIX: Syntax = Syntax {
    family: Family::Data,
    line: HASH,
    block: STARS,
    quotes: &[raw("''").with_holes("${"), long("\"").with_holes("${")],
    quirks: &[],
};
pub(super) const VIM: Syntax = Syntax {
    family: Family::Data,
    line: &["\"", "#"],
    block: &[],
    quotes: &[],
    quirks: &[Quirk::FirstComment],
};

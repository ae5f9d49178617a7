//! What a text with a secret stands in.

use windlass_core::Excerpt;

/// How a text is put into its context.
pub(super) enum Put {
    /// Between two texts.
    Between(&'static str, &'static str),
    /// Each of its lines between two texts.
    Lines(&'static str, &'static str),
    /// As the text of a string of JSON, so many times one in the other.
    Json(usize, &'static str, &'static str),
    /// As the text of an element.
    Markup(&'static str, &'static str),
    /// As the text of a literal in single quotes, which are written twice in it.
    Literal(&'static str, &'static str),
    /// With this at the end of each line.
    Ends(&'static str),
    /// Near the end of the first window of an excerpt, or near the beginning of the second one.
    Head,
    Tail,
}

pub(super) struct Context {
    pub(super) name: &'static str,
    pub(super) put: Put,
}

pub(super) const fn context(name: &'static str, put: Put) -> Context {
    Context { name, put }
}

#[rustfmt::skip]
pub(super) const CONTEXTS: &[Context] = &[
    context("alone", Put::Between("", "")),
    context("prompt of a shell", Put::Between("bob@host:~/app$ ", "\nok\n")),
    context("here document", Put::Between("cat > conf/app.conf <<'EOF'\n# settings\n", "\nEOF\n")),
    context("string of JSON", Put::Json(1, "{\"type\":\"tool_result\",\"output\":\"", "\",\"is_error\":false}")),
    context("string of JSON after a line", Put::Json(1, "{\"stdout\":\"ready\\n", "\\ndone\"}")),
    context("JSON in JSON", Put::Json(2, "{\"body\":\"{\\\"text\\\":\\\"", "\\\"}\"}")),
    context("log line", Put::Lines("2024-05-01T12:34:56.789Z INFO  app.main - ", "")),
    context("log of a service", Put::Lines("May 01 12:34:56 web-1 app[4242]: ", "")),
    context("log of a container", Put::Lines("web-1  | ", "")),
    context("log of a workflow", Put::Lines("2024-05-01T12:34:56.7890123Z ", "")),
    context("added line", Put::Lines("+", "")),
    context("removed line", Put::Lines("-", "")),
    context("added line with indent", Put::Lines("+    ", "")),
    context("fence", Put::Between("Here it is:\n\n```\n", "\n```\n\nThat works.")),
    context("bullet", Put::Between("Steps:\n- build it\n- ", "\n- done\n")),
    context("number", Put::Between("1. ", "\n2. go on\n")),
    context("block of YAML", Put::Lines("      ", "")),
    context("script of a workflow", Put::Between("    - name: Deploy\n      run: |\n        ", "\n        echo done\n")),
    context("element", Put::Markup("<step id=\"4\"><log>", "</log></step>")),
    context("character data", Put::Between("<log><![CDATA[", "]]></log>")),
    context("page", Put::Markup("<pre>", "</pre>\n<p>more</p>")),
    context("dump of SQL", Put::Literal("INSERT INTO logs (id, line) VALUES (17, '", "');")),
    context("trace of a stack", Put::Between("Error: it failed with ", "\n    at connect (/srv/app/db.js:12:7)\n    at main (/srv/app/main.js:3:1)\n")),
    context("trace of Python", Put::Between("Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in main\nValueError: ", "\n")),
    context("sentence", Put::Between("I ran this on the host: ", "\nand it went well.")),
    context("comment with a number sign", Put::Lines("# ", "")),
    context("comment with slashes", Put::Lines("    // ", "")),
    context("coloured", Put::Between("\u{1b}[32m", "\u{1b}[0m\n")),
    context("ends of lines of Windows", Put::Ends("\r")),
    context("prompt of Windows", Put::Between("C:\\Users\\bob\\app> ", "\r\n")),
    context("prompt of PowerShell", Put::Between("PS C:\\Users\\bob> ", "\r\n")),
    context("container's command", Put::Json(1, "        \"Cmd\": [\n            \"sh\",\n            \"-c\",\n            \"", "\"\n        ],")),
    context("container's variables", Put::Json(1, "        \"Env\": [\n            \"PATH=/usr/bin\",\n            \"", "\"\n        ],")),
    context("variables", Put::Between("PATH=/usr/bin:/bin\nHOME=/home/bob\n", "\nLANG=C.UTF-8\n")),
    context("request", Put::Lines("> ", "")),
    context("answer", Put::Lines("< ", "")),
    context("trace of a shell", Put::Between("+ ", "\n+ exit 0\n")),
    context("found by a search", Put::Lines("conf/app.yml:12:", "")),
    context("numbered lines", Put::Lines("    12→", "")),
    context("numbered lines with a tab", Put::Lines("    12\t", "")),
    context("quoted mail", Put::Lines("> > ", "")),
    context("long output", Put::Between("   Compiling app v0.1.0 (/home/bob/app)\n    Finished `dev` profile in 2.31s\n     Running `target/debug/app`\n", "\ntest result: ok. 12 passed; 0 failed\n")),
    context("tabs", Put::Lines("\t\t", "")),
    context("end of a window", Put::Head),
    context("beginning of a window", Put::Tail),
];

impl Context {
    /// A text in its context.
    pub(super) fn around(&self, text: &str) -> String {
        match self.put {
            Put::Between(before, after) => [before, text, after].concat(),
            Put::Lines(before, after) => {
                let lines: Vec<_> = text.lines().map(|it| [before, it, after].concat()).collect();
                lines.join("\n")
            }
            Put::Json(..) | Put::Markup(..) | Put::Literal(..) => {
                let (before, after) = self.sides();
                [before, &self.written(text), after].concat()
            }
            Put::Ends(end) => text.lines().map(|it| [it, end, "\n"].concat()).collect(),
            Put::Head => format!("{}\n{text}\n{}", "a line of output\n".repeat(30), filling()),
            Put::Tail => format!("{}\n{text}\n{}", filling(), "a line of output\n".repeat(30)),
        }
    }

    /// How the context writes a piece of its text.
    pub(super) fn written(&self, text: &str) -> String {
        match self.put {
            Put::Json(depth, ..) => (0..depth).fold(text.to_owned(), |text, _| {
                let quoted = serde_json::to_string(&text).expect("a text");
                quoted[1..quoted.len() - 1].to_owned()
            }),
            Put::Markup(..) => text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;"),
            Put::Literal(..) => text.replace('\'', "''"),
            _ => text.to_owned(),
        }
    }

    fn sides(&self) -> (&'static str, &'static str) {
        match self.put {
            Put::Json(_, before, after)
            | Put::Markup(before, after)
            | Put::Literal(before, after) => (before, after),
            _ => ("", ""),
        }
    }

    /// What is written to disk of a text is an excerpt of it.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self.put, Put::Head | Put::Tail)
    }
}

fn filling() -> String {
    "more of the same\n".repeat(4 * Excerpt::PART / 17)
}

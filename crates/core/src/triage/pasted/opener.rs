//! Lines that say that what follows was pasted.

/// What a line says of the text below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    /// A text of somebody else follows, down to the end of the message.
    Document,
    /// The same, and the author may go on in a last paragraph.
    Text,
    /// The same, and the line itself is a part of the text.
    Part,
    /// The first line of a document, which lasts to the end of the message.
    Title,
}

/// Phrases before a plan. All that follows is the plan.
const PLANS: [&str; 18] = [
    "implement the following plan",
    "implement this plan",
    "execute the following plan",
    "execute this plan",
    "follow the plan below",
    "here is the plan",
    "here's the plan",
    "the approved plan",
    "the plan is as follows",
    "setze den folgenden plan um",
    "folgenden plan umsetzen",
    "implémente le plan suivant",
    "le plan suivant",
    "implementa el siguiente plan",
    "implemente o seguinte plano",
    "以下计划",
    "以下の計画",
    "次の計画",
];

/// What the client shows first of a file with rules for agents.
const DOCUMENTS: [&str; 5] = [
    "this file provides guidance to",
    "# agents.md",
    "# claude.md",
    "# repository guidelines",
    "# contributing",
];

/// Nouns of texts that others write. A line with one of them and a colon at its end announces one.
const TEXTS: [&str; 96] = [
    "review",
    "reviews",
    "reviewer",
    "reviewers",
    "comment",
    "comments",
    "feedback",
    "mail",
    "email",
    "e-mail",
    "message",
    "messages",
    "thread",
    "chat",
    "conversation",
    "slack",
    "discord",
    "teams",
    "transcript",
    "minutes",
    "meeting",
    "standup",
    "retro",
    "call",
    "issue",
    "ticket",
    "report",
    "readme",
    "readme.md",
    "agents.md",
    "claude.md",
    "contributing.md",
    "docs",
    "documentation",
    "manual",
    "manpage",
    "changelog",
    "article",
    "post",
    "blog",
    "spec",
    "specification",
    "rfc",
    "log",
    "logs",
    "output",
    "trace",
    "stacktrace",
    "backtrace",
    "error",
    "errors",
    "warning",
    "warnings",
    "response",
    "ci",
    "pipeline",
    "build",
    "job",
    "diff",
    "patch",
    "config",
    "file",
    "contents",
    "content",
    "snippet",
    "excerpt",
    "quote",
    "prompt",
    "answer",
    "reply",
    "protokoll",
    "notizen",
    "ausgabe",
    "fehlermeldung",
    "fehler",
    "nachricht",
    "kommentar",
    "kommentare",
    "rückmeldung",
    "journal",
    "sortie",
    "courriel",
    "commentaires",
    "erreur",
    "compte-rendu",
    "registro",
    "salida",
    "correo",
    "comentarios",
    "acta",
    "saída",
    "comentários",
    "erro",
    "ata",
    "mensagem",
    "mensaje",
];

/// The same in scripts without spaces between words.
const WIDE_TEXTS: [&str; 16] = [
    "日志",
    "输出",
    "邮件",
    "会议",
    "评论",
    "报错",
    "错误",
    "文档",
    "ログ",
    "出力",
    "メール",
    "議事録",
    "レビュー",
    "エラー",
    "コメント",
    "記録",
];

/// Verbs with which the words of somebody else are announced.
const SAYS: [&str; 20] = [
    "wrote",
    "writes",
    "said",
    "says",
    "commented",
    "replied",
    "posted",
    "asked",
    "answered",
    "sent",
    "reported",
    "prints",
    "printed",
    "schrieb",
    "sagt",
    "écrit",
    "dit",
    "escribió",
    "dice",
    "escreveu",
];

/// Words that make a line with a colon the author's own list.
const OWN: [&str; 14] = [
    "rules",
    "rule",
    "please",
    "follow",
    "remember",
    "requirements",
    "tasks",
    "steps",
    "things",
    "want",
    "need",
    "always",
    "never",
    "regeln",
];

/// What a line says of what follows it; nothing where it announces no text of somebody else.
pub(super) fn opener(line: &str) -> Option<Opener> {
    let small = line.trim().trim_matches(['*', '#', ' ']).to_lowercase();
    let raw = line.trim().to_lowercase();
    if PLANS.iter().any(|it| small.contains(it)) && small.split_whitespace().count() <= 25 {
        return Some(Opener::Document);
    }
    if DOCUMENTS.iter().any(|it| raw.starts_with(it)) {
        return Some(Opener::Title);
    }
    if is_forwarded(&small) {
        return Some(Opener::Part);
    }
    let before = small.strip_suffix([':', '：'])?.trim_end();
    let words: Vec<_> = before
        .split(|it: char| it.is_whitespace() || matches!(it, ',' | '(' | ')' | '"' | '\''))
        .filter(|it| !it.is_empty())
        .collect();
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    let is_wide = WIDE_TEXTS.iter().any(|it| before.contains(it));
    let is_of_another =
        has(&TEXTS) || is_wide || ends_with_another(&words) || is_named_file(&words);
    // A longer line may end with a sentence of its own, and the colon belongs to that.
    let is_short = words.len() <= 20;
    (is_short && is_of_another && !has(&OWN)).then_some(Opener::Text)
}

/// `Anna wrote:`, and not `I said:`.
fn ends_with_another(words: &[&str]) -> bool {
    let Some((last, before)) = words.split_last() else { return false };
    let speaks = SAYS.contains(last) || before.last().is_some_and(|it| SAYS.contains(it));
    let own = ["i", "we", "ich", "wir", "je", "nous", "yo", "eu"];
    speaks && !before.is_empty() && !words.iter().any(|it| own.contains(it))
}

/// `from docs/setup.md:`, `contents of package.json:`.
fn is_named_file(words: &[&str]) -> bool {
    const ENDINGS: [&str; 9] =
        [".md", ".txt", ".log", ".json", ".yaml", ".yml", ".toml", ".rst", ".adoc"];
    words.last().is_some_and(|word| ENDINGS.iter().any(|it| word.ends_with(it)))
}

/// Lines that a mail program puts above a mail.
fn is_forwarded(small: &str) -> bool {
    const LINES: [&str; 6] = [
        "original message",
        "forwarded message",
        "begin forwarded message",
        "ursprüngliche nachricht",
        "message d'origine",
        "mensaje original",
    ];
    const WROTE: [&str; 8] = [
        "wrote:",
        "schrieb:",
        "a écrit :",
        "a écrit:",
        "escribió:",
        "escreveu:",
        "写道：",
        "写道:",
    ];
    let bare = small.trim_matches(['-', ' ', ':', '_']);
    LINES.contains(&bare)
        || WROTE.iter().any(|it| small.ends_with(it))
            && small.bytes().any(|it| it.is_ascii_digit())
            && small.contains(['@', ','])
}

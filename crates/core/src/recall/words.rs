//! Words that tell nothing or little, and words that do not follow the rules of endings.

/// Words that are looked for, sorted: every word of a text is held against them, so only those with
/// its first letter are looked at.
pub(super) struct Table {
    pub(super) words: &'static [&'static str],
    /// Where the words with each letter begin, and where the last ones end.
    starts: [usize; LETTERS + 1],
}

const LETTERS: usize = 26;

impl Table {
    pub(super) const fn of(words: &'static [&'static str]) -> Self {
        let mut starts = [0; LETTERS + 1];
        let (mut letter, mut place) = (0, 0);
        while letter < LETTERS {
            starts[letter] = place;
            while place < words.len() && (words[place].as_bytes()[0] - b'a') as usize == letter {
                place += 1;
            }
            letter += 1;
        }
        assert!(place == words.len(), "a table is sorted, and its words begin with small letters");
        starts[LETTERS] = place;
        Self { words, starts }
    }

    /// Where a word stands in it.
    pub(super) fn place(&self, word: &[u8]) -> Option<usize> {
        let letter = usize::from(word.first()?.wrapping_sub(b'a'));
        let (start, end) = (*self.starts.get(letter)?, *self.starts.get(letter + 1)?);
        let is_it = |it: &&str| it.as_bytes() == word;
        self.words[start..end].iter().position(is_it).map(|it| start + it)
    }

    pub(super) fn has(&self, word: &[u8]) -> bool {
        self.place(word).is_some()
    }
}

/// Words that stand in every sentence.
#[rustfmt::skip]
pub(super) static STOP: Table = Table::of(&[
    "a", "about", "after", "again", "all", "also", "although", "am", "an", "and", "any", "are",
    "aren", "as", "at", "be", "because", "been", "before", "being", "both", "but", "by", "can",
    "could", "couldn", "d", "did", "didn", "do", "does", "doesn", "doing", "don", "done",
    "down", "each", "either", "else", "few", "for", "from", "had", "hadn", "has", "hasn",
    "have", "haven", "having", "he", "her", "here", "him", "his", "how", "however", "i", "if",
    "in", "into", "is", "isn", "it", "its", "just", "ll", "m", "may", "me", "might", "mine",
    "more", "most", "must", "mustn", "my", "needn", "neither", "no", "nor", "not", "of", "off",
    "on", "only", "or", "other", "our", "out", "over", "own", "re", "s", "same", "shall", "she",
    "should", "shouldn", "so", "some", "such", "t", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "though", "to", "too", "unless", "until",
    "up", "us", "ve", "very", "was", "wasn", "we", "were", "weren", "what", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "would",
    "wouldn", "you", "your", "yours",
]);

/// The forms in `IRREGULAR`.
pub(super) static FORMS: Table = Table::of(&forms(IRREGULAR));

const fn forms<const N: usize>(pairs: [(&'static str, &'static str); N]) -> [&'static str; N] {
    let mut forms = [""; N];
    let mut place = 0;
    while place < N {
        forms[place] = pairs[place].0;
        place += 1;
    }
    forms
}

/// Forms that rules do not lead to their word.
#[rustfmt::skip]
pub(super) const IRREGULAR: [(&str, &str); 123] = [
    ("ate", "eat"), ("became", "become"), ("began", "begin"), ("begun", "begin"),
    ("bent", "bend"), ("best", "good"), ("better", "good"), ("bought", "buy"),
    ("bound", "bind"), ("broke", "break"), ("broken", "break"), ("brought", "bring"),
    ("built", "build"), ("came", "come"), ("caught", "catch"), ("children", "child"),
    ("chose", "choose"), ("chosen", "choose"), ("dealt", "deal"), ("drawn", "draw"),
    ("dreamt", "dream"), ("drew", "draw"), ("driven", "drive"), ("drove", "drive"),
    ("eaten", "eat"), ("fallen", "fall"), ("fell", "fall"), ("felt", "feel"), ("flew", "fly"),
    ("flown", "fly"), ("forgot", "forget"), ("forgotten", "forget"), ("fought", "fight"),
    ("found", "find"), ("froze", "freeze"), ("frozen", "freeze"), ("gave", "give"),
    ("given", "give"), ("goes", "go"), ("gone", "go"), ("got", "get"), ("gotten", "get"),
    ("grew", "grow"), ("grown", "grow"), ("heard", "hear"), ("held", "hold"), ("hid", "hide"),
    ("hidden", "hide"), ("hung", "hang"), ("indexes", "index"), ("indices", "index"),
    ("kept", "keep"), ("knew", "know"), ("known", "know"), ("learnt", "learn"), ("led", "lead"),
    ("left", "leave"), ("lent", "lend"), ("lit", "light"), ("lives", "life"), ("lost", "lose"),
    ("made", "make"), ("meant", "mean"), ("men", "man"), ("met", "meet"), ("mice", "mouse"),
    ("overridden", "override"), ("overrode", "override"), ("paid", "pay"), ("people", "person"),
    ("ran", "run"), ("rebuilt", "rebuild"), ("rewritten", "rewrite"), ("rewrote", "rewrite"),
    ("ridden", "ride"), ("risen", "rise"), ("rode", "ride"), ("rose", "rise"), ("said", "say"),
    ("sang", "sing"), ("sat", "sit"), ("saw", "see"), ("seen", "see"), ("sent", "send"),
    ("shaken", "shake"), ("shook", "shake"), ("shot", "shoot"), ("shown", "show"),
    ("slept", "sleep"), ("sold", "sell"), ("sought", "seek"), ("spent", "spend"),
    ("spoke", "speak"), ("spoken", "speak"), ("stole", "steal"), ("stolen", "steal"),
    ("stood", "stand"), ("struck", "strike"), ("stuck", "stick"), ("sung", "sing"),
    ("swam", "swim"), ("taken", "take"), ("taught", "teach"), ("thought", "think"),
    ("threw", "throw"), ("thrown", "throw"), ("told", "tell"), ("took", "take"),
    ("tore", "tear"), ("torn", "tear"), ("understood", "understand"), ("went", "go"),
    ("wives", "wife"), ("woke", "wake"), ("woken", "wake"), ("women", "woman"), ("won", "win"),
    ("wore", "wear"), ("worn", "wear"), ("worse", "bad"), ("worst", "bad"),
    ("written", "write"), ("wrote", "write"),
];

/// Words that stand in every second request to an agent, whatever it is about, by their stems, so
/// that every form of one is meant. A store that is young takes them for rare ones.
#[rustfmt::skip]
pub(super) static COMMON: Table = Table::of(&[
    "actual", "add", "allow", "alreadi", "alwai", "anoth", "anyth", "app", "appli", "applic",
    "approach", "back", "bad", "basic", "begin", "bin", "bit", "branch", "break", "bug", "build",
    "button", "call", "case", "chang", "check", "clean", "clear", "click", "cmd", "code", "command",
    "comment", "commit", "complet", "compon", "config", "configur", "continu", "correct", "crate",
    "creat", "current", "data", "date", "debug", "default", "delet", "deploi", "descript", "detail",
    "differ", "directori", "dist", "doc", "document", "edit", "empti", "end", "ensur", "error",
    "even", "ever", "everi", "everyth", "exact", "exampl", "execut", "exist", "expect", "explain",
    "fail", "failur", "featur", "file", "fill", "final", "find", "fine", "first", "fix", "folder",
    "follow", "format", "full", "function", "get", "git", "github", "give", "go", "good", "great",
    "handl", "happen", "hei", "hello", "help", "hi", "hook", "idea", "implement", "import",
    "improv", "includ", "info", "inform", "input", "insid", "instead", "issu", "item", "job",
    "keep", "know", "last", "latest", "let", "lib", "like", "line", "link", "list", "load", "local",
    "log", "logic", "long", "look", "lot", "main", "make", "manag", "mani", "mayb", "mean", "merg",
    "messag", "method", "miss", "mod", "mode", "modifi", "move", "much", "name", "need", "never",
    "new", "next", "nice", "note", "now", "number", "often", "ok", "okai", "old", "on", "onc",
    "open", "option", "order", "output", "packag", "page", "part", "pass", "path", "person", "pkg",
    "pleas", "point", "possibl", "problem", "process", "project", "prompt", "properli", "provid",
    "pull", "push", "put", "question", "quick", "quit", "rather", "read", "readi", "realli",
    "reason", "refactor", "releas", "remov", "renam", "replac", "repo", "repositori", "request",
    "requir", "result", "return", "review", "right", "run", "sai", "save", "script", "search",
    "section", "see", "select", "send", "server", "set", "setup", "ship", "short", "show", "side",
    "simpl", "singl", "small", "someth", "sometim", "sorri", "sourc", "specif", "src", "start",
    "state", "statu", "step", "still", "stop", "structur", "stuff", "style", "sure", "system",
    "take", "task", "tell", "test", "thank", "thing", "think", "time", "titl", "todai", "togeth",
    "tool", "top", "try", "turn", "two", "type", "understand", "updat", "us", "user", "util",
    "valu", "verifi", "version", "view", "wai", "wait", "want", "well", "whole", "within",
    "without", "work", "write", "wrong", "ye", "yet",
]);

#[cfg(test)]
mod tests {
    use super::{COMMON, FORMS, STOP};

    #[test]
    fn every_table_is_sorted_and_holds_each_word_once() {
        for table in [&COMMON, &STOP, &FORMS] {
            assert!(table.words.windows(2).all(|it| it[0] < it[1]));
            for (place, word) in table.words.iter().enumerate() {
                assert_eq!(table.place(word.as_bytes()), Some(place), "{word}");
                assert_eq!(table.place(&word.as_bytes()[1..]).map(|it| table.words[it]), {
                    table.words.iter().copied().find(|it| *it == &word[1..])
                });
            }
            for word in ["", "0", "A", "{", "zz", "é"] {
                assert!(!table.has(word.as_bytes()), "{word}");
            }
        }
    }

    #[test]
    fn a_common_word_is_no_stop_word() {
        let both: Vec<_> = COMMON.words.iter().filter(|it| STOP.words.contains(it)).collect();
        // Only the stems of `one` and `use` look like some; no stop word is ever asked for its stem.
        assert_eq!(both, [&"on", &"us"]);
    }
}

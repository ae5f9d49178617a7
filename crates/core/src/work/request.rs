//! Orders in the form of a question, and orders beside one: "can you fix the test?", "why does it
//! still fail? fix it".

use super::side_question::{begins_going_on, begins_with, behind_courtesy, order_of};
use crate::Excerpt;

/// What a prompt requests beside what it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requested {
    /// The agent is given work.
    Work,
    /// The agent shall go on.
    GoOn,
    /// It may be either: a proposal, or a word that is a verb and a noun.
    Perhaps,
    /// It only asks or tells.
    Nothing,
}

/// Words that make an order of the verb behind them.
#[rustfmt::skip]
const REQUESTS: &[&str] = &[
    "can you", "could you", "would you", "will you", "won't you", "can't you",
    "can u", "could u", "i want you to", "i need you to", "i'd like you to", "i would like you to", "you should",
    "you need to", "you must", "you have to", "we need to", "let us", "help me", "any chance you could",
    "do you think you could", "are you able to", "peux-tu", "peux tu", "tu peux", "pourrais-tu", "pourrais tu",
    "tu pourrais", "est-ce que tu peux", "est-ce que tu pourrais", "pouvez-vous", "pourriez-vous", "veux-tu",
    "voudrais-tu", "vous pouvez", "puedes", "podrías", "podrias", "puede", "podría", "podemos", "me puedes", "quieres",
    "puoi", "potresti", "può", "potrebbe", "você pode", "voce pode", "pode", "poderia", "consegue", "你能", "能不能",
    "你可以", "能否", "可以", "帮我", "请帮我", "можешь", "можете", "не мог бы ты",
];

/// Words that make a proposal of the verb behind them.
#[rustfmt::skip]
const PROPOSALS: &[&str] = &[
    "why don't you", "why don't we", "why not", "how about you", "how about we", "should we", "can we", "could we", "shall we",
    "we should", "we could", "should you", "should i",
    "is it possible to", "do you want to",
];

/// Words that make a request of a verb behind them that ends with `ing`.
const REQUESTS_OF_DOING: &[&str] = &["would you mind", "do you mind", "mind"];

/// Words that make a proposal of such a verb.
const PROPOSALS_OF_DOING: &[&str] = &["what about", "how about"];

/// Words between a request and its verb.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "please", "kindly", "just", "also", "now", "then", "maybe", "perhaps", "possibly", "quickly", "first", "finally",
    "actually", "still", "instead", "again", "go ahead and", "go and", "try to", "try and", "help me to", "help me",
    "help", "be so kind and", "be so kind to", "be so kind as to", "s'il te plaît", "s'il te plait", "stp", "svp",
    "bien", "aussi", "maintenant", "por favor", "también", "ahora", "anche", "per favore", "também", "agora", "请",
    "пожалуйста",
];

/// Verbs of orders in the form that stands behind a request.
#[rustfmt::skip]
const INFINITIVES: &[&str] = &[
    "corriger", "réparer", "ajouter", "écrire", "faire", "créer", "supprimer", "améliorer", "implémenter", "modifier",
    "changer", "refactoriser", "remplacer", "lancer", "exécuter", "tester", "résoudre", "mettre", "renommer",
    "déplacer", "optimiser", "simplifier", "nettoyer", "relancer", "installer", "traduire", "documenter", "rendre",
    "enlever", "retirer", "arreglar", "corregir", "añadir", "agregar", "escribir", "hacer", "crear", "eliminar",
    "borrar", "mejorar", "implementar", "cambiar", "reparar", "ejecutar", "probar", "mover", "renombrar", "quitar",
    "actualizar", "refactorizar", "poner", "resolver", "solucionar", "instalar", "traducir", "optimizar", "limpiar",
    "correggere", "riparare", "aggiungere", "scrivere", "fare", "creare", "rimuovere", "migliorare", "implementare",
    "cambiare", "sistemare", "risolvere", "corrigir", "consertar", "adicionar", "escrever", "fazer", "criar", "remover",
    "melhorar", "mudar", "исправить", "починить", "сделать", "добавить", "написать", "удалить", "реализовать",
];

/// The same of what tells the agent to go on.
#[rustfmt::skip]
const GO_ON_INFINITIVES: &[&str] = &[
    "continuer", "poursuivre", "reprendre", "terminer", "finir", "continuar", "seguir", "terminar", "proseguir",
    "continuare", "proseguire", "finire", "finalizar", "продолжить", "продолжать",
];

/// German requests: the verb stands at the end of the clause.
#[rustfmt::skip]
const GERMAN_REQUESTS: &[&str] = &[
    "kannst du", "könntest du", "würdest du", "willst du", "magst du", "wirst du", "könnten sie", "können sie",
    "würden sie", "können wir", "könnten wir", "sollen wir", "du kannst", "du sollst", "du solltest", "du musst",
    "kun je", "kan je", "kunt u", "zou je", "wil je",
];

/// German and Dutch verbs of orders.
#[rustfmt::skip]
const GERMAN_VERBS: &[&str] = &[
    "reparieren", "beheben", "fixen", "hinzufügen", "ergänzen", "schreiben", "bauen", "einbauen", "umbauen",
    "erstellen", "anlegen", "ändern", "abändern", "korrigieren", "entfernen", "löschen", "verbessern", "implementieren",
    "machen", "umbenennen", "anpassen", "aktualisieren", "refaktorieren", "testen", "ausführen", "lösen", "aufräumen",
    "umsetzen", "ersetzen", "umstellen", "committen", "einfügen", "optimieren", "beschleunigen", "vereinfachen",
    "übersetzen", "installieren", "erledigen", "fertigstellen", "starten", "verschieben", "dokumentieren",
    "repareren", "toevoegen", "maken", "schrijven", "verwijderen", "verbeteren", "oplossen", "aanpassen", "bouwen",
];

/// The same of what tells the agent to go on.
#[rustfmt::skip]
const GERMAN_GO_ON: &[&str] = &[
    "weitermachen", "fortfahren", "weiterarbeiten", "fortsetzen", "abschließen", "doorgaan", "verdergaan", "afmaken",
];

/// Orders that no table of single words has: forms with a pronoun, and the polite plural.
#[rustfmt::skip]
const IMPERATIVES: &[&str] = &[
    "arréglalo", "arréglala", "arreglalo", "corrígelo", "corrígela", "corrigelo", "hazlo", "añádelo", "añádela",
    "agrégalo", "repáralo", "escríbelo", "bórralo", "cámbialo", "quítalo", "soluciónalo", "resuélvelo", "termínalo",
    "corrigez", "réparez", "ajoutez", "faites", "écrivez", "créez", "supprimez", "beheb", "reparier", "korrigier",
    "füg", "lösch", "implementier", "änder", "entfern", "fixe", "correggilo", "sistemalo", "sistema", "fallo",
    "conserta", "corrige-o", "faz", "adiciona",
];

/// Orders that are nouns too, with which a sentence may begin.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "work", "start", "run", "update", "change", "port", "debug", "handle", "try", "use", "set", "move", "upgrade",
    "support", "test", "merge", "split", "drop", "commit", "format", "document", "turn", "loop", "build", "make",
    "install", "put", "clean", "correct", "complete", "prepare", "follow", "keep", "bring", "los", "bau", "crea",
    "fix", "rename",
];

/// Words behind such a one that make it a verb.
#[rustfmt::skip]
const OBJECTS: &[&str] = &[
    "it", "its", "this", "that", "these", "those", "them", "the", "a", "an", "my", "our", "your", "all", "every",
    "each", "both", "everything", "something", "one", "another", "more", "some", "any", "sure", "please", "me", "us",
    "again", "so",
];

/// Pronouns that hang on an order.
const PRONOUNS: &[&str] = &["le", "la", "les", "lui", "moi", "nous", "o", "a", "os", "as"];

/// What an agent may be asked to make that is an answer.
#[rustfmt::skip]
const ANSWERS: &[&str] = &[
    "summary", "overview", "list", "explanation", "report", "recap", "comparison", "status", "résumé", "resumen",
];

/// Paragraphs of which only a few lines are looked at: what follows is mostly a log.
const LINES: usize = 4;

/// What a prompt requests. Of a long one the first and the last paragraph count.
pub(super) fn of(text: &Excerpt) -> Requested {
    let last = text.tail.as_ref().unwrap_or(&text.head);
    let paragraphs = [first_paragraph(&text.head), last_paragraph(last)];
    let sentences = paragraphs.into_iter().flat_map(sentences);
    let mut is_perhaps = false;
    let mut goes_on = false;
    for (index, sentence) in sentences.enumerate() {
        match of_sentence(&sentence.to_lowercase(), index == 0) {
            Requested::Work => return Requested::Work,
            Requested::GoOn => goes_on = true,
            Requested::Perhaps => is_perhaps = true,
            Requested::Nothing => {}
        }
    }
    match (goes_on, is_perhaps) {
        (true, _) => Requested::GoOn,
        (false, true) => Requested::Perhaps,
        (false, false) => Requested::Nothing,
    }
}

fn first_paragraph(text: &str) -> Vec<&str> {
    let lines = text.trim_start().lines().take_while(|it| !is_break(it));
    lines.take(LINES).collect()
}

/// Nothing where the last paragraph is the first one too, or a block of code.
fn last_paragraph(text: &str) -> Vec<&str> {
    let text = text.trim();
    let lines: Vec<&str> = text.lines().collect();
    let fences = lines.iter().filter(|it| it.trim_start().starts_with("```")).count();
    let begin = lines.iter().rposition(|it| is_break(it)).map(|it| it + 1);
    match begin.map(|it| &lines[it..]) {
        Some(last) if last.len() <= LINES && fences.is_multiple_of(2) => last.to_vec(),
        Some(_) | None => Vec::new(),
    }
}

fn is_break(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with("```")
}

/// The sentences of some lines. A sign ends one where a space follows.
fn sentences(lines: Vec<&str>) -> Vec<&str> {
    let mut found = Vec::new();
    for line in lines {
        let mut begin = 0;
        for (at, sign) in line.char_indices() {
            let next = at + sign.len_utf8();
            let is_wide = matches!(sign, '。' | '！' | '？');
            let is_sign = matches!(sign, '.' | '!' | '?' | ';') || is_wide;
            let ends = is_wide || line[next..].starts_with(char::is_whitespace);
            if is_sign && ends {
                found.push(&line[begin..next]);
                begin = next;
            }
        }
        found.push(&line[begin..]);
    }
    found.retain(|it| it.contains(char::is_alphanumeric));
    found
}

/// What a sentence in small letters requests. What the first one begins with was looked at before.
fn of_sentence(sentence: &str, is_first: bool) -> Requested {
    let sentence = sentence.trim_start_matches(|it: char| !it.is_alphanumeric());
    let words = behind_courtesy(sentence);
    let is_such = |table: &[&str]| {
        let longest = table.iter().filter(|it| begins_with(words, it)).max_by_key(|it| it.len())?;
        Some(behind_fillers(&words[longest.len()..]))
    };
    if let Some(rest) = is_such(REQUESTS_OF_DOING) {
        return of_doing(rest);
    }
    if let Some(rest) = is_such(REQUESTS) {
        return of_verb(rest);
    }
    if let Some(rest) = is_such(PROPOSALS) {
        return perhaps(of_verb(rest));
    }
    if let Some(rest) = is_such(PROPOSALS_OF_DOING) {
        return perhaps(of_doing(rest));
    }
    if let Some(rest) = is_such(GERMAN_REQUESTS) {
        return of_clause(rest);
    }
    if is_first {
        return Requested::Nothing;
    }
    if begins_going_on(words) || matches!(bare(words), "go" | "do it" | "again") {
        return Requested::GoOn;
    }
    if IMPERATIVES.iter().any(|it| begins_with(words, it)) {
        return Requested::Work;
    }
    // `Bitte beheben.`
    if words.len() < sentence.len() && of_clause(words) == Requested::Work {
        return Requested::Work;
    }
    of_order(words)
}

fn perhaps(requested: Requested) -> Requested {
    match requested {
        Requested::Nothing => Requested::Nothing,
        Requested::Work | Requested::GoOn | Requested::Perhaps => Requested::Perhaps,
    }
}

/// What a sentence requests that begins with an order, or with what looks like one.
fn of_order(words: &str) -> Requested {
    let Some((order, rest)) = order_of(words) else { return Requested::Nothing };
    let is_wide = order.starts_with(|it: char| it >= '\u{2e80}');
    // `make: *** [check]`, `test.py passes`, `add(1, 2)`
    let is_word = rest.chars().next().is_none_or(|it| it.is_whitespace() || ".!,-…".contains(it));
    // `corrige-le`
    let pronoun = rest.strip_prefix('-').and_then(|it| it.split_whitespace().next()).map(bare);
    let is_name = rest.starts_with(['.', '-', ','])
        && rest[1..].starts_with(|it: char| it.is_alphanumeric())
        && !pronoun.is_some_and(|it| PRONOUNS.contains(&it));
    if !is_wide && (!is_word || is_name) {
        return Requested::Nothing;
    }
    let next = bare(rest.split_whitespace().next().unwrap_or_default());
    if NOUNS.contains(&order) && !next.is_empty() && !OBJECTS.contains(&next) {
        return Requested::Perhaps;
    }
    Requested::Work
}

/// What is requested by the verb behind a request.
fn of_verb(words: &str) -> Requested {
    let first = words.split(|it: char| it.is_whitespace() || ",?!.".contains(it)).next();
    let first = first.unwrap_or_default();
    // `arreglarlo`, `hacerla`
    let bare = ["los", "las", "lo", "la", "le"].iter().find_map(|it| first.strip_suffix(it));
    let is_in =
        |table: &[&str]| table.contains(&first) || bare.is_some_and(|it| table.contains(&it));
    if begins_going_on(words) || is_in(GO_ON_INFINITIVES) {
        return Requested::GoOn;
    }
    let is_answer =
        || words.split(|it: char| !it.is_alphanumeric()).any(|it| ANSWERS.contains(&it));
    if order_of(words).is_some() || is_in(INFINITIVES) {
        return if is_answer() { Requested::Perhaps } else { Requested::Work };
    }
    Requested::Nothing
}

/// The same where the verb ends with `ing`.
fn of_doing(words: &str) -> Requested {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let Some(stem) = bare(first).strip_suffix("ing") else { return Requested::Nothing };
    let single = stem.len().checked_sub(1).filter(|it| stem.is_char_boundary(*it));
    let forms =
        [Some(stem.to_owned()), Some(format!("{stem}e")), single.map(|it| stem[..it].to_owned())];
    let verbs = forms.into_iter().flatten().filter(|it| it.len() > 2);
    let mut found = verbs.map(|it| of_verb(&format!("{it} {rest}")));
    found.find(|it| *it != Requested::Nothing).unwrap_or(Requested::Nothing)
}

/// What a clause requests whose verb stands at its end.
fn of_clause(words: &str) -> Requested {
    let clause = words.split([',', '?', '!', '.', ':']).next().unwrap_or_default();
    let is_any = |table: &[&str]| clause.split_whitespace().any(|it| table.contains(&it));
    match () {
        () if is_any(GERMAN_GO_ON) || begins_going_on(clause) => Requested::GoOn,
        () if is_any(GERMAN_VERBS) => Requested::Work,
        () => Requested::Nothing,
    }
}

/// Words without the fillers before them.
fn behind_fillers(words: &str) -> &str {
    let is_apart = |it: char| it.is_whitespace() || ",-".contains(it);
    let mut rest = words.trim_start_matches(is_apart);
    while let Some(word) = FILLERS.iter().find(|it| begins_with(rest, it) && rest.len() > it.len())
    {
        rest = rest[word.len()..].trim_start_matches(is_apart);
    }
    rest
}

fn bare(text: &str) -> &str {
    text.trim_matches(|it: char| !it.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::super::side_question::{says_go_on, wish_of};
    use crate::Excerpt;
    use crate::work::PromptWish;

    #[test]
    fn an_order_in_the_form_of_a_question_is_work() {
        for text in [
            "can you fix the test?",
            "could you please add a test for it?",
            "why is this still failing? fix it",
            "What is wrong? Please repair the parser.",
            "The parser is broken. Can you fix it?",
            "would you mind running the tests again?",
            "what about adding a cache? do it.",
            "why does it fail?\n\n    error: x\n\nplease fix it",
            "Can you just go ahead and rename it?",
            "how far are you? add the docs too.",
            "kannst du bitte den Test reparieren?",
            "Könntest du einen Test dafür hinzufügen?",
            "Warum schlägt das fehl? Behebe es.",
            "Was ist falsch? Bitte beheben.",
            "peux-tu corriger le test ?",
            "Pourrais-tu ajouter un test ?",
            "Pourquoi ça échoue ? Corrige-le.",
            "¿Puedes arreglar la prueba?",
            "¿podrías añadir un test?",
            "¿Por qué falla? Arréglalo.",
            "puoi correggere il test?",
            "你能修复这个测试吗？",
        ] {
            assert_eq!(wish_of(&Excerpt::of(text)), PromptWish::Work, "{text}");
        }
    }

    #[test]
    fn a_question_may_tell_the_agent_to_go_on() {
        for text in [
            "can you continue?",
            "could you keep going?",
            "why did you stop? go on",
            "will you finish the parser now?",
            "Kannst du weitermachen?",
            "peux-tu continuer ?",
            "¿puedes seguir?",
            "Warum hast du aufgehört? Mach weiter!",
        ] {
            assert!(says_go_on(&Excerpt::of(text)), "{text}");
        }
    }

    #[test]
    fn what_may_be_either_is_not_taken_for_a_plain_question() {
        for text in [
            "what about adding a cache?",
            "why don't you use a trie?",
            "can you write a summary of it?",
            "what failed? test output is below",
        ] {
            assert_eq!(wish_of(&Excerpt::of(text)), PromptWish::Unclear, "{text}");
        }
    }

    #[test]
    fn a_plain_question_gives_no_work() {
        for text in [
            "what does this function do?",
            "why is it slow?",
            "which port is the database on?",
            "how far are you?",
            "can you explain why the test fails?",
            "could you tell me which files you changed?",
            "can you show me the diff?",
            "why did you stop?",
            "are you done?",
            "Why is it slow? I need it for the report.",
            "why does it fail?\nmake: *** [check] Error 1",
            "what is this? test.py passes",
            "which files did you change? add.rs too?",
            "Wie weit bist du?",
            "Warum hast du das gelöscht?",
            "Kannst du mir sagen, warum wir das ändern?",
            "kannst du das erklären?",
            "Que fait cette fonction ?",
            "peux-tu m'expliquer la fonction ?",
            "¿qué hace esto?",
            "¿puedes decirme dónde está?",
            "これは何ですか？",
            "这是什么？",
        ] {
            let text = Excerpt::of(text);
            assert_eq!(wish_of(&text), PromptWish::Answer, "{text:?}");
            assert!(!says_go_on(&text), "{text:?}");
        }
    }
}

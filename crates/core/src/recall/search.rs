//! Which documents have what was asked for (BM25 over all fields), and how much of it.

use std::ops::Range;

use super::segment::{Card, Having, Segment};
use super::terms::{Term, terms};

/// Different terms of a question that are looked at: first those of its last bytes, for who pastes a
/// log asks below it, then those before.
const MOST_TERMS: usize = 256;
const LAST: usize = 1024;

/// Terms that are looked for: the rarest of all that are known.
const SOUGHT: usize = 32;

/// Documents below which a store knows too little of how rare words are.
const FEW: f32 = 1000.0;

/// How much of what was asked for a document must have to be brought up by itself, in per cent. See
/// `docs/design/0013-recall.md` for how it was found.
pub const FLOOR: u8 = 30;

/// Words that a document must have at least to be brought up: one may stand anywhere.
const FEWEST: usize = 2;

/// Terms of a question that a document has all of: then one of them may be a word that tells something,
/// and the others common ones.
const WHOLE: usize = 3;

/// Words that a document must have of a sentence among others: one of many may have two by chance. Or
/// it has two, and so much of the sentence that they are what it is about.
const FEWEST_OF_SENTENCE: usize = 3;
const MOST_OF_SENTENCE: f32 = 0.5;

/// Terms that a sentence must have to be held against a document by itself.
const SENTENCE: usize = 3;

/// Terms in a row of a longer sentence that are held against a document together.
const STRETCH: usize = 8;

/// Sentences of a question that are told apart.
const MOST_SENTENCES: usize = 64;

/// The share of documents that has a word which stands in every second request, at least.
const COMMON: f32 = 0.1;

/// Documents that have a word, from which on it pays to see whether all of them must be gone through.
const LONG: usize = 256;

/// How much the rarity of a word counts at most, beside the rest of what BM25 multiplies.
const TOP: f32 = 1.9;

/// What somebody asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Its terms, each once, in the order in which they stand there.
    pub terms: Vec<Term>,
    /// The places of the terms of each of its sentences: who says much asks for several things, and no
    /// memory has all of them.
    sentences: Vec<Vec<usize>>,
}

impl Query {
    /// Takes a question apart.
    pub fn of(text: &str) -> Self {
        let mut query = Self { terms: Vec::new(), sentences: Vec::new() };
        let last = beginning_of_last(text);
        query.take(text, last..text.len());
        query.take(text, 0..last);
        query
    }

    /// Takes in a part of a question.
    fn take(&mut self, text: &str, part: Range<usize>) {
        let Self { terms: found, sentences } = self;
        let mut end = part.start;
        sentences.push(Vec::new());
        terms(&text[part.clone()], |it| {
            let it = it.behind(part.start);
            let has_ended = ends(&text[end.min(it.from)..it.from]);
            end = end.max(it.to);
            if has_ended && sentences.len() < MOST_SENTENCES {
                sentences.push(Vec::new());
            }
            let known = found.iter().position(|known| known.key == it.key);
            let place = match known {
                // A part of a name that also stands by itself is asked for.
                Some(place) if !found[place].is_whole && !found[place].counts => {
                    found[place] = it;
                    place
                }
                Some(place) => place,
                None if found.len() < MOST_TERMS => {
                    found.push(it);
                    found.len() - 1
                }
                None => return,
            };
            if let Some(sentence) = sentences.last_mut().filter(|all| !all.contains(&place)) {
                sentence.push(place);
            }
        });
    }
}

/// Where the last bytes of a text begin that are looked at first, at the beginning of a word.
fn beginning_of_last(text: &str) -> usize {
    let from = text.floor_char_boundary(text.len().saturating_sub(LAST));
    match text[from..].find(char::is_whitespace) {
        Some(space) if from > 0 => from + space,
        _ => from,
    }
}

/// Whether a sentence or a line ends in what stands between two words.
fn ends(between: &str) -> bool {
    let is_end = |it: char| matches!(it, '.' | '!' | '?');
    let before_space = between
        .char_indices()
        .any(|(place, it)| is_end(it) && between[place + 1..].starts_with(char::is_whitespace));
    before_space || between.contains(['\n', '。', '！', '？'])
}

/// A document that has some of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// In which of the indexes.
    pub segment: usize,
    /// Which document of it.
    pub document: u32,
    /// What is known of it.
    pub card: Card,
    /// How well it fits.
    pub score: f32,
    /// How much of what was asked for it has, by the rarity of the words, between 0 and 1: of all of
    /// it, of one sentence, or of a stretch of one, whichever it has most of.
    pub coverage: f32,
    /// How many words it has of those that do not stand everywhere. All that it has of a name is one
    /// word, and one more where it has the name as a whole.
    pub words: usize,
    /// What each term gave, in the order of the question.
    pub parts: Vec<(usize, f32)>,
}

impl Match {
    /// Whether it has enough of what was asked for to be worth anybody's time: so much of it, in per
    /// cent, and more than one word by chance.
    pub fn is_relevant(&self, floor: u8) -> bool {
        let has_all = self.words > 0 && self.parts.len() >= WHOLE && self.coverage >= 1.0;
        has_all || self.words >= FEWEST && self.coverage * 100.0 >= f32::from(floor)
    }
}

/// Which documents are wanted, by their segment and card; all of them where nothing is said.
pub type Wanted<'a> = Option<&'a dyn Fn(usize, &Card) -> bool>;

/// How rare the terms of a question are, and where they stand.
#[derive(Debug)]
pub struct Search<'a> {
    segments: &'a [Segment<'a>],
    /// One for each term of the question.
    rarity: Vec<f32>,
    /// Those that are looked for, with their place in the question.
    sought: Vec<(usize, Vec<Having<'a>>)>,
}

impl<'a> Search<'a> {
    /// Looks the terms of a question up. What no document has is as rare as can be.
    pub fn new(segments: &'a [Segment<'a>], query: &Query) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a count of documents")]
        let documents = segments.iter().map(Segment::documents).sum::<usize>() as f32;
        let documents = documents.max(FEW);
        let (mut rarity, mut sought) = (Vec::new(), Vec::new());
        for (place, term) in query.terms.iter().enumerate() {
            let having: Vec<_> = segments.iter().map(|it| it.having(term.key)).collect();
            let count: usize = having.iter().map(Having::count).sum();
            #[expect(clippy::cast_precision_loss, reason = "a count of documents")]
            let least = count as f32;
            let told = if term.is_common { least.max(documents * COMMON) } else { least };
            let rare = (1.0 + (documents - told + 0.5) / (told + 0.5)).ln();
            rarity.push(rare);
            if count > 0 {
                sought.push((place, having));
            }
        }
        sought.sort_by(|one, other| rarity[other.0].total_cmp(&rarity[one.0]));
        sought.truncate(SOUGHT);
        Self { segments, rarity, sought }
    }

    /// The documents that fit best, the best first. Among equals the newer one is better.
    pub fn best(&self, query: &Query, most: usize, wanted: Wanted<'_>) -> Vec<Match> {
        let mut best: Vec<(f32, usize, u32)> = Vec::new();
        for (number, segment) in self.segments.iter().enumerate() {
            let wanted = |document| {
                wanted.is_none_or(|it| segment.card(document).is_some_and(|card| it(number, &card)))
            };
            let (scores, few) = self.scores(number, segment.documents(), most, wanted);
            let mut best_of = |document: u32| {
                add(document, scores[document as usize], number, most, wanted, &mut best);
            };
            match few {
                Some(few) => few.into_iter().for_each(&mut best_of),
                None => (0_u32..).take(scores.len()).for_each(&mut best_of),
            }
        }
        let matches = best.into_iter().filter_map(|(score, segment, document)| {
            let card = self.segments[segment].card(document)?;
            Some(self.matched(query, segment, document, card, score))
        });
        let mut matches: Vec<_> = matches.collect();
        matches.sort_by(|one, other| {
            let newer = other.card.changed_at.cmp(&one.card.changed_at);
            other.score.total_cmp(&one.score).then(newer)
        });
        matches
    }

    /// How well each document of an index fits, and those that can be among the best, in their order,
    /// where they are few. Those that cannot be among the best have a part of it
    /// or nothing: the words that stand nearly everywhere cost most and count least, and once enough
    /// documents have so much of the rarer ones that nobody without them can catch up, they are only
    /// looked up for those.
    fn scores(
        &self,
        number: usize,
        documents: usize,
        most: usize,
        is_wanted: impl Fn(u32) -> bool,
    ) -> (Vec<f32>, Option<Vec<u32>>) {
        let mut scores = vec![0.0_f32; documents];
        // Those that can be among the best, as long as they are not too many.
        let mut few = Some(Vec::new());
        // A little more than all that is left can give: sums are rounded.
        let mut left: f32 = self.sought.iter().map(|it| self.rarity[it.0] * TOP * 1.001).sum();
        for (place, having) in &self.sought {
            let (having, weight) = (&having[number], self.rarity[*place] * TOP / 255.0);
            let is_long = |it: &&mut Vec<u32>| having.count() > it.len().max(LONG);
            if let Some(few) = few.as_mut().filter(is_long) {
                let least = reached(few, &scores, most, &is_wanted);
                if left < least {
                    few.retain(|it| scores[*it as usize] + left >= least);
                    for document in few {
                        let impact = having.of(*document).unwrap_or_default();
                        scores[*document as usize] += weight * f32::from(impact);
                    }
                    left -= self.rarity[*place] * TOP;
                    continue;
                }
            }
            for (document, impact) in having.iter() {
                let Some(score) = scores.get_mut(document as usize) else { continue };
                if let Some(few) = few.as_mut().filter(|_| *score == 0.0) {
                    few.push(document);
                }
                *score += weight * f32::from(impact);
            }
            few = few.filter(|it| it.len() < documents / 2);
            left -= self.rarity[*place] * TOP;
        }
        if let Some(few) = &mut few {
            few.sort_unstable();
        }
        (scores, few)
    }

    fn matched(
        &self,
        query: &Query,
        segment: usize,
        document: u32,
        card: Card,
        score: f32,
    ) -> Match {
        let (mut parts, mut had) = (Vec::new(), Vec::new());
        for (place, having) in &self.sought {
            let Some(impact) = having[segment].of(document) else { continue };
            parts.push((*place, self.rarity[*place] * TOP * f32::from(impact) / 255.0));
            had.push(*place);
        }
        let all: Vec<_> = (0..query.terms.len()).collect();
        let has: Vec<_> = all.iter().map(|it| is_had(query, &had, *it)).collect();
        parts.sort_unstable_by_key(|it| it.0);
        let (coverage, words) = (self.coverage(query, &has, &all), words(query, &has, &all));
        Match { segment, document, card, score, coverage, words, parts }
    }

    /// How much of a question a document has, given which of its terms it has, and the places of all.
    fn coverage(&self, query: &Query, has: &[bool], all: &[usize]) -> f32 {
        let mut most = self.share(query, has, all);
        for sentence in &query.sentences {
            let had = words(query, has, sentence);
            if had < FEWEST || sentence.len() < SENTENCE {
                continue;
            }
            let share = self.share(query, has, sentence);
            if had >= FEWEST_OF_SENTENCE || share >= MOST_OF_SENTENCE {
                most = most.max(share);
            }
            for stretch in sentence.windows(STRETCH) {
                if words(query, has, stretch) >= FEWEST_OF_SENTENCE {
                    most = most.max(self.share(query, has, stretch));
                }
            }
        }
        most
    }

    /// How much of some terms a document has, by their rarity. Who asks for a name asks for its parts:
    /// to ask twice is not to ask for more.
    fn share(&self, query: &Query, has: &[bool], places: &[usize]) -> f32 {
        let (mut asked, mut had) = (0.0, 0.0);
        for &place in places.iter().filter(|it| query.terms[**it].counts) {
            asked += self.rarity[place];
            had += if has[place] { self.rarity[place] } else { 0.0 };
        }
        if asked > 0.0 { had / asked } else { 0.0 }
    }

    /// How rare each term of the question is.
    pub fn rarity(&self) -> &[f32] {
        &self.rarity
    }
}

/// Whether a document has a term of a question, given those that were found in it: who has a name
/// has its parts, however it is written there.
fn is_had(query: &Query, found: &[usize], place: usize) -> bool {
    let term = &query.terms[place];
    let holds = |it: &Term| it.is_whole && it.from <= term.from && term.to <= it.to;
    found.iter().any(|it| *it == place || holds(&query.terms[*it]))
}

/// How many words a document has of some terms, given which of all it has.
fn words(query: &Query, has: &[bool], places: &[usize]) -> usize {
    let (mut words, mut name, mut whole) = (0, None, None);
    for term in places.iter().filter(|it| has[**it]).map(|it| &query.terms[*it]) {
        // What is told of `ipv4` beside the whole is no word without it.
        if term.is_common || !term.counts && !term.is_whole {
            continue;
        }
        words += usize::from(name.replace(term.name) != Some(term.name));
        if term.is_whole {
            words += usize::from(whole.replace(term.name) != Some(term.name));
        }
    }
    words
}

/// What the last of the best documents has by now; nothing where too few are among the first.
fn reached(documents: &[u32], scores: &[f32], most: usize, is_wanted: impl Fn(u32) -> bool) -> f32 {
    let mut first: Vec<_> = documents.iter().map(|it| (scores[*it as usize], *it)).collect();
    let better = |one: &(f32, u32), other: &(f32, u32)| other.0.total_cmp(&one.0);
    let looked_at = most.saturating_mul(2);
    if looked_at < first.len() {
        first.select_nth_unstable_by(looked_at, better);
        first.truncate(looked_at);
    }
    first.sort_unstable_by(better);
    let mut wanted = first.into_iter().filter(|it| is_wanted(it.1));
    most.checked_sub(1).and_then(|it| wanted.nth(it)).map_or(0.0, |it| it.0)
}

/// Adds a document if it is one of the best. Among equals the first one is taken.
fn add(
    document: u32,
    score: f32,
    segment: usize,
    most: usize,
    is_wanted: impl Fn(u32) -> bool,
    best: &mut Vec<(f32, usize, u32)>,
) {
    let least = if best.len() < most { 0.0 } else { best.last().map_or(f32::MAX, |it| it.0) };
    if score <= least || !is_wanted(document) {
        return;
    }
    let place = best.partition_point(|it| it.0 >= score);
    best.insert(place, (score, segment, document));
    best.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::{Match, Query, Search};
    use crate::Timestamp;
    use crate::memory::{Category, MemoryId, Trust};
    use crate::recall::{Builder, Card, Field, Seen, Segment};

    const TEXTS: &[&str] = &[
        "The cache key leaves the tenant out, so tenants see each other",
        "Migrations run before the server listens on its port",
        "The tests of the billing module need a running Redis",
        "Use `parseInvoice` in src/billing/invoice.rs for dates",
    ];

    fn index(texts: &[&str]) -> Vec<u8> {
        let mut builder = Builder::default();
        for (number, text) in texts.iter().enumerate() {
            let card = Card {
                id: MemoryId::of_claim("s", number as u64),
                changed_at: Timestamp(number as i64),
                category: Category::Discovery,
                trust: Trust::Agent,
                shown: 0,
                used: 0,
            };
            builder.add(card, &[(Field::Text, text)], &[]);
        }
        builder.build(0, Seen::default())
    }

    fn found(texts: &[&[&str]], question: &str) -> Vec<Match> {
        let bytes: Vec<_> = texts.iter().map(|it| index(it)).collect();
        let segments: Vec<_> = bytes.iter().filter_map(|it| Segment::of(it)).collect();
        let query = Query::of(question);
        Search::new(&segments, &query).best(&query, 10, None)
    }

    #[test]
    fn the_one_that_has_most_of_it_comes_first() {
        let found = found(&[TEXTS], "which tenant does the cache key belong to?");
        assert_eq!(found[0].document, 0);
        assert!(found[0].words == 3 && found[0].coverage > 0.5, "{found:?}");
        let sum: f32 = found[0].parts.iter().map(|it| it.1).sum();
        assert!((sum - found[0].score).abs() < 0.001);
    }

    #[test]
    fn several_indexes_are_one_store() {
        let (one, other) = TEXTS.split_at(2);
        let question = "billing redis tests of the tenant";
        let split = found(&[one, other], question);
        let whole = found(&[TEXTS], question);
        assert_eq!(split.len(), whole.len());
        assert_eq!((split[0].segment, split[0].document), (1, 0));
        assert!((split[0].coverage - whole[0].coverage).abs() < 0.001);
    }

    /// One word that tells something is not enough, unless all that is asked is there.
    #[test]
    fn who_says_it_as_it_was_said_is_told() {
        let texts = ["The staging deploy fails when the VPN is on", "Run the tests of the parser"];
        let told = |question: &str| {
            found(&[&texts], question).into_iter().filter(|it| it.is_relevant(30)).count()
        };
        assert_eq!((told("the staging deploy fails"), told("run the parser tests")), (1, 1));
        assert_eq!((told("staging fails"), told("the staging deploy fails again today")), (0, 0));
        assert_eq!((told("run the tests"), told("deploy")), (0, 0));
    }

    /// Who pastes a log asks below it, or above.
    #[test]
    fn a_question_is_found_on_either_side_of_a_log() {
        let lines =
            (0..200).map(|it| format!("2026-05-04T10:00:{it:02} job{it:05} took w{it:04}x ms"));
        let log = lines.collect::<Vec<_>>().join("\n");
        let question = "why does a tenant see the cache of another one?";
        for text in
            [format!("{log}\n{question}"), format!("{question}\n{log}"), question.to_owned()]
        {
            let found = found(&[TEXTS], &text);
            assert!(found.first().is_some_and(|it| it.document == 0 && it.is_relevant(30)));
        }
        assert!(!found(&[TEXTS], &log).into_iter().any(|it| it.is_relevant(30)));
    }

    /// What holds a sentence together is no reason to bring anything up, in any language.
    #[test]
    fn sentences_of_other_languages_have_more_in_common_than_their_grammar() {
        let texts = [
            "Die Datenbankverbindung bricht nach 30 Sekunden ab, weil der Proxy sie schließt",
            "Le cache des factures n'est pas vidé parce que la clé ne contient pas le client",
            "La cola de pagos se queda parada porque el servidor no tiene memoria",
            "A fila de pagamentos fica parada porque o servidor não tem memória",
            "缓存没有清空，因为键里面没有租户",
            "接続が切れるのは、プロキシが三十秒で閉じるからです",
        ];
        let about = [
            "Warum bricht die Datenbankverbindung nach Sekunden ab?",
            "pourquoi le cache des factures garde la clé du client ?",
            "¿por qué la cola de pagos está parada?",
            "por que a fila de pagamentos está parada?",
            "为什么缓存没有清空租户的键？",
            "プロキシが接続を閉じるのはなぜですか",
        ];
        let besides = [
            "Kannst du bitte die Farbe der Schaltfläche ändern, weil sie nach dem Klick nicht da ist?",
            "peux-tu changer la couleur du bouton parce que ce n'est pas la bonne ?",
            "¿puedes cambiar el color del botón porque no se ve en la página?",
            "você pode mudar a cor do botão porque não se vê na página?",
            "请把按钮的颜色改一下，因为现在没有人看得见",
            "ボタンの色を変えてください、見えないからです",
        ];
        for (number, (about, besides)) in about.into_iter().zip(besides).enumerate() {
            let relevant = |question: &str| {
                let found = found(&[&texts], question);
                found.into_iter().find(|it| it.is_relevant(30)).map(|it| it.document as usize)
            };
            assert_eq!(relevant(about), Some(number), "{about}");
            assert_eq!(relevant(besides), None, "{besides}");
        }
    }

    #[test]
    fn a_long_question_is_cut_between_words() {
        for text in ["é漢 ".repeat(900), "漢".repeat(900), " word".repeat(900), "x".repeat(5000)]
        {
            let query = Query::of(&text);
            assert!(query.terms.iter().all(|it| text.get(it.from..it.to).is_some()));
        }
    }

    #[test]
    fn what_has_nothing_to_do_with_it_is_below_the_floor() {
        let best =
            |question: &str| found(&[TEXTS], question).into_iter().any(|it| it.is_relevant(30));
        assert!(best("the cache mixes up tenants"));
        assert!(best("what is parseInvoice for?"));
        assert!(!best("please run the tests and fix the server"));
        assert!(!best("write a poem about the sea in winter"));
        assert!(!best("") && !best("and so on"));
    }

    fn is_told(question: &str) -> bool {
        found(&[TEXTS], question).iter().any(|it| it.is_relevant(30))
    }

    #[test]
    fn every_sentence_of_a_long_prompt_is_asked() {
        let long = |question: &str| {
            let before = "Hi, I am back from vacation and picking up the ticket from my desk. ";
            let after = " Please keep the patch small, mention whatever puzzles you, and summarise \
                afterwards which alternatives were weighed and which were dropped.";
            format!("{before}{question}{after}")
        };
        let questions = [
            "The cache mixes up tenants, is it the key?",
            "what is parseInvoice for?",
            "does billing need Redis to run?",
        ];
        for question in questions {
            assert!(is_told(question) && is_told(&long(question)), "{question}");
        }
        assert!(is_told(&format!("  File base.py, line 88\n{}\n  raise Oops", questions[0])));
        // A word that was said before is said in this sentence, too.
        assert!(is_told(&long("It leaks the tenant. Which cache key names the tenant?")));
        // One word, or two of many, may be there by chance.
        for question in
            ["The cache is full.", "", "The cache of my neighbour has no other key hole."]
        {
            assert!(!is_told(&long(question)), "{question}");
        }
    }

    #[test]
    fn a_long_sentence_is_asked_stretch_by_stretch() {
        let long = |stretch: &str| {
            format!(
                "so when somebody signs up through the newsletter widget and {stretch} and then the \
                confirmation mail wanders into quarantine because sender reputation dropped"
            )
        };
        assert!(is_told(&long("the cache mixes tenants by key")));
        assert!(!is_told(&long("the cache gets warm")) && !is_told(&long("nothing")));
    }

    #[test]
    fn where_a_file_stands_and_how_it_ends_tells_nothing() {
        let texts =
            ["src/cache.rs never shares anything", "src/billing/sum.rs rounds half to even"];
        let told = |question: &str| {
            let found = found(&[&texts], question).into_iter().filter(|it| it.is_relevant(30));
            found.map(|it| it.document).collect::<Vec<_>>()
        };
        assert_eq!(told("please clean up src/parse.rs"), [0; 0]);
        assert_eq!(told("add a test to src/billing/lib.rs"), [0; 0]);
        assert_eq!(told("why does cache.rs leak?"), [0]);
        assert_eq!(told("/home/me/p/src/billing/sum.rs is wrong"), [1]);
        assert_eq!(told("why do sums of billing round up?"), [1]);
        let lists = ["1 and 2 are done, 3 is not"];
        assert!(!found(&[&lists], "do 1, 2 and 3").iter().any(|it| it.is_relevant(30)));
        assert!(found(&[&["port 8080 is taken"]], "port 8080").iter().any(|it| it.is_relevant(30)));
    }

    #[test]
    fn a_name_with_another_number_is_another_name() {
        let names = [
            ("vue2", "vue3"),
            ("oauth1", "oauth2"),
            ("OAuth2", "OAuth1"),
            ("ipv4", "ipv6"),
            ("utf-8", "utf-7"),
            ("ipv4 http1", "ipv6 http2"),
        ];
        for (asked, other) in names {
            let of_other = &found(&[&[other]], asked);
            assert!(of_other.iter().all(|it| it.coverage < 0.99 && it.words < 2), "{of_other:?}");
            let of_same = &found(&[&[asked]], asked)[0];
            assert!(of_same.coverage > 0.99 && of_same.is_relevant(30), "{of_same:?}");
        }
        let errors = ["rustc says E0382 for a moved value"];
        assert!(found(&[&errors], "E0382")[0].is_relevant(30));
        assert!(found(&[&errors], "what is e0382?")[0].is_relevant(30));
        // A word that also stands alone is asked for.
        let alone = &found(&[&["the vue router"]], "vue2 or vue router")[0];
        assert!(alone.words == 2 && alone.coverage > 0.5, "{alone:?}");
    }

    #[test]
    fn a_version_is_found_within_a_name() {
        for (text, asked) in [
            ("tokio-1.4.2 leaks", "1.4.2"),
            ("use 16.2-alpine", "16.2"),
            ("kernel V5.10.3", "5.10.3"),
        ] {
            let found = found(&[&[text]], asked);
            assert!(found.first().is_some_and(|it| it.coverage > 0.99), "{text}");
        }
    }

    /// Words as unevenly frequent as those of a language, and every document of them.
    fn many() -> (Vec<u8>, Vec<String>) {
        let mut state = 7_u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let texts: Vec<_> = (0..3000)
            .map(|_| {
                let words = (0..12).map(|_| {
                    let bits = number(11);
                    format!("word{}x", number(1 << bits))
                });
                words.collect::<Vec<_>>().join(" ")
            })
            .collect();
        (index(&texts.iter().map(String::as_str).collect::<Vec<_>>()), texts)
    }

    #[test]
    fn the_best_are_found_whatever_is_passed_over() {
        let (bytes, texts) = many();
        let segments = [Segment::of(&bytes).unwrap()];
        let mut passed_over = 0;
        for (number, text) in texts.iter().enumerate().step_by(60) {
            let query = Query::of(text);
            let search = Search::new(&segments, &query);
            let is_wanted = |_, it: &Card| it.changed_at.0 % 3 != 0 || number % 2 == 0;
            // All documents are gone through where all are wanted.
            let all = search.best(&query, texts.len(), Some(&is_wanted));
            let best = search.best(&query, 5, Some(&is_wanted));
            assert_eq!(best, all[..5.min(all.len())], "{text}");
            let wanted = |it: u32| is_wanted(0, &segments[0].card(it).unwrap());
            let scores = search.scores(0, texts.len(), 5, wanted);
            let whole = search.scores(0, texts.len(), texts.len(), wanted);
            passed_over += usize::from(scores != whole);
        }
        assert!(passed_over > 10, "{passed_over}");
    }

    #[test]
    fn what_is_not_wanted_makes_room_and_the_newer_one_wins() {
        let texts = ["alpha beta"; 30];
        let bytes = index(&texts);
        let segments = [Segment::of(&bytes).unwrap()];
        let query = Query::of("alpha beta");
        let search = Search::new(&segments, &query);
        let best = search.best(&query, 5, None);
        assert_eq!(best.len(), 5);
        assert!(best.is_sorted_by_key(|it| std::cmp::Reverse(it.card.changed_at)));
        assert!(search.best(&query, 5, Some(&|_, _| false)).is_empty());
    }
}

//! Words with which an author takes an earlier claim back.

/// Phrases that take a claim back. A word may end with `*` for any ending, and a few other words may
/// stand between two of them, as long as none of these denies.
#[rustfmt::skip]
const TAKES_BACK: &[&str] = &[
    // English
    "take back", "taking back", "took back", "taken back", "withdraw*", "withdrew", "retract*", "rescind*", "walk back", "disregard my",
    "disregard that", "disregard the claim", "disregard what i", "ignore my earlier", "ignore my previous", "ignore my claim", "strike that", "scratch that",
    "i was wrong", "i am wrong", "i'm wrong", "was mistaken", "am mistaken", "i'm mistaken", "been mistaken", "i misspoke", "i overstated", "i overclaimed", "i erred",
    "i misreported", "i misstated", "my mistake", "my error", "my bad", "i apologise for", "i apologize for", "sorry for claiming", "sorry for saying",
    "that was wrong", "that is wrong", "that's wrong", "that was incorrect", "that was not true",
    "that was not accurate", "that was not correct", "that wasn't true", "that wasn't accurate", "that wasn't correct", "that was untrue", "that was false", "that was premature",
    "that was inaccurate", "this was wrong", "it was wrong", "it was premature", "wrong to say", "wrong to claim", "wrong to state", "wrong to report", "premature to say", "premature to claim",
    "should not have said", "should not have claimed", "should not have written", "should not have stated", "should not have reported", "should not have made",
    "should not have asserted", "should not have implied", "shouldn't have said", "shouldn't have claimed", "shouldn't have written", "shouldn't have stated",
    "shouldn't have reported", "shouldn't have made", "shouldn't have asserted", "shouldn't have implied", "had no basis", "had no right", "had no evidence", "have no evidence", "have no basis", "have no proof",
    "without evidence", "without proof", "without having run", "without running", "without checking", "without verifying",
    "to correct myself", "i stand corrected", "let me correct", "i correct", "i need to correct", "i must correct", "i have to correct", "i revise",
    "do not claim", "don't claim", "not claiming", "no longer claim", "make no claim", "making no claim", "no claim*", "cannot claim", "can't claim", "can not claim", "cannot say", "can't say",
    "can not say", "cannot confirm", "can't confirm", "can not confirm", "could not confirm", "couldn't confirm", "cannot tell", "can't tell", "cannot vouch", "can't vouch", "cannot assert", "can't assert", "cannot state",
    "cannot guarantee", "can't guarantee", "cannot know", "can't know", "cannot prove", "can't prove", "not know whether", "not know if", "not know that", "don't know whether", "don't know if",
    "don't know that", "do not know", "don't know", "not sure whether", "not sure if", "unsure whether", "unsure if", "no idea whether", "no idea if", "unknown whether", "remains unknown", "is unknown", "are unknown",
    "unclear whether", "not visible", "wasn't visible", "never saw", "did not see", "didn't see", "not seen", "have not seen", "haven't seen", "not verified", "unverified", "not been verified",
    "haven't verified", "didn't verify", "not confirmed", "not proven", "unproven", "not true that", "not the case that", "not actually", "didn't actually", "never actually", "never ran", "never run", "never tested", "never verified", "never executed",
    "did not run", "didn't run", "have not run", "haven't run", "was not run", "were not run", "wasn't run", "weren't run", "not been run", "nothing was run", "did not test", "didn't test", "haven't tested", "have not tested", "no run", "untested",
    "did not execute", "didn't execute", "not executed", "i assumed", "i only assumed", "i guessed", "was a guess", "made it up", "made that up",
    "spoke too soon", "spoke too early", "jumped gun", "got ahead of myself", "cannot back", "can't back", "can not back", "claimed more than", "said more than", "too much said", "oversold", "cannot support", "can't support", "cannot substantiate", "can't substantiate",
    "not be trusted", "not rely on", "don't rely on", "consider void", "treat as not", "treat as unverified", "treat as unproven", "treat as open", "consider unverified", "consider open", "not justified", "no grounds", "unable to say", "unable to confirm", "unable to tell", "not able to say", "not able to confirm", "not in a position",
    // German
    "nehm* zurück", "nahm zurück", "zurückgenommen", "zurücknehmen", "zurückziehe*", "zieh* zurück", "widerruf*", "behauptung falsch", "behauptung war falsch", "behauptung stimmt nicht", "behauptung stimmte nicht",
    "behauptung nicht belegt", "behauptung unbelegt", "aussage falsch", "aussage stimmt nicht", "aussage stimmte nicht", "aussage nicht belegt", "habe mich geirrt", "ich irrte", "war ein irrtum", "war ein fehler", "mein fehler",
    "hätte nicht sagen", "hätte nicht behaupten", "hätte nicht schreiben", "das war falsch", "das stimmt nicht", "das stimmte nicht", "ich korrigiere", "muss korrigieren", "weiß nicht ob", "weiss nicht ob",
    "nicht ob", "ob weiß nicht", "ob weiss nicht", "ob ich nicht", "unklar ob", "ob unklar", "ob offen", "hatte unrecht", "lag falsch", "zu viel behauptet", "hätte nicht dürfen", "zu früh", "behaupte nicht", "behaupte nichts", "kann nicht sagen", "kann nicht behaupten", "kann nicht bestätigen", "nicht sichtbar", "nicht gesehen", "nicht ausgeführt", "nicht gelaufen", "nicht geprüft", "nicht belegt", "nicht getestet", "nicht verifiziert", "voreilig", "ungeprüft", "ungetestet",
    // French
    "retire affirmation", "retire cette", "retire ce que", "je la retire", "je le retire", "retire mes propos", "retire ma déclaration", "reviens sur", "me rétracte", "suis rétracté*", "rétract*", "affirmation* fausse", "affirmation* incorrecte", "affirmation* erronée",
    "affirmation* inexacte", "affirmation* prématurée", "c'était faux", "était faux", "était fausse", "était incorrect*", "était erroné*", "me suis tromp*", "trompé", "trompée", "une erreur de ma part", "mon erreur", "n'aurais pas dû dire",
    "n'aurais pas dû affirmer", "n'aurais pas dû", "je corrige", "je rectifie", "ne sais pas si", "sais pas si", "n'affirme rien", "n'affirme pas", "ne prétends", "ne peux pas affirmer", "ne peux pas dire", "ne peux pas confirmer", "pas visible", "n'ai pas vu",
    "pas été vérifié*", "pas été exécuté*", "pas été lancé*", "pas exécuté", "pas lancé", "pas vérifié", "non vérifié*",
    // Spanish
    "retiro lo", "retiro esa", "retiro la afirmación", "retiro mi", "lo retiro", "la retiro", "me retracto", "retracto", "me desdigo", "afirmación falsa", "afirmación incorrecta", "afirmación errónea", "afirmación era", "afirmación fue", "me equivoqué", "estaba equivocad*", "me he equivocado", "fue un error", "error mío", "mi error", "era falso", "era falsa", "era incorrect*",
    "no debí decir", "no debí afirmar", "no debería haber dicho", "no debería haber afirmado", "no tendría que haber dicho", "corrijo", "rectifico", "no sé si", "no afirmo", "no puedo afirmar", "no puedo decir", "no puedo confirmar", "no era visible", "no fue visible", "no vi", "no he visto", "no se ejecut*", "no ejecuté",
    "no he ejecutado", "no he verificado", "no verifiqué", "sin verificar", "no lo he comprobado", "no está verificad*",
    // Portuguese
    "retiro o que", "retiro a afirmação", "retiro essa", "retiro isso", "me retrato", "retrato-me", "afirmação falsa", "afirmação errada", "afirmação incorreta", "enganei-me", "me enganei", "eu estava errad*", "foi um erro", "erro meu", "meu erro", "não devia ter dito", "não deveria ter dito", "não deveria ter afirmado", "corrijo", "não sei se", "não afirmo",
    "não posso afirmar", "não posso confirmar", "não posso dizer", "não estava visível", "não vi", "não foram executad*", "não executei", "não verifiquei",
    // Italian
    "ritiro l'affermazione", "ritiro quello", "ritiro la mia", "ritiro quanto", "lo ritiro", "la ritiro", "mi rimangio", "affermazione falsa", "affermazione errata", "affermazione sbagliata", "affermazione era", "mi sono sbagliat*", "mi sbagliavo", "ho sbagliato", "errore mio", "mio errore", "non avrei dovuto dire", "non avrei dovuto", "correggo", "rettifico", "non so se", "non affermo", "non posso affermare",
    "non posso dire", "non posso confermare", "non era visibile", "non ho visto", "non sono stati eseguiti", "non ho eseguito", "non ho verificato",
    // Dutch, Swedish, Danish, Norwegian
    "neem terug", "trek in", "trek terug", "bewering onjuist", "bewering klopt niet", "bewering was onjuist", "vergiste", "vergist", "fout van mij", "mijn fout", "had niet moeten zeggen", "had niet mogen zeggen", "weet niet of", "beweer niet*", "kan niet zeggen", "kan niet bevestigen", "niet zichtbaar", "niet uitgevoerd", "niet gedraaid",
    "tar tillbaka", "drar tillbaka", "påståendet fel", "hade fel", "misstog mig", "mitt fel", "borde inte ha sagt", "skulle inte ha sagt", "vet inte om", "påstår inte", "påstår inget", "kan inte säga", "kan inte bekräfta", "inte synligt", "inte kört*",
    "tager tilbage", "trækker tilbage", "trekker tilbake", "tar tilbake", "tog fejl", "tok feil", "burde ikke have sagt", "burde ikke ha sagt", "ved ikke om", "vet ikke om", "påstår ikke*", "kan ikke sige", "kan ikke si", "kan ikke bekræfte", "kan ikke bekrefte", "ikke synlig*", "ikke kørt", "ikke kjørt",
    // Polish, Czech, Romanian, Finnish, Hungarian, Turkish
    "wycofuję", "odwołuję", "cofam", "pomyliłem", "pomyliłam", "myliłem", "myliłam", "mój błąd", "nie powinienem był", "nie powinienem", "nie powinnam", "prostuję", "nie wiem czy", "nie twierdzę", "nie mogę potwierdzić", "nie mogę powiedzieć", "nie był widoczny", "nie uruchomiłem", "nie uruchomiono",
    "beru zpět", "odvolávám", "stahuji tvrzení", "stahuji to", "mýlil*", "spletl*", "moje chyba", "neměl jsem", "neměla jsem", "nevím zda", "nevím jestli", "netvrdím", "nemohu potvrdit", "nebyl vidět", "nespustil*",
    "îmi retrag", "retrag afirmația", "m-am înșelat", "am greșit", "greșeala mea", "nu ar fi trebuit", "nu trebuia să spun", "nu știu dacă", "nu afirm", "nu pot confirma", "nu pot spune", "nu era vizibil", "nu am rulat",
    "perun", "vedän takaisin", "otan takaisin", "olin väärässä", "erehdyin", "oma virheeni", "ei olisi pitänyt sanoa", "en tiedä", "en väitä", "en voi sanoa", "en voi vahvistaa", "ei näkynyt", "en ajanut",
    "visszavonom", "visszaszívom", "tévedtem", "az én hibám", "nem kellett volna", "helyesbítek", "nem tudom hogy", "nem állítom", "nem állítok", "nem tudom megerősíteni", "nem volt látható", "nem futtattam",
    "geri alıyorum", "geri çekiyorum", "yanılmışım", "yanıldım", "hatalıydım", "benim hatam", "söylememeliydim", "düzeltiyorum", "bilmiyorum", "iddia etmiyorum", "doğrulayamam", "doğrulayamıyorum", "görünmüyordu", "çalıştırmadım",
    // Russian, Ukrainian, Greek
    "беру назад", "беру свои слова назад", "забираю слова", "отзываю", "снимаю утверждение", "утверждение неверно*", "утверждение ошибочно*", "утверждение было", "ошибся", "был неправ", "была неправа", "неправ", "не прав", "поторопился", "поспешил", "ошиблась", "ошибался", "моя ошибка", "не следовало говорить", "не следовало утверждать", "не стоило говорить", "не должен был говорить", 
    "исправляюсь", "не знаю", "не утверждаю", "не могу утверждать", "не могу сказать", "не могу подтвердить", "не был виден", "не видел", "не запускал", "не запускались", "не проверял",
    "забираю назад", "відкликаю", "беру свої слова", "помилився", "був неправий", "поспішив", "помилилася", "моя помилка", "не слід було", "не варто було", "не знаю", "не стверджую", "не можу стверджувати", "не можу сказати", "не можу підтвердити", "не було видно", "не запускав",
    "παίρνω πίσω", "ανακαλώ", "έκανα λάθος", "λάθος μου", "δεν έπρεπε", "δεν ξέρω", "δεν ισχυρίζομαι", "δεν μπορώ να πω", "δεν μπορώ να επιβεβαιώσω", "δεν φαινόταν",
];

/// What was said, in English.
#[rustfmt::skip]
const SAYINGS: &[&str] = &[
    "claim", "claims", "statement", "statements", "message", "summary", "report", "answer", "reply", "assertion", "assertions", "wording", "conclusion",
    "said", "wrote", "claimed", "stated", "reported", "words",
];

/// What is wrong with it.
#[rustfmt::skip]
const FLAWS: &[&str] = &[
    "wrong", "false", "incorrect", "unfounded", "unsupported", "premature", "inaccurate", "untrue", "baseless", "unproven", "unverified", "mistake",
    "mistaken", "error", "overstated", "misleading", "void", "unjustified", "invalid", "unsubstantiated", "isn't", "wasn't", "doesn't", "didn't", "not supported", "not true",
    "not correct", "not justified", "not backed", "not hold", "not accurate", "not right", "no basis", "too strong", "too early", "went too far", "more than",
];

/// Words with which a sentence begins that corrects an earlier one, before a colon or a dash.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "correction", "erratum", "retraction", "korrektur", "richtigstellung", "berichtigung", "correctif", "rectification", "rectificatif", "corrección", "rectificación",
    "correção", "correzione", "rettifica", "correctie", "rättelse", "rettelse", "sprostowanie", "korekta", "oprava", "corectură", "corecție", "korjaus", "helyesbítés",
    "düzeltme", "поправка", "исправление", "виправлення", "уточнення", "διόρθωση",
];

/// The same in scripts without spaces between words.
#[rustfmt::skip]
const TAKES_BACK_SOLID: &[&str] = &[
    "撤回", "取り消し", "取消し", "取り下げ", "間違いでした", "間違っていました", "誤りでした", "誤っていました", "言うべきではありません", "述べるべきではありません", "訂正", "かどうかわかりません",
    "かどうか分かりません", "かどうかは不明", "主張しません", "確認できません", "確認していません", "見えませんでした", "見えなかった", "実行していません", "收回", "说错了", "說錯了", "我错了", "我錯了", "弄错了", "弄錯了",
    "是错误的", "是錯誤的", "不正确", "不正確", "不应该说", "不應該說", "不该说", "不該說", "更正", "纠正", "不知道", "不确定", "不確定", "不声称", "不主张", "无法确认", "無法確認", "不能确认", "无法断言", "没有看到", "沒有看到", "看不到",
    "没有运行", "沒有運行", "未运行", "未验证", "没有验证", "철회", "취소합니다", "잘못 말", "잘못이었", "틀렸", "착각", "실수였", "제 실수", "말하지 말았어야", "말했어야 하는 게 아", "정정", "모르겠", "모릅니다", "알 수 없", "주장하지 않", "확인할 수 없",
    "확인하지 못", "보이지 않", "실행하지 않", "أسحب", "أتراجع", "كنت مخطئ", "لا أعرف", "لا أعلم", "تصحيح", "لم أشغل", "אני חוזר בי", "חוזרת בי", "טעיתי", "תיקון", "איני יודע", "לא יודע", "वापस लेता", "वापस लेती", "ग़लत था", "गलत था", "मुझे नहीं पता", "ถอนคำ", "ผมผิด", "ไม่ทราบ",
    "rút lại", "tôi đã sai", "tôi sai", "đính chính", "tôi không biết", "menarik kembali", "saya salah", "koreksi", "tidak tahu apakah", "saya keliru",
];

/// Words that turn a phrase around, where they are no part of it.
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "not", "don't", "won't", "can't", "cannot", "wouldn't", "didn't", "never", "no", "nothing", "neither", "nicht", "kein", "keine", "keinen", "nichts",
    "pas", "jamais", "rien", "nunca", "nada", "não", "non", "niet", "geen", "inte", "ikke", "nie", "не", "нет", "ne", "nu", "nem", "değil",
];

/// Words that set a condition for what follows.
const CONDITIONS: &[&str] =
    &["if", "unless", "falls", "wenn", "sollte", "если", "якщо", "jeśli", "jos"];

/// Words between two words of a phrase, at most.
const MAX_GAP: usize = 4;
/// Words before a phrase among which a denial counts.
const NEAR: usize = 3;

/// Tells whether a text takes something back that was said before. What it denies or sets a
/// condition for is not taken back.
pub(super) fn takes_back(text: &str) -> bool {
    let small = text.to_lowercase().replace('’', "'");
    let ends = |it: char| matches!(it, '.' | '!' | ';' | '\n' | '。' | '！');
    let spoken = |it: &&str| !it.trim_end().ends_with(['?', '？', '؟']);
    small.split_inclusive('?').filter(spoken).flat_map(|it| it.split(ends)).any(|sentence| {
        let is_word = |it: char| it.is_alphanumeric() || it == '\'' || it == '-';
        let words: Vec<_> = sentence.split(|it| !is_word(it)).filter(|it| !it.is_empty()).collect();
        let is_flawed = |it: &&str| {
            let is_said = words.contains(it);
            is_said && FLAWS.iter().any(|flaw| says(&words, &format!("{it} {flaw}")))
        };
        TAKES_BACK.iter().any(|it| says(&words, it))
            || SAYINGS.iter().any(is_flawed)
            || is_labelled(sentence)
    }) || !small.is_ascii() && TAKES_BACK_SOLID.iter().any(|it| small.contains(it))
        || TAKES_BACK_SOLID.iter().any(|it| it.is_ascii() && small.contains(it))
}

/// `Correction: the tests were not run`
fn is_labelled(sentence: &str) -> bool {
    let text = sentence.trim_start_matches(|it: char| !it.is_alphanumeric());
    let end = text.find(|it: char| !it.is_alphabetic()).unwrap_or(text.len());
    let rest = text[end..].trim_start_matches(['*', '_', ' ']);
    LABELS.contains(&&text[..end]) && rest.starts_with([':', '—', '–', '-', ','])
}

/// Tells whether words have a phrase, and none that denies it.
fn says(words: &[&str], phrase: &str) -> bool {
    let mut parts = phrase.split(' ');
    let Some(first) = parts.next() else { return false };
    let denies = |it: &&str| DENIALS.contains(it);
    words.iter().enumerate().filter(|it| fits(it.1, first)).any(|(start, _)| {
        let mut at = start;
        let is_found = parts.clone().all(|part| {
            let rest = words.get(at + 1..).unwrap_or_default();
            let Some(gap) = rest.iter().take(MAX_GAP + 1).position(|it| fits(it, part)) else {
                return false;
            };
            let is_plain = !rest[..gap].iter().any(denies);
            at += gap + 1;
            is_plain
        });
        let is_condition = |it: &&str| CONDITIONS.contains(it);
        is_found
            && !words[start.saturating_sub(NEAR)..start].iter().any(denies)
            && !words[..start].iter().any(is_condition)
    })
}

fn fits(word: &str, part: &str) -> bool {
    match part.strip_suffix('*') {
        Some(begin) => word.starts_with(begin),
        None => word == part,
    }
}

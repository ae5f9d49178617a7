//! Messages that only close a conversation: thanks, wishes, an offer of more help.

/// Words of a sentence that may be no more than politeness.
const MAX_WORDS: usize = 16;
/// The same in characters, for scripts without spaces.
const MAX_CHARACTERS: usize = 120;
/// The same of one that begins as others do, too.
const MAX_FEW_WORDS: usize = 4;
const MAX_FEW_CHARACTERS: usize = 32;

/// What such a sentence begins with, or is.
#[rustfmt::skip]
const BEGINNINGS: &[&str] = &[
    // English
    "you're welcome", "you are welcome", "youre welcome", "you're very welcome", "you are very welcome", "you're most welcome",
    "no problem", "no worries", "my pleasure", "it was my pleasure", "it's my pleasure", "anytime", "any time",
    "happy to help", "happy to have helped", "happy coding", "always happy to", "thank you", "many thanks",
    "don't mention it", "bye", "goodbye", "good bye", "see you", "take care",
    "have a great", "have a good", "have a nice", "have a lovely", "have a wonderful", "good luck", "best of luck",
    "let me know if", "let me know whenever", "just let me know", "feel free", "if you need anything", "if you need any",
    "if you have any", "if there's anything", "if there is anything", "if anything else", "is there anything else",
    "reach out", "don't hesitate", "i'm here if", "i am here if", "i'm here whenever", "ping me", "just ask",
   
    "good night", "until next time", "talk soon", "have fun",
    // German
    "gern geschehen", "sehr gerne", "kein problem", "keine ursache", "bitte sehr", "bitte schön",
    "nichts zu danken", "vielen dank", "viel erfolg", "viel spaß", "viel glück", "sag bescheid",
    "sag einfach bescheid", "melde dich", "meld dich", "melden sie sich", "lass es mich wissen", "lass mich wissen",
    "wenn du noch", "falls du noch", "wenn sie noch", "falls sie noch", "tschüss", "bis bald", "bis dann",
    // French
    "de rien", "avec plaisir", "je vous en prie", "je t'en prie", "pas de problème", "pas de souci", "il n'y a pas de quoi",
    "bonne journée", "bonne soirée", "bonne continuation", "bon courage", "n'hésite", "n'hésitez", "à bientôt",
    "au revoir", "si tu as besoin", "si vous avez besoin", "dis-moi si", "dites-moi si",
    // Spanish
    "de nada", "con gusto", "con mucho gusto", "un placer", "no hay de qué", "no hay problema", "muchas gracias",
    "que tengas", "que tenga", "avísame", "avíseme", "si necesitas", "si necesita", "no dudes", "no dude", "hasta luego",
    "hasta pronto", "adiós", "me alegra", "me alegro", "a la orden",
    // Portuguese
    "por nada", "disponha", "às ordens", "não há de quê", "sem problema", "sem problemas", "foi um prazer", "obrigado",
    "obrigada", "tenha um", "tenha uma", "se precisar", "me avise", "avise-me", "qualquer coisa", "até logo", "até mais",
    "boa sorte", "fico feliz", "tchau",
    // Italian
    "prego", "di nulla", "di niente", "figurati", "si figuri", "piacere mio", "è stato un piacere", "con piacere",
    "nessun problema", "buona giornata", "buona serata", "buon lavoro", "fammi sapere", "mi faccia sapere",
    "se hai bisogno", "se ha bisogno", "a presto", "arrivederci", "ciao", "buona fortuna",
    // Dutch
    "graag gedaan", "geen probleem", "geen dank", "tot je dienst", "bedankt", "dank je", "dank u", "veel succes", "laat het me weten",
    "laat het gerust weten", "laat maar weten", "als je nog", "mocht je nog", "fijne dag", "prettige dag", "tot ziens", "tot snel",
    // Swedish, Danish, Norwegian
    "varsågod", "ingen orsak", "inga problem", "ha en bra", "ha det bra", "hör av dig", "säg till", "lycka till", "selv tak",
    "det var så lidt", "ingen problem", "ingen årsag", "ha en god", "hav en god", "sig til", "held og lykke", "bare hyggelig",
    "vær så god", "ingen årsak", "si ifra", "lykke til",
    // Polish, Czech
    "nie ma za co", "nie ma sprawy", "nie ma problemu", "proszę bardzo", "dziękuję", "powodzenia", "daj znać",
    "proszę dać znać", "jeśli będziesz", "miłego dnia", "do widzenia", "do zobaczenia", "není zač", "rádo se stalo",
    "nemáš zač", "děkuji", "hodně štěstí", "dej vědět", "dejte vědět", "hezký den", "na shledanou",
    // Russian, Ukrainian
    "пожалуйста", "не за что", "всегда пожалуйста", "рад помочь", "рада помочь", "рад был помочь", "обращайтесь",
    "обращайся", "если понадобится", "если возникнут", "дайте знать", "дай знать", "удачи", "хорошего дня", "до свидания",
    "до встречи", "будь ласка", "нема за що", "радий допомогти", "рада допомогти", "звертайтесь", "звертайся", "гарного дня",
    // Turkish
    "rica ederim", "bir şey değil", "ne demek", "teşekkür ederim", "sorun değil", "kolay gelsin", "iyi günler",
    "iyi çalışmalar", "haber ver", "başka bir şey", "başka bir sorun", "görüşürüz", "hoşça kal", "yardımcı olabildiysem",
    // Chinese
    "不客气", "有任何问题", "有问题随时", "有需要随时", "如有任何", "随时告诉", "随时联系", "随时", "隨時",  "不用谢", "不谢", "别客气", "如果还有", "如果需要",
    "祝你", "祝您", "再见", "不客氣", "不用謝", "如果還有", "祝您", "再見",
    // Japanese
    "どういたしまして", "何かあれば", "何かありましたら", "他に何か", "ほかに何か", "いつでも",  "いえいえ", "お役に立て", "またいつでも", "また何か", "お気軽に",
   
    // Korean
    "천만에요", "별말씀을", "도움이 되", "도움이 필요", "언제든", "다른 도움", "더 필요한", "추가로 필요", "좋은 하루",
    "수고하", "안녕히",
    // Arabic, Hebrew, Hindi, Vietnamese, Indonesian
    "على الرحب والسعة", "عفوا", "عفوًا", "لا شكر على واجب", "شكرا", "شكرًا", "בבקשה", "על לא דבר", "אין בעד מה", "בשמחה",
    "आपका स्वागत है", "स्वागत है", "धन्यवाद", "कोई बात नहीं", "không có gì", "không có chi", "cảm ơn", "sama-sama",
    "terima kasih", "senang bisa", "dengan senang hati", "jangan ragu",
];

/// What begins such a sentence, and others that tell something: few words may follow.
#[rustfmt::skip]
const SHORT_BEGINNINGS: &[&str] = &[
    "welcome", "glad", "thanks", "great", "perfect", "awesome", "nice", "sounds good", "all good", "got it", "understood", "ok",
    "okay", "noted", "will do", "cheers", "sure thing", "of course", "enjoy", "not at all", "anything else", "gerne", "gern", "bitte",
    "danke", "freut mich", "schönen", "alles klar", "merci", "ravi", "parfait", "d'accord", "gracias", "perfecto", "suerte", "imagina",
    "grazie", "perfetto", "prima", "tack", "tak", "takk", "kul att", "dzięki", "cieszę się", "díky", "спасибо", "дякую", "teşekkürler",
    "başka bir", "没事", "没问题", "沒問題", "很高兴", "谢谢", "感谢", "謝謝", "好的", "ありがとう", "お疲れ", "よろしく", "了解", "承知", "네",
    "알겠습니다", "감사합니다", "고맙습니다", "rất vui", "תודה",
];

/// What tells nothing where nothing else is said.
#[rustfmt::skip]
const ALONE: &[&str] = &[
    "done", "all done", "all set", "ready", "all ready", "finished", "all finished", "complete", "completed", "fixed", "you got it",
    "you bet", "sure", "absolutely", "certainly", "yes", "yep", "yeah", "yup", "no", "nope", "right", "correct", "exactly", "agreed",
    "indeed", "good", "good call", "good catch", "cool", "same to you", "you too", "likewise", "on it", "consider it done", "there you go",
    "here you go", "np", "yw", "ty", "thx", "k", "kk", "roger", "copy that", "lgtm", "that's it", "that's all", "it's done", "it is done",
    "fertig", "erledigt", "passt", "klar", "genau", "ja", "nein", "fait", "c'est fait", "terminé", "oui", "listo", "hecho", "sí", "pronto",
    "feito", "sim", "fatto", "sì", "klaar", "gedaan", "klart", "färdig", "gotowe", "zrobione", "hotovo", "готово", "сделано", "зроблено",
    "tamam", "bitti", "完成", "完成了", "已完成", "搞定", "完了", "完了しました", "はい", "완료", "완료했습니다", "네",
];

/// What begins the condition of an offer: "tell me, if …".
const CONDITIONS: &[&str] = &[
    "if",
    "when",
    "whenever",
    "should",
    "wenn",
    "falls",
    "sobald",
    "si",
    "en cas",
    "cuando",
    "se",
    "quando",
    "caso",
    "als",
    "mocht",
    "wanneer",
    "om",
    "när",
    "hvis",
    "når",
    "jeśli",
    "jeżeli",
    "gdyby",
    "pokud",
    "kdyby",
    "если",
    "когда",
    "якщо",
    "eğer",
    "如果",
    "若",
    "もし",
    "혹시",
    "nếu",
    "jika",
    "kalau",
    "إذا",
    "אם",
    "यदि",
    "अगर",
];

/// Tells whether a message says nothing but politeness: it closes a conversation, and tells nobody
/// what it was about.
pub fn is_farewell(message: &str) -> bool {
    let ends = ['.', '!', '?', '\n', '。', '！', '？', '…', '۔', '।', '¡', '¿', '—', '–'];
    let mut sentences = message.split(ends).filter(|it| !plain(it).is_empty());
    // Signs and pictures alone are no more than that.
    !message.trim().is_empty() && sentences.all(is_polite)
}

/// Tells whether each part of a sentence is polite; a condition may follow one that is.
fn is_polite(sentence: &str) -> bool {
    let mut parts = sentence.split([',', '，', '、', '،']).map(plain).filter(|it| !it.is_empty());
    let is_condition = |it: &String| {
        is_short(it, MAX_WORDS, MAX_CHARACTERS) && CONDITIONS.iter().any(|word| begins(it, word))
    };
    parts.next().is_some_and(|it| is_polite_part(&it))
        && parts.all(|it| is_polite_part(&it) || is_condition(&it))
}

/// A sentence in small letters, without the marks and pictures around it.
fn plain(sentence: &str) -> String {
    let bare = sentence.trim_matches(|it: char| !it.is_alphanumeric());
    bare.to_lowercase().replace(['’', '‘', '´'], "'")
}

fn is_polite_part(part: &str) -> bool {
    // A name, a number or a path tells something.
    let tells = part.contains(['`', '/', '_', '=', ':', ';', '('])
        || part.bytes().any(|it| it.is_ascii_digit());
    let is_one = |list: &[&str]| list.iter().any(|it| begins(part, it));
    let is_long_form = is_short(part, MAX_WORDS, MAX_CHARACTERS) && is_one(BEGINNINGS);
    let is_short_form =
        is_short(part, MAX_FEW_WORDS, MAX_FEW_CHARACTERS) && is_one(SHORT_BEGINNINGS);
    !tells && (is_long_form || is_short_form || ALONE.contains(&part) || is_welcome(part))
}

/// "You are", anything that makes it more, "welcome".
fn is_welcome(part: &str) -> bool {
    let mut forms = ["you're ", "you are ", "youre ", "ur ", "u r "].iter();
    let rest = forms.find_map(|it| part.strip_prefix(it));
    rest.is_some_and(|it| {
        let mut words = it.split_whitespace().take(5);
        is_short(it, MAX_WORDS, MAX_CHARACTERS) && words.any(|it| it == "welcome")
    })
}

fn is_short(part: &str, words: usize, characters: usize) -> bool {
    part.split_whitespace().count() <= words && part.chars().count() <= characters
}

/// Tells whether a text begins with words; scripts without spaces go on at once.
fn begins(text: &str, words: &str) -> bool {
    let is_spaced = words.chars().next_back().is_some_and(|it| it < '\u{2e80}');
    let goes_on = |rest: &str| is_spaced && rest.starts_with(|it: char| it.is_alphanumeric());
    text.strip_prefix(words).is_some_and(|it| !goes_on(it))
}

#[cfg(test)]
mod tests {
    use super::is_farewell;

    #[test]
    fn politeness_alone_is_a_farewell_in_many_languages() {
        for text in [
            "You're welcome.",
            "You’re welcome! Let me know if you need anything else.",
            "You are very welcome! 😊 Happy coding!",
            "You are most welcome, have a nice day!",
            "You are so very welcome.",
            "You got it.",
            "👍",
            "🎉🎉",
            "Done.",
            "Done!",
            "All set 👍",
            "Yes.",
            "No problem, glad I could help!",
            "Glad it works! Have a great day.",
            "Anytime. Feel free to reach out if anything else comes up.",
            "Gern geschehen! Sag Bescheid, wenn du noch etwas brauchst.",
            "Gerne! Viel Erfolg weiterhin.",
            "De rien ! N'hésitez pas si vous avez d'autres questions.",
            "¡De nada! Avísame si necesitas algo más.",
            "Por nada! Se precisar de algo, me avise.",
            "Prego! Fammi sapere se hai bisogno di altro.",
            "Graag gedaan! Laat het me weten als je nog iets nodig hebt.",
            "Nie ma za co! Daj znać, jeśli coś jeszcze.",
            "Пожалуйста! Обращайтесь, если возникнут вопросы.",
            "Rica ederim! Başka bir şey lazım olursa haber ver.",
            "不客气！如果还有其他问题，随时告诉我。",
            "どういたしまして！また何かあればいつでもどうぞ。",
            "천만에요! 더 필요한 것이 있으면 언제든 말씀해 주세요.",
            "Varsågod! Lycka till.",
            "على الرحب والسعة!",
        ] {
            assert!(is_farewell(text), "{text}");
        }
    }

    #[test]
    fn what_tells_something_is_none() {
        for text in [
            "",
            "Done with the parser.",
            "Done: the parser takes nested lists.",
            "The parser takes nested lists now.",
            "You're welcome. The fix is in `src/parse.rs`.",
            "Thanks for the hint: the cache was stale, and clearing it helped.",
            "Great, all 12 tests pass now.",
            "Perfect, the loader is merged.",
            "Great progress on the parser and its error messages today",
            "Gerne. Der Parser nimmt jetzt verschachtelte Listen.",
            "Greatly simplified the loader.",
            "不客气！解析器现在支持嵌套列表。",
        ] {
            assert!(!is_farewell(text), "{text}");
        }
    }
}

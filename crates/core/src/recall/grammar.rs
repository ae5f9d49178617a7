//! Words that hold a sentence together in other languages than English, and tell nothing of what it is
//! about. English ones are no terms at all; these are words that stand everywhere, because some of them
//! mean something in English too. What means much there is not among them.

use super::words::Table;

/// Of German, French, Spanish and Portuguese, without marks.
#[rustfmt::skip]
static LATIN: Table = Table::of(&[
    "aber", "afin", "agora", "ahora", "ai", "aient", "ainda", "ainsi", "al", "algo", "alguem",
    "algum", "alguma", "algumas", "algun", "alguna", "algunas", "algunos", "alguns", "alle",
    "allem", "allen", "aller", "alles", "alors", "als", "ambos", "andere", "anderen", "anderer",
    "ans", "ante", "antes", "ao", "aos", "apenas", "apres", "aquel", "aquela", "aquele",
    "aqueles", "aquella", "aquellos", "aqui", "aquilo", "asi", "assez", "assim", "ate",
    "atraves", "au", "auch", "aucun", "aucune", "auf", "aun", "aunque", "aura", "aurait", "aus",
    "ausser", "aussi", "autre", "autres", "aux", "avait", "avant", "avec", "avez", "avoir",
    "avons", "bajo", "bei", "beim", "bevor", "bis", "bitte", "bleibt", "ca", "cada", "casi",
    "ce", "ceci", "cela", "celle", "celles", "celui", "cependant", "ces", "cet", "cette",
    "ceux", "chaque", "chez", "ci", "combien", "comme", "comment", "como", "con", "contra",
    "cosa", "cual", "cuales", "cualquier", "cuando", "cuanto", "da", "dabei", "dadurch",
    "dafur", "dagegen", "daher", "damit", "danach", "dans", "daquele", "daran", "darauf",
    "daraus", "darf", "darin", "daruber", "darum", "das", "dass", "davon", "dazu", "de", "debe",
    "deben", "dein", "deine", "deja", "del", "dela", "dele", "deles", "dem", "demas", "denn",
    "depois", "depuis", "der", "des", "desde", "deshalb", "despues", "dessa", "desse", "desta",
    "deste", "deux", "devant", "deve", "devem", "devrait", "dich", "die", "diese", "diesem",
    "diesen", "dieser", "dieses", "dir", "doch", "doit", "doivent", "donc", "donde", "dont",
    "dort", "du", "durante", "durch", "durfen", "eigentlich", "ein", "eine", "einem", "einen",
    "einer", "eines", "einfach", "el", "ela", "elas", "ele", "eles", "ella", "ellas", "elle",
    "elles", "ellos", "em", "en", "encore", "enquanto", "entao", "entonces", "entre", "er",
    "eram", "eran", "eres", "erst", "es", "esa", "esas", "ese", "eso", "esos", "essa", "essas",
    "esse", "esses", "est", "esta", "estaba", "estaban", "estado", "estan", "estao", "estar",
    "estas", "estava", "este", "estes", "esto", "estos", "estoy", "et", "etaient", "etait",
    "ete", "etre", "etwa", "etwas", "eu", "euch", "euer", "eux", "faca", "faire", "fais",
    "faut", "favor", "faz", "fazer", "foi", "fois", "font", "foram", "fosse", "fue", "fueron",
    "fur", "ganz", "gar", "gegen", "geht", "genau", "gerade", "gern", "gibt", "gracias", "ha",
    "habe", "haben", "haber", "habia", "hace", "hacen", "hacer", "hacia", "han", "hasta",
    "hatte", "hatten", "hay", "haz", "hier", "hinter", "ich", "igual", "ihm", "ihn", "ihnen",
    "ihr", "ihre", "ihrem", "ihren", "ihrer", "il", "ils", "im", "immer", "incluso", "indem",
    "ins", "isso", "ist", "isto", "ja", "jamais", "je", "jede", "jedem", "jeden", "jeder",
    "jedes", "jedoch", "jemand", "jetzt", "juste", "kann", "kannst", "kein", "keine", "keinem",
    "keinen", "keiner", "konnen", "konnte", "konnten", "la", "laquelle", "las", "lass", "le",
    "lequel", "les", "leur", "leurs", "lhe", "lo", "lors", "lorsque", "los", "luego", "lui",
    "ma", "mache", "machen", "macht", "mais", "mal", "malgre", "mas", "mehr", "mein", "meine",
    "meinem", "meinen", "meiner", "mejor", "meme", "memes", "menos", "merci", "mes", "mesma",
    "mesmo", "meu", "meus", "mi", "mich", "mientras", "minha", "minhas", "mir", "mis", "misma",
    "mismo", "mit", "mochte", "moi", "moins", "mon", "mucho", "muchos", "muito", "muitos",
    "muss", "mussen", "musste", "muy", "na", "nach", "nachdem", "nada", "nao", "nas", "ne",
    "nein", "nem", "nenhum", "nenhuma", "nessa", "nesse", "nesta", "neste", "ni", "nicht",
    "nichts", "nie", "ninguem", "ningun", "ninguna", "noch", "non", "nos", "nosotros", "nossa",
    "nosso", "notre", "nous", "nuestra", "nuestro", "num", "numa", "nun", "nunca", "nur", "ob",
    "oben", "obrigado", "oder", "ohne", "onde", "ont", "os", "otra", "otras", "otro", "otros",
    "ou", "oui", "outra", "outras", "outro", "outros", "par", "para", "parce", "pas", "pela",
    "pelas", "pelo", "pelos", "pendant", "pero", "peu", "peut", "peuvent", "peux", "plus",
    "plusieurs", "plutot", "poco", "pode", "podem", "poder", "por", "porem", "porque", "pouco",
    "pour", "pourquoi", "pouvez", "pra", "prendre", "presque", "puede", "pueden", "puedes",
    "puedo", "pues", "puis", "puisque", "qual", "qualquer", "quand", "quando", "quanto", "que",
    "quel", "quelle", "quelles", "quelque", "quelques", "quels", "quem", "quer", "quero", "qui",
    "quien", "quiere", "quiero", "quoi", "rien", "sa", "sans", "sao", "schon", "se", "sea",
    "segun", "sehr", "sein", "seine", "seinem", "seinen", "seiner", "seit", "seja", "selbst",
    "selon", "sem", "sempre", "ser", "sera", "serait", "ses", "seu", "seus", "si", "sich",
    "sido", "sie", "siehe", "siempre", "sind", "sino", "sob", "sobald", "sobre", "sogar",
    "soit", "soll", "sollen", "sollte", "sollten", "solo", "sommes", "sondern", "sonst", "sont",
    "sous", "souvent", "soweit", "sowie", "soy", "statt", "su", "sua", "suas", "suis", "sur",
    "sus", "ta", "tal", "talvez", "tambem", "tambien", "tampoco", "tan", "tandis", "tanto",
    "tao", "te", "tel", "telle", "tellement", "tem", "temos", "tener", "tengo", "tenho", "ter",
    "tes", "teu", "tiene", "tienen", "tinha", "toda", "todas", "todavia", "todos", "toi",
    "tous", "tout", "toute", "toutes", "tras", "tres", "trop", "trotz", "tu", "tudo", "tus",
    "uber", "um", "uma", "umas", "un", "una", "unas", "und", "une", "uno", "unos", "uns",
    "unser", "unsere", "unter", "usted", "ustedes", "va", "vai", "vamos", "vers", "veut",
    "veux", "vez", "viel", "viele", "vielleicht", "voce", "voces", "voici", "voila", "vom",
    "von", "vor", "vos", "votre", "vous", "vraiment", "wann", "waren", "warum", "weder",
    "wegen", "weil", "weiter", "welche", "welchem", "welchen", "welcher", "welches", "wenig",
    "wenn", "wer", "werde", "werden", "wie", "wieder", "wieso", "wir", "wird", "wirklich", "wo",
    "wobei", "wohl", "wollen", "wurde", "wurden", "ya", "yo", "zu", "zum", "zur", "zwar",
    "zwischen",
]);

/// Pairs of signs of Chinese, sorted.
#[rustfmt::skip]
static CHINESE: [&str; 84] = [
    "一个", "一些", "一样", "一起", "不会", "不是", "不能", "不要", "为了", "为什", "么会", "么样",
    "也是", "了一", "了吗", "什么", "他们", "以及", "会在", "但是", "使用", "其他", "出现", "到了",
    "可以", "可能", "后来", "和我", "因为", "因此", "在这", "如何", "如果", "已经", "帮我", "应该",
    "怎么", "我们", "我想", "我要", "所以", "所有", "把这", "时候", "是不", "是否", "是在", "有没",
    "有的", "来的", "来说", "没有", "现在", "用来", "由于", "的时", "的是", "的话", "看看", "知道",
    "能不", "能够", "自己", "觉得", "请你", "请在", "请帮", "请把", "起来", "过来", "还是", "还有",
    "这个", "这些", "这样", "这里", "进行", "那个", "那么", "那些", "都是", "里的", "里面", "需要",
];

/// Whether a word, in small letters and without marks, only holds a sentence together.
pub(super) fn holds_together(word: &[u8]) -> bool {
    LATIN.has(word)
}

/// Whether two signs that follow each other only do so: endings and particles of Japanese are written
/// in signs of their own, and what they are put to in others.
pub(super) fn is_held_together_by(pair: &str) -> bool {
    pair.chars().all(is_hiragana) || CHINESE.binary_search(&pair).is_ok()
}

fn is_hiragana(sign: char) -> bool {
    ('\u{3040}'..='\u{309f}').contains(&sign)
}

#[cfg(test)]
mod tests {
    use super::{CHINESE, LATIN, holds_together, is_held_together_by};
    use crate::recall::words::STOP;

    #[test]
    fn every_table_is_sorted_and_says_nothing_twice() {
        assert!(LATIN.words.is_sorted_by(|one, other| one < other));
        assert!(CHINESE.is_sorted_by(|one, other| one < other));
        assert!(LATIN.words.iter().all(|it| !STOP.has(it.as_bytes())));
    }

    #[test]
    fn what_holds_a_sentence_together_is_told_from_what_it_is_about() {
        assert!(
            ["weil", "dass", "parce", "porque", "nao"]
                .iter()
                .all(|it| holds_together(it.as_bytes()))
        );
        assert!(
            ["todo", "man", "datenbank", "port"].iter().all(|it| !holds_together(it.as_bytes()))
        );
        assert!(["因为", "から", "です"].iter().all(|it| is_held_together_by(it)));
        assert!(["缓存", "接続", "エラ"].iter().all(|it| !is_held_together_by(it)));
    }
}

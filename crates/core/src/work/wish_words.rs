//! The words with which a prompt asks for a test that fails, in languages other than English.

/// The words of a wish in another language: a word that ends with `*` stands for all that begin so.
pub(super) struct Wish {
    pub(super) writes: &'static [&'static str],
    pub(super) tests: &'static [&'static str],
    pub(super) fails: &'static [&'static str],
    pub(super) shows: &'static [&'static str],
    pub(super) mends: &'static [&'static str],
    pub(super) denials: &'static [&'static str],
    /// Words are not set apart by spaces.
    pub(super) is_solid: bool,
}

const NO_WISH: Wish = Wish {
    writes: &[],
    tests: &[],
    fails: &[],
    shows: &[],
    mends: &[],
    denials: &[],
    is_solid: false,
};

#[rustfmt::skip]
pub(super) const WISHES: &[Wish] = &[
    Wish {
        writes: &["schreib*", "füge", "erstell*", "ergänz*", "leg", "lege", "beginn*", "starte", "brauche", "möchte", "will", "mach", "baue"],
        tests: &["test", "tests", "unittest*", "unit-test*", "regressionstest*", "testfall", "testfälle"],
        fails: &["fehlschlag*", "fehlschläg*", "rot", "roten", "roter", "scheiter*", "durchfäll*", "fehl"],
        shows: &["reproduzier*", "zeigt", "aufdeckt", "demonstrier*", "nachweis*", "auslöst", "beweist"],
        mends: &["beheb*", "repar*", "fix*", "korrigier*", "lös*", "beseitig*", "grün*", "besteht", "bestehen", "durchläuft", "behoben", "debug*"],
        denials: &["kein", "keine", "keinen", "nicht", "nie", "wenn", "falls", "ob", "warum"],
        ..NO_WISH
    },
    Wish {
        writes: &["écri*", "ajout*", "crée*", "créer", "commence*", "veux", "voudrais", "fais", "donne*", "rédige*"],
        tests: &["test", "tests", "spec"],
        fails: &["échou*", "échec", "rouge", "échoue"],
        shows: &["reprodui*", "montre*", "démontre*", "expose*", "révèle*", "déclenche*", "prouve*"],
        mends: &["corrig*", "répar*", "passer", "passe", "passent", "vert", "résou*", "fixe*", "débogue*"],
        denials: &["pas", "aucun", "aucune", "jamais", "si", "quand", "lorsque", "pourquoi", "sans"],
        ..NO_WISH
    },
    Wish {
        writes: &["escrib*", "añad*", "agreg*", "crea", "crear", "cree", "empieza", "quiero", "haz", "necesito", "dame"],
        tests: &["test", "tests", "prueba", "pruebas"],
        fails: &["falle", "fallen", "falla", "fallan", "fallar", "fallida", "fallido", "rojo", "roja"],
        shows: &["reprodu*", "muestr*", "demuestr*", "expon*", "revel*", "provo*"],
        mends: &["arregl*", "corrig*", "corrij*", "repar*", "pase", "pasen", "pasar", "pasa", "verde", "soluc*", "resuelv*", "depura*"],
        denials: &["no", "ninguna", "ningún", "nunca", "si", "cuando", "qué", "sin"],
        ..NO_WISH
    },
    Wish {
        writes: &["escrev*", "adicion*", "cria", "crie", "criar", "começ*", "quero", "faz", "faça", "preciso", "acrescent*"],
        tests: &["teste", "testes"],
        fails: &["falhe", "falhem", "falha", "falham", "falhar", "vermelho"],
        shows: &["reprodu*", "mostr*", "demonstr*", "exponha", "revel*", "provoque"],
        mends: &["corrig*", "corrij*", "conserta*", "conserte", "repar*", "passe", "passem", "passar", "passa", "verde", "resolv*", "arrum*"],
        denials: &["não", "nenhum", "nunca", "se", "quando", "sem"],
        ..NO_WISH
    },
    Wish {
        writes: &["scriv*", "aggiung*", "crea", "creare", "inizia", "voglio", "fai", "prepara"],
        tests: &["test"],
        fails: &["fallis*", "fallire", "rosso"],
        shows: &["riprodu*", "mostr*", "dimostr*", "espon*", "rivel*", "provoc*"],
        mends: &["corregg*", "ripar*", "sistem*", "passi", "passino", "passare", "passa", "verde", "risolv*", "aggiust*"],
        denials: &["non", "nessun", "mai", "se", "quando", "senza"],
        ..NO_WISH
    },
    Wish {
        writes: &["schrijf*", "voeg", "maak", "begin", "wil"],
        tests: &["test", "tests", "unittest"],
        fails: &["faal*", "falen*", "faalt", "falende", "mislukt", "rode"],
        shows: &["reproduceer*", "aantoont", "laat zien", "toont"],
        mends: &["fix*", "repareer*", "los", "herstel*", "slaagt", "slagen", "groen", "verhelp*", "corrigeer*"],
        denials: &["niet", "geen", "nooit", "als", "wanneer", "zonder"],
        ..NO_WISH
    },
    Wish {
        writes: &["skriv", "skapa", "lägg", "gör", "vill", "lag", "opret", "legg", "tilføj", "lav"],
        tests: &["test", "tester", "tests", "testen"],
        fails: &["misslyckas", "fallerar", "röd", "rött", "fejler", "feiler", "fejlende", "feilende", "rød", "failar"],
        shows: &["reproducerar", "visar", "reproducerer", "viser", "reproduserer"],
        mends: &["fixa", "laga", "rätta", "grön*", "passera*", "ret", "fiks*", "rett*", "reparer*", "åtgärda", "løs", "består", "går"],
        denials: &["inte", "ingen", "inga", "aldrig", "om", "när", "ikke", "hvis", "når", "utan", "uden", "uten"],
        ..NO_WISH
    },
    Wish {
        writes: &["napisz", "dodaj", "utwórz", "stwórz", "zacznij", "chcę", "zrób", "napiš", "přidej", "vytvoř", "začni"],
        tests: &["test", "testy"],
        fails: &["nieprzechodząc*", "nie przechodzi", "padając*", "pada", "czerwony", "selhává", "selže", "padající", "neprocház*", "selhávající", "failuje"],
        shows: &["odtwarza*", "reprodukuj*", "pokazuj*", "ujawni*", "ukazuje", "reprodukuje", "odhal*"],
        mends: &["napraw*", "popraw*", "przechodził*", "zielon*", "rozwiąż", "oprav*", "zelen*", "vyřeš*"],
        denials: &["żaden", "żadnego", "nigdy", "jeśli", "gdy", "bez", "žádný", "pokud", "když", "aby"],
        ..NO_WISH
    },
    Wish {
        writes: &["напиш*", "добав*", "созда*", "начни", "сделай", "хочу", "нужен", "дода*", "створ*", "почни", "зроби"],
        tests: &["тест", "тесты", "теста", "тести", "юнит-тест"],
        fails: &["падающ*", "падает", "падал", "упадёт", "упадет", "красный", "провал*", "падає", "падаюч*", "червоний", "провалю*"],
        shows: &["воспроизвод*", "показыва*", "демонстрир*", "выявля*", "відтворю*", "показу*", "демонстру*"],
        mends: &["исправ*", "почин*", "устран*", "проход*", "прош*", "зелен*", "зелён*", "решить", "реши", "виправ*", "полагод*", "проход*", "отлад*"],
        denials: &["не", "ни", "если", "когда", "никогда", "без", "якщо", "коли", "ніколи", "жоден", "почему"],
        ..NO_WISH
    },
    Wish {
        writes: &["yaz", "yazın", "ekle", "ekleyin", "oluştur", "başla", "istiyorum"],
        tests: &["test", "testi", "testler", "testini"],
        fails: &["başarısız", "kırmızı", "geçmeyen", "kalan"],
        shows: &["gösteren", "üreten", "ortaya", "tetikleyen", "yeniden"],
        mends: &["düzelt*", "onar*", "geçsin", "geçir*", "yeşil*", "çöz*", "gider*"],
        denials: &["değil", "hiçbir", "asla", "eğer", "olursa", "olmasın"],
        ..NO_WISH
    },
    Wish {
        writes: &["写", "添加", "新增", "加一个", "加个", "创建", "編寫", "编写", "補", "新建", "先来", "来一个", "寫"],
        tests: &["测试", "測試", "用例"],
        fails: &["失败", "失敗", "不通过", "不通過", "红"],
        shows: &["复现", "重现", "複現", "重現", "暴露", "展示", "证明", "触发"],
        mends: &["修复", "修復", "修正", "修好", "解决", "解決", "让测试通过", "使其通过", "测试通过", "的测试通过", "变绿", "修一下", "修改代码"],
        denials: &["不要留", "别留", "如果", "为什么", "不能", "不应", "没有"],
        is_solid: true,
    },
    Wish {
        writes: &["書いて", "書く", "追加", "作成", "作って", "用意", "書き"],
        tests: &["テスト"],
        fails: &["失敗する", "落ちる", "失敗し", "通らない", "レッド"],
        shows: &["再現", "示す", "露呈", "引き起こす"],
        mends: &["直し", "直す", "修正", "修復", "解決", "通るように", "通して", "グリーン", "デバッグ"],
        denials: &["失敗しない", "場合", "なぜ", "残さない", "たら"],
        is_solid: true,
    },
    Wish {
        writes: &["작성", "추가", "만들", "써", "쓰"],
        tests: &["테스트"],
        fails: &["실패하는", "실패할", "깨지는", "통과하지 않는"],
        shows: &["재현", "보여주는", "드러내는", "증명하는"],
        mends: &["고쳐", "고치", "수정", "해결", "통과하도록", "통과시켜", "통과하게", "디버그"],
        denials: &["실패하지", "경우", "왜", "남기지", "없이"],
        is_solid: true,
    },
];

/// Words that deny a repair in languages other than English, or that are a denied one.
#[rustfmt::skip]
pub(super) const NOTS: &[&str] = &[
    "nicht", "nichts", "kein", "keine", "keinen", "ohne", "ne", "n", "pas", "rien", "sans", "no", "nada", "sin", "ningún", "não", "nem", "sem", "non", "nulla", "niente", "senza", "niet", "niets", "geen", "zonder", "inte", "inget", "ingenting",
    "ikke", "intet", "utan", "uden", "uten", "nie", "nic", "niczego", "bez", "neopravuj", "nespravuj", "не", "ничего", "нічого", "без", "değil", "düzeltme", "düzeltmeyin", "düzeltmeden", "onarma", "onarmayın", "onarmadan", "çözme", "çözmeyin", "çözmeden", "geçirme",
    "not", "don't", "dont", "never", "without",
];

/// The same in scripts without spaces.
pub(super) const SOLID_NOTS: &[&str] = &[
    "不要",
    "别",
    "別",
    "先不",
    "不用",
    "无需",
    "無需",
    "不必",
    "不需要",
    "勿",
    "しないで",
    "ないで",
    "せずに",
    "ずに",
    "しなくて",
    "なくていい",
    "不要です",
    "지 마",
    "지 말",
    "지마",
    "지말",
    "지는 마",
    "지는 말",
    "않고",
    "않아도",
    "안 해도",
    "필요는 없",
    "필요 없",
];

/// Words between two clauses of a sentence.
#[rustfmt::skip]
pub(super) const BUTS: &[&str] = &[
    " aber ", " ohne ", " sans ", " sin ", " sem ", " senza ", " zonder ", " utan ", " uden ", " uten ", " bez ", " без ", " und ", " doch ", " mais ", " et ", " pero ", " y ", " mas ", " e ", " ma ", " maar ", " en ", " men ", " och ", " og ", " ale ", " i ", " a ", " но ", " и ", " а ", " але ", " та ", " і ", " ama ", " ve ", " fakat ", " but ", " and ", " 但 ", "但是", "但不", "하되",
];

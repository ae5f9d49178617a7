//! Lithuanian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testai" "testas" "testus" "testų" "testo" "vienetų testai"
    },
    builds: words! {
        "build" "kompiliavimas" "surinkimas" "kūrimas"
    },
    all: words! {
        "visi" "visus" "visas" "visos" "100"
    },
    everything: words! {
        "viskas"
    },
    filling: words! {
        "visi" "yra" "dabar" "taip pat" "ir" "vėl" "buvo" "jie" "sėkmingai" "vis dar"
    },
    states: words! {
        "praeina" "praėjo" "praeiti" "praėję" "žali" "žalias" "sėkmingi" "sėkmingai" "sėkmingas"
        "pavyko" "pavyksta" "tvarkoje" "išlaikyti"
    },
    faultless: words! {
        "be klaidų" "be problemų"
    },
    none: words! {
        "nė vienas" "joks" "jokių"
    },
    fails: words! {
        "nepraeina" "nepavyko" "krenta" "krinta" "raudon*" "nepavyksta" "nepraėjo" "neveikia"
        "nekrenta"
    },
    compiles: words! {
        "kompiliuojasi" "susikompiliuoja" "susikompiliavo"
    },
    ran: words! {
        "paleidau" "įvykdžiau" "paleisti" "paleidus" "įvykdyti"
    },
    tested: words! {
        "patikrinta" "ištestuota" "patikrinau" "išbandyta" "patikrintas" "ištestuotas" "ištestavau"
        "patvirtinta"
    },
    things: words! {
        "pataisymas" "pakeitimas" "pakeitimai" "kodas" "sprendimas" "pataisymą" "pakeitimą"
    },
    works: words! {
        "veikia"
    },
    guards: words! {
        "ne" "turėtų" "turi" "tik" "kai kurie" "beveik" "gali" "galbūt" "nebuvo" "nėra" "neturi"
        "dauguma" "tikriausiai" "dalis" "nepavyko"
    },
    conditions: words! {
        "jei" "jeigu" "kai" "prašau" "prieš" "išskyrus" "ar" "kol" "paleiskite" "pagal" "tikslas"
    },
    that: words! {
        "kad"
    },
    confirmed: words! {
        "patvirtinu" "įsitikinau"
    },
    undone: words! {
        "nebuvo paleisti" "nepaleidau" "nepaleisti" "neištestuota" "nepatikrinta" "netestavau"
        "negalėjau paleisti" "prašau paleisti"
    },
    gaps: words! {
        "išskyrus" "nepraeina" "nepavyko" "praleist*"
    },
    reasons: words! {
        "nes" "kadangi" "reikia" "trūksta" "dėl"
    },
    fine: words! {
        "tvarkoje" "gerai" "ok"
    },
    ..LATIN
};

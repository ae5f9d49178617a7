//! Hungarian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "teszt" "tesztek" "teszteket" "tesztkészlet" "tesztcsomag" "egységtesztek" "tesztet"
        "tesztfutás" "pytest" "tesztje" "tesztsorozat" "tesztek*" "tesztkészlet*" "tesztből"
    },
    builds: words! { "build" "fordítás" },
    lints: words! { "lint" "linter" "eslint" "clippy" "ruff" },
    all: words! { "minden" "összes" "mind" "teljes" "mindegyik" "mindkét" "valamennyi" "100" },
    everything: words! { "minden" },
    filling: words! {
        "most" "is" "már" "újra" "mind" "továbbra" "és" "a" "az" "ismét" "mindegyik" "összes" "le"
        "hiba" "sikeresen"
    },
    states: words! {
        "átmegy" "átment" "átmennek" "átmentek" "átmenti" "zöld" "zöldek" "sikeres" "sikeresek"
        "sikeresen" "sikerült" "lefut" "lefutott" "lefutottak" "megfelelt" "rendben"
        "sikeresen lefutott" "már nem bukik" "megy át hibátlanul"
    },
    faultless: words! {
        "hiba nélkül" "hibátlanul" "hibamentesen" "hibák nélkül" "figyelmeztetés nélkül"
        "gond nélkül"
    },
    none: words! { "egyetlen" "egy" "nincs" "nulla" "semmilyen" },
    fails: words! {
        "sem bukik" "sem bukott" "sem hibás" "sem hibázik" "bukott" "elbukik" "elbukott" "elbuknak"
        "megbukott" "hibás" "piros" "hibázik" "bukik" "sikertelen" "sem sikertelen"
    },
    compiles: words! { "fordul" "lefordul" "lefordult" "fordítható" },
    ran: words! { "lefuttattam" "futtattam" "lefuttatva" "lefuttatása" "futtatás" },
    tested: words! {
        "teszteltem" "letesztelve" "tesztelve" "ellenőriztem" "ellenőrizve" "leteszteltem"
        "kipróbáltam" "tesztelt"
    },
    things: words! {
        "javítás" "javítást" "módosítás" "módosítást" "változtatás" "változtatást" "kód" "kódot"
        "megoldás" "megoldást" "implementáció" "funkció" "módosítások" "változások"
    },
    works: words! { "működik" "működnek" },
    guards: words! {
        "kellene" "kell" "nem" "soha" "lehet" "néhány" "csak" "valószínűleg" "fog" "fognak"
        "majdnem" "szinte" "legtöbb" "többsége" "tudtam" "tegnap" "volt" "voltak" "talán" "része"
        "remélhetőleg" "nincs" "sem"
    },
    conditions: words! {
        "ha" "amikor" "amíg" "hogy ha" "győződj" "ellenőrizd" "futtasd" "kérlek" "kivéve" "mielőtt"
        "szerint" "amint" "addig" "előtt" "korábban" "cél" "annak érdekében"
    },
    that: words! { "hogy" },
    confirmed: words! {
        "ellenőriztem" "megerősítem" "megerősítettem" "meggyőződtem" "mutatja" "láttam"
    },
    objects: words! { "paramétert" "értéket" },
    undone: words! {
        "nem futtattam" "nem tudtam lefuttatni" "nem teszteltem" "teszteletlen" "futtasd a tesztek"
        "nem futottak" "nem lett tesztelve"
    },
    gaps: words! {
        "kivéve" "kivételével" "nem futtatható*" "nem tudtam" "nem sikerült" "még piros" "kihagyva"
        "kihagyott" "nem megy át" "nem mennek át"
    },
    reasons: words! {
        "mert" "mivel" "kell" "szükség*" "hiányzik" "hiányoznak" "nélkül" "miatt" "nincs"
        "igényel*"
    },
    fine: words! { "rendben" "jó" "ok" },
    ..LATIN
};

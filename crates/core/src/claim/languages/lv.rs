//! Latvian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testi" "tests" "testus" "testu" "testiem" "vienībtesti" "vienībtestus"
    },
    builds: words! {
        "build" "būvējums" "būve" "kompilācija"
    },
    all: words! {
        "visi" "visas" "visus" "viss" "100"
    },
    everything: words! {
        "viss"
    },
    filling: words! {
        "visi" "ir" "tagad" "arī" "un" "atkal" "tika" "tie" "veiksmīgi" "sekmīgi" "joprojām"
    },
    states: words! {
        "iziet" "izgāja" "izieti" "izturēti" "zaļi" "zaļš" "veiksmīgi" "veiksmīga" "veiksmīgs"
        "sekmīgi" "izdevās" "izdodas" "kārtībā" "nokārtoti"
    },
    faultless: words! {
        "bez kļūdām" "bez problēmām"
    },
    none: words! {
        "neviens" "neviena"
    },
    fails: words! {
        "neizdodas" "neiziet" "krīt" "sarkan*" "kļūdain*" "neveiksmīg*" "neizdevās" "neizgāja"
        "nokrita"
    },
    compiles: words! {
        "kompilējas" "nokompilējās"
    },
    ran: words! {
        "palaidu" "izpildīju" "palaisti" "izpildīti"
    },
    tested: words! {
        "pārbaudīts" "pārbaudīta" "pārbaudīti" "testēts" "notestēts" "notestēta" "pārbaudīju"
        "notestēju"
    },
    things: words! {
        "labojums" "izmaiņas" "izmaiņa" "kods" "risinājums"
    },
    works: words! {
        "strādā" "darbojas"
    },
    guards: words! {
        "nav" "vajadzētu" "jābūt" "jāiziet" "tikai" "daži" "gandrīz" "varētu" "var" "netika"
        "neesmu" "iespējams" "vairums" "nevar" "nebija" "bija"
    },
    conditions: words! {
        "ja" "kad" "lūdzu" "pirms" "izņemot" "vai" "lai" "līdz" "tiklīdz" "palaidiet" "saskaņā"
    },
    that: words! {
        "ka"
    },
    confirmed: words! {
        "apstiprinu" "pārliecinājos"
    },
    undone: words! {
        "nav palaisti" "nepalaidu" "netika palaisti" "nav pārbaudīt" "nav testēt" "neesmu palaidis"
        "nav izpildīti" "nevarēju palaist" "nav notestēt" "lūdzu palaidiet"
    },
    gaps: words! {
        "izņemot" "neiziet" "neizdevās" "izlaist*"
    },
    reasons: words! {
        "tāpēc" "vajag" "vajadzīg*" "trūkst" "dēļ" "nepieciešam*" "jo"
    },
    fine: words! {
        "kārtībā" "ok"
    },
    ..LATIN
};

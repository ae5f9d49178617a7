//! Icelandic.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "próf" "prófin" "prófanir" "prófanirnar" "prófunum" "test" "testin" "prófið" "einingapróf"
        "einingaprófin"
    },
    builds: words! {
        "build" "smíðin" "þýðingin"
    },
    all: words! {
        "öll" "allar" "allt" "100"
    },
    everything: words! {
        "allt"
    },
    filling: words! {
        "öll" "allar" "eru" "er" "nú" "núna" "líka" "aftur" "og" "þau" "þær" "voru" "enn"
    },
    states: words! {
        "standast" "stóðust" "stenst" "stóðst" "staðist" "græn" "grænt" "grænar" "tókust" "tókst"
        "heppnuðust" "heppnaðist" "heppnast" "í lagi"
    },
    faultless: words! {
        "án villna" "villulaust" "án vandræða"
    },
    none: words! {
        "engin" "ekkert" "enginn"
    },
    fails: words! {
        "falla" "fellur" "féll" "féllu" "mistókst" "mistekst" "mistakast" "rauð" "brotin" "bilar"
        "bilað"
    },
    compiles: words! {
        "þýðist" "þýddist"
    },
    ran: words! {
        "keyrði" "keyrt" "keyrð" "keyrðar"
    },
    tested: words! {
        "prófað" "prófaði" "staðfest" "sannreynt" "sannprófað" "sannreyndi" "prófuð"
    },
    things: words! {
        "lagfæring" "lagfæringin" "breyting" "breytingin" "breytingar" "kóðinn" "lausnin"
        "lagfæringuna" "breytinguna"
    },
    works: words! {
        "virkar" "virka"
    },
    guards: words! {
        "ekki" "ættu" "ætti" "þurfa" "þarf" "sum" "aðeins" "næstum" "flest" "gætu" "mun" "munu"
        "líklega" "vonandi" "bara"
    },
    conditions: words! {
        "ef" "þegar" "vinsamlegast" "áður" "nema" "hvort" "til að" "keyrðu" "samkvæmt" "þar til"
    },
    that: words! {
        "að"
    },
    confirmed: words! {
        "staðfesti" "sannreyndi"
    },
    undone: words! {
        "ekki keyrð" "keyrði ekki" "ekki prófa" "óprófað" "ekki keyrt" "gat ekki keyrt"
        "ekki staðfest" "vinsamlegast keyrðu"
    },
    gaps: words! {
        "nema" "fyrir utan" "standast ekki" "stenst ekki" "sleppt"
    },
    reasons: words! {
        "því" "vegna" "þarf" "vantar" "þurfa"
    },
    fine: words! {
        "í lagi" "ok"
    },
    ..LATIN
};

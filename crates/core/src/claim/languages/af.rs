//! Afrikaans.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "toetse" "toets" "eenheidstoetse" "toetsstel" "toetssuite" "integrasietoetse"
    },
    builds: words! {
        "build" "bou" "kompilering"
    },
    all: words! {
        "alle" "al" "hele" "elke" "100"
    },
    everything: words! {
        "alles"
    },
    filling: words! {
        "nou" "is" "het" "weer" "ook" "die" "en" "almal" "was" "hulle" "steeds" "suksesvol"
    },
    states: words! {
        "slaag" "geslaag" "groen" "suksesvol" "deurgegaan" "in orde"
    },
    faultless: words! {
        "sonder foute" "foutloos" "sonder probleme"
    },
    none: words! {
        "geen"
    },
    fails: words! {
        "faal" "misluk" "rooi" "gefaal" "stukkend" "breek"
    },
    compiles: words! {
        "kompileer" "bou"
    },
    ran: words! {
        "uitgevoer" "laat loop" "geloop" "gehardloop"
    },
    tested: words! {
        "getoets" "geverifieer" "nagegaan" "bevestig" "gekontroleer"
    },
    things: words! {
        "regstelling" "verandering" "veranderinge" "kode" "oplossing"
    },
    works: words! {
        "werk"
    },
    guards: words! {
        "nie" "moet" "behoort" "sal" "sommige" "slegs" "net" "byna" "kan" "mag" "waarskynlik"
        "meeste" "sou" "hopelik" "behoort te"
    },
    conditions: words! {
        "as" "wanneer" "asseblief" "voordat" "behalwe" "totdat" "indien" "sodra" "of" "sodat"
        "volgens" "doel" "maak seker"
    },
    that: words! {
        "dat"
    },
    confirmed: words! {
        "bevestig" "gekontroleer"
    },
    undone: words! {
        "nie uitgevoer" "nie geloop" "nie getoets" "ongetoets" "nie laat loop" "nie geverifieer"
        "asseblief die toetse" "kon nie"
    },
    gaps: words! {
        "behalwe" "uitgesonderd" "slaag nie" "oorgeslaan"
    },
    reasons: words! {
        "omdat" "want" "benodig" "vereis" "ontbreek" "weens" "kort"
    },
    fine: words! {
        "in orde" "ok"
    },
    ..LATIN
};

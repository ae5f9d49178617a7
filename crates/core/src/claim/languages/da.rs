//! Danish.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "tests" "test" "testene" "testsuiten" "testen" "enhedstests" "enhedstest" "testsuite"
        "pytest"
    },
    builds: words! { "build" "buildet" "bygget" "kompileringen" },
    lints: words! { "lint" "linter" "linteren" "eslint" "clippy" "ruff" },
    all: words! { "alle" "hele" "samtlige" "hver" "begge" "100" },
    everything: words! { "alt" },
    filling: words! {
        "alle" "nu" "er" "har" "også" "igen" "og" "de" "stadig" "samtlige" "blev" "med" "den" "det"
        "fortsat"
    },
    states: words! {
        "er green" "består" "bestod" "bestået" "grønne" "grøn" "grønt" "kører igennem" "lykkes" "lykkedes"
        "passerer" "går igennem" "gik igennem" "succesfuldt" "fejler ikke længere" "godkendt"
    },
    faultless: words! { "uden fejl" "fejlfrit" "uden problemer" "uden advarsler" "ingen fejl" },
    none: words! { "ingen" "intet" "nul" "ikke en eneste" },
    fails: words! {
        "fejler" "fejlede" "fejlet" "fejlende" "røde" "rød" "mislykkes" "i stykker" "fejl"
    },
    compiles: words! { "kompilerer" "bygger" "kompileres" },
    ran: words! { "kørte" "kørt" "køres" "kørsel" },
    tested: words! { "testet" "verificeret" "afprøvet" "testede" "efterprøvet" },
    things: words! {
        "rettelsen" "fixet" "fix" "ændringen" "ændringerne" "koden" "løsningen" "implementeringen"
        "funktionen"
    },
    works: words! { "virker" "fungerer" },
    guards: words! {
        "burde" "bør" "skal" "må" "ikke" "aldrig" "kan" "kunne" "vil" "nogle" "visse" "kun" "næsten"
        "fleste" "sandsynligvis" "forhåbentlig" "var" "ville" "måske" "ingen" "halvdelen" "skulle"
        "i går"
    },
    conditions: words! {
        "hvis" "når" "indtil" "før" "for at" "sørg" "kontroller" "kør" "undtagen" "bortset" "ifølge"
        "så snart" "venligst" "tidligere" "mål" "målet" "mens"
    },
    that: words! { "at" },
    confirmed: words! { "bekræftet" "verificeret" "kontrolleret" "bekræfter" "viser" "tjekket" },
    objects: words! { "en" "et" "gennem" "af" },
    undone: words! {
        "ikke kørt" "ikke køre" "ikke testet" "utestet" "kør testene" "ikke verificeret"
        "ikke efterprøvet"
    },
    gaps: words! {
        "undtagen" "bortset fra" "med undtagelse" "på nær" "kan ikke køres" "kunne ikke køres"
        "kunne ikke" "fik ikke" "lykkedes ikke" "stadig rød*" "sprunget over" "består ikke"
        "ikke muligt"
    },
    reasons: words! {
        "fordi" "da" "kræver" "mangler" "behøver" "brug for" "uden" "på grund" "forventer" "ingen"
        "ikke tilgængelig*"
    },
    fine: words! { "i orden" "fint" "godt" "ok" },
    ..LATIN
};

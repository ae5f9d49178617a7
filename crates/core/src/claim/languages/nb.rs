//! Norwegian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "tester" "testene" "test" "testen" "testsuiten" "enhetstester" "enhetstestene" "testpakken"
        "pytest"
    },
    builds: words! { "bygget" "build" "bygg" "kompileringen" "builden" },
    lints: words! { "lint" "linter" "linteren" "eslint" "clippy" "ruff" },
    all: words! { "alle" "hele" "samtlige" "hver" "begge" "100" },
    everything: words! { "alt" },
    filling: words! {
        "alle" "nå" "er" "har" "også" "igjen" "og" "de" "fortsatt" "fremdeles" "ble" "med" "den"
        "det" "kjører"
    },
    states: words! {
        "er green" "passerer" "passerte" "passert" "består" "besto" "bestod" "bestått" "grønne" "grønn" "grønt"
        "går gjennom" "gikk gjennom" "lykkes" "lyktes" "vellykket" "vellykkede" "feiler ikke lenger"
        "går igjennom" "gikk igjennom"
    },
    faultless: words! { "uten feil" "feilfritt" "uten problemer" "uten advarsler" "ingen feil" },
    none: words! { "ingen" "null" "ikke en eneste" },
    fails: words! {
        "feiler" "feilet" "feilende" "mislykkes" "mislyktes" "røde" "rød" "ødelagt" "feil"
    },
    compiles: words! { "kompilerer" "bygger" "kompileres" },
    ran: words! { "kjørte" "kjørt" "kjøring" },
    tested: words! { "testet" "verifisert" "utprøvd" "etterprøvd" },
    things: words! {
        "fiksen" "fiks" "rettelsen" "endringen" "endringene" "koden" "løsningen" "implementasjonen"
        "funksjonen"
    },
    works: words! { "fungerer" "virker" "funker" },
    guards: words! {
        "burde" "bør" "skal" "må" "ikke" "aldri" "kan" "kunne" "vil" "noen" "visse" "bare" "kun"
        "nesten" "fleste" "sannsynligvis" "forhåpentligvis" "var" "ville" "kanskje" "ingen"
        "halvparten" "skulle"
    },
    conditions: words! {
        "hvis" "når" "inntil" "før" "for å" "sørg" "sjekk" "kjør" "unntatt" "bortsett" "ifølge"
        "så snart" "vennligst" "tidligere" "mål" "målet" "mens"
    },
    that: words! { "at" },
    confirmed: words! { "bekreftet" "verifisert" "kontrollert" "bekrefter" "viser" "sjekket" },
    objects: words! { "en" "et" "gjennom" "av" },
    undone: words! {
        "ikke kjørt" "ikke kjøre" "ikke testet" "utestet" "kjør testene" "ikke verifisert"
    },
    gaps: words! {
        "unntatt" "bortsett fra" "med unntak" "utenom" "kan ikke kjøres" "kunne ikke kjøres"
        "kunne ikke" "fikk ikke" "klarte ikke" "lyktes ikke" "fortsatt rød*" "hoppet over"
        "består ikke" "ikke mulig"
    },
    reasons: words! {
        "fordi" "siden" "krever" "mangler" "trenger" "behøver" "uten" "på grunn" "forventer"
        "ingen" "ikke tilgjengelig*"
    },
    fine: words! { "i orden" "fint" "bra" "ok" },
    ..LATIN
};

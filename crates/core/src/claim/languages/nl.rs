//! Dutch.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "tests" "test" "testsuite" "testen" "unittests" "testset" "pytest" "suite" "testrun"
        "integratietests"
    },
    builds: words! { "build" "compilatie" },
    all: words! { "alle" "allemaal" "hele" "volledige" "elke" "beide" "gehele" "100" },
    everything: words! { "alles" },
    filling: words! {
        "alle" "nu" "weer" "zijn" "is" "allemaal" "ook" "nog" "steeds" "hebben" "heeft" "en" "ze"
        "de" "het" "zonder" "opnieuw" "werden" "werd" "inmiddels" "draaien" "draait" "lopen"
        "volledig" "met"
    },
    states: words! {
        "zijn green" "slagen" "slaagt" "geslaagd" "groen" "slaagden" "slaagde" "succesvol" "succes" "goed"
        "schoon" "gelukt" "falen niet meer" "faalt niet meer" "door"
    },
    faultless: words! {
        "zonder fouten" "zonder fout" "foutloos" "zonder problemen" "zonder waarschuwingen"
        "geen fouten"
    },
    none: words! { "geen" "geen enkele" "nul" },
    fails: words! {
        "faalt" "falen" "gefaald" "mislukt" "mislukken" "mislukte" "falende" "rood" "kapot" "stuk"
        "fouten"
    },
    compiles: words! { "compileert" "bouwt" "compileren" },
    ran: words! { "gedraaid" "laten draaien" "laten lopen" "uitgevoerd" "draaide" "gerund" "runde" },
    tested: words! { "getest" "geverifieerd" "gecontroleerd" "uitgetest" "gevalideerd" },
    things: words! {
        "fix" "wijziging" "wijzigingen" "aanpassing" "aanpassingen" "oplossing" "code"
        "implementatie" "patch" "functie" "feature" "correctie" "endpoint"
    },
    works: words! { "werkt" "werken" "werkend" },
    guards: words! {
        "zouden" "zou" "moeten" "moet" "zullen" "zal" "niet" "geen" "nooit" "kunnen" "kan" "kon"
        "sommige" "enkele" "alleen" "bijna" "meeste" "waarschijnlijk" "hopelijk" "waren" "gisteren"
        "misschien" "deel" "helft" "slechts" "enige" "gaan"
    },
    conditions: words! {
        "als" "wanneer" "zodra" "totdat" "tot" "om" "zorg" "controleer" "voordat" "voor" "behalve"
        "mits" "indien" "tenzij" "volgens" "draai" "voer" "gelieve" "graag" "zodat" "doel"
        "op twee na" "eerder" "of"
    },
    that: words! { "dat" },
    confirmed: words! {
        "bevestigd" "bevestig" "gecontroleerd" "geverifieerd" "gezien" "toont" "bevestigen"
    },
    objects: words! { "een" "aan" "naar" "voor" },
    undone: words! {
        "niet gedraaid" "niet uitgevoerd" "niet getest" "kon de tests niet" "ongetest"
        "draai de tests" "voer de tests" "niet geverifieerd"
    },
    gaps: words! {
        "behalve" "op na" "uitgezonderd" "met uitzondering" "na slagen" "niet draaien"
        "niet worden uitgevoerd" "niet uitgevoerd worden" "lukte niet" "niet gelukt"
        "niet aan de praat" "nog rood" "blijft rood" "overgeslagen" "slaagt niet" "slagen niet"
        "niet laten slagen" "niet mogelijk"
    },
    reasons: words! {
        "omdat" "want" "aangezien" "nodig" "ontbreekt" "ontbreken" "vereist" "vereisen" "wegens"
        "zonder" "verwacht" "geen" "niet beschikbaar"
    },
    fine: words! { "in orde" "goed" "ok" },
    ..LATIN
};

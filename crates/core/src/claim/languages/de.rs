//! German.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "tests" "test" "testsuite" "test-suite" "testsuiten" "unit-tests" "unittests" "testfälle"
        "integrationstests" "regressionstests" "testlauf" "modultests" "komponententests" "testfall"
        "suite" "e2e-tests" "pytest" "einzeltests" "testdurchlauf" "unit-test-suite"
        "unit-testsuite" "pytest-suite" "jest-suite" "integrationstest-suite" "integrationstestsuite"
    },
    builds: words! { "build" "builds" "kompilierung" "übersetzung" },
    lints: words! { "linter" "lint" "linting" "clippy" "eslint" "ruff" },
    all: words! {
        "alle" "allesamt" "sämtliche" "gesamte" "gesamten" "ganze" "komplette" "jeder" "beide" "100"
    },
    everything: words! { "alles" },
    filling: words! {
        "alle" "jetzt" "nun" "wieder" "weiterhin" "wurden" "wurde" "haben" "hat" "ist" "sind" "auch"
        "laufen" "läuft" "liefen" "lief" "vollständig" "komplett" "allesamt" "ausnahmslos" "immer"
        "noch" "und" "ohne" "der" "die" "das" "erfolgreich"
    },
    states: words! {
        "sind green" "ist green" "alle green" "läuft green" "laufen green" "durch" "grün" "bestanden" "bestehen" "besteht" "erfolgreich" "sauber" "fehlerfrei"
        "durchgelaufen" "durchlaufen" "laufen durch" "nicht mehr fehl" "klappen" "gelingt" "glatt"
        "erfolgreich durch"
    },
    faultless: words! {
        "ohne fehler" "fehlerfrei" "ohne probleme" "ohne warnungen" "sauber" "fehlerlos"
        "keine fehler"
    },
    none: words! { "nichts ist" "nichts" "kein" "keine" "keiner" "kein einziger" "keinerlei" "null" },
    fails: words! {
        "fehl" "fehlschlag*" "fehlgeschlagen*" "scheitert" "scheitern" "rot" "fehlschläge"
        "testfehler" "bricht" "kaputt" "fehlern" "fehler"
    },
    compiles: words! { "kompiliert" "baut" "kompilieren" "übersetzt" "lässt sich bauen" },
    ran: words! {
        "ausgeführt" "laufen lassen" "durchlaufen lassen" "ausführen" "durchgeführt" "gestartet" "ausgeführt:" "testlauf"
    },
    tested: words! { "getestet" "verifiziert" "geprüft" "durchgetestet" "überprüft" "ausprobiert" },
    things: words! {
        "fix" "änderung" "änderungen" "korrektur" "lösung" "code" "implementierung" "patch"
        "funktion" "feature" "endpunkt" "behebung" "umsetzung" "anpassung" "ablauf" "refactoring"
    },
    works: words! { "funktioniert" "funktionieren" "läuft" "klappt" },
    guards: words! {
        "sollten" "sollte" "soll" "sollen" "müssen" "muss" "müssten" "müsste" "werden" "wird"
        "würden" "würde" "nicht" "kein" "keine" "keiner" "könnten" "könnte" "kann" "können" "konnte"
        "einige" "manche" "nur" "fast" "meisten" "nie" "wahrscheinlich" "vermutlich" "hoffentlich"
        "möchte" "waren" "war" "teil" "beinahe" "bis" "gestern" "früher" "theoretisch" "laufen noch"
        "viele" "dürften" "dürfte" "hälfte"
    },
    conditions: words! {
        "wenn" "falls" "sobald" "ob" "damit" "bitte" "bevor" "hast" "außer" "sicherstellen" "sicher"
        "prüfe" "vorher" "solange" "sofern" "führe" "laut" "um" "bis auf" "ausgenommen" "zuvor"
        "vor meiner" "sagt" "sagte" "starte" "stelle" "ziel" "erwartet" "bis alle"
    },
    that: words! { "dass" },
    confirmed: words! {
        "bestätigt" "bestätigen" "geprüft" "verifiziert" "überprüft" "sichergestellt" "zeigt"
        "bestätige"
    },
    objects: words! { "lassen" "einen" "eine" "ein" "den" "an" "auf" "aus" "darauf" "zu" },
    undone: words! {
        "nicht ausgeführt" "nicht ausführen" "nicht getestet" "nicht laufen lassen" "ungetestet"
        "nicht geprüft" "führe die tests" "bitte führe" "nicht laufen gelassen" "nicht verifiziert"
        "noch nicht gelaufen"
    },
    gaps: words! {
        "außer" "bis auf" "ausgenommen" "abgesehen von" "mit ausnahme" "nicht laufen"
        "nicht zum laufen" "nicht ausgeführt werden" "nicht möglich" "nicht gelungen" "noch rot"
        "bleibt rot" "übersprungen" "nicht grün" "nicht bestehen" "nicht zum bestehen"
        "nicht starten" "lassen sich hier nicht" "kann hier nicht" "nicht durch"
    },
    reasons: words! {
        "weil" "da" "denn" "braucht" "brauchen" "benötig*" "fehlt" "fehlen" "wegen" "mangels"
        "ohne" "erwartet" "nicht verfügbar" "nicht installiert" "nicht erreichbar"
    },
    fine: words! { "in ordnung" "gut" "bestens" "ok" },
    ..LATIN
};

//! Swedish.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "tester" "testerna" "test" "testet" "testsviten" "enhetstester" "enhetstesterna" "testfall"
        "testfallen" "testsvit" "pytest"
    },
    builds: words! { "bygget" "build" "bygge" "kompileringen" "builden" },
    lints: words! { "lint" "linter" "lintern" "eslint" "clippy" "ruff" },
    all: words! { "alla" "hela" "samtliga" "varje" "båda" "100" },
    everything: words! { "allt" },
    filling: words! {
        "alla" "nu" "är" "har" "också" "igen" "och" "de" "fortfarande" "samtliga" "åter" "blev"
        "med" "den" "det"
    },
    states: words! {
        "är green" "går igenom" "gick igenom" "gått igenom" "igenom" "gröna" "grön" "grönt" "lyckas" "lyckades"
        "lyckats" "passerar" "passerade" "godkända" "godkänt" "klarar sig" "rent"
        "misslyckas inte längre"
    },
    faultless: words! { "utan fel" "felfritt" "utan problem" "utan varningar" "inga fel" },
    none: words! { "inga" "inget" "ingen" "noll" "inte ett enda" },
    fails: words! {
        "failar" "failade"         "misslyckas" "misslyckades" "misslyckade" "fallerar" "fallerade" "röda" "rött" "röd"
        "trasig*" "fel"
    },
    compiles: words! { "kompilerar" "bygger" "kompileras" "byggs" },
    ran: words! { "körde" "kört" "kördes" "körts" "körning" },
    tested: words! {
        "testat" "testad" "testats" "testades" "verifierat" "verifierad" "verifierats" "verifierade"
        "testade"
    },
    things: words! {
        "fixen" "fix" "ändringen" "ändringarna" "ändring" "koden" "lösningen" "implementationen"
        "rättningen" "funktionen" "patchen"
    },
    works: words! { "fungerar" "funkar" },
    guards: words! {
        "borde" "bör" "ska" "skall" "måste" "inte" "aldrig" "kan" "kunde" "kommer" "några" "vissa"
        "bara" "endast" "nästan" "flesta" "troligen" "förmodligen" "förhoppningsvis" "var" "igår"
        "skulle" "kanske" "inga" "ingen" "delar" "hälften"
    },
    conditions: words! {
        "om" "när" "tills" "innan" "för att" "se till" "kontrollera" "kör" "utom" "förutom" "ifall"
        "enligt" "så att" "så snart" "vänligen" "tidigare" "mål" "målet" "eftersom" "medan"
    },
    that: words! { "att" },
    confirmed: words! {
        "bekräftat" "verifierat" "kontrollerat" "bekräftar" "visar" "bekräftade" "sett"
    },
    objects: words! { "en" "ett" "genom" },
    undone: words! {
        "inte kört" "inte köra" "inte testat" "otestad" "inte kördes" "inte verifierat"
        "kör testerna" "inte verifiera" "overifiera"
    },
    gaps: words! {
        "utom" "förutom" "med undantag" "undantaget" "kan inte köras" "kunde inte köras"
        "fick inte" "lyckades inte" "kunde inte" "fortfarande röd*" "hoppades över" "överhoppa*"
        "går inte att" "går inte igenom" "inte möjligt"
    },
    reasons: words! {
        "eftersom" "därför att" "för att" "behöver" "kräver" "saknas" "saknar" "utan" "på grund"
        "förväntar" "ingen" "inte tillgänglig*"
    },
    fine: words! { "bra" "i ordning" "ok" },
    ..LATIN
};

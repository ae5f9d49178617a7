//! Romanian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "testele" "teste" "test" "testul" "suita" "pytest" "suita de teste" },
    builds: words! { "build-ul" "build" "compilarea" "buildul" },
    lints: words! { "linter-ul" "linter" "lint" "eslint" "clippy" "ruff" },
    all: words! { "toate" "toată" "întreaga" "fiecare" "ambele" "100" "completă" },
    everything: words! { "totul" },
    filling: words! {
        "toate" "acum" "sunt" "este" "și" "au" "a" "fost" "încă" "de" "din" "nou" "unitare"
        "integrare" "cele" "tot" "continuă" "să" "s-a" "s-au" "teste" "cu"
    },
    states: words! {
        "trec" "trece" "trecut" "treacă" "verzi" "verde" "reușite" "reușit" "reușesc" "reușește"
        "cu succes" "succes" "nu mai pică" "nu mai eșuează" "curat" "reușită"
    },
    faultless: words! {
        "fără erori" "fără eroare" "fără probleme" "fără avertismente" "nicio eroare"
    },
    none: words! { "niciun" "nicio" "zero" "nici un" "nu există" },
    fails: words! {
        "nu pică" "nu eșuează" "nu a picat" "nu a eșuat" "pică" "eșuează" "eșuat" "eșuate" "picat"
        "picate" "roșu" "roșii" "eșec" "eșecuri"
    },
    compiles: words! { "compilează" "compilat" "se compilează" },
    ran: words! { "rulat" "executat" "rulate" "rularea" },
    tested: words! { "testat" "testată" "testate" "verificat" "verificată" "verificate" "validat" },
    things: words! {
        "remedierea" "corecția" "modificarea" "modificările" "schimbarea" "schimbările" "codul"
        "soluția" "implementarea" "funcția" "fix-ul" "corectura" "endpointul"
    },
    works: words! { "funcționează" "merge" },
    guards: words! {
        "ar" "trebui" "trebuie" "nu" "niciodată" "pot" "poate" "unele" "câteva" "doar" "numai"
        "probabil" "vor" "va" "aproape" "majoritatea" "putut" "ieri" "erau" "era" "niciun"
        "jumătate" "parte"
    },
    conditions: words! {
        "dacă" "când" "până" "pentru" "asigură" "asigurați-vă" "verifică" "verificați" "rulează"
        "rulați" "înainte" "exceptând" "excepția" "conform" "odată ce" "ca să" "sper" "te rog"
        "scopul" "anterior" "cu excepția"
    },
    that: words! { "că" },
    confirmed: words! { "confirmat" "confirm" "verificat" "constatat" "arată" },
    objects: words! { "un" "o" "prin" "la" "pe" },
    undone: words! {
        "nu am rulat" "nu am putut rula" "nu am testat" "nu au fost rulate" "netestat"
        "rulați testele" "nu am executat" "neverificat"
    },
    gaps: words! {
        "cu excepția" "în afară de" "exceptând" "mai puțin" "nu pot fi rulate" "nu pot rula"
        "nu am reușit" "nu am putut" "încă roșu" "sărit*" "omis*" "nu trece" "nu trec"
    },
    reasons: words! {
        "pentru că" "deoarece" "fiindcă" "are nevoie" "necesită" "lipsește" "lipsesc" "fără"
        "din cauza" "nu există" "nu este disponibil*"
    },
    fine: words! { "în regulă" "bine" "ok" },
    ..LATIN
};

//! Czech and Slovak.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testy" "test" "testů" "testov" "sada testů" "testovací sada" "pytest" "testovacia sada"
    },
    builds: words! { "build" "sestavení" "kompilace" "překlad" "zostavenie" "kompilácia" },
    lints: words! { "linter" "lint" "eslint" "clippy" "ruff" },
    all: words! { "všechny" "všetky" "celá" "každý" "všech" "oba" "všechno" "100" },
    everything: words! { "vše" "všechno" "všetko" },
    filling: words! {
        "všechny" "všetky" "nyní" "teď" "teraz" "jsou" "sú" "je" "také" "opět" "znovu" "a" "i"
        "stále" "už" "byly" "bylo" "se" "sa" "jednotkové" "aj" "boli"
    },
    states: words! {
        "procházejí" "prochází" "prošly" "prošel" "prošla" "prošlo" "prechádzajú" "prechádza"
        "prešli" "prešiel" "prešla" "zelené" "zelený" "zelená" "úspěšné" "úspěšný" "úspěšně"
        "úspěšná" "úspešné" "úspešne" "úspešný" "v pořádku" "v poriadku" "proběhly" "proběhl"
        "prebehli" "splněny" "už neselhávají"
    },
    faultless: words! {
        "bez chyb" "bez chyby" "bez problémů" "bez varování" "bezchybně" "bez chýb" "bezchybne"
    },
    none: words! { "žádný" "žádné" "žiadny" "žiadne" "ani jeden" "nula" },
    fails: words! {
        "neselhává" "neselhal" "nepadá" "neselže" "selhává" "selhal*" "selhávají" "padá" "padají"
        "nezlyháva" "zlyháva" "zlyhal*" "zlyhávajú" "neprochází" "neprocházejí" "červen*" "chyb*"
        "nespadl" "spadl"
    },
    compiles: words! {
        "kompiluje" "sestaví" "přeloží" "skompiluje" "zkompiluje" "zkompiloval" "skompiloval"
        "přeložil"
    },
    ran: words! { "spustil" "spustila" "spuštěny" "pustil" "spustené" "spustenie" },
    tested: words! {
        "otestován*" "otestoval*" "ověřen*" "ověřil*" "otestovan*" "overen*" "overil*" "vyzkoušen*"
        "otestovaná"
    },
    things: words! {
        "oprava" "opravu" "změna" "změny" "změnu" "zmena" "zmeny" "kód" "řešení" "riešenie"
        "implementace" "implementácia" "funkce"
    },
    works: words! { "funguje" "fungují" "fungujú" },
    guards: words! {
        "měly" "měl" "měla" "mali" "mal" "by" "ne" "nie" "nikdy" "mohou" "může" "môžu" "některé"
        "niektoré" "pouze" "jen" "iba" "pravděpodobně" "budou" "bude" "budú" "skoro" "téměř"
        "takmer" "většina" "väčšina" "musí" "musejí" "nemohl" "nemohol" "včera" "snad" "možná"
        "byly" "polovina" "nejsou" "není" "nie sú" "neboli"
    },
    conditions: words! {
        "pokud" "jestli" "když" "až" "dokud" "aby" "ujistěte" "zkontrolujte" "spusťte" "spusť"
        "dříve" "kromě" "okrem" "prosím" "než" "podle" "ak" "keď" "kým" "predtým" "spustite" "cíl"
        "zda" "jakmile" "před"
    },
    that: words! { "že" },
    confirmed: words! {
        "potvrzuji" "potvrdil" "ověřil" "zkontroloval" "overil" "potvrdzujem" "ukazuje"
    },
    objects: words! { "přes" "cez" "skrz" },
    undone: words! {
        "nespustil" "neotestov" "nemohl jsem spustit" "spusťte testy" "nebyly spuštěny"
        "nemohol som spustiť" "spustite testy" "neověřen"
    },
    gaps: words! {
        "kromě" "vyjma" "až na" "s výjimkou" "nelze" "nejde spustit" "nepodařilo" "nemohl jsem"
        "nedaří" "stále červen*" "pořád červen*" "přeskočen*" "neprochází" "neprocházejí"
    },
    reasons: words! {
        "protože" "neboť" "jelikož" "potřebuje" "potřebují" "vyžaduje" "chybí" "kvůli" "bez"
        "očekává" "není" "není k dispozici"
    },
    fine: words! { "v pořádku" "dobře" "ok" },
    ..LATIN
};

//! Catalan.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "tests" "test" "proves" "prova" },
    builds: words! { "build" "compilació" },
    all: words! { "tots" "totes" "tota" "cada" },
    everything: words! { "tot" },
    filling: words! {
        "tots" "totes" "ara" "ja" "són" "és" "han" "ha" "estan" "està" "també" "i" "els" "les" "de"
        "nou" "unitaris" "unitàries" "continuen"
    },
    states: words! {
        "passen" "passa" "passat" "passant" "en verd" "verds" "verd" "superats" "superades"
        "correctament" "amb èxit"
    },
    faultless: words! { "sense errors" "sense cap error" "sense problemes" },
    none: words! { "cap" "no hi ha cap" },
    fails: words! { "no falla" "falla" "fallen" "fallat" "no ha fallat" "vermell*" },
    compiles: words! { "compila" },
    ran: words! { "executat" "llançat" },
    tested: words! { "provat" "provada" "verificat" "verificada" "testejat" },
    things: words! { "arranjament" "correcció" "canvi" "canvis" "codi" "solució" },
    works: words! { "funciona" "funcionen" },
    guards: words! {
        "haurien" "hauria" "no" "mai" "poden" "pot" "alguns" "algunes" "només" "probablement"
        "gairebé" "quasi" "majoria" "pogut" "ahir" "passaran" "deuen"
    },
    conditions: words! {
        "si" "quan" "fins" "perquè" "per" "assegura't" "verifica" "executa" "abans" "excepte"
        "llevat" "un cop" "segons" "tret"
    },
    that: words! { "que" },
    confirmed: words! { "verificat" "confirmat" "comprovat" "confirmo" },
    objects: words! { "un" "una" "el" "la" "els" "les" "per" },
    undone: words! { "no he executat" "no he pogut executar" "no he provat" "executa les proves" },
    gaps: words! {
        "excepte" "tret de" "llevat de" "menys" "no es poden" "no es pot" "no he aconseguit"
        "no he pogut" "encora en vermell" "omes*" "no passa" "no passen"
    },
    reasons: words! {
        "perquè" "ja que" "necessita" "necessiten" "falta" "falten" "requereix" "sense" "no hi ha"
        "no està disponible"
    },
    fine: words! { "bé" "correcte" "en ordre" "ok" },
    ..LATIN
};

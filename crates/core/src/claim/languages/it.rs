//! Italian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "test" "suite" "pytest" "tests" },
    // "Ci" alone is a pronoun.
    ci: words! { "la ci" "pipeline" "github actions" "integrazione continua" },
    builds: words! { "build" "compilazione" },
    all: words! { "tutti" "tutte" "tutta" "intera" "ogni" "completa" "entrambi" "100" },
    everything: words! { "tutto" },
    filling: words! {
        "tutti" "i" "ora" "adesso" "sono" "è" "unitari" "di" "integrazione" "ancora" "anche" "stati"
        "stato" "stata" "e" "la" "il" "gli" "nuovi" "esistenti" "continuano" "a" "hanno" "ha" "test"
        "nuovamente" "termina" "completa"
    },
    states: words! {
        "sono green" "è green" "passano" "passa" "passati" "passato" "passata" "superati" "superato" "superata" "verdi"
        "verde" "riesce" "riuscita" "riusciti" "con successo" "funziona" "funzionano" "pulito"
        "non falliscono più" "non fallisce più" "passare" "successo"
    },
    faultless: words! {
        "senza errori" "senza errore" "senza problemi" "senza fallimenti" "senza avvisi"
        "nessun errore"
    },
    none: words! { "nessun" "nessuno" "nessuna" "zero" "non ci sono" "neanche un" },
    fails: words! {
        "fallisce" "falliscono" "fallito" "falliti" "fallimento" "fallimenti" "rosso" "rossi"
        "rotto"
    },
    compiles: words! { "compila" "compilano" "si compila" },
    ran: words! { "eseguito" "lanciato" "eseguire" "eseguiti" "rieseguito" "avviato" "esecuzione" },
    tested: words! {
        "testato" "testata" "testati" "testate" "verificato" "verificata" "verificati" "provato"
        "collaudato" "validato" "controllato" "controllata"
    },
    things: words! {
        "correzione" "modifica" "modifiche" "cambiamento" "cambiamenti" "codice" "soluzione"
        "funzionalità" "implementazione" "patch" "fix" "endpoint" "flusso"
    },
    works: words! { "funziona" "funzionano" "funzionante" },
    guards: words! {
        "dovrebbero" "dovrebbe" "devono" "deve" "non" "mai" "potrebbero" "può" "possono" "alcuni"
        "alcune" "solo" "probabilmente" "quasi" "maggior" "nessun" "ieri" "erano" "era" "forse"
        "parte" "metà" "passeranno" "passerà" "potuto" "soltanto" "saranno" "sarà"
    },
    conditions: words! {
        "se" "quando" "finché" "per" "assicurati" "verifica" "verificare" "esegui" "prima" "tranne"
        "eccetto" "salvo" "appena" "secondo" "affinché" "obiettivo" "spero" "purché" "una volta"
        "dice" "bisogna" "mentre" "precedentemente"
    },
    that: words! { "che" },
    confirmed: words! { "verificato" "confermo" "confermato" "controllato" "mostra" "constatato" },
    objects: words! {
        "un" "una" "uno" "il" "la" "lo" "le" "gli" "per" "attraverso" "al" "alla" "dal"
    },
    undone: words! {
        "non ho eseguito" "non sono stati eseguiti" "non testato" "esegui i test"
        "non ho potuto eseguire" "non ho testato" "non è stato testato" "non verificat" "non testat"
    },
    gaps: words! {
        "tranne" "eccetto" "salvo" "ad eccezione" "a parte" "non è possibile"
        "non è stato possibile" "non sono riuscito" "non sono riuscita" "non riesco" "non possono"
        "non può" "ancora rosso" "resta rosso" "saltat*" "non passa" "non passano" "impossibile"
    },
    reasons: words! {
        "perché" "poiché" "dato che" "richiede" "richiedono" "serve" "servono" "manca" "mancano"
        "causa" "senza" "aspetta" "non c'è" "non è disponibile" "ha bisogno"
    },
    fine: words! { "a posto" "bene" "in ordine" "corretto" "ok" },
    ..LATIN
};

//! Estonian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testid" "test" "teste" "testi" "testikomplekt" "ühiktestid" "testide" "testidest"
    },
    builds: words! {
        "build" "ehitus" "kompileerimine" "koostamine"
    },
    all: words! {
        "kõik" "kogu" "100"
    },
    everything: words! {
        "kõik"
    },
    filling: words! {
        "kõik" "nüüd" "on" "ka" "jälle" "ja" "nad" "edukalt" "said" "läksid" "lähevad" "jooksevad"
    },
    states: words! {
        "läbivad" "läbis" "läbisid" "läbitud" "läbib" "läbi" "rohelised" "roheline" "õnnestusid"
        "õnnestus" "õnnestub" "õnnestuvad" "edukad" "edukas" "korras"
    },
    faultless: words! {
        "vigadeta" "ilma vigadeta" "ilma probleemideta"
    },
    none: words! {
        "ükski" "ühtegi" "mitte ükski"
    },
    fails: words! {
        "ebaõnnestu*" "kukub" "kukuvad" "kukkus" "katki" "punane" "punased" "ei kuku"
        "ei ebaõnnestu"
    },
    compiles: words! {
        "kompileerub" "kompileerus"
    },
    ran: words! {
        "käivitasin" "jooksutasin" "käivitatud" "jooksutati"
    },
    tested: words! {
        "testitud" "kontrollitud" "testisin" "kontrollisin" "kinnitatud"
    },
    things: words! {
        "parandus" "muudatus" "muudatused" "kood" "lahendus" "parandust" "muudatust"
    },
    works: words! {
        "töötab" "toimib" "töötavad"
    },
    guards: words! {
        "ei" "peaks" "peaksid" "peab" "peavad" "mõned" "ainult" "peaaegu" "võib" "võivad" "ilmselt"
        "loodetavasti" "enamik" "pole" "osa" "vist" "tõenäoliselt" "oli" "olid"
    },
    conditions: words! {
        "kui" "kuni" "palun" "enne" "välja arvatud" "peale" "kas" "käivita" "käivitage" "vastavalt"
        "eesmärk"
    },
    that: words! {
        "et"
    },
    confirmed: words! {
        "kinnitan" "kontrollisin" "veendusin"
    },
    undone: words! {
        "ei käivitanud" "pole käivitatud" "ei ole käivitatud" "ei käivitatud" "testimata"
        "pole testitud" "ei testinud" "ei jooksutanud" "ei saanud käivitada" "palun käivita"
    },
    gaps: words! {
        "välja arvatud" "peale" "ei läbi" "ei õnnestunud" "vahele jäetud"
    },
    reasons: words! {
        "sest" "kuna" "vajab" "puudub" "puuduvad" "tõttu" "ilma"
    },
    fine: words! {
        "korras" "ok"
    },
    ..LATIN
};

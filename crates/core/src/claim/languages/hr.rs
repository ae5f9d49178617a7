//! Croatian, Serbian, Bosnian and Slovenian in Latin letters.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "testovi" "test" "testova" "testi" "testovima" "testove" "teste" "testov" },
    builds: words! { "build" "kompilacija" "gradnja" },
    all: words! { "svi" "sve" "cijeli" "ceo" "vsi" "svaki" "100" },
    everything: words! { "sve" "vse" },
    filling: words! {
        "svi" "sada" "su" "je" "i" "opet" "također" "takođe" "još" "uvijek" "uspješno" "uspešno"
        "zdaj" "so" "in" "vsi" "jedinični"
    },
    states: words! {
        "prolaze" "prolazi" "prošli" "prošao" "zeleni" "zelen" "uspješni" "uspešni" "uspješno"
        "uspešno" "uspješan" "gredo skozi" "uspejo" "uspeli" "uspe" "uspel" "opravljeni" "opravili" "prehajajo" "prestali" "grejo skozi" "uspevajo" "gre skozi" "uspešen" "uspela" "uspješna" "uspešna"
    },
    faultless: words! { "bez grešaka" "bez greške" "brez napak" "bez problema" },
    none: words! { "nijedan" "niti jedan" "nema" "noben" "ni" "nobeden" },
    fails: words! {
        "ne pada" "ne pade" "ne uspijeva" "pada" "padaju" "neuspjel*" "neuspel*" "palih" "crven*"
        "pao" "pali" "pade" "ne padejo" "padejo" "spodleti" "spodletel*"
    },
    compiles: words! { "kompajlira" "kompilira" "prevodi" "prevede" },
    ran: words! { "pokrenuo" "pokrenula" "pokrenuti" "zagnal" "zagnala" "zagnani" },
    tested: words! {
        "testirano" "testiran" "testirana" "provjereno" "provereno" "preverjeno" "preverjen"
        "testirao" "preizkušeno" "preizkušen" "testirala"
    },
    things: words! {
        "ispravak" "ispravka" "promjena" "promjene" "promena" "promene" "kod" "rješenje" "rešenje"
        "popravek" "popravak"
    },
    works: words! { "radi" "deluje" "funkcionira" },
    guards: words! {
        "trebali" "trebalo" "bi" "ne" "nikad" "mogu" "može" "neki" "samo" "vjerojatno" "verovatno"
        "će" "gotovo" "skoro" "većina" "nisam" "jučer" "juče" "bili" "morali" "moraju" "nisu" "nije"
        "nekateri" "ni" "bodo" "niso" "morajo" "verjetno" "skoraj" "večina"
    },
    conditions: words! {
        "ako" "kada" "kad" "dok" "da bi" "provjerite" "proverite" "pokrenite" "prije" "pre" "osim"
        "molim" "čim" "prema" "kako bi" "če" "ko" "razen" "jesu"
    },
    that: words! { "da" },
    confirmed: words! { "potvrđujem" "provjerio" "proverio" "potvrdio" "preveril" },
    objects: words! { "kroz" },
    undone: words! {
        "nisam pokrenuo" "nisam mogao" "nisam testirao" "nije testirano" "pokrenite testove" "nisem" "niso bili zagnani" "niso zagnani" "ni testirano" "ni preverjeno" "nisu pokrenuti"
    },
    gaps: words! {
        "osim" "izuzev" "s izuzetkom" "nije moguće" "ne mogu se" "ne može se" "nisam uspio"
        "nisam uspjela" "nisam mogao" "još crven*" "preskočen*" "ne prolazi" "ne prolaze"
    },
    reasons: words! {
        "jer" "budući" "treba" "zahtijeva" "nedostaje" "nedostaju" "bez" "zbog" "nema"
        "nije dostup*"
    },
    fine: words! { "u redu" "dobro" "ok" },
    ..LATIN
};

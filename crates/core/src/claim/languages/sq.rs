//! Albanian.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testet" "test" "testi" "testeve" "teste"
    },
    builds: words! {
        "build" "ndërtimi" "kompilimi"
    },
    all: words! {
        "të gjitha" "gjithë" "çdo" "tërë" "gjitha" "100"
    },
    everything: words! {
        "gjithçka"
    },
    filling: words! {
        "tani" "janë" "është" "edhe" "përsëri" "me" "të" "gjitha" "dhe" "kanë" "u" "ato" "ka"
        "sërish" "i" "e"
    },
    states: words! {
        "kalojnë" "kaluan" "kalon" "kaluar" "kaloi" "jeshile" "të gjelbra" "suksesshme" "suksesshëm"
        "sukses" "gjelbër" "gjelbra"
    },
    faultless: words! {
        "pa gabime" "pa probleme" "pa gabim"
    },
    none: words! {
        "asnjë"
    },
    fails: words! {
        "dështojnë" "dështon" "dështoi" "dështuan" "dështuar" "kuqe"
    },
    compiles: words! {
        "kompilohet" "përpilohet" "kompilon"
    },
    ran: words! {
        "ekzekutova" "ekzekutuar" "nisa" "ekzekutuan"
    },
    tested: words! {
        "testuar" "testova" "verifikuar" "verifikova" "kontrolluar" "provuar" "testua" "verifikua"
    },
    things: words! {
        "rregullimi" "ndryshimi" "ndryshimet" "kodi" "zgjidhja"
    },
    works: words! {
        "funksionon" "punon"
    },
    guards: words! {
        "nuk" "duhet" "duhej" "disa" "vetëm" "pothuajse" "mund" "ndoshta" "shumica" "do" "mos"
        "shpresoj" "gati"
    },
    conditions: words! {
        "nëse" "kur" "ju lutem" "para" "përveç" "derisa" "sapo" "sipas" "ekzekuto" "ekzekutoni"
        "sigurohu" "sigurohuni" "qëllimi"
    },
    that: words! {
        "që" "se"
    },
    confirmed: words! {
        "konfirmoj" "verifikova" "konfirmova"
    },
    undone: words! {
        "nuk u ekzekutuan" "nuk i ekzekutova" "nuk kam ekzekutuar" "nuk i kam" "nuk u testua"
        "e patestuar" "nuk u verifikua" "nuk ekzekutova" "nuk munda" "nuk është testuar"
        "nuk është verifikuar" "ju lutem ekzekuto"
    },
    gaps: words! {
        "përveç" "nuk kalon" "nuk kalojnë" "anashkaluar"
    },
    reasons: words! {
        "sepse" "pasi" "duhet" "kërkon" "mungon" "për shkak" "nevojitet"
    },
    fine: words! {
        "në rregull" "ok"
    },
    ..LATIN
};

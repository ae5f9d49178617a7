//! Tagalog.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "test" "tests" "pagsusuri" "pagsubok" "suite"
    },
    builds: words! {
        "build"
    },
    all: words! {
        "lahat" "buong" "bawat" "100"
    },
    everything: words! {
        "lahat"
    },
    filling: words! {
        "ay" "na" "ang" "ng" "ngayon" "mga" "lahat" "rin" "din" "nang" "ito" "sila"
    },
    states: words! {
        "pumasa" "pasado" "pumapasa" "nakapasa" "berde" "matagumpay" "nagtagumpay" "naipasa"
    },
    faultless: words! {
        "walang error" "walang errors" "walang problema" "walang mali"
    },
    none: words! {
        "walang" "wala"
    },
    fails: words! {
        "bumagsak" "bumabagsak" "bumabagsak na" "bagsak" "pumalya" "pumapalya" "nabigo" "sira"
        "nag-fail" "bumagsak na"
    },
    compiles: words! {
        "nagko-compile" "nag-compile" "na-compile"
    },
    ran: words! {
        "pinatakbo" "ni-run" "na-run" "tinakbo" "nag-run" "inirun"
    },
    tested: words! {
        "nasubukan" "na-test" "sinubukan" "nasuri" "beripikado" "na-verify" "nasubok"
    },
    things: words! {
        "ayos" "pagbabago" "fix" "code" "solusyon" "pag-aayos" "mga pagbabago"
    },
    works: words! {
        "gumagana"
    },
    guards: words! {
        "hindi" "dapat" "baka" "ilang" "ilan" "karamihan" "halos" "sana" "siguro" "maaari"
        "maaaring" "kailangan" "lang" "lamang" "marahil"
    },
    conditions: words! {
        "kung" "kapag" "pakisuyo" "paki" "bago" "maliban" "upang" "tiyakin" "pakitakbo" "hanggang"
        "ayon" "sakaling" "para"
    },
    undone: words! {
        "hindi pa na-run" "hindi ko pinatakbo" "hindi na-run" "hindi pa pinatakbo" "hindi pinatakbo"
        "hindi nasubukan" "hindi pa nasubukan" "hindi pa na-test" "hindi na-test" "hindi ko pa"
        "hindi pa nasusubukan"
    },
    gaps: words! {
        "maliban" "hindi pumasa" "hindi pumapasa" "nilaktawan"
    },
    reasons: words! {
        "dahil" "kasi" "kailangan" "wala" "walang"
    },
    fine: words! {
        "ayos" "ok"
    },
    ..LATIN
};

//! Swahili.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "majaribio" "jaribio" "vipimo" "kipimo" "test" "tests"
    },
    builds: words! {
        "build" "ujenzi"
    },
    all: words! {
        "yote" "vyote" "zote" "wote" "nzima" "lote" "100"
    },
    everything: words! {
        "kila kitu" "vyote" "yote"
    },
    filling: words! {
        "sasa" "pia" "tena" "ni" "na" "yote" "vyote" "ya" "vya" "za" "zote" "bila" "kwa"
    },
    states: words! {
        "yamefaulu" "yanapita" "yamepita" "vimefaulu" "vimepita" "vinapita" "umefaulu" "imefaulu"
        "limefaulu" "limepita" "linapita" "zimefaulu" "zimepita" "kijani" "yanafaulu" "imefanikiwa"
        "yamefanikiwa" "umefanikiwa" "inafanikiwa" "mafanikio" "yalifaulu" "yalipita"
    },
    faultless: words! {
        "bila makosa" "bila hitilafu" "bila kosa"
    },
    none: words! {
        "hakuna"
    },
    fails: words! {
        "yameshindwa" "yanashindwa" "limeshindwa" "linashindwa" "lililoshindwa" "yaliyoshindwa"
        "yamefeli" "imeshindwa" "inashindwa" "yanafeli" "linafeli" "limefeli"
    },
    compiles: words! {
        "inajengeka" "inakompili"
    },
    ran: words! {
        "niliendesha" "nimeendesha" "yameendeshwa" "nilikimbiza"
    },
    tested: words! {
        "imejaribiwa" "imethibitishwa" "nimejaribu" "nimethibitisha" "imehakikiwa" "nimehakiki"
        "yamejaribiwa" "yamethibitishwa" "yamehakikiwa"
    },
    things: words! {
        "marekebisho" "mabadiliko" "msimbo" "suluhisho" "rekebisho"
    },
    works: words! {
        "inafanya kazi" "yanafanya kazi" "linafanya kazi"
    },
    guards: words! {
        "lazima" "yanapaswa" "inapaswa" "huenda" "baadhi" "tu" "karibu" "hayajafaulu" "hayapiti"
        "bado" "labda" "yanaweza" "hayakufaulu" "haijafaulu" "mengi" "vinapaswa"
    },
    conditions: words! {
        "ikiwa" "kama" "wakati" "tafadhali" "kabla" "isipokuwa" "ili" "hadi" "mara" "endesha"
        "hakikisha" "kulingana" "iwapo"
    },
    that: words! {
        "kwamba" "kuwa"
    },
    confirmed: words! {
        "nimethibitisha" "nathibitisha"
    },
    undone: words! {
        "sijaendesha" "hayajaendeshwa" "sikuendesha" "haijajaribiwa" "sijajaribu" "hayakuendeshwa"
        "haijathibitishwa" "sikuweza kuendesha" "tafadhali endesha"
    },
    gaps: words! {
        "isipokuwa" "hayajafaulu" "halipiti" "hayapiti" "ila"
    },
    reasons: words! {
        "kwa sababu" "inahitaji" "linahitaji" "yanahitaji" "hakuna" "kutokana"
    },
    fine: words! {
        "sawa" "salama" "shwari"
    },
    ..LATIN
};

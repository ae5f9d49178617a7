//! Finnish.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testit" "testi" "testejä" "yksikkötestit" "testisarja" "testien" "testiajo" "teste*"
        "integraatiotestit" "testeistä" "testiä" "pytest" "testipaketti"
    },
    builds: words! { "build" "käännös" "koonti" "buildi" },
    lints: words! { "lint" "linter" "lintteri" "eslint" "clippy" "ruff" },
    all: words! { "kaikki" "koko" "jokainen" "molemmat" "100" },
    everything: words! { "kaikki" },
    filling: words! {
        "kaikki" "nyt" "ovat" "on" "myös" "taas" "edelleen" "ja" "ne" "yhä" "jälleen" "ajettu"
    },
    states: words! {
        "menevät läpi" "menee läpi" "menivät läpi" "meni läpi" "mennyt läpi" "menneet läpi"
        "läpäisty" "läpäissyt" "läpäissee" "läpäistään" "läpäistiin" "läpäisi" "läpäisivät" "läpäisevät" "läpi" "vihreitä" "vihreä"
        "vihreällä" "onnistuvat" "onnistuu" "onnistui" "onnistuivat" "kunnossa"
        "eivät enää epäonnistu" "ei enää epäonnistu" "vihreänä"
    },
    faultless: words! {
        "ilman virheitä" "virheettömästi" "ilman ongelmia" "ilman varoituksia" "ei virheitä"
        "puhtaasti"
    },
    none: words! { "yksikään" "mikään" "ei yhtään" "nolla" },
    fails: words! {
        "ei epäonnistu" "epäonnistu*" "epäonnistunut*" "punainen" "punaisia" "rikki" "ei kaadu"
        "kaatuu" "hajoaa" "ei hajoa"
    },
    compiles: words! { "kääntyy" "kääntyi" "rakentuu" },
    ran: words! { "ajoin" "ajettu" "suoritin" "ajettiin" "ajo" "suoritettu" },
    tested: words! { "testattu" "testasin" "varmistettu" "tarkistettu" "varmistin" "todennettu" },
    things: words! {
        "korjaus" "muutos" "muutokset" "koodi" "ratkaisu" "toteutus" "toiminto" "korjauksen"
        "muutoksen"
    },
    works: words! { "toimii" "toimivat" },
    guards: words! {
        "pitäisi" "pitää" "täytyy" "ei" "eivät" "en" "emme" "voi" "voivat" "saattaa" "jotkut" "osa"
        "vain" "melkein" "lähes" "useimmat" "luultavasti" "toivottavasti" "olivat" "oli" "ehkä"
        "puolet" "tulee" "tulevat" "eilen"
    },
    conditions: words! {
        "jos" "kun" "kunnes" "ennen" "jotta" "varmista" "tarkista" "aja" "paitsi" "lukuun ottamatta"
        "mikäli" "mukaan" "aiemmin" "suorita" "tavoite" "ellei" "heti kun"
    },
    that: words! { "että" },
    confirmed: words! {
        "vahvistin" "varmistin" "tarkistin" "vahvistettu" "varmistettu" "totesin" "vahvistan"
    },
    objects: words! { "parametrin" "arvon" },
    undone: words! {
        "en ajanut" "en voinut ajaa" "ei ajettu" "ei testattu" "testaamaton" "en testannut"
        "aja testit" "en pystynyt ajamaan" "ei vahvistettu"
    },
    gaps: words! {
        "paitsi" "lukuun ottamatta" "poikkeuksena" "ei voi ajaa" "ei voida ajaa" "en saanut"
        "en onnistunut" "ei mene läpi" "eivät mene läpi" "yhä punai*" "ohitettu" "ohitettiin"
    },
    reasons: words! {
        "koska" "sillä" "tarvitsee" "vaatii" "puuttuu" "puuttuvat" "ilman" "takia" "ei ole"
    },
    fine: words! { "kunnossa" "hyvin" "ok" },
    ..LATIN
};

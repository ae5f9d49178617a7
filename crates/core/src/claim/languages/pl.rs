//! Polish.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "testy" "test" "testów" "zestaw testów" "pytest" "testu" "pakiet testów" },
    builds: words! { "build" "kompilacja" "budowanie" },
    lints: words! { "linter" "lint" "eslint" "clippy" "ruff" },
    all: words! { "wszystkie" "cały" "każdy" "wszystkich" "oba" "komplet" "100" },
    everything: words! { "wszystko" },
    filling: words! {
        "wszystkie" "teraz" "jednostkowe" "również" "nadal" "są" "znowu" "i" "jest" "zostały"
        "został" "integracyjne" "już" "ponownie" "się" "zakończył" "zakończyły" "one" "z" "też"
    },
    states: words! {
        "są green" "jest green" "przechodzą" "przechodzi" "przeszły" "przeszedł" "przeszło" "przeszła" "zielone" "zielony"
        "udana" "udane" "zaliczone" "zdane" "zakończone sukcesem" "powodzeniem" "sukcesem"
        "pomyślnie" "poprawnie" "na zielono" "czysty" "działają" "działa" "już nie padają"
        "pomyślna"
    },
    faultless: words! {
        "bez błędów" "bez błędu" "bezbłędnie" "bez problemów" "bez ostrzeżeń" "zero błędów"
    },
    none: words! { "żaden" "żadne" "żadnych" "zero" "brak" "ani jeden" },
    fails: words! {
        "nie zawodzi" "nie pada" "nie padł" "nie kończy" "nie zawiódł" "nie failuje" "zawodzi"
        "zawodzą" "pada" "padają" "padł" "niepowodzenie*" "nieudan*" "czerwon*" "nie przechodzi"
        "nie przechodzą" "błędem" "zawiodły" "niezaliczon*" "failuje" "błędów" "porażek"
    },
    compiles: words! { "kompiluje" "kompilują" "buduje" "skompilował" },
    ran: words! {
        "uruchomiłem" "uruchomiłam" "uruchomione" "odpaliłem" "wykonałem" "puściłem" "uruchomieniu"
        "uruchomiono"
    },
    tested: words! {
        "przetestowane" "przetestowana" "przetestowany" "przetestowałem" "sprawdzone" "sprawdzona"
        "sprawdziłem" "zweryfikowane" "zweryfikowałem" "zweryfikowana" "przetestowano"
    },
    things: words! {
        "poprawka" "poprawkę" "zmiana" "zmiany" "zmianę" "kod" "rozwiązanie" "implementacja"
        "implementację" "funkcja" "fix" "łatka" "poprawki"
    },
    works: words! { "działa" "działają" },
    guards: words! {
        "powinny" "powinien" "powinna" "powinno" "nie" "nigdy" "mogą" "może" "niektóre" "tylko"
        "prawdopodobnie" "będą" "będzie" "prawie" "większość" "muszą" "musi" "mogłem" "żaden"
        "wczoraj" "były" "był" "chyba" "połowa" "część"
    },
    conditions: words! {
        "jeśli" "jeżeli" "gdy" "kiedy" "dopóki" "aby" "żeby" "upewnij" "sprawdź" "uruchom"
        "wcześniej" "oprócz" "poza" "proszę" "zanim" "według" "po tym jak" "aż" "z wyjątkiem" "cel"
        "przed" "czy" "podczas"
    },
    that: words! { "że" },
    confirmed: words! {
        "potwierdzam" "potwierdziłem" "sprawdziłem" "zweryfikowałem" "upewniłem" "potwierdzono"
        "pokazuje"
    },
    objects: words! { "przez" "do" },
    undone: words! {
        "nie uruchomiłem" "nie uruchamiałem" "nie testowałem" "uruchom testy" "nie mogłem uruchomić"
        "nie uruchomiono" "nieprzetestowan" "nie przetestowa" "niezweryfikowan" "nie zweryfikowan"
    },
    gaps: words! {
        "oprócz" "poza" "z wyjątkiem" "prócz" "nie da się" "nie można" "nie udało" "nie mogłem"
        "nie mogłam" "wciąż czerwon*" "nadal czerwon*" "pominięt*" "nie przechodzi"
        "nie przechodzą"
    },
    reasons: words! {
        "bo" "ponieważ" "gdyż" "wymaga" "wymagają" "brakuje" "brak" "potrzebuje" "bez" "oczekuje"
        "nie ma" "niedostępn*"
    },
    fine: words! { "w porządku" "dobrze" "ok" },
    ..LATIN
};

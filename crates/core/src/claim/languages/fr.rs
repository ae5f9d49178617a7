//! French.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "tests" "test" "suite" "testsuite" "pytest" "spécifications" },
    ci: words! { "ci" "pipeline" "pipelines" "github actions" "l'intégration continue" "l'ic" },
    builds: words! { "build" "compilation" },
    lints: words! { "linter" "lint" "eslint" "clippy" "ruff" },
    all: words! {
        "tous" "toutes" "toute" "totalité" "l'ensemble" "chaque" "intégralité" "l'intégralité" "100"
        "entière"
    },
    everything: words! { "tout" },
    filling: words! {
        "tous" "toutes" "unitaires" "d'intégration" "maintenant" "désormais" "sont" "est" "ont" "a"
        "été" "toujours" "et" "de" "bien" "aussi" "tests" "à" "nouveau" "les" "la" "le" "se"
        "termine" "terminent" "complète" "existants" "ajoutés" "elle" "elles" "ils" "il"
    },
    states: words! {
        "sont green" "est green" "passent" "passe" "passés" "passé" "passée" "passées" "réussis" "réussi" "réussie"
        "réussissent" "réussit" "au vert" "verts" "vert" "verte" "vertes" "propre" "avec succès"
        "en succès" "n'échouent plus" "n'échoue plus" "concluants"
    },
    faultless: words! {
        "sans erreur" "sans erreurs" "sans problème" "aucune erreur" "sans échec"
        "sans avertissement" "sans avertissements"
    },
    none: words! { "rien ne" "rien n'est" "aucun" "aucune" "plus aucun" "plus aucune" "zéro" "pas un seul" },
    fails: words! {
        "échoue" "échouent" "n'échoue" "n'échouent" "échec" "échecs" "en échec" "échoué" "rouge"
        "rouges" "erreur de test" "ne échoue" "casse" "cassé"
    },
    compiles: words! { "compile" "compilent" "se compile" "builde" },
    ran: words! {
        "fait tourner" "lancé" "exécuté" "lancer" "relancer" "exécuter" "relancé" "lancés" "tourné" "exécution"
        "réexécuté"
    },
    tested: words! {
        "testé" "testée" "testés" "testées" "vérifié" "vérifiée" "vérifiés" "vérifiées" "validé"
        "validée"
    },
    things: words! {
        "correctif" "correction" "modification" "modifications" "changement" "changements" "code"
        "solution" "fonctionnalité" "implémentation" "patch" "fix" "refactorisation" "endpoint"
        "flux"
    },
    works: words! { "fonctionne" "fonctionnent" "marche" "marchent" "fonctionnel" },
    guards: words! {
        "devraient" "devrait" "doivent" "doit" "ne" "n'est" "n'ont" "n'a" "n'ai" "pas" "jamais"
        "pourraient" "pourrait" "peut" "peuvent" "certains" "certaines" "quelques" "seulement"
        "passeront" "étaient" "était" "probablement" "presque" "plupart" "n'ayant" "aucun" "aucune"
        "sera" "seront" "va" "vont" "seuls" "hier" "moitié" "partie"
    },
    conditions: words! {
        "si" "quand" "lorsque" "dès" "jusqu'à" "pour" "afin" "assurez-vous" "vérifiez" "vérifier"
        "avant" "dit" "sauf" "exécutez" "lancez" "s'il" "tant" "à condition" "hormis" "excepté"
        "selon" "espère" "veuillez" "objectif" "faut" "qui" "auparavant" "assurer" "une fois"
    },
    that: words! { "que" "qu'ils" "qu'elles" },
    confirmed: words! { "vérifié" "confirme" "confirmé" "constaté" "validé" "montre" "atteste" },
    objects: words! { "un" "une" "des" "le" "la" "les" "par" "l'*" "au travers" "leur" "leurs" },
    undone: words! {
        "pas exécuté" "pas lancé" "pas pu exécuter" "pas pu lancer" "pas testé" "lancez les tests"
        "exécutez les tests" "non testé" "pas été exécutés" "pas été lancés" "pas vérifié"
        "non vérifi"
    },
    gaps: words! {
        "sauf" "excepté" "hormis" "à l'exception" "à part" "impossible de" "pas réussi" "pas pu"
        "encore rouge" "encore en échec" "reste rouge" "ignoré*" "ne passe pas" "ne passent pas"
        "ne peuvent pas" "ne peut pas" "n'a pas tourné" "n'ont pas tourné"
    },
    reasons: words! {
        "car" "parce que" "parce qu'il" "puisque" "nécessite" "nécessitent" "besoin" "faut"
        "manque" "manquent" "absence" "faute" "sans" "attend" "pas disponible" "indisponible*"
        "pas de" "exige" "requiert"
    },
    fine: words! { "bons" "bon" "en ordre" "correct" "va bien" "ok" },
    ..LATIN
};

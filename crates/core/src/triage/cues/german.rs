//! Cues of German.

use super::{Group, Words};

#[rustfmt::skip]
pub(super) const WORDS: Words = Words {
    common: &["der", "die", "das", "und", "ist", "nicht", "ein", "eine", "mit", "für", "auf", "wird", "den", "ich", "wir"],
    groups: &[
        (Group::CauseNamed, &[
            "ursache",
            "das|eigentliche|wahre|haupt problem|fehler|ursache ist|war|liegt|lag|bestand",
            "der fehler|bug|grund ist|war|liegt|lag|dafür", "grund dafür", "verursacht durch|von",
            "ausgelöst durch|von", "liegt|lag daran", "zurückzuführen auf",
            "deshalb schlägt|schlug", "schlägt|schlug fehl weil|da|wenn", "das erklärt|erklärte",
            "schuld ist|war",
        ]),
        (Group::Because, &[
            "weil", "wegen", "aufgrund", "da der|die|das|es|sie|er|wir|§", ", da", "denn",
            "infolge", "verursacht", "dank",
        ]),
        (Group::Consequence, &[
            "das heißt", "das bedeutet", "was bedeutet", "daher", "deshalb", "deswegen", "folglich",
            "somit", "dadurch", "sodass", "so dass", "führt|führte dazu|zu", "sonst", "andernfalls",
            "ansonsten", "würde",
        ]),
        (Group::Mechanism, &[
            "standardmäßig", "intern", "unter der haube", "im hintergrund",
            "nur wenn|falls|bei|nach|dann", "jedes mal", "bei jedem|jeder", "zur laufzeit",
            "beim start|build|import",
            "wird|werden ... ignoriert|verworfen|überschrieben|übersprungen|gecacht|abgelehnt",
            "unabhängig davon|von", "selbst wenn", "sobald",
        ]),
        (Group::Mismatch, &[
            "stimmt|stimmen nicht", "passt|passen nicht", "erwartet|erwarteten",
            "falsch|falsche|falscher|falsches", "veraltet*", "nicht mehr",
            "statt dessen|stattdessen", "eigentlich", "tatsächlich", "ungültig*", "inkonsistent*",
            "widerspr*", "nicht gefunden|vorhanden|gesetzt|definiert|verfügbar", "unerwartet*",
            "existiert nicht",
        ]),
        (Group::Silent, &[
            "stillschweigend", "lautlos", "überschreib*", "überschrieben", "ignoriert",
            "wettlaufsituation", "race condition", "deadlock", "speicherleck", "leckt",
            "hängt|hängen", "stürzt|stürzte ab", "umgeht|umgangen", "verschluckt", "abgeschnitten",
            "beschädigt", "nie|niemals", "endlosschleife", "zeitüberschreitung|timeout",
        ]),
        (Group::Fix, &[
            "die|eine lösung|abhilfe ist|war|besteht", "der fix ist|war",
            "^ behoben|gelöst|korrigiert", "behoben|gelöst|umgangen durch|mit|indem", "workaround",
            "umgehung", "um das|dies|den|die ... zu beheben|vermeiden|lösen|umgehen",
            "hilft|half nur|wenn|es", "behebt|löst das|den|die|dieses",
            "muss|müssen neu gestartet|gebaut|installiert", "abhilfe",
            "stattdessen § verwenden|nutzen",
        ]),
        (Group::InsteadOf, &[
            "statt", "anstatt", "anstelle", "an stelle", "nicht nur|bloß|einfach", ", nicht",
            "im gegensatz zu", "anders als", "während", "und nicht", "sondern",
        ]),
        (Group::But, &[
            ", aber", "^ aber", "jedoch", "allerdings", "obwohl", "trotzdem", "dennoch", "leider",
            "obgleich", "doch", "hingegen",
        ]),
        (Group::Requires, &[
            "benötigt", "braucht", "erfordert", "erforderlich", "muss", "müssen", "voraussetzung*",
            "setzt ... voraus", "hängt ... ab", "abhängig von", "mindestens", "höchstens", "ohne",
            "zwingend", "notwendig", "es sei denn", "solange",
        ]),
        (Group::Cannot, &[
            "kann|können|konnte nicht|kein*",
            "nicht unterstützt|möglich|erlaubt|zulässig|verfügbar|kompatibel",
            "unterstützt|erlaubt|akzeptiert kein*|nicht", "unmöglich", "verweigert", "verboten",
            "gesperrt", "fehlt|fehlen", "keine möglichkeit", "lässt sich nicht", "verhindert",
            "weder",
        ]),
        (Group::Limit, &[
            "unterstützt|erlaubt|akzeptiert nur|kein*|nicht",
            "_ erfordert|benötigt|erzwingt|verlangt|erwartet", "funktioniert nur",
            "nur mit|unter|ab|bis version|#|admin|root", "ist|sind beschränkt|begrenzt|reserviert",
            "maximal #", "mindestens #", "limit*", "grenze von|liegt|ist", "nicht unterstützt",
            "schreibgeschützt", "rate limit", "braucht root|sudo|admin*|rechte",
        ]),
        (Group::Decision, &[
            "entschieden", "entscheidung", "entscheiden", "gewählt", "haben uns für",
            "wir nehmen|bleiben|verwenden|behalten|nutzen|lassen", "ich behalte|lasse|nehme",
            "bewusst", "absichtlich", "mit absicht", "kompromiss", "abwägung", "ansatz",
            "strategie", "empfehle", "bevorzug*", "beibehalten", "einigten|geeinigt", "zugunsten",
            "lieber",
        ]),
        (Group::Debt, &[
            "vorerst", "fürs erste", "todo|fixme", "später", "technische schulden", "altlast*",
            "provisorisch*", "vorübergehend*", "noch nicht",
            "bereits vorher|vorhanden kaputt|fehlerhaft",
            "bekannte|bekanntes|bekannter problem|einschränkung|fehler|bug",
            "offen|offene punkte|aufgabe*", "übersprungen|überspringen", "aufgeschoben",
            "verschoben", "ausgeklammert", "nicht getestet|implementiert|umgesetzt",
            "unabhängig von dieser|meiner änderung", "hartkodiert", "aufräumen",
            "wackelig|instabil",
        ]),
        (Group::Insight, &[
            "es stellt|stellte sich heraus", "stellte sich heraus",
            "wichtig|hinweis|achtung|beachte|vorsicht :", "zu beachten", "beachten sie",
            "bemerkenswert", "erwähnenswert", "entscheidend", "der knackpunkt|haken|trick",
            "stolperfalle*", "nebeneffekt*", "nebenwirkung*", "überraschend*", "interessanterweise",
            "genau genommen", "in wirklichkeit", "im grunde", "wohlgemerkt",
        ]),
        (Group::Confirmed, &[
            "bestätigt", "verifiziert", "nachgewiesen",
            "ich habe ... geprüft|bestätigt|gemessen|festgestellt|reproduziert", "festgestellt",
            "laut", "gemessen", "reproduz*", "zeigt|zeigen dass", "die logs|protokolle zeigen",
            "nachvollzogen",
        ]),
        (Group::Changelog, &[
            "^ hinzugefügt|entfernt|aktualisiert|geändert|umbenannt|erstellt|ersetzt|verschoben|gelöscht|implementiert|ergänzt|angepasst|erweitert",
            "^ neu|neue|neuer|neues",
            "wurde|wurden hinzugefügt|entfernt|aktualisiert|geändert|umbenannt|erstellt|angelegt",
            "ich habe ... hinzugefügt|entfernt|aktualisiert|geändert|erstellt|angepasst",
            "^ füge|entferne|aktualisiere|ändere|erstelle|ersetze|verschiebe", "^ ergänze",
        ]),
        (Group::Local, &[
            "meine|diese|unsere änderung|änderungen", "dieser|diesem commit|branch|pr|diff",
            "zeile|zeilen #", "gerade|eben entfernt|hinzugefügt|geändert",
            "die neue|neuen|alten|bestehenden tests|datei|funktion",
            "diese|dieser datei|funktion|sitzung", "schritt|aufgabe|phase #",
            "nicht gestaged|ungetrackt",
        ]),
        (Group::Hedge, &[
            "vielleicht", "möglicherweise", "eventuell", "wahrscheinlich", "vermutlich", "wohl",
            "scheint|scheinen", "könnte|könnten", "ich denke|glaube|vermute", "anscheinend",
            "unklar", "nicht sicher", "potenziell|potentiell", "dürfte|dürften",
        ]),
        (Group::Generic, &[
            "zum beispiel", "beispielsweise", "z b", "etwa", "im allgemeinen", "normalerweise",
            "typischerweise", "üblicherweise", "häufig", "nützlich", "hilfreich", "ermöglicht",
            "bietet",
        ]),
        (Group::NowBehaves, &[
            "jetzt|nun nur|immer|auch|korrekt|richtig", "verwendet|nutzt|gibt|akzeptiert jetzt|nun",
            "nicht mehr", "ist|sind jetzt|nun", "kann|können jetzt|nun",
            "war|waren vorher|zuvor|bisher", "geändert von",
        ]),
        (Group::Assume, &[
            "annahme*", "ich nehme an", "angenommen", "vermutlich", "vermute", "ich gehe davon",
            "gehe ich davon", "wahrscheinlich", "nicht verifiziert|geprüft|getestet|bestätigt",
            "ungeprüft", "soweit ich", "meines wissens", "sollte eigentlich", "dürfte",
        ]),
        (Group::Correction, &[
            "du hast|sie haben recht", "guter punkt|einwand", "das ist|war falsch", "^ nein",
            "nicht das was", "ich meinte", "warum hast|machst du", "mach ... rückgängig",
            "rückgängig", "immer noch nicht", "hättest", "stimmt nicht",
        ]),
        (Group::Prefer, &[
            "ich|wir möchte|möchten|will|wollen|würde|würden|mag|hätte", "bevorzug*", "lieber",
            "bitte nicht|immer|nie|nur|kein*", "mag|mögen nicht|kein*",
            "verwende|benutze|nutze|nimm ... nicht|statt|immer", "mach|mache nicht|kein*",
            "achte darauf", "stell sicher", "vermeide", "ich habe gesagt|gebeten", "halte dich an",
            "frag mich|vorher|zuerst", "konvention*", "soll|sollte|sollen nicht|nur|immer",
        ]),
        (Group::Standing, &[
            "^ immer", "^ nie|niemals", "ab jetzt|sofort", "von nun an",
            "in zukunft|künftig|zukünftig", "nächstes mal", "merk|merke dir", "denk|denke daran",
            "konvention*", "richtlinie*", "regel|regeln|vorgabe", "grundsätzlich", "hör auf",
            "bevor du|wir", "zuerst ... dann", "wir|ich verwenden|nutzen immer|nie|kein*",
            "ich will|möchte kein*|nicht", "bitte nie|immer|kein*", "jedes mal", "an einer stelle",
        ]),
        (Group::UserDecides, &[
            "lass|lasst uns", "wir sollten|müssen|brauchen|nehmen|machen|bleiben", "sollte|sollten",
            "ich würde", "ich denke wir|das|es", "nimm|nehmen wir", "stattdessen",
            "nur für|wenn|bei|die|das", "vorerst", "doch lieber", "^ nein ,",
            "^ ja|ok|gut ,|aber|dann", "das ist gut|ok|falsch|richtig", "entfernen wir entfernen",
            "wie wäre", "nicht mehr", "reicht",
        ]),
        (Group::UserReport, &[
            "^ ich habe|hatte|sehe|bekomme|bin|war|kann", "ich sehe kein*|nicht", "wenn ich",
            "es zeigt|sagt|kommt", "sieht aus", "^ bei mir", "ich nehme an", "ich verstehe",
            "funktioniert|geht nicht", "bekomme|kriege einen|den fehler",
        ]),
        (Group::TaskRequest, &[
            "^ kannst|könntest|würdest|kann|können du|sie|wir", "^ bitte",
            "^ implementiere|füge|behebe|fixe|führe|prüfe|schau|erstelle|schreibe|erkläre|zeige|mach|teste|lies|suche|aktualisiere|entferne|commite|pushe|fahre|weiter",
            "was|wie|warum|wo|welche|welcher|wer ist|sind|macht|kann|war",
            "^ ist|sind|hat|haben|gibt|soll", "schau mal|dir",
        ]),
        (Group::Status, &[
            "alle|tests|build|lint tests|bestanden|laufen|grün|erfolgreich", "erfolgreich*",
            "fertig", "abgeschlossen", "keine fehler|warnungen|probleme|änderungen",
            "# tests|bestanden", "committet|gepusht", "wie erwartet", "erledigt", "bereit",
        ]),
        (Group::Musing, &[
            "^ moment|warte|hm|hmm|oh|ah", "moment mal",
            "nochmal|noch einmal prüfen|lesen|schauen|nachsehen", "^ eigentlich ,",
            "^ mal sehen|schauen", "^ ok|okay also|,", "^ aber moment|warte",
        ]),
        (Group::Offer, &[
            "möchtest|willst|möchten|wollen|soll du|sie|ich", "soll ich", "sag|sagen bescheid|mir",
            "falls|wenn du|sie möchtest|willst|möchten|magst", "ich kann|könnte auch|gerne|das",
            "gerne", "lass mich wissen", "nächste schritte", "welche option|variante",
        ]),
        (Group::Announce, &[
            "^ ich werde|will|muss|schaue|prüfe|lese|führe|starte|erstelle|aktualisiere|füge|suche|behebe|passe|teste|sehe",
            "^ lass|lassen mich|uns|sie",
            "^ jetzt|nun|als|zunächst|zuerst|dann|danach|schließlich|anschließend",
            "^ schauen|sehen|prüfen|lesen|starten wir|mal|sie", "^ hier ist|sind", "^ mal",
            "^ ich beginne|fange", "^ weiter mit",
        ]),
        (Group::Ack, &[
            "^ gut|super|perfekt|fertig|ok|okay|ja|nein|klar|prima|genau|danke|alles|erledigt|verstanden|sehr|toll",
        ]),
        (Group::Reason, &[
            "weil", "da", "sonst", "vorerst", "statt", "anstatt", "damit", "wegen", "nur wenn",
            "sondern",
        ]),
        (Group::TellingLabel, &[
            "ursache", "problem", "fehler", "lösung", "behebung", "warum", "grund", "hinweis",
            "wichtig", "achtung", "einschränkung", "einschränkungen", "entscheidung", "erkenntnis",
            "diagnose", "erklärung", "workaround", "bekannte probleme", "offen", "fazit",
        ]),
        (Group::ReportingLabel, &[
            "zusammenfassung", "änderungen", "dateien", "nächste schritte", "tests", "ergebnis",
            "ergebnisse", "verwendung", "status", "beispiel", "beispiele", "optionen", "übersicht",
            "plan", "schritte", "überprüfung", "fragen",
        ]),
    ],
};

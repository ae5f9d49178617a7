//! Excuses: words that call a failure another's, or old, without a name and without a reason.

/// Words that say of a failure only that it is another's, in small letters.
#[rustfmt::skip]
const EXCUSES: &[&str] = &[
    "unrelated", "pre-existing", "preexisting", "not related", "n't related", "nothing to do with", "not caused by", "n't caused by",
    "nichts damit zu tun", "nichts mit", "unabhängig", "pas lié", "sans rapport", "sans lien", "relacionad", "correlat", "non c'entra",
    "niet gerelateerd", "niets mee te maken", "orelatera", "inte relatera", "ikke relater", "urelater", "niezwiązan", "nie jest związan",
    "nesouvis", "не связан", "не относ", "не пов'язан", "не стосу", "ilgisiz", "ilgili değil", "無関係", "関係ありません", "关系", "无关", "無關",
    "관련 없", "관련이 없", "무관",
    "not mine", "n't mine", "not my fault", "independent of", "independently of", "not from my", "not due to my", "not introduced by",
    // That it does not matter.
    "out of scope", "outside the scope", "outside of the scope", "beyond the scope", "not in scope", "n't in scope", "that's expected",
    "that is expected", "this is expected", "which is expected", "as expected", "to be expected", "is expected.", "are expected.",
    "can be ignored", "safe to ignore", "safely ignored", "ignore the", "ignore it", "ignore this", "ignore that", "separate issue",
    "different issue", "not a concern", "n't a concern", "not important", "harmless", "no need to worry",
    "minor", "trivial", "cosmetic", "insignificant", "not critical", "non-critical", "not a blocker", "not blocking", "non-blocking",
    // That it was so before.
    "already broken", "already failing", "already red", "already failed", "existed before", "failed before", "failing before", "broken before",
    "failed even before", "on main", "on master", "on the base branch", "without my change", "without the change", "without these changes",
    "ohne meine änderung", "sans mes modifications", "sin mis cambios", "before my change", "before my edit", "before this change", "before the change", "prior to my", "existing failure",
    "existing issue", "same as before", "schon vorher", "bereits vorher", "vorher schon", "schon kaputt", "bereits kaputt", "vorbestehend",
    "déjà cass", "déjà en échec", "préexistant", "ya estaba rot", "ya fallaba", "preexistente", "já estava quebrad", "já falhava", "già rott",
    "al kapot", "redan trasig", "allerede ødelagt", "allerede i stykker", "już wcześniej", "už předtím", "deja stricat", "már korábban",
    "zaten bozuk", "было сломано", "уже был сломан", "уже падал", "вже був зламан", "本来就", "之前就", "原本就", "以前から", "もともと", "원래",
    // That it is known.
    "known issue", "known failure", "known problem", "known bug", "known flake", "bekanntes problem", "problème connu", "problema conocido",
    "problema conhecido", "problema noto", "bekend probleem", "känt problem", "kendt problem", "kjent problem", "znany problem",
    "známý problém", "известная проблема", "відома проблема", "bilinen bir sorun", "bilinen sorun", "已知问题", "已知問題", "既知の問題", "알려진 문제",
    // That something around it is at fault.
    "flaky", "flakiness", "flake", "environment", "timing", "infrastructure", "umgebung", "environnement", "entorno", "ambiente", "环境", "環境", "환경",
];

/// Words that give no reason by themselves.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "because", "due", "since", "of", "to", "the", "a", "an", "some", "my", "our", "this", "is", "it", "was", "issue", "issues", "problem",
    "problems", "reasons", "reason", "test", "tests", "wegen", "der", "die", "das", "weil", "car", "à", "cause", "de", "l", "d", "un", "une",
    "por", "el", "la", "del", "causa", "do", "da", "di", "per",
];

/// Words that begin a reason.
const BECAUSE: &[&str] = &[
    "because", "due to", "since ", "wegen", "weil", "à cause", "car ", "por ", "debido", "perché",
];

/// A text without its excuses, and without reasons that say nothing more; `None` where there is no
/// excuse in it.
pub(super) fn without_excuses(text: &str) -> Option<String> {
    if !EXCUSES.iter().any(|it| text.contains(it)) {
        return None;
    }
    let mut rest = text.to_owned();
    for excuse in EXCUSES {
        rest = rest.replace(excuse, " ");
    }
    for begin in BECAUSE {
        let Some(at) = rest.find(begin) else { continue };
        let end = rest[at..].find(['.', ';', ',', '\n', '。']).map_or(rest.len(), |it| at + it);
        let words = rest[at..end].split(|it: char| !it.is_alphanumeric());
        if words.filter(|it| !it.is_empty()).all(|it| GENERIC.contains(&it)) {
            rest.replace_range(at..end, " ");
        }
    }
    Some(rest)
}

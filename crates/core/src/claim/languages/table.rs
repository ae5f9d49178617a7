//! The languages, and the words of titles and leads that make what follows a plan.

use super::{
    Language, ar, bg, ca, cs, da, de, el, es, fa, fi, fr, he, hi, hr, hu, id, it, ja, ko, nb, nl,
    pl, pt, ro, ru, sv, th, tr, uk, vi, zh,
};
use crate::claim::lexicon::words;

/// Latin letters first, then the others.
pub(super) const LANGUAGES: &[Language] = &[
    de::ROW,
    fr::ROW,
    es::ROW,
    pt::ROW,
    it::ROW,
    nl::ROW,
    sv::ROW,
    da::ROW,
    nb::ROW,
    fi::ROW,
    pl::ROW,
    cs::ROW,
    ro::ROW,
    hu::ROW,
    tr::ROW,
    vi::ROW,
    id::ROW,
    hr::ROW,
    ca::ROW,
    ru::ROW,
    uk::ROW,
    bg::ROW,
    el::ROW,
    ar::ROW,
    fa::ROW,
    he::ROW,
    hi::ROW,
    zh::ROW,
    ja::ROW,
    ko::ROW,
    th::ROW,
];

/// Words of a heading or of a line before a list that speaks of what is to be done.
#[rustfmt::skip]
const PLANS: &[&str] = words! {
    "nächste schritte" "plan" "offen" "aufgaben" "abnahmekriterien" "akzeptanzkriterien" "ziel"
    "étapes" "prochaines" "critères" "objectif" "à faire" "pasos" "criterios" "pendiente" "objetivo"
    "por hacer" "passos" "critérios" "pendente" "passi" "criteri" "da fare" "stappen" "criteria"
    "te doen" "nästa steg" "kriterier" "att göra" "næste skridt" "neste steg" "seuraavat" "vaiheet"
    "kriteerit" "kroki" "kryteria" "do zrobienia" "další kroky" "kritéria" "ďalšie kroky" "pași"
    "de făcut" "lépések" "kritérium" "teendő" "adımlar" "kriter" "yapılacak" "các bước" "tiêu chí"
    "kế hoạch" "langkah" "kriteria" "rencana" "шаги" "критерии" "план" "далее" "кроки" "критерії"
    "стъпки" "βήματα" "κριτήρια" "σχέδιο" "الخطوات" "خطة" "معايير" "שלבים" "תוכנית" "קריטריונים"
    "चरण" "योजना" "मानदंड" "步骤" "步驟" "计划" "計劃" "計畫" "下一步" "待办" "待辦" "验收" "驗收" "标准" "次のステップ" "計画"
    "今後" "手順" "受け入れ" "基準" "다음 단계" "계획" "할 일" "기준" "절차" "ขั้นตอน" "แผน"
};

/// Tells whether a title or a lead, in small letters, begins a plan in one of the languages.
pub(in crate::claim) fn is_plan(small: &str) -> bool {
    let is_edge = |sign: Option<char>| !sign.is_some_and(char::is_alphanumeric);
    PLANS.iter().any(|words| {
        small.find(words).is_some_and(|at| {
            // Scripts without spaces know no edges of words.
            let (before, after) = (small.get(..at), small.get(at + words.len()..));
            !words.is_ascii()
                || is_edge(before.and_then(|it| it.chars().next_back()))
                    && is_edge(after.and_then(|it| it.chars().next()))
        })
    })
}

//! The languages, and the words of titles and leads that make what follows a plan.

use super::{
    Language, af, ar, be, bg, bn, ca, cs, da, de, el, es, et, fa, fi, fr, he, hi, hr, hu,
    icelandic, id, it, ja, ka, ko, lt, lv, mk, nb, nl, pl, pt, ro, ru, sq, sv, sw, ta, th, tl, tr,
    uk, vi, zh,
};
use crate::claim::lexicon;

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
    et::ROW,
    lv::ROW,
    lt::ROW,
    icelandic::ROW,
    tl::ROW,
    sw::ROW,
    sq::ROW,
    af::ROW,
    ru::ROW,
    uk::ROW,
    be::ROW,
    bg::ROW,
    el::ROW,
    ar::ROW,
    fa::ROW,
    he::ROW,
    hi::ROW,
    bn::ROW,
    ta::ROW,
    ka::ROW,
    mk::ROW,
    zh::ROW,
    ja::ROW,
    ko::ROW,
    th::ROW,
];

/// Words of a heading, or of a line before a list, that speaks of what is to be done.
const PLANS: &[&str] = lexicon::words! {
    "offen" "aufgaben" "abnahmekriterien" "akzeptanzkriterien" "ziel" "étapes" "prochaines"
    "critères" "objectif" "pasos" "criterios" "pendiente" "objetivo" "passos" "critérios" "pendente"
    "passi" "criteri" "stappen" "criteria" "kriterier" "seuraavat" "vaiheet" "kriteerit" "kroki"
    "kryteria" "kritéria" "pași" "lépések" "kritérium" "teendő" "adımlar" "kriter" "yapılacak"
    "langkah" "kriteria" "rencana" "шаги" "критерии" "план" "далее" "кроки" "критерії" "стъпки"
    "βήματα" "κριτήρια" "σχέδιο" "الخطوات" "خطة" "معايير" "שלבים" "תוכנית" "קריטריונים" "चरण"
    "योजना" "मानदंड" "schritte" "steg" "skridt" "kroky" "bước" "tiêu"
};

/// The same in scripts without spaces.
const SOLID_PLANS: &[&str] = lexicon::words! {
    "các bước" "kế hoạch" "步骤" "步驟" "计划" "計劃" "計畫" "下一步" "待办" "待辦" "验收" "驗收" "标准" "次のステップ" "計画" "今後"
    "手順" "受け入れ" "基準" "다음 단계" "계획" "할 일" "기준" "절차" "ขั้นตอน" "แผน"
};

/// Tells whether a word of a title or a lead, in small letters, makes what follows a plan.
pub(in crate::claim) fn is_plan(word: &str) -> bool {
    PLANS.contains(&word) || !word.is_ascii() && SOLID_PLANS.iter().any(|it| word.contains(it))
}

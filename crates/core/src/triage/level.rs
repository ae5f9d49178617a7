//! From how sure on something is captured, and from how sure on somebody is asked about it, where
//! the user wants other levels than the detector's own.

use super::Weights;
use super::decision::confidence;
use crate::memory::{Role, Span};
use crate::policy::Triage;

/// Keeps those that are sure enough, and says which of them are strong. An assumption that is below
/// the detector's own level was kept for another reason, and nobody is asked about it: it stays.
pub(super) fn apply(spans: &mut Vec<Span>, settings: &Triage) {
    let is_weighed = |it: &Span| it.score >= 0;
    if settings.capture_at > Triage::CAPTURE_AT {
        spans.retain(|it| !is_weighed(it) || u32::from(it.confidence) >= settings.capture_at);
    }
    if settings.ask_at > 0 {
        for span in spans.iter_mut().filter(|it| is_weighed(it)) {
            span.is_strong = !span.is_noted && u32::from(span.confidence) >= settings.ask_at;
        }
    }
}

/// From how sure on somebody is asked, where nothing is set.
pub fn own_ask_at(role: Role) -> u32 {
    confidence(Weights::of(role).strong).into()
}

#[cfg(test)]
mod tests {
    use super::{apply, own_ask_at};
    use crate::memory::{Category, Heard, Role, Span};
    use crate::policy::Triage;
    use crate::triage::triage;

    fn span(score: i32, confidence: u8, is_strong: bool) -> Span {
        let category = if score < 0 { Category::Assumption } else { Category::Discovery };
        let (role, text, why) = (Role::Agent, String::new(), Vec::new());
        Span {
            role,
            category,
            text,
            at: 0,
            part: 0,
            score,
            confidence,
            is_strong,
            is_noted: false,
            why,
        }
    }

    /// How sure the spans are that are left, and whether they are strong.
    fn left(settings: &Triage) -> Vec<(u8, bool)> {
        let mut spans = [(-300, 43, false), (0, 50, false), (900, 71, false), (1500, 82, true)]
            .map(|it| span(it.0, it.1, it.2))
            .to_vec();
        apply(&mut spans, settings);
        spans.iter().map(|it| (it.confidence, it.is_strong)).collect()
    }

    #[test]
    fn where_nothing_is_set_the_detector_decides() {
        let own = [(43, false), (50, false), (71, false), (82, true)];
        assert_eq!(left(&Triage::default()), own);
        let levels = (own_ask_at(Role::Agent), own_ask_at(Role::User));
        assert_eq!(levels, (76, 78), "the reference names them");
    }

    #[test]
    fn a_higher_level_leaves_out_what_is_below_it_and_assumptions_stay() {
        let at = |capture_at| left(&Triage { capture_at, ..Triage::default() });
        assert_eq!(at(71), [(43, false), (71, false), (82, true)]);
        assert_eq!(at(72), [(43, false), (82, true)]);
    }

    #[test]
    fn what_is_asked_about_hangs_on_the_level_and_no_assumption_is() {
        let at = |ask_at| left(&Triage { ask_at, ..Triage::default() });
        assert_eq!(at(71), [(43, false), (50, false), (71, true), (82, true)]);
        assert_eq!(at(83), [(43, false), (50, false), (71, false), (82, false)]);
        assert!(!at(1)[0].1);
    }

    #[test]
    fn the_detector_goes_by_the_levels() {
        let text = "The root cause is that the cache key leaves out the tenant, so one tenant \
            reads what another one wrote.";
        let heard = [Heard::Said { role: Role::Agent, text: text.to_owned(), at: 0 }];
        let found = |settings: Triage| triage(&heard, &settings);
        let own = found(Triage::default());
        assert_eq!((own.len(), own[0].is_strong), (1, true), "{own:?}");
        assert!(!found(Triage { ask_at: 99, ..Triage::default() })[0].is_strong);
        assert!(found(Triage { capture_at: 99, ..Triage::default() }).is_empty());
    }
}

//! Points in time as people read them.

use windlass_core::Timestamp;

use crate::time::DAY;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// How long ago something was.
pub(crate) fn ago(at: Timestamp, now: Timestamp) -> String {
    let span = now.0.saturating_sub(at.0);
    match span {
        // Clocks are set back, and files come from other machines.
        i64::MIN..=-1 => "in the future".to_owned(),
        0..SECOND => "just now".to_owned(),
        SECOND..MINUTE => format!("{} s ago", span / SECOND),
        MINUTE..HOUR => format!("{} min ago", span / MINUTE),
        HOUR..DAY => format!("{} h ago", span / HOUR),
        DAY.. => {
            let days = super::amount(span / DAY, "day");
            format!("{days} ago")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HOUR, MINUTE, SECOND, ago};
    use crate::time::DAY;
    use windlass_core::Timestamp;

    #[test]
    fn says_how_long_ago_it_was() {
        let now = Timestamp(1_794_768_265_728);
        let cases = [
            (-1, "in the future"),
            (0, "just now"),
            (59 * SECOND, "59 s ago"),
            (3 * MINUTE + 59 * SECOND, "3 min ago"),
            (23 * HOUR, "23 h ago"),
            (DAY, "1 day ago"),
            (9 * DAY, "9 days ago"),
        ];
        for (span, expected) in cases {
            assert_eq!(ago(Timestamp(now.0 - span), now), expected);
        }
        assert_eq!(ago(Timestamp(i64::MIN), now), "106751991167 days ago");
        assert_eq!(ago(Timestamp(i64::MAX), now), "in the future");
    }
}

//! Points in time: as people read them, and as programs do.

use windlass_core::Timestamp;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

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

/// A time as RFC 3339 has it, in UTC: `2026-11-15T18:44:25.728Z`.
pub(crate) fn utc(at: Timestamp) -> String {
    let time = at.0.rem_euclid(DAY);
    let (hour, minute, second) = (time / HOUR, time / MINUTE % 60, time / SECOND % 60);
    let day = day(at.0.div_euclid(DAY));
    format!("{day}T{hour:02}:{minute:02}:{second:02}.{:03}Z", time % SECOND)
}

/// The date of a day since 1970: `2026-11-15`. Years are counted from March, so that the leap day
/// is the last one of its year.
pub(crate) fn day(days: i64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::{DAY, HOUR, MINUTE, SECOND, ago, day, utc};
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

    #[test]
    fn writes_times_as_programs_read_them() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_794_768_265_728, "2026-11-15T18:44:25.728Z"),
            (1_709_208_000_000, "2024-02-29T12:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ];
        for (at, expected) in cases {
            assert_eq!(utc(Timestamp(at)), expected);
        }
        assert_eq!(utc(Timestamp(i64::MAX)), "292278994-08-17T07:12:55.807Z");
    }

    #[test]
    fn the_days_of_four_centuries_follow_each_other() {
        // Counted the slow way, month by month.
        let mut number = 0;
        for year in 1970..2370 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if leap { 29 } else { 28 };
            let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, days) in (1..).zip(months) {
                for date in 1..=days {
                    assert_eq!(day(number), format!("{year:04}-{month:02}-{date:02}"));
                    number += 1;
                }
            }
        }
    }
}

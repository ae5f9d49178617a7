//! Points in time and spans as text: RFC 3339, in UTC where we write it.

use std::time::Duration;

pub(crate) use windlass_core::DAY;
use windlass_core::Timestamp;

/// The longest time span that is taken.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// Reads a time such as `2026-11-15T18:44:25.728Z`, with whatever fraction and offset.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let (calendar, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, rest) = rest.split_at_checked(8)?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        None => ("", rest),
        Some(rest) => rest.split_at(rest.find(|it: char| !it.is_ascii_digit())?),
    };
    let [year, month, day] = numbers(calendar, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let days = days(year, month, day);
    // A leap second is 60.
    if date(days) != (year, month, day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let milliseconds = digits(&format!("{fraction:0<3}")[..3])?;
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
    Some(Timestamp(days * DAY + time - offset(zone)?))
}

/// Reads a time span such as `30m`, `2h` or `1d`.
pub(crate) fn span(text: &str) -> Result<Duration, String> {
    let wrong = || "give a number with its unit: 30m, 2h or 1d".to_owned();
    let units = [('m', 1), ('h', 60), ('d', 24 * 60)];
    let found = units.into_iter().find_map(|it| Some((text.strip_suffix(it.0)?, it.1)));
    let (number, minutes) = found.ok_or_else(wrong)?;
    let is_number = number.bytes().all(|it| it.is_ascii_digit());
    let number: u64 = number.parse().ok().filter(|_| is_number).ok_or_else(wrong)?;
    let span = number.checked_mul(minutes * 60).map(Duration::from_secs).ok_or_else(wrong)?;
    if span.is_zero() || span > LONGEST {
        return Err("give at least 1m and at most 366d".to_owned());
    }
    Ok(span)
}

/// Writes a time as `2026-11-15T18:44:25.728Z`.
pub(crate) fn utc(at: Timestamp) -> String {
    let (day, time) = (day(at.0.div_euclid(DAY)), at.0.rem_euclid(DAY));
    let (seconds, milliseconds) = (time / 1000, time % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{day}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// Writes a day since 1970 as `2026-11-15`.
pub(crate) fn day(days: i64) -> String {
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Milliseconds that a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    let (sign, rest) = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => return Some(0),
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let [hours, minutes] = numbers(rest, ':', [2, 2])?;
    Some(sign * (hours * 60 + minutes) * 60_000)
}

/// Numbers of fixed widths with one sign between them.
fn numbers<const COUNT: usize>(
    text: &str,
    sign: char,
    widths: [usize; COUNT],
) -> Option<[i64; COUNT]> {
    let mut values = [0; COUNT];
    let mut words = text.split(sign);
    for (value, width) in values.iter_mut().zip(widths) {
        let word = words.next().filter(|it| it.len() == width)?;
        *value = digits(word)?;
    }
    words.next().is_none().then_some(values)
}

/// A number without a sign.
fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Days since 1970 of a date in the Gregorian calendar. Years are counted from March, so that the
/// leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a day since 1970: the way back.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{DAY, day, parse, span, utc};
    use windlass_core::Timestamp;

    #[test]
    fn a_time_span_is_a_number_with_a_unit() {
        let minutes = |count| Ok(Duration::from_mins(count));
        let cases = [("30m", 30), ("2h", 120), ("1d", 1440), ("366d", 366 * 1440)];
        for (text, expected) in cases {
            assert_eq!(span(text), minutes(expected), "{text}");
        }
        for text in ["", "m", "30", "0m", "-1h", "+1h", "1.5h", "2w", "1 h", "367d", "2µ"] {
            assert!(span(text).is_err(), "{text}");
        }
        assert!(span("99999999999999999999d").is_err());
    }

    #[test]
    fn reads_times_as_they_are_written() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.5Z", 500),
            ("2026-11-15T18:44:25.728Z", 1_794_768_265_728),
            ("2026-11-15T18:44:25.728123456Z", 1_794_768_265_728),
            ("2026-11-15 20:44:25.728+02:00", 1_794_768_265_728),
            ("2026-11-15t14:14:25.728-04:30", 1_794_768_265_728),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000),
            ("1969-12-31T23:59:59.999Z", -1),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), Some(Timestamp(expected)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_time() {
        for text in [
            "",
            "2026-11-15",
            "2026-11-15T18:44:25",
            "2026-11-15T18:44:25.728",
            "2026-13-15T18:44:25Z",
            "2026-02-29T18:44:25Z",
            "2026-11-00T18:44:25Z",
            "2026-11-15T24:44:25Z",
            "2026-11-15T18:44:25+2",
            "2026-11-15T18:44:25Zulu",
            "+026-11-15T18:44:25Z",
            "2026-11-1äT18:44:25Z",
            "yesterday at noon, or so",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_is_read_as_it_was_written() {
        // The years 1 to 9998: those of other than four digits are not RFC 3339.
        for day in (-719_000..2_932_000).step_by(7) {
            let at = Timestamp(day * DAY + (day * 7919).rem_euclid(DAY));
            assert_eq!(parse(&utc(at)), Some(at), "{day}");
        }
        assert_eq!(utc(Timestamp(1_794_768_265_728)), "2026-11-15T18:44:25.728Z");
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

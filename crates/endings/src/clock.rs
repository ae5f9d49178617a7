//! Times of rows: the text that the client writes, and milliseconds.

const DAY: i64 = 86_400_000;

/// Reads a time such as `2026-02-11T16:27:15.948Z`.
pub(crate) fn read_time(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let fraction = if text.as_bytes().get(19) == Some(&b'.') { number(20, 23)? } else { 0 };
    // March is the first month here, so that the leap day is the last of a year.
    let (shifted, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + fraction)
}

/// Writes a time as the client does.
pub(crate) fn write_time(at: i64) -> String {
    let (days, rest) = (at.div_euclid(DAY) + 719_468, at.rem_euclid(DAY));
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, fraction) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

#[cfg(test)]
mod tests {
    use super::{read_time, write_time};

    #[test]
    fn a_time_that_is_written_is_read_as_the_same() {
        for text in
            ["1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "2026-11-15T18:44:25.728Z"]
        {
            assert_eq!(read_time(text).map(write_time).as_deref(), Some(text));
        }
        assert_eq!(read_time("2026-11-15T18:44:25.728Z"), Some(1_794_768_265_728));
        assert_eq!(read_time("yesterday"), None);
    }
}

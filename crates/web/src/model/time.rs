//! Times as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The seconds since 1970, now.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}

/// Seconds since 1970 as `2026-03-01T12:00:00Z`. The file may have any
/// number: one that is no date is shown as the nearest one.
pub(crate) fn date(seconds: i64) -> String {
    /// The last second of the year 9999.
    const LAST: i64 = 253_402_300_799;
    let since = Duration::from_secs(seconds.clamp(0, LAST).unsigned_abs());
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

/// A duration as people say it: `20 s`, `3 min` or `2 h 5 min`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().round() as u64;
    let minutes = (seconds + 30) / 60;
    match (seconds, minutes) {
        (..90, _) => format!("{} s", seconds.max(1)),
        (_, ..90) => format!("{minutes} min"),
        (_, minutes) => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short_texts() {
        for (seconds, text) in
            [(0, "1 s"), (89, "89 s"), (90, "2 min"), (3_600, "60 min"), (7_500, "2 h 5 min")]
        {
            assert_eq!(duration(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn every_number_has_a_date() {
        for (seconds, text) in [
            (i64::MIN, "1970-01-01T00:00:00Z"),
            (1_772_366_400, "2026-03-01T12:00:00Z"),
            (253_402_300_800, "9999-12-31T23:59:59Z"),
            (i64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}

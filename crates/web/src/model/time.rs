//! Times as text.

use std::time::{Duration, UNIX_EPOCH};

/// Seconds since 1970 as `2026-03-01T12:00:00Z`. The file may have any
/// number: one that is no date is shown as the nearest one.
pub(crate) fn date(seconds: i64) -> String {
    /// The last second of the year 9999.
    const LAST: i64 = 253_402_300_799;
    let since = Duration::from_secs(seconds.clamp(0, LAST).unsigned_abs());
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

#[cfg(test)]
mod tests {
    use super::date;

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

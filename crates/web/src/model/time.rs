//! Times as text.

use std::time::{Duration, UNIX_EPOCH};

/// Seconds since 1970 as `2026-03-01T12:00:00Z`.
pub(crate) fn date(seconds: i64) -> String {
    let since = Duration::from_secs(seconds.max(0).unsigned_abs());
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

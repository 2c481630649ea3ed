//! Time zones by their names.

use jiff::tz::{TimeZone, TimeZoneDatabase};

/// The most bytes of a name.
const MAX_LENGTH: usize = 64;

/// The time zone with a name of the IANA database; `None` if there is none.
pub(super) fn time_zone(name: &str) -> Option<TimeZone> {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+');
    if name.is_empty() || name.len() > MAX_LENGTH || !name.bytes().all(is_plain) {
        return None;
    }
    // The names do not depend on the machine.
    TimeZoneDatabase::bundled().get(name).ok()
}

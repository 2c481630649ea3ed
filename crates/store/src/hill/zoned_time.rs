//! A point in time as a host writes it.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::AmbiguousOffset;

use super::schedule::time_of_day;
use super::time_zone::time_zone;

/// The years of a contest.
const YEARS: RangeInclusive<i16> = 2000..=2199;

/// A point in time as a host writes it: `2026-12-01 18:00 Europe/Berlin`. Without a time zone it is UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZonedTime {
    text: String,
    at: i64,
    year: i16,
    /// Whether the clocks of the zone skip the time.
    is_skipped: bool,
}

/// A point in time that no host means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnlikelyTime {
    /// It is far away.
    #[error("the year must be {} to {}", YEARS.start(), YEARS.end())]
    Year,
    /// Clocks are set forward over it.
    #[error(
        "the clocks of this time zone skip this time when summer time begins; use a time an hour later"
    )]
    Skipped,
}

/// A text that is no point in time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ZonedTimeError {
    /// It has another form.
    #[error("must be a day, a time and a time zone, such as \"2026-12-01 18:00 Europe/Berlin\"")]
    Form,
    /// There is no such day.
    #[error("no such day: {0:?}; it is written YYYY-MM-DD, such as 2026-12-01")]
    Day(String),
    /// There is no such time of day.
    #[error("no such time of day: {0:?}; it is written HH:MM, such as 18:00")]
    Time(String),
    /// There is no such time zone.
    #[error(
        "no such time zone: {0:?}; names are those of the IANA database, such as Europe/Berlin or UTC"
    )]
    Zone(String),
}

impl FromStr for ZonedTime {
    type Err = ZonedTimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<_> = text.split_whitespace().collect();
        let (date, time, zone) = match words.as_slice() {
            [date, time] => (date, time, "UTC"),
            [date, time, zone] => (date, time, *zone),
            _ => return Err(ZonedTimeError::Form),
        };
        let named = |text: &&str| (*text).to_owned();
        let date: Date = date.parse().map_err(|_| ZonedTimeError::Day(named(date)))?;
        let time_of_day = time_of_day(time).ok_or_else(|| ZonedTimeError::Time(named(time)))?;
        let tz = time_zone(zone).ok_or_else(|| ZonedTimeError::Zone(zone.to_owned()))?;
        let at = tz.to_ambiguous_zoned_datetime(date.to_datetime(time_of_day));
        let is_skipped = matches!(at.offset(), AmbiguousOffset::Gap { .. });
        let at = at.compatible().map_err(|_| ZonedTimeError::Form)?.timestamp().as_second();
        Ok(Self { text: format!("{date} {time} {zone}"), at, year: date.year(), is_skipped })
    }
}

impl fmt::Display for ZonedTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl ZonedTime {
    /// The time in seconds since 1970.
    #[must_use]
    pub const fn at(&self) -> i64 {
        self.at
    }

    /// Checks a time that a host sets: those of stored hills are accepted as they are.
    ///
    /// # Errors
    /// If it is far away, or no clock shows it.
    pub(crate) fn check_new(&self) -> Result<(), UnlikelyTime> {
        if !YEARS.contains(&self.year) {
            return Err(UnlikelyTime::Year);
        }
        if self.is_skipped { Err(UnlikelyTime::Skipped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_by_the_clocks_of_its_zone() {
        let at = |text: &str| text.parse::<ZonedTime>().map(|time| (time.to_string(), time.at()));
        let winter = ("2026-12-01 18:00 Europe/Berlin".to_owned(), 1_796_144_400);
        assert_eq!(at("2026-12-01  18:00 Europe/Berlin"), Ok(winter));
        assert_eq!(at("2026-12-01 18:00"), Ok(("2026-12-01 18:00 UTC".to_owned(), 1_796_148_000)));
        let named = |kind: fn(String) -> ZonedTimeError, text: &str| kind(text.to_owned());
        for (text, error) in [
            ("", ZonedTimeError::Form),
            ("2026-12-01", ZonedTimeError::Form),
            ("2026-13-01 18:00", named(ZonedTimeError::Day, "2026-13-01")),
            ("tomorrow 18:00 UTC", named(ZonedTimeError::Day, "tomorrow")),
            ("2026-12-01 18", named(ZonedTimeError::Time, "18")),
            ("2026-12-01 18:00 Europe/Berln", named(ZonedTimeError::Zone, "Europe/Berln")),
        ] {
            assert_eq!(at(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_time_that_no_host_means_is_recognised() {
        let check = |text: &str| text.parse::<ZonedTime>().unwrap().check_new();
        assert_eq!(check("2026-12-01 18:00 Europe/Berlin"), Ok(()));
        // It is there twice: the first one counts.
        assert_eq!(check("2026-10-25 02:30 Europe/Berlin"), Ok(()));
        assert_eq!(check("2026-03-29 02:30 Europe/Berlin"), Err(UnlikelyTime::Skipped));
        assert_eq!(check("2026-03-29 02:30 UTC"), Ok(()));
        assert_eq!(check("0000-12-01 18:00"), Err(UnlikelyTime::Year));
        assert_eq!(check("9998-12-01 18:00"), Err(UnlikelyTime::Year));
    }
}

//! A point in time as a host writes it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;

use super::schedule::time_of_day;
use super::time_zone::time_zone;

/// A point in time as a host writes it: `2026-12-01 18:00 Europe/Berlin`. Without a time zone it is UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZonedTime {
    text: String,
    at: i64,
}

/// A text that is no point in time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a day, a time and a time zone, such as \"2026-12-01 18:00 Europe/Berlin\"")]
pub struct ZonedTimeError;

impl FromStr for ZonedTime {
    type Err = ZonedTimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<_> = text.split_whitespace().collect();
        let (date, time, zone) = match words.as_slice() {
            [date, time] => (date, time, "UTC"),
            [date, time, zone] => (date, time, *zone),
            _ => return Err(ZonedTimeError),
        };
        let date: Date = date.parse().map_err(|_| ZonedTimeError)?;
        let time_of_day = time_of_day(time).ok_or(ZonedTimeError)?;
        let tz = time_zone(zone).ok_or(ZonedTimeError)?;
        let at = date.to_datetime(time_of_day).to_zoned_datetime(tz).map_err(|_| ZonedTimeError)?;
        Ok(Self { text: format!("{date} {time} {zone}"), at: at.timestamp().as_second() })
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
        for text in ["", "2026-12-01", "2026-13-01 18:00", "2026-12-01 18", "tomorrow 18:00 UTC"] {
            assert_eq!(at(text), Err(ZonedTimeError), "{text}");
        }
    }
}

//! When a hill plays its whole runs by itself.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::time_zone::time_zone;

/// When a hill plays its whole runs by itself: `daily 20:00 Europe/Berlin` or `weekly friday 18:30`. Without a time zone it is
/// UTC.
///
/// On a day whose clocks leave out the time, the run begins as much later as they leave out; if they show it twice, at the first.
///
/// ```
/// use dicehill_store::Schedule;
///
/// let schedule: Schedule = "daily 20:00 Europe/Berlin".parse().unwrap();
/// // 2026-03-28 at 19:00 UTC, and the next day at 18:00 UTC, because summer time has begun.
/// assert_eq!(schedule.next_after(1_774_720_000), Some(1_774_724_400));
/// assert_eq!(schedule.next_after(1_774_724_400), Some(1_774_807_200));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    days: Days,
    time: Time,
    zone: TimeZone,
    zone_name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Days {
    All,
    One(Weekday),
}

/// A text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// It has another form.
    #[error(
        "must be `daily HH:MM ZONE` or `weekly DAY HH:MM ZONE`, such as \"daily 20:00 Europe/Berlin\""
    )]
    Form,
    /// There is no such time of day.
    #[error("no such time of day: {0:?}; it is written HH:MM, such as 20:00")]
    Time(String),
    /// There is no such day of the week.
    #[error("no such day: {0:?}; it is written in full, such as friday")]
    Day(String),
    /// There is no such time zone.
    #[error(
        "no such time zone: {0:?}; names are those of the IANA database, such as Europe/Berlin or UTC"
    )]
    Zone(String),
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<_> = text.split_whitespace().collect();
        let (days, rest) = match words.as_slice() {
            ["daily", rest @ ..] => (Days::All, rest),
            ["weekly", day, rest @ ..] => (Days::One(weekday(day)?), rest),
            _ => return Err(ScheduleError::Form),
        };
        let (time, zone_name) = match rest {
            [time] => (time, "UTC"),
            [time, zone] => (time, *zone),
            _ => return Err(ScheduleError::Form),
        };
        let time = time_of_day(time).ok_or_else(|| ScheduleError::Time((*time).to_owned()))?;
        let unknown = || ScheduleError::Zone(zone_name.to_owned());
        let zone = time_zone(zone_name).ok_or_else(unknown)?;
        Ok(Self { days, time, zone, zone_name: zone_name.to_owned() })
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.days {
            Days::All => f.write_str("daily")?,
            Days::One(day) => write!(f, "weekly {}", name_of(day))?,
        }
        write!(f, " {:02}:{:02} {}", self.time.hour(), self.time.minute(), self.zone_name)
    }
}

impl Schedule {
    /// The first time of the schedule after `after`, both in seconds since 1970; `None` if it lies beyond the calendar.
    #[must_use]
    pub fn next_after(&self, after: i64) -> Option<i64> {
        let start = Timestamp::from_second(after).ok()?.to_zoned_datetime(self.zone.clone()).date();
        // A week and a day, because today's time may have passed.
        let days = (0..=8).filter_map(|days| start.checked_add(days.days()).ok());
        let mut times = days.filter(|day| self.has(*day)).filter_map(|day| self.on(day));
        times.find(|at| *at > after)
    }

    fn has(&self, day: Date) -> bool {
        match self.days {
            Days::All => true,
            Days::One(weekday) => day.weekday() == weekday,
        }
    }

    fn on(&self, day: Date) -> Option<i64> {
        let zoned = day.to_datetime(self.time).to_zoned_datetime(self.zone.clone()).ok()?;
        Some(zoned.timestamp().as_second())
    }
}

/// A time of day, `HH:MM`.
pub(super) fn time_of_day(text: &str) -> Option<Time> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str| {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number)
    };
    Time::new(number(hour)?, number(minute)?, 0, 0).ok()
}

const WEEKDAYS: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

const fn name_of(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "monday",
        Weekday::Tuesday => "tuesday",
        Weekday::Wednesday => "wednesday",
        Weekday::Thursday => "thursday",
        Weekday::Friday => "friday",
        Weekday::Saturday => "saturday",
        Weekday::Sunday => "sunday",
    }
}

fn weekday(text: &str) -> Result<Weekday, ScheduleError> {
    let named = |day: &Weekday| name_of(*day).eq_ignore_ascii_case(text);
    WEEKDAYS.into_iter().find(named).ok_or_else(|| ScheduleError::Day(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_second()
    }

    fn check(schedule: &str, after: &str, expected: &str) {
        let schedule: Schedule = schedule.parse().unwrap();
        assert_eq!(schedule.next_after(at(after)), Some(at(expected)), "{schedule} after {after}");
    }

    #[test]
    fn the_next_time_is_by_the_clocks_of_the_zone() {
        check("daily 20:00", "2026-05-01T19:59:59Z", "2026-05-01T20:00:00Z");
        check("daily 20:00", "2026-05-01T20:00:00Z", "2026-05-02T20:00:00Z");
        check("daily 20:00 Europe/Berlin", "2026-03-28T20:00:00Z", "2026-03-29T18:00:00Z");
        check("daily 20:00 Europe/Berlin", "2026-10-24T18:30:00Z", "2026-10-25T19:00:00Z");
        check("daily 23:30 America/New_York", "2026-05-02T03:29:00Z", "2026-05-02T03:30:00Z");
        check("weekly friday 18:30", "2026-05-01T18:29:00Z", "2026-05-01T18:30:00Z");
        check("weekly friday 18:30", "2026-05-01T18:30:00Z", "2026-05-08T18:30:00Z");
        check("weekly Monday 00:00 Asia/Tokyo", "2026-05-01T00:00:00Z", "2026-05-03T15:00:00Z");
    }

    #[test]
    fn a_time_that_the_clocks_leave_out_or_show_twice_comes_once() {
        check("daily 02:30 Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T01:30:00Z");
        check("daily 02:30 Europe/Berlin", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z");
        check("daily 02:30 Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z");
        check("daily 02:30 Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    }

    #[test]
    fn a_schedule_is_written_as_it_is_read() {
        for text in ["daily 20:00 Europe/Berlin", "weekly sunday 07:05 UTC"] {
            assert_eq!(text.parse::<Schedule>().unwrap().to_string(), text);
        }
        assert_eq!("daily 9:00".parse::<Schedule>(), Err(ScheduleError::Time("9:00".to_owned())));
        for text in ["", "daily", "hourly 20:00", "daily 20:00 UTC UTC", "weekly 20:00"] {
            assert!(text.parse::<Schedule>().is_err(), "{text}");
        }
        for text in ["daily 24:00", "daily 20:60", "daily +1:00", "daily 20:00:00"] {
            assert!(matches!(text.parse::<Schedule>(), Err(ScheduleError::Time(_))), "{text}");
        }
        for text in ["daily 20:00 Mars/Base", "daily 20:00 ../../etc/passwd", "daily 20:00 Local"] {
            assert!(matches!(text.parse::<Schedule>(), Err(ScheduleError::Zone(_))), "{text}");
        }
    }
}

//! How a hill takes entries, and when it plays by itself.

use std::fmt;
use std::str::FromStr;

use dicehill_arena::{BotName, NameFault, contains_word, thousands};

use super::environment::{Environments, EnvironmentsError};
use super::schedule::{Schedule, ScheduleError};
use super::zoned_time::{UnlikelyTime, ZonedTime, ZonedTimeError};

/// The most bots, entries or uploads that a limit for an author may name.
const MAX_LIMIT: u32 = 10_000;
/// The most words of [`EntryTerms::approval_words`].
const MAX_WORDS: usize = 500;
/// The most bytes of a message on the front of a hill.
const MAX_MESSAGE: usize = 1_000;

/// How a hill takes entries, and when it plays by itself. The default accepts entries at any time and plays once they have
/// qualified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryTerms {
    /// When whole runs are played; `None`: once entries have qualified.
    pub schedule: Option<Schedule>,
    /// When the schedule was set, in seconds since 1970.
    pub scheduled: i64,
    /// When entries open; `None`: they are open from the start.
    pub opens: Option<ZonedTime>,
    /// When entries close, after which a committed run is played; `None`: never.
    pub closes: Option<ZonedTime>,
    /// Which entries the host has to approve.
    pub approval: Approval,
    /// Words that hold an entry for approval if its bot's name, author or home page contains one of them, also [in
    /// disguise](contains_word). Held names only wait for the host, so that a false alarm costs little.
    pub approval_words: Vec<String>,
    /// The most bots that an author may have on the hill.
    pub author_bots: Option<u32>,
    /// The most entries of an author that may wait at a time.
    pub author_waiting: Option<u32>,
    /// The most uploads of an author in 24 hours.
    pub author_daily: Option<u32>,
    /// Who may read the reports on entries.
    pub reports: ReportAccess,
    /// Whether authors may connect bots that stay on their machines.
    pub remote: bool,
    /// What uploaded bots may ask to read.
    pub environments: Environments,
    /// What the host wants visitors to read.
    pub message: Option<String>,
}

/// Who may read the whole reports on entries; the first line of each verdict is public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReportAccess {
    /// The author of the bot, and hosts.
    #[default]
    Author,
    /// Everyone.
    Public,
}

impl ReportAccess {
    /// All choices.
    pub const ALL: [Self; 2] = [Self::Author, Self::Public];

    /// The word in the store and in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Public => "public",
        }
    }
}

/// Which entries the host has to approve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approval {
    /// None.
    #[default]
    None,
    /// Those whose name could be mistaken or offend: it has a letter outside of ASCII, or contains one of the host's words.
    Names,
    /// All.
    All,
}

impl Approval {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::None, Self::Names, Self::All];

    /// The word in the store and in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Names => "names",
            Self::All => "all",
        }
    }
}

/// A setting of [`EntryTerms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKey {
    /// [`EntryTerms::schedule`].
    Schedule,
    /// [`EntryTerms::opens`].
    Opens,
    /// [`EntryTerms::closes`].
    Closes,
    /// [`EntryTerms::approval`].
    Approval,
    /// [`EntryTerms::approval_words`].
    ApprovalWords,
    /// [`EntryTerms::author_bots`].
    AuthorBots,
    /// [`EntryTerms::author_waiting`].
    AuthorWaiting,
    /// [`EntryTerms::author_daily`].
    AuthorDaily,
    /// [`EntryTerms::reports`].
    Reports,
    /// [`EntryTerms::remote`].
    Remote,
    /// [`EntryTerms::environments`].
    Environments,
    /// [`EntryTerms::message`].
    Message,
}

impl EntryKey {
    /// All settings.
    pub const ALL: [Self; 12] = [
        Self::Schedule,
        Self::Opens,
        Self::Closes,
        Self::Approval,
        Self::ApprovalWords,
        Self::AuthorBots,
        Self::AuthorWaiting,
        Self::AuthorDaily,
        Self::Reports,
        Self::Remote,
        Self::Environments,
        Self::Message,
    ];

    /// The value of a hill that sets none.
    #[must_use]
    pub const fn default_value(self) -> &'static str {
        match self {
            Self::Reports => ReportAccess::Author.name(),
            Self::Remote => "no",
            Self::Schedule
            | Self::Opens
            | Self::Closes
            | Self::Approval
            | Self::ApprovalWords
            | Self::AuthorBots
            | Self::AuthorWaiting
            | Self::AuthorDaily
            | Self::Environments
            | Self::Message => "none",
        }
    }

    /// The key in the store and in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::Opens => "opens",
            Self::Closes => "closes",
            Self::Approval => "approval",
            Self::ApprovalWords => "approval_words",
            Self::AuthorBots => "author_bots",
            Self::AuthorWaiting => "author_waiting",
            Self::AuthorDaily => "author_daily",
            Self::Reports => "reports",
            Self::Remote => "remote",
            Self::Environments => "environments",
            Self::Message => "message",
        }
    }
}

/// A value that a setting cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} = {value:?}: {why}", .key.name())]
pub struct EntryTermsError {
    /// The setting.
    pub key: EntryKey,
    /// The value.
    pub value: String,
    why: EntryValueError,
}

/// Why a setting cannot have a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum EntryValueError {
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Time(#[from] ZonedTimeError),
    #[error(transparent)]
    UnlikelyTime(#[from] UnlikelyTime),
    #[error("must be none, names or all")]
    Approval,
    #[error("must be author or public")]
    Reports,
    #[error(transparent)]
    Environments(#[from] EnvironmentsError),
    #[error("must be yes or no")]
    YesOrNo,
    #[error("must be 1 to {}", thousands(MAX_LIMIT))]
    Limit,
    #[error("must be at most {MAX_WORDS} words of at least two characters, separated by commas")]
    Words,
    #[error("must be a text of at most {MAX_MESSAGE} bytes in one line")]
    Message,
    #[error("{0}")]
    Unprintable(NameFault),
    #[error("entries must close after they open")]
    Order,
}

impl EntryTerms {
    /// The terms with one setting changed, to a value or with `None` to its default. `now` is the time of the change, in seconds
    /// since 1970.
    ///
    /// # Errors
    /// If the setting cannot have the value.
    pub fn with(
        mut self,
        key: EntryKey,
        value: Option<&str>,
        now: i64,
    ) -> Result<Self, EntryTermsError> {
        let shown = value.unwrap_or("default").to_owned();
        let refused = |why| EntryTermsError { key, value: shown, why };
        self.set(key, value, now).map_err(refused)?;
        Ok(self)
    }

    /// Like [`EntryTerms::with`], for what a host sets: a time must be one that a host can mean.
    ///
    /// # Errors
    /// If the setting cannot have the value.
    pub fn with_new(
        self,
        key: EntryKey,
        value: Option<&str>,
        now: i64,
    ) -> Result<Self, EntryTermsError> {
        let terms = self.with(key, value, now)?;
        let opens = terms.opens.as_ref().filter(|_| key == EntryKey::Opens);
        let time = opens.or(terms.closes.as_ref().filter(|_| key == EntryKey::Closes));
        let value = value.unwrap_or_default().to_owned();
        let refused = |why: UnlikelyTime| EntryTermsError { key, value, why: why.into() };
        time.map_or(Ok(()), ZonedTime::check_new).map_err(refused)?;
        Ok(terms)
    }

    fn set(&mut self, key: EntryKey, value: Option<&str>, now: i64) -> Result<(), EntryValueError> {
        match key {
            EntryKey::Schedule => {
                (self.schedule, self.scheduled) = (value.map(str::parse).transpose()?, now);
            }
            EntryKey::Opens => self.opens = value.map(str::parse).transpose()?,
            EntryKey::Closes => self.closes = value.map(str::parse).transpose()?,
            EntryKey::Approval => {
                let named = |name| Approval::ALL.into_iter().find(|choice| choice.name() == name);
                let named = |name| named(name).ok_or(EntryValueError::Approval);
                self.approval = value.map(named).transpose()?.unwrap_or_default();
            }
            EntryKey::ApprovalWords => {
                self.approval_words = value.map(words).transpose()?.unwrap_or_default();
            }
            EntryKey::AuthorBots => self.author_bots = value.map(limit).transpose()?,
            EntryKey::AuthorWaiting => self.author_waiting = value.map(limit).transpose()?,
            EntryKey::AuthorDaily => self.author_daily = value.map(limit).transpose()?,
            EntryKey::Reports => {
                let named = |name| ReportAccess::ALL.into_iter().find(|it| it.name() == name);
                let named = |name| named(name).ok_or(EntryValueError::Reports);
                self.reports = value.map(named).transpose()?.unwrap_or_default();
            }
            EntryKey::Remote => self.remote = value.map(yes_or_no).transpose()?.unwrap_or_default(),
            EntryKey::Environments => {
                self.environments = value.map(str::parse).transpose()?.unwrap_or_default();
            }
            EntryKey::Message => self.message = value.map(message).transpose()?,
        }
        match (&self.opens, &self.closes) {
            (Some(opens), Some(closes)) if closes.at() <= opens.at() => Err(EntryValueError::Order),
            (Some(_) | None, _) => Ok(()),
        }
    }

    /// The value of a setting as a text that [`EntryTerms::with`] accepts; `None` for the default.
    #[must_use]
    pub fn get(&self, key: EntryKey) -> Option<String> {
        let text = |value: &dyn fmt::Display| value.to_string();
        match key {
            EntryKey::Schedule => self.schedule.as_ref().map(|it| text(it)),
            EntryKey::Opens => self.opens.as_ref().map(|it| text(it)),
            EntryKey::Closes => self.closes.as_ref().map(|it| text(it)),
            EntryKey::Approval => Some(self.approval)
                .filter(|it| *it != Approval::None)
                .map(|it| it.name().to_owned()),
            EntryKey::ApprovalWords => {
                Some(self.approval_words.join(",")).filter(|words| !words.is_empty())
            }
            EntryKey::AuthorBots => self.author_bots.map(|it| it.to_string()),
            EntryKey::AuthorWaiting => self.author_waiting.map(|it| it.to_string()),
            EntryKey::AuthorDaily => self.author_daily.map(|it| it.to_string()),
            EntryKey::Reports => Some(self.reports)
                .filter(|it| *it != ReportAccess::Author)
                .map(|it| it.name().to_owned()),
            EntryKey::Remote => self.remote.then(|| "yes".to_owned()),
            EntryKey::Environments => {
                (!self.environments.is_empty()).then(|| self.environments.to_string())
            }
            EntryKey::Message => self.message.clone(),
        }
    }

    /// Whether the host has to approve an entry of this name, whose bot has these other texts that visitors see.
    #[must_use]
    pub fn holds(&self, bot: &BotName, texts: &[String]) -> bool {
        let has_word =
            |text: &str| self.approval_words.iter().any(|word| contains_word(text, word));
        let is_suspect = || {
            !bot.as_str().is_ascii()
                || has_word(bot.as_str())
                || texts.iter().any(|text| has_word(text))
        };
        match self.approval {
            Approval::None => false,
            Approval::Names => is_suspect(),
            Approval::All => true,
        }
    }

    /// Whether entries are open at a time, in seconds since 1970.
    #[must_use]
    pub fn window(&self, now: i64) -> EntryWindow<'_> {
        match (&self.opens, &self.closes) {
            (Some(opens), _) if now < opens.at() => EntryWindow::Before(opens),
            (_, Some(closes)) if closes.at() <= now => EntryWindow::After(closes),
            (Some(_) | None, _) => EntryWindow::Open,
        }
    }
}

/// Where a time lies relative to the times in which a hill takes entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryWindow<'a> {
    /// Entries open then.
    Before(&'a ZonedTime),
    /// Entries are open.
    Open,
    /// Entries closed then.
    After(&'a ZonedTime),
}

impl FromStr for EntryKey {
    type Err = UnknownEntryKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|key| key.name() == text);
        found.ok_or_else(|| UnknownEntryKey(text.to_owned()))
    }
}

/// A text that names no setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such setting: {0:?}")]
pub struct UnknownEntryKey(pub String);

fn limit(text: &str) -> Result<u32, EntryValueError> {
    let number = text.parse().ok().filter(|number| (1..=MAX_LIMIT).contains(number));
    number.ok_or(EntryValueError::Limit)
}

fn yes_or_no(text: &str) -> Result<bool, EntryValueError> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(EntryValueError::YesOrNo),
    }
}

fn words(text: &str) -> Result<Vec<String>, EntryValueError> {
    let words: Vec<_> = text.split(',').map(|word| word.trim().to_owned()).collect();
    let is_word = |word: &String| word.chars().count() >= 2 && BotName::new(word).is_ok();
    let are_words = words.len() <= MAX_WORDS && words.iter().all(is_word);
    are_words.then_some(words).ok_or(EntryValueError::Words)
}

fn message(text: &str) -> Result<String, EntryValueError> {
    let is_end_of_line = |c: char| matches!(c, '\n' | '\r');
    let mut unprintable = text.chars().filter(|c| !dicehill_arena::is_printable(*c));
    if let Some(character) = unprintable.find(|c| !is_end_of_line(*c)) {
        return Err(EntryValueError::Unprintable(NameFault::Unprintable(character)));
    }
    let is_message = !text.trim().is_empty()
        && text.len() <= MAX_MESSAGE
        && text.chars().all(dicehill_arena::is_printable);
    is_message.then(|| text.trim().to_owned()).ok_or(EntryValueError::Message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: EntryKey, value: &str) -> Result<EntryTerms, String> {
        EntryTerms::default().with(key, Some(value), 7).map_err(|error| error.to_string())
    }

    #[test]
    fn each_setting_is_read_as_it_is_written() {
        for (key, value) in [
            (EntryKey::Schedule, "daily 20:00 Europe/Berlin"),
            (EntryKey::Opens, "2026-12-01 18:00 Europe/Berlin"),
            (EntryKey::Closes, "2026-12-24 18:00 UTC"),
            (EntryKey::Approval, "names"),
            (EntryKey::ApprovalWords, "bad,word"),
            (EntryKey::AuthorBots, "3"),
            (EntryKey::AuthorWaiting, "2"),
            (EntryKey::AuthorDaily, "10000"),
            (EntryKey::Reports, "public"),
            (EntryKey::Message, "Back on Monday"),
        ] {
            let terms = with(key, value).unwrap();
            assert_eq!(terms.get(key).as_deref(), Some(value));
            let others = EntryKey::ALL.into_iter().filter(|other| *other != key);
            assert!(others.into_iter().all(|other| terms.get(other).is_none()), "{value}");
            assert_eq!(terms.with(key, None, 8).unwrap().get(key), None);
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_the_remedy() {
        for (key, value, why) in [
            (EntryKey::Schedule, "at noon", "schedule = \"at noon\": must be `daily HH:MM ZONE`"),
            (EntryKey::Opens, "noon", "opens = \"noon\": must be a day, a time and a time zone"),
            (EntryKey::Approval, "some", "approval = \"some\": must be none, names or all"),
            (EntryKey::AuthorBots, "0", "author_bots = \"0\": must be 1 to 10,000"),
            (EntryKey::AuthorDaily, "-1", "author_daily = \"-1\": must be 1 to 10,000"),
            (EntryKey::ApprovalWords, "a", "approval_words = \"a\": must be at most 500 words"),
            (
                EntryKey::Message,
                "a\u{202e}b",
                "message = \"a\\u{202e}b\": contains the unprintable character U+202E",
            ),
            (
                EntryKey::Message,
                "a\nb",
                "message = \"a\\nb\": must be a text of at most 1000 bytes in one",
            ),
        ] {
            let error = with(key, value).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
        let opens = with(EntryKey::Opens, "2026-12-02 18:00").unwrap();
        let closes = opens.with(EntryKey::Closes, Some("2026-12-02 18:00"), 0);
        assert!(closes.unwrap_err().to_string().ends_with("entries must close after they open"));
    }

    #[test]
    fn names_that_could_be_mistaken_or_offend_are_held() {
        let terms = with(EntryKey::ApprovalWords, "badger").unwrap();
        let terms = terms.with(EntryKey::Approval, Some("names"), 0).unwrap();
        let holds = |name: &str| terms.holds(&BotName::new(name).unwrap(), &[]);
        for name in [
            "Bädger",
            "BADGERS",
            "my badger 2",
            "xBadgerx",
            "ba\u{0501}ger",
            "bad ger",
            "B.4.d_g3r",
        ] {
            assert!(holds(name), "{name}");
        }
        assert!(!holds("Mine") && !holds("bad bot"));
        assert!(!EntryTerms::default().holds(&BotName::new("Bädger").unwrap(), &[]));
        let by = |author: &str| terms.holds(&BotName::new("Mine").unwrap(), &[author.to_owned()]);
        assert!(by("a B.4.d_g3r fan") && !by("Zoë"));
    }

    #[test]
    fn entries_are_open_from_one_time_to_the_other() {
        let terms = with(EntryKey::Opens, "1970-01-01 00:10").unwrap();
        let terms = terms.with(EntryKey::Closes, Some("1970-01-01 00:20"), 0).unwrap();
        assert!(matches!(terms.window(599), EntryWindow::Before(_)));
        assert!(matches!(terms.window(600), EntryWindow::Open));
        assert!(matches!(terms.window(1_199), EntryWindow::Open));
        assert!(matches!(terms.window(1_200), EntryWindow::After(_)));
        assert_eq!(EntryTerms::default().window(0), EntryWindow::Open);
    }
}

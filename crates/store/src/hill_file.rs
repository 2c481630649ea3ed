//! Hill files: TOML is parsed and checked, and becomes a draft of a hill.

mod bot_entry;
mod bot_in_folder;
mod bot_manifest;
mod entries;
mod limits;
mod own_terms;
mod prepare_bot;
mod raw;
mod script;
mod text;
mod words;

use std::ops::Range;
use std::path::{Path, PathBuf};

use dicehill_arena::{
    BotName, DraftLocation, Entrant, FormatName, HillDraft, HillError, Limits, Memory, printable,
};
use dicehill_rules::{Game, GameName};
use toml::Spanned;

use self::bot_entry::{BotEntry, bot_entry, check_text, kind_key_of};
use self::bot_in_folder::bot_in_folder;
use self::entries::entry_terms;
use self::limits::limits;
use self::own_terms::given_keys;
use self::raw::RawHill;
use self::text::{line_of, parse, read_text};
use crate::{BotKind, BotTerms, FileError, HillSettings, did_you_mean, refuse_standard_input};
pub use bot_manifest::BotManifest;
use dicehill_rules::with_game;
pub use prepare_bot::{BotPreparationError, PrepareBot};
pub use script::interpreter_of;

/// A parsed hill file. What depends on the game's type is checked by [`HillFile::draft`].
#[derive(Clone)]
pub struct HillFile {
    path: PathBuf,
    text: String,
    raw: RawHill,
    game: GameName,
    bots: Vec<BotEntry>,
}

impl HillFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read or is no hill file: unknown keys, wrong types, unknown games, unprintable names, or bots that
    /// have no kind or two kinds.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        refuse_standard_input(path)?;
        let text = read_text(path)?;
        let raw: RawHill = parse(path, &text)?;
        let at = |span: Range<usize>, message: String| {
            FileError::at_line(path, line_of(text.as_bytes(), span.start), message)
        };
        let Some(game) = &raw.game else {
            let games = GameName::ALL.map(|game| format!("game = {:?}", game.name()));
            return Err(FileError::new(path, format!("{} is missing", games.join(" or "))));
        };
        let game =
            game.get_ref().parse().map_err(|error: dicehill_rules::ParseGameNameError| {
                let similar = did_you_mean(&error.0, GameName::ALL.map(GameName::name));
                at(game.span(), format!("{error}{similar}"))
            })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let bots = raw.bots.iter().map(|bot| {
            if let Some(game) = &bot.get_ref().game {
                let message = "game: all bots of a hill play its game; only a bot.toml names one";
                return Err(at(game.span(), message.to_owned()));
            }
            if let Some(environment) = &bot.get_ref().environment {
                let message =
                    "environment: a bot.toml asks for one; here read = [...] names the files";
                return Err(at(environment.span(), message.to_owned()));
            }
            match bot_in_folder(bot.get_ref(), folder, game, &at)? {
                Some(entry) => Ok(entry),
                None => bot_entry(bot.get_ref(), bot.span(), folder, &at),
            }
        });
        let bots = bots.collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), text, raw, game, bots })
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> GameName {
        self.game
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file names its hill.
    #[must_use]
    pub const fn has_name(&self) -> bool {
        self.raw.name.is_some()
    }

    /// The names of its bots, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &BotName> {
        self.bots.iter().map(|bot| &bot.name)
    }

    /// The seed, if the file names one.
    #[must_use]
    pub fn seed(&self) -> Option<&str> {
        self.raw.seed.as_ref().map(|seed| seed.get_ref().as_str())
    }

    /// Whether external bots play with the seed as it stands, without a secret.
    #[must_use]
    pub const fn has_open_seed(&self) -> bool {
        self.raw.open_seed
    }

    /// The draft of the hill, with `seed` in place of the file's own and its bots prepared by `ready`.
    ///
    /// # Errors
    /// If a value is unknown or out of range, or a bot cannot be prepared.
    ///
    /// # Panics
    /// If `G` is not the game of the file.
    pub fn draft<G: Game>(
        &self,
        seed: &str,
        ready: &PrepareBot<'_, G>,
    ) -> Result<HillDraft<G>, FileError> {
        assert_eq!(G::NAME, self.game.name(), "the game of the hill file");
        let RawHill { name, format, seats, challenger, games, .. } = &self.raw;
        let terms = self.terms::<G>()?;
        let entrants = (0..self.bots.len()).map(|index| self.entrant_at(index, terms, ready));
        Ok(HillDraft {
            name: match name {
                Some(name) => self.checked_text("name", name)?,
                None => printable(&self.path.file_stem().unwrap_or_default().to_string_lossy()),
            },
            rules: terms.rules,
            format: self
                .choice("format", format.as_ref(), &FormatName::ALL, |f| f.name().into())?,
            seats: seats.as_ref().map(|seats| *seats.get_ref()),
            challenger: challenger.as_ref().map(|name| name.get_ref().clone()),
            games: games.as_ref().map_or(HillDraft::<G>::DEFAULT_GAMES, |games| *games.get_ref()),
            memory: terms.memory,
            limits: terms.limits,
            ..HillDraft::challenge(entrants.collect::<Result<_, _>>()?, seed)
        })
    }

    /// The settings in the file, as the store of a hill records them.
    ///
    /// # Errors
    /// If a value is unknown or out of range.
    pub fn settings(&self) -> Result<HillSettings, FileError> {
        with_game!(self.game, G => self.settings_of::<G>())
    }

    fn settings_of<G: Game>(&self) -> Result<HillSettings, FileError> {
        let without_bots = Self { bots: Vec::new(), ..self.clone() };
        let unused = |_: &BotName, _: &BotKind, _: BotTerms<G::Rules>| {
            Err(BotPreparationError::bot_error(String::new()))
        };
        let draft = without_bots.draft::<G>("", &unused)?;
        let mut settings = HillSettings::from_draft(&draft, self.seed());
        settings.open_seed = self.has_open_seed();
        settings.entries =
            entry_terms(&self.raw.entries, &self.raw.environment, &|span, message| {
                self.error_at(Some(span), message)
            })?;
        Ok(settings)
    }

    /// The error of the draft, at its place in the file.
    #[must_use]
    pub fn locate(&self, error: &HillError) -> FileError {
        let similar = if let HillError::UnknownChallenger(name) = error {
            did_you_mean(name, self.raw.bots.iter().map(|bot| bot.get_ref().name.get_ref()))
        } else {
            String::new()
        };
        self.error_at(self.span_of(error.place()), format!("{error}{similar}"))
    }

    fn terms<G: Game>(&self) -> Result<BotTerms<G::Rules>, FileError> {
        let RawHill { rules, memory, .. } = &self.raw;
        Ok(BotTerms {
            rules: self.choice("rules", rules.as_ref(), G::RULES, ToString::to_string)?,
            memory: self.choice("memory", memory.as_ref(), &Memory::ALL, |m| m.name().into())?,
            limits: self.limits()?,
        })
    }

    /// The bot with this name, prepared by `ready`.
    ///
    /// # Errors
    /// If the file has no such bot, or it cannot be prepared.
    pub fn entrant<G: Game>(
        &self,
        name: &str,
        ready: &PrepareBot<'_, G>,
    ) -> Result<Entrant<G>, FileError> {
        match self.bots.iter().position(|bot| bot.name.as_str() == name) {
            Some(index) => self.entrant_at(index, self.terms::<G>()?, ready),
            None => {
                let similar = did_you_mean(name, self.names().map(BotName::as_str));
                Err(FileError::new(&self.path, format!("has no bot {name:?}{similar}")))
            }
        }
    }

    fn entrant_at<G: Game>(
        &self,
        index: usize,
        terms: BotTerms<G::Rules>,
        ready: &PrepareBot<'_, G>,
    ) -> Result<Entrant<G>, FileError> {
        let BotEntry { name, kind, author, url, votes } = self.bots[index].clone();
        let own_terms = kind.own_terms();
        let program = ready(&name, &kind, terms).map_err(|error| self.not_ready(index, error))?;
        Ok(Entrant { name, program, author, url, votes, own_terms })
    }

    /// The error of a bot that cannot be prepared, at the key that is at fault.
    fn not_ready(&self, index: usize, error: BotPreparationError) -> FileError {
        let BotPreparationError { why, is_arena_error, key } = error;
        let raw = self.raw.bots[index].get_ref();
        let paths = [
            ("dir", raw.dir.as_ref().map(Spanned::span)),
            ("read", raw.read.as_ref().map(Spanned::span)),
        ];
        let paths = paths.into_iter().filter_map(|(key, span)| Some((key, span?)));
        let named = given_keys(raw).chain(paths).find(|(given, _)| Some(*given) == key);
        let (key, span) = match named {
            Some((key, span)) => (key, Some(span)),
            None => kind_key_of(raw),
        };
        let error = self.error_at(span, format!("{key} = {why}"));
        if is_arena_error { error.into_arena_error() } else { error }
    }

    fn limits(&self) -> Result<Limits, FileError> {
        limits(&self.raw.limits, &|span, message| self.error_at(Some(span), message))
    }

    /// The choice that `value` names; without a value, the default.
    fn choice<T: Copy + Default>(
        &self,
        key: &str,
        value: Option<&Spanned<String>>,
        choices: &[T],
        name: impl Fn(&T) -> String,
    ) -> Result<T, FileError> {
        let Some(value) = value else { return Ok(T::default()) };
        let text = value.get_ref();
        choices.iter().copied().find(|choice| name(choice) == *text).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(&name).collect();
            let (known, similar) = (names.join(" or "), did_you_mean(text, &names));
            let message = format!("{key} = {text:?}: must be {known}{similar}");
            self.error_at(Some(value.span()), message)
        })
    }

    fn checked_text(&self, key: &str, value: &Spanned<String>) -> Result<String, FileError> {
        check_text(key, value, &|span, message| self.error_at(Some(span), message))
    }

    fn span_of(&self, place: DraftLocation) -> Option<Range<usize>> {
        let raw = &self.raw;
        match place {
            // The number of bots does not fit the table, whose size the file may set.
            DraftLocation::Hill => raw.seats.as_ref().map(Spanned::span),
            DraftLocation::Key("games") => raw.games.as_ref().map(Spanned::span),
            DraftLocation::Key("seats") => raw.seats.as_ref().map(Spanned::span),
            DraftLocation::Key("challenger") => raw.challenger.as_ref().map(Spanned::span),
            DraftLocation::Key("memory") => raw.memory.as_ref().map(Spanned::span),
            DraftLocation::Key(_) => None,
            DraftLocation::Bot(index, key) => {
                let bot = raw.bots[index].get_ref();
                let votes = bot.votes.as_ref().map(Spanned::span);
                votes.filter(|_| key == "votes").or_else(|| Some(bot.name.span()))
            }
        }
    }

    fn error_at(&self, span: Option<Range<usize>>, message: impl std::fmt::Display) -> FileError {
        match span {
            Some(span) => {
                FileError::at_line(&self.path, line_of(self.text.as_bytes(), span.start), message)
            }
            None => FileError::new(&self.path, message),
        }
    }
}

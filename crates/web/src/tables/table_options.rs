//! The options of a new table.

use std::ops::RangeInclusive;
use std::time::Duration;

use dicehill_arena::{BotName, is_printable};
use dicehill_bots::HouseBot;
use dicehill_rules::Game;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Refusal, TableGame};

/// The longest seed, in characters.
pub(crate) const MAX_SEED_LENGTH: usize = 100;

/// The time limits that a move may have, in seconds.
const MOVE_SECONDS: RangeInclusive<u32> = 10..=3600;

/// The requested options of a new table.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OrderDraft)]
pub(crate) struct TableDraft {
    /// The game, `yahtzee` or `liars-dice`.
    #[schema(example = "liars-dice")]
    pub(crate) game: String,
    /// The variant of the rules; the official one by default.
    pub(crate) rules: Option<String>,
    /// The client's name at the table.
    pub(crate) name: Option<String>,
    /// House bots at the table; one may be named several times.
    #[serde(default)]
    #[schema(example = json!(["bayes", "pirate"]))]
    pub(crate) opponents: Vec<String>,
    /// Seats for people, including the client's; 1 by default.
    pub(crate) people: Option<usize>,
    /// The seed that all dice follow from; random by default. All players see whether one was given.
    pub(crate) seed: Option<String>,
    /// The time limit of a move in seconds, 10 to 3,600; without one there is no limit. When it is over, a house bot plays for
    /// the person until they return. Where other people wait, that also happens when a page was closed for two minutes.
    #[schema(example = 60)]
    pub(crate) move_seconds: Option<u32>,
    /// Whether everyone sees all cards and dice, in Yahtzee between people only.
    #[serde(default)]
    pub(crate) open: bool,
}

/// The checked options of a table.
pub(crate) struct TableOptions<G: Game> {
    pub(super) rules: G::Rules,
    /// The bots with their names at the table.
    pub(super) bots: Vec<(String, HouseBot<G>)>,
    pub(super) people: usize,
    pub(super) seed: Seed,
    pub(super) move_time: Option<Duration>,
    pub(super) is_open: bool,
}

/// A seed and its origin.
pub(crate) struct Seed {
    pub(super) text: String,
    /// Whether a person gave it, who may know all dice.
    pub(super) given: bool,
}

impl<G: TableGame> TableOptions<G> {
    /// Checks a draft.
    ///
    /// # Errors
    /// If no such table can be opened.
    pub(crate) fn new(draft: &TableDraft) -> Result<Self, Refusal> {
        let people = draft.people.unwrap_or(1);
        if people == 0 {
            return Err(Refusal::NoPeople);
        }
        let wanted = people.saturating_add(draft.opponents.len());
        let (least, most) = (*G::SEATS.start(), G::MAX_SEATS);
        if !(least..=most).contains(&wanted) {
            return Err(Refusal::Players { wanted, game: G::TITLE, least, most });
        }
        if draft.open && (!G::CAN_BE_OPEN || !draft.opponents.is_empty()) {
            return Err(Refusal::NotOpen);
        }
        Ok(Self {
            rules: rules::<G>(draft.rules.as_deref())?,
            bots: bots(&draft.opponents)?,
            people,
            seed: Seed::new(draft.seed.as_deref())?,
            move_time: draft.move_seconds.map(move_time).transpose()?,
            is_open: draft.open,
        })
    }

    /// A draft of another table with the same options and another seed.
    pub(super) fn draft_again(&self) -> TableDraft {
        TableDraft {
            game: G::NAME.to_owned(),
            rules: Some(self.rules.to_string()),
            name: None,
            opponents: self.bots.iter().map(|(_, house)| house.name().to_owned()).collect(),
            people: Some(self.people),
            seed: None,
            move_seconds: self.move_seconds(),
            open: self.is_open,
        }
    }

    /// The time limit of a move in seconds.
    pub(super) fn move_seconds(&self) -> Option<u32> {
        self.move_time.map(whole_seconds)
    }
}

/// The whole seconds of a time limit, which has at most an hour.
pub(super) fn whole_seconds(time: Duration) -> u32 {
    u32::try_from(time.as_secs()).unwrap_or(u32::MAX)
}

fn move_time(seconds: u32) -> Result<Duration, Refusal> {
    if !MOVE_SECONDS.contains(&seconds) {
        return Err(Refusal::MoveTime {
            seconds,
            least: *MOVE_SECONDS.start(),
            most: *MOVE_SECONDS.end(),
        });
    }
    Ok(Duration::from_secs(seconds.into()))
}

fn rules<G: TableGame>(name: Option<&str>) -> Result<G::Rules, Refusal> {
    let Some(name) = name else { return Ok(G::Rules::default()) };
    G::rules_named(name).ok_or_else(|| {
        let all: Vec<_> = G::RULES.iter().map(ToString::to_string).collect();
        Refusal::Rules { named: name.to_owned(), game: G::TITLE, all: all.join(" and ") }
    })
}

/// The bots by name; the second of one name is called `bayes 2`.
fn bots<G: TableGame>(names: &[String]) -> Result<Vec<(String, HouseBot<G>)>, Refusal> {
    let mut bots = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let before = names[..index].iter().filter(|other| *other == name).count();
        let shown = if before == 0 { name.clone() } else { format!("{name} {}", before + 1) };
        bots.push((shown, bot(name)?));
    }
    Ok(bots)
}

/// The house bot of this name.
pub(super) fn bot<G: TableGame>(name: &str) -> Result<HouseBot<G>, Refusal> {
    let found = G::house_bots().into_iter().find(|bot| bot.name() == name);
    found.ok_or_else(|| {
        let bots = G::house_bots();
        let all: Vec<_> = bots.iter().map(HouseBot::name).collect();
        Refusal::Bot { named: name.to_owned(), game: G::TITLE, all: all.join(", ") }
    })
}

impl Seed {
    fn new(given: Option<&str>) -> Result<Self, Refusal> {
        let Some(text) = given else { return Self::draw() };
        let length = text.chars().count();
        if !(1..=MAX_SEED_LENGTH).contains(&length) || !text.chars().all(is_printable) {
            return Err(Refusal::Seed(MAX_SEED_LENGTH));
        }
        Ok(Self { text: text.to_owned(), given: true })
    }

    /// Draws 128 bits from the operating system, as 32 hexadecimal digits.
    fn draw() -> Result<Self, Refusal> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self { text: format!("{:032x}", u128::from_be_bytes(bytes)), given: false })
    }
}

/// The name of a person; if none was entered, the first of `Player 1`, `Player 2` and so forth that is not taken.
pub(super) fn name_of_person(
    wanted: Option<&str>,
    is_taken: impl Fn(&BotName) -> bool,
) -> Result<BotName, Refusal> {
    if let Some(name) = wanted.map(str::trim).filter(|name| !name.is_empty()) {
        let name = BotName::new(name)?;
        return if is_taken(&name) { Err(Refusal::NameTaken(name.to_string())) } else { Ok(name) };
    }
    let mut number = 1;
    loop {
        let name = BotName::new(&format!("Player {number}"))?;
        if !is_taken(&name) {
            return Ok(name);
        }
        number += 1;
    }
}

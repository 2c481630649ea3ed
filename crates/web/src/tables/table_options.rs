//! The options of a new table.

use dicehill_arena::{BotName, is_printable};
use dicehill_bots::HouseBot;
use dicehill_rules::Game;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Refusal, TableGame};

/// The longest seed, in characters.
pub(crate) const MAX_SEED_LENGTH: usize = 100;

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
}

/// The checked options of a table.
pub(crate) struct TableOptions<G: Game> {
    pub(super) rules: G::Rules,
    /// The bots with their names at the table.
    pub(super) bots: Vec<(String, HouseBot<G>)>,
    pub(super) people: usize,
    pub(super) seed: Seed,
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
        Ok(Self {
            rules: rules::<G>(draft.rules.as_deref())?,
            bots: bots(&draft.opponents)?,
            people,
            seed: Seed::new(draft.seed.as_deref())?,
        })
    }
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

fn bot<G: TableGame>(name: &str) -> Result<HouseBot<G>, Refusal> {
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

/// The name of a person, `Player {number}` if none was entered; `number` counts people from 1.
pub(super) fn name_of_person(wanted: Option<&str>, number: usize) -> Result<BotName, Refusal> {
    match wanted.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => Ok(BotName::new(name)?),
        None => Ok(BotName::new(&format!("Player {number}"))?),
    }
}

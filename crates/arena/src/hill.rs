//! A hill: who plays which game, by which rules, in which format.

use std::sync::Arc;

use dicehill_rules::{Game, Secret};
use serde::{Deserialize, Serialize};

use crate::hill_error::{Count, MOST_GAMES, MOST_PAIRINGS, MOST_VOTES};
use crate::{Appraiser, BotName, Confidence, HillError, Program, StartValue};

/// Points on the board for each vote.
const POINTS_A_VOTE: u64 = 10;

/// An entrant's place in the hill, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntrantId(u16);

impl EntrantId {
    /// The entrant's index among [`Hill::entrants`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A hill as somebody wrote it down, still unchecked.
pub struct HillDraft<G: Game> {
    /// The hill's name.
    pub name: String,
    /// The variant of the rules.
    pub rules: G::Rules,
    /// The format.
    pub format: FormatName,
    /// How many sit at a table; only a duel may say so.
    pub seats: Option<i64>,
    /// Who is measured; only a gauntlet may say so.
    pub challenger: Option<String>,
    /// Of a gauntlet that places its challenger: how strong each entrant is known to be, in the order of the
    /// entrants, on the scale of [`crate::Placement`]. The challenger's own counts for nothing.
    pub strengths: Option<Vec<f64>>,
    /// Games, or games for each pair.
    pub games: i64,
    /// The master seed.
    pub seed: String,
    /// How long a bot lives.
    pub memory: Memory,
    /// How sure the run has to be of its champion to end before all games are played; `None` plays
    /// them all.
    pub until: Option<Confidence>,
    /// What a bot may use.
    pub limits: Limits,
    /// The entrants.
    pub entrants: Vec<Entrant<G>>,
}

impl<G: Game> HillDraft<G> {
    /// Games of a hill that does not say how many.
    pub const USUAL_GAMES: i64 = 1000;

    /// The game's own challenge between `entrants`, with everything as it usually is.
    #[must_use]
    pub fn challenge(entrants: Vec<Entrant<G>>, seed: &str) -> Self {
        Self {
            name: G::NAME.to_owned(),
            rules: G::Rules::default(),
            format: FormatName::default(),
            seats: None,
            challenger: None,
            strengths: None,
            games: Self::USUAL_GAMES,
            seed: seed.to_owned(),
            memory: Memory::default(),
            until: None,
            limits: Limits::default(),
            entrants,
        }
    }
}

/// Somebody who takes part.
#[derive(Clone)]
pub struct Entrant<G: Game> {
    /// The name on the board; unique in a hill.
    pub name: BotName,
    /// What it plays with.
    pub program: Arc<dyn Program<G>>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Where to read about it.
    pub url: Option<String>,
    /// Votes, where the board counts them.
    pub votes: Option<i64>,
}

impl<G: Game> Entrant<G> {
    /// Somebody of whom nothing is known but the name and the program.
    #[must_use]
    pub const fn new(name: BotName, program: Arc<dyn Program<G>>) -> Self {
        Self { name, program, author: None, url: None, votes: None }
    }
}

/// How long a bot lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Memory {
    /// No game knows of another.
    #[default]
    Game,
    /// A bot lives through the run; games come in order, one at a time.
    Set,
}

impl Memory {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Game, Self::Set];

    /// The name in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Set => "set",
        }
    }
}

/// What a bot may use. It binds bots that are processes of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Milliseconds until the first answer.
    pub start_ms: u64,
    /// Milliseconds for each later answer.
    pub move_ms: u64,
    /// Mebibytes of memory.
    pub memory_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { start_ms: 10_000, move_ms: 1000, memory_mb: 512 }
    }
}

/// The name of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormatName {
    /// The game's own.
    #[default]
    Challenge,
    /// Every pair, in blocks.
    Duel,
    /// One against each other, in blocks.
    Gauntlet,
}

impl FormatName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Challenge, Self::Duel, Self::Gauntlet];

    /// The name in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Challenge => "challenge",
            Self::Duel => "duel",
            Self::Gauntlet => "gauntlet",
        }
    }
}

/// How the games of a hill are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The game's own.
    Challenge,
    /// Every `seats` of the entrants, in blocks.
    Duel {
        /// How many sit at a table.
        seats: usize,
    },
    /// One entrant against each other, in blocks of two.
    Gauntlet {
        /// Who is measured; the last entrant unless somebody is named.
        challenger: Option<EntrantId>,
    },
}

impl Format {
    /// The name in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Challenge => FormatName::Challenge.name(),
            Self::Duel { .. } => FormatName::Duel.name(),
            Self::Gauntlet { .. } => FormatName::Gauntlet.name(),
        }
    }

    /// Games in a block: the entrants of a table sit once at each of its seats.
    #[must_use]
    pub const fn games_per_block(self) -> u64 {
        match self {
            Self::Challenge => 1,
            Self::Duel { seats } => seats as u64,
            Self::Gauntlet { .. } => 2,
        }
    }
}

/// A hill that can be played.
pub struct Hill<G: Game> {
    name: String,
    rules: G::Rules,
    format: Format,
    strengths: Option<Vec<f64>>,
    games: u64,
    seed: String,
    memory: Memory,
    until: Option<Confidence>,
    limits: Limits,
    entrants: Vec<Entrant<G>>,
    commitment: Option<Commitment>,
    /// What optimal play gets, if games are appraised.
    pub(crate) start_value: Option<StartValue>,
    /// Who appraises games that are played.
    pub(crate) appraiser: Option<Arc<dyn Appraiser<G>>>,
}

/// The secret that a committed run was promised to use, and what came to it from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// The secret, which the run's result reveals.
    pub secret: Secret,
    /// A text that nobody could know when the commitment was published.
    pub public_text: Option<String>,
}

impl<G: Game> Hill<G> {
    /// Checks a draft.
    ///
    /// # Errors
    /// Names the first thing that cannot be played as it stands.
    pub fn new(draft: HillDraft<G>) -> Result<Self, HillError> {
        check_names(&draft.entrants)?;
        check_votes(&draft.entrants)?;
        let format = check_format(&draft)?;
        check_table(&draft, format)?;
        check_strengths(&draft)?;
        let games = check_games(&draft, format)?;
        check_until(&draft)?;
        let HillDraft { name, rules, strengths, seed, memory, until, limits, entrants, .. } = draft;
        Ok(Self {
            name,
            rules,
            format,
            strengths,
            games,
            seed,
            memory,
            until,
            limits,
            entrants,
            commitment: None,
            start_value: None,
            appraiser: None,
        })
    }

    /// The same with the seed that follows from a commitment and its entrants as they stand.
    #[must_use]
    pub fn committed(self, commitment: Commitment) -> Self {
        let hashes: Vec<_> =
            self.entrants.iter().map(|entrant| entrant.program.identity()).collect();
        let public_text = commitment.public_text.as_deref().unwrap_or_default();
        let seed = commitment.secret.seed(hashes.iter().map(String::as_str), public_text);
        Self { seed, commitment: Some(commitment), ..self }
    }

    /// To what it is committed.
    #[must_use]
    pub const fn commitment(&self) -> Option<&Commitment> {
        self.commitment.as_ref()
    }

    /// The hill's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variant of the rules.
    #[must_use]
    pub const fn rules(&self) -> G::Rules {
        self.rules
    }

    /// How the games are held.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Games, or games for each pairing, in whole blocks; at least 1.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How strong each entrant is known to be, in a gauntlet that places its challenger: it ends when the
    /// challenger's rank among the others is known.
    #[must_use]
    pub fn strengths(&self) -> Option<&[f64]> {
        self.strengths.as_deref()
    }

    /// The master seed.
    #[must_use]
    pub fn seed(&self) -> &str {
        &self.seed
    }

    /// How long a bot lives.
    #[must_use]
    pub const fn memory(&self) -> Memory {
        self.memory
    }

    /// How sure the run has to be to end before all games are played.
    #[must_use]
    pub const fn until(&self) -> Option<Confidence> {
        self.until
    }

    /// What a bot may use.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// What the board adds to an entrant's points: ten for each vote, if votes count and are not
    /// negative.
    #[must_use]
    pub(crate) fn head_start(&self, id: EntrantId) -> u64 {
        POINTS_A_VOTE * self.entrant(id).votes.unwrap_or(0).max(0) as u64
    }

    /// The entrants in the order of the hill file.
    #[must_use]
    pub fn entrants(&self) -> &[Entrant<G>] {
        &self.entrants
    }

    /// The entrants' ids, ascending.
    pub fn ids(&self) -> impl Iterator<Item = EntrantId> + use<G> {
        (0..self.entrants.len() as u16).map(EntrantId)
    }

    /// The entrant with this id.
    #[must_use]
    pub fn entrant(&self, id: EntrantId) -> &Entrant<G> {
        &self.entrants[id.index()]
    }

    /// Who runs the gauntlet between the entrants `active`, ascending: who is named, or the last.
    /// `None` in another format, and of nobody.
    #[must_use]
    pub fn challenger(&self, active: &[EntrantId]) -> Option<EntrantId> {
        match self.format {
            Format::Challenge | Format::Duel { .. } => None,
            Format::Gauntlet { challenger } => challenger.or(active.last().copied()),
        }
    }

    /// The name of the entrant with this id.
    #[must_use]
    pub fn name_of(&self, id: EntrantId) -> &str {
        self.entrant(id).name.as_str()
    }
}

fn check_names<G: Game>(entrants: &[Entrant<G>]) -> Result<(), HillError> {
    for (index, entrant) in entrants.iter().enumerate() {
        if entrants[..index].iter().any(|earlier| earlier.name == entrant.name) {
            return Err(HillError::Repeated { name: entrant.name.to_string(), index });
        }
    }
    Ok(())
}

fn check_votes<G: Game>(entrants: &[Entrant<G>]) -> Result<(), HillError> {
    for (index, entrant) in entrants.iter().enumerate() {
        match entrant.votes {
            Some(votes) if !G::CHALLENGE.votes_count => {
                return Err(HillError::Votes { votes, index, game: G::NAME });
            }
            Some(votes) if !(-MOST_VOTES..=MOST_VOTES).contains(&votes) => {
                return Err(HillError::TooManyVotes { votes, index });
            }
            Some(_) | None => {}
        }
    }
    Ok(())
}

fn check_format<G: Game>(draft: &HillDraft<G>) -> Result<Format, HillError> {
    let name = draft.format;
    if let (Some(seats), FormatName::Challenge | FormatName::Gauntlet) = (draft.seats, name) {
        return Err(HillError::SeatsOutsideDuel(seats));
    }
    if let (Some(who), FormatName::Challenge | FormatName::Duel) = (&draft.challenger, name) {
        return Err(HillError::ChallengerOutsideGauntlet(who.clone()));
    }
    if draft.memory == Memory::Set && name != FormatName::Challenge {
        return Err(HillError::MemoryInBlocks(name.name()));
    }
    match name {
        FormatName::Challenge => Ok(Format::Challenge),
        FormatName::Duel => Ok(Format::Duel { seats: duel_seats::<G>(draft.seats)? }),
        FormatName::Gauntlet => Ok(Format::Gauntlet { challenger: challenger(draft)? }),
    }
}

fn duel_seats<G: Game>(seats: Option<i64>) -> Result<usize, HillError> {
    let value = seats.unwrap_or(2);
    let (least, most) = (2, *G::SEATS.end());
    usize::try_from(value)
        .ok()
        .filter(|seats| (least..=most).contains(seats))
        .ok_or(HillError::Seats { value, game: G::NAME, least, most })
}

fn challenger<G: Game>(draft: &HillDraft<G>) -> Result<Option<EntrantId>, HillError> {
    let Some(name) = &draft.challenger else { return Ok(None) };
    let index = draft.entrants.iter().position(|entrant| entrant.name.as_str() == name);
    let index = index.ok_or_else(|| HillError::UnknownChallenger(name.clone()))?;
    Ok(Some(EntrantId(index as u16)))
}

fn check_table<G: Game>(draft: &HillDraft<G>, format: Format) -> Result<(), HillError> {
    let bots = draft.entrants.len();
    let needed = match format {
        Format::Challenge | Format::Gauntlet { .. } => 2,
        Format::Duel { seats } => seats,
    };
    if bots < needed {
        return Err(HillError::TooFew(Count(bots), needed));
    }
    let most = match (format, G::CHALLENGE.seating) {
        (Format::Challenge, dicehill_rules::Seating::Everyone) => *G::SEATS.end(),
        _ => usize::from(u16::MAX),
    };
    if bots > most { Err(HillError::TooMany(bots, most, G::NAME)) } else { Ok(()) }
}

fn check_games<G: Game>(draft: &HillDraft<G>, format: Format) -> Result<u64, HillError> {
    let games = u64::try_from(draft.games)
        .ok()
        .filter(|games| (1..=MOST_GAMES).contains(games))
        .ok_or(HillError::Games(draft.games))?;
    let games = games.next_multiple_of(format.games_per_block());
    let bots = draft.entrants.len() as u128;
    let pairings = match format {
        Format::Challenge => 1,
        Format::Duel { seats } => choose(bots, seats as u128),
        Format::Gauntlet { .. } => bots - 1,
    };
    if pairings > MOST_PAIRINGS {
        return Err(HillError::Pairings(pairings));
    }
    if pairings.saturating_mul(u128::from(games)) > u128::from(MOST_GAMES) {
        return Err(HillError::GamesInAll { games: draft.games, pairings });
    }
    Ok(games)
}

/// Whether a challenger can be placed, if it is to be.
fn check_strengths<G: Game>(draft: &HillDraft<G>) -> Result<(), HillError> {
    let Some(strengths) = &draft.strengths else { return Ok(()) };
    let fits = draft.format == FormatName::Gauntlet
        && draft.until.is_none()
        && strengths.len() == draft.entrants.len()
        && strengths.iter().all(|strength| strength.is_finite());
    if fits { Ok(()) } else { Err(HillError::Strengths(strengths.len(), draft.entrants.len())) }
}

/// Whether the run may end early, if it is to.
fn check_until<G: Game>(draft: &HillDraft<G>) -> Result<(), HillError> {
    let pairs = choose(draft.entrants.len() as u128, 2);
    match (draft.until, draft.memory) {
        (None, _) => Ok(()),
        (Some(_), Memory::Set) => Err(HillError::UntilInSet),
        (Some(_), Memory::Game) if pairs > MOST_PAIRINGS => Err(HillError::UntilAmongMany(pairs)),
        (Some(_), Memory::Game) => Ok(()),
    }
}

/// The number of ways to take `k` of `n`, or a number far beyond every bound.
fn choose(n: u128, k: u128) -> u128 {
    let k = k.min(n - k);
    (0..k).try_fold(1u128, |ways, i| Some(ways.checked_mul(n - i)? / (i + 1))).unwrap_or(u128::MAX)
}

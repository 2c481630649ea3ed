//! A hill as its host wrote it, still unchecked.

use std::collections::HashSet;

use dicehill_rules::Game;

use crate::terms::hill_error::{MAX_GAMES, MAX_PAIRINGS, MAX_VOTES};
use crate::{
    Confidence, EloMargin, Entrant, EntrantCount, EntrantId, Format, FormatName, GamesFault,
    HillError, Limits, Memory, Seating, TournamentGame,
};

/// A hill as its host wrote it, still unchecked.
pub struct HillDraft<G: Game> {
    /// The hill's name.
    pub name: String,
    /// The variant of the rules.
    pub rules: G::Rules,
    /// The format.
    pub format: FormatName,
    /// Seats at a table; only a duel may set it.
    pub seats: Option<i64>,
    /// The entrant under test, by name; only a gauntlet may set it.
    pub challenger: Option<String>,
    /// In a gauntlet that places its challenger: the known strength of each entrant, in the order of the entrants, on
    /// the scale of [`crate::Placement`]. The challenger's own is ignored.
    pub strengths: Option<Vec<f64>>,
    /// Games, or games for each pair.
    pub games: i64,
    /// The master seed.
    pub seed: String,
    /// How long a bot keeps its memory.
    pub memory: Memory,
    /// The confidence in the champion at which the run ends before all games are played; `None` plays them all.
    pub until: Option<Confidence>,
    /// In a duel of two that ends early: the question is whether the first entrant is not worse than the second by more
    /// than this margin, instead of which one is better.
    pub margin: Option<EloMargin>,
    /// What an external bot may use.
    pub limits: Limits,
    /// The entrants.
    pub entrants: Vec<Entrant<G>>,
}

impl<G: Game> HillDraft<G> {
    /// The default number of games.
    pub const DEFAULT_GAMES: i64 = 1000;

    /// The game's own challenge between `entrants`, with defaults for everything else.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use dicehill_arena::{BotName, Confidence, Entrant, FormatName, Hill, HillDraft, InertBot};
    /// use dicehill_rules::yahtzee::Yahtzee;
    ///
    /// let entrant = |name| {
    ///     Entrant::new(BotName::new(name).unwrap(), Arc::new(InertBot("house:inert@1".to_owned())))
    /// };
    /// let entrants = vec![entrant("ada"), entrant("bob"), entrant("cyd")];
    /// let draft = HillDraft::<Yahtzee>::challenge(entrants, "a seed");
    ///
    /// // All fields are public: here a duel of every pair that stops once the leader is best with 99 %.
    /// let until = Some(Confidence::new(0.99).unwrap());
    /// let hill = Hill::new(HillDraft { format: FormatName::Duel, games: 501, until, ..draft }).unwrap();
    /// assert_eq!(hill.games(), 502, "per pair, rounded up to whole blocks of two");
    /// ```
    #[must_use]
    pub fn challenge(entrants: Vec<Entrant<G>>, seed: &str) -> Self {
        Self {
            name: G::NAME.to_owned(),
            rules: G::Rules::default(),
            format: FormatName::default(),
            seats: None,
            challenger: None,
            strengths: None,
            games: Self::DEFAULT_GAMES,
            seed: seed.to_owned(),
            memory: Memory::default(),
            until: None,
            margin: None,
            limits: Limits::default(),
            entrants,
        }
    }

    /// Whether external bots play.
    #[must_use]
    pub fn has_external_bots(&self) -> bool {
        self.entrants.iter().any(|entrant| entrant.program.is_outside())
    }
}

pub(super) fn check_names<G: Game>(entrants: &[Entrant<G>]) -> Result<(), HillError> {
    let mut earlier = HashSet::new();
    for (index, entrant) in entrants.iter().enumerate() {
        if !earlier.insert(entrant.name.as_str()) {
            return Err(HillError::Repeated { name: entrant.name.to_string(), index });
        }
    }
    Ok(())
}

pub(super) fn check_votes<G: TournamentGame>(entrants: &[Entrant<G>]) -> Result<(), HillError> {
    for (index, entrant) in entrants.iter().enumerate() {
        match entrant.votes {
            Some(votes) if !G::CHALLENGE.votes_count => {
                return Err(HillError::Votes { votes, index, game: G::NAME });
            }
            Some(votes) if !(-MAX_VOTES..=MAX_VOTES).contains(&votes) => {
                return Err(HillError::TooManyVotes { votes, index });
            }
            Some(_) | None => {}
        }
    }
    Ok(())
}

pub(super) fn check_format<G: Game>(draft: &HillDraft<G>) -> Result<Format, HillError> {
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
    Ok(Some(EntrantId::new(index as u16)))
}

pub(super) fn check_table<G: TournamentGame>(
    draft: &HillDraft<G>,
    format: Format,
) -> Result<(), HillError> {
    let bots = draft.entrants.len();
    let needed = match format {
        Format::Challenge | Format::Gauntlet { .. } => 2,
        Format::Duel { seats } => seats,
    };
    if bots < needed {
        return Err(HillError::TooFew(EntrantCount(bots), needed));
    }
    let most = match (format, G::CHALLENGE.seating) {
        (Format::Challenge, Seating::Everyone) => *G::SEATS.end(),
        _ => usize::from(u16::MAX),
    };
    if bots > most { Err(HillError::TooMany(bots, most, G::NAME)) } else { Ok(()) }
}

pub(super) fn check_games<G: Game>(draft: &HillDraft<G>, format: Format) -> Result<u64, HillError> {
    let refused = |fault| HillError::Games { games: draft.games, fault };
    let games = u64::try_from(draft.games)
        .ok()
        .filter(|games| (1..=MAX_GAMES).contains(games))
        .ok_or(refused(GamesFault::OutOfRange))?;
    let games = games.next_multiple_of(format.games_per_block());
    let bots = draft.entrants.len() as u128;
    let pairings = match format {
        Format::Challenge => 1,
        Format::Duel { seats } => choose(bots, seats as u128),
        Format::Gauntlet { .. } => bots - 1,
    };
    if pairings > MAX_PAIRINGS {
        return Err(HillError::Pairings(pairings));
    }
    if pairings.saturating_mul(u128::from(games)) > u128::from(MAX_GAMES) {
        return Err(refused(GamesFault::InAll(pairings)));
    }
    Ok(games)
}

/// Whether a challenger can be placed, if it is to be.
pub(super) fn check_strengths<G: Game>(draft: &HillDraft<G>) -> Result<(), HillError> {
    let Some(strengths) = &draft.strengths else { return Ok(()) };
    let fits = draft.format == FormatName::Gauntlet
        && draft.until.is_none()
        && strengths.len() == draft.entrants.len()
        && strengths.iter().all(|strength| strength.is_finite());
    if fits { Ok(()) } else { Err(HillError::Strengths(strengths.len(), draft.entrants.len())) }
}

/// Whether the run may end early, if it is to.
pub(super) fn check_until<G: Game>(draft: &HillDraft<G>) -> Result<(), HillError> {
    let pairs = choose(draft.entrants.len() as u128, 2);
    match (draft.until, draft.memory) {
        (None, _) => Ok(()),
        (Some(_), Memory::Set) => Err(HillError::UntilInSet),
        (Some(_), Memory::Game) if pairs > MAX_PAIRINGS => Err(HillError::UntilAmongMany(pairs)),
        (Some(_), Memory::Game) => Ok(()),
    }
}

/// Whether the question of a margin can be asked, if it is to be.
pub(super) fn check_margin<G: Game>(draft: &HillDraft<G>) -> Result<(), HillError> {
    let is_duel = draft.format == FormatName::Duel && draft.entrants.len() == 2;
    match draft.margin {
        Some(_) if !is_duel || draft.until.is_none() => Err(HillError::MarginOutsideDuel),
        Some(_) | None => Ok(()),
    }
}

/// The number of ways to take `k` of `n`, or a number far beyond every bound.
fn choose(n: u128, k: u128) -> u128 {
    let k = k.min(n - k);
    (0..k).try_fold(1u128, |ways, i| Some(ways.checked_mul(n - i)? / (i + 1))).unwrap_or(u128::MAX)
}

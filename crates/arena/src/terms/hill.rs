//! A hill: its entrants, game, rules and format.

use std::sync::Arc;

use dicehill_rules::{Game, Secret};

use crate::terms::draft::{
    check_format, check_games, check_margin, check_names, check_strengths, check_table,
    check_until, check_votes,
};
use crate::{
    Appraiser, Challenge, Confidence, EloMargin, Entrant, EntrantId, Format, Highlighter,
    HillDraft, HillError, IndivisibleRun, Limits, Memory, RequestText, StartValue,
    StatisticsVersion, TournamentGame,
};

/// Points on the board for each vote.
const POINTS_PER_VOTE: u64 = 10;

/// A hill that can be played.
///
/// ```
/// use std::sync::Arc;
///
/// use dicehill_arena::{BotName, Entrant, Hill, HillDraft, HillError, InertBot};
/// use dicehill_rules::yahtzee::Yahtzee;
///
/// let entrant = |name| {
///     Entrant::new(BotName::new(name).unwrap(), Arc::new(InertBot("house:inert@1".to_owned())))
/// };
/// let hill = |names: &[&'static str]| {
///     let entrants = names.iter().copied().map(entrant).collect();
///     Hill::new(HillDraft::<Yahtzee>::challenge(entrants, "a seed"))
/// };
/// assert_eq!(hill(&["ada", "bob"]).unwrap().games(), 1000);
/// assert!(matches!(hill(&["ada"]), Err(HillError::TooFew(..))));
/// assert!(matches!(hill(&["ada", "ada"]), Err(HillError::Repeated { index: 1, .. })));
/// ```
pub struct Hill<G: Game> {
    /// Checked.
    draft: HillDraft<G>,
    challenge: Challenge,
    request_text: RequestText<G>,
    /// The format of the draft with its settings.
    format: Format,
    /// The games of the draft, in whole blocks.
    games: u64,
    commitment: Option<Commitment>,
    /// The expected score of optimal play, if games are appraised.
    pub(crate) start_value: Option<StartValue>,
    /// Appraises the games that are played.
    pub(crate) appraiser: Option<Arc<dyn Appraiser<G>>>,
    /// Finds what is remarkable in the games that are played.
    pub(crate) highlighter: Option<Highlighter<G>>,
    statistics: StatisticsVersion,
}

/// The secret of a committed run, and public text that was added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// The secret, which the run's result reveals.
    pub secret: Secret,
    /// A text that was not known when the commitment was published, such as a draw of the lottery.
    pub public_text: Option<String>,
}

impl<G: TournamentGame> Hill<G> {
    /// Checks a draft.
    ///
    /// # Errors
    /// The first part of the draft that cannot be played.
    pub fn new(draft: HillDraft<G>) -> Result<Self, HillError> {
        check_names(&draft.entrants)?;
        check_votes(&draft.entrants)?;
        let format = check_format(&draft)?;
        check_table(&draft, format)?;
        check_strengths(&draft)?;
        let games = check_games(&draft, format)?;
        check_until(&draft)?;
        check_margin(&draft)?;
        Ok(Self {
            draft,
            challenge: G::CHALLENGE,
            request_text: G::request_text,
            format,
            games,
            commitment: None,
            start_value: None,
            appraiser: None,
            highlighter: None,
            statistics: StatisticsVersion::default(),
        })
    }
}

impl<G: Game> Hill<G> {
    /// The same with the seed that follows from a commitment and its entrants as they stand.
    #[must_use]
    pub fn with_commitment(self, commitment: Commitment) -> Self {
        let hashes: Vec<_> =
            self.entrants().iter().map(|entrant| entrant.program.identity()).collect();
        let public_text = commitment.public_text.as_deref().unwrap_or_default();
        let seed = commitment.secret.seed(hashes.iter().map(String::as_str), public_text);
        Self { draft: HillDraft { seed, ..self.draft }, commitment: Some(commitment), ..self }
    }

    /// The same with this version of statistics in its result document: that of a recorded document that is recomputed.
    #[must_use]
    pub fn with_statistics(self, statistics: StatisticsVersion) -> Self {
        Self { statistics, ..self }
    }

    /// The version of the statistics in its result document.
    #[must_use]
    pub const fn statistics(&self) -> StatisticsVersion {
        self.statistics
    }

    /// The draft that was checked, with the seed of the run.
    #[must_use]
    pub const fn draft(&self) -> &HillDraft<G> {
        &self.draft
    }

    /// The commitment, if the run has one.
    #[must_use]
    pub const fn commitment(&self) -> Option<&Commitment> {
        self.commitment.as_ref()
    }

    /// Writes the request for an action as reports show it.
    #[must_use]
    pub const fn request_text(&self) -> RequestText<G> {
        self.request_text
    }

    /// The hill's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// The variant of the rules.
    #[must_use]
    pub const fn rules(&self) -> G::Rules {
        self.draft.rules
    }

    /// How the game's own challenge is held.
    #[must_use]
    pub const fn challenge(&self) -> Challenge {
        self.challenge
    }

    /// The format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Games, or games for each pairing, in whole blocks; at least 1.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The known strength of each entrant, in a gauntlet that places its challenger: it ends when the challenger's rank
    /// is known.
    #[must_use]
    pub fn strengths(&self) -> Option<&[f64]> {
        self.draft.strengths.as_deref()
    }

    /// The master seed.
    #[must_use]
    pub fn seed(&self) -> &str {
        &self.draft.seed
    }

    /// How long a bot keeps its memory.
    #[must_use]
    pub const fn memory(&self) -> Memory {
        self.draft.memory
    }

    /// The confidence at which the run ends before all games are played.
    #[must_use]
    pub const fn until(&self) -> Option<Confidence> {
        self.draft.until
    }

    /// The margin of the question whether the first of two entrants is not worse than the second.
    #[must_use]
    pub const fn margin(&self) -> Option<EloMargin> {
        self.draft.margin
    }

    /// Checks that the games of the run can be played apart from each other, so that several machines can share them.
    ///
    /// # Errors
    /// If a game depends on others.
    pub const fn check_divisible(&self) -> Result<(), IndivisibleRun> {
        match self.draft.memory {
            Memory::Set => Err(IndivisibleRun::Memory),
            Memory::Game if self.draft.until.is_some() => Err(IndivisibleRun::Until),
            Memory::Game if self.draft.strengths.is_some() => Err(IndivisibleRun::Placement),
            Memory::Game => Ok(()),
        }
    }

    /// What an external bot may use.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.draft.limits
    }

    /// What the board adds to an entrant's points: ten for each vote, if votes count and are not negative.
    #[must_use]
    pub(crate) fn head_start(&self, id: EntrantId) -> u64 {
        POINTS_PER_VOTE * self.entrant(id).votes.unwrap_or(0).max(0) as u64
    }

    /// The entrants in the order of the hill file.
    #[must_use]
    pub fn entrants(&self) -> &[Entrant<G>] {
        &self.draft.entrants
    }

    /// Whether external bots play.
    #[must_use]
    pub fn has_external_bots(&self) -> bool {
        self.draft.has_external_bots()
    }

    /// The entrants' ids, ascending.
    pub fn ids(&self) -> impl Iterator<Item = EntrantId> + use<G> {
        (0..self.draft.entrants.len() as u16).map(EntrantId::new)
    }

    /// The entrant with this id.
    #[must_use]
    pub fn entrant(&self, id: EntrantId) -> &Entrant<G> {
        &self.draft.entrants[id.index()]
    }

    /// The entrant under test in a gauntlet between the entrants `active`, ascending: the named one, or the last.
    /// `None` in another format, and if `active` is empty and none is named.
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

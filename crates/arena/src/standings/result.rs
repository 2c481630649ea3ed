//! The result document: the ranking, with confidence intervals.

mod board;
mod commitment;
mod differences;
mod encounters;
mod figures;
mod league;
mod luck;
mod pairings;
mod rounded;
mod samples;
mod seats;
mod standing;
mod stored;

pub use commitment::RevealedCommitment;
pub use differences::ScoreDifference;
pub use encounters::HeadToHead;
pub use figures::{Distribution, FigureSummary};
pub use luck::{AdjustedPoints, Luck};
pub use pairings::{Pairing, PairingResult};
pub use seats::SeatStanding;
pub use standing::{Standing, StandingBar};

use dicehill_rules::Game;
use serde::Serialize;

use crate::standings::result::board::{Board, has_champion};
use crate::standings::result::pairings::pairings;
use crate::standings::result::rounded::optional_six_digits;
use crate::standings::result::standing::barred_standing;
use crate::{
    Bar, EntrantId, Hill, Ledger, Memory, PROGRAM, PlacementResult, StartValue, StatisticsVersion,
    StoppingReport, Terms,
};

/// The result of a run: a pure function of hill, seed and program version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultDocument {
    /// `dicehill.result/1`.
    pub schema: &'static str,
    /// The program's name and version.
    pub program: String,
    /// The terms that the header has too. The known strengths are in the header alone.
    #[serde(flatten)]
    pub terms: Terms,
    /// The secret from which the seed follows.
    #[serde(flatten)]
    pub commitment: Option<RevealedCommitment>,
    /// Games, or games per pairing.
    pub games: u64,
    /// Play-off games.
    pub extra_games: u64,
    /// The expected score of optimal play, if games are appraised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_value: Option<StartValue>,
    /// The report of the stopping rule, if the run could stop early.
    #[serde(flatten)]
    pub verdict: Option<StoppingReport>,
    /// The challenger's rank, if the run was its placement. It is meaningless if the challenger was barred:
    /// [`ResultDocument::placement`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placing: Option<PlacementResult>,
    /// The sole leader. `None` in a gauntlet, where the challenger plays more games than the others.
    pub champion: Option<String>,
    /// The probability that the champion is the best: its [`Standing::best`].
    #[serde(serialize_with = "optional_six_digits")]
    pub champion_sure: Option<f64>,
    /// The entrants that share the lead.
    pub tied: Vec<String>,
    /// Whether games may depend on earlier ones, because bots remember them. Intervals and probabilities still assume
    /// independent games.
    pub dependent: bool,
    /// How the statistics are computed.
    #[serde(skip_serializing_if = "StatisticsVersion::is_first")]
    pub statistics: StatisticsVersion,
    /// BLAKE3 over the lines of all games that count, each with its newline, in order.
    pub records: String,
    /// Best first; barred entrants last.
    pub standings: Vec<Standing>,
    /// The lists that would grow with the square of the entrants and are left out: `pairings` of a duel and
    /// `head_to_head`, for more than 64 entrants. They follow from the games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The result of each pairing of a gauntlet, or of a duel of up to 64 entrants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<Pairing>,
    /// The differences between neighbours on the board. Empty in a gauntlet, where the challenger plays more games than
    /// the others.
    pub differences: Vec<ScoreDifference>,
    /// Each pair that has met, in the order of the board. Empty for more than 64 entrants.
    pub head_to_head: Vec<HeadToHead>,
}

impl ResultDocument {
    /// The champion, as shown to people: none while the question of a run that may end early is open, and none if that
    /// is another question than which entrant is best.
    #[must_use]
    pub fn decided_champion(&self) -> Option<&str> {
        let is_answer = |report: &StoppingReport| report.decided && report.margin.is_none();
        self.champion.as_deref().filter(|_| self.verdict.as_ref().is_none_or(is_answer))
    }

    /// The rank that the run found for the bot that it places. `None` if it places none, or if that bot was barred: no game
    /// of it counts then, and [`ResultDocument::placing`] says nothing.
    #[must_use]
    pub fn placement(&self) -> Option<&PlacementResult> {
        let is_barred =
            |bot: &str| self.standings.iter().any(|row| row.bot == bot && row.barred.is_some());
        self.placing.as_ref().filter(|placing| !is_barred(&placing.bot))
    }

    /// The result of a run of `hill` with the sums of `ledger`.
    ///
    /// `active` are the entrants that are not barred, ascending; `records` is the hash over the lines of all games that
    /// count.
    #[must_use]
    pub fn new<G: Game>(
        hill: &Hill<G>,
        ledger: &Ledger,
        active: &[EntrantId],
        bars: &[Bar],
        records: String,
    ) -> Self {
        let board = Board::new(hill, ledger, active);
        let mut standings: Vec<_> = (0..board.ranked.len()).map(|p| board.standing(p)).collect();
        let first: Vec<_> = standings.iter().filter(|row| row.rank == Some(1)).collect();
        let (champion, champion_sure, tied) = match first.as_slice() {
            _ if !has_champion(hill, ledger, active) => (None, None, Vec::new()),
            [only] => (Some(only.bot.clone()), only.best, Vec::new()),
            many => (None, None, many.iter().map(|row| row.bot.clone()).collect()),
        };
        let left_out = board.left_out();
        standings.extend(bars.iter().map(|bar| barred_standing(hill, ledger, bar)));
        Self {
            schema: "dicehill.result/1",
            program: PROGRAM.to_owned(),
            terms: Terms { strengths: None, ..Terms::new(hill, active) },
            commitment: hill.commitment().map(RevealedCommitment::from),
            games: hill.games(),
            extra_games: ledger.play_offs(),
            start_value: hill.start_value(),
            verdict: ledger.decision().map(|decision| decision.report(hill, ledger.games())),
            placing: None,
            champion,
            champion_sure,
            tied,
            dependent: hill.memory() == Memory::Set,
            statistics: hill.statistics(),
            records,
            standings,
            pairings: if left_out.iter().any(|name| name == "pairings") {
                Vec::new()
            } else {
                pairings(hill, ledger)
            },
            left_out,
            differences: board.differences(),
            head_to_head: board.head_to_head(),
        }
    }
}

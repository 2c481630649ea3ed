//! The analysis of a bot's decisions in Liar's Dice.

use dicehill_arena::six_digits;
use dicehill_coach::Estimate as Mean;
use dicehill_coach::liars_dice::{
    Accuracy, AppraisedDecision, Band, BotReport, HabitReport, LossReport, Mistake, Share,
};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::Action;
use serde::Serialize;
use utoipa::ToSchema;

use super::Estimate;

/// The number of habits and of single mistakes that are shown.
const MAX_SHOWN: usize = 10;

/// What a bot's decisions came to against the odds of hidden dice, and what its mistakes cost, in dice a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiarsDiceCoachDocument {
    /// Games that were looked at, the first of the run in which it sits.
    pub(crate) games: u64,
    /// Games of the run in which it sits.
    pub(crate) of: u64,
    /// Games in which it was out without a legal action.
    pub(crate) forfeits: u64,
    /// Dice gained less dice given, a game.
    pub(crate) balance: Estimate,
    /// All that decisions lost.
    pub(crate) loss: LossOfDice,
    /// Its calls, and how many were right.
    pub(crate) calls: Claims,
    /// The same by the chance that the call is right.
    pub(crate) call_bands: Vec<ClaimsOfBand>,
    /// Bids that it made.
    pub(crate) bids: u64,
    /// Those that were called, and how many held.
    pub(crate) called_bids: Claims,
    /// All bids by the chance that they hold, and how many did.
    pub(crate) bid_bands: Vec<ClaimsOfBand>,
    /// Bids that the odds did not support.
    pub(crate) unsupported: Unsupported,
    /// What was wrong, where something was.
    pub(crate) faults: Vec<LossOfDice>,
    /// Losses by the number of players still in.
    pub(crate) players: Vec<LossOfDice>,
    /// At most ten, first that which cost most in hindsight.
    pub(crate) habits: Vec<LossOfDice>,
    /// The single worst decisions, at most ten.
    pub(crate) worst: Vec<MistakeAtDice>,
}

/// Dice lost in some part, a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LossOfDice {
    /// The part, in words.
    #[schema(example = "let an improbable bid stand")]
    pub(crate) name: String,
    /// Dice lost a game, by the odds of a player who takes hidden dice for fair.
    pub(crate) loss: Estimate,
    /// Dice that the best would have brought more a game, with the dice that were there.
    pub(crate) hindsight: Estimate,
    /// Decisions that lost dice.
    pub(crate) mistakes: u64,
    /// Where it cost most, if known.
    pub(crate) example: Option<MistakeAtDice>,
}

/// Claims, how many came true, and how many the odds let expect.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Claims {
    /// How many.
    pub(crate) number: u64,
    /// Those that came true.
    pub(crate) came_true: u64,
    /// Their share; null without claims.
    pub(crate) share: Option<Estimate>,
    /// How many the odds let expect.
    pub(crate) expected: f64,
    /// How many more came true than that.
    pub(crate) beyond_odds: f64,
    /// The standard deviation of that if luck alone is at work.
    pub(crate) deviation: f64,
}

/// Claims of about the same chance.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ClaimsOfBand {
    /// The bounds of the chance, in percent.
    #[schema(example = json!([20, 30]))]
    pub(crate) percent: [usize; 2],
    /// The claims.
    pub(crate) claims: Claims,
    /// Those of them that were called.
    pub(crate) called: u64,
}

/// Bids that were likelier to fall, where a call would have been likelier to be right.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Unsupported {
    /// How many.
    pub(crate) number: u64,
    /// Their share of all bids; null without bids.
    pub(crate) share: Option<Estimate>,
    /// Those that were called.
    pub(crate) called: u64,
    /// Those that were called and lost a die.
    pub(crate) lost: u64,
}

/// A decision that cost dice.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MistakeAtDice {
    /// The game's number.
    pub(crate) game: u64,
    /// The move's number in the game.
    #[serde(rename = "move")]
    pub(crate) number: usize,
    /// The bot's own dice, ascending.
    #[schema(example = json!([1, 2, 4, 6, 6]))]
    pub(crate) dice: Vec<u8>,
    /// How many dice others held.
    pub(crate) hidden: u32,
    /// The bid that it had to exceed or call; null at the beginning of a round.
    pub(crate) last: Option<String>,
    /// What it did.
    pub(crate) chosen: String,
    /// The chance that this comes true, as it could be known.
    pub(crate) chosen_chance: Option<f64>,
    /// What is best.
    pub(crate) best: String,
    /// The chance that this comes true.
    pub(crate) best_chance: Option<f64>,
    /// Dice that the best is worth more.
    pub(crate) loss: f64,
    /// Dice that the best would have brought more.
    pub(crate) hindsight: i32,
}

impl LiarsDiceCoachDocument {
    /// The document of a report on the first games of a bot that plays in `of` games.
    pub(crate) fn new(report: &BotReport, of: u64) -> Self {
        let faults = report.faults.iter().filter(|fault| fault.part.mistakes > 0);
        let players = (2..).zip(&report.players).filter(|(_, part)| part.mistakes > 0);
        let players = players.map(|(players, part): (u32, _)| {
            LossOfDice::new(format!("{players} players left"), part, None)
        });
        let bids = &report.bids;
        Self {
            games: report.games,
            of,
            forfeits: report.forfeits,
            balance: estimate(report.balance),
            loss: LossOfDice::new("all".to_owned(), &report.loss, None),
            calls: Claims::from(&report.calls),
            call_bands: in_bands(&report.call_bands),
            bids: bids.called.of,
            called_bids: Claims::from(&bids.when_called),
            bid_bands: in_bands(&bids.bands),
            unsupported: Unsupported {
                number: bids.unsupported.times,
                share: share(bids.unsupported),
                called: bids.unsupported_called.times,
                lost: bids.unsupported_lost.times,
            },
            faults: faults
                .map(|one| {
                    LossOfDice::new(one.fault.title().to_owned(), &one.part, one.costliest.as_ref())
                })
                .collect(),
            players: players.collect(),
            habits: report.habits.iter().take(MAX_SHOWN).map(LossOfDice::from).collect(),
            worst: report.worst.iter().take(MAX_SHOWN).map(MistakeAtDice::from).collect(),
        }
    }
}

fn estimate(mean: Mean) -> Estimate {
    Estimate::new(mean.mean, mean.interval())
}

fn share(share: Share) -> Option<Estimate> {
    Estimate::of(share.value(), share.interval())
}

/// The bands that are not empty.
fn in_bands(bands: &[Band]) -> Vec<ClaimsOfBand> {
    let used = bands.iter().enumerate().filter(|(_, band)| band.accuracy.came_true.of > 0);
    let documents = used.map(|(index, band)| ClaimsOfBand {
        percent: Band::bounds(index),
        claims: Claims::from(&band.accuracy),
        called: band.called,
    });
    documents.collect()
}

impl LossOfDice {
    fn new(name: String, part: &LossReport, example: Option<&Mistake>) -> Self {
        Self {
            name,
            loss: estimate(part.loss),
            hindsight: estimate(part.hindsight),
            mistakes: part.mistakes,
            example: example.map(MistakeAtDice::from),
        }
    }
}

impl From<&HabitReport> for LossOfDice {
    fn from(HabitReport { habit, part, costliest }: &HabitReport) -> Self {
        Self::new(habit.to_string(), part, Some(costliest))
    }
}

impl From<&Accuracy> for Claims {
    fn from(accuracy: &Accuracy) -> Self {
        Self {
            number: accuracy.came_true.of,
            came_true: accuracy.came_true.times,
            share: share(accuracy.came_true),
            expected: six_digits(accuracy.expected),
            beyond_odds: six_digits(accuracy.beyond_odds()),
            deviation: six_digits(accuracy.deviation()),
        }
    }
}

impl From<&Mistake> for MistakeAtDice {
    fn from(Mistake { game, step }: &Mistake) -> Self {
        let AppraisedDecision { number, infoset, chosen, best, loss, .. } = step;
        let chance = |action: Action| step.chance(action).map(six_digits);
        Self {
            game: *game,
            number: *number,
            dice: infoset.own_dice().map(Face::pips).collect(),
            hidden: infoset.hidden_dice(),
            last: infoset.last_bid().map(|bid| bid.to_string()),
            chosen: chosen.to_string(),
            chosen_chance: chance(*chosen),
            best: best.to_string(),
            best_chance: chance(*best),
            loss: six_digits(*loss),
            hindsight: step.hindsight(),
        }
    }
}

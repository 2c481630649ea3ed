//! What a bot's decisions cost.

use dicehill_arena::six_digits;
use dicehill_coach::yahtzee::{BotReport, DecisionKind, Estimate as Mean, HabitReport, Mistake};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Estimate, LiarsDiceCoachDocument};

/// The number of habits and of single mistakes that are shown.
const MAX_SHOWN: usize = 10;

/// What the mistakes of a bot cost, by its game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum CoachReport {
    /// In Yahtzee.
    Yahtzee(Box<CoachDocument>),
    /// In Liar's Dice.
    LiarsDice(Box<LiarsDiceCoachDocument>),
}

/// What the mistakes of a bot cost, in expected score a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CoachDocument {
    /// Games that were looked at, the first of the run in which it sits.
    pub(crate) games: u64,
    /// Games of the run in which it sits.
    pub(crate) of: u64,
    /// The score a game.
    pub(crate) score: Estimate,
    /// The luck of the dice a game, in points.
    pub(crate) luck: Estimate,
    /// Points lost a game.
    pub(crate) loss: Estimate,
    /// The same by what was decided: first keep, second keep, box.
    pub(crate) kinds: Vec<PartOfLoss>,
    /// By box: lost by filling it where another was better.
    pub(crate) filled: Vec<PartOfLoss>,
    /// By round, 1 to 13.
    pub(crate) rounds: Vec<PartOfLoss>,
    /// The costliest habits, at most ten.
    pub(crate) habits: Vec<HabitOfBot>,
    /// The single worst decisions, at most ten.
    pub(crate) worst: Vec<MistakeOfBot>,
}

/// Points lost in some part, a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PartOfLoss {
    /// The part.
    #[schema(example = "first keep")]
    pub(crate) name: String,
    /// Points lost a game.
    pub(crate) loss: Estimate,
    /// Decisions that lost points.
    pub(crate) mistakes: u64,
}

/// Mistakes that are alike.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct HabitOfBot {
    /// What it is, in words.
    pub(crate) habit: String,
    /// Points lost a game.
    pub(crate) loss: Estimate,
    /// How often.
    pub(crate) mistakes: u64,
    /// Where it cost most.
    pub(crate) example: MistakeOfBot,
}

/// A decision that cost points.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MistakeOfBot {
    /// The game's number.
    pub(crate) game: u64,
    /// 1 to 13.
    pub(crate) round: u32,
    /// What was decided.
    pub(crate) kind: String,
    /// The dice in the order shown.
    #[schema(example = json!([1, 1, 4, 6, 6]))]
    pub(crate) dice: Vec<u8>,
    /// What the player did.
    pub(crate) chosen: String,
    /// What is best.
    pub(crate) best: String,
    /// Points that the best is worth more.
    pub(crate) loss: f64,
}

impl CoachDocument {
    /// The document of a report on the first games of a bot that plays in `of` games.
    pub(crate) fn new(report: &BotReport, of: u64) -> Self {
        let named = |name: &str, part: &dicehill_coach::yahtzee::LossReport| PartOfLoss {
            name: name.to_owned(),
            loss: estimate(part.loss),
            mistakes: part.mistakes,
        };
        let round = |(round, part): (u32, _)| named(&round.to_string(), part);
        Self {
            games: report.games,
            of,
            score: estimate(report.score),
            luck: estimate(report.luck),
            loss: estimate(report.loss.loss),
            kinds: DecisionKind::ALL
                .map(|kind| named(kind.title(), &report.kinds[kind.index()]))
                .into(),
            filled: report.boxes().map(|(of, filled, _)| named(of.name(), &filled)).collect(),
            rounds: (1..).zip(&report.rounds).map(round).collect(),
            habits: report.habits.iter().take(MAX_SHOWN).map(HabitOfBot::from).collect(),
            worst: report.worst.iter().take(MAX_SHOWN).map(MistakeOfBot::from).collect(),
        }
    }
}

fn estimate(mean: Mean) -> Estimate {
    Estimate::new(mean.mean, mean.interval())
}

impl From<&HabitReport> for HabitOfBot {
    fn from(HabitReport { habit, part, costliest }: &HabitReport) -> Self {
        Self {
            habit: format!("{}: {habit}", habit.kind().title()),
            loss: estimate(part.loss),
            mistakes: part.mistakes,
            example: costliest.into(),
        }
    }
}

impl From<&Mistake> for MistakeOfBot {
    fn from(mistake: &Mistake) -> Self {
        let Mistake { game, round, kind, dice, chosen, best, loss, .. } = mistake;
        Self {
            game: *game,
            round: *round,
            kind: kind.title().to_owned(),
            dice: dice.iter().map(|die| die.pips()).collect(),
            chosen: chosen.to_string(),
            best: best.to_string(),
            loss: six_digits(*loss),
        }
    }
}

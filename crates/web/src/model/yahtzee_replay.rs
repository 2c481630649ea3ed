//! Yahtzee move by move: each roll, the dice kept, and the cost of every choice.

use dicehill_arena::{Move, Replay};
use dicehill_coach::yahtzee::{AppraisedDecision, AppraisedTurn, PlayedTurn};
use dicehill_rules::Game;
use dicehill_rules::yahtzee::{Action, Category, Roll, Scorecard, Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Solution, Variant};
use dicehill_store::GameLine;
use serde::Serialize;
use utoipa::ToSchema;

use super::move_failure::{MoveFailure, failure_text};
use super::move_text::MoveText;
use super::shown_game::ShownGame;

/// The moves of a game of Yahtzee.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct YahtzeeReplay {
    /// In order.
    pub(crate) moves: Vec<YahtzeeMove>,
    /// The number of moves at the end that are left out.
    pub(crate) left_out: usize,
    /// The card of each seat when the game is over.
    pub(crate) cards: Vec<YahtzeeCard>,
    /// Luck and loss by seat; empty if the game does not count.
    pub(crate) decisions: Vec<YahtzeeDecisions>,
}

/// A roll, and what was done with it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct YahtzeeMove {
    /// From 1.
    pub(crate) number: usize,
    /// Who is to act, from 0.
    pub(crate) seat: usize,
    /// 1 to 13.
    pub(crate) round: u32,
    /// The number of rerolls made in this turn, 0 to 2.
    pub(crate) stage: u8,
    /// The pips of the dice in the order shown.
    pub(crate) dice: [u8; 5],
    /// The places of the dice that are kept, from 0.
    pub(crate) kept: Vec<usize>,
    /// The action as it is recorded; `null` if none was legal.
    pub(crate) action: Option<String>,
    /// What it does, in words.
    pub(crate) text: String,
    /// The box that is filled, and the card behind it.
    pub(crate) filled: Option<FilledBox>,
    /// Why there was no legal action.
    pub(crate) failure: Option<MoveFailure>,
    /// The loss: points by which the best choice is worth more; `null` if unknown.
    pub(crate) lost: Option<f64>,
    /// The best choice, where another was made.
    pub(crate) best: Option<String>,
    /// What it does, without who does it.
    #[serde(skip)]
    pub(crate) what: MoveText,
}

/// A box that has been filled.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FilledBox {
    /// For example `FULL_HOUSE`.
    pub(crate) category: &'static str,
    /// Points in the box.
    pub(crate) points: u8,
    /// The bonus of 100 for one Yahtzee more.
    pub(crate) bonus: u32,
    /// The bonus of the upper section, as it is now.
    pub(crate) upper_bonus: u32,
    /// The bonuses for Yahtzees, as they are now.
    pub(crate) yahtzee_bonus: u32,
    /// The whole score, as it is now.
    pub(crate) score: u32,
}

/// A card.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct YahtzeeCard {
    /// The points in each box from the aces to chance; `null` in a free one.
    pub(crate) boxes: [Option<u8>; 13],
    /// The bonus of the upper section.
    pub(crate) upper_bonus: u32,
    /// The bonuses for Yahtzees.
    pub(crate) yahtzee_bonus: u32,
    /// The whole score.
    pub(crate) score: u32,
}

/// What a score came of: `score = start + luck - lost`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct YahtzeeDecisions {
    /// What best play scores on average.
    pub(crate) start: f64,
    /// Points by which the dice were better than average dice.
    pub(crate) luck: f64,
    /// Points that decisions lost.
    pub(crate) lost: f64,
    /// Decisions.
    pub(crate) count: usize,
    /// Those that lost something.
    pub(crate) mistakes: usize,
}

impl ShownGame for Yahtzee {
    type Moves = YahtzeeReplay;

    const GREAT: &'static str = "a high score";

    fn replay(replay: &Replay<Self>, rules: YahtzeeRules, most: usize) -> YahtzeeReplay {
        YahtzeeReplay::of(replay, rules, most)
    }

    /// The highest score of the game.
    fn greatness(line: &GameLine) -> u64 {
        scores(line).into_iter().max().unwrap_or(0)
    }

    /// The difference between the two highest scores.
    fn margin(line: &GameLine) -> Option<u64> {
        let mut scores = scores(line);
        scores.sort_unstable_by(|a, b| b.cmp(a));
        match scores.as_slice() {
            [first, second, ..] if !line.void => Some(first - second),
            _ => None,
        }
    }
}

fn scores(line: &GameLine) -> Vec<u64> {
    (0..line.seats.len()).filter_map(|seat| line.figure(seat, "score")).collect()
}

impl YahtzeeReplay {
    fn of(replay: &Replay<Yahtzee>, rules: YahtzeeRules, most: usize) -> Self {
        let mut play = replay.begin(rules);
        let mut moves = Vec::with_capacity(most.min(replay.moves.len()));
        for (index, one) in replay.moves.iter().enumerate() {
            let shown = YahtzeeMove::of(index + 1, play.game(), one).filter(|_| index < most);
            play.repeat(one);
            moves.extend(shown.map(|shown| shown.followed_by(play.game(), &replay.names)));
        }
        let appraised = match play.is_void() {
            true => Vec::new(),
            false => appraised(replay, rules),
        };
        moves.iter_mut().for_each(|shown| shown.appraise(&appraised));
        let start = Solution::shared(Variant::from(rules)).start();
        Self {
            left_out: replay.moves.len() - moves.len(),
            moves,
            cards: play.game().cards().iter().map(YahtzeeCard::of).collect(),
            decisions: appraised.iter().map(|turns| YahtzeeDecisions::of(start, turns)).collect(),
        }
    }
}

/// The turns of each seat, with the loss of each decision.
fn appraised(replay: &Replay<Yahtzee>, rules: YahtzeeRules) -> Vec<Vec<AppraisedTurn>> {
    let solution = Solution::shared(Variant::from(rules));
    let dice = replay.chance.table(replay.table);
    let turns = PlayedTurn::by_seat(rules, &dice, replay.names.len(), &replay.moves);
    let seat = |turns: &Vec<PlayedTurn>| {
        turns.iter().map(|turn| AppraisedTurn::new(solution, turn)).collect()
    };
    turns.iter().map(seat).collect()
}

impl YahtzeeMove {
    fn of(number: usize, game: &Yahtzee, one: &Move<Yahtzee>) -> Option<Self> {
        let seat = game.to_act()?.index();
        let dice = game.dice();
        let card = &game.cards()[seat];
        let kept = match one {
            Move::Acted(Action::Keep(keep)) => keep.indexes().collect(),
            Move::Acted(Action::Fill(_)) | Move::Failed(_) => Vec::new(),
        };
        Some(Self {
            number,
            seat,
            round: game.round(),
            stage: game.stage(),
            dice: dice.map(dicehill_rules::Face::pips),
            kept,
            action: action(one),
            text: String::new(),
            filled: FilledBox::begun(card, dice, one),
            failure: MoveFailure::of(one),
            lost: None,
            best: None,
            what: what(card, dice, one),
        })
    }

    /// The move with what its result shows.
    fn followed_by(mut self, game: &Yahtzee, names: &[String]) -> Self {
        self.text = self.what.sentence(self.seat, names);
        if let Some(filled) = &mut self.filled {
            let card = &game.cards()[self.seat];
            filled.upper_bonus = card.upper_bonus();
            filled.yahtzee_bonus = card.yahtzee_bonus();
            filled.score = card.score();
        }
        self
    }

    /// Adds what the choice cost, if its turn was appraised.
    fn appraise(&mut self, turns: &[Vec<AppraisedTurn>]) {
        let turn = turns.get(self.seat).and_then(|turns| turns.get(self.round as usize - 1));
        let Some(turn) = turn else { return };
        let steps = || turn.steps.iter().filter(|step| step.stage == self.stage);
        self.lost = Some(rounded(steps().map(|step| step.loss).sum()));
        self.best = steps().find(|step| step.loss > 0.0).map(|step| step.best.to_string());
    }
}

fn action(one: &Move<Yahtzee>) -> Option<String> {
    match one {
        Move::Acted(action) => Some(action.to_string()),
        Move::Failed(_) => None,
    }
}

fn what(card: &Scorecard, dice: &Roll, one: &Move<Yahtzee>) -> MoveText {
    match one {
        Move::Acted(Action::Keep(keep)) => match keep.count() {
            0 => MoveText::of("rolls all five"),
            5 => MoveText::of("keeps all five"),
            _ => {
                let kept: Vec<_> = keep.indexes().map(|index| dice[index].to_string()).collect();
                MoveText::of(format!("keeps {}", kept.join(" ")))
            }
        },
        Move::Acted(Action::Fill(category)) => {
            let points = card.box_score(*category, dice);
            let bonus = match card.bonus_for(dice) {
                0 => String::new(),
                bonus => format!(" and a bonus of {bonus}"),
            };
            MoveText::of(format!("scores {points} in {}{bonus}", in_words(category.name())))
        }
        Move::Failed(failure) => {
            let failure = failure_text(failure);
            MoveText::of(format!("gives no legal action: {failure}"))
        }
    }
}

/// `FULL_HOUSE` as `full house`.
pub(crate) fn in_words(category: &str) -> String {
    category.to_lowercase().replace('_', " ")
}

impl FilledBox {
    /// The box and its points, if the move fills one; the sums of the card follow after the move.
    fn begun(card: &Scorecard, dice: &Roll, one: &Move<Yahtzee>) -> Option<Self> {
        let category = match one {
            Move::Acted(Action::Fill(category)) => *category,
            Move::Acted(Action::Keep(_)) | Move::Failed(_) => return None,
        };
        Some(Self {
            category: category.name(),
            points: card.box_score(category, dice),
            bonus: card.bonus_for(dice),
            upper_bonus: 0,
            yahtzee_bonus: 0,
            score: 0,
        })
    }
}

impl YahtzeeCard {
    fn of(card: &Scorecard) -> Self {
        Self {
            boxes: Category::ALL.map(|category| card.filled(category)),
            upper_bonus: card.upper_bonus(),
            yahtzee_bonus: card.yahtzee_bonus(),
            score: card.score(),
        }
    }
}

impl YahtzeeDecisions {
    fn of(start: f64, turns: &[AppraisedTurn]) -> Self {
        let steps = || turns.iter().flat_map(|turn| &turn.steps);
        let lost = |step: &&AppraisedDecision| step.loss > 0.0;
        Self {
            start: rounded(start),
            luck: rounded(turns.iter().map(|turn| turn.luck).sum()),
            lost: rounded(turns.iter().map(AppraisedTurn::loss).sum()),
            count: steps().count(),
            mistakes: steps().filter(lost).count(),
        }
    }
}

/// Rounds to millionths, the precision of recorded losses.
fn rounded(points: f64) -> f64 {
    (points * 1e6).round() / 1e6
}

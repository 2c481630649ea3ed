//! The state of a game of Yahtzee.

use std::ops::RangeInclusive;

use super::{Action, Category, CategorySet, Keep, Roll, Scorecard, YahtzeeRules};
use crate::{
    Dice, Face, Figure, Forfeit, Game, MAX_FIGURES, PublicInfo, Seat, SeatResult, Summary,
};

/// Rounds in a game, one for each box.
const ROUNDS: u32 = 13;
/// The stage at which only filling a box is legal.
const LAST_STAGE: u8 = 2;

/// The state of a game of Yahtzee.
///
/// ```
/// use dicehill_rules::yahtzee::{Action, Yahtzee, YahtzeeRules};
/// use dicehill_rules::{Chance, Game, PublicInfo, Seat};
///
/// let dice = Chance::new("my seed").table(1);
/// let mut game = Yahtzee::new(YahtzeeRules::Official, 2, &dice);
/// let public = PublicInfo::default();
/// while let Some(view) = game.view(&public) {
///     // Fill the box with the highest score, without rolling again.
///     let score = |category: &_| view.card.box_score(*category, &view.dice);
///     let category = view.legal().iter().max_by_key(score).expect("a player to act has a free box");
///     game.apply(&Action::Fill(category), &dice)?;
/// }
/// let winners = Seat::all(2).filter(|seat| game.result(*seat).won).count();
/// assert!((1..=2).contains(&winners));
/// # Ok::<(), dicehill_rules::yahtzee::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Yahtzee {
    /// By seat. Seats are in turn order.
    cards: Vec<Scorecard>,
    /// All scores, ascending.
    scores: Vec<u32>,
    seat: u16,
    /// From 1; `ROUNDS + 1` if the game has ended.
    round: u32,
    stage: u8,
    dice: Roll,
}

/// What the player to act may see.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The dice, in the order shown: newly rolled dice first, then the kept ones.
    pub dice: Roll,
    /// 0 after the first roll, 2 after the last.
    pub stage: u8,
    /// 1 to 13.
    pub round: u32,
    /// The player's own scorecard.
    pub card: &'a Scorecard,
    /// The scores of all players, ascending, without their seats.
    pub scores: &'a [u32],
}

impl View<'_> {
    /// The categories that may be filled now.
    #[must_use]
    pub fn legal(&self) -> CategorySet {
        self.card.legal(&self.dice)
    }

    /// Whether the player may keep dice and roll the others.
    #[must_use]
    pub const fn may_keep(&self) -> bool {
        self.stage < LAST_STAGE
    }
}

/// The reason for refusing an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The box is already filled.
    #[error("this category is already used")]
    Used(Category),
    /// The forced joker rule requires another box.
    #[error("this category breaks the joker rule: a Yahtzee must go to {demand}", demand = Alternatives(*.legal))]
    JokerRule {
        /// The refused category.
        named: Category,
        /// The legal categories.
        legal: CategorySet,
    },
    /// No dice can be kept after the last roll.
    #[error("nothing can be kept at stage 2: name a category")]
    KeepAtLastStage,
    /// The game has ended.
    #[error("the game has ended")]
    Ended,
}

/// Displays a set of categories, joined by "or".
struct Alternatives(CategorySet);

impl std::fmt::Display for Alternatives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.0.iter().map(Category::name).collect();
        f.write_str(&names.join(" or "))
    }
}

impl Yahtzee {
    /// The current round, 1 to 13; 14 if the game has ended.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// The number of rerolls in this turn, 0 to 2.
    #[must_use]
    pub const fn stage(&self) -> u8 {
        self.stage
    }

    /// The dice shown.
    #[must_use]
    pub const fn dice(&self) -> &Roll {
        &self.dice
    }

    /// The scorecards, by seat.
    #[must_use]
    pub fn cards(&self) -> &[Scorecard] {
        &self.cards
    }

    /// The scores of all players, ascending.
    #[must_use]
    pub fn scores(&self) -> &[u32] {
        &self.scores
    }

    fn card(&self) -> &Scorecard {
        &self.cards[usize::from(self.seat)]
    }

    fn check(&self, action: &Action) -> Result<(), Refusal> {
        if self.has_ended() {
            return Err(Refusal::Ended);
        }
        match action {
            Action::Keep(_) if self.stage == LAST_STAGE => Err(Refusal::KeepAtLastStage),
            Action::Keep(_) => Ok(()),
            Action::Fill(named) if !self.card().free().contains(*named) => {
                Err(Refusal::Used(*named))
            }
            Action::Fill(named) => {
                let legal = self.card().legal(&self.dice);
                let refusal = Refusal::JokerRule { named: *named, legal };
                if legal.contains(*named) { Ok(()) } else { Err(refusal) }
            }
        }
    }

    /// Rolls the other dice. The new dice are shown first, then the kept ones in the order listed.
    fn keep<D: Dice>(&mut self, keep: Keep, dice: &D) {
        self.stage += 1;
        let rolled = 5 - keep.count();
        let fresh = pack(&self.roll(rolled, dice));
        let kept = pack_kept(pack(&self.dice), keep);
        self.dice = unpack(fresh | kept << (8 * rolled));
    }

    /// The first `count` dice at the current place, followed by ones.
    fn roll<D: Dice>(&self, count: usize, dice: &D) -> Roll {
        let mut roll = [Face::ONE; 5];
        if count > 0 {
            dice.roll(Seat::new(self.seat), self.round, self.stage, &mut roll[..count]);
        }
        roll
    }

    fn fill<D: Dice>(&mut self, category: Category, dice: &D) {
        let shown = self.dice;
        let card = &mut self.cards[usize::from(self.seat)];
        let before = card.score();
        card.fill(category, &shown);
        let after = card.score();
        self.raise_score(before, after);
        self.next_turn(dice);
    }

    /// Replaces one score by a higher one, and keeps the list sorted.
    fn raise_score(&mut self, before: u32, after: u32) {
        let mut index = self.scores.partition_point(|score| *score <= before) - 1;
        while index + 1 < self.scores.len() && self.scores[index + 1] < after {
            self.scores[index] = self.scores[index + 1];
            index += 1;
        }
        self.scores[index] = after;
    }

    fn next_turn<D: Dice>(&mut self, dice: &D) {
        self.seat += 1;
        if usize::from(self.seat) == self.cards.len() {
            self.seat = 0;
            self.round += 1;
        }
        if !self.has_ended() {
            self.first_roll(dice);
        }
    }

    fn first_roll<D: Dice>(&mut self, dice: &D) {
        self.stage = 0;
        // Through a register, as in `keep`: see `pack`.
        self.dice = unpack(pack(&self.roll(5, dice)));
    }
}

/// Five dice in a register, eight bits each, the first die lowest; 0 is a one.
///
/// Rolls are assembled in a register, not in memory: the next reader loads a roll as a whole, and store forwarding would stall if it had
/// been written die by die. A loop over the kept dice would be as slow, because its branches are hard to predict.
fn pack(roll: &Roll) -> u64 {
    (0..).zip(roll).map(|(slot, face)| (face.index() as u64) << (8 * slot)).sum()
}

/// The kept dice of a packed roll, in the order listed; the higher slots have no meaning.
fn pack_kept(roll: u64, keep: Keep) -> u64 {
    let die = |slot| roll >> (8 * keep.index_at(slot)) & 0xff;
    (0..5).fold(0, |kept, slot| kept | die(slot) << (8 * slot))
}

/// The lowest five dice of a register.
fn unpack(dice: u64) -> Roll {
    let [a, b, c, d, e, ..] = dice.to_le_bytes();
    [a, b, c, d, e].map(|digit| Face::from_digit(u64::from(digit)))
}

impl Game for Yahtzee {
    type Rules = YahtzeeRules;
    type Action = Action;
    type Refusal = Refusal;
    type View<'a> = View<'a>;

    const NAME: &'static str = "yahtzee";
    const TITLE: &'static str = "Yahtzee";
    const SEATS: RangeInclusive<usize> = 1..=1000;
    const FIGURES: &'static [Figure] = &[Figure { name: "score", summary: Summary::Distribution }];
    const RULES: &'static [YahtzeeRules] = &[YahtzeeRules::Official, YahtzeeRules::Mego2016];

    fn new<D: Dice>(rules: YahtzeeRules, seats: usize, dice: &D) -> Self {
        assert!(Self::SEATS.contains(&seats), "1 to 1000 seats, not {seats}");
        let mut game = Self {
            cards: vec![Scorecard::new(rules); seats],
            scores: vec![0; seats],
            seat: 0,
            round: 1,
            stage: 0,
            dice: [Face::ONE; 5],
        };
        game.first_roll(dice);
        game
    }

    fn has_ended(&self) -> bool {
        self.round > ROUNDS
    }

    fn to_act(&self) -> Option<Seat> {
        (!self.has_ended()).then(|| Seat::new(self.seat))
    }

    fn view<'a>(&'a self, _public: &'a PublicInfo<'a>) -> Option<View<'a>> {
        (!self.has_ended()).then(|| View {
            dice: self.dice,
            stage: self.stage,
            round: self.round,
            card: self.card(),
            scores: &self.scores,
        })
    }

    fn legal_actions(&self) -> impl Iterator<Item = Action> + '_ {
        let keeps = Keep::all().map(Action::Keep);
        let fills = Category::ALL.into_iter().map(Action::Fill);
        keeps.chain(fills).filter(|action| self.check(action).is_ok())
    }

    fn apply<D: Dice>(&mut self, action: &Action, dice: &D) -> Result<(), Refusal> {
        self.check(action)?;
        match action {
            Action::Keep(keep) => self.keep(*keep, dice),
            Action::Fill(category) => self.fill(*category, dice),
        }
        Ok(())
    }

    fn write_action(action: &Action, text: &mut String) {
        action.write(text);
    }

    /// The game is void; the state does not change.
    fn forfeit<D: Dice>(&mut self, _dice: &D) -> Forfeit {
        Forfeit::Void
    }

    /// One point for each player with the highest score. The figure is the score.
    fn result(&self, seat: Seat) -> SeatResult {
        let score = self.cards[seat.index()].score();
        let won = self.scores.last() == Some(&score);
        let mut figures = [0; MAX_FIGURES];
        figures[0] = u64::from(score);
        SeatResult { points: u64::from(won), won, figures }
    }

    fn max_points(_seats: usize) -> u64 {
        1
    }
}

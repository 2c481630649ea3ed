//! Liar's Dice move by move: the hands and bids of every round, and the result of each call.

use dicehill_arena::{Move, Play, Replay, six_digits};
use dicehill_coach::liars_dice::{AppraisedDecision, AppraisedGame, Infoset};
use dicehill_coach::percent;
use dicehill_rules::liars_dice::{
    Action, Bid, LiarsDice, LiarsDiceRules, dice_in_words, dice_that_count,
};
use dicehill_rules::{Face, Game};
use dicehill_store::GameLine;
use serde::Serialize;
use utoipa::ToSchema;

use super::move_failure::{MoveFailure, failure_text};
use super::move_text::MoveText;
use super::shown_game::ShownGame;

/// The moves of a game of Liar's Dice.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiarsDiceReplay {
    /// The rounds, each of which begins with a new roll.
    pub(crate) rounds: Vec<LiarsDiceRound>,
    /// In order.
    pub(crate) moves: Vec<LiarsDiceMove>,
    /// The number of moves at the end that are left out.
    pub(crate) left_out: usize,
}

/// The rolls of all players for a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiarsDiceRound {
    /// From 1.
    pub(crate) round: u32,
    /// The number of its first move.
    pub(crate) first: usize,
    /// The hands of the players still in, clockwise.
    pub(crate) hands: Vec<ShownHand>,
}

/// The dice of a seat.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ShownHand {
    /// Whose, from 0.
    pub(crate) seat: usize,
    /// Their pips in the order rolled.
    pub(crate) dice: Vec<u8>,
}

/// A bid, a call, or a failure.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiarsDiceMove {
    /// From 1.
    pub(crate) number: usize,
    /// Who is to act, from 0.
    pub(crate) seat: usize,
    /// From 1.
    pub(crate) round: u32,
    /// The action as it is recorded; `null` if none was legal.
    pub(crate) action: Option<String>,
    /// What it does, in words.
    pub(crate) text: String,
    /// The bid, if it is one.
    pub(crate) bid: Option<ShownBid>,
    /// What the call came to, if it is one.
    pub(crate) call: Option<ShownCall>,
    /// Why there was no legal action, which puts the player out of the game.
    pub(crate) failure: Option<MoveFailure>,
    /// The loss by the odds: dice by which the best action is worth more to a player who assumes that hidden dice are
    /// fair; `null` if unknown.
    pub(crate) lost: Option<f64>,
    /// The best action in words, where another was chosen.
    pub(crate) best: Option<String>,
    /// The probability that the bid holds, or that the call is right, from what the player knows; `null` if unknown.
    pub(crate) chance: Option<f64>,
    /// What it does, without who does it.
    #[serde(skip)]
    pub(crate) what: MoveText,
}

/// A bid: so many dice at least show the face, or are ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ShownBid {
    /// How many dice.
    pub(crate) count: u32,
    /// The pips of the face.
    pub(crate) face: u8,
}

/// What a call came to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ShownCall {
    /// The bid that was called.
    pub(crate) bid: ShownBid,
    /// Whose bid it was.
    pub(crate) bidder: usize,
    /// How many dice there were.
    pub(crate) there: u32,
    /// Whether the bid held.
    pub(crate) held: bool,
    /// The chance that it held, 0 to 1, to a caller who knows its own dice and takes the others for fair.
    pub(crate) chance: f64,
    /// Who gave a die.
    pub(crate) giver: usize,
    /// Who got it, and begins the next round unless the rules say otherwise.
    pub(crate) taker: usize,
    /// Whether it was the giver's last one, who is out.
    pub(crate) last: bool,
}

impl ShownGame for LiarsDice {
    type Moves = LiarsDiceReplay;

    const GREAT: &'static str = "a long game";

    fn replay(replay: &Replay<Self>, rules: LiarsDiceRules, most: usize) -> LiarsDiceReplay {
        LiarsDiceReplay::of(replay, rules, most)
    }

    /// The number of turns.
    fn greatness(line: &GameLine) -> u64 {
        (0..line.seats.len()).filter_map(|seat| line.figure(seat, "turns")).sum()
    }

    /// The game always ends with one player left, so that there is no margin.
    fn margin(_line: &GameLine) -> Option<u64> {
        None
    }
}

impl LiarsDiceReplay {
    fn of(replay: &Replay<LiarsDice>, rules: LiarsDiceRules, most: usize) -> Self {
        let mut shown = Self { rounds: Vec::new(), moves: Vec::new(), left_out: 0 };
        let mut play = replay.begin(rules);
        for one in replay.moves.iter().take(most) {
            shown.add(&play, one, &replay.names);
            play.repeat(one);
        }
        shown.left_out = replay.moves.len() - shown.moves.len();
        shown.appraise(&AppraisedGame::new(rules, replay, |_| true));
        shown
    }

    /// Adds what each decision cost.
    fn appraise(&mut self, game: &AppraisedGame) {
        for step in game.seats.iter().flat_map(|seat| &seat.steps) {
            if let Some(shown) = self.moves.get_mut(step.number - 1) {
                shown.appraise(step);
            }
        }
    }

    fn add(&mut self, play: &Play<'_, LiarsDice>, one: &Move<LiarsDice>, names: &[String]) {
        let game = play.game();
        let number = self.moves.len() + 1;
        if self.rounds.last().is_none_or(|round| round.round != game.round()) {
            self.rounds.push(LiarsDiceRound::begun(game, number));
        }
        self.moves.extend(LiarsDiceMove::of(number, game, one, names));
    }
}

impl LiarsDiceRound {
    fn begun(game: &LiarsDice, first: usize) -> Self {
        let hands = game.seats().iter().zip(game.hands()).map(|(seat, hand)| ShownHand {
            seat: seat.index(),
            dice: hand.faces().iter().map(|face| face.pips()).collect(),
        });
        Self { round: game.round(), first, hands: hands.collect() }
    }
}

impl LiarsDiceMove {
    fn of(
        number: usize,
        game: &LiarsDice,
        one: &Move<LiarsDice>,
        names: &[String],
    ) -> Option<Self> {
        let seat = game.to_act()?.index();
        let (bid, call) = match one {
            Move::Acted(Action::Bid(bid)) => (Some(ShownBid::from(*bid)), None),
            Move::Acted(Action::Call) => (None, ShownCall::of(game)),
            Move::Failed(_) => (None, None),
        };
        let what = what(one, call.as_ref());
        Some(Self {
            number,
            seat,
            round: game.round(),
            action: action(one),
            text: what.sentence(seat, names),
            bid,
            call,
            failure: MoveFailure::of(one),
            lost: None,
            best: None,
            chance: None,
            what,
        })
    }

    /// Adds what the decision cost.
    fn appraise(&mut self, step: &AppraisedDecision) {
        self.lost = Some(six_digits(step.loss));
        self.best = (step.loss > 0.0).then(|| in_words(step.best));
        self.chance = step.chance(step.chosen).map(six_digits);
    }
}

/// `bid four fives`, or `call`.
fn in_words(action: Action) -> String {
    match action {
        Action::Bid(bid) => format!("bid {}", bid.in_words()),
        Action::Call => "call".to_owned(),
    }
}

fn action(one: &Move<LiarsDice>) -> Option<String> {
    match one {
        Move::Acted(action) => Some(action.to_string()),
        Move::Failed(_) => None,
    }
}

fn what(one: &Move<LiarsDice>, call: Option<&ShownCall>) -> MoveText {
    match (one, call) {
        (Move::Acted(Action::Bid(bid)), _) => MoveText::of(format!("bids {}", bid.in_words())),
        (Move::Acted(Action::Call), None) => MoveText::of("calls"),
        (Move::Acted(Action::Call), Some(call)) => call.what(),
        (Move::Failed(failure), _) => {
            let failure = failure_text(failure);
            MoveText::of(format!("gives no legal action and is out: {failure}"))
        }
    }
}

impl ShownCall {
    /// What a call comes to in this position.
    fn of(game: &LiarsDice) -> Option<Self> {
        let bid = *game.bids().last()?;
        let caller = game.position_to_act()?;
        let seats = game.seats();
        let bidder = (caller + seats.len() - 1) % seats.len();
        let held = game.last_bid_holds()?;
        let (giver, taker) = if held { (caller, bidder) } else { (bidder, caller) };
        let seat = |position: usize| seats[position].index();
        Some(Self {
            bid: bid.into(),
            bidder: seat(bidder),
            there: game.hands().iter().map(|hand| dice_that_count(hand.faces(), bid.face())).sum(),
            held,
            chance: six_digits(Infoset::from_game(game)?.odds(bid).chance()),
            giver: seat(giver),
            taker: seat(taker),
            last: game.hands()[giver].faces().len() == 1,
        })
    }

    fn what(&self) -> MoveText {
        let verb = if self.there == 1 { "is" } else { "are" };
        let there = Face::new(self.bid.face).map(|face| dice_in_words(self.there, face));
        let verdict = if self.held { "the bid holds" } else { "the bid falls" };
        let there = there.unwrap_or_default();
        let last = if self.last { ", the last one" } else { "" };
        MoveText::of("calls ")
            .bot(self.bidder)
            .text(format!(" a liar. There {verb} {there}: {verdict}, and a die goes from "))
            .bot(self.giver)
            .text(" to ")
            .bot(self.taker)
            .text(format!("{last}. The caller's odds that it holds: {}", percent(self.chance)))
    }
}

impl From<Bid> for ShownBid {
    fn from(bid: Bid) -> Self {
        Self { count: bid.count(), face: bid.face().pips() }
    }
}

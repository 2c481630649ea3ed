//! The turns of a recorded game.

use dicehill_arena::Move;
use dicehill_rules::yahtzee::{Action, Roll, Scorecard, Yahtzee, YahtzeeRules};
use dicehill_rules::{Dice, Game};
use dicehill_solver::yahtzee::{self as solver, Hand, Position};

use super::Choice;

/// A turn as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedTurn {
    /// 1 to 13.
    pub round: u32,
    /// The player's scorecard before the turn.
    pub card: Scorecard,
    /// The highest score at the table before the turn, including the player's own.
    pub highest: u32,
    /// One decision for each stage; the last one fills a box.
    pub decisions: Vec<Decision>,
}

/// A decision and the dice that the player saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The number of rerolls so far, 0 to 2.
    pub stage: u8,
    /// The dice in the order shown.
    pub dice: Roll,
    /// The action of the player.
    pub action: Action,
}

impl Decision {
    /// The dice regardless of order.
    #[must_use]
    pub fn hand(&self) -> Hand {
        Hand::from_roll(&self.dice)
    }
}

impl PlayedTurn {
    /// The turns of each of `seats` seats in a game with these moves, in order.
    ///
    /// An incomplete turn has no decision that fills a box. An illegal or failed move ends the
    /// game, which then does not count.
    #[must_use]
    pub fn by_seat<D: Dice>(
        rules: YahtzeeRules,
        dice: &D,
        seats: usize,
        moves: &[Move<Yahtzee>],
    ) -> Vec<Vec<Self>> {
        let mut game = Yahtzee::new(rules, seats, dice);
        let mut turns = vec![Vec::with_capacity(13); seats];
        for record in moves {
            let (Some(seat), Move::Acted(action)) = (game.to_act(), record) else { break };
            let turns: &mut Vec<Self> = &mut turns[seat.index()];
            if game.stage() == 0 {
                turns.push(Self::at_start(&game, game.cards()[seat.index()].clone()));
            }
            let decision = Decision { stage: game.stage(), dice: *game.dice(), action: *action };
            if game.apply(action, dice).is_err() {
                break;
            }
            if let Some(turn) = turns.last_mut() {
                turn.decisions.push(decision);
            }
        }
        turns
    }

    /// The turn in the form that the solver appraises; `None` if it is incomplete.
    #[must_use]
    pub fn to_history(&self) -> Option<solver::TurnHistory> {
        let first = self.decisions.first()?;
        let mut keeps = [None; 2];
        for (keep, two) in keeps.iter_mut().zip(self.decisions.windows(2)) {
            let [decision, next] = two else { break };
            if let Choice::Keep(kept) = Choice::from_action(decision.action, &decision.dice) {
                *keep = Some((kept, next.hand()));
            }
        }
        match self.decisions.last()?.action {
            Action::Keep(_) => None,
            Action::Fill(category) => {
                let position = Position::from_scorecard(&self.card);
                Some(solver::TurnHistory { position, roll: first.hand(), keeps, category })
            }
        }
    }

    /// Whether it ends by filling a box.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.decisions.last().is_some_and(|last| matches!(last.action, Action::Fill(_)))
    }

    fn at_start(game: &Yahtzee, card: Scorecard) -> Self {
        let highest = game.scores().last().copied().unwrap_or_default();
        Self { round: game.round(), card, highest, decisions: Vec::with_capacity(3) }
    }
}

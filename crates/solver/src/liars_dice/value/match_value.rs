//! What a match of two players is worth.

use crate::liars_dice::value::bracket::Bracket;

/// Bounds of the chance to win a match, for who starts the next round with so many dice.
///
/// A round has only two outcomes: its winner has a die more and starts the next. So who plays for the match plays each round to win it,
/// and the values of the rounds give those of the match by a linear system, whose solution is found by
/// iteration until nothing moves. Each bound holds whatever the true values in the brackets are: the lower one takes,
/// wherever a round is played, the end of its bracket that is worse.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchValue {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// Sweeps, far more than are needed.
const MOST_SWEEPS: usize = 100_000;

impl MatchValue {
    /// The match on a table with one die more than there are `rounds`: the first of them is that of a starter with one die.
    #[must_use]
    pub fn new(rounds: &[Bracket]) -> Self {
        let chances = rounds.iter().map(|round| [win(round.lower), win(round.upper)]);
        let chances: Vec<_> = chances.collect();
        let worst = solve(&chances, f64::min);
        let best = solve(&chances, f64::max);
        Self { lower: worst, upper: best }
    }

    /// The least and the greatest chance of who starts with `dice` dice to win the match.
    ///
    /// # Panics
    /// If nobody can have so many.
    #[must_use]
    pub fn starter(&self, dice: u8) -> (f64, f64) {
        let place = usize::from(dice) - 1;
        (self.lower[place], self.upper[place])
    }
}

fn win(value: f64) -> f64 {
    f64::midpoint(1.0, value)
}

/// The chance of one player to win the match, when it starts with each number of dice. `pick` chooses between the ends of each
/// bracket, in its rounds and in those that the other starts.
fn solve(chances: &[[f64; 2]], pick: fn(f64, f64) -> f64) -> Vec<f64> {
    let count = chances.len();
    // By the dice of who starts: this player, or the other.
    let (mut own, mut others) = (vec![0.5; count], vec![0.5; count]);
    for _ in 0..MOST_SWEEPS {
        let mut moved = 0.0f64;
        for place in 0..count {
            let more = |values: &[f64], won: f64| values.get(place + 1).copied().unwrap_or(won);
            let back = count - place;
            let won = more(&own, 1.0);
            let lost = others.get(back).copied().unwrap_or(0.0);
            let value = mix(chances[place], won, lost, pick);
            moved = moved.max((value - own[place]).abs());
            own[place] = value;
            let won = more(&others, 0.0);
            let lost = own.get(back).copied().unwrap_or(1.0);
            let value = mix(chances[place], won, lost, pick);
            moved = moved.max((value - others[place]).abs());
            others[place] = value;
        }
        if moved < 1e-15 {
            break;
        }
    }
    own
}

fn mix(chances: [f64; 2], won: f64, lost: f64, pick: fn(f64, f64) -> f64) -> f64 {
    let [one, other] = chances.map(|chance| chance * won + (1.0 - chance) * lost);
    pick(one, other)
}

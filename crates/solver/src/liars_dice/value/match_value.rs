//! The probability to win a two-player match.

use crate::liars_dice::value::bracket::Bracket;

/// Bounds of the probability to win a match, by the dice of the player who starts the next round.
///
/// A round has two outcomes: its winner gains a die and starts the next round. Optimal match play
/// therefore plays every round to win it, and the values of the rounds determine those of the match
/// by a linear system, solved by iteration to a fixed point. The bounds hold for any values within
/// the rounds' brackets: the lower bound takes the worse end of every bracket, the upper bound the
/// better.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchValue {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// The maximum number of sweeps, far more than convergence takes.
const MAX_SWEEPS: usize = 100_000;

impl MatchValue {
    /// The match on a table with one die more than there are `rounds`. The first of `rounds` is
    /// that of a starter with one die.
    #[must_use]
    pub fn new(rounds: &[Bracket]) -> Self {
        let chances = rounds.iter().map(|round| [win(round.lower), win(round.upper)]);
        let chances: Vec<_> = chances.collect();
        let worst = solve(&chances, f64::min);
        let best = solve(&chances, f64::max);
        Self { lower: worst, upper: best }
    }

    /// The lower and upper bound of the probability that the starter with `dice` dice wins the
    /// match.
    ///
    /// # Panics
    /// If `dice` is not between 1 and the number of rounds.
    #[must_use]
    pub fn starter(&self, dice: u8) -> (f64, f64) {
        let index = usize::from(dice) - 1;
        (self.lower[index], self.upper[index])
    }
}

fn win(value: f64) -> f64 {
    f64::midpoint(1.0, value)
}

/// The probability that one player wins the match, by its dice when it starts. `pick` selects the
/// end of each bracket, in this player's rounds and in those that the opponent starts.
fn solve(chances: &[[f64; 2]], pick: fn(f64, f64) -> f64) -> Vec<f64> {
    let count = chances.len();
    // By the dice of the starter: this player, or the opponent.
    let (mut own, mut opponent) = (vec![0.5; count], vec![0.5; count]);
    for _ in 0..MAX_SWEEPS {
        let mut change = 0.0f64;
        for index in 0..count {
            let more = |values: &[f64], won: f64| values.get(index + 1).copied().unwrap_or(won);
            let back = count - index;
            let won = more(&own, 1.0);
            let lost = opponent.get(back).copied().unwrap_or(0.0);
            let value = mix(chances[index], won, lost, pick);
            change = change.max((value - own[index]).abs());
            own[index] = value;
            let won = more(&opponent, 0.0);
            let lost = own.get(back).copied().unwrap_or(1.0);
            let value = mix(chances[index], won, lost, pick);
            change = change.max((value - opponent[index]).abs());
            opponent[index] = value;
        }
        if change < 1e-15 {
            break;
        }
    }
    own
}

fn mix(chances: [f64; 2], won: f64, lost: f64, pick: fn(f64, f64) -> f64) -> f64 {
    let [one, other] = chances.map(|chance| chance * won + (1.0 - chance) * lost);
    pick(one, other)
}

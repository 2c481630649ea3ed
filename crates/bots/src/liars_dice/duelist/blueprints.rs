//! The shipped blueprints.

use std::iter;
use std::sync::OnceLock;

use dicehill_solver::liars_dice::{Blueprint, Round};

/// For each round, ascending by the starter's dice: the length of its blueprint (4 bytes, little-endian) and the blueprint.
pub(super) const SHIPPED: &[u8] = include_bytes!("blueprints.bin");
/// Number of divisions of the ten dice.
pub(super) const ROUNDS: usize = Round::MAX_DICE as usize - 1;

/// The blueprint of the round that the player with `starter` of the ten dice begins. It is read at the first call and cached.
///
/// # Panics
/// If `starter` is not 1 to 9.
pub fn duelist_blueprint(starter: u8) -> &'static Blueprint {
    static READ: [OnceLock<Blueprint>; ROUNDS] = [const { OnceLock::new() }; ROUNDS];
    let place = usize::from(starter) - 1;
    READ[place].get_or_init(|| {
        let bytes = split(SHIPPED).nth(place).expect("one for each round");
        Blueprint::from_bytes(bytes).expect("what is shipped was tested")
    })
}

/// The encoded blueprints of a file, in order.
pub(super) fn split(mut file: &[u8]) -> impl Iterator<Item = &[u8]> {
    iter::from_fn(move || {
        let (length, rest) = file.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        file = rest;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use dicehill_solver::liars_dice::Exploiter;

    use super::duelist_blueprint;

    /// `most` lies between the exploiter's gain against the blueprint and its gain when rare actions were left out.
    #[track_caller]
    fn check_gain(starter: u8, most: f64) {
        let blueprint = duelist_blueprint(starter);
        let mut exploiter = Exploiter::new(blueprint);
        exploiter.learn(8);
        let responses = exploiter.responses();
        let gain = f64::midpoint(responses.payoff(blueprint), -blueprint.payoff(&responses));
        assert!((0.0..most).contains(&gain), "{starter} dice begin: {gain}");
    }

    #[test]
    fn an_exploiter_gains_little_with_five_dice_each() {
        check_gain(5, 0.1);
    }

    #[test]
    fn an_exploiter_gains_little_with_one_die() {
        check_gain(9, 0.15);
    }
}

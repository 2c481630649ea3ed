//! The master seed of a run, with a secret where entrants could otherwise compute the dice.

use dicehill_rules::SeedParts;

use crate::console::Console;
use crate::failure::Failure;
use crate::seed;

/// The master seed of a run before it is known whether external bots play.
pub(crate) struct MasterSeed {
    text: String,
    origin: Origin,
    secret: u128,
}

/// Where the text of a seed is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The host takes this text as the seed, also with external bots: it was typed for this run, or the hill file says so.
    Open,
    /// A hill file or a hill store.
    Host,
    /// The operating system.
    Drawn,
}

impl MasterSeed {
    /// The seed that was typed for this run, which is open, or that of the hill file, or a new one.
    pub(crate) fn of(
        typed: Option<&str>,
        file: Option<&str>,
        is_open: bool,
    ) -> Result<Self, Failure> {
        let (text, origin) = match (typed, file) {
            (Some(typed), _) => (typed.to_owned(), Origin::Open),
            (None, Some(file)) if is_open => (file.to_owned(), Origin::Open),
            (None, Some(file)) => (file.to_owned(), Origin::Host),
            (None, None) => (seed::draw()?, Origin::Drawn),
        };
        Ok(Self { text, origin, secret: u128::from_be_bytes(seed::random()?) })
    }

    /// The seed with which the run is played: with external bots, the text and the secret, unless the text is open.
    pub(crate) fn for_run(&self, has_external_bots: bool) -> String {
        if has_external_bots && self.origin != Origin::Open {
            return SeedParts::seal(&self.text, self.secret);
        }
        self.text.clone()
    }

    /// Reports a new seed at once, so that the run can be repeated even if its output is lost, and warns of an open one.
    /// The secret is shown with the result.
    pub(crate) fn report(&self, has_external_bots: bool, console: &Console) {
        match self.origin {
            Origin::Drawn => console.report(format!("seed: {}", self.text)),
            Origin::Open if has_external_bots => console.report(
                "warning: the seed is open: a bot that knows or guesses it can compute all dice; without --seed and `open_seed`, a secret is added to it",
            ),
            Origin::Open | Origin::Host => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_added_for_external_bots_unless_the_seed_is_open() {
        let sealed = |typed, file, is_open| {
            let seed = MasterSeed::of(typed, file, is_open).unwrap();
            let other = MasterSeed::of(typed, file, is_open).unwrap();
            assert_eq!(SeedParts::of(&seed.for_run(false)).secret, None);
            let [seed, other] = [seed.for_run(true), other.for_run(true)];
            let has_secret = SeedParts::of(&seed).secret.is_some();
            assert_eq!(has_secret, seed != other, "each run has a secret of its own");
            has_secret
        };
        assert!(sealed(None, Some("spring"), false));
        assert!(sealed(None, None, false));
        assert!(!sealed(None, Some("spring"), true));
        assert!(!sealed(Some("spring"), Some("autumn"), false));
    }
}

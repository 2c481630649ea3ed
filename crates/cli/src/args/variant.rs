//! The variant of the rules.

use dicehill_rules::Game;

use dicehill_store::did_you_mean;

use crate::failure::Failure;

/// The variant of the rules, where no hill says which.
#[derive(clap::Args)]
pub(crate) struct VariantArgs {
    /// The variant of the rules: official, or those of a challenge's original controller: mego-2016 (Yahtzee) or
    /// superjedi-2015 (Liar's Dice)
    #[arg(long)]
    pub(crate) rules: Option<String>,
}

impl VariantArgs {
    /// The named variant, or the official one.
    ///
    /// # Errors
    /// If the game has no such variant.
    pub(crate) fn rules<G: Game>(&self) -> Result<G::Rules, Failure> {
        let Some(name) = &self.rules else { return Ok(G::Rules::default()) };
        G::rules_named(name).ok_or_else(|| {
            let names: Vec<_> = G::RULES.iter().map(ToString::to_string).collect();
            let (known, similar) = (names.join(" and "), did_you_mean(name, &names));
            Failure::Usage(format!("--rules {name}: those of {} are {known}{similar}", G::NAME))
        })
    }
}

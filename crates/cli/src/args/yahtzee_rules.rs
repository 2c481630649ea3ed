//! The rules of solitaire Yahtzee as a value of options.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dicehill_solver::yahtzee::Variant;

/// The name of a variant.
pub(super) fn variant() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(Variant::ALL.map(Variant::name)).map(|name| {
        let named = |variant: &Variant| variant.name() == name;
        Variant::ALL.into_iter().find(named).expect("one of the possible values")
    })
}

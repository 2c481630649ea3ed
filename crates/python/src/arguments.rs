//! Arguments from Python as checked values.

use std::fmt::Display;

use dicehill_rules::Game;
use dicehill_rules::yahtzee::{Category, CategorySet};
use dicehill_solver::yahtzee::Position;
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

pub(crate) fn invalid(why: impl Display) -> pyo3::PyErr {
    PyValueError::new_err(why.to_string())
}

/// The number of an argument in the type that the library has for it; `accepted` says which numbers there are.
pub(crate) fn number<T: TryFrom<i64>>(name: &str, value: i64, accepted: &str) -> PyResult<T> {
    T::try_from(value).map_err(|_| invalid(format!("{name}: {value} is not {accepted}")))
}

/// The variant of the rules with this name, or the official ones.
pub(crate) fn rules<G: Game>(name: Option<&str>) -> PyResult<G::Rules> {
    let Some(name) = name else { return Ok(G::Rules::default()) };
    G::rules_named(name).ok_or_else(|| {
        let names: Vec<_> = G::RULES.iter().map(ToString::to_string).collect();
        invalid(format!("rules: {name:?} is not one of {}", names.join(", ")))
    })
}

/// The position before a turn. Without `free`, all boxes are free.
pub(crate) fn position(
    free: Option<Vec<String>>,
    upper: i64,
    has_yahtzee: bool,
) -> PyResult<Position> {
    let sum = number("upper", upper, "0 to 105")?;
    let free = match free {
        None => CategorySet::ALL,
        Some(names) => {
            let category =
                |name: String| name.parse().map_err(|why| invalid(format!("free: {why}")));
            let found = names.into_iter().map(category).collect::<PyResult<Vec<Category>>>()?;
            let free: CategorySet = found.iter().copied().collect();
            if free.len() != found.len() {
                return Err(invalid("free: a box is named twice"));
            }
            free
        }
    };
    Position::new(free, sum, has_yahtzee).map_err(|why| invalid(format!("upper={upper}: {why}")))
}

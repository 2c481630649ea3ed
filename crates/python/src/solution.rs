//! Exact values of solitaire Yahtzee.

use std::collections::BTreeMap;

use dicehill_coach::yahtzee::{Choice as RankedTo, RankedChoice, advise};
use dicehill_rules::yahtzee::Category;
use dicehill_solver::yahtzee::{Hand, Position, Solution as Solved, Variant};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::advice::face;
use crate::arguments::{invalid, number, position};

/// A choice in a position of Yahtzee, with its exact value.
#[pyclass(frozen, get_all, module = "dicehill")]
pub(crate) struct Choice {
    /// The category to fill; None if dice are kept.
    category: Option<String>,
    /// The faces to keep, ascending; None if a category is filled.
    keep: Option<Vec<u32>>,
    /// The expected further points with optimal play afterwards.
    value: f64,
    /// Points by which the best choice is worth more.
    loss: f64,
}

#[pymethods]
impl Choice {
    fn __repr__(&self) -> String {
        let what = match (&self.category, &self.keep) {
            (Some(category), _) => format!("category={category:?}"),
            (None, keep) => format!("keep={:?}", keep.as_deref().unwrap_or_default()),
        };
        format!("Choice({what}, value={:.4}, loss={:.4})", self.value, self.loss)
    }
}

/// The exact solution of solitaire Yahtzee: the expected further points of optimal play from every position. Making the
/// first one takes about a second of processor time; later ones share it.
#[pyclass(frozen, module = "dicehill")]
pub(crate) struct Solution(&'static Solved);

#[pymethods]
impl Solution {
    #[new]
    #[pyo3(signature = (rules = "official"))]
    fn new(py: Python<'_>, rules: &str) -> PyResult<Self> {
        let variant = Variant::ALL.into_iter().find(|variant| variant.name() == rules);
        let variant = variant.ok_or_else(|| {
            let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            invalid(format!("rules: {rules:?} is not one of {}", names.join(", ")))
        })?;
        Ok(Self(py.detach(|| Solved::shared(variant))))
    }

    /// The name of the rules.
    #[getter]
    fn rules(&self) -> &'static str {
        self.0.variant().name()
    }

    /// The expected score of a whole game, in points.
    #[getter]
    fn start(&self) -> f64 {
        self.0.start()
    }

    /// The expected further points before a turn: with these boxes free (all, unless given), this total in the upper
    /// boxes without the bonus, and 50 in the Yahtzee box or not.
    #[pyo3(signature = (free = None, upper = 0, yahtzee = false))]
    fn value(&self, free: Option<Vec<String>>, upper: i64, yahtzee: bool) -> PyResult<f64> {
        Ok(self.0.value(position(free, upper, yahtzee)?))
    }

    /// All choices with five dice, the best first: at a stage (rerolls used, 0 to 2), with these boxes free (all, unless
    /// given), this total in the upper boxes without the bonus, and 50 in the Yahtzee box or not. In place of the dice, a turn
    /// as a bot has it says all of this.
    #[pyo3(signature = (dice, stage = None, free = None, upper = 0, yahtzee = false))]
    fn advise(
        &self,
        dice: &Bound<'_, PyAny>,
        stage: Option<i64>,
        free: Option<Vec<String>>,
        upper: i64,
        yahtzee: bool,
    ) -> PyResult<Vec<Choice>> {
        if dice.hasattr("card")? {
            let turn = dice;
            if stage.is_some() || free.is_some() || upper != 0 || yahtzee {
                return Err(PyTypeError::new_err(
                    "a turn says its stage, free boxes, upper total and Yahtzee itself: leave them out",
                ));
            }
            let card: BTreeMap<String, i64> = turn.getattr("card")?.extract()?;
            let is_free = |category: &Category| !card.contains_key(category.name());
            let free = Category::ALL.iter().filter(|category| is_free(category));
            let free = free.map(|category| category.name().to_owned()).collect();
            let has_yahtzee = card.get(Category::Yahtzee.name()).is_some_and(|score| *score > 0);
            let (upper, stage) =
                (turn.getattr("upper")?.extract()?, turn.getattr("stage")?.extract()?);
            return self.ranked(
                turn.getattr("dice")?.extract()?,
                stage,
                position(Some(free), upper, has_yahtzee)?,
            );
        }
        let stage = stage
            .ok_or_else(|| PyTypeError::new_err("stage: how many rerolls were used, 0 to 2"))?;
        let dice = dice.extract().map_err(|error: PyErr| {
            let shown = dice.repr().map_or_else(|_| String::new(), |text| text.to_string());
            if error.is_instance_of::<PyOverflowError>(dice.py()) {
                return invalid(format!("dice: {shown} are not all 1 to 6"));
            }
            PyTypeError::new_err(format!(
                "dice: {shown} is neither a list of five whole numbers nor a turn of Yahtzee"
            ))
        })?;
        self.ranked(dice, stage, position(free, upper, yahtzee)?)
    }

    fn __repr__(&self) -> String {
        format!("<Solution: {}, {:.4} points from the start>", self.rules(), self.start())
    }
}

impl Solution {
    fn ranked(&self, dice: Vec<i64>, stage: i64, position: Position) -> PyResult<Vec<Choice>> {
        let count = dice.len();
        let faces =
            dice.into_iter().map(|pips| face("dice", pips)).collect::<PyResult<Vec<_>>>()?;
        let hand = Hand::from_dice(faces).filter(|hand| hand.len() == 5);
        let hand = hand.ok_or_else(|| invalid(format!("dice: {count} are not five")))?;
        let stage = number("stage", stage, "0 to 2")?;
        if stage > 2 {
            return Err(invalid(format!("stage: {stage} is not 0 to 2")));
        }
        Ok(advise(self.0, position, stage, hand).into_iter().map(choice).collect())
    }
}

fn choice(RankedChoice { choice, value, loss }: RankedChoice) -> Choice {
    let (category, keep) = match choice {
        RankedTo::Fill(category) => (Some(category.name().to_owned()), None),
        RankedTo::Keep(hand) => (None, Some(hand.dice().map(|die| die.pips().into()).collect())),
    };
    Choice { category, keep, value, loss }
}

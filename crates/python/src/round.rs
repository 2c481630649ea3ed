//! Rounds of Liar's Dice between two: strategies with exact guarantees, and the exploitability of a policy in Python.

use std::cell::RefCell;
use std::num::NonZero;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid};
use dicehill_solver::liars_dice::{
    ActionProbabilities, Bracket, CertifiedStrategy, Hands, History, Policy, Round, RoundSolver,
    Side, Tree, TreeLimits, best_response,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

use crate::advice::{bid, face, pair};
use crate::arguments::{invalid, number};

/// The most information sets at which a policy in Python is asked.
const MAX_INFORMATION_SETS: usize = 10_000_000;
/// How far the probabilities of a policy may be from a sum of 1.
const MAX_DEVIATION: f64 = 1e-6;

/// Bounds of the value of a round, -1 to 1: the expected payoff of the player who begins, 1 for a won round and -1 for a
/// lost one.
#[pyclass(frozen, get_all, module = "dicehill")]
pub(crate) struct RoundBounds {
    /// What the strategy of the player who begins guarantees.
    lower: f64,
    /// The most that the strategy of the other player concedes.
    upper: f64,
}

#[pymethods]
impl RoundBounds {
    /// Half of the sum of what best responses gain against both strategies; 0 in an equilibrium.
    #[getter]
    fn exploitability(&self) -> f64 {
        self.bracket().exploitability()
    }

    fn __repr__(&self) -> String {
        let Self { lower, upper } = self;
        let exploitability = self.exploitability();
        format!(
            "RoundBounds(lower={lower:.6}, upper={upper:.6}, exploitability={exploitability:.6})"
        )
    }
}

impl RoundBounds {
    const fn bracket(&self) -> Bracket {
        Bracket { lower: self.lower, upper: self.upper }
    }
}

impl From<Bracket> for RoundBounds {
    fn from(Bracket { lower, upper }: Bracket) -> Self {
        Self { lower, upper }
    }
}

/// What a player knows when it acts in a round between two.
#[pyclass(frozen, eq, hash, get_all, module = "dicehill")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct InformationSet {
    /// Whose turn it is: `starter` made the first bid, or makes it; `responder` is the other.
    side: String,
    /// The player's own dice, ascending.
    dice: Vec<u32>,
    /// The number of the opponent's dice.
    hidden_dice: u32,
    /// The bids of the round as pairs of count and face, oldest first.
    bids: Vec<(u32, u32)>,
}

#[pymethods]
impl InformationSet {
    #[new]
    #[pyo3(signature = (dice, hidden_dice, bids = Vec::new()))]
    fn new(dice: Vec<i64>, hidden_dice: i64, bids: Vec<(i64, i64)>) -> PyResult<Self> {
        let side = Side::to_act(bids.len()).name().to_owned();
        let hidden_dice = number("hidden_dice", hidden_dice, "a number of dice")?;
        let dice = dice.into_iter().map(|pips| Ok(face("dice", pips)?.pips().into()));
        let dice = dice.collect::<PyResult<_>>()?;
        let bids = bids.into_iter().map(|(count, pips)| {
            let (count, pips) = pair(bid(count, pips)?);
            Ok((count, pips.into()))
        });
        let bids = bids.collect::<PyResult<_>>()?;
        let mut infoset = Self { side, dice, hidden_dice, bids };
        infoset.dice.sort_unstable();
        infoset.decision()?;
        Ok(infoset)
    }

    /// The last bid; None before the first one.
    #[getter]
    fn last(&self) -> Option<(u32, u32)> {
        self.bids.last().copied()
    }

    /// The actions that can be of use: bids on at most as many dice as are on the table, and the call.
    #[getter]
    fn legal(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let round = self.decision()?.round;
        let bids = (0..round.bids()).map(bid_at).filter(|bid| match self.last() {
            Some((count, pips)) => (bid.count(), bid.face().pips().into()) > (count, pips),
            None => true,
        });
        let bids = bids.map(|bid| Ok(pair(bid).into_pyobject(py)?.into_any().unbind()));
        let call = (!self.bids.is_empty())
            .then(|| Ok(Action::Call.to_string().into_pyobject(py)?.into_any().unbind()));
        bids.chain(call).collect()
    }

    /// What pickles and copies are made of.
    fn __getnewargs__(&self) -> (Vec<u32>, u32, Vec<(u32, u32)>) {
        (self.dice.clone(), self.hidden_dice, self.bids.clone())
    }

    fn __repr__(&self) -> String {
        let Self { dice, hidden_dice, bids, .. } = self;
        format!("InformationSet(dice={dice:?}, hidden_dice={hidden_dice}, bids={bids:?})")
    }
}

/// An information set, checked.
struct Decision {
    round: Round,
    side: Side,
    history: History,
    hand: usize,
}

impl InformationSet {
    fn decision(&self) -> PyResult<Decision> {
        let side = Side::to_act(self.bids.len());
        let own = u32::try_from(self.dice.len()).unwrap_or(u32::MAX);
        let (starter, responder) = match side {
            Side::Starter => (own, self.hidden_dice),
            Side::Responder => (self.hidden_dice, own),
        };
        let round = round(starter, responder)?;
        let bids = self.bids.iter().map(|(count, pips)| bid((*count).into(), (*pips).into()));
        let bids = bids.collect::<PyResult<Vec<_>>>()?;
        let history =
            History::from_bids(round, &bids).map_err(|why| invalid(format!("bids: {why}")))?;
        let dice = self.dice.iter().map(|pips| face("dice", (*pips).into()));
        let dice = dice.collect::<PyResult<Vec<_>>>()?;
        let hand = Hands::new(round.dice(side)).find(&dice);
        let hand = hand.ok_or_else(|| invalid("dice: no such hand"))?;
        Ok(Decision { round, side, history, hand })
    }
}

fn round(starter: u32, responder: u32) -> PyResult<Round> {
    let dice = |count: u32| u8::try_from(count).unwrap_or(u8::MAX);
    Round::new(dice(starter), dice(responder)).map_err(|why| invalid(format!("dice: {why}")))
}

/// The bid with this index, from 0 for a bid of one one.
fn bid_at(index: usize) -> Bid {
    let (count, face) = (index as u32 / 6 + 1, Face::ALL[index % 6]);
    Bid::new(count, face).expect("counts begin with 1")
}

/// A solved round between two: certified strategies of both players, and exact bounds of its value.
#[pyclass(frozen, module = "dicehill")]
pub(crate) struct SolvedRound {
    round: Round,
    strategies: [CertifiedStrategy; 2],
    iterations: u32,
}

#[pymethods]
impl SolvedRound {
    /// The dice of the player who begins, and of the other.
    #[getter]
    fn dice(&self) -> (u32, u32) {
        let [starter, responder] = Side::BOTH.map(|side| self.round.dice(side).into());
        (starter, responder)
    }

    /// The bounds of the value by both strategies.
    #[getter]
    fn bounds(&self) -> RoundBounds {
        let [starter, responder] = self.strategies.each_ref().map(|one| one.guarantee);
        Bracket { lower: starter, upper: -responder }.into()
    }

    /// How often the strategies were improved.
    #[getter]
    const fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The probability of each action that the strategy takes at an information set of this round: pairs of count and face,
    /// or `Liar!`. Where its own play never leads, it calls.
    fn policy<'py>(
        &self,
        py: Python<'py>,
        infoset: &InformationSet,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Decision { round, side, history, hand } = infoset.decision()?;
        if round != self.round {
            return Err(invalid(format!("{} is not of this round", infoset.__repr__())));
        }
        let [starter, responder] = &self.strategies;
        let strategy = match side {
            Side::Starter => &starter.strategy,
            Side::Responder => &responder.strategy,
        };
        let probabilities = PyDict::new(py);
        let mut actions = strategy.action_probabilities(history, hand);
        if actions.is_empty() {
            actions.push((None, 1.0));
        }
        for (action, chance) in actions {
            match action {
                Some(bid) => probabilities.set_item(pair(bid), chance)?,
                None => probabilities.set_item(Action::Call.to_string(), chance)?,
            }
        }
        Ok(probabilities)
    }

    fn __repr__(&self) -> String {
        let ((starter, responder), bounds) = (self.dice(), self.bounds());
        format!("<SolvedRound: {starter} against {responder} dice, {}>", bounds.__repr__())
    }
}

/// Improves strategies for a round of `starter` against `responder` dice `iterations` times; `bids` and `memory` are as in
/// `dicehill solve liars-dice`.
#[pyfunction]
pub(crate) fn solve_round(
    py: Python<'_>,
    starter: u32,
    responder: u32,
    iterations: u32,
    bids: Option<usize>,
    memory: usize,
    jobs: usize,
) -> PyResult<SolvedRound> {
    let round = round(starter, responder)?;
    let jobs = NonZero::new(jobs).ok_or_else(|| invalid("jobs: 0 is not 1 or more"))?;
    if iterations == 0 {
        return Err(invalid("iterations: 0 is not 1 or more"));
    }
    let mut solver = py.detach(|| RoundSolver::new(round, bids, memory)).map_err(invalid)?;
    let mut done = 0;
    while done < iterations {
        py.check_signals()?;
        let is_certified = py.detach(|| {
            let next = solver.next_certified().min(iterations);
            // An iteration of a large round takes long, and an interrupt waits for it.
            solver.learn(1, jobs);
            done += 1;
            done == next || done == iterations
        });
        if is_certified {
            py.detach(|| solver.certify());
        }
    }
    let [starter, responder] = solver.best().clone();
    let strategies = starter.zip(responder).ok_or_else(|| invalid("no strategy was certified"))?;
    Ok(SolvedRound { round, strategies: strategies.into(), iterations })
}

/// The exact bounds that a policy in Python keeps in a round of `starter` against `responder` dice: a function from an
/// `InformationSet` to a mapping from actions to probabilities. With `max_bids`, it is not asked after so many bids and
/// calls.
#[pyfunction]
#[pyo3(signature = (policy, starter, responder, max_bids))]
pub(crate) fn exploitability(
    policy: &Bound<'_, PyAny>,
    starter: u32,
    responder: u32,
    max_bids: Option<usize>,
) -> PyResult<RoundBounds> {
    let round = round(starter, responder)?;
    if max_bids == Some(0) {
        return Err(invalid("max_bids: 0 is not 1 or more"));
    }
    let mut values = [0.0; 2];
    for (value, side) in values.iter_mut().zip(Side::BOTH) {
        *value = response_value(policy, round, side, max_bids)?;
    }
    let [against_starter, against_responder] = values;
    Ok(RoundBounds { lower: -against_starter, upper: against_responder })
}

/// The payoff of the best response to the policy as it plays `side`.
fn response_value(
    policy: &Bound<'_, PyAny>,
    round: Round,
    side: Side,
    max_bids: Option<usize>,
) -> PyResult<f64> {
    let limits = match max_bids {
        None => TreeLimits::NONE,
        // It calls when it is its turn.
        Some(bids) if Side::to_act(bids) == side => TreeLimits::with_max_bids(side, bids),
        Some(bids) => TreeLimits::with_max_bids(side, bids + 1),
    };
    let tree = Tree::new(round, limits);
    let asked = tree.information_sets(side);
    if asked > MAX_INFORMATION_SETS {
        return Err(invalid(format!(
            "dice: a policy has {} information sets as the {side} of this round, and at most \
             {MAX_INFORMATION_SETS} are asked; max_bids makes them fewer",
            if asked == usize::MAX { "2^64 or more".to_owned() } else { asked.to_string() }
        )));
    }
    let hands = Hands::new(round.dice(side));
    let dice = (0..hands.count()).map(|hand| sorted_dice(&hands, hand)).collect();
    let asked = PythonPolicy { policy, round, side, dice, error: RefCell::new(None) };
    let value = best_response(&tree, side, &asked);
    // The sum of the hands' probabilities can deviate from 1 by rounding.
    asked.error.into_inner().map_or(Ok(value.clamp(-1.0, 1.0)), Err)
}

fn sorted_dice(hands: &Hands, hand: usize) -> Vec<u32> {
    let counts = (1..).zip(hands.faces(hand));
    counts.flat_map(|(pips, count)| std::iter::repeat_n(pips, count.into())).collect()
}

/// A function in Python as a policy.
struct PythonPolicy<'a, 'py> {
    policy: &'a Bound<'py, PyAny>,
    round: Round,
    side: Side,
    /// By hand.
    dice: Vec<Vec<u32>>,
    /// The first error. The policy is not asked any more after it.
    error: RefCell<Option<PyErr>>,
}

/// An action as Python gives it.
#[derive(FromPyObject)]
enum GivenAction {
    Bid(u32, u32),
    Text(String),
}

impl Policy for PythonPolicy<'_, '_> {
    fn decide(&self, history: History, probabilities: &mut ActionProbabilities) {
        let mut error = self.error.borrow_mut();
        if error.is_none() {
            *error = self.ask_all(history, probabilities).err();
        }
        if error.is_some() {
            // The value does not matter any more, and this bid ends the round.
            let highest = self.round.bids() as u8 - 1;
            (0..self.dice.len()).for_each(|hand| probabilities.set(hand, Some(highest), 1.0));
        }
    }
}

impl PythonPolicy<'_, '_> {
    fn ask_all(&self, history: History, probabilities: &mut ActionProbabilities) -> PyResult<()> {
        self.policy.py().check_signals()?;
        let bids = history.bid_indices().map(|index| {
            let (count, pips) = pair(bid_at(index.into()));
            (count, pips.into())
        });
        let bids: Vec<_> = bids.collect();
        let hidden_dice = self.round.dice(self.side.other()).into();
        for (hand, dice) in self.dice.iter().enumerate() {
            let (dice, bids) = (dice.clone(), bids.clone());
            let side = self.side.name().to_owned();
            let infoset = InformationSet { side, dice, hidden_dice, bids };
            let name = infoset.__repr__();
            for (action, chance) in self.ask(infoset)? {
                let index = self.index_of(history, action, &name)?;
                probabilities.set(hand, index, chance);
            }
        }
        Ok(())
    }

    /// The actions of the policy, with probabilities whose sum is 1.
    fn ask(&self, infoset: InformationSet) -> PyResult<Vec<(Action, f64)>> {
        let name = infoset.__repr__();
        let answer = self.policy.call1((infoset,))?;
        let answer = answer.cast::<PyMapping>().map_err(|_| {
            let kind = answer.get_type();
            PyTypeError::new_err(format!("policy at {name}: {kind} is no mapping of probabilities"))
        })?;
        let mut actions = Vec::new();
        for item in answer.items()?.iter() {
            let (given, chance): (GivenAction, f64) = item.extract()?;
            if !(chance >= 0.0 && chance.is_finite()) {
                return Err(invalid(format!("policy at {name}: {chance} is no probability")));
            }
            let action = match given {
                GivenAction::Bid(count, pips) => Action::Bid(bid(count.into(), pips.into())?),
                GivenAction::Text(text) => text
                    .parse()
                    .map_err(|why| invalid(format!("policy at {name}: {text:?}: {why}")))?,
            };
            if actions.iter().any(|(known, _)| *known == action) {
                return Err(invalid(format!("policy at {name}: {action} is there twice")));
            }
            actions.push((action, chance));
        }
        // An empty sum would be -0.
        let sum = actions.iter().map(|(_, chance)| chance).sum::<f64>() + 0.0;
        if (sum - 1.0).abs() > MAX_DEVIATION {
            return Err(invalid(format!(
                "policy at {name}: probabilities of {sum} together, not 1"
            )));
        }
        Ok(actions.into_iter().map(|(action, chance)| (action, chance / sum)).collect())
    }

    /// The index of a bid; `None` of the call.
    fn index_of(&self, history: History, action: Action, name: &str) -> PyResult<Option<u8>> {
        let illegal =
            || invalid(format!("policy at {name}: {action} is not legal or never of use"));
        let last = history.last_bid_index();
        match action {
            Action::Call => last.map(|_| None).ok_or_else(illegal),
            Action::Bid(bid) => {
                let all = u32::from(self.round.all_dice());
                let index = (bid.count() <= all)
                    .then(|| (6 * (bid.count() - 1)) as u8 + bid.face().index() as u8);
                let index = index.filter(|index| last.is_none_or(|last| *index > last));
                index.map(Some).ok_or_else(illegal)
            }
        }
    }
}

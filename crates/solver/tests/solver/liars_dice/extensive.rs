//! Any game of two with few states, solved one state after the other. It shares nothing with the solver that it is a measure of.

use std::collections::{BTreeMap, HashMap};

/// What happens at a state.
pub(crate) enum Kind<S> {
    /// The first player's payoff; the second gets the opposite.
    End(f64),
    /// States with their chances.
    Chance(Vec<(f64, S)>),
    /// A player, 0 or 1, chooses one, knowing no more than the text.
    Choice(usize, String, Vec<S>),
}

/// A state of a game.
pub(crate) trait State: Sized {
    fn kind(&self) -> Kind<Self>;
}

/// With which chances each choice is made, by what the player knows.
pub(crate) trait Play {
    fn chances(&self, knowledge: &str, choices: usize) -> Vec<f64>;
}

/// Regrets and sums of strategies.
#[derive(Default)]
pub(crate) struct Learnt(HashMap<String, [Vec<f64>; 2]>);

fn normal(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { even }).collect()
}

impl Play for Learnt {
    fn chances(&self, knowledge: &str, choices: usize) -> Vec<f64> {
        self.0.get(knowledge).map_or(vec![1.0 / choices as f64; choices], |known| normal(&known[1]))
    }
}

/// Counterfactual regret minimisation plus (Tammelin 2014), with linear weights.
pub(crate) fn solve<S: State>(root: &S, iterations: u32) -> Learnt {
    let mut learnt = Learnt::default();
    for iteration in 1..=iterations {
        for player in [0, 1] {
            let mut gains = HashMap::new();
            learn(root, player, [1.0, 1.0], iteration.into(), &mut learnt, &mut gains);
            for (knowledge, gains) in gains {
                let [regrets, _] = learnt.0.get_mut(&knowledge).expect("it was visited");
                regrets.iter_mut().zip(gains).for_each(|(r, gain): (&mut f64, f64)| {
                    *r = (*r + gain).max(0.0);
                });
            }
        }
    }
    learnt
}

fn learn<S: State>(
    state: &S,
    player: usize,
    reach: [f64; 2],
    weight: f64,
    learnt: &mut Learnt,
    gains: &mut HashMap<String, Vec<f64>>,
) -> f64 {
    let (actor, knowledge, choices) = match state.kind() {
        Kind::End(payoff) => return if player == 0 { payoff } else { -payoff },
        Kind::Chance(states) => {
            let value = |(chance, state): &(f64, S), learnt: &mut Learnt, gains: &mut _| {
                let mut reach = reach;
                reach[1 - player] *= chance;
                chance * learn(state, player, reach, weight, learnt, gains)
            };
            return states.iter().map(|state| value(state, learnt, gains)).sum();
        }
        Kind::Choice(actor, knowledge, choices) => (actor, knowledge, choices),
    };
    let none = || [vec![0.0; choices.len()], vec![0.0; choices.len()]];
    let [regrets, sums] = learnt.0.entry(knowledge.clone()).or_insert_with(none);
    let strategy = normal(regrets);
    if actor != player {
        sums.iter_mut().zip(&strategy).for_each(|(s, p)| *s += weight * reach[actor] * p);
    }
    let mut values = Vec::new();
    for (choice, chance) in choices.iter().zip(&strategy) {
        let mut after = reach;
        after[actor] *= chance;
        values.push(learn(choice, player, after, weight, learnt, gains));
    }
    let value = values.iter().zip(&strategy).map(|(value, chance)| value * chance).sum();
    if actor == player {
        let gains = gains.entry(knowledge).or_insert_with(|| vec![0.0; values.len()]);
        for (gain, of) in gains.iter_mut().zip(values) {
            *gain += reach[1 - player] * (of - value);
        }
    }
    value
}

/// What the best answer of `player` gets against how the other plays.
pub(crate) fn best_response<S: State>(root: &S, player: usize, other: &impl Play) -> f64 {
    match root.kind() {
        Kind::Chance(states) => answer(states, player, other),
        Kind::End(_) | Kind::Choice(..) => unreachable!("games begin with chance"),
    }
}

/// The same from states that come with these weights.
fn answer<S: State>(mut states: Vec<(f64, S)>, player: usize, other: &impl Play) -> f64 {
    let mut value = 0.0;
    let mut known: BTreeMap<String, Vec<Vec<(f64, S)>>> = BTreeMap::new();
    while let Some((weight, state)) = states.pop() {
        match state.kind() {
            Kind::End(payoff) => value += weight * if player == 0 { payoff } else { -payoff },
            Kind::Chance(next) => {
                states.extend(next.into_iter().map(|(chance, state)| (weight * chance, state)));
            }
            Kind::Choice(actor, knowledge, choices) if actor == player => {
                let group = known.entry(knowledge).or_default();
                group.resize_with(choices.len(), Vec::new);
                let each = group.iter_mut().zip(choices);
                each.for_each(|(group, state)| group.push((weight, state)));
            }
            Kind::Choice(_, knowledge, choices) => {
                let chances = other.chances(&knowledge, choices.len());
                let next = chances.into_iter().zip(choices);
                states.extend(next.map(|(chance, state)| (weight * chance, state)));
            }
        }
    }
    let best = |choices: Vec<Vec<(f64, S)>>| {
        let values = choices.into_iter().map(|states| answer(states, player, other));
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    value + known.into_values().map(best).sum::<f64>()
}

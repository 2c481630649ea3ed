//! A reference solver for any small two-player game, state by state. It shares no code with the
//! solver under test.

use std::collections::{BTreeMap, HashMap};

/// The kind of a state.
pub(crate) enum Kind<S> {
    /// The end of the game with the first player's payoff; the second player's is its negative.
    End(f64),
    /// Next states with their probabilities.
    Chance(Vec<(f64, S)>),
    /// The player to act, 0 or 1, its information set, and the next states.
    Choice(usize, String, Vec<S>),
}

/// A state of a game.
pub(crate) trait State: Sized {
    fn kind(&self) -> Kind<Self>;
}

/// The action probabilities of a player in an information set.
pub(crate) trait InfosetPolicy {
    fn chances(&self, infoset: &str, choices: usize) -> Vec<f64>;
}

/// By information set: regrets, and sums of the strategy.
#[derive(Default)]
pub(crate) struct InfosetTables(HashMap<String, [Vec<f64>; 2]>);

fn normalise(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { even }).collect()
}

impl InfosetPolicy for InfosetTables {
    fn chances(&self, infoset: &str, choices: usize) -> Vec<f64> {
        self.0
            .get(infoset)
            .map_or(vec![1.0 / choices as f64; choices], |known| normalise(&known[1]))
    }
}

/// Counterfactual regret minimisation plus (Tammelin 2014), with linear weights.
pub(crate) fn solve<S: State>(root: &S, iterations: u32) -> InfosetTables {
    let mut tables = InfosetTables::default();
    for iteration in 1..=iterations {
        for player in [0, 1] {
            let mut regret_sums = HashMap::new();
            update(root, player, [1.0, 1.0], iteration.into(), &mut tables, &mut regret_sums);
            for (infoset, regret_sums) in regret_sums {
                let [regrets, _] = tables.0.get_mut(&infoset).expect("it was visited");
                regrets.iter_mut().zip(regret_sums).for_each(|(r, gain): (&mut f64, f64)| {
                    *r = (*r + gain).max(0.0);
                });
            }
        }
    }
    tables
}

fn update<S: State>(
    state: &S,
    player: usize,
    reach: [f64; 2],
    weight: f64,
    tables: &mut InfosetTables,
    regret_sums: &mut HashMap<String, Vec<f64>>,
) -> f64 {
    let (actor, infoset, choices) = match state.kind() {
        Kind::End(payoff) => return if player == 0 { payoff } else { -payoff },
        Kind::Chance(states) => {
            let value =
                |(chance, state): &(f64, S), tables: &mut InfosetTables, regret_sums: &mut _| {
                    let mut reach = reach;
                    reach[1 - player] *= chance;
                    chance * update(state, player, reach, weight, tables, regret_sums)
                };
            return states.iter().map(|state| value(state, tables, regret_sums)).sum();
        }
        Kind::Choice(actor, infoset, choices) => (actor, infoset, choices),
    };
    let none = || [vec![0.0; choices.len()], vec![0.0; choices.len()]];
    let [regrets, sums] = tables.0.entry(infoset.clone()).or_insert_with(none);
    let strategy = normalise(regrets);
    if actor != player {
        sums.iter_mut().zip(&strategy).for_each(|(s, p)| *s += weight * reach[actor] * p);
    }
    let mut values = Vec::new();
    for (choice, chance) in choices.iter().zip(&strategy) {
        let mut after = reach;
        after[actor] *= chance;
        values.push(update(choice, player, after, weight, tables, regret_sums));
    }
    let value = values.iter().zip(&strategy).map(|(value, chance)| value * chance).sum();
    if actor == player {
        let regret_sums = regret_sums.entry(infoset).or_insert_with(|| vec![0.0; values.len()]);
        for (gain, of) in regret_sums.iter_mut().zip(values) {
            *gain += reach[1 - player] * (of - value);
        }
    }
    value
}

/// The payoff of the best response of `player` to `other`.
pub(crate) fn best_response<S: State>(root: &S, player: usize, other: &impl InfosetPolicy) -> f64 {
    match root.kind() {
        Kind::Chance(states) => respond(states, player, other),
        Kind::End(_) | Kind::Choice(..) => unreachable!("games begin with chance"),
    }
}

/// The best-response value over weighted states.
fn respond<S: State>(mut states: Vec<(f64, S)>, player: usize, other: &impl InfosetPolicy) -> f64 {
    let mut value = 0.0;
    let mut known: BTreeMap<String, Vec<Vec<(f64, S)>>> = BTreeMap::new();
    while let Some((weight, state)) = states.pop() {
        match state.kind() {
            Kind::End(payoff) => value += weight * if player == 0 { payoff } else { -payoff },
            Kind::Chance(next) => {
                states.extend(next.into_iter().map(|(chance, state)| (weight * chance, state)));
            }
            Kind::Choice(actor, infoset, choices) if actor == player => {
                let group = known.entry(infoset).or_default();
                group.resize_with(choices.len(), Vec::new);
                let each = group.iter_mut().zip(choices);
                each.for_each(|(group, state)| group.push((weight, state)));
            }
            Kind::Choice(_, infoset, choices) => {
                let chances = other.chances(&infoset, choices.len());
                let next = chances.into_iter().zip(choices);
                states.extend(next.map(|(chance, state)| (weight * chance, state)));
            }
        }
    }
    let best = |choices: Vec<Vec<(f64, S)>>| {
        let values = choices.into_iter().map(|states| respond(states, player, other));
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    value + known.into_values().map(best).sum::<f64>()
}

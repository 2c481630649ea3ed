//! Vector operations of the traversals. A row has a number for each hand.

use crate::liars_dice::game::hands::LANES;

/// Writes the strategy by regret matching on the sum of regrets and predictions. Tables have one
/// row for each action. A hand without positive regret calls, or plays uniformly where it cannot
/// call.
#[inline(always)]
pub(crate) fn match_regrets(
    regrets: &[f32],
    predictions: &[f32],
    may_call: bool,
    sums: &mut [f32],
    strategy: &mut [f32],
) {
    let width = sums.len();
    sums.fill(0.0);
    for ((row, regrets), predictions) in strategy
        .chunks_exact_mut(width)
        .zip(regrets.chunks_exact(width))
        .zip(predictions.chunks_exact(width))
    {
        for (((to, regret), prediction), sum) in
            row.iter_mut().zip(regrets).zip(predictions).zip(sums.iter_mut())
        {
            let positive = (regret + prediction).max(0.0);
            *to = positive;
            *sum += positive;
        }
    }
    let rows = strategy.len() / width;
    let even = if may_call { 0.0 } else { 1.0 / rows as f32 };
    let first = if may_call { 1.0 } else { even };
    for sum in sums.iter_mut() {
        *sum = if *sum > 0.0 { 1.0 / *sum } else { -1.0 };
    }
    for (number, row) in strategy.chunks_exact_mut(width).enumerate() {
        let fallback = if number == 0 { first } else { even };
        for (to, scale) in row.iter_mut().zip(sums.iter()) {
            *to = if *scale > 0.0 { *to * *scale } else { fallback };
        }
    }
}

/// `to = a * b`, with products below `least` set to 0. Returns whether any product is left.
#[inline(always)]
pub(crate) fn multiply(a: &[f32], b: &[f32], least: f32, to: &mut [f32]) -> bool {
    let mut most = 0.0f32;
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        let product = a * b;
        *to = if product < least { 0.0 } else { product };
        most = most.max(*to);
    }
    most > 0.0
}

/// `to += a`.
#[inline(always)]
pub(crate) fn add(a: &[f32], to: &mut [f32]) {
    for (to, a) in to.iter_mut().zip(a) {
        *to += a;
    }
}

/// `to += a * b`.
#[inline(always)]
pub(crate) fn add_product(a: &[f32], b: &[f32], to: &mut [f32]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to += a * b;
    }
}

/// `to += weight * a`.
#[inline(always)]
pub(crate) fn add_weighted(a: &[f32], weight: f32, to: &mut [f32]) {
    for (to, a) in to.iter_mut().zip(a) {
        *to += weight * a;
    }
}

/// Writes the value of a strategy from the values of its actions. Tables have one row for each action.
#[inline(always)]
pub(crate) fn strategy_value(action_values: &[f32], strategy: &[f32], value: &mut [f32]) {
    let width = value.len();
    value.fill(0.0);
    let rows = action_values.chunks_exact(width).zip(strategy.chunks_exact(width));
    for (action_value, probabilities) in rows {
        add_product(action_value, probabilities, value);
    }
}

/// Whether no hand plays the action.
#[inline(always)]
pub(crate) fn is_zero(chances: &[f32]) -> bool {
    chances.iter().all(|chance| *chance == 0.0)
}

/// Adds each action's gain over the strategy to its regrets, cut off at 0, and stores it as the
/// prediction. Rows whose bit is set in `skipped` stay unchanged.
#[inline(always)]
pub(crate) fn update_regrets(
    values: &[f32],
    value: &[f32],
    skipped: u64,
    regrets: &mut [f32],
    predictions: &mut [f32],
) {
    let width = value.len();
    let rows = values
        .chunks_exact(width)
        .zip(regrets.chunks_exact_mut(width))
        .zip(predictions.chunks_exact_mut(width));
    for (_, ((values, regrets), predictions)) in
        rows.enumerate().filter(|(row, _)| skipped >> row & 1 == 0)
    {
        for (((of, value), regret), prediction) in
            values.iter().zip(value).zip(regrets).zip(predictions)
        {
            let gain = of - value;
            *regret = (*regret + gain).max(0.0);
            *prediction = gain;
        }
    }
}

/// Selects action `number` for the hands for which it is worth more than the best so far.
#[inline(always)]
pub(crate) fn update_best(
    number: u8,
    action_values: &[f32],
    values: &mut [f32],
    best_actions: &mut [u8],
) {
    for ((value, best_action), action_values) in
        values.iter_mut().zip(best_actions).zip(action_values)
    {
        let is_better = *action_values > *value;
        *value = if is_better { *action_values } else { *value };
        *best_action = if is_better { number } else { *best_action };
    }
}

/// The reach probabilities of the hands whose best action is `number`, and 0 for the others.
/// Returns whether any is positive.
#[inline(always)]
pub(crate) fn reach_of_action(
    number: u8,
    best_actions: &[u8],
    reach: &[f32],
    to: &mut [f32],
) -> bool {
    let mut most = 0.0f32;
    for ((to, best_action), reach) in to.iter_mut().zip(best_actions).zip(reach) {
        *to = if *best_action == number { *reach } else { 0.0 };
        most = most.max(*to);
    }
    most > 0.0
}

/// The sum of `a * b`, in as many partial sums as there are lanes, so that it has the same bits
/// with any vector width.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut parts = [0.0f32; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for ((part, a), b) in parts.iter_mut().zip(a).zip(b) {
            *part += a * b;
        }
    }
    const { assert!(LANES == 8, "the sums below are those of eight lanes") };
    let halves: [f32; LANES / 2] =
        std::array::from_fn(|lane| parts[lane] + parts[lane + LANES / 2]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

//! The steps of the walks, for all hands of a player at once.

use crate::liars_dice::game::hands::LANES;

/// Writes the strategy that regrets and their predictions lead to: rows of choices, `width` hands each. Who regrets
/// nothing calls; if that cannot be, all choices are as likely.
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
        let idle = if number == 0 { first } else { even };
        for (to, scale) in row.iter_mut().zip(sums.iter()) {
            *to = if *scale > 0.0 { *to * *scale } else { idle };
        }
    }
}

/// `to = a * b` but for what is below `least`; whether anything is left.
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

/// Whether no hand does this.
#[inline(always)]
pub(crate) fn is_nothing(chances: &[f32]) -> bool {
    chances.iter().all(|chance| *chance == 0.0)
}

/// Adds to the regrets what each choice would have been worth beyond the strategy, and keeps it as the prediction. Rows whose bit is set
/// in `idle` stay as they are.
#[inline(always)]
pub(crate) fn regret(
    values: &[f32],
    value: &[f32],
    idle: u64,
    regrets: &mut [f32],
    predictions: &mut [f32],
) {
    let width = value.len();
    let rows = values
        .chunks_exact(width)
        .zip(regrets.chunks_exact_mut(width))
        .zip(predictions.chunks_exact_mut(width));
    for (_, ((values, regrets), predictions)) in
        rows.enumerate().filter(|(row, _)| idle >> row & 1 == 0)
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

/// Takes the choice of this number where it is worth more.
#[inline(always)]
pub(crate) fn choose(number: u8, of_choice: &[f32], values: &mut [f32], answers: &mut [u8]) {
    for ((value, answer), of_choice) in values.iter_mut().zip(answers).zip(of_choice) {
        let is_better = *of_choice > *value;
        *value = if is_better { *of_choice } else { *value };
        *answer = if is_better { number } else { *answer };
    }
}

/// The chances of the hands whose answer has this number; whether there are any.
#[inline(always)]
pub(crate) fn select(number: u8, answers: &[u8], reach: &[f32], to: &mut [f32]) -> bool {
    let mut most = 0.0f32;
    for ((to, answer), reach) in to.iter_mut().zip(answers).zip(reach) {
        *to = if *answer == number { *reach } else { 0.0 };
        most = most.max(*to);
    }
    most > 0.0
}

/// The sum of `a * b`, in as many parts as there are lanes, so that it is the same with any vectors.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut parts = [0.0f32; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for ((part, a), b) in parts.iter_mut().zip(a).zip(b) {
            *part += a * b;
        }
    }
    let halves: [f32; LANES / 2] = std::array::from_fn(|lane| parts[lane] + parts[lane + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

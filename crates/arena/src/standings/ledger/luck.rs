//! Losses and luck in the samples of one pairing.

use dicehill_rules::SeatResult;

use crate::statistics::{CONTROLS, Controls, Moments, Sums};
use crate::{Appraisal, StartValue};

/// The sums of one pairing, by member.
pub(crate) struct LuckSums {
    start: StartValue,
    /// The open sample.
    open: Vec<OpenSample>,
    /// In millionths of a point.
    pub(crate) loss: Vec<Sums>,
    /// Points with the control variates of luck.
    pub(crate) moments: Vec<Moments>,
}

#[derive(Clone, Copy, Default)]
struct OpenSample {
    loss: u64,
    controls: Controls,
}

impl LuckSums {
    pub(super) fn new(start: StartValue, members: usize) -> Self {
        Self {
            start,
            open: vec![OpenSample::default(); members],
            loss: vec![Sums::default(); members],
            moments: vec![Moments::default(); members],
        }
    }

    /// Adds a game to the open sample; `places` are the member indices at the table, by seat.
    pub(super) fn add_game(
        &mut self,
        places: &[usize],
        results: &[SeatResult],
        appraisals: &[Appraisal],
    ) {
        let luck = |(result, appraisal): (&SeatResult, &Appraisal)| {
            let luck = self.start.luck(result.figures[0], *appraisal);
            [luck, appraisal.variance_points()]
        };
        let of_seats: Vec<_> = results.iter().zip(appraisals).map(luck).collect();
        let [all_luck, all_variance] = sum(&of_seats);
        for ((place, appraisal), [luck, variance]) in places.iter().zip(appraisals).zip(of_seats) {
            let open = &mut self.open[*place];
            open.loss += appraisal.loss;
            let others = (all_luck - luck, all_variance - variance);
            for (sum, control) in open.controls.iter_mut().zip(controls((luck, variance), others)) {
                *sum += control;
            }
        }
    }

    /// `points` are those of each member in the sample.
    pub(super) fn complete_sample(&mut self, points: impl Iterator<Item = u64>) {
        let members = self.open.iter_mut().zip(&mut self.loss).zip(&mut self.moments);
        for (((open, loss), moments), points) in members.zip(points) {
            loss.add(open.loss);
            moments.add(points as f64, &open.controls);
            *open = OpenSample::default();
        }
    }
}

fn sum(of_seats: &[[f64; 2]]) -> [f64; 2] {
    of_seats.iter().fold([0.0; 2], |[a, b], [luck, variance]| [a + luck, b + variance])
}

/// The control variates of a game for an entrant, from its own luck with its variance and the others' total luck with
/// its variance. The expectation of each is 0 whatever the bots decide: luck is a martingale, and its variance is the
/// expected growth of its square.
const fn controls(own: (f64, f64), others: (f64, f64)) -> [f64; CONTROLS] {
    [own.0, others.0, own.0 * own.0 - own.1, own.0 * others.0, others.0 * others.0 - others.1]
}

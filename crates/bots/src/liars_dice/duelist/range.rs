//! Which hands a player may hold.

use dicehill_rules::liars_dice::Bid;
use dicehill_solver::liars_dice::Hands;

/// A weight for each hand.
pub(super) struct Range(pub(super) Vec<f64>);

impl Range {
    pub(super) fn new(dice: u8) -> Self {
        Self(Hands::of(dice).chances().to_vec())
    }

    pub(super) fn multiply(&mut self, chances: &[f64]) {
        self.0.iter_mut().zip(chances).for_each(|(w, c)| *w *= c.max(1e-3));
        self.normalise();
    }

    fn normalise(&mut self) {
        let sum: f64 = self.0.iter().sum();
        self.0.iter_mut().for_each(|w| *w /= sum);
    }

    pub(super) fn learn(&mut self, hands: &Hands, chances: Option<&[f64]>, bid: Bid) {
        let doubt = f64::from(super::envn("DE", 50)) / 1000.0;
        let slope = f64::from(super::envn("DS", 500)) / 1000.0;
        let n = self.0.len();
        // generic likelihood: proportional to exp(slope*count)
        let face = bid.face();
        let generic: Vec<f64> = (0..n)
            .map(|h| {
                let f = hands.faces(h);
                let c = if face.index() == 0 { f[0] } else { f[0] + f[face.index()] };
                (1.0 + slope).powi(i32::from(c))
            })
            .collect();
        let mean: f64 = generic.iter().zip(&self.0).map(|(a, b)| a * b).sum();
        for h in 0..n {
            let c = chances.map_or(0.0, |c| c[h]);
            self.0[h] *= c + doubt * generic[h] / mean;
        }
        self.normalise();
    }
}

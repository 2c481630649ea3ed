//! Random draws for resampling: the same on every machine.

/// A stream of draws.
///
/// The words are SplitMix64's (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug)]
pub(crate) struct Draws {
    state: u64,
    /// Normal draws come in pairs: the second of the last one.
    spare: Option<f64>,
}

impl Draws {
    /// The stream of what the draws are for: a document is a function of the games alone, and two
    /// documents do not share the error of one stream.
    pub(crate) fn of(numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut stream = Self::seeded(0x6469_6365_6869_6c6c);
        for number in numbers {
            stream.state ^= number;
            stream.state = stream.word();
        }
        stream
    }

    const fn seeded(state: u64) -> Self {
        Self { state, spare: None }
    }

    const fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number between 0 and 1, neither of them included.
    const fn uniform(&mut self) -> f64 {
        const STEPS: f64 = (1u64 << 53) as f64;
        ((self.word() >> 11) as f64 + 0.5) / STEPS
    }

    /// A draw of the standard normal distribution, by the polar method.
    ///
    /// Source: Marsaglia and Bray, "A convenient method for generating normal variables", SIAM
    /// Review 6 (1964).
    pub(crate) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(scale * y);
                return scale * x;
            }
        }
    }

    /// A draw of the gamma distribution with the shape 1/2 and the scale 1: half of a normal draw's
    /// square.
    pub(crate) fn half_gamma(&mut self) -> f64 {
        let normal = self.normal();
        normal * normal / 2.0
    }

    /// A draw of the gamma distribution with this shape, at least 1, and the scale 1.
    ///
    /// Source: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26
    /// (2000), with the quick acceptance that spares most logarithms.
    pub(crate) fn gamma(&mut self, shape: f64) -> f64 {
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let root = 1.0 + c * x;
            let v = root * root * root;
            if v <= 0.0 {
                continue;
            }
            let (u, square) = (self.uniform(), x * x);
            if u < 1.0 - 0.0331 * square * square
                || libm::log(u) < 0.5 * square + d * (1.0 - v + libm::log(v))
            {
                return d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        const DRAWS: usize = 200_000;
        let values: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
        let mean = values.iter().sum::<f64>() / DRAWS as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (mean, squares / DRAWS as f64)
    }

    #[test]
    fn words_are_those_of_the_reference() {
        let mut draws = Draws::seeded(1_234_567);
        assert_eq!(draws.word(), 6_457_827_717_110_365_317);
        assert_eq!(draws.word(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_stream_depends_on_every_number_and_their_order() {
        let first = |numbers: &[u64]| Draws::of(numbers.iter().copied()).word();
        let all = [first(&[]), first(&[0]), first(&[1]), first(&[1, 2]), first(&[2, 1])];
        for (index, word) in all.iter().enumerate() {
            assert!(!all[..index].contains(word));
        }
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
    }

    #[test]
    fn draws_have_the_moments_of_their_distributions() {
        let mut draws = Draws::of([]);
        let (mean, variance) = moments(|| draws.normal());
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let (mean, variance) = moments(|| draws.half_gamma());
        assert!((mean - 0.5).abs() < 0.01 && (variance - 0.5).abs() < 0.02, "{mean} {variance}");
        for shape in [1.0, 3.0, 400.0] {
            let (mean, variance) = moments(|| draws.gamma(shape));
            let near = |found: f64| (found / shape - 1.0).abs() < 0.02;
            assert!(near(mean) && near(variance), "{shape}: {mean} {variance}");
        }
    }

    #[test]
    fn a_draw_of_an_exponential_is_below_its_median_half_the_time() {
        let mut draws = Draws::of([]);
        let below = (0..100_000).filter(|_| draws.gamma(1.0) < std::f64::consts::LN_2).count();
        assert!(below.abs_diff(50_000) < 800, "{below}");
    }
}

//! Random draws for resampling: the same on every machine.

/// A deterministic stream of random draws.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub(crate) struct RandomStream {
    state: u64,
    /// The second normal draw of the last pair, if it was not returned yet.
    spare: Option<f64>,
}

impl RandomStream {
    /// A stream that is a function of the data that it is used for: a document then depends on the games alone, and
    /// different documents have independent errors.
    pub(crate) fn seeded_by(numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut stream = Self::seeded(0x6469_6365_6869_6c6c);
        for number in numbers {
            stream.state ^= number;
            stream.state = stream.next_u64();
        }
        stream
    }

    const fn seeded(state: u64) -> Self {
        Self { state, spare: None }
    }

    const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A uniform draw from the open interval (0, 1).
    const fn uniform(&mut self) -> f64 {
        const STEPS: f64 = (1u64 << 53) as f64;
        ((self.next_u64() >> 11) as f64 + 0.5) / STEPS
    }

    /// A draw from the standard normal distribution, by the polar method.
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

    /// A draw from the gamma distribution with shape 1/2 and scale 1: half the square of a normal draw.
    pub(crate) fn half_gamma(&mut self) -> f64 {
        let normal = self.normal();
        normal * normal / 2.0
    }

    /// A draw from the gamma distribution with this shape, at least 1, and scale 1.
    ///
    /// Source: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000), with the
    /// squeeze test that avoids most logarithms.
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

    /// The mean and the variance of 200,000 draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        const DRAWS: usize = 200_000;
        let values: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
        let mean = values.iter().sum::<f64>() / DRAWS as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (mean, squares / DRAWS as f64)
    }

    #[test]
    fn the_generator_agrees_with_the_reference() {
        let mut draws = RandomStream::seeded(1_234_567);
        assert_eq!(draws.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(draws.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_stream_depends_on_every_number_and_their_order() {
        let first = |numbers: &[u64]| RandomStream::seeded_by(numbers.iter().copied()).next_u64();
        let all = [first(&[]), first(&[0]), first(&[1]), first(&[1, 2]), first(&[2, 1])];
        for (index, first_word) in all.iter().enumerate() {
            assert!(!all[..index].contains(first_word));
        }
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
    }

    #[test]
    fn draws_have_the_moments_of_their_distributions() {
        let mut draws = RandomStream::seeded_by([]);
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
    fn half_the_draws_of_an_exponential_are_below_its_median() {
        let mut draws = RandomStream::seeded_by([]);
        let below = (0..100_000).filter(|_| draws.gamma(1.0) < std::f64::consts::LN_2).count();
        assert!(below.abs_diff(50_000) < 800, "{below}");
    }
}

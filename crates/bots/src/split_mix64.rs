//! The random number generator of the bots.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// The same seed gives the same choices on every machine and in every version.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A uniform number in `0..choices`, where `choices` is above 0.
    pub(crate) fn below(&mut self, choices: u32) -> u32 {
        // Lemire, "Fast random integer generation in an interval", 2019: the high half of a product, rejected where the low half would
        // bias the result.
        let threshold = choices.wrapping_neg() % choices;
        loop {
            let product = u64::from(self.word() as u32) * u64::from(choices);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn words_match_the_reference_implementation() {
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(rng.word(), 6_457_827_717_110_365_317);
        assert_eq!(rng.word(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn choices_are_uniform() {
        let mut rng = SplitMix64::new(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }
}

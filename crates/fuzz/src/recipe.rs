//! How an input is made from the corpus.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::mutation::Mutation;

/// An input of the corpus and its mutations. Proptest shrinks it by leaving mutations out.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    seed: Index,
    mutations: Vec<Mutation>,
}

impl Recipe {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let parts = (any::<Index>(), vec(Mutation::any(), 1..6));
        parts.prop_map(|(seed, mutations)| Self { seed, mutations })
    }

    /// The input. `pool` is not empty.
    pub(crate) fn input(&self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.seed.get(pool).clone();
        for mutation in &self.mutations {
            mutation.apply(&mut input, pool);
        }
        input
    }
}

#[cfg(test)]
mod tests {
    use proptest::test_runner::{Config, TestRunner};

    use super::*;

    #[test]
    fn any_bytes_can_be_mutated() {
        let pool = [b"".to_vec(), b"\n".to_vec(), b"a = 1\n[[b]]\nc = \"\xff\"".to_vec()];
        let config = Config { failure_persistence: None, ..Config::default() };
        let checked = TestRunner::new(config).run(&Recipe::any(), |recipe| {
            prop_assert!(recipe.input(&pool).len() <= 128 << 10);
            Ok(())
        });
        checked.expect("no mutation panics");
    }
}

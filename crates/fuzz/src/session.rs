//! Inputs given to a target, and the outcomes.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::outcome;
use crate::recipe::Recipe;

/// The characters of a message that are kept.
const SHOWN: usize = 2000;
/// The most inputs that are mutated.
const MAX_POOL: usize = 5000;
/// The longest input that joins the corpus, in bytes. Longer ones would slow down all that follow from them.
const MAX_JOINED: usize = 16 << 10;

/// Inputs given to a target.
pub(crate) struct Session<'a> {
    target: &'a dyn Fn(&[u8]) -> String,
    pool: RefCell<Vec<Vec<u8>>>,
    kinds: RefCell<HashSet<String>>,
    inputs: Cell<u64>,
    /// Whether a panic is being shrunk, during which the pool stays.
    is_shrinking: Cell<bool>,
    /// Called with each input before the target reads it.
    before: &'a dyn Fn(&[u8]),
    /// Called with each input that joins the corpus.
    joined: &'a dyn Fn(&[u8]),
}

/// An input on which the target panics.
pub(crate) struct Crash {
    pub(crate) input: Vec<u8>,
    pub(crate) message: String,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        target: &'a dyn Fn(&[u8]) -> String,
        before: &'a dyn Fn(&[u8]),
        joined: &'a dyn Fn(&[u8]),
    ) -> Self {
        let (pool, kinds) = (RefCell::default(), RefCell::default());
        let (inputs, is_shrinking) = (Cell::new(0), Cell::new(false));
        Self { target, pool, kinds, inputs, is_shrinking, before, joined }
    }

    /// Replays the inputs of the corpus, which all are mutated later.
    pub(crate) fn replay(&self, corpus: Vec<Vec<u8>>) -> Result<(), Crash> {
        for input in corpus {
            let fed = self.feed(&input);
            fed.map_err(|message| Crash { input: input.clone(), message })?;
            self.pool.borrow_mut().push(input);
        }
        Ok(())
    }

    /// Feeds the target with `cases` mutated inputs, which follow from `seed`. Stops at a panic.
    pub(crate) fn mutate(&self, cases: u32, seed: &str) -> Result<(), Crash> {
        let config =
            Config { cases, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
        let seed = blake3::hash(seed.as_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, seed.as_bytes());
        self.is_shrinking.set(false);
        let ran = TestRunner::new_with_rng(config, rng).run(&Recipe::any(), |recipe| {
            let input = recipe.input(&self.pool.borrow());
            match self.feed(&input) {
                Ok(is_new) => self.grow(is_new, input),
                Err(message) => {
                    self.is_shrinking.set(true);
                    return Err(TestCaseError::fail(message));
                }
            }
            Ok(())
        });
        match ran {
            Ok(()) => Ok(()),
            Err(TestError::Fail(reason, recipe)) => {
                let input = recipe.input(&self.pool.borrow());
                Err(Crash { input, message: reason.to_string() })
            }
            Err(TestError::Abort(reason)) => panic!("no input is rejected: {reason}"),
        }
    }

    fn grow(&self, is_new: bool, input: Vec<u8>) {
        let mut pool = self.pool.borrow_mut();
        let is_small = input.len() <= MAX_JOINED && pool.len() < MAX_POOL;
        if is_new && is_small && !self.is_shrinking.get() {
            (self.joined)(&input);
            pool.push(input);
        }
    }

    /// Gives the target an input. Returns whether its outcome is of a new kind, or the message of its panic.
    fn feed(&self, input: &[u8]) -> Result<bool, String> {
        self.inputs.set(self.inputs.get() + 1);
        (self.before)(input);
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.target)(input))).map_err(message)?;
        Ok(self.kinds.borrow_mut().insert(outcome::kind(&outcome)))
    }

    /// The inputs that the target has read.
    pub(crate) fn inputs(&self) -> u64 {
        self.inputs.get()
    }

    /// The inputs that are mutated.
    pub(crate) fn pool_size(&self) -> u64 {
        self.pool.borrow().len() as u64
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the payload of a panic is owned")]
fn message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<String>().map(|text| text.chars().take(SHOWN).collect());
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

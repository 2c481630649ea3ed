//! A target of fuzzing.

use std::path::PathBuf;

use crate::corpus;
use crate::long_run::LongRun;
use crate::session::Session;

/// The characters of an input that a failing test shows.
const SHOWN: usize = 2000;

/// A target of fuzzing: what reads one kind of input.
pub struct FuzzTarget {
    /// Its name, also that of its folders.
    pub name: &'static str,
    /// The folder of its corpus, with one input a file.
    pub corpus: PathBuf,
    /// Further inputs, such as fixtures; there may be none if the corpus has some.
    pub seeds: Vec<Vec<u8>>,
    /// The mutated inputs of a test.
    pub cases: u32,
}

impl FuzzTarget {
    /// Replays the corpus and tries mutated inputs. `read` gives one input to the reader, panics if a law is broken, and
    /// returns the outcome in words: what was read or the error.
    ///
    /// # Panics
    /// If `read` panics, with the input.
    pub fn check(self, read: impl Fn(&[u8]) -> String) {
        let mut inputs = self.seeds;
        inputs.extend(corpus::read(&self.corpus));
        assert!(!inputs.is_empty(), "{} has no inputs", self.corpus.display());
        if let Some(long_run) = LongRun::requested(self.name) {
            return long_run.run(inputs, &read);
        }
        let session = Session::new(&read, &|_| {}, &|_| {});
        let tried = session.replay(inputs).and_then(|()| session.mutate(self.cases, self.name));
        if let Err(crash) = tried {
            let path = std::env::temp_dir().join(format!(
                "fuzz-{}-{}",
                self.name,
                corpus::file_name(&crash.input)
            ));
            let saved = std::fs::write(&path, &crash.input);
            let shown = crash.input.escape_ascii().to_string();
            panic!(
                "{}: {}\nthe input, {} ({saved:?}), belongs to {} once this is mended: {}",
                self.name,
                crash.message,
                path.display(),
                self.corpus.display(),
                &shown[..shown.len().min(SHOWN)],
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn target() -> FuzzTarget {
        let seeds = vec![b"games = 12\nseats = 3\n".to_vec()];
        FuzzTarget { name: "example", corpus: PathBuf::from("nowhere"), seeds, cases: 500 }
    }

    #[test]
    fn a_panic_is_found_and_shown_with_its_input() {
        let failed = catch_unwind(AssertUnwindSafe(|| {
            target().check(|input| {
                assert!(!input.windows(3).any(|part| part == b"999"), "too many nines");
                String::new()
            });
        }));
        let payload = failed.expect_err("1e999 is among the values");
        let text = payload.downcast_ref::<String>().expect("a text");
        assert!(text.contains("too many nines") && text.contains("1e999"), "{text}");
    }

    #[test]
    fn inputs_with_new_outcomes_are_mutated_further() {
        // Only an input that was mutated twice or more can hold three copies of a line.
        let most = Cell::new(0);
        target().check(|input| {
            let count = input.windows(5).filter(|part| part == b"games").count();
            most.set(most.get().max(count.min(9)));
            "x".repeat(count.min(9))
        });
        assert_eq!(most.get(), 9);
    }
}

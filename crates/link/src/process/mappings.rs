//! How many mappings of memory processes have.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use rustix::process::Pid;

use super::descendants::{is_alive, tasks};

/// The bytes of a line on average at most: the paths of mapped files may be long, and take long to read.
const LINE_BYTES: usize = 512;

/// How much of the maps of processes is read, because reading more takes too long.
pub(crate) struct MapBudget {
    mappings: usize,
    bytes: usize,
}

impl MapBudget {
    /// A budget of so many mappings.
    pub(crate) const fn of(mappings: usize) -> Self {
        Self { mappings, bytes: mappings.saturating_mul(LINE_BYTES) }
    }

    /// Takes what was read from the budget. Returns false if that was more than is left.
    pub(crate) fn take(&mut self, mappings: usize, bytes: usize) -> bool {
        let left = self.mappings.checked_sub(mappings).zip(self.bytes.checked_sub(bytes));
        (self.mappings, self.bytes) = left.unwrap_or_default();
        left.is_some()
    }
}

/// The mappings of some processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MappingCount {
    /// So many, all together.
    Counted(usize),
    /// More than the limit.
    TooMany,
    /// A process keeps its mappings from being read.
    Hidden,
}

/// Counts the mappings of these processes, up to a limit, because reading more takes too long.
pub(crate) fn count_mappings(processes: &[Pid], most: usize) -> MappingCount {
    let (mut count, mut budget) = (0, MapBudget::of(most));
    for pid in processes {
        // The first thread may have ended, and then shows none.
        for thread in tasks(*pid) {
            match count_of(&thread, &mut budget) {
                Ok(Some(0)) => {}
                Ok(Some(found)) => {
                    count += found;
                    break;
                }
                Ok(None) => return MappingCount::TooMany,
                Err(error) if error.kind() == ErrorKind::PermissionDenied && is_alive(&thread) => {
                    return MappingCount::Hidden;
                }
                // It has ended meanwhile.
                Err(_) => {}
            }
        }
    }
    MappingCount::Counted(count)
}

/// The mappings of a thread, which all threads of a process share; `None` if they exceed the budget.
fn count_of(thread: &Path, budget: &mut MapBudget) -> io::Result<Option<usize>> {
    let mut maps = File::open(thread.join("maps"))?;
    let (mut count, mut bytes) = (0, [0; 16 << 10]);
    loop {
        let read = match maps.read(&mut bytes)? {
            0 => return Ok(Some(count)),
            read => read,
        };
        let found = bytes[..read].iter().filter(|byte| **byte == b'\n').count();
        if !budget.take(found, read) {
            return Ok(None);
        }
        count += found;
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_counted_up_to_the_limit() {
        let own = [rustix::process::getpid()];
        let MappingCount::Counted(count) = count_mappings(&own, usize::MAX) else {
            panic!("it has few mappings, and shows them")
        };
        assert!(count > 10, "{count}");
        assert_eq!(count_mappings(&own, 10), MappingCount::TooMany);
        let twice = count_mappings(&[own[0], own[0]], count + 10);
        assert_eq!(twice, MappingCount::TooMany, "the limit is for all processes together");
    }

    #[test]
    fn long_lines_count_as_many_mappings() {
        let mut budget = MapBudget::of(10);
        assert!(budget.take(1, 100));
        assert!(budget.take(1, 10 * LINE_BYTES - 100));
        assert!(!budget.take(1, 1));
        assert!(!budget.take(1, 1), "it stays used up");
        assert!(!MapBudget::of(10).take(11, 0));
        assert!(MapBudget::of(usize::MAX).take(1, 1 << 40));
    }
}

//! How many mappings of memory processes have.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use rustix::process::Pid;

use super::descendants::{is_alive, tasks};

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
    let mut count = 0;
    for pid in processes {
        // The first thread may have ended, and then shows none.
        for thread in tasks(*pid) {
            match count_of(&thread, most - count) {
                Ok(0) => {}
                Ok(found) if found > most - count => return MappingCount::TooMany,
                Ok(found) => {
                    count += found;
                    break;
                }
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

/// The mappings of a thread, which all threads of a process share; more than `most` are not all counted.
fn count_of(thread: &Path, most: usize) -> io::Result<usize> {
    let mut maps = File::open(thread.join("maps"))?;
    let (mut count, mut bytes) = (0, [0; 16 << 10]);
    while count <= most {
        match maps.read(&mut bytes)? {
            0 => break,
            read => count += bytes[..read].iter().filter(|byte| **byte == b'\n').count(),
        }
    }
    Ok(count)
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
}

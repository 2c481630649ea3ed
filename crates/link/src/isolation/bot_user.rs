//! The user as which a sandboxed child runs.

use std::sync::atomic::{AtomicU32, Ordering};

/// A user id that no other process has, for an arena that runs as root: 32 for each process id, used in turn,
/// below the ids that systemd and containers use. In a container that maps few ids it is `nobody`, or else
/// root.
pub(crate) fn next_user() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    const FIRST: u32 = 0x7000_0000;
    const EACH: u32 = 32;
    const NOBODY: u32 = 65534;
    let own = FIRST + std::process::id() * EACH + NEXT.fetch_add(1, Ordering::Relaxed) % EACH;
    [own, NOBODY].into_iter().find(|user| is_known(*user)).unwrap_or(0)
}

/// Whether the user id is mapped in this user namespace.
fn is_known(user: u32) -> bool {
    let Ok(map) = std::fs::read_to_string("/proc/self/uid_map") else { return false };
    map.lines().any(|line| {
        let mut numbers = line.split_ascii_whitespace().map_while(|text| text.parse::<u32>().ok());
        let (first, _, count) = (numbers.next(), numbers.next(), numbers.next());
        matches!((first, count), (Some(first), Some(count)) if user >= first && user - first < count)
    })
}

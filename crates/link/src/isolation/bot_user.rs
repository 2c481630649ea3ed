//! The users as which sandboxed children run.

use std::collections::VecDeque;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// The first user id: below those that systemd and containers use.
const FIRST: u32 = 0x7000_0000;

/// User ids in a block.
const BLOCK: u32 = 256;

/// Blocks below the first id that does not fit into 31 bits.
const BLOCKS: u32 = (0x8000_0000 - FIRST) / BLOCK;

/// How many blocks are tried before an arena shares one: more than there are arenas on a machine.
const TRIES: u32 = 1024;

/// The user without rights that every system has.
const NOBODY: u32 = 65534;

/// A user and a group of the same number. As long as a clone exists, no other child of any arena on the machine
/// gets it, if the arena runs as root in a namespace that has such users. Otherwise the user is `nobody` or root,
/// which only matters to an arena that runs as root.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "u32", from = "u32")]
pub(crate) struct BotUser(Arc<Lease>);

#[derive(Debug)]
struct Lease {
    number: u32,
    /// Whether to return the number when the child has ended.
    is_leased: bool,
}

impl BotUser {
    /// A user that no living child has.
    pub(crate) fn new() -> Self {
        let is_root = rustix::process::geteuid().is_root();
        if !is_root || !is_known(FIRST) {
            return Self::from([NOBODY].into_iter().find(|user| is_known(*user)).unwrap_or(0));
        }
        let number = FREE_USERS.lock().unwrap_or_else(PoisonError::into_inner).take();
        Self(Arc::new(Lease { number, is_leased: true }))
    }

    /// The id of the user and of its group; 0 if no user without rights is known.
    pub(crate) fn number(&self) -> u32 {
        self.0.number
    }
}

impl From<u32> for BotUser {
    /// The user of a child of another process, which keeps it for the child.
    fn from(number: u32) -> Self {
        Self(Arc::new(Lease { number, is_leased: false }))
    }
}

impl From<BotUser> for u32 {
    fn from(user: BotUser) -> Self {
        user.number()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.is_leased {
            let mut free = FREE_USERS.lock().unwrap_or_else(PoisonError::into_inner);
            free.numbers.push_back(self.number);
        }
    }
}

/// The users of this arena that no child has.
static FREE_USERS: Mutex<FreeUsers> =
    Mutex::new(FreeUsers { blocks: Vec::new(), numbers: VecDeque::new() });

/// Users that no child has, in reserved blocks. A number is reused as late as possible.
struct FreeUsers {
    /// Each reserves a block: a name of which the kernel allows only one on the machine, and which is free again
    /// however the arena ends.
    blocks: Vec<UnixListener>,
    numbers: VecDeque<u32>,
}

impl FreeUsers {
    fn take(&mut self) -> u32 {
        if self.numbers.is_empty() {
            self.reserve_block();
        }
        self.numbers.pop_front().expect("a block is not empty")
    }

    /// Reserves the first free block. The search starts at a place of this process's own, so that arenas that do
    /// not see each other's names, in containers, differ too.
    fn reserve_block(&mut self) {
        let namespace = fs::metadata("/proc/self/ns/pid").map_or(0, |meta| meta.ino() as u32);
        let start = std::process::id().wrapping_add(namespace.wrapping_mul(7919)) % BLOCKS;
        let mut candidates = (0..TRIES).map(|offset| (start + offset) % BLOCKS);
        let found = candidates.find_map(|block| Some((block, reserve(block).ok()?)));
        // An arena that may not bind names has its blocks by chance alone.
        let (block, listener) = found.map_or((start, None), |(block, name)| (block, Some(name)));
        self.blocks.extend(listener);
        let mut numbers: Vec<_> = (0..BLOCK).map(|number| FIRST + block * BLOCK + number).collect();
        // In an order of chance: else a child could tell from its own number how many the arena has started.
        let order = RandomState::new();
        numbers.sort_by_cached_key(|number| order.hash_one(number));
        self.numbers.extend(numbers);
    }
}

/// Binds the name of a block.
#[cfg(target_os = "linux")]
fn reserve(block: u32) -> io::Result<UnixListener> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;
    let name = format!("dicehill-users-{block}");
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

/// Only Linux has such names.
#[cfg(not(target_os = "linux"))]
fn reserve(_block: u32) -> io::Result<UnixListener> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the user id is mapped in this user namespace.
fn is_known(user: u32) -> bool {
    let Ok(map) = fs::read_to_string("/proc/self/uid_map") else { return false };
    map.lines().any(|line| {
        let mut numbers = line.split_ascii_whitespace().map_while(|text| text.parse::<u32>().ok());
        let (first, _, count) = (numbers.next(), numbers.next(), numbers.next());
        matches!((first, count), (Some(first), Some(count)) if user >= first && user - first < count)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// More than a block has.
    const CHILDREN: usize = 600;

    #[test]
    fn each_living_child_has_its_own_user() {
        if !rustix::process::geteuid().is_root() || !is_known(FIRST) {
            eprintln!(
                "not run: only root in a namespace with enough users gives each child its own"
            );
            return;
        }
        let first: Vec<_> = (0..CHILDREN).map(|_| BotUser::new()).collect();
        let (ended, mut alive) = (first[..CHILDREN / 2].to_vec(), first[CHILDREN / 2..].to_vec());
        drop(first);
        drop(ended);
        alive.extend((0..CHILDREN).map(|_| BotUser::new()));
        let numbers: HashSet<_> = alive.iter().map(BotUser::number).collect();
        assert_eq!(numbers.len(), alive.len());
    }

    #[test]
    fn numbers_do_not_tell_how_many_children_there_were() {
        let mut users = FreeUsers { blocks: Vec::new(), numbers: VecDeque::new() };
        let taken: Vec<_> = (0..BLOCK).map(|_| users.take()).collect();
        assert!(!taken.is_sorted(), "{taken:?}");
    }

    #[test]
    fn a_block_belongs_to_one_arena() {
        let empty = || FreeUsers { blocks: Vec::new(), numbers: VecDeque::new() };
        // Two in one process search from the same place.
        let (mut first, mut second) = (empty(), empty());
        let numbers: HashSet<_> =
            (0..CHILDREN).flat_map(|_| [first.take(), second.take()]).collect();
        assert_eq!(numbers.len(), 2 * CHILDREN);
    }
}

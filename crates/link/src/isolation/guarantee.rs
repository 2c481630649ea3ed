//! What a host can rely on about sandboxed bots.

use super::mechanism::{Mechanism, MissingMechanism};

/// A property of sandboxed bots that hosts can rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guarantee {
    /// The property, for display.
    pub what: &'static str,
    /// Sets of mechanisms, each of which is sufficient as a whole.
    ways: &'static [&'static [Mechanism]],
}

/// The guarantees about sandboxed bots.
pub const GUARANTEES: [Guarantee; 11] = {
    use Mechanism::{
        Bounds, FileRules, IpcNamespace, MountNamespace, NetworkNamespace, OwnProc, OwnUser,
        PidNamespace, SystemCalls, UserNamespace,
    };
    [
        Guarantee {
            what: "bots see no files but their own and the system's programs",
            ways: &[&[MountNamespace], &[FileRules]],
        },
        Guarantee {
            // Landlock has no rules for the modes, owners and times of files, which their owner may change.
            what: "bots change no files but their own, nor who may open them",
            ways: &[&[MountNamespace], &[OwnUser, FileRules]],
        },
        Guarantee { what: "bots have no network", ways: &[&[NetworkNamespace], &[SystemCalls]] },
        Guarantee {
            what: "bots see and reach no other process",
            ways: &[&[PidNamespace, MountNamespace, OwnProc]],
        },
        Guarantee { what: "nothing that bots start outlives them", ways: &[&[PidNamespace]] },
        Guarantee {
            what: "bots share no memory and no queues",
            ways: &[&[IpcNamespace], &[SystemCalls]],
        },
        Guarantee {
            what: "bots cannot read the machine's load",
            ways: &[&[MountNamespace, OwnProc, FileRules, SystemCalls]],
        },
        Guarantee {
            what: "colluding bots cannot observe what others do with the system's files",
            ways: &[&[FileRules, SystemCalls]],
        },
        Guarantee {
            what: "bots are limited in processes, files and descriptors",
            ways: &[&[Bounds]],
        },
        Guarantee {
            what: "bots have no rights over the machine",
            ways: &[&[UserNamespace, SystemCalls], &[OwnUser]],
        },
        Guarantee {
            what: "bots cannot reach the rarely used parts of the kernel",
            ways: &[&[SystemCalls]],
        },
    ]
};

/// The mechanisms that some machines lack and that no guarantee rests on: each is a second barrier behind others, of which any of
/// these sets prevents the same.
const SECOND_BARRIERS: [(Mechanism, &[&[Mechanism]]); 4] = {
    use Mechanism::{
        CgroupNamespace, FileRules, NetworkNamespace, NetworkRules, PidNamespace, ScopeRules,
        SystemCalls, UtsNamespace,
    };
    [
        // It is never used to hide the name, only so that none can set it.
        (UtsNamespace, &[&[SystemCalls]]),
        // Only files in `/proc` show the group of a process.
        (CgroupNamespace, &[&[FileRules]]),
        (NetworkRules, &[&[NetworkNamespace], &[SystemCalls]]),
        (ScopeRules, &[&[PidNamespace, NetworkNamespace], &[PidNamespace, SystemCalls]]),
    ]
};

/// Whether bots are less isolated than promised because a mechanism is among the missing ones. A mechanism that no guarantee
/// rests on weakens isolation if it is [needed](Mechanism::is_needed), unless it is a second barrier behind others that are present.
#[must_use]
pub fn weakens_isolation(mechanism: Mechanism, missing: &[MissingMechanism]) -> bool {
    let uses = |guarantee: &&Guarantee| guarantee.ways.iter().any(|way| way.contains(&mechanism));
    let guarantees: Vec<_> = GUARANTEES.iter().filter(uses).collect();
    if guarantees.is_empty() {
        return mechanism.is_needed() && !is_behind_others(mechanism, missing);
    }
    let is_cause = |one: &&MissingMechanism| one.mechanism == mechanism;
    guarantees.iter().any(|guarantee| guarantee.prevented_by(missing).iter().any(is_cause))
}

/// Whether other mechanisms prevent the same, and are present.
fn is_behind_others(mechanism: Mechanism, missing: &[MissingMechanism]) -> bool {
    let is_present = |one: &Mechanism| missing.iter().all(|missing| missing.mechanism != *one);
    let holds = |others: &&[Mechanism]| others.iter().all(is_present);
    let behind = SECOND_BARRIERS.iter().filter(|(second, _)| *second == mechanism);
    behind.flat_map(|(_, ways)| ways.iter()).any(holds)
}

impl Guarantee {
    /// The missing mechanisms that prevent the guarantee, by the way that lacks the fewest; empty if it
    /// holds.
    #[must_use]
    pub fn prevented_by<'a>(&self, missing: &'a [MissingMechanism]) -> Vec<&'a MissingMechanism> {
        let lacking = |way: &&[Mechanism]| -> Vec<&MissingMechanism> {
            missing.iter().filter(|missing| way.contains(&missing.mechanism)).collect()
        };
        let each = self.ways.iter().map(lacking);
        each.min_by_key(Vec::len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(mechanisms: &[Mechanism]) -> Vec<MissingMechanism> {
        let why = "it is refused";
        mechanisms.iter().map(|one| MissingMechanism { mechanism: *one, why: why.into() }).collect()
    }

    /// Linux before 6.7 and before 6.12 lacks rules of Landlock, and a machine may forbid kinds of namespaces.
    #[test]
    fn a_second_barrier_is_needed_only_without_the_first() {
        use Mechanism::{
            CgroupNamespace, FileRules, NetworkNamespace, NetworkRules, PidNamespace, ScopeRules,
            SystemCalls, UtsNamespace,
        };
        let older = missing(&[NetworkRules, ScopeRules]);
        assert!(![NetworkRules, ScopeRules].iter().any(|one| weakens_isolation(*one, &older)));
        for namespace in [CgroupNamespace, UtsNamespace] {
            assert!(!weakens_isolation(namespace, &missing(&[namespace])), "{namespace:?}");
        }
        assert!(GUARANTEES.iter().all(|guarantee| guarantee.prevented_by(&older).is_empty()));
        for (second, first) in [
            (NetworkRules, &[NetworkNamespace, SystemCalls][..]),
            (ScopeRules, &[PidNamespace]),
            (ScopeRules, &[NetworkNamespace, SystemCalls]),
            (CgroupNamespace, &[FileRules]),
            (UtsNamespace, &[SystemCalls]),
        ] {
            let without_both = missing(&[&[second][..], first].concat());
            assert!(weakens_isolation(second, &without_both), "{second:?} without {first:?}");
        }
        assert!(!weakens_isolation(ScopeRules, &missing(&[ScopeRules, SystemCalls])));
    }

    #[test]
    fn a_mechanism_with_a_substitute_does_not_weaken_isolation() {
        use Mechanism::{ControlGroups, OwnUser, PidNamespace, SystemCalls, UserNamespace};
        // Root in a chroot, where no user namespace can be made.
        let in_chroot = missing(&[ControlGroups, UserNamespace]);
        assert!(!weakens_isolation(UserNamespace, &in_chroot));
        assert!(!weakens_isolation(ControlGroups, &in_chroot));
        let without_substitute = missing(&[OwnUser, UserNamespace, SystemCalls]);
        assert!(weakens_isolation(OwnUser, &without_substitute));
        assert!(weakens_isolation(SystemCalls, &without_substitute));
        assert!(weakens_isolation(PidNamespace, &missing(&[PidNamespace])));
    }

    #[test]
    fn a_bot_of_the_same_user_may_change_files_only_where_a_mount_namespace_protects_them() {
        use Mechanism::{MountNamespace, OwnUser};
        let keeps_files = |missing: &[MissingMechanism]| {
            let what = "bots change no files but their own, nor who may open them";
            let guarantee = GUARANTEES.iter().find(|one| one.what == what);
            guarantee.expect("it is one of them").prevented_by(missing).is_empty()
        };
        assert!(keeps_files(&missing(&[OwnUser])), "an ordinary user");
        assert!(keeps_files(&missing(&[MountNamespace])), "root");
        assert!(!keeps_files(&missing(&[OwnUser, MountNamespace])));
        assert!(!weakens_isolation(OwnUser, &missing(&[OwnUser])));
    }
}

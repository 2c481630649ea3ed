//! Attacks on the limits of bots: they fail in a sandbox, and succeed without one.

use std::sync::{Mutex, PoisonError};

use dicehill_link::attacks::{ATTACKS, AttackOutcome, Decoy, attempt};
use dicehill_link::{Isolation, NetworkAccess, probe};

use crate::support::use_helper;

/// A process has one decoy at a time, whose socket has the process's number in its name.
static DECOY: Mutex<()> = Mutex::new(());

/// Expects these attacks to fail in a sandbox, and to succeed without one.
#[track_caller]
fn check(names: &[&str]) {
    use_helper();
    let missing = probe().expect("it can be tried");
    let is_complete = missing.iter().all(|missing| !missing.mechanism.is_needed());
    let _alone = DECOY.lock().unwrap_or_else(PoisonError::into_inner);
    let decoy = Decoy::new().expect("there is space for it");
    for name in names {
        let attack = ATTACKS.iter().find(|attack| attack.name == *name).expect("it is one");
        let outcome = attempt(attack, &decoy, Isolation::Off, NetworkAccess::None);
        assert!(matches!(outcome, AttackOutcome::Open(_)), "{name} without a sandbox: {outcome}");
        if is_complete {
            let outcome = attempt(attack, &decoy, Isolation::On, NetworkAccess::None);
            assert!(matches!(outcome, AttackOutcome::Contained(_)), "{name}: {outcome}");
            println!("{name}: {outcome}");
        }
    }
}

#[test]
fn files_are_found_wherever_they_are_held() {
    check(&[
        "fill-disk",
        "fill-folder",
        "reserve-disk",
        "hide-files",
        "hide-descriptors",
        "separate-descriptors",
    ]);
}

#[test]
fn processor_time_is_counted_in_whichever_process_it_is_used() {
    check(&["spin", "relay", "relay-unreaped"]);
}

/// Without a writable folder nothing else reads the mappings of a bot.
#[test]
fn mappings_are_counted_in_all_processes() {
    check(&["mappings"]);
}

#[test]
fn numbers_that_count_for_the_whole_machine_are_refused() {
    check(&["process-descriptor", "socket-cookie"]);
}

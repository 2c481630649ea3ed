//! Carries out the attacks.

mod progress;

use std::sync::atomic::Ordering;

use dicehill_link::attacks::{ATTACKS, Attack, AttackOutcome, Decoy, attempt};
use dicehill_link::{Isolation, NetworkAccess};

use self::progress::AttackProgress;
use super::finding::{Finding, Verdict};
use crate::console::Console;
use crate::console::interrupt::stop_flag;
use crate::failure::Failure;

/// Carries out all attacks; `None` if the user interrupts them.
pub(super) fn all(
    isolation: Isolation,
    network: NetworkAccess,
    console: &Console,
) -> Result<Option<Vec<Finding>>, Failure> {
    let stop = stop_flag(console)?;
    let decoy = Decoy::new()?;
    let tried = || ATTACKS.iter().filter(|attack| !attack.is_granted_by(network));
    let progress = AttackProgress::new(tried().count(), console);
    let mut findings = Vec::new();
    // One after the other, as some exhaust resources that others need.
    for attack in tried() {
        if stop.load(Ordering::Relaxed) {
            progress.clear();
            return Ok(None);
        }
        progress.begin(attack.what);
        let outcome = attempt(attack, &decoy, isolation, network);
        findings.push(finding(attack, outcome, isolation));
    }
    progress.clear();
    Ok(Some(findings))
}

fn finding(attack: &Attack, outcome: AttackOutcome, isolation: Isolation) -> Finding {
    let (verdict, detail) = match outcome {
        AttackOutcome::Contained(detail) => (Verdict::Contained, detail),
        AttackOutcome::Open(detail) => (Verdict::Open, detail),
        AttackOutcome::Unknown(detail) => (Verdict::Unknown, detail),
    };
    let remedy = match (verdict, isolation) {
        (Verdict::Contained, _) => String::new(),
        (Verdict::Unknown, _) => format!("It could not be tried: {detail}."),
        (Verdict::Open, Isolation::Off) => "Leave out --no-isolation.".to_owned(),
        (Verdict::Open, Isolation::On) => attack.remedy.to_owned(),
    };
    let meaning = if verdict == Verdict::Open { attack.meaning } else { "" };
    let mechanisms = attack.defences.iter().map(|one| one.name()).collect();
    Finding { name: attack.name, what: attack.what, verdict, meaning, detail, mechanisms, remedy }
}

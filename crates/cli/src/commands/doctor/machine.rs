//! What the report says of the machine.

use dicehill_link::{Isolation, Mechanism, platform_gap, probe, weakens_isolation};

/// Whether this machine has a mechanism of isolation.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) present: bool,
    /// Whether isolation is weaker without it.
    pub(super) needed: bool,
    /// The message of the system if it is absent.
    pub(super) detail: String,
    /// Empty if it is present, or the system cannot have it.
    pub(super) remedy: &'static str,
}

/// All mechanisms, each tried out.
pub(super) fn mechanisms() -> std::io::Result<Vec<Fact>> {
    let missing = probe()?;
    let has_sandbox = platform_gap(Isolation::On).is_none();
    let fact = |mechanism: Mechanism| {
        let absent = missing.iter().find(|absent| absent.mechanism == mechanism);
        Fact {
            name: mechanism.name(),
            present: absent.is_none(),
            needed: match absent {
                Some(_) => weakens_isolation(mechanism, missing),
                None => mechanism.is_needed(),
            },
            detail: absent.map(|absent| absent.why.clone()).unwrap_or_default(),
            remedy: absent.filter(|_| has_sandbox).map(|_| mechanism.remedy()).unwrap_or_default(),
        }
    };
    Ok(Mechanism::ALL.map(fact).into())
}

//! What isolation this machine can give to external bots.

use dicehill_link::{GUARANTEES, Guarantee};

use crate::text::printable;

/// The guarantees for external bots that this machine cannot give, each with the reason and the remedy.
///
/// # Errors
/// If the machine could not be probed.
pub(crate) fn missing_guarantees() -> std::io::Result<Vec<String>> {
    let absent = dicehill_link::probe()?;
    let missing = |guarantee: &Guarantee| {
        let lacking = guarantee.prevented_by(absent);
        let first = lacking.first()?;
        let names: Vec<_> = lacking.iter().map(|absent| absent.mechanism.name()).collect();
        let names = names.join(", ");
        let why = printable(&first.why);
        Some(format!(
            "{} (no {names}: {why}); to get it: {}",
            guarantee.what,
            first.mechanism.remedy()
        ))
    };
    Ok(GUARANTEES.iter().filter_map(missing).collect())
}

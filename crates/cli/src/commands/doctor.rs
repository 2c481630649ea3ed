//! `dicehill doctor`: which guarantees this machine can give.

#[cfg(target_os = "linux")]
mod attacks;
mod document;
mod finding;
mod machine;
mod report;
mod table;

use std::io::Write;

use dicehill_link::{Isolation, NetworkAccess};

use self::report::Report;
use crate::args::{DoctorArgs, DoctorFormat};
use crate::bots::missing_guarantees;
use crate::console::Console;
use crate::failure::{Failure, Outcome};

pub(crate) fn doctor(args: &DoctorArgs, console: &Console) -> Result<Outcome, Failure> {
    let isolation = if args.no_isolation { Isolation::Off } else { Isolation::On };
    let network = if args.network { NetworkAccess::Host } else { NetworkAccess::None };
    let Some(findings) = attacks::all(isolation, network, console)? else {
        return Ok(Outcome::Interrupted);
    };
    // Without isolation nothing is, and on other systems than Linux the report says so.
    let is_sandboxed = isolation == Isolation::On && !findings.is_empty();
    let missing_guarantees = if is_sandboxed { missing_guarantees()? } else { Vec::new() };
    let mechanisms = machine::mechanisms()?;
    let report = Report { isolation, network, mechanisms, findings, missing_guarantees };
    let mut out = console.out();
    match args.format {
        DoctorFormat::Table => report.write(&mut out)?,
        DoctorFormat::Json => writeln!(out.verbatim(), "{}", report.document())?,
    }
    Ok(report.outcome())
}

#[cfg(not(target_os = "linux"))]
mod attacks {
    use dicehill_link::{Isolation, NetworkAccess};

    use super::finding::Finding;
    use crate::console::Console;
    use crate::failure::Failure;

    /// No attacks: they are for Linux.
    pub(super) fn all(
        _: Isolation,
        _: NetworkAccess,
        _: &Console,
    ) -> Result<Option<Vec<Finding>>, Failure> {
        Ok(Some(Vec::new()))
    }
}

//! The report as a JSON document.

use dicehill_link::{Isolation, NetworkAccess};
use serde_json::{Value, json};

use super::finding::{Finding, Verdict};
use super::machine::Fact;
use super::report::Report;
use crate::system::{effective_user, kernel};

impl Report {
    /// The document `dicehill.doctor/1`.
    pub(super) fn document(&self) -> Value {
        let mechanism = |one: &Fact| {
            let Fact { name, present, needed, detail, remedy } = one;
            json!({
                "name": name,
                "present": present,
                "needed": needed,
                "detail": detail,
                "remedy": remedy,
            })
        };
        let attack = |one: &Finding| {
            json!({
                "name": one.name,
                "what": one.what,
                "contained": one.verdict.is_contained(),
                "meaning": one.meaning,
                "detail": one.detail,
                "mechanism": one.mechanisms.join(", "),
                "remedy": one.remedy,
            })
        };
        json!({
            "schema": "dicehill.doctor/1",
            "program": concat!("dicehill ", env!("CARGO_PKG_VERSION")),
            "kernel": kernel(),
            "user": effective_user(),
            "isolation": self.isolation == Isolation::On,
            "network": self.network == NetworkAccess::Host,
            "exit_code": self.outcome().exit_code(),
            "contained": self.count(Verdict::Contained),
            "open": self.count(Verdict::Open),
            "unknown": self.count(Verdict::Unknown),
            "missing_guarantees": self.missing_guarantees,
            "mechanisms": self.mechanisms.iter().map(mechanism).collect::<Vec<_>>(),
            "attacks": self.findings.iter().map(attack).collect::<Vec<_>>(),
        })
    }
}

//! The result of all attacks, and what it means.

use dicehill_link::{Isolation, NetworkAccess};

use super::finding::{Finding, Verdict};
use super::machine::Fact;
use crate::failure::Outcome;
use crate::text::counted;

/// The mechanisms of this machine, and the result of all attacks.
pub(super) struct Report {
    pub(super) isolation: Isolation,
    /// Of a sandboxed bot.
    pub(super) network: NetworkAccess,
    pub(super) mechanisms: Vec<Fact>,
    pub(super) findings: Vec<Finding>,
    /// What is promised of sandboxed bots and not guaranteed here, each with the reason and the remedy.
    pub(super) missing_guarantees: Vec<String>,
}

impl Report {
    /// How the command ends. Where no attacks can be tried, nothing is known to be contained.
    pub(super) fn outcome(&self) -> Outcome {
        let is_safe = self.missing_guarantees.is_empty()
            && !self.findings.is_empty()
            && self.count(Verdict::Contained) == self.findings.len();
        if is_safe { Outcome::Done } else { Outcome::Open }
    }

    pub(super) fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    /// The remedies, without duplicates.
    pub(super) fn remedies(&self) -> Vec<&str> {
        let mut remedies = Vec::new();
        // Without isolation, the only remedy is to switch it on.
        let is_wanted = |remedy: &&str| !remedy.is_empty() && self.isolation == Isolation::On;
        for remedy in self.findings.iter().map(|one| one.remedy.as_str()).filter(is_wanted) {
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        }
        remedies
    }

    /// What the results mean for a run.
    pub(super) fn summary(&self) -> String {
        let contained = self.count(Verdict::Contained);
        let all = self.findings.len();
        let count = format!("{contained} of {} contained", counted(all as u64, "attack"));
        let bots = match self.network {
            NetworkAccess::None => "bots",
            NetworkAccess::Host => "bots with a network beyond their use of it",
        };
        let meaning = match (self.isolation, self.count(Verdict::Open), all - contained) {
            (Isolation::Off, ..) => "without isolation a run here has to trust its bots".to_owned(),
            (Isolation::On, 0, 0) if self.missing_guarantees.is_empty() => {
                format!("none of them is open to {bots} in a run here")
            }
            (Isolation::On, 0, 0) => "but not every promise is guaranteed here".to_owned(),
            (Isolation::On, 0, unknown) => format!(
                "whether a run here has to trust its {bots} is not known in {}",
                counted(unknown as u64, "way")
            ),
            (Isolation::On, open, _) => format!(
                "a run here has to trust its {bots} in the {} above that {} OPEN",
                counted(open as u64, "way"),
                if open == 1 { "is" } else { "are" }
            ),
        };
        format!("{count}; {meaning}.")
    }
}

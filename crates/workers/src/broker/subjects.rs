//! The subjects of messages. `docs/machines.md` lists who needs which.

use crate::id::Id;

/// The subjects of a run.
pub(crate) struct Subjects;

impl Subjects {
    /// All hosts make their runs known here.
    pub(crate) const ANNOUNCEMENTS: &'static str = "dicehill.announce.*";
    /// All workers signal here that they are alive.
    pub(crate) const SIGNS: &'static str = "dicehill.worker.*";
    /// The orders of all runs.
    pub(crate) const WORK: &'static str = "dicehill.work.*";

    pub(crate) fn announcement(run: Id) -> String {
        format!("dicehill.announce.{run}")
    }

    pub(crate) fn sign(worker: Id) -> String {
        format!("dicehill.worker.{worker}")
    }

    pub(crate) fn work(run: Id) -> String {
        format!("dicehill.work.{run}")
    }

    /// A worker asks the host for the plan here.
    pub(crate) fn plan(run: Id) -> String {
        format!("dicehill.plan.{run}")
    }

    /// A worker sends its games to the host here.
    pub(crate) fn results(run: Id) -> String {
        format!("dicehill.results.{run}")
    }
}

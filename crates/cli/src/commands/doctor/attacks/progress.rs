//! The progress of attacks.

use indicatif::ProgressBar;

use crate::console::Console;
use crate::console::progress::live_line;
use crate::text::counted;

/// Shows on a terminal which attack is running.
pub(super) struct AttackProgress {
    bar: ProgressBar,
}

impl AttackProgress {
    pub(super) fn new(attacks: usize, console: &Console) -> Self {
        Self { bar: live_line(attacks as u64, counted(attacks as u64, "attack"), console) }
    }

    /// Shows the next attack.
    pub(super) fn begin(&self, what: &str) {
        self.bar.inc(1);
        let all = self.bar.length().unwrap_or(0);
        self.bar.set_message(format!("attack {} of {all}: {what}", self.bar.position()));
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

//! The live line of a run.

use std::time::Duration;

use dicehill_arena::{Event, Hill};
use dicehill_rules::Game;
use indicatif::{ProgressBar, ProgressStyle};

use crate::text::thousands;

/// Games between two looks at who leads.
const LEADER_EVERY: u64 = 64;

/// Shows on a terminal how far a run is; elsewhere nothing.
pub(crate) struct Progress {
    bar: ProgressBar,
    games: u64,
}

impl Progress {
    /// A line for a run of `games` games.
    pub(crate) fn new(title: &str, games: u64) -> Self {
        let bar = ProgressBar::new(games);
        let template =
            "{prefix} {wide_bar:.green} {human_pos}/{human_len} games, {per_sec}, {eta} left{msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        bar.set_style(style.progress_chars("━╸─"));
        bar.set_prefix(title.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, games }
    }

    pub(crate) fn show<G: Game>(&self, hill: &Hill<G>, event: &Event<'_, G>) {
        match event {
            Event::Started(_) => {}
            Event::Played(_, ledger) => {
                let done = ledger.games() + ledger.play_offs();
                if done.is_multiple_of(LEADER_EVERY) {
                    self.bar.set_length(self.games.max(done));
                    self.bar.set_position(done);
                    let ids: Vec<_> = hill.ids().collect();
                    if let Some(leader) = ledger.leaders(&ids).first() {
                        let points = thousands(ledger.points(*leader));
                        self.bar.set_message(format!(
                            ", {} leads with {points}",
                            hill.name_of(*leader)
                        ));
                    }
                }
            }
            Event::Barred(bar) => {
                let message = format!("{} is barred in game {}: {}", bar.bot, bar.game, bar.reason);
                self.bar.println(message);
                self.bar.set_position(0);
            }
            Event::Ended(_) => self.clear(),
        }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

//! What is remarkable in a game that was judged.

use dicehill_rules::{Game, Seat};

use crate::terms::CompletedGame;
use crate::{Appraisal, Highlight, Hill, Play, TournamentGame};

impl<G: TournamentGame> Hill<G> {
    /// Has the highlights of the games found that are played from now on.
    #[must_use]
    pub fn with_highlights(mut self) -> Self {
        self.highlighter = Some(G::watch);
        self
    }
}

impl<G: Game> Hill<G> {
    /// What is remarkable in a game that is over; `None` unless highlights are found on this hill. A game that was not watched
    /// ([`Play::watched`]) is replayed.
    #[must_use]
    pub fn highlights(
        &self,
        play: &mut Play<'_, G>,
        appraisals: &[Appraisal],
    ) -> Option<Vec<Highlight>> {
        let highlighter = self.highlighter?;
        let results: Vec<_> =
            Seat::all(play.seats()).map(|seat| play.game().result(seat)).collect();
        let luck = self.start_value.map(|start| start.luck_of(&results, appraisals));
        let luck = luck.unwrap_or_default();
        if let Some(watch) = play.watch() {
            return Some(watch.found(&results, &luck));
        }
        let (rules, dice, moves) = (self.rules(), play.dice(), play.moves());
        Some(CompletedGame { rules, dice, moves, results: &results, luck }.highlights(highlighter))
    }
}

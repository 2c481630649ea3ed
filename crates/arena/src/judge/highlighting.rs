//! What is remarkable in a game that was judged.

use dicehill_rules::{Game, Seat};

use crate::{Appraisal, CompletedGame, Highlight, Hill, Play, TournamentGame};

impl<G: TournamentGame> Hill<G> {
    /// Has the highlights of the games found that are played from now on.
    #[must_use]
    pub fn with_highlights(mut self) -> Self {
        self.highlighter = Some(G::highlights);
        self
    }
}

impl<G: Game> Hill<G> {
    /// What is remarkable in a game that is over; `None` unless highlights are found on this hill.
    #[must_use]
    pub fn highlights(
        &self,
        play: &Play<'_, G>,
        appraisals: &[Appraisal],
    ) -> Option<Vec<Highlight>> {
        let highlighter = self.highlighter?;
        let results: Vec<_> =
            Seat::all(play.seats()).map(|seat| play.game().result(seat)).collect();
        let luck = self.start_value.map(|start| start.luck_of(&results, appraisals));
        Some(highlighter(&CompletedGame {
            rules: self.rules(),
            dice: play.dice(),
            moves: play.moves(),
            results: &results,
            luck: luck.unwrap_or_default(),
        }))
    }
}

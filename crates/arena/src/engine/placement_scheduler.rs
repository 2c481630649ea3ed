//! Chooses the rivals of a new entrant that is being placed.

use dicehill_rules::Game;

use crate::{
    EntrantId, Hill, Ledger, Placement, PlacementEstimate, PlacementResult, Schedule, six_digits,
};

/// Games of a block.
pub(crate) const GAMES_PER_BLOCK: u64 = 2;

/// Chooses which rival a new entrant plays next, from the results of the blocks so far.
pub struct PlacementScheduler {
    new_entrant: EntrantId,
    rivals: Vec<EntrantId>,
    placement: Placement,
    games: u64,
    /// The rival of the block in progress, and the points of both before it.
    block: Option<(usize, [u64; 2])>,
}

impl PlacementScheduler {
    /// Starts without any block; `None` if the run places no entrant.
    #[must_use]
    pub fn new<G: Game>(schedule: &Schedule<'_, G>) -> Option<Self> {
        let strengths = schedule.hill().strengths()?;
        let new_entrant = schedule.hill().challenger(schedule.active())?;
        let rival =
            |pairing: &Vec<EntrantId>| pairing.iter().copied().find(|id| *id != new_entrant);
        let rivals: Vec<_> = schedule.pairings().iter().filter_map(rival).collect();
        let known: Vec<_> = rivals.iter().map(|id| strengths[id.index()]).collect();
        let placement = Placement::new(&known);
        Some(Self { new_entrant, rivals, placement, games: 0, block: None })
    }

    /// The pairing that plays the next block, by its index in [`Schedule::pairings`]; `None` when the rank is found.
    /// `ledger` must have all games so far.
    pub fn next_block(&mut self, ledger: &Ledger) -> Option<usize> {
        if let Some((rival, before)) = self.block.take() {
            let after = self.points(rival, ledger);
            let [own, other] = [0, 1].map(|side| after[side].saturating_sub(before[side]) as f64);
            let share = if own + other > 0.0 { own / (own + other) } else { 0.5 };
            self.placement.add_block(rival, GAMES_PER_BLOCK as u32, share);
            self.games += GAMES_PER_BLOCK;
        }
        let rival = self.placement.next_rival()?;
        self.block = Some((rival, self.points(rival, ledger)));
        Some(rival)
    }

    fn points(&self, rival: usize, ledger: &Ledger) -> [u64; 2] {
        [self.new_entrant, self.rivals[rival]].map(|id| ledger.points(id))
    }

    /// The rank of the new entrant by the blocks so far.
    pub(crate) fn result<G: Game>(&self, hill: &Hill<G>) -> PlacementResult {
        let PlacementEstimate { rank, best, worst, strength, .. } = self.placement.estimate();
        PlacementResult {
            bot: hill.name_of(self.new_entrant).to_owned(),
            rank,
            rank_ci95: [best, worst],
            among: self.rivals.len() + 1,
            games: self.games,
            strength: six_digits(strength),
        }
    }
}

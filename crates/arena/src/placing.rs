//! A newcomer is placed: who plays it next follows from the blocks so far.

use std::io;
use std::ops::ControlFlow;

use dicehill_rules::Game;
use serde::{Deserialize, Serialize};

use crate::attempt::{Attempt, Flow};
use crate::played::recall_or_play;
use crate::{EntrantId, Event, Hill, Ledger, PlacedAt, Placement, Schedule, six_digits};

/// Where a newcomer stands among the others of its gauntlet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placing {
    /// Who it is.
    pub bot: String,
    /// Its rank, from 1.
    pub rank: usize,
    /// The best and the worst rank of the 95 % interval.
    pub rank_ci95: [usize; 2],
    /// How many there are, with itself.
    pub among: usize,
    /// Games played.
    pub games: u64,
    /// Its strength, on the scale of [`Placement`].
    pub strength: f64,
}

/// Chooses whom a newcomer plays next, by what has become of the blocks so far.
pub struct Placer {
    newcomer: EntrantId,
    rivals: Vec<EntrantId>,
    placement: Placement,
    games: u64,
    /// The rival of the block that is being played, and the points of both before it.
    open: Option<(usize, [u64; 2])>,
}

impl Placer {
    /// Nobody has been played yet; `None` if the run places nobody.
    #[must_use]
    pub fn new<G: Game>(schedule: &Schedule<'_, G>) -> Option<Self> {
        let strengths = schedule.hill().strengths()?;
        let newcomer = schedule.hill().challenger(schedule.active())?;
        let rival = |pairing: &Vec<EntrantId>| pairing.iter().copied().find(|id| *id != newcomer);
        let rivals: Vec<_> = schedule.pairings().iter().filter_map(rival).collect();
        let known: Vec<_> = rivals.iter().map(|id| strengths[id.index()]).collect();
        Some(Self { newcomer, rivals, placement: Placement::new(&known), games: 0, open: None })
    }

    /// Says to `schedule` who plays the next block, once `ledger` has all games before; false if the rank is
    /// found.
    pub fn next_block<G: Game>(&mut self, schedule: &Schedule<'_, G>, ledger: &Ledger) -> bool {
        if let Some((rival, before)) = self.open.take() {
            let after = self.points(rival, ledger);
            let [own, other] =
                [0, 1].map(|place| after[place].saturating_sub(before[place]) as f64);
            let share = if own + other > 0.0 { own / (own + other) } else { 0.5 };
            self.placement.add(rival, GAMES as u32, share);
            self.games += GAMES;
        }
        let Some(rival) = self.placement.next_rival() else { return false };
        self.open = Some((rival, self.points(rival, ledger)));
        schedule.choose(rival);
        true
    }

    fn points(&self, rival: usize, ledger: &Ledger) -> [u64; 2] {
        [self.newcomer, self.rivals[rival]].map(|id| ledger.points(id))
    }

    /// Where the newcomer stands.
    fn placing<G: Game>(&self, hill: &Hill<G>) -> Placing {
        let PlacedAt { rank, best, worst, strength, .. } = self.placement.standing();
        Placing {
            bot: hill.name_of(self.newcomer).to_owned(),
            rank,
            rank_ci95: [best, worst],
            among: self.rivals.len() + 1,
            games: self.games,
            strength: six_digits(strength),
        }
    }
}

impl<G: Game> Attempt<'_, G> {
    /// Plays blocks against whoever teaches most, one after the other, until the newcomer's rank is found.
    pub(crate) fn place(
        &mut self,
        mut placer: Placer,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        while placer.next_block(self.schedule(), self.ledger()) {
            for game in placer.games + 1..=placer.games + GAMES {
                self.go_on()?;
                let (schedule, chance) = (self.schedule(), self.chance());
                let fixture = schedule.fixture(game);
                let outcome = recall_or_play(schedule.hill(), chance, self.recorded(), fixture);
                self.take(outcome, |again| again(), on)?;
            }
        }
        self.set_placing(placer.placing(self.schedule().hill()));
        ControlFlow::Continue(())
    }
}

/// Games of a block.
const GAMES: u64 = 2;

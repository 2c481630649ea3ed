//! A newcomer is placed: who plays it next follows from the blocks so far.

use std::io;
use std::ops::ControlFlow;

use dicehill_rules::Game;
use serde::{Deserialize, Serialize};

use crate::run::{Attempt, Flow, recall_or_play};
use crate::{EntrantId, Event, Hill, PlacedAt, Placement, six_digits};

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

impl Placing {
    fn new<G: Game>(
        hill: &Hill<G>,
        newcomer: EntrantId,
        among: usize,
        at: (u64, PlacedAt),
    ) -> Self {
        let (games, PlacedAt { rank, best, worst, strength, .. }) = at;
        Self {
            bot: hill.name_of(newcomer).to_owned(),
            rank,
            rank_ci95: [best, worst],
            among,
            games,
            strength: six_digits(strength),
        }
    }
}

impl<G: Game> Attempt<'_, G> {
    /// Plays blocks against whoever teaches most, one after the other, until the newcomer's rank is found.
    pub(crate) fn place(
        &mut self,
        strengths: &[f64],
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        let schedule = self.schedule();
        let Some(newcomer) = schedule.hill().challenger(schedule.active()) else {
            return ControlFlow::Continue(());
        };
        let rival = |pairing: &Vec<EntrantId>| {
            pairing.iter().copied().find(|id| *id != newcomer).expect("a pairing has two")
        };
        let rivals: Vec<_> = schedule.pairings().iter().map(rival).collect();
        let known: Vec<_> = rivals.iter().map(|id| strengths[id.index()]).collect();
        let mut placement = Placement::new(&known);
        let mut games = 0;
        while let Some(chosen) = placement.next_rival() {
            let pair = [newcomer, rivals[chosen]];
            let before = pair.map(|id| self.ledger().points(id));
            schedule.choose(chosen);
            self.play_block(games, on)?;
            games += GAMES;
            let after = pair.map(|id| self.ledger().points(id));
            let [own, other] =
                [after[0] - before[0], after[1] - before[1]].map(|points| points as f64);
            let share = if own + other > 0.0 { own / (own + other) } else { 0.5 };
            placement.add(chosen, GAMES as u32, share);
        }
        let at = (games, placement.standing());
        self.set_placing(Placing::new(schedule.hill(), newcomer, rivals.len() + 1, at));
        ControlFlow::Continue(())
    }

    fn play_block(
        &mut self,
        games: u64,
        on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
    ) -> Flow {
        for game in games + 1..=games + GAMES {
            self.go_on()?;
            let fixture = self.schedule().fixture(game);
            let outcome =
                recall_or_play(self.schedule().hill(), self.chance(), self.recorded(), fixture);
            self.take(outcome, |again| again(), on)?;
        }
        ControlFlow::Continue(())
    }
}

/// Games of a block.
const GAMES: u64 = 2;

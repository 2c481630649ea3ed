//! Hills whose games are simulated, and many runs of them at once.

use std::sync::{Arc, Mutex};

use dicehill_arena::{
    BotName, Entrant, Fixture, FormatName, Hill, HillDraft, Ledger, Program, ResultDocument,
    Schedule,
};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, SeatResult};

/// The permitted range of the coverage of 95 % intervals, in percent.
pub(super) const AIM: [f64; 2] = [93.0, 97.0];

/// A hill of Yahtzee with this many entrants, in a duel at tables of `seats`; its bots never play.
pub(super) fn hill(
    entrants: usize,
    format: FormatName,
    seats: Option<usize>,
    games: i64,
) -> Hill<Yahtzee> {
    let [house, ..] = yahtzee_bots();
    let seats = seats.map(|seats| seats as i64);
    let draft = HillDraft { format, seats, games, ..challenge(house, entrants) };
    Hill::new(draft).expect("a hill that can be played")
}

/// A challenge of Liar's Dice with this many entrants, at tables that are drawn; its bots never play.
pub(super) fn liars_dice_challenge(entrants: usize, games: i64) -> Hill<LiarsDice> {
    let [house, ..] = liars_dice_bots();
    let draft = HillDraft { games, ..challenge(house, entrants) };
    Hill::new(draft).expect("a hill that can be played")
}

fn challenge<G: Game>(bot: HouseBot<G>, entrants: usize) -> HillDraft<G> {
    let program: Arc<dyn Program<G>> = Arc::new(bot);
    let entrant = |index: usize| {
        Entrant::new(BotName::new(&name(index)).expect("a name"), Arc::clone(&program))
    };
    HillDraft::challenge((0..entrants).map(entrant).collect(), "prove")
}

/// The name of an entrant, by its index.
pub(super) fn name(index: usize) -> String {
    format!("entrant-{index}")
}

/// The result document of a run with these winners.
pub(super) fn simulate(
    hill: &Hill<Yahtzee>,
    mut wins: impl FnMut(&Fixture) -> Vec<bool>,
) -> ResultDocument {
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(hill, &chance, hill.ids().collect());
    let mut ledger = Ledger::new(&schedule);
    for game in 1..=schedule.games() {
        let fixture = schedule.fixture(game);
        let result = |won: bool| SeatResult {
            points: u64::from(won),
            won,
            figures: [u64::from(won), 0, 0, 0],
        };
        let results: Vec<_> = wins(&fixture).into_iter().map(result).collect();
        ledger.add(&schedule, &fixture, &results, &[]);
    }
    ResultDocument::new(hill, &ledger, schedule.active(), &[], String::new())
}

/// A uniform number between 0 and 1.
pub(super) fn uniform(chance: &Chance, place: u64, purpose: &str) -> f64 {
    (chance.bot_seed(place, purpose) >> 11) as f64 / (1u64 << 53) as f64
}

/// `compute` of each number below `count`, in order.
pub(super) fn in_parallel<T: Send>(count: u64, compute: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if index >= count {
                break;
            }
            let value = compute(index);
            found.lock().expect("no thread panics with the lock").push((index, value));
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| _ = scope.spawn(work));
    });
    let mut found = found.into_inner().expect("no thread panicked with the lock");
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, value)| value).collect()
}

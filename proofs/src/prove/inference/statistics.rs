//! Intervals hold the truth as often as they say, over many runs whose truth is known.

use std::sync::Mutex;

use dicehill_arena::{
    BotName, Entrant, Fixture, FormatName, Hill, HillDraft, Interval, Ledger, ResultDocument,
    Schedule, Standing,
};
use dicehill_bots::yahtzee_bots;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, SeatResult};

use crate::figures::Figure;
use crate::prove::hills;

/// Runs of each rate.
const RUNS: u64 = 2000;
/// Games of each run at tables of two: the usual number.
const GAMES: i64 = HillDraft::<Yahtzee>::USUAL_GAMES;
/// True rates of wins.
const RATES: [f64; 10] = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];
/// The share of intervals that may hold the truth, in percent.
const AIM: [f64; 2] = [93.0, 97.0];
/// Elo's points for each factor of e.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// What the games of a block have in common.
#[derive(Clone, Copy)]
enum Luck {
    /// Nothing.
    Independent,
    /// Half of the blocks go the same way in all games.
    Shared,
    /// In half of the blocks of two what is luck in one game is bad luck in the other.
    Cancelled,
}

/// Runs that are simulated: one entrant has the rate, the others are alike.
struct Setting {
    name: &'static str,
    format: FormatName,
    entrants: usize,
    luck: Luck,
}

const SETTINGS: [Setting; 4] = [
    Setting {
        name: "challenge between two",
        format: FormatName::Challenge,
        entrants: 2,
        luck: Luck::Independent,
    },
    Setting {
        name: "duel in whose blocks luck is shared",
        format: FormatName::Duel,
        entrants: 2,
        luck: Luck::Shared,
    },
    Setting {
        name: "duel in whose blocks luck is cancelled",
        format: FormatName::Duel,
        entrants: 2,
        luck: Luck::Cancelled,
    },
    Setting {
        name: "duel at a table of four, luck shared",
        format: FormatName::Duel,
        entrants: 4,
        luck: Luck::Shared,
    },
];

pub(crate) fn figures() -> Vec<Figure> {
    let mut figures = Vec::new();
    for setting in &SETTINGS {
        let found =
            in_parallel(RATES.len() as u64, |index| setting.coverage(RATES[index as usize]));
        let kinds = ["win rate", "rating", "head to head, share"];
        // Between two the share is the win rate.
        let told = if setting.entrants == 2 { 2 } else { 3 };
        for (kind, name) in kinds.into_iter().enumerate().take(told) {
            let shares: Vec<f64> = found.iter().map(|coverage| coverage[kind]).collect();
            figures.push(coverage(&format!("{}: {name}", setting.name), &shares));
        }
    }
    figures.extend([0.0, 0.2, 1.0].map(ties));
    figures.push(champions());
    figures
}

/// How often intervals held the truth, at the worst rates.
fn coverage(name: &str, shares: &[f64]) -> Figure {
    let least = shares.iter().copied().fold(100.0, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    Figure {
        name: format!("{name}, 95 % intervals with the truth, % of {RUNS} runs at each rate"),
        value: format!("{mean:.1}"),
        interval: format!("{least:.1} - {most:.1} over {} rates from .05 to .95", shares.len()),
        aim: format!("{} - {} at every rate", AIM[0], AIM[1]),
        met: least >= AIM[0] && most <= AIM[1],
    }
}

impl Setting {
    /// The percentages of runs whose intervals hold the first entrant's win rate, its rating, and its
    /// share of the games against the second.
    fn coverage(&self, rate: f64) -> [f64; 3] {
        let hill = hill(self.entrants, self.format, self.seats(), self.games());
        let others = (self.entrants - 1) as f64;
        // The others win alike.
        let other_rate = (1.0 - rate) / others;
        let strength = (rate / other_rate).ln();
        // Whoever wins has more, and those who do not are level.
        let ahead = rate + (1.0 - rate - other_rate) / 2.0;
        let mut held = [0u32; 3];
        for run in 0..RUNS {
            let chance = Chance::new(&format!("{} {rate} {run}", self.name));
            let document = simulate(&hill, |fixture| self.winner(&chance, fixture, rate));
            let row = row(&document, 0);
            held[0] += u32::from(holds(row.win_rate_ci95, rate));
            let zero = strength * weight(row) / document.standings.iter().map(weight).sum::<f64>();
            held[1] += u32::from(holds(row.rating_ci95, ELO * (strength - zero)));
            let pair = document.head_to_head.iter().find(|pair| {
                [&pair.bot, &pair.other].into_iter().all(|bot| NAMES[..2].contains(&bot.as_str()))
            });
            let pair = pair.expect("they have met");
            let share = if pair.bot == NAMES[0] { ahead } else { 1.0 - ahead };
            held[2] += u32::from(holds(pair.rate_ci95, share));
        }
        held.map(|held| 100.0 * f64::from(held) / RUNS as f64)
    }

    /// As many blocks at every table.
    fn games(&self) -> i64 {
        GAMES / 2 * self.entrants as i64
    }

    /// All sit at one table.
    fn seats(&self) -> Option<usize> {
        (self.format == FormatName::Duel).then_some(self.entrants)
    }

    /// Who wins a game alone.
    fn winner(&self, chance: &Chance, fixture: &Fixture, rate: f64) -> Vec<bool> {
        let block = fixture.table;
        let own = |game: u64| uniform(chance, game, "game");
        let together = uniform(chance, block, "kind") < 0.5;
        let luck = match self.luck {
            Luck::Shared if together => uniform(chance, block, "luck"),
            Luck::Cancelled if together && fixture.game.is_multiple_of(2) => {
                1.0 - uniform(chance, block, "luck")
            }
            Luck::Cancelled if together => uniform(chance, block, "luck"),
            Luck::Independent | Luck::Shared | Luck::Cancelled => own(fixture.game),
        };
        let others = (self.entrants - 1) as f64;
        let winner = match (luck - rate) / (1.0 - rate) {
            below if below < 0.0 => 0,
            rest => 1 + ((rest * others) as usize).min(self.entrants - 2),
        };
        fixture.seats.iter().map(|id| id.index() == winner).collect()
    }
}

/// What an entrant weighs in the scale's 0, at a single table.
fn weight(row: &Standing) -> f64 {
    row.win_rate.map_or(0.0, |rate| rate * (1.0 - rate))
}

/// How far the ratings of four are from the truth on average, if ties have this weight.
fn ties(weight: f64) -> Figure {
    // They lie about 0 in the same way above and below, so that 0 is where the scale has it.
    const STRENGTHS: [f64; 4] = [1.2, 0.4, -0.4, -1.2];
    let hill = hill(4, FormatName::Duel, None, GAMES / 5);
    let runs = in_parallel(RUNS, |run| {
        let chance = Chance::new(&format!("ties {weight} {run}"));
        let document = simulate(&hill, |f| pair_winners(&chance, f, &STRENGTHS, weight));
        [0, 1, 2, 3].map(|index| {
            let row = row(&document, index);
            let truth = ELO * STRENGTHS[index];
            let off = row.rating.expect("all have met") - truth;
            (off, holds(row.rating_ci95, truth))
        })
    });
    let held = runs.iter().flatten().filter(|(_, held)| *held).count();
    let held = 100.0 * held as f64 / (4 * RUNS) as f64;
    // Outwards: too high a rating of the better, too low a one of the worse.
    let outwards = |run: &[(f64, bool); 4]| run[0].0 + run[1].0 - run[2].0 - run[3].0;
    let off: Vec<f64> = runs.iter().map(|run| outwards(run) / 4.0).collect();
    let mean = off.iter().sum::<f64>() / RUNS as f64;
    let squares: f64 = off.iter().map(|off| (off - mean) * (off - mean)).sum();
    let half = 1.96 * squares.sqrt() / RUNS as f64;
    Figure {
        name: format!(
            "ratings of four in duels of {} games, ties of weight {weight}: bias outwards in Elo \
             points; {held:.1} % of intervals hold the truth",
            GAMES / 5
        ),
        value: format!("{mean:+.2}"),
        interval: format!("± {half:.2} in {RUNS} runs"),
        aim: "0 within 1, and 93 - 97 %".to_owned(),
        met: mean.abs() < 1.0 && (AIM[0]..=AIM[1]).contains(&held),
    }
}

/// How often the champion is the best, and how sure its line is of that.
fn champions() -> Figure {
    const SPREAD: f64 = 2.0;
    let hill = hill(4, FormatName::Duel, None, 100);
    let runs = in_parallel(RUNS, |run| {
        let chance = Chance::new(&format!("champions {run}"));
        let strengths: [f64; 4] =
            std::array::from_fn(|index| SPREAD * uniform(&chance, index as u64, "strength"));
        let document = simulate(&hill, |f| pair_winners(&chance, f, &strengths, 0.2));
        let best = (0..4).max_by(|a, b| strengths[*a].total_cmp(&strengths[*b])).expect("four");
        let champion = document.champion?;
        Some((document.champion_sure?, champion == NAMES[best]))
    });
    let runs: Vec<_> = runs.into_iter().flatten().collect();
    let count = runs.len() as f64;
    let said = 100.0 * runs.iter().map(|(sure, _)| sure).sum::<f64>() / count;
    let right = 100.0 * runs.iter().filter(|(_, right)| *right).count() as f64 / count;
    let half = 196.0 * (right / 100.0 * (1.0 - right / 100.0) / count).sqrt();
    Figure {
        name: format!("champions that are the best, %; their lines say {said:.1} % on average"),
        value: format!("{right:.1}"),
        interval: format!("± {half:.1} in {count} runs"),
        aim: "what their lines say, within 3".to_owned(),
        met: (said - right).abs() <= 3.0,
    }
}

/// The winners at a table of two by Davidson's model.
fn pair_winners(chance: &Chance, fixture: &Fixture, strengths: &[f64], tie: f64) -> Vec<bool> {
    let of = |seat: usize| strengths[fixture.seats[seat].index()];
    let weights = [of(0).exp(), of(1).exp(), tie * f64::midpoint(of(0), of(1)).exp()];
    let luck = weights.iter().sum::<f64>() * uniform(chance, fixture.game, "game");
    if luck < weights[0] {
        vec![true, false]
    } else if luck < weights[0] + weights[1] {
        vec![false, true]
    } else {
        vec![true, true]
    }
}

/// Names of the entrants of every hill here.
const NAMES: [&str; 4] = ["first", "second", "third", "fourth"];

/// A hill of so many entrants, in a duel at tables of `seats`; none of them ever plays.
fn hill(entrants: usize, format: FormatName, seats: Option<usize>, games: i64) -> Hill<Yahtzee> {
    let entrant = |name: &&str| {
        let [house, ..] = yahtzee_bots();
        Entrant { name: BotName::new(name).expect("a name"), ..house.entrant() }
    };
    let entrants_of: Vec<_> = NAMES[..entrants].iter().map(entrant).collect();
    let seats = seats.map(|seats| seats as i64);
    let draft = HillDraft { format, seats, games, ..HillDraft::challenge(entrants_of, "prove") };
    Hill::new(draft).expect("a hill that can be played")
}

/// The document of a run with these winners.
fn simulate(hill: &Hill<Yahtzee>, mut wins: impl FnMut(&Fixture) -> Vec<bool>) -> ResultDocument {
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

/// A number between 0 and 1.
fn uniform(chance: &Chance, place: u64, purpose: &str) -> f64 {
    (chance.bot_seed(place, purpose) >> 11) as f64 / (1u64 << 53) as f64
}

fn row(document: &ResultDocument, index: usize) -> &Standing {
    hills::row(document, NAMES[index])
}

fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|Interval { low, high }| low <= truth && truth <= high)
}

/// What `of` makes of each number below `count`, in order.
fn in_parallel<T: Send>(count: u64, of: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if index >= count {
                break;
            }
            let made = of(index);
            found.lock().expect("nobody panics with it").push((index, made));
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| _ = scope.spawn(work));
    });
    let mut found = found.into_inner().expect("nobody panicked with it");
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, made)| made).collect()
}

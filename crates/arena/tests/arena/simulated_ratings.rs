//! Simulated runs of entrants whose true strengths are known: how often the intervals of their ratings hold the truth.
//! Also used by the proofs.

use dicehill_arena::{
    Bounds, EntrantId, FormatName, Hill, Ledger, ResultDocument, Schedule, Standing,
};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, SeatResult};

/// The strength of an entrant that never wins against others; two of them are equals.
pub(crate) const NEVER: f64 = -60.0;
/// The strength of an entrant that always wins.
pub(crate) const ALWAYS: f64 = 60.0;

const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// How far the strengths of a run are from those of its field.
const SHIFT: f64 = 0.3;

/// A field of entrants whose games follow the Davidson-Luce model.
pub(crate) struct SimulatedField {
    pub(crate) name: &'static str,
    pub(crate) format: FormatName,
    /// Games of the challenge, or of each pairing of a duel at tables of two.
    pub(crate) games: i64,
    /// Natural logarithms of odds. In each run they differ from these by up to [`SHIFT`], so that the coverage is an
    /// average: of a discrete result it varies from one strength to the next.
    pub(crate) strengths: Vec<f64>,
    /// The weight of ties of two.
    pub(crate) tie: f64,
}

/// For each entrant in how many runs the interval or bound held the truth, of those in which there was one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Coverage {
    pub(crate) held: Vec<u32>,
    pub(crate) runs: Vec<u32>,
}

/// Whether an interval held the truth, for each entrant; `None` without an interval.
pub(crate) type Held = Vec<Option<bool>>;

/// The possible sets of winners of a table, with their probabilities.
type Outcomes = Vec<(Vec<usize>, f64)>;

/// The entrants of one run.
struct SimulatedRun<'a> {
    field: &'a SimulatedField,
    chance: Chance,
    strengths: Vec<f64>,
}

impl SimulatedField {
    /// Plays the run with this number on `hill`, which has this field's entrants in order, and returns whether the
    /// intervals of `rating` and of `elo` hold the truth.
    pub(crate) fn play(&self, hill: &Hill<Yahtzee>, run: u64) -> [Held; 2] {
        let run = SimulatedRun::new(self, run);
        let document = run.document(hill);
        let rating = |row: &Standing| row.rating_ci95.map(Bounds::from);
        [held(hill, &document, run.true_ratings(), rating), run.elo_held(hill, &document)]
    }

    /// Plays the run with this number on `hill` and returns whether the intervals of `elo` hold the truth. At tables that
    /// are drawn, as in a challenge of Liar's Dice, the zero of `rating` is not the same in each run.
    pub(crate) fn play_for_elo<G: Game>(&self, hill: &Hill<G>, run: u64) -> Held {
        let run = SimulatedRun::new(self, run);
        run.elo_held(hill, &run.document(hill))
    }

    /// The tables at which they meet.
    fn tables(&self) -> Vec<Vec<usize>> {
        let all: Vec<usize> = (0..self.strengths.len()).collect();
        let pairs = |a: &usize| all[a + 1..].iter().map(|b| vec![*a, *b]).collect::<Vec<_>>();
        match self.format {
            FormatName::Duel => all.iter().flat_map(pairs).collect(),
            FormatName::Challenge | FormatName::Gauntlet => vec![all],
        }
    }
}

impl<'a> SimulatedRun<'a> {
    fn new(field: &'a SimulatedField, run: u64) -> Self {
        let chance = Chance::new(&format!("{} {run}", field.name));
        let shifted = |(index, strength): (usize, &f64)| match *strength {
            NEVER | ALWAYS => *strength,
            strength => strength + SHIFT * (2.0 * uniform(&chance, index as u64, "shift") - 1.0),
        };
        let strengths = field.strengths.iter().enumerate().map(shifted).collect();
        Self { field, chance, strengths }
    }

    fn elo_held<G: Game>(&self, hill: &Hill<G>, document: &ResultDocument) -> Held {
        held(hill, document, self.true_elo(), |row| row.elo?.ci95)
    }

    fn document<G: Game>(&self, hill: &Hill<G>) -> ResultDocument {
        let seats_and_tables = Chance::new(hill.seed());
        let schedule = Schedule::new(hill, &seats_and_tables, hill.ids().collect());
        let mut ledger = Ledger::new(&schedule);
        for game in 1..=schedule.games() {
            let fixture = schedule.fixture(game);
            let seats: Vec<usize> = fixture.seats.iter().map(|id| id.index()).collect();
            let winners = self.winners(game, &seats);
            let result = |seat: &usize| {
                let won = winners.contains(seat);
                SeatResult { points: u64::from(won), won, figures: [u64::from(won), 0, 0, 0] }
            };
            let results: Vec<_> = seats.iter().map(result).collect();
            ledger.add(&schedule, &fixture, &results, &[]);
        }
        ResultDocument::new(hill, &ledger, schedule.active(), &[], String::new())
    }

    fn winners(&self, game: u64, seats: &[usize]) -> Vec<usize> {
        let mut rest = uniform(&self.chance, game, "game");
        let mut outcomes = self.outcomes(seats);
        let drawn = outcomes.iter().position(|(_, probability)| {
            rest -= probability;
            rest < 0.0
        });
        outcomes.swap_remove(drawn.unwrap_or(0)).0
    }

    /// The probabilities of the sets of winners among the entrants of a table.
    fn outcomes(&self, seats: &[usize]) -> Outcomes {
        let strongest = seats.iter().map(|seat| self.strengths[*seat]).fold(NEVER, f64::max);
        let at = |seat: usize| self.strengths[seat] - strongest;
        let mut sets: Outcomes = seats.iter().map(|seat| (vec![*seat], at(*seat).exp())).collect();
        if self.field.tie > 0.0 {
            for (index, first) in seats.iter().enumerate() {
                for second in &seats[index + 1..] {
                    let weight = self.field.tie * f64::midpoint(at(*first), at(*second)).exp();
                    sets.push((vec![*first, *second], weight));
                }
            }
        }
        let total: f64 = sets.iter().map(|(_, weight)| weight).sum();
        sets.iter_mut().for_each(|(_, weight)| *weight /= total);
        sets
    }

    /// Ratings on the scale of mean strength.
    fn true_elo(&self) -> Vec<f64> {
        let strengths = self.strengths.iter().map(|strength| strength.exp());
        let mean = strengths.sum::<f64>() / self.strengths.len() as f64;
        let elo = |strength: &f64| match *strength {
            NEVER => f64::NEG_INFINITY,
            strength => ELO_PER_LOGIT * (strength - mean.ln()),
        };
        self.strengths.iter().map(elo).collect()
    }

    /// Ratings on the scale whose zero is the mean weighted by Fisher's information.
    fn true_ratings(&self) -> Vec<f64> {
        let mut information = vec![0.0; self.strengths.len()];
        for seats in self.field.tables() {
            let outcomes = self.outcomes(&seats);
            for seat in seats {
                let share = |winners: &Vec<usize>| match winners.contains(&seat) {
                    true => 1.0 / winners.len() as f64,
                    false => 0.0,
                };
                let mean: f64 = outcomes.iter().map(|(winners, p)| p * share(winners)).sum();
                let squares = outcomes.iter().map(|(winners, p)| p * share(winners).powi(2));
                information[seat] += squares.sum::<f64>() - mean * mean;
            }
        }
        let sum = self.strengths.iter().zip(&information).map(|(x, weight)| x * weight);
        let zero = sum.sum::<f64>() / information.iter().sum::<f64>();
        self.strengths.iter().map(|strength| ELO_PER_LOGIT * (strength - zero)).collect()
    }
}

/// A uniform number between 0 and 1.
fn uniform(chance: &Chance, place: u64, purpose: &str) -> f64 {
    (chance.bot_seed(place, purpose) >> 11) as f64 / (1u64 << 53) as f64
}

impl Coverage {
    pub(crate) fn of(runs: impl IntoIterator<Item = Held>) -> Self {
        let mut coverage = Self::default();
        for run in runs {
            coverage.held.resize(run.len(), 0);
            coverage.runs.resize(run.len(), 0);
            for (index, held) in run.into_iter().enumerate() {
                coverage.held[index] += u32::from(held == Some(true));
                coverage.runs[index] += u32::from(held.is_some());
            }
        }
        coverage
    }

    /// The share of one entrant, 0 to 1; `None` if it never had an interval.
    pub(crate) fn share(&self, index: usize) -> Option<f64> {
        let runs = self.runs[index];
        (runs > 0).then(|| f64::from(self.held[index]) / f64::from(runs))
    }
}

/// For each entrant whether its bounds in the document hold the truth.
fn held<G: Game>(
    hill: &Hill<G>,
    document: &ResultDocument,
    truth: Vec<f64>,
    bounds: fn(&Standing) -> Option<Bounds>,
) -> Held {
    let one = |(id, truth): (EntrantId, f64)| {
        let name = hill.name_of(id);
        let row = document.standings.iter().find(|row| row.bot == name);
        Some(holds(bounds(row.expect("an entrant's row"))?, truth))
    };
    hill.ids().zip(truth).map(one).collect()
}

fn holds(Bounds { low, high }: Bounds, truth: f64) -> bool {
    low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high)
}

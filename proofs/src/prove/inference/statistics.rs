//! Confidence intervals cover the truth as often as they claim, in many simulated runs whose truth is known.

use dicehill_arena::{
    Fixture, FormatName, HillDraft, Interval, ResultDocument, Standing, StatisticsVersion,
};
use dicehill_rules::Chance;
use dicehill_rules::yahtzee::Yahtzee;

use super::simulated_runs::{AIM, hill, in_parallel, name, simulate, uniform};
use super::{elo, means};
use crate::figures::Figure;
use crate::prove::hills;

/// Runs of each rate.
const RUNS: u64 = 2000;
/// Games of each run at tables of two: the default.
const GAMES: i64 = HillDraft::<Yahtzee>::DEFAULT_GAMES;
/// Games of each run in few blocks.
const FEW_GAMES: i64 = 60;
/// True win rates.
const RATES: [f64; 10] = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];
/// Elo points per factor of e.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The correlation of the games of a block.
#[derive(Clone, Copy)]
enum Correlation {
    /// None.
    Independent,
    /// In half of the blocks all games have the same luck.
    Shared,
    /// In half of the blocks of two games the luck of one game is reversed in the other.
    Cancelled,
}

/// Simulated runs: one entrant has the rate, the others are equal.
struct Setting {
    name: &'static str,
    format: FormatName,
    entrants: usize,
    /// Games of each run at tables of two; as many blocks at larger ones.
    games: i64,
    correlation: Correlation,
}

const SETTINGS: [Setting; 4] = [
    Setting {
        name: "challenge between two",
        format: FormatName::Challenge,
        entrants: 2,
        games: GAMES,
        correlation: Correlation::Independent,
    },
    Setting {
        name: "duel in whose blocks luck is shared",
        format: FormatName::Duel,
        entrants: 2,
        games: GAMES,
        correlation: Correlation::Shared,
    },
    Setting {
        name: "duel in whose blocks luck is cancelled",
        format: FormatName::Duel,
        entrants: 2,
        games: GAMES,
        correlation: Correlation::Cancelled,
    },
    Setting {
        name: "duel at a table of four, luck shared",
        format: FormatName::Duel,
        entrants: 4,
        games: GAMES,
        correlation: Correlation::Shared,
    },
];

/// Duels of 30 blocks.
const FEW_BLOCKS: [Setting; 4] = [
    Setting {
        name: "duel of 30 blocks, luck independent",
        format: FormatName::Duel,
        entrants: 2,
        games: FEW_GAMES,
        correlation: Correlation::Independent,
    },
    Setting {
        name: "duel of 30 blocks, luck shared",
        format: FormatName::Duel,
        entrants: 2,
        games: FEW_GAMES,
        correlation: Correlation::Shared,
    },
    Setting {
        name: "duel of 30 blocks, luck cancelled",
        format: FormatName::Duel,
        entrants: 2,
        games: FEW_GAMES,
        correlation: Correlation::Cancelled,
    },
    Setting {
        name: "duel of 30 blocks at a table of four, luck shared",
        format: FormatName::Duel,
        entrants: 4,
        games: FEW_GAMES,
        correlation: Correlation::Shared,
    },
];

pub(crate) fn figures() -> Vec<Figure> {
    let mut figures = Vec::new();
    for setting in &SETTINGS {
        let found = setting.coverages(StatisticsVersion::Fifth);
        let kinds = ["win rate", "rating", "head to head, share"];
        // Between two the share is the win rate.
        let kinds_shown = if setting.entrants == 2 { 2 } else { 3 };
        for (kind, name) in kinds.into_iter().enumerate().take(kinds_shown) {
            let shares: Vec<f64> = found.iter().map(|coverage| coverage[kind]).collect();
            figures.push(coverage(&format!("{}: {name}", setting.name), &shares, 0.0));
        }
    }
    figures.extend(FEW_BLOCKS.iter().map(few_blocks));
    figures.extend([5, 10, 30, 100].map(few_games));
    figures.extend(means::figures());
    figures.extend(elo::figures());
    figures.extend([0.0, 0.2, 1.0].map(ties));
    figures.push(champions());
    figures.extend([3, 5, 10, 30].map(champions_among_equals));
    figures
}

/// Two standard errors of a coverage of 97 % in so many runs, in percent.
const SIMULATION_ERROR: f64 = 0.8;

/// The coverage of win rates with the correction for few blocks, and without it.
///
/// At a rate of .05 the interval of 60 independent games holds the rate if 0 to 6 of them are won, which has a
/// probability of 97.03 %: at the very edge of the aim, so that a simulation may find as much more as its error.
fn few_blocks(setting: &Setting) -> Figure {
    let win_rates = |version| setting.coverages(version).into_iter().map(|[share, ..]| share);
    let (least, most) = win_rates(StatisticsVersion::First)
        .fold((100.0, 0.0), |(least, most): (f64, f64), share| (least.min(share), most.max(share)));
    let name = format!(
        "{}: win rate (statistics 1, without correction: {least:.1} - {most:.1})",
        setting.name
    );
    coverage(&name, &win_rates(StatisticsVersion::Fifth).collect::<Vec<_>>(), SIMULATION_ERROR)
}

/// The coverage of differences after few games of two in a challenge, with the samples that are added and without them.
fn few_games(games: i64) -> Figure {
    let setting = Setting {
        name: "challenge between two",
        format: FormatName::Challenge,
        entrants: 2,
        games,
        correlation: Correlation::Independent,
    };
    let worst = |version| {
        let at = |index: u64| setting.coverage_of_difference(RATES[index as usize], version);
        in_parallel(RATES.len() as u64, at).into_iter().fold(100.0, f64::min)
    };
    let (before, least) = (worst(StatisticsVersion::Second), worst(StatisticsVersion::Fifth));
    Figure {
        name: format!(
            "{} of {games} games: difference in points per game (statistics 2, without correction: {before:.1}), 95 % intervals with \
             the truth, % of {RUNS} runs at the worst of {} rates from .05 to .95",
            setting.name,
            RATES.len()
        ),
        value: format!("{least:.1}"),
        interval: format!("± {:.1}, simulation", 100.0 * 1.96 * (0.95 * 0.05 / RUNS as f64).sqrt()),
        aim: format!("at least {}, within the error of the simulation", AIM[0]),
        met: least >= AIM[0] - SIMULATION_ERROR,
    }
}

/// The coverage at the worst rates, which may be above the aim by `error`.
fn coverage(name: &str, shares: &[f64], error: f64) -> Figure {
    let least = shares.iter().copied().fold(100.0, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    Figure {
        name: format!("{name}, 95 % intervals with the truth, % of {RUNS} runs at each rate"),
        value: format!("{mean:.1}"),
        interval: format!("{least:.1} - {most:.1} over {} rates from .05 to .95", shares.len()),
        aim: match error {
            0.0 => format!("{} - {} at every rate", AIM[0], AIM[1]),
            _ => format!("{} - {} (within {error}) at every rate", AIM[0], AIM[1]),
        },
        met: least >= AIM[0] && most <= AIM[1] + error,
    }
}

impl Setting {
    /// The coverage at each rate.
    fn coverages(&self, version: StatisticsVersion) -> Vec<[f64; 3]> {
        let at = |index: u64| self.coverage(RATES[index as usize], version);
        in_parallel(RATES.len() as u64, at)
    }

    /// The coverage in percent of the first entrant's win rate, its rating, and its share of the games against the
    /// second.
    fn coverage(&self, rate: f64, version: StatisticsVersion) -> [f64; 3] {
        let hill =
            hill(self.entrants, self.format, self.seats(), self.games()).with_statistics(version);
        let others = (self.entrants - 1) as f64;
        // The others have equal rates.
        let other_rate = (1.0 - rate) / others;
        let strength = (rate / other_rate).ln();
        // The winner is ahead, and all losers are level.
        let ahead = rate + (1.0 - rate - other_rate) / 2.0;
        let first_two = [0, 1].map(name);
        let mut covered = [0u32; 3];
        for run in 0..RUNS {
            let chance = Chance::new(&format!("{} {rate} {run}", self.name));
            let document = simulate(&hill, |fixture| self.winner(&chance, fixture, rate));
            let row = row(&document, 0);
            covered[0] += u32::from(holds(row.win_rate_ci95, rate));
            let scale_zero =
                strength * weight(row) / document.standings.iter().map(weight).sum::<f64>();
            covered[1] += u32::from(holds(row.rating_ci95, ELO_PER_NAT * (strength - scale_zero)));
            let pair = document.head_to_head.iter().find(|pair| {
                [&pair.bot, &pair.other].into_iter().all(|bot| first_two.contains(bot))
            });
            let pair = pair.expect("they have met");
            let share = if pair.bot == first_two[0] { ahead } else { 1.0 - ahead };
            covered[2] += u32::from(holds(pair.rate_ci95, share));
        }
        covered.map(|covered| 100.0 * f64::from(covered) / RUNS as f64)
    }

    /// The coverage in percent of the difference between two entrants in points per game.
    fn coverage_of_difference(&self, rate: f64, version: StatisticsVersion) -> f64 {
        let hill = hill(self.entrants, self.format, None, self.games).with_statistics(version);
        let mut covered = 0;
        for run in 0..RUNS {
            let chance = Chance::new(&format!("difference {} {rate} {run}", self.games));
            let document = simulate(&hill, |fixture| self.winner(&chance, fixture, rate));
            let difference = &document.differences[0];
            let lead = 2.0 * rate - 1.0;
            let lead = if difference.bot == name(0) { lead } else { -lead };
            covered += u32::from(holds(Some(difference.ci95), lead));
        }
        100.0 * f64::from(covered) / RUNS as f64
    }

    /// An equal number of blocks at every table.
    fn games(&self) -> i64 {
        self.games / 2 * self.entrants as i64
    }

    /// All entrants play at one table.
    fn seats(&self) -> Option<usize> {
        (self.format == FormatName::Duel).then_some(self.entrants)
    }

    /// Which seat wins a game alone.
    fn winner(&self, chance: &Chance, fixture: &Fixture, rate: f64) -> Vec<bool> {
        let block = fixture.table;
        let own_luck = |game: u64| uniform(chance, game, "game");
        let is_correlated = uniform(chance, block, "kind") < 0.5;
        let luck = match self.correlation {
            Correlation::Shared if is_correlated => uniform(chance, block, "luck"),
            Correlation::Cancelled if is_correlated && fixture.game.is_multiple_of(2) => {
                1.0 - uniform(chance, block, "luck")
            }
            Correlation::Cancelled if is_correlated => uniform(chance, block, "luck"),
            Correlation::Independent | Correlation::Shared | Correlation::Cancelled => {
                own_luck(fixture.game)
            }
        };
        let others = (self.entrants - 1) as f64;
        let winner = match (luck - rate) / (1.0 - rate) {
            below if below < 0.0 => 0,
            rest => 1 + ((rest * others) as usize).min(self.entrants - 2),
        };
        fixture.seats.iter().map(|id| id.index() == winner).collect()
    }
}

/// The weight of an entrant in the zero of the rating scale, at a single table.
fn weight(row: &Standing) -> f64 {
    row.win_rate.map_or(0.0, |rate| rate * (1.0 - rate))
}

/// The average error of the ratings of four entrants, for ties of this weight.
fn ties(weight: f64) -> Figure {
    // Symmetric about 0, so that the zero of the scale is 0.
    const STRENGTHS: [f64; 4] = [1.2, 0.4, -0.4, -1.2];
    let hill = hill(4, FormatName::Duel, None, GAMES / 5);
    let runs = in_parallel(RUNS, |run| {
        let chance = Chance::new(&format!("ties {weight} {run}"));
        let document = simulate(&hill, |f| pair_winners(&chance, f, &STRENGTHS, weight));
        [0, 1, 2, 3].map(|index| {
            let row = row(&document, index);
            let truth = ELO_PER_NAT * STRENGTHS[index];
            let error = row.rating.expect("all have met") - truth;
            (error, holds(row.rating_ci95, truth))
        })
    });
    let covered = runs.iter().flatten().filter(|(_, covered)| *covered).count();
    let covered = 100.0 * covered as f64 / (4 * RUNS) as f64;
    // Outwards: too high a rating of the better, too low a one of the worse.
    let outwards = |run: &[(f64, bool); 4]| run[0].0 + run[1].0 - run[2].0 - run[3].0;
    let error: Vec<f64> = runs.iter().map(|run| outwards(run) / 4.0).collect();
    let mean = error.iter().sum::<f64>() / RUNS as f64;
    let squares: f64 = error.iter().map(|error| (error - mean) * (error - mean)).sum();
    let half_width = 1.96 * squares.sqrt() / RUNS as f64;
    Figure {
        name: format!(
            "ratings of four in duels of {} games, ties of weight {weight}: bias outwards in Elo \
             points; {covered:.1} % of intervals hold the truth",
            GAMES / 5
        ),
        value: format!("{mean:+.2}"),
        interval: format!("± {half_width:.2} in {RUNS} runs"),
        aim: "0 within 1, and 93 - 97 %".to_owned(),
        met: mean.abs() < 1.0 && (AIM[0]..=AIM[1]).contains(&covered),
    }
}

/// How often the champion is the best entrant, and the average confidence that its line states.
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
        Some((document.champion_sure?, champion == name(best)))
    });
    let runs: Vec<_> = runs.into_iter().flatten().collect();
    let count = runs.len() as f64;
    let claimed = 100.0 * runs.iter().map(|(sure, _)| sure).sum::<f64>() / count;
    let correct = 100.0 * runs.iter().filter(|(_, correct)| *correct).count() as f64 / count;
    let half_width = 196.0 * (correct / 100.0 * (1.0 - correct / 100.0) / count).sqrt();
    Figure {
        name: format!("champions that are the best, %; their lines say {claimed:.1} % on average"),
        value: format!("{correct:.1}"),
        interval: format!("± {half_width:.1} in {count} runs"),
        aim: "what their lines say, within 3".to_owned(),
        met: (claimed - correct).abs() <= 3.0,
    }
}

/// How often one of two equal entrants is said to be the better one with 99 %.
fn champions_among_equals(games: i64) -> Figure {
    const SURE: f64 = 0.99;
    let share = |version| {
        let hill = hill(2, FormatName::Challenge, None, games).with_statistics(version);
        let claims = in_parallel(RUNS, |run| {
            let chance = Chance::new(&format!("equals {games} {run}"));
            let document = simulate(&hill, |f| pair_winners(&chance, f, &[0.0, 0.0], 0.0));
            document.champion_sure.is_some_and(|sure| sure >= SURE)
        });
        100.0 * claims.iter().filter(|claims| **claims).count() as f64 / RUNS as f64
    };
    let (before, after) = (share(StatisticsVersion::Third), share(StatisticsVersion::Fifth));
    let aim = 200.0 * (1.0 - SURE);
    let error = 196.0 * (aim / 100.0 * (1.0 - aim / 100.0) / RUNS as f64).sqrt();
    Figure {
        name: format!(
            "challenge of {games} games between two equal entrants: one is at least 99 % sure to be the best, % of {RUNS} runs (statistics 3: \
             {before:.1})"
        ),
        value: format!("{after:.1}"),
        interval: format!("± {error:.1}, simulation"),
        aim: format!("at most {aim:.1}, within the error of the simulation"),
        met: after <= aim + error,
    }
}

/// The winners at a table of two in Davidson's model.
fn pair_winners(chance: &Chance, fixture: &Fixture, strengths: &[f64], tie: f64) -> Vec<bool> {
    let compute = |seat: usize| strengths[fixture.seats[seat].index()];
    let weights =
        [compute(0).exp(), compute(1).exp(), tie * f64::midpoint(compute(0), compute(1)).exp()];
    let draw = weights.iter().sum::<f64>() * uniform(chance, fixture.game, "game");
    if draw < weights[0] {
        vec![true, false]
    } else if draw < weights[0] + weights[1] {
        vec![false, true]
    } else {
        vec![true, true]
    }
}

fn row(document: &ResultDocument, index: usize) -> &Standing {
    hills::row(document, &name(index))
}

fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|Interval { low, high }| low <= truth && truth <= high)
}

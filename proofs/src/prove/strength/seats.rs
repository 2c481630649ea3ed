//! The house bot for three or more seats: in the challenge, in fields that it was not trained for, and the time of its
//! decisions.

use std::sync::Arc;

use dicehill_arena::{
    BotName, Entrant, FigureSummary, FormatName, HillDraft, ResultDocument, Standing,
};
use dicehill_bots::liars_dice_bots;
use dicehill_rules::liars_dice::LiarsDice;

use crate::figures::Figure;
use crate::prove::cpu::timed;
use crate::prove::hills::{play, row};

const OURS: &str = "seer";
const PUBLISHED: [&str; 4] = ["badnomial", "nobody", "pirate", "straight-shooter"];
/// Sets of the challenge, each with its own seed.
const SETS: usize = 20;
const GAMES_OF_A_SET: i64 = 1000;
/// Games of each field.
const FIELD_GAMES: i64 = 5000;
/// Games in which decisions are timed.
const TIMED_GAMES: i64 = 1000;

pub(crate) fn figures() -> Vec<Figure> {
    let mut figures = challenge();
    let fields: [&[&str]; 7] = [
        &["bayes", "bayes", "bayes", "bayes"],
        &["bayes", "badnomial", "nobody", "honest"],
        &["bayes", "honest", "random", "pirate"],
        &["bayes", "straight-shooter", "honest"],
        &["bayes", "honest"],
        &["honest", "honest", "random", "random"],
        &["honest", "badnomial"],
    ];
    figures.extend(fields.map(field));
    figures.extend([3, 4, 5].map(copies));
    figures.extend(costs());
    figures
}

/// A house bot under another name.
fn named(house: &str, name: &str) -> Entrant<LiarsDice> {
    let house = liars_dice_bots().into_iter().find(|bot| bot.name() == house);
    let name = BotName::new(name).expect("a printable name");
    Entrant::new(name, Arc::new(house.expect("a house bot")))
}

/// The entrants of one table; repeated bots have numbers in their names.
fn table(names: &[&str]) -> Vec<Entrant<LiarsDice>> {
    let label = |index: usize| match names[..index].iter().filter(|n| **n == names[index]).count() {
        0 => names[index].to_owned(),
        before => format!("{} {}", names[index], before + 1),
    };
    (0..names.len()).map(|index| named(names[index], &label(index))).collect()
}

fn duel(names: &[&str], games: i64) -> ResultDocument {
    let seats = Some(names.len() as i64);
    let draft = HillDraft::challenge(table(names), "prove");
    // Whole blocks, so that every entrant plays at each seat.
    let games = games / names.len() as i64 * names.len() as i64;
    play(HillDraft { format: FormatName::Duel, seats, games, ..draft })
}

/// The win rate and the lead in points over all sets.
fn challenge() -> Vec<Figure> {
    let names = [&[OURS], &PUBLISHED[..]].concat();
    let set = |set: usize| {
        let draft = HillDraft::challenge(table(&names), &format!("seats {set}"));
        play(HillDraft { games: GAMES_OF_A_SET, ..draft })
    };
    let sets: Vec<_> = (0..SETS).map(set).collect();
    let first = sets.iter().filter(|set| set.standings[0].bot == OURS).count();
    let wins = sets.iter().map(|set| 100.0 * row(set, OURS).win_rate.unwrap_or(0.0));
    let leads = sets.iter().map(|set| {
        let others = set.standings.iter().filter(|row| row.bot != OURS).map(|row| row.points);
        row(set, OURS).points as f64 / others.max().unwrap_or(1) as f64
    });
    let in_sets = |least: f64, most: f64| format!("{least:.2} - {most:.2} in {SETS} sets");
    let [least_wins, wins, most_wins] = spread(wins.collect());
    let [least_lead, lead, max_lead] = spread(leads.collect());
    let challenge = format!("{OURS} in challenges of {GAMES_OF_A_SET} games with the published");
    vec![
        Figure {
            name: format!("{challenge}: sets won"),
            value: first.to_string(),
            interval: "exact".to_owned(),
            aim: SETS.to_string(),
            met: first == SETS,
        },
        Figure {
            name: format!("{challenge}: games won of its own, %"),
            value: format!("{wins:.2}"),
            interval: in_sets(least_wins, most_wins),
            aim: "at least 60 in every set".to_owned(),
            met: least_wins >= 60.0,
        },
        Figure {
            name: format!("{challenge}: points, times those of the next"),
            value: format!("{lead:.2}"),
            interval: in_sets(least_lead, max_lead),
            aim: "at least 2 in every set".to_owned(),
            met: least_lead >= 2.0,
        },
    ]
}

/// Minimum, mean and maximum.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    [values[0], mean, values[values.len() - 1]]
}

/// Its win rate, compared with the best of the others.
fn field(others: &[&str]) -> Figure {
    let result = duel(&[&[OURS], others].concat(), FIELD_GAMES);
    let interval = row(&result, OURS).win_rate_ci95.expect("games were played");
    let rates = result.standings.iter().filter(|row| row.bot != OURS);
    let best = rates.max_by(|a, b| a.win_rate.partial_cmp(&b.win_rate).expect("rates"));
    let best = best.expect("others play");
    let second = best.win_rate_ci95.map_or(0.0, |interval| interval.high);
    Figure {
        name: format!("games won by {OURS} with {}", others.join(", ")),
        value: format!("{:.1} %", 100.0 * row(&result, OURS).win_rate.unwrap_or(0.0)),
        interval: format!("{:.1} - {:.1}", 100.0 * interval.low, 100.0 * interval.high),
        aim: format!("above those of {}, at most {:.1} %", best.bot, 100.0 * second),
        met: interval.low > second,
    }
}

/// Copies of the bot win equally often at every seat.
fn copies(seats: usize) -> Figure {
    let result = duel(&vec![OURS; seats], FIELD_GAMES);
    let even = 1.0 / seats as f64;
    let rates: Vec<_> = result.standings.iter().filter_map(|row| row.win_rate_ci95).collect();
    let least = rates.iter().map(|rate| rate.low).fold(1.0, f64::min);
    let most = rates.iter().map(|rate| rate.high).fold(0.0, f64::max);
    // One of several 95 % intervals may miss, so that each only has to be close.
    let met = rates.iter().all(|rate| rate.low < even + 0.01 && rate.high > even - 0.01);
    Figure {
        name: format!("games won by each of {seats} copies of {OURS}, %"),
        value: format!("{:.1}", 100.0 * even),
        interval: format!("{:.1} - {:.1} hold all intervals", 100.0 * least, 100.0 * most),
        aim: "even, within a percent of each interval".to_owned(),
        met,
    }
}

/// Decisions per CPU second among copies, and the cost of more seats and dice.
fn costs() -> Vec<Figure> {
    let rates = [2, 3, 5].map(|seats: usize| {
        let names = vec![OURS; seats];
        let (result, seconds) = timed(|| duel(&names, TIMED_GAMES));
        let turns: u128 = result.standings.iter().map(turns).sum();
        turns as f64 / seconds
    });
    let growth = rates[0] / rates[2];
    vec![
        Figure {
            name: format!("{OURS}, decisions for each second of CPU, among five"),
            value: format!("{:.0}", rates[2]),
            interval: format!("{:.0} among two, {:.0} among three", rates[0], rates[1]),
            aim: "at least 2000".to_owned(),
            met: rates[2] >= 2000.0,
        },
        Figure {
            name: format!(
                "{OURS}, time of a decision among five with 25 dice, times that among two with 10"
            ),
            value: format!("{growth:.2}"),
            interval: "whole games".to_owned(),
            aim: "at most 2.5, as seats and dice".to_owned(),
            met: growth <= 2.5,
        },
    ]
}

fn turns(row: &Standing) -> u128 {
    match &row.figures[0].1 {
        FigureSummary::Total(turns) => *turns,
        FigureSummary::Distribution(_) => {
            unreachable!("turns are summed up by their total")
        }
    }
}

//! Mean scores and losses after few games of Yahtzee: how often their intervals hold the means over many games.

use std::sync::Arc;

use dicehill_arena::{FormatName, Hill, HillDraft, Interval, ResultDocument, Standing};
use dicehill_bots::{HouseBot, yahtzee_bots};
use dicehill_coach::yahtzee::YahtzeeAppraiser;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};

use super::simulated_runs::{AIM, in_parallel};
use crate::figures::Figure;
use crate::prove::cpu::cores;
use crate::prove::hills::{distribution, play_hill, row};

/// The bots that play against each other.
const BOTS: [&str; 2] = ["greedy", "aces-and-eights"];
/// The means of a bot.
const MEANS: [&str; 2] = ["mean score", "loss per game"];
/// Runs of each length.
const RUNS: u64 = 4000;
/// The games whose means count as the truth.
const MANY_GAMES: i64 = 400_000;
/// The lengths of the runs, in games.
const LENGTHS: [(FormatName, i64); 5] = [
    (FormatName::Challenge, 2),
    (FormatName::Challenge, 5),
    (FormatName::Challenge, 10),
    (FormatName::Challenge, 30),
    (FormatName::Duel, 20),
];

pub(super) fn figures() -> Vec<Figure> {
    let appraiser = Arc::new(YahtzeeAppraiser::new(YahtzeeRules::Official));
    let play = |format, games, seed: &str, jobs| {
        let bots = yahtzee_bots().into_iter().filter(|bot| BOTS.contains(&bot.name()));
        let entrants = bots.map(HouseBot::entrant).collect();
        let draft = HillDraft { format, games, ..HillDraft::challenge(entrants, seed) };
        let hill: Hill<Yahtzee> = Hill::new(draft).expect("a hill that can be played");
        play_hill(&hill.with_appraiser(Arc::clone(&appraiser) as _), jobs)
    };
    let truth = means(&play(FormatName::Challenge, MANY_GAMES, "many games", cores()));
    let coverage = |(format, games)| {
        let held = in_parallel(RUNS, |run| {
            let found = means(&play(format, games, &format!("run {run}"), 1));
            [0, 1, 2, 3].map(|index| found[index].held(truth[index].value))
        });
        figure(format, games, &held)
    };
    LENGTHS.into_iter().map(coverage).collect()
}

/// A mean and its intervals.
struct Mean {
    value: f64,
    normal: Option<Interval>,
    student: Option<Interval>,
}

impl Mean {
    /// Whether the normal interval and Student's hold the truth.
    fn held(&self, truth: f64) -> [bool; 2] {
        let holds = |interval: Interval| interval.low <= truth && truth <= interval.high;
        [self.normal, self.student].map(|interval| interval.is_some_and(holds))
    }
}

/// The means of each bot.
fn means(result: &ResultDocument) -> [Mean; 4] {
    let [[a, b], [c, d]] = BOTS.map(|bot| means_of(row(result, bot)));
    [a, b, c, d]
}

fn means_of(row: &Standing) -> [Mean; 2] {
    let score = distribution(row);
    let luck = row.luck.as_ref().expect("games are appraised");
    let loss = luck.loss.expect("games were played");
    let normal = |value: f64, se: Option<f64>| Some(Interval::from_standard_error(value, se?));
    [
        Mean { value: score.mean, normal: normal(score.mean, score.se), student: score.interval() },
        Mean { value: loss, normal: normal(loss, luck.se), student: luck.loss_interval() },
    ]
}

/// The coverage over these runs.
fn figure(format: FormatName, games: i64, held: &[[[bool; 2]; 4]]) -> Figure {
    let share = |mean: usize, kind: usize| {
        let times = held.iter().filter(|run| run[mean][kind]).count();
        100.0 * times as f64 / held.len() as f64
    };
    let shares = |kind| [0, 1, 2, 3].map(|mean| share(mean, kind));
    let average = |shares: [f64; 4]| shares.iter().sum::<f64>() / 4.0;
    let (before, after) = (shares(0), shares(1));
    let least = after.into_iter().fold(100.0, f64::min);
    let most = after.into_iter().fold(0.0, f64::max);
    Figure {
        name: format!(
            "{} of {games} games of Yahtzee between two: {} (statistics 3, by the normal distribution: {:.1}), 95 % \
             intervals with the mean of {MANY_GAMES} games, % of {RUNS} runs",
            format.name(),
            MEANS.join(" and "),
            average(before)
        ),
        value: format!("{:.1}", average(after)),
        interval: format!("{least:.1} - {most:.1} over two bots"),
        aim: format!("{} - {} of each", AIM[0], AIM[1]),
        met: least >= AIM[0] && most <= AIM[1],
    }
}

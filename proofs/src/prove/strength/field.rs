//! Our own bots lead the others.

use dicehill_arena::{FormatName, HillDraft, ResultDocument};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};

use crate::figures::Figure;
use crate::prove::hills::{challenge, distribution, play, row};

/// Games of the Yahtzee run.
const YAHTZEE_GAMES: i64 = 50_000;
/// Games of each field of five.
const FIELD_GAMES: i64 = 20_000;
/// The required lead of greedy, in points per game.
const LEAD: f64 = 20.0;

pub(crate) fn figures() -> Vec<Figure> {
    let mut figures = vec![greedy()];
    let all: Vec<_> = liars_dice_bots().iter().map(HouseBot::name).collect();
    let others: Vec<_> =
        all.into_iter().filter(|name| !["bayes", "duelist", "seer"].contains(name)).collect();
    figures.extend(subsets_of_four(&others).iter().map(|four| field(four)));
    figures
}

fn greedy() -> Figure {
    let pair = ["greedy", "aces-and-eights"];
    let result = play(challenge(yahtzee_bots(), &pair, YAHTZEE_GAMES));
    let [ours, theirs] = pair.map(|name| distribution(row(&result, name)));
    let lead = ours.mean - theirs.mean;
    let se = ours.se.unwrap_or(f64::NAN).hypot(theirs.se.unwrap_or(f64::NAN));
    Figure {
        name: format!("yahtzee: greedy ({:.2}) ahead of aces-and-eights, points a game", ours.mean),
        value: format!("{lead:.2}"),
        interval: format!("± {:.2}", 1.96 * se),
        aim: format!("at least {LEAD}"),
        met: lead - 1.96 * se >= LEAD,
    }
}

fn field(four: &[&str]) -> Figure {
    let names = [&["bayes"], four].concat();
    let draft = challenge(liars_dice_bots(), &names, FIELD_GAMES);
    let result = play(HillDraft { format: FormatName::Duel, seats: Some(5), ..draft });
    let ours = row(&result, "bayes");
    let interval = ours.win_rate_ci95.expect("games were played");
    let best_other = best_other(&result);
    Figure {
        name: format!("liars-dice: win rate of bayes in a field of five with {}", four.join(", ")),
        value: format!("{:.1} %", 100.0 * ours.win_rate.unwrap_or(0.0)),
        interval: format!("{:.1} - {:.1}", 100.0 * interval.low, 100.0 * interval.high),
        aim: format!("above the second's, {:.1} %, and most points", 100.0 * best_other),
        met: interval.low > best_other && result.champion.as_deref() == Some("bayes"),
    }
}

/// The upper bound of the best win rate of the others.
fn best_other(result: &ResultDocument) -> f64 {
    let others = result.standings.iter().filter(|row| row.bot != "bayes");
    others.filter_map(|row| row.win_rate_ci95).map(|interval| interval.high).fold(0.0, f64::max)
}

fn subsets_of_four<'a>(names: &[&'a str]) -> Vec<Vec<&'a str>> {
    let has_four = |mask: &u32| mask.count_ones() == 4;
    let pick = |mask: u32| (0..names.len()).filter(move |i| mask >> i & 1 == 1).map(|i| names[i]);
    (0..1 << names.len()).filter(has_four).map(|mask| pick(mask).collect()).collect()
}

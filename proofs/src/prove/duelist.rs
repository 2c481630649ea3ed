//! The player of Liar's Dice for two: what it wins, what each division of the dice brings it, and how long it takes.

use std::collections::BTreeMap;
use std::error::Error;

use dicehill_arena::{Bot, Failure, Finished, Interval, Play, Program, Start};
use dicehill_bots::liars_dice_bots;
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules, View};
use dicehill_rules::{Chance, Game, Public, Seat};
use dicehill_solver::liars_dice::{Bracket, Round, Side};
use rustix::time::{ClockId, clock_gettime};

use super::rounds;
use crate::figures::Figure;

const OURS: &str = "duelist";
const PUBLISHED: [&str; 4] = ["badnomial", "nobody", "pirate", "straight-shooter"];
const OTHERS: [&str; 4] = ["bayes", "honest", "random", "seer"];
/// Matches against each.
const MATCHES: u64 = 400;
/// Percent of the matches that are to be won.
const AIM: f64 = 55.0;
/// Milliseconds within which it is to decide.
const SOON: f64 = 50.0;
/// A division counts if it was played so often.
const LEAST_ROUNDS: f64 = 100.0;

pub(super) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut seen = Seen::default();
    let mut figures = Vec::new();
    let mut worst = BTreeMap::new();
    let brackets = brackets()?;
    for other in PUBLISHED.into_iter().chain(OTHERS) {
        seen.rounds.clear();
        let begun = thread_milliseconds();
        let wins = matches(other, &mut seen);
        let seconds = (thread_milliseconds() - begun) / 1e3;
        eprintln!("{other}: {wins} of {MATCHES} matches won; {seconds:.0} CPU s");
        figures.push(won(other, wins));
        for ((dice, side), sums) in &seen.rounds {
            let excess = sums.excess(least(&brackets, *dice, *side));
            worst.insert((other, *dice, *side), excess);
        }
    }
    figures.push(above_the_least(&worst));
    figures.push(time(&mut seen.milliseconds));
    Ok(figures)
}

/// What has been seen of our player.
#[derive(Default)]
struct Seen {
    /// CPU milliseconds of each decision.
    milliseconds: Vec<f64>,
    /// What rounds brought, by its dice and side.
    rounds: BTreeMap<(u8, usize), Sums>,
}

/// Rounds won and lost.
#[derive(Clone, Copy, Default)]
struct Sums {
    won: f64,
    lost: f64,
}

impl Sums {
    fn count(self) -> f64 {
        self.won + self.lost
    }

    /// By how many standard errors the mean payoff is above `least`; nothing of a few rounds.
    fn excess(self, least: f64) -> Option<f64> {
        let count = self.count();
        let mean = (self.won - self.lost) / count;
        // Where all rounds ended alike, one more of the other kind is added.
        let spread = (1.0 - mean * mean).max(4.0 / count);
        (count >= LEAST_ROUNDS).then(|| (mean - least) / (spread / count).sqrt())
    }
}

/// Our player, watched.
struct Watched<'a> {
    bot: Box<dyn Bot<LiarsDice>>,
    seat: Seat,
    seen: &'a mut Seen,
}

impl Bot<LiarsDice> for Watched<'_> {
    fn start(&mut self, start: &Start) {
        self.bot.start(start);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let begun = thread_milliseconds();
        let action = self.bot.act(view);
        self.seen.milliseconds.push(thread_milliseconds() - begun);
        action
    }

    fn reveal(&mut self, game: &LiarsDice, action: &Action) {
        self.bot.reveal(game, action);
        let caller = game.position_to_act().expect("somebody calls");
        let own = usize::from(game.seats()[0] != self.seat);
        // Both act by turns, so that the starter calls after an even number of bids.
        let starter = if game.bids().len().is_multiple_of(2) { caller } else { 1 - caller };
        let wins = game.last_bid_holds().expect("a bid is called") == (caller != own);
        let dice = game.hands()[own].faces().len() as u8;
        let sums = self.seen.rounds.entry((dice, usize::from(starter != own))).or_default();
        if wins { sums.won += 1.0 } else { sums.lost += 1.0 }
    }

    fn end(&mut self, finished: &Finished<'_, LiarsDice>) {
        self.bot.end(finished);
    }
}

fn thread_milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    1e3 * time.tv_sec as f64 + 1e-6 * time.tv_nsec as f64
}

fn house(name: &str) -> Box<dyn Bot<LiarsDice>> {
    let house = liars_dice_bots().into_iter().find(|bot| bot.name() == name);
    house.expect("a house bot").bot()
}

/// Plays matches, by turns in both seats; how many are won.
fn matches(other: &str, seen: &mut Seen) -> u64 {
    let chance = Chance::new("duelist");
    (1..=MATCHES).filter(|number| wins(&chance, *number, other, seen)).count() as u64
}

fn wins(chance: &Chance, number: u64, other: &str, seen: &mut Seen) -> bool {
    let seat = Seat::new((number % 2) as u16);
    let names = if seat.index() == 0 { vec![OURS, other] } else { vec![other, OURS] };
    let mut ours = Watched { bot: house(OURS), seat, seen };
    let mut theirs = house(other);
    let start = |name: &str| {
        let (id, seed) = (chance.game_id(number, name), chance.bot_seed(number, name));
        Start { game: number, id, players: 2, seed }
    };
    ours.start(&start(OURS));
    theirs.start(&start(other));
    let public = Public { names, points: Vec::new() };
    let mut play = Play::new(LiarsDiceRules::Official, chance.table(number), 2, public);
    let mut bots: [&mut dyn Bot<LiarsDice>; 2] = [&mut ours, &mut *theirs];
    if seat.index() == 1 {
        bots.reverse();
    }
    play.drive(&mut bots);
    play.finished(seat).game.result(seat).won
}

fn won(other: &str, wins: u64) -> Figure {
    let share = 100.0 * wins as f64 / MATCHES as f64;
    let interval = Interval::of_share(wins, MATCHES).expect("matches were played");
    let is_published = PUBLISHED.contains(&other);
    let aim = if is_published { format!("at least {AIM}") } else { "none".to_owned() };
    Figure {
        name: format!("matches of two against {other} that {OURS} wins, %"),
        value: format!("{share:.1}"),
        interval: format!(
            "{:.1} - {:.1} of {MATCHES}",
            100.0 * interval.low,
            100.0 * interval.high
        ),
        aim,
        met: !is_published || share >= AIM,
    }
}

/// What is certified of the rounds with ten dice, by the starter's.
fn brackets() -> Result<Vec<Bracket>, Box<dyn Error>> {
    (1..Round::MOST_DICE).map(|starter| Ok(rounds::of_ten_dice(starter)?.bracket)).collect()
}

/// What the certified strategy gets at least with so many dice on this side.
fn least(brackets: &[Bracket], dice: u8, side: usize) -> f64 {
    if Side::BOTH[side] == Side::Starter {
        brackets[usize::from(dice) - 1].lower
    } else {
        -brackets[usize::from(Round::MOST_DICE - dice) - 1].upper
    }
}

fn above_the_least(excesses: &BTreeMap<(&str, u8, usize), Option<f64>>) -> Figure {
    let known = excesses.iter().filter_map(|(key, excess)| Some((*key, (*excess)?)));
    let worst = known.clone().min_by(|a, b| a.1.total_cmp(&b.1));
    let ((other, dice, side), least) = worst.expect("rounds were played");
    Figure {
        name: format!(
            "rounds of two, by dice, side and opponent: the least payoff of {OURS} above what is certified, standard errors ({dice} dice, {}, {other})",
            Side::BOTH[side]
        ),
        value: format!("{least:.1}"),
        interval: format!("of {} with at least {LEAST_ROUNDS} rounds", known.count()),
        aim: "at least -3".to_owned(),
        met: least >= -3.0,
    }
}

fn time(milliseconds: &mut [f64]) -> Figure {
    milliseconds.sort_by(f64::total_cmp);
    let at = |share: f64| milliseconds[((milliseconds.len() - 1) as f64 * share) as usize];
    Figure {
        name: format!("{OURS}: CPU milliseconds of its slowest decision"),
        value: format!("{:.1}", at(1.0)),
        interval: format!(
            "half within {:.2}, 99 % within {:.1}, of {}",
            at(0.5),
            at(0.99),
            milliseconds.len()
        ),
        aim: format!("at most {SOON}"),
        met: at(1.0) <= SOON,
    }
}

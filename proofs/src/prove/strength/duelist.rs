//! The house bot for two-player Liar's Dice: its wins, its loss to a player that knows its blueprints, and the time of
//! its decisions.

mod exploiter;

use dicehill_arena::{Bot, Failure, Finished, Interval, Play, Program, Start};
use dicehill_bots::liars_dice_bots;
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules, View};
use dicehill_rules::{Chance, Game, PublicInfo, Seat};
use rustix::time::{ClockId, clock_gettime};

use self::exploiter::BestResponses;
use crate::figures::Figure;

const OURS: &str = "duelist";
const PUBLISHED: [&str; 4] = ["badnomial", "nobody", "pirate", "straight-shooter"];
const OTHERS: [&str; 4] = ["bayes", "honest", "random", "seer"];
/// The player that knows the blueprints.
const EXPLOITER: &str = "an exploiter";
/// Matches against each opponent.
const MATCHES: u64 = 2000;
/// Percent of the matches that have to be won.
const AIM: f64 = 55.0;
/// Milliseconds that a decision may take.
const MAX_MILLISECONDS: f64 = 50.0;

pub(crate) fn figures() -> Vec<Figure> {
    let mut milliseconds = Vec::new();
    let mut figures = Vec::new();
    for other in PUBLISHED.into_iter().chain(OTHERS) {
        figures.push(against(other, || house(other), &mut milliseconds));
    }
    let answers = BestResponses::trained();
    figures.push(against(EXPLOITER, || answers.bot(), &mut milliseconds));
    figures.extend(answers.figures());
    figures.push(time_figure(&mut milliseconds));
    figures
}

/// Measures the decisions of a bot.
struct Timed<'a> {
    bot: Box<dyn Bot<LiarsDice>>,
    /// CPU milliseconds of each decision.
    milliseconds: &'a mut Vec<f64>,
}

impl Bot<LiarsDice> for Timed<'_> {
    fn start(&mut self, start: &Start) {
        self.bot.start(start);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let start = thread_milliseconds();
        let action = self.bot.act(view);
        self.milliseconds.push(thread_milliseconds() - start);
        action
    }

    fn reveal(&mut self, game: &LiarsDice, action: &Action) {
        self.bot.reveal(game, action);
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

/// Plays matches in alternating seats.
fn against(
    other: &str,
    opponent: impl Fn() -> Box<dyn Bot<LiarsDice>>,
    milliseconds: &mut Vec<f64>,
) -> Figure {
    let chance = Chance::new("duelist");
    let start = thread_milliseconds();
    let is_own_win = |number: &u64| is_won(&chance, *number, (other, opponent()), milliseconds);
    let wins = (1..=MATCHES).filter(is_own_win).count() as u64;
    let seconds = (thread_milliseconds() - start) / 1e3;
    eprintln!("{other}: {wins} of {MATCHES} matches won; {seconds:.0} CPU s");
    win_figure(other, wins)
}

fn is_won(
    chance: &Chance,
    number: u64,
    (other, mut theirs): (&str, Box<dyn Bot<LiarsDice>>),
    milliseconds: &mut Vec<f64>,
) -> bool {
    let seat = Seat::new((number % 2) as u16);
    let names = if seat.index() == 0 { vec![OURS, other] } else { vec![other, OURS] };
    let mut ours = Timed { bot: house(OURS), milliseconds };
    let start = |name: &str| {
        let (id, seed) = (chance.game_id(number, name), chance.bot_seed(number, name));
        Start { game: number, id, players: 2, seed }
    };
    ours.start(&start(OURS));
    theirs.start(&start(other));
    let public = PublicInfo { names, points: Vec::new() };
    let mut play = Play::new(LiarsDiceRules::Official, chance.table(number), 2, public);
    let mut bots: [&mut dyn Bot<LiarsDice>; 2] = [&mut ours, &mut *theirs];
    if seat.index() == 1 {
        bots.reverse();
    }
    play.drive(&mut bots);
    play.finished(seat).game.result(seat).won
}

fn win_figure(other: &str, wins: u64) -> Figure {
    let share = 100.0 * wins as f64 / MATCHES as f64;
    let interval = Interval::wilson(wins, MATCHES).expect("matches were played");
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

fn time_figure(milliseconds: &mut [f64]) -> Figure {
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
        aim: format!("at most {MAX_MILLISECONDS}"),
        met: at(1.0) <= MAX_MILLISECONDS,
    }
}

//! Runs with an early end: how often their decision is wrong, and how soon they end.

use dicehill_arena::{
    BotName, Confidence, ConfidenceSequence, Entrant, FormatName, HillDraft, ResultDocument,
    StoppingReport, TournamentGame,
};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::Game;

use super::simulated_placement::Random;
use crate::figures::Figure;
use crate::prove::hills::play;

/// The confidence of the duels.
const CONFIDENCE: f64 = 0.99;
/// Simulated duels of equals of each kind, and blocks in each, with a look after every block.
const DUELS: u64 = 10_000;
const BLOCKS: u64 = 5000;
/// The most points by which two players at a Liar's Dice table can differ in a block.
const LIARS_BOUND: i64 = 5438;
/// Runs of the arena itself between equals, and games of each.
const RUNS: u64 = 1000;
const GAMES: i64 = 1000;
/// Duels of each pair of house bots, and games after which they end undecided.
const PAIR_DUELS: u64 = 100;
const PAIR_GAMES: i64 = 20_000;
/// Simulated duels of each true difference.
const UNEQUAL_DUELS: u64 = 400;
/// The permitted ratio of games to those of a fixed-size test that knows the difference.
const MAX_TIMES: f64 = 2.0;

/// Random differences in a block with mean zero.
type Difference = fn(&mut Random) -> i64;

const EQUALS: [(&str, i64, Difference); 6] =
    [
        ("heads or tails", 2, |random| if random.uniform() < 0.5 { 2 } else { -2 }),
        ("points of Yahtzee, mostly ties", 2, |random| match random.word() % 20 {
            0 => 2,
            1..4 => 1,
            4..7 => -1,
            7 => -2,
            _ => 0,
        }),
        ("points of Liar's Dice", LIARS_BOUND, |random| {
            let wins = random.word() % 4;
            let turns = (random.uniform() * random.uniform() * 80.0) as i64;
            let dice = 10 * (random.word() % 6) as i64;
            match wins {
                0 => 2000 + turns + dice,
                1 => -2000 - turns - dice,
                2 => turns - dice,
                _ => dice - turns,
            }
        }),
        ("skewed, 1000 in a fifth of the blocks, else -250", LIARS_BOUND, |random| {
            if random.word().is_multiple_of(5) { 1000 } else { -250 }
        }),
        ("as skewed as can be, -5438 in one of 5439 blocks, else 1", LIARS_BOUND, |random| {
            if random.word() % 5439 == 0 { -LIARS_BOUND } else { 1 }
        }),
        ("heavy tails, 5438 either way in one of 500 blocks, else 0", LIARS_BOUND, |random| {
            match random.word() % 1000 {
                0 => LIARS_BOUND,
                1 => -LIARS_BOUND,
                _ => 0,
            }
        }),
    ];

pub(crate) fn figures() -> Vec<Figure> {
    let simulated =
        EQUALS.iter().map(|(name, bound, difference)| equals(name, *bound, *difference));
    let mut figures: Vec<_> = simulated.collect();
    figures.push(equal_runs("yahtzee: duels of dummy with itself", || {
        twins(yahtzee_bots(), "dummy", 2, FormatName::Duel)
    }));
    figures.push(equal_runs("liars-dice: duels of random with itself", || {
        twins(liars_dice_bots(), "random", 2, FormatName::Duel)
    }));
    figures.push(equal_runs("yahtzee: duels of each of four dummies with each", || {
        twins(yahtzee_bots(), "dummy", 4, FormatName::Duel)
    }));
    figures.push(equal_runs("liars-dice: challenges of six badnomials", || {
        twins(liars_dice_bots(), "badnomial", 6, FormatName::Challenge)
    }));
    figures.extend([0.51, 0.52, 0.55, 0.6, 0.7, 0.8, 0.9].map(unequal));
    let pairs = [["greedy", "aces-and-eights"], ["aces-and-eights", "dummy"], ["random", "dummy"]];
    figures.extend(pairs.map(|pair| house_pair(yahtzee_bots, pair)));
    let pairs = [["bayes", "badnomial"], ["badnomial", "nobody"], ["honest", "nobody"]];
    figures.extend(pairs.map(|pair| house_pair(liars_dice_bots, pair)));
    let pairs =
        [["nobody", "straight-shooter"], ["straight-shooter", "pirate"], ["pirate", "random"]];
    figures.extend(pairs.map(|pair| house_pair(liars_dice_bots, pair)));
    figures
}

fn confidence() -> Confidence {
    Confidence::new(CONFIDENCE).expect("a confidence")
}

/// The number of blocks after which a duel with such differences is decided.
fn decided_after(
    random: &mut Random,
    bound: i64,
    blocks: u64,
    difference: impl Fn(&mut Random) -> i64,
) -> Option<u64> {
    let mut sequence = ConfidenceSequence::new(bound.unsigned_abs());
    (1..=blocks).find(|_| {
        sequence.add(difference(random));
        sequence.sign(confidence()).is_some()
    })
}

fn equals(name: &str, bound: i64, difference: Difference) -> Figure {
    let is_decided = |number: &u64| {
        decided_after(&mut Random(number << 32), bound, BLOCKS, difference).is_some()
    };
    let wrong = (0..DUELS).filter(is_decided).count() as u64;
    let kind = format!("simulated duels of {BLOCKS} blocks between equals, {name}");
    false_stops(&kind, wrong, DUELS)
}

fn false_stops(kind: &str, wrong: u64, of: u64) -> Figure {
    let most = 100.0 * (1.0 - CONFIDENCE);
    let share = wrong as f64 / of as f64;
    let (z2, of) = (1.96 * 1.96, of as f64);
    let spread = share * (1.0 - share) / of + z2 / (4.0 * of * of);
    let centre = share + z2 / (2.0 * of);
    let bound = |sign: f64| 100.0 * (centre + sign * 1.96 * spread.sqrt()) / (1.0 + z2 / of);
    Figure {
        name: format!("{kind}: decided, %"),
        value: format!("{:.2}", 100.0 * share),
        interval: format!("{:.2} - {:.2} of {of}", bound(-1.0).max(0.0), bound(1.0)),
        aim: format!("below {most:.2}"),
        met: 100.0 * share < most,
    }
}

/// Entrants that all play with the same bot.
fn twins<G: Game, const N: usize>(
    bots: [HouseBot<G>; N],
    name: &str,
    count: usize,
    format: FormatName,
) -> HillDraft<G> {
    let bot = bots.into_iter().find(|bot| bot.name() == name).expect("a house bot").entrant();
    let twin = |number: usize| Entrant {
        name: BotName::new(&format!("{name}-{number}")).expect("a name"),
        ..bot.clone()
    };
    let entrants = (1..=count).map(twin).collect();
    HillDraft {
        format,
        games: GAMES,
        until: Some(confidence()),
        ..HillDraft::challenge(entrants, "")
    }
}

fn verdict(document: &ResultDocument) -> &StoppingReport {
    document.verdict.as_ref().expect("the run was to end early")
}

/// Runs of the arena itself, each with its own seed.
fn equal_runs<G: TournamentGame>(name: &str, draft: impl Fn() -> HillDraft<G>) -> Figure {
    let is_decided = |number: &u64| {
        let seed = format!("equals {number}");
        verdict(&play(HillDraft { seed, ..draft() })).decided
    };
    let wrong = (0..RUNS).filter(is_decided).count() as u64;
    false_stops(&format!("{name}, {GAMES} games a pairing"), wrong, RUNS)
}

/// A duel in which one player wins each game with this probability.
fn unequal(chance: f64) -> Figure {
    let one = |number: u64| {
        let mut random = Random(number << 32 | 1);
        let blocks = decided_after(&mut random, 2, u64::MAX, |random| {
            let wins = (0..2).filter(|_| random.uniform() < chance).count() as i64;
            2 * (wins - 1)
        });
        2 * blocks.expect("the search is endless")
    };
    let fixed = fixed_games(chance);
    let [low, median, high] = quartiles((0..UNEQUAL_DUELS).map(one).collect());
    Figure {
        name: format!("one wins {:.0} % of the games: games until that is decided", 100.0 * chance),
        value: median.to_string(),
        interval: format!("{low} - {high} in half of {UNEQUAL_DUELS} duels"),
        aim: format!(
            "at most {MAX_TIMES} times the {fixed:.0} that a test of 99 % and power 80 % takes which knows this"
        ),
        met: median as f64 <= MAX_TIMES * fixed,
    }
}

/// Games after which a test with a fixed number of games finds the difference with 80 % power; `error` and `power` are
/// quantiles of the normal distribution.
fn fixed_games(chance: f64) -> f64 {
    let (error, power) = (2.5758, 0.8416);
    let root = (error * 0.5 + power * (chance * (1.0 - chance)).sqrt()) / (chance - 0.5);
    root * root
}

/// The lower quartile, the median and the upper quartile.
fn quartiles(mut all: Vec<u64>) -> [u64; 3] {
    all.sort_unstable();
    [1, 2, 3].map(|quarter| all[quarter * all.len() / 4])
}

/// Duels of a pair whose first bot is the better one.
fn house_pair<G: TournamentGame, const N: usize>(
    bots: fn() -> [HouseBot<G>; N],
    pair: [&str; 2],
) -> Figure {
    let document = |number: u64| {
        let named = bots().into_iter().filter(|bot| pair.contains(&bot.name()));
        let entrants = named.map(HouseBot::entrant).collect();
        play(HillDraft {
            format: FormatName::Duel,
            games: PAIR_GAMES,
            until: Some(confidence()),
            ..HillDraft::challenge(entrants, &format!("pair {number}"))
        })
    };
    let documents: Vec<_> = (0..PAIR_DUELS).map(document).collect();
    let decided = documents.iter().filter(|document| verdict(document).decided);
    let correct = |document: &&ResultDocument| document.champion.as_deref() == Some(pair[0]);
    let (decided, correct) = (decided.clone().count(), decided.filter(correct).count());
    let games = documents.iter().map(|document| verdict(document).played).collect();
    let [low, median, high] = quartiles(games);
    let [better, worse] = pair;
    Figure {
        name: format!("{}: {better} and {worse}, games until it is decided", G::NAME),
        value: median.to_string(),
        interval: format!(
            "{low} - {high} in half of {PAIR_DUELS} duels; {decided} decided, {correct} for {better}"
        ),
        aim: format!("one wrong at most; {PAIR_GAMES} if never"),
        met: decided - correct <= 1,
    }
}

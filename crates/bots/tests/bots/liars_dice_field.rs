//! `bayes` against the other house bots: it leads every field without the stronger bots that came later, and acts legally against any
//! bids.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    FormatName, Hill, HillDraft, Jobs, Program, ResultDocument, RunEnd, RunOptions, Standing, run,
};
use dicehill_bots::{HouseBot, liars_dice_bots};
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};

use crate::absurd::Absurd;
use crate::legality::check_legality;

const OURS: &str = "bayes";
/// The stronger bots, which have their own tests.
const LATER: [&str; 2] = ["duelist", "seer"];

/// A field, and the points and wins that the bot has to reach in it, in percent of the best opponent's.
struct Field {
    format: FormatName,
    seats: Option<i64>,
    games: i64,
    entrants: Vec<HouseBot<LiarsDice>>,
    points_percent: u64,
    wins_percent: u64,
}

#[track_caller]
fn check_lead(field: Field) {
    let Field { points_percent, wins_percent, .. } = field;
    let document = play(field);
    let standings = &document.standings;
    let table: Vec<_> = standings.iter().map(|row| (&row.bot, row.points, row.wins)).collect();
    let (ours, others): (Vec<_>, Vec<_>) = standings.iter().partition(|row| row.bot == OURS);
    let most = |of: fn(&Standing) -> u64| others.iter().map(|row| of(row)).max().expect("others");
    let (points, wins) = (most(|row| row.points), most(|row| row.wins));
    assert!(100 * ours[0].points >= points_percent * points, "points: {table:?}");
    assert!(100 * ours[0].wins >= wins_percent * wins, "wins: {table:?}");
}

fn play(field: Field) -> ResultDocument {
    let Field { format, seats, games, entrants, .. } = field;
    let entrants = entrants.into_iter().map(HouseBot::entrant).collect();
    let draft = HillDraft::challenge(entrants, "liars-dice-field");
    let hill =
        Hill::new(HillDraft { format, seats, games, ..draft }).expect("a hill of house bots");
    let options = RunOptions {
        jobs: Jobs::Exactly(2),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    match run(&hill, options, &mut |_| Ok(())).expect("nothing is stored") {
        RunEnd::Done(document) | RunEnd::Stopped(document) => document,
    }
}

/// The bot and the opponents whose names are accepted.
fn with_ours(is_included: impl Fn(&str) -> bool) -> Vec<HouseBot<LiarsDice>> {
    let bots = liars_dice_bots().into_iter().filter(|house| !LATER.contains(&house.name()));
    bots.filter(|house| house.name() == OURS || is_included(house.name())).collect()
}

fn names_of_others() -> Vec<&'static str> {
    let names = liars_dice_bots().into_iter().map(|house| house.name());
    names.filter(|name| *name != OURS && !LATER.contains(name)).collect()
}

#[test]
fn it_leads_every_field_of_five() {
    let others = names_of_others();
    for (index, out) in others.iter().enumerate() {
        for also_out in &others[index + 1..] {
            check_lead(Field {
                format: FormatName::Duel,
                seats: Some(5),
                games: 250,
                entrants: with_ours(|name| name != *out && name != *also_out),
                points_percent: 200,
                wins_percent: 300,
            });
        }
    }
}

/// The bot plays in four of seven games.
#[test]
fn it_leads_the_challenge() {
    check_lead(Field {
        format: FormatName::Challenge,
        seats: None,
        games: 1000,
        entrants: with_ours(|_| true),
        points_percent: 150,
        wins_percent: 180,
    });
}

#[test]
fn it_wins_every_duel() {
    for other in names_of_others() {
        check_lead(Field {
            format: FormatName::Duel,
            seats: Some(2),
            games: 400,
            entrants: with_ours(|name| name == other),
            points_percent: 200,
            wins_percent: 300,
        });
    }
}

#[test]
fn it_acts_legally_against_any_bids() {
    let house = with_ours(|_| false).pop().expect("the bot under test");
    let ours: Arc<dyn Program<LiarsDice>> = Arc::new(house);
    let absurd: Arc<dyn Program<LiarsDice>> = Arc::new(Absurd::default());
    let opponents = [absurd.clone(), ours.clone(), absurd.clone(), absurd];
    check_legality(LiarsDiceRules::Official, &ours, &opponents, 200, 5000);
}

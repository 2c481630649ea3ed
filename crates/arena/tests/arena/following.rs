//! A run that is followed by its records stands as the one that is played.

use dicehill_arena::{
    FollowError, Following, FormatName, Hill, HillDraft, ResultDocument, Schedule,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::support::{
    Cast, Outcome, best_box, draft, failure, fill_worst, first_box, hill, play, player, raiser,
};

/// What the lines of a run come to for somebody who only reads them.
fn followed<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>) -> ResultDocument {
    let chance = Chance::new(hill.seed());
    let barred = |name: &str| outcome.bars.iter().any(|bar| bar.bot == name);
    let active = hill.ids().filter(|id| !barred(hill.name_of(*id))).collect();
    let schedule = Schedule::new(hill, &chance, active);
    let mut following = Following::new(hill, &schedule);
    for (number, line) in (1..).zip(&outcome.lines) {
        following.take(line.clone()).expect("it is the next game");
        assert_eq!(following.games(), number);
    }
    following.document(&outcome.bars)
}

fn check<G: Game>(hill: &Hill<G>) -> ResultDocument {
    let played = play(hill, 1);
    let document = followed(hill, &played);
    let ResultDocument { records, placing, .. } = played.document.clone();
    assert_eq!(ResultDocument { records, placing, ..document }, played.document);
    played.document
}

fn boxes() -> Cast<Yahtzee> {
    let worst = || player::<Yahtzee>(|_, view| fill_worst(view));
    vec![("F", first_box()), ("B", best_box()), ("W", worst()), ("V", worst())]
}

fn raisers() -> Cast<LiarsDice> {
    vec![("A", raiser(20)), ("B", raiser(30)), ("C", raiser(40)), ("D", raiser(55))]
}

#[test]
fn all_formats() {
    for format in [FormatName::Challenge, FormatName::Duel, FormatName::Gauntlet] {
        check(&hill(HillDraft { format, ..draft(&boxes()) }));
        check(&hill(HillDraft { format, ..draft(&raisers()) }));
    }
    check(&hill(HillDraft { format: FormatName::Duel, seats: Some(3), ..draft(&raisers()) }));
}

#[test]
fn games_that_play_off_a_tie() {
    let mut cast = boxes();
    cast.drain(..2);
    let extra: u64 = (0..20)
        .map(|seed| {
            let (games, seed) = (4, format!("tie {seed}"));
            check(&hill(HillDraft { games, seed, ..draft(&cast) })).extra_games
        })
        .sum();
    assert!(extra > 0, "some were tied");
}

#[test]
fn without_those_who_are_barred() {
    let mut cast = boxes();
    cast.push(("Bad", player::<Yahtzee>(|_, _| failure(dicehill_arena::Reason::Crash))));
    let document = check(&hill(draft(&cast)));
    assert!(document.standings.iter().any(|row| row.bot == "Bad" && row.barred.is_some()));
}

#[test]
fn a_newcomer_that_is_placed() {
    let (format, challenger) = (FormatName::Gauntlet, Some("V".to_owned()));
    let strengths = Some(vec![-1.0, 0.0, 2.0, 0.0]);
    let document = check(&hill(HillDraft { format, challenger, strengths, ..draft(&boxes()) }));
    assert!(document.placing.is_some());
}

#[test]
fn another_game_is_refused() {
    let hill = hill(draft(&boxes()));
    let lines = play(&hill, 1).lines;
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, hill.ids().collect());
    let mut following = Following::new(&hill, &schedule);
    let wrong = following.take(lines[1].clone());
    assert!(matches!(wrong, Err(FollowError::AnotherGame(1))), "{wrong:?}");
    let torn = following.take(lines[0][..40].to_owned());
    assert!(matches!(torn, Err(FollowError::Unreadable { game: 1, .. })), "{torn:?}");
    following.take(lines[0].clone()).expect("a refused line changes nothing");
}

//! Following a run by its lines gives the same result as playing it.

use dicehill_arena::{
    FollowError, FormatName, Hill, HillDraft, ResultDocument, RunFollower, Schedule,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::support::{
    Bots, Outcome, best_box, draft, failure, fill_worst, first_box, hill, play, raiser, scripted,
};

/// The result of a run, computed from its lines alone.
fn document_of_lines<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>) -> ResultDocument {
    let chance = Chance::new(hill.seed());
    let barred = |name: &str| outcome.bars.iter().any(|bar| bar.bot == name);
    let active = hill.ids().filter(|id| !barred(hill.name_of(*id))).collect();
    let schedule = Schedule::new(hill, &chance, active);
    let mut follower = RunFollower::new(hill, &schedule);
    for (number, line) in (1..).zip(&outcome.lines) {
        follower.take(line.clone()).expect("it is the next game");
        assert_eq!(follower.games(), number);
    }
    follower.document(&outcome.bars)
}

fn check<G: Game>(hill: &Hill<G>) -> ResultDocument {
    let played = play(hill, 1);
    let document = document_of_lines(hill, &played);
    let ResultDocument { records, placing, .. } = played.document.clone();
    assert_eq!(ResultDocument { records, placing, ..document }, played.document);
    played.document
}

fn boxes() -> Bots<Yahtzee> {
    let worst = || scripted::<Yahtzee>(|_, view| fill_worst(view));
    vec![("F", first_box()), ("B", best_box()), ("W", worst()), ("V", worst())]
}

fn raisers() -> Bots<LiarsDice> {
    vec![("A", raiser(20)), ("B", raiser(30)), ("C", raiser(40)), ("D", raiser(55))]
}

#[test]
fn following_gives_the_result_of_the_run_in_all_formats() {
    for format in [FormatName::Challenge, FormatName::Duel, FormatName::Gauntlet] {
        check(&hill(HillDraft { format, ..draft(&boxes()) }));
        check(&hill(HillDraft { format, ..draft(&raisers()) }));
    }
    check(&hill(HillDraft { format: FormatName::Duel, seats: Some(3), ..draft(&raisers()) }));
}

#[test]
fn following_includes_play_offs() {
    let mut bots = boxes();
    bots.drain(..2);
    let extra: u64 = (0..20)
        .map(|seed| {
            let (games, seed) = (4, format!("tie {seed}"));
            check(&hill(HillDraft { games, seed, ..draft(&bots) })).extra_games
        })
        .sum();
    assert!(extra > 0, "some were tied");
}

#[test]
fn following_leaves_out_barred_entrants() {
    let mut bots = boxes();
    bots.push(("Bad", scripted::<Yahtzee>(|_, _| failure(dicehill_arena::Reason::Crash))));
    let document = check(&hill(draft(&bots)));
    assert!(document.standings.iter().any(|row| row.bot == "Bad" && row.barred.is_some()));
}

#[test]
fn following_includes_placements() {
    let (format, challenger) = (FormatName::Gauntlet, Some("V".to_owned()));
    let strengths = Some(vec![-1.0, 0.0, 2.0, 0.0]);
    let document = check(&hill(HillDraft { format, challenger, strengths, ..draft(&boxes()) }));
    assert!(document.placing.is_some());
}

#[test]
fn the_line_of_another_game_is_refused() {
    let hill = hill(draft(&boxes()));
    let lines = play(&hill, 1).lines;
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, hill.ids().collect());
    let mut follower = RunFollower::new(&hill, &schedule);
    let wrong = follower.take(lines[1].clone());
    assert!(matches!(wrong, Err(FollowError::AnotherGame(1))), "{wrong:?}");
    let torn = follower.take(lines[0][..40].to_owned());
    assert!(matches!(torn, Err(FollowError::Unreadable { game: 1, .. })), "{torn:?}");
    follower.take(lines[0].clone()).expect("a refused line changes nothing");
}

//! Documents of games agree with the recorded games.

use dicehill_arena::HillDraft;
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, Odds};

use super::test_hill::{HOSTILE, TestHill, document, failing, yahtzee};
use crate::model::liars_dice_replay::{LiarsDiceMove, LiarsDiceReplay, LiarsDiceRound, ShownCall};
use crate::model::replay::{ReplayDocument, ReplayMoves, RunOfGame};
use crate::model::yahtzee_replay::YahtzeeReplay;

fn of_yahtzee(document: &ReplayDocument) -> &YahtzeeReplay {
    match &document.replay {
        Some(ReplayMoves::Yahtzee(replay)) => replay,
        Some(ReplayMoves::LiarsDice(_)) | None => panic!("moves of Yahtzee: {document:?}"),
    }
}

fn of_liars_dice(document: &ReplayDocument) -> &LiarsDiceReplay {
    match &document.replay {
        Some(ReplayMoves::LiarsDice(replay)) => replay,
        Some(ReplayMoves::Yahtzee(_)) | None => panic!("moves of Liar's Dice: {document:?}"),
    }
}

#[test]
fn boxes_of_yahtzee_add_up_to_the_results() {
    for document in TestHill::yahtzee(12).documents() {
        let replay = of_yahtzee(&document);
        assert!(replay.moves.iter().map(|one| one.number).eq(1..=replay.moves.len()));
        for (seat, result) in document.seats.iter().enumerate() {
            let own = || replay.moves.iter().filter(|one| one.seat == seat);
            let filled: Vec<_> = own().filter_map(|one| one.filled.as_ref()).collect();
            assert_eq!(filled.len(), 13);
            let points: u32 = filled.iter().map(|one| u32::from(one.points) + one.bonus).sum();
            let last = filled.last().expect("thirteen");
            assert_eq!(u64::from(points + last.upper_bonus), result.figures["score"]);
            assert_eq!(u64::from(last.score), result.figures["score"]);
            assert_eq!(last.score, replay.cards[seat].score);
        }
    }
}

#[test]
fn a_score_is_best_play_plus_luck_minus_losses() {
    let mut mistakes = 0;
    for document in TestHill::yahtzee(12).documents() {
        let replay = of_yahtzee(&document);
        for (seat, one) in replay.decisions.iter().enumerate() {
            let score = document.seats[seat].figures["score"] as f64;
            assert!((one.start + one.luck - one.lost - score).abs() < 1e-5, "{one:?}: {score}");
            let moves = || replay.moves.iter().filter(|one| one.seat == seat);
            let lost: f64 = moves().filter_map(|one| one.lost).sum();
            assert!((lost - one.lost).abs() < 1e-3, "{lost} and {}", one.lost);
            for one in moves() {
                assert_eq!(one.best.is_some(), one.lost.is_some_and(|lost| lost > 0.0), "{one:?}");
            }
            mistakes += one.mistakes;
        }
        assert_eq!(replay.decisions.len(), document.seats.len());
    }
    assert!(mistakes > 0, "one bot plays at random");
}

#[test]
fn decisions_of_liars_dice_have_their_loss_by_the_odds() {
    let mut losses = 0;
    for document in TestHill::liars_dice(12).documents() {
        for one in &of_liars_dice(&document).moves {
            assert_eq!(one.lost.is_some(), one.failure.is_none(), "{one:?}");
            assert_eq!(one.best.is_some(), one.lost.is_some_and(|lost| lost > 0.0), "{one:?}");
            if let Some(call) = &one.call {
                let right = one.chance.expect("a call is legal");
                assert!((right + call.chance - 1.0).abs() < 1e-5, "{one:?}");
            }
            losses += usize::from(one.best.is_some());
        }
    }
    assert!(losses > 0, "the bots do not play by the odds");
}

#[test]
fn keeps_name_the_dice_that_are_kept() {
    for document in TestHill::yahtzee(3).documents() {
        for two in of_yahtzee(&document).moves.windows(2) {
            let [one, next] = two else { continue };
            if one.filled.is_none() {
                let mut kept: Vec<_> = one.kept.iter().map(|place| one.dice[*place]).collect();
                let mut found = next.dice[5 - kept.len()..].to_vec();
                kept.sort_unstable();
                found.sort_unstable();
                assert_eq!(kept, found, "kept dice are shown last");
            }
        }
    }
}

/// The dice of each seat in a round.
fn counts(round: &LiarsDiceRound) -> [usize; 5] {
    let mut counts = [0; 5];
    round.hands.iter().for_each(|hand| counts[hand.seat] = hand.dice.len());
    counts
}

/// The chance that the called bid of a round holds, computed from the caller's hand.
fn chance_of(moves: &[LiarsDiceMove], round: &LiarsDiceRound, call: &ShownCall) -> f64 {
    let is_call = |one: &&LiarsDiceMove| one.round == round.round && one.call.is_some();
    let caller = moves.iter().find(is_call).expect("a call").seat;
    let (own, others): (Vec<_>, Vec<_>) = round.hands.iter().partition(|hand| hand.seat == caller);
    let own = own[0].dice.iter().map(|pips| Face::new(*pips).expect("a face"));
    let hidden: usize = others.iter().map(|hand| hand.dice.len()).sum();
    let face = Face::new(call.bid.face).expect("a face");
    let bid = Bid::new(call.bid.count, face).expect("a bid");
    Odds::for_bid(bid, &own.collect::<Vec<_>>(), hidden as u32).chance()
}

#[test]
fn dice_change_hands_as_calls_say() {
    let mut called = 0;
    for document in TestHill::liars_dice(40).documents() {
        let replay = of_liars_dice(&document);
        for (index, round) in replay.rounds.iter().enumerate() {
            let moves = || replay.moves.iter().filter(|one| one.round == round.round);
            assert_eq!(moves().next().map(|one| one.number), Some(round.first));
            let Some(call) = moves().find_map(|one| one.call.as_ref()) else { continue };
            let bids: Vec<_> = moves().filter_map(|one| one.bid).collect();
            assert_eq!(bids.last(), Some(&call.bid));
            let dice = round.hands.iter().flat_map(|hand| &hand.dice);
            let there = dice.filter(|die| [1, call.bid.face].contains(die)).count();
            assert_eq!(call.there as usize, there);
            assert_eq!(call.held, call.there >= call.bid.count);
            assert!((call.chance - chance_of(&replay.moves, round, call)).abs() < 1e-5);
            let mut after = counts(round);
            after[call.giver] -= 1;
            after[call.taker] += 1;
            assert_eq!(call.last, after[call.giver] == 0);
            if let Some(next) = replay.rounds.get(index + 1) {
                assert_eq!(counts(next), after);
            }
            called += 1;
        }
    }
    assert!(called > 100);
}

#[test]
fn a_bot_that_fails_at_liars_dice_is_out() {
    let mut failed = 0;
    for document in TestHill::liars_dice(40).documents() {
        let replay = of_liars_dice(&document);
        let failures: Vec<_> = replay.moves.iter().filter(|one| one.failure.is_some()).collect();
        assert_eq!(failures.len(), document.failures.len());
        for (one, failure) in failures.iter().zip(&document.failures) {
            assert_eq!((one.seat, "malformed-answer"), (failure.seat, failure.reason.as_str()));
            assert!(!document.void && !document.seats[one.seat].won);
            let later = replay.rounds.iter().filter(|round| round.round > one.round);
            assert!(later.flat_map(|round| &round.hands).all(|hand| hand.seat != one.seat));
            assert!(one.text.contains("<b>nonsense</b>\\u{202e}"), "{}", one.text);
            failed += 1;
        }
    }
    assert!(failed > 0, "one bot fails in the fifth game");
}

#[test]
fn a_void_game_has_no_luck() {
    let mut draft = yahtzee("s");
    draft.games = 4;
    let inner = draft.entrants[0].program.clone();
    draft.entrants.push(failing("late", &inner, |game| game == 3));
    let hill = TestHill::played(draft, true);
    let source = hill.source();
    let [bar] = source.bars() else { panic!("one is barred") };
    assert_eq!((bar.game, source.count()), (3, 4));
    let document = document(&source, &bar.record);
    let replay = of_yahtzee(&document);
    assert!(document.void && replay.decisions.is_empty());
    assert!(replay.moves.iter().all(|one| one.lost.is_none()));
    assert!(replay.moves.last().is_some_and(|one| one.failure.is_some() && one.action.is_none()));
}

#[test]
fn play_offs_are_marked() {
    let tied = |seed: u32| {
        let mut draft = yahtzee(&seed.to_string());
        draft.entrants.retain(|bot| bot.name.as_str() != HOSTILE);
        TestHill::played(HillDraft { games: 2, ..draft }, true)
    };
    let hill = (0..50).map(tied).find(|hill| hill.source().count() > 2);
    let documents = hill.expect("two games often end one to one").documents();
    let played_off: Vec<_> = documents.iter().map(|document| document.played_off).collect();
    assert_eq!(played_off[..2], [false, false]);
    assert!(played_off[2..].iter().all(|played_off| *played_off));
}

#[test]
fn records_that_do_not_fit_the_run_are_refused() {
    let hill = TestHill::yahtzee(1);
    let source = hill.source();
    let line = &hill.lines()[0];
    let run = RunOfGame { header: source.header(), number: None, has_ended: true };
    let read = |line: &str| ReplayDocument::read(run, line, usize::MAX);
    assert!(read(line).is_ok());
    for (from, to) in
        [("\"table\":1,", "\"table\":2,"), ("\"points\":0", "\"points\":9"), ("{", "")]
    {
        assert!(read(&line.replace(from, to)).is_err(), "{from}");
    }
}

#[test]
fn the_seed_of_an_unfinished_run_is_not_shown() {
    let hill = TestHill::yahtzee(1);
    let source = hill.source();
    let run = RunOfGame { header: source.header(), number: Some(1), has_ended: false };
    let document = ReplayDocument::read(run, &hill.lines()[0], 4).expect("a game");
    assert_eq!(document.seed, None);
    let replay = of_yahtzee(&document);
    assert_eq!((replay.moves.len(), replay.left_out > 4), (4, true));
}

//! The highlights of games, against a second computation by their definitions.

use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Event, HighlightKind, Hill, Jobs, Move, Replay, RunOptions, TournamentGame, read_game_line, run,
};
use dicehill_rules::Chance;
use dicehill_rules::liars_dice::{Action, Hand, LiarsDice};
use dicehill_rules::yahtzee::{Scorecard, Yahtzee};

use crate::support::{Bots, best_box, challenge, first_box, raiser};

/// A highlight as the tests compare it.
type Found = (HighlightKind, usize, Option<usize>, u64);

/// The highlights of all games of a run: as they were found while it was played, and from its lines.
fn games<G: TournamentGame>(hill: Hill<G>) -> Vec<(Replay<G>, Vec<Found>)> {
    let hill = hill.with_highlights();
    let chance = Chance::new(hill.seed());
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(2), max_play_offs: 0, stop: &stop, deadline: None };
    let mut games = Vec::new();
    run(&hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            let replay = read_game_line::<G>(&played.line, hill.rules(), &chance).expect("a game");
            let found = played.highlights.clone().expect("they are looked for");
            assert_eq!(found, replay.highlights(hill.rules(), None), "{}", played.line);
            let found = found.iter().map(|one| (one.kind, one.seat, one.other, one.value));
            games.push((replay, found.collect()));
        }
        Ok(())
    })
    .expect("it is played");
    games
}

fn of_kind(found: &[Found], kind: HighlightKind) -> Option<Found> {
    found.iter().find(|found| found.0 == kind).copied()
}

#[test]
fn a_comeback_is_the_largest_deficit_after_a_round() {
    let bots: Bots<Yahtzee> = vec![("ada", best_box()), ("bob", first_box()), ("cid", best_box())];
    let mut comebacks = 0;
    for (replay, found) in games(challenge(&bots, 60)) {
        let mut play = replay.begin(Default::default());
        let mut scores = Vec::new();
        for one in &replay.moves {
            let round = play.game().round();
            play.repeat(one);
            if play.game().round() != round {
                scores.push(play.game().cards().iter().map(Scorecard::score).collect::<Vec<_>>());
            }
        }
        let winners: Vec<_> = (0..3).filter(|seat| replay.results[*seat].won).collect();
        let behind = |seat: usize| {
            let deficit = |scores: &Vec<u32>| scores.iter().max().expect("seats") - scores[seat];
            scores.iter().map(deficit).max().expect("rounds")
        };
        let expected = (winners.len() == 1).then(|| (winners[0], u64::from(behind(winners[0]))));
        let expected = expected.filter(|(_, behind)| *behind > 0);
        let comeback = of_kind(&found, HighlightKind::Comeback);
        assert_eq!(comeback.map(|(_, seat, _, value)| (seat, value)), expected);
        comebacks += usize::from(expected.is_some());
        let is_luck = |found: &Found| found.0 != HighlightKind::Comeback;
        assert!(!found.iter().any(is_luck), "games without appraisals have no known luck");
    }
    assert!(comebacks > 10, "{comebacks}");
}

/// The longest run of bids that do not hold, in one round, and the seat of the first of them.
fn longest_bluff(replay: &Replay<LiarsDice>) -> Option<(usize, u64)> {
    let mut play = replay.begin(Default::default());
    let mut rounds: Vec<Vec<(usize, bool)>> = Vec::new();
    for one in &replay.moves {
        let Move::Acted(action) = one else { panic!("these bots do not fail") };
        let seat = play.turn().expect("a turn").0.index();
        match action {
            Action::Bid(bid) => {
                let dice = play.game().hands().iter().flat_map(Hand::faces);
                let there = dice.filter(|die| **die == bid.face() || die.pips() == 1).count();
                if play.game().bids().is_empty() {
                    rounds.push(Vec::new());
                }
                let round = rounds.last_mut().expect("a round");
                round.push((seat, there < bid.count() as usize));
            }
            Action::Call => {}
        }
        play.repeat(one);
    }
    let mut longest = None;
    for round in rounds {
        for (start, (seat, _)) in round.iter().enumerate() {
            let bids = round[start..].iter().take_while(|(_, lies)| *lies).count() as u64;
            if bids > longest.map_or(1, |(_, most)| most) {
                longest = Some((*seat, bids));
            }
        }
    }
    longest
}

#[test]
fn a_bluff_is_a_row_of_bids_that_do_not_hold() {
    let bots: Bots<LiarsDice> =
        vec![("ada", raiser(60)), ("bob", raiser(90)), ("cid", raiser(30)), ("dan", raiser(70))];
    let (mut bluffs, mut comebacks) = (0, 0);
    for (replay, found) in games(challenge(&bots, 60)) {
        let bluff = of_kind(&found, HighlightKind::LongestBluff);
        assert_eq!(bluff.map(|(_, seat, _, bids)| (seat, bids)), longest_bluff(&replay));
        bluffs += usize::from(bluff.is_some());
        let winner = (0..replay.results.len()).find(|seat| replay.results[*seat].won);
        if let Some((_, seat, other, behind)) = of_kind(&found, HighlightKind::Comeback) {
            assert_eq!(Some(seat), winner);
            assert!(other.is_some_and(|other| other != seat) && (1..=19).contains(&behind));
            comebacks += 1;
        }
    }
    assert!(bluffs > 10 && comebacks > 10, "{bluffs} {comebacks}");
}

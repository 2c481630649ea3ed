//! Liar's Dice: bids, calls, eliminations, starters, limits and points.

use crate::scripted_dice::{ScriptedDice, read_faces};
use dicehill_rules::liars_dice::{
    Action, Bid, LiarsDice, LiarsDiceRules, TURN_LIMIT, View, dice_that_count,
};
use dicehill_rules::{Dice, Face, Forfeit, Game, PublicInfo, Seat, SeatResult};

use LiarsDiceRules::{Official, Superjedi2015};

/// Every die shows a six: the bid `1 6` always holds, and `1 5` never does.
struct Sixes;

impl Dice for Sixes {
    fn roll(&self, _seat: Seat, _round: u32, _roll: u8, faces: &mut [Face]) {
        faces.fill(Face::SIX);
    }
}

/// The dice of one round, a hand for each seat from 0 on.
fn round_of(dice: ScriptedDice, round: u32, hands: &[&str]) -> ScriptedDice {
    (0..).zip(hands).fold(dice, |dice, (seat, hand)| dice.with(seat, round, 0, hand))
}

fn act(game: &mut LiarsDice, dice: &impl Dice, text: &str) {
    let action = text.parse().unwrap_or_else(|why| panic!("{why}"));
    game.apply(&action, dice).unwrap_or_else(|why| panic!("{text}: {why}"));
}

fn play(game: &mut LiarsDice, dice: &impl Dice, actions: &[&str]) {
    for text in actions {
        act(game, dice, text);
    }
}

/// Passes the view of the player to act to `look`.
fn with_view<T>(game: &LiarsDice, look: impl FnOnce(View<'_>) -> T) -> T {
    let public =
        PublicInfo { names: vec!["A", "B", "C", "D", "E"], points: vec![100, 200, 300, 400] };
    look(game.view(&public).expect("the game goes on"))
}

fn counts(game: &LiarsDice) -> Vec<u8> {
    with_view(game, |view| view.counts.to_vec())
}

fn seats(numbers: &[u16]) -> Vec<Seat> {
    numbers.iter().copied().map(Seat::new).collect()
}

fn results(game: &LiarsDice, players: usize) -> Vec<SeatResult> {
    Seat::all(players).map(|seat| game.result(seat)).collect()
}

fn points(game: &LiarsDice, players: usize) -> Vec<u64> {
    results(game, players).iter().map(|result| result.points).collect()
}

/// A game in which all dice show sixes, with rounds that end in a call of a chosen seat.
struct Rounds {
    game: LiarsDice,
    players: usize,
}

impl Rounds {
    fn new(rules: LiarsDiceRules, players: usize) -> Self {
        Self { game: LiarsDice::new(rules, players, &Sixes), players }
    }

    /// Plays a round: the seats bid in turn until `bidder` has made a bid that holds or not, which is then called.
    fn call(mut self, bidder: u16, holds: bool) -> Self {
        for low in ["1 1", "1 2", "1 3", "1 4"] {
            if self.game.to_act() == Some(Seat::new(bidder)) {
                break;
            }
            act(&mut self.game, &Sixes, low);
        }
        assert_eq!(self.game.to_act(), Some(Seat::new(bidder)));
        act(&mut self.game, &Sixes, if holds { "1 6" } else { "1 5" });
        assert_eq!(self.game.last_bid_holds(), Some(holds));
        act(&mut self.game, &Sixes, "Liar!");
        self
    }

    fn times(self, times: usize, bidder: u16, holds: bool) -> Self {
        (0..times).fold(self, |rounds, _| rounds.call(bidder, holds))
    }

    fn forfeit(mut self) -> Self {
        assert_eq!(self.game.forfeit(&Sixes), Forfeit::Eliminated);
        self
    }

    /// Bids one higher each turn until `turns` turns were taken.
    fn bid_until(mut self, turns: u32) -> Self {
        let mut bids = Bid::above(None);
        while self.game.turns() < turns {
            let bid = bids.next().expect("there are six million bids");
            self.game.apply(&Action::Bid(bid), &Sixes).expect("the bid is higher");
        }
        self
    }

    fn act(mut self, text: &str) -> Self {
        act(&mut self.game, &Sixes, text);
        self
    }

    #[track_caller]
    fn check_table(self, still_in: &[u16], dice: &[u8], starter: u16) -> Self {
        assert_eq!(self.game.seats(), seats(still_in));
        assert_eq!(counts(&self.game), dice);
        assert_eq!(self.game.to_act(), Some(Seat::new(starter)));
        assert!(self.game.bids().is_empty(), "a round begins");
        self
    }

    #[track_caller]
    fn check_end(self, turns: u32, winner: Option<u16>) -> Self {
        assert_eq!((self.game.to_act(), self.game.turns()), (None, turns));
        assert_eq!(self.game.winner(), winner.map(Seat::new));
        let wins = u64::from(winner.is_some());
        let calls: u64 = results(&self.game, self.players).iter().map(|r| r.figures[1]).sum();
        let sum: u64 = points(&self.game, self.players).iter().sum();
        assert_eq!(sum, 1000 * wins + u64::from(turns) + 10 * calls);
        self
    }
}

#[test]
fn the_example_in_the_rules_plays_as_described() {
    let dice = round_of(ScriptedDice::default(), 1, &["11246", "12235", "13346"]);
    let dice = round_of(dice, 2, &["111111", "2222", "33333"]);
    let mut game = LiarsDice::new(Official, 3, &dice);
    play(&mut game, &dice, &["3 6", "4 2", "4 3", "5 2", "6 2", "6 3", "6 4"]);
    let bids: Vec<_> = game.bids().iter().map(Bid::to_string).collect();
    assert_eq!(bids, ["3 6", "4 2", "4 3", "5 2", "6 2", "6 3", "6 4"]);
    assert_eq!((game.last_bid_holds(), game.to_act()), (Some(true), Some(Seat::new(1))));
    act(&mut game, &dice, "Liar!");
    assert_eq!((game.round(), game.turns(), game.to_act()), (2, 8, Some(Seat::new(0))));
    assert_eq!(counts(&game), [6, 4, 5]);
    let hands: Vec<_> = game.hands().iter().map(|hand| hand.faces().to_vec()).collect();
    assert_eq!(hands, ["111111", "2222", "33333"].map(read_faces));
    assert_eq!(points(&game, 3), [3 + 10, 3, 2]);
    let second = SeatResult { points: 3, won: false, figures: [3, 1, 0, 0] };
    assert_eq!(game.result(Seat::new(1)), second);
}

#[track_caller]
fn check_call(bid: &str, holds: bool) {
    let hands = ["11246", "12235", "13346"];
    let dice = round_of(ScriptedDice::default(), 1, &hands);
    let after = if holds { ["222222", "2222", "22222"] } else { ["2222", "222222", "22222"] };
    let dice = round_of(dice, 2, &after);
    let mut game = LiarsDice::new(Official, 3, &dice);
    act(&mut game, &dice, bid);
    assert_eq!(game.last_bid_holds(), Some(holds), "{bid}");
    act(&mut game, &dice, "Liar!");
    assert_eq!(counts(&game), if holds { [6, 4, 5] } else { [4, 6, 5] }, "{bid}");
    let winner = Seat::new(u16::from(!holds));
    assert_eq!(game.to_act(), Some(winner), "{bid}: the player that gained the die starts");
}

/// On the table are four ones, three twos, three threes, two fours, a five and two sixes.
#[test]
fn ones_are_wild_except_for_bids_on_ones() {
    for (most, face) in [(4, 1), (7, 2), (7, 3), (6, 4), (5, 5), (6, 6)] {
        check_call(&format!("{most} {face}"), true);
        check_call(&format!("{} {face}", most + 1), false);
    }
    check_call("1 1", true);
    check_call("1000000 6", false);
}

#[test]
fn ones_count_for_every_face() {
    let count = |face| dice_that_count(&read_faces("1123666"), Face::new(face).unwrap());
    assert_eq!([1, 2, 3, 4, 5, 6].map(count), [2, 3, 3, 2, 2, 5]);
}

fn bid(text: &str) -> Bid {
    text.parse().unwrap_or_else(|why| panic!("{why}"))
}

/// `higher` is accepted after `lower`, and `lower` is refused after `higher`.
fn check_higher(higher: &str, lower: &str) {
    assert!(bid(higher) > bid(lower));
    assert!(bid(higher).value() > bid(lower).value(), "the controller's value orders alike");
    let mut game = LiarsDice::new(Official, 2, &Sixes);
    play(&mut game, &Sixes, &[lower, higher]);
    check_refused(&game, lower, &not_higher(lower, higher));
    check_refused(&game, higher, &not_higher(higher, higher));
}

fn not_higher(bid: &str, last: &str) -> String {
    format!("bid \"{bid}\" is not higher than the last bid \"{last}\"")
}

/// The game refuses the action with this message and does not change.
#[track_caller]
fn check_refused(game: &LiarsDice, text: &str, why: &str) {
    let mut after = game.clone();
    let action = text.parse().unwrap_or_else(|why| panic!("{why}"));
    let refusal = after.apply(&action, &ScriptedDice::default()).expect_err(text);
    assert_eq!(refusal.to_string(), why);
    assert_eq!(&after, game, "{text} was refused and changed something");
}

#[test]
fn bids_are_ordered_by_count_then_face() {
    check_higher("3 5", "3 4");
    check_higher("3 6", "3 4");
    check_higher("4 2", "3 4");
    check_higher("3 4", "3 3");
    check_higher("4 1", "3 6");
    check_higher("1 2", "1 1");
    check_higher("1000000 6", "1000000 5");
    check_higher("1000000 1", "999999 6");
}

#[test]
fn bids_have_the_values_of_the_controller() {
    assert_eq!(bid("3 4").value(), 22);
    assert_eq!(bid("1 1").value(), 7);
    assert_eq!(bid("1000000 6").value(), 6_000_006);
}

#[test]
fn bids_above_a_bid_are_listed_without_gaps() {
    let after = |last| Bid::above(last).take(8).map(|bid| bid.to_string()).collect::<Vec<_>>();
    assert_eq!(after(None), ["1 1", "1 2", "1 3", "1 4", "1 5", "1 6", "2 1", "2 2"]);
    assert_eq!(after(Some(bid("999999 6")))[..2], ["1000000 1", "1000000 2"]);
    assert_eq!(after(Some(bid("1000000 4"))), ["1000000 5", "1000000 6"]);
    assert_eq!(bid("1000000 6").successor(), None);
    assert_eq!(Bid::above(None).count(), 6_000_000);
}

#[test]
fn the_first_action_of_a_round_is_a_bid() {
    let nothing = "\"Liar!\" without a bid: the first action of a round is a bid";
    let game = LiarsDice::new(Official, 3, &Sixes);
    check_refused(&game, "Liar!", nothing);
    check_refused(&Rounds::new(Official, 3).call(0, true).game, "Liar!", nothing);
}

/// After the highest bid the call is the only legal action.
#[test]
fn the_highest_bid_can_be_called() {
    let mut game = LiarsDice::new(Official, 2, &Sixes);
    act(&mut game, &Sixes, "1000000 6");
    assert_eq!(game.legal_actions().collect::<Vec<_>>(), [Action::Call]);
    act(&mut game, &Sixes, "Liar!");
    assert_eq!(counts(&game), [4, 6]);
}

#[test]
fn the_player_that_was_right_gains_a_die_and_starts() {
    Rounds::new(Official, 3).call(0, true).check_table(&[0, 1, 2], &[6, 4, 5], 0);
    Rounds::new(Official, 3).call(0, false).check_table(&[0, 1, 2], &[4, 6, 5], 1);
    Rounds::new(Official, 3).call(1, true).check_table(&[0, 1, 2], &[5, 6, 4], 1);
    Rounds::new(Official, 3).call(2, true).check_table(&[0, 1, 2], &[4, 5, 6], 2);
    Rounds::new(Official, 3).call(2, false).check_table(&[0, 1, 2], &[6, 5, 4], 0);
}

#[test]
fn a_player_that_loses_its_last_die_is_eliminated() {
    for rules in [Official, Superjedi2015] {
        let four = Rounds::new(rules, 4).times(4, 1, true);
        four.check_table(&[0, 1, 2, 3], &[5, 9, 1, 5], 1).call(1, true).check_table(
            &[0, 1, 3],
            &[5, 10, 5],
            1,
        );
        let four = Rounds::new(rules, 4).times(4, 3, false);
        four.check_table(&[0, 1, 2, 3], &[9, 5, 5, 1], 0).call(3, false).check_table(
            &[0, 1, 2],
            &[10, 5, 5],
            0,
        );
    }
}

/// Positions shift down when a lower one is eliminated; dice and names stay with their seats.
#[test]
fn positions_shift_when_a_lower_one_is_eliminated() {
    let game = Rounds::new(Official, 4).times(5, 0, false).act("2 3").act("2 4").game;
    assert_eq!((game.seats(), game.to_act()), (&seats(&[1, 2, 3])[..], Some(Seat::new(3))));
    with_view(&game, |view| {
        assert_eq!((view.you, view.players(), view.dice_in_play()), (2, 3, 20));
        assert_eq!((view.previous_position(), view.next_position()), (1, 0));
        assert_eq!((view.counts, view.dice), (&[10, 5, 5][..], &[Face::SIX; 5][..]));
        assert_eq!((view.bids, view.last_bid()), (&[bid("2 3"), bid("2 4")][..], Some(bid("2 4"))));
        assert_eq!([0, 1, 2, 3].map(|p| view.name(p)), [Some("B"), Some("C"), Some("D"), None]);
        // All have points of earlier games, and D has begun a turn. B called five times, and began four rounds with a bid.
        assert_eq!([0, 1, 2].map(|p| view.points(p)), [200 + 50 + 5 + 4 + 1, 301 + 4, 400 + 4 + 1]);
    });
}

/// Checks who starts after seat `bidder` is called for the fifth time, if all its bids hold or none.
fn check_starter(rules: LiarsDiceRules, bidder: u16, holds: bool, out: u16, starter: u16) {
    let game = Rounds::new(rules, 3).times(5, bidder, holds).game;
    let still_in: Vec<_> = [0, 1, 2].into_iter().filter(|seat| *seat != out).collect();
    let state = format!("{rules}: seat {bidder} is called, holds: {holds}");
    assert_eq!(game.seats(), seats(&still_in), "{state}");
    assert_eq!(game.to_act(), Some(Seat::new(starter)), "{state}");
}

#[test]
fn the_player_that_gained_the_die_starts_after_an_elimination() {
    check_starter(Official, 0, true, 1, 0);
    check_starter(Official, 1, true, 2, 1);
    check_starter(Official, 2, true, 0, 2);
    check_starter(Official, 0, false, 0, 1);
    check_starter(Official, 1, false, 1, 2);
    check_starter(Official, 2, false, 2, 0);
}

#[test]
fn in_the_original_controller_the_right_neighbour_may_start() {
    // A wrong call eliminates the caller: the neighbour starts only if the caller is at position 0.
    check_starter(Superjedi2015, 0, true, 1, 0);
    check_starter(Superjedi2015, 1, true, 2, 1);
    check_starter(Superjedi2015, 2, true, 0, 1);
    // A right call eliminates the bidder: the neighbour starts only if the caller is above position 0.
    check_starter(Superjedi2015, 0, false, 0, 2);
    check_starter(Superjedi2015, 1, false, 1, 0);
    check_starter(Superjedi2015, 2, false, 2, 0);
}

/// When seat 0 is eliminated, seat 1 is at position 0.
#[test]
fn the_starter_in_the_original_controller_depends_on_positions_not_seats() {
    let without_first = |rules| {
        let rounds = Rounds::new(rules, 5).times(5, 4, true);
        assert_eq!(rounds.game.seats(), seats(&[1, 2, 3, 4]));
        rounds
    };
    let held = |rules| without_first(rules).times(5, 4, true);
    held(Official).check_table(&[2, 3, 4], &[5, 5, 15], 4);
    held(Superjedi2015).check_table(&[2, 3, 4], &[5, 5, 15], 2);
    let wrong = |rules| without_first(rules).times(10, 4, false);
    wrong(Official).check_table(&[1, 2, 3], &[15, 5, 5], 1);
    wrong(Superjedi2015).check_table(&[1, 2, 3], &[15, 5, 5], 1);
    let wrong = |rules| without_first(rules).times(5, 2, false);
    wrong(Official).check_table(&[1, 3, 4], &[5, 10, 10], 3);
    wrong(Superjedi2015).check_table(&[1, 3, 4], &[5, 10, 10], 4);
}

/// Without an elimination, the variants do not differ.
#[test]
fn without_an_elimination_the_player_that_gained_the_die_starts() {
    for rules in [Official, Superjedi2015] {
        Rounds::new(rules, 3).call(2, true).check_table(&[0, 1, 2], &[4, 5, 6], 2);
        Rounds::new(rules, 3).call(0, false).check_table(&[0, 1, 2], &[4, 6, 5], 1);
        Rounds::new(rules, 3).call(1, false).check_table(&[0, 1, 2], &[5, 4, 6], 2);
    }
}

#[test]
fn a_forfeit_removes_the_dice_and_the_player_before_starts() {
    for rules in [Official, Superjedi2015] {
        let four = || Rounds::new(rules, 4);
        four().forfeit().check_table(&[1, 2, 3], &[5, 5, 5], 3);
        four().act("1 6").forfeit().check_table(&[0, 2, 3], &[5, 5, 5], 0);
        four().act("1 6").act("2 6").act("3 6").forfeit().check_table(&[0, 1, 2], &[5, 5, 5], 2);
        let around = four().act("1 6").act("2 6").act("3 6").act("4 6").forfeit();
        around.check_table(&[1, 2, 3], &[5, 5, 5], 3);
        let later = four().call(1, false).forfeit();
        later.check_table(&[0, 1, 3], &[5, 4, 5], 1);
    }
}

/// A forfeit counts as a turn, and dice stay with their seats.
#[test]
fn after_a_forfeit_all_remaining_players_roll() {
    let dice = round_of(ScriptedDice::default(), 1, &["11111", "22222", "33333"])
        .with(0, 2, 0, "44444")
        .with(2, 2, 0, "55555");
    let mut game = LiarsDice::new(Official, 3, &dice);
    act(&mut game, &dice, "1 2");
    game.forfeit(&dice);
    assert_eq!((game.round(), game.turns(), game.to_act()), (2, 2, Some(Seat::new(0))));
    let hands: Vec<_> = game.hands().iter().map(|hand| hand.faces().to_vec()).collect();
    assert_eq!(hands, ["44444", "55555"].map(read_faces));
    assert_eq!(points(&game, 3), [1, 1, 0]);
}

#[test]
fn the_last_player_wins_even_if_all_others_forfeit() {
    for rules in [Official, Superjedi2015] {
        let game = Rounds::new(rules, 3).forfeit().forfeit().check_end(2, Some(1)).game;
        assert_eq!(points(&game, 3), [1, 1000, 1]);
        let won = SeatResult { points: 1000, won: true, figures: [0, 0, 0, 0] };
        assert_eq!(game.result(Seat::new(1)), won);
    }
}

/// Seat 0 bids five times, and each call of seat 1 is wrong.
#[test]
fn the_last_player_with_dice_wins() {
    for rules in [Official, Superjedi2015] {
        let game = Rounds::new(rules, 2).times(5, 0, true).check_end(10, Some(0)).game;
        let won = SeatResult { points: 5 + 50 + 1000, won: true, figures: [5, 0, 5, 0] };
        let lost = SeatResult { points: 5, won: false, figures: [5, 5, 0, 0] };
        assert_eq!(results(&game, 2), [won, lost]);
        let game = Rounds::new(rules, 2).times(5, 1, false).check_end(15, Some(0)).game;
        assert_eq!(points(&game, 2), [10 + 50 + 1000, 5]);
    }
}

#[test]
fn an_ended_game_shows_the_winners_hand() {
    let dice = round_of(ScriptedDice::default(), 1, &["33333", "66666"]);
    let mut game = LiarsDice::new(Official, 2, &dice);
    game.forfeit(&dice);
    assert_eq!(game.seats(), seats(&[1]));
    assert_eq!(game.hands()[0].faces(), read_faces("66666"));
}

#[test]
fn an_ended_game_refuses_everything() {
    for rules in [Official, Superjedi2015] {
        let mut game = Rounds::new(rules, 2).times(5, 0, true).game;
        for action in ["1 1", "1000000 6", "Liar!"] {
            check_refused(&game, action, "the game has ended");
        }
        assert!(game.view(&PublicInfo::default()).is_none());
        assert_eq!(game.legal_actions().next(), None);
        assert_eq!(game.last_bid_holds(), None, "there is nothing left to call");
        let before = game.clone();
        game.forfeit(&Sixes);
        assert_eq!(game, before);
    }
}

#[test]
fn bids_end_a_game_at_the_turn_limit() {
    for rules in [Official, Superjedi2015] {
        let game = Rounds::new(rules, 4).bid_until(TURN_LIMIT - 1).game;
        assert!(!game.has_ended(), "{rules}");
        let game = Rounds::new(rules, 4).bid_until(TURN_LIMIT).check_end(TURN_LIMIT, None).game;
        assert_eq!(points(&game, 4), [1250; 4]);
    }
}

/// After eleven turns, seat 0 has one die and seat 1 is to act; 4,988 bids later seat 1 calls seat 0.
#[test]
fn a_game_won_on_the_last_turn_is_won() {
    for rules in [Official, Superjedi2015] {
        let rounds = Rounds::new(rules, 2).times(4, 0, false);
        assert_eq!(rounds.game.turns(), 11);
        let game = rounds.bid_until(4999).act("Liar!").check_end(5000, Some(1)).game;
        // Four calls and three first bids of seat 1, then both bid in turn.
        let (turns, dice) = (4 + 3 + 2494 + 1, 5);
        assert_eq!(game.result(Seat::new(1)).points, 1000 + turns + 10 * dice);
        Rounds::new(rules, 2).bid_until(4999).forfeit().check_end(5000, Some(0));
    }
}

#[test]
fn a_call_or_forfeit_on_the_last_turn_ends_the_official_game() {
    Rounds::new(Official, 3).bid_until(4999).act("Liar!").check_end(5000, None);
    Rounds::new(Official, 3).bid_until(4999).forfeit().check_end(5000, None);
}

#[test]
fn the_original_controller_checks_the_turn_limit_only_after_a_legal_bid() {
    let late = || Rounds::new(Superjedi2015, 3).bid_until(4999);
    late().act("Liar!").act("1 1").check_end(5001, None);
    late().forfeit().act("1 1").check_end(5001, None);
    late().forfeit().forfeit().check_end(5001, Some(2));
    let game = late().act("Liar!").game;
    assert_eq!((game.turns(), game.to_act()), (5000, Some(Seat::new(1))));
}

/// The bounds are close to reachable points, so that they are useful.
#[test]
fn points_are_bounded_by_the_turn_limit() {
    assert_eq!(LiarsDice::max_lead(2), 1000 + 1669 + 50);
    assert_eq!(LiarsDice::max_points(2), 1000 + 3338 + 12_540);
    assert!((3..=5).all(|seats| LiarsDice::max_lead(seats) < 17_000));
}

#[track_caller]
fn check_read(text: &str, written: &str) {
    let action: Action = text.parse().unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(action.to_string(), written, "{text:?}");
    assert_eq!(written.parse(), Ok(action));
}

#[test]
fn blanks_around_and_between_numbers_are_ignored() {
    check_read("3 4", "3 4");
    check_read("  3 4", "3 4");
    check_read("3 4\t ", "3 4");
    check_read("3   4", "3 4");
    check_read("\t3\t4\t", "3 4");
    check_read("0003 04", "3 4");
    check_read("Liar!", "Liar!");
    check_read("  Liar!\t", "Liar!");
    check_read("1 1", "1 1");
    check_read("1000000 6", "1000000 6");
}

#[track_caller]
fn check_unreadable(text: &str, why: &str) {
    assert_eq!(text.parse::<Action>().expect_err(text).to_string(), why, "{text:?}");
}

#[test]
fn counts_and_faces_out_of_range_are_named() {
    check_unreadable("1000001 6", "count 1000001 is not 1-1000000");
    check_unreadable("0 6", "count 0 is not 1-1000000");
    check_unreadable("-1 6", "count -1 is not 1-1000000");
    check_unreadable("-0 6", "count -0 is not 1-1000000");
    check_unreadable("4294967297 6", "count 4294967297 is not 1-1000000");
    check_unreadable("3 0", "face 0 is not 1-6");
    check_unreadable("3 7", "face 7 is not 1-6");
    check_unreadable("3 -1", "face -1 is not 1-6");
    check_unreadable("3 257", "face 257 is not 1-6");
    let huge = "9".repeat(1000);
    check_unreadable(&format!("{huge} 6"), &format!("count {huge} is not 1-1000000"));
    check_unreadable(&format!("3 {huge}"), &format!("face {huge} is not 1-6"));
    assert!(Bid::new(0, Face::SIX).is_err() && Bid::new(1_000_001, Face::SIX).is_err());
    assert_eq!(Bid::new(1_000_000, Face::SIX), Ok(bid("1000000 6")));
}

#[test]
fn anything_else_is_no_action() {
    let garbage = [
        "",
        " ",
        "3",
        "3 4 5",
        "3,4",
        "3 4!",
        "+3 4",
        "3 +4",
        "3.0 4",
        "three 4",
        "0x3 4",
        "- 4",
        "--3 4",
        "3 ４",
        "3\u{a0}4",
        "3 4\n",
        "liar!",
        "LIAR!",
        "Liar",
        "Liar !",
        "Liar!!",
        "Liar! 3 4",
        "3 4 Liar!",
    ];
    for text in garbage {
        check_unreadable(text, &format!("{text:?} is neither \"COUNT FACE\" nor \"Liar!\""));
    }
}

/// The `Debug` text is included.
#[test]
fn a_view_does_not_show_the_hands_of_others() {
    let shown = |others: [&str; 2]| {
        let dice = round_of(ScriptedDice::default(), 1, &["11246", others[0], others[1]]);
        let game = LiarsDice::new(Official, 3, &dice);
        with_view(&game, |view| format!("{view:?}"))
    };
    let one = shown(["12235", "13346"]);
    assert!(one.contains("dice: [1, 1, 2, 4, 6]"), "{one}");
    assert_eq!(one, shown(["66666", "55555"]));
}

#[test]
fn a_game_begins_with_other_numbers_of_dice() {
    let mut game = LiarsDice::with_dice(Official, &[1, 3, 2], &Sixes);
    assert_eq!(counts(&game), [1, 3, 2]);
    // Six dice show sixes: the bid does not hold, and its bidder loses the only die.
    play(&mut game, &Sixes, &["7 6", "Liar!"]);
    assert_eq!((counts(&game), game.seats().to_vec()), (vec![4, 2], seats(&[1, 2])));
    let usual = LiarsDice::new(Official, 4, &Sixes);
    assert_eq!(LiarsDice::with_dice(Official, &[5; 4], &Sixes), usual);
}

#[test]
#[should_panic(expected = "1 to 5 dice, not [5, 0]")]
fn a_game_does_not_begin_without_dice() {
    let _ = LiarsDice::with_dice(Official, &[5, 0], &Sixes);
}

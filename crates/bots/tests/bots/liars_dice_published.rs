//! The decisions of the published Liar's Dice bots, each derived by hand from their description.

use dicehill_arena::Program;
use dicehill_bots::liars_dice_bots;
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules};
use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};

/// Moves a die from seat 1 to seat 0, which then starts: all dice of the earlier rounds show sixes.
const GIVES_ONE: &str = "1 6,Liar!";

/// Moves a die from seat 0 to seat 1, which then starts. In the first such round, seat 0 starts.
const TAKES_FIRST: &str = "11 6,Liar!";
const TAKES_ANOTHER: &str = "1 6,Liar!";
/// A low bid of seat 1, so that seat 0 is the last bidder when the bot acts.
const LOWEST: &str = "1 1";

/// All players roll `hand` in the round `last`, and only sixes before it.
struct Hands {
    last: u32,
    hand: Vec<Face>,
}

impl Dice for Hands {
    fn roll(&self, _seat: Seat, round: u32, _roll: u8, faces: &mut [Face]) {
        for (face, own) in faces.iter_mut().zip(self.hand.iter().cycle()) {
            *face = if round == self.last { *own } else { Face::SIX };
        }
    }
}

/// A table at which seat 1 has lost dice to seat 0 or, with two players, won some from it.
#[derive(Clone, Copy)]
struct Table {
    players: usize,
    given: u32,
    taken: u32,
}

const TWO: Table = Table { players: 2, given: 0, taken: 0 };
const THREE: Table = Table { players: 3, ..TWO };
const FIVE: Table = Table { players: 5, ..TWO };

impl Table {
    const fn given(self, given: u32) -> Self {
        Self { given, ..self }
    }

    const fn taken(self, taken: u32) -> Self {
        Self { taken, ..self }
    }

    /// The actions up to the round in which the bot acts.
    fn history(self) -> String {
        let given = (0..self.given).map(|_| GIVES_ONE);
        let taken =
            (0..self.taken).map(|round| if round == 0 { TAKES_FIRST } else { TAKES_ANOTHER });
        let lowest = (self.taken > 0).then_some(LOWEST);
        given.chain(taken).chain(lowest).collect::<Vec<_>>().join(",")
    }
}

/// The bot at seat 1 holds `hand`, and seat 0 has bid `last`.
#[track_caller]
fn check(bot: &str, table: Table, last: &str, hand: &str, expected: &str) {
    assert_eq!(answer(bot, table, Some(last), hand), expected, "{bot} at {last} with {hand}");
}

/// The bot at seat 0 holds `hand` and begins.
#[track_caller]
fn check_opening(bot: &str, table: Table, hand: &str, expected: &str) {
    assert_eq!(answer(bot, table, None, hand), expected, "{bot} begins with {hand}");
}

fn answer(bot: &str, table: Table, last: Option<&str>, hand: &str) -> String {
    let face = |digit: char| digit.to_digit(10).and_then(|pips| Face::new(pips as u8));
    let hand: Vec<_> = hand.chars().map(|digit| face(digit).expect("a face")).collect();
    let dice = Hands { last: table.given + table.taken + 1, hand };
    let mut game = LiarsDice::new(LiarsDiceRules::Official, table.players, &dice);
    let history = table.history();
    let history = history.split(',').filter(|action| !action.is_empty());
    for action in history.chain(last) {
        let action: Action = action.parse().expect("an action");
        game.apply(&action, &dice).expect("a legal action");
    }
    let public = PublicInfo::default();
    let view = game.view(&public).expect("the game goes on");
    assert_eq!((view.you, view.dice), (usize::from(last.is_some()), dice.hand.as_slice()));
    let house = liars_dice_bots().into_iter().find(|house| house.name() == bot);
    let action = house.expect("a house bot").bot().act(&view).expect("a house bot answers");
    game.clone().apply(&action, &dice).expect("a house bot plays by the rules");
    action.to_string()
}

mod badnomial {
    use super::*;

    const BOT: &str = "badnomial";

    #[test]
    fn it_opens_with_two_twos() {
        check_opening(BOT, TWO, "66666", "2 2");
        check_opening(BOT, FIVE, "11111", "2 2");
        check_opening(BOT, TWO.given(3), "33333444", "2 2");
    }

    #[test]
    fn it_raises_what_its_best_face_exceeds() {
        // Three fours and a one are four.
        check(BOT, TWO, "3 6", "44412", "4 4");
        // As many, of a higher face.
        check(BOT, TWO, "4 2", "44412", "5 4");
        // Four fives and a one are five.
        check(BOT, TWO, "4 3", "55551", "5 5");
    }

    #[test]
    fn ties_between_faces_go_to_the_higher_one() {
        check(BOT, TWO, "1 2", "22335", "2 3");
        // Three each of twos, threes and fours with two ones.
        check(BOT, TWO, "2 6", "11234", "3 4");
    }

    #[test]
    fn it_raises_if_its_own_bid_is_likely() {
        // Two fours; one more of five dice: 211/243. The bidder needs none.
        check(BOT, TWO, "3 2", "22344", "4 4");
        // Three more of ten: 0.70. The bidder's chance of two of five is 131/243.
        check(BOT, THREE, "4 5", "22344", "5 4");
    }

    #[test]
    fn it_raises_if_the_next_player_may_believe_the_bid() {
        // Its own four of ten: 0.44. The next one's two of ten: 0.90. The bidder's two of five.
        check(BOT, THREE, "6 2", "22344", "7 4");
        // Five of ten; three of ten: 0.70. The bidder's three of five, 51/243, is just above 1/5.
        check(BOT, THREE, "7 2", "22344", "8 4");
    }

    #[test]
    fn it_calls_if_neither_is_likely() {
        // Six of ten; four of ten: 0.44. The bidder's 51/243 would not be enough to call.
        check(BOT, THREE, "7 4", "22344", "Liar!");
        // The same odds of its own; the bidder's four of five is 11/243.
        check(BOT, THREE, "8 2", "22344", "Liar!");
    }

    #[test]
    fn it_calls_an_unlikely_bidder() {
        // The next player's three of ten would do; the bidder's four of five, 11/243, does not.
        check(BOT, THREE, "6 6", "22344", "Liar!");
        // With two players, only the bidder could hold more.
        check(BOT, TWO, "5 6", "22344", "Liar!");
        check(BOT, TWO, "5 2", "22344", "Liar!");
    }

    #[test]
    fn for_a_bid_on_ones_it_counts_its_own_ones() {
        // Two ones, and the bidder is assumed to hold 5 / 3 + 1 = 2.
        check(BOT, TWO, "4 1", "11234", "5 4");
        check(BOT, TWO, "5 1", "11234", "Liar!");
    }

    #[test]
    fn it_assumes_others_to_hold_a_third_of_their_dice_plus_one() {
        // 8 / 3 + 1 = 3: the bidder needs none, the next player one of two, 5/9.
        check(BOT, TWO.given(3), "4 5", "35", "5 5");
        check(BOT, TWO.given(3), "5 5", "35", "Liar!");
        // The bidder holds 6 dice and is assumed to have 3, so two of five are left; the next one 5 and 2.
        check(BOT, THREE.given(1), "6 3", "2356", "7 6");
        check(BOT, THREE.given(1), "7 3", "2356", "Liar!");
    }
}

mod straight_shooter {
    use super::*;

    const BOT: &str = "straight-shooter";

    #[test]
    fn it_opens_with_the_face_nearest_to_two() {
        // Expected: 3.67 twos, 2.67 threes, 1.67 fours, 2.67 fives and sixes.
        check_opening(BOT, TWO, "22356", "2 4");
        // Its own ones do not count: 2.67 twos and 1.67 threes.
        check_opening(BOT, TWO, "11125", "2 3");
        // Five players: 6.67 are expected of each face that it does not hold.
        check_opening(BOT, FIVE, "22333", "2 4");
    }

    #[test]
    fn it_takes_the_nearest_face_of_this_count_or_the_next() {
        check(BOT, TWO, "2 1", "22356", "2 4");
        // Fours are not above the last bid, so that the next count applies; distances are still measured from this one.
        check(BOT, TWO, "2 4", "22356", "3 4");
        // Threes, fives and sixes are equally near; the first of them.
        check(BOT, TWO, "3 2", "22356", "3 3");
        check(BOT, TWO, "3 3", "22356", "3 5");
    }

    #[test]
    fn after_sixes_it_begins_with_twos_of_the_next_count() {
        check(BOT, TWO, "3 6", "22356", "4 2");
        check(BOT, TWO, "1 6", "22356", "2 4");
    }

    #[test]
    fn it_calls_impossible_bids() {
        // Ten dice, five of which show something other than fours.
        check(BOT, TWO, "5 3", "22356", "6 2");
        check(BOT, TWO, "6 3", "22356", "Liar!");
        // One of its dice shows the face after the last bid's: it does not count against it.
        check(BOT, TWO, "6 2", "22356", "7 2");
        check(BOT, TWO, "7 2", "22356", "Liar!");
        check(BOT, TWO, "6 6", "22356", "Liar!");
    }

    #[test]
    fn its_ones_may_be_anything() {
        check(BOT, TWO, "8 2", "11125", "8 5");
        check(BOT, TWO, "9 2", "11125", "Liar!");
    }

    #[test]
    fn its_bids_do_not_exceed_the_dice_on_the_table() {
        check(BOT, TWO, "9 5", "11111", "9 6");
        check(BOT, TWO, "10 3", "11111", "10 4");
        check(BOT, TWO, "10 5", "11111", "10 6");
    }

    #[test]
    fn above_the_dice_on_the_table_it_makes_the_next_higher_bid() {
        check(BOT, TWO, "10 6", "11111", "11 2");
        check(BOT, TWO.given(4), "10 6", "1", "11 2");
    }
}

mod nobody {
    use super::*;

    const BOT: &str = "nobody";

    #[test]
    fn it_opens_with_one_two() {
        check_opening(BOT, TWO, "66666", "1 2");
        check_opening(BOT, THREE.given(2), "1111111", "1 2");
    }

    #[test]
    fn it_bids_its_best_face_with_a_bonus() {
        // Bonus 10 / 5: four twos.
        check(BOT, TWO, "4 1", "22356", "4 2");
        check(BOT, TWO, "1 2", "22356", "4 2");
        // The higher of two.
        check(BOT, TWO, "4 5", "22366", "4 6");
        // Bonus 15 / 5.
        check(BOT, THREE, "5 1", "22356", "5 2");
    }

    #[test]
    fn its_ones_add_to_the_bonus() {
        check(BOT, TWO, "4 6", "11245", "5 5");
        check(BOT, TWO, "6 1", "11111", "7 6");
    }

    #[test]
    fn the_bonus_grows_as_it_holds_fewer() {
        // 10 / 4, 10 / 3 and 10 / 2, rounded down.
        check(BOT, TWO.given(1), "3 4", "2345", "3 5");
        check(BOT, TWO.given(2), "4 4", "235", "4 5");
        check(BOT, TWO.given(2), "5 6", "115", "6 5");
        check(BOT, TWO.given(3), "6 4", "25", "6 5");
    }

    #[test]
    fn it_raises_the_bid_of_a_player_with_many_dice() {
        check(BOT, TWO, "4 2", "22356", "5 2");
        check(BOT, TWO, "4 4", "22356", "5 4");
        // Its four twos and two more reach six, not seven.
        check(BOT, TWO, "6 2", "22356", "7 2");
        check(BOT, TWO, "7 2", "22356", "Liar!");
    }

    #[test]
    fn many_are_more_than_forty_percent() {
        // 5 and 6 of 15 are not, 7 are.
        check(BOT, THREE, "5 2", "22356", "Liar!");
        check(BOT, THREE.given(1), "5 2", "2235", "Liar!");
        check(BOT, THREE.given(2), "7 2", "223", "8 2");
    }

    #[test]
    fn it_calls_a_bid_on_ones_that_it_cannot_exceed() {
        check(BOT, TWO, "4 1", "22356", "4 2");
        check(BOT, TWO, "5 1", "22356", "Liar!");
    }
}

mod pirate {
    use super::*;

    const BOT: &str = "pirate";

    #[test]
    fn it_opens_with_one_more_than_it_holds() {
        check_opening(BOT, TWO, "22356", "3 2");
        // Three of each of three faces with the ones: the lowest.
        check_opening(BOT, TWO, "11356", "4 3");
        // As many ones as of any other face.
        check_opening(BOT, TWO, "11111", "6 1");
        check_opening(BOT, FIVE, "65432", "2 2");
    }

    #[test]
    fn it_raises_far_on_a_face_that_it_holds_more_of() {
        check(BOT, TWO, "2 2", "22256", "5 2");
        check(BOT, TWO, "2 2", "11256", "5 2");
        check(BOT, TWO, "1 1", "11256", "4 1");
        // As many are not more.
        check(BOT, TWO, "2 2", "22356", "3 2");
    }

    #[test]
    fn it_calls_impossible_bids() {
        // Five hidden dice and none of its own; a bid of six sixes would be above both.
        check(BOT, TWO, "5 2", "66666", "6 6");
        check(BOT, TWO, "6 2", "66666", "Liar!");
        check(BOT, TWO, "8 2", "22356", "Liar!");
    }

    #[test]
    fn it_raises_its_face_as_little_as_possible() {
        // It counts on up to 20 / 4 = 5 of the hidden dice.
        check(BOT, FIVE, "4 1", "22356", "4 2");
        check(BOT, FIVE, "4 3", "22356", "5 2");
        check(BOT, FIVE, "7 1", "22356", "7 2");
        check(BOT, FIVE, "2 6", "22356", "3 2");
    }

    #[test]
    fn it_calls_if_its_face_cannot_exceed_the_bid() {
        check(BOT, FIVE, "7 2", "22356", "Liar!");
        check(BOT, FIVE, "7 6", "22356", "Liar!");
        check(BOT, TWO, "3 2", "22356", "Liar!");
    }

    #[test]
    fn a_quarter_is_rounded_down() {
        // 7 / 4 = 1 and 8 / 4 = 2.
        check(BOT, TWO.given(2), "2 1", "235", "2 2");
        check(BOT, TWO.given(2), "2 2", "235", "Liar!");
        check(BOT, TWO.given(3), "2 3", "35", "3 3");
        check(BOT, TWO.given(3), "3 3", "35", "Liar!");
    }

    #[test]
    fn with_fewer_than_four_hidden_dice_it_raises_nothing() {
        // Three sixes would be above two twos, but a quarter of three hidden dice is none.
        check(BOT, TWO.taken(2), "2 2", "6613345", "Liar!");
        check(BOT, TWO.taken(3), "2 2", "66133455", "Liar!");
        check(BOT, TWO.taken(4), "2 2", "661334455", "Liar!");
        // With four it is one.
        check(BOT, TWO.taken(1), "2 2", "661345", "4 6");
        // It still raises a face that it holds more of.
        check(BOT, TWO.taken(2), "2 6", "6613345", "5 6");
    }
}

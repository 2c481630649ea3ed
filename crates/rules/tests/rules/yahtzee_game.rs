//! Yahtzee: turns, stages, scores, refusals, results, and the text of actions.

use crate::scripted_dice::{ScriptedDice, read_faces};
use dicehill_rules::yahtzee::{Action, Category, Keep, Roll, View, Yahtzee, YahtzeeRules};
use dicehill_rules::{Dice, Forfeit, Game, PublicInfo, Seat};

fn roll(digits: &str) -> Roll {
    read_faces(digits).try_into().expect("five dice")
}

/// A game of one player whose rounds begin with these rolls.
fn alone(rules: YahtzeeRules, rolls: &[&str]) -> (Yahtzee, ScriptedDice) {
    let dice = (1..)
        .zip(rolls)
        .fold(ScriptedDice::default(), |dice, (round, faces)| dice.with(0, round, 0, faces));
    (Yahtzee::new(rules, 1, &dice), dice)
}

fn read(action: &str) -> Action {
    action.parse().unwrap_or_else(|why| panic!("{why}"))
}

fn play(game: &mut Yahtzee, dice: &impl Dice, actions: &str) {
    for text in actions.split_whitespace() {
        game.apply(&read(text), dice).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

/// Passes the view of the player to act to `look`.
fn with_view<T>(game: &Yahtzee, look: impl FnOnce(View<'_>) -> T) -> T {
    let public = PublicInfo::default();
    look(game.view(&public).expect("the game goes on"))
}

/// Keeps dice of `shown`, rolls `rolled` for the others, and checks the dice shown then.
fn check_keep(shown: &str, keep: &str, rolled: &str, expected: &str) {
    let dice = ScriptedDice::default().with(0, 1, 0, shown).with(0, 1, 1, rolled);
    let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &dice);
    play(&mut game, &dice, keep);
    assert_eq!(*game.dice(), roll(expected), "keep {keep} of {shown}, then {rolled}");
    assert_eq!((game.stage(), game.round(), game.to_act()), (1, 1, Some(Seat::new(0))));
}

#[test]
fn rolled_dice_are_shown_before_the_kept_ones() {
    check_keep("12345", "0", "6666", "66661");
    check_keep("12345", "4", "6612", "66125");
    check_keep("12345", "03", "661", "66114");
    check_keep("12345", "30", "661", "66141");
    check_keep("12345", "421", "66", "66532");
    check_keep("65432", "0123", "1", "16543");
    check_keep("65432", "3210", "1", "13456");
}

#[test]
fn keeping_none_rolls_all() {
    check_keep("12345", "-", "66512", "66512");
}

/// `ScriptedDice` would panic at a roll here.
#[test]
fn keeping_all_rolls_nothing() {
    for (keep, expected) in [("01234", "12345"), ("43210", "54321"), ("20413", "31524")] {
        let dice = ScriptedDice::default().with(0, 1, 0, "12345");
        let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &dice);
        play(&mut game, &dice, keep);
        assert_eq!((*game.dice(), game.stage()), (roll(expected), 1), "keep {keep}");
    }
}

#[test]
fn every_seat_has_up_to_three_rolls_a_turn() {
    let dice = ScriptedDice::default()
        .with(0, 1, 0, "12345")
        .with(0, 1, 1, "66")
        .with(0, 1, 2, "1")
        .with(1, 1, 0, "22222")
        .with(0, 2, 0, "33333");
    let mut game = Yahtzee::new(YahtzeeRules::Official, 2, &dice);
    check_turn(&game, 0, 1, 0, "12345");
    play(&mut game, &dice, "012");
    check_turn(&game, 0, 1, 1, "66123");
    play(&mut game, &dice, "0134");
    check_turn(&game, 0, 1, 2, "16623");
    play(&mut game, &dice, "CHANCE");
    check_turn(&game, 1, 1, 0, "22222");
    play(&mut game, &dice, "YAHTZEE");
    check_turn(&game, 0, 2, 0, "33333");
    assert_eq!(game.cards()[0].filled(Category::Chance), Some(18));
    assert_eq!(game.cards()[1].filled(Category::Yahtzee), Some(50));
}

fn check_turn(game: &Yahtzee, seat: u16, round: u32, stage: u8, shown: &str) {
    assert_eq!(game.to_act(), Some(Seat::new(seat)));
    assert_eq!((game.round(), game.stage(), *game.dice()), (round, stage, roll(shown)));
    with_view(game, |view| {
        assert_eq!((view.round, view.stage, view.dice), (round, stage, roll(shown)));
        assert_eq!(view.may_keep(), stage < 2);
        assert_eq!(view.card, &game.cards()[usize::from(seat)]);
        assert_eq!(view.legal(), view.card.legal(&view.dice));
    });
}

#[test]
fn scores_are_ascending_and_current() {
    let dice = ScriptedDice::default()
        .with(0, 1, 0, "66666")
        .with(1, 1, 0, "11111")
        .with(2, 1, 0, "22345")
        .with(0, 2, 0, "66655")
        .with(1, 2, 0, "66665")
        .with(2, 2, 0, "11234");
    let mut game = Yahtzee::new(YahtzeeRules::Official, 3, &dice);
    check_scores(&game, [0, 0, 0]);
    let mut fill = |category, scores| {
        play(&mut game, &dice, category);
        check_scores(&game, scores);
    };
    fill("SIXES", [0, 0, 30]);
    fill("YAHTZEE", [0, 30, 50]);
    fill("CHANCE", [16, 30, 50]);
    fill("FULL_HOUSE", [16, 50, 55]);
    fill("SIXES", [16, 55, 74]);
}

fn check_scores(game: &Yahtzee, expected: [u32; 3]) {
    with_view(game, |view| assert_eq!(view.scores, expected));
}

/// Fills upper boxes with these dice and checks the totals of the card.
fn check_upper_bonus(fills: &[(&str, &str)], upper_total: u32, bonus: u32) {
    let rolls: Vec<_> = fills.iter().map(|(_, faces)| *faces).chain(["12345"]).collect();
    let (mut game, dice) = alone(YahtzeeRules::Official, &rolls);
    for (category, _) in fills {
        play(&mut game, &dice, category);
    }
    let card = &game.cards()[0];
    assert_eq!((card.upper_total(), card.upper_bonus()), (upper_total, bonus));
    assert_eq!(card.score(), upper_total + bonus);
    with_view(&game, |view| assert_eq!(view.scores, [upper_total + bonus]));
}

#[test]
fn the_upper_bonus_is_earned_at_63_and_counts_at_once() {
    let high = [("SIXES", "66666"), ("FIVES", "55555"), ("TWOS", "13456"), ("ACES", "11123")];
    check_upper_bonus(&high[..3], 55, 0);
    check_upper_bonus(&high, 58, 0);
    let with_fours = |fours| [&high[..3], &[("FOURS", fours)]].concat();
    check_upper_bonus(&with_fours("42236"), 59, 0);
    check_upper_bonus(&with_fours("44236"), 63, 35);
    check_upper_bonus(&with_fours("44436"), 67, 35);
    let one_short = [&high[..], &[("FOURS", "42236")]].concat();
    check_upper_bonus(&one_short, 62, 0);
}

/// The game refuses the action with this message and does not change.
fn check_refused(game: &Yahtzee, action: &str, why: &str) {
    let mut after = game.clone();
    let refusal = after.apply(&read(action), &ScriptedDice::default()).expect_err(action);
    assert_eq!(refusal.to_string(), why);
    assert_eq!(&after, game, "{action} was refused and changed something");
}

#[test]
fn used_boxes_are_refused() {
    let (mut game, dice) = alone(YahtzeeRules::Official, &["11123", "12346"]);
    play(&mut game, &dice, "ACES");
    check_refused(&game, "ACES", "this category is already used");
    check_refused(&game, "ONES", "this category is already used");
}

#[test]
fn keeps_are_refused_at_stage_2() {
    let dice =
        ScriptedDice::default().with(0, 1, 0, "12345").with(0, 1, 1, "1234").with(0, 1, 2, "1234");
    let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &dice);
    play(&mut game, &dice, "0 0");
    for keep in ["-", "0", "01234", "42"] {
        check_refused(&game, keep, "nothing can be kept at stage 2: name a category");
    }
}

#[test]
fn the_joker_rule_requires_the_upper_box_of_the_face_first() {
    for yahtzee_box in ["12346", "55555"] {
        let (mut game, dice) = alone(YahtzeeRules::Official, &[yahtzee_box, "44444", "12345"]);
        play(&mut game, &dice, "YAHTZEE");
        let only = "this category breaks the joker rule: a Yahtzee must go to FOURS";
        for other in ["FULL_HOUSE", "ACES", "CHANCE"] {
            check_refused(&game, other, only);
        }
        check_refused(&game, "YAHTZEE", "this category is already used");
        play(&mut game, &dice, "FOURS");
        assert_eq!(game.cards()[0].filled(Category::Fours), Some(20));
    }
}

#[test]
fn the_joker_rule_requires_a_lower_box_next() {
    let rolls = ["12346", "44441", "12346", "44444", "44444", "44444", "44444", "12345"];
    let (mut game, dice) = alone(YahtzeeRules::Official, &rolls);
    play(&mut game, &dice, "YAHTZEE FOURS CHANCE");
    let why = "this category breaks the joker rule: a Yahtzee must go to \
               THREE_OF_A_KIND or FOUR_OF_A_KIND or FULL_HOUSE or SMALL_STRAIGHT or LARGE_STRAIGHT";
    check_refused(&game, "ACES", why);
    play(&mut game, &dice, "FULL_HOUSE SMALL_STRAIGHT LARGE_STRAIGHT FOUR_OF_A_KIND");
    let card = &game.cards()[0];
    let boxes = [Category::FullHouse, Category::SmallStraight, Category::LargeStraight];
    assert_eq!(boxes.map(|category| card.filled(category)), [Some(25), Some(30), Some(40)]);
    assert_eq!(card.filled(Category::FourOfAKind), Some(20));
    assert_eq!(card.yahtzee_bonus(), 0, "with 0 in the Yahtzee box there is no bonus");
}

#[test]
fn the_joker_rule_requires_a_zero_in_an_upper_box_last() {
    let rolls = ["55555", "44441", "12346", "12346", "12346", "12346", "12346", "12346", "44444"];
    let (mut game, dice) = alone(YahtzeeRules::Official, &[&rolls[..], &["12345"]].concat());
    play(&mut game, &dice, "YAHTZEE FOURS CHANCE THREE_OF_A_KIND FOUR_OF_A_KIND FULL_HOUSE");
    play(&mut game, &dice, "SMALL_STRAIGHT LARGE_STRAIGHT");
    check_refused(&game, "FOURS", "this category is already used");
    let before = game.cards()[0].score();
    play(&mut game, &dice, "SIXES");
    let card = &game.cards()[0];
    assert_eq!((card.filled(Category::Sixes), card.yahtzee_bonus()), (Some(0), 100));
    assert_eq!(card.score(), before + 100);
}

#[test]
fn nothing_is_forced_while_the_yahtzee_box_is_free() {
    let (game, dice) = alone(YahtzeeRules::Official, &["44444", "12345"]);
    let filled = |category: Category| {
        let mut after = game.clone();
        after.apply(&Action::Fill(category), &dice).unwrap();
        (after.cards()[0].filled(category), after.cards()[0].yahtzee_bonus())
    };
    assert_eq!(filled(Category::FullHouse), (Some(0), 0));
    assert_eq!(filled(Category::LargeStraight), (Some(0), 0));
    assert_eq!(filled(Category::Aces), (Some(0), 0));
    assert_eq!(filled(Category::Chance), (Some(20), 0));
    assert_eq!(filled(Category::Yahtzee), (Some(50), 0));
}

/// Fills the boxes in the order of the card with the dice of each round.
fn play_out(rules: YahtzeeRules, seats: &[[&str; 13]]) -> Yahtzee {
    let mut dice = ScriptedDice::default();
    for (seat, rolls) in (0..).zip(seats) {
        for (round, faces) in (1..).zip(rolls) {
            dice = dice.with(seat, round, 0, faces);
        }
    }
    let mut game = Yahtzee::new(rules, seats.len(), &dice);
    for (round, category) in (1..).zip(Category::ALL) {
        for seat in Seat::all(seats.len()) {
            assert_eq!((game.round(), game.to_act()), (round, Some(seat)));
            play(&mut game, &dice, category.name());
        }
    }
    game
}

const GOOD: [&str; 13] = [
    "11123", "22213", "33312", "44412", "55512", "66612", "66612", "66661", "66555", "12341",
    "12345", "66666", "66655",
];
/// All boxes but Yahtzee fit, and the last two score less than in `GOOD`.
const POOR: [&str; 13] = [
    "11123", "22213", "33312", "44412", "55512", "66612", "66612", "66661", "66555", "12341",
    "12345", "11234", "11112",
];

fn check_result(game: &Yahtzee, seat: u16, points: u64, score: u64) {
    let result = game.result(Seat::new(seat));
    let (won, figures) = (points == 1, [score, 0, 0, 0]);
    assert_eq!((result.points, result.won, result.figures), (points, won, figures));
}

#[test]
fn a_game_has_13_rounds_and_the_highest_score_wins() {
    let game = play_out(YahtzeeRules::Official, &[POOR, GOOD, POOR]);
    assert_eq!((game.round(), game.to_act()), (14, None));
    // 63 + 35 + 21 + 25 + 25 + 30 + 40 + 50 + 28 and 63 + 35 + 21 + 25 + 25 + 30 + 40 + 0 + 6.
    check_result(&game, 0, 0, 245);
    check_result(&game, 1, 1, 317);
    check_result(&game, 2, 0, 245);
}

#[test]
fn a_tie_gives_a_point_to_each() {
    let game = play_out(YahtzeeRules::Official, &[GOOD, POOR, GOOD]);
    check_result(&game, 0, 1, 317);
    check_result(&game, 1, 0, 245);
    check_result(&game, 2, 1, 317);
}

#[test]
fn an_ended_game_refuses_everything() {
    let mut game = play_out(YahtzeeRules::Official, &[GOOD]);
    for action in ["-", "01234", "CHANCE", "ACES"] {
        check_refused(&game, action, "the game has ended");
    }
    assert!(game.view(&PublicInfo::default()).is_none());
    assert_eq!(game.legal_actions().count(), 0);
    let before = game.clone();
    game.forfeit(&ScriptedDice::default());
    assert_eq!(game, before);
}

/// The highest possible score: 13 Yahtzees. With 0 in the Yahtzee box, only the original controller pays the bonuses.
#[test]
fn thirteen_yahtzees_score_1575() {
    let order = "YAHTZEE ACES TWOS THREES FOURS FIVES SIXES THREE_OF_A_KIND FOUR_OF_A_KIND \
                 FULL_HOUSE SMALL_STRAIGHT LARGE_STRAIGHT CHANCE";
    let check = |rules, first: &str, score: u64, yahtzee_bonus| {
        let mut rolls = vec![first, "11111", "22222", "33333", "44444", "55555"];
        rolls.resize(13, "66666");
        let (mut game, dice) = alone(rules, &rolls);
        play(&mut game, &dice, order);
        check_result(&game, 0, 1, score);
        assert_eq!(game.cards()[0].yahtzee_bonus(), yahtzee_bonus);
    };
    check(YahtzeeRules::Official, "66666", 1575, 1200);
    check(YahtzeeRules::Mego2016, "66666", 1575, 1200);
    check(YahtzeeRules::Official, "12346", 325, 0);
    check(YahtzeeRules::Mego2016, "12346", 1525, 1200);
}

#[test]
fn a_forfeit_voids_the_game_and_changes_nothing() {
    let (mut game, dice) = alone(YahtzeeRules::Official, &["12345"]);
    let before = game.clone();
    assert_eq!(game.forfeit(&dice), Forfeit::Void);
    assert_eq!(game, before);
}

#[test]
fn every_action_can_be_written_and_read_back() {
    let keeps: Vec<_> = Keep::all().map(Action::Keep).collect();
    assert_eq!(keeps.len(), 1 + 5 + 20 + 60 + 120 + 120);
    let fills = Category::ALL.map(Action::Fill);
    for action in keeps.into_iter().chain(fills) {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
}

#[test]
fn actions_are_written_in_the_notation_of_logs() {
    let keep = |indexes: &[i64]| Action::Keep(Keep::new(indexes.iter().copied()).unwrap());
    assert_eq!(keep(&[0, 3, 4]).to_string(), "034");
    assert_eq!(keep(&[4, 0]).to_string(), "40");
    assert_eq!(keep(&[0]).to_string(), "0");
    assert_eq!(keep(&[]).to_string(), "-");
    assert_eq!(Action::Fill(Category::ThreeOfAKind).to_string(), "THREE_OF_A_KIND");
}

#[test]
fn ones_are_read_as_aces() {
    assert_eq!("ONES".parse(), Ok(Action::Fill(Category::Aces)));
    assert_eq!("ACES".parse(), Ok(Action::Fill(Category::Aces)));
    assert_eq!(Action::Fill(Category::Aces).to_string(), "ACES");
}

fn check_unreadable(text: &str, why: &str) {
    assert_eq!(text.parse::<Action>().expect_err(text).to_string(), why);
}

#[test]
fn unreadable_actions_are_refused_with_the_reason() {
    check_unreadable("5", "keep index 5 is not 0-4");
    check_unreadable("019", "keep index 9 is not 0-4");
    check_unreadable("010", "keep index 0 is repeated");
    check_unreadable("012340", "keep index 0 is repeated");
    check_unreadable("0A", "unknown category \"0A\"");
    check_unreadable("--", "unknown category \"--\"");
    check_unreadable("", "unknown category \"\"");
    check_unreadable("aces", "unknown category \"aces\"");
    check_unreadable(" ACES", "unknown category \" ACES\"");
    check_unreadable("FIVE", "unknown category \"FIVE\"");
}

#[test]
fn invalid_keeps_are_refused_with_the_reason() {
    let why = |indexes: &[i64]| Keep::new(indexes.iter().copied()).unwrap_err().to_string();
    assert_eq!(why(&[5]), "keep index 5 is not 0-4");
    assert_eq!(why(&[-1]), "keep index -1 is not 0-4");
    assert_eq!(why(&[0, i64::MAX]), "keep index 9223372036854775807 is not 0-4");
    assert_eq!(why(&[256]), "keep index 256 is not 0-4");
    assert_eq!(why(&[2, 3, 2]), "keep index 2 is repeated");
}

#[test]
fn keeps_can_be_chosen_by_face_and_by_mask() {
    let dice = roll("62642");
    let sixes = Keep::filter(&dice, |face| face.pips() == 6);
    assert_eq!((sixes.indexes().collect::<Vec<_>>(), sixes.count()), (vec![0, 2], 2));
    assert_eq!(Keep::from_mask(0b1_0010).indexes().collect::<Vec<_>>(), [1, 4]);
    assert_eq!(Keep::from_mask(0b1110_0000), Keep::NONE);
}

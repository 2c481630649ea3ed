//! The decisions of AcesAndEights, each derived by hand from the published source.

use dicehill_rules::yahtzee::Category::{self, *};

use crate::yahtzee_position::{all_but, answer};

/// Checks a decision with all boxes free except `filled`.
#[track_caller]
fn check(filled: &[Category], dice: &str, stage: u8, expected: &str) {
    let found = answer("aces-and-eights", 0, &all_but(filled), dice, stage);
    assert_eq!(found, expected, "{dice} at stage {stage} with {filled:?} filled");
}

/// Checks a decision with exactly the boxes `free` free.
#[track_caller]
fn check_left(free: &[Category], dice: &str, stage: u8, expected: &str) {
    let found = answer("aces-and-eights", 0, free, dice, stage);
    assert_eq!(found, expected, "{dice} at stage {stage} with {free:?} free");
}

#[test]
fn a_yahtzee_goes_to_its_box_at_once() {
    check(&[], "44444", 0, "YAHTZEE");
    check(&[], "11111", 1, "YAHTZEE");
    check_left(&[Fours, Yahtzee], "44444", 2, "YAHTZEE");
}

#[test]
fn a_further_yahtzee_goes_to_the_box_of_its_face() {
    check(&[Yahtzee], "44444", 0, "FOURS");
    check_left(&[Aces, Chance, FullHouse], "11111", 2, "ACES");
}

#[test]
fn a_joker_goes_to_the_lower_box_of_highest_priority() {
    check(&[Yahtzee, Fours], "44444", 0, "FULL_HOUSE");
    check(&[Yahtzee, Fours, FullHouse], "44444", 1, "FOUR_OF_A_KIND");
    check(&[Yahtzee, Fours, FullHouse, FourOfAKind], "44444", 2, "THREE_OF_A_KIND");
    check_left(&[SmallStraight, LargeStraight, Chance, Sixes], "44444", 0, "CHANCE");
    check_left(&[SmallStraight, LargeStraight, Sixes], "44444", 0, "LARGE_STRAIGHT");
    check_left(&[SmallStraight, Sixes], "44444", 0, "SMALL_STRAIGHT");
}

#[test]
fn without_a_fitting_box_a_yahtzee_goes_to_the_upper_box_of_lowest_priority() {
    check_left(&[Twos, Fives, Sixes], "44444", 0, "TWOS");
    check_left(&[Aces, Fives], "44444", 2, "ACES");
}

#[test]
fn a_full_house_is_taken_at_any_stage() {
    for stage in 0..3 {
        check(&[], "25252", stage, "FULL_HOUSE");
        check_left(&[FullHouse], "33366", stage, "FULL_HOUSE");
    }
}

#[test]
fn three_or_more_of_a_kind_are_kept() {
    check(&[], "42464", 0, "024");
    check(&[], "44414", 1, "0124");
    check(&[], "66112", 0, "0123");
    // A full house whose box is filled, and threes without any box left for them.
    check(&[FullHouse], "22333", 0, "234");
    check(&[FullHouse], "33223", 1, "014");
    check_left(&[Aces], "51554", 0, "023");
}

#[test]
fn a_large_straight_is_taken_at_once() {
    check(&[], "35264", 0, "LARGE_STRAIGHT");
    check(&[SmallStraight], "54321", 1, "LARGE_STRAIGHT");
}

#[test]
fn a_small_straight_is_taken_if_the_large_one_is_filled() {
    check(&[LargeStraight], "43213", 0, "SMALL_STRAIGHT");
    check(&[LargeStraight], "12345", 0, "SMALL_STRAIGHT");
    check(&[LargeStraight], "13456", 1, "SMALL_STRAIGHT");
}

#[test]
fn of_a_run_of_four_the_first_die_of_each_face_is_kept() {
    check(&[], "43213", 0, "3210");
    check(&[], "12346", 1, "0123");
    check(&[], "52344", 0, "1230");
    check(&[], "66543", 0, "4320");
    check(&[], "13456", 0, "1234");
    check(&[SmallStraight], "25434", 0, "0321");
}

#[test]
fn straights_are_ignored_if_their_boxes_are_filled() {
    check(&[SmallStraight, LargeStraight], "12345", 0, "-");
    check(&[SmallStraight, LargeStraight], "12346", 1, "-");
}

#[test]
fn two_pairs_are_kept_for_a_full_house() {
    check(&[], "22535", 0, "0124");
    check(&[], "61163", 1, "0123");
    check(&[SmallStraight, LargeStraight], "44133", 0, "0134");
    check(&[FullHouse], "22535", 0, "-");
}

#[test]
fn without_a_pattern_all_dice_are_rolled() {
    check(&[], "11346", 0, "-");
    check(&[], "12356", 1, "-");
    check_left(&[Sixes], "66135", 0, "-");
    check_left(&[Chance], "66554", 1, "-");
}

#[test]
fn the_last_roll_goes_to_the_box_with_the_highest_score() {
    check(&[], "11346", 2, "CHANCE");
    check(&[Chance], "11346", 2, "SIXES");
    check(&[], "12346", 2, "SMALL_STRAIGHT");
    check(&[], "23456", 2, "LARGE_STRAIGHT");
    check(&[LargeStraight], "23456", 2, "SMALL_STRAIGHT");
    check_left(&[Aces, Fives, SmallStraight], "15156", 2, "FIVES");
}

#[test]
fn ties_go_to_the_box_of_highest_priority() {
    check(&[], "44412", 2, "THREE_OF_A_KIND");
    check(&[], "44442", 2, "FOUR_OF_A_KIND");
    check(&[FullHouse], "22333", 2, "THREE_OF_A_KIND");
    check_left(&[Aces, Twos], "11266", 2, "TWOS");
    check_left(&[FourOfAKind, FullHouse, Yahtzee], "12356", 2, "FULL_HOUSE");
    check_left(&[FourOfAKind, ThreeOfAKind, Sixes], "12355", 2, "FOUR_OF_A_KIND");
    check_left(&[SmallStraight, LargeStraight, Yahtzee], "22456", 2, "LARGE_STRAIGHT");
    check_left(&[SmallStraight, Yahtzee], "22456", 2, "SMALL_STRAIGHT");
    check_left(&[Aces, Yahtzee], "22456", 2, "ACES");
}

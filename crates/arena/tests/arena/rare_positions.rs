//! The rare positions are as their names say, and legal actions lead to them.

use std::collections::BTreeSet;

use dicehill_arena::{Move, Play, RareGame, RarePosition, ScriptedDice};
use dicehill_rules::liars_dice::{self, Bid, LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::{self, Category, Yahtzee, YahtzeeRules};
use dicehill_rules::{Face, Game, PublicInfo};

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn reach<G: RareGame>(position: &RarePosition<G>) -> Play<'static, G, ScriptedDice> {
    let names = NAMES[..position.seats()].to_vec();
    let play = position.reach(PublicInfo { names, points: Vec::new() });
    assert!(play.turn().is_some(), "{}: the game is over", position.name());
    play
}

/// All rare positions with their names, which are unique.
fn all<G: RareGame>(rules: G::Rules) -> Vec<(String, Play<'static, G, ScriptedDice>)> {
    let positions = G::rare_positions(rules);
    let names: BTreeSet<_> = positions.iter().map(RarePosition::name).collect();
    assert_eq!(names.len(), positions.len(), "two positions have the same name");
    positions.iter().map(|position| (position.name().to_owned(), reach(position))).collect()
}

fn illegal<G: Game>(play: &Play<'_, G, ScriptedDice>) -> usize {
    play.moves().iter().filter(|answer| matches!(answer, Move::Failed(_))).count()
}

fn with_yahtzee(rules: YahtzeeRules, check: impl Fn(&str, &yahtzee::View<'_>) -> bool) -> usize {
    let public = PublicInfo::default();
    let counts = |(name, play): &(String, Play<'_, Yahtzee, ScriptedDice>)| {
        assert_eq!(illegal(play), 0, "{name}");
        check(name, &play.game().view(&public).expect("it has not ended"))
    };
    all::<Yahtzee>(rules).iter().filter(|position| counts(position)).count()
}

fn free_upper(view: &yahtzee::View<'_>) -> Vec<Category> {
    view.card.free().iter().filter(|category| category.is_upper()).collect()
}

fn legal(view: &yahtzee::View<'_>) -> Vec<Category> {
    view.legal().iter().collect()
}

#[test]
fn every_step_of_the_joker_rule_occurs_with_every_face_and_yahtzee_score() {
    for rules in [YahtzeeRules::Official, YahtzeeRules::Mego2016] {
        for held in [50, 0] {
            for face in Face::ALL {
                let own = Category::upper(face);
                let joker = |view: &yahtzee::View<'_>| {
                    let box_holds = view.card.filled(Category::Yahtzee) == Some(held);
                    view.stage == 2 && box_holds && view.dice == [face; 5]
                };
                let upper = with_yahtzee(rules, |_, v| joker(v) && legal(v) == [own]);
                let lower = with_yahtzee(rules, |_, v| {
                    joker(v) && !free_upper(v).is_empty() && legal(v).iter().all(|c| c.is_lower())
                });
                let rest = with_yahtzee(rules, |_, v| {
                    joker(v) && legal(v) == free_upper(v) && legal(v).len() == 5
                });
                let single = if face.pips() == 5 { 6 } else { 0 };
                assert_eq!((upper, lower, rest), (1, 1 + single, 1), "{held} {face}");
            }
        }
    }
}

#[test]
fn names_of_yahtzee_positions_describe_them() {
    let count = with_yahtzee(YahtzeeRules::Official, |name, view| {
        assert!(name.contains(&format!("stage {}", view.stage)), "{name}: {view:?}");
        if let Some((category, _)) = name.split_once(" is the last box") {
            assert_eq!(legal(view), [category.parse().unwrap()], "{name}");
            assert_eq!(view.round, 13, "{name}");
        }
        if name.contains("the face's upper box is free") {
            assert_eq!(legal(view), [Category::upper(view.dice[0])], "{name}");
        }
        if name.contains("Yahtzee box is free") {
            assert!(legal(view).len() == 11 && !view.card.is_joker(&view.dice), "{name}");
        }
        true
    });
    assert_eq!(count, 6 * 6 + 6 + 12 + 1 + 2 * 13 + 4);
}

#[test]
fn each_lower_box_but_yahtzee_is_the_only_legal_one_for_a_joker() {
    for category in Category::ALL.into_iter().filter(|category| category.is_lower()) {
        let alone = with_yahtzee(YahtzeeRules::Official, |_, view| {
            view.card.is_joker(&view.dice) && legal(view) == [category]
        });
        assert_eq!(alone, if category == Category::Yahtzee { 0 } else { 2 }, "{category}");
    }
}

#[test]
fn a_keep_of_all_dice_is_the_last_move_of_its_positions() {
    let kept = all::<Yahtzee>(YahtzeeRules::Official);
    let kept: Vec<_> = kept.iter().filter(|(name, _)| name.contains("all five")).collect();
    assert_eq!(kept.len(), 2);
    for (name, play) in kept {
        let keep = play.moves().last().expect("a keep");
        assert_eq!(
            keep,
            &Move::Acted(yahtzee::Action::Keep(yahtzee::Keep::from_mask(31))),
            "{name}"
        );
    }
}

fn with_liars_dice(check: impl Fn(&liars_dice::View<'_>) -> bool) -> Vec<usize> {
    let counts = |rules: &LiarsDiceRules| {
        let public = PublicInfo::default();
        let positions = all::<LiarsDice>(*rules);
        let views = positions.iter().map(|(_, play)| play.game().view(&public).expect("a turn"));
        views.filter(|view| check(view)).count()
    };
    LiarsDice::RULES.iter().map(counts).collect()
}

#[test]
fn liars_dice_positions_have_the_intended_properties() {
    let highest = Bid::new(Bid::MAX_COUNT, Face::SIX).unwrap();
    assert_eq!(with_liars_dice(|_| true), [16 + 5 + 1 + 3; 2]);
    assert_eq!(with_liars_dice(|view| view.last_bid() == Some(highest)), [5; 2]);
    assert_eq!(with_liars_dice(|view| view.bids.is_empty()), [4 + 1 + 1 + 1; 2]);
    assert_eq!(with_liars_dice(|view| view.dice.len() == 1), [3 + 1 + 2; 2]);
    assert_eq!(with_liars_dice(|view| view.counts == [1, 9] && view.you == 0), [2; 2]);
    assert_eq!(with_liars_dice(|view| view.counts == [9, 1] && view.you == 0), [2; 2]);
    assert_eq!(with_liars_dice(|view| view.counts == [9, 1] && view.you == 1), [2; 2]);
    assert_eq!(with_liars_dice(|view| view.counts == [24, 1]), [2; 2]);
    assert_eq!(with_liars_dice(|view| view.players() == 5), [4 + 1; 2]);
}

#[test]
fn after_the_highest_bid_only_a_call_is_legal() {
    let highest = Bid::new(Bid::MAX_COUNT, Face::SIX).unwrap();
    for (name, play) in all::<LiarsDice>(LiarsDiceRules::Official) {
        let legal: Vec<_> = play.game().legal_actions().take(3).collect();
        let expected = match play.game().bids().last() {
            Some(last) if *last == highest => 1,
            Some(last) if last.successor() == Some(highest) => 2,
            Some(_) | None => 3,
        };
        assert_eq!(legal.len(), expected, "{name}");
        assert_eq!(illegal(&play), usize::from(name.contains("illegal")), "{name}");
    }
}

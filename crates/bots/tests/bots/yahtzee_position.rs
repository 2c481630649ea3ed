//! The answer of a house bot in a given position of Yahtzee.

use dicehill_arena::{Program, Start};
use dicehill_bots::yahtzee_bots;
use dicehill_rules::yahtzee::{Action, Category, Keep, Roll, Yahtzee, YahtzeeRules};
use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};

/// Dice that fill a box without being a Yahtzee.
const ANY: &str = "13466";

/// Shows `last` in the round `of`, and [`ANY`] in the others.
struct Shown {
    of: u32,
    last: Roll,
}

impl Dice for Shown {
    fn roll(&self, _seat: Seat, round: u32, _roll: u8, faces: &mut [Face]) {
        let shown = if round == self.of { self.last } else { roll_of(ANY) };
        faces.copy_from_slice(&shown[..faces.len()]);
    }
}

fn roll_of(digits: &str) -> Roll {
    let face = |digit: char| Face::new(digit.to_digit(10)? as u8);
    let faces: Option<Vec<_>> = digits.chars().map(face).collect();
    faces.and_then(|faces| faces.try_into().ok()).expect("five faces")
}

/// The answer, as text, of a house bot that sees these dice at this stage and has these boxes free. A filled Yahtzee box has 0.
pub(crate) fn answer(name: &str, seed: u64, free: &[Category], dice: &str, stage: u8) -> String {
    let filled = Category::ALL.into_iter().filter(|category| !free.contains(category));
    let dice = Shown { of: 14 - free.len() as u32, last: roll_of(dice) };
    let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &dice);
    for category in filled {
        game.apply(&Action::Fill(category), &dice).expect("the box is free");
    }
    for _ in 0..stage {
        let all = Keep::new(0..5).expect("five dice");
        game.apply(&Action::Keep(all), &dice).expect("not yet the last roll");
    }
    let public = PublicInfo::default();
    let view = game.view(&public).expect("a box is free");
    let house = yahtzee_bots().into_iter().find(|house| house.name() == name);
    let mut bot = house.expect("a house bot").bot();
    bot.start(&Start { game: 1, id: 1, players: 1, seed });
    let action = bot.act(&view).expect("a house bot answers");
    game.clone()
        .apply(&action, &dice)
        .map_or_else(|refusal| panic!("{action}: {refusal}"), |()| action.to_string())
}

/// All categories except these.
pub(crate) fn all_but(filled: &[Category]) -> Vec<Category> {
    Category::ALL.into_iter().filter(|category| !filled.contains(category)).collect()
}

//! The house bots that use the exact solution of Yahtzee.

use dicehill_arena::{Bot, Program, Start};
use dicehill_bots::{exact_yahtzee_bots, yahtzee_bots};
use dicehill_rules::yahtzee::{Action, View, Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Dice, Game, PublicInfo, Seat};

#[test]
fn they_are_not_in_the_standard_field() {
    let names = exact_yahtzee_bots().map(|bot| bot.name());
    assert_eq!(names, ["optimal", "winner"]);
    assert!(yahtzee_bots().iter().all(|bot| !names.contains(&bot.name())));
}

/// Games with rivals are not tested here: their contests take a while to solve.
#[test]
fn alone_winner_plays_as_optimal() {
    let chance = Chance::new("alone");
    for rules in Yahtzee::RULES {
        let [mut optimal, mut winner] = exact_yahtzee_bots().map(|bot| bot.bot());
        for game in 1..=40 {
            let dice = chance.table(game);
            let best = play(*rules, game, &dice, &mut *optimal);
            assert_eq!(play(*rules, game, &dice, &mut *winner), best, "{rules} {game}");
        }
    }
}

/// The actions and the score of a bot in a game without rivals.
fn play(
    rules: YahtzeeRules,
    number: u64,
    dice: &impl Dice,
    bot: &mut dyn Bot<Yahtzee>,
) -> (Vec<Action>, u64) {
    bot.start(&Start { game: number, id: number, players: 1, seed: number });
    let mut game = Yahtzee::new(rules, 1, dice);
    let (public, mut actions) = (PublicInfo::default(), Vec::new());
    while let Some(view) = game.view(&public) {
        let action = act(bot, &view);
        game.apply(&action, dice).expect("a house bot plays by the rules");
        actions.push(action);
    }
    (actions, game.result(Seat::new(0)).figures[0])
}

fn act(bot: &mut dyn Bot<Yahtzee>, view: &View<'_>) -> Action {
    bot.act(view).expect("a house bot answers")
}

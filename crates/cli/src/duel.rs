//! `dicehill duel`: finds out which of two bots is better.

use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::args::{DuelArgs, RunArgs};
use crate::bot_spec::games_of;
use crate::check::rules;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::run::run_duel;

pub(crate) fn duel(args: DuelArgs, console: &Console) -> Result<Outcome, Failure> {
    let game = match args.game {
        Some(game) => game,
        None => evident_game(&args.bots)?,
    };
    let variant = args.variant.rules.clone();
    let run = as_run(args);
    match game {
        GameName::Yahtzee => {
            run_duel::<Yahtzee>(&run, rules::<Yahtzee>(variant.as_deref())?, console)
        }
        GameName::LiarsDice => {
            run_duel::<LiarsDice>(&run, rules::<LiarsDice>(variant.as_deref())?, console)
        }
    }
}

/// The one game that every one of the bots can play.
fn evident_game(bots: &[String]) -> Result<GameName, Failure> {
    let mut games = GameName::ALL.to_vec();
    for bot in bots {
        let own = games_of(bot)?;
        let before = games.clone();
        games.retain(|game| own.contains(game));
        if let ([], [other, ..], [game, ..]) = (&games[..], &before[..], &own[..]) {
            let message = format!("{bot} plays {game}, and the other bot {other}");
            return Err(Failure::Usage(message));
        }
    }
    match games[..] {
        [game] => Ok(game),
        _ => {
            let choices = GameName::ALL.map(|game| format!("--game {game}")).join(" or ");
            Err(Failure::Usage(format!("the bots do not tell what they play: add {choices}")))
        }
    }
}

fn as_run(args: DuelArgs) -> RunArgs {
    let DuelArgs { bots, until, max_games, alone, .. } = args;
    let (games, until) = (Some(i64::from(max_games)), Some(until));
    RunArgs { hill: None, bots, games, until, alone }
}

//! The game of a command whose words need not name it, because the bots tell it.

use std::iter;
use std::path::Path;

use dicehill_rules::GameName;
use dicehill_store::did_you_mean;

use super::house::house_names;
use super::spec::{expanded, games_of, has_form_of_bot, is_program_path};
use crate::failure::Failure;

/// The game and the bots of `[GAME] BOT...`. Without a game, the bots must determine it.
pub(crate) fn game_and_bots(words: &[String]) -> Result<(GameName, &[String]), Failure> {
    let Some((first, rest)) = words.split_first() else {
        return Err(Failure::Usage("name the bots".to_owned()));
    };
    match first.parse() {
        Ok(game) if rest.is_empty() => {
            Err(Failure::Usage(format!("name the bots of {game}, such as ./Mine")))
        }
        Ok(game) => Ok((game, rest)),
        Err(_) if has_form_of_bot(first) || is_program_path(first) => {
            Ok((evident_game(words, "name the game first")?, words))
        }
        Err(_) if is_file_name(first) => Ok((evident_game(words, "name the game first")?, words)),
        Err(error) => {
            let similar = did_you_mean_game_or_bot(first);
            Err(Failure::Usage(format!("{error}, or a bot, which {first:?} is not{similar}")))
        }
    }
}

/// `; did you mean "greedy"?` if a word is similar to the name of a game or of a house bot, or else nothing.
pub(crate) fn did_you_mean_game_or_bot(word: &str) -> String {
    let games = GameName::ALL.into_iter();
    did_you_mean(word, games.flat_map(|game| iter::once(game.name()).chain(house_names(game))))
}

/// Whether a word names a file, there or not, so that it is no game.
fn is_file_name(word: &str) -> bool {
    word.contains(['/', '.']) || Path::new(word).is_file()
}

/// Whether the first word stands for a bot rather than a hill file, when others may follow.
pub(crate) fn begins_with_bot(first: &str, others: &[String]) -> bool {
    has_form_of_bot(first) || is_program_path(first) && !others.is_empty()
}

/// The only game that all of the bots can play, except for those that cannot be loaded, if the others determine it. An error
/// ends with the `remedy`.
pub(crate) fn evident_game(bots: &[String], remedy: &str) -> Result<GameName, Failure> {
    let mut games = GameName::ALL.to_vec();
    let mut before: Vec<(String, Vec<GameName>)> = Vec::new();
    let mut unknown = None;
    for bot in expanded(bots)? {
        let own = match games_of(&bot) {
            Ok(own) => own,
            Err(failure) => {
                unknown.get_or_insert(failure);
                continue;
            }
        };
        games.retain(|game| own.contains(game));
        let excludes = |(_, other): &&(String, Vec<GameName>)| !other.contains(&own[0]);
        if let (true, Some((other, plays))) = (games.is_empty(), before.iter().find(excludes)) {
            let message = format!("{bot} plays {}, and {other} {}", own[0], plays[0]);
            return Err(Failure::Usage(message));
        }
        before.push((bot, own));
    }
    match (&games[..], unknown) {
        ([game], _) => Ok(*game),
        (_, Some(failure)) => Err(failure),
        (_, None) => {
            let message = format!(
                "the bots do not determine the game: {remedy}, or put game = \"yahtzee\" into \
                 the bot.toml of one"
            );
            Err(Failure::Usage(message))
        }
    }
}

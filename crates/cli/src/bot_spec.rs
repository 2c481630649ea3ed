//! What a BOT on the command line stands for.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{BotName, Entrant, Program};
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::HillFile;

use crate::failure::Failure;
use crate::terminal_game::TerminalGame;

/// The house bot with this name.
pub(crate) fn house<G: TerminalGame>(name: &str) -> Result<Arc<dyn Program<G>>, String> {
    match G::house_bots().into_iter().find(|bot| bot.name() == name) {
        Some(bot) => Ok(Arc::new(bot)),
        None => Err(format!("{name:?}: {}", why_unknown::<G>(name))),
    }
}

fn why_unknown<G: TerminalGame>(name: &str) -> String {
    match GameName::ALL.into_iter().find(|game| house_names(*game).contains(&name)) {
        Some(other) => format!("this house bot plays {other}, not {}", G::NAME),
        None => {
            let names = names::<G>().join(", ");
            format!("no such house bot; those for {} are {names}", G::NAME)
        }
    }
}

fn house_names(game: GameName) -> Vec<&'static str> {
    match game {
        GameName::Yahtzee => names::<Yahtzee>(),
        GameName::LiarsDice => names::<LiarsDice>(),
    }
}

fn names<G: TerminalGame>() -> Vec<&'static str> {
    G::house_bots().iter().map(dicehill_bots::House::name).collect()
}

/// Everybody that the command line names; who is named twice is numbered.
pub(crate) fn entrants<G: TerminalGame>(bots: &[String]) -> Result<Vec<Entrant<G>>, Failure> {
    let mut entrants: Vec<Entrant<G>> = Vec::new();
    for spec in bots {
        let mut entrant = entrant(spec)?;
        let base = entrant.name.to_string();
        let taken = |name: &BotName| entrants.iter().any(|other| other.name == *name);
        let mut number = 2;
        while taken(&entrant.name) {
            entrant.name = BotName::new(&format!("{base}-{number}"))
                .map_err(|error| Failure::Usage(error.to_string()))?;
            number += 1;
        }
        entrants.push(entrant);
    }
    Ok(entrants)
}

fn entrant<G: TerminalGame>(spec: &str) -> Result<Entrant<G>, Failure> {
    if let Some((path, name)) = spec.split_once(".toml#") {
        return from_hill(Path::new(&format!("{path}.toml")), name);
    }
    if let Some(what) = kind_outside(spec) {
        return Err(Failure::Usage(format!("{spec:?}: {what} cannot be run yet; a house bot can")));
    }
    let program = house(spec).map_err(Failure::Usage)?;
    let name = BotName::new(spec).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(Entrant::new(name, program))
}

/// The kind of a bot that is not a house bot, if `spec` looks like one.
fn kind_outside(spec: &str) -> Option<&'static str> {
    let extension = Path::new(spec).extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension {
        "java" | "jar" => Some("a Java bot"),
        "py" | "js" => Some("a script"),
        _ if Path::new(spec).is_dir() => Some("a bot's folder"),
        _ if spec.contains(char::is_whitespace) => Some("a command"),
        _ => None,
    }
}

fn from_hill<G: TerminalGame>(path: &Path, name: &str) -> Result<Entrant<G>, Failure> {
    let file = HillFile::read(path)?;
    if file.game().name() != G::NAME {
        let message = format!("{}: a hill of {}, not of {}", path.display(), file.game(), G::NAME);
        return Err(Failure::Usage(message));
    }
    Ok(file.entrant(name, house)?)
}

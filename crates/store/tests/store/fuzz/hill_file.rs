//! Hill files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{Hill, InertBot, Program, TournamentGame};
use dicehill_rules::with_game;
use dicehill_store::{BotManifest, FileError, HillFile, HillStore};

use super::{outcome, scratch, target};

const FIXTURES: [&str; 6] = [
    "hills/barred.toml",
    "hills/duel.toml",
    "hills/gauntlet.toml",
    "hills/liars-dice.toml",
    "hills/mego.toml",
    "hills/yahtzee.toml",
];

#[test]
fn hill_files() {
    let folder = scratch();
    let path = folder.path().join("hill.toml");
    target("hill-file", &FIXTURES, 1500).check(|input| {
        fs::write(&path, input).expect("it can be written");
        let hill = outcome(&path, read(&path));
        let manifest = folder.path().join(BotManifest::NAME);
        fs::write(&manifest, input).expect("it can be written");
        let bot = BotManifest::read(folder.path()).map(|bot| bot.author.is_some());
        // What an error quotes of the file comes before its message.
        let message = |text: String| text.rsplit(": ").next().unwrap_or_default().to_owned();
        format!("{}; {}", message(hill), message(outcome(&manifest, bot)))
    });
}

/// Reads a hill file as far as no bot is started. What it says is the same after it was stored.
fn read(path: &Path) -> Result<(), FileError> {
    let file = HillFile::read(path)?;
    let settings = file.settings()?;
    with_game!(file.game(), G => draft::<G>(&file))?;
    let stored = path.with_extension("db");
    HillStore::init(&stored, &settings).expect("checked settings can be stored");
    let store = HillStore::open(&stored).expect("a stored hill can be read");
    assert_eq!(*store.hill(), settings);
    drop(store);
    fs::remove_file(&stored).expect("it can be removed");
    Ok(())
}

fn draft<G: TournamentGame>(file: &HillFile) -> Result<(), FileError> {
    let draft = file.draft::<G>("s", &|_, _, _| {
        Ok(Arc::new(InertBot("test:inert@1".to_owned())) as Arc<dyn Program<G>>)
    })?;
    let names: Vec<_> = file.names().cloned().collect();
    let hill = Hill::new(draft).map_err(|error| file.locate(&error))?;
    let entrants: Vec<_> = hill.entrants().iter().map(|entrant| entrant.name.clone()).collect();
    assert_eq!(entrants, names);
    Ok(())
}

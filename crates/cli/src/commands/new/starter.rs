//! The starters of all languages, with the SDK files that they use. All of them are built in.

use std::path::PathBuf;

use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use include_dir::{Dir, DirEntry, File, include_dir};

use crate::args::{Language, NAME};

/// The end of the name of a manifest in a starter. Cargo leaves folders that have a `Cargo.toml` out of a package.
const TEMPLATE: &str = ".template";

/// By language: `template`, with a folder for each game, and `sdk`, what each of its bots gets too. It consists of links
/// to `sdk/` and `protocol/`, which cargo follows when it packages this crate.
static STARTERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/starters");

/// A file of the new folder, with its path in it.
pub(super) struct NewFile {
    pub(super) place: PathBuf,
    pub(super) content: Vec<u8>,
}

/// A game that has a starter in each language.
pub(super) trait StarterGame: Game {
    /// The strongest house bot, against which a new bot is tried first.
    const OPPONENT: &str;
}

impl StarterGame for Yahtzee {
    const OPPONENT: &str = "greedy";
}

impl StarterGame for LiarsDice {
    const OPPONENT: &str = "bayes";
}

pub(super) fn starter_files<G: StarterGame>(language: &Language, name: &str) -> Vec<NewFile> {
    let folder = &language.name;
    let mut files = files_of(&format!("{folder}/template/{}", G::NAME));
    files.iter_mut().for_each(|file| file.fill_in(name));
    files.extend(files_of(&format!("{folder}/sdk")));
    files.extend(language.transcript.as_deref().map(|place| transcript(G::NAME, place)));
    files
}

impl NewFile {
    /// Replaces the placeholder by the bot's name.
    fn fill_in(&mut self, name: &str) {
        let place = self.place.to_str().expect("starters have plain names").replace(NAME, name);
        self.place = place.strip_suffix(TEMPLATE).unwrap_or(&place).into();
        let text = str::from_utf8(&self.content).expect("starters are text");
        self.content = text.replace(NAME, name).into();
    }
}

/// A golden transcript of the game.
fn transcript(game: &str, place: &str) -> NewFile {
    let file = STARTERS.get_file(format!("transcripts/{game}.txt"));
    let content = file.expect("each game has a transcript").contents().to_vec();
    NewFile { place: place.into(), content }
}

/// All files in a folder of the starters, with their paths in it.
fn files_of(folder: &str) -> Vec<NewFile> {
    let within = STARTERS.get_dir(folder).expect("each language has a starter for each game");
    let new_file = |file: &File<'_>| {
        let place = file.path().strip_prefix(folder).expect("the file lies in the folder");
        NewFile { place: place.to_owned(), content: file.contents().to_vec() }
    };
    files_in(within).into_iter().map(new_file).collect()
}

fn files_in<'a>(folder: &'a Dir<'a>) -> Vec<&'a File<'a>> {
    let of_entry = |entry: &'a DirEntry<'a>| match entry {
        DirEntry::Dir(folder) => files_in(folder),
        DirEntry::File(file) => vec![file],
    };
    folder.entries().iter().flat_map(of_entry).collect()
}

//! The starters of all languages, with the SDK files that they use. All of them are built in.

use std::path::{Path, PathBuf};

use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use include_dir::{Dir, DirEntry, File, include_dir};

use crate::args::Language;

/// The placeholder for the bot's name in the starters.
const NAME: &str = "__NAME__";

static PYTHON: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/python/template");
static JAVASCRIPT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/javascript/template");
static JAVA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/java/template");
static JAVA_SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/java/dicehill");
static RUST: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/rust/template");
static RUST_SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/rust/src");
static C: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/c/template");

/// A file of the new folder, with its path in it.
pub(super) struct NewFile {
    pub(super) place: PathBuf,
    pub(super) content: Vec<u8>,
}

/// A game that has a starter in each language.
pub(super) trait StarterGame: Game {
    /// The strongest house bot, against which a new bot is tried first.
    const OPPONENT: &str;
    /// A golden transcript, which the starter's test replays.
    const TRANSCRIPT: &str;
}

impl StarterGame for Yahtzee {
    const OPPONENT: &str = "greedy";
    const TRANSCRIPT: &str = include_str!("../../../../../protocol/transcripts/yahtzee.txt");
}

impl StarterGame for LiarsDice {
    const OPPONENT: &str = "bayes";
    const TRANSCRIPT: &str = include_str!("../../../../../protocol/transcripts/liars-dice.txt");
}

pub(super) fn starter_files<G: StarterGame>(language: Language, name: &str) -> Vec<NewFile> {
    let template = language.template();
    let starter = template.get_dir(G::NAME).expect("each language has a starter for each game");
    let mut files: Vec<_> =
        files_in(starter).into_iter().map(|file| filled_in(file, starter.path(), name)).collect();
    files.extend(language.sdk(G::TRANSCRIPT));
    files
}

/// A file of a starter with the placeholder replaced by the bot's name.
fn filled_in(file: &File<'_>, folder: &Path, name: &str) -> NewFile {
    let place = file.path().strip_prefix(folder).expect("the file lies in the folder");
    let text = file.contents_utf8().expect("starters are text");
    NewFile {
        place: place.to_str().expect("starters have plain names").replace(NAME, name).into(),
        content: text.replace(NAME, name).into(),
    }
}

fn files_in<'a>(folder: &'a Dir<'a>) -> Vec<&'a File<'a>> {
    let of_entry = |entry: &'a DirEntry<'a>| match entry {
        DirEntry::Dir(folder) => files_in(folder),
        DirEntry::File(file) => vec![file],
    };
    folder.entries().iter().flat_map(of_entry).collect()
}

impl Language {
    fn template(self) -> &'static Dir<'static> {
        match self {
            Self::Python => &PYTHON,
            Self::JavaScript => &JAVASCRIPT,
            Self::Java => &JAVA,
            Self::Rust => &RUST,
            Self::C => &C,
        }
    }

    /// The SDK files of the language. `transcript` is for those that cannot read `protocol/`.
    fn sdk(self, transcript: &str) -> Vec<NewFile> {
        let file =
            |place: &str, content: &str| NewFile { place: place.into(), content: content.into() };
        let folder = |folder: &'static Dir<'static>, place: &str| {
            let moved = |file: &File<'_>| NewFile {
                place: Path::new(place).join(file.path()),
                content: file.contents().to_vec(),
            };
            files_in(folder).into_iter().map(moved).collect::<Vec<_>>()
        };
        match self {
            Self::Python => {
                vec![file("dicehill.py", include_str!("../../../../../sdk/python/dicehill.py"))]
            }
            Self::JavaScript => vec![
                file("dicehill.mjs", include_str!("../../../../../sdk/javascript/dicehill.mjs")),
                file(
                    "dicehill.d.mts",
                    include_str!("../../../../../sdk/javascript/dicehill.d.mts"),
                ),
            ],
            Self::Java => {
                let mut files = folder(&JAVA_SDK, "dicehill");
                files.push(file("transcript.txt", transcript));
                files
            }
            Self::Rust => folder(&RUST_SDK, "dicehill-bot/src"),
            Self::C => vec![file("dicehill.h", include_str!("../../../../../sdk/c/dicehill.h"))],
        }
    }

    /// The file that an author edits first.
    pub(super) fn source(self, name: &str) -> String {
        match self {
            Self::Python => "bot.py".to_owned(),
            Self::JavaScript => format!("{name}.mjs"),
            Self::Java => format!("{name}.java"),
            Self::Rust => "src/main.rs".to_owned(),
            Self::C => "bot.c".to_owned(),
        }
    }

    /// The command that runs the starter's own test in its folder.
    pub(super) fn test(self, name: &str) -> String {
        match self {
            Self::Python => "python3 -m unittest".to_owned(),
            Self::JavaScript => "node --test".to_owned(),
            Self::Java => {
                format!("javac -d classes {name}Test.java && java -cp classes {name}Test")
            }
            Self::Rust => "cargo test".to_owned(),
            Self::C => "make test".to_owned(),
        }
    }
}

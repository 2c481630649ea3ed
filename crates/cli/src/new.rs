//! `new`: a folder with a bot that plays, its test, and all that it is written with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dicehill_rules::GameName;
use dicehill_temporary::Temporary;
use include_dir::{Dir, DirEntry, File, include_dir};

use crate::args::NewArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::text::{FAINT, STRONG, styled};

/// What stands for the bot's name in the starters.
const NAME: &str = "__NAME__";

static PYTHON: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/python/template");
static JAVASCRIPT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/javascript/template");
static JAVA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/java/template");
static JAVA_SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/java/dicehill");
static RUST: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/rust/template");
static RUST_SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/rust/src");
static C: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/c/template");

/// The languages that bots can be begun in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Language {
    /// Python 3.9 or later
    Python,
    /// JavaScript or TypeScript, for Node 18 or later
    #[value(name = "javascript")]
    JavaScript,
    /// Java 17 or later
    Java,
    /// Rust
    Rust,
    /// C11
    C,
}

/// A file of the new folder.
struct NewFile {
    place: PathBuf,
    content: Vec<u8>,
}

pub(crate) fn new(
    NewArgs { language, game, name }: &NewArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    if language.has_taken(name) {
        let message = format!("{name}: means something else in {language:?}; take another name");
        return Err(Failure::Usage(message));
    }
    let folder = Path::new(name);
    check_free(folder)?;
    write_all(folder, files(*language, *game, name))
        .map_err(|error| Failure::Failed(with_path(folder, &error)))?;
    write!(console.out(), "{}", what_next(*language, *game, name))?;
    Ok(Outcome::Done)
}

/// The name, if files, classes and packages can have it in every language.
pub(crate) fn identifier(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("must be letters, digits and _, a letter first".to_owned())
    }
}

/// Refuses a folder in which something is that might be lost or mixed up.
fn check_free(folder: &Path) -> Result<(), Failure> {
    let taken = |why: &str| Err(Failure::Usage(format!("{}: {why}", folder.display())));
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => taken("is there already and not empty"),
        },
        Err(_) if fs::symlink_metadata(folder).is_err() => Ok(()),
        Err(_) => taken("is there already and no folder that can be read"),
    }
}

fn files(language: Language, game: GameName, name: &str) -> Vec<NewFile> {
    let template = language.template();
    let starter = template.get_dir(game.name()).expect("each language has a starter for each game");
    let mut files: Vec<_> =
        files_in(starter).into_iter().map(|file| filled_in(file, starter.path(), name)).collect();
    files.extend(language.sdk(game));
    files
}

/// The file of a starter with the bot's name in it.
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

/// Makes the folder with all files in it, or not at all.
fn write_all(folder: &Path, files: Vec<NewFile>) -> std::io::Result<()> {
    let around = folder.parent().filter(|around| !around.as_os_str().is_empty());
    let draft = Temporary::within(around.unwrap_or(Path::new(".")))?;
    for NewFile { place, content } in files {
        write(&draft.path().join(place), &content)?;
    }
    // An empty folder that is there is replaced, and nothing else.
    fs::rename(draft.path(), folder)
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(content)
}

fn with_path(path: &Path, error: &std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Who is there to play against: the strongest house bot.
const fn opponent(game: GameName) -> &'static str {
    match game {
        GameName::Yahtzee => "greedy",
        GameName::LiarsDice => "bayes",
    }
}

fn what_next(language: Language, game: GameName, name: &str) -> String {
    let steps = [
        (format!("dicehill check {game} ./{name}"), "does it play legally?"),
        (format!("dicehill run {game} ./{name} {}", opponent(game)), "how well does it play?"),
        (format!("cd {name} && {}", language.test(name)), "its own test"),
    ];
    let widest = steps.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let line = |(command, what): &(String, &str)| {
        let blanks = " ".repeat(widest - command.len());
        format!("  {command}{blanks}  {}\n", styled(FAINT, what))
    };
    let source = styled(STRONG, format!("{name}/{}", language.source(name)));
    let steps: String = steps.iter().map(line).collect();
    format!("{source} plays {game} already. Change it, and see:\n{steps}")
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

    /// What bots of the language are written with.
    fn sdk(self, game: GameName) -> Vec<NewFile> {
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
                vec![file("dicehill.py", include_str!("../../../sdk/python/dicehill.py"))]
            }
            Self::JavaScript => vec![
                file("dicehill.mjs", include_str!("../../../sdk/javascript/dicehill.mjs")),
                file("dicehill.d.mts", include_str!("../../../sdk/javascript/dicehill.d.mts")),
            ],
            Self::Java => {
                let mut files = folder(&JAVA_SDK, "dicehill");
                files.push(file("transcript.txt", transcript(game)));
                files
            }
            Self::Rust => folder(&RUST_SDK, "dicehill-bot/src"),
            Self::C => vec![file("dicehill.h", include_str!("../../../sdk/c/dicehill.h"))],
        }
    }

    /// The file that an author changes first.
    fn source(self, name: &str) -> String {
        match self {
            Self::Python => "bot.py".to_owned(),
            Self::JavaScript => format!("{name}.mjs"),
            Self::Java => format!("{name}.java"),
            Self::Rust => "src/main.rs".to_owned(),
            Self::C => "bot.c".to_owned(),
        }
    }

    /// How a starter's own test is run in its folder.
    fn test(self, name: &str) -> String {
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

    /// Whether a starter of this name would not work, because the language or the starter itself
    /// uses the name. The SDKs go by `dicehill` everywhere, also where case does not matter in a
    /// file's name.
    fn has_taken(self, name: &str) -> bool {
        let words: &[&str] = match self {
            Self::Python | Self::C => &[],
            Self::JavaScript => &JAVASCRIPT_WORDS,
            Self::Java => &JAVA_WORDS,
            Self::Rust => &RUST_WORDS,
        };
        name.eq_ignore_ascii_case("dicehill") || words.contains(&name)
    }
}

const fn transcript(game: GameName) -> &'static str {
    match game {
        GameName::Yahtzee => include_str!("../../../protocol/transcripts/yahtzee.txt"),
        GameName::LiarsDice => include_str!("../../../protocol/transcripts/liars-dice.txt"),
    }
}

/// Names in the starters' own code, and the language's words.
#[rustfmt::skip]
const JAVASCRIPT_WORDS: [&str; 58] = [
    "PAR", "Math", "Object", "String", "URL", "assert", "checkTranscript", "liarsDice",
    "playTranscript", "positions", "readFileSync", "test", "yahtzee",
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
    "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally",
    "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new",
    "null", "package", "private", "protected", "public", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "var", "void",
];

/// The same for Java; classes of the SDK, of `java.lang` and of the imports keep their names.
#[rustfmt::skip]
const JAVA_WORDS: [&str; 79] = [
    "Bid", "Category", "Comparator", "Comparable", "Exception", "IntStream", "Integer",
    "LiarsDiceAnswer", "LiarsDiceBot", "LiarsDiceTurn", "List", "Math", "Object", "Override",
    "Path", "String", "System", "Transcript", "YahtzeeAnswer", "YahtzeeBot", "YahtzeeTurn",
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const",
    "continue", "default", "do", "double", "else", "enum", "extends", "false", "final", "finally",
    "float", "for", "goto", "if", "implements", "import", "instanceof", "int", "interface", "long",
    "native", "new", "null", "package", "private", "protected", "public", "record", "return",
    "sealed", "permits", "short", "static", "strictfp", "super", "switch", "synchronized", "this",
    "throw", "throws", "transient", "true", "try", "var", "void", "volatile", "while", "yield",
];

/// Names that cargo refuses for a package or its program, and the SDK's.
#[rustfmt::skip]
const RUST_WORDS: [&str; 47] = [
    "build", "core", "deps", "dicehill_bot", "examples", "incremental", "std", "test", "Self",
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
    "let", "loop", "macro", "match", "mod", "move", "mut", "override", "pub", "ref", "return",
    "self", "static", "struct", "use",
];

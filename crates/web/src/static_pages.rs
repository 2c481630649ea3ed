//! A run as files: the pages of a server, for a host who only has a place for files.
//!
//! Nothing of them needs a server or another host. They load the style sheet and the scripts beside them.

mod chosen;
mod passage;

use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{FailureLine, FileError, RunSource, StoredFailure};
use maud::Markup;

use self::chosen::{Chosen, named};
use self::passage::Passage;
use crate::assets::ASSETS;
use crate::hills::RunView;
use crate::links::Links;
use crate::model::bot::Beside;
use crate::model::replay::{ReplayDocument, RunOfGame, UnreadableGame};
use crate::model::shown_game::ShownGame;
use crate::model::{BoardDocument, BotDocument};
use crate::pages;
use crate::pages::layout::Place;
use crate::pages::replay::{MOST_MOVES, ReplayFrame};
use crate::pages::static_index::{GameLink, StaticIndex};

/// What the pages load.
const LOADED: [&str; 8] = [
    "style.css",
    "icon.svg",
    "replay.js",
    "pairs.js",
    "plots.js",
    "uPlot.iife.min.js",
    "uPlot.min.css",
    "uPlot.LICENSE",
];

/// Where files go.
pub trait PageSink {
    /// Why it takes no more.
    type Error: From<FileError>;

    /// Takes a file. The names are plain, and each comes once.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Self::Error>;

    /// Is told whenever another game is gone through, and may break off.
    ///
    /// # Errors
    /// If it is to break off.
    fn advance(&mut self) -> Result<(), Self::Error>;
}

/// Writes the pages of a run, from `index.html` on: the board, its bots, and the games `wanted`, or, of none, those
/// that somebody may want to see.
///
/// # Errors
/// If the run cannot be read, there is no such game, or what the sink says.
pub fn write_pages<S: PageSink>(
    source: &RunSource,
    wanted: &[u64],
    sink: &mut S,
) -> Result<(), S::Error> {
    match source.header().hill.game {
        GameName::Yahtzee => write_run::<Yahtzee, S>(source, wanted, sink),
        GameName::LiarsDice => write_run::<LiarsDice, S>(source, wanted, sink),
    }
}

fn write_run<G: ShownGame, S: PageSink>(
    source: &RunSource,
    wanted: &[u64],
    sink: &mut S,
) -> Result<(), S::Error> {
    let passage = Passage::<G>::through(source, sink)?;
    let view = passage.view()?;
    let board = &view.board;
    let mut games = match wanted {
        [] => passage.remarkable(),
        wanted => named(source, wanted)?,
    };
    let keeps_moves = games.iter().all(|game| game.line.moves.is_some());
    if !keeps_moves {
        games.clear();
    }
    for game in &games {
        sink.advance()?;
        write_game(source, board, game, sink)?;
    }
    write_bars(source, board, sink)?;
    write_bots(source, &view, &games, sink)?;
    write_loaded(sink)?;
    let games = games.iter().map(GameLink::from).collect();
    let index = StaticIndex { board, games, keeps_moves };
    // Once it is there the others are.
    write(sink, "index.html", pages::static_index::page(&index))
}

fn write<S: PageSink>(sink: &mut S, name: &str, page: Markup) -> Result<(), S::Error> {
    sink.write(name, page.into_string().as_bytes())
}

fn write_loaded<S: PageSink>(sink: &mut S) -> Result<(), S::Error> {
    let loaded = ASSETS.iter().filter(|asset| LOADED.contains(&asset.name));
    for asset in loaded {
        sink.write(asset.name, asset.content)?;
    }
    Ok(())
}

/// The bots, and each against each.
fn write_bots<S: PageSink>(
    source: &RunSource,
    view: &RunView,
    games: &[Chosen],
    sink: &mut S,
) -> Result<(), S::Error> {
    let failures = failures(source, games)?;
    for place in 0..view.header.bots.len() {
        let beside = Beside { failures: failures.clone(), ..Beside::default() };
        if let Some(bot) = BotDocument::new(view, place, beside) {
            let name = Links::Files.bot(place, &bot.row.bot);
            write(sink, &name, pages::bot::page(&bot, Links::Files, Place::File))?;
        }
    }
    let pairs = pages::pairs::page(&view.board, &view.pairs, Links::Files, Place::File);
    write(sink, &Links::Files.head_to_head(), pairs)
}

/// The failures in games that have pages. A log does not have what was shown to the bots.
fn failures(source: &RunSource, games: &[Chosen]) -> Result<Vec<StoredFailure>, FileError> {
    let is_shown = |game: u64| games.iter().any(|one| one.line.game == game);
    if let RunSource::Stored { store, run, .. } = source {
        let mut failures = store.failures(run.run)?;
        failures.retain(|failure| is_shown(failure.game));
        return Ok(failures);
    }
    let attempt = source.bars().len() as i64;
    let of = |game: &Chosen| -> Vec<StoredFailure> {
        let line = &game.line;
        let told = |failure: &FailureLine| StoredFailure {
            attempt,
            game: line.game,
            bot: line.seats.get(failure.seat).cloned().unwrap_or_default(),
            reason: failure.reason.clone(),
            detail: failure.detail.clone(),
            request: String::new(),
            log: String::new(),
        };
        line.failures.iter().map(told).collect()
    };
    Ok(games.iter().flat_map(of).collect())
}

impl From<&Chosen> for GameLink {
    fn from(Chosen { line, why }: &Chosen) -> Self {
        let winners = (0..line.seats.len()).filter(|seat| line.won(*seat)).collect();
        Self {
            number: line.game,
            seats: line.seats.clone(),
            winners,
            void: line.void,
            why: why.clone(),
        }
    }
}

fn write_game<S: PageSink>(
    source: &RunSource,
    board: &BoardDocument,
    game: &Chosen,
    sink: &mut S,
) -> Result<(), S::Error> {
    let number = game.line.game;
    let (place, line) = source.find_game(Some(number))?;
    let document = read(source, &line).map_err(|error| source.error(place, error))?;
    let page = framed(board, &document, format!("Game {number}"));
    write(sink, &Links::Files.game(number), page)
}

fn read(source: &RunSource, line: &str) -> Result<ReplayDocument, UnreadableGame> {
    let run = RunOfGame {
        header: source.header(),
        number: source.number(),
        has_ended: source.result().is_some(),
    };
    ReplayDocument::read(run, line, MOST_MOVES)
}

/// The games in which somebody was barred.
fn write_bars<S: PageSink>(
    source: &RunSource,
    board: &BoardDocument,
    sink: &mut S,
) -> Result<(), S::Error> {
    for (number, bar) in (1..).zip(source.bars()).filter(|(_, bar)| bar.game > 0) {
        let title =
            format!("{} is barred in game {}", dicehill_arena::printable(&bar.bot), bar.game);
        let page = match read(source, &bar.record) {
            Ok(document) => framed(board, &document, title),
            // What cannot be shown any more is told on the board all the same.
            Err(why) => pages::replay::unreadable(&title, &trail(board), &why.to_string()),
        };
        write(sink, &Links::Files.bar(number), page)?;
    }
    Ok(())
}

fn trail(board: &BoardDocument) -> Vec<(String, String)> {
    vec![(board.name.clone(), Links::Files.board())]
}

fn framed(board: &BoardDocument, document: &ReplayDocument, title: String) -> Markup {
    let frame = ReplayFrame {
        title,
        links: Links::Files,
        trail: trail(board),
        json: None,
        neighbours: [None; 2],
    };
    pages::replay::page(document, frame)
}

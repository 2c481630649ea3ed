//! A run as files: the pages of a server for static hosting.
//!
//! The pages need no server. They load the style sheet and the scripts from the same folder.

mod highlight_scan;
mod page_sink;
mod private_bots;
mod scanned_run;
mod selection;

use dicehill_store::{FailureLine, FileError, RecordedRun, RunSource, StoredFailure};
use maud::Markup;

pub use self::page_sink::PageSink;
use self::private_bots::private_bots;
use self::scanned_run::ScannedRun;
use self::selection::{SelectedGame, select_by_number, with_highlights};
use crate::model::bot::BotDetails;
use crate::model::replay::{ReplayDocument, RunOfGame, UnreadableGame};
use crate::model::run_view::RunView;
use crate::model::shown_game::ShownGame;
use crate::model::{BoardDocument, BotDocument};
use crate::pages;
use crate::pages::assets::ASSETS;
use crate::pages::layout::{Hosting, Preview};
use crate::pages::links::Links;
use crate::pages::replay::{MAX_MOVES, PlayedIn, ReplayFrame};
use crate::pages::static_index::{GameLink, StaticIndex};
use crate::pictures::badge::{RankOfBot, badge, rank_picture};
use dicehill_rules::with_game;

/// The assets that the pages load.
const LOADED_ASSETS: [&str; 12] = [
    "style.css",
    "icon.svg",
    "elements.js",
    "replay-tables.js",
    "replay.js",
    "pairs.js",
    "dates.js",
    "plots.js",
    "embed.js",
    "uPlot.iife.min.js",
    "uPlot.min.css",
    "uPlot.LICENSE",
];

/// Writes the pages of a run: the board as `index.html`, its bots, and the games `wanted`. If none are given, a selection
/// of remarkable games is written.
///
/// # Errors
/// If the run cannot be read, there is no such game, or the sink fails.
pub fn write_pages<S: PageSink>(
    source: &RunSource,
    wanted: &[u64],
    sink: &mut S,
) -> Result<(), S::Error> {
    with_game!(source.header().hill.game(), G => write_run::<G, S>(source, wanted, sink))
}

fn write_run<G: ShownGame, S: PageSink>(
    source: &RunSource,
    wanted: &[u64],
    sink: &mut S,
) -> Result<(), S::Error> {
    let run = ScannedRun::<G>::scan(source, sink)?;
    let view = run.view()?;
    let board = &view.board;
    let mut games = match wanted {
        [] => {
            let found: Vec<_> =
                run.highlights().iter().map(|game| (game.game, game.kind)).collect();
            with_highlights(source, run.select_remarkable(), &found)?
        }
        wanted => select_by_number(source, wanted)?,
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
    write_assets(sink)?;
    let games = games.iter().map(GameLink::from).collect();
    let index = StaticIndex { board, games, keeps_moves };
    // The index comes last: when it exists, all pages do.
    write(sink, "index.html", pages::static_index::page(&index))
}

fn write<S: PageSink>(sink: &mut S, name: &str, page: Markup) -> Result<(), S::Error> {
    sink.write(name, page.into_string().as_bytes())
}

fn write_assets<S: PageSink>(sink: &mut S) -> Result<(), S::Error> {
    let loaded = ASSETS.iter().filter(|asset| LOADED_ASSETS.contains(&asset.name));
    for asset in loaded {
        sink.write(asset.name, asset.content)?;
    }
    Ok(())
}

/// The pages of the bots, and the page of all pairs.
fn write_bots<S: PageSink>(
    source: &RunSource,
    view: &RunView,
    games: &[SelectedGame],
    sink: &mut S,
) -> Result<(), S::Error> {
    let failures = failures(source, games)?;
    let private = private_bots(source)?;
    for (place, recorded) in view.header.bots.iter().enumerate() {
        let is_private = private.contains(recorded.name.as_str());
        let details =
            BotDetails { failures: failures.clone(), is_private, ..BotDetails::default() };
        if let Some(bot) = BotDocument::new(view, place, details) {
            let name = Links::Files.bot(place, &bot.row.bot);
            write(sink, &name, pages::bot::page(&bot, Links::Files, Hosting::File, None))?;
            write_pictures(&view.board, &bot, sink)?;
        }
    }
    let pairs = pages::pairs::page(&view.board, &view.pairs, Links::Files, Hosting::File);
    write(sink, &Links::Files.head_to_head(), pairs)
}

/// The badge and the picture of a bot's rank.
fn write_pictures<S: PageSink>(
    board: &BoardDocument,
    bot: &BotDocument,
    sink: &mut S,
) -> Result<(), S::Error> {
    let Some(rank) = RankOfBot::find(board, &bot.row.bot) else { return Ok(()) };
    let [badge_name, rank_name] = Links::Files.pictures(bot.row.place, &bot.row.bot);
    sink.write(&badge_name, badge(&rank).as_bytes())?;
    sink.write(&rank_name, rank_picture(&rank).as_bytes())
}

/// The failures in games that have pages. A log does not record the requests to the bots.
fn failures(source: &RunSource, games: &[SelectedGame]) -> Result<Vec<StoredFailure>, FileError> {
    let is_shown = |game: u64| games.iter().any(|one| one.line.game == game);
    if let RecordedRun::Stored { store, run } = &**source {
        let mut failures = store.failures(run.run)?;
        failures.retain(|failure| is_shown(failure.game));
        return Ok(failures);
    }
    let attempt = source.bars().len() as i64;
    let failures_of = |game: &SelectedGame| -> Vec<StoredFailure> {
        let line = &game.line;
        let stored = |failure: &FailureLine| StoredFailure {
            attempt,
            game: line.game,
            bot: line.seats.get(failure.seat).cloned().unwrap_or_default(),
            reason: failure.reason.clone(),
            detail: failure.detail.clone(),
            request: String::new(),
            log: String::new(),
        };
        line.failures.iter().map(stored).collect()
    };
    Ok(games.iter().flat_map(failures_of).collect())
}

impl From<&SelectedGame> for GameLink {
    fn from(SelectedGame { line, why }: &SelectedGame) -> Self {
        let winners = (0..line.seats.len()).filter(|seat| line.won(*seat)).collect();
        Self {
            number: line.game,
            seats: line.seats.clone(),
            winners,
            scores: (0..line.seats.len()).filter_map(|seat| line.figure(seat, "score")).collect(),
            void: line.void,
            why: why.clone(),
        }
    }
}

fn write_game<S: PageSink>(
    source: &RunSource,
    board: &BoardDocument,
    game: &SelectedGame,
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
        has_ended: source.has_result(),
    };
    ReplayDocument::read(run, line, MAX_MOVES)
}

/// The pages of the games in which a bot was barred.
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
            // The board still lists bars whose game can no longer be shown.
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
        played_in: PlayedIn::Run,
        links: Links::Files,
        trail: trail(board),
        json: None,
        neighbours: [None; 2],
    };
    let description = pages::replay::description(document);
    let preview = Preview { description, ..Preview::default() };
    pages::replay::page_with(document, frame, &preview)
}

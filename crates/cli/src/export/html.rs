//! A run as static pages: the board, and replays of chosen games. They need no server, no script and no other host.

mod chosen;
mod dice;
mod index;
pub(crate) mod liars_dice;
mod page;
pub(crate) mod yahtzee;

use std::io::Write;
use std::path::Path;

use dicehill_arena::{Replay, read_game_line};
use dicehill_store::{FileError, GameLine, StoredGame};
use maud::{Markup, html};

use self::chosen::{Chosen, choose};
use self::page::{Page, bot_name};
use super::board::Board;
use super::exported_game::ExportedGame;
use super::recorded::{Recorded, Unfinished};
use super::target::Target;
use crate::text::{counted, printable, tell};

/// Writes the pages to a folder: of the games `wanted`, or of those that somebody may want to see.
pub(crate) fn write<G: ExportedGame>(
    run: &Recorded<'_, G>,
    folder: &Path,
    wanted: &[u64],
) -> Result<(), Unfinished> {
    let keeps_moves = run.keeps_moves()?;
    let games = if keeps_moves { choose(run, wanted)? } else { Vec::new() };
    let board = Board::of(run.source);
    let mut pages = Pages { target: Target::new(folder)?, folder, names: Vec::new() };
    for game in &games {
        run.go_on()?;
        pages.write(game_file(game.line.game), game_page(run, &board, game)?)?;
    }
    for (number, bar) in (1..).zip(&board.bars) {
        // What cannot be shown any more is told on the board all the same.
        if let Ok(replay) = read_game_line::<G>(&bar.record, run.rules, &run.chance) {
            let title = format!("{} is barred in game {}", printable(&bar.bot), bar.game);
            pages.write(bar_file(number), replay_page(run, &board, &title, &replay))?;
        }
    }
    let index = index::page::<G>(&board, &games, &pages.names, keeps_moves);
    pages.write("index.html".to_owned(), index)?;
    Ok(pages.keep()?)
}

/// Pages that are being written.
struct Pages<'a> {
    target: Target,
    folder: &'a Path,
    names: Vec<String>,
}

impl Pages<'_> {
    fn write(&mut self, name: String, page: Markup) -> Result<(), FileError> {
        let written = self.target.create(&name)?.write_all(page.into_string().as_bytes());
        written.map_err(|error| FileError::new(&self.folder.join(&name), error))?;
        self.names.push(name);
        Ok(())
    }

    fn keep(self) -> Result<(), FileError> {
        self.target.keep(&self.names)?;
        let pages = counted(self.names.len() as u64, "page");
        let folder = printable(&self.folder.display().to_string());
        tell(format!("{pages} in {folder}, from index.html on"));
        Ok(())
    }
}

/// The page of a game.
fn game_file(game: u64) -> String {
    format!("game-{game}.html")
}

/// The page of the game in which the bar with this number fell, from 1.
fn bar_file(number: usize) -> String {
    format!("barred-{number}.html")
}

fn game_page<G: ExportedGame>(
    run: &Recorded<'_, G>,
    board: &Board,
    game: &Chosen,
) -> Result<Markup, FileError> {
    let (number, line) = run.source.find_game(Some(game.line.game))?;
    let replay = run.replay(&StoredGame { number, line, times: Vec::new() })?;
    let title = format!("Game {}", replay.game);
    Ok(replay_page(run, board, &title, &replay))
}

fn replay_page<G: ExportedGame>(
    run: &Recorded<'_, G>,
    board: &Board,
    title: &str,
    replay: &Replay<G>,
) -> Markup {
    let facts = [
        ("game", G::TITLE.to_owned()),
        ("rules", run.rules.to_string()),
        ("number", replay.game.to_string()),
        ("table", replay.table.to_string()),
        ("seed", printable(&run.source.header().seed)),
    ];
    let play = replay.begin(run.rules, &run.chance);
    Page {
        title: format!("{title}, {}", printable(&board.name)),
        back: Some("index.html"),
        program: run.source.header().program.clone(),
        body: html! {
            h1 { bdi { (title) } }
            (page::facts(&facts))
            (results(replay))
            (G::show_moves(play, replay))
        },
    }
    .render()
}

/// Who got what.
fn results<G: ExportedGame>(replay: &Replay<G>) -> Markup {
    html! {
        h2 #result { "Result" }
        div.wide tabindex="0" role="region" aria-labelledby="result" {
            table {
                thead { tr {
                    th scope="col" { "Seat" }
                    th.text scope="col" { "Bot" }
                    th scope="col" { "Points" }
                    @for figure in G::FIGURES { th scope="col" { (heading(figure.name)) } }
                    th.text scope="col" { "Won" }
                } }
                tbody { @for (seat, (name, result)) in replay.names.iter().zip(&replay.results).enumerate() { tr {
                    td { (seat) }
                    th.text scope="row" { (bot_name(name)) }
                    td { (result.points) }
                    @for value in &result.figures[..G::FIGURES.len()] { td { (value) } }
                    td.text { @if result.won { "yes" } @else { "no" } }
                } } }
            }
        }
    }
}

/// `Dice gained` of `dice_gained`.
fn heading(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    format!("{}{}", first.to_uppercase(), rest.replace('_', " "))
}

/// Who won a game, in words.
fn winner(line: &GameLine) -> String {
    let won: Vec<_> = (0..line.seats.len()).filter(|seat| line.won(*seat)).collect();
    let names: Vec<_> = won.iter().map(|seat| printable(&line.seats[*seat])).collect();
    match names.as_slice() {
        _ if line.void => "void".to_owned(),
        [] => "nobody".to_owned(),
        names => names.join(", "),
    }
}

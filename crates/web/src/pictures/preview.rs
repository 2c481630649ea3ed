//! The pictures that other services show with a link, 1200 by 630 pixels.

use super::canvas::{Area, Canvas, Colour, Text};
use super::font::{Weight, has_letters};
use super::png::encode;
use crate::model::replay::ReplayDocument;
use crate::model::{BoardDocument, BotDocument, Estimate, HillDocument};
use crate::pages::numbers::{chance, elo, percent, thousands};
use crate::pages::site::{counted, title};

const WIDTH: usize = 1200;
const HEIGHT: usize = 630;
const LEFT: f32 = 80.0;
const RIGHT: f32 = 1120.0;
/// The most rows.
const ROWS: usize = 5;
/// Where the scale of a row begins, and how long it is.
const SCALE: (f32, f32) = (600.0, 240.0);

/// A picture: a title between small lines, and rows of values.
#[derive(Default)]
struct Picture {
    kicker: String,
    title: String,
    rows: Vec<Row>,
    /// Below the rows.
    note: String,
}

/// A value with its name.
struct Row {
    name: String,
    value: String,
    /// Drawn on a scale from 0 to 100 %.
    share: Option<Estimate>,
    is_bold: bool,
}

/// A name, or `otherwise` if the font lacks some of its letters.
fn shown(name: &str, otherwise: impl FnOnce() -> String) -> String {
    let name = dicehill_arena::printable(name);
    if has_letters(&name) { name } else { otherwise() }
}

/// Of any page of the site.
pub(crate) fn of_site() -> Vec<u8> {
    let note = "Every die follows from a seed; every game can be verified.".to_owned();
    let kicker = "King-of-the-hill contests of dice bots".to_owned();
    Picture { kicker, title: "dicehill".to_owned(), note, ..Picture::default() }.draw()
}

/// Of a hill.
pub(crate) fn of_hill(hill: &HillDocument) -> Vec<u8> {
    let summary = &hill.summary;
    let bots = counted(summary.entrants as u64, "bot");
    let kicker = format!("{}, {}: {bots}", title(&summary.game), summary.format);
    let title = shown(&summary.name, || "A hill".to_owned());
    let (rows, note) = hill.board.as_ref().map(leaders).unwrap_or_default();
    Picture { kicker, title, rows, note }.draw()
}

/// Of a run.
pub(crate) fn of_run(board: &BoardDocument) -> Vec<u8> {
    let games = thousands(board.progress.games);
    let kicker = format!("{}, run {}: {games} games", title(&board.game), board.run);
    let title = shown(&board.name, || "A hill".to_owned());
    let (rows, note) = leaders(board);
    Picture { kicker, title, rows, note }.draw()
}

/// The bots at the top of a board, and who is the champion.
fn leaders(board: &BoardDocument) -> (Vec<Row>, String) {
    let row = |row: &crate::model::board::Row| {
        let rank = row.rank.filter(|_| row.games > 0);
        let rank = rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let name = shown(&row.bot, || "a bot".to_owned());
        Row {
            name: format!("{rank}  {name}"),
            value: short_percent(row.win_rate),
            share: row.win_rate,
            is_bold: board.champion.as_deref() == Some(&row.bot),
        }
    };
    let sure = board.champion_sure.filter(|_| board.champion.is_some());
    let note =
        sure.map_or_else(String::new, |sure| format!("Champion: P(best) {} %", chance(sure)));
    (board.rows.iter().take(ROWS).map(row).collect(), note)
}

fn short_percent(share: Option<Estimate>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} % won", 100.0 * share.value))
}

/// Of a bot in a run.
pub(crate) fn of_bot(bot: &BotDocument, among: usize) -> Vec<u8> {
    let hill = shown(&bot.name, || "a hill".to_owned());
    let row = |name: &str, value: String, share: Option<Estimate>| Row {
        name: name.to_owned(),
        value,
        share,
        is_bold: false,
    };
    let rank = bot.row.rank.filter(|_| bot.row.games > 0);
    let rank = rank.map_or_else(|| "–".to_owned(), |rank| format!("{rank} of {among}"));
    let rows = vec![
        Row { is_bold: true, ..row("Rank", rank, None) },
        row("Win % (95 % CI)", percent(bot.row.win_rate), None),
        row("Elo ± 95 %", elo(bot.row.elo), None),
        row("Games", thousands(bot.row.games), None),
    ];
    let kicker = format!("{}, {hill}, run {}", title(&bot.game), bot.run);
    let title = shown(&bot.row.bot, || "A bot".to_owned());
    Picture { kicker, title, rows, ..Picture::default() }.draw()
}

/// Of a game.
pub(crate) fn of_game(game: &ReplayDocument) -> Vec<u8> {
    let hill = shown(&game.name, || "a hill".to_owned());
    let row = |seat: &crate::model::replay::ReplaySeat| {
        let number = seat.figures.get("score").unwrap_or(&seat.points);
        let unit = if seat.figures.contains_key("score") { "" } else { " points" };
        Row {
            name: shown(&seat.bot, || "a bot".to_owned()),
            value: format!("{}{unit}{}", thousands(*number), if seat.won { ", won" } else { "" }),
            share: None,
            is_bold: seat.won,
        }
    };
    let mut seats: Vec<_> = game.seats.iter().collect();
    seats.sort_by_key(|seat| std::cmp::Reverse(seat.won));
    let kicker = match game.run {
        Some(run) => format!("{}, {hill}, run {run}", title(game.game)),
        None => format!("{}, {hill}", title(game.game)),
    };
    let more = seats.len().saturating_sub(ROWS);
    Picture {
        kicker,
        title: format!("Game {}", thousands(game.number)),
        rows: seats.into_iter().take(ROWS).map(row).collect(),
        note: if more > 0 { format!("and {more} more") } else { String::new() },
    }
    .draw()
}

impl Picture {
    fn draw(&self) -> Vec<u8> {
        let mut canvas = Canvas::new(WIDTH, HEIGHT);
        canvas.fill(Area { left: 0, top: 0, width: 24, height: HEIGHT }, Colour::Accent);
        line(&mut canvas, &self.kicker, 96.0, 34.0, Weight::Regular, Colour::Faint);
        line(&mut canvas, &self.title, 182.0, 76.0, Weight::Bold, Colour::Ink);
        for (row, baseline) in self.rows.iter().zip((0..).map(|row| 258.0 + 60.0 * row as f32)) {
            row.draw(&mut canvas, baseline);
        }
        line(&mut canvas, &self.note, 580.0, 32.0, Weight::Regular, Colour::Faint);
        let (text, size, weight) = ("dicehill", 36.0, Weight::Bold);
        let left = RIGHT - weight.width(size, text);
        canvas.draw(&Text { text, left, baseline: 580.0, size, weight, colour: Colour::Accent });
        encode(&canvas)
    }
}

/// Draws a text from the left margin, shortened to the page.
fn line(canvas: &mut Canvas, text: &str, baseline: f32, size: f32, weight: Weight, colour: Colour) {
    let text = weight.fitted(size, text, RIGHT - LEFT);
    canvas.draw(&Text { text: &text, left: LEFT, baseline, size, weight, colour });
}

impl Row {
    fn draw(&self, canvas: &mut Canvas, baseline: f32) {
        let weight = if self.is_bold { Weight::Bold } else { Weight::Regular };
        let size = 36.0;
        let most = if self.share.is_some() { SCALE.0 - LEFT - 40.0 } else { 560.0 };
        let text = weight.fitted(size, &self.name, most);
        let colour = Colour::Ink;
        canvas.draw(&Text { text: &text, left: LEFT, baseline, size, weight, colour });
        let left = RIGHT - weight.width(size, &self.value);
        canvas.draw(&Text { text: &self.value, left, baseline, size, weight, colour });
        if let Some(share) = self.share {
            draw_share(canvas, share, baseline as usize - 13);
        }
    }
}

/// Draws a share with its interval on a scale from 0 to 100 %.
fn draw_share(canvas: &mut Canvas, Estimate { value, ci95 }: Estimate, middle: usize) {
    let at = |share: f64| (SCALE.0 + SCALE.1 * share.clamp(0.0, 1.0) as f32) as usize;
    let area = |left: usize, right: usize, height: usize| Area {
        left,
        top: middle - height / 2,
        width: (right - left).max(2),
        height,
    };
    canvas.fill(area(at(0.0), at(1.0), 2), Colour::Line);
    if let Some([low, high]) = ci95 {
        canvas.fill(area(at(low), at(high), 8), Colour::Accent);
    }
    canvas.fill(area(at(value) - 5, at(value) + 5, 22), Colour::Accent);
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_picture_is_a_png_of_the_size_that_pages_name() {
        let png = of_site();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&png[12..16], b"IHDR");
        assert_eq!(png[16..24], [0, 0, 4, 176, 0, 0, 2, 118], "1200 by 630");
        assert!(png.ends_with(b"IEND\xaeB`\x82"));
        assert!(png.len() < 60_000, "{}", png.len());
        let data = png.windows(4).position(|window| window == b"IDAT").expect("its pixels") + 4;
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(&png[data..]).read_to_end(&mut rows).expect("a stream");
        assert_eq!(rows.len(), HEIGHT * (WIDTH + 1));
        let inked = rows.iter().filter(|pixel| **pixel > 0).count();
        assert!(inked > 20_000, "there are texts: {inked}");
    }

    #[test]
    fn long_names_are_shortened_and_unknown_letters_are_replaced() {
        let long = "W".repeat(64);
        let fitted = Weight::Bold.fitted(76.0, &long, 1040.0);
        assert!(fitted.ends_with('…') && Weight::Bold.width(76.0, &fitted) <= 1040.0);
        assert_eq!(shown("Ärger & Œuvre", || "a bot".to_owned()), "Ärger & Œuvre");
        assert_eq!(shown("קוביות", || "a bot".to_owned()), "a bot");
    }
}

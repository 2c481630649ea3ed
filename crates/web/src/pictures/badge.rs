//! A bot's rank as SVG, to be embedded in other pages: a badge of one line, and a picture.

use maud::{Markup, PreEscaped, html};

use crate::model::board::Row;
use crate::model::{BoardDocument, Estimate};
use crate::pages::chart::short;
use crate::pages::numbers::{elo, percent};

/// The colours by scheme. The texts have at least 4.5 to 1 against what is behind them.
const STYLE: &str = ".paper{fill:#fff;stroke:#cfcabf}.ink{fill:#1b1c1a}.faint{fill:#5f5c55}.accent{fill:#17694a}.axis{stroke:#8b867c}.whisker{stroke:#17694a}\
    @media(prefers-color-scheme:dark){.paper{fill:#1d1f22;stroke:#50535a}.ink{fill:#e9e6e0}.faint{fill:#a8a398}.accent{fill:#7fd1ad}\
    .axis{stroke:#7d7870}.whisker{stroke:#7fd1ad}}";
const FONT: &str = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
/// The mean width of a letter, times its size.
const LETTER: f64 = 0.6;

/// A bot on a board.
pub(crate) struct RankOfBot<'a> {
    hill: &'a str,
    row: &'a Row,
    among: usize,
}

impl<'a> RankOfBot<'a> {
    /// The bot of this name; `None` if it is not on the board.
    pub(crate) fn find(board: &'a BoardDocument, bot: &str) -> Option<Self> {
        let row = board.rows.iter().find(|row| row.bot == bot)?;
        let among = board.rows.iter().filter(|row| row.rank.is_some()).count();
        Some(Self { hill: &board.name, row, among })
    }

    fn rank(&self) -> String {
        match self.row.rank {
            Some(_) if self.row.games == 0 => "no games yet".to_owned(),
            Some(rank) => format!("#{rank} of {}", self.among),
            None => "barred".to_owned(),
        }
    }

    fn title(&self) -> String {
        let bot = dicehill_arena::printable(&self.row.bot);
        format!("{bot}: {} on {}", self.rank(), dicehill_arena::printable(self.hill))
    }
}

/// The badge.
pub(crate) fn badge(bot: &RankOfBot<'_>) -> String {
    let [hill, rank] = [short(bot.hill), bot.rank()];
    let width = |text: &str| (11.0 * LETTER * text.chars().count() as f64).ceil();
    let [left, right] = [&hill, &rank].map(|text| width(text) + 14.0);
    let all = left + right;
    let text = |middle: f64, text: &str| {
        html! {
            text x=(middle) y="14" text-anchor="middle" textLength=(width(text)) lengthAdjust="spacingAndGlyphs" { (text) }
        }
    };
    document(
        all,
        20.0,
        bot,
        html! {
            clipPath id="round" { rect width=(all) height="20" rx="4" {} }
            g clip-path="url(#round)" {
                rect width=(left) height="20" fill="#3a3d41" {}
                rect x=(left) width=(right) height="20" fill="#17694a" {}
            }
            g fill="#fff" font-family=(FONT) font-size="11" {
                (text(left / 2.0, &hill))
                (text(left + right / 2.0, &rank))
            }
        },
    )
}

/// The picture of the rank: with the share of games won, its interval, and the rating.
pub(crate) fn rank_picture(bot: &RankOfBot<'_>) -> String {
    let [name, hill] = [short(&bot.row.bot), short(bot.hill)];
    document(
        360.0,
        120.0,
        bot,
        html! {
            style { (PreEscaped(STYLE)) }
            rect.paper x="0.5" y="0.5" width="359" height="119" rx="9" {}
            g font-family=(FONT) {
                text.ink x="16" y="34" font-size="20" font-weight="700" { (name) }
                text.accent x="344" y="34" font-size="20" font-weight="700" text-anchor="end" { (bot.rank()) }
                text.faint x="16" y="56" font-size="13" { "on " (hill) }
                text.faint x="344" y="56" font-size="13" text-anchor="end" { "Elo " (elo(bot.row.elo)) }
                text.ink x="344" y="104" font-size="13" text-anchor="end" { "won " (percent(bot.row.win_rate)) " %" }
                text.faint x="16" y="104" font-size="13" { "0" }
                text.faint x="150" y="104" font-size="13" text-anchor="end" { "100 %" }
            }
            @if let Some(share) = bot.row.win_rate { (drawn(share)) }
        },
    )
}

/// A share with its interval, on a scale from 0 to 100 %.
fn drawn(Estimate { value, ci95 }: Estimate) -> Markup {
    let at = |share: f64| format!("{:.1}", 16.0 + 328.0 * share.clamp(0.0, 1.0));
    html! {
        line.axis x1="16" x2="344" y1="77" y2="77" {}
        @for share in [0.0, 0.5, 1.0] { line.axis x1=(at(share)) x2=(at(share)) y1="71" y2="83" {} }
        @if let Some([low, high]) = ci95 {
            line.whisker x1=(at(low)) x2=(at(high)) y1="77" y2="77" stroke-width="5" stroke-linecap="round" {}
        }
        circle.accent cx=(at(value)) cy="77" r="6" {}
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed over as it is made")]
fn document(width: f64, height: f64, bot: &RankOfBot<'_>, drawing: Markup) -> String {
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } role="img" aria-labelledby="title desc" {
            title id="title" { (bot.title()) }
            desc id="desc" {
                "Win % (95 % CI): " (percent(bot.row.win_rate)) ". Elo ± 95 %: " (elo(bot.row.elo)) "."
            }
            (drawing)
        }
    };
    svg.into_string()
}

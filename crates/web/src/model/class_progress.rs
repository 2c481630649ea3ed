//! The progress of all authors of a hill, for its host: a row for each of their bots.

use dicehill_arena::printable;
use dicehill_store::Renaming;
use serde::Serialize;
use utoipa::ToSchema;

use super::board::Place;
use super::ratings::{RatedBot, RunRatings};
use super::{BoardDocument, EloEstimate, Estimate};

/// The progress of all authors of a hill.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ClassProgress {
    /// The hill's name in addresses.
    pub(crate) hill: String,
    /// A row for each bot, by author and name.
    pub(crate) rows: Vec<AuthorBot>,
}

/// The progress of a bot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub(crate) struct AuthorBot {
    /// The name of the author's token; `null` if it has none.
    pub(crate) author: Option<String>,
    /// The bot; empty if the author has uploaded none.
    pub(crate) bot: String,
    /// How often it was uploaded.
    pub(crate) uploads: usize,
    /// The state of the last upload; `none` without one.
    pub(crate) state: String,
    /// The whole runs in which it played.
    pub(crate) runs: usize,
    /// The number of the version in the last of them, from 1.
    pub(crate) version: Option<i64>,
    /// Its rank on the displayed board, or else in the last of them; `null` if it was barred.
    pub(crate) rank: Option<usize>,
    /// The entrants with a rank there.
    pub(crate) among: Option<usize>,
    /// Its rating in the first run, or where it was placed.
    pub(crate) first_elo: Option<EloEstimate>,
    /// Its rating there.
    pub(crate) last_elo: Option<EloEstimate>,
    /// The points per game that it gives up against optimal play, where that is known.
    pub(crate) loss: Option<Estimate>,
}

/// The state of an author without an upload.
const NO_UPLOAD: &str = "none";

/// An upload: the name of its author, the bot, and the state.
pub(crate) type Upload = (Option<String>, String, &'static str);

impl ClassProgress {
    /// Of uploads, oldest first, the ratings of whole runs, oldest first, and the displayed board, which also has the bots that were
    /// only placed.
    pub(crate) fn new(
        hill: String,
        uploads: &[Upload],
        ratings: &[RunRatings],
        (board, renamings): (Option<&BoardDocument>, &[Renaming]),
    ) -> Self {
        let mut rows: Vec<AuthorBot> = Vec::new();
        for (author, bot, state) in uploads {
            let is_it = |row: &&mut AuthorBot| row.bot == *bot && row.author == *author;
            match rows.iter_mut().find(is_it) {
                Some(row) => (row.uploads, row.state) = (row.uploads + 1, (*state).to_owned()),
                None => rows.push(AuthorBot {
                    author: author.clone(),
                    bot: bot.clone(),
                    uploads: 1,
                    state: (*state).to_owned(),
                    ..AuthorBot::default()
                }),
            }
        }
        for row in &mut rows {
            row.add_runs(ratings, renamings);
            row.add_place(board.and_then(|board| board.place_of(&row.bot)));
        }
        rows.sort_by(|a, b| (&a.author, &a.bot).cmp(&(&b.author, &b.bot)));
        Self { hill, rows }
    }

    /// Adds rows for the authors without an upload.
    pub(crate) fn with_idle(mut self, authors: impl Iterator<Item = String>) -> Self {
        for author in authors {
            if !self.rows.iter().any(|row| row.author.as_ref() == Some(&author)) {
                let (author, state) = (Some(author), NO_UPLOAD.to_owned());
                self.rows.push(AuthorBot { author, state, ..AuthorBot::default() });
            }
        }
        self.rows.sort_by(|a, b| (&a.author, &a.bot).cmp(&(&b.author, &b.bot)));
        self
    }

    /// The rows as CSV by RFC 4180.
    pub(crate) fn to_csv(&self) -> String {
        let mut text = String::from(
            "author,bot,uploads,state,runs,version,rank,among,first_elo,first_elo_low,first_elo_high,elo,elo_low,elo_high,loss,loss_low,loss_high\r\n",
        );
        for row in &self.rows {
            let elo = |elo: Option<EloEstimate>| {
                let bounds = elo.map(|elo| [elo.value, elo.low, elo.high]).unwrap_or_default();
                bounds.map(|bound| bound.map(|bound| bound.to_string()).unwrap_or_default())
            };
            let number =
                |number: Option<usize>| number.map(|it| it.to_string()).unwrap_or_default();
            let mut cells = vec![
                cell(row.author.as_deref().unwrap_or_default()),
                cell(&row.bot),
                row.uploads.to_string(),
                row.state.clone(),
                row.runs.to_string(),
                row.version.map(|version| version.to_string()).unwrap_or_default(),
                number(row.rank),
                number(row.among),
            ];
            cells.extend(elo(row.first_elo));
            cells.extend(elo(row.last_elo));
            let [low, high] =
                row.loss.and_then(|loss| loss.ci95).map_or([None; 2], |all| all.map(Some));
            let loss = [row.loss.map(|loss| loss.value), low, high];
            cells
                .extend(loss.map(|value| value.map(|value| value.to_string()).unwrap_or_default()));
            text.push_str(&cells.join(","));
            text.push_str("\r\n");
        }
        text
    }
}

impl AuthorBot {
    /// Adds runs, also those that it played under other names.
    fn add_runs(&mut self, ratings: &[RunRatings], renamings: &[Renaming]) {
        for run in ratings {
            let is_it = |rated: &&RatedBot| Renaming::is_same_bot(renamings, &rated.bot, &self.bot);
            let Some(rated) = run.bots.iter().find(is_it) else { continue };
            self.runs += 1;
            (self.version, self.rank, self.among) =
                (rated.version, rated.rank, Some(run.bots.len()));
            self.first_elo = self.first_elo.or(rated.elo);
            self.last_elo = rated.elo;
        }
    }
}

impl AuthorBot {
    fn add_place(&mut self, place: Option<Place>) {
        let Some(Place { rank, among, elo, loss }) = place else { return };
        (self.rank, self.among, self.loss) = (rank, Some(among), loss);
        self.first_elo = self.first_elo.or(elo);
        self.last_elo = elo;
    }
}

/// A text as a cell: quoted, and with an apostrophe before what a spreadsheet would take for a formula.
fn cell(text: &str) -> String {
    let text = printable(text);
    let begins_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let apostrophe = if begins_formula { "'" } else { "" };
    format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_first_and_the_last_result() {
        let elo = |value| Some(EloEstimate { value: Some(value), low: None, high: None });
        let run = |run, version, value| RunRatings {
            run,
            ended: String::new(),
            champion: None,
            bots: vec![
                RatedBot {
                    bot: "A".to_owned(),
                    version: Some(version),
                    rank: Some(1),
                    elo: elo(value),
                },
                RatedBot { bot: "house".to_owned(), version: None, rank: Some(2), elo: elo(0.0) },
            ],
        };
        let ada = Some("Ada".to_owned());
        let uploads = [
            (ada.clone(), "A".to_owned(), "done"),
            (None, "=B".to_owned(), "refused"),
            (ada, "A".to_owned(), "playing"),
        ];
        let ratings = [run(1, 1, 10.0), run(2, 2, 30.5)];
        let progress = ClassProgress::new("h".to_owned(), &uploads, &ratings, (None, &[]));
        let idle = ["Ada", "Zoe"].map(str::to_owned).into_iter();
        let progress = progress.with_idle(idle);
        let [b, a, z] = progress.rows.as_slice() else { panic!("{progress:?}") };
        assert_eq!((z.author.as_deref(), z.bot.as_str(), z.uploads), (Some("Zoe"), "", 0));
        assert_eq!((b.bot.as_str(), b.uploads, b.runs, b.rank), ("=B", 1, 0, None));
        assert_eq!((a.uploads, a.state.as_str(), a.runs, a.version), (2, "playing", 2, Some(2)));
        assert_eq!((a.first_elo, a.last_elo, a.among), (elo(10.0), elo(30.5), Some(2)));
        let renamed = [Renaming { from: "A".to_owned(), to: "New".to_owned() }];
        let upload = (None, "New".to_owned(), "done");
        let new = ClassProgress::new("h".to_owned(), &[upload], &ratings, (None, &renamed));
        assert_eq!((new.rows[0].runs, new.rows[0].last_elo), (2, elo(30.5)), "{new:?}");
        let csv = progress.to_csv();
        let lines: Vec<_> = csv.lines().skip(1).collect();
        assert_eq!(lines[0], "\"\",\"'=B\",1,refused,0,,,,,,,,,,,,");
        assert_eq!(lines[1], "\"Ada\",\"A\",2,playing,2,2,1,2,10,,,30.5,,,,,");
    }
}

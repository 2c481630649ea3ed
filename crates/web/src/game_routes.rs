//! The addresses of games.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::routing::get;
use maud::Markup;

use crate::Problem;
use crate::links::Links;
use crate::model::games::GamesDocument;
use crate::model::replay::ReplayDocument;
use crate::pages::replay::{MOST_MOVES, ReplayFrame};
use crate::pages::{games, replay};
use crate::recorded_games::{GamesAsked, RecordedGames};
use crate::site::Site;

/// The pages of games.
pub(crate) fn routes() -> Router<Site> {
    Router::new()
        .route("/hills/{hill}/runs/{run}/games", get(list_page))
        .route("/hills/{hill}/runs/{run}/games/{game}", get(replay_page))
}

async fn list_page(
    State(site): State<Site>,
    Path((hill, run)): Path<(String, i64)>,
    Query(asked): Query<GamesAsked>,
) -> Result<Markup, Problem> {
    let document = list_of(&site, &hill, run, asked).await?;
    Ok(games::page(&document, Links::Server { hill: &hill, run: Some(run) }))
}

async fn replay_page(
    State(site): State<Site>,
    Path((hill, run, game)): Path<(String, i64, u64)>,
) -> Result<Markup, Problem> {
    let (document, count) = replay_of(&site, &hill, (run, game), MOST_MOVES).await?;
    let links = Links::Server { hill: &hill, run: Some(run) };
    let frame = ReplayFrame {
        title: format!("Game {game}"),
        links,
        trail: vec![
            (dicehill_arena::printable(&document.name), links.board()),
            ("Games".to_owned(), links.games(None)),
        ],
        neighbours: [(game > 1).then(|| game - 1), (game < count).then_some(game + 1)],
    };
    Ok(replay::page(&document, frame))
}

/// The games of a run that are asked for.
///
/// # Errors
/// If there is no such hill, run or bot, or the store cannot be read.
pub(crate) async fn list_of(
    site: &Site,
    hill: &str,
    run: i64,
    asked: GamesAsked,
) -> Result<GamesDocument, Problem> {
    let path = site.hills().path_of(hill)?.to_owned();
    aside(move || RecordedGames::open(&path, run)?.list(&asked)).await
}

/// A game with its first moves, `most` at most, and how many games the run has.
///
/// # Errors
/// If there is no such hill, run or game, or the store cannot be read.
pub(crate) async fn replay_of(
    site: &Site,
    hill: &str,
    (run, game): (i64, u64),
    most: usize,
) -> Result<(ReplayDocument, u64), Problem> {
    let path = site.hills().path_of(hill)?.to_owned();
    aside(move || {
        let games = RecordedGames::open(&path, run)?;
        Ok((games.replay(game, most)?, games.count()))
    })
    .await
}

/// Does what takes time where no request waits for it.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Problem::Ours("this game could not be shown".to_owned())))
}

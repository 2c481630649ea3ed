//! The pages of recorded games.

use axum::Router;
use axum::extract::{Query, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{Redirect, Response};
use axum::routing::get;
use maud::Markup;

use crate::Problem;
use crate::api::Path;
use crate::hills::recorded_games::{GamesQuery, RecordedGames, list_games};
use crate::model::replay::ReplayDocument;
use crate::pages::layout::Preview;
use crate::pages::links::Links;
use crate::pages::replay::{MAX_MOVES, PlayedIn, ReplayFrame};
use crate::pages::{games, replay};
use crate::requests::page_cache::CachedPage;
use crate::site::Site;

/// The routes of these pages.
pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/hills/{hill}/games", get(list_of_last))
        .route("/hills/{hill}/runs/{run}/games", get(list_page))
        .route("/hills/{hill}/runs/{run}/games/{game}", get(replay_page))
        .route("/hills/{hill}/runs/{run}/bars/{number}", get(barred_page))
}

/// Redirects to the games of the displayed run.
async fn list_of_last(
    State(site): State<Site>,
    Path(hill): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Redirect, Problem> {
    let run = site.hills().named(&hill)?.displayed_run(None)?;
    let games = Links::Server { hill: &hill, run: Some(run) }.games(None);
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    Ok(Redirect::to(&format!("{games}{query}")))
}

async fn list_page(
    State(site): State<Site>,
    Path((hill, run)): Path<(String, i64)>,
    Query(query): Query<GamesQuery>,
) -> Result<Markup, Problem> {
    let document = list_games(site.hills(), &hill, run, query).await?;
    let links = Links::Server { hill: &hill, run: Some(run) };
    let trail = trail(&document.name, run, links);
    Ok(games::page(&document, links, trail))
}

async fn replay_page(
    State(site): State<Site>,
    Path((address, run, game)): Path<(String, i64, u64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // An altered run is not shown, even if its page is cached.
    let store = site.hills().named(&address)?.path_of(run)?;
    let path = |links: Links<'_>| links.game(game);
    let page = site.cached_of_run((address, run), path, move |site, hill| {
        let games = RecordedGames::open(&store, run)?;
        let document = games.replay(game, MAX_MOVES)?;
        let links = Links::Server { hill, run: Some(run) };
        let description = replay::description(&document);
        let preview = Preview::of(site.config().public_origin(), links.game(game), description);
        let frame = frame_of(&document, links, run, games.count());
        Ok(CachedPage::html(replay::page_with(&document, frame, &preview)))
    });
    Ok(page.await?.answer(&headers))
}

async fn barred_page(
    State(site): State<Site>,
    Path((address, run, number)): Path<(String, i64, usize)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let store = site.hills().named(&address)?.path_of(run)?;
    let path = |links: Links<'_>| links.bar(number);
    let page = site.cached_of_run((address, run), path, move |_, hill| {
        let games = RecordedGames::open(&store, run)?;
        let document = games.barred(number, MAX_MOVES)?;
        let links = Links::Server { hill, run: Some(run) };
        let bot = dicehill_arena::printable(games.barred_bot(number).unwrap_or_default());
        let frame = ReplayFrame {
            title: format!("{bot} is barred in game {}", document.number),
            played_in: PlayedIn::Run,
            links,
            trail: trail(&document.name, run, links),
            json: Some(format!("/api/v1{}", links.bar(number))),
            neighbours: [None; 2],
        };
        Ok(CachedPage::html(replay::page(&document, frame)))
    });
    Ok(page.await?.answer(&headers))
}

fn frame_of<'a>(
    document: &ReplayDocument,
    links: Links<'a>,
    run: i64,
    count: u64,
) -> ReplayFrame<'a> {
    let game = document.number;
    let mut trail = trail(&document.name, run, links);
    trail.push(("Games".to_owned(), links.games(None)));
    ReplayFrame {
        title: format!("Game {game}"),
        played_in: PlayedIn::Run,
        links,
        trail,
        json: Some(format!("/api/v1{}", links.game(game))),
        neighbours: [(game > 1).then(|| game - 1), (game < count).then_some(game + 1)],
    }
}

/// The pages above those of a run's games.
fn trail(name: &str, run: i64, links: Links<'_>) -> Vec<(String, String)> {
    let mut trail = vec![("Hills".to_owned(), "/".to_owned())];
    if let Links::Server { hill, .. } = links {
        let hill = Links::Server { hill, run: None };
        trail.push((dicehill_arena::printable(name), hill.board()));
    }
    trail.push((format!("Run {run}"), links.board()));
    trail
}

//! Tables where people play: opened, joined and played at.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::address_parts::Path;
use super::problem::{ApiProblem, ProblemDocument};
use crate::Problem;
use crate::model::replay::ReplayDocument;
use crate::model::table::{HintDocument, ReportDocument, TableDocument};
use crate::requests::client_address::ClientAddress;
use crate::requests::{origin, run_blocking};
use crate::site::Site;
use crate::tables::{
    ActionRequest, AnyTableSession, SeatChange, TableDraft, seat_cookie, seat_token,
};

/// The interval of keep-alive comments in a stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The routes, each with its part of the OpenAPI document.
pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(open))
        .routes(routes!(table))
        .routes(routes!(sit))
        .routes(routes!(act))
        .routes(routes!(hint))
        .routes(routes!(report))
        .routes(routes!(replay))
        .routes(routes!(change_seat))
        .routes(routes!(rematch))
        .routes(routes!(events))
}

/// A new table.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewTable {
    /// Its id.
    id: String,
    /// Its page, to share with other players.
    #[schema(example = "/tables/00112233445566778899aabbccddeeff")]
    page: String,
}

/// A request to join a table.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Newcomer)]
pub(crate) struct SeatRequest {
    /// The name at the table.
    name: Option<String>,
}

/// Creates a table and seats its creator. The cookie is the seat's secret.
#[utoipa::path(
    post,
    path = "/api/v1/tables",
    tag = "tables",
    request_body = TableDraft,
    responses(
        (status = 201, description = "The table, with a cookie for its creator's seat", body = NewTable),
        (status = 400, description = "Invalid options", body = ProblemDocument),
        (status = 429, description = "Too many tables", body = ProblemDocument),
    )
)]
pub(crate) async fn open(
    State(site): State<Site>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    draft: Result<Json<TableDraft>, JsonRejection>,
) -> Result<impl IntoResponse, ApiProblem> {
    let draft = body(draft)?;
    let opening = site.clone();
    let (id, token) = run_blocking(move || opening.open_table(client, &draft)).await?;
    let id = id.to_string();
    let cookie = seat_cookie(&id, &token, origin::is_secure(site.config(), &headers));
    let page = format!("/tables/{id}");
    let headers = AppendHeaders([(header::SET_COOKIE, cookie), (header::LOCATION, page.clone())]);
    Ok((StatusCode::CREATED, headers, Json(NewTable { id, page })))
}

/// The table as the client may see it: its own seat's view, or the public view.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    responses(
        (status = 200, description = "The table", body = TableDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
    )
)]
pub(crate) async fn table(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    let document = session(&site, &id)?.document(seat_token(&headers, &id));
    Ok(uncached(document))
}

/// Takes a free seat. The cookie is the seat's secret.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/seats",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    request_body = SeatRequest,
    responses(
        (status = 201, description = "The table, with a cookie for the seat", body = TableDocument),
        (status = 400, description = "The name is invalid", body = ProblemDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "No free seat, or the name is taken", body = ProblemDocument),
    )
)]
pub(crate) async fn sit(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Result<Json<SeatRequest>, JsonRejection>,
) -> Result<impl IntoResponse, ApiProblem> {
    let request = body(request)?;
    let session = session(&site, &id)?;
    let (joined, token) = (Arc::clone(&session), owned_token(&headers, &id));
    let sit = move || joined.sit(token.as_deref(), request.name.as_deref());
    let seat = run_blocking(sit).await?;
    site.lobby().play_bot_turns(Arc::clone(&session));
    let cookie = seat_cookie(&id, &seat, origin::is_secure(site.config(), &headers));
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((StatusCode::CREATED, cookie, uncached(session.document(Some(seat.as_str())))))
}

/// Plays an action.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/actions",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    request_body = ActionRequest,
    responses(
        (status = 200, description = "The table after the action", body = TableDocument),
        (status = 400, description = "Illegal action; the table is unchanged", body = ProblemDocument),
        (status = 403, description = "The client has no seat at this table", body = ProblemDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "Not the client's turn, or the action was already played", body = ProblemDocument),
    )
)]
pub(crate) async fn act(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Result<Json<ActionRequest>, JsonRejection>,
) -> Result<impl IntoResponse, ApiProblem> {
    let request = body(request)?;
    let session = session(&site, &id)?;
    let (acting, token) = (Arc::clone(&session), owned_token(&headers, &id));
    let document = run_blocking(move || acting.act(token.as_deref(), &request)).await?;
    site.lobby().play_bot_turns(session);
    Ok(uncached(document))
}

/// The legal actions of the client, best first, with their values.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/hint",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    responses(
        (status = 200, description = "The actions, best first", body = HintDocument),
        (status = 403, description = "The client has no seat at this table", body = ProblemDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "Not the client's turn", body = ProblemDocument),
    )
)]
pub(crate) async fn hint(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    let session = session(&site, &id)?;
    let token = owned_token(&headers, &id);
    Ok(uncached(run_blocking(move || session.hint(token.as_deref())).await?))
}

/// The report on a finished game: seed, moves, and the value of each decision.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/report",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    responses(
        (status = 200, description = "The report", body = ReportDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "The game is not over", body = ProblemDocument),
    )
)]
pub(crate) async fn report(
    State(site): State<Site>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiProblem> {
    let session = session(&site, &id)?;
    Ok(uncached(run_blocking(move || session.report()).await?))
}

/// A finished game, move by move.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/replay",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    responses(
        (status = 200, description = "The game", body = ReplayDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "The game is not over", body = ProblemDocument),
    )
)]
pub(crate) async fn replay(
    State(site): State<Site>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiProblem> {
    let session = session(&site, &id)?;
    Ok(uncached(run_blocking(move || session.replay(usize::MAX)).await?))
}

/// A request to change the client's seat.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatChangeRequest {
    /// What to do.
    change: SeatChange,
}

/// Leaves the seat, resigns, or returns to the seat that a bot plays.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/seat",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    request_body = SeatChangeRequest,
    responses(
        (status = 200, description = "The table afterwards", body = TableDocument),
        (status = 400, description = "Unknown change", body = ProblemDocument),
        (status = 403, description = "The client has no seat at this table", body = ProblemDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "Not possible now; the table is unchanged", body = ProblemDocument),
    )
)]
pub(crate) async fn change_seat(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Result<Json<SeatChangeRequest>, JsonRejection>,
) -> Result<impl IntoResponse, ApiProblem> {
    let SeatChangeRequest { change } = body(request)?;
    let session = session(&site, &id)?;
    let (changed, token) = (Arc::clone(&session), owned_token(&headers, &id));
    let document = run_blocking(move || changed.change_seat(token.as_deref(), change)).await?;
    site.lobby().play_bot_turns(session);
    Ok(uncached(document))
}

/// Opens a table for a rematch, or takes a seat at the one that another player has opened. The cookie is the seat's secret.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/rematch",
    tag = "tables",
    params(("id" = String, Path, description = "The id of the table whose game is over")),
    responses(
        (status = 201, description = "The table, with a cookie for the client's seat", body = NewTable),
        (status = 403, description = "The client had no seat at this table", body = ProblemDocument),
        (status = 404, description = "There is no such table", body = ProblemDocument),
        (status = 409, description = "The game is not over, or the seats of the rematch are taken", body = ProblemDocument),
        (status = 429, description = "Too many tables", body = ProblemDocument),
    )
)]
pub(crate) async fn rematch(
    State(site): State<Site>,
    Extension(client): Extension<ClientAddress>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    let is_secure = origin::is_secure(site.config(), &headers);
    let open = move || site.rematch(&id, client, |id| seat_token(&headers, id));
    let (id, token) = run_blocking(open).await?;
    let id = id.to_string();
    let page = format!("/tables/{id}");
    let cookie = token.map(|token| (header::SET_COOKIE, seat_cookie(&id, &token, is_secure)));
    let location = [(header::LOCATION, page.clone())];
    Ok((
        StatusCode::CREATED,
        location,
        cookie.map(|cookie| AppendHeaders([cookie])),
        Json(NewTable { id, page }),
    ))
}

/// Streams the version of the table whenever it changes for the client, starting with the current one.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/events",
    tag = "tables",
    params(("id" = String, Path, description = "The table's id")),
    responses(
        (status = 200, description = "Server-sent events, whose data are numbers", content_type = "text/event-stream", body = String),
        (status = 404, description = "There is no such table", body = ProblemDocument),
    )
)]
pub(crate) async fn events(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiProblem> {
    // The stream holds no reference to the table, so that it ends when the table is removed.
    let versions = session(&site, &id)?.listen(seat_token(&headers, &id));
    let event = |version: u64| Ok(Event::default().data(version.to_string()));
    let stream = WatchStream::new(versions).map(event);
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

fn session(site: &Site, id: &str) -> Result<Arc<dyn AnyTableSession>, Problem> {
    Ok(site.lobby().find(id, Instant::now())?)
}

/// The client's token at this table.
fn owned_token(headers: &HeaderMap, id: &str) -> Option<String> {
    seat_token(headers, id).map(str::to_owned)
}

/// The body of a request.
fn body<T>(sent: Result<Json<T>, JsonRejection>) -> Result<T, Problem> {
    sent.map(|Json(sent)| sent).map_err(|rejection| {
        let text = dicehill_arena::printable(&rejection.body_text());
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge(text),
            _ => Problem::BadRequest(text),
        }
    })
}

/// A response that must not be cached, because it is for one client at one time.
fn uncached<T: Serialize>(document: T) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(document))
}

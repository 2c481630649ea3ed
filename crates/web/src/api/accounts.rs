//! What holders of tokens see and do, and the games of a bot as a log.

use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use dicehill_arena::printable;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::address_parts::Path;
use super::problem::{ApiProblem, ProblemDocument};
use crate::Problem;
use crate::entries::account;
use crate::entries::host_command::{ActionRequest, HostCommand};
use crate::entries::viewer::bearer;
use crate::hills::bot_log::{LogQuery, bot_log};
use crate::model::account::AccountDocument;
use crate::requests::client_address::ClientAddress;
use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new().routes(routes!(account)).routes(routes!(act)).routes(routes!(log))
}

/// What the holder of a token sees.
///
/// An author sees its bots, entries and failures with their logs; a host the queue, the bots and the log of actions. Send the token
/// in the header `Authorization: Bearer TOKEN`.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/account", tag = "entries",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("Authorization" = String, Header, description = "`Bearer` and a token of the hill"),
    ),
    responses(
        (status = 200, body = AccountDocument),
        (status = 403, body = ProblemDocument, description = "The token is missing or invalid, or the server accepts no bots"),
        (status = 404, body = ProblemDocument, description = "There is no such hill"),
        (status = 429, body = ProblemDocument, description = "Too many wrong tokens"),
    ),
)]
async fn account(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let served = site.hills().named(&hill)?;
    site.uploads().check_open()?;
    let token = site.uploads().holder(served, &sent_token(&headers)?, client).await?;
    let document = account::document(site.uploads(), served, token).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(document)).into_response())
}

fn sent_token(headers: &HeaderMap) -> Result<String, Problem> {
    let missing = || {
        let text = "a token of this hill is needed, in the header \"Authorization: Bearer TOKEN\"";
        Problem::Forbidden(text.to_owned())
    };
    bearer(headers).ok_or_else(missing)
}

/// What an action has done.
#[derive(Serialize, ToSchema)]
struct DoneDocument {
    /// In words.
    #[schema(example = "entry 17 is held")]
    done: String,
}

/// Does what a host asks.
///
/// Send the token of a host in the header `Authorization: Bearer TOKEN`. The action runs as the command `dicehill hill`, and is in
/// the hill's log of actions.
#[utoipa::path(
    post, path = "/api/v1/hills/{hill}/actions", tag = "entries",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("Authorization" = String, Header, description = "`Bearer` and the token of a host"),
    ),
    request_body = ActionRequest,
    responses(
        (status = 200, body = DoneDocument),
        (status = 400, body = ProblemDocument, description = "There is no such action, or its target or text is invalid"),
        (status = 403, body = ProblemDocument, description = "The token is not a host's"),
        (status = 404, body = ProblemDocument, description = "There is no such hill"),
        (status = 409, body = ProblemDocument, description = "The hill refuses the action, for example because the entry has another state"),
        (status = 413, body = ProblemDocument, description = "The request is too large"),
    ),
)]
async fn act(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    sent: Result<Json<ActionRequest>, JsonRejection>,
) -> Result<Json<DoneDocument>, ApiProblem> {
    let served = site.hills().named(&hill)?;
    site.uploads().check_open()?;
    let token = site.uploads().holder(served, &sent_token(&headers)?, client).await?;
    let Json(request) = sent.map_err(|rejection| unreadable(&rejection))?;
    let done = HostCommand::parse(&request)?.run(site.config(), served, &token).await?;
    Ok(Json(DoneDocument { done }))
}

fn unreadable(rejection: &JsonRejection) -> Problem {
    let text = printable(&rejection.body_text());
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge(text),
        _ => Problem::BadRequest(text),
    }
}

/// The games of a bot in a run that has ended.
///
/// A run log with its header and the lines of these games, for `dicehill replay` and `dicehill analyze`.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/bots/{bot}/log", tag = "games",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("bot" = String, Path, description = "The bot's name"),
        LogQuery,
    ),
    responses(
        (status = 200, content_type = "application/x-ndjson", description = "The log, one JSON document in each line"),
        (status = 404, body = ProblemDocument, description = "There is no such hill, run or bot, or the run has not ended"),
    ),
)]
async fn log(
    State(site): State<Site>,
    Path((hill, bot)): Path<(String, String)>,
    Query(LogQuery { run }): Query<LogQuery>,
) -> Result<Response, ApiProblem> {
    let lines = bot_log(site.hills().named(&hill)?, bot, run).await?;
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

//! The connection of a remote bot.

use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::address_parts::Path;
use super::problem::{ApiProblem, ProblemDocument};
use crate::Problem;
use crate::entries::remote_entry::{self, RemoteRequest};
use crate::entries::viewer::bearer;
use crate::remote::connection::{LastConnection, serve};
use crate::remote::frames::{MAX_FRAME, MAX_READ};
use crate::requests::client_address::ClientAddress;
use crate::site::Site;

/// The most bytes that wait to be written: a client that sends pings and reads nothing must not fill the memory with the answers. Of
/// more pings only the last is answered.
const MAX_UNWRITTEN: usize = 2 * MAX_FRAME;
const REPLACED: &str = "another client has connected for this bot";

pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new().routes(routes!(connect))
}

#[derive(Deserialize)]
struct ConnectQuery {
    /// The bot's name, which is required.
    name: Option<String>,
    /// The entry that the last connection of this program was for.
    entry: Option<i64>,
    /// Whether the program is a new version, which is qualified.
    #[serde(default)]
    new_version: bool,
    /// The key of the last connection, whose sessions go on.
    key: Option<String>,
    /// The number of the last frame of the server that was received.
    #[serde(default)]
    received: u64,
}

/// Connects a bot that stays on its author's machine, over a WebSocket.
///
/// `dicehill connect` does this. The frames are described in `protocol/remote.md`.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/connect", tag = "entries",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("Authorization" = String, Header, description = "`Bearer` and a token of the hill"),
        ("name" = String, Query, description = "The bot's name"),
        ("entry" = Option<i64>, Query, description = "The entry that the last connection of this program was for"),
        ("new_version" = Option<bool>, Query, description = "Whether the program is a new version, which is qualified"),
        ("key" = Option<String>, Query, description = "The key of the last connection, whose sessions go on"),
        ("received" = Option<u64>, Query, description = "The number of the last frame of the server that was received"),
    ),
    responses(
        (status = 101, description = "The connection is a WebSocket from now on"),
        (status = 400, body = ProblemDocument, description = "The name is invalid, or it is no WebSocket"),
        (status = 403, body = ProblemDocument, description = "The token is missing or invalid, the hill takes no remote bots, or a page of another server sends the request"),
        (status = 404, body = ProblemDocument, description = "There is no such hill"),
        (status = 409, body = ProblemDocument, description = "The bot's name is taken or barred, or another client has taken the place of this one"),
        (status = 429, body = ProblemDocument, description = "Too many entries or wrong tokens, or the queue is full"),
    ),
)]
async fn connect(
    State(site): State<Site>,
    Path(hill): Path<String>,
    query: Result<Query<ConnectQuery>, QueryRejection>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiProblem> {
    let served = site.hills().named(&hill)?;
    let refused = |error: String| Problem::BadRequest(error);
    let Query(query) = query.map_err(|error| refused(error.body_text()))?;
    let ConnectQuery { name, entry, new_version, key, received } = query;
    let name = name.ok_or_else(|| refused("the parameter name is missing".to_owned()))?;
    let upgrade = upgrade.map_err(|error| refused(error.body_text()))?;
    let no_token = || Problem::Forbidden("a token of this hill is needed".to_owned());
    let token = bearer(&headers).ok_or_else(no_token)?;
    let request = RemoteRequest { name, entry, is_new_version: new_version, token };
    let uploads = site.uploads();
    let entry = remote_entry::entry(uploads, served, client, &request).await?;
    let (path, token) = (served.path().to_owned(), request.token.clone());
    let is_token_valid = async move || remote_entry::is_valid(path.clone(), token.clone()).await;
    let closed = || Problem::Forbidden("this server takes no remote bots now".to_owned());
    let bot = uploads.remote().of_hill(&hill).ok_or_else(closed)?.bot(entry);
    if bot.is_replaced(key.as_deref()) {
        return Err(Problem::Conflict(REPLACED.to_owned()).into());
    }
    let Some(slot) = site.streams().take(client) else {
        let text = "too many connections from your address";
        return Err(Problem::RateLimited(text.to_owned()).into());
    };
    let (_, stop) = uploads.queue().changes(&hill);
    let upgrade = upgrade.max_message_size(MAX_READ).max_frame_size(MAX_READ);
    let upgrade = upgrade.write_buffer_size(0).max_write_buffer_size(MAX_UNWRITTEN);
    Ok(upgrade.on_upgrade(async move |socket| {
        let _held = slot;
        let last = LastConnection { key, received };
        serve(socket, (bot, entry), last, stop, is_token_valid).await;
    }))
}

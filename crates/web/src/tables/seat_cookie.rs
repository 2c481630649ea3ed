//! The cookies in which browsers keep seat tokens, one per table.

use axum::http::{HeaderMap, header};

use super::{SeatToken, TableId};

/// How long a browser keeps a seat token, in seconds.
const SEAT_SECONDS: u32 = 24 * 60 * 60;

/// The name of the cookie for a seat at a table.
fn name(id: &str) -> String {
    format!("seat-{}", &id[..16.min(id.len())])
}

/// The `Set-Cookie` header for a seat. The cookie is sent to this server only, and no script can read it. Browsers send a
/// secure one over HTTPS only.
pub(crate) fn seat_cookie(id: &str, token: &SeatToken, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!(
        "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={SEAT_SECONDS}{secure}",
        name(id),
        token.as_str()
    )
}

/// The seat token for this table in the cookies of a request.
pub(crate) fn seat_token<'a>(headers: &'a HeaderMap, id: &str) -> Option<&'a str> {
    if id.parse::<TableId>().is_err() {
        return None;
    }
    let name = name(id);
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|one| one.to_str().ok());
    let mut pairs = cookies.flat_map(|one| one.split(';')).filter_map(|one| one.split_once('='));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

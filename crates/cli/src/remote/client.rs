//! Requests to the API of a server.

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use dicehill_arena::{BotName, printable};
use dicehill_store::{FileError, SecretToken};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::http::{HeaderMap, Response, StatusCode};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use super::authorities::{authorities, certificate_remedy};
use super::{HillUrl, LogDownload};
use crate::failure::Failure;

/// The longest time of a request, uploads included.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The longest time until a connection is there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// The most bytes of a document.
const MAX_DOCUMENT: u64 = 4 << 20;

/// A hill on a server.
pub(crate) struct HillClient {
    agent: Agent,
    url: HillUrl,
    token: Option<SecretToken>,
}

/// An entry as its author sees it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct EntryReport {
    pub(crate) id: i64,
    pub(crate) bot: String,
    pub(crate) state: String,
    pub(crate) is_final: bool,
    /// Entries that are qualified before it.
    pub(crate) ahead: Option<u64>,
    /// Estimated seconds until its qualification.
    pub(crate) check_in_seconds: Option<u64>,
    /// When the run that it joins begins.
    pub(crate) run_at: Option<String>,
    /// The run that it joined.
    pub(crate) run: Option<i64>,
    pub(crate) report: Vec<String>,
}

/// A request that the server refuses.
#[derive(Deserialize)]
struct ProblemDocument {
    error: String,
}

impl HillClient {
    /// A client of this hill. It follows no redirect, so that the token goes to no other server.
    ///
    /// # Errors
    /// If the file of authorities cannot be read.
    pub(crate) fn new(
        url: HillUrl,
        token: Option<SecretToken>,
        ca: Option<&Path>,
    ) -> Result<Self, FileError> {
        let roots = ca.map(authorities).transpose()?;
        let roots = roots.map(|all| {
            let all: Vec<_> = all.iter().map(|der| Certificate::from_der(der).to_owned()).collect();
            RootCerts::new_with_certs(&all)
        });
        let tls = TlsConfig::builder().root_certs(roots.unwrap_or(RootCerts::WebPki)).build();
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .tls_config(tls)
            .user_agent(dicehill_arena::PROGRAM)
            .build();
        Ok(Self { agent: config.into(), url, token })
    }

    /// Uploads a file; returns the new entry.
    pub(crate) fn upload(
        &self,
        file_name: &str,
        name: Option<&BotName>,
        content: &[u8],
    ) -> Result<EntryReport, Failure> {
        let boundary = boundary(content)?;
        let form = form(&boundary, file_name, name, content);
        let request = self.agent.post(self.url.api("entries"));
        let request = request.content_type(format!("multipart/form-data; boundary={boundary}"));
        let request = match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {}", token.reveal())),
            None => request,
        };
        document(answer(&self.url, request.send(form.as_slice()))?)
    }

    /// The hill.
    pub(crate) const fn hill(&self) -> &HillUrl {
        &self.url
    }

    /// An entry as it is now.
    pub(crate) fn entry(&self, id: i64) -> Result<EntryReport, Failure> {
        document(self.get(&format!("entries/{id}"))?)
    }

    /// Begins to fetch the games of a bot in a run.
    pub(crate) fn log(self, bot: &BotName, run: Option<i64>) -> LogDownload {
        let query = run.map_or_else(String::new, |run| format!("?run={run}"));
        let path = format!("bots/{}/log{query}", encoded(bot.as_str()));
        LogDownload::start(move || accepted(self.get(&path)?))
    }

    fn get(&self, path: &str) -> Result<Response<Body>, Failure> {
        let request = self.agent.get(self.url.api(path));
        let request = match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {}", token.reveal())),
            None => request,
        };
        answer(&self.url, request.call())
    }
}

/// The kind of a failure without an answer of the hill, which may come later.
const NO_ANSWER: io::ErrorKind = io::ErrorKind::NotConnected;

/// Whether a request failed because the server cannot be reached now, or broke off its answer.
pub(crate) fn is_outage(failure: &Failure) -> bool {
    matches!(failure, Failure::Failed(error) if error.kind() != io::ErrorKind::Other)
}

fn answer(
    url: &HillUrl,
    answer: Result<Response<Body>, ureq::Error>,
) -> Result<Response<Body>, Failure> {
    answer.map_err(|error| {
        let error = error.to_string();
        let why = error.strip_prefix("io: ").unwrap_or(&error);
        let mut message = format!("{}: the server cannot be reached: {why}", url.page(""));
        message += certificate_remedy(&message);
        Failure::Failed(io::Error::new(NO_ANSWER, printable(&message)))
    })
}

/// The response, unless it refuses the request.
fn accepted(mut response: Response<Body>) -> Result<Response<Body>, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if let Some(place) = moved_to(status, response.headers()) {
        let message = format!("the hill has moved to {}; use that address", printable(&place));
        return Err(Failure::Failed(io::Error::other(message)));
    }
    let text = body_text(&mut response).unwrap_or_default();
    let why = serde_json::from_str(&text).map(|document: ProblemDocument| document.error);
    let why = why.unwrap_or_else(|_| format!("status {status}, which no hill sends"));
    let message = format!("the server refuses the request: {}", printable(&why));
    // A proxy says so while the server behind it restarts.
    let kind = if status.is_server_error() { NO_ANSWER } else { io::ErrorKind::Other };
    Err(Failure::Failed(io::Error::new(kind, message)))
}

/// Where a redirect leads: the page of a hill, as the command names it, or another address.
pub(super) fn moved_to(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    let place = headers.get("Location").filter(|_| status.is_redirection())?.to_str().ok()?;
    let hill = place.split_once("/api/v1/hills/").map(|(server, path)| {
        let hill = path.split(['/', '?']).next().unwrap_or_default();
        format!("{server}/hills/{hill}")
    });
    Some(hill.unwrap_or_else(|| place.to_owned()))
}

fn body_text(response: &mut Response<Body>) -> Result<String, Failure> {
    let mut text = String::new();
    let body = response.body_mut().with_config().limit(MAX_DOCUMENT).reader();
    let mut body = body;
    body.read_to_string(&mut text).map_err(Failure::Failed)?;
    Ok(text)
}

fn document<T: DeserializeOwned>(response: Response<Body>) -> Result<T, Failure> {
    let text = body_text(&mut accepted(response)?)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("the server's answer is not that of a hill: {error}");
        Failure::Failed(io::Error::other(message))
    })
}

/// A boundary that does not occur in the file.
fn boundary(content: &[u8]) -> Result<String, Failure> {
    loop {
        let random: [u8; 16] = crate::seed::random()?;
        let boundary: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        if !content.windows(boundary.len()).any(|window| window == boundary.as_bytes()) {
            return Ok(boundary);
        }
    }
}

fn form(boundary: &str, file_name: &str, name: Option<&BotName>, content: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    let disposition = "Content-Disposition: form-data";
    if let Some(name) = name {
        form.extend(
            format!("--{boundary}\r\n{disposition}; name=\"name\"\r\n\r\n{name}\r\n").bytes(),
        );
    }
    // The server reads the end of the name for its kind alone.
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let file_name: String = file_name.chars().map(plain).collect();
    let head =
        format!("--{boundary}\r\n{disposition}; name=\"file\"; filename=\"{file_name}\"\r\n\r\n");
    form.extend(head.bytes());
    form.extend_from_slice(content);
    form.extend(format!("\r\n--{boundary}--\r\n").bytes());
    form
}

/// A name as a part of an address.
pub(super) fn encoded(name: &str) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    let encode = |byte: u8| {
        if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    name.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_names_the_new_address_of_the_hill() {
        let place = |status: u16, location: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("Location", location.parse().unwrap());
            moved_to(StatusCode::from_u16(status).unwrap(), &headers)
        };
        let api = "https://new.example.org/api/v1/hills/spring/entries?x=1";
        let page = Some("https://new.example.org/hills/spring".to_owned());
        assert_eq!(place(302, api), page);
        assert_eq!(
            place(308, "https://login.example.org/"),
            Some("https://login.example.org/".into())
        );
        assert_eq!(place(200, api), None);
    }
}

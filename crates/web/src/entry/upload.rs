//! An upload as it comes from a form: its token first, so that nobody else's bytes are taken.

use std::fs::File;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio::time::timeout;

use super::desk::off_the_loop;
use super::recipe::{Brought, Incoming, NoBot};
use super::unpack::UnpackError;
use crate::Problem;
use crate::site::Site;

/// How long a whole upload may take.
const LONGEST: Duration = Duration::from_secs(300);
/// Bytes of a field that is no file.
const LONGEST_TEXT: usize = 400;

/// Who uploads something.
pub(crate) struct Visitor {
    pub(crate) peer: IpAddr,
    /// The token of the header `Authorization`.
    pub(crate) bearer: Option<String>,
    /// Whether the token may come in the form: a program says it in the header.
    pub(crate) is_browser: bool,
}

/// The hill for which it is.
#[derive(Clone, Copy)]
pub(crate) struct Goal<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: &'a Path,
}

/// What has been read of a form.
#[derive(Default)]
struct Form {
    token: Option<i64>,
    name: Option<String>,
    file: Option<(File, Option<String>)>,
}

/// Takes an upload in; gives the entry's number.
pub(crate) async fn receive(
    site: &Site,
    goal: Goal<'_>,
    visitor: Visitor,
    mut multipart: Multipart,
) -> Result<i64, Problem> {
    site.door().check_open()?;
    let read = async {
        let form = read(site, goal, &visitor, &mut multipart).await;
        if form.is_err() {
            // Who is still sending would never see the answer.
            while let Ok(Some(_)) = multipart.next_field().await {}
        }
        form
    };
    let slow = |_| Problem::Bad("the upload took too long".to_owned());
    let (token, brought) = timeout(LONGEST, read).await.map_err(slow)??;
    let place = site.door().place_to_unpack().await;
    let bot = off_the_loop(move || Incoming::new(brought).map_err(no_bot)).await?;
    drop(place);
    site.door().desk.take(goal.name, token, bot).await
}

async fn read(
    site: &Site,
    goal: Goal<'_>,
    visitor: &Visitor,
    multipart: &mut Multipart,
) -> Result<(i64, Brought), Problem> {
    let admit =
        async |shown: &str| site.door().admit((goal.name, goal.path), shown, visitor.peer).await;
    let mut form = Form::default();
    if let Some(bearer) = &visitor.bearer {
        form.token = Some(admit(bearer).await?);
    }
    while let Some(mut field) = multipart.next_field().await.map_err(broken)? {
        match field.name() {
            Some("token") if form.token.is_none() && visitor.is_browser => {
                form.token = Some(admit(&text(&mut field).await?).await?);
            }
            Some("token") if form.token.is_none() => return Err(no_token()),
            Some("name") => form.name = Some(text(&mut field).await?),
            Some("file") if form.token.is_none() => return Err(no_token()),
            Some("file") if form.file.is_none() => {
                let file_name = field.file_name().map(str::to_owned);
                form.file =
                    Some((save(&mut field, site.config().limits.upload_bytes).await?, file_name));
            }
            Some(_) | None => {
                let message = "the form has a token, a name and one file, and nothing else";
                return Err(Problem::Bad(message.to_owned()));
            }
        }
    }
    let token = form.token.ok_or_else(no_token)?;
    let (upload, file_name) =
        form.file.ok_or_else(|| Problem::Bad("there is no file".to_owned()))?;
    Ok((token, Brought { upload, file_name, name: form.name }))
}

fn no_token() -> Problem {
    let message = "a token of this hill is needed: in the form before the file, or of a program that uploads in its \
                   header \"Authorization: Bearer TOKEN\"";
    Problem::Forbidden(message.to_owned())
}

async fn text(field: &mut Field<'_>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST_TEXT {
            let message = format!("a field of the form is longer than {LONGEST_TEXT} bytes");
            return Err(Problem::TooLarge(message));
        }
    }
    String::from_utf8(bytes).map_err(|_| Problem::Bad("a field of the form is no UTF-8".to_owned()))
}

/// Saves the file where no path leads to it.
async fn save(field: &mut Field<'_>, most: usize) -> Result<File, Problem> {
    let file = off_the_loop(|| tempfile::tempfile().map_err(|error| ours(&error))).await?;
    let mut file = tokio::fs::File::from_std(file);
    let mut saved = 0;
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        saved += chunk.len();
        if saved > most {
            return Err(too_large(most));
        }
        file.write_all(&chunk).await.map_err(|error| ours(&error))?;
    }
    file.flush().await.map_err(|error| ours(&error))?;
    file.rewind().await.map_err(|error| ours(&error))?;
    Ok(file.into_std().await)
}

fn too_large(most: usize) -> Problem {
    Problem::TooLarge(format!("the file is larger than {} MiB", most >> 20))
}

fn broken(error: MultipartError) -> Problem {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        Problem::TooLarge("the upload is larger than this server takes".to_owned())
    } else {
        Problem::Bad("the upload is no whole form of multipart/form-data".to_owned())
    }
}

/// What it is about is told to the host.
fn ours(error: &std::io::Error) -> Problem {
    eprintln!("an upload cannot be kept: {error}");
    Problem::Ours(
        "the server cannot keep the upload; its host finds the reason in its log".to_owned(),
    )
}

fn no_bot(error: NoBot) -> Problem {
    match error {
        NoBot::Unpack(UnpackError::Io(error)) => ours(&error),
        NoBot::Unpack(UnpackError::TooLarge) => Problem::TooLarge(error.to_string()),
        other => Problem::Bad(other.to_string()),
    }
}

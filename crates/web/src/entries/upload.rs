//! Reads the form of an upload. The token comes first, so that no file is accepted without one.

use std::fs::File;
use std::io::{Read, Seek};
use std::time::Duration;

use axum::extract::multipart::{Field, MultipartError, MultipartRejection};
use axum::extract::{DefaultBodyLimit, Multipart};
use axum::http::HeaderMap;
use dicehill_rules::GameName;
use dicehill_store::{NewUpload, is_full};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio::time::timeout;

use super::admission::UploadAdmission;
use super::manifest::{InvalidUpload, Upload, UploadedBot, safe_file_name};
use super::unpack_error::UnpackError;
use super::viewer::bearer;
use crate::hills::ServedHill;
use crate::requests::client_address::ClientAddress;
use crate::requests::{origin, run_blocking};
use crate::{Config, Problem};

/// The longest time of a whole upload.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(300);
/// The most bytes of a field that is not a file.
const MAX_TEXT_LENGTH: usize = 400;

/// How many times the bytes of the largest file are read of a body. Only a file of the allowed size is saved, but a client that
/// is still sending when the connection is closed does not see why its upload is refused.
const READ_OF_REFUSED: usize = 4;

/// The limit on the body of an upload.
pub(crate) fn upload_limit(config: &Config) -> DefaultBodyLimit {
    DefaultBodyLimit::max(config.limits.upload_bytes.saturating_mul(READ_OF_REFUSED))
}

/// The request of an upload.
pub(crate) struct UploadRequest {
    pub(crate) headers: HeaderMap,
    pub(crate) client: ClientAddress,
    pub(crate) form: Result<Multipart, MultipartRejection>,
}

impl UploadRequest {
    /// Receives the upload for a hill and queues it; returns the entry's number.
    ///
    /// # Errors
    /// If the server accepts no bots, the client has no valid token, or the upload is refused.
    pub(crate) async fn receive(
        self,
        uploads: &UploadAdmission,
        hill: &ServedHill,
    ) -> Result<i64, Problem> {
        let Self { headers, client, form } = self;
        let form = form.map_err(|error| Problem::BadRequest(error.body_text()))?;
        let uploader = Uploader {
            uploads,
            hill,
            client,
            bearer: bearer(&headers),
            is_browser: origin::is_browser(&headers),
        };
        uploader.receive_form(form).await
    }
}

/// The client of an upload, and the hill that it uploads to.
struct Uploader<'a> {
    uploads: &'a UploadAdmission,
    hill: &'a ServedHill,
    client: ClientAddress,
    /// The token in the header `Authorization`.
    bearer: Option<String>,
    /// Whether the token may be a field of the form; a program sends it in the header.
    is_browser: bool,
}

/// The fields of a form that have been read.
#[derive(Default)]
struct Form {
    token: Option<i64>,
    name: Option<String>,
    file: Option<(File, Option<String>)>,
}

impl Uploader<'_> {
    /// Receives the form and queues its bot; returns the entry's number.
    async fn receive_form(&self, mut multipart: Multipart) -> Result<i64, Problem> {
        let read = async {
            let form = self.read_form(&mut multipart).await;
            if form.is_err() {
                // A client that is still sending would not see the response.
                while let Ok(Some(_)) = multipart.next_field().await {}
            }
            form
        };
        let slow = |_| Problem::BadRequest("the upload took too long".to_owned());
        let (token, upload) = timeout(UPLOAD_TIMEOUT, read).await.map_err(slow)??;
        let permit = self.uploads.unpack_permit().await;
        let game = self.hill.game();
        let checked = run_blocking(move || checked(upload, game)).await?;
        drop(permit);
        self.uploads.queue().add(self.hill.address(), token, checked).await
    }

    /// Reads the form; returns the number of its token, and the upload.
    async fn read_form(&self, multipart: &mut Multipart) -> Result<(i64, Upload), Problem> {
        self.uploads.check_open()?;
        self.uploads.free_disk().check(self.hill.path())?;
        let mut form = Form::default();
        if let Some(bearer) = &self.bearer {
            form.token = Some(self.admit(bearer).await?);
        }
        while let Some(mut field) = multipart.next_field().await.map_err(|error| broken(&error))? {
            match field.name() {
                Some("token") if form.token.is_none() && self.is_browser => {
                    form.token = Some(self.admit(&text(&mut field).await?).await?);
                }
                Some("token") if form.token.is_none() => {
                    let message = "only a browser sends a token in the form: a program sends it in the header \
                                   \"Authorization: Bearer TOKEN\"";
                    return Err(Problem::Forbidden(message.to_owned()));
                }
                Some("name") => form.name = Some(text(&mut field).await?),
                Some("file") if form.token.is_none() => return Err(no_token()),
                Some("file") if form.file.is_none() => {
                    let file_name = field.file_name().map(str::to_owned);
                    let file = save(&mut field, self.uploads.upload_bytes()).await?;
                    form.file = Some((file, file_name));
                }
                Some(_) | None => {
                    let message =
                        "the form must have a token, a name and one file, and nothing else";
                    return Err(Problem::BadRequest(message.to_owned()));
                }
            }
        }
        let token = form.token.ok_or_else(no_token)?;
        let missing = || Problem::BadRequest("there is no file".to_owned());
        let (file, file_name) = form.file.ok_or_else(missing)?;
        Ok((token, Upload { file, file_name, name: form.name }))
    }

    async fn admit(&self, token: &str) -> Result<i64, Problem> {
        self.uploads.admit(self.hill, token, self.client).await
    }
}

/// Unpacks an upload, to refuse at once what the queue would refuse later. The queue keeps the file as it was received.
fn checked(upload: Upload, game: GameName) -> Result<NewUpload, Problem> {
    let mut file = upload.file.try_clone().map_err(|error| not_saved(&error))?;
    let file_name = safe_file_name(upload.file_name.as_deref().unwrap_or_default());
    let name = upload.name.clone();
    let checked = UploadedBot::new(upload).map_err(invalid_upload)?;
    if let Some(other) = checked.game().filter(|other| *other != game) {
        let message = format!(
            "bot.toml says that the bot plays {}, but this hill plays {}",
            other.name(),
            game.name()
        );
        return Err(Problem::BadRequest(message));
    }
    let (bot, environment) = (checked.name().clone(), checked.environment().map(str::to_owned));
    let files = checked.files().map_err(|error| not_saved(&error))?;
    let mut content = Vec::new();
    let read = file.rewind().and_then(|()| file.read_to_end(&mut content));
    read.map_err(|error| not_saved(&error))?;
    let texts = checked.texts().to_vec();
    Ok(NewUpload { bot, file_name, name, environment, texts, content, files })
}

fn no_token() -> Problem {
    let message = "a token of this hill is needed: in the form before the file, or of a program that uploads in its \
                   header \"Authorization: Bearer TOKEN\"";
    Problem::Forbidden(message.to_owned())
}

async fn text(field: &mut Field<'_>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_TEXT_LENGTH {
            let message = format!("a field of the form is longer than {MAX_TEXT_LENGTH} bytes");
            return Err(Problem::TooLarge(message));
        }
    }
    String::from_utf8(bytes)
        .map_err(|_| Problem::BadRequest("a field of the form is not UTF-8".to_owned()))
}

/// Saves a file under no path.
async fn save(field: &mut Field<'_>, most: usize) -> Result<File, Problem> {
    let file = run_blocking(|| tempfile::tempfile().map_err(|error| not_saved(&error))).await?;
    let mut file = tokio::fs::File::from_std(file);
    let mut saved = 0;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        saved += chunk.len();
        if saved > most {
            return Err(too_large(most));
        }
        file.write_all(&chunk).await.map_err(|error| not_saved(&error))?;
    }
    file.flush().await.map_err(|error| not_saved(&error))?;
    file.rewind().await.map_err(|error| not_saved(&error))?;
    Ok(file.into_std().await)
}

fn too_large(most: usize) -> Problem {
    Problem::TooLarge(format!("the file is larger than {} MiB", most >> 20))
}

fn broken(error: &MultipartError) -> Problem {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        Problem::TooLarge("the upload is larger than this server accepts".to_owned())
    } else {
        Problem::BadRequest("the upload is not a complete multipart/form-data form".to_owned())
    }
}

/// The reason goes to the server's log, for the host.
fn not_saved(error: &std::io::Error) -> Problem {
    tracing::error!("an upload cannot be stored: {error}");
    if is_full(error) {
        return Problem::full();
    }
    Problem::Internal("the server cannot store the upload; the reason is in its log".to_owned())
}

fn invalid_upload(error: InvalidUpload) -> Problem {
    match error {
        InvalidUpload::Unpack(UnpackError::Io(error)) => not_saved(&error),
        InvalidUpload::Unpack(UnpackError::TooLarge) => Problem::TooLarge(error.to_string()),
        other @ (InvalidUpload::Unpack(_)
        | InvalidUpload::Name(_)
        | InvalidUpload::Misleading(_)
        | InvalidUpload::Manifest(_)
        | InvalidUpload::TwoNames(..)
        | InvalidUpload::House
        | InvalidUpload::Unclear) => Problem::BadRequest(other.to_string()),
    }
}

//! Why an upload cannot be unpacked, and the limits on it.

use std::io;

use dicehill_arena::printable;
use zip::result::ZipError;

use super::member_path::PathError;

/// The most files and folders of a bot.
pub(crate) const MAX_FILES: usize = 2_000;
/// The most bytes of them together.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// Why an upload is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnpackError {
    #[error("it is empty")]
    Empty,
    #[error("it has more than {} MiB when unpacked", MAX_BYTES >> 20)]
    TooLarge,
    #[error("it has more than {MAX_FILES} files and folders")]
    TooManyFiles,
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{}: appears twice, or differs from another name only in case", printable(.0))]
    Twice(String),
    #[error("{}: its length differs from that in the archive's header", printable(.0))]
    Size(String),
    #[error("{}: is {}; an upload may contain only files and folders", printable(.0), .1)]
    Kind(String, &'static str),
    #[error("{}: is encrypted", printable(.0))]
    Encrypted(String),
    #[error("{}: uses an unsupported compression of zip files", printable(.0))]
    Method(String),
    #[error("the archive is damaged: {}", printable(&.0.to_string()))]
    Broken(io::Error),
    #[error("a gzip file that contains no tar archive")]
    NoTar,
    #[error("{}: its content is no archive that can be unpacked: a zip file, or a tar file with or without gzip", printable(.0))]
    NoArchive(String),
    #[error("the server cannot write it: {0}")]
    Io(#[from] io::Error),
}

impl From<ZipError> for UnpackError {
    fn from(error: ZipError) -> Self {
        Self::Broken(io::Error::other(error.to_string()))
    }
}

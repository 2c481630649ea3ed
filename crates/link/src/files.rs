//! The files of a bot.

#[cfg(unix)]
mod bot_file;
#[cfg(unix)]
pub(crate) mod bot_files;
mod error;
#[cfg(unix)]
mod folder_search;
#[cfg(unix)]
pub(crate) mod ownership;
mod packed_file;
mod unpacked;
#[cfg(unix)]
pub(crate) mod work_folder;

pub use error::FilesError;
pub use packed_file::PackedFile;
pub use unpacked::UnpackedFiles;

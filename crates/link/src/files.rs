//! The files of a bot.

mod bot_file;
pub(crate) mod bot_files;
mod error;
mod folder_search;
pub(crate) mod ownership;
mod packed_file;
mod unpacked;
pub(crate) mod work_folder;

pub use error::FilesError;
pub use packed_file::PackedFile;
pub use unpacked::UnpackedFiles;

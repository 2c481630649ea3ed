//! Where the files of a run are written.

use dicehill_store::FileError;

/// Where files are written.
pub trait PageSink {
    /// Why writing fails.
    type Error: From<FileError>;

    /// Writes a file. Names are plain file names, and each is written once.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Self::Error>;

    /// Is called after each game that was read, and may cancel the export.
    ///
    /// # Errors
    /// If the export is cancelled.
    fn advance(&mut self) -> Result<(), Self::Error>;
}

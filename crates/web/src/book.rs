//! The book: the project's Markdown, built into the program, as HTML.

mod chapter;
mod files;
mod markdown;
mod path;

pub(crate) use chapter::{Chapter, chapters, find};
pub(crate) use files::picture;

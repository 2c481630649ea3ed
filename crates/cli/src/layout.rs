//! The layout of text for people: within the width of a terminal, and unbroken in files and pipes.

mod form;
mod hashes;
mod printer;
mod section;
mod table;
mod width;
mod words;

pub(crate) use form::Form;
pub(crate) use hashes::fitting_hashes;
pub(crate) use printer::{Printer, wrapped, wrapped_below};
pub(crate) use section::Section;
pub(crate) use table::{Column, Table};
pub(crate) use width::Width;

//! `cargo xtask docs`: the book as a website, by mdBook.
//!
//! The book is plain Markdown as GitHub shows it, and some of its chapters are outside `docs/`. mdBook wants all of them in one folder and
//! formulas in another notation, so that it gets a copy.

mod copy;

pub use copy::{Copy, copies, rewritten};

use std::error::Error;
use std::fs;
use std::process::Command;

use crate::{root, run, target_folder};

/// How mdBook is installed.
const INSTALL: &str = "cargo install --locked mdbook";

/// Builds the website into `target/book/html`.
///
/// # Errors
/// If mdBook is missing or fails, or the copy cannot be written.
pub fn docs() -> Result<(), Box<dyn Error>> {
    if Command::new("mdbook").arg("--version").output().is_err() {
        return Err(
            format!("the book is built by mdBook, which is not installed: {INSTALL}").into()
        );
    }
    let folder = target_folder().join("book");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for copy in copies()? {
        let to = folder.join("src").join(&copy.to);
        fs::create_dir_all(to.parent().unwrap_or(&folder))?;
        fs::write(to, copy.content()?)?;
    }
    fs::copy(root().join("docs/book.toml"), folder.join("book.toml"))?;
    run(Command::new("mdbook").arg("build").arg(&folder))?;
    println!("{}", folder.join("html/index.html").display());
    Ok(())
}

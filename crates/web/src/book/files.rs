//! The files of the book, built into the program.

use include_dir::{Dir, include_dir};

use super::path::address;

/// Links to the chapters and their pictures, at their paths in the project.
static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/book");

/// The text of the file with this path in the project.
pub(super) fn text(path: &str) -> Option<&'static str> {
    FILES.get_file(path)?.contents_utf8()
}

/// The address of the page or picture with this path; `None` if it is not in the book.
pub(super) fn address_of(path: &str) -> Option<String> {
    FILES.get_file(path).map(|_| address(path))
}

/// A picture with this address, and its type.
pub(crate) fn picture(address: &str) -> Option<(&'static str, &'static [u8])> {
    let path = address.replacen("/docs/", "docs/", 1);
    let kind = match path.rsplit_once('.')?.1 {
        "png" => "image/png",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some((kind, FILES.get_file(path)?.contents()))
}

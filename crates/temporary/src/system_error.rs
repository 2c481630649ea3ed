//! Errors of the system without the random names of temporary files, which mean nothing to users.

use std::io;

/// The error of the system in an error of `tempfile`, which adds the path of the temporary file.
pub(crate) fn without_path(error: io::Error) -> io::Error {
    match number(&error.to_string()) {
        Some(number) => io::Error::from_raw_os_error(number),
        None => error,
    }
}

/// The number of the system in "Permission denied (os error 13) at path ...".
fn number(text: &str) -> Option<i32> {
    let (before, _) = text.split_once(") at path ")?;
    before.rsplit_once("(os error ")?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_temporary_file_is_left_out() {
        let folder = std::path::Path::new("/no-such-folder");
        let error = tempfile::Builder::new().tempfile_in(folder).map(drop).expect_err("no folder");
        assert!(error.to_string().contains("/no-such-folder"), "{error}");
        let plain = without_path(error);
        assert_eq!(plain.kind(), io::ErrorKind::NotFound);
        assert!(!plain.to_string().contains("/no-such-folder"), "{plain}");
        assert_eq!(without_path(io::Error::other("a")).to_string(), "a");
    }
}

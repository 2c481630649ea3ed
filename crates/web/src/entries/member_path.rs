//! The path of a file in an archive.

use dicehill_arena::{is_printable, printable};

/// The most names in a path, including the file's.
pub(crate) const DEEPEST: usize = 16;
/// The most bytes of a path.
pub(crate) const MAX_PATH_LENGTH: usize = 512;
/// The most bytes of a name, as in most file systems.
const MAX_NAME_LENGTH: usize = 255;

/// The path of a file in an archive: relative and made of plain names, so that it stays within its folder on any
/// operating system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MemberPath(String);

/// Why a path is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PathError {
    #[error("a path in it is not UTF-8")]
    NoText,
    #[error(
        "a path in it is longer than {MAX_PATH_LENGTH} bytes, or a name in it is longer than {MAX_NAME_LENGTH} bytes"
    )]
    Long,
    #[error("{}: a path of more than {DEEPEST} names", printable(.0))]
    Deep(String),
    #[error("{}: holds the unprintable character U+{:04X}", printable(.0), u32::from(*.1))]
    Unprintable(String, char),
    #[error("{}: contains {:?}, which has a special meaning on other systems", printable(.0), .1)]
    Foreign(String, char),
    #[error("{}: an absolute path", printable(.0))]
    Absolute(String),
    #[error("{}: contains an empty name, \".\" or \"..\"", printable(.0))]
    Dots(String),
}

impl MemberPath {
    /// Reads a path; `None` if it is that of the archive's top, which tar archives list.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Self>, PathError> {
        if bytes.len() > MAX_PATH_LENGTH {
            return Err(PathError::Long);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| PathError::NoText)?;
        let refused = || text.to_owned();
        if let Some(character) = text.chars().find(|c| !is_printable(*c)) {
            return Err(PathError::Unprintable(refused(), character));
        }
        if text.starts_with('/') {
            return Err(PathError::Absolute(refused()));
        }
        if let Some(character) = text.chars().find(|c| matches!(c, '\\' | ':')) {
            return Err(PathError::Foreign(refused(), character));
        }
        let path = text.strip_prefix("./").unwrap_or(text);
        let path = path.strip_suffix('/').unwrap_or(path);
        if text == "." || (path.is_empty() && text == "./") {
            return Ok(None);
        }
        Self::of_names(path, text).map(Some)
    }

    fn of_names(path: &str, whole: &str) -> Result<Self, PathError> {
        let refused = || whole.to_owned();
        if path.split('/').any(|name| matches!(name, "" | "." | "..")) {
            return Err(PathError::Dots(refused()));
        }
        if path.split('/').any(|name| name.len() > MAX_NAME_LENGTH) {
            return Err(PathError::Long);
        }
        if path.split('/').count() > DEEPEST {
            return Err(PathError::Deep(refused()));
        }
        Ok(Self(path.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The folders above it, from the outermost on.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(end, _)| &self.0[..end])
    }

    /// Whether it is metadata that an operating system adds to archives.
    pub(crate) fn is_clutter(&self) -> bool {
        let mut names = self.0.split('/');
        names.next() == Some("__MACOSX") || self.0.rsplit('/').next() == Some(".DS_Store")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_their_folder_are_refused() {
        for (text, read) in [("a", "a"), ("./a/b.py", "a/b.py"), ("ä b/", "ä b"), ("..a", "..a")]
        {
            let path = MemberPath::parse(text.as_bytes()).unwrap().unwrap();
            assert_eq!(path.as_str(), read);
        }
        assert_eq!(MemberPath::parse(b"./"), Ok(None));
        assert_eq!(MemberPath::parse(b"."), Ok(None));
        let deep = vec!["a"; DEEPEST + 1].join("/");
        let long = "a".repeat(MAX_NAME_LENGTH + 1);
        let longer = "a/".repeat(MAX_PATH_LENGTH);
        for text in [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../b",
            "a/..",
            "a//b",
            "a/./b",
            "././a",
            "C:\\a",
            "C:a",
            "a\\b",
            "\\\\host\\a",
            "a\0b",
            "a\nb",
            "a\u{202e}b",
            &deep,
            &long,
            &longer,
        ] {
            assert!(MemberPath::parse(text.as_bytes()).is_err(), "{text:?}");
        }
        assert_eq!(MemberPath::parse(b"a\xff"), Err(PathError::NoText));
    }

    #[test]
    fn folders_are_listed_from_the_outermost() {
        let path = MemberPath::parse(b"a/b/c.py").unwrap().unwrap();
        assert_eq!(path.folders().collect::<Vec<_>>(), ["a", "a/b"]);
    }
}

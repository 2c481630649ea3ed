//! Scripts that are bots by themselves.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The interpreter that starts a script, by its extension; `None` for other files, and for those that name another one in a
/// `#!` line. Python and JavaScript are always started by `python3` and `node`.
#[must_use]
pub fn interpreter_of(script: &Path) -> Option<&'static str> {
    match script.extension()?.to_str()? {
        "py" => Some("python3"),
        "js" | "mjs" | "cjs" => Some("node"),
        _ if names_interpreter(script) => None,
        "pl" => Some("perl"),
        "rb" => Some("ruby"),
        "sh" => Some("sh"),
        _ => None,
    }
}

fn names_interpreter(script: &Path) -> bool {
    let mut head = [0; 2];
    File::open(script).is_ok_and(|mut file| file.read_exact(&mut head).is_ok() && head == *b"#!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_unless_the_first_line_does() {
        let folder = dicehill_temporary::TemporaryFolder::new().expect("a folder");
        let check = |name: &str, text: &str, expected| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("the folder is ours");
            assert_eq!(interpreter_of(&path), expected, "{name}: {text}");
        };
        check("mine.py", "#!/usr/bin/env pypy3\n", Some("python3"));
        check("mine.mjs", "", Some("node"));
        check("mine.pl", "use strict;\n", Some("perl"));
        check("mine.pl", "#!/usr/bin/perl -w\n", None);
        check("mine.sh", "echo\n", Some("sh"));
        check("mine.sh", "#!/bin/bash\n", None);
        check("mine.toml", "", None);
        check("mine", "", None);
    }
}

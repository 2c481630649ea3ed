//! Remarks about a player's static fields that can change.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::isolation::sandbox::Isolation;
use crate::prepare::build::{self, BuildAccess};
use crate::prepare::error::PrepareError;

/// A remark for the author of a player: static fields that can change keep their values between games only
/// with `memory = "set"`.
///
/// # Errors
/// If the bridge cannot inspect the classes.
pub(crate) fn remarks(
    command: &[OsString],
    folder: &Path,
    readable: &[PathBuf],
    isolation: Isolation,
) -> Result<Vec<String>, PrepareError> {
    #[derive(Deserialize)]
    struct Inspection {
        mutable_statics: Vec<Field>,
    }
    #[derive(Deserialize)]
    struct Field {
        class: String,
        field: String,
    }
    let command = [command, &["--inspect".into()]].concat();
    let readable = readable.to_vec();
    let output = build::run_command(
        &command,
        folder,
        BuildAccess { readable, writable: Vec::new(), isolation },
    )?;
    let inspection: Inspection = serde_json::from_slice(&output).map_err(std::io::Error::from)?;
    let names: Vec<_> = inspection
        .mutable_statics
        .iter()
        .map(|Field { class, field }| format!("{class}.{field}"))
        .collect();
    Ok(statics_remark(&names).into_iter().collect())
}

/// The remark about static fields that can change. A library may have hundreds, so only the first are named.
fn statics_remark(names: &[String]) -> Option<String> {
    const NAMED: usize = 3;
    let (named, others) = names.split_at(names.len().min(NAMED));
    let named = named.join(", ");
    let more =
        if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    (!names.is_empty()).then(|| {
        format!(
            "static fields that can change: {named}{more}; they live on from game to game only \
             under memory = \"set\""
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_three_static_fields_are_named() {
        let remark = |count: usize| {
            statics_remark(&(0..count).map(|number| format!("A.f{number}")).collect::<Vec<_>>())
        };
        let starts = |count, start: &str| {
            let text = remark(count).expect("a remark");
            assert!(
                text.starts_with(&format!("static fields that can change: {start};")),
                "{text}"
            );
        };
        assert_eq!(remark(0), None);
        starts(1, "A.f0");
        starts(3, "A.f0, A.f1, A.f2");
        starts(300, "A.f0, A.f1, A.f2 and 297 more");
    }
}

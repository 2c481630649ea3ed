//! Remarks about state of a player that one game could leave for another.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::isolation::sandbox::Isolation;
use crate::prepare::build::{self, BuildAccess};
use crate::prepare::error::PrepareError;

/// Remarks for the author of a player: what of its static fields and of the JVM keeps values between games with
/// `memory = "set"`, and does not with `memory = "game"`.
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
        shared_state: Vec<Use>,
    }
    #[derive(Deserialize)]
    struct Field {
        class: String,
        field: String,
    }
    #[derive(Deserialize)]
    struct Use {
        class: String,
        member: String,
    }
    let command = [command, &["--inspect".into()]].concat();
    let readable = readable.to_vec();
    let output = build::run_command(
        &command,
        folder,
        BuildAccess { readable, writable: Vec::new(), isolation },
    )?;
    let inspection: Inspection = serde_json::from_slice(&output).map_err(std::io::Error::from)?;
    let fields = inspection.mutable_statics.iter();
    let fields: Vec<_> = fields.map(|Field { class, field }| format!("{class}.{field}")).collect();
    let uses = inspection.shared_state.iter();
    let uses: Vec<_> = uses.map(|Use { class, member }| format!("{member} in {class}")).collect();
    Ok(statics_remark(&fields).into_iter().chain(shared_remark(&uses)).collect())
}

/// The remark about static fields that can change.
fn statics_remark(fields: &[String]) -> Option<String> {
    let why = "they live on from game to game only under memory = \"set\"";
    (!fields.is_empty()).then(|| format!("static fields that can change: {}; {why}", list(fields)))
}

/// The remark about state that all games in a JVM share.
fn shared_remark(uses: &[String]) -> Option<String> {
    let why = "under memory = \"game\" each game has a process of its own";
    (!uses.is_empty()).then(|| format!("it may use state of the whole JVM: {}; {why}", list(uses)))
}

/// The first of these, as a library may have hundreds, and the number of the others.
fn list(all: &[String]) -> String {
    const NAMED: usize = 3;
    let (named, others) = all.split_at(all.len().min(NAMED));
    let named = named.join(", ");
    if others.is_empty() { named } else { format!("{named} and {} more", others.len()) }
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

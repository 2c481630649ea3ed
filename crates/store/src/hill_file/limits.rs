//! The limits of a hill file, checked.

use dicehill_arena::{Limits, OwnLimits, thousands};
use toml::Spanned;

use super::raw::{RawLimits, RawOwnLimits};
use super::text::ErrorAt;
use crate::FileError;

const MAX_MS: u64 = Limits::MAX_MS;
const MAX_MB: u64 = Limits::MAX_MEMORY_MB;

/// The limits of a hill; those that are left out have their defaults.
pub(super) fn limits(raw: &RawLimits, at: &ErrorAt<'_>) -> Result<Limits, FileError> {
    let default = Limits::default();
    let RawLimits { start_ms, move_ms, memory_mb, game_ms, run_ms } = raw;
    let start_ms = limit("start_ms", start_ms.as_ref(), MAX_MS, at)?;
    let move_ms = limit("move_ms", move_ms.as_ref(), MAX_MS, at)?;
    let memory_mb = limit("memory_mb", memory_mb.as_ref(), MAX_MB, at)?;
    let game_ms = limit("game_ms", game_ms.as_ref(), MAX_MS, at)?;
    let run_ms = limit("run_ms", run_ms.as_ref(), Limits::MAX_RUN_MS, at)?;
    let limits = Limits {
        start_ms: start_ms.unwrap_or(default.start_ms),
        move_ms: move_ms.unwrap_or(default.move_ms),
        memory_mb: memory_mb.unwrap_or(default.memory_mb),
        game_ms,
        run_ms,
    };
    Ok(limits.without_default())
}

/// The limits of one bot.
pub(super) fn own_limits(raw: &RawOwnLimits, at: &ErrorAt<'_>) -> Result<OwnLimits, FileError> {
    let RawOwnLimits { start_ms, move_ms, memory_mb, game_ms, run_ms } = raw;
    if let Some(run_ms) = run_ms {
        let message = "run_ms: is a limit of the run: put it into [limits]".to_owned();
        return Err(at(run_ms.span(), message));
    }
    Ok(OwnLimits {
        start_ms: limit("start_ms", start_ms.as_ref(), MAX_MS, at)?,
        move_ms: limit("move_ms", move_ms.as_ref(), MAX_MS, at)?,
        memory_mb: limit("memory_mb", memory_mb.as_ref(), MAX_MB, at)?,
        game_ms: limit("game_ms", game_ms.as_ref(), MAX_MS, at)?,
    })
}

fn limit(
    key: &str,
    value: Option<&Spanned<i64>>,
    most: u64,
    at: &ErrorAt<'_>,
) -> Result<Option<u64>, FileError> {
    let Some(value) = value else { return Ok(None) };
    let number = *value.get_ref();
    match u64::try_from(number) {
        Ok(limit) if (1..=most).contains(&limit) => Ok(Some(limit)),
        Ok(_) | Err(_) => {
            let most = thousands(most);
            Err(at(value.span(), format!("{key} = {number}: must be 1 to {most}")))
        }
    }
}

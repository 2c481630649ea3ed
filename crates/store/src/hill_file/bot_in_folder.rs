//! A `[[bot]]` table that only names a folder, whose `bot.toml` says what runs the bot.

use std::path::Path;

use dicehill_rules::GameName;
use toml::Spanned;

use super::bot_entry::{BotEntry, entry_with_kind};
use super::bot_manifest::BotManifest;
use super::own_terms::{given_keys, own_terms};
use super::raw::RawBot;
use super::text::ErrorAt;
use crate::{BotKind, FileError, did_you_mean_file};

/// The bot of such a table, in a hill of `game`; `None` for every other table. Paths are relative to `folder`.
pub(super) fn bot_in_folder(
    raw: &RawBot,
    folder: &Path,
    game: GameName,
    at: &ErrorAt<'_>,
) -> Result<Option<BotEntry>, FileError> {
    let RawBot { house: None, command: None, java: None, dir: Some(dir), .. } = raw else {
        return Ok(None);
    };
    check_keys(raw, at)?;
    let manifest = manifest(dir, folder, game, at)?;
    let entry = entry_with_kind(raw, at, |_| {
        let read = raw.read.iter().flat_map(Spanned::get_ref).map(|path| folder.join(path));
        let read: Vec<_> = read.collect();
        Ok(match manifest.kind {
            BotKind::House(name) => BotKind::House(name),
            BotKind::Command { command, base, dir, build, .. } => {
                BotKind::Command { command, base, dir, build, read, own_terms: own_terms(raw, at)? }
            }
            BotKind::Java { path, class, .. } => {
                BotKind::Java { path, class, read, own_terms: own_terms(raw, at)? }
            }
            BotKind::Remote { entry } => BotKind::Remote { entry },
        })
    })?;
    let author = entry.author.clone().or(manifest.author);
    let url = entry.url.clone().or(manifest.url);
    if let (BotKind::House(_), Some((key, span))) = (&entry.kind, given_keys(raw).next()) {
        return Err(at(
            span,
            format!("{key}: not allowed for a house bot, which the folder names"),
        ));
    }
    Ok(Some(BotEntry { author, url, ..entry }))
}

/// Refuses keys that belong into the `bot.toml`.
fn check_keys(raw: &RawBot, at: &ErrorAt<'_>) -> Result<(), FileError> {
    let build = raw.build.as_ref().map(Spanned::span);
    let class = raw.class.as_ref().map(Spanned::span);
    for (key, span) in [("build", build), ("class", class)] {
        if let Some(span) = span {
            let message = format!("{key}: write it in the bot.toml of the folder");
            return Err(at(span, message));
        }
    }
    Ok(())
}

/// What the `bot.toml` in the folder says.
fn manifest(
    dir: &Spanned<String>,
    folder: &Path,
    game: GameName,
    at: &ErrorAt<'_>,
) -> Result<BotManifest, FileError> {
    let refuse = |why: String| at(dir.span(), format!("dir = {:?}: {why}", dir.get_ref()));
    let path = folder.join(dir.get_ref());
    if !path.is_dir() {
        return Err(refuse(format!("no such folder{}", did_you_mean_file(&path))));
    }
    if path.join(BotManifest::NAME).symlink_metadata().is_err() {
        let why = "has no bot.toml that says what runs the bot: write one, or command = [...] here";
        return Err(refuse(why.to_owned()));
    }
    let manifest = BotManifest::read(&path)?;
    match manifest.game {
        Some(other) if other != game => {
            Err(refuse(format!("plays {other}, as its bot.toml says, not {game}")))
        }
        Some(_) | None => Ok(manifest),
    }
}

//! The holder of a token: who it is, and what it sees of the hill.

use std::path::Path;

use dicehill_arena::printable;
use dicehill_store::{
    BotKind, EntryKey, EntryStore, FileError, HillStore, StoredEntrant, StoredEntry, StoredToken,
    TokenRole,
};

use super::admission::UploadAdmission;
use super::lookup::EntrySource;
use super::viewer::COOKIE;
use crate::Problem;
use crate::hills::ServedHill;
use crate::hills::snapshot::Snapshot;
use crate::model::account::{
    AccountBot, AccountDocument, AccountEntry, AccountFailure, RemoteBotDocument,
};
use crate::model::class_progress::ClassProgress;
use crate::model::entry::EntryHead;
use crate::model::forecast::OpenEntries;
use crate::model::ratings::series_of;
use crate::model::time::date;
use crate::remote::hill_bots::HillBots;
use crate::remote::remote_bot::RemoteBot;
use crate::requests::run_blocking;

/// The entries, failures and actions that are shown.
const MAX_SHOWN: u32 = 100;
/// How long a browser keeps a token, in seconds.
const COOKIE_SECONDS: u32 = 8 * 60 * 60;

/// The path of the pages for the holders of tokens.
pub(crate) fn address(hill: &str) -> String {
    format!("/hills/{hill}/account")
}

/// The `Set-Cookie` header for a token; an empty one removes it. The cookie is sent to the pages of this hill only, and no script
/// can read it.
pub(crate) fn token_cookie(hill: &str, token: &str, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    let age = if token.is_empty() { 0 } else { COOKIE_SECONDS };
    format!(
        "{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/hills/{hill}; Max-Age={age}{secure}"
    )
}

/// What the holder of this token sees of the hill.
///
/// # Errors
/// If the store cannot be read.
pub(crate) async fn document(
    uploads: &UploadAdmission,
    hill: &ServedHill,
    token: StoredToken,
) -> Result<AccountDocument, Problem> {
    let source = EntrySource::new(uploads, hill);
    let (path, address) = (hill.path().to_owned(), hill.address().to_owned());
    let snapshot = hill.latest();
    let remote = uploads.remote().of_hill(hill.address()).cloned();
    run_blocking(move || {
        let store = EntryStore::open_to_read(&path)?;
        let open = source.open_entries(&store)?;
        let remote = remote.as_deref();
        let account = Account { path: &path, store: &store, open: &open, token: &token, remote };
        let (name, role) = (token.terms.name.as_deref().map(printable), token.terms.role);
        let document = AccountDocument {
            hill: address,
            role: role.name(),
            name,
            token: token.id,
            entries: Vec::new(),
            bots: Vec::new(),
            ratings: Vec::new(),
            failures: Vec::new(),
            actions: Vec::new(),
            settings: Vec::new(),
            workers: None,
            message: store.entry_terms()?.message,
        };
        match role {
            TokenRole::Author => account.of_author(document, &snapshot),
            TokenRole::Host => {
                let workers = Some(source.workers()).filter(|workers| workers.workers > 0);
                account.of_host(AccountDocument { workers, ..document }, &snapshot)
            }
        }
    })
    .await
}

struct Account<'a> {
    path: &'a Path,
    store: &'a EntryStore,
    open: &'a OpenEntries,
    token: &'a StoredToken,
    remote: Option<&'a HillBots>,
}

impl Account<'_> {
    fn of_author(
        &self,
        document: AccountDocument,
        snapshot: &Snapshot,
    ) -> Result<AccountDocument, FileError> {
        let entries = self.store.entries_of(self.token.id, MAX_SHOWN)?;
        let owned = self.store.bots_of(self.token.id)?;
        let hill = HillStore::open(self.path)?;
        let bots: Vec<_> = self
            .bots(&hill, snapshot)?
            .into_iter()
            .filter(|bot| owned.contains(&bot.bot))
            .collect();
        let failures = self.failures(&hill, &owned)?;
        let ratings = series_of(&snapshot.ratings, owned.iter().map(String::as_str));
        Ok(AccountDocument {
            entries: self.entries(&entries)?,
            bots,
            ratings,
            failures,
            ..document
        })
    }

    /// The last bars and failures of these bots, latest runs first.
    fn failures(
        &self,
        hill: &HillStore,
        bots: &[String],
    ) -> Result<Vec<AccountFailure>, FileError> {
        let bars = hill.last_bars(bots, MAX_SHOWN)?;
        let bars = bars.iter().map(|(run, number, bar)| AccountFailure::of_bar(*run, *number, bar));
        let mut all: Vec<_> = bars.collect();
        for (run, failure) in hill.last_failures(bots, MAX_SHOWN)? {
            let is_bar = |bar: &AccountFailure| {
                (bar.run, bar.game, &bar.bot) == (run, failure.game, &failure.bot)
            };
            if !all.iter().any(is_bar) {
                all.push(AccountFailure::new(run, &failure));
            }
        }
        all.sort_by_key(|failure| std::cmp::Reverse(failure.run));
        all.truncate(MAX_SHOWN as usize);
        Ok(all)
    }

    fn of_host(
        &self,
        document: AccountDocument,
        snapshot: &Snapshot,
    ) -> Result<AccountDocument, FileError> {
        let mut entries = self.store.open_entries()?;
        let last = self.store.entries(MAX_SHOWN)?;
        entries.extend(last.into_iter().filter(|entry| entry.state.is_final()));
        let hill = HillStore::open(self.path)?;
        let bots = self.bots(&hill, snapshot)?;
        let names: Vec<_> = bots.iter().map(|bot| bot.bot.clone()).collect();
        let terms = self.store.entry_terms()?;
        let shown = EntryKey::ALL.into_iter().filter(|key| *key != EntryKey::Message);
        let setting = |key: EntryKey| Some([key.name().to_owned(), printable(&terms.get(key)?)]);
        Ok(AccountDocument {
            entries: self.entries(&entries)?,
            failures: self.failures(&hill, &names)?,
            bots,
            actions: self.store.actions(MAX_SHOWN)?.into_iter().map(Into::into).collect(),
            settings: shown.filter_map(setting).collect(),
            ..document
        })
    }

    fn entries(&self, entries: &[StoredEntry]) -> Result<Vec<AccountEntry>, FileError> {
        let tokens = self.store.tokens()?;
        let author = |entry: &StoredEntry| {
            let token = tokens.iter().find(|token| token.id == entry.token)?;
            token.terms.name.as_deref().map(printable)
        };
        let shown = |entry: &StoredEntry| AccountEntry {
            head: EntryHead::new(entry, self.open),
            name: printable(&entry.bot),
            author: author(entry),
        };
        Ok(entries.iter().map(shown).collect())
    }

    fn bots(&self, hill: &HillStore, snapshot: &Snapshot) -> Result<Vec<AccountBot>, FileError> {
        let entrants = hill.entrants()?;
        let board = snapshot.hill.board.as_ref();
        let bot = |entrant: StoredEntrant| {
            let bot = entrant.name.to_string();
            let place = board.and_then(|board| board.place_of(&bot));
            AccountBot {
                bot,
                versions: entrant.number,
                added: date(entrant.added),
                rank: place.and_then(|place| place.rank),
                among: place.map(|place| place.among),
                loss: place.and_then(|place| place.loss),
                remote: match entrant.kind {
                    BotKind::Remote { entry } => {
                        self.remote.map(|bots| connection_of(&bots.bot(entry)))
                    }
                    BotKind::House(_) | BotKind::Command { .. } | BotKind::Java { .. } => None,
                },
            }
        };
        Ok(entrants.into_iter().map(bot).collect())
    }
}

fn connection_of(bot: &RemoteBot) -> RemoteBotDocument {
    let figures = bot.figures();
    let share = figures.network_share();
    RemoteBotDocument {
        connected: bot.is_connected(),
        lines: figures.lines,
        mean_ms: share.map(|(mean, _)| mean.as_secs_f64() * 1000.0),
        network_percent: share.map(|(_, percent)| percent),
    }
}

/// The progress of all authors, for a host.
///
/// # Errors
/// If the token is not a host's, or the store cannot be read.
pub(crate) async fn class_progress(
    hill: &ServedHill,
    token: &StoredToken,
) -> Result<ClassProgress, Problem> {
    if token.terms.role != TokenRole::Host {
        return Err(Problem::Forbidden("this needs the token of a host".to_owned()));
    }
    let (path, address, snapshot) =
        (hill.path().to_owned(), hill.address().to_owned(), hill.latest());
    run_blocking(move || {
        let store = EntryStore::open_to_read(&path)?;
        let tokens = store.tokens()?;
        let author = |entry: &StoredEntry| {
            let token = tokens.iter().find(|token| token.id == entry.token)?;
            token.terms.name.as_deref().map(printable)
        };
        let mut entries = store.entries(u32::MAX)?;
        entries.reverse();
        let upload = |entry: &StoredEntry| (author(entry), entry.bot.clone(), entry.state.name());
        let uploads: Vec<_> = entries.iter().map(upload).collect();
        let board = (snapshot.hill.board.as_ref(), &*snapshot.renamings);
        let progress = ClassProgress::new(address, &uploads, &snapshot.ratings, board);
        let is_author =
            |token: &&StoredToken| token.terms.role == TokenRole::Author && token.revoked.is_none();
        let authors = tokens.iter().filter(is_author);
        let names = authors.filter_map(|token| token.terms.name.as_deref().map(printable));
        Ok::<_, FileError>(progress.with_idle(names))
    })
    .await
}

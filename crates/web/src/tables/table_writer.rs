//! Writes the files of tables in a thread of its own, so that no player waits for the disk.
//!
//! Of the states of a table that wait, only the last is written: on a slow disk a file may lack the actions of its last
//! moments after a crash of the system, but never a part of an action.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tracing::warn;

use super::TableId;
use super::stored_table::StoredTable;
use super::table_folder::TableFolder;

/// Writes the files of tables in a thread of its own, which ends with this value after it has written all that waits.
pub(crate) struct TableWriter {
    folder: Arc<TableFolder>,
    queue: Arc<Queue>,
    /// `None` if no thread could be started: then files are written at once.
    thread: Option<JoinHandle<()>>,
}

/// What is to be done with the file of a table.
enum Change {
    Save(Box<StoredTable>),
    Remove,
}

/// What waits to be written.
#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    /// Signalled when a change arrives, when one was carried out, and when the queue is closed.
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    /// In the order in which the tables changed first; at most one change of each table.
    waiting: VecDeque<(TableId, Change)>,
    /// Whether a change is being carried out.
    is_busy: bool,
    is_closed: bool,
}

impl TableWriter {
    /// Starts the thread.
    pub(crate) fn new(folder: TableFolder) -> Self {
        let (folder, queue) = (Arc::new(folder), Arc::new(Queue::default()));
        let (written, changes) = (Arc::clone(&folder), Arc::clone(&queue));
        let thread = thread::Builder::new()
            .name("tables".to_owned())
            .spawn(move || changes.carry_out(&written))
            .inspect_err(|error| warn!(%error, "no thread for the files of tables"))
            .ok();
        Self { folder, queue, thread }
    }

    /// The folder, to load its tables.
    pub(crate) fn folder(&self) -> &TableFolder {
        &self.folder
    }

    /// Saves the state of a table soon. Does not wait for the disk.
    pub(crate) fn save(&self, id: TableId, table: StoredTable) {
        self.change(id, Change::Save(Box::new(table)));
    }

    /// Removes the file of a table soon.
    pub(crate) fn remove(&self, id: TableId) {
        self.change(id, Change::Remove);
    }

    fn change(&self, id: TableId, change: Change) {
        match self.thread {
            Some(_) => self.queue.push(id, change),
            None => change.carry_out(id, &self.folder),
        }
    }

    /// Waits until everything is on disk.
    pub(crate) fn flush(&self) {
        self.queue.wait_until_done();
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

impl Change {
    fn carry_out(self, id: TableId, folder: &TableFolder) {
        match self {
            Self::Save(table) => folder.save(id, &table),
            Self::Remove => folder.remove(id),
        }
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, QueueState>) -> MutexGuard<'a, QueueState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, id: TableId, change: Change) {
        let mut state = self.state();
        match state.waiting.iter_mut().find(|(waiting, _)| *waiting == id) {
            Some((_, known)) => *known = change,
            None => state.waiting.push_back((id, change)),
        }
        self.changed.notify_all();
    }

    fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    fn wait_until_done(&self) {
        let mut state = self.state();
        while state.is_busy || !state.waiting.is_empty() {
            state = self.wait(state);
        }
    }

    /// Carries out changes until the queue is closed and empty.
    fn carry_out(&self, folder: &TableFolder) {
        let mut state = self.state();
        loop {
            let Some((id, change)) = state.waiting.pop_front() else {
                if state.is_closed {
                    return;
                }
                state = self.wait(state);
                continue;
            };
            state.is_busy = true;
            drop(state);
            change.carry_out(id, folder);
            state = self.state();
            state.is_busy = false;
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::tests::stored_table;

    fn change(seconds: u32) -> Change {
        Change::Save(Box::new(StoredTable { move_seconds: Some(seconds), ..stored_table() }))
    }

    #[test]
    fn of_the_states_of_a_table_the_last_one_is_written() {
        let queue = Queue::default();
        let [one, other] = ["1", "2"].map(|digit| digit.repeat(32).parse::<TableId>().unwrap());
        for (id, change) in
            [(one, change(20)), (other, change(30)), (one, change(40)), (other, Change::Remove)]
        {
            queue.push(id, change);
        }
        let waiting: Vec<_> = queue.state().waiting.drain(..).collect();
        let [(first, Change::Save(table)), (second, Change::Remove)] = &waiting[..] else {
            panic!("one change of each table, in the order in which they changed first")
        };
        assert_eq!((*first, table.move_seconds, *second), (one, Some(40), other));
    }

    #[test]
    fn everything_is_on_disk_after_a_flush_and_at_the_end() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("tables");
        let writer = TableWriter::new(TableFolder::open(path.clone()));
        let files = || {
            let files = std::fs::read_dir(&path).unwrap().map(|file| file.unwrap().path());
            files.filter(|file| file.extension().is_some_and(|found| found == "json")).count()
        };
        let ids: Vec<TableId> =
            (0..20).map(|number| format!("{number:032x}").parse().unwrap()).collect();
        ids.iter().for_each(|id| writer.save(*id, stored_table()));
        writer.flush();
        assert_eq!(files(), 20);
        ids.iter().for_each(|id| writer.remove(*id));
        drop(writer);
        assert_eq!(files(), 0);
    }
}

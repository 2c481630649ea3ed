//! What a worker plays, on a thread of its own: the bots that it has prepared stay there.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use dicehill_arena::GameRange;
use dicehill_store::{PlayedLine, RunPlan};
use tokio::sync::oneshot;

/// A run that a worker is asked to play.
pub struct RunInvitation {
    /// Its plan, with its secret.
    pub plan: RunPlan,
    /// The names of its external bots' entrants, and their files.
    pub bots: Vec<(String, Vec<u8>)>,
}

/// Prepares runs.
pub trait PrepareRun {
    /// Prepares the bots of a run.
    ///
    /// # Errors
    /// Says why this machine does not play it.
    fn prepare(&self, invitation: RunInvitation) -> Result<Box<dyn RangePlayer + '_>, String>;
}

/// Plays ranges of a run.
pub trait RangePlayer {
    /// Plays games without these entrants. It may end with a game in which an entrant is barred.
    ///
    /// # Errors
    /// If a bot could not be started.
    fn play(&self, barred: &[String], games: GameRange) -> io::Result<Vec<PlayedLine>>;
}

/// What the thread is to do, and where it answers.
enum Task {
    Prepare(Box<RunInvitation>, oneshot::Sender<Result<(), String>>),
    Play(Vec<String>, GameRange, oneshot::Sender<Result<Vec<PlayedLine>, String>>),
}

/// Where tasks are left.
pub(super) struct PlayerQueue(Sender<Task>);

/// Where the thread takes them.
pub(super) struct PlayerTasks(Receiver<Task>);

pub(super) fn player_queue() -> (PlayerQueue, PlayerTasks) {
    let (sender, receiver) = channel();
    (PlayerQueue(sender), PlayerTasks(receiver))
}

/// The answer if the thread has ended.
fn ended<T>(_: oneshot::error::RecvError) -> Result<T, String> {
    Err("the worker ends".to_owned())
}

impl PlayerQueue {
    pub(super) async fn prepare(&self, invitation: RunInvitation) -> Result<(), String> {
        let (sender, answer) = oneshot::channel();
        // A thread that has ended answers nothing.
        let _ended = self.0.send(Task::Prepare(Box::new(invitation), sender));
        answer.await.unwrap_or_else(ended)
    }

    pub(super) async fn play(
        &self,
        barred: Vec<String>,
        games: GameRange,
    ) -> Result<Vec<PlayedLine>, String> {
        let (sender, answer) = oneshot::channel();
        let _ended = self.0.send(Task::Play(barred, games, sender));
        answer.await.unwrap_or_else(ended)
    }
}

impl PlayerTasks {
    /// Does what is left here, until the other side is gone.
    pub(super) fn work(&self, prepare: &dyn PrepareRun) {
        let mut player: Option<Box<dyn RangePlayer + '_>> = None;
        while let Ok(task) = self.0.recv() {
            match task {
                Task::Prepare(invitation, answer) => {
                    // The bots of the run before are ended first.
                    drop(player.take());
                    let prepared = prepare.prepare(*invitation);
                    let _ended = answer.send(prepared.map(|new| player = Some(new)));
                }
                Task::Play(barred, games, answer) => {
                    let played = match player.as_deref() {
                        Some(player) => {
                            player.play(&barred, games).map_err(|error| error.to_string())
                        }
                        None => Err("no run is prepared".to_owned()),
                    };
                    let _ended = answer.send(played);
                }
            }
        }
    }
}

//! A log on its way from a server.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use ureq::Body;
use ureq::http::Response;

use crate::failure::Failure;

/// The most bytes of a log.
const MAX_LOG: u64 = 4 << 30;
/// The most bytes of a chunk.
const CHUNK: usize = 64 << 10;
/// The chunks that wait to be written.
const MAX_CHUNKS: usize = 4;

/// A log on its way from a server. It is read in a thread of its own, so that a server that sends nothing does not keep the
/// command from being interrupted.
pub(crate) struct LogDownload(Receiver<Result<Vec<u8>, Failure>>);

impl LogDownload {
    /// Sends a request, and reads its response.
    pub(super) fn start(
        request: impl FnOnce() -> Result<Response<Body>, Failure> + Send + 'static,
    ) -> Self {
        let (chunks, receiver) = sync_channel(MAX_CHUNKS);
        thread::spawn(move || {
            if let Err(failure) = request().and_then(|response| read(response, &chunks)) {
                // A command that is interrupted no longer wants to know.
                let _gone = chunks.send(Err(failure));
            }
        });
        Self(receiver)
    }

    /// The next chunk; an empty one is the end. `None` if none arrives within this time.
    ///
    /// # Errors
    /// If the server refuses the request, or its response breaks off or is too long.
    pub(crate) fn next_within(&self, time: Duration) -> Result<Option<Vec<u8>>, Failure> {
        match self.0.recv_timeout(time) {
            Ok(chunk) => chunk.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(failed("the download has ended too early")),
        }
    }
}

/// Passes on a response in chunks, until its end or until no reader is left.
fn read(
    mut response: Response<Body>,
    chunks: &SyncSender<Result<Vec<u8>, Failure>>,
) -> Result<(), Failure> {
    let mut body = response.body_mut().with_config().limit(u64::MAX).reader();
    let mut total = 0;
    loop {
        let mut chunk = vec![0; CHUNK];
        let length = body.read(&mut chunk).map_err(Failure::Failed)?;
        chunk.truncate(length);
        total += length as u64;
        if total > MAX_LOG {
            let gib = MAX_LOG >> 30;
            return Err(failed(&format!(
                "what the server sent is no run log: more than {gib} GiB"
            )));
        }
        if chunks.send(Ok(chunk)).is_err() || length == 0 {
            return Ok(());
        }
    }
}

fn failed(message: &str) -> Failure {
    Failure::Failed(io::Error::other(message.to_owned()))
}

//! Blocking work of asynchronous handlers.

use tokio::task::spawn_blocking;

use crate::Problem;

/// Runs `work`, which may wait for a disk or compute for seconds, on a thread for blocking work. `failed` is the
/// message of the problem if `work` panics.
///
/// # Errors
/// Those of `work`, and [`Problem::Ours`] if it panics.
pub(crate) async fn run_blocking<T, E>(
    failed: &'static str,
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, Problem>
where
    T: Send + 'static,
    E: Into<Problem> + Send + 'static,
{
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(Into::into),
        Err(_panicked) => Err(Problem::Ours(failed.to_owned())),
    }
}

//! Blocking work of asynchronous handlers.

use tokio::task::spawn_blocking;

use crate::Problem;

/// Runs `work`, which may wait for a disk or compute for seconds, on a thread for blocking work.
///
/// # Errors
/// Those of `work`, and [`Problem::Internal`] if it panics. The panic goes to the server's log.
pub(crate) async fn run_blocking<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, Problem>
where
    T: Send + 'static,
    E: Into<Problem> + Send + 'static,
{
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(Into::into),
        Err(panicked) => {
            tracing::error!("a request failed: {panicked}");
            Err(Problem::Internal("the server failed; its log has the details".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_problem_of_the_server() {
        let failed = run_blocking(|| -> Result<(), Problem> { panic!("a secret") }).await;
        let problem = failed.expect_err("the work panicked");
        assert_eq!(problem.status(), axum::http::StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!problem.to_string().contains("secret"), "the reason is only for the host");
        assert_eq!(run_blocking(|| Ok::<_, Problem>(7)).await, Ok(7));
    }
}

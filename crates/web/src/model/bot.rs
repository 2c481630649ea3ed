//! A bot in a run.
use serde::Serialize;
use utoipa::ToSchema;
/// A bot in a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BotDocument {
    /// Its name.
    pub(crate) bot: String,
}

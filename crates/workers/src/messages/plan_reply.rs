//! What a worker needs to prepare a run.

use serde::{Deserialize, Serialize};

use super::read::MessageError;

/// The most bots of a run.
const MAX_BOTS: usize = 10_000;
/// The largest bot that travels, in bytes.
pub(crate) const MAX_OBJECT_BYTES: u64 = 256 << 20;

/// The plan of a run, with its secret, and where its external bots are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlanReply {
    /// The text of the plan.
    pub(crate) plan: String,
    /// The external bots.
    pub(crate) bots: Vec<BotObject>,
}

/// An external bot in the object store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BotObject {
    /// The name of its entrant.
    pub(crate) name: String,
    /// The BLAKE3 hash of its files, which is its name in the store.
    pub(crate) object: String,
    pub(crate) bytes: u64,
}

impl PlanReply {
    /// # Errors
    /// If there are too many bots, one is too large, or an object has no name of a hash.
    pub(crate) fn checked(self) -> Result<Self, MessageError> {
        let problem = |why: String| MessageError::Value { key: "bots", why };
        if self.bots.len() > MAX_BOTS {
            return Err(problem(format!("{} bots", self.bots.len())));
        }
        for BotObject { object, bytes, .. } in &self.bots {
            let is_hash = object.len() == 64 && object.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_hash || *bytes > MAX_OBJECT_BYTES {
                return Err(problem(format!("{object:?} of {bytes} bytes")));
            }
        }
        Ok(self)
    }
}

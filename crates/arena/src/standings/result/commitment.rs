//! The secret of a committed seed, which a run reveals at its end.

use serde::{Deserialize, Serialize};

use crate::Commitment;

/// The commitment of a run and the secret that opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevealedCommitment {
    /// The commitment that was published before the run.
    pub commitment: String,
    /// The secret, in hexadecimal digits.
    pub secret: String,
    /// The nonce, in hexadecimal digits.
    pub nonce: String,
    /// The public text that also entered the seed, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_text: Option<String>,
}

impl From<&Commitment> for RevealedCommitment {
    fn from(Commitment { secret, public_text }: &Commitment) -> Self {
        Self {
            commitment: secret.commitment(),
            secret: secret.secret_hex(),
            nonce: secret.nonce_hex(),
            public_text: public_text.clone(),
        }
    }
}

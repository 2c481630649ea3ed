//! The connection to NATS. Nothing else knows how it is spoken to.

mod address;
mod connection;
mod error;
mod objects;
mod queue;
mod subjects;

pub use address::BrokerAddress;
pub(crate) use connection::{Broker, ConnectionChange};
pub use error::BrokerError;
pub(crate) use objects::{fetch_object, keep_object};
pub(crate) use queue::{LEASE, Pulled, WorkQueue};
pub(crate) use subjects::Subjects;

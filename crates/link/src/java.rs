//! Bots for the published Java interfaces, run by a bridge that speaks the protocol.
//!
//! The sources of the bridge are part of this program. They are compiled into the cache once for the JDK that is found,
//! and so is a bot that comes as source. Jars are not unpacked: they are in the bot's working folder, and the bridge reads
//! them there.

mod bridge;
mod compiler;
mod inspection;
pub(crate) mod player;

//! Parts of a game's line.

use std::io;

use dicehill_arena::Offence;
use memchr::{memchr, memmem};
use serde::Deserialize;

/// The name of the bot at the seat of an offence, from the game's line.
pub(super) fn bot_at(line: &str, offence: &Offence) -> io::Result<String> {
    #[derive(Deserialize)]
    struct Seats {
        seats: Vec<String>,
    }
    let Seats { mut seats } = serde_json::from_str(line)?;
    Ok(seats.swap_remove(offence.seat.index()))
}

/// A game's line in two parts, without the moves between them.
///
/// Within a JSON string, quotation marks are escaped, so that the key is found nowhere else.
pub(in crate::hill_store) fn without_moves(line: &str) -> [&str; 2] {
    const KEY: &str = ",\"moves\":\"";
    let parts = memmem::find(line.as_bytes(), KEY.as_bytes()).and_then(|head| {
        let moves = head + KEY.len();
        let length = memchr(b'"', &line.as_bytes()[moves..])?;
        Some([&line[..head], &line[moves + length + 1..]])
    });
    parts.unwrap_or([line, ""])
}

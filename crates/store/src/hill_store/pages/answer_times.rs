//! Answer times of a game's seats, as the column `times` has them.

use std::fmt::Write;

use dicehill_arena::AnswerSum;

/// The times of a game in which only house bots played.
pub(super) const NO_TIMES: &str = "null";

/// Appends `[[answers,total_us,longest_us],null,...]`, or `null` if only house bots played; says whether it has times.
pub(super) fn write_times(times: &[Option<AnswerSum>], text: &mut String) -> bool {
    if times.iter().all(Option::is_none) {
        text.push_str(NO_TIMES);
        return false;
    }
    for (index, time) in times.iter().enumerate() {
        text.push(if index == 0 { '[' } else { ',' });
        match time {
            None => text.push_str(NO_TIMES),
            Some(AnswerSum { answers, total_us, longest_us }) => {
                write!(text, "[{answers},{total_us},{longest_us}]")
                    .expect("writing to a String cannot fail");
            }
        }
    }
    text.push(']');
    true
}

/// Reads the times of a game by seat; empty if only house bots played.
pub(crate) fn read_times(text: &str) -> Result<Vec<Option<AnswerSum>>, serde_json::Error> {
    let seats: Option<Vec<Option<[u64; 3]>>> = serde_json::from_str(text)?;
    let sum =
        |[answers, total_us, longest_us]: [u64; 3]| AnswerSum { answers, total_us, longest_us };
    Ok(seats.unwrap_or_default().into_iter().map(|seat| seat.map(sum)).collect())
}

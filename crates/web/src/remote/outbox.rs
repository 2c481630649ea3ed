//! Frames that the other side of a connection has not confirmed.

use std::collections::VecDeque;

use serde::Serialize;

/// Frames that the other side of a connection has not confirmed, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Outbox {
    /// The number of the last frame that was added.
    last: u64,
    /// The texts of the frames up to that one.
    frames: VecDeque<String>,
    bytes: usize,
}

impl Outbox {
    /// Adds the frame that `frame` makes of its number.
    ///
    /// # Panics
    /// Never: frames are JSON.
    pub fn push<T: Serialize>(&mut self, frame: impl FnOnce(u64) -> T) {
        self.last += 1;
        let text = serde_json::to_string(&frame(self.last)).expect("a frame is JSON");
        self.bytes += text.len();
        self.frames.push_back(text);
    }

    /// Forgets the frames up to this number. Returns whether the number is possible.
    pub fn confirm(&mut self, received: u64) -> bool {
        if received > self.last {
            return false;
        }
        while self.first() <= received {
            let Some(text) = self.frames.pop_front() else { break };
            self.bytes -= text.len();
        }
        true
    }

    /// The number of the first frame that is kept.
    fn first(&self) -> u64 {
        self.last + 1 - self.frames.len() as u64
    }

    /// Whether all frames after this number are kept.
    #[must_use]
    pub fn has_all_after(&self, received: u64) -> bool {
        received <= self.last && received + 1 >= self.first()
    }

    /// The number and the text of the first frame after this number.
    #[must_use]
    pub fn next_after(&self, sent: u64) -> Option<(u64, &str)> {
        let number = (sent + 1).max(self.first());
        let index = usize::try_from(number - self.first()).ok()?;
        self.frames.get(index).map(|text| (number, text.as_str()))
    }

    /// The bytes of all frames that are kept.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_kept_until_they_are_confirmed() {
        let mut outbox = Outbox::default();
        assert!(outbox.has_all_after(0) && outbox.next_after(0).is_none());
        assert!(outbox.confirm(0) && !outbox.confirm(1));
        for text in ["a", "b", "c"] {
            outbox.push(|number| (number, text));
        }
        assert_eq!(outbox.next_after(0), Some((1, r#"[1,"a"]"#)));
        assert_eq!(outbox.next_after(2), Some((3, r#"[3,"c"]"#)));
        assert_eq!(outbox.next_after(3), None);
        assert!(outbox.confirm(2) && outbox.confirm(1) && !outbox.confirm(4));
        assert_eq!((outbox.bytes(), outbox.has_all_after(1)), (7, false));
        assert!(outbox.has_all_after(2) && outbox.has_all_after(3) && !outbox.has_all_after(4));
        assert_eq!(outbox.next_after(0), Some((3, r#"[3,"c"]"#)));
        assert!(outbox.confirm(3));
        assert_eq!((outbox.bytes(), outbox.next_after(3)), (0, None));
    }
}

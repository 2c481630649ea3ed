//! Which workers have played the games of a page.

use serde::Serialize;

/// Which workers have played the games of a page, in ranges of games of the same one.
#[derive(Default)]
pub(super) struct PlayedBy(Vec<PlayedRange>);

/// The first and the last game of a range, and the machine that played it; `None` for the machine that records the run.
#[derive(Serialize)]
struct PlayedRange(u64, u64, Option<String>);

impl PlayedBy {
    /// Adds the next game.
    pub(super) fn add(&mut self, game: u64, by: Option<&str>) {
        match self.0.last_mut() {
            Some(PlayedRange(_, last, machine)) if machine.as_deref() == by => *last = game,
            _ => self.0.push(PlayedRange(game, game, by.map(str::to_owned))),
        }
    }

    /// The column `machines` of the page: a JSON array of the ranges, or `None` if no worker has played any of its games.
    pub(super) fn column(&self) -> Option<String> {
        let has_worker = self.0.iter().any(|PlayedRange(_, _, machine)| machine.is_some());
        has_worker.then(|| serde_json::to_string(&self.0).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_machine_are_one_range() {
        let mut played = PlayedBy::default();
        assert_eq!(played.column(), None);
        played.add(7, None);
        played.add(8, None);
        assert_eq!(played.column(), None, "the machine that records the run is not named");
        for (game, machine) in
            [(9, Some("pi")), (10, Some("pi")), (11, None), (12, Some("a \"b\""))]
        {
            played.add(game, machine);
        }
        let column = r#"[[7,8,null],[9,10,"pi"],[11,11,null],[12,12,"a \"b\""]]"#;
        assert_eq!(played.column().as_deref(), Some(column));
    }
}

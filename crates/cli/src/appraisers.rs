//! Whether and by whom the games of a run are taken apart into what decisions cost and what was luck.

use dicehill_arena::{Hill, StartValue};

use crate::terminal_game::TerminalGame;

/// What a run says of luck.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct Luck {
    /// Leave out what decisions cost and what was luck, where the game has that
    #[arg(long)]
    no_luck: bool,
}

impl Luck {
    /// The hill with its game's appraiser, unless somebody does without.
    pub(crate) fn appraised<G: TerminalGame>(self, hill: Hill<G>) -> Hill<G> {
        match G::appraiser(hill.rules()).filter(|_| !self.no_luck) {
            Some(appraiser) => hill.appraised_by(appraiser),
            None => hill,
        }
    }
}

/// The hill of a recorded run: its games are appraised as they were, or by nobody.
pub(crate) fn as_recorded<G: TerminalGame>(hill: Hill<G>, start: Option<StartValue>) -> Hill<G> {
    let Some(start) = start else { return hill };
    let same = G::appraiser(hill.rules())
        .filter(|appraiser| StartValue::rounded(appraiser.start()) == start);
    match same {
        Some(appraiser) => hill.appraised_by(appraiser),
        None => hill.appraised_before(start),
    }
}

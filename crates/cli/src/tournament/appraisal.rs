//! The appraisal of runs that are to be played.

use dicehill_arena::Hill;

use crate::args::LuckArgs;
use crate::games::TerminalGame;

/// The hill with its game's appraiser, unless the command line leaves it out.
pub(crate) fn appraised<G: TerminalGame>(hill: Hill<G>, args: LuckArgs) -> Hill<G> {
    match G::appraiser(hill.rules()).filter(|_| !args.no_luck) {
        Some(appraiser) => hill.with_appraiser(appraiser),
        None => hill,
    }
}

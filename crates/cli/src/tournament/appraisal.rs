//! The appraisal of runs that are to be played.

use dicehill_arena::Hill;

use crate::args::LuckArgs;
use crate::games::TerminalGame;

/// The hill with its game's appraiser, unless the command line leaves it out.
pub(crate) fn appraised<G: TerminalGame>(hill: Hill<G>, args: LuckArgs) -> Hill<G> {
    // An appraiser solves the game first.
    let appraiser = if args.no_luck { None } else { G::appraiser(hill.rules()) };
    match appraiser {
        Some(appraiser) => hill.with_appraiser(appraiser),
        None => hill,
    }
}

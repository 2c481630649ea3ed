//! The appraisal of runs that are to be played.

use dicehill_arena::Hill;

use crate::args::LuckArgs;
use crate::console::{Console, interrupt};
use crate::failure::Failure;
use crate::games::TerminalGame;

/// The hill with its game's appraiser, unless the command line leaves it out. From then on, signals end the command in order.
pub(crate) fn appraised<G: TerminalGame>(
    hill: Hill<G>,
    args: LuckArgs,
    console: &Console,
) -> Result<Hill<G>, Failure> {
    if args.no_luck {
        return Ok(hill);
    }
    // An appraiser solves the game first, which takes longer than a run may take to react.
    interrupt::stop_flag(console)?;
    Ok(match G::appraiser(hill.rules()) {
        Some(appraiser) => hill.with_appraiser(appraiser),
        None => hill,
    })
}

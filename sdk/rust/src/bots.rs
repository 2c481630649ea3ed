//! The bots of a program, and the ways to run them.

use crate::liars_dice::{self as liars_dice_game, LiarsDice};
use crate::seats::{Seats, Table};
use crate::session::Session;
use crate::transcript::{self, Step, TranscriptError};
use crate::yahtzee::{self as yahtzee_game, Yahtzee};
use crate::{Hello, serve};

/// Plays Yahtzee with a function until stdin ends, then ends the process.
///
/// All games share the function; a bot that remembers something goes by [`Bots`].
pub fn yahtzee(decide: impl Fn(&yahtzee_game::Turn) -> yahtzee_game::Answer + 'static) -> ! {
    Bots::new().yahtzee(yahtzee_game::function(decide)).run()
}

/// Plays Liar's Dice with a function until stdin ends, then ends the process.
///
/// All games share the function; a bot that remembers something goes by [`Bots`].
pub fn liars_dice(
    decide: impl Fn(&liars_dice_game::Turn) -> liars_dice_game::Answer + 'static,
) -> ! {
    Bots::new().liars_dice(liars_dice_game::function(decide)).run()
}

/// A program's bots: one for each game that it plays.
///
/// ```no_run
/// use dicehill_bot::{Bots, liars_dice::{Answer, Bot, Turn}};
///
/// #[derive(Default)]
/// struct Mine {
///     turns: u32,
/// }
///
/// impl Bot for Mine {
///     fn turn(&mut self, turn: &Turn) -> Answer {
///         self.turns += 1;
///         if turn.bids.len() > 3 { turn.liar() } else { turn.lowest_bid(6).into() }
///     }
/// }
///
/// Bots::new().liars_dice(|_| Mine::default()).run();
/// ```
#[derive(Default)]
pub struct Bots {
    tables: Vec<Box<dyn Table>>,
}

impl Bots {
    /// No bot yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Plays Yahtzee too; `new_game` makes the object of each game.
    ///
    /// It gets the arena's hello, or an empty one where the arena said none.
    #[must_use]
    pub fn yahtzee<B: yahtzee_game::Bot + 'static>(
        mut self,
        new_game: impl Fn(&Hello) -> B + 'static,
    ) -> Self {
        self.tables.push(Box::new(Seats::<Yahtzee, B>::new(new_game)));
        self
    }

    /// Plays Liar's Dice too; `new_game` makes the object of each game.
    ///
    /// It gets the arena's hello, or an empty one where the arena said none.
    #[must_use]
    pub fn liars_dice<B: liars_dice_game::Bot + 'static>(
        mut self,
        new_game: impl Fn(&Hello) -> B + 'static,
    ) -> Self {
        self.tables.push(Box::new(Seats::<LiarsDice, B>::new(new_game)));
        self
    }

    /// Plays until the arena says bye or stdin ends, then ends the process; with `--transcript
    /// FILE` on the command line it steps through that saved game instead.
    ///
    /// A panic of a bot ends the process with exit code 1, after a line that names game and
    /// request.
    ///
    /// # Panics
    /// If there is no bot.
    pub fn run(self) -> ! {
        let session = Session::new(self.tables);
        let mut words = std::env::args_os().skip(1).skip_while(|word| word != "--transcript");
        let code = match words.next() {
            Some(_) => transcript::show(session, words.next()),
            None => serve::serve(session),
        };
        std::process::exit(code)
    }

    /// Plays every turn of a transcript and tells what the bot answered, beside the recorded answer
    /// if there is one.
    ///
    /// # Errors
    /// If a line is none of the protocol.
    ///
    /// # Panics
    /// If there is no bot, or where a bot panics.
    pub fn play_transcript(self, text: &str) -> Result<Vec<Step>, TranscriptError> {
        transcript::steps(&mut Session::new(self.tables), text).collect()
    }

    /// The bot's illegal answers to the turns of a transcript, a sentence each.
    ///
    /// # Errors
    /// If a line is none of the protocol, or if there is no turn.
    ///
    /// # Panics
    /// If there is no bot, or where a bot panics.
    pub fn check_transcript(self, text: &str) -> Result<Vec<String>, TranscriptError> {
        let steps = self.play_transcript(text)?;
        if steps.is_empty() {
            return Err(TranscriptError::NoTurn);
        }
        Ok(steps.iter().filter_map(Step::complaint).collect())
    }
}

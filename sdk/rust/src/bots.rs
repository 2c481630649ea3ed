//! The entry points: the bots of a program and the ways to run them.

use crate::liars_dice::{self as liars_dice_game, LiarsDice};
use crate::open_games::{GameHandler, OpenGames};
use crate::session::Session;
use crate::transcript::{self, Step, TranscriptError};
use crate::yahtzee::{self as yahtzee_game, Yahtzee};
use crate::{Hello, serve};

/// Plays Yahtzee with a function until stdin ends, then exits the process.
///
/// All games share the function. For a bot with memory, see [`Bots`].
///
/// ```no_run
/// // Fill the best box with the first roll.
/// dicehill_bot::yahtzee(|turn| turn.fill(turn.legal.best()));
/// ```
pub fn yahtzee(decide: impl Fn(&yahtzee_game::Turn) -> yahtzee_game::Answer + 'static) -> ! {
    Bots::new().yahtzee(yahtzee_game::function(decide)).run()
}

/// Plays Liar's Dice with a function until stdin ends, then exits the process.
///
/// All games share the function. For a bot with memory, see [`Bots`].
///
/// ```no_run
/// // Call bids of more than half of the dice, otherwise raise.
/// dicehill_bot::liars_dice(|turn| match turn.last_bid() {
///     Some(last) if 2 * last.count > turn.dice_in_play() => turn.liar(),
///     _ => turn.lowest_bid(6).into(),
/// });
/// ```
pub fn liars_dice(
    decide: impl Fn(&liars_dice_game::Turn) -> liars_dice_game::Answer + 'static,
) -> ! {
    Bots::new().liars_dice(liars_dice_game::function(decide)).run()
}

/// The bots of a program, one for each game that it plays.
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
    games: Vec<Box<dyn GameHandler>>,
}

impl Bots {
    /// A program without bots, to which bots are added.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a bot for Yahtzee. `new_game` creates the object of each game.
    ///
    /// It receives the arena's [`Hello`], or an empty one if there was none.
    #[must_use]
    pub fn yahtzee<B: yahtzee_game::Bot + 'static>(
        mut self,
        new_game: impl Fn(&Hello) -> B + 'static,
    ) -> Self {
        self.games.push(Box::new(OpenGames::<Yahtzee, B>::new(new_game)));
        self
    }

    /// Adds a bot for Liar's Dice. `new_game` creates the object of each game.
    ///
    /// It receives the arena's [`Hello`], or an empty one if there was none.
    #[must_use]
    pub fn liars_dice<B: liars_dice_game::Bot + 'static>(
        mut self,
        new_game: impl Fn(&Hello) -> B + 'static,
    ) -> Self {
        self.games.push(Box::new(OpenGames::<LiarsDice, B>::new(new_game)));
        self
    }

    /// Plays until the arena sends `bye` or stdin ends, then exits the process. With `--transcript FILE` on the command line it steps
    /// through that saved game instead.
    ///
    /// A panic of a bot ends the process with exit code 1, after a line that names the game and the request.
    ///
    /// # Panics
    /// If there is no bot.
    pub fn run(self) -> ! {
        let session = Session::new(self.games);
        let mut words = std::env::args_os().skip(1).skip_while(|word| word != "--transcript");
        let code = match words.next() {
            Some(_) => transcript::show(session, words.next()),
            None => serve::serve(session),
        };
        std::process::exit(code)
    }

    /// Plays every turn of a transcript. Each step has the bot's answer and the recorded answer, if there is one.
    ///
    /// # Errors
    /// If a line is not part of the protocol.
    ///
    /// # Panics
    /// If there is no bot, or if a bot panics.
    ///
    /// ```
    /// use dicehill_bot::Bots;
    /// use dicehill_bot::yahtzee::{Answer, Bot, Turn};
    ///
    /// struct Sixes;
    ///
    /// impl Bot for Sixes {
    ///     fn turn(&mut self, turn: &Turn) -> Answer {
    ///         turn.keep_where(|die| die == 6)
    ///     }
    /// }
    ///
    /// let transcript = r#"
    /// > {"type":"turn","id":5,"game":1,"round":1,"stage":0,"dice":[1,6,4,6,2],"legal":{"SIXES":12,"CHANCE":19}}
    /// < {"id":5,"keep":[1,3]}
    /// "#;
    /// let steps = Bots::new().yahtzee(|_| Sixes).play_transcript(transcript)?;
    /// assert_eq!(steps[0].answer, "keep 1 3");
    /// assert_eq!(steps[0].is_as_recorded(), Some(true));
    /// # Ok::<(), dicehill_bot::TranscriptError>(())
    /// ```
    pub fn play_transcript(self, text: &str) -> Result<Vec<Step>, TranscriptError> {
        transcript::steps(&mut Session::new(self.games), text).collect()
    }

    /// The bot's illegal answers to the turns of a transcript, one sentence each.
    ///
    /// # Errors
    /// If a line is not part of the protocol, or if there is no turn.
    ///
    /// # Panics
    /// If there is no bot, or if a bot panics.
    ///
    /// ```
    /// use dicehill_bot::Bots;
    /// use dicehill_bot::liars_dice::{Answer, Bot, Turn};
    ///
    /// struct Stubborn;
    ///
    /// impl Bot for Stubborn {
    ///     fn turn(&mut self, turn: &Turn) -> Answer {
    ///         turn.bid(2, 6)
    ///     }
    /// }
    ///
    /// let turn = r#"{"type":"turn","id":7,"game":1,"you":0,"counts":[5,5],"dice":[1,2,3,4,6],"bids":["3 6"]}"#;
    /// let illegal = Bots::new().liars_dice(|_| Stubborn).check_transcript(turn)?;
    /// assert_eq!(illegal, ["line 1: game 1, request 7: 2 6 is not above 3 6"]);
    /// # Ok::<(), dicehill_bot::TranscriptError>(())
    /// ```
    pub fn check_transcript(self, text: &str) -> Result<Vec<String>, TranscriptError> {
        let steps = self.play_transcript(text)?;
        if steps.is_empty() {
            return Err(TranscriptError::NoTurn);
        }
        Ok(steps.iter().filter_map(Step::complaint).collect())
    }
}

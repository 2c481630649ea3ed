//! A game that a person plays at the terminal.

use std::cell::OnceCell;
use std::io::Write;

use dicehill_arena::{Move, Play};
use dicehill_rules::{Game, Seat};
use dicehill_store::did_you_mean;

use super::table::{PlayersTable, SeatedBots};
use crate::console::Console;
use crate::games::{Advisor, PlayedGame, TerminalGame};
use crate::text::{STRONG, printable, styled};

/// The input that every game takes.
const COMMON_HELP: &str = "
  undo               take your last move back
  help               this text
  quit               leave the game";

/// The words of [`COMMON_HELP`], and that for hints, which every game has.
const COMMON_WORDS: [&str; 4] = ["undo", "help", "quit", "hint"];

/// A game that a person plays.
pub(super) struct PlaySession<'a, G: TerminalGame> {
    table: &'a PlayersTable<'a, G>,
    play: Play<'a, G>,
    bots: SeatedBots<G>,
    /// Whether every choice comes with a hint.
    hints: bool,
    console: &'a Console,
    /// What values decisions, once a hint was asked for.
    advisor: OnceCell<Box<dyn Advisor<G>>>,
}

/// What a person typed.
enum Input<G: Game> {
    Act(G::Action),
    Undo,
    Quit,
}

impl<'a, G: TerminalGame> PlaySession<'a, G> {
    pub(super) fn new(table: &'a PlayersTable<'a, G>, hints: bool, console: &'a Console) -> Self {
        let (play, bots) = table.begin();
        Self { table, play, bots, hints, console, advisor: OnceCell::new() }
    }

    fn advisor(&self) -> &dyn Advisor<G> {
        self.advisor.get_or_init(|| G::advisor(self.table.rules)).as_ref()
    }

    /// The losses of the person's decisions.
    fn report(&self) -> Option<String> {
        let place = self.bots.iter().position(Option::is_none)?;
        self.advisor().report(PlayedGame {
            play: &self.play,
            dice: self.table.chance.table(1),
            players: self.bots.len(),
            seat: Seat::new(place as u16),
        })
    }

    /// Plays the game to its end, or until the person leaves it.
    pub(super) fn play(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        let names = self.table.names();
        while let Some(seat) = self.seat() {
            if let Some(heading) = G::public_heading(&self.play) {
                writeln!(out, "\n{heading}")?;
            }
            if self.bots[seat.index()].is_some() {
                if let Some(line) = self.bot_moves(seat)? {
                    writeln!(out, "{line}")?;
                }
                continue;
            }
            match self.ask(out)? {
                Input::Quit => return writeln!(out, "You have left the game."),
                Input::Undo => self.undo(out)?,
                Input::Act(action) => {
                    if let Some(line) = G::narrate_publicly(&self.play, &names, &action) {
                        writeln!(out, "{line}")?;
                    }
                    self.play.answer(Ok(action));
                }
            }
        }
        writeln!(out, "\n{}", G::show_results(&self.play, &names))?;
        match self.report() {
            Some(report) => writeln!(out, "\n{report}"),
            None => Ok(()),
        }
    }

    fn seat(&self) -> Option<Seat> {
        self.play.turn().map(|(seat, _)| seat)
    }

    /// Lets the bot at the seat move, and returns what a player may see of it.
    ///
    /// # Errors
    /// If the bot could not be started.
    fn bot_moves(&mut self, seat: Seat) -> std::io::Result<Option<String>> {
        let Some((_, view)) = self.play.turn() else { return Ok(None) };
        let Some(bot) = self.bots[seat.index()].as_mut() else { return Ok(None) };
        let answer = bot.act(&view);
        let names = self.table.names();
        if let Err(failure) = &answer
            && failure.reason.is_arena_error()
        {
            let why = format!("{}: {}", names[seat.index()], failure.detail);
            return Err(std::io::Error::other(why));
        }
        let line = match &answer {
            Ok(action) => G::narrate_publicly(&self.play, &names, action),
            Err(failure) => {
                let failure = printable(&failure.to_string());
                Some(format!("  {} gives up: {failure}", names[seat.index()]))
            }
        };
        self.play.answer(answer);
        Ok(line)
    }

    /// Asks until the person has typed something valid.
    fn ask(&self, out: &mut impl Write) -> std::io::Result<Input<G>> {
        let Some((_, view)) = self.play.turn() else { return Ok(Input::Quit) };
        writeln!(out, "\n{}", G::show_view(&view))?;
        if self.hints {
            writeln!(out, "{}", self.advisor().hint(&view))?;
        }
        loop {
            write!(out, "{} ", styled(STRONG, ">"))?;
            out.flush()?;
            let Some(line) = self.console.read_line()? else {
                writeln!(out)?;
                return Ok(Input::Quit);
            };
            if !self.console.echoes() {
                writeln!(out, "{}", printable(line.trim_end()))?;
            }
            let typed = line.trim();
            match typed.to_lowercase().as_str() {
                "" => {}
                "quit" | "q" => return Ok(Input::Quit),
                "undo" | "u" => return Ok(Input::Undo),
                "hint" => writeln!(out, "{}", self.advisor().hint(&view))?,
                "help" | "h" | "?" => writeln!(out, "You can type{}{COMMON_HELP}", G::INPUT_HELP)?,
                _ => match self.read(&view, typed) {
                    Ok(action) => return Ok(Input::Act(action)),
                    Err(why) => {
                        let why = suggesting::<G>(typed, why);
                        writeln!(out, "{} (type help for help)", printable(&why))?;
                    }
                },
            }
        }
    }

    fn read(&self, view: &G::View<'_>, typed: &str) -> Result<G::Action, String> {
        let action = G::read_input(view, typed)?;
        let mut trial = self.play.game().clone();
        let dice = self.table.chance.table(1);
        trial.apply(&action, &dice).map_err(|refusal| refusal.to_string())?;
        Ok(action)
    }

    /// Plays the game again up to the person's last move.
    fn undo(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        let moves: Vec<Move<G>> = self.play.moves().to_vec();
        let Some(last) = self.last_own_move(&moves) else {
            return writeln!(out, "You have not moved yet.");
        };
        (self.play, self.bots) = self.table.begin();
        for one in &moves[..last] {
            self.repeat(one);
        }
        writeln!(out, "Your last move is taken back.")
    }

    fn last_own_move(&self, moves: &[Move<G>]) -> Option<usize> {
        let (mut play, _) = self.table.begin();
        let mut last = None;
        for (index, one) in moves.iter().enumerate() {
            let (seat, _) = play.turn()?;
            if self.bots[seat.index()].is_none() {
                last = Some(index);
            }
            play.repeat(one);
        }
        last
    }

    /// Repeats a move. A bot decides again, so that its memory is as it was.
    fn repeat(&mut self, one: &Move<G>) {
        if let Some((seat, view)) = self.play.turn()
            && let Some(bot) = &mut self.bots[seat.index()]
        {
            let _same = bot.act(&view);
        }
        self.play.repeat(one);
    }
}

/// The reason with the word that was meant, unless it already names one.
fn suggesting<G: TerminalGame>(typed: &str, why: String) -> String {
    let word = typed.split_whitespace().next().unwrap_or_default();
    let words = COMMON_WORDS.iter().chain(G::INPUT_WORDS);
    let is_meant = words.clone().any(|one| one.eq_ignore_ascii_case(word));
    if is_meant || why.contains("did you mean") {
        return why;
    }
    format!("{why}{}", did_you_mean(word, words))
}

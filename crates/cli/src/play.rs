//! `dicehill play`: a person plays at the terminal.

use std::cell::OnceCell;
use std::io::Write;

use dicehill_arena::{Bot, BotName, Entrant, Move, Play, Start};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, GameName, Public, Seat};

use crate::args::PlayArgs;
use crate::bot_spec::{Cast, usual_terms};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::terminal_game::{Mentor, TerminalGame};
use crate::text::{FAINT, STRONG, YOU, printable, styled};
use crate::{check, seed};

/// What can be typed in every game.
const COMMON_HELP: &str = "
  undo               take your last move back
  help               this text
  quit               leave the game";

pub(crate) fn play(args: &PlayArgs, console: &Console) -> Result<Outcome, Failure> {
    match args.game {
        GameName::Yahtzee => play_game::<Yahtzee>(args, console),
        GameName::LiarsDice => play_game::<LiarsDice>(args, console),
    }
}

fn play_game<G: TerminalGame>(args: &PlayArgs, console: &Console) -> Result<Outcome, Failure> {
    let rules = check::rules::<G>(args.variant.rules.as_deref())?;
    let usual = || G::USUAL_OPPONENTS.iter().map(|name| (*name).to_owned()).collect();
    let against = if args.against.is_empty() { usual() } else { args.against.clone() };
    let opponents =
        Cast::new(None, args.apart, console)?.entrants::<G>(&against, usual_terms::<G>(rules))?;
    if opponents.iter().any(|entrant| entrant.name.as_str() == YOU) {
        return Err(Failure::Usage(format!("--against: {YOU:?} is your own name at the table")));
    }
    let most = *G::SEATS.end() - 1;
    if opponents.len() > most {
        let message =
            format!("--against: {} opponents, and only {most} find a seat", opponents.len());
        return Err(Failure::Usage(message));
    }
    let seed = args.seed.clone().map_or_else(seed::draw, Ok)?;
    let chance = Chance::new(&seed);
    let table = Table::new(rules, &chance, &opponents)?;
    let mut session = Session::new(&table, args.hints, console);
    if args.hints && session.mentor().is_none() {
        return Err(Failure::Usage(format!("--hints: nobody has solved {}", G::TITLE)));
    }
    let mut out = console.out();
    writeln!(
        out,
        "{}  {}",
        styled(STRONG, G::TITLE),
        styled(FAINT, format!("{rules} rules, seed {}", printable(&seed)))
    )?;
    writeln!(out, "{} at the table; type help for help", table.names().join(", "))?;
    session.play(&mut out)?;
    Ok(Outcome::Done)
}

/// The bots by seat; `None` is the person.
type Seated<G> = Vec<Option<Box<dyn Bot<G>>>>;

/// Who sits where, with which dice.
struct Table<'a, G: TerminalGame> {
    rules: G::Rules,
    chance: &'a Chance,
    /// By seat; `None` is the person.
    seats: Vec<(BotName, Option<&'a Entrant<G>>)>,
}

impl<'a, G: TerminalGame> Table<'a, G> {
    fn new(
        rules: G::Rules,
        chance: &'a Chance,
        opponents: &'a [Entrant<G>],
    ) -> Result<Self, Failure> {
        let you = BotName::new(YOU).map_err(|error| Failure::Usage(error.to_string()))?;
        let others = opponents.iter().map(|entrant| (entrant.name.clone(), Some(entrant)));
        let mut seats: Vec<_> = std::iter::once((you, None)).chain(others).collect();
        seats.sort_by_key(|(name, _)| chance.seat_key(1, name.as_str()));
        Ok(Self { rules, chance, seats })
    }

    fn names(&self) -> Vec<&str> {
        self.seats.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The game at its first action, with bots that know of nothing.
    fn begin(&self) -> (Play<'_, G>, Seated<G>) {
        let players = self.seats.len();
        let bot = |(name, entrant): &(BotName, Option<&Entrant<G>>)| {
            let mut bot = (*entrant)?.program.bot();
            let seed = self.chance.bot_seed(1, name.as_str());
            let id = self.chance.game_id(1, name.as_str());
            bot.start(&Start { game: 1, id, players, seed });
            Some(bot)
        };
        let bots = self.seats.iter().map(bot).collect();
        let public = Public { names: self.names(), points: Vec::new() };
        (Play::new(self.rules, self.chance.table(1), players, public), bots)
    }
}

/// A game with a person in it.
struct Session<'a, G: TerminalGame> {
    table: &'a Table<'a, G>,
    play: Play<'a, G>,
    bots: Seated<G>,
    /// Whether every choice comes with a hint.
    hints: bool,
    console: &'a Console,
    /// Who is asked for hints, once somebody has been.
    mentor: OnceCell<Option<Box<dyn Mentor<G>>>>,
}

/// What a person wants.
enum Wish<G: Game> {
    Act(G::Action),
    Undo,
    Quit,
}

impl<'a, G: TerminalGame> Session<'a, G> {
    fn new(table: &'a Table<'a, G>, hints: bool, console: &'a Console) -> Self {
        let (play, bots) = table.begin();
        Self { table, play, bots, hints, console, mentor: OnceCell::new() }
    }

    fn mentor(&self) -> Option<&dyn Mentor<G>> {
        self.mentor.get_or_init(|| G::mentor(self.table.rules)).as_deref()
    }

    fn hint(&self, view: &G::View<'_>) -> String {
        let none = || format!("nobody has solved {}: there are no hints", G::TITLE);
        self.mentor().map_or_else(none, |mentor| mentor.hint(view))
    }

    /// What the person's decisions have cost.
    fn report(&self) -> Option<String> {
        let place = self.bots.iter().position(Option::is_none)?;
        let dice = self.table.chance.table(1);
        self.mentor()?.report(&self.play, &dice, Seat::new(place as u16))
    }

    fn play(&mut self, out: &mut impl Write) -> std::io::Result<()> {
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
                Wish::Quit => return writeln!(out, "You have left the game."),
                Wish::Undo => self.undo(out)?,
                Wish::Act(action) => {
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

    /// The bot at the seat moves; says what of it a player may see.
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

    /// Asks until the person has typed something that can be done.
    fn ask(&self, out: &mut impl Write) -> std::io::Result<Wish<G>> {
        let Some((_, view)) = self.play.turn() else { return Ok(Wish::Quit) };
        writeln!(out, "\n{}", G::show_view(&view))?;
        if self.hints {
            writeln!(out, "{}", self.hint(&view))?;
        }
        loop {
            write!(out, "{} ", styled(STRONG, ">"))?;
            out.flush()?;
            let Some(line) = self.console.read_line()? else {
                writeln!(out)?;
                return Ok(Wish::Quit);
            };
            if !self.console.echoes() {
                writeln!(out, "{}", printable(line.trim_end()))?;
            }
            let typed = line.trim();
            match typed.to_lowercase().as_str() {
                "" => {}
                "quit" | "q" => return Ok(Wish::Quit),
                "undo" | "u" => return Ok(Wish::Undo),
                "hint" => writeln!(out, "{}", self.hint(&view))?,
                "help" | "h" | "?" => writeln!(out, "You can type{}{COMMON_HELP}", G::INPUT_HELP)?,
                _ => match self.read(&view, typed) {
                    Ok(action) => return Ok(Wish::Act(action)),
                    Err(why) => writeln!(out, "{}; type help for help", printable(&why))?,
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

    /// Repeats a move; a bot decides once more, so that it is where it was.
    fn repeat(&mut self, one: &Move<G>) {
        if let Some((seat, view)) = self.play.turn()
            && let Some(bot) = &mut self.bots[seat.index()]
        {
            let _same = bot.act(&view);
        }
        self.play.repeat(one);
    }
}

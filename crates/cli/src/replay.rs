//! `dicehill replay`: shows a recorded game move by move.

use std::collections::HashMap;
use std::io::Write;

use dicehill_arena::{Hill, Memory, Move, ReadRecordError, Replay, printable_json, read_game_line};
use dicehill_link::{Hello, Line, PROTOCOL, Sight, transcript};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, GameName, Seat};
use dicehill_store::{BrokenEnd, HillRecord, LogHeader, RunSource, json_message};
use serde_json::{Map, Value, json};

use crate::args::{ReplayArgs, ReplayFormat};
use crate::bot_spec::Cast;
use crate::checks;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::players::{Players, hill_of};
use crate::rerun::{Difference, Divergence, Recorded, relive};
use crate::terminal_game::{self, TerminalGame};
use crate::text::{FAINT, STRONG, counted, printable, styled};

pub(crate) fn replay(args: &ReplayArgs, console: &Console) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, BrokenEnd::Refuse)?;
    match source.header().hill.game {
        GameName::Yahtzee => replay_game::<Yahtzee>(&source, args, console),
        GameName::LiarsDice => replay_game::<LiarsDice>(&source, args, console),
    }
}

fn replay_game<G: TerminalGame>(
    source: &RunSource,
    args: &ReplayArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let header = source.header().clone();
    let unknown = |rules: &str| format!("rules = {rules:?}: unknown for {}", G::NAME);
    let rules = &header.hill.rules;
    let rules = G::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown(rules)))?;
    let (number, line) = source.find_game(args.game)?;
    let chance = Chance::new(&header.seed);
    if let Some(bots) = &args.rerun {
        return play_again::<G>(source, (number, &line), bots, args, console);
    }
    let replay = read_game_line::<G>(&line, rules, &chance).map_err(|error| {
        let why = why_unreadable(&error);
        let were_kept = !matches!(error, ReadRecordError::NoMoves);
        if were_kept { source.altered(number, why) } else { source.error(number, why) }
    })?;
    if let Some(stranger) = stranger(&replay, &header) {
        let message = format!("bot {stranger:?} plays, and the header does not name it");
        return Err(source.altered(number, message).into());
    }
    // The game is sound by itself: whether it is one of this run the others tell.
    checks::refuse_altered_games::<G>(source)?;
    if let Some(path) = &args.save {
        dicehill_store::save_game(path, &header, &line)?;
        let path = printable(&path.display().to_string());
        console.tell(format!("game {} is in {path}", replay.game));
        return Ok(Outcome::Done);
    }
    if let Some(bot) = &args.input {
        let points = match header.hill.memory {
            Memory::Game => HashMap::new(),
            Memory::Set => source.points_before(replay.game)?,
        };
        let input = Input { header: &header, rules, chance: &chance, points, rounds: args.rounds };
        return input.print(&replay, bot, console);
    }
    let shown = Shown { header: &header, rules, chance: &chance, replay: &replay };
    match args.format {
        ReplayFormat::Text => shown.print_text(&mut console.out())?,
        ReplayFormat::Json => shown.print_json(console.out().verbatim())?,
    }
    Ok(Outcome::Done)
}

/// Plays the game again and says whether the moves are the same.
fn play_again<G: TerminalGame>(
    source: &RunSource,
    (number, line): (Option<usize>, &str),
    named: &[String],
    args: &ReplayArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let header = source.header();
    let terms = header.hill.terms::<G>(&args.run)?;
    let cast = Cast::new(None, args.apart, console)?;
    let players = Players::<G>::of(source, named, &cast, terms)?;
    let hill = hill_of(&args.run, header, terms, players.everybody(&args.run, header)?)?;
    refuse_changed(source, &hill)?;
    let chance = Chance::new(&header.seed);
    let recorded = Recorded::read(&hill, &chance, line).map_err(|why| source.error(number, why))?;
    match hill.memory() {
        Memory::Game => compare(&hill, &chance, &recorded, console),
        Memory::Set => live_again(source, &hill, recorded.fixture.game, console),
    }
}

/// Somebody else would play otherwise, and that would say nothing.
fn refuse_changed<G: TerminalGame>(source: &RunSource, hill: &Hill<G>) -> Result<(), Failure> {
    for (entrant, then) in hill.entrants().iter().zip(&source.header().bots) {
        let (name, then, now) = (&entrant.name, &then.hash, entrant.program.identity());
        if *then != now {
            let message = format!("the bot {name} has changed: its hash was {then} and is {now}");
            return Err(source.error(None, message).into());
        }
    }
    Ok(())
}

fn compare<G: TerminalGame>(
    hill: &Hill<G>,
    chance: &Chance,
    recorded: &Recorded<G>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let game = recorded.fixture.game;
    let played = recorded.play(hill, chance)?;
    let mut out = console.out();
    let Some(Difference { at, recorded: then, played: now }) =
        recorded.difference(hill, chance, &played)
    else {
        let moves = recorded.moves.as_ref().map(|moves| counted(moves.len() as u64, "move"));
        let same = moves
            .map_or("what came of it is the same; its moves were not kept".to_owned(), |moves| {
                format!("all {moves} are the same")
            });
        writeln!(out, "game {game} played again: {same}")?;
        return Ok(Outcome::Done);
    };
    let (then, now) = (printable(&then), printable(&now));
    match at {
        Some((bot, number)) => {
            let bot = hill.name_of(bot);
            writeln!(
                out,
                "game {game} played again: move {number} differs: recorded is {then}, and {bot} plays {now}"
            )?;
        }
        None => writeln!(out, "game {game} played again: recorded is {then}, and played {now}")?,
    }
    Ok(Outcome::Differs)
}

/// Bots that live through the run play the game as they know all games before it.
fn live_again<G: TerminalGame>(
    source: &RunSource,
    hill: &Hill<G>,
    game: u64,
    console: &Console,
) -> Result<Outcome, Failure> {
    let games = counted(game, "game");
    console.tell(format!("the bots live through the run: {games} are played again"));
    let found = relive(hill, source.bars(), source.games(), game)?;
    let mut out = console.out();
    for Divergence { bot, game, recorded, answered } in &found {
        let (recorded, answered) = (printable(recorded), printable(answered));
        writeln!(
            out,
            "game {game} played again: recorded is {recorded}, and {bot} plays {answered}"
        )?;
    }
    if found.is_empty() {
        writeln!(out, "{games} played again: all moves are the same")?;
    }
    Ok(if found.is_empty() { Outcome::Done } else { Outcome::Differs })
}

pub(crate) fn why_unreadable(error: &ReadRecordError) -> String {
    if let ReadRecordError::Json(error) = error {
        return json_message(error);
    }
    error.to_string()
}

/// A player that the header does not name. The names in the header have been checked.
fn stranger<'a, G: TerminalGame>(replay: &'a Replay<G>, header: &LogHeader) -> Option<&'a String> {
    let is_named = |name: &String| header.bots.iter().any(|bot| bot.name.as_str() == name);
    replay.names.iter().find(|name| !is_named(name))
}

struct Shown<'a, G: TerminalGame> {
    header: &'a LogHeader,
    rules: G::Rules,
    chance: &'a Chance,
    replay: &'a Replay<G>,
}

impl<G: TerminalGame> Shown<'_, G> {
    fn names(&self) -> Vec<&str> {
        self.replay.names.iter().map(String::as_str).collect()
    }

    fn print_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Replay { game, table, .. } = self.replay;
        let names = self.names();
        let title = styled(STRONG, format!("{}, game {game}", G::TITLE));
        let seed = printable(&self.header.seed);
        let facts = format!("{} rules, table {table}, seed {seed}", self.rules);
        writeln!(out, "{title}  {}", styled(FAINT, facts))?;
        let seats = names.iter().enumerate().map(|(seat, name)| format!("{name} (seat {seat})"));
        writeln!(out, "{}", seats.collect::<Vec<_>>().join(", "))?;
        let mut play = self.replay.begin(self.rules, self.chance);
        for one in &self.replay.moves {
            if let Some(heading) = G::heading(&play, &names) {
                writeln!(out, "\n{heading}")?;
            }
            writeln!(out, "{}", terminal_game::narrate_move(&play, &names, one))?;
            play.repeat(one);
        }
        writeln!(out, "\n{}", G::show_results(&play, &names))
    }

    fn print_json(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut play = self.replay.begin(self.rules, self.chance);
        let mut moves = Vec::new();
        for one in &self.replay.moves {
            let mut step = Map::new();
            if let Some((seat, _)) = play.turn() {
                step.insert("seat".into(), json!(seat.index()));
                step.insert("bot".into(), json!(self.replay.names[seat.index()]));
            }
            step.append(&mut G::position(&play));
            match one {
                Move::Acted(action) => {
                    step.insert("action".into(), json!(action.to_string()));
                }
                Move::Failed(failure) => {
                    step.insert("failed".into(), json!(failure.reason.name()));
                    step.insert("detail".into(), json!(failure.detail));
                }
            }
            moves.push(Value::Object(step));
            play.repeat(one);
        }
        let document = json!({
            "schema": "dicehill.replay/1",
            "game": G::NAME,
            "rules": self.rules.to_string(),
            "seed": self.header.seed,
            "number": self.replay.game,
            "table": self.replay.table,
            "bots": self.replay.names,
            "moves": moves,
            "results": self.results(),
        });
        writeln!(out, "{}", printable_json(&document)?)
    }

    fn results(&self) -> Value {
        let result = |(name, result): (&String, &dicehill_rules::SeatResult)| {
            let mut object = Map::new();
            object.insert("bot".into(), json!(name));
            object.insert("points".into(), json!(result.points));
            object.insert("won".into(), json!(result.won));
            for (figure, value) in G::FIGURES.iter().zip(result.figures) {
                object.insert(figure.name.into(), json!(value));
            }
            Value::Object(object)
        };
        self.replay.names.iter().zip(&self.replay.results).map(result).collect()
    }
}

/// What is needed to tell a bot's input again.
struct Input<'a, G: TerminalGame> {
    header: &'a LogHeader,
    rules: G::Rules,
    chance: &'a Chance,
    /// What each player brought to the game.
    points: HashMap<String, u64>,
    rounds: bool,
}

impl<G: TerminalGame> Input<'_, G> {
    fn print(self, replay: &Replay<G>, bot: &str, console: &Console) -> Result<Outcome, Failure> {
        let place = replay.names.iter().position(|name| name == bot).ok_or_else(|| {
            let names = replay.names.join(", ");
            Failure::Usage(format!("--input {bot:?}: who plays in game {}: {names}", replay.game))
        })?;
        let HillRecord { memory, limits, .. } = &self.header.hill;
        let rules = self.rules.to_string();
        let hello = Hello {
            protocol: PROTOCOL,
            game: G::NAME,
            rules: &rules,
            memory: memory.name(),
            name: bot,
            limits: (*limits).into(),
        };
        let sight = Sight {
            hello: &hello,
            seat: Seat::new(place as u16),
            game_id: self.chance.game_id(replay.game, bot),
            seed: self.chance.bot_seed(replay.game, bot),
            rounds: self.rounds,
        };
        let brought = |name: &String| self.points.get(name).copied().unwrap_or(0);
        let points = match memory {
            Memory::Game => Vec::new(),
            Memory::Set => replay.names.iter().map(brought).collect(),
        };
        let play = replay.begin_with(self.rules, self.chance, points);
        let mut out = console.data();
        for line in transcript(play, &replay.moves, replay.names.len(), &sight) {
            match line {
                Line::Request(line) => out.write_all(&line)?,
                Line::Answer(_) => {}
            }
        }
        Ok(Outcome::Done)
    }
}

//! The throughput of a bot through pipes, with 64 requests in flight: the SDK compared with a bare loop.
//!
//! The bare loop reads lines, parses each into a struct with `serde_json` and writes a fixed answer. This program acts as the arena and
//! starts itself as the bot: `pipe sdk` and `pipe bare`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use dicehill_bot::{Bots, Hello, liars_dice, yahtzee};
use serde::Deserialize;

const IN_FLIGHT: usize = 64;
const BATCHES: usize = 5_000;
const RUNS: usize = 5;

fn main() -> io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("sdk") => Bots::new().yahtzee(fixed).liars_dice(fixed).run(),
        Some("bare") => bare(),
        _ => ["yahtzee", "liars-dice"].into_iter().try_for_each(compare),
    }
}

fn compare(game: &str) -> io::Result<()> {
    let batch: String = (0..IN_FLIGHT).map(|place| turn(game, place)).collect();
    let bare = best("bare", &batch)?;
    let sdk = best("sdk", &batch)?;
    let percent = 100.0 * sdk / bare;
    println!("{game}: bare {bare:.0}, SDK {sdk:.0} decisions a second, {percent:.0} %");
    Ok(())
}

/// The best of several runs, because interference only slows a run down.
fn best(bot: &str, batch: &str) -> io::Result<f64> {
    (0..RUNS).try_fold(0.0, |best: f64, _| Ok(best.max(rate(bot, batch)?)))
}

/// Decisions per second, measured after the first batch.
fn rate(bot: &str, batch: &str) -> io::Result<f64> {
    let mut child = start(bot)?;
    let mut requests = child.stdin.take().expect("stdin is a pipe");
    let mut answers = child.stdout.take().expect("stdout is a pipe");
    let mut round_trip = || -> io::Result<()> {
        requests.write_all(batch.as_bytes())?;
        read_lines(&mut answers, IN_FLIGHT)
    };
    round_trip()?;
    let began = Instant::now();
    (0..BATCHES).try_for_each(|_| round_trip())?;
    let seconds = began.elapsed().as_secs_f64();
    drop(requests);
    assert!(child.wait()?.success(), "{bot} ends in order");
    Ok((BATCHES * IN_FLIGHT) as f64 / seconds)
}

fn start(bot: &str) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(bot).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Reads exactly `lines` lines without parsing them.
fn read_lines(answers: &mut impl Read, lines: usize) -> io::Result<()> {
    let mut buffer = [0; 16 * 1024];
    let mut seen = 0;
    while seen < lines {
        let read = answers.read(&mut buffer)?;
        assert!(read > 0, "the bot answers every request");
        seen += buffer[..read].iter().filter(|&&byte| byte == b'\n').count();
    }
    assert_eq!(seen, lines, "the bot answers every request once");
    Ok(())
}

fn turn(game: &str, place: usize) -> String {
    let (id, game_number) = (4_501_293_575_881_907 + 7 * place, 2_271_329_636_124_675 + 11 * place);
    let ids = format!(r#"{{"type":"turn","id":{id},"game":{game_number},"#);
    let rest = match game {
        "yahtzee" => {
            r#""round":11,"stage":1,"dice":[1,1,4,6,6],"card":{"TWOS":6,"THREES":9,"FOURS":12,"FIVES":15,"THREE_OF_A_KIND":22,"FOUR_OF_A_KIND":0,"FULL_HOUSE":25,"SMALL_STRAIGHT":30,"LARGE_STRAIGHT":0,"YAHTZEE":0},"legal":{"ACES":2,"SIXES":12,"CHANCE":18},"upper":42,"upper_bonus":0,"yahtzee_bonus":0,"score":119,"scores":[88,119,131]}"#
        }
        _ => {
            r#""you":1,"counts":[6,4,5],"dice":[1,2,2,3],"bids":["3 6","4 2","4 3","5 5"],"names":["Badnomial","Statistician","Fidelio"],"points":[120,1345,88]}"#
        }
    };
    format!("{ids}{rest}\n")
}

/// A bot that always gives the same answer.
struct Fixed;

fn fixed(_: &Hello) -> Fixed {
    Fixed
}

impl yahtzee::Bot for Fixed {
    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        turn.keep([0, 1])
    }
}

impl liars_dice::Bot for Fixed {
    fn turn(&mut self, turn: &liars_dice::Turn) -> liars_dice::Answer {
        turn.bid(4, 2)
    }
}

/// A minimal bot. It also sends a batch of answers with one write.
fn bare() -> io::Result<()> {
    let mut input = BufReader::with_capacity(256 * 1024, io::stdin());
    let mut out = io::stdout().lock();
    let (mut line, mut answers) = (String::new(), Vec::new());
    while input.read_line(&mut line)? > 0 {
        if line.contains("legal") {
            let turn: YahtzeeTurn<'_> = serde_json::from_str(&line)?;
            writeln!(answers, r#"{{"id":{},"keep":[0,1]}}"#, turn.id)?;
        } else {
            let turn: LiarsDiceTurn<'_> = serde_json::from_str(&line)?;
            writeln!(answers, r#"{{"id":{},"bid":"4 2"}}"#, turn.id)?;
        }
        line.clear();
        if input.buffer().is_empty() {
            out.write_all(&answers)?;
            out.flush()?;
            answers.clear();
        }
    }
    Ok(())
}

/// A turn as a bot without the SDK would declare it.
#[derive(Deserialize)]
#[expect(dead_code, reason = "what is parsed is the point, not what is done with it")]
struct YahtzeeTurn<'a> {
    r#type: &'a str,
    id: u64,
    game: u64,
    round: u8,
    stage: u8,
    dice: [u8; 5],
    card: Boxes,
    legal: Boxes,
    upper: u32,
    upper_bonus: u32,
    yahtzee_bonus: u32,
    score: u32,
    scores: Vec<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", default)]
struct Boxes {
    aces: Option<u32>,
    twos: Option<u32>,
    threes: Option<u32>,
    fours: Option<u32>,
    fives: Option<u32>,
    sixes: Option<u32>,
    three_of_a_kind: Option<u32>,
    four_of_a_kind: Option<u32>,
    full_house: Option<u32>,
    small_straight: Option<u32>,
    large_straight: Option<u32>,
    yahtzee: Option<u32>,
    chance: Option<u32>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "what is parsed is the point, not what is done with it")]
struct LiarsDiceTurn<'a> {
    r#type: &'a str,
    id: u64,
    game: u64,
    you: usize,
    counts: Vec<u32>,
    dice: Vec<u8>,
    #[serde(borrow)]
    bids: Vec<&'a str>,
    names: Vec<&'a str>,
    points: Vec<u64>,
}

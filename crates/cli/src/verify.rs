//! `dicehill verify`: everything about a recorded run that can be recomputed is recomputed.
//!
//! Each step is told on a line of its own, and goes on where the one before has found something wrong, so that
//! all that was altered is named.

mod board;
mod games;
mod report;
mod reruns;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{
    Commitment, Entrant, EntrantId, Header, Hill, Memory, PROGRAM, Program, Recall, Schedule,
    StandIn,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, GameName, Secret};
use dicehill_store::{
    BrokenEnd, FileError, HillTerms, LogBot, LogHeader, StoredGames, UncheckedRun,
};
use serde_json::Value;

use self::games::{AttemptCheck, Stored};
use self::report::Report;
use crate::args::VerifyArgs;
use crate::bot_spec::Cast;
use crate::failure::{Failure, Outcome};
use crate::players::{Players, entrant_of, hill_of};
use crate::rerun::{Divergence, relive};
use crate::terminal_game::TerminalGame;
use crate::text::counted;
use crate::tournament::jobs;

pub(crate) fn verify(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let run = UncheckedRun::open(&args.run, BrokenEnd::Refuse)?;
    match run.header().hill.game {
        GameName::Yahtzee => Verification::<Yahtzee>::new(&run, args)?.carry_out(),
        GameName::LiarsDice => Verification::<LiarsDice>::new(&run, args)?.carry_out(),
    }
}

struct Verification<'a, G: TerminalGame> {
    run: &'a UncheckedRun,
    args: &'a VerifyArgs,
    header: &'a LogHeader,
    terms: HillTerms<G::Rules>,
    /// The hill with entrants that cannot play.
    hill: Hill<G>,
    chance: Chance,
    jobs: usize,
    report: Report,
}

impl<'a, G: TerminalGame> Verification<'a, G> {
    fn new(run: &'a UncheckedRun, args: &'a VerifyArgs) -> Result<Self, Failure> {
        refuse_single_games(run, &args.run)?;
        let header = run.header();
        let terms = header.hill.terms::<G>(&args.run)?;
        let entrants = header.bots.iter().map(|bot| {
            let program: Arc<dyn Program<G>> = Arc::new(StandIn(bot.hash.clone()));
            entrant_of(bot, program)
        });
        let hill = hill_of(&args.run, header, terms, entrants.collect())?;
        let (chance, jobs) = (Chance::new(&header.seed), jobs(args.jobs));
        Ok(Self { run, args, header, terms, hill, chance, jobs, report: Report::default() })
    }

    fn carry_out(mut self) -> Result<Outcome, Failure> {
        self.note_program()?;
        self.check_seal()?;
        self.check_files()?;
        self.check_pages()?;
        self.check_commitment()?;
        self.check_header()?;
        let (count, are_whole) = self.check_games()?;
        self.check_failures()?;
        let records_hold = self.check_board(count, are_whole)?;
        // Where only the hash over all records tells that something was altered, the bots tell which game.
        let wanted = if are_whole && !records_hold { count } else { self.args.sample };
        self.check_reruns(count, wanted)?;
        self.report.end(count)?;
        Ok(if self.report.is_clean() { Outcome::Done } else { Outcome::Differs })
    }

    fn note_program(&self) -> Result<(), Failure> {
        if self.header.program == PROGRAM {
            return Ok(());
        }
        let then = &self.header.program;
        self.report.note("program", &format!("{then} played, and this is {PROGRAM}"))
    }

    /// What holds together everything that is no game.
    fn check_seal(&mut self) -> Result<(), Failure> {
        let problems = match self.run {
            UncheckedRun::Log { games, .. } => match (games.seal_holds(), games.result()) {
                (None, None) => return self.report.skip("seal", NOT_ENDED),
                (_, None) => vec!["the result is missing behind the seal".to_owned()],
                (Some(true), _) => Vec::new(),
                (Some(false), _) => {
                    vec!["a line before the seal was altered, or the seal".to_owned()]
                }
                (None, _) => vec!["the line with the seal is missing before the result".to_owned()],
            },
            UncheckedRun::Stored { store, run, .. } => match store.altered_parts(run.run)? {
                None => return self.report.skip("seal", NOT_ENDED),
                Some(parts) => parts.iter().map(|part| sealed_part(part)).collect(),
            },
        };
        self.report.step("seal", "header, bars and all else beside the games", &problems)
    }

    /// The copies of the bots' files.
    fn check_files(&mut self) -> Result<(), Failure> {
        let UncheckedRun::Stored { store, run, .. } = self.run else { return Ok(()) };
        let mut problems = Vec::new();
        for version in run.versions.iter().flatten() {
            problems.extend(store.files(*version).err().map(|error| error.to_string()));
        }
        self.report.step("files", "the copies of all bots", &problems)
    }

    /// Checksums of games and their times, and the hashes of the pages that hold them.
    fn check_pages(&mut self) -> Result<(), Failure> {
        let UncheckedRun::Stored { store, run, .. } = self.run else { return Ok(()) };
        let (mut problems, mut pages) = (Vec::new(), 0u64);
        for attempt in 0..=run.bars.len() as i64 {
            let (mut next, mut previous) = (1, [0; 32]);
            store.each_page(run.run, attempt, |page| {
                pages += 1;
                let (first, last) = (page.first, page.last);
                let altered = page.altered_games().into_iter();
                problems.extend(altered.map(|game| {
                    format!("game {game}: its record, its times or their checksum was altered")
                }));
                if first != next {
                    problems
                        .push(format!("games {next} to {first}: a page was taken out or put in"));
                }
                if page.hash != page.hash_behind(&previous) {
                    problems.push(format!(
                        "games {first} to {last}: the page is not what its hash says"
                    ));
                }
                (next, previous) = (last + 1, page.hash);
                Ok::<(), FileError>(())
            })?;
        }
        let holds = format!("{}, each game's checksum with its times", counted(pages, "page"));
        self.report.step("pages", &holds, &problems)
    }

    /// Whether the seed follows from what was published before the run.
    fn check_commitment(&mut self) -> Result<(), Failure> {
        let Some(published) = &self.header.commitment else { return Ok(()) };
        let (found, problem) = match self.commitment() {
            Ok(found) => (found, None),
            Err(problem) => (None, Some(problem)),
        };
        let Some(commitment) = found else {
            return match problem {
                None => self.report.skip("commitment", NOT_ENDED),
                Some(problem) => self.report.step("commitment", "", &[problem]),
            };
        };
        let mut problems = Vec::new();
        let promised = commitment.secret.commitment();
        if promised != *published {
            problems.push(format!("the header has {published}, and the secret gives {promised}"));
        }
        let text = commitment.public_text.clone().unwrap_or_default();
        let hashes: Vec<_> = self.header.bots.iter().map(|bot| bot.hash.as_str()).collect();
        let seed = commitment.secret.seed(hashes.into_iter(), &text);
        if seed == self.header.seed {
            let entrants = self.hill.entrants().to_vec();
            let hill = hill_of(&self.args.run, self.header, self.terms, entrants)?;
            self.hill = hill.committed(commitment);
        } else {
            let stored = &self.header.seed;
            problems.push(format!("the seed is stored as {stored}, and the secret gives {seed}"));
        }
        let holds = format!("the seed follows from {published}, the entrants and the public text");
        self.report.step("commitment", &holds, &problems)
    }

    /// What the result reveals, or the hill knows as long as there is none.
    fn commitment(&self) -> Result<Option<Commitment>, String> {
        if let Some(result) = self.run.result() {
            let result: Value = serde_json::from_str(result).unwrap_or_default();
            let text = |key: &str| result[key].as_str();
            let secret = Secret::from_hex(
                text("secret").unwrap_or_default(),
                text("nonce").unwrap_or_default(),
            );
            let secret = secret.ok_or("the result does not reveal a secret and a nonce")?;
            return Ok(Some(Commitment {
                secret,
                public_text: text("public_text").map(str::to_owned),
            }));
        }
        match self.run {
            UncheckedRun::Log { .. } => Ok(None),
            UncheckedRun::Stored { store, run, .. } => {
                store.commitment_of(run.run).map_err(|error| error.to_string())
            }
        }
    }

    /// The header as this program writes it.
    fn check_header(&mut self) -> Result<(), Failure> {
        let now = Header {
            program: self.header.program.clone(),
            commitment: self.header.commitment.clone(),
            ..Header::new(&self.hill)
        };
        let mut problems: Vec<_> = self.header.difference(&now).into_iter().collect();
        if problems.is_empty() && !self.header.is_line_of(&now) {
            problems.push("it has the right values, and other bytes".to_owned());
        }
        self.report.step("header", &counted(self.header.bots.len() as u64, "entrant"), &problems)
    }

    /// Every game of every attempt; how many count, and whether nothing is wrong with those.
    fn check_games(&mut self) -> Result<(u64, bool), Failure> {
        let (bars, keeps_moves) = (self.run.bars(), self.run.keeps_moves());
        let mut active: Vec<EntrantId> = self.hill.ids().collect();
        let (mut problems, mut replayed) = (Vec::new(), 0);
        let mut last = (0, true);
        for attempt in 0..=bars.len() {
            let schedule = Schedule::new(&self.hill, &self.chance, active.clone());
            let mut check =
                AttemptCheck::new(&self.hill, &self.chance, &schedule, keeps_moves, self.jobs);
            self.each_line(attempt, |stored| check.take(stored))?;
            let (games, found) = check.end(bars.get(attempt));
            last = (games, found.is_empty());
            replayed += games;
            problems.extend(found);
            if let Some(bar) = bars.get(attempt) {
                let before = active.len();
                active.retain(|id| self.hill.name_of(*id) != bar.bot);
                if active.len() == before {
                    problems.push(format!("{:?} is barred, and does not play", bar.bot));
                }
            }
        }
        let games = counted(replayed, "game");
        let holds = if keeps_moves {
            format!("{games} replayed: order, tables, seats, dice, moves and scores")
        } else {
            format!("{games}: order, tables and seats; without moves nothing can be replayed")
        };
        self.report.step("games", &holds, &problems)?;
        Ok((last.0, last.1 && problems.is_empty()))
    }

    fn each_line(&self, attempt: usize, mut each: impl FnMut(Stored)) -> Result<(), FileError> {
        match self.run {
            UncheckedRun::Log { games, .. } => {
                for found in games.attempt(attempt) {
                    let (number, line) = found?;
                    each(Stored { place: format!("line {number}"), line });
                }
                Ok(())
            }
            UncheckedRun::Stored { store, run, .. } => {
                store.each_page(run.run, attempt as i64, |page| {
                    for line in page.lines() {
                        each(Stored { place: String::new(), line: line.to_owned() });
                    }
                    Ok(())
                })
            }
        }
    }

    /// What a hill knows of failures, beside their games.
    fn check_failures(&mut self) -> Result<(), Failure> {
        let UncheckedRun::Stored { store, run, .. } = self.run else { return Ok(()) };
        let failures = store.failures(run.run)?;
        if failures.is_empty() {
            return Ok(());
        }
        let wanted: HashSet<_> = failures.iter().map(|one| (one.attempt, one.game)).collect();
        let (mut problems, mut recorded) = (Vec::new(), HashMap::new());
        for attempt in 0..=self.run.bars().len() as i64 {
            let mut game = 0;
            self.each_line(attempt as usize, |stored| {
                game += 1;
                if wanted.contains(&(attempt, game)) {
                    recorded.insert((attempt, game), stored.line);
                }
            })?;
        }
        for failure in &failures {
            let key = (failure.attempt, failure.game);
            let line = recorded
                .get(&key)
                .map_or(Value::Null, |line| serde_json::from_str(line).unwrap_or_default());
            let is_it =
                |one: &Value| one["reason"] == *failure.reason && one["detail"] == *failure.detail;
            if !line["failures"].as_array().is_some_and(|known| known.iter().any(is_it)) {
                let (game, bot) = (failure.game, &failure.bot);
                problems
                    .push(format!("game {game} has no such failure of {bot}: {}", failure.reason));
            }
        }
        self.report.step("failures", &counted(failures.len() as u64, "failure"), &problems)
    }

    /// The result recomputed, the hash over all records with it; false if that is another.
    fn check_board(&mut self, count: u64, are_whole: bool) -> Result<bool, Failure> {
        let Some(stored) = self.run.result() else {
            self.report.skip("board", NOT_ENDED)?;
            return Ok(true);
        };
        if !are_whole {
            self.report.skip("board", "cannot be recomputed from games that were altered")?;
            return Ok(true);
        }
        let problems = match self.recomputed(count) {
            Ok(recomputed) => board::differences(stored, &recomputed),
            Err(problem) => vec![problem],
        };
        let document: Value = serde_json::from_str(stored).unwrap_or_default();
        let records = document["records"].as_str().unwrap_or_default().to_owned();
        let holds = format!("recomputed, the same bytes; records {records}");
        self.report.step("board", &holds, &problems)?;
        Ok(!problems.iter().any(|problem| problem.starts_with("records ")))
    }

    fn recomputed(&self, count: u64) -> Result<String, String> {
        let stored = self.stored_games().transpose().map_err(|error| error.to_string())?;
        let records = match self.run {
            UncheckedRun::Log { .. } => None,
            UncheckedRun::Stored { store, run, .. } => {
                run.records_hash(store.path()).map_err(|error| error.to_string())?
            }
        };
        let games = board::Games {
            bars: self.run.bars(),
            games: self.recall(stored.as_ref()),
            count,
            records,
            program: &self.header.program,
        };
        board::recompute(&self.hill, games, self.jobs)
    }

    fn stored_games(&self) -> Option<Result<StoredGames, FileError>> {
        match self.run {
            UncheckedRun::Log { .. } => None,
            UncheckedRun::Stored { store, run, .. } => Some(store.games(run)),
        }
    }

    fn recall<'b>(&'b self, stored: Option<&'b StoredGames>) -> &'b dyn Recall {
        match (self.run, stored) {
            (_, Some(stored)) => stored,
            (UncheckedRun::Log { games, .. }, None) => &**games,
            (UncheckedRun::Stored { .. }, None) => &dicehill_arena::Nothing,
        }
    }

    /// A sample of the games that count, played again by the bots.
    fn check_reruns(&mut self, count: u64, wanted: u64) -> Result<(), Failure> {
        if wanted == 0 || count == 0 {
            return Ok(());
        }
        let cast = Cast::new(None, self.args.apart)?;
        let players = match self.players(&cast) {
            Ok(players) => players,
            Err(failure) => return self.report.skip("bots", &failure.to_string()),
        };
        let (entrants, strangers) = self.able(&players);
        for stranger in &strangers {
            self.report.skip("bots", stranger)?;
        }
        let hill = hill_of(&self.args.run, self.header, self.terms, entrants)?;
        match hill.memory() {
            Memory::Set if strangers.is_empty() => self.check_lives(&hill, count),
            Memory::Set => Ok(()),
            Memory::Game => self.check_sample(&hill, &players, count, wanted),
        }
    }

    fn players(&self, cast: &Cast) -> Result<Players<G>, Failure> {
        match self.run {
            UncheckedRun::Log { .. } => {
                Players::of_log(self.header, &self.args.bots, cast, self.terms)
            }
            UncheckedRun::Stored { store, run, .. } => {
                Players::of_hill(store, run, cast, self.terms)
            }
        }
    }

    /// Everybody, with stand-ins for those who are not what they were, and what is said of these.
    fn able(&self, players: &Players<G>) -> (Vec<Entrant<G>>, Vec<String>) {
        let (mut entrants, mut strangers) = (Vec::new(), Vec::new());
        for (known, bot) in players.known().iter().zip(&self.header.bots) {
            if let Some(known) = known.as_ref().filter(|known| is_what_it_was(known, bot)) {
                entrants.push(known.clone());
                continue;
            }
            strangers.push(match known {
                Some(_) => format!("{} is here, and not what it was", bot.name),
                None => format!(
                    "{} is not here: its hill file or the bot can be named behind the run",
                    bot.name
                ),
            });
            entrants.push(entrant_of(bot, Arc::new(StandIn(bot.hash.clone()))));
        }
        (entrants, strangers)
    }

    fn check_sample(
        &mut self,
        hill: &Hill<G>,
        players: &Players<G>,
        count: u64,
        wanted: u64,
    ) -> Result<(), Failure> {
        let able = |(known, bot): (&Option<Entrant<G>>, &LogBot)| {
            let known = known.as_ref().filter(|known| is_what_it_was(known, bot));
            known.map(|known| known.name.to_string())
        };
        let able: Vec<_> = players.known().iter().zip(&self.header.bots).filter_map(able).collect();
        let drawn = reruns::sample(self.records().unwrap_or_default(), count, wanted);
        let mut lines = Vec::new();
        let mut game = 0;
        self.each_line(self.run.bars().len(), |Stored { line, .. }| {
            game += 1;
            if drawn.binary_search(&game).is_ok() && sit_there(&line, &able) {
                lines.push(line);
            }
        })?;
        let found = reruns::play_again(hill, &self.chance, &lines, self.jobs)?;
        for note in found.fickle.values().chain(&found.notes) {
            self.report.note("bots", note)?;
        }
        if found.played == 0 {
            return Ok(());
        }
        let altered: Vec<_> = found.altered.into_iter().map(|(_, problem)| problem).collect();
        let games = counted(found.played, "game");
        let holds = match found.fickle.len() as u64 {
            0 => format!("{games} played again, all that can be compared is the same"),
            fickle => format!(
                "{games} played again, all is the same but what {} can do in two ways",
                counted(fickle, "bot")
            ),
        };
        self.report.step("bots", &holds, &altered)
    }

    /// The hash over all records, as the result has it.
    fn records(&self) -> Option<&str> {
        let (_, rest) = self.run.result()?.split_once("\"records\":\"")?;
        Some(rest.split_once('"')?.0)
    }

    /// Bots that live through the run are led through all of it.
    fn check_lives(&mut self, hill: &Hill<G>, count: u64) -> Result<(), Failure> {
        let stored = match self.stored_games().transpose() {
            Ok(stored) => stored,
            Err(error) => return self.report.skip("bots", &error.to_string()),
        };
        let games = self.recall(stored.as_ref());
        let bars = self.run.bars();
        let first = relive(hill, bars, games, count)?;
        let mut again = first.clone();
        if !first.is_empty() {
            again = relive(hill, bars, games, count)?;
        }
        let mut altered = Vec::new();
        for Divergence { bot, game, recorded, answered } in &first {
            let same = again.iter().find(|other| other.bot == *bot);
            if same.is_some_and(|other| other.game == *game && other.answered == *answered) {
                altered.push(format!(
                    "game {game}: recorded is {recorded}, and {bot} plays {answered} each time"
                ));
            } else {
                self.report.note("bots", &format!("{bot} is not deterministic: in game {game} it answered {answered}, and then otherwise"))?;
            }
        }
        let holds =
            format!("{} lived through again, all moves are the same", counted(count, "game"));
        self.report.step("bots", &holds, &altered)
    }
}

const NOT_ENDED: &str = "the run has not come to its end";

/// A log of a single game is no run: `replay` checks all that can be checked of it.
fn refuse_single_games(run: &UncheckedRun, path: &Path) -> Result<(), Failure> {
    let UncheckedRun::Log { games, .. } = run else { return Ok(()) };
    if games.result().is_none() && games.bars().is_empty() && games.count() == 1 {
        let message = "holds a single game and no result; `dicehill replay` checks it";
        return Err(FileError::new(path, message).into());
    }
    Ok(())
}

/// What was altered, in words.
fn sealed_part(part: &str) -> String {
    match part {
        "bots" => "the versions that played were altered".to_owned(),
        "files" => "the list of the bots' files was altered".to_owned(),
        "pages" => "pages of games were altered, moved or taken out".to_owned(),
        "seal" => "the seal was altered or taken off".to_owned(),
        part => format!("altered, or its seal: {part}"),
    }
}

/// Whether it has the content that played.
fn is_what_it_was<G: TerminalGame>(known: &Entrant<G>, bot: &LogBot) -> bool {
    known.program.identity() == bot.hash
}

/// Whether all who sat there are among these.
fn sit_there(line: &str, able: &[String]) -> bool {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let seats = line["seats"].as_array().map(Vec::as_slice).unwrap_or_default();
    seats.iter().all(|name| able.iter().any(|able| name == able))
}

//! `cargo xtask golden`: real games as one of their bots sees them, and the schemas of the messages and of
//! progress. Both sides of the protocol are tested against them.

mod steady;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    BotName, Entrant, Event, Hill, HillDraft, Jobs, Limits, Program, ProgressLine, RunOptions,
    TournamentGame, read_game_line, run,
};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_link::{Hello, PROTOCOL, ProcessView, TranscriptLine, WireGame, schemas, transcript};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Seat};
use xtask::root;

use steady::Steady;

/// The bot whose messages are recorded.
const NAME: &str = "steady";
/// Games in a transcript.
const GAMES: i64 = 3;

/// Writes all golden files.
pub(crate) fn golden() -> Result<(), Box<dyn Error>> {
    for (path, text) in files()? {
        fs::create_dir_all(path.parent().ok_or("a file lies in a folder")?)?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The golden files with their paths.
fn files() -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let protocol = root().join("protocol");
    let transcripts = protocol.join("transcripts");
    let mut files = vec![
        (
            transcripts.join("yahtzee.txt"),
            golden_games::<Yahtzee>(yahtzee_bots(), &["greedy", "aces-and-eights"], YAHTZEE_SEED)?,
        ),
        (
            transcripts.join("liars-dice.txt"),
            golden_games::<LiarsDice>(
                liars_dice_bots(),
                &["nobody", "pirate", "honest", "badnomial"],
                LIARS_DICE_SEED,
            )?,
        ),
    ];
    let all = schemas().into_iter().chain(Yahtzee::schemas()).chain(LiarsDice::schemas());
    for (name, schema) in all {
        let text = format!("{:#}\n", schema.as_value());
        files.push((protocol.join("schemas").join(format!("{name}.json")), text));
    }
    let progress = format!("{:#}\n", ProgressLine::json_schema().as_value());
    files.push((protocol.join("schemas/progress.json"), progress));
    Ok(files)
}

/// With this seed `steady` rolls a second Yahtzee and has to apply the joker rule.
const YAHTZEE_SEED: &str = "golden-170";
/// With this seed `steady` bids, calls, wins and loses.
const LIARS_DICE_SEED: &str = "golden";

/// The transcript of `steady` against house bots: its messages and answers.
fn golden_games<G: WireGame + TournamentGame>(
    bots: impl IntoIterator<Item = HouseBot<G>>,
    names: &[&str],
    seed: &str,
) -> Result<String, Box<dyn Error>>
where
    Steady: Program<G>,
{
    let own = Entrant::new(BotName::new(NAME)?, Arc::new(Steady));
    let others = bots.into_iter().filter(|bot| names.contains(&bot.name())).map(HouseBot::entrant);
    let entrants = std::iter::once(own).chain(others).collect();
    let hill = Hill::<G>::new(HillDraft { games: GAMES, ..HillDraft::challenge(entrants, seed) })?;
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let mut lines = Vec::new();
    run(&hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            lines.push(played.line.clone());
        }
        Ok(())
    })?;
    let mut text = format!(
        "# What a bot named {NAME} is sent (>) and answers (<) in games {seed:?} 1 to {GAMES}.\n\
         # Made by `cargo xtask golden`.\n"
    );
    let chance = Chance::new(seed);
    for (number, line) in lines.iter().enumerate() {
        write_game::<G>(line, &chance, number > 0, &mut text)?;
    }
    text.push_str("> {\"type\":\"bye\"}\n");
    Ok(text)
}

fn write_game<G: WireGame>(
    line: &str,
    chance: &Chance,
    is_continued: bool,
    text: &mut String,
) -> Result<(), Box<dyn Error>> {
    let rules = G::Rules::default();
    let replay = read_game_line::<G>(line, rules, chance)?;
    let Some(place) = replay.names.iter().position(|name| name == NAME) else { return Ok(()) };
    let rules_name = rules.to_string();
    let hello = Hello {
        protocol: PROTOCOL,
        game: G::NAME,
        rules: &rules_name,
        memory: "game",
        name: NAME,
        limits: Limits::default().into(),
    };
    let sight = ProcessView {
        hello: &hello,
        seat: Seat::new(place as u16),
        game_id: chance.game_id(replay.game, NAME),
        seed: chance.bot_seed(replay.game, NAME),
        rounds: true,
    };
    let play = replay.begin(rules);
    let lines = transcript(play, &replay.moves, replay.names.len(), &sight);
    // A process is greeted only once.
    for line in lines.iter().skip(usize::from(is_continued && text.contains("\"hello\""))) {
        let (mark, line) = match line {
            TranscriptLine::Request(line) => ('>', line),
            TranscriptLine::Answer(line) => ('<', line),
        };
        text.push_str(&format!("{mark} {}", str::from_utf8(line)?));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arena sends exactly the golden messages, and reads the golden answers.
    #[test]
    fn golden_files_are_up_to_date() {
        for (path, text) in files().expect("they can be made") {
            let stored = fs::read_to_string(&path).expect("a golden file");
            assert!(stored == text, "{}: regenerate it with `cargo xtask golden`", path.display());
        }
    }

    fn read_back<G: WireGame>(file: &str) -> usize {
        let path = root().join("protocol/transcripts").join(file);
        let text = fs::read_to_string(path).expect("a golden file");
        let answers = text.lines().filter_map(|line| line.strip_prefix("< "));
        let parsed_answers = answers.map(|answer| {
            let parsed = G::read_answer(answer.as_bytes()).expect("an answer");
            let mut written = Vec::new();
            G::write_answer(&parsed.action.expect("an action"), parsed.id, &mut written);
            assert_eq!(written, format!("{answer}\n").as_bytes());
        });
        parsed_answers.count()
    }

    #[test]
    fn golden_answers_are_read_and_written_unchanged() {
        assert!(read_back::<Yahtzee>("yahtzee.txt") > 90);
        assert!(read_back::<LiarsDice>("liars-dice.txt") > 30);
    }

    #[test]
    fn golden_games_contain_rare_events() {
        let text = |file: &str| {
            let path = root().join("protocol/transcripts").join(file);
            fs::read_to_string(path).expect("a golden file")
        };
        let yahtzee = text("yahtzee.txt");
        assert!(yahtzee.contains("\"yahtzee_bonus\":100"), "a Yahtzee bonus");
        assert!(yahtzee.contains("\"upper_bonus\":0") && yahtzee.contains("\"won\":"));
        let liars_dice = text("liars-dice.txt");
        for what in ["\"bid\":\"Liar!\"", "\"held\":true", "\"held\":false", "\"bids\":[]"] {
            assert!(liars_dice.contains(what), "{what}");
        }
    }
}

//! The tokens that language models took, by transcripts of `dicehill.llm`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use dicehill_arena::six_digits;
use dicehill_coach::{AnalyzedGame, BotCounts, Estimate, RunAnalysis, estimate_json};
use dicehill_rules::Chance;
use serde::Deserialize;
use serde_json::{Value, json};

use super::estimate;
use super::token_count::{TokenCount, TokenCounts, Usage};
use crate::failure::Failure;
use crate::text::{counted, thousands};

/// Losses are shown for so many tokens.
const PER: f64 = 1000.0;

/// A line of a transcript.
#[derive(Deserialize)]
struct Exchange {
    r#type: String,
    bot: String,
    game: u64,
    turn: u64,
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

/// The tokens of each bot in the games 1 to `count` of the run with this seed. Of a game that was played several times, as the
/// first ones are in the qualification too, the last time counts: a bot's turns in a game have ascending ids.
///
/// # Errors
/// If a file cannot be read, or has nothing of this run.
pub(super) fn tokens(
    paths: &[PathBuf],
    seed: &str,
    names: &[String],
    count: u64,
) -> Result<BTreeMap<String, TokenCount>, Failure> {
    let chance = Chance::new(seed);
    let games = |name: &String| {
        let ids: HashSet<_> = (1..=count).map(|game| chance.game_id(game, name)).collect();
        (name.clone(), ids)
    };
    let games: HashMap<_, _> = names.iter().map(games).collect();
    let mut played = Games::new();
    for path in paths {
        let refused = |why: &dyn std::fmt::Display| {
            Failure::Usage(format!("--transcript {}: {why}", path.display()))
        };
        let has_some = read(path, &games, &mut played).map_err(|error| refused(&error))?;
        if !has_some {
            return Err(refused(&"has no request of a bot in the games of this run"));
        }
    }
    let mut counts: BTreeMap<String, TokenCount> = BTreeMap::new();
    for ((bot, _), turns) in played {
        let count = counts.entry(bot).or_default();
        turns.into_values().for_each(|usage| count.add(usage));
    }
    Ok(counts)
}

/// The turns of each bot in each game, by their ids.
type Games = HashMap<(String, u64), BTreeMap<u64, Usage>>;

/// Adds the turns in a file; returns whether it has some.
fn read(
    path: &Path,
    games: &HashMap<String, HashSet<u64>>,
    played: &mut Games,
) -> io::Result<bool> {
    let mut has_some = false;
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        // A log has other lines too.
        let Ok(exchange) = serde_json::from_slice::<Exchange>(&line?) else { continue };
        let is_counted = games.get(&exchange.bot).is_some_and(|ids| ids.contains(&exchange.game));
        if is_counted && exchange.r#type == "exchange" {
            let usage = exchange.prompt_tokens.zip(exchange.completion_tokens);
            let turns = played.entry((exchange.bot, exchange.game)).or_default();
            if turns.last_key_value().is_some_and(|(last, _)| exchange.turn <= *last) {
                turns.clear();
            }
            turns.insert(exchange.turn, usage);
            has_some = true;
        }
    }
    Ok(has_some)
}

/// The loss for so many tokens, which are taken as given; `None` without tokens, or if some were not counted.
fn loss(tokens: TokenCount, bot: &BotCounts<'_>) -> Option<Estimate> {
    let is_known = tokens.uncounted == 0 && tokens.all() > 0;
    let factor = PER * bot.games as f64 / tokens.all() as f64;
    is_known.then(|| bot.loss.scaled(factor))
}

/// The line for people; losses are in `unit`.
pub(super) fn line(tokens: TokenCount, bot: &BotCounts<'_>, unit: &str) -> String {
    let turns = counted(tokens.turns, "turn");
    let count = format!("{} tokens in {turns}", thousands(tokens.all()));
    match loss(tokens, bot) {
        Some(loss) => {
            let each = tokens.all() as f64 / bot.games.max(1) as f64;
            let loss = estimate::in_text(loss);
            format!("Took {count}, {each:.0} a game: lost {loss} {unit} per 1,000 tokens")
        }
        None => format!("Took {count}, and an unknown number in {}", thousands(tokens.uncounted)),
    }
}

/// The document of an analysis, with the tokens of the bots.
pub(super) fn with_tokens<G: AnalyzedGame>(
    analysis: &RunAnalysis<G>,
    tokens: &TokenCounts,
) -> Value {
    let mut all = analysis.document();
    for (index, bot) in analysis.bots.iter().enumerate() {
        let counts = G::counts(bot);
        if let Some(tokens) = tokens.get(counts.name) {
            all["bots"][index]["tokens"] = document(*tokens, &counts);
        }
    }
    all
}

/// The same for programs.
fn document(tokens: TokenCount, bot: &BotCounts<'_>) -> Value {
    let each = tokens.all() as f64 / bot.games.max(1) as f64;
    json!({
        "turns": tokens.turns,
        "prompt": tokens.prompt,
        "completion": tokens.completion,
        "uncounted": tokens.uncounted,
        "each_game": six_digits(each),
        "loss_per_1000": loss(tokens, bot).as_ref().map(estimate_json),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_was_played_again_counts_once() {
        let chance = Chance::new("s");
        let exchange = |bot: &str, game: u64, turn: u64, tokens: Option<u64>| {
            let game = chance.game_id(game, bot);
            json!({"type": "exchange", "bot": bot, "game": game, "turn": turn, "reply": "x",
                "prompt_tokens": tokens, "completion_tokens": tokens})
            .to_string()
        };
        let lines = [
            "dicehill.llm: hello".to_owned(),
            exchange("A", 1, 7, Some(900)),
            exchange("A", 1, 8, Some(900)),
            exchange("A", 1, 7, Some(10)),
            exchange("A", 2, 8, Some(20)),
            exchange("A", 3, 9, Some(5000)),
            exchange("B", 1, 7, None),
            exchange("C", 1, 7, Some(5000)),
        ];
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), lines.join("\n")).unwrap();
        let names = ["A", "B"].map(str::to_owned);
        let found = tokens(&[file.path().to_owned()], "s", &names, 2).unwrap();
        let a = TokenCount { turns: 2, prompt: 30, completion: 30, uncounted: 0 };
        let b = TokenCount { turns: 1, uncounted: 1, ..TokenCount::default() };
        assert_eq!(found, BTreeMap::from([("A".to_owned(), a), ("B".to_owned(), b)]));
        let loss = Estimate { mean: 3.0, se: Some(0.5), freedom: 10 };
        let bot = BotCounts { name: "A", games: 2, decisions: 2, mistakes: 1, loss };
        let expected =
            "Took 60 tokens in 2 turns, 30 a game: lost 100.00 ± 37.14 points per 1,000 tokens";
        assert_eq!(line(a, &bot, "points"), expected);
        assert_eq!(document(a, &bot)["loss_per_1000"]["mean"], 100.0);
        assert_eq!(document(b, &bot)["loss_per_1000"], Value::Null);
        let nothing = tokens(&[file.path().to_owned()], "another", &names, 2).err().unwrap();
        assert!(nothing.to_string().contains("has no request of a bot"), "{nothing}");
    }
}

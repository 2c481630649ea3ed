//! The lines below a board.

use dicehill_arena::{
    Confidence, Interval, Lead, MarginAnswer, MarginReport, Pairing, PairingResult,
    PlacementResult, ResultDocument, RevealedCommitment, Standing, StoppingReport,
};

use super::cells::{chance, rate_with_interval};
use super::luck;
use crate::text::{bar_place, counted, is_absent, printable, with_commas};

/// The most pairings that are listed.
const MAX_PAIRINGS: usize = 30;

/// The note on intervals where bots remember earlier games.
const DEPENDENT: &str = "Bots remember earlier games: intervals and probabilities are valid only if games are independent.";

/// The note that explains the letters of groups.
const GROUP_NOTE: &str = "Bots that share a letter are not significantly different (95 %).";

/// The note on what the document of so many bots does not have.
const LEFT_OUT: &str = "Pairings and head to head are left out for so many bots; `dicehill export RUN --rows pairs` has them.";

/// The note on bots with a network.
const NETWORK: &str = "Bots marked (network) may use the network: their answers are not determined by their programs alone.";

/// The note on remote bots.
const REMOTE: &str = "Bots marked (remote) run on their authors' machines: they are not sandboxed, their games cannot be played again, and their clocks include the network.";

/// The rank at which a new entrant was placed.
fn placing_note(placing: &PlacementResult) -> String {
    let PlacementResult { bot, rank, rank_ci95: [best, worst], among, games, .. } = placing;
    let range = format!("{best} to {worst} with 95 %");
    format!(
        "Placed: {bot} is number {rank} of {among} ({range}), after {}",
        counted(*games, "game")
    )
}

/// The lines below the table, which explain the loss only if the table shows it. What barred bots answered is not public.
pub(super) fn notes(result: &ResultDocument, shows_loss: bool, is_public: bool) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(result.placement().map(placing_note));
    let left = result.standings.iter().filter(|row| row.barred.is_none());
    notes.extend(left.filter_map(|row| row.placed.as_ref()).map(placing_note));
    let verdict = result.verdict.as_ref().filter(|verdict| verdict.played > 0);
    notes.extend(verdict.map(|verdict| verdict_note(result, verdict)));
    let tied: Vec<_> = result.tied.iter().map(String::as_str).collect();
    // The question of a margin has no champion, and no ties either.
    if verdict.is_none_or(|verdict| verdict.margin.is_none()) {
        notes.extend(champion_note(result.decided_champion(), result.champion_sure, &tied));
    }
    let nothing_played = nothing_played_note(result);
    notes.extend(nothing_played.map(str::to_owned));
    // The table of a placement has no letters.
    let has_letters = result.placing.is_none() && nothing_played.is_none();
    if has_letters && has_shared_group(result.standings.iter().map(|row| row.mark.as_str())) {
        notes.push(GROUP_NOTE.to_owned());
    }
    let start_value = result.start_value.filter(|_| shows_loss && nothing_played.is_none());
    notes.extend(start_value.map(|value| luck::note(value.points())));
    if result.dependent {
        notes.push(DEPENDENT.to_owned());
    }
    notes.extend(result.commitment.as_ref().map(commitment_note));
    if result.standings.iter().any(|row| row.own_terms.network) {
        notes.push(NETWORK.to_owned());
    }
    if result.standings.iter().any(|row| row.own_terms.remote) {
        notes.push(REMOTE.to_owned());
    }
    if result.standings.len() > 2 {
        notes.extend(pairing_notes(result));
    }
    let bar = |row: &Standing| {
        let bar = row.barred.as_ref()?;
        let detail = (!is_public).then_some(bar.detail.as_str());
        Some(bar_note(&row.bot, bar.game, &bar.reason, detail))
    };
    notes.extend(result.standings.iter().filter_map(bar));
    notes
}

/// What the seed of a committed run follows from.
fn commitment_note(revealed: &RevealedCommitment) -> String {
    let text = revealed.public_text.as_deref().map(|text| format!(", the public text {text:?}"));
    format!(
        "The seed follows from a commitment{} and the entrants, which `dicehill verify` checks: {}",
        text.unwrap_or_default(),
        revealed.commitment
    )
}

/// The champion and the probability that it is the best, or the entrants that are tied for it.
fn champion_note(
    champion: Option<&str>,
    probability: Option<f64>,
    tied: &[&str],
) -> Option<String> {
    match (champion, tied) {
        (Some(champion), _) => Some(match probability {
            Some(sure) => format!("Champion: {champion}, {} % sure", chance(sure)),
            None => format!("Champion: {champion}"),
        }),
        (None, []) => None,
        (None, tied) => Some(format!("No champion: {} are tied", tied.join(", "))),
    }
}

/// Why a run without games has no champion.
fn nothing_played_note(result: &ResultDocument) -> Option<&'static str> {
    let is_played = result.champion.is_some() || result.standings.iter().any(|row| row.games > 0);
    let left = result.standings.iter().filter(|row| row.barred.is_none()).count();
    (!is_played && result.placing.is_none()).then(|| no_game_note(left))
}

/// That no game was played, as so many bots are left.
const fn no_game_note(left: usize) -> &'static str {
    match left {
        0 => "No game was played: every bot is barred",
        1 => "No game was played: only one bot is not barred",
        _ => "No game was played",
    }
}

/// Why and where an entrant was barred, with what it answered if that is to be shown.
pub(crate) fn bar_note(bot: &str, game: u64, reason: &str, detail: Option<&str>) -> String {
    let word = if is_absent(reason) { "Skipped" } else { "Barred" };
    let detail = detail.map_or_else(String::new, |detail| format!(": {}", printable(detail)));
    format!("{word}: {bot} in {}, {reason}{detail}", bar_place(game))
}

/// Whether the run decided who is best, and after how many games.
fn verdict_note(result: &ResultDocument, verdict: &StoppingReport) -> String {
    let StoppingReport { until, decided, played, lead, margin } = verdict;
    let played = counted(*played, "game");
    if let Some(margin) = margin {
        return margin_note(margin, *until, &played);
    }
    let lead = lead.as_ref().map_or_else(String::new, lead_note);
    if !decided {
        return format!("Not decided after {played} at {until}{lead}");
    }
    let others: Vec<_> =
        result.standings.iter().skip(1).filter(|row| row.barred.is_none()).collect();
    let what = match (&result.champion, &result.terms.challenger, others.as_slice()) {
        (_, Some(challenger), _) => {
            format!("{challenger} is significantly better or worse than each other bot")
        }
        (Some(best), None, [other]) => format!("{best} is better than {}", other.bot),
        (Some(best), None, _) => format!("{best} is better than each other bot"),
        (None, None, _) => unreachable!("a champion is what was decided"),
    };
    format!("{what}, decided after {played} at {until}{lead}")
}

/// Whether a bot is not worse than another by more than a margin, with its score and the score that the margin asks for.
fn margin_note(margin: &MarginReport, until: Confidence, played: &str) -> String {
    let MarginReport { bot, than, elo, least, score, answer } = margin;
    let question = match answer {
        Some(MarginAnswer::NotWorse) => {
            format!("{bot} is not worse than {than} by more than {elo} Elo")
        }
        Some(MarginAnswer::Worse) => format!("{bot} is worse than {than} by more than {elo} Elo"),
        None => format!("Whether {bot} is not worse than {than} by more than {elo} Elo"),
    };
    let decided = if answer.is_some() { "decided" } else { "is not decided" };
    let comma = if answer.is_some() { "," } else { "" };
    let score = score.map_or_else(String::new, |score| {
        format!(
            ": {bot} scores {:.2} %, and {:.2} % is {elo} Elo below {than}",
            100.0 * score,
            100.0 * least
        )
    });
    format!("{question}{comma} {decided} after {played} at {until}{score}")
}

/// The leader's advantage, with its interval.
fn lead_note(Lead { bot, mean, interval: Interval { low, high }, .. }: &Lead) -> String {
    if format!("{mean:.3}") == "0.000" {
        let bounds = [*low, *high].map(|bound| with_commas(bound, 3));
        return match bounds {
            [low, high] if low == high => ": neither is ahead".to_owned(),
            [low, high] => {
                format!(": neither is ahead, to within {low} to {high} points a game")
            }
        };
    }
    format!(
        ": {bot} is ahead by {} points a game ({} to {})",
        with_commas(*mean, 3),
        with_commas(*low, 3),
        with_commas(*high, 3)
    )
}

/// The results of the pairings of a duel or gauntlet.
fn pairing_notes(result: &ResultDocument) -> Vec<String> {
    if result.left_out.iter().any(|name| name == "pairings") {
        return vec![LEFT_OUT.to_owned()];
    }
    let one = |result: &PairingResult| {
        format!("{} {}", result.bot, rate_with_interval(result.win_rate, result.win_rate_ci95))
    };
    let line = |group: &Pairing| {
        format!("  {}", group.results.iter().map(one).collect::<Vec<_>>().join(", "))
    };
    let played: Vec<_> = result.pairings.iter().filter(|pairing| pairing.games > 0).collect();
    let lines = played.iter().copied().take(MAX_PAIRINGS).map(line);
    let heading = (!played.is_empty()).then(|| "Pairings, win % (95 % CI):".to_owned());
    let left_out = played.len().saturating_sub(MAX_PAIRINGS);
    let rest = (left_out > 0).then(|| format!("  and {left_out} more in the result document"));
    heading.into_iter().chain(lines).chain(rest).collect()
}

/// Whether two entrants share one of their group letters.
fn has_shared_group<'a>(marks: impl Iterator<Item = &'a str>) -> bool {
    let letters: Vec<char> = marks.flat_map(str::chars).collect();
    letters.iter().enumerate().any(|(index, letter)| letters[..index].contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_in_the_qualification_names_no_game() {
        let note = |game| bar_note("Mine", game, "illegal-move", Some("no face: 7\u{1b}"));
        assert_eq!(bar_note("Mine", 3, "crash", None), "Barred: Mine in game 3, crash");
        assert_eq!(note(17), "Barred: Mine in game 17, illegal-move: no face: 7\\u{1b}");
        assert_eq!(note(0), "Barred: Mine in the qualification, illegal-move: no face: 7\\u{1b}");
    }
}

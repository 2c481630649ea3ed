//! Runs that stop early, once their question is answered.

use std::cmp::Ordering;

use dicehill_arena::{
    BotName, Confidence, ConfidenceSequence, Entrant, FormatName, Hill, HillDraft, HillError,
    Memory, Reason, StoppingReport, TournamentGame,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::support::{
    Bots, Outcome, best_box, draft, failure, fill_worst, first_box, hill, play, raiser, results_of,
    scripted,
};

fn confidence(probability: f64) -> Confidence {
    Confidence::new(probability).expect("a confidence")
}

fn unequal_bots() -> Bots<Yahtzee> {
    let worst = scripted::<Yahtzee>(|_, view| fill_worst(view));
    vec![("Worst", worst), ("Best", best_box()), ("First", first_box())]
}

fn hill_until<G: TournamentGame>(
    bots: &Bots<G>,
    format: FormatName,
    games: i64,
    probability: f64,
) -> Hill<G> {
    let until = Some(confidence(probability));
    hill(HillDraft { format, games, until, ..draft(bots) })
}

fn report<G: Game>(outcome: &Outcome<G>) -> &StoppingReport {
    outcome.document.verdict.as_ref().expect("the run has a stopping rule")
}

/// Plays on one thread and on three with the same events. With a single pairing the games are the first ones of the run
/// without a stopping rule. `round` is the number of games after which the rule is evaluated.
fn check<G: TournamentGame>(
    bots: &Bots<G>,
    format: FormatName,
    games: i64,
    probability: f64,
    round: u64,
) -> Outcome<G> {
    let early = hill_until(bots, format, games, probability);
    let outcome = play(&early, 1);
    assert_eq!(outcome.events, play(&early, 3).events);
    let whole = play(&hill(HillDraft { format, games, ..draft(bots) }), 3);
    assert_eq!(whole.document.verdict, None);
    let played = report(&outcome).played;
    // Several pairings advance together only in a run that may stop early.
    if format == FormatName::Challenge || bots.len() == 2 {
        assert!(outcome.lines == whole.lines[..outcome.lines.len()], "the first of all games");
    }
    if report(&outcome).decided {
        assert!(played.is_multiple_of(round), "{played} games are not whole rounds of {round}");
        assert_eq!(outcome.lines.len() as u64, played);
        assert_eq!(outcome.document.extra_games, 0);
    }
    outcome
}

#[test]
fn a_duel_stops_at_the_first_decisive_block() {
    let bots: Bots<Yahtzee> = unequal_bots().into_iter().skip(1).collect();
    let outcome = check(&bots, FormatName::Duel, 4000, 0.99, 2);
    let hill = hill_until(&bots, FormatName::Duel, 4000, 0.99);
    let [best, first] = ["Best", "First"].map(|name| results_of(&outcome, &hill, name));
    let mut sequence = ConfidenceSequence::new(2);
    for (block, (best, first)) in best.chunks(2).zip(first.chunks(2)).enumerate() {
        assert_eq!(sequence.sign(confidence(0.99)), None, "before block {block}");
        let points = |games: &[(u64, dicehill_rules::SeatResult)]| {
            games.iter().map(|(_, result)| result.points as i64).sum::<i64>()
        };
        sequence.add(points(best) - points(first));
    }
    assert_eq!(sequence.sign(confidence(0.99)), Some(Ordering::Greater));
    assert_eq!(outcome.document.champion.as_deref(), Some("Best"));
    assert!(report(&outcome).decided && report(&outcome).played < 4000);
    let lead = report(&outcome).lead.as_ref().expect("two were compared");
    assert_eq!((lead.bot.as_str(), lead.over.as_str()), ("Best", "First"));
    assert!(0.0 < lead.interval.low && lead.interval.low < lead.mean);
    assert!(lead.mean < lead.interval.high && lead.interval.high < 1.0);
    let interval = sequence.interval(confidence(0.99));
    assert_eq!((interval.low / 2.0, interval.high / 2.0), (lead.interval.low, lead.interval.high));
}

#[test]
fn a_duel_stops_once_the_leader_is_ahead_of_every_other() {
    let of_three = check(&unequal_bots(), FormatName::Duel, 4000, 0.95, 6);
    assert!(report(&of_three).decided);
    assert_eq!(of_three.document.champion.as_deref(), Some("Best"));
    assert_eq!(report(&of_three).lead, None);
    let [worst, first] = ["Worst", "First"].map(|rival| {
        let bots: Bots<_> =
            unequal_bots().into_iter().filter(|(n, _)| [rival, "Best"].contains(n)).collect();
        report(&check(&bots, FormatName::Duel, 4000, 0.95, 2)).played
    });
    assert!(worst < first && 3 * first <= 2 * report(&of_three).played, "{worst} {first}");
}

#[test]
fn a_challenge_stops_at_the_first_decisive_game() {
    let outcome = check(&unequal_bots(), FormatName::Challenge, 4000, 0.95, 1);
    assert!(report(&outcome).decided);
    let raisers = vec![("A", raiser(20)), ("B", raiser(60)), ("C", raiser(35)), ("D", raiser(40))];
    let outcome = check(&raisers, FormatName::Challenge, 4000, 0.95, 1);
    assert!(report(&outcome).decided && report(&outcome).played < 4000);
    assert_eq!(outcome.document.champion, Some(outcome.document.standings[0].bot.clone()));
}

#[test]
fn a_gauntlet_stops_once_the_challenger_differs_from_each() {
    let outcome = check(&unequal_bots(), FormatName::Gauntlet, 4000, 0.95, 4);
    assert!(report(&outcome).decided);
    assert_eq!((&outcome.document.champion, &report(&outcome).lead), (&None, &None));
    for pairing_result in &outcome.document.pairings {
        assert_eq!(pairing_result.games, report(&outcome).played / 2);
        assert!(pairing_result.results[0].points != pairing_result.results[1].points);
    }
}

#[test]
fn equal_bots_play_all_games_and_play_off_ties() {
    let equals = vec![("A", first_box()), ("B", first_box())];
    let duel = check(&equals, FormatName::Duel, 300, 0.99, 2);
    assert!(!report(&duel).decided);
    assert_eq!((report(&duel).played, duel.lines.len()), (300, 300));
    let interval = report(&duel).lead.as_ref().expect("two were compared").interval;
    assert!(interval.low < 0.0 && interval.high > 0.0);
    let challenge = check(&equals, FormatName::Challenge, 1, 0.99, 1);
    let games = 1 + challenge.document.extra_games;
    assert_eq!((report(&challenge).played, challenge.lines.len() as u64), (1, games));
}

#[test]
fn votes_count_for_the_leader_of_the_stopping_rule() {
    let with_votes = |of_a: i64, of_b: i64| {
        let mut draft = draft(&vec![("A", raiser(60)), ("B", raiser(20))]);
        (draft.games, draft.until) = (4000, Some(confidence(0.95)));
        draft.entrants[0].votes = Some(of_a);
        draft.entrants[1].votes = Some(of_b);
        play(&hill::<LiarsDice>(draft), 2)
    };
    let without = with_votes(0, 0);
    assert_eq!(without.document.champion.as_deref(), Some("A"));
    let with = with_votes(0, 20_000);
    assert!(report(&with).decided && report(&with).played > report(&without).played);
    assert_eq!(with.document.champion.as_deref(), Some("A"));
    let never = with_votes(0, 1_000_000);
    assert!(!report(&never).decided);
    assert_eq!(never.document.champion.as_deref(), Some("B"));
    assert_eq!(report(&with_votes(20_000, -20_000)).played, report(&without).played);
}

#[test]
fn nothing_is_decided_if_all_entrants_are_barred() {
    let crash = || scripted::<LiarsDice>(|_, _| failure(Reason::Crash));
    let bots: Bots<LiarsDice> = vec![("A", crash()), ("B", crash()), ("C", crash())];
    for format in FormatName::ALL {
        let outcome = play(&hill_until(&bots, format, 400, 0.99), 2);
        assert!(outcome.bars.len() >= 2, "{}", outcome.bars.len());
        assert_eq!((report(&outcome).decided, report(&outcome).played), (false, 0));
    }
    let illegal = || scripted::<Yahtzee>(|_, _| failure(Reason::IllegalMove));
    let outcome = play(
        &hill_until(&vec![("A", illegal()), ("B", best_box())], FormatName::Duel, 400, 0.99),
        2,
    );
    assert_eq!(outcome.document.champion, None);
    assert!(!report(&outcome).decided);
}

/// After a bar the run stops where the run without that entrant stops.
#[test]
fn a_bar_restarts_the_stopping_rule() {
    let late = scripted::<Yahtzee>(|turn, view| match turn.start.game {
        5 => failure(Reason::Crash),
        _ => fill_worst(view),
    });
    let two: Bots<Yahtzee> = unequal_bots().into_iter().skip(1).collect();
    let three = [two.clone(), vec![("Late", late)]].concat();
    let [with, without] =
        [three, two].map(|bots| play(&hill_until(&bots, FormatName::Duel, 4000, 0.99), 3));
    assert_eq!((with.bars.len(), with.lines), (1, without.lines.clone()));
    assert_eq!(with.document.verdict, without.document.verdict);
}

#[test]
fn a_set_cannot_stop_early() {
    let draft =
        HillDraft { memory: Memory::Set, until: Some(confidence(0.9)), ..draft(&unequal_bots()) };
    assert_eq!(Hill::new(draft).err(), Some(HillError::UntilInSet));
}

#[test]
fn too_many_pairs_to_compare_are_refused() {
    let refused = |count: usize| {
        let mut draft = draft(&vec![("A", raiser(20))]);
        let template = draft.entrants.remove(0);
        let named = |number: usize| Entrant {
            name: BotName::new(&format!("bot {number}")).expect("a name"),
            ..template.clone()
        };
        draft.entrants = (0..count).map(named).collect();
        draft.until = Some(confidence(0.9));
        Hill::new(draft).err()
    };
    assert_eq!((refused(447), refused(448)), (None, Some(HillError::UntilAmongMany(100_128))));
}

#[test]
fn a_confidence_is_above_one_half_and_below_one() {
    for text in ["0.5", "1", "1.5", "-0.9", "0", "nan", "inf", "", "99%", "x"] {
        assert!(text.parse::<Confidence>().is_err(), "{text}");
    }
    for (text, shown) in [
        ("0.99", "99 %"),
        ("0.999", "99.9 %"),
        (".9", "90 %"),
        ("0.9999999999999", "99.99999999999 %"),
    ] {
        assert_eq!(text.parse::<Confidence>().expect(text).to_string(), shown);
    }
}

/// A draw in -60..=60 from a distribution with mean zero; the kinds have ties, skew or heavy tails.
fn fair_value(kind: usize, chance: &Chance, place: u64) -> i64 {
    let draw = chance.table_size(place, 6000) as i64;
    match kind {
        0 => [-1, 1][(draw % 2) as usize],
        1 => [-2, 0, 0, 0, 0, 2][(draw % 6) as usize],
        2 if draw < 100 => 59,
        2 => -1,
        3 if draw < 100 => -59,
        3 => 1,
        _ if draw < 3 => 60,
        _ if draw < 6 => -60,
        _ => 0,
    }
}

/// The sequences have mean zero and are checked after every value.
#[test]
fn false_stops_are_at_most_as_frequent_as_allowed() {
    const SEQUENCES: u64 = 300;
    const VALUES: u64 = 1000;
    let confidence = confidence(0.9);
    for kind in 0..5 {
        let false_stops = (0..SEQUENCES).filter(|number| {
            let chance = Chance::new(&format!("fair {kind} {number}"));
            let mut sequence = ConfidenceSequence::new(60);
            (1..=VALUES).any(|place| {
                sequence.add(fair_value(kind, &chance, place));
                sequence.sign(confidence).is_some()
            })
        });
        let false_stops = false_stops.count();
        assert!(false_stops <= 30, "{false_stops} of {SEQUENCES} sequences of kind {kind}");
    }
}

/// The mean of the values is 1.
#[test]
fn the_interval_excludes_zero_exactly_when_the_sign_is_decided() {
    let chance = Chance::new("interval");
    let mut sequence = ConfidenceSequence::new(3);
    let mut separated = false;
    for place in 1..400 {
        sequence.add(chance.table_size(place, 5) as i64 - 1);
        let interval = sequence.interval(confidence(0.95));
        separated = sequence.sign(confidence(0.95)) == Some(Ordering::Greater);
        assert_eq!(interval.low > 0.0, separated, "after {place} values");
        assert!(interval.low <= 1.0 && 1.0 <= interval.high, "{interval:?} after {place} values");
    }
    assert!(separated);
}

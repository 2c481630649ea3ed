//! Runs that end as soon as they have found out who is better.

use std::cmp::Ordering;

use dicehill_arena::{
    BotName, Confidence, ConfidenceSequence, Entrant, FormatName, Hill, HillDraft, HillError,
    Memory, Reason, Verdict,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::support::{
    Cast, Outcome, best_box, draft, failure, fill_worst, first_box, hill, play, player, raiser,
    results_of,
};

fn sure(probability: f64) -> Confidence {
    Confidence::new(probability).expect("a confidence")
}

fn unequal() -> Cast<Yahtzee> {
    let worst = player::<Yahtzee>(|_, view| fill_worst(view));
    vec![("Worst", worst), ("Best", best_box()), ("First", first_box())]
}

fn until<G: Game>(cast: &Cast<G>, format: FormatName, games: i64, confidence: f64) -> Hill<G> {
    let until = Some(sure(confidence));
    hill(HillDraft { format, games, until, ..draft(cast) })
}

fn verdict<G: Game>(outcome: &Outcome<G>) -> &Verdict {
    outcome.document.verdict.as_ref().expect("the run was to end early")
}

/// Plays on one thread and on three: the same events, and, of a single pairing, the first games of the
/// run without an early end.
fn check<G: Game>(
    cast: &Cast<G>,
    format: FormatName,
    games: i64,
    confidence: f64,
    round: u64,
) -> Outcome<G> {
    let early = until(cast, format, games, confidence);
    let outcome = play(&early, 1);
    assert_eq!(outcome.events, play(&early, 3).events);
    let whole = play(&hill(HillDraft { format, games, ..draft(cast) }), 3);
    assert_eq!(whole.document.verdict, None);
    let played = verdict(&outcome).played;
    // Several pairings advance together only in a run that may end early.
    if format == FormatName::Challenge || cast.len() == 2 {
        assert!(outcome.lines == whole.lines[..outcome.lines.len()], "the first of all games");
    }
    if verdict(&outcome).decided {
        assert!(played.is_multiple_of(round), "{played} games are not whole rounds of {round}");
        assert_eq!(outcome.lines.len() as u64, played);
        assert_eq!(outcome.document.extra_games, 0);
    }
    outcome
}

#[test]
fn a_duel_ends_at_the_first_block_that_decides_it() {
    let cast: Cast<Yahtzee> = unequal().into_iter().skip(1).collect();
    let outcome = check(&cast, FormatName::Duel, 4000, 0.99, 2);
    let hill = until(&cast, FormatName::Duel, 4000, 0.99);
    let [best, first] = ["Best", "First"].map(|name| results_of(&outcome, &hill, name));
    let mut sequence = ConfidenceSequence::new(2);
    for (block, (best, first)) in best.chunks(2).zip(first.chunks(2)).enumerate() {
        assert_eq!(sequence.separated(sure(0.99)), None, "before block {block}");
        let points = |games: &[(u64, dicehill_rules::SeatResult)]| {
            games.iter().map(|(_, result)| result.points as i64).sum::<i64>()
        };
        sequence.add(points(best) - points(first));
    }
    assert_eq!(sequence.separated(sure(0.99)), Some(Ordering::Greater));
    assert_eq!(outcome.document.champion.as_deref(), Some("Best"));
    assert!(verdict(&outcome).decided && verdict(&outcome).played < 4000);
    let lead = verdict(&outcome).lead.as_ref().expect("two were compared");
    assert_eq!((lead.bot.as_str(), lead.over.as_str()), ("Best", "First"));
    assert!(0.0 < lead.interval.low && lead.interval.low < lead.mean);
    assert!(lead.mean < lead.interval.high && lead.interval.high < 1.0);
    let interval = sequence.interval(sure(0.99));
    assert_eq!((interval.low / 2.0, interval.high / 2.0), (lead.interval.low, lead.interval.high));
}

#[test]
fn the_champion_has_to_be_told_apart_from_everybody() {
    let of_three = check(&unequal(), FormatName::Duel, 4000, 0.95, 6);
    assert!(verdict(&of_three).decided);
    assert_eq!(of_three.document.champion.as_deref(), Some("Best"));
    assert_eq!(verdict(&of_three).lead, None);
    let [worst, first] = ["Worst", "First"].map(|rival| {
        let cast: Cast<_> =
            unequal().into_iter().filter(|(n, _)| [rival, "Best"].contains(n)).collect();
        verdict(&check(&cast, FormatName::Duel, 4000, 0.95, 2)).played
    });
    assert!(worst < first && 3 * first <= 2 * verdict(&of_three).played, "{worst} {first}");
}

#[test]
fn a_challenge_ends_at_the_first_game_that_decides_it() {
    let outcome = check(&unequal(), FormatName::Challenge, 4000, 0.95, 1);
    assert!(verdict(&outcome).decided);
    let raisers = vec![("A", raiser(20)), ("B", raiser(60)), ("C", raiser(35)), ("D", raiser(40))];
    let outcome = check(&raisers, FormatName::Challenge, 4000, 0.95, 1);
    assert!(verdict(&outcome).decided && verdict(&outcome).played < 4000);
    assert_eq!(outcome.document.champion, Some(outcome.document.standings[0].bot.clone()));
}

#[test]
fn a_gauntlet_ends_when_the_challenger_is_told_apart_from_each() {
    let outcome = check(&unequal(), FormatName::Gauntlet, 4000, 0.95, 4);
    assert!(verdict(&outcome).decided);
    assert_eq!((&outcome.document.champion, &verdict(&outcome).lead), (&None, &None));
    for group in &outcome.document.pairings {
        assert_eq!(group.games, verdict(&outcome).played / 2);
        assert!(group.results[0].points != group.results[1].points);
    }
}

#[test]
fn equals_play_all_games_and_play_off_their_ties() {
    let equals = vec![("A", first_box()), ("B", first_box())];
    let duel = check(&equals, FormatName::Duel, 300, 0.99, 2);
    assert!(!verdict(&duel).decided);
    assert_eq!((verdict(&duel).played, duel.lines.len()), (300, 300));
    let interval = verdict(&duel).lead.as_ref().expect("two were compared").interval;
    assert!(interval.low < 0.0 && interval.high > 0.0);
    let challenge = check(&equals, FormatName::Challenge, 1, 0.99, 1);
    let games = 1 + challenge.document.extra_games;
    assert_eq!((verdict(&challenge).played, challenge.lines.len() as u64), (1, games));
}

#[test]
fn votes_are_part_of_the_board_that_is_decided() {
    let with_votes = |of_a: i64, of_b: i64| {
        let mut draft = draft(&vec![("A", raiser(60)), ("B", raiser(20))]);
        (draft.games, draft.until) = (4000, Some(sure(0.95)));
        draft.entrants[0].votes = Some(of_a);
        draft.entrants[1].votes = Some(of_b);
        play(&hill::<LiarsDice>(draft), 2)
    };
    let without = with_votes(0, 0);
    assert_eq!(without.document.champion.as_deref(), Some("A"));
    let with = with_votes(0, 20_000);
    assert!(verdict(&with).decided && verdict(&with).played > verdict(&without).played);
    assert_eq!(with.document.champion.as_deref(), Some("A"));
    let never = with_votes(0, 1_000_000);
    assert!(!verdict(&never).decided);
    assert_eq!(never.document.champion.as_deref(), Some("B"));
    assert_eq!(verdict(&with_votes(20_000, -20_000)).played, verdict(&without).played);
}

#[test]
fn nothing_is_decided_once_everybody_is_barred() {
    let crash = || player::<LiarsDice>(|_, _| failure(Reason::Crash));
    let cast: Cast<LiarsDice> = vec![("A", crash()), ("B", crash()), ("C", crash())];
    for format in FormatName::ALL {
        let outcome = play(&until(&cast, format, 400, 0.99), 2);
        assert!(outcome.bars.len() >= 2, "{}", outcome.bars.len());
        assert_eq!((verdict(&outcome).decided, verdict(&outcome).played), (false, 0));
    }
    let illegal = || player::<Yahtzee>(|_, _| failure(Reason::IllegalMove));
    let outcome =
        play(&until(&vec![("A", illegal()), ("B", best_box())], FormatName::Duel, 400, 0.99), 2);
    assert_eq!(outcome.document.champion.as_deref(), Some("B"));
    assert!(!verdict(&outcome).decided);
}

/// Without whoever is barred the run ends where it would have ended had that one never been there.
#[test]
fn a_bar_begins_the_question_anew() {
    let late = player::<Yahtzee>(|turn, view| match turn.start.game {
        5 => failure(Reason::Crash),
        _ => fill_worst(view),
    });
    let two: Cast<Yahtzee> = unequal().into_iter().skip(1).collect();
    let three = [two.clone(), vec![("Late", late)]].concat();
    let [with, without] =
        [three, two].map(|cast| play(&until(&cast, FormatName::Duel, 4000, 0.99), 3));
    assert_eq!((with.bars.len(), with.lines), (1, without.lines.clone()));
    assert_eq!(with.document.verdict, without.document.verdict);
}

#[test]
fn games_that_know_of_each_other_decide_nothing() {
    let draft = HillDraft { memory: Memory::Set, until: Some(sure(0.9)), ..draft(&unequal()) };
    assert_eq!(Hill::new(draft).err(), Some(HillError::UntilInSet));
}

#[test]
fn there_may_be_too_many_to_compare() {
    let refused = |bots: usize| {
        let mut draft = draft(&vec![("A", raiser(20))]);
        let one = draft.entrants.remove(0);
        let named = |number: usize| Entrant {
            name: BotName::new(&format!("bot {number}")).expect("a name"),
            ..one.clone()
        };
        draft.entrants = (0..bots).map(named).collect();
        draft.until = Some(sure(0.9));
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

/// A value with a mean of zero in -60..=60: ties, skew and heavy tails.
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

/// With a look after every value, equals are told apart in at most as many cases as is allowed.
#[test]
fn false_stops_are_as_rare_as_promised() {
    const SEQUENCES: u64 = 300;
    const VALUES: u64 = 1000;
    let confidence = sure(0.9);
    for kind in 0..5 {
        let false_stops = (0..SEQUENCES).filter(|number| {
            let chance = Chance::new(&format!("fair {kind} {number}"));
            let mut sequence = ConfidenceSequence::new(60);
            (1..=VALUES).any(|place| {
                sequence.add(fair_value(kind, &chance, place));
                sequence.separated(confidence).is_some()
            })
        });
        let false_stops = false_stops.count();
        assert!(false_stops <= 30, "{false_stops} of {SEQUENCES} sequences of kind {kind}");
    }
}

/// The interval leaves out zero exactly when the two are separated.
#[test]
fn the_interval_says_what_the_bets_say() {
    let chance = Chance::new("interval");
    let mut sequence = ConfidenceSequence::new(3);
    let mut separated = false;
    for place in 1..400 {
        sequence.add(chance.table_size(place, 5) as i64 - 1);
        let interval = sequence.interval(sure(0.95));
        separated = sequence.separated(sure(0.95)) == Some(Ordering::Greater);
        assert_eq!(interval.low > 0.0, separated, "after {place} values");
        assert!(interval.low <= 1.0 && 1.0 <= interval.high, "{interval:?} after {place} values");
    }
    assert!(separated);
}

//! In Yahtzee the first offence bars, in the order of game numbers.

use std::sync::Arc;

use dicehill_arena::{
    Bar, FormatName, HillDraft, Program, Reason, ResultDocument, StandingBar, read_game_line,
};
use dicehill_rules::Chance;
use dicehill_rules::yahtzee::{Action, Category, Yahtzee, YahtzeeRules};

use crate::support::{
    Bots, Outcome, Turn, best_box, challenge, draft, fill_first, first_box, hill, json, names_at,
    play, scripted, without,
};

const GAMES: i64 = 150;

/// A bot that fills the aces twice in every game for which `guilty` is true.
fn offender(guilty: impl Fn(&Turn) -> bool + Send + Sync + 'static) -> Arc<dyn Program<Yahtzee>> {
    scripted::<Yahtzee>(move |turn, view| {
        if turn.answer == 2 && guilty(turn) {
            Ok(Action::Fill(Category::Aces))
        } else {
            fill_first(view)
        }
    })
}

fn offends_in(game: u64) -> Arc<dyn Program<Yahtzee>> {
    offender(move |turn| turn.start.game == game)
}

/// Plays `bots` on one, two and eight threads. Exactly the expected bots are barred, at these games, and the rest
/// equals the run of the hill without them.
fn check(bots: &Bots<Yahtzee>, expected: &[(&str, u64)]) -> Outcome<Yahtzee> {
    let hill = challenge(bots, GAMES);
    let [outcome, two, eight] = [1, 2, 8].map(|jobs| play(&hill, jobs));
    assert_eq!(outcome.events, two.events);
    assert_eq!(outcome.events, eight.events);
    let barred: Vec<_> = outcome.bars.iter().map(|bar| (bar.bot.as_str(), bar.game)).collect();
    assert_eq!(barred, expected);
    check_rows(&outcome);
    let names: Vec<_> = expected.iter().map(|(name, _)| *name).collect();
    check_same_but_for_the_barred(&outcome, &play(&challenge(&without(bots, &names), GAMES), 1));
    outcome
}

/// The rows of barred entrants are last, in the order of their bars, and have no results.
fn check_rows(outcome: &Outcome<Yahtzee>) {
    let standings = &outcome.document.standings;
    let barred = &standings[standings.len() - outcome.bars.len()..];
    for (row, Bar { bot, reason, game, detail, .. }) in barred.iter().zip(&outcome.bars) {
        let bar = row.barred.as_ref().expect("the row of a bar");
        assert_eq!((&row.bot, &bar.reason, &bar.game, &bar.detail), (bot, reason, game, detail));
        assert_eq!((row.rank, row.points, row.games, row.wins), (None, 0, 0, 0));
        assert!(json(row).contains(r#""score":null"#), "{}", json(row));
    }
}

fn check_same_but_for_the_barred(outcome: &Outcome<Yahtzee>, clean: &Outcome<Yahtzee>) {
    assert!(clean.bars.is_empty());
    assert_eq!(outcome.lines, clean.lines);
    let rows = |outcome: &Outcome<Yahtzee>| json(&outcome.ranked());
    assert_eq!(rows(outcome), rows(clean));
    let summary = |outcome: &Outcome<Yahtzee>| {
        let document = &outcome.document;
        let (champion, tied) = (document.champion.clone(), document.tied.clone());
        (document.games, document.extra_games, champion, tied, document.records.clone())
    };
    assert_eq!(summary(outcome), summary(clean));
}

#[test]
fn an_offence_in_any_game_bars_the_offender() {
    for game in [1, 2, 18, 64, 65, 149, 150] {
        let bots = vec![("A", first_box()), ("B", best_box()), ("C", offends_in(game))];
        check(&bots, &[("C", game)]);
    }
}

#[test]
fn bars_are_in_the_order_of_game_numbers() {
    let bots = vec![
        ("A", offends_in(120)),
        ("B", offends_in(7)),
        ("C", best_box()),
        ("D", offends_in(31)),
        ("E", first_box()),
    ];
    check(&bots, &[("B", 7), ("D", 31), ("A", 120)]);
}

#[test]
fn of_two_offenders_in_one_game_the_first_to_act_is_barred() {
    let clean = vec![("A", first_box()), ("B", first_box()), ("C", first_box())];
    let hill = challenge(&clean, GAMES);
    let clean = play(&hill, 1);
    for game in 1..=8 {
        let order = names_at(&hill, &clean.games[game - 1]);
        let order: Vec<_> = order.into_iter().filter(|name| *name != "C").collect();
        let game = game as u64;
        let bots = vec![("A", offends_in(game)), ("B", offends_in(game)), ("C", first_box())];
        // The other offender offends later, in the same game of the run without the first.
        let outcome = play(&challenge(&bots, GAMES), 2);
        let [first, ..] = outcome.bars.as_slice() else { panic!("no bar") };
        assert_eq!((first.bot.as_str(), first.game), (order[0], game));
    }
}

#[test]
fn offences_in_games_that_no_longer_count_do_not_bar() {
    let at_four = offender(|turn| turn.start.game >= 9 && turn.start.players == 4);
    let bots = vec![("A", first_box()), ("B", at_four), ("C", offends_in(5)), ("D", best_box())];
    check(&bots, &[("C", 5)]);
}

#[test]
fn a_second_bar_may_be_at_an_earlier_game_than_the_first() {
    let at_three = offender(|turn| turn.start.game >= 3 && turn.start.players == 3);
    let bots = vec![("A", at_three), ("B", first_box()), ("C", offends_in(90)), ("D", best_box())];
    check(&bots, &[("C", 90), ("A", 3)]);
}

#[test]
fn every_kind_of_fault_bars_in_yahtzee() {
    for reason in Reason::all() {
        let guilty = scripted::<Yahtzee>(move |turn, view| {
            if turn.start.game == 4 { crate::support::failure(reason) } else { fill_first(view) }
        });
        let bots = vec![("A", first_box()), ("B", guilty), ("C", first_box())];
        let outcome = check(&bots, &[("B", 4)]);
        assert_eq!(outcome.bars[0].reason, reason.name());
        assert_eq!(outcome.bars[0].detail, "as scripted");
    }
}

fn outcome_row(document: &ResultDocument, bot: &str) -> StandingBar {
    let row = document.standings.iter().find(|row| row.bot == bot).expect("the bot's row");
    row.barred.clone().expect("the bot is barred")
}

#[test]
fn a_bar_records_game_request_answer_and_reason() {
    let bots = vec![("A", first_box()), ("B", best_box()), ("C", offends_in(12))];
    let Outcome { bars, events, document, .. } = check(&bots, &[("C", 12)]);
    let [bar] = bars.as_slice() else { panic!("{bars:?}") };
    assert_eq!((bar.reason.as_str(), bar.game), ("illegal-move", 12));
    assert_eq!(bar.detail, "ACES: this category is already used");
    let request: serde_json::Value = serde_json::from_str(&bar.request).expect("a message");
    assert_eq!((&request["type"], &request["stage"]), (&"turn".into(), &0.into()), "{request}");
    assert_eq!(request["dice"].as_array().map(Vec::len), Some(5), "{request}");
    let row = outcome_row(&document, "C");
    assert_eq!((&row.request, &row.detail), (&bar.request, &bar.detail));

    let line: serde_json::Value = serde_json::from_str(&bar.record).unwrap();
    assert_eq!((&line["game"], &line["void"]), (&12.into(), &true.into()));
    assert!(line["moves"].as_str().unwrap().ends_with(",!"), "{line}");
    let failures = serde_json::json!([{"seat": 1, "reason": bar.reason, "detail": bar.detail}]);
    assert_eq!(line["failures"], failures);
    let chance = Chance::new("a seed");
    read_game_line::<Yahtzee>(&bar.record, YahtzeeRules::Official, &chance).unwrap();

    // Eleven games, the bar, and the restarted run from its first game.
    assert!(events[0].starts_with("started"));
    assert!(events[11].starts_with(r#"played 11 {"type":"game","game":11,"#));
    assert!(events[12].starts_with("barred"));
    assert!(events[13].starts_with(r#"played 1 {"type":"game","game":1,"#));
}

#[test]
fn without_a_game_the_only_entrant_not_barred_is_no_champion() {
    let bots = vec![("A", offends_in(3)), ("B", offends_in(2))];
    let outcome = check_left(&bots);
    assert_eq!(outcome.document.champion, None);
    let bots = vec![("A", offends_in(5)), ("B", offends_in(2)), ("C", first_box())];
    let outcome = check_left(&bots);
    assert_eq!(outcome.document.champion, None);
}

/// All entrants but one are barred, and no game counts.
fn check_left(bots: &Bots<Yahtzee>) -> Outcome<Yahtzee> {
    let outcome = play(&challenge(bots, GAMES), 2);
    assert_eq!(outcome.bars.len(), bots.len() - 1);
    assert!(outcome.lines.is_empty() && outcome.document.tied.is_empty());
    assert_eq!(outcome.document.records, format!("blake3:{}", blake3::hash(b"")));
    let [remaining] = outcome.ranked().try_into().expect("one is not barred");
    assert_eq!(
        (remaining.rank, remaining.games, remaining.points, remaining.win_rate),
        (Some(1), 0, 0, None)
    );
    check_rows(&outcome);
    outcome
}

#[test]
fn an_offence_in_a_play_off_bars_the_offender() {
    let games = 2;
    let fair = vec![("A", first_box()), ("B", first_box()), ("C", first_box())];
    let guilty = offender(move |turn| turn.start.game > games as u64);
    let bots = vec![("A", guilty), ("B", first_box()), ("C", first_box())];
    let mut bars = 0;
    for seed in 0..40 {
        let with_seed = |bots| {
            let draft = draft(bots);
            let seed = format!("play-off {seed}");
            hill(HillDraft { games, seed, ..draft })
        };
        let hill = with_seed(&fair);
        let first = play(&hill, 1);
        let sits = first.games.get(2).is_some_and(|g| names_at(&hill, g).contains(&"A"));
        let outcome = play(&with_seed(&bots), 2);
        if sits {
            bars += 1;
            assert_eq!((outcome.bars[0].bot.as_str(), outcome.bars[0].game), ("A", 3));
            let clean = play(&with_seed(&without(&fair, &["A"])), 1);
            check_same_but_for_the_barred(&outcome, &clean);
        } else if first.games.len() == 2 {
            assert!(outcome.bars.is_empty());
        }
    }
    assert!(bars > 3, "of 40 seeds only {bars} led to a tie");
}

#[test]
fn the_last_entrant_not_barred_is_the_challenger_unless_one_is_named() {
    let bots = vec![("A", first_box()), ("B", best_box()), ("C", offends_in(4))];
    let held = |challenger: Option<&str>, bots: &Bots<Yahtzee>| {
        let challenger = challenger.map(str::to_owned);
        let format = FormatName::Gauntlet;
        play(&hill(HillDraft { format, challenger, games: 10, ..draft(bots) }), 2)
    };
    let outcome = held(None, &bots);
    assert_eq!(outcome.document.terms.challenger.as_deref(), Some("B"));
    assert_eq!(outcome.lines, held(None, &without(&bots, &["C"])).lines);
    assert_eq!(outcome.lines.len(), 10);
    let named = held(Some("C"), &bots);
    assert_eq!((named.bars.len(), named.lines.len()), (1, 0));
    assert_eq!((named.document.champion, named.document.tied.len()), (None, 0));
}

#[test]
fn two_entrants_at_tables_of_three_have_neither_champion_nor_tie() {
    let bots = vec![("A", first_box()), ("B", best_box()), ("C", offends_in(4))];
    let format = FormatName::Duel;
    let outcome = play(&hill(HillDraft { format, seats: Some(3), games: 9, ..draft(&bots) }), 2);
    assert_eq!((outcome.bars.len(), outcome.lines.len()), (1, 0));
    assert_eq!((outcome.document.champion, outcome.document.tied.len()), (None, 0));
}

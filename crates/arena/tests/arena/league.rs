//! The board of a league: a whole run, and the entrants that were placed since.

use dicehill_arena::{FormatName, HillDraft, Placing, ResultDocument};
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Cast, best_box, draft, fill_worst, first_box, hill, play, player};

/// Entrants whose strengths differ widely: B above F above W.
fn cast() -> Cast<Yahtzee> {
    let worst = player::<Yahtzee>(|_, view| fill_worst(view));
    vec![("W", worst), ("F", first_box()), ("B", best_box())]
}

/// The result of a duel of all.
fn whole() -> ResultDocument {
    let duel = HillDraft { format: FormatName::Duel, games: 20, ..draft(&cast()) };
    play(&hill(duel), 1).document
}

/// The result of a placement of `bot` with this rank.
fn placement(bot: &'static str, rank: usize) -> ResultDocument {
    let mut cast = cast();
    cast.retain(|(name, _)| *name != bot);
    cast.push((bot, best_box()));
    let strengths = Some(vec![0.0; cast.len()]);
    let challenger = Some(bot.to_owned());
    let format = FormatName::Gauntlet;
    let gauntlet = HillDraft { format, challenger, strengths, ..draft(&cast) };
    let mut result = play(&hill(gauntlet), 1).document;
    let placing = result.placing.as_mut().expect("a placement");
    (placing.rank, placing.strength) = (rank, 1.0);
    result
}

/// Ranks and names, best first.
fn order(league: &ResultDocument) -> Vec<(usize, &str)> {
    league.standings.iter().filter_map(|row| Some((row.rank?, row.bot.as_str()))).collect()
}

#[test]
fn a_placed_entrant_has_its_rank_in_the_league() {
    let whole = whole();
    assert_eq!(order(&whole), [(1, "B"), (2, "F"), (3, "W")]);
    assert_eq!(whole.champion.as_deref(), Some("B"));
    let second = placement("New", 2);
    let league = whole.clone().with_placements([&second]);
    assert_eq!(order(&league), [(1, "B"), (2, "New"), (3, "F"), (4, "W")]);
    assert_eq!((&league.champion, league.champion_sure), (&whole.champion, whole.champion_sure));
    let row = &league.standings[1];
    assert_eq!(row.placed.as_ref(), second.placing.as_ref());
    assert_eq!(row.games, second.placing.as_ref().map_or(0, |Placing { games, .. }| *games));
    // A strength of 1 is odds of e to one.
    assert!((row.rating.expect("a rating") - 173.717_8).abs() < 1e-3);
    assert_eq!((row.win_rate, row.rating_ci95, row.best), (None, None, None));
    // The others are as they were.
    assert_eq!(league.standings[0], whole.standings[0]);
    assert_eq!(league.pairings, whole.pairings);
}

#[test]
fn the_first_of_the_league_is_its_champion() {
    let league = whole().with_placements([&placement("New", 1)]);
    assert_eq!(order(&league), [(1, "New"), (2, "B"), (3, "F"), (4, "W")]);
    assert_eq!((league.champion.as_deref(), league.champion_sure), (Some("New"), None));
}

#[test]
fn a_later_version_takes_the_place_of_the_earlier() {
    let [third, first] = [placement("New", 3), placement("New", 1)];
    let league = whole().with_placements([&third, &first]);
    assert_eq!(order(&league), [(1, "New"), (2, "B"), (3, "F"), (4, "W")]);
    // The former champion comes again and is placed last.
    let league = whole().with_placements([&placement("B", 3)]);
    assert_eq!(order(&league), [(1, "F"), (2, "W"), (3, "B")]);
    assert_eq!((league.champion.as_deref(), league.champion_sure), (Some("F"), None));
}

#[test]
fn ranks_beyond_the_board_are_its_end() {
    let league = whole().with_placements([&placement("New", 99)]);
    assert_eq!(order(&league), [(1, "B"), (2, "F"), (3, "W"), (4, "New")]);
    assert_eq!(whole().with_placements([&whole()]), whole(), "a whole run places no entrant");
}

/// The line says how the entrant was placed; a run's own document never does.
#[test]
fn documents_say_how_an_entrant_was_placed() {
    let league = whole().with_placements([&placement("New", 2)]);
    let json = serde_json::to_value(&league).expect("a document");
    assert_eq!(json["standings"][1]["placed"]["rank"], 2);
    assert_eq!(json["standings"][0].get("placed"), None);
}

//! The board of a league: a full run, and the entrants that were placed since.

use dicehill_arena::{FormatName, HillDraft, PlacementResult, Reason, ResultDocument};
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Bots, best_box, draft, failure, fill_worst, first_box, hill, play, scripted};

/// Entrants of very different strength: B above F above W.
fn bots() -> Bots<Yahtzee> {
    let worst = scripted::<Yahtzee>(|_, view| fill_worst(view));
    vec![("W", worst), ("F", first_box()), ("B", best_box())]
}

/// The result of a duel between all entrants.
fn whole() -> ResultDocument {
    let duel = HillDraft { format: FormatName::Duel, games: 20, ..draft(&bots()) };
    play(&hill(duel), 1).document
}

/// The result of a placement of `bot`, with its rank replaced by `rank`.
fn placement(bot: &'static str, rank: usize) -> ResultDocument {
    let mut bots = bots();
    bots.retain(|(name, _)| *name != bot);
    bots.push((bot, best_box()));
    let strengths = Some(vec![0.0; bots.len()]);
    let challenger = Some(bot.to_owned());
    let format = FormatName::Gauntlet;
    let gauntlet = HillDraft { format, challenger, strengths, ..draft(&bots) };
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
    assert_eq!(
        row.games,
        second.placing.as_ref().map_or(0, |PlacementResult { games, .. }| *games)
    );
    // A strength of 1 means odds of e to one.
    assert!((row.rating.expect("a rating") - 173.717_8).abs() < 1e-3);
    assert_eq!((row.win_rate, row.rating_ci95, row.best), (None, None, None));
    // The other rows are unchanged.
    assert_eq!(league.standings[0], whole.standings[0]);
    assert_eq!(league.pairings, whole.pairings);
}

#[test]
fn a_placed_entrant_at_rank_one_is_the_champion() {
    let league = whole().with_placements([&placement("New", 1)]);
    assert_eq!(order(&league), [(1, "New"), (2, "B"), (3, "F"), (4, "W")]);
    assert_eq!((league.champion.as_deref(), league.champion_sure), (Some("New"), None));
}

#[test]
fn a_later_version_replaces_the_earlier_one() {
    let [third, first] = [placement("New", 3), placement("New", 1)];
    let league = whole().with_placements([&third, &first]);
    assert_eq!(order(&league), [(1, "New"), (2, "B"), (3, "F"), (4, "W")]);
    // The former champion is placed again, and last.
    let league = whole().with_placements([&placement("B", 3)]);
    assert_eq!(order(&league), [(1, "F"), (2, "W"), (3, "B")]);
    assert_eq!((league.champion.as_deref(), league.champion_sure), (Some("F"), None));
}

#[test]
fn an_entrant_that_was_barred_in_its_placement_has_no_rank() {
    let barred = |bot: &'static str| {
        let fails = scripted::<Yahtzee>(|_, _| failure(Reason::Crash));
        let mut bots = bots();
        bots.retain(|(name, _)| *name != bot);
        bots.push((bot, fails));
        let strengths = Some(vec![0.0; bots.len()]);
        let challenger = Some(bot.to_owned());
        let format = FormatName::Gauntlet;
        let gauntlet = HillDraft { format, challenger, strengths, ..draft(&bots) };
        play(&hill(gauntlet), 1).document
    };
    let new = barred("New");
    assert!(new.placing.is_some() && new.placement().is_none());
    let league = whole().with_placements([&new]);
    assert_eq!(order(&league), [(1, "B"), (2, "F"), (3, "W")]);
    let last = league.standings.last().expect("four rows");
    assert_eq!((last.bot.as_str(), last.rank, last.barred.is_some()), ("New", None, true));
    assert_eq!(league.champion.as_deref(), Some("B"));
    // A new version of the champion loses its title.
    let league = whole().with_placements([&barred("B")]);
    assert_eq!(order(&league), [(1, "F"), (2, "W")]);
    assert_eq!(league.champion.as_deref(), Some("F"));
    // One that is placed later has a rank again.
    let league = whole().with_placements([&new, &placement("New", 2)]);
    assert_eq!(order(&league), [(1, "B"), (2, "New"), (3, "F"), (4, "W")]);
}

#[test]
fn a_rank_beyond_the_board_is_the_last_rank() {
    let league = whole().with_placements([&placement("New", 99)]);
    assert_eq!(order(&league), [(1, "B"), (2, "F"), (3, "W"), (4, "New")]);
    assert_eq!(whole().with_placements([&whole()]), whole(), "a whole run places no entrant");
}

#[test]
fn only_league_documents_have_placements_in_rows() {
    let league = whole().with_placements([&placement("New", 2)]);
    let json = serde_json::to_value(&league).expect("a document");
    assert_eq!(json["standings"][1]["placed"]["rank"], 2);
    assert_eq!(json["standings"][0].get("placed"), None);
}

//! Runs that place a new entrant: the results so far choose its next rival.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Event, FormatName, GameSource, Hill, HillDraft, Jobs, PlacementResult, Reason, ResumeState,
    RunEnd, RunOptions, run_from,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Bots, best_box, draft, failure, fill_worst, first_box, hill, play, scripted};

fn bots(new_entrant: &'static str) -> Bots<Yahtzee> {
    let program = match new_entrant {
        "Best" => best_box(),
        "Worst" => scripted::<Yahtzee>(|_, view| fill_worst(view)),
        _ => first_box(),
    };
    let worst = || scripted::<Yahtzee>(|_, view| fill_worst(view));
    vec![
        ("W", worst()),
        ("F", first_box()),
        ("G", first_box()),
        ("B", best_box()),
        ("New", program),
    ]
}

fn placed(new_entrant: &'static str, strengths: Vec<f64>) -> Hill<Yahtzee> {
    let (format, challenger) = (FormatName::Gauntlet, Some("New".to_owned()));
    let strengths = Some(strengths);
    hill(HillDraft { format, challenger, strengths, ..draft(&bots(new_entrant)) })
}

const STRENGTHS: [f64; 5] = [-4.0, 0.0, 0.1, 5.0, 0.0];

fn placing(new_entrant: &'static str) -> PlacementResult {
    let hill = placed(new_entrant, STRENGTHS.to_vec());
    let [single, parallel] = [1, 4].map(|jobs| play(&hill, jobs));
    assert_eq!(single.events, parallel.events, "different on four threads");
    let placing = single.document.placing.expect("the new entrant was placed");
    assert_eq!(placing.games, single.lines.len() as u64);
    assert!(placing.games <= 2 * 8 * 3, "8 blocks for each doubling of five");
    assert_eq!(single.document.champion, None);
    placing
}

#[test]
fn new_entrants_find_their_ranks() {
    let ranks = ["Best", "First", "Worst"].map(|new_entrant| {
        let PlacementResult { bot, rank, rank_ci95: [best, worst], among, .. } =
            placing(new_entrant);
        assert_eq!((bot.as_str(), among), ("New", 5));
        assert!(best <= rank && rank <= worst && worst <= among);
        rank
    });
    assert!(ranks[0] <= 2 && (2..=4).contains(&ranks[1]) && ranks[2] >= 4, "{ranks:?}");
}

/// The recorded first games of a run.
struct RecordedLines(Vec<String>);

impl GameSource for RecordedLines {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(game as usize - 1).cloned())
    }
}

#[test]
fn a_resumed_placement_gives_the_same_result() {
    let hill = placed("First", STRENGTHS.to_vec());
    let whole = play(&hill, 1);
    for kept in [0, 1, 2, 7, whole.lines.len()] {
        let first = RecordedLines(whole.lines[..kept].to_vec());
        let state = ResumeState {
            bars: Vec::new(),
            games: &first,
            is_resumed: true,
            recorded: 0,
            records: None,
        };
        let stop = AtomicBool::new(false);
        let options =
            RunOptions { jobs: Jobs::Exactly(1), max_play_offs: 0, stop: &stop, deadline: None };
        let lines = Mutex::new(Vec::new());
        let end = run_from(&hill, state, options, &mut |event| {
            match event {
                Event::Played(played, _) => lines.lock().unwrap().push(played.line.clone()),
                Event::Recalled(recalled, _) => lines.lock().unwrap().push(recalled.line.clone()),
                Event::Started(_) => panic!("the run was resumed"),
                Event::Barred(_)
                | Event::Retried(_)
                | Event::MemoryLost { .. }
                | Event::Diverged { .. }
                | Event::Ended(_) => {}
            }
            Ok(())
        });
        let RunEnd::Done(document) = end.expect("all lines can be read") else {
            panic!("the run was stopped")
        };
        assert_eq!(document, whole.document);
        assert_eq!(lines.into_inner().unwrap(), whole.lines);
    }
}

#[test]
fn only_a_gauntlet_with_a_strength_for_each_entrant_can_place() {
    let refused = |format, strengths: Vec<f64>| {
        let strengths = Some(strengths);
        let error = Hill::new(HillDraft { format, strengths, ..draft(&bots("First")) });
        error.err().expect("it cannot be played").to_string()
    };
    let expected = "a gauntlet that places its challenger needs one of each";
    assert!(refused(FormatName::Duel, STRENGTHS.to_vec()).contains(expected));
    assert!(refused(FormatName::Gauntlet, vec![0.0; 4]).contains("4 strengths for 5 bots"));
    assert!(refused(FormatName::Gauntlet, vec![f64::NAN; 5]).contains(expected));
}

#[test]
fn a_new_entrant_that_keeps_failing_is_barred_during_its_placement() {
    let failing = || scripted::<LiarsDice>(|_, _| failure(Reason::Crash));
    let names = ["A", "B", "C", "D", "New"];
    let bots: Bots<LiarsDice> = names.into_iter().map(|name| (name, failing())).collect();
    let (format, challenger) = (FormatName::Gauntlet, Some("New".to_owned()));
    let hill =
        hill(HillDraft { format, challenger, strengths: Some(vec![0.0; 5]), ..draft(&bots) });
    let outcome = play(&hill, 1);
    let barred: Vec<_> = outcome.bars.iter().map(|bar| bar.bot.as_str()).collect();
    assert_eq!(barred, ["New"]);
}

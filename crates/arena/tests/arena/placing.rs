//! Newcomers that are placed: whom they play follows from what came before.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Event, FormatName, Hill, HillDraft, Past, Placing, Recall, RunEnd, RunOptions, run_from,
};
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Cast, best_box, draft, fill_worst, first_box, hill, play, player};

fn cast(newcomer: &'static str) -> Cast<Yahtzee> {
    let program = match newcomer {
        "Best" => best_box(),
        "Worst" => player::<Yahtzee>(|_, view| fill_worst(view)),
        _ => first_box(),
    };
    let worst = || player::<Yahtzee>(|_, view| fill_worst(view));
    vec![
        ("W", worst()),
        ("F", first_box()),
        ("G", first_box()),
        ("B", best_box()),
        ("New", program),
    ]
}

fn placed(newcomer: &'static str, strengths: Vec<f64>) -> Hill<Yahtzee> {
    let (format, challenger) = (FormatName::Gauntlet, Some("New".to_owned()));
    let strengths = Some(strengths);
    hill(HillDraft { format, challenger, strengths, ..draft(&cast(newcomer)) })
}

const STRENGTHS: [f64; 5] = [-4.0, 0.0, 0.1, 5.0, 0.0];

fn placing(newcomer: &'static str) -> Placing {
    let hill = placed(newcomer, STRENGTHS.to_vec());
    let [one, many] = [1, 4].map(|jobs| play(&hill, jobs));
    assert_eq!(one.events, many.events, "on any number of threads");
    let placing = one.document.placing.expect("the newcomer was placed");
    assert_eq!(placing.games, one.lines.len() as u64);
    assert!(placing.games <= 2 * 8 * 3, "8 blocks for each doubling of five");
    assert_eq!(one.document.champion, None);
    placing
}

#[test]
fn newcomers_find_their_ranks() {
    let ranks = ["Best", "First", "Worst"].map(|newcomer| {
        let Placing { bot, rank, rank_ci95: [best, worst], among, .. } = placing(newcomer);
        assert_eq!((bot.as_str(), among), ("New", 5));
        assert!(best <= rank && rank <= worst && worst <= among);
        rank
    });
    assert!(ranks[0] <= 2 && (2..=4).contains(&ranks[1]) && ranks[2] >= 4, "{ranks:?}");
}

/// The first games of a run.
struct First(Vec<String>);

impl Recall for First {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(game as usize - 1).cloned())
    }
}

#[test]
fn a_placement_goes_on_where_it_was_left() {
    let hill = placed("First", STRENGTHS.to_vec());
    let whole = play(&hill, 1);
    for kept in [0, 1, 2, 7, whole.lines.len()] {
        let first = First(whole.lines[..kept].to_vec());
        let past = Past { bars: Vec::new(), games: &first, goes_on: true, records: None };
        let stop = AtomicBool::new(false);
        let options = RunOptions { jobs: 1, most_play_offs: 0, stop: &stop };
        let lines = Mutex::new(Vec::new());
        let end = run_from(&hill, past, options, &mut |event| {
            match event {
                Event::Played(played, _) => lines.lock().unwrap().push(played.line.clone()),
                Event::Recalled(recalled, _) => lines.lock().unwrap().push(recalled.line.clone()),
                Event::Started(_) => panic!("it has begun before"),
                Event::Barred(_)
                | Event::Retried(_)
                | Event::MemoryLost { .. }
                | Event::Diverged { .. }
                | Event::Ended(_) => {}
            }
            Ok(())
        });
        let RunEnd::Done(document) = end.expect("it can be read") else {
            panic!("nobody stops it")
        };
        assert_eq!(document, whole.document);
        assert_eq!(lines.into_inner().unwrap(), whole.lines);
    }
}

#[test]
fn only_a_gauntlet_with_a_strength_for_each_places_somebody() {
    let refused = |format, strengths: Vec<f64>| {
        let strengths = Some(strengths);
        let error = Hill::new(HillDraft { format, strengths, ..draft(&cast("First")) });
        error.err().expect("it cannot be played").to_string()
    };
    let told = "a gauntlet that places its challenger needs one of each";
    assert!(refused(FormatName::Duel, STRENGTHS.to_vec()).contains(told));
    assert!(refused(FormatName::Gauntlet, vec![0.0; 4]).contains("4 strengths for 5 bots"));
    assert!(refused(FormatName::Gauntlet, vec![f64::NAN; 5]).contains(told));
}

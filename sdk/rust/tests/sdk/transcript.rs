//! Saved games: the golden transcripts, `--transcript`, and the functions for tests of authors.

use std::path::Path;

use dicehill_bot::yahtzee::{Category, Keep};
use dicehill_bot::{Bots, Hello, TranscriptError, liars_dice, yahtzee};
use serde_json::{Value, json};

use crate::program::{hello, liars_dice_turn, run, yahtzee_turn};

// The example is a program; its main function is unused here.
#[expect(dead_code, reason = "a test needs the bot alone")]
#[path = "../../examples/steady.rs"]
mod steady;

fn golden(game: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol/transcripts").join(game);
    std::fs::read_to_string(file.with_extension("txt")).expect("the golden transcript is there")
}

#[test]
fn steady_answers_the_golden_transcripts_as_recorded_and_legally() {
    for game in ["yahtzee", "liars-dice"] {
        let bots = || {
            let steady = |_: &Hello| steady::Steady;
            Bots::new().yahtzee(steady).liars_dice(steady)
        };
        let steps = bots().play_transcript(&golden(game)).expect("a transcript");
        assert!(steps.len() >= 20, "{} turns", steps.len());
        for step in steps {
            assert_eq!(step.is_as_recorded(), Some(true), "{step}");
        }
        assert_eq!(bots().check_transcript(&golden(game)), Ok(Vec::new()));
    }
}

/// A bot that always gives the same answer.
#[derive(Clone, Copy)]
struct Fixed<A>(A);

impl yahtzee::Bot for Fixed<yahtzee::Answer> {
    fn turn(&mut self, _turn: &yahtzee::Turn) -> yahtzee::Answer {
        self.0
    }
}

impl liars_dice::Bot for Fixed<liars_dice::Answer> {
    fn turn(&mut self, _turn: &liars_dice::Turn) -> liars_dice::Answer {
        self.0
    }
}

/// Checks the complaint of `check_transcript` about one answer to one turn.
#[track_caller]
fn check(bots: Bots, turn: &Value, complaint: Option<&str>) {
    let complaint = complaint.map(|why| format!("line 1: game 4, request 5: {why}"));
    assert_eq!(bots.check_transcript(&turn.to_string()), Ok(complaint.into_iter().collect()));
}

#[test]
fn illegal_yahtzee_answers_are_found() {
    let of = |answer, stage: u8, complaint| {
        let mut turn = yahtzee_turn(5, 4);
        turn["stage"] = json!(stage);
        check(Bots::new().yahtzee(move |_| Fixed(answer)), &turn, complaint);
    };
    let keep = yahtzee::Answer::Keep(Keep::new([4, 0]).expect("a keep"));
    of(keep, 0, None);
    of(keep, 1, None);
    of(keep, 2, Some("a keep at stage 2"));
    of(yahtzee::Answer::Category(Category::Chance), 2, None);
    of(yahtzee::Answer::Category(Category::Yahtzee), 2, Some("category YAHTZEE is not legal now"));
}

#[test]
fn illegal_bids_are_found() {
    let of = |count, face, complaint| {
        let bid = liars_dice::Answer::Bid(liars_dice::Bid { count, face });
        check(Bots::new().liars_dice(move |_| Fixed(bid)), &liars_dice_turn(5, 4), complaint);
    };
    of(4, 3, None);
    of(5, 1, None);
    of(1_000_000, 6, None);
    of(4, 2, Some("4 2 is not above 4 2"));
    of(3, 6, Some("3 6 is not above 4 2"));
    of(0, 1, Some("count 0 is not 1-1000000"));
    of(1_000_001, 1, Some("count 1000001 is not 1-1000000"));
    of(5, 7, Some("face 7 is not 1-6"));
    of(5, 0, Some("face 0 is not 1-6"));
    let liar = || Bots::new().liars_dice(|_| Fixed(liars_dice::Answer::Liar));
    check(liar(), &liars_dice_turn(5, 4), None);
    let mut first = liars_dice_turn(5, 4);
    first["bids"] = json!([]);
    check(liar(), &first, Some("Liar! as a round's first action"));
}

/// A bot that passes each turn of Yahtzee to a function of the test.
struct Looking<F>(F);

impl<F: Fn(&yahtzee::Turn) -> yahtzee::Answer> yahtzee::Bot for Looking<F> {
    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        (self.0)(turn)
    }
}

#[test]
fn the_methods_of_a_turn_of_yahtzee() {
    let look = |turn: &yahtzee::Turn| {
        assert_eq!((turn.legal.best(), turn.legal.get(Category::Twos)), (Category::Chance, None));
        assert_eq!((turn.card.iter().count(), turn.card.get(Category::FullHouse)), (10, Some(25)));
        turn.keep_where(|die| die == 1)
    };
    let turn = yahtzee_turn(5, 4).to_string();
    let steps = Bots::new().yahtzee(move |_| Looking(look)).play_transcript(&turn);
    assert_eq!(steps.expect("a transcript")[0].answer, "keep 0 1");
}

/// The same for Liar's Dice; the answer is always the call.
struct Listening<F>(F);

impl<F: Fn(&liars_dice::Turn)> liars_dice::Bot for Listening<F> {
    fn turn(&mut self, turn: &liars_dice::Turn) -> liars_dice::Answer {
        (self.0)(turn);
        turn.liar()
    }
}

/// Plays one turn with these bids and passes it to `test`.
fn look(bids: &[&str], test: fn(&liars_dice::Turn)) {
    let mut turn = liars_dice_turn(1, 1);
    turn["bids"] = json!(bids);
    let steps = Bots::new().liars_dice(move |_| Listening(test)).play_transcript(&turn.to_string());
    assert_eq!(steps.expect("a transcript").len(), 1);
}

#[test]
fn the_methods_of_a_turn_of_liars_dice() {
    use liars_dice::Bid;
    look(&["3 6", "4 2"], |turn| {
        let last = Bid { count: 4, face: 2 };
        assert_eq!((turn.bids[0], turn.last_bid()), (Bid { count: 3, face: 6 }, Some(last)));
        assert_eq!((turn.dice_in_play(), turn.hidden_dice()), (15, 11));
        assert_eq!([turn.bidder(0), turn.bidder(1)], [2, 0]);
        assert_eq!([1, 2, 3].map(|face| turn.lowest_bid(face).count), [5, 5, 4]);
        assert!(turn.is_higher(Bid { count: 4, face: 3 }) && !turn.is_higher(last));
        assert_eq!((turn.names[2].as_str(), turn.points[1], turn.you), ("Çelik \"7\"", 1345, 1));
        assert_eq!(
            (turn.counts.as_slice(), turn.dice.as_slice()),
            ([6, 4, 5].as_slice(), [1, 2, 2, 3].as_slice())
        );
    });
    look(&["1 2", "2 2", "3 2", "4 2", "12 5"], |turn| {
        assert_eq!([0, 1, 2, 3, 4].map(|index| turn.bidder(index)), [2, 0, 1, 2, 0]);
    });
    look(&[], |turn| {
        assert_eq!((turn.last_bid(), turn.lowest_bid(4)), (None, Bid { count: 1, face: 4 }));
        assert!(turn.is_higher(Bid { count: 1, face: 1 }));
    });
}

#[test]
fn a_turn_has_no_values_of_the_turn_before() {
    let bare = json!({"type": "turn", "id": 2, "game": 1, "you": 0, "counts": [1, 1], "dice": [4], "bids": [],
        "names": ["A", "B"], "points": [0, 0]});
    let text = format!("{}\n{bare}\n", liars_dice_turn(1, 1));
    let test = |turn: &liars_dice::Turn| {
        let lengths = [
            turn.counts.len(),
            turn.dice.len(),
            turn.bids.len(),
            turn.names.len(),
            turn.points.len(),
        ];
        assert_eq!(lengths, if turn.id == 1 { [3, 4, 2, 3, 3] } else { [2, 1, 0, 2, 2] });
    };
    let steps = Bots::new().liars_dice(move |_| Listening(test)).play_transcript(&text);
    assert_eq!(steps.expect("a transcript").len(), 2);
}

#[test]
fn a_transcript_without_a_turn_or_with_an_invalid_line_is_refused() {
    let bots = || Bots::new().yahtzee(|_| steady::Steady);
    assert_eq!(bots().check_transcript("# nothing\n"), Err(TranscriptError::NoTurn));
    for broken in ["{\"type\":", "< {\"id\":", "dice"] {
        let error = bots().check_transcript(&format!("{}\n{broken}\n", yahtzee_turn(1, 1)));
        assert!(matches!(error, Err(TranscriptError::Line { line: 2, .. })), "{error:?}");
    }
}

#[test]
fn the_transcript_option_shows_each_turn_with_both_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt");
    let mut last = yahtzee_turn(3, 7);
    last["stage"] = json!(2);
    let text = format!(
        "# A comment, then a blank line.\n\n> {}\n> {}\n> {}\r\n< {{\"id\":4,\"category\":\"CHANCE\"}}\n< {{\"keep\":[0],\"id\":1}}\n{last}\n",
        hello("yahtzee"),
        yahtzee_turn(1, 7),
        yahtzee_turn(4, 7),
    );
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("UTF-8");
    let played = run("stumbling", &["stay", "--transcript", file], b"");
    let shown = |id, stage, rest| {
        format!(
            "game 7, request {id}: round 11, stage {stage}, dice 1 1 4 6 6, score 119 -> keep 0{rest}\n"
        )
    };
    let all = [
        shown(1, 1, " (as recorded)"),
        shown(4, 1, " (recorded: CHANCE)"),
        shown(3, 2, " ILLEGAL: a keep at stage 2"),
        "3 turns, 1 answers as recorded, 1 illegal\n".to_owned(),
    ];
    assert_eq!((played.stdout, played.stderr.as_str(), played.code), (all.concat(), "", Some(0)));
}

#[test]
fn the_transcript_option_reports_panics_and_missing_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt");
    std::fs::write(&file, format!("{}\n{}\n", yahtzee_turn(1, 7), yahtzee_turn(2, 7)))
        .expect("a file");
    let played = run("stumbling", &["stay", "--transcript", file.to_str().expect("UTF-8")], b"");
    assert!(
        played.stderr.starts_with("dicehill: game 7, request 2: no such die: 5\npanicked at "),
        "{}",
        played.stderr
    );
    assert_eq!((played.stdout.lines().count(), played.code), (1, Some(1)));
    assert_eq!(run("steady", &["--transcript"], b"").code, Some(2));
    assert_eq!(run("steady", &["--transcript", "no such file"], b"").code, Some(2));
}

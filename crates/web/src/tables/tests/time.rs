//! People who are late, away, back, or resign.

use super::*;
use crate::model::table::{Absence, Stage};

fn two(seconds: Option<u32>) -> Played {
    let draft = TableDraft { move_seconds: seconds, ..draft("liars-dice", 2, &[]) };
    Played::open(lobby(None), &draft)
}

fn absences(document: &TableDocument) -> Vec<(&str, Option<Absence>)> {
    let mut all: Vec<_> =
        document.players.iter().map(|player| (player.name.as_str(), player.absence)).collect();
    all.sort_by_key(|(name, _)| *name);
    all
}

#[test]
fn a_bot_plays_for_a_person_whose_time_is_over() {
    let played = two(Some(60));
    let late = played.to_act().unwrap();
    let _open_page = played.session().listen(played.token(late));
    assert_eq!(played.seen_by(late).seconds_left, Some(60));
    assert!(!played.pass(0) && !played.pass(59));
    assert_eq!(played.seen_by(late).seconds_left, Some(1));
    assert!(played.pass(60) && !played.pass(61), "once");
    let seen = played.seen_by(1 - late);
    let mut expected = [("Anna", None), ("Berta", None)];
    expected[late].1 = Some(Absence::Late);
    assert_eq!(absences(&seen), expected);
    assert_eq!(played.act(late, "1 2"), Err(Refusal::Substituted));
    played.play_bots();
    assert_eq!(played.to_act(), Some(1 - late), "the bot has moved");
    let seen = played.change(late, SeatChange::Return).unwrap();
    assert!(absences(&seen).iter().all(|(_, absence)| absence.is_none()));
    assert_eq!(played.change(late, SeatChange::Return), Err(Refusal::Present));
}

#[test]
fn the_clock_of_a_closed_table_of_yahtzee_is_seen_by_the_acting_person_alone() {
    for open in [false, true] {
        let options = TableDraft { move_seconds: Some(60), open, ..draft("yahtzee", 2, &[]) };
        let played = Played::open(lobby(None), &options);
        let person = played.to_act().unwrap();
        assert_eq!(played.seen_by(person).seconds_left, Some(60));
        let of_others = open.then_some(60);
        assert_eq!(played.seen_by(1 - person).seconds_left, of_others);
        assert_eq!(played.session().document(None).seconds_left, of_others);
    }
}

#[test]
fn a_move_within_the_time_starts_it_again() {
    let played = two(Some(60));
    let first = played.to_act().unwrap();
    assert!(!played.pass(0) && !played.pass(50));
    played.act(first, "1 2").unwrap();
    assert_eq!(played.seen_by(first).seconds_left, Some(60));
    assert!(!played.pass(70) && !played.pass(129) && played.pass(130));
}

#[test]
fn a_bot_plays_for_a_person_whose_page_is_closed_if_others_wait() {
    let played = two(None);
    let person = played.to_act().unwrap();
    let page = played.session().listen(played.token(person));
    assert!(!played.pass(0) && !played.pass(1000), "the page is open, and there is no limit");
    drop(page);
    assert!(!played.pass(1001) && !played.pass(1119) && played.pass(1120));
    let seen = played.seen_by(person);
    assert!(absences(&seen).iter().any(|(_, absence)| *absence == Some(Absence::Away)));
    let alone = Played::open(lobby(None), &draft("yahtzee", 1, &[]));
    assert!(!alone.pass(0) && !alone.pass(100_000), "no other person waits");
}

#[test]
fn a_person_leaves_and_returns() {
    let played = two(None);
    played.change(0, SeatChange::Leave).unwrap();
    assert_eq!(played.change(0, SeatChange::Leave), Err(Refusal::Substituted));
    assert_eq!(played.change(1, SeatChange::Leave), Err(Refusal::Alone));
    played.play_bots();
    assert_eq!(played.to_act(), Some(1));
    played.change(0, SeatChange::Return).unwrap();
    assert_eq!(played.session().change_seat(None, SeatChange::Leave), Err(Refusal::NoSeat));
}

#[test]
fn a_seat_that_is_left_before_the_game_is_free_again() {
    let lobby = lobby(None);
    let begin = Instant::now();
    let (id, token) = lobby.open(client(), &draft("liars-dice", 3, &[]), begin).unwrap();
    let session = lobby.find(&id.to_string(), begin).unwrap_or_else(|refusal| panic!("{refusal}"));
    let berta = session.sit(None, None).unwrap();
    let mut pages = session.listen(Some(token.as_str()));
    let left = session.change_seat(Some(token.as_str()), SeatChange::Leave).unwrap();
    assert_eq!((left.you, left.free_seats), (None, 2));
    assert!(pages.has_changed().is_err(), "the stream of the person who left has ended");
    pages.borrow_and_update();
    assert_eq!(session.document(Some(berta.as_str())).you, Some(0));
    for _ in 0..2 {
        session.sit(None, None).unwrap();
    }
    let seen = session.document(Some(berta.as_str()));
    assert_eq!(seen.stage, Stage::Playing);
    let mut names: Vec<_> = seen.players.iter().map(|player| player.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Player 1", "Player 2", "Player 3"]);
}

#[test]
fn after_a_resignation_bots_play_the_rest() {
    for (game, opponents) in
        [("yahtzee", &["greedy"][..]), ("liars-dice", &["badnomial", "pirate"])]
    {
        let played = Played::open(lobby(None), &draft(game, 1, opponents));
        played.play_bots();
        assert_eq!(played.to_act(), Some(0));
        played.change(0, SeatChange::Resign).unwrap();
        played.play_bots();
        let seen = played.seen_by(0);
        assert_eq!(seen.stage, Stage::Over, "{game}");
        let results = seen.results.unwrap();
        assert!(!results[seen.you.unwrap()].won && results.iter().any(|result| result.won));
        let report = played.session().report().unwrap();
        assert!(report.moves.iter().any(|one| one.substituted));
        assert_eq!(played.change(0, SeatChange::Return), Err(Refusal::Over));
    }
}

#[test]
fn both_players_get_one_rematch() {
    let played = two(None);
    let ask = |person: usize, own: Option<&str>| {
        let asking = Asking { client: client(), now: played.begin };
        let seat_of = |id: &str| if id == played.id { played.token(person) } else { own };
        let asked = played.lobby.rematch(&played.id, asking, seat_of);
        asked.map(|(id, token)| (id, token.map(|token| token.as_str().to_owned())))
    };
    assert_eq!(ask(0, None), Err(Refusal::NotOver));
    played.change(0, SeatChange::Resign).unwrap();
    played.play_bots();
    while let Some(person) = played.to_act() {
        let may_call = played.seen_by(person).liars_dice.unwrap().turn.unwrap().may_call;
        played.act(person, if may_call { "Liar!" } else { "1 2" }).unwrap();
        played.play_bots();
    }
    let (id, anna) = ask(1, None).unwrap();
    let (same, berta) = ask(0, None).unwrap();
    assert!(id == same && anna.is_some() && berta.is_some());
    assert_eq!(ask(1, anna.as_deref()), Ok((id, None)), "the seat is there already");
    let rematch = played.lobby.find(&id.to_string(), played.begin);
    let rematch = rematch.unwrap_or_else(|refusal| panic!("{refusal}"));
    let seen = rematch.document(anna.as_deref());
    assert_eq!((seen.stage, seen.seed_given), (Stage::Playing, false));
    assert_eq!(played.seen_by(0).rematch, Some(id.to_string()));
    assert_eq!(played.session().document(None).rematch, None, "visitors do not learn of it");
    let asking = Asking { client: client(), now: played.begin };
    let visitor = played.lobby.rematch(&played.id, asking, |_| None);
    assert!(matches!(visitor, Err(Refusal::NoSeat)));
}

#[test]
fn cards_are_open_only_between_people() {
    let begin = Instant::now();
    let open = |game, people, bots: &[&str]| {
        let draft = TableDraft { open: true, ..draft(game, people, bots) };
        lobby(None).open(client(), &draft, begin).map(|_| ())
    };
    assert_eq!(open("yahtzee", 2, &[]), Ok(()));
    assert_eq!(open("yahtzee", 2, &["greedy"]), Err(Refusal::NotOpen));
    assert_eq!(open("liars-dice", 2, &[]), Err(Refusal::NotOpen));
    let limited = |seconds| {
        let draft = TableDraft { move_seconds: Some(seconds), ..draft("yahtzee", 1, &[]) };
        lobby(None).open(client(), &draft, begin).map(|_| ())
    };
    assert_eq!(limited(10), Ok(()));
    assert!(limited(9).is_err() && limited(3601).is_err());
}

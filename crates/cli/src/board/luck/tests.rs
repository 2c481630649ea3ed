//! Boards with luck, of a made-up result.

use dicehill_arena::ResultDocument;
use dicehill_rules::yahtzee::Yahtzee;

use crate::args::{BoardFormat, Style};
use crate::board::write;
use crate::layout::{Printer, Width};

fn document() -> ResultDocument {
    let row = |rank: u8, bot: &str, luck: &str| {
        format!(
            r#"{{"rank":{rank},"bot":"{bot}","hash":"house:{bot}@1","points":601,"games":1000,
            "wins":601,"win_rate":0.601,"win_rate_ci95":[0.57034,0.630892],
            "score":{{"mean":230.123,"se":1.84,"sd":58.2,"min":92,"median":228,"max":612}},
            "mark":"a","rating":35.5,"rating_ci95":[24.1,46.9],"best":0.9921,
            "seats":[],"luck":{luck},"barred":null}}"#
        )
    };
    let known = r#"{"loss":24.4648,"se":0.33,"score":230.123,"variance_ratio":31.0,
        "points":{"plain":0.601,"plain_ci95":[0.570641,0.631359],
        "adjusted":0.5934,"adjusted_ci95":[0.5753,0.6115],"variance_ratio":2.81,"controls":5}}"#;
    let unknown = r#"{"loss":null,"se":null,"score":null,"variance_ratio":null,"points":null}"#;
    let standings = [row(1, "aces-and-eights", known), row(2, "greedy", unknown)].join(",");
    let text = format!(
        r#"{{"schema":"dicehill.result/1","program":"dicehill","name":"yahtzee",
        "game":"yahtzee","rules":"official","format":"challenge","memory":"game","seed":"s",
        "games":1000,"extra_games":0,"start_value":254.587712,"champion":"aces-and-eights",
        "champion_sure":0.9921,"tied":[],"dependent":false,"records":"blake3:0",
        "standings":[{standings}],"differences":[],"head_to_head":[]}}"#
    );
    ResultDocument::read::<Yahtzee>(&text).expect("a document")
}

fn shown(format: BoardFormat) -> String {
    let mut board = Vec::new();
    let style = Style { format, details: true, public: false };
    let mut printer = Printer::new(&mut board, Width::Unlimited);
    write(&mut printer, &document(), "Yahtzee", style).expect("it is written");
    anstream::adapter::strip_bytes(&board).into_vec().try_into().expect("UTF-8")
}

#[test]
fn a_board_shows_loss_and_luck() {
    for format in [BoardFormat::Table, BoardFormat::Markdown] {
        let board = shown(format);
        for part in [
            "loss/game ± 95 %",
            "24.46 ± 0.65",
            "luck-adjusted ± 95 %",
            "230.12 ± 0.65",
            "÷ 31.00",
            "0.6010 (0.5706 to 0.6314)",
            "0.5934 (0.5753 to 0.6115)",
            "÷ 2.81",
            "given up against optimal play",
        ] {
            assert!(board.contains(part), "{part} in {board}");
        }
        assert!(!board.contains("NaN"), "{board}");
    }
    let table = shown(BoardFormat::Table);
    for line in table.lines().filter(|line| !line.starts_with("Loss")) {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
}

#[test]
fn csv_has_columns_for_luck() {
    let csv = shown(BoardFormat::Csv);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings = reader.headers().expect("headings").clone();
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let cell = |row: usize, name: &str| {
        let column = headings.iter().position(|heading| heading == name).expect("a column");
        rows[row][column].to_owned()
    };
    assert_eq!(cell(0, "loss"), "24.4648");
    assert_eq!(cell(0, "points_without_luck_high"), "0.6115");
    assert_eq!(cell(0, "controls"), "5");
    for name in ["loss", "score_without_luck", "points_variance_ratio", "controls"] {
        assert_eq!(cell(1, name), "");
    }
}

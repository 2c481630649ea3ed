use super::*;

/// A board such as `dicehill run` prints.
fn board(names: &[&str]) -> Table {
    let row = |name: &&str| {
        let numbers = [
            "1,234",
            ">99.9 %",
            "82.90 (80.44-85.11)",
            "+141 ± 14",
            "249.22 ± 1.82",
            "4.59 ± 0.12",
        ];
        let row = ["1", "a", name].into_iter().chain(numbers);
        row.map(str::to_owned).collect()
    };
    let columns = vec![
        Column::number("#"),
        Column::name(""),
        Column::name("bot"),
        Column::number("points"),
        Column::number("P(best)").priority(3),
        Column::number("win % (95 % CI)"),
        Column::number("Elo ± 95 %").priority(2),
        Column::number("mean score ± se").priority(1),
        Column::number("loss/game ± se").priority(5),
    ];
    Table { columns, rows: names.iter().map(row).collect(), complete: "--format csv" }
}

/// The printed rows, and the line on omitted columns. Asserts that each line fits.
#[track_caller]
fn printed(table: &Table, columns: usize) -> (Vec<String>, String) {
    let Printed { rows, omitted } = table.printed(Width::Columns(columns));
    for line in rows.iter().flat_map(|row| row.lines()) {
        assert!(line.width() <= columns, "{} on {columns}: {line}", line.width());
    }
    (rows, omitted.unwrap_or_default())
}

/// The line on omitted columns of a board of these bots on a terminal of this width.
#[track_caller]
fn check(names: &[&str], columns: usize, omitted: &str) {
    let (rows, found) = printed(&board(names), columns);
    assert_eq!(found, omitted, "{}", rows.join("\n"));
    // Numbers that are never left out are never cut.
    for row in &rows[1..] {
        assert!(row.contains("1,234") && row.contains("82.90 (80.44-85.11)"), "{row}");
    }
}

#[test]
fn the_least_important_columns_make_room() {
    let bots = ["greedy", "aces-and-eights"];
    check(&bots, 120, "");
    check(&bots, 100, "");
    check(&bots, 80, "Not shown at 80 columns: loss/game ± se; --format csv has all");
    let rest = "P(best), Elo ± 95 %, loss/game ± se; --format csv has all";
    check(&bots, 60, &format!("Not shown at 60 columns: {rest}"));
}

#[test]
fn a_column_that_fits_after_all_is_shown() {
    let mut table = board(&["greedy"]);
    table.columns[4] = Column::number("P(best)").priority(9);
    let (rows, omitted) = printed(&table, 73);
    assert!(rows[0].contains("P(best)"), "{}", rows.join("\n"));
    assert!(!omitted.contains("P(best)"), "{omitted}");
}

#[test]
fn gaps_and_headings_give_way_before_columns() {
    let table = |width| printed(&board(&["greedy"]), width).0;
    let widest = "#     bot     points  P(best)      win % (95 % CI)  Elo ± 95 %  mean score ± se  loss/game ± se";
    assert_eq!(table(widest.width())[0], widest);
    let narrow =
        "#   bot    points P(best)     win % (95 % CI) Elo ± 95 % mean score ± se loss/game ± se";
    assert_eq!(table(narrow.width())[0], narrow);
    assert_eq!(
        table(narrow.width() - 1)[0],
        "                                                                  mean\n\
         #   bot    points P(best)     win % (95 % CI) Elo ± 95 %    score ± se loss/game ± se"
    );
}

#[test]
fn names_are_cut_where_nothing_else_helps() {
    let long = "a bot with the longest name that an author gives to one, with many more words than it has wins";
    for columns in [60, 80, 100, 120] {
        check_cut(
            &[
                long,
                "骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子",
            ],
            columns,
        );
    }
}

#[track_caller]
fn check_cut(names: &[&str], columns: usize) {
    let (rows, omitted) = printed(&board(names), columns);
    assert!(rows[1..].iter().all(|row| row.contains('…') && row.contains("82.90 (80.44-85.11)")));
    assert!(
        omitted.starts_with(&format!("Not shown at {columns} columns: P(best), ")),
        "{omitted}"
    );
}

#[test]
fn wide_characters_are_counted_as_they_are_shown() {
    check(
        &["骰子骰子", "aces-and-eights"],
        80,
        "Not shown at 80 columns: loss/game ± se; --format csv has all",
    );
    let (rows, _) = printed(&board(&["骰子骰子", "aces-and-eights"]), 80);
    let place = |row: &String| row.split("1,234").next().map(UnicodeWidthStr::width);
    assert_eq!(place(&rows[1]), place(&rows[2]));
}

#[test]
fn a_file_gets_all_columns_and_whole_names() {
    let long = "x".repeat(200);
    let Printed { rows, omitted } = board(&[&long]).printed(Width::Unlimited);
    assert_eq!(omitted, None);
    assert!(rows[0].ends_with("loss/game ± se") && rows[1].contains(&long), "{}", rows.join("\n"));
}

#[test]
fn texts_are_broken_between_words() {
    let text = "game 12, round 3, 5 5 4 4 6: keep 4 4 5 5; best keep 5 5 (-4.81)".to_owned();
    let columns = vec![Column::number("#"), Column::text("what it did"), Column::name("bot")];
    let rows = vec![vec!["1".to_owned(), text.clone(), "greedy".to_owned()]];
    let table = Table { columns, rows, complete: "--format json" };
    let (rows, _) = printed(&table, 50);
    assert_eq!(
        rows[1],
        "1  game 12, round 3, 5 5 4 4 6: keep 4 4  greedy\n   5 5; best keep 5 5 (-4.81)"
    );
    assert!(printed(&table, 100).0[1].contains(&text));
}

#[test]
fn a_tiny_terminal_gets_what_is_never_left_out() {
    for columns in 0..60 {
        let Printed { rows, omitted } = board(&["greedy"]).printed(Width::Columns(columns));
        let is_whole = rows[1].contains(" 1,234 ") && rows[1].contains("82.90 (80.44-85.11)");
        assert!(is_whole, "{}", rows[1]);
        assert!(omitted.is_some_and(|omitted| omitted.contains("loss/game ± se")));
    }
}

#[test]
fn texts_without_room_are_below_their_row() {
    let text = "first keep: kept a pair\ngame 12: keep 4 4; best keep 5 5 (-4.81)".to_owned();
    let columns = vec![Column::number("loss/game ± 95 %"), Column::text("habit, and where it was")];
    let rows = vec![vec!["0.36 ± 0.08".to_owned(), text]];
    let table = Table { columns, rows, complete: "--format json" };
    let below = [
        "loss/game ± 95 %\n    habit, and where it was",
        "     0.36 ± 0.08\n    first keep: kept a pair\n    game 12: keep 4 4; best keep 5 5\n    (-4.81)",
    ];
    assert_eq!(printed(&table, 40).0, below);
    assert!(printed(&table, 60).0[1].starts_with("     0.36 ± 0.08  first keep: kept a pair\n"));
}

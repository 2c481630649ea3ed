//! `dicehill hill progress`: the results of each bot over the runs of a hill.

use crate::support::Scratch;

/// A hill on which Ada's second version was placed after a run with the first one, and a whole run followed.
fn class() -> Scratch {
    let scratch = Scratch::new();
    let terms =
        "game = \"yahtzee\"\nformat = \"duel\"\ngames = 20\nseed = \"s\"\nopen_seed = true\n";
    scratch.write("h.toml", terms);
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    for ada in ["dummy", "greedy"] {
        let bot = |name, house| format!("[[bot]]\nname = \"{name}\"\nhouse = \"{house}\"\n");
        let bots = [bot("Ada", ada), bot("Grace", "random")].concat();
        scratch.write("class.toml", format!("game = \"yahtzee\"\n{bots}"));
        scratch.run_ok(&["hill", "add", "h.db", "class.toml"]);
    }
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "--full"]);
    scratch
}

/// The values of a row of the CSV under these headings.
fn values(csv: &str, headings: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let known = reader.headers().expect("headings").clone();
    let place = |heading: &&str| known.iter().position(|one| one == *heading).expect("a heading");
    let places: Vec<_> = headings.iter().map(place).collect();
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| places.iter().map(|place| row[*place].to_owned()).collect()).collect()
}

#[test]
fn progress_has_a_row_for_each_run_of_a_bot() {
    let scratch = class();
    let csv = scratch.run_ok(&["hill", "progress", "h.db", "--format", "csv"]).out;
    let found = values(&csv, &["bot", "run", "version", "among"]);
    let found: Vec<_> = found.iter().map(|row| row.join(" ")).collect();
    let expected =
        ["Ada 1 1 2", "Ada 2 2 2", "Ada 3 2 3", "Grace 1 1 2", "Grace 3 1 3", "dummy 3 1 3"];
    assert_eq!(found, expected, "{csv}");
    let of = |run: &str, column| {
        let rows = values(&csv, &["bot", "run", column]);
        let row = rows.into_iter().find(|row| row[0] == "Ada" && row[1] == run);
        row.map(|row| row[2].clone()).unwrap_or_default()
    };
    assert_eq!([of("1", "elo").is_empty(), of("2", "elo").is_empty()], [false, true]);
    let losses = ["1", "2", "3"].map(|run| of(run, "loss").parse::<f64>().expect("a number"));
    assert!(losses[0] > 100.0 && losses[1] < 50.0 && losses[2] < 50.0, "{losses:?}");
}

#[test]
fn progress_shows_the_mean_loss_of_all() {
    let scratch = class();
    let table = scratch.run_ok(&["hill", "progress", "h.db"]).out;
    let (_, together) = table.split_once("Mean loss after each run\n").expect("a second table");
    let csv = scratch.run_ok(&["hill", "progress", "h.db", "--format", "csv"]).out;
    let losses = values(&csv, &["bot", "run", "loss"]);
    let loss = |bot: &str, run: &str| -> f64 {
        let row = losses.iter().find(|row| row[0] == bot && row[1] == run).expect("a row");
        row[2].parse().expect("a number")
    };
    // After the placement, Grace counts with her latest result.
    let means = [
        (loss("Ada", "1") + loss("Grace", "1")) / 2.0,
        (loss("Ada", "2") + loss("Grace", "1")) / 2.0,
        (loss("Ada", "3") + loss("Grace", "3") + loss("dummy", "3")) / 3.0,
    ];
    for (line, mean) in together.lines().skip(1).zip(means) {
        assert!(line.contains(&format!(" {mean:.2} ± ")), "{mean}: {line}");
    }
    let markdown = scratch.run_ok(&["hill", "progress", "h.db", "--format", "markdown"]).out;
    assert!(markdown.contains("\n**Mean loss after each run**\n\n| run | "), "{markdown}");
}

#[test]
fn progress_of_some_bots() {
    let scratch = class();
    let grace = scratch.run_ok(&["hill", "progress", "h.db", "Grace"]).out;
    assert!(grace.contains("1 of 2") || grace.contains("2 of 2"), "{grace}");
    assert!(!grace.contains("Ada") && !grace.contains("Mean loss"), "{grace}");
    let unknown = scratch.run(&["hill", "progress", "h.db", "Grce"]);
    let message = "no bot \"Grce\" has played on it; did you mean \"Grace\"?";
    assert!(unknown.code == 2 && unknown.err.contains(message), "{}", unknown.err);
    scratch.run_ok(&["hill", "rename", "h.db", "Grace", "Hopper"]);
    assert_eq!(scratch.run_ok(&["hill", "progress", "h.db", "Hopper"]).out, grace, "its old runs");
    scratch.run_ok(&["hill", "init", "new.db", "yahtzee"]);
    let none = scratch.run(&["hill", "progress", "new.db"]);
    assert!(none.code == 2 && none.err.contains("no finished run yet"), "{}", none.err);
}

//! The tables in docs/environments.md have the fields of the observations.

use std::path::Path;

use dicehill_environments::EnvironmentGame;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

/// The offsets and names of a section's fields.
fn listed(section: &str) -> Vec<(usize, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/environments.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let heading = format!("\n## {section}\n");
    let section = text.split(&heading).nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = section.expect("the section").lines().filter_map(|row| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let name = cells.get(2)?.strip_prefix('`')?.strip_suffix('`')?;
        Some((cells[1].parse().ok()?, name.to_owned()))
    });
    rows.collect()
}

fn check<G: EnvironmentGame>(players: usize, section: &str) {
    let fields = G::fields(players);
    let expected: Vec<_> =
        fields.iter().map(|field| (field.offset, field.name.to_owned())).collect();
    assert_eq!(listed(section), expected);
}

#[test]
fn the_page_lists_every_field() {
    check::<Yahtzee>(1, "Yahtzee");
    check::<LiarsDice>(2, "Liar's Dice");
}

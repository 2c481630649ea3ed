//! lab
use dicehill_arena::*;
use dicehill_bots::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    // lab run FORMAT games seed names...
    let games: i64 = args[2].parse().unwrap();
    let mut seen = std::collections::BTreeMap::new();
    let entrants: Vec<_> = args[4..]
        .iter()
        .map(|name| {
            let k = seen.entry(name.clone()).or_insert(0);
            *k += 1;
            let house = liars_dice_bots().into_iter().find(|h| h.name() == name).unwrap();
            let label = if *k == 1 { name.clone() } else { format!("{name}{k}") };
            Entrant::new(BotName::new(&label).unwrap(), Arc::new(house))
        })
        .collect();
    let n = entrants.len() as i64;
    let draft = HillDraft { games, ..HillDraft::challenge(entrants, &args[3]) };
    let draft = match args[1].as_str() {
        "duel" => HillDraft { format: FormatName::Duel, seats: Some(n), ..draft },
        "set" => HillDraft { memory: Memory::Set, ..draft },
        _ => draft,
    };
    let hill = Hill::new(draft).unwrap();
    let stop = AtomicBool::new(false);
    let begun = std::time::Instant::now();
    let mut decisions = 0;
    let end = run(&hill, RunOptions { jobs: 2, most_play_offs: 0, stop: &stop }, &mut |e| {
        if let Event::Played(p, _) = e {
            decisions += p.record.moves.len();
        }
        Ok(())
    })
    .unwrap();
    let RunEnd::Done(d) = end else { panic!() };
    for row in &d.standings {
        let ci = row.win_rate_ci95.as_ref().unwrap();
        println!(
            "{:18} {:9} pts {:6} games {:6} wins {:.2}% [{:.2} {:.2}]",
            row.bot,
            row.points,
            row.games,
            row.wins,
            100.0 * row.win_rate.unwrap(),
            100.0 * ci.low,
            100.0 * ci.high
        );
    }
    println!("{decisions} decisions, {:.2}s", begun.elapsed().as_secs_f64());
}

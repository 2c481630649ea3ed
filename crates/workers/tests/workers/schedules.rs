//! Random schedules of faults. `DICEHILL_SCHEDULES` is how many are played, from `DICEHILL_FIRST_SCHEDULE` on.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use dicehill_workers::CHECKED;

use crate::broker::Server;
use crate::proxy::Proxy;
use crate::random::Random;
use crate::team::{Conduct, Member, Team, on_one_machine};

/// Conducts of workers that do not alter moves.
const CONDUCTS: [Conduct; 7] = [
    Conduct::Honest,
    Conduct::Honest,
    Conduct::Slow,
    Conduct::Fails,
    Conduct::Crashes,
    Conduct::AltersPoints,
    Conduct::Dies,
];

/// Something that happens to a server or a connection.
#[derive(Clone, Copy, Debug)]
enum Fault {
    KillServer,
    ReplaceServer,
    /// Nothing comes from the worker, from the server, or from both.
    Partition([bool; 2]),
}

const FAULTS: [Fault; 5] = [
    Fault::KillServer,
    Fault::ReplaceServer,
    Fault::Partition([true, true]),
    Fault::Partition([true, false]),
    Fault::Partition([false, true]),
];

/// Plays the schedule of this seed, which must end as on one machine.
#[track_caller]
fn check(seed: u64) {
    let random = &mut Random(seed);
    let games = 200 + random.below(200) as i64;
    let server = &Server::start();
    let proxies: Vec<_> = (0..4).map(|_| Proxy::before(server.port)).collect();
    let mut members: Vec<_> = proxies
        .iter()
        .map(|proxy| Member { conduct: random.pick(&CONDUCTS), port: proxy.port })
        .collect();
    members[0].conduct = Conduct::Honest;
    let conducts: Vec<_> = members.iter().map(|member| member.conduct).collect();
    let pace = Duration::from_millis(4);
    let checked = random.pick(&[CHECKED, 0.5]);
    let team = Team { games, pace, members, checked, port: server.port };
    let faults: Vec<_> = (0..1 + random.below(3)).map(|_| random.pick(&FAULTS)).collect();
    let pauses: Vec<_> = faults.iter().map(|_| 200 + random.below(1500)).collect();
    let outcome = team.play(|| {
        for (number, (fault, pause)) in faults.iter().zip(&pauses).enumerate() {
            thread::sleep(Duration::from_millis(*pause));
            suffer(*fault, server, &proxies[1 + number % 3]);
        }
    });
    let lines = outcome.lines.unwrap_or_else(|error| panic!("{seed}: {error}; {:?}", outcome.news));
    let what = format!("schedule {seed}: {conducts:?}, {faults:?}; {:?}", outcome.news);
    assert_eq!(lines.len(), on_one_machine(games).len(), "{what}");
    assert!(lines == on_one_machine(games), "{what}");
}

fn suffer(fault: Fault, server: &Server, proxy: &Proxy) {
    match fault {
        Fault::KillServer | Fault::ReplaceServer => {
            server.kill();
            if matches!(fault, Fault::ReplaceServer) {
                server.wipe();
            }
            thread::sleep(Duration::from_millis(300));
            server.start_again();
        }
        Fault::Partition(sides) => {
            let set = |is_stalled: bool| {
                for (flag, _) in proxy.stalled.iter().zip(sides).filter(|(_, side)| *side) {
                    flag.store(is_stalled, Ordering::Relaxed);
                }
            };
            set(true);
            thread::sleep(Duration::from_secs(3));
            set(false);
        }
    }
}

#[test]
fn random_faults_lose_double_and_alter_no_game() {
    let number = |name, usual| {
        std::env::var(name).map_or(usual, |text: String| text.parse().expect("a number"))
    };
    let first: u64 = number("DICEHILL_FIRST_SCHEDULE", 1);
    for seed in first..first + number("DICEHILL_SCHEDULES", 3) {
        check(seed);
    }
}

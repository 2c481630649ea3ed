//! The qualification of all entrants before a run.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{
    Bar, Barring, BotName, Entrant, Finding, Hill, OwnTerms, ProgressLine, Reason, lookalikes,
};

use super::qualifier::{GAMES_WITH_NETWORK, QUALIFICATION_TIME, Qualifier, start_error};
use super::verdict::{describe, describe_with_log, group, place};
use crate::console::Console;
use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::text::counted;

/// The most kinds of failures of a bot that are shown before a run.
const MAX_KINDS: usize = 3;

/// Qualifying games of a bot in this process.
const GAMES_OF_IN_PROCESS_BOT: u64 = 10;
/// Qualifying games of an external bot. Their answers take longer than those of a bot in this process.
const GAMES_OF_EXTERNAL_BOT: u64 = 4;

/// How many games an entrant plays to qualify.
fn games_of<G: TerminalGame>(entrant: &Entrant<G>) -> u64 {
    match (entrant.own_terms.network, entrant.program.is_outside()) {
        (true, _) => GAMES_WITH_NETWORK,
        (false, true) => GAMES_OF_EXTERNAL_BOT,
        (false, false) => GAMES_OF_IN_PROCESS_BOT,
    }
}

/// The outcome of the qualification before a run.
struct Qualification {
    /// The entrants that are barred, in the order of the hill.
    bars: Vec<Bar>,
    /// Further findings, as messages.
    remarks: Vec<(BotName, String)>,
}

/// Qualifies the entrants that are chosen by `is_new`, in a few games and rare positions, so that
/// faults are found before the run and not in the middle of it. Contrived positions are left out: failures in them bar
/// no entrant. `None` if it was interrupted: it has no result then.
///
/// # Errors
/// If a bot could not be prepared or started.
fn qualification<G: TerminalGame>(
    hill: &Hill<G>,
    is_new: &dyn Fn(&BotName) -> bool,
    stop: &AtomicBool,
    console: &Console,
) -> io::Result<Option<Qualification>> {
    let mut positions = G::rare_positions(hill.rules());
    positions.retain(|position| !position.is_contrived());
    let qualifier = Qualifier {
        positions,
        time: Some(QUALIFICATION_TIME),
        // One failure is enough: a bot that is late once may be late each time.
        patience: 0,
        stop: Some(stop),
        console,
    };
    let mut qualification = Qualification { bars: Vec::new(), remarks: Vec::new() };
    let mut by_program: HashMap<(String, OwnTerms), Vec<Finding>> = HashMap::new();
    for id in hill.ids() {
        let Entrant { name, program, own_terms, .. } = hill.entrant(id);
        if program.is_house() || !is_new(name) {
            continue;
        }
        let findings = match by_program.entry((program.identity(), own_terms.clone())) {
            Entry::Occupied(findings) => findings.into_mut(),
            Entry::Vacant(vacant) => {
                let games = games_of(hill.entrant(id));
                let check = qualifier.qualify(hill, id, games, &format!("{name} qualifies"));
                // Bots whose answers are no longer waited for have failed too.
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                vacant.insert(check.map_err(|error| start_error(name, &error))?.findings)
            }
        };
        let is_barred = qualification.add(hill, name, findings);
        console.emit(&ProgressLine::QualificationFinished {
            bot: name.to_string(),
            qualified: !is_barred,
            findings: findings.len() as u64,
        });
    }
    Ok(Some(qualification))
}

/// Qualifies the entrants that are chosen by `is_new`, reports what else was found and which names look alike, and returns
/// the bars. A host may use such names. `None` if it was interrupted, which is reported.
///
/// # Errors
/// If a bot could not be prepared or started.
pub(crate) fn qualify<G: TerminalGame>(
    hill: &Hill<G>,
    is_new: &dyn Fn(&BotName) -> bool,
    stop: &AtomicBool,
    console: &Console,
) -> Result<Option<Vec<Bar>>, Failure> {
    let Some(Qualification { bars, remarks }) = qualification(hill, is_new, stop, console)? else {
        console.report("interrupted during the qualification: no game was played");
        return Ok(None);
    };
    let names = hill.entrants().iter().map(|entrant| &entrant.name);
    let lookalikes = lookalikes(names).into_iter();
    let new_lookalikes = lookalikes.filter(|(one, other)| is_new(one) || is_new(other));
    for (one, other) in new_lookalikes {
        console.report(format!("\"{other}\" looks like \"{one}\": rename one of them"));
    }
    for (bot, remark) in remarks {
        console.report_as(remark, |text| ProgressLine::Remark { bot: bot.to_string(), text });
    }
    Ok(Some(bars))
}

impl Qualification {
    /// Adds the findings on an entrant, and says whether it is barred for one of them.
    fn add<G: TerminalGame>(
        &mut self,
        hill: &Hill<G>,
        name: &BotName,
        findings: &[Finding],
    ) -> bool {
        let barring = hill.challenge().barring;
        let bar = findings.iter().find_map(|finding| bar(barring, name, finding));
        let verdict = match bar {
            Some(_) => "does not qualify; after its first fault",
            None => "plays; the qualification found",
        };
        let failed = findings.iter().filter(|one| matches!(one, Finding::Failed { .. }));
        let groups = group(failed.skip(usize::from(bar.is_some())));
        let shown = groups.iter().take(MAX_KINDS);
        self.remarks.extend(shown.map(|group| {
            (name.clone(), format!("{name} {verdict}: {}", describe_with_log(group)))
        }));
        if groups.len() > MAX_KINDS {
            let kinds = counted((groups.len() - MAX_KINDS) as u64, "more kind");
            let remark = format!("{name}: and {kinds} of failures; `dicehill check` lists them");
            self.remarks.push((name.clone(), remark));
        }
        if bar.is_none() {
            // It may play, but its games cannot be repeated.
            let unrepeatable = |one: &&Finding| matches!(one, Finding::Unrepeatable { .. });
            let first = findings.iter().find(unrepeatable);
            let groups = group(first);
            let remarks = groups.iter().map(describe);
            self.remarks
                .extend(remarks.map(|what| (name.clone(), format!("{name} {verdict}: {what}"))));
        }
        let is_barred = bar.is_some();
        self.bars.extend(bar);
        is_barred
    }
}

/// The bar for a finding, where the game bars at a first offence. Timeouts and memory, which also depend on
/// the machine, are left to the run, which plays such games again.
fn bar(barring: Barring, name: &BotName, finding: &Finding) -> Option<Bar> {
    let Finding::Failed { request, failure, .. } = finding else { return None };
    let bars_at_once = match barring {
        Barring::FirstOffence => true,
        Barring::Failures { .. } => false,
    };
    let is_its_own = match failure.reason {
        Reason::IllegalMove | Reason::MalformedAnswer | Reason::Crash | Reason::Flood => true,
        Reason::StartTimeout
        | Reason::MoveTimeout
        | Reason::GameTimeout
        | Reason::Memory
        | Reason::Absent
        | Reason::ArenaError => false,
    };
    (bars_at_once && is_its_own).then(|| Bar {
        bot: name.to_string(),
        reason: failure.reason.name().to_owned(),
        game: 0,
        request: request.clone(),
        detail: format!("{}: {}", place(finding), failure.detail),
        log: failure.log.clone(),
        record: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use dicehill_arena::{Bot, Failure, HillDraft, Memory, Program};
    use dicehill_rules::yahtzee::{Action, Category, View, Yahtzee};

    use super::*;
    use crate::bots::{BotLoader, default_terms};

    /// Fills the aces, whether they are free or not.
    struct OnlyAces;

    impl Program<Yahtzee> for OnlyAces {
        fn identity(&self) -> String {
            "test:only-aces@1".to_owned()
        }

        fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
            Box::new(Self)
        }
    }

    impl Bot<Yahtzee> for OnlyAces {
        fn act(&mut self, _view: &View<'_>) -> Result<Action, Failure> {
            Ok(Action::Fill(Category::Aces))
        }
    }

    /// A console without readers.
    fn console() -> Console {
        Console::of_files(io::empty(), io::sink(), io::sink())
    }

    #[test]
    fn names_that_look_alike_are_reported_and_play() {
        let entrant = |name| Entrant::new(BotName::new(name).unwrap(), Arc::new(OnlyAces) as _);
        let names = ["Greedy", "Gr\u{435}\u{435}dy", "other"];
        let draft = HillDraft::challenge(names.map(entrant).into(), "s");
        let hill: Hill<Yahtzee> = Hill::new(draft).unwrap();
        let reported = |is_new: &dyn Fn(&BotName) -> bool| {
            let messages = Messages::default();
            let console = Console::of_files(io::empty(), io::sink(), messages.clone());
            qualify(&hill, is_new, &AtomicBool::new(false), &console).unwrap();
            let bytes = messages.0.lock().unwrap().clone();
            String::from_utf8(bytes).unwrap()
        };
        let warning = "\"Gr\u{435}\u{435}dy\" looks like \"Greedy\": rename one of them\n";
        let all = reported(&|_| true);
        assert!(all.starts_with(warning), "{all}");
        let other = reported(&|name| name.as_str() == "other");
        assert!(other.starts_with("other does not qualify; after its first fault: "), "{other}");
    }

    /// What a console was told.
    #[derive(Clone, Default)]
    struct Messages(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Messages {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_entrant_that_does_not_qualify_is_barred_before_the_run() {
        let terms = default_terms::<Yahtzee>(Default::default());
        let loader = BotLoader::new(None, Default::default(), &console()).unwrap();
        let house = |name: &str| {
            let [mut bot] = loader
                .entrants::<Yahtzee>(&["dummy".to_owned()], terms)
                .unwrap()
                .try_into()
                .unwrap_or_else(|_| panic!("one bot"));
            bot.name = BotName::new(name).unwrap();
            bot
        };
        let offender = |name| Entrant::new(BotName::new(name).unwrap(), Arc::new(OnlyAces) as _);
        let qualified = |entrants: Vec<Entrant<Yahtzee>>, memory| {
            let draft = HillDraft::challenge(entrants, "s");
            let hill = Hill::new(HillDraft { memory, ..draft }).unwrap();
            let done = qualification(&hill, &|_| true, &AtomicBool::new(false), &console());
            done.unwrap().expect("it was not interrupted")
        };
        let clean = qualified(vec![house("A"), house("B")], Memory::Game);
        assert!(clean.bars.is_empty() && clean.remarks.is_empty(), "{:?}", clean.remarks);
        for memory in [Memory::Game, Memory::Set] {
            let entrants = vec![house("A"), offender("C"), house("B"), offender("D")];
            let Qualification { bars, remarks } = qualified(entrants, memory);
            let barred: Vec<_> = bars.iter().map(|bar| (bar.bot.as_str(), bar.game)).collect();
            assert_eq!(barred, [("C", 0), ("D", 0)]);
            assert_eq!(bars[0].reason, "illegal-move");
            let detail = "game 1, move 8: ACES: this category is already used";
            assert_eq!((bars[0].detail.as_str(), bars[0].record.as_str()), (detail, ""));
            assert!(
                bars[0].request.starts_with("{\"type\":\"turn\",\"id\":1,"),
                "{}",
                bars[0].request
            );
            let start =
                "C does not qualify; after its first fault: 11 x the same, first in game 2, move ";
            assert!(remarks[0].1.starts_with(start), "{remarks:?}");
            assert!(
                remarks.iter().any(|(bot, remark)| bot.as_str() == "D" && remark.starts_with("D ")),
                "{remarks:?}"
            );
        }
    }
}

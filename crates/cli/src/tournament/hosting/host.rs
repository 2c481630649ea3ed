//! Hosts a run: its games are handed out to workers.

use std::time::Instant;

use dicehill_arena::{Hill, ProgressLine, ResumeState};
use dicehill_store::RunPlan;
use dicehill_workers::{BrokerAddress, CHECKED, HillJudge, HostedBot, HostedRun, WorkerNews, host};

use super::news::describe;
use crate::bots::BotLoader;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::threads::machine_name;
use crate::tournament::play::play;
use crate::tournament::recording::Recording;
use crate::tournament::settings::RunSettings;

/// Hosts a run for the workers of a broker.
pub(super) struct Hosting<'a> {
    pub(super) address: BrokerAddress,
    /// The loader of the run's bots.
    pub(super) loader: &'a BotLoader,
}

impl Hosting<'_> {
    /// Plays the run with the games of workers.
    pub(super) fn play<G: TerminalGame>(
        &self,
        hill: &Hill<G>,
        past: ResumeState<'_>,
        recording: Option<Recording>,
        settings: RunSettings<'_>,
    ) -> Result<Outcome, Failure> {
        let RunSettings { console, stop, jobs, .. } = settings;
        let plan = RunPlan::new(hill, &past.bars, &[])?;
        let bots = self.loader.bundles(hill)?.into_iter();
        let is_deterministic =
            hill.entrants().iter().all(|entrant| entrant.own_terms.deterministic);
        let ResumeState { bars, games: known, is_resumed, recorded, records } = past;
        let judge = HillJudge::new(hill);
        let run = HostedRun {
            plan: &plan,
            bots: bots.map(|(name, content)| HostedBot { name, content }).collect(),
            judge: &judge,
            recorded: known,
            jobs: jobs.most(),
            checked: if is_deterministic { CHECKED } else { 0.0 },
            machine: machine_name(),
            stop,
            deadline: hill.limits().run_time().map(|time| Instant::now() + time),
        };
        let address = self.address.shown();
        let news = |news| {
            if let Some(text) = describe(&news, &address) {
                console.report_as(text, |text| ProgressLine::WorkerMessage { text });
            }
            if let WorkerNews::Playing { workers: machines, seconds_left } = news {
                let workers = machines.len() as u64;
                let threads = machines.iter().map(|worker| u64::from(worker.threads)).sum();
                console.emit(&ProgressLine::Workers { workers, threads, seconds_left, machines });
            }
        };
        let played = host(&run, &self.address, &news, |games| {
            let past = ResumeState { bars, games, is_resumed, recorded, records };
            play(hill, past, recording, settings)
        });
        played?
    }
}

//! Scripted bots, hills of them, and the recorded outcome of a run.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dicehill_arena::{
    Bar, Bot, BotName, Entrant, EntrantId, Event, Failure, GameRecord, Hill, HillDraft, Jobs,
    Program, Reason, ResultDocument, RunEnd, RunOptions, Standing, Start, TournamentGame, run,
};
use dicehill_rules::liars_dice::{self, Bid, LiarsDice};
use dicehill_rules::yahtzee::{self, Category, Yahtzee};
use dicehill_rules::{Game, SeatResult};

/// The cap on play-offs in runs whose ties are not tested.
const PLAY_OFFS: u64 = 10_000;

/// What a scripted bot knows in addition to its view.
pub(crate) struct Turn {
    pub(crate) start: Start,
    /// The number of this bot among the instances of its program, from 1.
    pub(crate) instance: u64,
    /// Games that this bot has started.
    pub(crate) games: u64,
    /// The number of the answer in this game, from 1.
    pub(crate) answer: u64,
}

pub(crate) type Answer<G> = Result<<G as Game>::Action, Failure>;
pub(crate) type Bots<G> = Vec<(&'static str, Arc<dyn Program<G>>)>;

/// A program whose bots decide by calling `act`.
pub(crate) fn scripted<G: Game>(
    act: impl Fn(&Turn, &G::View<'_>) -> Answer<G> + Send + Sync + 'static,
) -> Arc<dyn Program<G>> {
    Arc::new(ScriptedProgram { act: Arc::new(act), instances: AtomicU64::new(0) })
}

struct ScriptedProgram<A> {
    act: Arc<A>,
    instances: AtomicU64,
}

struct ScriptedBot<A> {
    act: Arc<A>,
    turn: Turn,
}

impl<G, A> Program<G> for ScriptedProgram<A>
where
    G: Game,
    A: Fn(&Turn, &G::View<'_>) -> Answer<G> + Send + Sync + 'static,
{
    fn identity(&self) -> String {
        "test:scripted".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        let instance = self.instances.fetch_add(1, Ordering::Relaxed) + 1;
        let start = Start { game: 0, id: 0, players: 0, seed: 0 };
        let turn = Turn { start, instance, games: 0, answer: 0 };
        Box::new(ScriptedBot { act: Arc::clone(&self.act), turn })
    }
}

impl<G, A> Bot<G> for ScriptedBot<A>
where
    G: Game,
    A: Fn(&Turn, &G::View<'_>) -> Answer<G> + Send + Sync,
{
    fn start(&mut self, start: &Start) {
        self.turn.start = *start;
        self.turn.games += 1;
        self.turn.answer = 0;
    }

    fn act(&mut self, view: &G::View<'_>) -> Answer<G> {
        self.turn.answer += 1;
        (self.act)(&self.turn, view)
    }
}

pub(crate) fn failure<T>(reason: Reason) -> Result<T, Failure> {
    Err(Failure::new(reason, "as scripted"))
}

/// Fills the first legal box with the first roll.
pub(crate) fn fill_first(view: &yahtzee::View<'_>) -> Answer<Yahtzee> {
    Ok(yahtzee::Action::Fill(view.legal().iter().next().expect("a box is free")))
}

/// Fills the legal box with the highest score with the first roll.
pub(crate) fn fill_best(view: &yahtzee::View<'_>) -> Answer<Yahtzee> {
    let worth = |category: &Category| view.card.box_score(*category, &view.dice);
    Ok(yahtzee::Action::Fill(view.legal().iter().max_by_key(worth).expect("a box is free")))
}

/// Fills the legal box with the lowest score with the first roll.
pub(crate) fn fill_worst(view: &yahtzee::View<'_>) -> Answer<Yahtzee> {
    let worth = |category: &Category| view.card.box_score(*category, &view.dice);
    Ok(yahtzee::Action::Fill(view.legal().iter().min_by_key(worth).expect("a box is free")))
}

pub(crate) fn first_box() -> Arc<dyn Program<Yahtzee>> {
    scripted::<Yahtzee>(|_, view| fill_first(view))
}

pub(crate) fn best_box() -> Arc<dyn Program<Yahtzee>> {
    scripted::<Yahtzee>(|_, view| fill_best(view))
}

/// Bids one die more, of the face of its first die, until the last bid exceeds `percent` percent of all dice; then
/// calls.
pub(crate) fn raise_to(percent: u32, view: &liars_dice::View<'_>) -> Answer<LiarsDice> {
    let all = view.dice_in_play();
    let count = match view.last_bid() {
        Some(last) if 100 * last.count() > percent * all => {
            return Ok(liars_dice::Action::Call);
        }
        Some(last) => last.count() + 1,
        None => 1 + all / 5,
    };
    Ok(liars_dice::Action::Bid(Bid::new(count, view.dice[0]).expect("a count of a table's dice")))
}

pub(crate) fn raiser(percent: u32) -> Arc<dyn Program<LiarsDice>> {
    scripted::<LiarsDice>(move |_, view| raise_to(percent, view))
}

/// A challenge of 20 games.
pub(crate) fn draft<G: Game>(bots: &Bots<G>) -> HillDraft<G> {
    let entrant = |(name, program): &(&str, Arc<dyn Program<G>>)| {
        Entrant::new(BotName::new(name).expect("a name"), Arc::clone(program))
    };
    let entrants = bots.iter().map(entrant).collect();
    HillDraft { games: 20, ..HillDraft::challenge(entrants, "a seed") }
}

pub(crate) fn hill<G: TournamentGame>(draft: HillDraft<G>) -> Hill<G> {
    Hill::new(draft).expect("a hill that can be played")
}

/// A challenge of this many games.
pub(crate) fn challenge<G: TournamentGame>(bots: &Bots<G>, games: i64) -> Hill<G> {
    hill(HillDraft { games, ..draft(bots) })
}

/// The bots except `names`.
pub(crate) fn without<G: Game>(bots: &Bots<G>, names: &[&str]) -> Bots<G> {
    bots.iter().filter(|(name, _)| !names.contains(name)).cloned().collect()
}

/// The events of a run.
pub(crate) struct Outcome<G: Game> {
    pub(crate) document: ResultDocument,
    /// The games that count.
    pub(crate) games: Vec<GameRecord<G>>,
    /// Their lines.
    pub(crate) lines: Vec<String>,
    pub(crate) bars: Vec<Bar>,
    /// Every event as text.
    pub(crate) events: Vec<String>,
}

pub(crate) fn play<G: Game>(hill: &Hill<G>, jobs: usize) -> Outcome<G> {
    play_with(hill, jobs, PLAY_OFFS)
}

pub(crate) fn play_with<G: Game>(hill: &Hill<G>, jobs: usize, max_play_offs: u64) -> Outcome<G> {
    let stop = AtomicBool::new(false);
    play_until(
        hill,
        RunOptions { jobs: Jobs::Exactly(jobs), max_play_offs, stop: &stop, deadline: None },
        u64::MAX,
    )
}

/// Stops the run once game `last` was reported.
pub(crate) fn play_until<G: Game>(
    hill: &Hill<G>,
    options: RunOptions<'_>,
    last: u64,
) -> Outcome<G> {
    let (mut games, mut lines, mut bars, mut events) = (vec![], vec![], vec![], vec![]);
    let mut on = |event: Event<'_, G>| {
        match event {
            Event::Started(header) => events.push(format!("started {}", json(header))),
            Event::Played(played, ledger) => {
                let number = ledger.games() + ledger.play_offs();
                events.push(format!("played {number} {}", played.line));
                games.push(played.record.clone());
                lines.push(played.line.clone());
                options.stop.store(played.record.fixture.game >= last, Ordering::Relaxed);
            }
            Event::Barred(bar) => {
                events.push(format!("barred {}", json(bar)));
                bars.push(bar.clone());
                games.clear();
                lines.clear();
            }
            Event::Retried(retrial) => events.push(format!("retried {retrial:?}")),
            Event::MemoryLost { bot, game, .. } => events.push(format!("lost {bot} {game}")),
            Event::Recalled(recalled, _) => lines.push(recalled.line.clone()),
            Event::Diverged { bot, game, recorded, answered } => {
                events.push(format!("diverged {bot} {game}: {recorded}, {answered}"));
            }
            Event::Ended(document) => events.push(format!("ended {}", json(document))),
        }
        io::Result::Ok(())
    };
    let document = match run(hill, options, &mut on).expect("nothing is stored") {
        RunEnd::Done(document) => document,
        RunEnd::Stopped(document) => {
            assert!(last < u64::MAX, "the run was stopped");
            document
        }
    };
    Outcome { document, games, lines, bars, events }
}

pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("a document can be written")
}

impl<G: Game> Outcome<G> {
    pub(crate) fn row(&self, name: &str) -> &Standing {
        self.document.standings.iter().find(|row| row.bot == name).expect("an entrant's row")
    }

    /// The rows of the entrants that are not barred.
    pub(crate) fn ranked(&self) -> Vec<Standing> {
        let ranked = self.document.standings.iter().filter(|row| row.barred.is_none());
        ranked.cloned().collect()
    }
}

/// The results of an entrant in the games that count, in their order, with the game numbers.
pub(crate) fn results_of<G: Game>(
    outcome: &Outcome<G>,
    hill: &Hill<G>,
    name: &str,
) -> Vec<(u64, SeatResult)> {
    let id = id_of(hill, name);
    let mut results = Vec::new();
    for GameRecord { fixture, results: by_seat, .. } in &outcome.games {
        if let Some(seat) = fixture.seats.iter().position(|other| *other == id) {
            results.push((fixture.game, by_seat[seat]));
        }
    }
    results
}

pub(crate) fn id_of<G: Game>(hill: &Hill<G>, name: &str) -> EntrantId {
    hill.ids().find(|id| hill.name_of(*id) == name).expect("an entrant")
}

/// The names at the table of a game, by seat.
pub(crate) fn names_at<'a, G: Game>(hill: &'a Hill<G>, record: &GameRecord<G>) -> Vec<&'a str> {
    record.fixture.seats.iter().map(|id| hill.name_of(*id)).collect()
}

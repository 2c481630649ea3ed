//! A policy decides identically in the environment and as a bot of the arena, from the protocol's requests, in 1,000 games.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bot, BotName, Entrant, Event, Failure, Hill, HillDraft, Jobs, Move, Program, RunOptions,
    TournamentGame, run,
};
use dicehill_environments::{EnvironmentGame, LEARNER, VectorOptions};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Game, Seat};

use crate::protocol::{ProtocolGame, check_request};
use crate::support::{Caller, policy};

const GAMES: u64 = 1000;
const SEED: &str = "the same games";

/// The policy as a bot that reads requests.
struct PolicyBot {
    players: usize,
}

impl<G: ProtocolGame> Program<G> for PolicyBot {
    fn identity(&self) -> String {
        "test:policy@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(Self { players: self.players })
    }
}

impl<G: ProtocolGame> Bot<G> for PolicyBot {
    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        check_request::<G>(view, self.players);
        let (observation, mask) = G::read(&G::request(view));
        Ok(G::decode(policy(&observation, &mask)).expect("an action").clone())
    }
}

/// The learner's actions in a game, and the points of each player.
type Played = BTreeMap<u64, (Vec<String>, Vec<f32>)>;

fn in_the_arena<G: ProtocolGame + TournamentGame>(opponents: &[&str]) -> Played {
    let players = opponents.len() + 1;
    let learner = Arc::new(PolicyBot { players });
    let mut entrants = vec![Entrant::new(BotName::new(LEARNER).expect("a name"), learner)];
    for name in opponents {
        let bot = G::house_bots().into_iter().find(|bot| bot.name() == *name);
        entrants.push(bot.expect("a house bot").entrant());
    }
    let draft = HillDraft { games: GAMES as i64, ..HillDraft::challenge(entrants, SEED) };
    let hill = Hill::new(draft).expect("a hill");
    let ids: Vec<_> = hill.ids().collect();
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let mut games = Played::new();
    run(&hill, options, &mut |event| {
        let Event::Played(played, _) = event else { return Ok(()) };
        let record = &played.record;
        let seat = |id| record.fixture.seats.iter().position(|at| *at == id).expect("a seat");
        let points = ids.iter().map(|id| record.results[seat(*id)].points as f32).collect();
        let actions =
            actions_of::<G>(hill.rules(), record.fixture.game, seat(ids[0]), &record.moves);
        games.insert(record.fixture.game, (actions, points));
        Ok(())
    })
    .expect("nothing is stored");
    games
}

/// The actions of a seat.
fn actions_of<G: Game>(
    rules: G::Rules,
    number: u64,
    seat: usize,
    moves: &[Move<G>],
) -> Vec<String> {
    let dice = dicehill_rules::Chance::new(SEED).table(number);
    let mut game = G::new(rules, 3, &dice);
    let mut actions = Vec::new();
    for action in moves {
        let Move::Acted(action) = action else { panic!("nobody fails") };
        if game.to_act() == Some(Seat::new(seat as u16)) {
            actions.push(action.to_string());
        }
        game.apply(action, &dice).expect("a recorded action");
    }
    actions
}

fn in_environments<G: EnvironmentGame>(opponents: &[&str]) -> Played {
    const ENVIRONMENTS: usize = 20;
    let players = opponents.len() + 1;
    let opponents = opponents.iter().map(|name| (*name).to_owned()).collect();
    let options = VectorOptions::<G>::new(ENVIRONMENTS, players, SEED);
    let mut caller = Caller::new(VectorOptions { opponents, ..options });
    let mut actions = vec![Vec::new(); ENVIRONMENTS];
    let mut games = Played::new();
    while (1..=GAMES).any(|game| !games.contains_key(&game)) {
        let numbers: Vec<_> =
            (0..ENVIRONMENTS).map(|index| caller.environment.game_number(index)).collect();
        let chosen = caller.actions();
        for (actions, action) in actions.iter_mut().zip(&chosen) {
            actions.push(G::decode(*action as usize).expect("an action").to_string());
        }
        caller.step(&chosen);
        for index in (0..ENVIRONMENTS).filter(|index| caller.arrays.dones[*index] == 1) {
            let actions = std::mem::take(&mut actions[index]);
            games.insert(numbers[index], (actions, caller.rewards(index).to_vec()));
        }
    }
    games.retain(|game, _| *game <= GAMES);
    games
}

/// Compares the first `players`, of which the first is the learner.
fn check<G: ProtocolGame + TournamentGame>(opponents: &[&str], players: usize) {
    let mut played = [in_the_arena::<G>(opponents), in_environments::<G>(opponents)];
    for (_, points) in played.iter_mut().flat_map(BTreeMap::values_mut) {
        points.truncate(players);
    }
    assert_eq!(played[0], played[1]);
}

#[test]
fn a_policy_for_yahtzee_decides_the_same_in_the_arena() {
    check::<Yahtzee>(&["dummy", "random"], 3);
}

/// The opponents play on in the arena when the learner is out.
#[test]
fn a_policy_for_liars_dice_decides_the_same_in_the_arena() {
    check::<LiarsDice>(&["honest", "random"], 1);
}

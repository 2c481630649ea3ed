//! What a seat sees.

use dicehill_environments::{
    Buffers, EnvironmentGame, Observations, VectorEnvironment, VectorOptions,
};
use dicehill_rules::chance::TableDice;
use dicehill_rules::liars_dice::{Action, LiarsDice};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Dice, Face, Game, PublicInfo, Seat};

use crate::protocol::{ProtocolGame, check_request, observed};
use crate::support::{Caller, policy};

/// Dice of one table for a seat, and of another one for the others.
struct Swapped {
    seat: Seat,
    own: TableDice,
    others: TableDice,
}

impl Dice for Swapped {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        let dice = if seat == self.seat { self.own } else { self.others };
        dice.roll(seat, round, roll, faces);
    }
}

/// Plays the same bids of a first round with two different hands of the other players.
fn check_hidden_dice(players: usize, seat: Seat, table: u64) {
    let (chance, public) = (Chance::new("hidden"), PublicInfo::default());
    let own = chance.table(table);
    let tables =
        [1000, 2000].map(|other| Swapped { seat, own, others: chance.table(table + other) });
    let mut games = tables.each_ref().map(|dice| LiarsDice::new(Default::default(), players, dice));
    assert_ne!(games[0], games[1], "the others hold different dice");
    loop {
        let seen = games.each_ref().map(|game| {
            observed::<LiarsDice>(&game.view(&public).expect("the first round"), players)
        });
        if games[0].to_act() == Some(seat) {
            assert_eq!(seen[0], seen[1], "{players} players, {seat}, table {table}");
        }
        let [one, other] = games.each_ref().map(|game| {
            let mut bytes = vec![0; LiarsDice::observation_len(players)];
            game.observe_seat(seat, &mut bytes);
            bytes
        });
        assert_eq!(one, other, "{players} players, {seat}, table {table}");
        let action = LiarsDice::decode(policy(&seen[0].0, &seen[0].1)).expect("an action");
        if *action == Action::Call {
            break;
        }
        for (game, dice) in games.iter_mut().zip(&tables) {
            game.apply(action, dice).expect("a legal bid");
        }
    }
}

#[test]
fn an_observation_does_not_depend_on_hidden_dice() {
    for players in 2..=5 {
        for seat in Seat::all(players) {
            (1..=100).for_each(|table| check_hidden_dice(players, seat, table));
        }
    }
}

/// A seat's first turn does not depend on what the others will roll; later it sees their scores alone.
#[test]
fn an_observation_does_not_depend_on_later_dice() {
    let (chance, public, seat) = (Chance::new("hidden"), PublicInfo::default(), Seat::new(0));
    for table in 1..=100 {
        let own = chance.table(table);
        let [one, other] = [1000, 2000].map(|other| {
            let dice = Swapped { seat, own, others: chance.table(table + other) };
            let mut game = Yahtzee::new(Default::default(), 2, &dice);
            let mut seen = Vec::new();
            while game.to_act() == Some(seat) {
                let observed = observed::<Yahtzee>(&game.view(&public).expect("a turn"), 2);
                let action = Yahtzee::decode(policy(&observed.0, &observed.1)).expect("an action");
                game.apply(action, &dice).expect("a legal action");
                seen.push(observed);
            }
            seen
        });
        assert_eq!(one, other);
    }
}

fn check_fields<G: EnvironmentGame>() {
    for players in G::PLAYERS {
        let mut end = 0;
        for field in G::fields(players) {
            assert_eq!(field.offset, end, "{field:?}");
            end += field.count * field.width;
        }
        assert_eq!(end, G::observation_len(players));
        assert!(end <= dicehill_environments::MAX_OBSERVATION);
    }
}

#[test]
fn fields_cover_observations() {
    check_fields::<Yahtzee>();
    check_fields::<LiarsDice>();
}

/// Compares float32 with bytes at every step of some games.
fn check_floats<G: EnvironmentGame>(players: usize) {
    let options = VectorOptions::<G>::new(4, players, "floats");
    let mut caller = Caller::new(options.clone());
    let mut environment = VectorEnvironment::new(options).expect("consistent options");
    let mut floats = vec![f32::NAN; caller.arrays.observations.len()];
    let fields = G::fields(players);
    for step in 0..200 {
        let actions = caller.actions();
        let mut others = caller.arrays.clone();
        let buffers = Buffers { observations: Observations::F32(&mut floats), ..others.buffers() };
        if step == 0 {
            environment.reset(buffers).expect("right lengths");
        } else {
            environment.step(&actions, buffers).expect("legal actions");
            caller.step(&actions);
        }
        let length = environment.observation_len();
        for (bytes, floats) in caller.arrays.observations.chunks(length).zip(floats.chunks(length))
        {
            for field in &fields {
                for index in 0..field.count {
                    let place = field.offset + index * field.width;
                    let low = f32::from(bytes[place]);
                    let high = if field.width == 2 { f32::from(bytes[place + 1]) } else { 0.0 };
                    let expected = (low + 256.0 * high) / f32::from(field.max);
                    assert!((floats[place] - expected).abs() < 1e-6, "{field:?}");
                    assert!((0.0..=1.0).contains(&floats[place]), "{field:?}");
                    assert!(field.width == 1 || floats[place + 1] == 0.0, "{field:?}");
                }
            }
        }
    }
}

#[test]
fn floats_are_scaled_bytes() {
    check_floats::<Yahtzee>(1);
    check_floats::<Yahtzee>(3);
    check_floats::<LiarsDice>(2);
    check_floats::<LiarsDice>(5);
}

/// Every position of a game of random legal actions, far beyond the mask, has the observation that its request has.
fn check_requests<G: ProtocolGame>(players: usize, tables: u64) {
    let (chance, public) = (Chance::new("requests"), PublicInfo::default());
    for table in 1..=tables {
        let dice = chance.table(table);
        let mut game = G::new(G::Rules::default(), players, &dice);
        let mut turns = 0;
        while let Some(view) = game.view(&public) {
            check_request::<G>(&view, players);
            // Many small raises, so that rounds outlast the list of bids.
            let actions = game.legal_actions().take(3).last().expect("a legal action");
            game.apply(&actions, &dice).expect("a legal action");
            turns += 1;
            if turns == 400 {
                break;
            }
        }
    }
}

#[test]
fn requests_have_what_observations_have() {
    check_requests::<Yahtzee>(2, 3);
    (2..=5).for_each(|players| check_requests::<LiarsDice>(players, 2));
}

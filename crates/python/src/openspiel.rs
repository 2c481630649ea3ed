//! Positions whose dice the caller rolls, for programs in which chance is a player: OpenSpiel.

use std::cell::{Cell, RefCell};

use dicehill_environments::EnvironmentGame;
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::arguments::{invalid, rules};
use crate::state::IllegalAction;

/// The most dice in one roll of the caller: a larger hand takes several.
const DICE_PER_ROLL: usize = 5;

/// Dice from the caller, in the order in which the rules ask for them.
struct RolledDice<'a> {
    dice: &'a [Face],
    used: Cell<usize>,
    /// The rolls that the rules asked for: seat and number of dice.
    asked: RefCell<Vec<(Seat, usize)>>,
}

impl<'a> RolledDice<'a> {
    const fn new(dice: &'a [Face]) -> Self {
        Self { dice, used: Cell::new(0), asked: RefCell::new(Vec::new()) }
    }
}

impl Dice for RolledDice<'_> {
    /// Dice that were not rolled yet are ones: the game is then only asked for its rolls.
    fn roll(&self, seat: Seat, _round: u32, _roll: u8, faces: &mut [Face]) {
        let start = self.used.replace(self.used.get() + faces.len());
        self.asked.borrow_mut().push((seat, faces.len()));
        if let Some(dice) = self.dice.get(start..start + faces.len()) {
            faces.copy_from_slice(dice);
        }
    }
}

/// How a game begins.
trait Setup<G> {
    fn begin<D: Dice>(&self, dice: &D) -> G;
}

#[derive(Clone)]
struct YahtzeeSetup {
    rules: YahtzeeRules,
    players: usize,
}

impl Setup<Yahtzee> for YahtzeeSetup {
    fn begin<D: Dice>(&self, dice: &D) -> Yahtzee {
        Yahtzee::new(self.rules, self.players, dice)
    }
}

#[derive(Clone)]
struct LiarsDiceSetup {
    rules: LiarsDiceRules,
    counts: Vec<u8>,
}

impl Setup<LiarsDice> for LiarsDiceSetup {
    fn begin<D: Dice>(&self, dice: &D) -> LiarsDice {
        LiarsDice::with_dice(self.rules, &self.counts, dice)
    }
}

/// A game, and the rolls that it waits for.
#[derive(Clone)]
struct Position<G: Game, S> {
    setup: S,
    /// `None` before the first rolls.
    game: Option<G>,
    /// The action whose dice are rolled.
    action: Option<&'static G::Action>,
    /// The rolls that it takes, and the dice rolled so far.
    asked: Vec<(Seat, usize)>,
    rolled: Vec<Face>,
}

impl<G: EnvironmentGame, S: Setup<G>> Position<G, S> {
    fn new(setup: S) -> Self {
        let dice = RolledDice::new(&[]);
        setup.begin(&dice);
        let asked = dice.asked.into_inner();
        Self { setup, game: None, action: None, asked, rolled: Vec::new() }
    }

    /// The seat and the number of dice of the next roll.
    fn to_roll(&self) -> Option<(Seat, usize)> {
        let mut end = 0;
        for (seat, count) in &self.asked {
            end += count;
            if end > self.rolled.len() {
                return Some((*seat, (end - self.rolled.len()).min(DICE_PER_ROLL)));
            }
        }
        None
    }

    fn roll(&mut self, pips: &[u8]) -> PyResult<()> {
        let (_, count) = self.to_roll().ok_or_else(|| invalid("no dice are to be rolled"))?;
        if pips.len() != count {
            return Err(invalid(format!("dice: {pips:?} are not {count}")));
        }
        let face = |pips: &u8| {
            Face::new(*pips).ok_or_else(|| invalid(format!("dice: {pips} is not 1 to 6")))
        };
        let faces = pips.iter().map(face).collect::<PyResult<Vec<_>>>()?;
        self.rolled.extend(faces);
        if self.to_roll().is_none() {
            let dice = RolledDice::new(&self.rolled);
            match (&mut self.game, self.action.take()) {
                (Some(game), Some(action)) => {
                    game.apply(action, &dice).expect("the action was legal before the roll");
                }
                (game, _) => *game = Some(self.setup.begin(&dice)),
            }
            self.asked.clear();
            self.rolled.clear();
        }
        Ok(())
    }

    /// The game, if a seat is to act.
    fn in_turn(&self) -> Option<&G> {
        self.game.as_ref().filter(|game| self.asked.is_empty() && !game.has_ended())
    }

    fn seat(&self) -> Option<usize> {
        self.in_turn().and_then(Game::to_act).map(Seat::index)
    }

    fn legal_actions(&self) -> Vec<usize> {
        let public = PublicInfo::default();
        let Some(view) = self.in_turn().and_then(|game| game.view(&public)) else {
            return Vec::new();
        };
        let legal = G::legal(&view);
        (0..G::ACTIONS).filter(|number| G::is_legal(legal, *number)).collect()
    }

    /// Performs an action, or begins to roll the dice that it takes.
    fn apply(&mut self, number: usize) -> PyResult<()> {
        let last = G::ACTIONS - 1;
        let action = G::decode(number)
            .ok_or_else(|| invalid(format!("action: {number} is not 0 to {last}")))?;
        let refused = |why: String| IllegalAction::new_err(format!("{action}: {why}"));
        let game = self.in_turn().ok_or_else(|| refused("no seat is to act".to_owned()))?;
        let (mut after, dice) = (game.clone(), RolledDice::new(&[]));
        after.apply(action, &dice).map_err(|why| refused(why.to_string()))?;
        self.asked = dice.asked.into_inner();
        if self.asked.is_empty() {
            self.game = Some(after);
        } else {
            self.action = Some(action);
        }
        Ok(())
    }

    /// What a seat sees: all 0 before the first rolls.
    fn observation(&self, seat: Seat, players: usize) -> Vec<u8> {
        let mut bytes = vec![0; G::observation_len(players)];
        if let Some(game) = &self.game {
            game.observe_seat(seat, &mut bytes);
        }
        bytes
    }
}

/// The position of either game.
#[derive(Clone)]
enum Inner {
    Yahtzee(Position<Yahtzee, YahtzeeSetup>),
    LiarsDice(Box<Position<LiarsDice, LiarsDiceSetup>>),
}

/// Runs an expression with the position of either game.
macro_rules! with_position {
    ($inner:expr, $position:ident => $body:expr) => {
        match $inner {
            Inner::Yahtzee($position) => $body,
            Inner::LiarsDice($position) => $body,
        }
    };
}

/// A game whose dice the caller rolls. `dicehill.openspiel` wraps it as a state of OpenSpiel.
#[pyclass(name = "Position", module = "dicehill._native")]
#[derive(Clone)]
pub(crate) struct PythonPosition {
    inner: Inner,
    players: usize,
    /// Bids on higher faces are not legal.
    faces: usize,
    is_single_round: bool,
    /// Of a single round: the seats that won and lost a die.
    won_and_lost: Option<[Seat; 2]>,
    /// What a copy in another process is made from: the name of the rules, the dice of each player, and all rolls and actions. An action is
    /// its number, and a roll `ROLL` plus the number of its dice, then the dice.
    rules: &'static str,
    dice: u8,
    log: Vec<u8>,
}

/// Above the numbers of all actions.
const ROLL: u8 = 200;

#[pymethods]
impl PythonPosition {
    /// A game of Yahtzee before its first roll.
    #[staticmethod]
    fn yahtzee(players: usize, rules: &str) -> PyResult<Self> {
        check_players::<Yahtzee>(players)?;
        let rules = self::rules::<Yahtzee>(Some(rules))?;
        let inner = Inner::Yahtzee(Position::new(YahtzeeSetup { rules, players }));
        let (faces, is_single_round, won_and_lost) = (6, false, None);
        let (rules, dice, log) = (rules.name(), 5, Vec::new());
        Ok(Self { inner, players, faces, is_single_round, won_and_lost, rules, dice, log })
    }

    /// A game of Liar's Dice before its first roll, in which each player begins with so many dice, and all dice have so many
    /// faces: bids on other faces are not legal. A single round ends with the first call.
    #[staticmethod]
    fn liars_dice(
        players: usize,
        dice: u8,
        faces: usize,
        is_single_round: bool,
        rules: &str,
    ) -> PyResult<Self> {
        check_players::<LiarsDice>(players)?;
        if !(1..=5).contains(&dice) {
            return Err(invalid(format!("dice: {dice} is not 1 to 5")));
        }
        if !(2..=6).contains(&faces) {
            return Err(invalid(format!("faces: {faces} is not 2 to 6")));
        }
        let rules = self::rules::<LiarsDice>(Some(rules))?;
        let setup = LiarsDiceSetup { rules, counts: vec![dice; players] };
        let inner = Inner::LiarsDice(Box::new(Position::new(setup)));
        let (rules, log, won_and_lost) = (rules.name(), Vec::new(), None);
        Ok(Self { inner, players, faces, is_single_round, won_and_lost, rules, dice, log })
    }

    /// The seat and the number of dice to roll next; None if no dice are to be rolled.
    fn to_roll(&self) -> Option<(usize, usize)> {
        let roll = with_position!(&self.inner, position => position.to_roll());
        roll.map(|(seat, count)| (seat.index(), count))
    }

    /// Rolls these dice, which are shown in this order.
    fn roll(&mut self, dice: Vec<u8>) -> PyResult<()> {
        with_position!(&mut self.inner, position => position.roll(&dice))?;
        self.log.push(ROLL + dice.len() as u8);
        self.log.extend(dice);
        Ok(())
    }

    /// The seat to act; None if dice are to be rolled or the game has ended.
    #[getter]
    fn seat(&self) -> Option<usize> {
        let seat = with_position!(&self.inner, position => position.seat());
        seat.filter(|_| self.won_and_lost.is_none())
    }

    /// Whether the game, or the single round, has ended.
    #[getter]
    fn ended(&self) -> bool {
        let ended = with_position!(&self.inner, position => {
            position.game.as_ref().is_some_and(Game::has_ended)
        });
        ended || self.won_and_lost.is_some()
    }

    /// The numbers of the legal actions, ascending.
    fn legal_actions(&self) -> Vec<usize> {
        if self.won_and_lost.is_some() {
            return Vec::new();
        }
        match &self.inner {
            Inner::Yahtzee(position) => position.legal_actions(),
            Inner::LiarsDice(position) => {
                let mut legal = position.legal_actions();
                legal.retain(|number| self.is_on_a_face(*number));
                legal
            }
        }
    }

    /// Performs the action with this number, or begins to roll the dice that it takes.
    fn apply(&mut self, action: usize) -> PyResult<()> {
        if self.ended() {
            return Err(IllegalAction::new_err(format!("action {action}: the game has ended")));
        }
        match &mut self.inner {
            Inner::Yahtzee(position) => position.apply(action),
            Inner::LiarsDice(_) => self.apply_liars_dice(action),
        }?;
        self.log.push(action as u8);
        Ok(())
    }

    /// What a seat sees, as in the environments; all 0 before the first rolls.
    fn observation<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyBytes>> {
        let players = self.players;
        if seat >= players {
            return Err(invalid(format!("seat: {seat} is not below {players}")));
        }
        let seat = Seat::new(seat as u16);
        let bytes = with_position!(&self.inner, position => position.observation(seat, players));
        Ok(PyBytes::new(py, &bytes))
    }

    /// What the game pays by seat; all 0 before its end. Yahtzee: the score for one player, else 1 to each with the highest
    /// score. Liar's Dice: 1 to the winner and as much in total from the others in equal parts; a single round: 1 to the
    /// player that won a die from the one that lost it.
    fn returns(&self) -> Vec<f64> {
        let mut returns = vec![0.0; self.players];
        if !self.ended() {
            return returns;
        }
        match (&self.inner, self.won_and_lost) {
            (_, Some([winner, loser])) => {
                (returns[winner.index()], returns[loser.index()]) = (1.0, -1.0);
            }
            (Inner::Yahtzee(position), None) => {
                let game = position.game.as_ref().expect("the game has ended");
                let pay = |seat: Seat| match self.players {
                    1 => f64::from(game.cards()[0].score()),
                    _ => game.result(seat).points as f64,
                };
                returns = Seat::all(self.players).map(pay).collect();
            }
            (Inner::LiarsDice(position), None) => {
                if let Some(winner) = position.game.as_ref().and_then(LiarsDice::winner) {
                    returns.fill(-1.0 / (self.players - 1) as f64);
                    returns[winner.index()] = 1.0;
                }
            }
        }
        returns
    }

    /// For `pickle`: what was rolled and done.
    fn __getstate__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.log)
    }

    fn __setstate__(&mut self, log: &[u8]) -> PyResult<()> {
        let mut rest = log;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if *first < ROLL {
                self.apply(usize::from(*first))?;
                continue;
            }
            let dice = rest.split_at_checked(usize::from(*first - ROLL));
            let (dice, after) =
                dice.ok_or_else(|| invalid("the state of a position is cut off"))?;
            rest = after;
            self.roll(dice.to_vec())?;
        }
        Ok(())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>, Bound<'py, PyBytes>)> {
        let (py, class, this) = (slf.py(), slf.get_type(), slf.borrow());
        let state = this.__getstate__(py);
        let Self { players, dice, faces, is_single_round, rules, .. } = &*this;
        Ok(match &this.inner {
            Inner::Yahtzee(_) => {
                (class.getattr("yahtzee")?, (*players, *rules).into_pyobject(py)?, state)
            }
            Inner::LiarsDice(_) => {
                let arguments = (*players, *dice, *faces, *is_single_round, *rules);
                (class.getattr("liars_dice")?, arguments.into_pyobject(py)?, state)
            }
        })
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

impl PythonPosition {
    /// Whether an action of Liar's Dice is the call or a bid on a face that the dice have.
    fn is_on_a_face(&self, number: usize) -> bool {
        number + 1 == LiarsDice::ACTIONS || number % 6 < self.faces
    }

    fn apply_liars_dice(&mut self, number: usize) -> PyResult<()> {
        if !self.is_on_a_face(number) {
            let (action, faces) = (LiarsDice::decode(number), self.faces);
            let action = action.map_or_else(|| number.to_string(), ToString::to_string);
            return Err(IllegalAction::new_err(format!("{action}: the dice have {faces} faces")));
        }
        let Inner::LiarsDice(position) = &mut self.inner else { return Ok(()) };
        if self.is_single_round
            && LiarsDice::decode(number) == Some(&Action::Call)
            && let Some(game) = position.in_turn()
            && let Some(holds) = game.last_bid_holds()
            && let Some(caller) = game.position_to_act()
        {
            let seats = game.seats();
            let bidder = seats[(caller + seats.len() - 1) % seats.len()];
            let caller = seats[caller];
            self.won_and_lost = Some(if holds { [bidder, caller] } else { [caller, bidder] });
            return Ok(());
        }
        position.apply(number)
    }
}

fn check_players<G: EnvironmentGame>(players: usize) -> PyResult<()> {
    let (least, most) = (G::PLAYERS.start(), G::PLAYERS.end());
    let is_possible = G::PLAYERS.contains(&players);
    let why = || invalid(format!("players: {players} is not {least} to {most}"));
    is_possible.then_some(()).ok_or_else(why)
}

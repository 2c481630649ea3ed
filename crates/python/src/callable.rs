//! Functions and classes in Python as bots: they get the messages of the bot protocol, in this process.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use dicehill_arena::{Bot, Failure, Finished, Program, Reason, RequestIds, Start};
use dicehill_link::{GameStart, Refused, WireGame, write_line};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

/// The exception that ends the run, such as KeyboardInterrupt.
pub(crate) type Interrupt = Arc<Mutex<Option<PyErr>>>;

/// Makes a bot for each game from an object in Python.
pub(crate) struct Callable {
    pub(crate) name: String,
    /// Called without arguments, returns an object whose method `message` takes a line and answers it.
    pub(crate) connect: Py<PyAny>,
    pub(crate) interrupt: Interrupt,
}

impl<G: WireGame> Program<G> for Callable {
    fn identity(&self) -> String {
        format!("callable:{}", self.name)
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        let session = Python::attach(|py| self.connect.call0(py));
        let mut bot = Session::<G> {
            session: None,
            fault: None,
            ids: RequestIds { request: 0, game: 0 },
            interrupt: Arc::clone(&self.interrupt),
            game: PhantomData,
        };
        match session {
            Ok(session) => bot.session = Some(session),
            Err(error) => bot.fail(error),
        }
        Box::new(bot)
    }
}

/// A game of such a bot.
struct Session<G> {
    session: Option<Py<PyAny>>,
    /// Why it cannot play on.
    fault: Option<Failure>,
    ids: RequestIds,
    interrupt: Interrupt,
    game: PhantomData<fn() -> G>,
}

impl<G: WireGame> Session<G> {
    fn send(&mut self, line: &[u8]) -> Option<String> {
        let session = self.session.as_ref()?;
        if self.interrupt.lock().is_ok_and(|interrupt| interrupt.is_some()) {
            self.fault = Some(Failure::new(Reason::Crash, "the run was interrupted"));
            return None;
        }
        let text = String::from_utf8_lossy(line);
        let answer = Python::attach(|py| {
            session.call_method1(py, "message", (text.as_ref(),))?.extract::<Option<String>>(py)
        });
        answer.unwrap_or_else(|error| {
            self.fail(error);
            None
        })
    }

    fn tell(&mut self, line: &[u8]) {
        self.send(line);
    }

    /// An exception is the bot's fault; what is no `Exception` ends the run.
    fn fail(&mut self, error: PyErr) {
        self.fault.get_or_insert_with(|| Failure::new(Reason::Crash, error.to_string()));
        if !Python::attach(|py| error.is_instance_of::<PyException>(py)) {
            let mut interrupt = self.interrupt.lock().unwrap_or_else(PoisonError::into_inner);
            interrupt.get_or_insert(error);
            self.session = None;
        }
    }
}

impl<G: WireGame> Bot<G> for Session<G> {
    fn start(&mut self, start: &Start) {
        self.ids.game = start.id;
        let seed = format!("{:016x}", start.seed);
        let mut line = Vec::new();
        write_line(&GameStart { game: start.id, players: start.players, seed: &seed }, &mut line);
        self.tell(&line);
    }

    fn reveal(&mut self, game: &G, _action: &G::Action) {
        let mut line = Vec::new();
        G::write_reveal(game, self.ids.game, &mut line);
        if !line.is_empty() {
            self.tell(&line);
        }
    }

    fn refused(&mut self, why: &str) -> Vec<String> {
        let mut line = Vec::new();
        write_line(&Refused { id: self.ids.request, why }, &mut line);
        self.tell(&line);
        Vec::new()
    }

    fn end(&mut self, finished: &Finished<'_, G>) {
        let mut line = Vec::new();
        G::write_end(finished, self.ids.game, &mut line);
        self.tell(&line);
    }

    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        self.ids.request += 1;
        let mut line = Vec::new();
        G::write_turn(view, self.ids, &mut line);
        let answer = self.send(&line);
        if let Some(fault) = self.fault.clone() {
            return Err(fault);
        }
        let answer = answer.unwrap_or_default();
        G::read_answer(answer.trim_end().as_bytes())
            .map_err(|why| Failure::new(Reason::MalformedAnswer, why.to_string()))?
            .action
    }
}

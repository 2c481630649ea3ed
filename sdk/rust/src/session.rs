//! Takes the arena's lines and answers them; without a clock and without a file.

use crate::json::{Read, Reader};
use crate::panics::{Place, authors_code};
use crate::seats::{Table, Told};
use crate::{Hello, Memory};

/// What a program has heard so far.
pub(crate) struct Session {
    tables: Vec<Box<dyn Table>>,
    /// Which of the tables is played, once a message tells.
    chosen: Option<usize>,
    over: bool,
}

impl Session {
    pub(crate) fn new(tables: Vec<Box<dyn Table>>) -> Self {
        assert!(!tables.is_empty(), "a program needs a bot");
        Self { tables, chosen: None, over: false }
    }

    /// Whether the arena has said bye.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Takes a line and appends its answer, if it has one.
    pub(crate) fn receive(&mut self, line: &str, answers: &mut String) -> Read<()> {
        let Some(mut kind) = Reader::new(line).find("type") else {
            // A message without a type is as unknown as one of an unknown type, but it has to be a
            // message.
            return Reader::new(line).skip();
        };
        match kind.text()?.as_ref() {
            "turn" => self.table_of(line).turn(line, answers),
            "hello" => self.hello(&Hello::read(line)?, answers),
            "start" => self.table().start(line),
            "round" => self.table().round(line),
            "end" => self.table().end(line),
            "error" => say(line),
            "bye" => {
                self.over = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes a line of a transcript; tells of a turn instead of answering.
    pub(crate) fn step(&mut self, line: &str) -> Read<Option<Told>> {
        let kind = Reader::new(line).find("type").map(|mut reader| reader.text()).transpose()?;
        if kind.as_deref() == Some("turn") {
            return self.table_of(line).step(line).map(Some);
        }
        self.receive(line, &mut String::new()).map(|()| None)
    }

    fn hello(&mut self, hello: &Hello, answers: &mut String) -> Read<()> {
        authors_code(Place::Hello, || self.choose(&hello.game));
        let table = self.table();
        table.hello(hello);
        answers.push_str(match hello.memory {
            Memory::Game => r#"{"type":"ready","inflight":64"#,
            Memory::Set => r#"{"type":"ready","inflight":1"#,
        });
        answers.push_str(if table.wants_rounds() { ",\"events\":[\"round\"]}\n" } else { "}\n" });
        Ok(())
    }

    /// A turn tells its game by its fields, so that one without a hello is understood.
    fn table_of(&mut self, line: &str) -> &mut dyn Table {
        if self.chosen.is_none() {
            let yahtzee = Reader::new(line).find("legal").is_some();
            self.choose(if yahtzee { "yahtzee" } else { "liars-dice" });
        }
        self.table()
    }

    fn choose(&mut self, game: &str) {
        self.chosen = self.tables.iter().position(|table| table.name() == game);
        assert!(self.chosen.is_some(), "this program has no bot for {game:?}");
    }

    /// The table that is played; a start before any hello does not name its game, and the first is
    /// as good as any.
    fn table(&mut self) -> &mut dyn Table {
        self.tables[self.chosen.unwrap_or(0)].as_mut()
    }
}

/// Shows on stderr what the arena found wrong.
fn say(line: &str) -> Read<()> {
    let (mut why, mut id) = (String::new(), None);
    Reader::new(line).object(|reader, key| {
        match key {
            "why" => why = reader.text()?.into_owned(),
            "id" => id = Some(reader.number::<u64>()?),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let request = id.map(|id| format!(" (request {id})")).unwrap_or_default();
    eprintln!("dicehill: the arena says: {why}{request}");
    Ok(())
}

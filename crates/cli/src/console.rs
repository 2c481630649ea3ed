//! What a command is connected to: its input, and its outputs for results and messages.

pub(crate) mod interrupt;
mod line_clock;
mod live_ratings;
pub(crate) mod log;
mod pace;
pub(crate) mod progress;
mod progress_mode;

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use dicehill_arena::{ProgressLine, printable_json};
use indicatif::ProgressDrawTarget;

use crate::layout::{Printer, Width};
pub(crate) use progress_mode::ProgressMode;

/// What a command is connected to. Clones share the streams.
#[derive(Clone)]
pub struct Console {
    input: Arc<Mutex<dyn BufRead + Send>>,
    /// Whether a terminal shows what is typed.
    echoes: bool,
    results: Output,
    messages: Output,
    /// Whether these are the streams of the process.
    is_of_this_process: bool,
    progress: ProgressMode,
    /// Set once the user or the host asks the command to stop.
    stop: Arc<AtomicBool>,
}

/// An output for text.
#[derive(Clone)]
struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    width: Width,
    colours: ColorChoice,
}

impl Console {
    /// The three streams that every process has.
    #[must_use]
    pub fn of_this_process() -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let colours = [AutoStream::choice(&stdout), AutoStream::choice(&stderr)];
        let results = Output::new(stdout, Width::of_stdout(), colours[0]);
        let messages = Output::new(stderr, Width::of_stderr(), colours[1]);
        let input = Arc::new(Mutex::new(BufReader::new(io::stdin())));
        let echoes = io::stdin().is_terminal();
        let (progress, stop) = (ProgressMode::Auto, Arc::default());
        Self { input, echoes, results, messages, is_of_this_process: true, progress, stop }
    }

    /// An input, and outputs for results and for messages, none of which is a terminal: text has no colours
    /// and lines of any length, and there are no live lines.
    pub fn of_files(
        input: impl BufRead + Send + 'static,
        results: impl Write + Send + 'static,
        messages: impl Write + Send + 'static,
    ) -> Self {
        let results = Output::new(results, Width::Unlimited, ColorChoice::Never);
        let messages = Output::new(messages, Width::Unlimited, ColorChoice::Never);
        let input = Arc::new(Mutex::new(input));
        let (progress, stop) = (ProgressMode::Auto, Arc::default());
        Self { input, echoes: false, results, messages, is_of_this_process: false, progress, stop }
    }

    /// The same console, with progress shown in this way.
    pub(crate) fn with_progress(&self, progress: ProgressMode) -> Self {
        Self { progress, ..self.clone() }
    }

    /// The same console for a command whose exit code is a verdict: it reaches the verdict also if nothing reads its results to
    /// the end.
    pub(crate) fn of_verdict(&self) -> Self {
        let writer = UntilClosed(SharedWriter(Arc::clone(&self.results.writer)));
        let results = Output { writer: Arc::new(Mutex::new(writer)), ..self.results.clone() };
        Self { results, ..self.clone() }
    }

    /// Where results are printed for people.
    pub(crate) fn out(&self) -> Printer<ColouredOutput> {
        self.results.printer()
    }

    /// Where results for programs go, byte for byte.
    pub(crate) fn data(&self) -> impl Write + Send + use<> {
        SharedWriter(Arc::clone(&self.results.writer))
    }

    /// How wide what is printed for people may be.
    pub(crate) const fn width(&self) -> Width {
        self.results.width
    }

    /// How wide messages may be.
    pub(crate) const fn width_of_messages(&self) -> Width {
        self.messages.width
    }

    /// Prints a message. An output that is closed or full is no error.
    pub(crate) fn report(&self, line: impl Display) {
        self.report_as(line, |text| ProgressLine::Message { text });
    }

    /// Prints a message, which programs read as this line.
    pub(crate) fn report_as(
        &self,
        line: impl Display,
        as_line: impl FnOnce(String) -> ProgressLine,
    ) {
        match self.progress {
            ProgressMode::Auto | ProgressMode::Plain => {
                let _unread = writeln!(self.messages.printer(), "{line}");
            }
            ProgressMode::Json => {
                self.emit(&as_line(strip_str(&line.to_string()).to_string()));
            }
        }
    }

    /// Writes a line for programs, if they are to read the progress. An output that is closed or full is no error.
    pub(crate) fn emit(&self, line: &ProgressLine) {
        match self.progress {
            ProgressMode::Auto | ProgressMode::Plain => {}
            ProgressMode::Json => {
                let json = printable_json(line).expect("a line has only texts and numbers");
                // In one call, so that lines of several threads do not mix.
                let _unread =
                    locked(&self.messages.writer).write_all(format!("{json}\n").as_bytes());
            }
        }
    }

    /// How progress is shown.
    pub(crate) const fn progress(&self) -> ProgressMode {
        self.progress
    }

    /// Where messages go, byte for byte.
    fn message_bytes(&self) -> impl Write + Send + use<> {
        SharedWriter(Arc::clone(&self.messages.writer))
    }

    /// Whether messages have colours.
    fn colours_messages(&self) -> bool {
        self.messages.colours != ColorChoice::Never
    }

    /// The next line of the input; `None` after the last.
    pub(crate) fn read_line(&self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = locked(&self.input).read_until(b'\n', &mut bytes)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Whether a terminal shows what is typed.
    pub(crate) const fn echoes(&self) -> bool {
        self.echoes
    }

    /// Whether these are the streams of the process, so that its signals and its terminal are the command's.
    pub(crate) const fn is_of_this_process(&self) -> bool {
        self.is_of_this_process
    }

    /// The flag that is set once the user or the host asks the command to stop.
    pub(crate) const fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Where live lines are drawn.
    pub(crate) fn live(&self) -> ProgressDrawTarget {
        match self.progress {
            ProgressMode::Auto if self.is_of_this_process => ProgressDrawTarget::stderr(),
            ProgressMode::Auto | ProgressMode::Plain | ProgressMode::Json => {
                ProgressDrawTarget::hidden()
            }
        }
    }
}

/// What a [`Printer`] of a console writes to. It drops colours where they are not shown.
pub(crate) type ColouredOutput = AutoStream<Box<dyn Write>>;

impl Output {
    fn new(writer: impl Write + Send + 'static, width: Width, colours: ColorChoice) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), width, colours }
    }

    fn printer(&self) -> Printer<ColouredOutput> {
        let shared: Box<dyn Write> = Box::new(SharedWriter(Arc::clone(&self.writer)));
        Printer::new(AutoStream::new(shared, self.colours), self.width)
    }
}

/// An output with several writers.
struct SharedWriter(Arc<Mutex<dyn Write + Send>>);

impl Write for SharedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        locked(&self.0).flush()
    }
}

/// An output that drops everything once its reader has closed it.
struct UntilClosed<W>(W);

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

fn unless_closed<T>(written: io::Result<T>, dropped: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(dropped),
        written => written,
    }
}

/// The lock, also after a panic: a half-written line does no harm.
fn locked<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

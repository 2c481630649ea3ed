//! A bot with the mistakes of authors; the command line names the mistake.

use std::process::Command;

use dicehill_bot::{Bots, Hello, Start, liars_dice, yahtzee};

fn main() {
    let slip = std::env::args().nth(1).unwrap_or_default();
    let stumbling = move |hello: &Hello| Stumbling {
        slip: slip.clone(),
        memory: format!("{:?}", hello.memory),
        turns: 0,
        held: 0,
    };
    Bots::new().yahtzee(stumbling.clone()).liars_dice(stumbling).run()
}

struct Stumbling {
    slip: String,
    memory: String,
    turns: usize,
    held: u32,
}

impl Stumbling {
    fn slip(&self, hook: &str) {
        assert!(self.slip != hook, "slipped in {hook}");
    }
}

impl yahtzee::Bot for Stumbling {
    fn start(&mut self, start: &Start) {
        self.slip("start");
        eprintln!("start {} {} {} {}", start.game, start.players, start.seed, self.memory);
    }

    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        self.turns += 1;
        match self.slip.as_str() {
            "print" => {
                println!("one");
                print!("two ");
                println!("{}", turn.id);
                let child = Command::new("echo").arg("child").status();
                assert!(child.is_ok_and(|status| status.success()), "echo runs");
                turn.keep([])
            }
            "count" => turn.keep(0..self.turns),
            "index" => turn.keep([0, 5]),
            "repeat" => turn.keep([3, 3]),
            "category" => turn.fill(yahtzee::Category::Twos),
            _ if turn.id == 2 => decide_badly(turn.dice.len()),
            _ => turn.keep([0]),
        }
    }

    fn end(&mut self, end: &yahtzee::End) {
        self.slip("end");
        eprintln!("end {} {} {} {:?}", end.game, end.score, end.won, end.scores);
    }
}

#[inline(never)]
fn decide_badly(dice: usize) -> yahtzee::Answer {
    assert!(dice > 5, "no such die: {dice}");
    yahtzee::Answer::Category(yahtzee::Category::Chance)
}

impl liars_dice::Bot for Stumbling {
    const ROUNDS: bool = true;

    fn turn(&mut self, turn: &liars_dice::Turn) -> liars_dice::Answer {
        turn.bid(9 + self.held, 6)
    }

    fn round(&mut self, round: &liars_dice::Round) {
        self.slip("round");
        self.held += u32::from(round.held);
        eprintln!("round {:?} {:?} {} {}", round.bids, round.hands, round.caller, round.bidder);
    }

    fn end(&mut self, end: &liars_dice::End) {
        eprintln!("end {:?} {:?} {:?}", end.winner, end.points, end.names);
    }
}

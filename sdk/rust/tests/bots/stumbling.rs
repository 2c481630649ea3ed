//! A bot with the mistakes of authors; the command line names the mistake.

use std::process::Command;

use dicehill_bot::{Bots, Hello, yahtzee};

fn main() {
    let slip = std::env::args().nth(1).unwrap_or_default();
    let stumbling = move |hello: &Hello| Stumbling {
        slip: slip.clone(),
        memory: format!("{:?}", hello.memory),
    };
    Bots::new().yahtzee(stumbling).run()
}

struct Stumbling {
    slip: String,
    memory: String,
}

impl yahtzee::Bot for Stumbling {
    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        match self.slip.as_str() {
            "print" => {
                println!("one");
                print!("two ");
                println!("{}", turn.id);
                let child = Command::new("echo").arg("child").status();
                assert!(child.is_ok_and(|status| status.success()), "echo runs");
                turn.keep([])
            }
            "memory" => {
                eprintln!("{}", self.memory);
                turn.keep([])
            }
            "index" => turn.keep([0, 5]),
            "repeat" => turn.keep([3, 3]),
            "category" => turn.fill(yahtzee::Category::Twos),
            _ if turn.id == 2 => decide_badly(turn.dice.len()),
            _ => turn.keep([0]),
        }
    }
}

#[inline(never)]
fn decide_badly(dice: usize) -> yahtzee::Answer {
    assert!(dice > 5, "no such die: {dice}");
    yahtzee::Answer::Category(yahtzee::Category::Chance)
}

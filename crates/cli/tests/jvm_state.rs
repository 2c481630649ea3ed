//! State of the JVM that a player for a published Java interface could leave for its later games.

use crate::support::{Scratch, hill};

/// Logs what an earlier game has left in the system properties, and leaves something there.
const CARRIER: &str = r#"public class Carrier extends Player {
    public Carrier() {
        System.err.println("found " + System.getProperty("left.by.a.game"));
        System.setProperty("left.by.a.game", "something");
    }
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        return bids.length == 0 ? "1 2" : "Liar!";
    }
}"#;

/// The log of the carrier in a run of a few games.
fn log(memory: &str) -> String {
    let scratch = Scratch::new();
    scratch.write("Carrier.java", CARRIER);
    let keys = format!("game = \"liars-dice\"\ngames = 4\nmemory = \"{memory}\"");
    let carrier = "[[bot]]\nname = \"Carrier\"\njava = \"Carrier.java\"\n";
    scratch.write("hill.toml", hill(&keys, &["nobody", "honest"]) + carrier);
    let output = scratch.run(&["run", "hill.toml", "--logs", "logs"]);
    assert_eq!(output.code, 0, "{output:?}");
    let log = scratch.read("logs/Carrier.log");
    assert!(log.contains("found null\n"), "{log}");
    log
}

#[test]
fn system_properties_carry_nothing_to_the_next_game() {
    let log = log("game");
    assert!(!log.contains("found something"), "{log}");
}

#[test]
fn system_properties_last_as_long_as_a_set() {
    let log = log("set");
    assert!(log.contains("found something"), "{log}");
}

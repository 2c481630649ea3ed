//! Jars with players for the published Java interfaces, in the sandbox.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::support::user::{Isolation, User, make_accessible};
use crate::support::{CommandOutput, Scratch, hill};

/// Plays legally, and uses a library class if there is one.
const JAVA: &str = "public class Jarred extends Player {
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        if (bids.length == 0) return \"1 2\";
        int count = Integer.parseInt(bids[bids.length - 1].split(\" \")[0]);
        return count * 2 > Controller.diceInPlay() ? \"Liar!\" : RAISE;
    }
}";
const KOTLIN: &str = "class Jarred : Player() {
    override fun bid(you: Int, counts: IntArray, dice: IntArray, bids: Array<String>): String {
        if (bids.isEmpty()) return \"1 2\"
        val (count, face) = bids.last().split(\" \").map { it.toInt() }
        return if (count * 2 > Controller.diceInPlay()) \"Liar!\" else \"${count + 1} $face\"
    }
}";
const SCALA: &str = "class Jarred extends Player {
    override def bid(you: Int, counts: Array[Int], dice: Array[Int], bids: Array[String]): String =
        if (bids.isEmpty) \"1 2\" else {
            val List(count, face) = bids.last.split(\" \").map(_.toInt).toList
            if (count * 2 > Controller.diceInPlay()) \"Liar!\" else (count + 1) + \" \" + face
        }
}";

/// Runs a tool in a folder, which has to succeed.
#[track_caller]
fn run_tool(scratch: &Scratch, words: &[&str]) {
    let output = Command::new(words[0]).args(&words[1..]).current_dir(scratch.path("")).output();
    let output = output.unwrap_or_else(|error| panic!("{words:?}: {error}"));
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A folder with the published interfaces in `api`, and `with.jar` and `without.jar`: the same player with and without a
/// manifest. They are compiled once.
fn compiled() -> &'static Scratch {
    static COMPILED: LazyLock<Scratch> = LazyLock::new(|| {
        let scratch = Scratch::new();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../link/java");
        let sources = sources.to_str().expect("a plain path");
        let player = format!("{sources}/Player.java");
        let controller = format!("{sources}/Controller.java");
        run_tool(&scratch, &["javac", "-d", "api", "-sourcepath", sources, &player, &controller]);
        let raise = r#"(count + 1) + " 2""#;
        scratch.write("Jarred.java", JAVA.replace("RAISE", raise));
        run_tool(&scratch, &["javac", "-cp", "api", "-d", "classes", "Jarred.java"]);
        let class = ["-C", "classes", "Jarred.class"];
        let with_manifest = ["jar", "--create", "--file", "with.jar", "--main-class", "Jarred"];
        run_tool(&scratch, &[&with_manifest[..], &class].concat());
        let without_manifest = ["jar", "--create", "--no-manifest", "--file", "without.jar"];
        run_tool(&scratch, &[&without_manifest[..], &class].concat());
        scratch
    });
    &COMPILED
}

/// The folder with the compiled interfaces.
fn api() -> String {
    compiled().path("api").into_os_string().into_string().expect("a plain path")
}

/// A scratch folder with both jars.
fn folder_with_jars() -> Scratch {
    let scratch = Scratch::new();
    for name in ["with.jar", "without.jar"] {
        fs::copy(compiled().path(name), scratch.path(name)).expect("it is ours");
    }
    scratch
}

/// Every kind of BOT that names one of these jars: a file, a folder, a hill file.
fn bots_by_name(scratch: &Scratch) -> Vec<String> {
    fs::create_dir_all(scratch.path("folder")).expect("it is ours");
    fs::create_dir_all(scratch.path("jars")).expect("it is ours");
    fs::copy(scratch.path("with.jar"), scratch.path("folder/bot.jar")).expect("it is ours");
    fs::copy(scratch.path("without.jar"), scratch.path("jars/bot.jar")).expect("it is ours");
    scratch.write("folder/bot.toml", "name = \"Folder\"\njava = \"bot.jar\"\n");
    let bots = "[[bot]]\nname = \"File\"\njava = \"with.jar\"\n\
                [[bot]]\nname = \"Jars\"\njava = \"jars\"\nclass = \"Jarred\"\n";
    let keys = "game = \"liars-dice\"\nseed = \"jars\"\nopen_seed = true\ngames = 20";
    scratch.write("hill.toml", hill(keys, &["random"]) + bots);
    let bots_by_name = ["with.jar", "without.jar", "./folder", "hill.toml#File", "hill.toml#Jars"];
    bots_by_name.map(str::to_owned).into()
}

/// The output of the command as this user starts it, with a cache of its own.
fn run(scratch: &Scratch, user: User, arguments: &[&str]) -> CommandOutput {
    let mut command = Command::new(scratch.path("dicehill"));
    command.args(arguments).current_dir(scratch.path("")).env_remove("NO_COLOR");
    for name in ["XDG_CACHE_HOME", "HOME"] {
        command.env(name, scratch.path("home"));
    }
    user.apply_to(&mut command);
    CommandOutput::from(command.output().expect("the command starts"))
}

#[test]
fn a_jar_plays_in_the_sandbox() {
    for user in Isolation::On.users() {
        let scratch = folder_with_jars();
        let bots = bots_by_name(&scratch);
        make_accessible(&scratch);
        fs::create_dir(scratch.path("home")).expect("it is ours");
        user.give_ownership(&scratch.path("home"));
        let mut arguments = vec!["check", "liars-dice", "--require-isolation", "--games", "2"];
        arguments.extend(bots.iter().map(String::as_str));
        let output = run(&scratch, user, &arguments);
        assert_eq!(output.code, 0, "{user:?}: {output:?}");
        assert_eq!(output.out.matches(": qualified: 2 games").count(), bots.len(), "{output:?}");
        let output = run(&scratch, user, &["run", "hill.toml", "--require-isolation"]);
        assert_eq!(output.code, 0, "{user:?}: {output:?}");
    }
}

#[test]
fn a_hill_stores_jars() {
    let scratch = folder_with_jars();
    bots_by_name(&scratch);
    let init = ["hill", "init", "hill.db", "liars-dice", "--games", "10", "--seed", "jars"];
    scratch.run_ok(&init);
    let output = scratch.run(&["hill", "add", "hill.db", "random", "with.jar", "hill.toml#Jars"]);
    assert_eq!(output.code, 0, "{output:?}");
    let output = scratch.run(&["verify", "hill.db#1", "--sample", "3"]);
    assert_eq!(output.code, 0, "{output:?}");
}

/// A folder may hold sources and the jars that they need.
#[test]
fn sources_are_compiled_against_jars_in_their_folder() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("bot/lib")).expect("it is ours");
    let library = "package lib; public class Raise {
        public static String above(int count) { return (count + 1) + \" 2\"; } }";
    scratch.write("Raise.java", library);
    run_tool(&scratch, &["javac", "-d", "classes", "Raise.java"]);
    run_tool(&scratch, &["jar", "--create", "--file", "bot/lib/raise.jar", "-C", "classes", "lib"]);
    scratch.write("bot/Jarred.java", JAVA.replace("RAISE", "lib.Raise.above(count)"));
    scratch.write("bot/bot.toml", "name = \"Sources\"\njava = \".\"\n");
    let output = scratch.run(&["check", "liars-dice", "./bot", "--games", "4"]);
    assert_eq!(output.code, 0, "{output:?}");
}

/// Whether this compiler is installed; prints a message if not.
fn has_compiler(name: &str) -> bool {
    let is_there = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()));
    if !is_there {
        eprintln!("not run: no {name} in the PATH");
    }
    is_there
}

#[test]
fn kotlin_plays_from_one_jar() {
    if !has_compiler("kotlinc") {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("Jarred.kt", KOTLIN);
    let words = ["kotlinc", "-cp", &api(), "-include-runtime", "-d", "kotlin.jar", "Jarred.kt"];
    run_tool(&scratch, &words);
    let output = scratch.run(&["check", "liars-dice", "kotlin.jar", "--games", "4"]);
    assert_eq!(output.code, 0, "{output:?}");
    // Its library has hundreds of static fields.
    let note = output.out.lines().find(|line| line.contains("static fields")).expect("a note");
    assert!(note.contains(" more; they live on"), "{note}");
    assert!(output.out.lines().count() < 8, "{}", output.out);
}

/// The Scala library in the places where Debian and others install it.
fn scala_library() -> Option<PathBuf> {
    let places = ["/usr/share/java/scala-library.jar", "/usr/share/scala/lib/scala-library.jar"];
    places.into_iter().map(PathBuf::from).find(|path| path.is_file())
}

#[test]
fn scala_plays_from_a_folder_of_jars() {
    let Some(library) = scala_library().filter(|_| has_compiler("scalac")) else { return };
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("bot")).expect("it is ours");
    scratch.write("Jarred.scala", SCALA);
    run_tool(&scratch, &["scalac", "-cp", &api(), "-d", "bot/player.jar", "Jarred.scala"]);
    fs::copy(library, scratch.path("bot/scala-library.jar")).expect("it is ours");
    scratch.write("bot/bot.toml", "name = \"Scala\"\njava = \".\"\n");
    let output = scratch.run(&["check", "liars-dice", "./bot", "--games", "4"]);
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn an_invalid_jar_is_reported() {
    let scratch = Scratch::new();
    scratch.write("broken.jar", "PK\u{3}\u{4} and nothing else");
    let output = scratch.run(&["check", "liars-dice", "broken.jar", "--games", "2"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.err.contains("cannot read broken.jar: zip END header not found"), "{output:?}");
    // So does a run, before it plays.
    let output = scratch.run(&["run", "liars-dice", "broken.jar", "random", "--games", "2"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
    assert!(output.err.contains("cannot read broken.jar: zip END header not found"), "{output:?}");
    fs::create_dir(scratch.path("empty")).expect("it is ours");
    scratch.write("empty/bot.toml", "name = \"Empty\"\njava = \".\"\n");
    let output = scratch.run(&["check", "liars-dice", "./empty"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.err.contains("no such Java source or jar"), "{output:?}");
}

//! The scripts in `examples/machines`, as far as one machine can run them.

use std::path::Path;
use std::process::Command;

use super::{merged, on_one_machine, plan};
use crate::support::{Scratch, hill, project_path};

/// A folder with a plan, in which `dicehill` is the program under test.
fn planned() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "hill.toml",
        hill(
            "name = \"spring\"\ngame = \"yahtzee\"\nseed = \"s\"\ngames = 20",
            &["greedy", "dummy"],
        ),
    );
    scratch.write("spring.toml", scratch.read("hill.toml"));
    plan(&scratch);
    scratch
}

fn example(name: &str) -> String {
    let path = project_path("examples/machines").join(name);
    std::fs::read_to_string(path).expect("the example")
}

/// Runs a shell command in which `dicehill` is the program under test.
#[track_caller]
fn shell(scratch: &Scratch, script: &str, variables: &[(&str, &str)]) {
    let program = Path::new(env!("CARGO_BIN_EXE_dicehill"));
    let folder = program.parent().expect("a folder").to_string_lossy();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(scratch.path("")).env("PATH", path);
    let output = command.envs(variables.iter().copied()).output().expect("there is a shell");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Expects the parts of eight shards to give the run on one machine.
#[track_caller]
fn expect_whole(scratch: &Scratch) {
    let parts: Vec<_> = (1..=8).map(|shard| format!("part-{shard}.jsonl")).collect();
    assert!(merged(scratch, &parts, &[]) == on_one_machine(scratch));
}

#[test]
fn the_slurm_script_plays_all_shards() {
    let scratch = planned();
    let script = project_path("examples/machines/slurm.sh");
    assert!(example("slurm.sh").contains("\n#SBATCH --array=1-8\n"));
    for shard in 1..=8 {
        let shard = shard.to_string();
        let variables = [
            ("SLURM_ARRAY_TASK_ID", shard.as_str()),
            ("SLURM_ARRAY_TASK_COUNT", "8"),
            ("SLURM_CPUS_PER_TASK", "1"),
        ];
        shell(&scratch, script.to_str().expect("a plain path"), &variables);
    }
    expect_whole(&scratch);
}

#[test]
fn the_command_of_the_kubernetes_job_plays_all_shards() {
    let scratch = planned();
    let manifest = example("kubernetes.yaml");
    let (_, command) = manifest.split_once("            - >-\n").expect("a folded text");
    let lines = command.lines().take_while(|line| line.starts_with("              "));
    let command = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    for index in 0..8 {
        shell(&scratch, &command, &[("JOB_COMPLETION_INDEX", &index.to_string())]);
    }
    expect_whole(&scratch);
}

#[test]
fn the_commands_of_the_matrix_play_all_shards() {
    let scratch = planned();
    std::fs::remove_file(scratch.path("plan.json")).expect("it is there");
    let workflow = example("ci.yaml");
    let commands = workflow.lines().filter_map(|line| line.trim().strip_prefix("- run: "));
    let [plan, shard, merge] = commands.collect::<Vec<_>>()[..] else { panic!("{workflow}") };
    shell(&scratch, &format!("{plan} --no-luck"), &[]);
    for index in 1..=8 {
        shell(&scratch, &shard.replace("${{ matrix.shard }}", &index.to_string()), &[]);
    }
    shell(&scratch, merge, &[]);
    assert!(scratch.read("whole.jsonl") == on_one_machine(&scratch).1);
}

#[test]
fn the_manifests_are_yaml() {
    let parse = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !parse(&["-c", "import yaml"]).is_ok_and(|output| output.status.success()) {
        println!("not tested: the manifests, for want of PyYAML");
        return;
    }
    for name in ["kubernetes.yaml", "ci.yaml"] {
        let path = project_path("examples/machines").join(name);
        let script = "import sys, yaml; yaml.safe_load(open(sys.argv[1]))";
        let output = parse(&["-c", script, path.to_str().expect("a plain path")]);
        let output = output.expect("there is Python");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

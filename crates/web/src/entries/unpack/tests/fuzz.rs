//! Uploaded archives, fuzzed: nothing is written elsewhere, the limits are kept, and what was unpacked can be packed.

use std::path::Path;

use dicehill_fuzz::FuzzTarget;

use super::*;

/// The most characters of an error.
const MAX_ERROR: usize = 8_000;

#[test]
fn archives() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/archive");
    FuzzTarget { name: "archive", corpus, seeds: seeds(), cases: 400 }.check(|input| {
        let unpacked_as = |name: &str| unpacked(input, name).map_err(|error| error.to_string());
        let outcome = unpacked_as("bot.jar");
        // Compressed again, a tar archive is the same; the checksum of a mutated one would hide it.
        if Content::of_head(input) == Content::Tar {
            let compressed = unpacked(&gzipped(input), "x").map_err(|error| error.to_string());
            assert_eq!(compressed, outcome);
        }
        match outcome {
            Err(text) => {
                let length = text.chars().count();
                assert!(length <= MAX_ERROR, "{length} characters: {text}");
                // The name of a member comes first, and what else is quoted comes last.
                let message = text.rsplit(": ").next().unwrap_or_default();
                message.split(' ').take(5).collect()
            }
            Ok(files) => {
                check_packed(&files);
                format!("{:?} {}", files.first().map(|(_, mode, _)| *mode), files.len().min(3))
            }
        }
    });
}

/// Packs the files and unpacks them again. In a folder of their own, that folder is the bot's again.
fn check_packed(files: &[(String, u32, Vec<u8>)]) {
    let packed = |(path, mode, content): &(String, u32, Vec<u8>)| {
        (format!("b/{path}"), *mode, content.clone())
    };
    let packed: Vec<_> = files.iter().map(packed).collect();
    // The folder makes a path longer and deeper, which may be too long or too deep.
    if files.is_empty() || packed.iter().any(|(path, ..)| !is_path(path)) {
        return;
    }
    let members: Vec<_> = packed
        .iter()
        .map(|(path, mode, content)| (path.as_str(), content.as_slice(), *mode))
        .collect();
    assert_eq!(unpacked(&zip_of(&members), "x").expect("it was unpacked before"), files);
}

fn is_path(path: &str) -> bool {
    MemberPath::parse(path.as_bytes()).is_ok()
}

fn seeds() -> Vec<Vec<u8>> {
    let files: [(&str, &[u8], u32); 4] = [
        ("bot/", b"", 0o755),
        ("bot/main.py", b"import a\n", 0o777),
        ("bot/lib/a.py", b"x = 1\n", 0o644),
        ("bot/bot.toml", b"name = \"X\"\ncommand = [\"python3\", \"main.py\"]\n", 0o644),
    ];
    let zip = zip_of(&files);
    let small = zip_of(&[("a", b"", 0o644)]);
    let jar = zip_of(&[("META-INF/MANIFEST.MF", b"Main-Class: A\n", 0o644)]);
    let tar = tar_of(&[
        RawMember { name: b"./", kind: b'5', mode: 0o755, ..RawMember::default() },
        RawMember { mode: 0o4711, ..file(b"./main.py", b"import a\n") },
        file(b"./lib/a.py", b"x = 1\n"),
    ]);
    let long = RawMember { kind: b'L', magic: GNU, ..file(b"././@LongLink", b"long/name\0") };
    let gnu = tar_of(&[long, RawMember { magic: GNU, ..file(b"short", b"x") }]);
    let record = b"19 path=other/name\n";
    let pax = tar_of(&[RawMember { kind: b'x', ..file(b"pax", record) }, file(b"short", b"x")]);
    let link = tar_of(&[RawMember { kind: b'2', link: b"/etc", ..file(b"link", b"") }]);
    let compressed = gzipped(&tar);
    vec![zip, small, jar, tar, gnu, pax, link, compressed, b"import sys\n".to_vec()]
}

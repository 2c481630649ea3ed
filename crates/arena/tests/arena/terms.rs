//! The terms of a run, as its header and its result document have them.

use dicehill_arena::{
    FormatName, Header, Hill, HillDraft, Memory, PROGRAM, ResultDocument, Terms, printable_json,
};
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Bots, draft, first_box, hill, play};

fn bots() -> Bots<Yahtzee> {
    ["A", "B", "C"].map(|name| (name, first_box())).into()
}

/// Header and result document of a run have these keys between the program and the seed, and are read back by type.
fn check(hill: &Hill<Yahtzee>, header_keys: &str, document_keys: &str) {
    let header = printable_json(&Header::new(hill)).expect("JSON");
    let start = format!(r#"{{"program":"{PROGRAM}",{header_keys},"seed":"a seed","games":"#);
    assert!(header.starts_with(&start), "{header}");
    let all: Vec<_> = hill.ids().collect();
    assert_eq!(serde_json::from_str::<Terms>(&header).expect("terms"), Terms::new(hill, &all));

    let document = play(hill, 1).document;
    let text = printable_json(&document).expect("JSON");
    let start = format!(
        r#"{{"schema":"dicehill.result/1","program":"{PROGRAM}",{document_keys},"seed":"a seed","games":"#
    );
    assert!(text.starts_with(&start), "{text}");
    let read = ResultDocument::read::<Yahtzee>(&text).expect("a result document");
    assert_eq!(read.terms, document.terms);
}

#[test]
fn header_and_document_have_the_same_terms_in_the_same_order() {
    let keys =
        |rest: &str| format!(r#""name":"yahtzee","game":"yahtzee","rules":"official",{rest}"#);
    let challenge = keys(r#""format":"challenge","memory":"set""#);
    check(&hill(HillDraft { memory: Memory::Set, ..draft(&bots()) }), &challenge, &challenge);
    let duel = keys(r#""format":"duel","seats":3,"memory":"game""#);
    let (format, seats) = (FormatName::Duel, Some(3));
    check(&hill(HillDraft { format, seats, ..draft(&bots()) }), &duel, &duel);
}

#[test]
fn known_strengths_are_in_the_header_alone() {
    let keys = |strengths: &str| {
        format!(
            r#""name":"yahtzee","game":"yahtzee","rules":"official","format":"gauntlet","challenger":"B",{strengths}"memory":"game""#
        )
    };
    let (challenger, strengths) = (Some("B".to_owned()), Some(vec![0.5, 0.0, -1.25]));
    let placement = HillDraft { format: FormatName::Gauntlet, challenger, ..draft(&bots()) };
    let header = keys(r#""strengths":[0.5,0.0,-1.25],"#);
    check(&hill(HillDraft { strengths, ..placement }), &header, &keys(""));
}

#[test]
fn an_unnamed_challenger_is_named_in_the_documents_of_a_run_and_not_in_the_terms_of_its_hill() {
    let hill = hill(HillDraft { format: FormatName::Gauntlet, ..draft(&bots()) });
    let ids: Vec<_> = hill.ids().collect();
    let challenger = |active| Terms::new(&hill, active).challenger;
    assert_eq!(challenger(&ids).as_deref(), Some("C"));
    assert_eq!(challenger(&ids[..2]).as_deref(), Some("B"));
    assert_eq!(challenger(&[]), None);
}

#[test]
fn unknown_names_are_refused_with_what_is_known() {
    let header = printable_json(&Header::new(&hill(draft(&bots())))).expect("JSON");
    for (known, unknown, said) in [
        ("challenge", "league", "format = \"league\": must be challenge, duel or gauntlet"),
        ("game\",\"seed", "week\",\"seed", "memory = \"week\": must be game or set"),
    ] {
        let altered = header.replacen(&format!(":\"{known}\""), &format!(":\"{unknown}\""), 1);
        let error = serde_json::from_str::<Terms>(&altered).expect_err("it is refused");
        assert!(error.to_string().starts_with(said), "{error}");
    }
}

#[test]
fn a_document_without_a_seed_is_refused() {
    let text = printable_json(&play(&hill(draft(&bots())), 1).document).expect("JSON");
    let without = text.replacen(r#""seed":"a seed","#, "", 1);
    let error = ResultDocument::read::<Yahtzee>(&without).expect_err("it is refused");
    assert!(error.to_string().contains("missing field `seed`"), "{error}");
}

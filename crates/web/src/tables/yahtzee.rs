//! Yahtzee at a table.

use dicehill_bots::HouseBot;
use dicehill_coach::yahtzee::{AppraisedDecision, AppraisedTurn, Choice, PlayedTurn, advise};
use dicehill_rules::yahtzee::{Action, Category, Roll, Scorecard, View, Yahtzee};
use dicehill_rules::{Dice, Game, PublicInfo, Seat};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};

use super::TableGame;
use super::finished_game::FinishedGame;
use super::table_game::TablePosition;
use crate::model::table::yahtzee::{
    BoxDocument, CardDocument, YahtzeeDocument, YahtzeeMistake, YahtzeeReport, YahtzeeTurn,
};
use crate::model::table::{HintChoice, HintDocument, ReportDocument, TableDocument, TableEvent};

/// The most choices of a hint.
const MAX_CHOICES: usize = 5;
/// The most decisions of a report.
const WORST: usize = 5;

const NOTE: &str = "Best first, with the expected further points under optimal play. These values are exact. They maximise the mean score and ignore your opponents.";

impl TableGame for Yahtzee {
    const MAX_SEATS: usize = 5;
    const ABOUT: &'static str =
        "Thirteen rounds, five dice, up to three rolls in each turn. The highest score wins.";
    const USUAL_OPPONENTS: &'static [&'static str] = &["greedy"];

    fn house_bots() -> Vec<HouseBot<Self>> {
        let field = dicehill_bots::yahtzee_bots().into_iter();
        field.chain(dicehill_bots::exact_yahtzee_bots()).collect()
    }

    fn show(position: TablePosition<'_, Self>, viewer: Option<Seat>, document: &mut TableDocument) {
        let TablePosition { game, turn } = position;
        let public = PublicInfo::default();
        let own_turn = game.view(&public).filter(|_| viewer.is_some() && viewer == turn);
        let dice = own_turn.map(|view| view.dice);
        let own = |seat: Seat| card(&game.cards()[seat.index()], dice.as_ref());
        let all = || game.cards().iter().map(|own| card(own, None)).collect();
        document.yahtzee = Some(YahtzeeDocument {
            round: game.round().min(13),
            card: viewer.map(own),
            turn: own_turn.as_ref().map(self::turn),
            cards: turn.is_none().then(all),
        });
    }

    /// Other players see only that a turn ends.
    fn event(before: &Self, names: &[String], action: &Action) -> Option<TableEvent> {
        let player = before.to_act()?.index();
        match action {
            Action::Keep(_) => None,
            Action::Fill(_) => Some(TableEvent {
                number: 0,
                round: before.round(),
                player,
                text: format!("{} ends the turn", names[player]),
                hands: Vec::new(),
                face: None,
            }),
        }
    }

    fn round_of(&self) -> u32 {
        self.round()
    }

    fn own_dice(&self) -> Vec<u8> {
        pips(self.dice())
    }

    fn in_words(&self, action: &Action) -> String {
        let choice = Choice::from_action(*action, self.dice());
        match (action, self.to_act()) {
            (Action::Fill(category), Some(seat)) => {
                let score = self.cards()[seat.index()].box_score(*category, self.dice());
                format!("{}: {score} points", in_words(choice))
            }
            (Action::Fill(_) | Action::Keep(_), _) => in_words(choice),
        }
    }

    fn hint(&self) -> HintDocument {
        let public = PublicInfo::default();
        let Some(view) = self.view(&public) else {
            return HintDocument { note: NOTE, choices: Vec::new() };
        };
        let solution = Solution::shared(Variant::from(view.card.rules()));
        let hand = Hand::from_roll(&view.dice);
        let choices = advise(solution, Position::from_scorecard(view.card), view.stage, hand);
        // Keeping all five dice only postpones the choice of a box.
        let useful = choices.iter().filter(|advised| advised.choice != Choice::Keep(hand));
        let choice = |advised: &dicehill_coach::yahtzee::RankedChoice| HintChoice {
            action: action(advised.choice, &view.dice),
            text: in_words(advised.choice),
            value: Some(advised.value),
            loss: Some(advised.loss),
            chance: None,
            exact: None,
        };
        HintDocument { note: NOTE, choices: useful.take(MAX_CHOICES).map(choice).collect() }
    }

    fn appraise<D: Dice>(finished: &FinishedGame<Self, D>, report: &mut ReportDocument) {
        if finished.void {
            return;
        }
        let solution = Solution::shared(Variant::from(finished.rules));
        let FinishedGame { rules, dice, seats, moves, .. } = finished;
        let turns = PlayedTurn::by_seat(*rules, dice, *seats, moves);
        let cards = finished.end.cards();
        let reports = turns.iter().zip(cards).map(|(turns, card)| appraised(solution, turns, card));
        report.yahtzee = Some(reports.collect());
    }
}

fn turn(view: &View<'_>) -> YahtzeeTurn {
    YahtzeeTurn {
        dice: pips(&view.dice),
        rolls_left: if view.may_keep() { 2 - view.stage } else { 0 },
        scores: view.scores.to_vec(),
        bonus: view.card.bonus_for(&view.dice),
    }
}

/// A card, with what `dice` would score in each box.
fn card(card: &Scorecard, dice: Option<&Roll>) -> CardDocument {
    let now = |category: Category| {
        let dice = dice.filter(|dice| card.legal(dice).contains(category))?;
        Some(card.box_score(category, dice))
    };
    let boxed = |category: Category| BoxDocument {
        category: category.name(),
        title: title(category),
        score: card.filled(category),
        now: now(category),
    };
    CardDocument {
        boxes: Category::ALL.into_iter().map(boxed).collect(),
        upper_total: card.upper_total(),
        upper_bonus: card.upper_bonus(),
        yahtzee_bonus: card.yahtzee_bonus(),
        score: card.score(),
    }
}

fn appraised(solution: &Solution, played: &[PlayedTurn], card: &Scorecard) -> YahtzeeReport {
    let turns: Vec<_> = played.iter().map(|turn| AppraisedTurn::new(solution, turn)).collect();
    let steps: Vec<(u32, &AppraisedDecision)> =
        turns.iter().flat_map(|turn| turn.steps.iter().map(|step| (turn.round, step))).collect();
    let mut mistakes: Vec<_> = steps.iter().filter(|(_, step)| step.loss > 0.0).collect();
    mistakes.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
    YahtzeeReport {
        score: card.score(),
        best_play: solution.start(),
        luck: turns.iter().map(|turn| turn.luck).sum(),
        lost: turns.iter().map(AppraisedTurn::loss).sum(),
        decisions: steps.len(),
        mistakes: mistakes.len(),
        worst: mistakes.iter().take(WORST).map(|(round, step)| mistake(*round, step)).collect(),
    }
}

fn mistake(round: u32, step: &AppraisedDecision) -> YahtzeeMistake {
    YahtzeeMistake {
        round,
        dice: pips(&step.dice),
        chosen: in_words(step.chosen),
        best: in_words(step.best),
        loss: step.loss,
    }
}

/// The action for a choice, as clients send it.
fn action(choice: Choice, shown: &Roll) -> String {
    match choice {
        Choice::Fill(category) => Action::Fill(category).to_string(),
        Choice::Keep(hand) => {
            let keep = hand.keep_from(shown).expect("advice keeps dice that are shown");
            Action::Keep(keep).to_string()
        }
    }
}

/// `Keep 2 2 5`, `Roll all five`, `Keep all five` or `Fill Full house`.
fn in_words(choice: Choice) -> String {
    match choice {
        Choice::Fill(category) => format!("Fill {}", title(category)),
        Choice::Keep(hand) if hand.len() == 0 => "Roll all five".to_owned(),
        Choice::Keep(hand) if hand.len() == 5 => "Keep all five".to_owned(),
        Choice::Keep(hand) => {
            let dice: Vec<_> = hand.dice().map(|die| die.to_string()).collect();
            format!("Keep {}", dice.join(" "))
        }
    }
}

const fn title(category: Category) -> &'static str {
    match category {
        Category::Aces => "Aces",
        Category::Twos => "Twos",
        Category::Threes => "Threes",
        Category::Fours => "Fours",
        Category::Fives => "Fives",
        Category::Sixes => "Sixes",
        Category::ThreeOfAKind => "Three of a kind",
        Category::FourOfAKind => "Four of a kind",
        Category::FullHouse => "Full house",
        Category::SmallStraight => "Small straight",
        Category::LargeStraight => "Large straight",
        Category::Yahtzee => "Yahtzee",
        Category::Chance => "Chance",
    }
}

fn pips(dice: &Roll) -> Vec<u8> {
    dice.iter().map(|die| die.pips()).collect()
}

//! Yahtzee at a table.

use dicehill_bots::HouseBot;
use dicehill_coach::yahtzee::{AppraisedDecision, AppraisedTurn, Choice, PlayedTurn, advise};
use dicehill_rules::yahtzee::{Action, Category, Roll, Scorecard, View, Yahtzee};
use dicehill_rules::{Dice, Game, PublicInfo, Seat};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};

use super::TableGame;
use super::box_title::box_title;
use super::finished_game::FinishedGame;
use super::table_game::{PlayedAction, TablePosition};
use super::yahtzee_reasons::{why_fill, why_keep};
use crate::model::table::liars_dice::HolderDocument;
use crate::model::table::yahtzee::{
    BoxDocument, CardDocument, YahtzeeDocument, YahtzeeMistake, YahtzeeReport, YahtzeeTurn,
};
use crate::model::table::{
    EventKind, HintChoice, HintDocument, ReportDocument, TableDocument, TableEvent,
};

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
    const HOW_TO_PLAY: &'static str = "The game has thirteen rounds. In your turn you roll five dice, and may roll any of them again, twice at most. Then you fill one free box of your card. An upper box scores the sum of the dice with its number; 63 points in the upper boxes earn a bonus of 35. Three of a kind, Four of a kind and Chance score the sum of all dice, Full house 25, Small straight (four in a row) 30, Large straight (five in a row) 40 and Yahtzee (five equal dice) 50. Each further Yahtzee earns 100 more. Dice that do not fit score 0. The highest total wins.";
    const EXAMPLE: &'static str = "You roll 2 5 5 1 5. You keep 5 5 5 and roll the other two dice: 5 and 3. You keep the four fives and roll the last die: 2. Four of a kind would score 5 + 5 + 5 + 5 + 2 = 22, Fives 20. Four fives in the upper boxes are one more than the bonus needs, so you fill Fives.";
    const SUBSTITUTE: &'static str = "greedy";
    const CAN_BE_OPEN: bool = true;

    fn house_bots() -> Vec<HouseBot<Self>> {
        let field = dicehill_bots::yahtzee_bots().into_iter();
        field.chain(dicehill_bots::exact_yahtzee_bots()).collect()
    }

    fn show(position: TablePosition<'_, Self>, viewer: Option<Seat>, document: &mut TableDocument) {
        let TablePosition { game, turn, is_open } = position;
        let public = PublicInfo::default();
        let own_turn = game.view(&public).filter(|_| viewer.is_some() && viewer == turn);
        let dice = own_turn.map(|view| view.dice);
        let own = |seat: Seat| card(&game.cards()[seat.index()], dice.as_ref());
        let all = || game.cards().iter().map(|own| card(own, None)).collect();
        document.yahtzee = Some(YahtzeeDocument {
            round: game.round().min(13),
            card: viewer.map(own),
            turn: own_turn.as_ref().map(self::turn),
            cards: (is_open || turn.is_none()).then(all),
            dice: (is_open && turn.is_some()).then(|| pips(game.dice())),
        });
    }

    /// Other players see only that a turn ends, except at open tables.
    fn event(played: PlayedAction<'_, Self>) -> Option<TableEvent> {
        let PlayedAction { before, action, names, is_open } = played;
        let seat = before.to_act()?;
        let name = &names[seat.index()];
        let choice = Choice::from_action(*action, before.dice());
        let (kind, text) = match (action, is_open) {
            (Action::Keep(_), false) => return None,
            (Action::Keep(_), true) => (EventKind::Keep, format!("{name}: {}", in_words(choice))),
            (Action::Fill(_), false) => (EventKind::Fill, format!("{name} ends the turn")),
            (Action::Fill(category), true) => {
                let score = before.cards()[seat.index()].box_score(*category, before.dice());
                let text = format!("{name} fills {} for {score} points", box_title(*category));
                (EventKind::Fill, text)
            }
        };
        let dice = if is_open { pips(before.dice()) } else { Vec::new() };
        Some(TableEvent { dice, ..TableEvent::new(kind, before.round(), seat.index(), text) })
    }

    fn counts(&self) -> Vec<HolderDocument> {
        Vec::new()
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
            why: match advised.choice {
                Choice::Fill(category) => why_fill(&view, category, advised.value),
                Choice::Keep(kept) => why_keep(&view, kept),
            },
        };
        HintDocument { note: NOTE, choices: useful.take(MAX_CHOICES).map(choice).collect() }
    }

    fn appraise<D: Dice>(finished: &FinishedGame<Self, D>, report: &mut ReportDocument) {
        if finished.void {
            return;
        }
        let solution = Solution::shared(Variant::from(finished.rules));
        let FinishedGame { rules, dice, moves, .. } = finished;
        let turns = PlayedTurn::by_seat(*rules, dice, finished.seats(), moves);
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
        title: box_title(category),
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
        Choice::Fill(category) => format!("Fill {}", box_title(category)),
        Choice::Keep(hand) if hand.len() == 0 => "Roll all five".to_owned(),
        Choice::Keep(hand) if hand.len() == 5 => "Keep all five".to_owned(),
        Choice::Keep(hand) => {
            let dice: Vec<_> = hand.dice().map(|die| die.to_string()).collect();
            format!("Keep {}", dice.join(" "))
        }
    }
}

fn pips(dice: &Roll) -> Vec<u8> {
    dice.iter().map(|die| die.pips()).collect()
}

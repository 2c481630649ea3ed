//! Yahtzee at the terminal.

mod advisor;

use std::sync::Arc;

use dicehill_arena::{Appraiser, Play};
use dicehill_bots::HouseBot;
use dicehill_coach::yahtzee::{Choice, YahtzeeAppraiser};
use dicehill_rules::yahtzee::{
    Action, Category, Keep, Roll, Scorecard, View, Yahtzee, YahtzeeRules,
};
use dicehill_rules::{Face, Game, Seat};
use dicehill_solver::yahtzee::Hand;
use dicehill_store::did_you_mean;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use self::advisor::YahtzeeAdvisor;
use super::terminal_game::{Advisor, TerminalGame};
use crate::args::DiceList;
use crate::text::{self, FAINT, STRONG, aligned, styled};

impl TerminalGame for Yahtzee {
    const USUAL_OPPONENTS: &'static [&'static str] = &["aces-and-eights", "dummy"];
    const INPUT_HELP: &'static str = "
  keep 6 6           keep two sixes and roll the other dice
  roll               keep none and roll all five
  FULL_HOUSE         fill a box; `full` is enough
  hint               the best choices, and the expected points still to come";

    const INPUT_WORDS: &'static [&'static str] = &["keep", "roll", "fill"];

    fn appraiser(rules: YahtzeeRules) -> Option<Arc<dyn Appraiser<Self>>> {
        Some(Arc::new(YahtzeeAppraiser::new(rules)))
    }

    fn house_bots() -> Vec<HouseBot<Self>> {
        let field = Self::usual_field().into_iter();
        field.chain(dicehill_bots::exact_yahtzee_bots()).collect()
    }

    fn usual_field() -> Vec<HouseBot<Self>> {
        dicehill_bots::yahtzee_bots().into()
    }

    fn heading(play: &Play<'_, Self>, _names: &[&str]) -> Option<String> {
        let game = play.game();
        let begins = game.stage() == 0 && game.to_act() == Some(Seat::new(0));
        begins.then(|| styled(STRONG, format!("Round {}", game.round())))
    }

    /// The view of a turn shows the round.
    fn public_heading(_play: &Play<'_, Self>) -> Option<String> {
        None
    }

    fn position(play: &Play<'_, Self>) -> Map<String, Value> {
        let game = play.game();
        let dice: Vec<_> = game.dice().iter().map(|die| die.pips()).collect();
        let mut position = Map::new();
        position.insert("round".into(), json!(game.round()));
        position.insert("stage".into(), json!(game.stage()));
        position.insert("dice".into(), json!(dice));
        position
    }

    fn written(game: &Self, action: &Action) -> String {
        Choice::from_action(*action, game.dice()).to_string()
    }

    fn narrate(play: &Play<'_, Self>, names: &[&str], action: &Action) -> String {
        let game = play.game();
        let Some(seat) = game.to_act() else { return String::new() };
        let name = &aligned(names)[seat.index()];
        let name = if game.stage() == 0 { name.clone() } else { " ".repeat(name.width()) };
        let shown = text::dice(game.dice());
        let what = describe(game.dice(), &game.cards()[seat.index()], action);
        format!("  {name}  {shown}  {what}")
    }

    /// A player sees only the scores of the others.
    fn narrate_publicly(
        _play: &Play<'_, Self>,
        _names: &[&str],
        _action: &Action,
    ) -> Option<String> {
        None
    }

    fn show_view(view: &View<'_>) -> String {
        let scores: Vec<_> = view.scores.iter().map(ToString::to_string).collect();
        let rolls = match view.stage {
            0 => "two rolls left",
            1 => "one roll left",
            _ => "no roll left",
        };
        let boxes = boxes(view);
        let card = view.card;
        let bonus = format!(
            "  upper total {} of {} for the bonus, Yahtzee bonus {}, score {}",
            card.upper_total(),
            Scorecard::UPPER_BONUS_FROM,
            card.yahtzee_bonus(),
            card.score()
        );
        let title = styled(STRONG, format!("Round {} of 13", view.round));
        let standings = styled(FAINT, format!("scores, lowest first: {}", scores.join(" ")));
        let dice = format!("  {}   {rolls}", text::dice(&view.dice));
        let heading = styled(FAINT, "  box              has   now");
        [format!("{title}   {standings}"), heading, boxes, bonus, dice].join("\n")
    }

    fn read_input(view: &View<'_>, input: &str) -> Result<Action, String> {
        let lower = input.to_lowercase();
        match lower.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["keep"] => {
                Err("name the faces to keep, such as `keep 6 6`; `roll` rolls all five".to_owned())
            }
            ["keep", "none" | "nothing"] | ["roll"] | ["roll", "all"] | ["roll", "all", "five"] => {
                keep(view, Keep::NONE)
            }
            ["keep", "all"] | ["keep", "all", "five"] => {
                keep(view, Keep::filter(&view.dice, |_| true))
            }
            ["keep", faces @ ..] => keep(view, read_keep(&view.dice, &faces.concat())?),
            faces if lower.starts_with(|c: char| c.is_ascii_digit()) => {
                keep(view, read_keep(&view.dice, &faces.concat())?)
            }
            ["fill", name @ ..] => read_category(view, &name.join(" ")),
            _ => read_category(view, input),
        }
    }

    fn written_after(request: &Value, action: &Action) -> Option<String> {
        let face = |die: &Value| Face::new(die.as_u64()?.try_into().ok()?);
        let dice: Option<Vec<_>> = request["dice"].as_array()?.iter().map(face).collect();
        let dice: Roll = dice?.try_into().ok()?;
        Some(Choice::from_action(*action, &dice).to_string())
    }

    fn refusal(request: &Value, action: &Action) -> Option<String> {
        let is_last = request["stage"] == 2;
        match action {
            Action::Keep(_) if is_last => Some("nothing can be kept at stage 2".to_owned()),
            Action::Fill(category) if request["legal"].get(category.name()).is_none() => {
                Some(format!("{category} is not in \"legal\""))
            }
            Action::Keep(_) | Action::Fill(_) => None,
        }
    }

    fn show_results(play: &Play<'_, Self>, names: &[&str]) -> String {
        let line = |(name, card): (String, &Scorecard)| {
            let parts = format!(
                "upper {}{}, Yahtzee bonus {}",
                card.upper_total(),
                if card.upper_bonus() > 0 { " and its bonus" } else { "" },
                card.yahtzee_bonus()
            );
            format!("  {name}  {:>4}  {}", card.score(), styled(FAINT, parts))
        };
        let lines: Vec<_> = aligned(names).into_iter().zip(play.game().cards()).map(line).collect();
        format!("{}\n{}", styled(STRONG, "Scores"), lines.join("\n"))
    }

    fn advisor(rules: YahtzeeRules) -> Box<dyn Advisor<Self>> {
        Box::new(YahtzeeAdvisor::new(rules))
    }
}

/// A line for each box: its score, or what the dice would score there now.
fn boxes(view: &View<'_>) -> String {
    let legal = view.legal();
    let boxes = Category::ALL.map(|category| match view.card.filled(category) {
        Some(score) => styled(FAINT, format!("  {category:<16} {score:>3}")),
        None if legal.contains(category) => {
            let score = view.card.box_score(category, &view.dice);
            format!("  {category:<16}   . {score:>5}")
        }
        None => format!("  {category:<16}   .     -"),
    });
    boxes.join("\n")
}

fn describe(dice: &Roll, card: &Scorecard, action: &Action) -> String {
    match action {
        Action::Keep(keep) if *keep == Keep::NONE => "rolls all five".to_owned(),
        Action::Keep(keep) => {
            let kept: Vec<_> = keep.indexes().map(|index| dice[index]).collect();
            format!("keeps {}", text::dice(&kept))
        }
        Action::Fill(category) => {
            let score = card.box_score(*category, dice);
            let bonus = match card.bonus_for(dice) {
                0 => String::new(),
                bonus => format!(" and a bonus of {bonus}"),
            };
            styled(STRONG, format!("{score} in {category}{bonus}"))
        }
    }
}

/// The keep, if a roll is left.
fn keep(view: &View<'_>, keep: Keep) -> Result<Action, String> {
    match view.may_keep() {
        true => Ok(Action::Keep(keep)),
        false => Err("no roll is left: name a box".to_owned()),
    }
}

/// The dice of these faces, the first of equal ones.
fn read_keep(dice: &Roll, faces: &str) -> Result<Keep, String> {
    let DiceList(wanted) = faces.parse()?;
    let hand = Hand::from_dice(wanted.iter().copied());
    hand.and_then(|hand| hand.keep_from(dice)).ok_or_else(|| {
        format!("{} cannot be kept: the dice show {}", text::pips(&wanted), text::pips(dice))
    })
}

/// A box by its name or the beginning of it; of several, the free ones are preferred.
fn read_category(view: &View<'_>, input: &str) -> Result<Action, String> {
    let wanted = input.trim().to_uppercase().replace([' ', '-'], "_");
    if wanted.is_empty() {
        return Err("no box is named; name one, such as FULL_HOUSE".to_owned());
    }
    if let Ok(category) = wanted.parse() {
        return Ok(Action::Fill(category));
    }
    let begins = |category: &Category| category.name().starts_with(&wanted);
    let mut found: Vec<_> = Category::ALL.into_iter().filter(begins).collect();
    if found.len() > 1 {
        found.retain(|category| view.card.filled(*category).is_none());
    }
    match found.as_slice() {
        [category] => Ok(Action::Fill(*category)),
        [] => {
            let names = Category::ALL.map(Category::name);
            let similar = did_you_mean(&wanted, names);
            Err(format!("{input:?} is neither a free box nor a keep{similar}"))
        }
        several => {
            let names: Vec<_> = several.iter().map(|category| category.name()).collect();
            Err(format!("{input:?} may be {}", names.join(" or ")))
        }
    }
}

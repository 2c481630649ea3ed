//! `dicehill duel`: finds out which of two bots is better.

use dicehill_arena::{FormatName, Hill, HillDraft};
use dicehill_rules::{GameName, with_game};

use crate::args::DuelArgs;
use crate::bots::{BotLoader, default_terms, evident_game};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::text::counted;
use crate::tournament::{MasterSeed, StandaloneRun, appraised};

pub(crate) fn duel(args: &DuelArgs, console: &Console) -> Result<Outcome, Failure> {
    let (game, bots) = match &args.bots[..] {
        [first, rest @ ..] if let Ok(game) = first.parse() => (Some(game), rest),
        all => (None, all),
    };
    if bots.len() != 2 {
        let number = counted(bots.len() as u64, "bot");
        return Err(Failure::Usage(format!(
            "a duel is between two bots, not {number}: {}",
            bots.join(", ")
        )));
    }
    let game = match (game, args.game) {
        (Some(one), Some(other)) if one != other => {
            return Err(Failure::Usage(format!("{one} and --game {other}: name one game")));
        }
        (Some(game), _) | (None, Some(game)) => game,
        (None, None) => {
            let choices = GameName::ALL.map(|game| format!("--game {game}")).join(" or ");
            evident_game(bots, &format!("add {choices}"))?
        }
    };
    with_game!(game, G => play_duel::<G>(args, bots, console))
}

fn play_duel<G: TerminalGame>(
    args: &DuelArgs,
    bots: &[String],
    console: &Console,
) -> Result<Outcome, Failure> {
    let rules = args.variant.rules::<G>()?;
    let seed = MasterSeed::of(args.standalone.seed.as_deref(), None, false)?;
    let loader = BotLoader::of(&args.standalone.external, console)?;
    let entrants = loader.entrants::<G>(bots, default_terms::<G>(rules))?;
    let usual = HillDraft::challenge(entrants, "");
    let for_run = seed.for_run(usual.has_external_bots());
    let draft = HillDraft {
        rules,
        seed: for_run,
        format: FormatName::Duel,
        games: i64::from(args.max_games),
        until: Some(args.until),
        margin: args.not_worse_than,
        ..usual
    };
    if !args.max_games.is_multiple_of(2) {
        console.report(format!(
            "--max-games {}: games are played in blocks of two, at most {} of them",
            args.max_games,
            args.max_games.next_multiple_of(2)
        ));
    }
    let hill = Hill::new(draft).map_err(|error| Failure::Usage(format!("duel: {error}")))?;
    let hill = appraised(hill, args.standalone.luck, console)?;
    StandaloneRun::new(hill, loader, bots).play(&args.standalone, &seed, console)
}

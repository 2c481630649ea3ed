//! A billion steps of the environments of each game without a leak, and luck-adjusted rewards without bias.

use std::error::Error;
use std::fs;
use std::num::NonZero;

use dicehill_arena::{Bot, Program};
use dicehill_environments::{
    Buffers, EnvironmentGame, Observations, VectorEnvironment, VectorOptions, YahtzeeReward,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Game, PublicInfo};

use crate::figures::Figure;
use crate::prove::cpu::cores;

/// Steps of each game.
const STEPS: usize = 1_000_000_000;
/// Environments that step together.
const BATCH: usize = 1024;
/// The most that the resident memory may grow in the second half of the steps, in KiB. In the first half the lists of each
/// environment's game reach the capacity that its longest games need; a leak would go on at the same rate.
const MOST_GROWTH: i64 = 1024;
/// The most standard errors between the means of rewards and scores.
const MOST_ERRORS: f64 = 4.0;

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    Ok(vec![
        memory::<Yahtzee>(2)?,
        memory::<LiarsDice>(5)?,
        bias(YahtzeeRules::Official, Style::BestBox, 100_000)?,
        bias(YahtzeeRules::Official, Style::Greedy, 20_000)?,
        bias(YahtzeeRules::Mego2016, Style::Greedy, 20_000)?,
    ])
}

/// The caller's arrays.
struct Arrays {
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f32>,
    dones: Vec<u8>,
    seats: Vec<u8>,
}

impl Arrays {
    fn new<G: EnvironmentGame>(options: &VectorOptions<G>) -> Self {
        let n = options.environments;
        Self {
            observations: vec![0; n * G::observation_len(options.players)],
            masks: vec![0; n * G::ACTIONS],
            rewards: vec![0.0; n * options.players],
            dones: vec![0; n],
            seats: vec![0; n],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: Observations::U8(&mut self.observations),
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            dones: &mut self.dones,
            seats: &mut self.seats,
            final_observations: None,
            seat_observations: None,
        }
    }
}

/// How much the resident memory grows in the second half while random legal actions are taken.
fn memory<G: EnvironmentGame>(players: usize) -> Result<Figure, Box<dyn Error>> {
    let threads = NonZero::new(cores()).unwrap_or(NonZero::<usize>::MIN);
    let options = VectorOptions::<G> { threads, ..VectorOptions::new(BATCH, players, "memory") };
    let mut arrays = Arrays::new(&options);
    let mut environment = VectorEnvironment::new(options)?;
    environment.reset(arrays.buffers())?;
    let (mut actions, mut state, mut games) = (vec![0_u16; BATCH], 1, 0);
    let mut step = |steps: usize| -> Result<(), Box<dyn Error>> {
        for _ in 0..steps.div_ceil(BATCH) {
            for (action, mask) in actions.iter_mut().zip(arrays.masks.chunks_exact(G::ACTIONS)) {
                *action = random(mask, &mut state);
            }
            environment.step(&actions, arrays.buffers())?;
            games += arrays.dones.iter().map(|done| usize::from(*done)).sum::<usize>();
        }
        Ok(())
    };
    let before = resident_kib()?;
    step(STEPS / 2)?;
    let half = resident_kib()?;
    step(STEPS / 2)?;
    let after = resident_kib()?;
    let growth = after - half;
    Ok(Figure {
        name: format!(
            "{}, {players} players: growth of the resident memory in the second half of {STEPS} steps, {games} games, KiB",
            G::NAME
        ),
        value: growth.to_string(),
        interval: format!("{before}, {half}, {after}"),
        aim: format!("at most {MOST_GROWTH}"),
        met: growth <= MOST_GROWTH,
    })
}

/// The first legal action at or after a random one.
fn random(mask: &[u8], state: &mut u64) -> u16 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let start = (((*state >> 32) * mask.len() as u64) >> 32) as usize;
    let legal = |(_, legal): &(usize, &u8)| **legal == 1;
    let rest = mask.iter().enumerate().skip(start).find(legal);
    let found = rest.or_else(|| mask.iter().enumerate().find(legal));
    found.expect("at least one action is legal").0 as u16
}

/// The resident memory of this process.
fn resident_kib() -> Result<i64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.ok_or("/proc/self/status has no VmRSS")?.trim().trim_end_matches(" kB");
    Ok(kib.parse()?)
}

/// How Yahtzee is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Fills the box that scores most with the first roll.
    BestBox,
    /// As the house bot `greedy`.
    Greedy,
}

impl Style {
    const fn name(self) -> &'static str {
        match self {
            Self::BestBox => "the best box for the first roll",
            Self::Greedy => "greedy",
        }
    }

    fn actions(
        self,
        environment: &VectorEnvironment<Yahtzee>,
        arrays: &Arrays,
        bot: &mut dyn Bot<Yahtzee>,
    ) -> Vec<u16> {
        let length = environment.observation_len();
        let best_box = |index: usize| {
            let legal = &arrays.observations[index * length..][26..39];
            32 + (0..13).max_by_key(|place| legal[*place]).expect("13 boxes") as u16
        };
        let mut greedy = |index: usize| {
            let public = PublicInfo::default();
            let view = environment.game(index).view(&public).expect("a turn");
            let action = bot.act(&view).expect("a house bot answers");
            Yahtzee::encode(&action).expect("dice in the order shown") as u16
        };
        let all = 0..arrays.dones.len();
        match self {
            Self::BestBox => all.map(best_box).collect(),
            Self::Greedy => all.map(&mut greedy).collect(),
        }
    }
}

/// The sums of the rewards of the first games.
fn returns(
    rules: YahtzeeRules,
    reward: YahtzeeReward,
    style: Style,
    games: usize,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let options = VectorOptions::<Yahtzee>::new(BATCH, 1, "bias");
    let options = VectorOptions { rules, reward, ..options };
    let mut arrays = Arrays::new(&options);
    let mut environment = VectorEnvironment::new(options)?;
    environment.reset(arrays.buffers())?;
    let bots = Yahtzee::house_bots();
    let greedy = bots.iter().find(|bot| bot.name() == "greedy").ok_or("no house bot greedy")?;
    let (mut bot, mut sums) = (greedy.bot(), [0.0; BATCH]);
    let (mut finished, mut open) = (vec![None; games], games);
    while open > 0 {
        let numbers: Vec<_> = (0..BATCH).map(|index| environment.game_number(index)).collect();
        let actions = style.actions(&environment, &arrays, &mut *bot);
        environment.step(&actions, arrays.buffers())?;
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += f64::from(arrays.rewards[index]);
            if arrays.dones[index] == 1 {
                let sum = std::mem::take(sum);
                if let Some(game) = finished.get_mut(numbers[index] as usize - 1) {
                    *game = Some(sum);
                    open -= 1;
                }
            }
        }
    }
    Ok(finished.into_iter().flatten().collect())
}

fn mean_and_variance(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares = numbers.iter().map(|number| (number - mean).powi(2));
    (mean, squares.sum::<f64>() / (n - 1.0))
}

/// The mean of score less luck-adjusted return, which is that of luck.
fn bias(rules: YahtzeeRules, style: Style, games: usize) -> Result<Figure, Box<dyn Error>> {
    let scores = returns(rules, YahtzeeReward::Score, style, games)?;
    let adjusted = returns(rules, YahtzeeReward::LuckAdjusted, style, games)?;
    let luck: Vec<_> = scores.iter().zip(&adjusted).map(|(score, sum)| score - sum).collect();
    let (mean, variance) = mean_and_variance(&luck);
    let error = (variance / games as f64).sqrt();
    let ((score, raw), (sum, rest)) = (mean_and_variance(&scores), mean_and_variance(&adjusted));
    Ok(Figure {
        name: format!(
            "{}, {rules}: mean score ({score:.2}, variance {raw:.0}) less mean sum of luck-adjusted rewards \
             ({sum:.2}, variance {rest:.0}) in {games} games",
            style.name()
        ),
        value: format!("{mean:+.3}"),
        interval: format!("± {:.3}", 1.96 * error),
        aim: format!("within {MOST_ERRORS} standard errors of 0"),
        met: mean.abs() <= MOST_ERRORS * error,
    })
}

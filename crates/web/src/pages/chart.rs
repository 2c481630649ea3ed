//! Ratings over time, drawn as lines with their intervals as bands. The texts are outside the stretched drawing, so that they
//! keep their size in every window.

use maud::{Markup, html};

use super::layout::{bot_name, date, wide};
use super::numbers::elo;
use crate::model::ratings::{RatingOfRun, RatingSeries};

/// Units of the drawing in both directions.
const SIDE: f64 = 1000.0;
/// The least distance of two labels, in percent of the height.
const LABEL_GAP: f64 = 8.0;
/// The most labels of runs.
const MAX_RUN_LABELS: usize = 8;
/// The most letters of a label.
const LABEL_LETTERS: usize = 15;

/// The ratings of a hill's bots over its runs; nothing before there are two.
pub(crate) fn ratings_chart(series: &[RatingSeries]) -> Markup {
    let mut runs: Vec<i64> =
        series.iter().flat_map(|one| &one.ratings).map(|rating| rating.run).collect();
    runs.sort_unstable();
    runs.dedup();
    let Some(scale) = Scale::of(series, runs).filter(|scale| scale.runs.len() > 1) else {
        return html! {};
    };
    html! { section aria-labelledby="ratings" {
        h2 #ratings { "Ratings over time" }
        p.note { "Elo in each run, with the 95 % interval as a band; the champion of a run has a large dot. A rating is relative to the \
            entrants of its run." }
        div.chart role="img" aria-label="Elo of each bot in each run, with 95 % bands; the table below has the numbers" {
            p.chart-title.chart-unit aria-hidden="true" { "Elo" }
            (vertical_axis(&scale))
            (plot(series, &scale))
            (names(series, &scale))
            p.chart-title aria-hidden="true" { "Run" }
            (runs_axis(&scale))
        }
        details {
            summary { "The numbers" }
            (wide("ratings", numbers(series, &scale)))
        }
    } }
}

/// Where runs and ratings are in the drawing.
struct Scale {
    runs: Vec<i64>,
    least: f64,
    most: f64,
    ticks: Vec<f64>,
}

impl Scale {
    fn of(series: &[RatingSeries], runs: Vec<i64>) -> Option<Self> {
        let estimates = series.iter().flat_map(|one| &one.ratings).filter_map(|rating| rating.elo);
        let values: Vec<f64> = estimates
            .filter(|elo| elo.value.is_some())
            .flat_map(|elo| [elo.low, elo.value, elo.high])
            .flatten()
            .collect();
        let least = values.iter().copied().reduce(f64::min)?;
        let most = values.iter().copied().reduce(f64::max)?;
        let step = step((most - least).max(10.0) / 4.0);
        let (least, most) =
            ((least / step).floor() * step, (most / step).ceil().max(least / step + 1.0) * step);
        let most = if most > least { most } else { least + step };
        let count = ((most - least) / step).round() as usize;
        let ticks = (0..=count).map(|index| least + step * index as f64).collect();
        Some(Self { runs, least, most, ticks })
    }

    /// From the top, 0 to 1.
    fn down(&self, rating: f64) -> f64 {
        (self.most - rating) / (self.most - self.least)
    }

    /// From the left, 0 to 1.
    fn across(&self, run: i64) -> f64 {
        let place = self.runs.partition_point(|known| *known < run);
        (place as f64 + 0.5) / self.runs.len() as f64
    }
}

/// The next of 1, 2 or 5 times a power of ten.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn vertical_axis(scale: &Scale) -> Markup {
    html! { svg.chart-values aria-hidden="true" { @for tick in &scale.ticks {
        text x="100%" y=(percent(scale.down(*tick))) text-anchor="end" dominant-baseline="middle" { (signed(*tick)) }
    } } }
}

fn signed(rating: f64) -> String {
    match rating.round() as i64 {
        0 => "0".to_owned(),
        below @ ..0 => format!("−{}", -below),
        above => format!("+{above}"),
    }
}

fn plot(series: &[RatingSeries], scale: &Scale) -> Markup {
    let drawn = |one: &RatingSeries| {
        one.ratings.iter().filter_map(|rating| Point::of(rating, scale)).collect::<Vec<_>>()
    };
    let lines: Vec<_> = series.iter().map(drawn).collect();
    html! { svg.chart-plot viewBox={ "0 0 " (SIDE) " " (SIDE) } preserveAspectRatio="none" aria-hidden="true" {
        @for tick in &scale.ticks {
            @let y = format!("{:.1}", SIDE * scale.down(*tick));
            line.grid x1="0" x2=(SIDE) y1=(y) y2=(y) {}
        }
        @for (index, line) in lines.iter().enumerate() {
            polygon class={ "series-band series-" (index) } points=(band(line)) {}
        }
        @for (index, line) in lines.iter().enumerate() {
            polyline class={ "series-line series-" (index) } points=(points(line.iter().map(|point| [point.x, point.y]))) {}
            // A line without length has round ends, which the stretched drawing does not distort.
            @for point in line {
                line class={ "series-whisker series-" (index) } x1=(point.x) x2=(point.x) y1=(point.low) y2=(point.high) {}
                line class={ "series-dot series-" (index) @if point.is_champion { " crowned" } }
                    x1=(point.x) x2=(point.x) y1=(point.y) y2=(point.y) {}
            }
        }
    } }
}

/// A rating in the drawing.
struct Point {
    x: f64,
    y: f64,
    /// Of its interval.
    low: f64,
    high: f64,
    is_champion: bool,
}

impl Point {
    fn of(rating: &RatingOfRun, scale: &Scale) -> Option<Self> {
        let elo = rating.elo?;
        let value = elo.value?;
        let [y, low, high] = [value, elo.low.unwrap_or(value), elo.high.unwrap_or(value)]
            .map(|rating| rounded(scale.down(rating)));
        Some(Self {
            x: rounded(scale.across(rating.run)),
            y,
            low,
            high,
            is_champion: rating.is_champion,
        })
    }
}

fn rounded(share: f64) -> f64 {
    (SIDE * 10.0 * share).round() / 10.0
}

fn band(line: &[Point]) -> String {
    let above = line.iter().map(|point| [point.x, point.high]);
    let below = line.iter().rev().map(|point| [point.x, point.low]);
    points(above.chain(below))
}

fn points(all: impl Iterator<Item = [f64; 2]>) -> String {
    let all: Vec<_> = all.map(|[x, y]| format!("{x},{y}")).collect();
    all.join(" ")
}

/// The names of the bots next to their last ratings, moved apart where they would overlap.
fn names(series: &[RatingSeries], scale: &Scale) -> Markup {
    let mut labels = Vec::new();
    for (index, one) in series.iter().enumerate() {
        let last = one.ratings.iter().rev().find_map(|rating| rating.elo?.value);
        labels.extend(last.map(|last| (100.0 * scale.down(last), index, &one.bot)));
    }
    labels.sort_by(|one, other| one.0.total_cmp(&other.0));
    for index in 1..labels.len() {
        labels[index].0 = labels[index].0.max(labels[index - 1].0 + LABEL_GAP);
    }
    let mut most = 100.0;
    for label in labels.iter_mut().rev() {
        label.0 = label.0.min(most);
        most = label.0 - LABEL_GAP;
    }
    html! { svg.chart-names aria-hidden="true" { @for (y, index, name) in labels {
        text class={ "series-" (index) } x="0" y=(percent(y / 100.0)) dominant-baseline="middle" { (short(name)) }
    } } }
}

/// The beginning of a name.
pub(crate) fn short(name: &str) -> String {
    let name = dicehill_arena::printable(name);
    if name.chars().count() <= LABEL_LETTERS {
        return name;
    }
    name.chars().take(LABEL_LETTERS - 1).chain(['…']).collect()
}

fn runs_axis(scale: &Scale) -> Markup {
    let every = scale.runs.len().div_ceil(MAX_RUN_LABELS);
    let last = scale.runs.len() - 1;
    let is_labelled = |index: usize| (last - index).is_multiple_of(every);
    html! { svg.chart-runs aria-hidden="true" { @for (index, run) in scale.runs.iter().enumerate() {
        @if is_labelled(index) {
            text x=(percent(scale.across(*run))) y="50%" text-anchor="middle" dominant-baseline="middle" {
                (run)
            }
        }
    } } }
}

fn numbers(series: &[RatingSeries], scale: &Scale) -> Markup {
    let rating = |one: &RatingSeries, run: i64| {
        let found = one.ratings.iter().find(|rating| rating.run == run);
        found.map_or_else(|| "–".to_owned(), |rating| elo(rating.elo))
    };
    let ended = |run: i64| {
        let mut all = series.iter().flat_map(|one| &one.ratings);
        all.find(|rating| rating.run == run).map(|rating| rating.ended.clone())
    };
    html! { table {
        thead { tr {
            th scope="col" { "Run" }
            th.text scope="col" { "Ended" }
            @for one in series { th scope="col" { (bot_name(&one.bot)) } }
        } }
        tbody { @for run in scale.runs.iter().rev() { tr {
            th scope="row" { (run) }
            td.text { @if let Some(ended) = ended(*run) { (date(&ended)) } }
            @for one in series { td { (rating(one, *run)) } }
        } } }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EloEstimate;

    fn series(bot: &str, values: &[f64]) -> RatingSeries {
        let rating = |(run, value): (i64, &f64)| RatingOfRun {
            run,
            ended: "2026-03-01T12:00:00Z".to_owned(),
            version: Some(1),
            rank: Some(1),
            is_champion: *value > 0.0,
            elo: Some(EloEstimate {
                value: Some(*value),
                low: Some(value - 20.0),
                high: Some(value + 20.0),
            }),
        };
        RatingSeries { bot: bot.to_owned(), ratings: (1..).zip(values).map(rating).collect() }
    }

    #[test]
    fn steps_have_one_digit() {
        assert_eq!([0.9, 1.0, 3.0, 41.0, 60.0].map(step), [1.0, 1.0, 5.0, 50.0, 100.0]);
    }

    #[test]
    fn a_chart_needs_two_runs() {
        assert_eq!(ratings_chart(&[series("ada", &[1.0])]).into_string(), "");
        assert_eq!(ratings_chart(&[]).into_string(), "");
        let chart = ratings_chart(&[series("ada", &[120.0, 80.0]), series("<b>", &[-5.0, -9.0])]);
        let chart = chart.into_string();
        assert_eq!(chart.matches("series-band").count(), 2);
        assert_eq!(chart.matches("crowned").count(), 2);
        assert!(chart.contains("+120 ± 20") && chart.contains("−9 ± 20"), "{chart}");
        assert!(!chart.contains("<b>"), "names are escaped");
    }

    #[test]
    fn labels_do_not_overlap_and_stay_within() {
        let all = ["a", "b", "c", "d"].map(|bot| series(bot, &[0.0, 1.0]));
        let scale = Scale::of(&all, vec![1, 2]).expect("ratings");
        let text = names(&all, &scale).into_string();
        let mut places: Vec<f64> = text
            .split(" y=\"")
            .skip(1)
            .map(|rest| rest.split('%').next().unwrap_or_default().parse().expect("a number"))
            .collect();
        places.sort_by(f64::total_cmp);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LABEL_GAP - 0.02), "{places:?}");
        assert!(places.iter().all(|place| (0.0..=100.0).contains(place)), "{places:?}");
    }
}

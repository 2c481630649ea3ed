//! Cells of boards, and values of their CSV.

use dicehill_arena::{FigureSummary, Interval};

use crate::text::thousands;

/// A chance in percent, never 0 or 100.
pub(crate) fn chance(share: f64) -> String {
    match 100.0 * share {
        small if small < 0.1 => "<0.1".to_owned(),
        large if large > 99.9 => ">99.9".to_owned(),
        some if (1.0..99.0).contains(&some) => format!("{some:.0}"),
        extreme => format!("{extreme:.1}"),
    }
}

/// A share in percent with its interval; `-` if the interval is unknown.
pub(super) fn rate_with_interval(rate: Option<f64>, interval: Option<Interval>) -> String {
    match (rate, interval) {
        (Some(rate), Some(Interval { low, high })) => {
            let [rate, low, high] = [rate, low, high].map(|share| 100.0 * share);
            format!("{rate:.2} ({low:.2}-{high:.2})")
        }
        _ => "-".to_owned(),
    }
}

/// `249.22 ± 1.82`: a number with half the width of its 95 % interval, or `?` where too few games leave that unknown.
pub(crate) fn plus_minus(value: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => format!("{value:.2} ± {:.2}", interval.half_width()),
        None => format!("{value:.2} ± ?"),
    }
}

/// A total, or a mean with half the width of its 95 % interval.
pub(super) fn figure(summary: &FigureSummary) -> String {
    match summary {
        FigureSummary::Total(total) => thousands(*total),
        FigureSummary::Distribution(None) => "-".to_owned(),
        FigureSummary::Distribution(Some(distribution)) => {
            plus_minus(distribution.mean, distribution.interval())
        }
    }
}

/// A value of CSV; empty if there is none.
pub(super) fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plus_minus_is_half_of_the_95_percent_interval() {
        let interval = Interval { low: 188.5, high: 192.5 };
        assert_eq!(plus_minus(190.5, Some(interval)), "190.50 ± 2.00");
        assert_eq!(plus_minus(190.5, None), "190.50 ± ?");
    }

    #[test]
    fn a_chance_is_never_shown_as_0_or_100_percent() {
        for (share, expected) in [
            (0.0, "<0.1"),
            (0.004, "0.4"),
            (0.01, "1"),
            (0.5, "50"),
            (0.974, "97"),
            (0.9899, "99"),
            (0.9951, "99.5"),
            (0.9995, ">99.9"),
            (1.0, ">99.9"),
        ] {
            assert_eq!(chance(share), expected);
        }
    }
}

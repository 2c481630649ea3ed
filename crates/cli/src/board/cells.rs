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

/// A total, or a mean with its standard error.
pub(super) fn figure(summary: &FigureSummary) -> String {
    match summary {
        FigureSummary::Total(total) => thousands(*total),
        FigureSummary::Distribution(None) => "-".to_owned(),
        FigureSummary::Distribution(Some(distribution)) => match distribution.se {
            Some(se) => format!("{:.2} ± {se:.2}", distribution.mean),
            None => format!("{:.2}", distribution.mean),
        },
    }
}

/// A value of CSV; empty if there is none.
pub(super) fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::chance;

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

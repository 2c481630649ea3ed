//! Numbers formatted for people.

pub(crate) use dicehill_arena::thousands;
use maud::{Markup, html};

use crate::model::{EloEstimate, Estimate};

/// A chance in percent, never rounded to 0 or 100.
pub(crate) fn chance(share: f64) -> String {
    match 100.0 * share {
        small if small < 0.1 => "<0.1".to_owned(),
        large if large > 99.9 => ">99.9".to_owned(),
        some if (1.0..99.0).contains(&some) => format!("{some:.0}"),
        extreme => format!("{extreme:.1}"),
    }
}

/// How probable it is that the bot is the best, as a bar and in words.
pub(crate) fn best(sure: f64) -> Markup {
    html! {
        span.sure {
            meter min="0" max="1" value=(sure) aria-hidden="true" {}
            "P(best) " (chance(sure)) " %"
        }
    }
}

/// A share in percent with its interval.
pub(crate) fn percent(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "–".to_owned(),
        Some(Estimate { value, ci95: None }) => format!("{:.1}", 100.0 * value),
        Some(Estimate { value, ci95: Some([low, high]) }) => {
            let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
            format!("{value:.1} ({low:.1} to {high:.1})")
        }
    }
}

/// A number with half the width of its interval.
pub(crate) fn plus_minus(estimate: Option<Estimate>, decimals: usize) -> String {
    match estimate {
        None => "–".to_owned(),
        Some(Estimate { value, ci95: None }) => fixed(value, decimals),
        Some(Estimate { value, ci95: Some([low, high]) }) => {
            format!("{} ± {:.decimals$}", fixed(value, decimals), (high - low) / 2.0)
        }
    }
}

/// A number with this many decimals. Its sign is a minus sign and not a hyphen; `-0.00` has none.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        Some(size) => format!("−{size}"),
        None => text,
    }
}

/// A difference with this many decimals and its sign.
pub(crate) fn difference(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let is_positive =
        !text.starts_with('−') && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if is_positive { format!("+{text}") } else { text }
}

/// A text whose unit, from ` ±` or ` %` on, does not wrap.
pub(crate) fn with_unit(text: &str) -> Markup {
    let unit = text.find(" ±").or_else(|| text.strip_suffix(" %").map(str::len));
    let Some(unit) = unit else { return html! { (text) } };
    // The last word stays with its unit.
    let begin = text[..unit].rfind(' ').map_or(0, |space| space + 1);
    html! { (text[..begin]) span.whole { (text[begin..]) } }
}

/// A rating with half the width of its interval, or with its one bound.
pub(crate) fn elo(rating: Option<EloEstimate>) -> String {
    let Some(EloEstimate { value, low, high }) = rating else { return "–".to_owned() };
    match (value, low, high) {
        (Some(value), Some(low), Some(high)) => {
            format!("{} ± {:.0}", signed(value), (high - low) / 2.0)
        }
        (Some(value), _, _) => signed(value),
        (None, Some(low), _) => format!("> {}", signed(low)),
        (None, None, Some(high)) => format!("< {}", signed(high)),
        (None, None, None) => "–".to_owned(),
    }
}

/// A difference with its sign and half the width of its interval.
pub(crate) fn signed_estimate(Estimate { value, ci95 }: Estimate) -> String {
    match ci95 {
        Some([low, high]) => format!("{} ± {:.0}", signed(value), (high - low) / 2.0),
        None => signed(value),
    }
}

/// A whole number with its sign, which is a minus sign and not a hyphen.
fn signed(value: f64) -> String {
    let rounded = value.round();
    let size = thousands(rounded.abs() as u64);
    if rounded < 0.0 {
        format!("−{size}")
    } else if rounded > 0.0 {
        format!("+{size}")
    } else {
        size
    }
}

/// A duration in seconds, with minutes and hours.
pub(crate) fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A duration in microseconds, as µs, ms or s.
pub(crate) fn micros(us: u64) -> String {
    match us {
        0..1000 => format!("{us} µs"),
        1000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.1} s", us as f64 / 1e6),
    }
}

/// The width of a drawn interval, in pixels.
const WIDTH: f64 = 160.0;

/// The position of a share, 0 to 1, on the scale.
fn on_scale(share: f64) -> String {
    format!("{:.1}", 6.0 + (WIDTH - 12.0) * share.clamp(0.0, 1.0))
}

/// The scale of a column of shares, from 0 to 100 %, for its heading.
pub(crate) fn scale() -> Markup {
    html! {
        svg.interval viewBox="0 0 160 18" width="160" height="18" aria-hidden="true" focusable="false" {
            @for (percent, anchor) in [(0, "start"), (50, "middle"), (100, "end")] {
                @let x = on_scale(f64::from(percent) / 100.0);
                text.tick x=(x) y="11" text-anchor=(anchor) { (percent) }
                line.axis x1=(x) x2=(x) y1="14" y2="18" {}
            }
        }
    }
}

/// A drawing of the interval of a share as a line with its estimate as a dot, on a scale from 0 to 100 %.
pub(crate) fn drawn(share: Option<Estimate>) -> Markup {
    let Some(estimate) = share else { return html! {} };
    let at = on_scale;
    html! {
        svg.interval viewBox="0 0 160 16" width="160" height="16" aria-hidden="true" focusable="false" {
            line.axis x1="6" x2="154" y1="8" y2="8" {}
            @for share in [0.0, 0.5, 1.0] { line.axis x1=(at(share)) x2=(at(share)) y1="4" y2="12" {} }
            @if let Some([low, high]) = estimate.ci95 {
                line.whisker x1=(at(low)) x2=(at(high)) y1="8" y2="8" {}
            }
            circle.dot cx=(at(estimate.value)) cy="8" r="4" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_does_not_wrap() {
        let shown = |text| with_unit(text).into_string();
        assert_eq!(shown("Points"), "Points");
        assert_eq!(shown("P(best) %"), "<span class=\"whole\">P(best) %</span>");
        assert_eq!(shown("Mean score ± 95 %"), "Mean <span class=\"whole\">score ± 95 %</span>");
    }

    #[test]
    fn numbers_are_formatted_for_people() {
        let texts = [0_u32, 999, 1000, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 0.0305, 0.5, 0.995, 1.0].map(chance),
            ["<0.1", "3", "50", "99.5", ">99.9"]
        );
        let rating = |value, low, high| elo(Some(EloEstimate { value, low, high }));
        assert_eq!(rating(Some(141.2), Some(126.9), Some(155.5)), "+141 ± 14");
        assert_eq!(
            [rating(None, None, Some(-640.4)), rating(None, Some(103.0), None)],
            ["< −640", "> +103"]
        );
        let estimate = |value| plus_minus(Some(Estimate { value, ci95: None }), 2);
        assert_eq!([1.5, -3.8, -0.001].map(estimate), ["1.50", "−3.80", "0.00"]);
        assert_eq!(
            [1.5, -3.8, -0.001, 0.0].map(|value| difference(value, 1)),
            ["+1.5", "−3.8", "0.0", "0.0"]
        );
        assert_eq!([59, 61, 3725].map(duration), ["59 s", "1 min 1 s", "1 h 2 min"]);
        assert_eq!([999, 1500, 2_340_000].map(micros), ["999 µs", "1.5 ms", "2.3 s"]);
    }
}

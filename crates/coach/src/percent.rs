//! Chances for people.

/// What rounding leaves of a chance that is 0 or 1.
const ROUNDING: f64 = 1e-9;

/// A chance between 0 and 1 in whole per cent, such as `37 %`. `0 %` and `100 %` are said only of what is impossible and
/// of what is certain: other chances near them are `<1 %` and `>99 %`.
pub fn percent(chance: f64) -> String {
    let rounded = (100.0 * chance).round();
    if rounded <= 0.0 && chance > ROUNDING {
        return "<1 %".to_owned();
    }
    if rounded >= 100.0 && chance < 1.0 - ROUNDING {
        return ">99 %".to_owned();
    }
    format!("{:.0} %", rounded.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_impossible_has_none_and_only_the_certain_all() {
        let texts = [0.0, 1e-12, 0.004, 0.374, 0.996, 1.0 - 1e-12, 1.0].map(percent);
        assert_eq!(texts, ["0 %", "0 %", "<1 %", "37 %", ">99 %", "100 %", "100 %"]);
    }
}

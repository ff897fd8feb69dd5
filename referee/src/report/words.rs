//! Numbers and foreign texts as people read them.

use crate::text::shown::is_hidden;

/// Makes a foreign text safe to show: one line, nothing that moves the cursor or turns the direction of writing, at
/// most `most` characters.
pub(super) fn clean(text: &str, most: usize) -> String {
    let mut shown: String = text
        .chars()
        .take(most)
        .map(|c| match c {
            '\t' => ' ',
            c if is_hidden(c) => '\u{fffd}',
            c => c,
        })
        .collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

/// Shows a count, with thin gaps between thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) && digits.len() > 4 {
            shown.push('\u{202f}');
        }
        shown.push(digit);
    }
    shown
}

/// Shows points: halves as `½`.
pub(super) fn points([_, draws, wins]: [u64; 3]) -> String {
    let (whole, half) = (wins + draws / 2, draws % 2);
    match (whole, half) {
        (0, 1) => "½".to_owned(),
        (_, 1) => format!("{}½", count(whole)),
        _ => count(whole),
    }
}

/// Shows a number of half or quarter points.
pub(super) fn quarters(points: f64) -> String {
    let whole = points.floor();
    let rest = match points - whole {
        0.5 => "½",
        0.25 => "¼",
        0.75 => "¾",
        _ => "",
    };
    if whole == 0.0 && !rest.is_empty() { rest.to_owned() } else { format!("{}{rest}", count(whole as u64)) }
}

/// Shows a share from 0 to 1 in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Shows a likelihood from 0 to 1 in percent; never as certain.
pub(super) fn likelihood(share: f64) -> String {
    if share > 0.9995 {
        "over 99.9 %".to_owned()
    } else if share < 0.0005 {
        "under 0.1 %".to_owned()
    } else {
        percent(share)
    }
}

/// Shows a rating or a difference of ratings.
pub(super) fn elo(elo: f64) -> String {
    // Rounded first, so that there is no "-0".
    let rounded = (elo * 10.0).round() / 10.0 + 0.0;
    if rounded == 0.0 { "0.0".to_owned() } else { format!("{rounded:+.1}") }
}

/// Shows the ends of an interval of ratings; one that has no end is open.
pub(super) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{} to {}", elo(low), elo(high)),
        (Some(low), None) => format!("{} and more", elo(low)),
        (None, Some(high)) => format!("{} and less", elo(high)),
        (None, None) => "–".to_owned(),
    }
}

/// Shows wins, draws and losses in this order.
pub(super) fn record([losses, draws, wins]: [u64; 3]) -> String {
    format!("{}–{}–{}", count(wins), count(draws), count(losses))
}

/// Shows a time given in microseconds, to three digits.
pub(super) fn time(us: f64) -> String {
    let (value, unit) = match us {
        us if us < 999.5 => return format!("{us:.0} µs"),
        us if us < 999.5e3 => (us / 1e3, "ms"),
        us if us < 120e6 => (us / 1e6, "s"),
        us => {
            let seconds = (us / 1e6).round() as u64;
            let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            return if hours > 0 {
                format!("{hours} h {minutes} min")
            } else {
                format!("{minutes} min {seconds} s")
            };
        }
    };
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$} {unit}")
}

/// Shows one thing or several, as in `1 game` and `2 games`.
pub(super) fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Gives numbers their proper minus sign, which hyphens are not.
pub(super) fn signed(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::{clean, count, elo, points, time};

    #[test]
    fn numbers_are_shown_for_people() {
        assert_eq!([count(0), count(4096), count(1_234_567)], ["0", "4096", "1\u{202f}234\u{202f}567"]);
        assert_eq!([points([0, 1, 0]), points([5, 3, 2]), points([1, 0, 0])], ["½", "3½", "0"]);
        assert_eq!([elo(-0.04), elo(12.345), elo(-7.0)], ["0.0", "+12.3", "-7.0"]);
        let times = [0.0, 999.0, 1000.0, 9_999.0, 123_456.0, 1.5e6, 119e6, 200e6, 7200e6].map(time);
        let wanted =
            ["0 µs", "999 µs", "1.00 ms", "10.0 ms", "123 ms", "1.50 s", "119 s", "3 min 20 s", "2 h 0 min"];
        assert_eq!(times, wanted);
    }

    #[test]
    fn a_foreign_text_cannot_move_what_stands_around_it() {
        assert_eq!(clean("a\u{1b}[31m\nb\u{202e}c\td", 99), "a\u{fffd}[31m\u{fffd}b\u{fffd}c d");
        assert_eq!(clean("abcdef", 3), "abc…");
    }
}

//! Writes results as text for people.

use std::fmt::Write as _;

use crate::plan::{Format, Plan};
use crate::results::pool::Rated;
use crate::results::standings::{BotResult, Contest, StandingsRow};
use crate::schedule::TestState;
use crate::text::count::count;
use bao_stats::{Decision, Summary};

/// Writes the standings of a tournament.
pub(super) fn standings(rows: &[StandingsRow]) -> String {
    let walkovers = rows.iter().any(|row| row.walkovers > 0);
    let swiss = rows.iter().any(|row| row.buchholz.is_some());
    let knockout = rows.iter().any(|row| row.reached.is_some());
    let last = rows.iter().filter_map(|row| row.reached).max();
    let mut lines = Lines::new(&["rank", "bot", "points", "games", "won", "drawn", "lost", "elo", "95 %"]);
    if walkovers {
        lines.head(&["walkovers"]);
    }
    if swiss {
        lines.head(&["byes", "Buchholz"]);
    }
    if knockout {
        lines.head(&["reached"]);
    } else {
        lines.head(&["Sonneborn-Berger"]);
    }
    for row in rows {
        let mut line = vec![
            if row.withdrawn { "-".to_owned() } else { row.rank.to_string() },
            if row.withdrawn { format!("{} (withdrawn)", row.name) } else { row.name.clone() },
            row.points.to_string(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            elo(row.elo),
            interval(row.elo_low, row.elo_high),
        ];
        if walkovers {
            line.push(row.walkovers.to_string());
        }
        if swiss {
            line.push(row.byes.to_string());
            line.push(row.buchholz.map_or(String::new(), |points| points.to_string()));
        }
        line.push(match row.reached {
            Some(round) if Some(round) == last && row.rank == 1 => "the end".to_owned(),
            Some(round) => format!("round {round}"),
            None => row.sonneborn_berger.map_or(String::new(), |points| points.to_string()),
        });
        lines.line(line);
    }
    lines.text()
}

/// Writes the ratings of bots.
pub(super) fn ratings(bots: &[Rated]) -> String {
    let mut lines = Lines::new(&["rank", "bot", "elo", "95 %", "pairs", "score"]);
    for (place, bot) in bots.iter().enumerate() {
        lines.line(vec![
            (place + 1).to_string(),
            bot.name.clone(),
            elo(bot.elo),
            interval(bot.elo_low, bot.elo_high),
            bot.pairs.to_string(),
            bot.score.map_or(String::new(), |score| format!("{:.1} %", 100.0 * score)),
        ]);
    }
    lines.text()
}

/// Writes the result of a match.
pub(super) fn contest(contest: &Contest, plan: &Plan, planned: u64) -> String {
    let Contest { games, void, bots, south_wins, north_wins, reasons, pairs, repeated_pairs, statistics } =
        contest;
    let variants: Vec<&str> = plan.games.iter().map(|game| game.variant.as_str()).collect();
    let mut text = format!("{}, {games} of {}\n", variants.join(" and "), count(planned, "game"));
    let mut lines = Lines::new(&["bot", "score", "won", "drawn", "lost", "clock"]);
    for (BotResult { name, wins, draws, losses, score }, plan) in bots.iter().zip(&plan.bots) {
        let numbers = [score.to_string(), wins.to_string(), draws.to_string(), losses.to_string()];
        lines.line([name.clone()].into_iter().chain(numbers).chain([format!(" {}", plan.clock)]).collect());
    }
    text.push_str(&lines.text());
    let drawn = games - south_wins - north_wins;
    let endings: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    text.push_str(&format!("South won {south_wins}, North won {north_wins}, drawn {drawn}\n"));
    text.push_str(&format!("endings: {}\n", endings.join(", ")));
    if pairs.iter().sum::<u64>() > 0 && !matches!(plan.format, Format::Sprt { .. }) {
        text.push_str(&statistics_of(&bots[0].name, pairs, statistics));
    }
    if *repeated_pairs > 0 {
        text.push_str(&repeats(*repeated_pairs));
    }
    if *void > 0 {
        text.push_str(&voids(*void));
    }
    text
}

/// Writes the state of a sequential test.
pub(super) fn test(test: &TestState) -> String {
    let mut text = statistics_of("the first bot", &test.counts, &test.summary);
    if let Some(sprt) = test.summary.sprt {
        let decision = match sprt.decision {
            Decision::AcceptH0 => "H0 is accepted",
            Decision::AcceptH1 => "H1 is accepted",
            Decision::Continue if test.over => "undecided when it ended",
            Decision::Continue => "undecided so far",
        };
        let bounds = format!("between {:.2} and {:.2}", sprt.lower, sprt.upper);
        let _ =
            writeln!(text, "LLR {:.3} {bounds} after {}: {decision}", sprt.llr, count(test.pairs, "pair"));
    }
    if test.repeated > 0 {
        text.push_str(&repeats(test.repeated));
    }
    text
}

/// Returns a sentence about pairs that repeat others.
pub(super) fn repeats(pairs: u64) -> String {
    let (pairs, what) = if pairs == 1 {
        ("1 pair".to_owned(), "repeats the moves of another pair and does")
    } else {
        (format!("{pairs} pairs"), "repeat the moves of other pairs and do")
    };
    format!("{pairs} {what} not count again in the statistics\n")
}

/// Returns a sentence about attempts at games that did not count.
pub(super) fn voids(attempts: u64) -> String {
    format!("{} at a game did not count\n", count(attempts, "attempt"))
}

/// Returns a sentence about games that were given up; a test (`weighs`) counts only games that were played.
pub(super) fn given_up(games: u64, weighs: bool) -> String {
    let games = if games == 1 { "1 game was".to_owned() } else { format!("{games} games were") };
    let then = if weighs { "" } else { "; a bot that could not be started loses the points" };
    format!("{games} given up after several attempts{then}\n")
}

fn statistics_of(name: &str, pairs: &[u64; 5], summary: &Summary) -> String {
    let [ll, ld, dd, wd, ww] = pairs;
    let mut text = format!("pairs of {name} by points: 0: {ll}, 0.5: {ld}, 1: {dd}, 1.5: {wd}, 2: {ww}\n");
    match summary.elo {
        Some(elo) => text.push_str(&format!("Elo of {name}: {}", signed(elo))),
        None => text.push_str(&format!("Elo of {name}: not measurable (one bot won every game)")),
    }
    match (summary.elo_low, summary.elo_high) {
        (Some(low), Some(high)) => {
            let _ = write!(text, ", between {} and {} (95 %)", signed(low), signed(high));
        }
        (Some(low), None) => {
            let _ = write!(text, ", at least {} (95 %)", signed(low));
        }
        (None, Some(high)) => {
            let _ = write!(text, ", at most {} (95 %)", signed(high));
        }
        (None, None) => {}
    }
    if let (Some(nelo), Some(error)) = (summary.nelo, summary.nelo_error) {
        text.push_str(&format!("; normalized {} +- {error:.1}", signed(nelo)));
    }
    if let Some(los) = summary.los {
        text.push_str(&format!("; likelihood of superiority {:.1} %", 100.0 * los));
    }
    text.push('\n');
    text
}

/// Writes a number with its sign and one decimal; a number that rounds to zero gets no minus sign.
fn signed(number: f64) -> String {
    format!("{:+.1}", (number * 10.0).round() / 10.0 + 0.0)
}

fn elo(elo: Option<f64>) -> String {
    elo.map_or("?".to_owned(), signed)
}

fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (None, None) => String::new(),
        (Some(low), Some(high)) => format!("[{}, {}]", signed(low), signed(high)),
        (Some(low), None) => format!("above {}", signed(low)),
        (None, Some(high)) => format!("below {}", signed(high)),
    }
}

/// Lines of words in columns: texts aligned left, numbers aligned right.
#[derive(Debug)]
struct Lines {
    lines: Vec<Vec<String>>,
}

impl Lines {
    fn new(head: &[&str]) -> Self {
        let mut lines = Self { lines: vec![Vec::new()] };
        lines.head(head);
        lines
    }

    fn head(&mut self, more: &[&str]) {
        self.lines[0].extend(more.iter().map(|word| (*word).to_owned()));
    }

    fn line(&mut self, line: Vec<String>) {
        self.lines.push(line);
    }

    fn text(&self) -> String {
        let columns = self.lines[0].len();
        let width =
            |column: usize| self.lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for line in &self.lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (word, width))| {
                match self.lines[0][column].as_str() {
                    "bot" | "95 %" | "reached" | "clock" => format!("{word:<width$}"),
                    _ => format!("{word:>width$}"),
                }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_one_sign() {
        assert_eq!([-0.0, 0.0, -0.04, 0.04].map(signed), ["+0.0"; 4].map(str::to_owned));
        assert_eq!([-0.06, 12.34].map(signed), ["-0.1", "+12.3"].map(str::to_owned));
    }
}

//! Describes a plan for people, in a dry run and in a report.

use bao_protocol::record::{Adjudication, Format, Openings, TimeControl};

use crate::text::count::plural;

/// Describes a format.
pub fn format(format: &Format) -> String {
    let pairs = |pairs: u64| plural(pairs, "pair", "pairs");
    match *format {
        Format::Match { games } => format!("match of {}", plural(games, "game", "games")),
        Format::RoundRobin { cycles } => {
            format!("round robin: every two bots play {} of each game", pairs(cycles))
        }
        Format::Gauntlet { challengers, cycles } => format!(
            "gauntlet: the first {} {} of each game against every other bot",
            if challengers == 1 { "bot plays".to_owned() } else { format!("{challengers} bots play") },
            pairs(cycles)
        ),
        Format::Swiss { rounds, pairs: each } => {
            format!(
                "Swiss system: {}, {} of each game in a round",
                plural(rounds, "round", "rounds"),
                pairs(each)
            )
        }
        Format::Knockout { best_of, extra } => format!(
            "knockout: the best of {} of each game; up to {} more to break a tie, then the better seed goes through",
            pairs(best_of),
            extra
        ),
        Format::Sprt { elo0, elo1, max_pairs, .. } => {
            format!("sequential test of {elo0} against {elo1} Elo, over at most {}", pairs(max_pairs))
        }
    }
}

/// Describes the openings of a game.
pub fn openings(openings: &Openings) -> String {
    match openings {
        Openings::None {} => "none: every game starts from the start position".to_owned(),
        Openings::Given { positions } => plural(positions.len() as u64, "given position", "given positions"),
        Openings::Generated { plies, count: some } => {
            let after = format!("after {}", plural(u64::from(*plies), "random move", "random moves"));
            match some {
                None => format!("a new position for every pair, {after}"),
                Some(some) => format!("{} {after}", plural(*some, "position", "positions")),
            }
        }
    }
}

/// Describes a clock.
pub fn clock(clock: TimeControl) -> String {
    match clock {
        TimeControl::None { cap_us } => format!("no clock; a move may take at most {}", span(cap_us)),
        TimeControl::MoveTime { move_us } => format!("{} for every move", span(move_us)),
        TimeControl::Fischer { base_us, increment_us: 0 } => format!("{} for the whole game", span(base_us)),
        TimeControl::Fischer { base_us, increment_us } => {
            format!("{} for the game, and {} more after every move", span(base_us), span(increment_us))
        }
        TimeControl::Classical { moves, base_us, increment_us } => {
            let more = match increment_us {
                0 => String::new(),
                us => format!(", and {} more after every move", span(us)),
            };
            format!("{} for every {}{more}", span(base_us), plural(u64::from(moves), "move", "moves"))
        }
        TimeControl::Byoyomi { base_us, periods, period_us } => format!(
            "{}, then {} of {}, each used up only by a move that takes longer",
            span(base_us),
            plural(u64::from(periods), "period", "periods"),
            span(period_us)
        ),
        TimeControl::Delay { base_us, delay_us } => {
            format!("{} for the game; the first {} of every move are free", span(base_us), span(delay_us))
        }
    }
}

/// Writes a span of time in its largest whole unit.
pub fn span(us: u64) -> String {
    let units = [(60_000_000, "min"), (1_000_000, "s"), (1000, "ms")];
    let whole = units.iter().find(|(unit, _)| us > 0 && us.is_multiple_of(*unit));
    whole.map_or_else(|| format!("{us} µs"), |(unit, name)| format!("{} {name}", us / unit))
}

/// Describes the rules that end a game early.
pub fn adjudication(rules: Option<Adjudication>) -> String {
    let rules = rules.unwrap_or_default();
    let draw = rules.draw.map(|rule| {
        let from = if rule.from_ply > 0 { format!(", not before move {}", rule.from_ply) } else { String::new() };
        format!(
            "a game is drawn when both bots have called it even for {} each in a row (at most {} seeds from 0{from})",
            plural(u64::from(rule.moves), "move", "moves"),
            rule.score as f64 / 100.0
        )
    });
    let resign = rules.resign.map(|rule| {
        format!(
            "a game is lost when one bot has called it lost and the other won for {} each in a row (by at least {} seeds)",
            plural(u64::from(rule.moves), "move", "moves"),
            rule.score as f64 / 100.0
        )
    });
    let said: Vec<String> = draw.into_iter().chain(resign).collect();
    if said.is_empty() { "none: every game is played to its end".to_owned() } else { said.join("; ") }
}

//! The rounds of a Swiss and the bracket of a knockout.

use super::super::meetings::Score;
use crate::report::contents::Report;
use crate::report::page::{Block, Bracket, Cell, Duel, Grid, Seat, Section};
use crate::report::words::points;
use crate::schedule::{Meeting, Round};

/// Shows who met whom, in a format that has rounds.
pub(super) fn rounds(report: &Report) -> Option<Section> {
    let rounds = &report.ranking.rounds;
    if rounds.is_empty() {
        return None;
    }
    if report.about.is_knockout { Some(bracket(report, rounds)) } else { Some(pairings(report, rounds)) }
}

fn score(report: &Report, round: usize, meeting: &Meeting) -> Option<Score> {
    report.meetings.between(round as u64 + 1, meeting.bot, meeting.other?)
}

fn bracket(report: &Report, rounds: &[Round]) -> Section {
    // What is still to be drawn is shown as well: a bracket has an end from the beginning.
    let all = rounds.first().map_or(0, |first| first.meetings.len().max(1).ilog2() as usize + 1);
    let mut columns = Vec::new();
    for round in 0..all {
        let duels = match rounds.get(round) {
            Some(drawn) => drawn.meetings.iter().map(|meeting| duel(report, round, meeting)).collect(),
            None => vec![Duel::default(); 1 << (all - 1 - round)],
        };
        let title = match all - round {
            1 => "Final".to_owned(),
            2 => "Semifinals".to_owned(),
            3 => "Quarterfinals".to_owned(),
            _ => format!("Round {}", round + 1),
        };
        columns.push((title, duels));
    }
    let text = "The winner of a duel goes on to the next round; the points are those of the duel's games. A bot without an \
                opponent goes on without playing.";
    Section {
        id: "bracket",
        title: "Bracket".to_owned(),
        blocks: vec![Block::Text(text.to_owned()), Block::Bracket(Bracket { rounds: columns })],
    }
}

fn duel(report: &Report, round: usize, meeting: &Meeting) -> Duel {
    let score = score(report, round, meeting);
    let seat = |bot: usize, results: Option<[u64; 3]>| Seat {
        name: report.results.bots[bot].clone(),
        points: results.map(points),
        through: meeting.through == Some(bot),
    };
    let first = seat(meeting.bot, score.map(|score| score.results));
    let second = meeting.other.map(|bot| seat(bot, score.map(Score::mirrored)));
    Duel { seats: std::iter::once(first).chain(second).collect(), game: score.map(|score| score.first_game) }
}

fn pairings(report: &Report, rounds: &[Round]) -> Section {
    let mut blocks = Vec::new();
    for (number, round) in rounds.iter().enumerate() {
        let mut table = Grid::new(
            format!("Round {}", number + 1),
            &["bot", "points#", "opponent", "points#", "first game#"],
        );
        for meeting in &round.meetings {
            let score = score(report, number, meeting);
            let name = |bot: usize| report.results.bots[bot].clone();
            let shown = |results: Option<[u64; 3]>| results.map_or("–".to_owned(), points);
            let mut cells: Vec<Cell> = match meeting.other {
                Some(other) => [
                    name(meeting.bot),
                    shown(score.map(|score| score.results)),
                    name(other),
                    shown(score.map(Score::mirrored)),
                ]
                .map(Cell::from)
                .into(),
                None => [
                    name(meeting.bot),
                    "full".to_owned(),
                    "bye: it is free in this round".to_owned(),
                    String::new(),
                ]
                .map(Cell::from)
                .into(),
            };
            cells.push(score.map_or(Cell::default(), |score| Cell::game(score.first_game)));
            table.rows.push(cells);
        }
        blocks.push(Block::Grid(table));
    }
    let text =
        "Bots with similar scores meet. If their number is odd, one bot is free and scores as if it had won.";
    blocks.insert(0, Block::Text(text.to_owned()));
    Section { id: "rounds", title: "Rounds".to_owned(), blocks }
}

//! Shows one position of a game, and the move that was made in it.

use std::io::Write;

use bao_rules::{Lap, Pit, Trace};

use super::game::Shown;
use crate::cli::failure::Failure;
use crate::text::board::{Board, LEGEND};
use crate::text::count::count;

/// Prints the position in which a ply was made; after the last ply, the position at the end.
pub(super) fn print(shown: &Shown, ply: u64, out: &mut impl Write) -> Result<(), Failure> {
    let made = shown.moves.len();
    let index = usize::try_from(ply - 1).unwrap_or(usize::MAX);
    if index > made {
        return Err(Failure::NoPly { game: shown.row.game, plies: made });
    }
    shown.print_head(out)?;
    let before = shown.after(index);
    writeln!(out, "\nbefore ply {ply}: {}\n\n{before}", before.position)?;
    let legal: Vec<&str> = before.position.legal_moves().iter().map(Pit::name).collect();
    if !legal.is_empty() {
        writeln!(out, "legal moves: {}", legal.join(" "))?;
    }
    let Some(mv) = shown.moves.get(index) else {
        writeln!(out, "the game ended here: {}", shown.row.reason)?;
        return Ok(());
    };
    writeln!(out, "{}", mv.sentence(index + 1))?;
    if let Ok(trace) = mv.before.trace(mv.pit) {
        print_trace(&trace, out)?;
    }
    let after: Board = shown.after(index + 1);
    writeln!(out, "\nafter it: {}\n\n{after}\n{LEGEND}", after.position)?;
    Ok(())
}

fn print_trace(trace: &Trace, out: &mut impl Write) -> std::io::Result<()> {
    for (number, Lap { from, seeds, last }) in trace.laps().enumerate() {
        let last = last.map_or("the bank", Pit::name);
        let seeds = count(seeds.into(), "seed");
        writeln!(out, "  lap {}: lifts {from}, {seeds}, the last into {last}", number + 1)?;
    }
    match (trace.total, trace.unlisted()) {
        (None, _) => writeln!(out, "  and so on for ever")?,
        (Some(_), 0) => {}
        (Some(_), laps) => writeln!(out, "  and {laps} more laps")?,
    }
    for (pit, seeds) in trace.taken() {
        writeln!(out, "  takes {seeds} from {pit}")?;
    }
    if let Some(reservation) = trace.reserved() {
        write!(out, "  reserves {}", reservation.pit)?;
        match reservation.added_from {
            Some(from) => writeln!(out, ", and adds a seed from {from}")?,
            None => writeln!(out)?,
        }
    }
    for side in bao_rules::Side::BOTH {
        let banked = trace.banked(side);
        if banked > 0 {
            writeln!(out, "  {banked} fell into {}'s reserved pits and so into the bank", side.word())?;
        }
    }
    Ok(())
}

//! Hints: the move that the bot would play, and the move that takes most at once.

use bao_rules::{Pit, Position, Side};

use super::words::expects;
use super::{Absence, Session};
use crate::play::bout::{Bout, Terms, Thought, Turn};

impl Session<'_> {
    /// Asks another process of the same bot, and looks one move ahead.
    pub(super) async fn hint(&mut self, position: &Position) -> String {
        let asked = match self.ask(position).await {
            Ok((pit, thought)) => {
                let expects =
                    expects(thought, self.view.lang).map(|said| format!("; {said}")).unwrap_or_default();
                format!("The bot would play {pit}{expects}.")
            }
            Err(why) => format!("The bot gives no hint: {why}."),
        };
        format!("{asked} {}\n", greedy(position))
    }

    async fn ask(&mut self, position: &Position) -> Result<(Pit, Thought), NoHint> {
        let mut talk = match self.adviser.take() {
            Some(talk) => talk,
            None => self.bot.start(position.variant()).await?,
        };
        let terms = Terms { position: *position, bot: self.person, ..self.terms.clone() };
        let mut bout = Bout::new(&terms, &talk, &[]);
        let turn = bout.go_on(&mut talk).await;
        let first = bout.moves().split(' ').next().and_then(|name| Pit::parse(position.variant(), name).ok());
        if turn == Turn::Ours {
            bout.stop(&mut talk, "it was a hint");
        }
        if bout.verdict().is_some_and(|verdict| verdict.reason.is_fault()) {
            talk.kill(self.bot.keeper).await;
        } else {
            self.adviser = Some(talk);
        }
        let Some(pit) = first else {
            return Err(bout.verdict().map_or(NoHint::Unasked, |verdict| NoHint::Ended(verdict.sentence())));
        };
        Ok((pit, bout.thought()))
    }
}

/// Why the bot gives no hint.
#[derive(Debug, thiserror::Error)]
enum NoHint {
    /// The second process could not be started, or sent no hello.
    #[error(transparent)]
    Absent(#[from] Absence),
    /// Its game ended before it moved.
    #[error("{0}")]
    Ended(String),
    /// It was not on turn.
    #[error("it is not the bot's turn")]
    Unasked,
}

/// Returns the move that takes most at once.
fn greedy(position: &Position) -> String {
    let best =
        position.legal_moves().iter().map(|pit| (gain(position, pit), pit)).max_by_key(|(gain, _)| *gain);
    match best {
        Some((WIN.., pit)) => format!("{pit} wins at once."),
        Some((1.., pit)) => {
            let seeds = gain(position, pit);
            format!(
                "Looking one move ahead, {pit} takes most: {seeds} {}.",
                if seeds == 1 { "seed" } else { "seeds" }
            )
        }
        Some(_) | None => "Looking one move ahead, no move takes anything.".to_owned(),
    }
}

/// The value of a move that wins at once: more than there are seeds.
const WIN: i64 = 1000;

/// Counts the seeds by which a move improves the mover's score against the other's.
fn gain(before: &Position, pit: Pit) -> i64 {
    let side = before.side();
    let lead = |position: &Position| {
        let [own, others] = [side, side.other()].map(|side: Side| i64::from(position.score(side)));
        own - others
    };
    match before.play(pit) {
        Ok(play) if play.over.is_some_and(|over| over.winner == Some(side)) => WIN,
        Ok(play) if play.over.is_some_and(|over| over.winner == Some(side.other())) => -WIN,
        Ok(play) => play.after.map_or(0, |after| lead(&after) - lead(before)),
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use bao_rules::Variant;

    use super::*;

    #[test]
    fn the_move_that_takes_most_is_found() {
        let check = |variant, text: &str, expected: &str| {
            assert_eq!(greedy(&Position::parse(variant, text).unwrap()), expected, "{text}");
        };
        let start = Position::start(Variant::Kigogo).to_string();
        let taken = greedy(&Position::start(Variant::Kigogo));
        assert!(taken.contains("takes most: "), "{start}: {taken}");
        check(
            Variant::Kingulu,
            "0,0,0,0,2,3/0,0,0,0,0,1 S 20 22",
            "Looking one move ahead, A6 takes most: 6 seeds.",
        );
    }
}

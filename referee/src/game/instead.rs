//! Explains to the author of a bot what came instead of an answer: the likely cause of a silence.

use bao_rules::{Moves, Pit};

use crate::game::note::Answer;
use crate::game::verdict::excerpt;

/// How much of a line is quoted, in characters.
const QUOTE: usize = 80;

/// Returns a sentence about an answer to a request that is not open.
pub(super) fn other_id(kind: Answer, id: u64, open: Option<u64>) -> String {
    match open {
        Some(open) => format!(
            "the request has the id {open}, the {kind} that came has the id {id}: repeat the request's id"
        ),
        None => format!("a {kind} with the id {id} came, and no request with this id is open"),
    }
}

/// Returns a sentence about a line that is not a message; a bare move is shown as the message that it should be.
pub(super) fn noise(line: &[u8], open: Option<u64>, legal: &Moves) -> String {
    let line = String::from_utf8_lossy(line);
    let line = line.trim();
    match (open, meant(line, legal)) {
        (Some(id), Some(pit)) => {
            format!("`{line}` is not a message: write {{\"type\":\"move\",\"id\":{id},\"move\":\"{pit}\"}}")
        }
        _ => format!("`{}` is not a message: write one JSON object per line", excerpt(line, QUOTE)),
    }
}

/// Returns a sentence about a message of an unknown type.
pub(super) fn unknown(kind: &str) -> String {
    let kind = excerpt(kind, QUOTE);
    format!(
        "`{kind}` is not a type of message: answer `hello` with `hello`, `new_game` with `ready`, `go` with `move`"
    )
}

/// Finds the legal move that a text was probably meant to be: another case, spaces or quotes around it.
pub(super) fn meant(text: &str, legal: &Moves) -> Option<Pit> {
    let bare = text.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    legal.iter().find(|pit| pit.name().eq_ignore_ascii_case(bare))
}

#[cfg(test)]
mod tests {
    use bao_rules::{Position, Variant};

    use super::*;

    #[test]
    fn a_line_that_is_not_a_message_is_told_with_the_message_that_it_should_be() {
        let legal = Position::start(Variant::ALL[0]).legal_moves();
        let pit = legal.iter().next().expect("the game begins");
        let told = noise(format!(" {pit}\r").as_bytes(), Some(7), &legal);
        assert_eq!(
            told,
            format!("`{pit}` is not a message: write {{\"type\":\"move\",\"id\":7,\"move\":\"{pit}\"}}")
        );
        let told = noise(b"Traceback (most recent call last):", Some(7), &legal);
        assert_eq!(
            told,
            "`Traceback (most recent call last):` is not a message: write one JSON object per line"
        );
        assert_eq!(meant("\"zz9\"", &legal), None);
    }
}

//! Reads openings, or makes them from the seed.

use std::collections::HashSet;
use std::path::Path;

use bao_rules::{Pit, Position, Side, Track, Variant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use super::{GamePlan, MoveError, OpeningError, Openings, OpeningsFileError, Plan, PlanError, Unreachable};

use crate::open;
use crate::text::shown::shown;

/// After how many attempts in a row without a new opening the search ends.
const TRIES: u32 = 2_000;

/// The openings of one game, numbered from 1.
///
/// The opening with a given number depends only on the plan and its seed. For a generated opening, the book keeps
/// only the number of the attempt that made it, and eight bytes to recognise it.
#[derive(Debug)]
pub struct Book {
    variant: Variant,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Start,
    Given(Vec<Position>),
    Generated(Box<Generator>),
}

/// Opens the books of a plan, one per game.
///
/// # Errors
/// [`PlanError`] where a game or a position cannot be read, or there are not as many openings as asked for.
pub fn books(plan: &Plan) -> Result<Vec<Book>, PlanError> {
    plan.games.iter().map(|game| Book::new(game, plan.seed)).collect()
}

impl Book {
    /// Opens the book of one game.
    ///
    /// # Errors
    /// [`PlanError`] where the game or a position cannot be read, or fewer openings exist than are wanted.
    pub fn new(game: &GamePlan, seed: u64) -> Result<Self, PlanError> {
        let variant: Variant = game.variant.parse()?;
        let kind = match &game.openings {
            Openings::None {} => Kind::Start,
            Openings::Given { positions } if positions.is_empty() => {
                return Err(PlanError::NoOpening);
            }
            Openings::Given { positions } => {
                Kind::Given(positions.iter().map(|text| opening(variant, text)).collect::<Result<_, _>>()?)
            }
            Openings::Generated { plies, count } => {
                let mut generator = Generator::new(variant, *plies, *count, seed);
                let wanted = count.unwrap_or(1);
                let found = generator.grow(wanted);
                if found < wanted {
                    return Err(PlanError::FewOpenings { variant, plies: *plies, found, wanted });
                }
                Kind::Generated(Box::new(generator))
            }
        };
        Ok(Self { variant, kind })
    }

    /// Returns the opening of the pair with this index, from 0, and its number if it is not the start position.
    ///
    /// After the last opening it begins again with the first.
    pub fn opening(&mut self, index: u64) -> (Option<u64>, Position) {
        let start = Position::start(self.variant);
        match &mut self.kind {
            Kind::Start => (None, start),
            Kind::Given(positions) => {
                let place = index % positions.len() as u64;
                (Some(place + 1), positions[place as usize])
            }
            Kind::Generated(generator) => {
                let (place, position) = generator.opening(index);
                (Some(place + 1), position)
            }
        }
    }
}

/// Makes openings: random legal moves, all with the same probability; both sides can still move after them.
#[derive(Debug)]
struct Generator {
    variant: Variant,
    plies: u32,
    most: u64,
    rng: ChaCha8Rng,
    next_try: u64,
    // The attempts that gave an opening, and the hashes of those openings.
    tries: Vec<u32>,
    known: HashSet<u64>,
    exhausted: bool,
}

impl Generator {
    fn new(variant: Variant, plies: u32, count: Option<u64>, seed: u64) -> Self {
        // Another game with the same seed gets other numbers.
        let seed = seed.wrapping_add((variant as u64 + 1) << 32);
        Self {
            variant,
            plies,
            most: count.unwrap_or(u64::MAX),
            rng: ChaCha8Rng::seed_from_u64(seed),
            next_try: 0,
            tries: Vec::new(),
            known: HashSet::new(),
            exhausted: false,
        }
    }

    fn opening(&mut self, index: u64) -> (u64, Position) {
        let found = self.grow(index.saturating_add(1).min(self.most));
        let place = index % found;
        let position = self.attempt(u64::from(self.tries[place as usize]));
        (place, position.expect("this try has given an opening before"))
    }

    /// Finds openings until there are enough, or no more exist; returns how many there are.
    fn grow(&mut self, wanted: u64) -> u64 {
        let mut failed = 0;
        while (self.tries.len() as u64) < wanted && !self.exhausted {
            let number = self.next_try;
            self.next_try += 1;
            match self.attempt(number) {
                Some(position) if self.known.insert(fingerprint(&position)) => {
                    self.tries.push(number as u32);
                    failed = 0;
                }
                Some(_) | None => {
                    failed += 1;
                    self.exhausted = failed >= TRIES;
                }
            }
        }
        self.tries.len() as u64
    }

    /// Plays random moves, from a place in the random numbers that only this attempt uses.
    fn attempt(&mut self, number: u64) -> Option<Position> {
        self.rng.set_stream(number);
        self.rng.set_word_pos(0);
        let mut position = Position::start(self.variant);
        for _ in 0..self.plies {
            let moves = position.legal_moves();
            let pick = (u64::from(self.rng.next_u32()) * moves.len() as u64) >> 32;
            let play = position.play(moves[pick as usize]).ok()?;
            if play.over.is_some() {
                return None;
            }
            position = play.after?;
        }
        both_mobile(&position).then_some(position)
    }
}

/// Returns whether each side could move if it were its turn.
fn both_mobile(position: &Position) -> bool {
    let text = position.to_string();
    let turned = match text.split_once(" S ") {
        Some((pits, captured)) => format!("{pits} N {captured}"),
        None => text.replacen(" N ", " S ", 1),
    };
    let turned = Position::parse(position.variant(), &turned);
    position.over().is_none() && turned.is_ok_and(|turned| turned.over().is_none())
}

fn fingerprint(position: &Position) -> u64 {
    let digest = Sha256::digest(position.to_string());
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has more than eight bytes"))
}

/// Reads an opening: moves from the start position, or a position text. The game must not be over there.
///
/// # Errors
/// [`PlanError::Opening`] with the wrong part.
pub fn opening(variant: Variant, text: &str) -> Result<Position, PlanError> {
    position(variant, text).map_err(|problem| PlanError::Opening { text: shown(text, 200), problem })
}

/// Reads a position that a game can reach, as far as the seeds of a side show: if a side sows only through its own
/// pits, it never has more seeds than at the start.
///
/// # Errors
/// [`OpeningError`] if it is not a position, or no game reaches it.
pub fn reachable(variant: Variant, text: &str) -> Result<Position, OpeningError> {
    let position = Position::parse(variant, text.trim())?;
    if variant.info().track == Track::Own {
        let start = Position::start(variant);
        for side in Side::BOTH {
            let [seeds, most] = [&position, &start].map(|position| -> u32 {
                position.pits(side).map(|pit| u32::from(position.seeds(pit))).sum()
            });
            if seeds > most {
                return Err(Unreachable { variant, side: side.word(), seeds, most }.into());
            }
        }
    }
    Ok(position)
}

fn position(variant: Variant, text: &str) -> Result<Position, OpeningError> {
    let position = if text.contains('/') {
        reachable(variant, text)?
    } else {
        let mut position = Position::start(variant);
        for (number, word) in (1..).zip(text.split_whitespace()) {
            position = after(&position, word).map_err(|problem| OpeningError::Move {
                number,
                word: shown(word, 40),
                problem,
            })?;
        }
        position
    };
    position.over().map_or(Ok(position), |outcome| Err(OpeningError::Over(outcome.reason)))
}

fn after(position: &Position, word: &str) -> Result<Position, MoveError> {
    let play = position.play(Pit::parse(position.variant(), word)?)?;
    let after = play.after.ok_or(MoveError::Endless)?;
    play.over.map_or(Ok(after), |outcome| Err(MoveError::Ends(outcome.reason)))
}

/// Reads a file of openings, one per line: moves or a position. Text after a `#`, empty lines and a byte order mark
/// are ignored. Returns position texts.
///
/// # Errors
/// [`PlanError::OpeningsFile`] if it cannot be read, has no opening, or a line is not an opening.
pub fn openings_file(variant: Variant, path: &Path) -> Result<Vec<String>, PlanError> {
    let bad = |line, problem: OpeningsFileError| {
        let (path, problem) = (path.to_owned(), Box::new(problem));
        PlanError::OpeningsFile { path, line, problem }
    };
    let text = open::piped_text(path).map_err(|error| bad(None, error.into()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let position = opening(variant, line).map_err(|error| bad(Some(number), error.into()))?;
            positions.push(position.to_string());
        }
    }
    if positions.is_empty() { Err(bad(None, OpeningsFileError::Empty)) } else { Ok(positions) }
}

/// Reads a list of openings, each moves or a position; returns position texts.
///
/// # Errors
/// [`PlanError::Opening`] for the first that is not an opening.
pub fn openings_list(variant: Variant, texts: &[String]) -> Result<Vec<String>, PlanError> {
    texts.iter().map(|text| Ok(opening(variant, text)?.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_to_which_no_game_comes_is_refused_with_the_reason() {
        let sides = |south: u32, north: u32| {
            let row = ["0"; 11].join(",");
            format!("{row},0/{row},{south}/{row},{north}/{row},0 S 0 0")
        };
        let read = |text: &str| reachable(Variant::Kigogo, text).map_err(|problem| problem.to_string());
        assert!(read(&sides(46, 46)).is_ok());
        for text in [sides(1, 47), sides(47, 1)] {
            let refused = read(&text).expect_err(&text);
            assert!(refused.contains(" has 47 seeds") && refused.contains("more than the 46"), "{refused}");
        }
        for variant in Variant::ALL {
            let start = Position::start(variant);
            assert_eq!(reachable(variant, &start.to_string()).expect("the start is reached"), start);
        }
    }
}

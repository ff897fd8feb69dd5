//! Lines and positions that nobody would write: mutations of good ones, drawn by a seed.
//!
//! `BAO_FUZZ=100000000 cargo test --release -p bao-protocol --test fuzz` tries a hundred million of each;
//! `BAO_SEED=2` draws others.

use bao_protocol::{BadLine, Decoded, decode};
use bao_rules::{Position, Side, Variant};
use bao_tests::{Chance, number};

const LINES: &str = include_str!("fixtures/v1-from-bot.jsonl");
/// What bots in other languages, other programs and attackers put where it does not belong.
const WORDS: [&str; 30] = [
    "null",
    "true",
    "-1",
    "0.0",
    "3.0",
    "1e400",
    "18446744073709551616",
    "\"id\":3,",
    "\"type\":\"move\",",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\u0000",
    "\\ud800",
    "'",
    "None",
    "NaN",
    "\u{feff}",
    "\r",
    "\u{202e}",
    "\0",
    ",",
    ":",
    "//",
    "{\"type\":",
    "\"info\":{",
    "A1",
    "b12",
];
const POSITIONS: [&str; 5] = ["/", ",", " S 0 0", "*", "255"];

/// How many of each are tried without `BAO_FUZZ`.
const TRIES: u64 = 100_000;
/// No text about a bad line is longer, in bytes: it goes into a verdict.
const LONGEST: usize = 1000;

/// Changes bytes by chance.
struct Mutations(Chance);

impl Mutations {
    fn below(&mut self, most: usize) -> usize {
        self.0.below(most as u64) as usize
    }

    /// Cuts, doubles, swaps and changes a few bytes, or puts a word between them.
    fn mutate(&mut self, bytes: &mut Vec<u8>, words: &[&str]) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let end = (at + 1 + self.below(12)).min(bytes.len());
            match self.below(7) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.truncate(at),
                2 => {
                    let copy = bytes[at..end].to_vec();
                    let to = self.below(bytes.len() + 1);
                    bytes.splice(to..to, copy);
                }
                3 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                4 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                _ => {
                    let word = words[self.below(words.len())];
                    bytes.splice(at..end.min(at + self.below(2)), word.bytes());
                }
            }
        }
    }
}

fn assert_can_be_shown(bad: &BadLine, line: &[u8]) {
    let text = bad.to_string();
    let fits = text.len() <= LONGEST && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    assert!(fits, "{text:?} about {:?}", String::from_utf8_lossy(line));
}

#[test]
fn no_line_is_misread_or_brings_the_decoder_down() {
    let (tries, seed) = (number("BAO_FUZZ", TRIES), number("BAO_SEED", 1));
    let good: Vec<&[u8]> = LINES.lines().map(str::as_bytes).collect();
    let mut chance = Mutations(Chance::new(seed));
    let (mut bytes, mut again) = (Vec::new(), Vec::new());
    let mut kinds = [0_u64; 5];
    for _ in 0..tries {
        bytes.clear();
        bytes.extend_from_slice(good[chance.below(good.len())]);
        chance.mutate(&mut bytes, &WORDS);
        let decoded = decode(&bytes);
        let kind = match &decoded {
            Decoded::Message(message, _) => {
                // What was understood is written again, and understood in the same way.
                again.clear();
                message.write_line(&mut again);
                let Decoded::Message(second, _) = decode(&again) else {
                    panic!("{:?} is no longer a message", String::from_utf8_lossy(&again));
                };
                assert_eq!(*message, second, "{:?}", String::from_utf8_lossy(&bytes));
                0
            }
            Decoded::Bad(bad) => {
                assert_can_be_shown(bad, &bytes);
                1
            }
            Decoded::Unknown(_) => 2,
            Decoded::Noise => 3,
            Decoded::Blank => 4,
        };
        kinds[kind] += 1;
    }
    assert!(kinds[..4].iter().all(|&count| count > tries / 1000), "the mutations are too alike: {kinds:?}");
}

#[test]
fn every_position_that_is_read_can_be_written_and_played() {
    let (tries, seed) = (number("BAO_FUZZ", TRIES), number("BAO_SEED", 1));
    let mut chance = Mutations(Chance::new(seed));
    let mut read = 0_u64;
    for _ in 0..tries {
        let variant = Variant::ALL[chance.below(Variant::ALL.len())];
        let mut bytes = Position::start(variant).to_string().into_bytes();
        for _ in 0..chance.below(8) {
            // Other digits keep most of them readable; their sum tells whether the position can be.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            let (from, to) = (digits[chance.below(digits.len())], digits[chance.below(digits.len())]);
            if bytes[from] > b'0' && bytes[to] < b'9' {
                bytes[from] -= 1;
                bytes[to] += 1;
            }
        }
        if chance.below(4) == 0 {
            chance.mutate(&mut bytes, &POSITIONS);
        }
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let Ok(position) = Position::parse(variant, text) else { continue };
        read += 1;
        assert_eq!(Position::parse(variant, &position.to_string()).as_ref(), Ok(&position), "{text}");
        let seeds = |position: &Position| -> u32 {
            let pits = Side::BOTH.into_iter().flat_map(|side| position.pits(side));
            pits.map(|pit| u32::from(position.seeds(pit))).sum::<u32>()
                + Side::BOTH.map(|side| position.captured(side)).iter().sum::<u32>()
        };
        for pit in position.legal_moves() {
            let mut sowing = position.begin(pit).expect("a move of the list is legal");
            // A sowing may go on for millions of laps; these are enough to find a wrong one.
            if let Some(after) = sowing.go_on(2000).and_then(|play| play.after) {
                assert_eq!(seeds(&after), seeds(&position), "{text}, {pit}");
                assert_eq!(after.side(), position.side().other(), "{text}, {pit}");
            }
        }
    }
    assert!(read > tries / 3, "only {read} of {tries} positions could be read");
}

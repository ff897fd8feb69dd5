//! How fast the rules core plays, printed as rates.
//!
//! ```text
//! cargo bench -p bao-rules
//! ```
//!
//! First Bao Kigogo's sequences of six moves, beside `benches/plain.cpp`, a seed-by-seed loop in C++ that this program
//! compiles (`c++ -O3 -march=native`) and runs before and after each of its own counts, so that a busy machine does not
//! favour either; the ratio is that of the best of each. Then Bao Kingulu's sequences of up to fourteen moves, and random games:
//! legal moves, a random choice, the move, the history and the result, for every turn. All on one core.

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bao_rules::{History, Position, Variant, kigogo, kingulu, perft};

const ROUNDS: usize = 3;
const KIGOGO_LEAVES: u64 = 16_990_220;
const KINGULU_LEAVES: u64 = 968_721;

fn main() {
    kigogo_sequences();
    kingulu_sequences();
    random_games();
}

fn kigogo_sequences() {
    let plain = compile_plain();
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        if let Some(plain) = &plain {
            best[0] = best[0].min(run_plain(plain));
        }
        let seconds = time(|| {
            assert_eq!(perft(&Position::start(Variant::Kigogo), 6), KIGOGO_LEAVES);
        });
        best[1] = best[1].min(seconds);
    }
    let [plain_rate, rate] = best.map(|seconds| KIGOGO_LEAVES as f64 / seconds / 1e6);
    println!("perft bao-kigogo 6    {rate:7.1} million moves/s");
    if plain.is_some() {
        println!(
            "  plain C++ loop      {plain_rate:7.1} million moves/s: {:.2} times as fast",
            rate / plain_rate
        );
    } else {
        println!("  plain C++ loop      not measured: no C++ compiler `c++`");
    }
}

fn kingulu_sequences() {
    let counts = 10;
    let seconds = best(|| {
        for _ in 0..counts {
            assert_eq!(perft(&Position::start(Variant::Kingulu), 14), KINGULU_LEAVES);
        }
    });
    let rate = (counts * KINGULU_LEAVES) as f64 / seconds / 1e6;
    println!("perft bao-kingulu 14  {rate:7.1} million moves/s");
}

/// Plays random games of one kind until a number of turns is reached, several times, and prints the rate.
macro_rules! random {
    ($what:expr, $start:expr, $history:ty) => {{
        let start = $start;
        let (mut games, mut turns) = (0_u64, 0_u64);
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        let mut history = <$history>::new(&start);
        let seconds = best(|| {
            (games, turns) = (0, 0);
            while turns < 4_000_000 {
                games += 1;
                history.restart(&start);
                turns += game(&start, &mut random, |position| history.push(position));
            }
        });
        let rate = turns as f64 / seconds / 1e6;
        println!(
            "random {:14} {rate:7.1} million turns/s, {:.1} turns a game",
            $what,
            turns as f64 / games as f64
        );
    }};
}

fn random_games() {
    random!("kigogo", kigogo::Position::START, kigogo::History);
    random!("kingulu", kingulu::Position::START, kingulu::History);
    random!("both: kigogo", Position::start(Variant::Kigogo), History);
    random!("both: kingulu", Position::start(Variant::Kingulu), History);
}

/// What random play needs of a position of one game or of either.
trait Play: Copy {
    /// Chooses a legal move by a number and plays it; `None` ends the game.
    fn step(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self>;
}

impl Play for kigogo::Position {
    fn step(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self> {
        if self.over().is_some() {
            return None;
        }
        let moves = self.legal_moves();
        self.after(moves[choose(moves.len())])
    }
}

impl Play for kingulu::Position {
    fn step(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self> {
        let moves = self.legal_moves();
        if moves.is_empty() {
            std::hint::black_box(self.scored());
            return None;
        }
        self.after(moves[choose(moves.len())])
    }
}

impl Play for Position {
    fn step(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self> {
        let moves = self.legal_moves();
        if moves.is_empty() {
            std::hint::black_box(self.over());
            return None;
        }
        let play = self.play(moves[choose(moves.len())]).expect("a legal move");
        play.after
    }
}

/// Plays one random game and counts its turns.
fn game<P: Play>(start: &P, random: &mut u64, mut seen: impl FnMut(&P) -> bool) -> u64 {
    let (mut position, mut turns) = (*start, 0);
    loop {
        turns += 1;
        let after = position.step(|moves| {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            ((*random >> 32) * moves as u64 >> 32) as usize
        });
        match after {
            Some(after) if !seen(&after) => position = after,
            Some(_) | None => return turns,
        }
    }
}

/// Runs something several times and gives the seconds of the fastest run.
fn best(mut run: impl FnMut()) -> f64 {
    (0..ROUNDS).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn time(run: impl FnOnce()) -> f64 {
    let began = Instant::now();
    run();
    began.elapsed().as_secs_f64()
}

/// Compiles the yardstick; `None` without a C++ compiler.
fn compile_plain() -> Option<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/plain.cpp");
    let program = format!("{}/plain", env!("CARGO_TARGET_TMPDIR"));
    let compile = Command::new("c++").args(["-O3", "-march=native", "-o", &program]).arg(source).status();
    compile.is_ok_and(|status| status.success()).then_some(program)
}

/// Runs the yardstick and gives its seconds.
fn run_plain(program: &str) -> f64 {
    let output = Command::new(program).arg("6").output().expect("the program was just compiled");
    let output = String::from_utf8(output.stdout).expect("ASCII");
    let (leaves, seconds) = output.trim().split_once(' ').expect("leaves and seconds");
    assert_eq!(leaves, KIGOGO_LEAVES.to_string());
    seconds.parse().expect("seconds")
}

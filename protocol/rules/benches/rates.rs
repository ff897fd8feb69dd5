//! How fast the rules core plays, printed as rates.
//!
//! ```text
//! cargo bench -p bao-rules
//! ```
//!
//! First Bao Kigogo: sequences of moves from the start as `perft` counts them (the last move of each counted, not
//! played), and the moves that are played when the last one is played too. Beside them `benches/plain.cpp`, a loop in C++
//! that sows seed by seed and plays every move; this program compiles it (`c++ -O2`) and runs it in turns with its own
//! counts. Then the same for Bao Kingulu, and random games: legal moves, a random choice, the move, the history and the
//! result, for every turn.
//!
//! All on one core. A rate is that of the fastest of many runs of a few milliseconds, so that other work on the machine
//! disturbs little; the long counts of the rulebook are made once and checked.

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bao_rules::{History, Position, Rules, Variant, kigogo, kingulu, perft};

fn main() {
    kigogo_sequences();
    kingulu_sequences();
    random_games();
}

/// Sequences of moves from the start of Bao Kigogo, by the rulebook.
const KIGOGO_4: u64 = 111_915;
const KIGOGO_5: u64 = 1_363_518;
const KIGOGO_6: u64 = 16_990_220;
/// Sequences of moves from the start of Bao Kingulu, by the rulebook.
const KINGULU_11: u64 = 77_452;
const KINGULU_14: u64 = 968_721;

fn kigogo_sequences() {
    let (start, either) = (kigogo::Position::START, Position::start(Variant::Kigogo));
    let plain = compile_plain();
    let [mut plain_rate, mut played, mut counted] = [0_f64; 3];
    for _ in 0..10 {
        if let Some(plain) = &plain {
            plain_rate = plain_rate.max(KIGOGO_4 as f64 / run_plain(plain, 4, 30));
        }
        played = played.max(best(30, KIGOGO_4, || kigogo_played(&start, 4)));
        counted = counted.max(best(20, KIGOGO_5, || perft(&either, 5)));
    }
    let long = best(1, KIGOGO_6, || perft(&either, 6));
    println!("plain C++ loop        {:7.1} million moves/s", plain_rate / 1e6);
    let times = |rate: f64| match plain {
        Some(_) => format!("{:.1} times the C++ loop", rate / plain_rate),
        None => "no C++ compiler to compare".to_owned(),
    };
    println!("perft bao-kigogo 5    {:7.1} million leaves/s, {}", counted / 1e6, times(counted));
    println!("  last move played    {:7.1} million moves/s, {}", played / 1e6, times(played));
    println!("perft bao-kigogo 6    {:7.1} million leaves/s, once", long / 1e6);
}

fn kingulu_sequences() {
    let (start, either) = (kingulu::Position::START, Position::start(Variant::Kingulu));
    let counted = best(300, KINGULU_11, || perft(&either, 11));
    let played = best(300, KINGULU_11, || kingulu_played(&start, 11));
    let long = best(1, KINGULU_14, || perft(&either, 14));
    println!("perft bao-kingulu 11  {:7.1} million leaves/s", counted / 1e6);
    println!("  last move played    {:7.1} million moves/s", played / 1e6);
    println!("perft bao-kingulu 14  {:7.1} million leaves/s, once", long / 1e6);
}

/// Plays all sequences of a length and counts them.
fn kigogo_played(position: &kigogo::Position, depth: u32) -> u64 {
    let children = position.children();
    if depth == 1 {
        return children.inspect(|(_, after)| _ = std::hint::black_box(after)).count() as u64;
    }
    children.filter_map(|(_, after)| after).map(|after| kigogo_played(&after, depth - 1)).sum()
}

/// Plays all sequences of a length and counts them.
fn kingulu_played(position: &kingulu::Position, depth: u32) -> u64 {
    let children = position.children();
    if depth == 1 {
        return children.inspect(|(_, after)| _ = std::hint::black_box(after)).count() as u64;
    }
    children.map(|(_, after)| kingulu_played(&after, depth - 1)).sum()
}

fn random_games() {
    random_play("kigogo::Position", &kigogo::Position::START);
    random_play("kingulu::Position", &kingulu::Position::START);
    random_play("Position, kigogo", &Position::start(Variant::Kigogo));
    random_play("Position, kingulu", &Position::start(Variant::Kingulu));
}

/// Plays random games many times over and prints the rate of the fastest stretch.
fn random_play<G: Game>(what: &str, start: &G) {
    const STRETCH: u64 = 50_000;
    let mut history = start.history();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let (mut games, mut all, mut rate) = (0_u64, 0_u64, 0_f64);
    for _ in 0..200 {
        let (began, mut turns) = (Instant::now(), 0);
        while turns < STRETCH {
            G::restart(&mut history, start);
            turns += game(start, &mut history, &mut random);
            games += 1;
        }
        rate = rate.max(turns as f64 / began.elapsed().as_secs_f64());
        all += turns;
    }
    println!(
        "random {what:17} {:5.1} million turns/s, {:.1} turns a game",
        rate / 1e6,
        all as f64 / games as f64
    );
}

/// Plays one random game and counts its turns.
fn game<G: Game>(start: &G, history: &mut G::History, random: &mut u64) -> u64 {
    let (mut position, mut turns) = (*start, 0);
    loop {
        let after = position.turn(|moves| {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            (((*random >> 32) * moves as u64) >> 32) as usize
        });
        let Some(after) = after else { return turns };
        turns += 1;
        if G::push(history, &after) {
            return turns;
        }
        position = after;
    }
}

/// What random play needs of a position, of one game or of either.
trait Game: Copy {
    type History;
    fn history(&self) -> Self::History;
    fn restart(history: &mut Self::History, start: &Self);
    fn push(history: &mut Self::History, position: &Self) -> bool;
    /// Plays the legal move whose number `choose` returns; `None` when the game is over, with the result looked at.
    fn turn(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self>;
}

macro_rules! game {
    ($position:ty, $history:ty, $after:expr) => {
        impl Game for $position {
            type History = $history;
            fn history(&self) -> $history {
                <$history>::new(self)
            }
            fn restart(history: &mut $history, start: &Self) {
                history.restart(start);
            }
            fn push(history: &mut $history, position: &Self) -> bool {
                history.push(position)
            }
            fn turn(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self> {
                let moves = self.legal_moves();
                if moves.is_empty() {
                    std::hint::black_box(self.over());
                    return None;
                }
                $after(self, moves[choose(moves.len())])
            }
        }
    };
}

game!(kigogo::Position, kigogo::History, kigogo::Position::after);
game!(kingulu::Position, kingulu::History, kingulu::Position::after);
game!(Position, History, |position: &Position, pit| position.play(pit).expect("a legal move").after);

/// Runs a count several times and gives the rate of the fastest run.
fn best(rounds: usize, expected: u64, count: impl Fn() -> u64) -> f64 {
    let seconds = (0..rounds).map(|_| {
        let began = Instant::now();
        assert_eq!(count(), expected);
        began.elapsed().as_secs_f64()
    });
    expected as f64 / seconds.fold(f64::INFINITY, f64::min)
}

/// Compiles the yardstick; `None` without a C++ compiler.
fn compile_plain() -> Option<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/plain.cpp");
    let program = format!("{}/plain", env!("CARGO_TARGET_TMPDIR"));
    let compile = Command::new("c++").args(["-O2", "-o", &program]).arg(source).status();
    compile.is_ok_and(|status| status.success()).then_some(program)
}

/// Runs the yardstick several times over and gives the seconds of its fastest run.
fn run_plain(program: &str, depth: u32, rounds: u32) -> f64 {
    let output = Command::new(program).args([depth.to_string(), rounds.to_string()]).output();
    let output = String::from_utf8(output.expect("the program was just compiled").stdout).expect("ASCII");
    let (leaves, seconds) = output.trim().split_once(' ').expect("leaves and seconds");
    assert_eq!(leaves, KIGOGO_4.to_string());
    seconds.parse().expect("seconds")
}

//! A bot that looks ahead: a search for Bao Kigogo, perfect play for Bao Kingulu.
//!
//! `search-bot [--OPTION VALUE]...` plays; the options are those of its hello: `hash_mb`, `depth`, `nodes`, `seed`,
//! `weights`. `search-bot solve bao-kingulu [POSITION]` prints, as one JSON object, the exact value of a position and of
//! each of its moves; without a position, those of the start.

use std::process::ExitCode;
use std::time::Duration;

use bao_rules::{Pit, Position, PositionError, Variant, kigogo, kingulu};
use bao_solver::{Solver, Unsolved};
use bot::search::{BadWeights, Game, Limits, Pace, Report, Search, WIN, Weights};
use bot::{Answer, Bot, BotOption, Identity, Settings, Start, Thought, Turn};

/// What the solver may take before a game, off the clock.
const PREPARATION: Duration = Duration::from_secs(2);
/// Searches that take longer than this tell what they think on the way.
const TELL_AFTER: Duration = Duration::from_millis(100);
/// How many more moves of its own the bot expects at any time.
const KIGOGO_MOVES: u64 = 30;
const KINGULU_MOVES: u64 = 8;
/// The solver's table takes the memory of the others divided by this; it needs little.
const SOLVER_SHARE: usize = 4;
/// The most expected moves that are reported of a solved position.
const LINE: usize = 12;

/// The memory of a table by default, in MiB.
const HASH_MB: i64 = 32;
/// The options `depth` and `nodes` when there is no such limit.
const UNLIMITED: i64 = 0;
/// The most that the option `nodes` can be: 2^53 - 1, which every language can write.
const MOST_NODES: i64 = (1 << 53) - 1;

/// The options' values in the game being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Config {
    hash_bytes: usize,
    depth: Option<u32>,
    nodes: Option<u64>,
    seed: u64,
    weights: Weights,
}

#[derive(Default)]
struct SearchBot {
    config: Config,
    /// Made when the game is first played, as the others are.
    kigogo: Option<Search<kigogo::Position>>,
    kingulu: Option<Search<kingulu::Position>>,
    solver: Option<Solver>,
}

impl Bot for SearchBot {
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
        if let Position::Kigogo(position) = turn.position {
            let pace = Pace::new(turn.go, turn.clock, KIGOGO_MOVES);
            return think(self.kigogo(), &position, pace, turn);
        }
        let Position::Kingulu(position) = turn.position else { unreachable!("no other game was announced") };
        let pace = Pace::new(turn.go, turn.clock, KINGULU_MOVES);
        let solved = self.solved(&position, pace, turn);
        solved.unwrap_or_else(|| think(self.kingulu(), &position, pace, turn))
    }

    fn new_game(&mut self, start: &Start<'_>) {
        let config = Config::new(start.settings).unwrap_or_else(|error| {
            start.log(&format!("option weights: {error}"), "warn");
            self.config
        });
        if config.hash_bytes != self.config.hash_bytes || config.weights != self.config.weights {
            (self.kigogo, self.kingulu, self.solver) = (None, None, None);
        }
        self.config = config;
        // Tables are made here, where no clock runs: that takes longer than some moves may.
        if let Position::Kingulu(position) = &start.position {
            self.kingulu().1.clear();
            if !self.config.limited() {
                let _unfinished =
                    self.solver().value(position, &mut || start.started.elapsed() > PREPARATION);
            }
        } else {
            self.kigogo().1.clear();
        }
    }
}

impl SearchBot {
    fn kigogo(&mut self) -> (Config, &mut Search<kigogo::Position>) {
        let Config { hash_bytes, weights, .. } = self.config;
        (self.config, self.kigogo.get_or_insert_with(|| Search::new(hash_bytes, weights.into())))
    }

    fn kingulu(&mut self) -> (Config, &mut Search<kingulu::Position>) {
        (self.config, self.kingulu.get_or_insert_with(|| Search::new(self.config.hash_bytes, ())))
    }

    fn solver(&mut self) -> &mut Solver {
        self.solver.get_or_insert_with(|| Solver::new(self.config.hash_bytes / SOLVER_SHARE))
    }

    /// Answers with a perfect move of Bao Kingulu, if half of the time is enough to find it.
    fn solved(&mut self, position: &kingulu::Position, pace: Pace, turn: &mut Turn<'_>) -> Option<Answer> {
        if self.config.limited() {
            return None;
        }
        let started = turn.started;
        let mut stop = || started.elapsed() >= pace.hard / 2;
        let solver = self.solver();
        let before = solver.nodes();
        let (best, value) = solver.best(position, &mut stop).ok()?;
        let pit = if self.config.seed == 0 { best[0] } else { turn.random.of(&best) };
        let line = self.expected(position, pit, &mut stop);
        let thought = Thought {
            depth: Some(line.len() as u64),
            score: Some(100 * i64::from(value)),
            nodes: Some(self.solver().nodes() - before),
            pv: Some(names(&line)),
            text: Some("exact".to_owned()),
        };
        Some(Answer::Thoughtful(pit, thought))
    }

    /// Returns the moves that are expected from a solved position, the first one given.
    fn expected(
        &mut self,
        position: &kingulu::Position,
        first: Pit,
        stop: &mut dyn FnMut() -> bool,
    ) -> Vec<Pit> {
        let mut line = vec![first];
        let mut after = position.after(first);
        while let Some(position) = after
            && line.len() < LINE
            && let Ok((best, _)) = self.solver().best(&position, stop)
            && let Some(pit) = best.first()
        {
            line.push(*pit);
            after = position.after(*pit);
        }
        line
    }
}

/// Searches for a move and reports on the way what it thinks.
fn think<G: Game>(
    (config, search): (Config, &mut Search<G>),
    position: &G,
    pace: Pace,
    turn: &Turn<'_>,
) -> Answer {
    let limited = config.limited();
    let only = turn.legal.len() == 1 && !limited;
    let mut limits = Limits {
        depth: if only { Some(1) } else { config.depth },
        nodes: config.nodes,
        seed: config.seed,
        stop: &mut || !limited && turn.elapsed() >= pace.hard,
        next: &mut |report| {
            let spent = turn.elapsed();
            if spent >= TELL_AFTER {
                turn.tell(thought(report));
            }
            limited || spent < pace.soft
        },
    };
    let report = search.think(position, &mut limits);
    if let Some((_, Some(after))) = position.plays().find(|(pit, _)| *pit == report.best) {
        search.played(&after);
    }
    Answer::Thoughtful(report.best, thought(&report))
}

fn thought(report: &Report) -> Thought {
    let moves = WIN - report.score.abs();
    let text = match report.score {
        score if moves > 1000 && score < WIN => None,
        score if score > 0 => Some(format!("win in {moves} moves")),
        _ => Some(format!("loss in {moves} moves")),
    };
    Thought {
        depth: Some(report.depth.into()),
        score: Some(report.score.into()),
        nodes: Some(report.nodes),
        pv: Some(names(&report.line)),
        text,
    }
}

fn names(pits: &[Pit]) -> String {
    pits.iter().map(|pit| pit.name()).collect::<Vec<_>>().join(" ")
}

impl Config {
    /// Takes the options' values.
    fn new(settings: &Settings) -> Result<Self, BadWeights> {
        let limit = |name| Some(settings.integer(name)).filter(|limit| *limit != UNLIMITED);
        Ok(Self {
            hash_bytes: (settings.integer("hash_mb") as usize) << 20,
            depth: limit("depth").map(|depth| depth as u32),
            nodes: limit("nodes").map(|nodes| nodes as u64),
            seed: settings.integer("seed") as u64,
            weights: settings.string("weights").parse()?,
        })
    }

    /// Returns whether the search has a limit other than the clock, which then does not count.
    fn limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            hash_bytes: (HASH_MB as usize) << 20,
            depth: None,
            nodes: None,
            seed: 0,
            weights: Weights::default(),
        }
    }
}

#[expect(clippy::print_stderr, reason = "standard error is where a bot reports trouble")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "solve" => match solve(rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("search-bot: {error}");
                ExitCode::FAILURE
            }
        },
        _ => match weights_argument(&arguments) {
            Ok(()) => play(),
            Err(error) => {
                eprintln!("search-bot: --weights: {error}");
                ExitCode::from(2)
            }
        },
    }
}

/// Checks the weights of the command line, which to the library are any text.
fn weights_argument(arguments: &[String]) -> Result<(), BadWeights> {
    let given = arguments.chunks(2).find(|pair| pair[0] == "--weights").and_then(|pair| pair.get(1));
    given.map_or(Ok(()), |text| text.parse::<Weights>().map(drop))
}

fn play() -> ExitCode {
    let identity = Identity {
        games: vec![Variant::Kigogo, Variant::Kingulu],
        name: "search-bot",
        version: env!("CARGO_PKG_VERSION"),
        author: "Bao Referee",
        options: vec![
            BotOption::integer("hash_mb", HASH_MB, 1..=4096),
            BotOption::integer("depth", UNLIMITED, 0..=100),
            BotOption::integer("nodes", UNLIMITED, 0..=MOST_NODES),
            BotOption::string("weights", ""),
        ],
        ..Identity::default()
    };
    bot::run(&mut SearchBot::default(), &identity)
}

/// Why a position is not solved.
#[derive(Debug, thiserror::Error)]
enum SolveError {
    #[error("use: search-bot solve bao-kingulu [POSITION]")]
    Usage,
    #[error("only bao-kingulu is solved, not {0:?}")]
    Game(String),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
}

/// Prints the solution of a position, the start if none is given.
#[expect(clippy::print_stdout, reason = "the answer to the command")]
fn solve(arguments: &[String]) -> Result<(), SolveError> {
    let (game, position) = match arguments {
        [game] => (game, None),
        [game, position] => (game, Some(position)),
        _ => return Err(SolveError::Usage),
    };
    if game != Variant::Kingulu.name() {
        return Err(SolveError::Game(game.clone()));
    }
    let position = match position {
        Some(text) => Position::parse(Variant::Kingulu, text)?,
        None => Position::start(Variant::Kingulu),
    };
    if let Position::Kingulu(inner) = &position {
        let mut solver = Solver::new(Config::default().hash_bytes);
        let solution = solver.solve(inner, &mut || false)?;
        let moves: Vec<String> =
            solution.moves.iter().map(|(pit, value)| format!("\"{pit}\":{value}")).collect();
        let (value, moves) = (solution.value, moves.join(","));
        println!("{{\"position\":\"{position}\",\"value\":{value},\"moves\":{{{moves}}}}}");
    }
    Ok(())
}

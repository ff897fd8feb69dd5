//! A bot that looks ahead: a search for Bao Kigogo, perfect play for Bao Kingulu.
//!
//! `search-bot [--OPTION VALUE]...` plays; the options are those of its hello: `hash_mb`, `depth`, `nodes`, `seed`,
//! `weights`. `search-bot solve bao-kingulu [POSITION]` prints, as one JSON object, the exact value of a position and of
//! each of its moves; without a position, those of the start.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bao_protocol::to_bot::{Clock, NewGame};
use bao_rules::{Pit, Position, Variant, kigogo, kingulu};
use bao_solver::Solver;
use bot::search::{Game, Limits, Pace, Report, Search, WIN, Weights};
use bot::{Answer, Bot, Identity, OptionKind, OptionSpec, Random, Thought, Turn};

/// What the solver may take before a game, off the clock.
const PREPARATION: Duration = Duration::from_secs(2);
/// Searches that take longer than this tell what they think on the way.
const TELL_AFTER: Duration = Duration::from_millis(100);
/// How many more moves of its own the bot expects at any time.
const KIGOGO_MOVES: u64 = 30;
const KINGULU_MOVES: u64 = 8;
/// The part of the memory that the solver's table takes is one in so many; it needs little.
const SOLVER_SHARE: usize = 4;
/// The most expected moves that are told of a solved position.
const LINE: usize = 12;

/// The options; 0 stands for no limit.
struct Settings {
    hash_mb: usize,
    depth: u32,
    nodes: u64,
    seed: u64,
    weights: Weights,
}

struct SearchBot {
    settings: Settings,
    clock: Clock,
    random: Random,
    /// Made when the game is first played, as the others are.
    kigogo: Option<Search<kigogo::Position>>,
    kingulu: Option<Search<kingulu::Position>>,
    solver: Option<Solver>,
}

impl Bot for SearchBot {
    fn choose(&mut self, turn: &Turn<'_>) -> Answer {
        let began = now();
        match turn.position {
            Position::Kigogo(position) => {
                let pace = Pace::new(turn.go, &self.clock, KIGOGO_MOVES);
                let search = self.kigogo.get_or_insert_with(|| self.settings.kigogo());
                think(search, &position, &self.settings, began, pace, turn)
            }
            Position::Kingulu(position) => {
                let pace = Pace::new(turn.go, &self.clock, KINGULU_MOVES);
                self.solved(&position, began, pace).unwrap_or_else(|| {
                    let search = self.kingulu.get_or_insert_with(|| self.settings.kingulu());
                    think(search, &position, &self.settings, began, pace, turn)
                })
            }
        }
    }

    fn new_game(&mut self, game: &NewGame<'_>) {
        self.clock = game.clock;
        self.random = Random::new(self.settings.seed, &game.game_id);
        // Tables are made here, where no clock runs: that takes longer than some moves may.
        if game.game == Variant::Kigogo.name() {
            self.kigogo.get_or_insert_with(|| self.settings.kigogo()).clear();
            return;
        }
        self.kingulu.get_or_insert_with(|| self.settings.kingulu()).clear();
        let start = Position::parse(Variant::Kingulu, &game.position);
        if !self.settings.limited()
            && let Ok(Position::Kingulu(start)) = start
        {
            let began = now();
            let _unfinished = self.solver().value(&start, &mut || now() - began > PREPARATION);
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        // The referee has checked that the option exists; a value that makes no sense changes nothing.
        if self.settings.set(name, value).is_ok() && matches!(name, "hash_mb" | "weights") {
            (self.kigogo, self.kingulu, self.solver) = (None, None, None);
        }
    }
}

impl SearchBot {
    fn new(settings: Settings) -> Self {
        Self {
            random: Random::new(settings.seed, ""),
            settings,
            clock: Clock::None { cap_ms: 0 },
            kigogo: None,
            kingulu: None,
            solver: None,
        }
    }

    fn solver(&mut self) -> &mut Solver {
        self.solver.get_or_insert_with(|| Solver::new(self.settings.hash_bytes() / SOLVER_SHARE))
    }

    /// Answers with a perfect move of Bao Kingulu, if half of the time is enough to find it.
    fn solved(&mut self, position: &kingulu::Position, began: Instant, pace: Pace) -> Option<Answer> {
        if self.settings.limited() {
            return None;
        }
        let mut stop = || now() - began >= pace.hard / 2;
        let solver = self.solver();
        let before = solver.nodes();
        let (best, value) = solver.best(position, &mut stop).ok()?;
        let chosen = if self.settings.seed == 0 { 0 } else { self.random.below(best.len()) };
        let pit = best[chosen];
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

    /// Gives the moves that are expected from a solved position, the first one given.
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

/// Searches for a move and tells on the way what it thinks.
fn think<G: Game>(
    search: &mut Search<G>,
    position: &G,
    settings: &Settings,
    began: Instant,
    pace: Pace,
    turn: &Turn<'_>,
) -> Answer {
    let limited = settings.limited();
    let only = turn.legal.len() == 1 && !limited;
    let mut limits = Limits {
        depth: if only { Some(1) } else { Some(settings.depth).filter(|depth| *depth > 0) },
        nodes: Some(settings.nodes).filter(|nodes| *nodes > 0),
        seed: settings.seed,
        stop: &mut || !limited && now() - began >= pace.hard,
        next: &mut |report| {
            let spent = now() - began;
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

impl Settings {
    fn new() -> Self {
        Self { hash_mb: 32, depth: 0, nodes: 0, seed: 0, weights: Weights::default() }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = |_| format!("{name} cannot be {value:?}");
        match name {
            "hash_mb" => self.hash_mb = value.parse().map_err(wrong)?,
            "depth" => self.depth = value.parse().map_err(wrong)?,
            "nodes" => self.nodes = value.parse().map_err(wrong)?,
            "seed" => self.seed = value.parse().map_err(wrong)?,
            "weights" => self.weights = value.parse()?,
            _ => {
                return Err(format!(
                    "unknown option {name:?}; known are hash_mb, depth, nodes, seed, weights"
                ));
            }
        }
        Ok(())
    }

    /// Tells whether the search has a limit other than the clock, which then does not count.
    fn limited(&self) -> bool {
        self.depth > 0 || self.nodes > 0
    }

    fn hash_bytes(&self) -> usize {
        self.hash_mb << 20
    }

    fn kigogo(&self) -> Search<kigogo::Position> {
        Search::new(self.hash_bytes(), self.weights.into())
    }

    fn kingulu(&self) -> Search<kingulu::Position> {
        Search::new(self.hash_bytes(), ())
    }

    fn specs() -> Vec<OptionSpec> {
        let option = |name: &str, kind, default: &str, min, max| OptionSpec {
            name: name.to_owned(),
            kind,
            default: default.to_owned(),
            min,
            max,
            choices: Vec::new(),
        };
        let integer =
            |name, default, min, max| option(name, OptionKind::Integer, default, Some(min), Some(max));
        vec![
            integer("hash_mb", "32", 1, 4096),
            integer("depth", "0", 0, 100),
            integer("nodes", "0", 0, i64::MAX),
            bot::seed_option(),
            option("weights", OptionKind::String, "", None, None),
        ]
    }
}

#[expect(clippy::disallowed_methods, reason = "a bot that minds its clock reads the time")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::print_stderr, reason = "standard error is where a bot tells its trouble")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (done, code) = match arguments.split_first() {
        Some((first, rest)) if first == "solve" => (solve(rest), 1),
        _ => match settings(&arguments) {
            Ok(settings) => (play(settings), 1),
            Err(error) => (Err(error), 2),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("search-bot: {error}");
            ExitCode::from(code)
        }
    }
}

fn play(settings: Settings) -> Result<(), String> {
    let identity = Identity {
        name: "search-bot",
        version: env!("CARGO_PKG_VERSION"),
        author: "Bao Referee",
        options: Settings::specs(),
        ..Identity::default()
    };
    bot::run(&mut SearchBot::new(settings), &identity).map_err(|error| error.to_string())
}

fn settings(arguments: &[String]) -> Result<Settings, String> {
    let mut settings = Settings::new();
    for pair in arguments.chunks(2) {
        let name = pair[0].strip_prefix("--").ok_or_else(|| format!("{:?} is not --OPTION", pair[0]))?;
        settings.set(name, pair.get(1).map_or("", String::as_str))?;
    }
    Ok(settings)
}

/// Prints the solution of a position, the start if none is given.
#[expect(clippy::print_stdout, reason = "the answer to the command")]
fn solve(arguments: &[String]) -> Result<(), String> {
    let (game, position) = match arguments {
        [game] => (game, None),
        [game, position] => (game, Some(position)),
        _ => return Err("use: search-bot solve bao-kingulu [POSITION]".to_owned()),
    };
    if game != Variant::Kingulu.name() {
        return Err(format!("only bao-kingulu is solved, not {game:?}"));
    }
    let position = match position {
        Some(text) => Position::parse(Variant::Kingulu, text).map_err(|error| error.to_string())?,
        None => Position::start(Variant::Kingulu),
    };
    if let Position::Kingulu(inner) = &position {
        let mut solver = Solver::new(Settings::new().hash_bytes());
        let solution = solver.solve(inner, &mut || false).map_err(|error| error.to_string())?;
        let moves: Vec<String> =
            solution.moves.iter().map(|(pit, value)| format!("\"{pit}\":{value}")).collect();
        let (value, moves) = (solution.value, moves.join(","));
        println!("{{\"position\":\"{position}\",\"value\":{value},\"moves\":{{{moves}}}}}");
    }
    Ok(())
}

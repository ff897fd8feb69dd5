//! The plan of a run: all that decides what is played, as it is in `run.json`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::TimeControl;

/// What a run plays and under which conditions. A run resumes only under the same plan.
// `S` says what bots may do: here as a record has it; a referee may put its own settings there, which read and
// write the same JSON. (No doc comment: the schema would quote it.)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Plan"))]
pub struct Plan<S = Sandbox> {
    /// What the organiser calls the event.
    pub event: Option<String>,
    /// Who meets whom, and how often.
    pub format: Format,
    /// Which games are played, at least one; every two bots that meet play each of them.
    pub games: Vec<GamePlan>,
    /// The bots; in a knockout the strongest first.
    pub bots: Vec<BotPlan<S>>,
    /// How far a clock may be overstepped, in microseconds.
    pub grace_us: u64,
    /// What the clocks measure.
    pub measure: Measure,
    /// The ply after which a game is ended.
    pub max_plies: u64,
    /// Whether the bots are restarted for every game.
    pub restart: bool,
    /// How long a bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long a bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// A bot that does not live to the end of this many games in a row is withdrawn; null: no bot is.
    pub withdraw_after: Option<u64>,
    /// When games are ended by what the bots say of them.
    pub adjudication: Option<Adjudication>,
    /// Which bots with equal points come first, the most important first; left out where the format's own order holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiebreaks: Vec<Tiebreak>,
    /// Which pairs have the same openings; left out where those of a cycle, a round or a turn have.
    #[serde(default, skip_serializing_if = "OpeningsPer::is_usual")]
    pub openings_per: OpeningsPer,
    /// The seed from which everything random follows.
    pub seed: u64,
    /// How large the event was before it was extended, oldest first; its acts say so, not its JSON.
    #[serde(skip)]
    pub before: Vec<Size>,
}

/// What puts one of two bots with equal points first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tiebreak {
    /// More points in the games between the bots that are equal so far, if each of them met each other equally often.
    DirectEncounter,
    /// More games won.
    Wins,
    /// A greater sum of the points of its opponents.
    Buchholz,
    /// A greater sum of the points of its opponents, each times its score against that opponent.
    SonnebornBerger,
}

/// Which pairs have the same openings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OpeningsPer {
    /// Those of a cycle, of a Swiss round, or of a turn in the duels of a knockout round.
    #[default]
    Cycle,
    /// None: every two bots that meet get openings of their own.
    Pairing,
}

impl OpeningsPer {
    // (Serde passes a reference.)
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_usual(&self) -> bool {
        *self == Self::Cycle
    }
}

/// How large an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// How many bots take part.
    pub bots: usize,
    /// How many cycles every two of them play.
    pub cycles: u64,
    /// After how many games the next size came into force.
    pub rows: u64,
}

/// Who meets whom. A pair is two games from the same opening with the seats swapped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Format {
    /// Two bots, a number of games; the last is alone where their number is odd.
    Match {
        /// How many games.
        games: u64,
    },
    /// Every bot against every other bot, a pair of each game in every cycle.
    RoundRobin {
        /// How many cycles.
        cycles: u64,
    },
    /// The first bots against each of the others, a pair of each game in every cycle.
    Gauntlet {
        /// How many bots run the gauntlet.
        challengers: u64,
        /// How many cycles.
        cycles: u64,
    },
    /// Rounds in which bots with like scores meet.
    Swiss {
        /// How many rounds.
        rounds: u64,
        /// How many pairs of each game two bots play when they meet.
        pairs: u64,
    },
    /// Who loses is out; the bots are seeded in the order of the plan.
    Knockout {
        /// Over how many pairs of each game a duel goes.
        best_of: u64,
        /// How many further pairs may break a tie before the better seed goes through.
        extra: u64,
    },
    /// Two bots until a sequential test decides whether the first is `elo0` or `elo1` better.
    Sprt {
        /// The lower hypothesis.
        elo0: f64,
        /// The upper hypothesis.
        elo1: f64,
        /// How often at most the upper one may be accepted wrongly.
        alpha: f64,
        /// How often at most the lower one may be accepted wrongly.
        beta: f64,
        /// On which scale they are.
        model: Model,
        /// After how many pairs the test ends undecided.
        max_pairs: u64,
    },
}

/// Names the scale on which the hypotheses of a sequential test are stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Normalized Elo.
    #[default]
    Normalized,
    /// Logistic Elo: the scale of ratings.
    Logistic,
}

/// A game of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GamePlan {
    /// The game's name.
    pub variant: String,
    /// From where it is played.
    pub openings: Openings,
}

/// From where games are played: the pairs of every two bots take one opening after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Openings {
    /// From the start position.
    None {},
    /// From these positions, from the first again after the last.
    Given {
        /// Position texts.
        positions: Vec<String>,
    },
    /// From positions after random legal moves, no two alike.
    Generated {
        /// How many moves.
        plies: u32,
        /// How many positions, then from the first again; null: as many as there are pairs.
        count: Option<u64>,
    },
}

impl<S> Plan<S> {
    /// Returns the place of the bot with this name, from 0.
    pub fn bot(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }
}

/// A bot of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BotPlan"))]
pub struct BotPlan<S = Sandbox> {
    /// Its name in this run, unlike every other's.
    pub name: String,
    /// The program, found, and its arguments.
    pub command: Vec<String>,
    /// Its clock.
    pub clock: TimeControl,
    /// The options to set, in order: name and value.
    pub options: Vec<(String, String)>,
    /// What it may do, and how far that is enforced.
    pub sandbox: S,
}

/// What a clock measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The time that passes.
    #[default]
    Wall,
    /// The bot's own processor time, with a cap on the time that goes by.
    Cpu,
}

/// Says that a text names nothing that a clock measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMeasure(String);

impl fmt::Display for UnknownMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is neither wall nor cpu", self.0)
    }
}

impl std::error::Error for UnknownMeasure {}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(text: &str) -> Result<Self, UnknownMeasure> {
        match text {
            "wall" => Ok(Self::Wall),
            "cpu" => Ok(Self::Cpu),
            other => Err(UnknownMeasure(other.to_owned())),
        }
    }
}

/// An organiser's rules to end games because of the scores that bots report; without rules, no game ends so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is drawn.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
}

/// A game is drawn once both bots have called it even on this many moves in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// How many moves in a row of each side.
    pub moves: u32,
    /// How far from 0 the score may be, in hundredths of a seed.
    pub score: u64,
    /// Before this ply nothing is drawn.
    #[serde(default)]
    pub from_ply: u64,
}

/// A game is lost once a bot has called it lost on this many moves in a row, and the other has called it won as
/// often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// How many moves in a row of each side.
    pub moves: u32,
    /// How far below 0 the loser's score must be, and how far above 0 the winner's, in hundredths of a seed.
    pub score: u64,
}

/// What a bot may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sandbox {
    /// How much isolation is asked for.
    pub level: Level,
    /// Memory of the whole tree of the bot in bytes; null leaves it unbounded.
    pub memory_bytes: Option<u64>,
    /// Processes and threads of the bot; null leaves them unbounded.
    pub processes: Option<u32>,
    /// Open files of each process.
    pub open_files: u64,
    /// Size of any one file that the bot writes, in bytes.
    pub file_bytes: u64,
    /// Processor seconds of any one process of the bot; null leaves them unbounded.
    pub cpu_seconds: Option<u64>,
    /// Where relative paths of the bot's command start; null: the referee's working directory.
    pub directory: Option<String>,
    /// Files and directories that the bot may read and execute, beyond its own and the system's.
    pub readable: Vec<String>,
    /// Files and directories that the bot may change, beyond its scratch directory.
    pub writable: Vec<String>,
    /// Variables set for the bot.
    pub env: BTreeMap<String, String>,
    /// Allows sockets.
    pub network: bool,
    /// Refuses new processes; threads stay possible.
    pub single_process: bool,
    /// When the bot gets a control group of its own.
    pub control_group: ControlGroup,
    /// Whether the bot is stopped while it is not on turn.
    pub freeze: bool,
}

/// How much isolation is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// None but the means to kill the bot's whole tree.
    Off,
    /// All that the machine can do.
    #[default]
    BestEffort,
    /// All of it, or the bot does not start.
    Strict,
}

/// When a bot gets a control group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ControlGroup {
    /// Never.
    Never,
    /// When memory or processes can be limited by it.
    #[default]
    ForLimits,
    /// Wherever there can be one.
    Always,
}

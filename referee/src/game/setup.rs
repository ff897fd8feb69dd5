//! The setup of a game: everything that its course depends on, apart from what the bots do.

pub use bao_protocol::record::{Edition, Greeted, Measure, StartSeat as SeatSetup};

use bao_protocol::from_bot::{Hello, OptionKind};
use bao_protocol::record::{Start, StartPosition};
use bao_rules::{Position, Side};
use sha2::{Digest, Sha256};

use crate::game::adjudication::Adjudication;
use crate::game::clock::{Clock, Flagged};

/// A game before it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The game's number in the schedule, from 1.
    pub game: u64,
    /// The position from which it starts.
    pub position: Position,
    /// South and North.
    pub seats: [SeatSetup; 2],
    /// How far a bot may exceed its clock without losing, in microseconds.
    pub grace_us: u64,
    /// What a clock measures.
    pub measure: Measure,
    /// The ply after which the game is ended.
    pub max_plies: u64,
    /// The run's seed; each bot's own seed follows from it, the game and the side.
    pub seed: u64,
    /// How long a bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long a bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// The rules that end the game by the scores that bots report.
    pub adjudication: Option<Adjudication>,
    /// The edition of the rules of conduct.
    pub edition: Edition,
    /// The SHA-256 of the run's plan, in hexadecimal, which binds the evidence to it; `None` where there is no
    /// record.
    pub plan_sha256: Option<String>,
}

/// What is known of a bot's process from its earlier games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// What is kept of its hello; `None` for a new process.
    pub greeted: Option<Greeted>,
    /// The id of the next request to it.
    pub next_id: u64,
}

impl Known {
    /// Nothing: the process is new.
    pub const NOTHING: Self = Self { greeted: None, next_id: 1 };
}

/// Returns what is kept of a hello. If the organiser has set the option `seed`, it is not set again.
pub fn greeted(hello: &Hello, options: &[(String, String)], edition: Edition) -> Greeted {
    let listed = hello.options.iter().find(|spec| spec.name == "seed");
    let seed = listed.filter(|_| options.iter().all(|(name, _)| name != "seed"));
    let bounds = seed.filter(|spec| edition >= Edition::Second && spec.kind == OptionKind::Integer);
    Greeted {
        history: hello.capabilities.iter().any(|capability| capability == "history"),
        seed: seed.is_some(),
        seed_min: bounds.and_then(|spec| spec.min),
        seed_max: bounds.and_then(|spec| spec.max),
    }
}

/// Returns the options whose value the hello does not allow, each with the value and what it takes, in words.
pub fn unfit(hello: &Hello, options: &[(String, String)]) -> Vec<(String, String, String)> {
    let listed = |name: &str| hello.options.iter().find(|spec| spec.name == name);
    let unfit = options.iter().filter_map(|(name, value)| {
        let spec = listed(name).filter(|spec| !spec.takes(value))?;
        Some((name.clone(), value.clone(), spec.values()))
    });
    unfit.collect()
}

impl Setup {
    /// Returns the seed of a side's bot in this game: below 2^53, so that every language can hold it.
    ///
    /// It follows from the run's seed, the game and the side, so that a game is the same whenever and
    /// wherever in the run it is played; and no bot can compute the run's seed, or its opponent's, from its own.
    pub fn seed_of(&self, side: Side) -> u64 {
        match self.edition {
            Edition::First => self.first_seed_of(side),
            Edition::Second | Edition::Third => {
                let text = format!("{} {} {side}", self.seed, self.game);
                let digest = Sha256::digest(text.as_bytes());
                let first = digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
                first >> 11
            }
        }
    }

    /// Returns the seed by the first edition: a number of SplitMix64 (Steele, Lea, Flood 2014), which can be
    /// inverted.
    fn first_seed_of(&self, side: Side) -> u64 {
        let place = self.game.wrapping_mul(2).wrapping_add(side as u64);
        let mut z = self.seed.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) >> 11
    }

    /// Returns the value of a bot's option `seed`: that of [`seed_of`](Self::seed_of), brought within the bounds of
    /// its hello.
    pub fn seed_option(&self, side: Side, greeted: Greeted) -> i64 {
        const LARGEST: i64 = (1 << 53) - 1;
        let seed = self.seed_of(side) as i64;
        let most = greeted.seed_max.unwrap_or(LARGEST);
        let least = greeted.seed_min.unwrap_or(if most < 0 { i64::MIN } else { 0 });
        let span = i128::from(most) - i128::from(least) + 1;
        // Bounds without a number between them are ignored.
        if span < 1 { seed } else { (i128::from(least) + i128::from(seed) % span) as i64 }
    }

    /// Returns the setup of one side.
    pub fn seat(&self, side: Side) -> &SeatSetup {
        &self.seats[side as usize]
    }

    /// Returns how long the next move by this clock may take in real time, in microseconds, grace
    /// included.
    ///
    /// A clock of processor time cannot run out while the bot sleeps: it gets four times its budget, and a second.
    pub fn allowed_us(&self, clock: &Clock) -> u64 {
        let Flagged { budget_us, grace_us } = clock.flagged(self.grace_us);
        match self.measure {
            Measure::Wall => budget_us + grace_us,
            Measure::Cpu => budget_us * 4 + 1_000_000 + grace_us,
        }
    }
}

impl From<Setup> for Start {
    fn from(setup: Setup) -> Self {
        let position = StartPosition {
            variant: setup.position.variant().name().to_owned(),
            text: setup.position.to_string(),
        };
        Self {
            game: setup.game,
            position,
            seats: setup.seats,
            grace_us: setup.grace_us,
            measure: setup.measure,
            max_plies: setup.max_plies,
            seed: setup.seed,
            handshake_us: setup.handshake_us,
            ready_us: setup.ready_us,
            adjudication: setup.adjudication,
            edition: setup.edition,
            plan_sha256: setup.plan_sha256,
        }
    }
}

/// The error of a wire file whose start has no position of any game.
#[derive(Debug, thiserror::Error)]
pub enum BadStart {
    /// There is no such game.
    #[error(transparent)]
    Variant(#[from] bao_rules::UnknownName),
    /// The position is not one of that game.
    #[error(transparent)]
    Position(#[from] bao_rules::PositionError),
}

impl TryFrom<Start> for Setup {
    type Error = BadStart;

    fn try_from(start: Start) -> Result<Self, BadStart> {
        let position = Position::parse(start.position.variant.parse()?, &start.position.text)?;
        Ok(Self {
            game: start.game,
            position,
            seats: start.seats,
            grace_us: start.grace_us,
            measure: start.measure,
            max_plies: start.max_plies,
            seed: start.seed,
            handshake_us: start.handshake_us,
            ready_us: start.ready_us,
            adjudication: start.adjudication,
            edition: start.edition,
            plan_sha256: start.plan_sha256,
        })
    }
}

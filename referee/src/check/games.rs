//! Real games, against an opponent within the referee that moves by chance.

use std::collections::BTreeMap;

use bao_protocol::Reason;
use bao_rules::{Pit, Position, Side, Variant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::tight::Tight;
use super::{Examiner, Finding, Test};
use crate::game::clock::TimeControl;
use crate::game::verdict::Loss;
use crate::play::bout::{Bout, Terms, Turn};
use crate::text::count::{count, plural};
use bao_jail::SetupError;

/// After this many faults in one test its other games are not played.
const ENOUGH: usize = 3;
/// How many moves an opening has at most.
const OPENING: u64 = 12;
/// How many games are played against an opponent that makes them long.
const LONG: usize = 4;
/// Now and then the numbers of the requests leap by this much, which is allowed.
const LEAP: u64 = 1000;
/// The clocks of the test of clocks, and after how many plies its games are ended.
const CLOCKS: [(&str, u64); 7] = [
    ("none cap 1s", 12),
    ("200ms/move", 30),
    ("3s", 30),
    ("2s+20ms", 30),
    ("8/2s", 40),
    ("500ms byoyomi 3x200ms", 30),
    ("2s delay 50ms", 30),
];

/// A game to be played.
struct Round {
    /// What is special about it, for findings.
    what: String,
    position: Position,
    bot: Side,
    clock: TimeControl,
    max_plies: u64,
    opponent: Opponent,
    strange: bool,
}

/// How the opponent chooses among the legal moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    /// By chance.
    Any,
    /// The one that takes least, so that the game lasts.
    Patient,
}

/// How a game went that ended by nobody's fault.
struct Played {
    plies: u64,
    reason: Reason,
}

impl Examiner<'_> {
    /// Games in which the referee says more than this version of the protocol knows.
    pub(super) async fn strange_games(&mut self) -> Result<Test, SetupError> {
        let rounds = self.variants.clone().into_iter().zip(Side::BOTH).map(|(variant, bot)| Round {
            what: "with unknown messages and fields: ".to_owned(),
            strange: true,
            ..self.round(Position::start(variant), bot)
        });
        let rounds = rounds.collect();
        self.series("unknown-in-games", rounds, |played| {
            format!("{} with messages and fields that no bot can know", count(played.len() as u64, "game"))
        })
        .await
    }

    pub(super) async fn clocks(&mut self) -> Result<Test, SetupError> {
        let mut rounds = Vec::new();
        for (number, (clock, max_plies)) in CLOCKS.into_iter().enumerate() {
            for (place, variant) in self.variants.clone().into_iter().enumerate() {
                let bot = Side::BOTH[(number + place) % 2];
                let clock = clock.parse().expect("the clocks are constants");
                rounds.push(Round { clock, max_plies, ..self.round(Position::start(variant), bot) });
            }
        }
        self.series("clocks", rounds, |played| {
            format!("{}, all {} kinds of clock", count(played.len() as u64, "game"), CLOCKS.len())
        })
        .await
    }

    /// As many games as were asked for, the games and the sides by turns, one half from openings.
    pub(super) async fn many_games(&mut self) -> Result<Test, SetupError> {
        let mut random = ChaCha8Rng::seed_from_u64(self.order.seed);
        let variants = self.variants.clone();
        let rounds = (0..self.order.games).map(|number| {
            let turn = number / variants.len() as u64;
            let variant = variants[(number % variants.len() as u64) as usize];
            let position = match turn / 2 % 2 {
                0 => Position::start(variant),
                _ => opening(variant, &mut random),
            };
            self.round(position, Side::BOTH[(turn % 2) as usize])
        });
        let rounds = rounds.collect();
        self.series("games", rounds, |played| {
            let mut ends: BTreeMap<Reason, u64> = BTreeMap::new();
            for game in played {
                *ends.entry(game.reason).or_default() += 1;
            }
            let ends: Vec<String> = ends.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
            let plies: u64 = played.iter().map(|game| game.plies).sum();
            format!(
                "{} without a fault, {}; {}",
                count(played.len() as u64, "game"),
                plural(plies, "ply", "plies"),
                ends.join(", ")
            )
        })
        .await
    }

    pub(super) async fn long_games(&mut self) -> Result<Test, SetupError> {
        let variant = self.variants.iter().copied().min().expect("the bot plays a game");
        let rounds = Side::BOTH.into_iter().cycle().take(LONG).map(|bot| Round {
            what: "a long one: ".to_owned(),
            opponent: Opponent::Patient,
            ..self.round(Position::start(variant), bot)
        });
        let rounds = rounds.collect();
        self.series("long-game", rounds, |played| {
            let longest = played.iter().map(|game| game.plies).max().unwrap_or(0);
            format!(
                "the longest of {} had {}",
                count(played.len() as u64, "game"),
                plural(longest, "ply", "plies")
            )
        })
        .await
    }

    /// Plays games until there are no more, or enough of them ended by the bot's fault.
    async fn series(
        &mut self,
        name: &'static str,
        rounds: Vec<Round>,
        summary: impl FnOnce(&[Played]) -> String,
    ) -> Result<Test, SetupError> {
        if self.gone || self.tired() {
            return Ok(Test::skipped(name, "not tried: the bot has failed too often before"));
        }
        let total = rounds.len();
        let (mut played, mut findings) = (Vec::new(), Vec::new());
        self.tight = Tight::default();
        for round in rounds {
            match Box::pin(self.game(&round)).await? {
                Ok(game) => played.push(game),
                Err(finding) => {
                    let hopeless = matches!(finding.reason, Some(Reason::Handshake | Reason::Stall));
                    findings.push(finding);
                    if hopeless || findings.len() == ENOUGH || self.gone || self.tired() {
                        break;
                    }
                }
            }
        }
        let summary = match findings.len() {
            0 => summary(&played),
            faults => {
                let left = total - played.len() - faults;
                let left =
                    if left > 0 { format!("; {left} of {total} were not played") } else { String::new() };
                format!(
                    "{faults} of {} ended by the bot's fault{left}",
                    count((played.len() + faults) as u64, "game")
                )
            }
        };
        findings.extend(self.tight.finding());
        Ok(Test::merged(name, summary, findings))
    }

    /// Plays a game to its end.
    async fn game(&mut self, round: &Round) -> Result<Result<Played, Finding>, SetupError> {
        let mut talk = match self.started().await? {
            Ok(talk) => talk,
            Err(finding) => return Ok(Err(finding)),
        };
        self.games += 1;
        if self.games.is_multiple_of(3) {
            talk.set_next_id(talk.next_id() + LEAP);
        }
        let terms = Terms {
            game: self.games,
            position: round.position,
            bot: round.bot,
            clock: round.clock,
            grace_us: self.order.grace_us,
            ready_us: self.order.ready_us,
            max_plies: round.max_plies,
            seed: self.order.seed,
        };
        let mut random = ChaCha8Rng::seed_from_u64(self.order.seed);
        random.set_stream(self.games);
        let mut bout = Bout::new(&terms, &talk, &[]);
        talk.strange = round.strange;
        loop {
            let before_us = bout.pace().total_us;
            let turn = bout.go_on(&mut talk).await;
            let used_us = bout.pace().total_us - before_us;
            self.tight.moved(talk.asked(), used_us, &round.clock);
            if turn == Turn::Over {
                break;
            }
            let pit = round.opponent.choose(bout.position(), &mut random);
            bout.play(&mut talk, pit);
        }
        talk.strange = false;
        self.add_pace(bout.pace());
        let verdict = bout.verdict().expect("the game is over");
        if verdict.fault != Some(round.bot) {
            self.give_back(talk);
            return Ok(Ok(Played { plies: bout.plies(), reason: verdict.reason }));
        }
        let loss = Loss {
            reason: verdict.reason,
            detail: verdict.detail.clone().unwrap_or_default(),
            line: verdict.line.clone().unwrap_or_default(),
        };
        let when = format!(
            "{}game {} ({}, the bot plays {}, clock {}), ply {}",
            round.what,
            self.games,
            round.position.variant(),
            round.bot.word(),
            round.clock,
            bout.plies()
        );
        let finding = self.lose(talk, &when, &loss).await;
        Ok(Err(finding))
    }

    fn round(&self, position: Position, bot: Side) -> Round {
        let (clock, max_plies, opponent) = (self.order.clock, 1000, Opponent::Any);
        Round { what: String::new(), position, bot, clock, max_plies, opponent, strange: false }
    }
}

impl Opponent {
    fn choose(self, position: &Position, random: &mut impl Rng) -> Pit {
        let legal = position.legal_moves();
        let cost = |pit: &Pit| match self {
            Self::Any => 0.0,
            Self::Patient => haste(position, *pit),
        };
        let costs: Vec<f64> = legal.iter().map(|pit| cost(&pit)).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let best = legal.iter().zip(costs).filter(|(_, cost)| *cost <= least).map(|(pit, _)| pit);
        let best: Vec<Pit> = best.collect();
        best[below(random, best.len())]
    }
}

/// What a move takes, and what the answer to it will take on average: the less, the longer the game.
fn haste(position: &Position, pit: Pit) -> f64 {
    let Ok(play) = position.play(pit) else { return 0.0 };
    let (Some(after), None) = (play.after, play.over) else { return f64::from(position.variant().seeds()) };
    let answers = after.legal_moves();
    let taken = answers.iter().filter_map(|answer| after.play(answer).ok()).map(|play| play.captured);
    f64::from(play.captured) + f64::from(taken.sum::<u32>()) / answers.len() as f64
}

/// Returns a number from 0 to `end` - 1, each with the same probability, except for 2^-64.
pub(super) fn below(random: &mut impl Rng, end: usize) -> usize {
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}

/// Plays some random moves from the start; the game is not over after them.
pub(super) fn opening(variant: Variant, random: &mut impl Rng) -> Position {
    let mut position = Position::start(variant);
    for _ in 0..=random.next_u64() % OPENING {
        let legal = position.legal_moves();
        let play = position.play(legal.as_slice()[below(random, legal.len())]);
        match play.map(|play| (play.after, play.over)) {
            Ok((Some(after), None)) => position = after,
            Ok(_) | Err(_) => break,
        }
    }
    position
}

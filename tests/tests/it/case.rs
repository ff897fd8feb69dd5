//! One hostile bot, one fault, three games.

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_tests::bots::{self, CLEAN};
use bao_tests::{Ended, Referee};

/// A fault that a bot commits in the second of three games, in which it plays North, against a bot that behaves.
///
/// One referee plays all three, so that the third shows what the fault has done to it.
#[derive(Debug)]
pub(crate) struct Case {
    fault: String,
    referee: Referee,
}

/// Sets up a case; `fault` is what the hostile bot gets after `--do`.
pub(crate) fn fault(fault: &str) -> Case {
    fault_in("bao-kigogo", fault)
}

/// Sets up a case in one of the two games.
pub(crate) fn fault_in(game: &str, fault: &str) -> Case {
    let bot = bots::hostile(&format!("{fault} --game 2"));
    let referee =
        Referee::plays(game, &bot, CLEAN).with(["--games", "3", "--max-plies", "40", "--clock", "30s"]);
    Case { fault: fault.to_owned(), referee }
}

impl Case {
    /// Gives the hostile bot a clock of its own.
    pub(crate) fn clock(self, clock: &str) -> Self {
        self.with(&["--first-clock", clock])
    }

    /// Adds arguments to the referee's command line.
    pub(crate) fn with(self, arguments: &[&str]) -> Self {
        Self { referee: self.referee.with(arguments.iter().copied()), ..self }
    }

    /// Checks that the fault loses its game for this reason, with this in the detail, and harms no other game.
    pub(crate) fn loses(self, reason: Reason, detail: &str) -> Ended {
        let fault = self.fault;
        let ended = self.referee.run().exits(0);
        let row = ended.verdict(2);
        let told = row.detail.clone().unwrap_or_default();
        assert_eq!(row.reason, reason, "{fault}: {told}");
        assert!(told.contains(detail), "{fault}: expected \"{detail}\" in the detail: {told}");
        let seat = |side: Option<bao_protocol::Seat>| side.map(bao_rules::Side::from);
        assert_eq!(seat(row.fault), Some(bao_rules::Side::North), "{fault}: at fault");
        assert_eq!(seat(row.winner), Some(bao_rules::Side::South), "{fault}: the winner");
        assert_clean(&fault, &ended, &[1, 3]);
        ended
    }

    /// Checks that what the bot does costs it nothing.
    pub(crate) fn goes_on(self) -> Ended {
        let fault = self.fault;
        let ended = self.referee.run().exits(0);
        assert_clean(&fault, &ended, &[1, 2, 3]);
        ended
    }
}

/// Checks that these games came to an end that is nobody's fault, all rows being on disk.
pub(crate) fn assert_clean(what: &str, ended: &Ended, games: &[u64]) {
    let played: Vec<u64> = ended.games().iter().map(|row: &GameRow| row.game).collect();
    assert_eq!(played, [1, 2, 3], "{what}: the games on disk");
    for &game in games {
        let row = ended.verdict(game);
        assert!(
            !row.reason.is_fault() && row.score_south.is_some() && row.plies > 0,
            "{what}: game {game} ended by {} ({:?})",
            row.reason,
            row.detail
        );
    }
}

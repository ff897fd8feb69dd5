//! The rule by which a bot is withdrawn.

use std::collections::BTreeMap;

/// Counts in how many games in a row each bot failed: its program did not run until the end.
///
/// A bot's games are counted in the order of their numbers, not in the order in which they finish, so that the same
/// results withdraw the same bots at the same game.
#[derive(Debug)]
pub(crate) struct Withdrawals {
    after: Option<u64>,
    bots: Vec<Record>,
    withdrawn: Vec<usize>,
}

#[derive(Debug, Clone, Default)]
struct Record {
    /// Games that finished before earlier ones did.
    early: BTreeMap<u64, Life>,
    running: u64,
}

/// What a finished game shows about one of its bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    /// Its program ran until the end.
    Lived,
    /// Its program did not run until the end, or could not be started.
    Died,
    /// Nothing: the game was given up for another reason, such as the opponent's program.
    Untried,
}

impl Withdrawals {
    /// Makes the rule "after this many games in a row"; without a number no bot is withdrawn.
    pub(crate) fn new(bots: usize, after: Option<u64>) -> Self {
        Self { after, bots: vec![Record::default(); bots], withdrawn: Vec::new() }
    }

    /// Takes a game of a bot; `unfinished` is its first game that is not finished. Returns the game in which it
    /// failed once too often, if it has.
    pub(crate) fn played(
        &mut self,
        bot: usize,
        game: u64,
        life: Life,
        unfinished: Option<u64>,
    ) -> Option<u64> {
        let after = self.after?;
        if self.withdrawn.contains(&bot) {
            return None;
        }
        let record = &mut self.bots[bot];
        record.early.insert(game, life);
        while let Some(first) = record.early.first_entry()
            && unfinished.is_none_or(|unfinished| *first.key() < unfinished)
        {
            let (game, life) = first.remove_entry();
            match life {
                Life::Lived => record.running = 0,
                Life::Died => record.running += 1,
                Life::Untried => {}
            }
            if record.running >= after {
                return Some(game);
            }
        }
        None
    }

    /// Withdraws a bot.
    pub(crate) fn withdraw(&mut self, bot: usize) {
        self.bots[bot].early.clear();
        self.withdrawn.push(bot);
    }

    /// Returns the withdrawn bots, in the order of withdrawal.
    pub(crate) fn withdrawn(&self) -> &[usize] {
        &self.withdrawn
    }
}

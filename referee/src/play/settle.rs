//! The time between two games of a bot.
//!
//! What a bot writes when it learns that a game is over belongs to that game. So it gets a `ping` then, and is read
//! until it answers.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use bao_protocol::{Decoded, FromBot, ToBot, decode, to_bot};
use bao_rules::{BySide, Side};
use tokio::time::timeout;

use super::link::{Happening, Link, now};
use super::witness::Witness;
use crate::game::flood::Flood;

/// How long a bot may take to answer; one that takes longer is not asked again.
const PATIENCE: Duration = Duration::from_millis(500);

/// Reads the last lines of the bots that will play on. All have the stamp of the game's end: time no longer counts.
pub(super) async fn settle(
    mut links: BySide<&mut Link>,
    plays_on: BySide<bool>,
    end_us: u64,
    witness: &mut impl Witness,
) {
    let deadline = now() + PATIENCE;
    let mut pings: BySide<Option<u64>> = BySide::default();
    let mut floods: BySide<Flood> = BySide::default();
    let mut line = Vec::new();
    for side in Side::BOTH {
        let link = &mut *links[side];
        if plays_on[side] && link.pongs {
            let id = link.take_id();
            ToBot::Ping(to_bot::Ping { id }).write_line(&mut line);
            link.say(&line);
            witness.sent(end_us, side, &line);
            line.clear();
            pings[side] = Some(id);
        }
    }
    while pings != BySide::default() {
        let (side, event) = poll_fn(|cx| {
            for side in Side::BOTH.into_iter().filter(|side| pings[*side].is_some()) {
                if let Poll::Ready(event) = links[side].poll(cx, deadline) {
                    return Poll::Ready((side, event));
                }
            }
            Poll::Pending
        })
        .await;
        let (link, ping) = (&mut links[side], &mut pings[side]);
        match event {
            Happening::Silent => {
                link.pongs = false;
                *ping = None;
            }
            // The next game finds it.
            Happening::Lost(_) | Happening::Taken => *ping = None,
            Happening::Heard => {
                while let (Some(id), Some(read)) = (*ping, link.line(&mut line)) {
                    if read.is_err() || floods[side].line(&line).is_some() {
                        link.spent = true;
                        *ping = None;
                    } else {
                        witness.said(end_us, side, &line, None);
                        ping.take_if(|_| answers(&line, id));
                    }
                }
            }
        }
    }
}

/// Gives a bot that has failed the time to read why and to write its last words to standard error.
///
/// Its input ends, so that a bot which reads to the end exits at once.
pub(super) async fn last_words(link: &mut Link) {
    link.bot.mouth.close_when_written();
    let _killed_then = timeout(PATIENCE, link.bot.body.exited()).await;
}

/// Returns whether a line is the answer to a ping.
fn answers(line: &[u8], id: u64) -> bool {
    matches!(decode(line), Decoded::Message(FromBot::Pong(pong), _) if pong.id == id)
}

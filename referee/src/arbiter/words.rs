//! Acts in words.

use bao_protocol::Seat;
use bao_protocol::record::{Act, Deed};
use serde_json::Value;

use super::Rulings;

impl Rulings {
    /// Returns a sentence about each act, in their order; `began_with` is the plan in `run.json`.
    pub fn words(&self, began_with: &Value) -> Vec<String> {
        let mut plan = began_with;
        let mut words = Vec::new();
        for act in &self.acts.acts {
            words.push(sentence(act, plan));
            if let Deed::Extend { plan: next } = &act.deed {
                plan = next;
            }
        }
        words
    }
}

/// Says what an act decides; `plan` is the plan before it.
fn sentence(act: &Act, plan: &Value) -> String {
    match &act.deed {
        Deed::Rerun { game, .. } => format!("game {game} does not count and is played again"),
        Deed::Correct { game, winner, .. } => match winner {
            Some(Seat::South) => format!("game {game} is won by South"),
            Some(Seat::North) => format!("game {game} is won by North"),
            None => format!("game {game} is a draw"),
        },
        Deed::Disqualify { bot } => format!("{bot} is disqualified"),
        Deed::Undo { undoes } => format!("act {undoes} is undone"),
        Deed::Extend { plan: next } => {
            let mut changes = Vec::new();
            for key in ["cycles", "rounds"] {
                let (before, after) = (&plan["format"][key], &next["format"][key]);
                if before != after {
                    changes.push(format!("{after} {key} instead of {before}"));
                }
            }
            let bots = |plan: &Value| plan["bots"].as_array().map_or(0, Vec::len);
            let added = next["bots"].as_array().into_iter().flatten().skip(bots(plan));
            changes.extend(added.map(|bot| format!("{} takes part", bot["name"].as_str().unwrap_or("?"))));
            if plan["event"] != next["event"] {
                changes.push(format!("the event is called {}", next["event"].as_str().unwrap_or("nothing")));
            }
            format!("the event is extended: {}", changes.join("; "))
        }
    }
}

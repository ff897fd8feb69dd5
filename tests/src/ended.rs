//! The result of a referee's run.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

use bao_protocol::record::{Channel, GameRow, Run};
use serde_json::Value;

use crate::referee::told;
use crate::{Place, program};

/// A referee that has come to its end.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to its standard output.
    pub stdout: String,
    /// What it wrote to its standard error.
    pub stderr: String,
    /// The events among its output.
    pub events: Vec<Value>,
    /// The peak of its resident memory, in KiB.
    pub peak_kib: u64,
    /// The most file descriptors that it was seen to hold.
    pub most_files: usize,
    /// Where it ran.
    pub place: Place,
}

/// A line of a game's evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// Microseconds since the game was started.
    pub at_us: u64,
    /// Who said it.
    pub channel: Channel,
    /// The line; bytes that are not UTF-8 in hexadecimal.
    pub text: String,
}

impl Ended {
    /// Returns the exit code, or the negated number of the signal that ended it.
    pub fn code(&self) -> i32 {
        self.status.code().or(self.status.signal().map(|signal| -signal)).unwrap_or(i32::MIN)
    }

    /// Checks the exit code.
    ///
    /// # Panics
    /// It is another.
    #[must_use]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code(), code, "the exit code; {}", told(&self.stdout, &self.stderr));
        self
    }

    /// Returns the finished games as the events told them, in their order, without the standard error that events
    /// add.
    ///
    /// # Panics
    /// An event is not a row of a game.
    pub fn told(&self) -> Vec<GameRow> {
        let verdicts = self.events.iter().filter(|event| event["event"] == "verdict");
        let row =
            |event: &Value| -> GameRow { serde_json::from_value(event.clone()).expect("a verdict is a row") };
        verdicts.map(|event| GameRow { stderr: None, ..row(event) }).collect()
    }

    /// Returns the verdict on the game of this number.
    ///
    /// # Panics
    /// There is none.
    pub fn verdict(&self, game: u64) -> GameRow {
        let rows = self.told();
        let found = rows.into_iter().find(|row| row.game == game);
        found.unwrap_or_else(|| panic!("game {game} has no verdict; {}", told(&self.stdout, &self.stderr)))
    }

    /// Returns the rows of `games.jsonl`.
    ///
    /// # Panics
    /// There is no record, or one that cannot be read.
    pub fn games(&self) -> Vec<GameRow> {
        rows(&self.place, "games.jsonl")
            .map(|row| serde_json::from_value(row).expect("a row of a game"))
            .collect()
    }

    /// Returns the rows of `moves.jsonl`.
    ///
    /// # Panics
    /// There is no record, or one that cannot be read.
    pub fn moves(&self) -> Vec<Value> {
        rows(&self.place, "moves.jsonl").collect()
    }

    /// Returns the evidence of a game, with what its bots wrote to standard error in place of the digests.
    ///
    /// # Panics
    /// There is none, or none that can be read.
    pub fn wire(&self, game: u64) -> Vec<Wire> {
        let lines = self.evidence(game);
        let rows = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let errors: Vec<Value> =
            self::rows(&self.place, "stderr.jsonl").filter(|row| row["game"] == game).collect();
        let error =
            |side: &str| errors.iter().rfind(|row| row["side"] == side).map(|row| row["text"].clone());
        rows.map(|row| {
            let channel = serde_json::from_value(row["channel"].clone()).expect("a channel");
            let aside = match channel {
                Channel::SouthStderr => error("S"),
                Channel::NorthStderr => error("N"),
                Channel::Start
                | Channel::ToSouth
                | Channel::ToNorth
                | Channel::FromSouth
                | Channel::FromNorth
                | Channel::Note
                | Channel::Event
                | Channel::Verdict => None,
            };
            let said = aside.unwrap_or_else(|| row["text"].clone());
            let text = text(&said).or_else(|| text(&row["hex"])).expect("a text, or hexadecimal digits");
            Wire { at_us: row["at_us"].as_u64().expect("a stamp"), channel, text }
        })
        .collect()
    }

    /// Returns the evidence of a game as `referee wire` prints it.
    ///
    /// # Panics
    /// There is none.
    pub fn evidence(&self, game: u64) -> String {
        let printed = Command::new(program("referee"))
            .args(["wire", "record", &game.to_string()])
            .current_dir(self.place.dir())
            .output()
            .expect("the referee can be started");
        assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
        String::from_utf8(printed.stdout).expect("evidence is UTF-8")
    }

    /// Takes the end out of the head of the record, as if the referee had been killed just before it wrote that.
    ///
    /// # Panics
    /// There is no record, or none that can be read and written.
    pub fn unseal(&self) {
        let path = self.place.record().join("run.json");
        let text = std::fs::read_to_string(&path).expect("there is a record");
        let mut run: Run = serde_json::from_str(&text).expect("run.json is one");
        run.end = None;
        let text = serde_json::to_string_pretty(&run).expect("it serialises");
        std::fs::write(path, text + "\n").expect("the record is ours");
    }

    /// Returns why a promise of isolation was not kept for every bot; `None` where it was.
    ///
    /// # Panics
    /// There is no record, or none that can be read.
    pub fn gap(&self, promise: &str) -> Option<String> {
        self.promises(promise).find_map(|row| row["gap"].as_str().map(str::to_owned))
    }

    /// Returns what keeps a promise for the first bot; empty where nothing does.
    ///
    /// # Panics
    /// There is no record, or none that can be read.
    pub fn kept_by(&self, promise: &str) -> String {
        self.promises(promise).find_map(|row| row["kept_by"].as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn promises(&self, name: &str) -> impl Iterator<Item = Value> + use<> {
        let text = std::fs::read_to_string(self.place.record().join("run.json")).expect("there is a record");
        let run: Value = serde_json::from_str(&text).expect("run.json is JSON");
        let bots =
            run["hosts"][0]["isolation"].as_object().expect("the isolation reached is recorded").clone();
        let name = name.to_owned();
        let rows =
            bots.into_iter().flat_map(|(_, promises)| promises.as_array().cloned().unwrap_or_default());
        rows.filter(move |row| row["name"] == *name)
    }

    /// Returns the lines of one channel in a game's evidence.
    pub fn said(&self, game: u64, channel: Channel) -> Vec<String> {
        self.wire(game).into_iter().filter(|line| line.channel == channel).map(|line| line.text).collect()
    }
}

fn rows(place: &Place, name: &str) -> impl Iterator<Item = Value> + use<> {
    let path = place.record().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}")))
        .collect();
    lines.into_iter()
}

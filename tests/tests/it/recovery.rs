//! Referees that are stopped, killed, or out of disk: nothing finished is lost, nothing is played twice.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_tests::bots::{CLEAN, hostile};
use bao_tests::{Ended, Place, Referee, skip};
use rustix::process::Signal;

fn the_match(place: Place, games: u64, arguments: &[&str]) -> Referee {
    Referee::plays_at(place, "bao-kigogo", "random-bot", "greedy-bot")
        .with(["--games", &games.to_string(), "--max-plies", "60"])
        .with(arguments.iter().copied())
}

/// Checks that the record holds each game of the match once, with each of its plies once.
fn assert_complete(ended: &Ended, games: u64) {
    let rows: Vec<GameRow> = ended.games().into_iter().filter(|row| row.reason != Reason::Void).collect();
    let mut numbers: Vec<u64> = rows.iter().map(|row| row.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=games).collect::<Vec<_>>(), "each game once");
    let moves = ended.moves();
    for row in &rows {
        let plies: Vec<u64> = moves
            .iter()
            .filter(|ply| ply["game"] == row.game)
            .filter_map(|ply| ply["ply"].as_u64())
            .collect();
        assert_eq!(plies, (1..=row.plies).collect::<Vec<_>>(), "the plies of game {}", row.game);
    }
}

/// Kills the same match again and again, each time after this many events, then lets it end.
fn killed_after(kills: &[usize], games: u64, arguments: &[&str]) {
    let mut place = Place::new();
    let mut told: Vec<GameRow> = Vec::new();
    for &events in kills {
        let mut running = the_match(place, games, arguments).start();
        let mut heard = 0;
        running.until(|_| {
            heard += 1;
            heard >= events
        });
        running.signal(Signal::KILL);
        let ended = running.finish();
        // What it said before the signal was carried out counts too.
        told.extend(ended.told());
        place = ended.place;
    }
    let ended = the_match(place, games, arguments).run().exits(0);
    told.extend(ended.told());
    assert_complete(&ended, games);
    let announced: BTreeSet<u64> = told.iter().map(|row| row.game).collect();
    assert_eq!(announced.len(), told.len(), "no game is announced twice");
    let rows = ended.games();
    for row in &told {
        assert!(rows.contains(row), "game {} was announced and then lost", row.game);
    }
}

#[test]
fn a_match_that_is_killed_at_any_moment_goes_on_where_it_was() {
    // The first event is that of the match; a game has its own, up to 60 moves and a verdict.
    killed_after(&[1, 2, 3, 63, 64, 65, 40, 90, 130, 61, 62, 200], 40, &[]);
}

#[test]
fn a_match_of_parallel_games_that_is_killed_at_any_moment_goes_on_where_it_was() {
    killed_after(&[5, 100, 170, 251, 333], 40, &["--concurrency", "4"]);
}

#[test]
fn a_torn_last_line_is_cut_off_and_its_game_is_played_again() {
    let ended = the_match(Place::new(), 6, &[]).run().exits(0);
    ended.unseal();
    let path = ended.place.record().join("games.jsonl");
    let text = std::fs::read_to_string(&path).expect("the record is there");
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    let torn = rows[..3].concat() + &rows[3][..rows[3].len() / 2];
    std::fs::write(&path, torn).expect("the record is ours");
    let again = the_match(ended.place, 6, &[]).run().exits(0);
    assert_eq!(again.told().iter().map(|row| row.game).collect::<Vec<_>>(), [4, 5, 6]);
    assert_complete(&again, 6);
}

#[test]
fn a_referee_that_was_killed_while_it_wrote_the_first_head_begins_anew() {
    let place = Place::new();
    std::fs::create_dir(place.record()).expect("a test's own directory is writable");
    std::fs::write(place.record().join("run.json.new"), "{\"record\":").expect("the record is ours");
    let ended = the_match(place, 2, &[]).run().exits(0);
    assert_complete(&ended, 2);
    assert!(!ended.place.record().join("run.json.new").exists());
}

#[test]
fn a_record_that_lacks_a_file_is_not_continued() {
    for file in ["games.jsonl", "moves.jsonl"] {
        let ended = the_match(Place::new(), 2, &[]).run().exits(0);
        std::fs::remove_file(ended.place.record().join(file)).expect("the record is ours");
        let again = the_match(ended.place, 2, &[]).unverified().run().exits(6);
        let told = format!("{file} is missing");
        assert!(
            again.stderr.contains("cannot continue the record") && again.stderr.contains(&told),
            "{}",
            again.stderr
        );
        assert!(!again.place.record().join(file).exists());
    }
}

#[test]
fn the_first_interrupt_finishes_the_running_game_and_the_same_command_goes_on() {
    for signal in [Signal::INT, Signal::TERM] {
        let slow = |place| {
            Referee::plays_at(place, "bao-kigogo", &hostile("slow --ms 10"), CLEAN).with([
                "--games",
                "6",
                "--max-plies",
                "30",
            ])
        };
        let mut running = slow(Place::new()).start();
        running.until(|event| event["event"] == "move" && event["game"] == 2);
        running.signal(signal);
        running.until_stderr("finishing the current games");
        let ended = running.finish().exits(7);
        let rows = ended.games();
        assert_eq!(rows.iter().map(|row| row.game).collect::<Vec<_>>(), [1, 2]);
        assert!(rows.iter().all(|row| row.reason == Reason::MaxPlies), "{rows:?}");
        assert!(
            ended.stderr.contains("2 of 6 games finished; the same command continues"),
            "{}",
            ended.stderr
        );
        // The mark of the place is part of the command: the same place, the same command.
        let ended = slow(ended.place).run().exits(0);
        assert_eq!(ended.told().first().map(|row| row.game), Some(3));
        assert_complete(&ended, 6);
    }
}

#[test]
fn the_second_interrupt_stops_at_once_and_the_running_game_does_not_count() {
    let endless = |place| {
        Referee::plays_at(place, "bao-kigogo", &hostile("slow --ms 10"), CLEAN).with([
            "--games",
            "3",
            "--max-plies",
            "60",
        ])
    };
    let mut running = endless(Place::new()).start();
    running.until(|event| event["event"] == "move" && event["game"] == 2);
    running.signal(Signal::INT);
    running.until_stderr("finishing the current games");
    running.signal(Signal::INT);
    let ended = running.finish().exits(7);
    let counted = ended.games().into_iter().filter(|row| row.score_south.is_some()).count();
    assert_eq!(counted, 1);
    let ended = endless(ended.place).run().exits(0);
    assert_complete(&ended, 3);
}

#[test]
fn a_second_interrupt_ends_even_a_game_that_would_never_end() {
    let mut running = Referee::plays("bao-kigogo", &hostile("silent --at 2"), CLEAN)
        .with(["--games", "1", "--clock", "none"])
        .start();
    running.until(|event| event["event"] == "move" && event["ply"] == 2);
    running.signal(Signal::INT);
    running.until_stderr("finishing the current games");
    running.signal(Signal::INT);
    let ended = running.finish().exits(7);
    assert!(ended.games().iter().all(|row| row.reason == Reason::Void));
}

#[test]
fn a_killed_referee_leaves_no_bot_not_even_one_that_ignores_the_end_of_its_input() {
    for fault in ["spinner", "silent", "ignores_eof", "fork_bomb --count 20", "setsid_daemon"] {
        let mut running = Referee::plays("bao-kigogo", &hostile(&format!("{fault} --at 2")), CLEAN)
            .with(["--clock", "none"])
            .start();
        running.until(|event| event["event"] == "move" && event["ply"].as_u64() >= Some(2));
        running.signal(Signal::KILL);
        assert_eq!(running.finish().code(), -9, "{fault}");
    }
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_match() {
    let ended =
        Referee::plays("bao-kingulu", CLEAN, "greedy-bot").with(["--games", "20"]).unheard().run().exits(0);
    assert_eq!(ended.games().len(), 20);
    assert_complete(&ended, 20);
}

#[test]
fn a_reader_that_goes_away_stops_a_match_of_which_nothing_would_be_left() {
    let play = ["match", "bao-kingulu", CLEAN, "greedy-bot", "--json", "--games", "1000000"];
    let ended = Referee::new(play).unheard().run().exits(7);
    assert!(ended.stderr.contains("the reader of the events is gone"), "{}", ended.stderr);
}

#[test]
fn a_full_disk_stops_the_run_with_an_error_of_its_own_and_loses_nothing() {
    let place = Place::new();
    let Some(disk) = SmallDisk::mount(&place.record()) else {
        return skip(
            "a_full_disk_stops_the_run_with_an_error_of_its_own_and_loses_nothing",
            "mount is refused",
        );
    };
    let games = 100;
    let ended = the_match(place, games, &[]).run().exits(6);
    assert!(ended.stderr.contains("cannot write the record"), "{}", ended.stderr);
    let mut told = ended.told();
    assert!(!told.is_empty() && told.len() < 100, "{} games fit", told.len());
    assert!(disk.grow(), "a mounted file system can grow");
    let ended = the_match(ended.place, games, &[]).run().exits(0);
    told.extend(ended.told());
    assert_complete(&ended, games);
    let rows = ended.games();
    for row in &told {
        assert!(rows.contains(row), "game {} was announced and then lost", row.game);
    }
    drop(disk);
}

/// A file system with little room, where the record goes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(path: &Path) -> Option<Self> {
        std::fs::create_dir(path).expect("a test's own directory is writable");
        let disk = Self(path.to_owned());
        disk.run("mount", &["-t", "tmpfs", "-o", "size=512k,mode=755", "bao-test"]).then_some(disk)
    }

    fn grow(&self) -> bool {
        self.run("mount", &["-o", "remount,size=64m"])
    }

    fn run(&self, program: &str, arguments: &[&str]) -> bool {
        let ran = Command::new(program).args(arguments).arg(&self.0).stderr(Stdio::null()).status();
        ran.is_ok_and(|status| status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.run("umount", &["-l"]);
    }
}

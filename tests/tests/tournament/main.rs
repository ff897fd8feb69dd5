//! Tournaments in real processes: stopped, gone on with, published.

mod arbiter;
mod farm;
mod kills;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_tests::{Ended, Place, Referee, bots, skip};
use rustix::process::Signal;
use serde_json::Value;

/// Memory of a referee that plays several games at once, in KiB.
const MEMORY_KIB: u64 = 24 << 10;

const SAMPLE_BOTS: &str = "
[[bot]]
command = \"random-bot\"
[[bot]]
command = \"greedy-bot\"
[[bot]]
name = \"second random\"
command = \"random-bot\"
[[bot]]
name = \"second greedy\"
command = \"greedy-bot\"
[[bot]]
name = \"third random\"
command = \"random-bot\"
";

const TWO_BOTS: &str = "
[[bot]]
command = \"greedy-bot\"
[[bot]]
command = \"random-bot\"
";

const BOTH_GAMES: &str = "
[[game]]
name = \"bao-kigogo\"
openings = { random = { plies = 6 } }
[[game]]
name = \"bao-kingulu\"
openings = { random = { plies = 2 } }
";

fn tournament(place: Place, file: &str, concurrency: &str) -> Referee {
    place.file("cup.toml", file);
    let arguments =
        ["tournament", "cup.toml", "--json", "--out", "{place}/record", "--concurrency", concurrency];
    Referee::at(place, arguments).memory_kib(MEMORY_KIB)
}

/// What of a game follows from the file alone, if its bots have no will of their own.
fn course(row: &GameRow) -> String {
    let GameRow { game, pair, round, opening, variant, position, south, north, .. } = row;
    let GameRow { winner, score_south, reason, plies, moves, final_position, .. } = row;
    format!(
        "{game} {pair} {round:?} {opening:?} {variant} {position} {south} {north} {winner:?} {score_south:?} \
         {reason} {plies} {moves} {final_position}"
    )
}

fn courses(ended: &Ended) -> Vec<String> {
    let mut rows = ended.games();
    rows.retain(|row| row.reason != Reason::Void);
    rows.sort_by_key(|row| row.game);
    rows.iter().map(course).collect()
}

fn end(ended: &Ended) -> Value {
    ended.events.last().filter(|event| event["event"] == "end").expect("the last event is the end").clone()
}

/// Kills a tournament again and again, continues it, and compares it with one that was not disturbed.
fn check_kills(format: &str, games: &str, bots: &str, kill_after: &[usize]) {
    let file = format!("seed = 5\n{format}\n{games}\n{bots}");
    let whole = tournament(Place::new(), &file, "1").run().exits(0);
    let mut place = Place::new();
    for &verdicts in kill_after {
        let mut running = tournament(place, &file, "3").start();
        let mut seen = 0;
        running.until(|event| {
            seen += usize::from(event["event"] == "verdict");
            seen > verdicts || event["event"] == "end"
        });
        running.signal(Signal::KILL);
        place = running.finish().place;
    }
    let resumed = tournament(place, &file, "3").run().exits(0);
    let numbers: Vec<u64> =
        resumed.games().iter().filter(|row| row.reason != Reason::Void).map(|row| row.game).collect();
    assert_eq!(numbers.len(), numbers.iter().collect::<BTreeSet<_>>().len(), "no game is played twice");
    let (mut expected, mut found) = (end(&whole), end(&resumed));
    if expected["test"].is_null() {
        assert_eq!(courses(&resumed), courses(&whole), "{format}");
    } else {
        // Games that ran when the test was decided are in the record and do not count.
        for end in [&mut expected, &mut found] {
            for key in ["games", "pairs", "reasons", "rows"] {
                end[key].take();
            }
        }
    }
    for end in [&mut expected, &mut found] {
        end["void"].take();
    }
    assert_eq!(found, expected, "{format}");
    // Whatever the number of tables and the kills.
    assert_eq!(check_verifies(resumed), check_verifies(whole), "{format}");
}

/// The record verifies, and its standings come out as the tournament told them. Returns its course digest.
fn check_verifies(ended: Ended) -> Value {
    let told = end(&ended);
    let verified =
        Referee::at(ended.place, ["verify", "record", "--json"]).memory_kib(64 << 10).run().exits(0);
    let summary = verified.stdout.lines().last().expect("a summary");
    let summary: Value = serde_json::from_str(summary).expect("one JSON object a line");
    assert_eq!((&summary["rows"], &summary["test"]), (&told["rows"], &told["test"]));
    assert_eq!(summary["unfinished"], 0, "an event that is over has an end");
    summary["course_sha256"].clone()
}

#[test]
fn a_round_robin_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    check_kills("[format.round_robin]\ncycles = 1", BOTH_GAMES, SAMPLE_BOTS, &[0, 3, 11, 7]);
}

#[test]
fn a_swiss_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    check_kills("[format.swiss]\nrounds = 3", BOTH_GAMES, SAMPLE_BOTS, &[1, 6, 5]);
}

#[test]
fn a_knockout_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    check_kills("[format.knockout]\nbest_of = 2", BOTH_GAMES, SAMPLE_BOTS, &[2, 9, 4]);
}

#[test]
fn a_sequential_test_that_is_killed_comes_to_the_same_decision() {
    let test = "[format.sprt]\nelo0 = 0\nelo1 = 200\nalpha = 0.1\nbeta = 0.1";
    let game = "[[game]]\nname = \"bao-kingulu\"\nopenings = { random = { plies = 4 } }";
    check_kills(test, game, TWO_BOTS, &[5, 9]);
}

#[test]
fn another_tournament_is_refused_with_the_difference() {
    let file = format!("[format.swiss]\nrounds = 1\n{BOTH_GAMES}{SAMPLE_BOTS}");
    let mut running = tournament(Place::new(), &file, "1").start();
    running.until(|event| event["event"] == "tournament");
    running.signal(Signal::KILL);
    let place = running.finish().place;
    let other = tournament(place, &file.replace("rounds = 1", "rounds = 2"), "1").run().exits(2);
    let says = "holds another tournament. Differences:\n  rounds: 1 in the record, 2 in this command\n";
    assert!(other.stderr.contains(says), "{}", other.stderr);
}

#[test]
fn a_tournament_is_continued_by_whatever_path_its_file_is_named() {
    let place = Place::new();
    let file = "absent = \"walkover\"\n[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n[[bot]]\n\
                command = \"random-bot\"\nsandbox = [\"read=../docs\"]\n[[bot]]\nname = \"script\"\ncommand = \"python3 ../bots/bot.py\"\n";
    place.file("docs/cup.toml", file);
    place.file("bots/bot.py", "print('once')\n");
    std::os::unix::fs::symlink("docs", place.dir().join("link")).expect("a link can be made");
    let run = |place: Place, file: &str, directory: &str| {
        let arguments = ["tournament", file, "--out", "{place}/record"];
        Referee::at(place, arguments).directory(directory).run().exits(0)
    };
    let mut ended = run(place, "docs/cup.toml", "");
    for (file, directory) in [
        ("../docs/cup.toml", "docs"),
        ("cup.toml", "docs"),
        ("link/cup.toml", ""),
        ("{place}/docs/cup.toml", "bots"),
    ] {
        ended = run(ended.place, file, directory);
        assert_eq!(ended.games().len(), 2, "{file}: nothing is played again");
    }
}

#[test]
fn a_bot_that_keeps_crashing_is_withdrawn_and_the_others_play_on() {
    let crashing = bots::hostile("exit_mid_game --code 3").replace('"', "\\\"");
    let file = format!(
        "withdraw_after = 3\n[format.round_robin]\ncycles = 3\n[[game]]\nname = \"bao-kingulu\"\n{SAMPLE_BOTS}\
         [[bot]]\nname = \"crashing\"\ncommand = \"{crashing}\"\n"
    );
    let file = |place: &Place| file.replace("{mark}", place.mark());
    let place = Place::new();
    let text = file(&place);
    let ended = tournament(place, &text, "1").run().exits(0);
    let rows = end(&ended)["rows"].clone();
    let rows = rows.as_array().expect("standings");
    assert_eq!(rows.len(), 6);
    let withdrawn: Vec<&Value> = rows.iter().filter(|row| row["withdrawn"] == true).collect();
    assert_eq!(withdrawn.len(), 1);
    assert_eq!((&withdrawn[0]["name"], &withdrawn[0]["games"]), (&"crashing".into(), &0.into()));
    for row in rows.iter().filter(|row| row["withdrawn"] == false) {
        assert_eq!(row["games"], 4 * 3 * 2, "{row}");
    }
    check_verifies(ended);
}

#[test]
fn a_program_that_cannot_be_started_is_withdrawn_and_loses_nothing() {
    let place = Place::new();
    place.file("broken.py", "#!/no/such/interpreter\n");
    let file = format!(
        "absent = \"walkover\"\nwithdraw_after = 2\n[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n{SAMPLE_BOTS}\
         [[bot]]\nname = \"broken\"\ncommand = \"./broken.py\"\n"
    );
    let ended = tournament(place, &file, "2").run().exits(0);
    let broken: Vec<GameRow> = ended
        .games()
        .into_iter()
        .filter(|row| [&row.south, &row.north].contains(&&"broken".to_owned()))
        .collect();
    assert!(!broken.is_empty() && broken.iter().all(|row| row.reason == Reason::Void), "{broken:?}");
    assert!(broken[0].detail.as_ref().is_some_and(|text| text.contains("broken cannot be started")));
    let rows = end(&ended)["rows"].clone();
    assert_eq!(rows[5]["withdrawn"], true, "{rows}");
    check_verifies(ended);
}

/// Four bots: those two and two that never get as far as a move.
fn with_two_that_cannot_play(format: &str) -> Ended {
    let place = Place::new();
    let bot = |name: &str, fault: &str| {
        let command = bots::hostile(fault).replace("{mark}", place.mark()).replace('"', "\\\"");
        format!("[[bot]]\nname = \"{name}\"\ncommand = \"{command}\"\n")
    };
    let file = format!(
        "absent = \"walkover\"\n{format}\n[[game]]\nname = \"bao-kingulu\"\n{}{}\
         [[bot]]\ncommand = \"greedy-bot\"\n[[bot]]\ncommand = \"random-bot\"\n",
        bot("other version", "wrong_protocol_version"),
        bot("gone", "exit_at_start --code 3"),
    );
    tournament(place, &file, "2").run().exits(0)
}

/// The bots in the order of their ranks, with twice their points.
fn ranks(ended: &Ended) -> Vec<(String, u64)> {
    let rows = end(ended)["rows"].clone();
    let rows = rows.as_array().expect("standings").iter();
    rows.map(|row| {
        (row["name"].as_str().unwrap_or("").to_owned(), (2.0 * row["points"].as_f64().unwrap_or(-1.0)) as u64)
    })
    .collect()
}

#[test]
fn bots_that_cannot_play_stop_nobody_else() {
    let ended = with_two_that_cannot_play("[format.round_robin]");
    let points = ranks(&ended);
    // Of 12 games the two that cannot play have two against each other, and nobody gets anything from those.
    assert_eq!(points.iter().map(|(_, points)| points).sum::<u64>(), 20, "{points:?}");
    let mut last: Vec<&str> = points[2..].iter().map(|(name, _)| name.as_str()).collect();
    last.sort_unstable();
    assert_eq!(last, ["gone", "other version"], "{points:?}");
    assert_eq!(points[2].1 + points[3].1, 0, "{points:?}");
    let given_up = end(&ended)["given_up"].as_u64().expect("a number");
    assert!((4..=6).contains(&given_up), "{given_up}");
    check_verifies(ended);
}

#[test]
fn nobody_is_asked_for_a_second_hello_because_an_opponent_was_gone_before_the_first() {
    let place = Place::new();
    let bot = |name: &str, command: String| {
        format!("[[bot]]\nname = \"{name}\"\ncommand = '{}'\n", command.replace("{mark}", place.mark()))
    };
    let file = format!(
        "absent = \"walkover\"\n[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n{}{}[[bot]]\ncommand = \"random-bot\"\n",
        bot("slow", bots::script("author.py", "--mistake slow_and_greets_once")),
        bot("gone", bots::hostile("exit_at_start --code 3")),
    );
    let ended = tournament(place, &file, "1").run().exits(0);
    let of_slow = |row: &GameRow| [&row.south, &row.north].contains(&&"slow".to_owned());
    let games: Vec<GameRow> = ended.games().into_iter().filter(of_slow).collect();
    let gone_first = |row: &GameRow| [&row.south, &row.north].contains(&&"gone".to_owned());
    assert_eq!(games.iter().map(gone_first).collect::<Vec<_>>(), [true, true, false, false]);
    for row in &games[2..] {
        assert_eq!(row.fault, None, "{:?}", row.detail);
    }
}

#[test]
fn the_better_seed_is_out_of_a_knockout_if_it_cannot_play() {
    let ended = with_two_that_cannot_play("[format.knockout]\nbest_of = 1\nextra = 1");
    let first = &ranks(&ended)[0].0;
    assert!(["greedy-bot", "random-bot"].contains(&first.as_str()), "{first}");
    check_verifies(ended);
}

#[test]
fn a_program_that_vanishes_in_the_middle_costs_nobody_a_game() {
    let place = Place::new();
    let program = place.dir().join("vanishing");
    let copy = || std::fs::copy(bao_tests::program("random-bot"), &program).expect("room for a program");
    copy();
    let file = "restart = true\n[format.round_robin]\ncycles = 30\n[[game]]\nname = \"bao-kingulu\"\n\
                [[bot]]\ncommand = \"./vanishing\"\n[[bot]]\ncommand = \"greedy-bot\"\n\
                [[bot]]\ncommand = \"random-bot\"\n";
    let mut running = tournament(place, file, "1").start();
    running.until(|event| event["event"] == "verdict" && event["south"] == "vanishing");
    std::fs::remove_file(&program).expect("the program is there");
    let stopped = running.finish().exits(3);
    assert!(stopped.stderr.contains("bot vanishing cannot be started"), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("the same command continues from here"), "{}", stopped.stderr);
    copy();
    let ended = tournament(stopped.place, file, "1").run().exits(0);
    assert_eq!((&end(&ended)["games"], &end(&ended)["given_up"]), (&180.into(), &0.into()));
    check_verifies(ended);
}

#[test]
fn games_of_deterministic_bots_that_come_again_are_reported_and_count_once() {
    let bot = bots::hostile("nothing");
    let ended = Referee::plays("bao-kingulu", &bot, &bot).with(["--games", "10"]).run().exits(0);
    let end = end(&ended);
    assert_eq!(end["repeated_pairs"], 4, "{end}");
    assert_eq!(end["statistics"]["games"], 2, "{end}");
    let people = Referee::new(["match", "bao-kingulu", &bot, &bot, "--games", "10"]).run().exits(0);
    assert!(people.stdout.contains("4 pairs repeat the moves of other pairs"), "{}", people.stdout);
}

#[test]
fn a_match_tells_what_its_pairs_say() {
    let ended =
        Referee::plays("bao-kingulu", "greedy-bot", "random-bot").with(["--games", "20"]).run().exits(0);
    let end = end(&ended);
    let pairs: Vec<u64> = serde_json::from_value(end["pairs"].clone()).expect("five numbers");
    assert_eq!(pairs.iter().sum::<u64>(), 10);
    let counts: Vec<String> = pairs.iter().map(u64::to_string).collect();
    let alone = Referee::new(["stats", &counts.join(",")]).run().exits(0);
    let alone: Value = serde_json::from_str(&alone.stdout).expect("one JSON object");
    assert_eq!(end["statistics"], alone);
}

#[test]
fn a_match_stops_when_a_sequential_test_is_decided() {
    let test =
        ["--sprt", "0,200", "--alpha", "0.1", "--beta", "0.1", "--random-plies", "4", "--concurrency", "2"];
    let ended = Referee::plays("bao-kingulu", "greedy-bot", "random-bot").with(test).memory_kib(MEMORY_KIB);
    let ended = ended.run().exits(0);
    let end = end(&ended);
    assert_eq!(end["test"]["over"], true, "{end}");
    assert!(ended.games().len() < 1000);
    assert_ne!(end["test"]["summary"]["decision"], "continue");
}

#[test]
fn standings_come_while_it_goes_on() {
    let file = format!("[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n{SAMPLE_BOTS}");
    let ended = tournament(Place::new(), &file, "1").with(["--standings", "4"]).run().exits(0);
    let standings: Vec<&Value> = ended.events.iter().filter(|event| event["event"] == "standings").collect();
    assert!(!standings.is_empty());
    for event in standings {
        assert_eq!((&event["total"], &event["total_is_exact"]), (&20.into(), &true.into()));
        assert_eq!(event["rows"].as_array().map(Vec::len), Some(5));
        assert_eq!(event["pairs"].as_u64().map(|pairs| pairs % 4), Some(0));
    }
    assert!(ended.stderr.contains("rank  bot"), "{}", ended.stderr);
}

#[test]
fn statistics_are_printed_as_one_json_object() {
    let ended =
        Referee::new(["stats", "34,54,63,64,75", "--sprt", "0,5", "--model", "logistic"]).run().exits(0);
    let told: Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
    let keys: Vec<&str> = told.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut expected = ["games", "score", "elo", "elo_low", "elo_high", "nelo", "nelo_error", "los"].to_vec();
    expected.extend(["llr", "lower", "upper", "decision"]);
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!((&told["games"], &told["decision"]), (&580.into(), &"continue".into()));
    for wrong in [&["stats", "1,2"][..], &["stats", "1,2,3", "--sprt", "5,0"], &["stats", "1,2,x"]] {
        let ended = Referee::new(wrong.iter().copied()).run().exits(2);
        assert!(ended.stdout.is_empty(), "{}", ended.stdout);
    }
}

/// A finished tournament of two games, with names that every format must quote.
fn published() -> Place {
    let place = Place::new();
    let file = "event = \"A \\\"cup\\\"\"\n[format.round_robin]\ncycles = 3\n[[game]]\nname = \"bao-kingulu\"\n\
                openings = { random = { plies = 3 } }\n\
                [[bot]]\nname = \"one, \\\"the first\\\"\"\ncommand = \"greedy-bot\"\n\
                [[bot]]\nname = 'back\\slash'\ncommand = \"random-bot\"\n";
    tournament(place, file, "1").run().exits(0).place
}

#[test]
fn games_are_exported_for_rating_programs_and_spreadsheets() {
    let ended = Referee::at(published(), ["export", "record", "--format", "pgn"]).run().exits(0);
    let pgn = &ended.stdout;
    assert_eq!(pgn.matches("[Event \"A \\\"cup\\\"\"]").count(), 6, "{pgn}");
    assert_eq!(pgn.matches("[White \"one, \\\"the first\\\"\"]").count(), 3, "{pgn}");
    assert_eq!(pgn.matches("[Black \"one, \\\"the first\\\"\"]").count(), 3, "{pgn}");
    assert_eq!(pgn.matches("[White \"back\\\\slash\"]").count(), 3, "{pgn}");
    let results: usize = ["1-0", "0-1", "1/2-1/2"]
        .iter()
        .map(|result| pgn.matches(&format!("[Result \"{result}\"]")).count())
        .sum();
    assert_eq!(results, 6);
    assert!(pgn.lines().all(|line| line.len() < 80 || line.starts_with('[')), "{pgn}");
    let ended = Referee::at(ended.place, ["export", "record", "--format", "csv"]).run().exits(0);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 7);
    assert!(
        lines[0]
            .starts_with("game,pair,round,opening,variant,position,south,north,winner,score_south,reason")
    );
    assert!(lines[1..].iter().all(|line| line.contains("\"one, \"\"the first\"\"\"")), "{}", ended.stdout);
    let ended = Referee::at(ended.place, ["export", "record", "--format", "xml"]).run().exits(2);
    assert!(ended.stderr.contains("[possible values: pgn, csv]"), "{}", ended.stderr);
}

/// Runs every command of docs/RECORDS.md that needs this program, in a directory that holds a record.
fn check_documented(program: &str, probe: &[&str]) {
    let there = Command::new(probe[0]).args(&probe[1..]).output().is_ok_and(|output| output.status.success());
    if !there {
        return skip(
            &format!("commands of docs/RECORDS.md with {program}"),
            &format!("{program} is not installed"),
        );
    }
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/RECORDS.md"));
    let text = text.expect("the documentation is there");
    let section = text
        .split("\n## ")
        .find(|section| section.lines().next().is_some_and(|title| title.contains(program)));
    let section = section.unwrap_or_else(|| panic!("docs/RECORDS.md has no section on {program}"));
    let commands: Vec<&str> = section.split("```").skip(1).step_by(2).collect();
    assert!(!commands.is_empty());
    let place = published();
    let beside = bao_tests::program("referee");
    let path = format!(
        "{}:{}",
        beside.parent().expect("a program is in a directory").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for command in commands {
        let command = command.trim_start_matches("sh\n");
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", command])
            .current_dir(place.dir())
            .env("PATH", &path)
            .output()
            .expect("bash can be started");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!said.trim().is_empty(), "{command} says nothing");
    }
}

#[test]
fn the_documented_commands_with_jq_work() {
    check_documented("jq", &["jq", "--version"]);
}

#[test]
fn the_documented_commands_with_duckdb_work() {
    check_documented("DuckDB", &["duckdb", "--version"]);
}

#[test]
fn the_documented_commands_with_pandas_work() {
    check_documented("pandas", &["python3", "-c", "import pandas"]);
}

#[test]
fn the_documented_commands_with_ordo_work() {
    check_documented("Ordo", &["ordo", "-v"]);
}

#[test]
fn the_documented_commands_with_bayeselo_work() {
    check_documented("BayesElo", &["bayeselo", "--version"]);
}

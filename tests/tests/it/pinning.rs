//! `--pin`: the bots of each game on processors of their own.

use std::fs;

use bao_tests::bots::hostile;
use bao_tests::{Referee, skip};
use serde_json::Value;

/// Returns how many games at once `referee doctor` allows with `--pin` and this word.
fn allowed(word: &str) -> u64 {
    let told: Value = serde_json::from_str(&Referee::new(["doctor", "--json"]).run().stdout).expect("JSON");
    told["pin"][word].as_u64().expect("a number of games")
}

/// Reads on which processors a process may run, with all its threads, as lists of the kernel.
fn processors(pid: i32) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("it runs").flatten();
    let lists = threads.map(|thread| {
        let status = fs::read_to_string(thread.path().join("status")).expect("it runs");
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        list.expect("the kernel tells").trim().to_owned()
    });
    let mut lists: Vec<String> = lists.collect();
    lists.dedup();
    lists
}

fn is_a_bot(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default().contains("hostile")
}

/// Writes a list as the kernel does, for no more than two processors.
fn list(numbers: &Value) -> String {
    match numbers.as_array().expect("a list of processors").as_slice() {
        [one] => one.to_string(),
        [one, other] if one.as_u64().map(|one| one + 1) == other.as_u64() => format!("{one}-{other}"),
        [one, other] => format!("{one},{other}"),
        more => panic!("{more:?}"),
    }
}

#[test]
fn every_bot_and_the_referee_run_where_the_record_says() {
    let word = match (allowed("bots"), allowed("tables")) {
        (1.., _) => "bots",
        (0, 1..) => "tables",
        (0, 0) => {
            return skip("every_bot_and_the_referee_run_where_the_record_says", "there is only one core");
        }
    };
    let bot = hostile("slow --ms 20");
    let referee = Referee::plays("bao-kingulu", &bot, &bot)
        .with(["--games", "2", "--max-plies", "40", "--clock", "30s", "--concurrency", "1", "--restart"])
        .with(["--pin", word]);
    let record = referee.place().record();
    let mut running = referee.start();
    for game in 1..=2_u64 {
        running.until(|event| event["event"] == "move" && event["game"] == game);
        let run: Value =
            serde_json::from_slice(&fs::read(record.join("run.json")).expect("it is there")).expect("JSON");
        let pinning = &run["hosts"][0]["pinning"];
        let mut should: Vec<String> =
            pinning["tables"][0].as_array().expect("two lists").iter().map(list).collect();
        let mut is: Vec<String> =
            running.descendants().into_iter().filter(|pid| is_a_bot(*pid)).flat_map(processors).collect();
        should.sort();
        is.sort();
        assert_eq!(is, should, "game {game}: {pinning}");
        let referee: Vec<String> = processors(running.pid());
        assert_eq!(referee.len(), 1, "{referee:?}");
        assert!(!is.contains(&referee[0]), "{pinning}");
    }
    let _played = running.finish().exits(0);
}

#[test]
fn more_games_than_cores_are_refused_with_what_is_possible() {
    let ended = Referee::plays("bao-kingulu", "random-bot", "random-bot")
        .with(["--games", "1000", "--concurrency", "500", "--pin", "tables"])
        .unverified()
        .run()
        .exits(2);
    let way_out = if allowed("tables") == 0 { "leave --pin out" } else { "use --concurrency" };
    assert!(ended.stderr.contains("whole cores, one of them for the referee"), "{}", ended.stderr);
    assert!(ended.stderr.contains(way_out), "{}", ended.stderr);
}

#[test]
fn a_dry_run_says_which_processors_each_game_would_get() {
    let dry = |word: &str| {
        let arguments = ["--dry-run", "--no-measure", "--pin", word, "--games", "2"];
        Referee::plays("bao-kingulu", "random-bot", "random-bot").with(arguments).unverified().run()
    };
    let ended = dry("tables");
    match allowed("tables") {
        0 => {
            assert!(ended.exits(2).stdout.contains("--pin tables"), "the problem is named");
        }
        _ => {
            assert!(ended.exits(0).stdout.contains(r#""pinning":{"referee":[0"#), "the processors are named");
        }
    }
}

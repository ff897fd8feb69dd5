//! `referee check`: good bots pass, and each mistake of a bad one is named with what to change.

use std::path::Path;
use std::process::Command;

use bao_tests::bots::{hostile, script};
use bao_tests::{Ended, Place, Referee, skip};
use serde_json::Value;

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots");

/// What a check has found.
struct Checked {
    bot: String,
    ended: Ended,
}

/// Checks a bot with few games, that the tests be short.
fn check(bot: &str, arguments: &[&str]) -> Checked {
    check_at(Place::new(), bot, arguments)
}

fn check_at(place: Place, bot: &str, arguments: &[&str]) -> Checked {
    let few =
        [["--games", "6"], ["--clock", "10s"]].into_iter().filter(|[name, _]| !arguments.contains(name));
    let arguments = few.flatten().chain(arguments.iter().copied());
    let ended = Referee::at(place, ["check", bot, "--json"]).with(arguments).run();
    Checked { bot: bot.to_owned(), ended }
}

/// Checks a bot with a mistake; `None` where there is no Python.
fn author(mistake: &str, arguments: &[&str]) -> Option<Checked> {
    if Command::new("python3").arg("--version").output().is_err() {
        skip(&format!("check of a bot that {mistake}"), "python3 is not installed");
        return None;
    }
    Some(check(&script("author.py", &format!("--mistake {mistake}")), arguments))
}

impl Checked {
    fn tests(&self, outcome: &str) -> Vec<&str> {
        let tests = self.ended.events.iter().filter(|event| event["event"] == "test");
        tests.filter(|test| test["outcome"] == outcome).filter_map(|test| test["name"].as_str()).collect()
    }

    fn test(&self, name: &str) -> &Value {
        let found = self.ended.events.iter().find(|event| event["event"] == "test" && event["name"] == name);
        found.unwrap_or_else(|| panic!("{}: there is no test {name}", self.bot))
    }

    /// Checks that nothing failed.
    fn complies(self) -> Self {
        assert_eq!(self.tests("failure"), [""; 0], "{}: {}", self.bot, self.ended.stdout);
        assert_eq!(self.ended.code(), 0, "{}: {}", self.bot, self.ended.stderr);
        assert_eq!(self.end()["compliant"], true);
        self
    }

    /// Checks that a test failed, with each of these in what it says, and that the bot is not compliant.
    fn fails(self, name: &str, says: &[&str]) -> Self {
        assert_eq!(self.ended.code(), 5, "{}: {} {}", self.bot, self.ended.stdout, self.ended.stderr);
        assert_eq!(self.end()["compliant"], false);
        assert_eq!(self.test(name)["outcome"], "failure", "{}: {}", self.bot, self.ended.stdout);
        self.says(name, says)
    }

    /// Checks that a test gave a warning.
    fn warns(self, name: &str, says: &[&str]) -> Self {
        assert_eq!(self.test(name)["outcome"], "warning", "{}: {}", self.bot, self.ended.stdout);
        self.says(name, says)
    }

    fn says(self, name: &str, says: &[&str]) -> Self {
        let told = texts(&self.test(name)["findings"]);
        for word in says {
            assert!(told.contains(word), "{}: \"{word}\" is not in {told}", self.bot);
        }
        self
    }

    fn end(&self) -> &Value {
        self.ended.events.last().filter(|event| event["event"] == "end").expect("the last event is the end")
    }
}

/// All texts in a value, a line each.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(values) => values.iter().map(texts).collect(),
        Value::Object(fields) => fields.values().map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn sample(program: &str, name: &str) {
    if Command::new(program).arg("--version").output().is_err() {
        return skip(&format!("check of {name}"), &format!("{program} is not installed"));
    }
    assert!(Path::new(BOTS).join(name).is_file(), "{name}");
    check(&format!("{program} {BOTS}/{name}"), &[]).complies();
}

#[test]
fn the_sample_bots_in_rust_comply() {
    for bot in ["random-bot", "greedy-bot"] {
        let checked = check(bot, &["--games", "20"]).complies();
        assert_eq!(checked.tests("warning"), [""; 0], "{}", checked.ended.stdout);
        assert_eq!(checked.tests("skipped"), [""; 0], "{}", checked.ended.stdout);
        let rules = checked.test("rules")["summary"].as_str().unwrap_or_default();
        let (right, asked) = rules.split_once(" of ").unwrap();
        let asked = asked.split(' ').next().unwrap();
        assert_eq!(right, asked, "{rules}");
        assert!(asked.parse::<u64>().unwrap() > 800, "{rules}");
    }
}

#[test]
fn the_sample_bots_in_other_languages_comply() {
    sample("python3", "python/random_bot.py");
    sample("python3", "python/greedy_bot.py");
    sample("node", "javascript/random_bot.mjs");
    sample("bash", "bash/random_bot.sh");
}

#[test]
fn the_sample_bot_in_c_complies() {
    let place = Place::new();
    let program = place.dir().join("random_bot");
    let source = format!("{BOTS}/c/random_bot.c");
    match Command::new("cc").arg("-O1").arg("-o").arg(&program).arg(&source).status() {
        Ok(status) => assert!(status.success(), "{source} does not compile"),
        Err(error) => {
            return skip("the_sample_bot_in_c_complies", &format!("there is no C compiler ({error})"));
        }
    }
    check_at(place, "./random_bot", &[]).complies();
}

#[test]
fn the_same_seed_asks_the_same() {
    let told = |seed: &str| {
        let checked = check("greedy-bot", &["--seed", seed]).complies();
        let of = |name: &str| checked.test(name)["summary"].to_string();
        [of("games"), of("long-game"), of("rules"), of("clocks")]
    };
    assert_eq!(told("7"), told("7"));
    assert_ne!(told("7"), told("8"));
}

#[test]
fn what_is_found_is_told_in_words_without_json() {
    let ended = Referee::new(["check", &hostile("illegal --kind empty_pit"), "--games", "1"]).run().exits(5);
    let out = &ended.stdout;
    for part in [
        "ok    handshake ",
        "FAIL  games ",
        "illegal_move: empty_pit",
        "sent      {\"type\":\"go\",\"id\":",
        "received  {\"type\":\"move\",\"id\":",
        "to do     Answer with a move from `legal`",
    ] {
        assert!(out.contains(part), "\"{part}\" is not in\n{out}");
    }
    assert!(ended.stderr.contains("hostile does not comply: games, clocks"), "{}", ended.stderr);
}

#[test]
fn a_bot_that_is_not_there_is_no_finding() {
    let _ended = Referee::new(["check", "nobody-bot"]).run().exits(2);
    let place = Place::new();
    place.file("bot", "#!/no/such/interpreter\n");
    let ended = Referee::at(place, ["check", "./bot", "--json"]).run().exits(2);
    assert!(ended.events.is_empty(), "{}", ended.stdout);
}

#[test]
fn a_bot_that_fails_at_the_handshake_is_told_why_and_nothing_more_is_tried() {
    let short = ["--handshake", "1s"];
    for (fault, says) in [
        ("exit_at_start --code 7", &["exited with code 7", "The program ended"][..]),
        (
            "mute",
            &["no answer within 1000 ms", "Flush standard output", "{\"type\":\"hello\",\"protocol\":[1]"],
        ),
        ("no_handshake", &["no answer within 1000 ms"]),
        ("wrong_protocol_version", &["speaks version 2", "protocol 1"]),
        ("wrong_game", &["names no game", "bao-kingulu"]),
        ("no_games", &["bad_message", "games"]),
    ] {
        let checked = check(&hostile(fault), &short).fails("handshake", says);
        assert_eq!(checked.tests("failure"), ["handshake"], "{fault}");
    }
}

#[test]
fn faults_in_games_are_told_with_what_was_sent_and_what_came_back() {
    for (fault, says) in [
        ("segv", &["crash", "SIGSEGV", "{\"type\":\"go\",\"id\":"][..]),
        ("panic", &["exited with code 101", "last words on standard error"]),
        ("garbage --kind python", &["bad_message", "None", "json.dumps", "JSON library"]),
        ("garbage --kind single_quotes", &["bad_message", "double quotes"]),
        ("illegal --kind not_your_pit", &["illegal_move", "not_your_pit", "`legal`"]),
        ("unknown_pit", &["illegal_move", "unknown_pit", "Z99"]),
        ("line_flood --kind noise", &["output_flood", "still thinking"]),
        ("endless_line", &["line_too_long", "newline"]),
        ("closes_stdout", &["closed_stdout"]),
        ("half_line_exits", &["crash", "{\"type\":\"mo"]),
        ("half_line_sleeps", &["bytes came without a newline at their end", "write a newline"]),
        ("mem_bomb", &["memory_limit", "--sandbox memory"]),
    ] {
        let checked = check(&hostile(fault), &["--sandbox", "memory=64MiB"]);
        checked.fails("games", says);
    }
}

#[test]
fn a_bot_that_does_not_answer_gets_its_report_in_bounded_time() {
    check(&hostile("silent"), &["--clock", "300ms/move"]).fails("games", &["time", "300 ms allowed"]);
    let checked = check(&hostile("never_ready"), &["--ready", "500ms"]);
    let checked = checked.fails("games", &["stall", "no answer to new_game within 500 ms"]);
    assert_eq!(
        checked.test("games")["summary"],
        "1 of 1 game ended by the bot's fault; 5 of 6 were not played"
    );
    check(&hostile("drip"), &["--clock", "300ms/move"]).fails("games", &["time"]);
    check(&hostile("stops_itself"), &["--clock", "300ms/move"]).fails("games", &["time"]);
}

#[test]
fn one_mistake_is_told_once_with_how_often_it_was_found() {
    let checked =
        check(&hostile("panic"), &["--games", "6"]).fails("games", &["last words on standard error"]);
    let findings = |name: &str| checked.test(name)["findings"].as_array().expect("a list").clone();
    let games = findings("games");
    assert_eq!(games.len(), 1, "{games:?}");
    assert_eq!(games[0]["count"], 3);
    let clocks = findings("clocks");
    assert_eq!((clocks.len(), &clocks[0]["same_as"]), (1, &Value::from("games")), "{clocks:?}");
    assert_eq!((&clocks[0]["stderr"], &clocks[0]["sent"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_test_can_be_made_alone_by_its_name() {
    let checked = check("random-bot", &["--only", "idle", "--only", "ping"]).complies();
    assert_eq!(checked.tests("pass"), ["handshake", "ping", "idle", "output", "cost"]);
    let unknown = Referee::new(["check", "random-bot", "--only", "idel"]).run().exits(2);
    assert!(unknown.stderr.contains("'idle'"), "{}", unknown.stderr);
}

#[test]
fn time_trouble_is_told_before_it_costs_a_game() {
    let Some(checked) = author("late", &["--only", "games", "--games", "1", "--clock", "200ms/move"]) else {
        return;
    };
    checked.complies().warns("games", &["time trouble", "of the 200 ms that were left"]);
}

#[test]
fn a_bot_that_does_not_leave_is_told_so() {
    check(&hostile("ignores_the_end"), &[]).fails("bye", &["still runs", "End the program when `bye` comes"]);
    check(&hostile("ignores_eof"), &[]).fails("eof", &["still runs", "end of standard input"]);
}

#[test]
fn sloppy_output_is_told_and_costs_nothing() {
    check(&hostile("banner"), &[]).complies().warns("output", &["Hostile Bot 1.0", "standard error"]);
    check(&hostile("extra_fields"), &[]).complies().warns("output", &["unknown field `mood`"]);
    check(&hostile("unknown_type"), &[]).complies().warns("output", &["unknown type", "heartbeat"]);
    check(&hostile("double_answer"), &[]).complies().warns("output", &["a request that is not open"]);
    check(&hostile("float_integers"), &[]).complies().warns("output", &["with a fraction"]);
    let checked = check(&hostile("crlf"), &[]).complies();
    assert_eq!(checked.test("output")["outcome"], "pass");
    let summary = checked.test("output")["summary"].to_string();
    assert!(summary.contains("with a carriage return"), "{summary}");
}

#[test]
fn a_bot_without_mistakes_complies() {
    let Some(checked) = author("none", &[]) else { return };
    let checked = checked.complies();
    assert_eq!(checked.tests("warning"), [""; 0], "{}", checked.ended.stdout);
    assert_eq!(checked.tests("skipped"), ["rules"], "{}", checked.ended.stdout);
}

#[test]
fn mistakes_at_the_first_words_are_told() {
    for (mistake, says) in [
        ("no_flush", &["only when its input was closed", "flush"][..]),
        ("reads_to_the_end", &["only when its input was closed", "read one line"]),
        ("unsound_option", &["default 10, which is not from 1 to 9"]),
    ] {
        let Some(checked) = author(mistake, &["--handshake", "2s"]) else { return };
        checked.fails("handshake", says);
    }
}

#[test]
fn a_hello_before_it_was_asked_for_is_told() {
    let Some(checked) = author("hello_first", &[]) else { return };
    // A machine so slow that the handshake takes it for the answer finds the second one at the first ping.
    let test = if checked.test("handshake")["outcome"] == "failure" { "handshake" } else { "ping" };
    checked.fails(test, &["before it was asked", "Wait for the referee's `hello`"]);
}

#[test]
fn questions_that_were_not_asked_any_more_are_told() {
    let Some(checked) = author("wrong_rules", &[]) else { return };
    let summary = checked.test("rules")["summary"].to_string();
    for game in ["bao-kigogo", "bao-kingulu"] {
        let told = format!("after 4 mistakes no more was asked about {game}");
        assert!(summary.contains(&told), "{summary}");
    }
}

#[test]
fn mistakes_between_games_are_told() {
    for (mistake, test, says) in [
        ("first_line_of_a_read", "ping", &["in one piece", "several"][..]),
        ("dies_of_options", "options", &["KeyError", "crash"]),
        ("dies_of_types", "unknown", &["ValueError: weather", "Ignore types and fields"]),
        ("dies_of_fields", "unknown", &["ValueError: an unknown field"]),
        ("wrong_rules", "rules", &["is missing", "Lap by lap", "\"legal\":\""]),
        ("ignores_the_end", "eof", &["still runs"]),
    ] {
        let Some(checked) = author(mistake, &[]) else { return };
        checked.fails(test, says);
    }
}

#[test]
fn mistakes_in_games_are_told() {
    for (mistake, test, says) in [
        ("one_game", "games", &["crash", "the table is in use"][..]),
        ("counts_along", "games", &["time", "repeat the request's id"]),
        ("own_pace", "clocks", &["time", "clock 200ms/move"]),
        ("capital_letters", "games", &["illegal_move", "the bot plays North"]),
    ] {
        let Some(checked) = author(mistake, &["--clock", "1s+500ms"]) else { return };
        checked.fails(test, says);
    }
}

#[test]
fn what_loses_no_game_is_a_warning() {
    for (mistake, test, says) in [
        ("banner", "output", &["Author 1.0"][..]),
        ("busy", "idle", &["of processor time while no request was open"]),
        ("dies_of_values", "options", &["\"many\"", "Keep the old value"]),
        ("answers_twice", "output", &["a move with id"]),
        ("exit_code", "bye", &["exited with code 3"]),
        ("ignores_bye", "bye", &["when its input is closed"]),
        ("unknown_names", "handshake", &["bao-kiswahili", "telepathy"]),
    ] {
        let Some(checked) = author(mistake, &[]) else { return };
        checked.complies().warns(test, says);
    }
}

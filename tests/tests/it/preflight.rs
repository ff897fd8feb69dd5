//! Before the first game: what cannot play is found, all of it at once, and nothing is written.

use bao_tests::bots::hostile;
use bao_tests::{Ended, Place, Referee, program, skip};
use rustix::process::Signal;

/// Plays a tournament of these bots, each a name and the rest of its table, in the place; `head` begins the file.
fn tournament(place: Place, head: &str, bots: &[(&str, &str)]) -> Referee {
    let tables = bots.iter().map(|(name, rest)| format!("[[bot]]\nname = \"{name}\"\n{rest}\n"));
    let file = format!(
        "{head}\n[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n[[game]]\nname = \"bao-kigogo\"\n{}",
        tables.collect::<String>()
    );
    let file = file.replace("{mark}", place.mark());
    place.file("cup.toml", &file);
    Referee::at(place, ["tournament", "cup.toml", "--json", "--out", "{place}/record"])
}

fn command(words: &str) -> String {
    format!("command = {words:?}")
}

fn says(ended: &Ended, texts: &[&str]) {
    for text in texts {
        assert!(ended.stderr.contains(text), "expected {text:?} in: {}", ended.stderr);
    }
}

/// The event was refused: nothing was played, nothing was written.
fn refused(ended: &Ended, code: i32, texts: &[&str]) {
    assert_eq!(ended.code(), code, "{}", ended.stderr);
    says(ended, texts);
    assert!(!ended.place.record().exists(), "a refused run leaves no record");
    assert_eq!(ended.stdout, "");
}

#[test]
fn an_event_is_refused_with_all_that_is_wrong_with_all_bots() {
    let place = Place::new();
    place.file("no_interpreter", "#!/no/such/interpreter\n");
    place.file("no_module.py", "import no_such_module\n");
    place.file("uci.py", "input()\nprint('uciok', flush=True)\ninput()\n");
    let bots = [
        ("fine", command("random-bot")),
        ("no interpreter", command("./no_interpreter")),
        ("no module", command("python3 no_module.py")),
        ("old", command(&hostile("wrong_protocol_version"))),
        ("chess", command(&hostile("wrong_game"))),
        ("mute", command(&hostile("mute"))),
        ("lazy", command(&hostile("never_ready"))),
        ("uci", command("python3 uci.py")),
        ("slip", format!("{}\noption = {{ depht = 3 }}", command("search-bot"))),
        ("deep", format!("{}\noption = {{ depth = 3000000 }}", command("search-bot"))),
    ];
    let bots = bots.each_ref().map(|(name, rest)| (*name, &**rest));
    let ended = tournament(place, "handshake = \"2s\"\nready = \"2s\"", &bots).run();
    let texts = [
        "not every bot can play",
        "bot no interpreter cannot be started: ",
        "bot no module sends no valid hello: crash (the program exited with code 1)",
        "ModuleNotFoundError",
        "bot old sends no valid hello: handshake (the bot speaks version 2 of the protocol, this referee version 1)",
        "bot chess does not play bao-kingulu; its hello lists: chess",
        "bot chess does not play bao-kigogo",
        "bot mute sends no valid hello: handshake (no answer within 2000 ms; nothing was ever received",
        "bot lazy does not get ready for bao-kingulu: stall (no answer within 2000 ms",
        "bot uci sends no valid hello: handshake (no answer within 2000 ms); instead of the answer came: uciok",
        "  to do: Answer `hello` first of all",
        "bot slip has no option `depht`; did you mean `depth`?",
        "bot deep takes a whole number from 0 to 100 for its option `depth`, not `3000000`",
    ];
    refused(&ended, 2, &texts);
    assert!(!ended.stderr.contains("bot fine"), "{}", ended.stderr);
}

#[test]
fn a_match_is_refused_as_a_tournament_is_and_says_nothing_on_standard_output() {
    let bot = hostile("exit_at_start --code 3");
    let arguments = ["match", "bao-kigogo", "random-bot", &bot, "--json", "--out", "{place}/record"];
    let ended = Referee::new(arguments).run();
    refused(&ended, 2, &["bot hostile sends no valid hello: crash (the program exited with code 3)"]);
}

#[test]
fn an_option_that_every_bot_is_given_need_not_be_known_to_all() {
    let ended = Referee::new(["match", "bao-kingulu", "random-bot", "search-bot"])
        .with(["--option", "depth=1", "--option", "hash_mb=16"])
        .run();
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    says(&ended, &["bot random-bot: option `depth` is not in its hello, so setting it has no effect"]);
}

#[test]
fn strict_isolation_refuses_a_tournament_rather_than_withdraw_a_bot() {
    // A directory that is closed to others gives a bot no user id of its own; without root, no bot gets one.
    let place = Place::new();
    place.file("bot.py", "import sys\nfor line in sys.stdin: pass\n");
    let strict = format!("{}\nisolation = \"strict\"", command("python3 bot.py"));
    let bots =
        [("fine", &*command("random-bot")), ("also fine", &*command("greedy-bot")), ("strict", &*strict)];
    let ended =
        tournament(place, "absent = \"walkover\"\nwithdraw_after = 2\nhandshake = \"2s\"", &bots).run();
    if ended.code() == 0 {
        return skip("strict isolation in a tournament", "it is kept even for a bot in a closed directory");
    }
    refused(&ended, 2, &["strict isolation cannot be kept on this machine"]);
}

#[test]
fn with_walkovers_the_others_play_and_a_withdrawal_is_reported_when_it_happens() {
    let place = Place::new();
    place.file("broken.py", "#!/no/such/interpreter\n");
    let bots = [
        ("one", &*command("random-bot")),
        ("broken", &*command("./broken.py")),
        ("two", &*command("greedy-bot")),
    ];
    let ended = tournament(place, "absent = \"walkover\"\nwithdraw_after = 1", &bots).run();
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    says(&ended, &["warning: bot broken cannot be started", "bot broken is withdrawn after game "]);
    let at = |name: &str| ended.events.iter().position(|event| event["event"] == name);
    let withdrawal = at("withdrawal").expect("it is reported");
    assert_eq!(ended.events[withdrawal]["bot"], "broken");
    assert!(Some(withdrawal) < at("end"));
    let counted = ended.events.iter().filter(|event| event["event"] == "withdrawal").count();
    assert_eq!(counted, 1);
}

#[test]
fn a_bot_that_cannot_play_any_more_stops_a_run_that_goes_on_and_loses_no_game() {
    let place = Place::new();
    let marker = place.dir().join("broken");
    let script = format!(
        "import os, subprocess, sys\nif os.path.exists({:?}): sys.exit(9)\n\
         sys.exit(subprocess.call([{:?}]))\n",
        marker.display().to_string(),
        program("random-bot").display().to_string(),
    );
    place.file("bot.py", &script);
    let arguments = [
        "match",
        "bao-kingulu",
        "random-bot",
        "python3 bot.py",
        "--games",
        "300",
        "--isolation",
        "off",
        "--json",
        "--out",
        "{place}/record",
    ];
    let mut running = Referee::at(place, arguments).memory_kib(24 << 10).start();
    running.until(|event| event["event"] == "verdict");
    running.signal(Signal::INT);
    let stopped = running.finish();
    let finished = stopped.games().len();
    assert!(stopped.code() == 7 && (1..300).contains(&finished), "{} {finished}", stopped.code());
    let place = stopped.place;
    place.file("broken", "");
    let refused = Referee::at(place, arguments).run();
    assert_eq!(refused.code(), 2, "{}", refused.stderr);
    says(&refused, &["bot bot sends no valid hello: crash (the program exited with code 9)"]);
    let rows =
        std::fs::read_to_string(refused.place.record().join("games.jsonl")).expect("games were finished");
    assert_eq!(rows.lines().count(), finished);
    let place = refused.place;
    std::fs::remove_file(place.dir().join("broken")).expect("it was made above");
    let whole = Referee::at(place, arguments).memory_kib(24 << 10).run().exits(0);
    assert!(whole.games().iter().filter(|row| row.score_south.is_some()).all(|row| row.fault.is_none()));
}

#[test]
fn a_record_that_is_complete_needs_its_bots_no_more() {
    let place = Place::new();
    let ended =
        tournament(place, "", &[("one", &*command("random-bot")), ("two", &*command("greedy-bot"))]).run();
    let rows = ended.exits(0);
    let again = Referee::at(rows.place, ["tournament", "cup.toml", "--out", "{place}/record"])
        .with(["--json"])
        .run()
        .exits(0);
    assert!(again.events.iter().all(|event| event["event"] != "game"));
}

#[test]
fn a_bot_is_greeted_made_ready_for_each_game_and_sent_home_before_the_first() {
    let place = Place::new();
    place.file(
        "bot.py",
        "import json, os, sys\n\
         log = open(sys.argv[1], 'a')\n\
         for line in sys.stdin:\n\
         \x20   message = json.loads(line)\n\
         \x20   kind = message['type']\n\
         \x20   log.write(f\"{os.getpid()} {kind} {message.get('game', '')}\\n\")\n\
         \x20   log.flush()\n\
         \x20   if kind == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'log', \
         'games': ['bao-kigogo', 'bao-kingulu']}), flush=True)\n\
         \x20   if kind == 'new_game': print(json.dumps({'type': 'ready', 'id': message['id']}), flush=True)\n\
         \x20   if kind == 'go': print(json.dumps({'type': 'resign', 'id': message['id']}), flush=True)\n\
         \x20   if kind == 'bye': break\n",
    );
    let log = place.dir().join("log");
    let command = format!("command = \"python3 bot.py {}\"\nisolation = \"off\"", log.display());
    let fine = self::command("random-bot");
    let ended = tournament(place, "", &[("log", &*command), ("fine", &*fine)]).run().exits(0);
    let log = std::fs::read_to_string(ended.place.dir().join("log")).expect("the bot wrote it");
    let first = log.split(' ').next().expect("the process number begins a line");
    let said: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix(first)).map(str::trim).collect();
    let each = |game| [game, "game_over"];
    let games = ["new_game bao-kingulu", "new_game bao-kigogo"].map(each).concat();
    assert_eq!(said, [&["hello"][..], &games, &["bye"]].concat());
    assert!(log.lines().any(|line| !line.starts_with(first)), "the games are played by another process");
}

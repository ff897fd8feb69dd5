//! Authors get what is theirs, and nobody else does.

use std::fs;
use std::path::Path;

use bao_tests::bots::CLEAN;
use bao_tests::{Ended, Place, Referee};

/// What each bot writes to its standard error and says in its `log` lines, and nobody else may learn.
const SECRETS: [&str; 2] = ["SECRET-OF-ONE", "SECRET-OF-TWO"];

/// Plays a match of two bots that whisper, the second of which crashes after some moves.
fn whispers() -> Ended {
    let place = Place::new();
    for (name, secret, last) in [("one", SECRETS[0], 1000), ("two", SECRETS[1], 3)] {
        let text = format!(
            "import json, sys\nmoves = 0\nfor line in sys.stdin:\n    m = json.loads(line)\n    \
             say = lambda **what: print(json.dumps(what), flush=True)\n    \
             if m['type'] == 'hello': say(type='hello', protocol=1, name='x', games=['bao-kingulu'])\n    \
             if m['type'] == 'new_game': moves = 0; say(type='ready', id=m['id'])\n    \
             if m['type'] == 'ping': say(type='pong', id=m['id'])\n    \
             if m['type'] == 'go':\n        moves += 1\n        \
             print('{secret} at move', moves, file=sys.stderr, flush=True)\n        \
             say(type='log', text='{secret} says')\n        \
             if moves > {last}: print('{secret} no message', flush=True); sys.exit(7)\n        \
             say(type='move', id=m['id'], move=m['legal'].split()[0], comment='{secret} thinks')\n    \
             if m['type'] == 'bye': break\n"
        );
        place.file(&format!("{name}/{name}.py"), &text);
    }
    let bots = ["python3 one/one.py", "python3 two/two.py"];
    Referee::plays_at(place, "bao-kingulu", bots[0], bots[1])
        .with([
            "--games",
            "4",
            "--first-option",
            "hidden=SECRET-OF-ONE",
            "--second-option",
            "hidden=SECRET-OF-TWO",
        ])
        .run()
        .exits(0)
}

/// Reads every file below a folder.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("it was written").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(texts(&path));
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("it is text")));
        }
    }
    found
}

#[test]
fn the_logs_of_a_bot_hold_all_that_is_its_own_and_nothing_of_the_other() {
    let mut ended = whispers();
    for (bot, own, other) in [("one", SECRETS[0], SECRETS[1]), ("two", SECRETS[1], SECRETS[0])] {
        let out = format!("logs-{bot}");
        ended = Referee::at(ended.place, ["logs", "record", "--bot", bot, "--out", &out]).run().exits(0);
        let files = texts(&ended.place.dir().join(&out));
        for (path, text) in &files {
            assert!(!text.contains(other), "{path} of {bot} holds what is the other's:\n{text}");
        }
        let of = |part: &'static str| files.iter().filter(move |(path, _)| path.contains(part));
        assert_eq!(of("/lines/").count(), 4, "{files:?}");
        for part in ["/lines/", "/stderr/"] {
            assert!(of(part).all(|(_, text)| text.contains(own)), "{part} lacks its own: {files:?}");
        }
        let rows = of("/games.jsonl").next().map_or(0, |(_, text)| text.lines().count());
        assert_eq!(rows, 4);
        let (_, faults) = of("/faults.txt").next().expect("it is always there");
        assert_eq!(faults.contains("crash"), bot == "two", "{faults}");
        let moves = of("/moves.jsonl").next().map(|(_, text)| text.lines().count());
        let all = fs::read_to_string(ended.place.record().join("moves.jsonl")).expect("moves were made");
        assert!(moves.is_some_and(|own| own > 0 && own < all.lines().count()), "{moves:?}");
    }
    // A folder that holds something is not written into.
    let again =
        Referee::at(ended.place, ["logs", "record", "--bot", "one", "--out", "logs-one"]).run().exits(2);
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
    let nobody = Referee::at(again.place, ["logs", "record", "--bot", "onee", "--out", "new"]).run().exits(2);
    assert!(nobody.stderr.contains("did you mean `one`?"), "{}", nobody.stderr);
    assert!(!nobody.place.dir().join("new").exists());
}

#[test]
fn a_public_report_and_a_public_export_hold_no_standard_error_no_command_and_no_path() {
    let ended = whispers();
    let place = ended.place.dir().display().to_string();
    let commands = [
        &["report", "record", "--public", "--html", "public.html"][..],
        &["export", "record", "--format", "csv", "--public"],
        &["export", "record", "--format", "pgn", "--public"],
    ];
    let mut ended = ended;
    for command in commands {
        ended = Referee::at(ended.place, command.iter().copied()).memory_kib(64 << 10).run().exits(0);
        let page = fs::read_to_string(ended.place.dir().join("public.html")).unwrap_or_default();
        for text in [&ended.stdout, &page] {
            let secret = "at move";
            for word in [secret, "no message", "one.py", "python3", &place] {
                assert!(!text.contains(word), "{command:?} holds {word:?}");
            }
        }
    }
    // The organiser's report has them.
    let whole = Referee::at(ended.place, ["report", "record"]).memory_kib(64 << 10).run().exits(0);
    assert!(whole.stdout.contains("SECRET-OF-TWO at move") && whole.stdout.contains("two.py"));
}

#[test]
fn a_bot_without_a_fault_has_logs_too() {
    let ended = Referee::plays("bao-kingulu", CLEAN, "greedy-bot").run().exits(0);
    let logs =
        Referee::at(ended.place, ["logs", "record", "--bot", "greedy-bot", "--out", "mine"]).run().exits(0);
    assert_eq!(logs.stdout, "mine: 2 games, 0 faults\n");
}

#[test]
fn an_archive_of_logs_has_the_files_of_the_folder() {
    let mut place = Referee::plays("bao-kingulu", CLEAN, "greedy-bot").run().exits(0).place;
    for out in ["mine", "deep/mine.zip"] {
        place =
            Referee::at(place, ["logs", "record", "--bot", "greedy-bot", "--out", out]).run().exits(0).place;
    }
    let unpacked = std::process::Command::new("python3")
        .args(["-m", "zipfile", "-e", "deep/mine.zip", "unpacked"])
        .current_dir(place.dir())
        .status()
        .expect("python3 is needed");
    assert!(unpacked.success());
    let same = std::process::Command::new("diff")
        .args(["-r", "mine", "unpacked"])
        .current_dir(place.dir())
        .output()
        .expect("diff is everywhere");
    assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stdout));
    assert_eq!(
        std::fs::read_dir(place.dir().join("deep")).expect("it is there").count(),
        1,
        "nothing else is left"
    );
    let again = ["logs", "record", "--bot", "greedy-bot", "--out", "deep/mine.zip"];
    let refused = Referee::at(place, again).run().exits(2);
    assert!(refused.stderr.contains("mine.zip exists"), "{}", refused.stderr);
}

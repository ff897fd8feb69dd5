//! What a bot says between two games belongs to the one that is over.

use bao_protocol::record::Channel;
use bao_rules::Side;
use bao_tests::bots::hostile;
use bao_tests::{Place, Referee};

use crate::script::write;

/// Plays the first legal move; when a game is over, it prints statistics.
const CHATTY: &str = r#"
import json, sys
def say(message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    said = json.loads(line)
    kind = said["type"]
    if kind == "hello":
        say({"type": "hello", "protocol": 1, "name": "chatty", "games": ["bao-kingulu"]})
    elif kind == "new_game":
        say({"type": "ready", "id": said["id"]})
    elif kind == "go":
        say({"type": "move", "id": said["id"], "move": said["legal"].split()[0]})
    elif kind == "ping":
        say({"type": "pong", "id": said["id"]})
    elif kind == "game_over":
        print("over", said["game_id"], file=sys.stderr, flush=True)
        print("statistics\n" * 150, end="", flush=True)
"#;

/// Writes an answer to the next request behind much else, where its pipe holds a mebibyte; then it is silent.
const EARLY: &str = r#"
import fcntl, json, sys
fcntl.fcntl(1, 1031, 1 << 20)
for line in sys.stdin:
    said = json.loads(line)
    kind = said["type"]
    if kind == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "early", "games": ["bao-kigogo"]}), flush=True)
    elif kind == "new_game":
        print(json.dumps({"type": "ready", "id": said["id"]}), flush=True)
    elif kind == "go" and said["ply"] < 2:
        answer = lambda id: json.dumps({"type": "move", "id": id, "move": said["legal"].split()[-1]}) + "\n"
        filler = json.dumps({"type": "log", "text": "x" * 3000}) + "\n"
        early = "".join(answer(id) for id in range(said["id"] + 1, said["id"] + 3))
        sys.stdout.write(answer(said["id"]) + filler * 300 + early)
        sys.stdout.flush()
"#;

fn chatty(arguments: &[&str]) {
    let place = Place::new();
    write(&place, "chatty.py", CHATTY);
    let ended = Referee::plays_at(place, "bao-kingulu", "python3 chatty.py", "random-bot")
        .with(["--games", "3"])
        .with(arguments.iter().copied())
        .run()
        .exits(0);
    for row in ended.games() {
        assert!(row.fault.is_none(), "{row:?}");
        let channels = if row.south == "chatty" {
            (Channel::FromSouth, Channel::SouthStderr)
        } else {
            (Channel::FromNorth, Channel::NorthStderr)
        };
        assert_eq!(ended.said(row.game, channels.1), [format!("over {}\n", row.game)], "{arguments:?}");
        let said = ended.said(row.game, channels.0);
        assert_eq!(said.iter().filter(|line| **line == "statistics").count(), 150, "{arguments:?}");
    }
}

#[test]
fn what_a_bot_prints_when_a_game_is_over_is_in_the_record_of_that_game() {
    chatty(&[]);
}

#[test]
fn what_a_bot_prints_when_a_game_is_over_is_in_the_record_of_that_game_though_it_is_started_anew() {
    chatty(&["--restart"]);
}

#[test]
fn an_answer_before_its_request_is_never_taken_however_much_lies_before_it() {
    let place = Place::new();
    write(&place, "early.py", EARLY);
    let ended = Referee::plays_at(place, "bao-kigogo", "python3 early.py", &hostile("slow --ms 300"))
        // Isolation would refuse it the larger pipe.
        .with(["--games", "1", "--clock", "500ms/move", "--isolation", "off"])
        .run()
        .exits(0);
    let row = &ended.games()[0];
    assert_eq!((row.reason, row.plies), (bao_protocol::Reason::Time, 2), "{row:?}");
}

#[test]
fn a_bot_that_answers_no_ping_plays_on() {
    let place = Place::new();
    write(&place, "deaf.py", &CHATTY.replace("\"ping\"", "\"never\""));
    let ended = Referee::plays_at(place, "bao-kingulu", "python3 deaf.py", "random-bot")
        .with(["--games", "2"])
        .run()
        .exits(0);
    assert!(ended.games().iter().all(|row| row.fault.is_none()), "{:?}", ended.games());
}

/// Plays a pit that it does not have, and says what it thinks of the fault message.
const PLAINTIVE: &str = r#"
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)
    kind = said["type"]
    if kind == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "plaintive", "games": ["bao-kingulu"]}), flush=True)
    elif kind == "new_game":
        print(json.dumps({"type": "ready", "id": said["id"]}), flush=True)
    elif kind == "go":
        print(json.dumps({"type": "move", "id": said["id"], "move": "Z9"}), flush=True)
    elif kind == "fault":
        time.sleep(0.1)
        print("x" * 20000, file=sys.stderr, flush=True)
        print("refused:", said["code"], file=sys.stderr, flush=True)
print("the last words", file=sys.stderr, flush=True)
"#;

#[test]
fn what_a_bot_writes_to_standard_error_when_it_is_told_of_its_fault_is_kept() {
    let place = Place::new();
    write(&place, "plaintive.py", PLAINTIVE);
    let ended = Referee::plays_at(place, "bao-kingulu", "python3 plaintive.py", "random-bot")
        .with(["--games", "2"])
        .run()
        .exits(0);
    for row in ended.games() {
        let side = row.fault.map(Side::from).expect("it loses by its fault");
        let channel = [Channel::SouthStderr, Channel::NorthStderr][side as usize];
        let stderr = ended.said(row.game, channel).concat();
        assert!(stderr.ends_with("refused: illegal_move\nthe last words\n"), "{stderr}");
    }
}

#[test]
fn a_bot_that_never_ends_after_its_fault_is_killed() {
    let place = Place::new();
    let endless = PLAINTIVE.replace("time.sleep(0.1)", "time.sleep(600)");
    write(&place, "endless.py", &endless);
    let ended = Referee::plays_at(place, "bao-kingulu", "python3 endless.py", "random-bot")
        .with(["--games", "2"])
        .run()
        .exits(0);
    assert_eq!(ended.games().len(), 2);
}

//! Every sample bot keeps to the protocol, as a real process over pipes.

mod kit;
mod libraries;

use bao_protocol::to_bot::{Fault, GameOver, SetOption, Verify};
use bao_protocol::{FromBot, Reason, Seat, ToBot, YourResult};
use bao_rules::{Pit, Position, Side, Variant};
use kit::{Talk, compile};

const RANDOM_BOT: &str = env!("CARGO_BIN_EXE_random-bot");
const GREEDY_BOT: &str = env!("CARGO_BIN_EXE_greedy-bot");
const SEARCH_BOT: &str = env!("CARGO_BIN_EXE_search-bot");

/// Has the bot play both sides for up to `plies` moves and returns the moves.
fn play(talk: &mut Talk, variant: Variant, plies: u64) -> Vec<Pit> {
    let mut position = Position::start(variant);
    let mut moves = Vec::new();
    for ply in 0..plies {
        if position.over().is_some() {
            break;
        }
        let pit = talk.go(&position, ply);
        moves.push(pit);
        match position.play(pit).expect("the move is legal").after {
            Some(after) => position = after,
            None => break,
        }
    }
    moves
}

/// Leads a bot through all that a referee says.
fn the_whole_conversation(command: &[&str]) {
    let Some(mut talk) = Talk::start(command) else { return };
    let hello = talk.hello();
    assert_eq!(hello.protocol, 1);
    assert_eq!(hello.games, Variant::NAMES);
    assert!(!hello.name.is_empty());
    talk.say(&ToBot::SetOption(SetOption { id: 1, name: "seed".into(), value: "7".into() }));
    talk.ping();
    for (number, variant) in Variant::ALL.into_iter().enumerate() {
        let game_id = format!("game-{number}");
        talk.new_game(&game_id, variant, Side::South);
        let moves = play(&mut talk, variant, 60);
        assert!(moves.len() > 2, "only {moves:?}");
        // What a later version may say, and a field that it may add.
        talk.write(b"{\"type\":\"standings\",\"id\":900,\"rows\":[{\"bot\":\"x\",\"points\":1}]}\n");
        talk.write(b"{\"type\":\"ping\",\"id\":901,\"mood\":{\"type\":\"go\"}}\n");
        assert!(matches!(talk.hear(), FromBot::Pong(pong) if pong.id == 901));
        talk.say(&ToBot::Fault(Fault {
            id: 902,
            code: Reason::IllegalMove,
            detail: "the pit is empty".into(),
            line: r#"{"type":"go","id":902,"move":"A1"}"#.into(),
            legal: "A2 A3".into(),
        }));
        talk.say(&ToBot::GameOver(GameOver {
            game_id: game_id.into(),
            result: "0-1".into(),
            winner: Some(Seat::North),
            reason: Reason::IllegalMove,
            you: YourResult::Loss,
            score: [3, 4],
        }));
        talk.ping();
    }
    talk.bye();

    let Some(mut talk) = Talk::start(command) else { return };
    talk.hello();
    talk.close();
}

#[test]
fn the_random_bot_in_rust_keeps_to_the_protocol() {
    the_whole_conversation(&[RANDOM_BOT]);
}

#[test]
fn the_greedy_bot_in_rust_keeps_to_the_protocol() {
    the_whole_conversation(&[GREEDY_BOT]);
}

#[test]
fn the_random_bot_in_python_keeps_to_the_protocol() {
    the_whole_conversation(&["python3", "python/random_bot.py"]);
}

#[test]
fn the_random_bot_in_javascript_keeps_to_the_protocol() {
    the_whole_conversation(&["node", "javascript/random_bot.mjs"]);
}

#[test]
fn the_greedy_bot_in_python_keeps_to_the_protocol() {
    the_whole_conversation(&["python3", "python/greedy_bot.py", "--depth", "2"]);
}

#[test]
fn the_greedy_bot_in_javascript_keeps_to_the_protocol() {
    the_whole_conversation(&["node", "javascript/greedy_bot.mjs", "--depth", "2"]);
}

#[test]
fn the_random_bot_in_bash_keeps_to_the_protocol() {
    the_whole_conversation(&["bash", "bash/random_bot.sh"]);
}

#[test]
fn the_bots_in_c_keep_to_the_protocol() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for source in ["c/random_bot.c", "c/instant_bot.c", "c/greedy_bot.c"] {
        let Some(program) = compile(source, folder.path()) else { return };
        the_whole_conversation(&[&program]);
    }
}

#[test]
fn the_bots_printed_in_the_protocol_page_work() {
    let page = include_str!("../../PROTOCOL.md");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (language, program) in [("python", "python3"), ("bash", "bash")] {
        let text = page.split_once(&format!("```{language}\n")).expect("the page holds the bot").1;
        let text = text.split_once("\n```").expect("the bot ends").0;
        let file = folder.path().join(language);
        std::fs::write(&file, text).expect("a temporary file");
        the_whole_conversation(&[program, file.to_str().expect("temporary folders have plain names")]);
    }
}

#[test]
fn a_seed_gives_the_same_game_again_whichever_way_it_is_set() {
    for program in [RANDOM_BOT, GREEDY_BOT] {
        let game = |command: &[&str], option: Option<&'static str>| {
            let mut talk = Talk::start(command).expect("the bot is built");
            talk.hello();
            if let Some(seed) = option {
                talk.say(&ToBot::SetOption(SetOption { id: 1, name: "seed".into(), value: seed.into() }));
            }
            talk.new_game("g7", Variant::Kigogo, Side::South);
            let moves = play(&mut talk, Variant::Kigogo, 40);
            talk.bye();
            moves
        };
        let once = game(&[program, "--seed", "5"], None);
        assert_eq!(once, game(&[program, "--seed", "5"], None));
        assert_eq!(once, game(&[program], Some("5")));
        assert_ne!(once, game(&[program, "--seed", "6"], None));
    }
}

#[test]
fn a_seed_that_no_hello_allows_stops_no_bot() {
    for command in [&[RANDOM_BOT][..], &[GREEDY_BOT], &["python3", "python/random_bot.py"]] {
        let Some(mut talk) = Talk::start(command) else { continue };
        let hello = talk.hello();
        let seed = hello.options.iter().find(|option| option.name == "seed").expect("the option seed");
        assert_eq!((seed.min, seed.max), (Some(0), Some((1 << 53) - 1)), "{command:?}");
        for value in ["-1", "9007199254740992", "99999999999999999999999", "x", "", "1.5"] {
            talk.say(&ToBot::SetOption(SetOption { id: 1, name: "seed".into(), value: value.into() }));
        }
        for _ in 0..6 {
            assert!(matches!(talk.hear(), FromBot::Log(log) if log.level == "warn"), "{command:?}");
        }
        talk.new_game("1", Variant::Kingulu, Side::South);
        play(&mut talk, Variant::Kingulu, 3);
        talk.bye();
    }
}

#[test]
fn weights_that_make_no_sense_are_reported_and_change_nothing() {
    let mut talk = Talk::start(&[SEARCH_BOT, "--depth", "1"]).expect("the bot is built");
    talk.hello();
    talk.say(&ToBot::SetOption(SetOption { id: 1, name: "weights".into(), value: "luck:3".into() }));
    talk.write(b"{\"type\":\"new_game\",\"id\":2,\"game_id\":\"1\",\"game\":\"bao-kingulu\",\"you\":\"S\",");
    talk.write(b"\"position\":\"4,4,4,4,4,4/4,4,4,4,4,4 S 0 0\",\"clock\":{\"kind\":\"none\",\"cap_ms\":1},\"max_plies\":9}\n");
    assert!(matches!(talk.hear(), FromBot::Log(log) if log.text.contains("luck")));
    assert!(matches!(talk.hear(), FromBot::Ready(ready) if ready.id == 2));
    talk.bye();
}

#[test]
fn a_wrong_command_line_ends_with_the_code_2() {
    for (program, arguments) in [
        (RANDOM_BOT, &["--sed", "5"][..]),
        (RANDOM_BOT, &["--seed"]),
        (RANDOM_BOT, &["--seed", "x"]),
        (SEARCH_BOT, &["--hash_mb", "0"]),
        (SEARCH_BOT, &["--weights", "luck:3"]),
    ] {
        let output = std::process::Command::new(program).args(arguments).output().expect("the bot is built");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(arguments[0]));
    }
}

#[test]
fn the_greedy_bot_takes_the_most_that_there_is() {
    let mut talk = Talk::start(&[GREEDY_BOT, "--seed", "1"]).expect("the bot is built");
    talk.hello();
    talk.new_game("1", Variant::Kigogo, Side::South);
    let mut position = Position::start(Variant::Kigogo);
    for ply in 0..50 {
        let takes = |pit| position.play(pit).expect("the move is legal").captured;
        let most = position.legal_moves().iter().map(takes).max();
        let pit = talk.go(&position, ply);
        assert_eq!(Some(takes(pit)), most, "{position}");
        match position.play(pit).expect("the move is legal").after {
            Some(after) if after.over().is_none() => position = after,
            Some(_) | None => break,
        }
    }
    talk.bye();
}

#[test]
fn a_bot_with_rules_answers_verify() {
    let mut talk = Talk::start(&[RANDOM_BOT]).expect("the bot is built");
    assert!(talk.hello().capabilities.contains(&"verify".to_owned()));
    let mut ask = |position: &'static str, mv: Option<&'static str>| {
        talk.say(&ToBot::Verify(Verify {
            id: 5,
            game: "bao-kingulu".into(),
            position: position.into(),
            mv: mv.map(Into::into),
        }));
        let FromBot::Solution(solution) = talk.hear() else { panic!("that was no solution") };
        (solution.legal, solution.position, solution.over)
    };
    let position = "0,0,0,0,2,3/0,0,0,0,2,1 S 20 20";
    assert_eq!(ask(position, None), (Some("A5 A6".to_owned()), None, Some(false)));
    let after = "0,0,0,0,2,4*/0,0,0,0,2,0 N 20 20".to_owned();
    assert_eq!(ask(position, Some("A6")), (None, Some(after), Some(false)));
    talk.bye();
}

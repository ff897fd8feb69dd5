//! The library of each language: its rules agree with the core, and it does for a bot what its first lines say.

use bao_protocol::FromBot;
use bao_protocol::ToBot;
use bao_protocol::from_bot::{OptionKind, Solution};
use bao_protocol::to_bot::{SetOption, Verify};
use bao_rules::{Pit, Position, Side, Variant, perft};
use bot::Random;
use serde_json::Value;
use tempfile::TempDir;

use crate::kit::{Talk, compile};
use crate::play;

/// Where a side has 46 seeds, as at the start of a game, and its pit A11 is lifted: this sowing comes back to where it
/// began after 29,376 laps. A limit on the laps would have to be higher, and be wrong all the same.
const ENDLESS: &str =
    "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/0,3,4,1,0,1,0,5,2,1,5,4/3,0,1,0,5,0,3,2,3,0,3,0 S 0 0";
/// Here the lifting of B10 ends after 282 laps.
const LONG: &str =
    "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/3,2,1,4,2,3,0,1,2,5,0,1/0,1,0,1,0,1,0,2,1,2,2,6 S 0 0";

/// A bot that is made with a library.
struct Sample {
    command: Vec<String>,
    /// Holds the program, where it had to be built.
    _folder: Option<TempDir>,
}

/// Returns the bot of a language that has a library; `None` where the language is not installed.
fn sample(language: &str) -> Option<Sample> {
    let words = |words: [&str; 2]| words.map(str::to_owned).to_vec();
    match language {
        "python" => Some(Sample { command: words(["python3", "python/greedy_bot.py"]), _folder: None }),
        "javascript" => Some(Sample { command: words(["node", "javascript/greedy_bot.mjs"]), _folder: None }),
        "c" => {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let program = compile("c/greedy_bot.c", folder.path())?;
            Some(Sample { command: vec![program], _folder: Some(folder) })
        }
        other => panic!("there is no library for {other}"),
    }
}

impl Sample {
    /// Starts the bot with arguments; `None` where its language is not installed.
    fn start(&self, arguments: &[&str]) -> Option<Talk> {
        let command = self.command.iter().map(String::as_str);
        Talk::start(&command.chain(arguments.iter().copied()).collect::<Vec<_>>())
    }
}

/// Asks a bot that has shaken hands about a position or a move.
fn ask(talk: &mut Talk, variant: Variant, position: &str, mv: Option<&str>) -> Solution {
    talk.say(&ToBot::Verify(Verify {
        id: 5,
        game: variant.name().into(),
        position: position.to_owned().into(),
        mv: mv.map(|mv| mv.to_owned().into()),
    }));
    let FromBot::Solution(solution) = talk.hear() else { panic!("that was no solution") };
    assert_eq!(solution.id, 5);
    solution
}

/// Asks for the legal moves of a position.
fn ask_legal(talk: &mut Talk, variant: Variant, position: &str) -> Vec<String> {
    let legal = ask(talk, variant, position, None).legal.expect("the legal moves were asked for");
    legal.split_whitespace().map(str::to_owned).collect()
}

fn agrees_with_every_vector(language: &str) {
    let Some(mut talk) = sample(language).and_then(|sample| sample.start(&[])) else { return };
    assert!(talk.hello().capabilities.contains(&"verify".to_owned()));
    let vectors = [
        (Variant::Kigogo, include_str!("../../../protocol/rules/tests/data/bao-kigogo.jsonl")),
        (Variant::Kingulu, include_str!("../../../protocol/rules/tests/data/bao-kingulu.jsonl")),
    ];
    for (variant, lines) in vectors {
        for line in lines.lines() {
            let vector: Value = serde_json::from_str(line).expect("a vector");
            let position = vector["position"].as_str().expect("a position");
            let legal: Vec<String> =
                serde_json::from_value(vector["legal"].clone()).expect("the legal moves");
            assert_eq!(ask_legal(&mut talk, variant, position), legal, "{position}");
            for play in vector["plays"].as_array().expect("the plays") {
                let mv = play["move"].as_str().expect("a move");
                let solution = ask(&mut talk, variant, position, Some(mv));
                assert_eq!(solution.position.as_deref(), play["after"].as_str(), "{mv} in {position}");
                assert_eq!(solution.over, Some(!play["over"].is_null()), "{mv} in {position}");
            }
        }
    }
    talk.bye();
}

/// Compares what a bot says of every position of some games, in which chance plays both sides, with the core.
fn agrees_with_the_core_in_games(language: &str) {
    let Some(mut talk) = sample(language).and_then(|sample| sample.start(&[])) else { return };
    talk.hello();
    for (variant, games) in [(Variant::Kigogo, 4), (Variant::Kingulu, 20)] {
        for game in 0..games {
            let mut random = Random::new(7, &format!("{variant} {game}"));
            let mut position = Position::start(variant);
            for _ in 0..120 {
                let moves = position.legal_moves();
                let names: Vec<&str> = moves.iter().map(Pit::name).collect();
                assert_eq!(ask_legal(&mut talk, variant, &position.to_string()), names, "{position}");
                if moves.is_empty() {
                    break;
                }
                let pit = moves[random.below(moves.len())];
                let play = position.play(pit).expect("a legal move");
                let solution = ask(&mut talk, variant, &position.to_string(), Some(pit.name()));
                let after = play.after.map(|after| after.to_string());
                assert_eq!(solution.position, after, "{pit} in {position}");
                assert_eq!(solution.over, Some(play.over.is_some()), "{pit} in {position}");
                let Some(after) = play.after else { break };
                position = after;
            }
        }
    }
    talk.bye();
}

fn knows_a_long_sowing_from_an_endless_one(language: &str) {
    let Some(mut talk) = sample(language).and_then(|sample| sample.start(&[])) else { return };
    talk.hello();
    for (text, name, laps) in [(ENDLESS, "A11", None), (LONG, "B10", Some(282))] {
        let position = Position::parse(Variant::Kigogo, text).expect("a position");
        let pit = Pit::parse(Variant::Kigogo, name).expect("a pit");
        let play = position.play(pit).expect("a legal move");
        assert_eq!(play.laps, laps);
        let solution = ask(&mut talk, Variant::Kigogo, text, Some(name));
        assert_eq!(solution.position, play.after.map(|after| after.to_string()));
        assert_eq!(solution.over, Some(play.over.is_some()));
    }
    talk.bye();
}

fn counts_the_sequences_of_moves(language: &str) {
    let Some(sample) = sample(language) else { return };
    for (variant, depth) in [(Variant::Kigogo, 3), (Variant::Kingulu, 7)] {
        let output = std::process::Command::new(&sample.command[0])
            .args(&sample.command[1..])
            .args(["perft", variant.name(), &depth.to_string()])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output();
        // Where it is not installed, the other tests say so.
        let Ok(output) = output else { return };
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        let counts = text.lines().map(|line| {
            let mut words = line.split(' ').map(str::parse);
            (words.next().expect("a depth").ok(), words.next().expect("a count").ok())
        });
        let expected =
            (1..=depth).map(|depth| (Some(depth.into()), Some(perft(&Position::start(variant), depth))));
        assert_eq!(counts.collect::<Vec<(Option<u64>, Option<u64>)>>(), expected.collect::<Vec<_>>());
    }
}

fn keeps_its_options(language: &str) {
    let Some(sample) = sample(language) else { return };
    let Some(mut talk) = sample.start(&[]) else { return };
    let options = talk.hello().options;
    let depth = options.iter().find(|option| option.name == "depth").expect("the option depth");
    assert_eq!((depth.kind, depth.min, depth.max), (OptionKind::Integer, Some(1), Some(50)));
    let seed = options.iter().find(|option| option.name == "seed").expect("the option seed");
    assert_eq!((seed.kind, seed.default.as_str(), seed.min), (OptionKind::Integer, "0", Some(0)));

    let mut set = |value: &'static str| {
        talk.say(&ToBot::SetOption(SetOption { id: 1, name: "depth".into(), value: value.into() }));
    };
    // A number out of bounds is brought within them, any other value is refused; all of them are reported.
    for value in ["51", "0", "2", "2.5", "deep", ""] {
        set(value);
    }
    for _ in 0..5 {
        let FromBot::Log(log) = talk.hear() else { panic!("that was no log") };
        assert_eq!(log.level, "warn");
    }
    talk.new_game("1", Variant::Kigogo, Side::South);
    talk.go(&Position::start(Variant::Kigogo), 0);
    // It says what it thinks after every ply.
    let depths: Vec<_> = talk.told.iter().map(|info| info.depth).collect();
    assert_eq!(depths, [Some(1), Some(2)]);
    let last = talk.told.last().expect("two of them");
    assert!(last.nodes > Some(23) && last.score.is_some(), "{last:?}");
    assert_eq!(last.pv.as_ref().map(|pv| pv.split(' ').count()), Some(2));
    talk.bye();

    for arguments in [&["--depth", "x"][..], &["--depth"], &["--colour", "red"]] {
        let mut command = std::process::Command::new(&sample.command[0]);
        command.args(&sample.command[1..]).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = command.output().expect("it was started before");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(arguments[0]));
    }
}

fn plays_the_same_game_by_the_same_seed(language: &str) {
    let Some(sample) = sample(language) else { return };
    let game = |seed: &'static str| {
        let mut talk = sample.start(&["--depth", "1"])?;
        talk.hello();
        talk.say(&ToBot::SetOption(SetOption { id: 1, name: "seed".into(), value: seed.into() }));
        talk.new_game("g7", Variant::Kigogo, Side::South);
        let moves = play(&mut talk, Variant::Kigogo, 40);
        talk.bye();
        Some(moves)
    };
    let Some(once) = game("5") else { return };
    assert_eq!(Some(&once), game("5").as_ref());
    assert_ne!(Some(once), game("9007199254740991"));
}

#[test]
fn the_header_is_good_c_of_every_standard_and_good_cpp() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bot = folder.path().join("bot.cpp");
    let text = "#include \"bao_bot.h\"\nint main(int argc, char **argv) { bao_bot bot = {}; return bao_run(&bot, argc, argv); }\n";
    std::fs::write(&bot, text).expect("a temporary file");
    let bot = bot.to_str().expect("temporary folders have plain names");
    for (compiler, standard, source) in [
        ("cc", "-std=c99", "c/greedy_bot.c"),
        ("cc", "-std=c11", "c/greedy_bot.c"),
        ("cc", "-std=gnu17", "c/greedy_bot.c"),
        ("c++", "-std=c++11", bot),
    ] {
        let compiled = std::process::Command::new(compiler)
            .args([standard, "-O2", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only"])
            .args(["-Wno-missing-field-initializers", "-I", "c", source])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        let Ok(compiled) = compiled else {
            bao_tests::skip("the header", &format!("{compiler} is not installed"));
            continue;
        };
        assert!(compiled.success(), "{compiler} {standard}");
    }
}

#[test]
fn the_library_in_python_needs_no_newer_version_than_it_says() {
    for file in ["python/bao_bot.py", "python/greedy_bot.py"] {
        let script = format!("import ast; ast.parse(open({file:?}).read(), feature_version=(3, 9))");
        let python = std::process::Command::new("python3")
            .args(["-c", &script])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        let Ok(parsed) = python else { return bao_tests::skip(file, "python3 is not installed") };
        assert!(parsed.success(), "{file}");
    }
}

/// Writes the tests of a library.
macro_rules! library {
    ($module:ident) => {
        mod $module {
            const LANGUAGE: &str = stringify!($module);

            #[test]
            fn the_rules_agree_with_every_vector() {
                super::agrees_with_every_vector(LANGUAGE);
            }

            #[test]
            fn the_rules_agree_with_the_core_in_games() {
                super::agrees_with_the_core_in_games(LANGUAGE);
            }

            #[test]
            fn a_long_sowing_is_known_from_an_endless_one() {
                super::knows_a_long_sowing_from_an_endless_one(LANGUAGE);
            }

            #[test]
            fn sequences_of_moves_are_as_many_as_the_core_counts() {
                super::counts_the_sequences_of_moves(LANGUAGE);
            }

            #[test]
            fn options_are_kept_and_bad_values_refused() {
                super::keeps_its_options(LANGUAGE);
            }

            #[test]
            fn a_seed_gives_the_same_game_again() {
                super::plays_the_same_game_by_the_same_seed(LANGUAGE);
            }
        }
    };
}

library!(python);
library!(javascript);
library!(c);

//! Tournament files: what is read, and how mistakes are shown.

use std::path::Path;

use bao_referee::plan::{Format, Openings, Plan, tournament, tournament_text};
use bao_referee::schedule::{Schedule, Total};
use proptest::prelude::*;

const GOOD: &str = "\
seed = 7
clock = \"60s+1s\"
grace = \"50ms\"

[format.swiss]
rounds = 3

[[game]]
name = \"bao-kingulu\"

[[bot]]
name = \"one\"
command = \"true\"

[[bot]]
name = \"two\"
command = \"true\"
clock = \"5s\"
";

fn read(text: &str) -> Result<Plan, String> {
    tournament_text(Path::new("cup.toml"), text, 1).map_err(|error| error.to_string())
}

/// Changes one thing in a good file, and returns the error.
fn mistake(old: &str, new: &str) -> String {
    assert!(GOOD.contains(old), "{old} is not in the file");
    read(&GOOD.replacen(old, new, 1)).expect_err("this is a mistake")
}

#[test]
fn a_file_says_what_is_played() {
    let plan = read(GOOD).unwrap();
    assert_eq!(plan.format, Format::Swiss { rounds: 3, pairs: 1 });
    assert_eq!(plan.seed, 7);
    let bots: Vec<(&str, String)> =
        plan.bots.iter().map(|bot| (bot.name.as_str(), bot.clock.to_string())).collect();
    assert_eq!(bots, [("one", "60s+1s".to_owned()), ("two", "5s".to_owned())]);
    assert_eq!(Schedule::new(&plan).unwrap().total(), Total::Exactly(6));
}

#[test]
fn the_example_in_the_documentation_is_a_good_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tournament.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    // The sample bots may not have been built yet.
    let text = text
        .replace("\"random-bot\"", "\"true\"")
        .replace("\"greedy-bot\"", "\"true\"")
        .replace("\"search-bot\"", "\"true\"");
    let plan = tournament_text(&path, &text, 1).unwrap();
    assert_eq!(
        plan.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>(),
        ["true", "greedy", "search"]
    );
    assert_eq!(plan.games[0].openings, Openings::Generated { plies: 4, count: None });
    assert_eq!(
        plan.bots[2].options,
        [("hash_mb", "16"), ("nodes", "10000")].map(|(name, value)| { (name.to_owned(), value.to_owned()) })
    );
    assert!(plan.adjudication.unwrap().resign.is_some());
    // Every format that its remarks show is one.
    for format in ["round_robin", "gauntlet", "swiss", "knockout", "sprt"] {
        let begin = text.find(&format!("#     [format.{format}]")).expect("the example shows every format");
        let lines = text[begin..].lines().take_while(|line| line.len() > 1 && line.starts_with('#'));
        let table: Vec<&str> = lines
            .map(|line| line.trim_start_matches(['#', ' ']))
            .map(|line| line.split("  ").next().unwrap_or_default())
            .map(|line| line.split(" or ").next().unwrap_or_default())
            .collect();
        let bots = if format == "sprt" { 2 } else { 3 };
        let mut file = format!("{}\n[[game]]\nname = \"bao-kigogo\"\n", table.join("\n"));
        for _ in 0..bots {
            file.push_str("[[bot]]\ncommand = \"true\"\n");
        }
        if let Err(error) = read(&file) {
            panic!("{error}");
        }
    }
}

#[test]
fn a_mistake_is_shown_in_its_line() {
    assert_eq!(
        mistake("rounds = 3", "rounds = 3\nbyes = 1"),
        "cup.toml, line 7, column 1: unknown keys in this table: byes, available keys: rounds, pairs\n   \
         |\n 7 | byes = 1\n   | ^^^^"
    );
    assert_eq!(
        mistake("\"50ms\"", "\"50\""),
        "cup.toml, line 3, column 9: \"50\" has no unit (\"50s\" or \"50ms\"?)\n   \
         |\n 3 | grace = \"50\"\n   |         ^^^^"
    );
}

#[test]
fn mistakes_name_what_would_be_right() {
    for (old, new, says) in [
        (
            "seed",
            "sed",
            "line 1, column 1: unknown key `sed`, expected one of `event`, `seed`, `format`, `game`",
        ),
        ("seed", "sed", "; did you mean `seed`?"),
        (
            "format.swiss",
            "format.swis",
            "unknown word `swis`, expected one of `round_robin`, `gauntlet`, `swiss`",
        ),
        ("rounds = 3", "pairs = 3", "missing key `rounds`"),
        ("rounds = 3", "rounds = 0", "rounds is 0; it must be from 1 to"),
        (
            "rounds = 3",
            "rounds = \"3\"",
            "line 6, column 10: wrong type: string \"3\", expected a whole number from 0",
        ),
        (
            "rounds = 3",
            "rounds = -3",
            "line 6, column 10: invalid value: integer `-3`, expected a whole number from 0",
        ),
        (
            "bao-kingulu",
            "chess",
            "line 9, column 8: unknown game \"chess\": known are bao-kigogo, bao-kingulu",
        ),
        ("\"two\"", "\"one\"", "line 16, column 8: another bot has this name"),
        (
            "\"two\"",
            "\"t\\u001bwo\"",
            "line 16, column 8: bad name for a bot: \"t\\u{1b}wo\" contains the invisible character \\u{1b}; use 1 to 100 visible characters",
        ),
        ("\"two\"", "\" \"", "line 16, column 8: bad name for a bot: \" \" is empty"),
        ("seed = 7", "seed = 7\nevent = \"\"", "line 2, column 9: bad name for the event: \"\" is empty"),
        ("seed = 7", "seed = 7\nevent = \"a\\nb\"", "line 2, column 9: bad name for the event: \"a\\nb\""),
        (
            "command = \"true\"\nclock",
            "command = \"true\"\nsandbox = [\"memory=1\"]\nclock",
            "line 18, column 11: \"1\" is less than any program can run in; give at least 16MiB, with its unit",
        ),
        (
            "command = \"true\"\nclock",
            "command = \"./nobody\"\nclock",
            "line 17, column 11: bot `./nobody` not found in /",
        ),
        ("command = \"true\"\nclock", "comand = \"true\"\nclock", "line 17, column 1: unknown key `comand`"),
        ("command = \"true\"\nclock", "clock", "missing key `command`"),
        ("command = \"true\"\nclock", "command = \"true\"\nsandbox = [\"memory=much\"]\nclock", "\"much\""),
        (
            "command = \"true\"\nclock",
            "command = \"true\"\noption = { depth = [1] }\nclock",
            "a text, a number",
        ),
        ("seed = 7", "seed = 7\nmax_plies = 0", "line 2, column 13: max_plies must be from 1 to 10000"),
        (
            "seed = 7",
            "seed = 7\nwithdraw_after = 0",
            "line 2, column 18: withdraw_after is 0; it must be at least 1",
        ),
        (
            "seed = 7",
            "seed = 7\nisolation = \"tight\"",
            "unknown word `tight`, expected one of `off`, `best-effort`",
        ),
        ("seed = 7", "seed = 7\nseed = 8", "line 2, column 1: duplicate key"),
        (
            "seed = 7",
            "seed = ",
            "line 1, column 8: the value is missing or not valid; write a number, true, false, or a text in quotes",
        ),
        (
            "name = \"bao-kingulu\"",
            "name = \"bao-kingulu\"\nopenings = { list = [\"A3\", \"A9\"] }",
            "bad opening \"A9\"",
        ),
        (
            "name = \"bao-kingulu\"",
            "name = \"bao-kingulu\"\nopenings = { file = \"none.txt\" }",
            "none.txt: no such file or directory; check the path",
        ),
        (
            "name = \"bao-kingulu\"",
            "name = \"bao-kingulu\"\nopenings = { random = { plies = 1, count = 9 } }",
            "only 4 different openings of 1 move",
        ),
        (
            "name = \"bao-kingulu\"",
            "name = \"bao-kingulu\"\nopenings = { book = 1 }",
            "unknown word `book`, expected one of `random`, `file`, `list`",
        ),
        (
            "[format.swiss]\nrounds = 3",
            "[format.gauntlet]\nchallengers = 2",
            "with 2 bots it must be from 1 to 1",
        ),
        (
            "[format.swiss]\nrounds = 3",
            "[format.sprt]\nelo0 = 5\nelo1 = 0",
            "elo0 (5) must be below elo1 (0)",
        ),
        (
            "[format.swiss]",
            "[format.knockout]\n[format.swiss]",
            "give exactly one format, for example [format.swiss]",
        ),
        (
            "[format.swiss]\nrounds = 3",
            "format = \"swiss\"",
            "write it as a table, for example [format.swiss]",
        ),
        ("[format.swiss]\nrounds = 3", "[adjudication.draw]\nmoves = 1\nscore = 0", "missing key `format`"),
    ] {
        let said = mistake(old, new);
        assert!(said.contains(says), "{old} -> {new}:\n{said}\ndoes not say: {says}");
    }
}

#[test]
fn relative_paths_begin_in_the_directory_of_the_file() {
    let place = std::env::temp_dir().join(format!("bao-tournament-file-{}", std::process::id()));
    std::fs::create_dir_all(place.join("bots")).unwrap();
    std::fs::write(place.join("openings.txt"), "# two openings\nA3\n\nA4  # a remark\n").unwrap();
    std::fs::copy("/bin/true", place.join("bots/bot")).unwrap();
    let file = place.join("cup.toml");
    let text = GOOD
        .replace("name = \"bao-kingulu\"", "name = \"bao-kingulu\"\nopenings = { file = \"openings.txt\" }")
        .replacen("command = \"true\"", "command = \"bots/bot --fast\"\nsandbox = [\"read=data\"]", 1);
    std::fs::write(&file, text).unwrap();
    let plan = tournament(&file, 1).unwrap();
    assert_eq!(plan.bots[0].command, [place.join("bots/bot").to_str().unwrap(), "--fast"]);
    assert_eq!(plan.bots[0].sandbox.readable, [place.join("data")]);
    assert_eq!(plan.bots[1].sandbox.directory.as_deref(), Some(place.as_path()));
    assert!(matches!(&plan.games[0].openings, Openings::Given { positions } if positions.len() == 2));
    std::fs::remove_dir_all(&place).unwrap();
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(
        at in any::<prop::sample::Index>(), cut in 0usize..20, junk in "\\PC{0,8}",
    ) {
        let mut at = at.index(GOOD.len());
        let mut end = (at + cut).min(GOOD.len());
        while !GOOD.is_char_boundary(at) { at -= 1; }
        while !GOOD.is_char_boundary(end) { end += 1; }
        if let Err(said) = read(&format!("{}{junk}{}", &GOOD[..at], &GOOD[end..])) {
            prop_assert!(said.starts_with("cup.toml"));
        }
    }
}

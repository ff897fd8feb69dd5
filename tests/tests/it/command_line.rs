//! What the command line answers: exit code, standard output and standard error, word for word.

use bao_tests::bots::hostile;
use bao_tests::{Ended, Place, Referee, program};

/// Shows all that a command has said, without what differs from machine to machine.
fn shown(ended: &Ended) -> String {
    let place = ended.place.dir().display().to_string();
    let part = |name: &str, text: &str| match text {
        "" => String::new(),
        text => format!("\n--- {name}\n{}", text.replace(&place, "[PLACE]").trim_end()),
    };
    format!("exit code {}{}{}", ended.code(), part("stdout", &ended.stdout), part("stderr", &ended.stderr))
}

/// What several commands have said, each under a heading.
#[derive(Default)]
struct Told(String);

impl Told {
    fn add(&mut self, heading: &str, said: &str) {
        self.0.extend(["# ", heading, "\n", said, "\n\n"]);
    }
}

fn says(arguments: &[&str]) -> String {
    shown(&Referee::new(arguments.iter().copied()).run())
}

#[test]
fn an_unknown_game_is_named_beside_those_that_there_are() {
    insta::assert_snapshot!(says(&["match", "chess", "random-bot", "greedy-bot"]));
}

#[test]
fn a_missing_argument_is_named() {
    let ended = Referee::new(["match", "bao-kigogo", "random-bot"]).draws_its_seed().run();
    insta::assert_snapshot!(shown(&ended));
}

#[test]
fn a_bot_that_is_nowhere_is_named_with_the_places_where_it_was_looked_for() {
    let mut told = Told::default();
    told.add("a bare name", &says(&["match", "bao-kigogo", "nobody-bot --fast", "greedy-bot"]));
    told.add("a path", &says(&["match", "bao-kigogo", "random-bot", "./nobody"]));
    told.add("an open quote", &says(&["match", "bao-kigogo", "python3 'bot.py", "greedy-bot"]));
    told.add("nothing", &says(&["match", "bao-kigogo", "", "greedy-bot"]));
    insta::assert_snapshot!(told.0);
}

#[test]
fn a_bot_that_cannot_be_run_is_named_with_the_way_out() {
    let mut told = Told::default();
    let place = Place::new();
    place.file("bot.py", "print('hello')\n");
    let ended = Referee::at(place, ["match", "bao-kigogo", "./bot.py", "greedy-bot"]).run();
    told.add("a script without the bit", &shown(&ended));
    told.add("a directory", &says(&["match", "bao-kigogo", "./tmp", "greedy-bot"]));
    insta::assert_snapshot!(told.0);
}

#[test]
fn a_program_that_the_system_will_not_start_is_a_setup_error_and_no_result() {
    let place = Place::new();
    place.file("bot", "#!/no/such/interpreter\n");
    let ended = Referee::plays_at(place, "bao-kigogo", "./bot", "greedy-bot").run();
    assert_eq!(ended.code(), 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("bot bot cannot be started"), "{}", ended.stderr);
    assert!(ended.games().is_empty());
}

#[test]
fn a_bad_clock_is_told_with_the_clocks_that_there_are() {
    let mut told = Told::default();
    let clock = |text: &str| says(&["match", "bao-kigogo", "random-bot", "greedy-bot", "--clock", text]);
    told.add("no unit", &clock("60"));
    told.add("nonsense", &clock("a while"));
    told.add("zero", &clock("0s"));
    told.add("longer than everything", &clock("99999999999999h"));
    insta::assert_snapshot!(told.0);
}

#[test]
fn a_bad_name_is_told_with_what_a_name_may_be() {
    let mut told = Told::default();
    let name = |name: &str| says(&["match", "bao-kingulu", "random-bot", "greedy-bot", "--first-name", name]);
    told.add("nothing", &name(""));
    told.add("a title for the terminal", &name("\u{1b}]0;champion\u{7}"));
    told.add("two lines", &name("one\ntwo"));
    told.add("the other direction", &name("\u{202e}tob"));
    told.add("101 letters", &name(&"ä".repeat(101)));
    insta::assert_snapshot!(told.0);
}

#[test]
fn a_name_in_any_script_is_shown_as_it_is() {
    let names = ["--first-name", "Bät-kete ハト", "--second-name", &"ä".repeat(100)];
    let ended = Referee::new(["match", "bao-kingulu", "random-bot", "greedy-bot", "--out", "record"])
        .with(names)
        .run()
        .exits(0);
    assert!(ended.stdout.contains("\nBät-kete ハト "), "{}", ended.stdout);
    let mut place = ended.place;
    for command in ["verify", "show", "report"] {
        let told = Referee::at(place, [command, "record"]).run().exits(0);
        assert!(told.stdout.contains("Bät-kete ハト"), "{command}: {}", told.stdout);
        place = told.place;
    }
}

#[test]
fn what_lies_beside_a_bot_is_warned_of() {
    let warned = |first: &str, second: &str, more: &[&str]| {
        let place = Place::new();
        for bot in [first, second] {
            let path = place.dir().join(bot);
            std::fs::create_dir_all(path.parent().expect("a bot lies in a directory")).expect("it is ours");
            std::fs::copy(program("random-bot"), path).expect("a program can be copied");
        }
        let ended = Referee::at(place, ["match", "bao-kingulu", first, second]).with(more.iter().copied());
        let ended = ended.run().exits(0);
        ["may read the files of", "may read the record"].map(|text| ended.stderr.contains(text))
    };
    let record = ["--out", "{place}/a/record"];
    assert_eq!(warned("./a/one", "./b/two", &["--out", "record"]), [false, false]);
    assert_eq!(warned("./a/one", "./a/two", &["--out", "record"]), [true, false]);
    assert_eq!(warned("./a/one", "./a/one", &[]), [false, false], "it may know itself");
    assert_eq!(warned("./a/one", "./b/two", &record), [false, true]);
    assert_eq!(warned("./a/one", "./a/two", &["--isolation", "off"]), [false, false], "nothing is hidden");
}

#[test]
fn a_bad_opening_is_told_with_the_place_that_is_wrong() {
    let mut told = Told::default();
    let opening = |text: &str| says(&["match", "bao-kigogo", "random-bot", "greedy-bot", "--opening", text]);
    told.add("an empty pit", &opening("A1"));
    told.add("no pit", &opening("A2 x9"));
    told.add("too few rows", &opening("2,2/2,2 S 0 0"));
    let over = "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 N 46 0";
    told.add("an end", &opening(over));
    insta::assert_snapshot!(told.0);
}

#[test]
fn other_bad_values_are_told_with_their_bounds() {
    let mut told = Told::default();
    let with = |option: &str, value: &str| {
        says(&["match", "bao-kigogo", "random-bot", "greedy-bot", &format!("{option}={value}")])
    };
    told.add("no games", &with("--games", "0"));
    told.add("no concurrency", &with("--concurrency", "0"));
    told.add("an option without a value", &with("--option", "weight"));
    told.add("a grace without a unit", &with("--grace", "50"));
    told.add("hardly any memory", &with("--sandbox", "memory=1"));
    told.add("no processor time", &with("--sandbox", "cpu-seconds=0"));
    insta::assert_snapshot!(told.0);
}

#[test]
fn the_directory_of_another_match_is_refused_with_the_difference() {
    let mut told = Told::default();
    let first = ["match", "bao-kingulu", "random-bot", "greedy-bot", "--out", "record", "--games"];
    let place = Referee::new(first).with(["2"]).run().exits(0).place;
    let other = Referee::at(place, first).with(["4"]).run();
    told.add("other games", &shown(&other));
    let other = Referee::at(other.place, first).with(["2", "--clock", "5s"]).run();
    told.add("another clock", &shown(&other));
    let many = ["2", "--seed", "7", "--grace", "1ms", "--second-option", "seed=3", "--random-plies", "2"];
    let other = Referee::at(other.place, first).with(many).run();
    told.add("all differences, the seed first", &shown(&other));
    insta::assert_snapshot!(told.0);
    let rows = other.games().len();
    let same = Referee::at(other.place, first).with(["2"]).run().exits(0);
    assert_eq!((same.games().len(), rows), (2, 2), "a finished match is left as it is");
}

#[test]
fn a_script_that_has_changed_since_is_refused_and_named() {
    let place = Place::new();
    place.file("bot.py", "print('once')\n");
    let first =
        ["match", "bao-kingulu", "python3 bot.py", "greedy-bot", "--out", "record", "--absent", "walkover"];
    let place = Referee::at(place, first).run().exits(0).place;
    let run = std::fs::read_to_string(place.dir().join("record/run.json")).expect("a record");
    assert!(run.contains("/bot.py\": \""), "{run}");
    let place = Referee::at(place, first).run().exits(0).place;
    place.file("bot.py", "print('twice')\n");
    let ended = Referee::at(place, first).run().exits(2);
    let told = &ended.stderr;
    assert!(
        told.contains("bot: /") && told.contains("/bot.py has changed since the start of the record"),
        "{told}"
    );
    std::fs::remove_file(ended.place.dir().join("bot.py")).expect("it is ours");
    let told = Referee::at(ended.place, first).run().exits(2).stderr;
    assert!(told.contains("/bot.py existed at the start of the record, and is missing now"), "{told}");
}

#[test]
fn scripts_that_are_missing_are_named_for_all_bots_before_anything_starts() {
    let place = Place::new();
    let first =
        ["match", "bao-kingulu", "perl nothere.pl", "sh -e ./nothere.sh", "--out", "record", "--sprt", "0,5"];
    let ended = Referee::at(place, first).run().exits(2);
    assert!(!ended.place.record().exists(), "a run that cannot begin leaves no record");
    let mut told = Told::default();
    told.add("a match", &shown(&ended));
    let file = "[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n[[bot]]\ncommand = \"random-bot\"\n\
                [[bot]]\ncommand = \"python3 -u bots/nothere.py\"\n[[bot]]\ncommand = \"python3 nothere\"\n";
    ended.place.file("cup.toml", file);
    told.add("a tournament", &shown(&Referee::at(ended.place, ["tournament", "cup.toml"]).run()));
    told.add("check", &says(&["check", "python3 nothere.py"]));
    told.add("play", &says(&["play", "bao-kingulu", "python3 nothere.py"]));
    insta::assert_snapshot!(told.0);
}

#[test]
fn a_file_that_was_not_there_at_the_start_makes_another_program() {
    let place = Place::new();
    let first = [
        "match",
        "bao-kingulu",
        "random-bot ./book.bin",
        "greedy-bot",
        "--out",
        "record",
        "--absent",
        "walkover",
    ];
    let place = Referee::at(place, first).run().exits(0).place;
    place.file("book.bin", "at last\n");
    let told = Referee::at(place, first).run().exits(2).stderr;
    assert!(told.contains("/book.bin was missing at the start of the record"), "{told}");
}

#[test]
fn a_record_is_continued_from_another_directory() {
    let place = Place::new();
    place.file("bots/bot.py", "print('once')\n");
    place.file("elsewhere/deep/note", "");
    let command = |to: &str| {
        let bot = format!("python3 {to}bots/bot.py");
        [
            "match",
            "bao-kingulu",
            &bot,
            "greedy-bot",
            "--out",
            "{place}/record",
            "--absent",
            "walkover",
            "--sandbox",
        ]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("read={to}bots")])
        .collect::<Vec<_>>()
    };
    let run = |place: Place, directory: &str, to: &str| {
        let command = command(to);
        Referee::at(place, command.iter().map(String::as_str)).directory(directory).run().exits(0).place
    };
    let place = run(place, "", "");
    let place = run(place, "elsewhere/deep", "../../");
    let place = run(place, "elsewhere", "../");
    place.file("elsewhere/bots/bot.py", "print('another')\n");
    let other = command("");
    let other = Referee::at(place, other.iter().map(String::as_str)).directory("elsewhere").run().exits(2);
    assert!(other.stderr.contains("command of bot: "), "{}", other.stderr);
}

#[test]
fn a_directory_of_something_else_is_refused() {
    let place = Place::new();
    place.file("notes.txt", "mine");
    let ended = Referee::at(place, ["match", "bao-kingulu", "random-bot", "greedy-bot", "--out", "."]).run();
    insta::assert_snapshot!(shown(&ended));
}

#[test]
fn a_record_that_cannot_be_written_has_an_exit_code_of_its_own() {
    let place = Place::new();
    place.file("file", "");
    let ended =
        Referee::at(place, ["match", "bao-kingulu", "random-bot", "greedy-bot", "--out", "file/record"])
            .run();
    insta::assert_snapshot!(shown(&ended));
}

#[test]
fn a_record_that_cannot_be_read_is_named_with_the_line() {
    let place = Place::new();
    std::fs::create_dir(place.record()).expect("a test's own directory is writable");
    place.file("record/run.json", "{\"record\":1\n");
    let ended = Referee::at(place, ["match", "bao-kingulu", "random-bot", "greedy-bot", "--out", "record"])
        .unverified()
        .run();
    insta::assert_snapshot!(shown(&ended));
}

#[test]
fn a_result_is_readable_and_comes_out_the_same_again() {
    let play = || says(&["match", "bao-kingulu", "random-bot", "greedy-bot", "--games", "4", "--seed", "7"]);
    let first = play();
    assert_eq!(first, play());
    insta::assert_snapshot!(first);
}

#[test]
fn a_fault_is_told_in_the_result() {
    let bot = hostile("exit_mid_game --code 7");
    let ended = Referee::new(["match", "bao-kingulu", &bot, "greedy-bot", "--games", "1"]).run();
    insta::assert_snapshot!(shown(&ended));
}

#[test]
fn moves_perft_and_schema_refuse_what_they_cannot_read() {
    let mut told = Told::default();
    told.add("moves", &says(&["moves", "bao-kingulu", "4,4,4/4,4,4 S 0 0"]));
    told.add("perft", &says(&["perft", "bao-kigogo", "2", "--position", "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0"]));
    told.add("schema", &says(&["schema", "nope"]));
    insta::assert_snapshot!(told.0);
    let lines =
        Referee::new(["moves", "bao-kingulu"]).reads("4,4,4,4,4,4/4,4,4,4,4,4 S 0 0\n\n4 S 0 0\n").run();
    assert_eq!(lines.code(), 2);
    assert!(lines.stderr.contains("line 3: "), "{}", lines.stderr);
}

/// A sowing from here lasts for millions of laps; no game comes here.
const ENDLESS: &str =
    "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/1,2,1,4,3,2,1,0,5,4,3,2/4,1,4,3,27,4,3,0,4,0,2,5 S 0 0";

#[test]
fn a_position_to_which_no_game_comes_is_refused_with_the_reason() {
    let game = "bao-kigogo";
    let commands: [&[&str]; 4] = [
        &["moves", game, ENDLESS],
        &["moves", game],
        &["match", game, "random-bot", "random-bot", "--opening", ENDLESS],
        &["play", game, "random-bot", "--position", ENDLESS],
    ];
    for command in commands {
        let ended = Referee::new(command.iter().copied()).reads(&format!("{ENDLESS}\n")).run();
        assert_eq!(ended.code(), 2, "{command:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("more than the 46"), "{command:?}: {}", ended.stderr);
    }
}

#[test]
fn the_log_shows_each_seam_of_a_game_where_it_is_asked_for() {
    let ended = Referee::new(["match", "bao-kingulu", "random-bot", "greedy-bot", "--games", "1"])
        .env("REFEREE_LOG", "debug")
        .run()
        .exits(0);
    for seam in ["start", "greet", "ask", "verdict", "bury"] {
        assert!(
            ended.stderr.contains(&format!(": {seam} ")) || ended.stderr.contains(&format!(": {seam}\n")),
            "{seam}"
        );
    }
}

#[test]
fn what_was_probably_meant_is_suggested() {
    let told = |arguments: &[&str]| Referee::new(arguments.iter().copied()).run().exits(2).stderr;
    assert!(told(&["match", "bao-kigogo", "gredy-bot", "random-bot"]).contains("did you mean `greedy-bot`?"));
    assert!(told(&["mach"]).contains("'match'"));
    assert!(told(&["match", "bao-kigogu", "random-bot", "greedy-bot"]).contains("'bao-kigogo'"));
    assert!(told(&["schema", "wire-lines"]).contains("did you mean `wire-line`?"));
    let place = Place::new();
    place.file("bot", "");
    let here = Referee::at(place, ["check", "bot"]).run().exits(2).stderr;
    assert!(here.contains("to use the file in the current directory, write ./bot"), "{here}");
}

#[test]
fn a_tilde_is_the_home_directory_and_a_byte_order_mark_is_no_opening() {
    let place = Place::new();
    std::fs::copy(program("random-bot"), place.dir().join("mine")).expect("a program can be copied");
    place.file("openings.txt", "\u{feff}A3\nA4\n");
    let home = place.dir().display().to_string();
    let arguments = ["match", "bao-kingulu", "~/mine", "random-bot", "--openings", "openings.txt"];
    let ended = Referee::at(place, arguments).env("HOME", &home).run().exits(0);
    assert!(ended.stdout.contains("mine"), "{}", ended.stdout);
}

#[test]
fn a_directory_that_is_not_utf_8_is_refused_and_named() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let strange = place.dir().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&strange).expect("a test's own directory is writable");
    std::fs::copy(program("random-bot"), strange.join("bot")).expect("a program can be copied");
    let ended = std::process::Command::new(program("referee"))
        .args(["match", "bao-kingulu", "./bot", "random-bot", "--out", "record"])
        .current_dir(&strange)
        .output()
        .expect("the referee can be started");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{told}");
    assert!(told.contains("is not UTF-8"), "{told}");
}

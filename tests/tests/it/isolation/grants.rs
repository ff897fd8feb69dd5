//! What an author's bytes lead to: nothing that the organiser has not named.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use bao_tests::{Ended, Place, Referee, program};

/// An opponent with an engine, and a thief's directory.
fn event() -> Place {
    let place = Place::new();
    for name in ["opponent", "thief", "real", "link"] {
        let directory = place.dir().join(name);
        fs::create_dir(&directory).expect("a test's own directory is writable");
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    for name in ["opponent/engine", "real/engine"] {
        fs::copy(program("greedy-bot"), place.dir().join(name)).expect("there is a greedy-bot");
    }
    place
}

fn script(place: &Place, name: &str, text: &str) {
    let path = place.dir().join(name);
    fs::write(&path, text).expect("a test's own directory is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

fn plays(place: Place, bot: &str) -> Ended {
    let arguments = ["match", "bao-kingulu", bot, "opponent/engine", "--games", "2", "--max-plies", "20"];
    Referee::at(place, arguments).with(["--out", "{place}/record"]).run()
}

/// Checks that a bot that wants the opponent's engine does not start.
fn assert_is_refused(place: Place, bot: &str) {
    let ended = plays(place, bot).exits(2);
    assert!(ended.stderr.contains("which belongs to another bot"), "{bot}: {}", ended.stderr);
}

#[test]
fn a_link_to_the_opponents_engine_is_refused() {
    let place = event();
    symlink("../opponent/engine", place.dir().join("thief/engine")).expect("links can be made");
    assert_is_refused(place, "thief/engine");
}

#[test]
fn a_link_to_the_opponents_directory_is_refused() {
    let place = event();
    symlink("../opponent", place.dir().join("thief/engines")).expect("links can be made");
    assert_is_refused(place, "thief/engines/engine");
}

#[test]
fn a_link_to_a_third_bots_engine_is_refused_in_a_tournament() {
    let place = event();
    symlink("../opponent/engine", place.dir().join("thief/engine")).expect("links can be made");
    let bots = ["thief/engine", "real/engine", "opponent/engine"];
    let bots = bots.map(|bot| format!("[[bot]]\ncommand = \"{bot}\"\n")).concat();
    place.file(
        "cup.toml",
        &format!("[format.round_robin]\ncycles = 1\n[[game]]\nname = \"bao-kingulu\"\nopenings = {{ random = {{ plies = 2 }} }}\n{bots}"),
    );
    let ended =
        Referee::at(place, ["tournament", "cup.toml", "--out", "{place}/record"]).unverified().run().exits(2);
    assert!(ended.stderr.contains("which belongs to another bot"), "{}", ended.stderr);
}

#[test]
fn a_first_line_that_names_the_opponents_engine_is_refused() {
    let place = event();
    let engine = place.dir().join("opponent/engine");
    script(&place, "thief/run", &format!("#!{}\n", engine.display()));
    assert_is_refused(place, "thief/run");
    let place = event();
    let engine = place.dir().join("opponent/engine");
    script(&place, "thief/run", &format!("#!/usr/bin/env -S -u {} /bin/sh\nexec {0}\n", engine.display()));
    assert_is_refused(place, "thief/run");
}

#[test]
fn a_script_that_runs_the_opponents_engine_may_not() {
    let place = event();
    let engine = place.dir().join("opponent/engine");
    script(&place, "thief/run", &format!("#!/bin/sh\nexec {}\n", engine.display()));
    let arguments = ["match", "bao-kingulu", "thief/run", "opponent/engine", "--absent", "walkover"];
    let ended = Referee::at(place, arguments).with(["--out", "{place}/record"]).run().exits(0);
    if let Some(why) = ended.gap("files") {
        return bao_tests::skip("a_script_that_runs_the_opponents_engine_may_not", &why);
    }
    assert!(ended.stdout.contains("crash 2"), "{}", ended.stdout);
}

#[test]
fn a_link_that_the_organiser_names_works_and_is_told() {
    let place = event();
    symlink("../real/engine", place.dir().join("link/engine")).expect("links can be made");
    let ended = plays(place, "link/engine").exits(0);
    assert!(ended.stderr.contains("because a link in its command leads there"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("crash"), "{}", ended.stdout);
}

#[test]
fn a_script_by_way_of_env_works() {
    let place = event();
    fs::copy(program("random-bot"), place.dir().join("thief/engine")).expect("there is a random-bot");
    script(&place, "thief/run", "#!/usr/bin/env -S sh -e\nexec \"${0%/*}/engine\"\n");
    let ended = plays(place, "thief/run").exits(0);
    assert!(!ended.stdout.contains("crash"), "{}", ended.stdout);
}

#[test]
fn a_record_is_warned_of_where_it_really_lies_in_a_bots_directory() {
    for (out, warned) in [("thief/../record", false), ("around/opponent/record", true)] {
        let place = event();
        symlink(".", place.dir().join("around")).expect("links can be made");
        let arguments =
            ["match", "bao-kingulu", "random-bot", "opponent/engine", "--games", "1", "--out", out];
        let ended = Referee::at(place, arguments).unverified().run().exits(0);
        assert_eq!(ended.stderr.contains("may read the record"), warned, "{out}: {}", ended.stderr);
    }
}

#[test]
fn doctor_lists_what_a_bot_may_read_write_and_run() {
    let place = event();
    let bot = place.dir().join("opponent/engine").display().to_string();
    let ended = Referee::at(place, ["doctor", &bot]).run();
    let text = &ended.stdout;
    assert!(
        text.contains("engine may read and run") && text.contains("opponent  (the command names it)"),
        "{text}"
    );
    assert!(text.contains("/usr ") && text.contains("and write"), "{text}");
}

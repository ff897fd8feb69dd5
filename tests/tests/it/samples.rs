//! The sample bots of every language, isolated as bots are unless somebody says otherwise.

use std::path::Path;
use std::process::Command;

use bao_tests::{Place, Referee, skip};

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots");

/// Plays both games against a bot of our own.
fn check(place: Place, bot: &str) {
    let mut place = place;
    for game in ["bao-kigogo", "bao-kingulu"] {
        // Interpreters may take more processor time to start than a test should, but not more memory of ours.
        let ended = Referee::at(place, ["match", game, bot, "greedy-bot", "--json", "--out"])
            .with([&*format!("{{place}}/{game}"), "--clock", "30s", "--max-plies", "60"])
            .run()
            .exits(0);
        let rows = ended.told();
        assert_eq!(rows.len(), 2, "{bot}: {game}");
        for row in &rows {
            assert!(
                !row.reason.is_fault() && row.plies > 0,
                "{bot}: {game}: {} {:?}",
                row.reason,
                row.detail
            );
        }
        place = ended.place;
    }
}

fn interpreted(program: &str, script: &str) {
    if Command::new(program).arg("--version").output().is_err() {
        return skip(script, &format!("{program} is not installed"));
    }
    assert!(Path::new(BOTS).join(script).is_file(), "{script}");
    check(Place::new(), &format!("{program} {BOTS}/{script}"));
}

#[test]
fn the_bot_in_python_plays() {
    interpreted("python3", "python/random_bot.py");
}

#[test]
fn the_bot_in_javascript_plays() {
    interpreted("node", "javascript/random_bot.mjs");
}

#[test]
fn the_bot_in_bash_plays() {
    interpreted("bash", "bash/random_bot.sh");
}

#[test]
fn the_bot_in_c_plays() {
    let place = Place::new();
    let program = place.dir().join("random_bot");
    let source = format!("{BOTS}/c/random_bot.c");
    match Command::new("cc").arg("-O1").arg("-o").arg(&program).arg(&source).status() {
        Ok(status) => assert!(status.success(), "{source} does not compile"),
        Err(error) => return skip("the_bot_in_c_plays", &format!("there is no C compiler ({error})")),
    }
    check(place, "./random_bot");
}

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

/// Compiles a bot in a place of its own with a compiler's command, of which the last word is the source, and plays it.
fn compiled(command: &[&str], bot: &str) {
    let place = Place::new();
    let [compiler, arguments @ .., source] = command else { panic!("{command:?}") };
    let built = Command::new(compiler)
        .args(arguments)
        .arg(Path::new(BOTS).join(source))
        .current_dir(place.dir())
        .env("GOTOOLCHAIN", "local")
        .output();
    match built {
        Ok(output) => assert!(output.status.success(), "{source} does not compile: {output:?}"),
        Err(error) => return skip(source, &format!("{compiler} is not installed ({error})")),
    }
    check(place, bot);
}

#[test]
fn the_bot_in_c_plays() {
    compiled(&["cc", "-O1", "-o", "random_bot", "c/random_bot.c"], "./random_bot");
}

#[test]
fn the_bot_in_cpp_plays() {
    let strict = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror"];
    compiled(&[&["c++"], &strict[..], &["-o", "random_bot", "cpp/random_bot.cpp"]].concat(), "./random_bot");
}

#[test]
fn the_bot_in_go_plays() {
    compiled(&["go", "build", "-o", "random_bot", "go/random_bot.go"], "./random_bot");
}

#[test]
fn the_bot_in_java_plays() {
    compiled(
        &["javac", "-Xlint:all", "-Werror", "-d", "classes", "java/RandomBot.java"],
        "java -Xmx256m -XX:+UseSerialGC -cp {place}/classes RandomBot",
    );
}

#[test]
fn the_bot_in_csharp_plays() {
    compiled(&["mcs", "-warnaserror", "-out:RandomBot.exe", "csharp/RandomBot.cs"], "mono RandomBot.exe");
}

//! The sample bots of every language, isolated as strictly as the machine can: as root, and as an ordinary user.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use bao_tests::{Place, Referee, program, skip};

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots");

/// Plays both games against a bot of our own, and one more as an ordinary user.
///
/// The bot's command line names `{bots}`, a copy of the sample bots that every user can read.
fn check(place: Place, bot: &str) {
    copy(Path::new(BOTS), &place.dir().join("bots"));
    let mut place = place;
    let bot = bot.replace("{bots}", "bots");
    let strict = Referee::at(Place::new(), ["doctor"]).run().code() == 0;
    for game in ["bao-kigogo", "bao-kingulu"] {
        // Interpreters may take more processor time to start than a test should, but not more memory of ours.
        let level = if strict { "strict" } else { "best-effort" };
        let ended = Referee::at(place, ["match", game, &bot, "greedy-bot", "--json", "--isolation", level])
            .with(["--out", &*format!("{{place}}/{game}"), "--clock", "30s", "--max-plies", "60"])
            .with(["--handshake", "60s"])
            .run()
            .exits(0);
        let rows = ended.told();
        assert_eq!(rows.len(), 2, "{bot}: {game}");
        for row in &rows {
            let why = format!("{bot}: {game}: {} {:?}", row.reason, row.detail);
            assert!(!row.reason.is_fault() && row.plies > 0, "{why}");
        }
        place = ended.place;
    }
    as_an_ordinary_user(&place, &bot);
}

/// Plays a match as a user without rights.
fn as_an_ordinary_user(place: &Place, bot: &str) {
    let test = format!("{bot} as an ordinary user");
    if !rustix::process::geteuid().is_root() {
        return skip(&test, "only root can become another user");
    }
    let home = place.dir().join("home");
    std::fs::create_dir_all(&home).expect("the place is writable");
    for (directory, mode) in [(place.dir(), 0o755), (&home, 0o777)] {
        let open = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(directory, open).expect("the place is ours");
    }
    let as_user = |words: &[&str]| {
        Command::new("setpriv")
            .args(["--reuid=65533", "--regid=65533", "--clear-groups"])
            .args(words)
            .current_dir(place.dir())
            .env("HOME", &home)
            .env("TMPDIR", &home)
            .env("BAO_TEST_MARK", place.mark())
            .output()
    };
    let referee = program("referee");
    let referee = referee.to_str().expect("its path is plain");
    let Ok(there) = as_user(&["test", "-x", referee]) else { return skip(&test, "there is no setpriv") };
    if !there.status.success() {
        return skip(&test, "this directory is closed to other users");
    }
    let play = [referee, "match", "bao-kingulu", bot, "random-bot", "--json", "--clock", "30s"];
    let output = as_user(&[&play[..], &["--max-plies", "40", "--handshake", "60s"]].concat());
    let output = output.expect("it was started before");
    let said = String::from_utf8_lossy(&output.stdout);
    let told = format!("{test}: {said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}");
    let events = said.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an event"));
    let games: Vec<_> = events.filter(|event| event["event"] == "game").collect();
    assert_eq!(games.len(), 2, "{told}");
    assert!(games.iter().all(|game| game["fault"].is_null() && game["plies"] != 0), "{told}");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the place is writable");
    for entry in std::fs::read_dir(from).expect("the sources are there").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(path, to).expect("the place is writable");
        }
    }
}

/// Plays a bot that needs no compiler: by a program, perhaps with an option, which says its version by this option.
fn interpreted(command: &str, version: &str, script: &str) {
    let (program, option) = command.split_once(' ').unwrap_or((command, ""));
    // An interpreter that is closed to other users can be had too, and is not the system's.
    let systems = Path::new("/usr/bin").join(program);
    let program = if systems.exists() { systems.to_str().expect("its path is plain") } else { program };
    if Command::new(program).arg(version).output().is_err() {
        return skip(script, &format!("{program} is not installed"));
    }
    assert!(Path::new(BOTS).join(script).is_file(), "{script}");
    check(Place::new(), &format!("{program} {option} {{bots}}/{script}"));
}

#[test]
fn the_bot_in_python_plays() {
    interpreted("python3", "--version", "python/random_bot.py");
}

#[test]
fn the_bot_in_javascript_plays() {
    interpreted("node", "--version", "javascript/random_bot.mjs");
}

#[test]
fn the_bot_in_bash_plays() {
    interpreted("bash", "--version", "bash/random_bot.sh");
}

#[test]
fn the_bot_in_perl_plays() {
    interpreted("perl", "-v", "perl/random_bot.pl");
}

#[test]
fn the_bot_in_ruby_plays() {
    interpreted("ruby", "--version", "ruby/random_bot.rb");
}

#[test]
fn the_bot_in_lua_plays() {
    let program = ["lua", "lua5.4", "lua5.3", "lua5.1"];
    let there = |program: &&str| Command::new(program).arg("-v").output().is_ok();
    interpreted(program.into_iter().find(there).unwrap_or("lua"), "-v", "lua/random_bot.lua");
}

#[test]
fn the_bot_in_php_plays() {
    interpreted("php", "--version", "php/random_bot.php");
}

#[test]
fn the_bot_in_ocaml_plays() {
    interpreted("ocaml", "-version", "ocaml/random_bot.ml");
}

#[test]
fn the_bot_in_common_lisp_plays() {
    interpreted("sbcl --script", "--version", "lisp/random_bot.lisp");
}

#[test]
fn the_bot_in_erlang_plays() {
    interpreted("escript", "-h", "erlang/random_bot.escript");
}

#[test]
fn the_bot_in_r_plays() {
    interpreted("Rscript", "--version", "r/random_bot.R");
}

#[test]
fn the_bot_in_julia_plays() {
    interpreted("julia", "--version", "julia/random_bot.jl");
}

#[test]
fn the_bot_in_haskell_plays_without_a_compiled_program() {
    interpreted("runghc", "--version", "haskell/RandomBot.hs");
}

#[test]
fn the_bot_in_java_plays_without_a_compiled_program() {
    interpreted("java", "-version", "java/RandomBot.java");
}

#[test]
fn the_bot_in_go_plays_without_a_compiled_program() {
    if Command::new("go").arg("version").output().is_err() {
        return skip("go run", "go is not installed");
    }
    check(Place::new(), "go run {bots}/go/random_bot.go");
}

#[test]
fn a_module_in_go_plays_without_a_compiled_program() {
    if Command::new("go").arg("version").output().is_err() {
        return skip("go run DIRECTORY", "go is not installed");
    }
    let place = Place::new();
    let source = std::fs::read_to_string(Path::new(BOTS).join("go/random_bot.go")).expect("the bot");
    place.file("mine/main.go", &source);
    place.file("mine/go.mod", "module example.org/mine\n\ngo 1.18\n");
    check(place, "go run ./mine");
}

#[test]
fn the_bot_in_rust_plays() {
    let place = Place::new();
    std::fs::copy(program("random-bot"), place.dir().join("random_bot")).expect("the place is writable");
    check(place, "./random_bot");
}

/// Compiles a bot in a place of its own with a compiler's command, of which the last word is the source, and plays it.
fn compiled(command: &[&str], bot: &str) {
    let place = Place::new();
    let [compiler, arguments @ .., source] = command else { panic!("{command:?}") };
    let copy = place.dir().join(Path::new(source).file_name().expect("a file"));
    std::fs::copy(Path::new(BOTS).join(source), &copy).expect("the place is writable");
    let built = Command::new(compiler)
        .args(arguments)
        .arg(copy)
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
fn the_bot_in_haskell_plays() {
    let strict = ["-O0", "-Wall", "-Werror", "-rtsopts", "-o", "random_bot"];
    compiled(&[&["ghc"], &strict[..], &["haskell/RandomBot.hs"]].concat(), "./random_bot +RTS -M512m");
}

#[test]
fn the_bot_in_java_plays() {
    // As people write it: a class path that is a word without a dot or a slash.
    let compiler = ["javac", "-Xlint:all", "-Werror", "-d", "classes", "java/RandomBot.java"];
    compiled(&compiler, "java -cp classes RandomBot");
}

#[test]
fn the_bot_in_csharp_plays() {
    compiled(&["mcs", "-warnaserror", "-out:RandomBot.exe", "csharp/RandomBot.cs"], "mono RandomBot.exe");
}

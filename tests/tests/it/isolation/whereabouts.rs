//! What a bot finds around itself.

use bao_protocol::record::Channel;
use bao_tests::bots::{CLEAN, hostile};
use bao_tests::{Ended, Referee, skip};

fn environment(arguments: &[&str]) -> (Ended, impl Fn(&str) -> String) {
    let ended = Referee::plays("bao-kingulu", &hostile("env_leak"), CLEAN)
        .env("SECRET_TOKEN", "x")
        .with(["--games", "1"])
        .with(arguments.iter().copied())
        .run()
        .exits(0);
    let told = ended.said(1, Channel::SouthStderr).concat();
    let line = move |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned));
        line.unwrap_or_else(|| panic!("{name} is not told: {told}"))
    };
    (ended, line)
}

#[test]
fn the_environment_is_a_short_list() {
    let (_ended, line) = environment(&["--first-sandbox", "env=LEVEL=9"]);
    let variables = line("variables");
    let limits = ["DOTNET_GCHeapHardLimit", "GOMEMLIMIT", "JDK_JAVA_OPTIONS", "NODE_OPTIONS"];
    let known = [&["PATH", "LANG", "TZ", "HOME", "TMPDIR", "USER", "LOGNAME", "LEVEL"][..], &limits].concat();
    let strange: Vec<&str> = variables
        .split(' ')
        .filter(|name| !known.contains(name) && !name.starts_with("LC_") && !name.starts_with("BAO_"))
        .filter(|name| !name.starts_with("REFEREE"))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
    assert!(variables.split(' ').any(|name| name == "LEVEL"), "what is set for it is there: {variables}");
    assert!(!variables.contains("BAO_TEST_MARK"), "{variables}");
}

#[test]
fn only_the_three_pipes_are_open() {
    let (_ended, line) = environment(&[]);
    assert_eq!(line("files"), "0 1 2");
}

#[test]
fn the_working_directory_is_private_and_gone_afterwards() {
    let (ended, line) = environment(&[]);
    let directory = line("directory");
    assert_ne!(directory, ended.place.dir().display().to_string());
    assert!(!std::path::Path::new(&directory).exists(), "{directory} is still there");
    let left: Vec<_> =
        std::fs::read_dir(ended.place.dir().join("tmp")).expect("it is there").flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_record_names_each_promise_with_what_keeps_it_or_why_not() {
    let (ended, _) = environment(&[]);
    for promise in [
        "kill_tree",
        "memory",
        "processes",
        "cpu_time",
        "processor_share",
        "network",
        "files",
        "other_processes",
        "output",
    ] {
        assert!(!ended.kept_by(promise).is_empty() || ended.gap(promise).is_some(), "{promise}");
    }
}

#[test]
fn strict_isolation_starts_only_where_every_promise_is_kept() {
    let referee =
        Referee::plays("bao-kingulu", CLEAN, "greedy-bot").with(["--isolation", "strict", "--games", "1"]);
    let ended = referee.run();
    if ended.code() == 0 {
        assert_eq!(ended.games().len(), 1);
        return;
    }
    assert_eq!(ended.code(), 2, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("--isolation strict is not possible on this machine: not kept: "),
        "{}",
        ended.stderr
    );
    skip("strict_isolation_plays", ended.stderr.trim());
}

#[test]
fn a_bot_that_cannot_be_isolated_as_asked_is_a_setup_error_and_no_result() {
    let ended = Referee::plays("bao-kingulu", CLEAN, "greedy-bot")
        .with(["--first-sandbox", "read=/no/such/place"])
        .run()
        .exits(2);
    assert!(ended.stderr.contains("/no/such/place"), "{}", ended.stderr);
    assert!(!ended.place.record().join("games.jsonl").exists() || ended.games().is_empty());
}

//! Bots that lay hands on their opponent, on the referee, or on what starts processes.

use bao_tests::program;

use super::{assert_possible_without, assert_refused, intruder, intruder_at, python_intruder};

fn check(promise: &str, kind: &str) {
    assert_refused(&format!("{kind}_is_refused"), promise, &intruder(kind));
}

#[test]
fn looking_into_the_opponent_is_refused() {
    for kind in ["opponent_environ", "opponent_memory", "opponent_files", "opponent_stdin"] {
        assert_possible_without(&intruder(kind));
        check("other_processes", kind);
    }
}

#[test]
fn looking_into_the_referee_is_refused() {
    for kind in ["referee_environ", "referee_memory"] {
        assert_possible_without(&intruder(kind));
        check("other_processes", kind);
    }
}

#[test]
fn signals_to_others_are_refused() {
    for kind in ["kill_opponent", "stop_opponent", "kill_referee"] {
        check("other_processes", kind);
    }
}

#[test]
fn limits_and_priorities_of_the_opponent_stay_as_they_are() {
    for kind in ["prlimit_opponent", "nice_opponent"] {
        assert_possible_without(&intruder(kind));
        check("other_processes", kind);
    }
}

#[test]
fn tracing_anybody_is_refused() {
    for kind in ["ptrace", "process_vm_readv", "pidfd_getfd"] {
        assert_possible_without(&python_intruder(kind));
        assert_refused(&format!("{kind}_is_refused"), "other_processes", &python_intruder(kind));
    }
}

#[test]
fn leaving_the_session_or_the_group_is_refused() {
    check("kill_tree", "setsid");
    check("kill_tree", "setpgid");
}

#[test]
fn ways_around_the_filter_are_refused() {
    assert_possible_without(&python_intruder("io_uring"));
    for kind in ["io_uring", "namespace"] {
        assert_refused(&format!("{kind}_is_refused"), "network", &python_intruder(kind));
    }
}

#[test]
fn files_of_others_cannot_be_read_listed_or_written() {
    let place = bao_tests::Place::new();
    let secret = place.file("secret", "nobody's business");
    let attempts = [
        intruder_at("read", &secret),
        intruder_at("write", &secret),
        intruder_at("write", &place.dir().join("new")),
        intruder_at("list", place.dir()),
    ];
    for bot in &attempts {
        assert_possible_without(bot);
        assert_refused("files_of_others_cannot_be_read_listed_or_written", "files", bot);
    }
    let text = std::fs::read_to_string(&secret).expect("the file is still there");
    assert_eq!(text, "nobody's businessxx", "only the attempt without isolation has written");
}

#[test]
fn the_program_that_is_played_against_cannot_be_changed() {
    for name in ["random-bot", "hostile", "referee"] {
        let bot = intruder_at("write", &program(name));
        assert_refused("the_program_that_is_played_against_cannot_be_changed", "files", &bot);
    }
}

#[test]
fn what_a_bot_may_read_or_write_by_its_settings_it_can() {
    let place = bao_tests::Place::new();
    let file = place.file("book", "an opening book");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(&file, open).expect("the file is ours");
    let passable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(place.dir(), passable).expect("the directory is ours");
    for kind in ["read", "write"] {
        let bot = intruder_at(kind, &file);
        let ended = super::play(&bot, &["--first-sandbox", &format!("{kind}={}", file.display())]);
        assert_eq!(super::tell(&ended), super::Attempt::Done, "{kind}");
    }
}

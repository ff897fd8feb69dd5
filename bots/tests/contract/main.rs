//! The bot libraries are one contract: given the same messages, the same bot in every language answers the same.
//!
//! `contract_bot.*`, and [`bot::ContractBot`] here, say what their library tells them. `../data/contract.jsonl` holds the
//! cases, one a line. All of them go to a bot as one conversation, whose answers are known beforehand.

mod bot;
#[path = "../kit/compile.rs"]
mod compile;
mod script;
mod table;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use script::Script;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// Makes the command of the bot in a language; `None` where the language is not installed.
fn bot_in(language: &str, folder: &Path) -> Option<Command> {
    let mut command = match language {
        "python" => {
            let mut command = Command::new("python3");
            command.arg("tests/contract/contract_bot.py").env("PYTHONPATH", "python");
            command
        }
        "javascript" => {
            let mut command = Command::new("node");
            command.arg("tests/contract/contract_bot.mjs");
            command.env("BAO_LIBRARY", format!("{FOLDER}/javascript/bao_bot.mjs"));
            command
        }
        "c" => Command::new(compile::compile("tests/contract/contract_bot.c", folder)?),
        other => panic!("there is no library for {other}"),
    };
    command.current_dir(FOLDER).env_remove("PYTHONUNBUFFERED");
    Some(command)
}

/// Runs a bot to its end; `None` where its language is not installed.
fn run(language: &str, arguments: &[&str], sent: &[u8]) -> Option<Output> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = folder.path().join("input");
    File::create(&input).and_then(|mut file| file.write_all(sent)).expect("a temporary file");
    let mut command = bot_in(language, folder.path())?;
    command.args(arguments).stdin(File::open(&input).expect("it was just written"));
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bao_tests::skip(&format!("the contract in {language}"), "its interpreter is not installed");
            None
        }
        Err(error) => panic!("{language}: {error}"),
    }
}

fn keeps_the_contract(language: &str) {
    let script = Script::new();
    let Some(output) = run(language, &[], &script.sent) else { return };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    script.compare(&output.stdout);
    assert_eq!(errors.trim(), "lost by illegal_move: a12 is empty");
    for (arguments, error) in [
        (&["--depth", "10"][..], "contract-bot: --depth 10: option depth must be from 1 to 9"),
        (&["--seed", "x"], "contract-bot: --seed x: option seed must be a whole number"),
        (&["--seed", "7", "--book"], "contract-bot: --book: not --OPTION VALUE"),
        (
            &["--color", "red"],
            "contract-bot: --color red: option color is unknown; the options are seed depth wide book style ask note",
        ),
    ] {
        let output = run(language, arguments, &[]).expect("it ran before");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).trim(), error);
    }
}

#[test]
fn rust_keeps_the_contract() {
    let script = Script::new();
    let mut said = Vec::new();
    ::bot::converse(&mut bot::ContractBot, &bot::identity(), script.sent.as_slice(), &mut said)
        .expect("a conversation");
    script.compare(&said);
}

#[test]
fn python_keeps_the_contract() {
    keeps_the_contract("python");
}

#[test]
fn javascript_keeps_the_contract() {
    keeps_the_contract("javascript");
}

#[test]
fn c_keeps_the_contract() {
    keeps_the_contract("c");
}

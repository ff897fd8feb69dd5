//! `referee report` as a command.

use std::process::{Command, Output};

use super::kit::{Record, sequential};

fn report(record: &Record, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.arg("report").arg(&record.dir).args(arguments).output().unwrap()
}

#[test]
fn a_report_goes_to_standard_output_and_its_page_to_a_file() {
    let record = sequential("command", 5);
    record.write();
    let page = record.dir.join("report.html");
    let output = report(&record, &["--html", page.to_str().unwrap(), "--replays", "3"]);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.starts_with(b"# candidate against baseline\n") && output.stderr.is_empty());
    let page = std::fs::read_to_string(page).unwrap();
    assert_eq!(page.matches("<tr id=\"game-").count(), 3);
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn what_cannot_be_read_or_written_is_named() {
    let record = sequential("command-wrong", 1);
    let said = |output: Output| (output.status.code(), String::from_utf8(output.stderr).unwrap());
    record.write();
    let (code, text) = said(report(&record, &["--html", "/no/such/directory/page.html"]));
    assert!(code == Some(6) && text.contains("/no/such/directory/page.html: no such file"), "{text}");
    let (code, text) = said(report(&record, &["--html", "/dev/full"]));
    assert!(code == Some(6) && text.contains("/dev/full: no space left"), "{text}");
    let (code, text) = said(report(&record, &["--html", "x", "--replays", "some"]));
    assert!(code == Some(2) && text.contains("neither a number of games nor"), "{text}");
    std::fs::remove_file(record.files().run()).unwrap();
    let (code, text) = said(report(&record, &[]));
    assert!(code == Some(6) && text.contains("run.json: no such file"), "{text}");
}

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

#[test]
fn a_position_is_a_picture() {
    let record = super::kit::tournament("picture");
    record.write();
    for variant in bao_rules::Variant::ALL {
        let row = record.rows.iter().find(|row| row.variant == variant.name() && row.plies > 5).unwrap();
        let mut position = bao_rules::Position::parse(variant, &row.position).unwrap();
        for (ply, name) in (0..=5).zip(std::iter::once("").chain(row.moves.split(' '))) {
            if ply > 0 {
                position =
                    position.play(bao_rules::Pit::parse(variant, name).unwrap()).unwrap().after.unwrap();
            }
            let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
            command.arg("show").arg(&record.dir).args(["--game", &row.game.to_string(), "--svg"]);
            if ply > 0 {
                command.args(["--ply", &ply.to_string()]);
            } else {
                position = bao_rules::Position::parse(variant, &row.final_position).unwrap();
            }
            let output = command.output().unwrap();
            let picture = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success() && picture.ends_with("</svg>\n"), "{picture}");
            let counts: Vec<u8> = picture
                .split("font-weight=\"700\" fill=\"#fff6e4\">")
                .skip(1)
                .map(|rest| rest.split('<').next().unwrap().parse().unwrap())
                .collect();
            let wanted: Vec<u8> = variant.rows().flatten().map(|pit| position.seeds(*pit)).collect();
            assert_eq!(counts, wanted, "{variant}, ply {ply}");
            let seeds = picture.matches("fill=\"#f4e6cc\"").count();
            assert_eq!(seeds, wanted.iter().map(|seeds| usize::from(*seeds)).sum::<usize>());
            // A name cannot become markup.
            assert!(!picture.contains("<script") && !picture.contains("<img") && !picture.contains('\u{1b}'));
            position = bao_rules::Position::parse(variant, &row.position).unwrap();
            for name in row.moves.split(' ').take(ply) {
                position =
                    position.play(bao_rules::Pit::parse(variant, name).unwrap()).unwrap().after.unwrap();
            }
        }
    }
}

//! The report on a record that was played here.

use bao_tests::{Referee, program};

#[test]
fn a_page_has_what_the_bots_said_of_their_moves_and_which_moves_they_expect() {
    let bot = program("search-bot").display().to_string();
    let ended = Referee::plays("bao-kingulu", &bot, &bot)
        .with(["--games", "2", "--clock", "20ms/move", "--max-plies", "6"])
        .run()
        .exits(0);
    let expected: Vec<String> = ended
        .wire(1)
        .iter()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(&line.text).ok())
        .filter_map(|said| {
            said["info"]["pv"].as_str().and_then(|moves| moves.split(' ').next()).map(str::to_owned)
        })
        .collect();
    assert!(expected.len() > 2, "{expected:?}");
    let page = ended.place.dir().join("page.html");
    let report =
        ["report", &ended.place.record().display().to_string(), "--html", &page.display().to_string()]
            .map(str::to_owned);
    let _ended = Referee::new(report.each_ref().map(String::as_str)).run().exits(0);
    let page = std::fs::read_to_string(page).expect("it was written");
    let said = page
        .split("data-said=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("bots said something");
    let shown: Vec<&str> = said
        .split(';')
        .filter_map(|ply| ply.split(',').nth(6))
        .filter_map(|moves| moves.split(' ').next())
        .collect();
    assert_eq!(shown, expected, "{said}");
}

//! What a page is made of.

use bao_referee::report::{PAGE_BYTES, Replays};
use bao_referee::text::lang::Lang;
use bao_rules::{Pit, Position, Variant};
use serde_json::json;

use super::kit::{Bot, HOSTILE, Record, html, sequential, tournament};

#[test]
fn nothing_foreign_becomes_markup() {
    let page = html(&tournament("hostile").report(Replays::All));
    for name in HOSTILE.iter().filter(|name| name.contains(['<', '"'])) {
        assert!(!page.contains(name), "{name}");
    }
    // One script, and the boards and the texts as data for it.
    for count in [
        ("<script>", 1),
        ("<script", 3),
        ("</script>", 3),
        ("<style", 1),
        ("<img", 0),
        ("<i>", 0),
        ("<!--", 0),
    ] {
        assert_eq!(page.matches(count.0).count(), count.1, "{}", count.0);
    }
    assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'));
}

#[test]
fn a_page_asks_for_nothing() {
    let page = html(&tournament("alone").report(Replays::All));
    for outside in ["http:", "https:", "src=", "url(", "@import", "fetch(", "XMLHttp", "style=\""] {
        let found = page.replace("http://www.w3.org/2000/svg", "").replace("img src=x", "");
        assert!(!found.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'") && page.contains("name=\"viewport\""));
}

#[test]
fn games_fill_no_more_of_a_page_than_was_said() {
    let bots = vec![Bot::new("one", 30), Bot::new("two", 60)];
    let mut record = Record::new("bounded", json!(null), bots);
    for _ in 0..10 {
        record.pair(Variant::Kigogo, 0, 1, 2);
    }
    record.fault([0, 1], bao_rules::Side::South, bao_protocol::Reason::Time, "", &[]);
    // The same games under other numbers, until there are far too many.
    let games = record.rows.clone();
    while record.rows.len() < 4000 {
        let mut row = games[record.rows.len() % 20].clone();
        row.game = record.rows.len() as u64 + 1;
        row.pair = row.game.div_ceil(2);
        record.rows.push(row);
    }
    let page = html(&record.report(Replays::Fitting));
    let shown = page.matches("<tr id=\"game-").count();
    let bare = html(&record.report(Replays::Most(0))).len();
    let filled = (page.len() - bare) as u64;
    assert!(filled <= PAGE_BYTES && filled > PAGE_BYTES / 4, "{filled} bytes, {shown} games");
    assert!(page.contains("<tr id=\"game-21\""), "a game lost by a fault comes first");
    assert_eq!(html(&record.report(Replays::Most(7))).matches("<tr id=\"game-").count(), 7);
    assert_eq!(html(&record.report(Replays::All)).matches("<tr id=\"game-").count(), 4000);
}

#[test]
fn every_picture_and_table_has_a_name() {
    for record in [tournament("named"), sequential("named-sprt", 30)] {
        let page = html(&record.report(Replays::Fitting));
        assert_eq!(page.matches("<svg ").count(), page.matches("role=\"img\" aria-label=\"").count());
        assert_eq!(page.matches("<table").count(), page.matches("<caption>").count());
        assert_eq!(page.matches("<h1>").count(), 1);
    }
}

#[test]
fn an_annotated_page_tells_what_moves_gave_away() {
    let plan = json!({ "format": { "kind": "match", "games": 2 } });
    let mut record = Record::new("annotated", plan, vec![Bot::new("one", 0), Bot::new("two", 0)]);
    record.pair(Variant::Kingulu, 0, 1, 0);
    record.pair(Variant::Kigogo, 0, 1, 0);
    let report = record.report(Replays::All);
    let mut page = Vec::new();
    report.write_annotated_html(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let marked = |page: &str, game: &str| {
        let rows = page.split("<tr id=\"game-").filter(|row| row.contains(&format!("data-game=\"{game}\"")));
        rows.filter_map(|row| row.split("<code>").nth(1)?.split("</code>").next())
            .filter(|code| code.contains('?'))
            .count()
    };
    // Bots that play at random give seeds away in every game.
    assert_eq!((marked(&page, "bao-kingulu"), marked(&page, "bao-kigogo")), (2, 0));
    assert_eq!(marked(&html(&report), "bao-kingulu"), 0);
}

#[test]
fn a_page_speaks_the_language_that_was_asked_for() {
    let record = tournament("languages");
    for (lang, heading, mover) in [
        (Lang::En, "<h2 id=\"games-title\">Games</h2>", "\"turn\":\"{who} to move\""),
        (Lang::Sw, "<h2 id=\"games-title\">Michezo</h2>", "\"turn\":\"Zamu ya {who}\""),
        (Lang::Pt, "<h2 id=\"games-title\">Jogos</h2>", "\"turn\":\"Vez de {who}\""),
    ] {
        let page = html(&record.report(Replays::Most(3)).in_language(lang));
        assert!(page.contains(&format!("<html lang=\"{}\">", lang.code())), "{lang:?}");
        assert!(page.contains(heading) && page.contains(mover), "{lang:?}");
        for variant in Variant::ALL {
            let (_, explained) =
                variant.info().explained.iter().find(|(code, _)| *code == lang.code()).expect("explained");
            let beginning = explained.split("\n\n").next().unwrap();
            assert!(page.contains(beginning), "{lang:?} {variant}");
        }
        // A text that is not translated names its language for screen readers.
        assert_eq!(page.contains("<div lang=\"en\">"), lang != Lang::En);
    }
}

#[test]
fn the_example_of_every_game_can_be_played() {
    for variant in Variant::ALL {
        let mut position = Position::start(variant);
        let (mut captures, mut moves) = (0, 0);
        for name in variant.info().example.split(' ') {
            let play = position.play(Pit::parse(variant, name).unwrap()).unwrap();
            captures += u32::from(play.captured > 0);
            moves += 1;
            position = play.after.unwrap();
        }
        assert!(captures > 0 && moves > 2, "an example shows a capture: {variant}");
    }
}

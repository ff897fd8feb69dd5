//! How a page behaves in a real browser; where there is none, these tests say so and pass.

use std::path::PathBuf;

use bao_referee::report::Replays;
use bao_rules::{History, Pit, Position, Variant};
use serde_json::{Value, json};

use super::devtools::{Browser, axe};
use super::kit::{Record, html, sequential, tournament};
use super::order::played;

fn page(record: &Record) -> PathBuf {
    let path = record.dir.join("report.html");
    std::fs::write(&path, html(&record.report(Replays::All))).unwrap();
    path
}

#[test]
fn a_page_runs_without_a_complaint_and_asks_for_nothing() {
    let Some(mut browser) = Browser::start("complaints") else { return };
    for record in [tournament("browser-quiet"), sequential("browser-quiet-sprt", 40)] {
        browser.open(&page(&record), "");
        assert_eq!(browser.evaluate("document.querySelectorAll('#board circle').length > 24"), json!(true));
        assert_eq!(browser.evaluate("typeof window.hacked"), json!("undefined"));
        assert_eq!(browser.complaints(), [&Value::Null; 0]);
        // The icon is part of the page.
        let requests: Vec<&str> =
            browser.requests().into_iter().filter(|url| !url.starts_with("data:")).collect();
        assert!(
            requests.iter().all(|url| url.ends_with("report.html") || *url == "about:blank"),
            "{requests:?}"
        );
    }
}

#[test]
fn the_board_shows_the_positions_of_the_rules() {
    let Some(mut browser) = Browser::start("positions") else { return };
    let record = tournament("browser-positions");
    browser.open(&page(&record), "");
    let games: Vec<_> = record.rows.iter().filter(|row| row.score_south.is_some()).collect();
    for (number, row) in games.iter().step_by(4).enumerate() {
        // The whole course of some games, the end of the others.
        let plies = if number % 16 == 0 { (0..=row.plies).collect() } else { vec![row.plies] };
        let shown = browser.evaluate(&format!(
            "(async () => {{
                const positions = [];
                for (const ply of {plies:?}) {{
                    const changed = new Promise((done) => addEventListener('hashchange', done, {{ once: true }}));
                    location.hash = `#game-{}-${{ply}}`;
                    await changed;
                    positions.push(document.getElementById('position').textContent);
                }}
                return positions;
            }})()",
            row.game
        ));
        let wanted = positions(row);
        let wanted: Vec<&String> = plies.iter().map(|ply| &wanted[*ply as usize]).collect();
        assert_eq!(shown, json!(wanted), "game {}", row.game);
    }
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

/// The positions of a game by the rules, from the first to the last.
fn positions(row: &bao_protocol::record::GameRow) -> Vec<String> {
    let variant: Variant = row.variant.parse().unwrap();
    let mut position = Position::parse(variant, &row.position).unwrap();
    let (mut positions, mut history) = (vec![position.to_string()], History::new(&position));
    for name in row.moves.split_whitespace() {
        let play = position.play(Pit::parse(variant, name).unwrap()).unwrap();
        position = play.after.unwrap_or(position);
        positions.push(position.to_string());
        history.push(&position);
    }
    positions
}

#[test]
fn a_game_is_stepped_through_by_buttons_keys_slider_and_address() {
    let Some(mut browser) = Browser::start("steps") else { return };
    let record = tournament("browser-steps");
    let row = record.rows.iter().find(|row| row.variant == "bao-kingulu" && row.plies > 9).unwrap();
    let wanted = positions(row);
    browser.open(&page(&record), &format!("#game-{}-3", row.game));
    let position = "document.getElementById('position').textContent";
    let click = |id: &str| format!("document.getElementById('{id}').click(); {position}");
    assert_eq!(browser.evaluate(position), json!(wanted[3]));
    for (button, ply) in
        [("forward", 4), ("back", 3), ("last", row.plies as usize), ("first", 0), ("forward", 1)]
    {
        assert_eq!(browser.evaluate(&click(button)), json!(wanted[ply]), "{button}");
    }
    browser.evaluate("document.getElementById('forward').focus()");
    for (key, ply) in [("ArrowRight", 2), ("ArrowLeft", 1), ("End", row.plies as usize), ("Home", 0)] {
        browser.press(key);
        assert_eq!(browser.evaluate(position), json!(wanted[ply]), "{key}");
    }
    let slide = "(() => { const s = document.getElementById('slider'); s.value = 5;
                  s.dispatchEvent(new Event('input')); })()";
    browser.evaluate(slide);
    assert_eq!(browser.evaluate(position), json!(wanted[5]));
    // Lap by lap there and back: every position has all the seeds, and each end of a move is met.
    browser.evaluate(&click("first"));
    for (button, end) in [("forward-lap", wanted.len() - 1), ("back-lap", 0)] {
        let mut met = vec![browser.evaluate(position)];
        while met.last() != Some(&json!(wanted[end])) {
            met.push(browser.evaluate(&click(button)));
            assert!(met.len() < 2000);
        }
        for text in &met {
            Position::parse(Variant::Kingulu, text.as_str().unwrap()).unwrap();
        }
        assert!(wanted.iter().all(|position| met.contains(&json!(position))), "{button}");
        assert!(met.len() > wanted.len(), "a move of several laps has steps of its own");
    }
    let moved = format!("document.querySelectorAll('#moves button')[6].click(); {position}");
    assert_eq!(browser.evaluate(&moved), json!(wanted[7]));
    let caption = browser.evaluate("document.getElementById('caption').textContent");
    assert!(caption.as_str().unwrap().starts_with(&format!("Move 7 of {}: ", row.plies)), "{caption}");
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn games_are_chosen_by_bot_opponent_result_reason_and_length() {
    let Some(mut browser) = Browser::start("chosen") else { return };
    let record = tournament("browser-chosen");
    browser.open(&page(&record), "");
    let rows: Vec<_> = record.rows.iter().filter(|row| row.score_south.is_some()).collect();
    let seen = "[...document.querySelectorAll('#list tbody tr')].filter((tr) => tr.getClientRects().length)
                .map((tr) => +tr.id.slice(5))";
    let mut choose = |values: &[(&str, &str)]| {
        let mut script = "document.getElementById('filter').reset();".to_owned();
        for (id, value) in values {
            script += &format!("document.getElementById('filter-{id}').value = {};", json!(value));
        }
        script += "document.getElementById('filter').dispatchEvent(new Event('input'));";
        // A reset is heard after the script that made it.
        browser.evaluate(&format!(
            "(async () => {{ {script} await new Promise((done) => setTimeout(done)); }})()"
        ));
        browser.evaluate(seen)
    };
    let clean = |name: &str| name.replace(['\u{202e}', '\u{1b}', '\n'], "\u{fffd}");
    let (one, two) = (clean(&record.bots[1].name), clean(&record.bots[5].name));
    let wanted = |fits: &dyn Fn(&bao_protocol::record::GameRow) -> bool| -> Vec<u64> {
        rows.iter().filter(|row| fits(row)).map(|row| row.game).collect()
    };
    let between = |row: &bao_protocol::record::GameRow| {
        let seats = [clean(&row.south), clean(&row.north)];
        seats.contains(&one) && seats.contains(&two)
    };
    let won = |row: &bao_protocol::record::GameRow, name: &str| match row.winner {
        Some(bao_protocol::Seat::South) => clean(&row.south) == name,
        Some(bao_protocol::Seat::North) => clean(&row.north) == name,
        None => false,
    };
    let games = wanted(&between);
    assert!(games.len() >= 8);
    assert_eq!(choose(&[("bot", &one), ("opponent", &two)]), json!(games));
    let games = wanted(&|row| between(row) && won(row, &one));
    assert_eq!(choose(&[("bot", &one), ("opponent", &two), ("result", "won")]), json!(games));
    let games = wanted(&|row| between(row) && won(row, &two));
    assert_eq!(choose(&[("bot", &one), ("opponent", &two), ("result", "lost")]), json!(games));
    let games = wanted(&|row| row.reason.name() == "crash");
    assert_eq!(choose(&[("reason", "crash")]), json!(games));
    let games = wanted(&|row| (10..=20).contains(&row.plies));
    assert_eq!(choose(&[("least", "10"), ("most", "20")]), json!(games));
    // Nothing fits; then everything again, folded as before.
    assert_eq!(choose(&[("least", "100000")]), json!([]));
    let count = browser.evaluate("document.getElementById('filter-count').textContent");
    assert_eq!(count, json!(format!("0 of {} games", rows.len())));
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn a_game_is_stepped_through_seed_by_seed_there_and_back() {
    let Some(mut browser) = Browser::start("seeds") else { return };
    let record = tournament("browser-seeds");
    browser.open(&page(&record), "");
    for variant in Variant::ALL {
        let row =
            record.rows.iter().find(|row| row.variant == variant.name() && (10..60).contains(&row.plies));
        let row = row.unwrap();
        let walked = browser.evaluate(&format!(
            "(async () => {{
                const at = (id) => document.getElementById(id);
                location.hash = '#game={}&ply=0';
                await new Promise((done) => addEventListener('hashchange', done, {{ once: true }}));
                const walk = (id) => {{
                    const seen = [];
                    do seen.push([at('position').textContent, at('caption').textContent]);
                    while (at(id).getAttribute('aria-disabled') !== 'true' && (at(id).click(), seen.length < 20000));
                    return seen;
                }};
                const [there, back] = [walk('forward-seed'), walk('back-seed').reverse()];
                return [there.map(([position]) => position), JSON.stringify(there) === JSON.stringify(back)];
            }})()",
            row.game
        ));
        let met: Vec<&str> =
            walked[0].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        assert_eq!(walked[1], json!(true), "the way back is the way there: {variant}");
        let mut rest = met.iter();
        for position in positions(row) {
            assert!(
                rest.any(|met| *met == position),
                "{variant}: {position} does not come after those before it"
            );
        }
        // From step to step a seed falls, a pit is lifted, or a move ends.
        assert!(met.len() > 3 * row.plies as usize, "{variant}: {} steps", met.len());
    }
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn keys_work_on_the_whole_page_until_that_is_switched_off() {
    let Some(mut browser) = Browser::start("keys") else { return };
    let record = tournament("browser-keys");
    let row = record.rows.iter().find(|row| row.plies > 9).unwrap();
    let wanted = positions(row);
    browser.open(&page(&record), &format!("#game={}&ply=3", row.game));
    let position = "document.getElementById('position').textContent";
    browser.evaluate("document.activeElement.blur()");
    for (key, ply) in [("ArrowRight", 4), ("ArrowRight", 5), ("ArrowLeft", 4)] {
        browser.press(key);
        assert_eq!(browser.evaluate(position), json!(wanted[ply]), "{key}");
    }
    // A field or a table that scrolls keeps its own keys.
    for own in ["#filter-least", "#list .wide", "#filter-bot", "#standings .wide"] {
        browser.evaluate(&format!("document.querySelector('{own}').focus()"));
        browser.press("ArrowRight");
        assert_eq!(browser.evaluate(position), json!(wanted[4]), "{own}");
    }
    browser.evaluate("document.getElementById('anywhere').click(); document.activeElement.blur()");
    browser.press("ArrowRight");
    assert_eq!(browser.evaluate(position), json!(wanted[4]));
    browser.evaluate("document.getElementById('forward').focus()");
    browser.press("ArrowRight");
    assert_eq!(browser.evaluate(position), json!(wanted[5]), "on the board they always work");
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn the_address_follows_and_leads_back() {
    let Some(mut browser) = Browser::start("address") else { return };
    let record = tournament("browser-address");
    let path = page(&record);
    let row = record.rows.iter().filter(|row| row.plies > 9).nth(3).unwrap();
    browser.open(&path, "");
    // A while after the last step, the address names it.
    let after = "(async () => {
        const at = (id) => document.getElementById(id);
        location.hash = '#game=GAME&ply=2';
        await new Promise((done) => addEventListener('hashchange', done, { once: true }));
        for (const id of ['forward', 'forward', 'forward-seed', 'forward-seed']) at(id).click();
        at('copy').click();
        return [location.hash, at('position').textContent, at('caption').textContent];
    })()"
        .replace("GAME", &row.game.to_string());
    let stepped = browser.evaluate(&after);
    let hash = stepped[0].as_str().unwrap().to_owned();
    assert!(hash.starts_with(&format!("#game={}&ply=4&lap=0&seed=", row.game)), "{hash}");
    browser.open(&path, &hash);
    let seen = "[location.hash, document.getElementById('position').textContent, document.getElementById('caption').textContent]";
    assert_eq!(browser.evaluate(seen), stepped);
    // What is not an address of a game does no harm.
    for odd in [
        "#game=999999",
        "#game=x&ply=y",
        "#game=1&ply=99999&lap=-3&seed=1e9",
        "#%",
        "#example=nothing",
        "#game-1-2-3-4",
    ] {
        browser.open(&path, odd);
        assert_eq!(browser.complaints(), [&Value::Null; 0], "{odd}");
        assert_ne!(browser.evaluate("document.getElementById('position').textContent"), json!(""), "{odd}");
    }
}

#[test]
fn an_example_is_played_with_its_captures() {
    let Some(mut browser) = Browser::start("example") else { return };
    let record = tournament("browser-example");
    browser.open(&page(&record), "");
    for variant in Variant::ALL {
        let end = browser.evaluate(&format!(
            "(() => {{
                document.querySelector('[data-example={variant}]').click();
                document.getElementById('last').click();
                return [document.getElementById('replay-title').textContent, document.getElementById('position').textContent];
            }})()"
        ));
        let mut position = Position::start(variant);
        for name in variant.info().example.split(' ') {
            position = position.play(Pit::parse(variant, name).unwrap()).unwrap().after.unwrap();
        }
        assert_eq!(end, json!([format!("Example · {}", variant.info().title), position.to_string()]));
    }
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn a_page_fits_a_phone_and_can_be_read_in_light_and_dark() {
    let Some(mut browser) = Browser::start("looks") else { return };
    let (knockout, _) =
        played("browser-looks-knockout", &json!({ "kind": "knockout", "best_of": 2, "extra": 1 }), 12);
    for record in [tournament("browser-looks"), sequential("browser-looks-sprt", 40), knockout] {
        let page = page(&record);
        for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
            browser.look(width, dark);
            browser.open(&page, "");
            let across = browser.evaluate("document.scrollingElement.scrollWidth");
            assert!(across.as_u64().unwrap() <= u64::from(width), "{across} at {width}");
            let faint = browser.evaluate(FAINT_TEXTS);
            assert_eq!(faint, json!([]), "{width} {dark}");
        }
    }
}

#[test]
fn axe_finds_nothing() {
    let Some(mut browser) = Browser::start("axe") else { return };
    let Some(axe) = axe("axe") else { return };
    let (knockout, _) =
        played("browser-axe-knockout", &json!({ "kind": "knockout", "best_of": 2, "extra": 1 }), 6);
    let (swiss, _) = played("browser-axe-swiss", &json!({ "kind": "swiss", "rounds": 3, "pairs": 1 }), 5);
    for record in [tournament("browser-axe"), sequential("browser-axe-sprt", 20), knockout, swiss] {
        let page = page(&record);
        for (width, dark) in [(390, true), (1280, false)] {
            browser.look(width, dark);
            browser.open(&page, "");
            browser.evaluate(&axe);
            let found = browser.evaluate(
                "(async () => {
                    document.querySelectorAll('details').forEach((details) => (details.open = true));
                    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
                    return violations.map(({ id, nodes }) => [id, nodes[0].html, nodes.length]);
                })()",
            );
            assert_eq!(found, json!([]), "{width} {dark}");
        }
    }
}

#[test]
fn who_wants_no_motion_sees_none() {
    let Some(mut browser) = Browser::start("calm") else { return };
    let record = tournament("browser-calm");
    browser.media("", &[("prefers-reduced-motion", "reduce")]);
    browser.open(&page(&record), "");
    assert_eq!(browser.evaluate("document.getElementById('pace').value"), json!("move"));
    let moved = browser.evaluate(
        "(() => {
            for (const id of ['forward-seed', 'forward-seed', 'forward-seed']) document.getElementById(id).click();
            return document.querySelector('.hand').style.transition;
        })()",
    );
    assert_eq!(moved, json!("none"));
    browser.media("", &[]);
    browser.open(&page(&record), "");
    assert_eq!(browser.evaluate("document.getElementById('pace').value"), json!("seed"));
}

#[test]
fn a_page_is_printed_without_what_paper_cannot_do() {
    let Some(mut browser) = Browser::start("print") else { return };
    let (record, _) = played("browser-print", &json!({ "kind": "knockout", "best_of": 2, "extra": 1 }), 6);
    browser.media("print", &[]);
    browser.open(&page(&record), "");
    let seen = |selector: &str| {
        format!(
            "[...document.querySelectorAll('{selector}')].filter((e) => e.checkVisibility({{ contentVisibilityAuto: true }})).length"
        )
    };
    for (selector, count) in [("nav", 0), ("#replay", 0), ("#filter", 0), (".duel", 7), (".part table", 12)] {
        let found = browser.evaluate(&seen(selector)).as_u64().unwrap();
        assert!(if count == 0 { found == 0 } else { found >= count / 2 }, "{selector}: {found}");
    }
    // Nothing is cut off at the edge of the paper: what is wide wraps or shrinks.
    let pdf = browser.call("Page.printToPDF", &json!({ "paperWidth": 8.27, "paperHeight": 11.69 }));
    assert!(pdf["data"].as_str().unwrap().len() > 10_000);
}

/// Finds the texts of the page whose contrast with what lies behind them is below 4.5 (WCAG 2, level AA).
const FAINT_TEXTS: &str = r"(() => {
    const colour = (text) => { const c = text.match(/[\d.]+/g).map(Number); return c.length < 4 ? [...c, 1] : c; };
    const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
    const behind = (e) => e ? over(colour(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [255, 255, 255, 1];
    const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
        const v = c[i] / 255;
        return sum + w * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    }, 0);
    const faint = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const e = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || e.closest('script, noscript, title, #board, [aria-disabled=true], .onpart')) continue;
        const style = getComputedStyle(e);
        const back = behind(e);
        const front = over(colour(e.closest('svg') ? style.fill : style.color), back);
        const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) faint.add(`${e.tagName}.${e.className.baseVal ?? e.className} ${front} on ${back}`);
    }
    return [...faint];
})()";

#[test]
fn a_page_is_read_without_script() {
    let Some(mut browser) = Browser::start("scriptless") else { return };
    let record = sequential("browser-scriptless", 10);
    browser.call("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    browser.open(&page(&record), "#game-3");
    let root = browser.call("DOM.getDocument", &json!({}))["root"]["nodeId"].clone();
    let mut count = |selector: &str| {
        let found = browser.call("DOM.querySelectorAll", &json!({ "nodeId": root, "selector": selector }));
        found["nodeIds"].as_array().unwrap().len()
    };
    assert_eq!(count("#list tbody tr"), 20);
    assert_eq!(count("#list tr:target"), 1);
    assert_eq!(count("#replay[hidden]"), 1);
    assert_eq!(count("noscript p"), 1);
    assert!(count("figure svg") >= 4);
}

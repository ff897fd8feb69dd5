//! Ratings of results from files: what is read, and what is refused.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bao_referee::results::pool::{Pool, Rated};
use bao_referee::results::sources::{self, SourceError};
use bao_stats::RatingOptions;

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ratings");
    std::fs::create_dir_all(&dir).expect("a directory can be made");
    let path = dir.join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    path
}

fn rate(name: &str, text: &[u8]) -> Result<Vec<Rated>, SourceError> {
    let mut pool = Pool::default();
    sources::add(&mut pool, &file(name, text))?;
    Ok(pool.rate(&RatingOptions::default()))
}

fn names(bots: &[Rated]) -> Vec<(&str, u64)> {
    bots.iter().map(|bot| (bot.name.as_str(), bot.pairs)).collect()
}

#[test]
fn a_table_of_pairs_is_rated() {
    let text = "a,b,points_a,points_b\nAnna,Ben,1.5,0.5\nBen,Cleo,2,0\nCleo,Anna,0,2\n";
    let bots = rate("plain.csv", text.as_bytes()).unwrap();
    assert_eq!(names(&bots), [("Anna", 2), ("Ben", 2), ("Cleo", 2)]);
    let [anna, ben, cleo] = bots.as_slice() else { panic!("three bots") };
    assert_eq!((anna.score, cleo.score), (Some(0.875), Some(0.0)));
    assert!(anna.elo > ben.elo && ben.elo > cleo.elo);
    assert_eq!((cleo.elo_low, anna.elo_low.is_some(), anna.elo_high.is_some()), (None, true, true));
}

#[test]
fn what_spreadsheets_write_is_read() {
    let text = "\u{feff}points_a,b,\"a\",points_b,remark\r\n2.0,\"Zwei, \"\"B\"\"\" ,Eins,0,\"a\nb\"\r\n\r\n1,Eins,Drei,1.0\r\n";
    let bots = rate("sheet.csv", text.as_bytes()).unwrap();
    let mut found = names(&bots);
    found.sort_unstable();
    assert_eq!(found, [("Drei", 1), ("Eins", 2), ("Zwei, \"B\"", 1)]);
    assert_eq!(rate("header.csv", b"a,b,points_a,points_b\n").unwrap(), []);
}

#[test]
fn what_cannot_be_a_pair_is_refused_with_its_line_and_a_way_out() {
    let long = "x".repeat(201);
    let cases: [(&[u8], &str); 15] = [
        (b"", "line 1: the header has no column \"a\""),
        (b"a,b,points_a\n", "line 1: the header has no column \"points_b\""),
        (b"a,b,points_a,points_b\nA,B,1,1\nA,B,NaN,1\n", "line 3: points_a is \"NaN\"; give the points"),
        (b"a,b,points_a,points_b\nA,B,-1,3\n", "line 2: points_a is \"-1\""),
        (b"a,b,points_a,points_b\nA,B,1,1e999\n", "line 2: points_b is \"1e999\""),
        (b"a,b,points_a,points_b\nA,B,2,2\n", "line 2: 2 and 2 points add up to 4"),
        (b"a,b,points_a,points_b\nA,B,0.5,0.5\n", "line 2: 0.5 and 0.5 points add up to 1"),
        (b"a,b,points_a,points_b\nA,B,,2\n", "line 2: points_a has no value; give one"),
        (b"a,b,points_a,points_b\nA\n", "line 2: points_a has no value"),
        (b"a,b,points_a,points_b\n\"\",B,1,1\n", "line 2: a has no value"),
        (b"a,b,points_a,points_b\nA, A ,1,1\n", "line 2: A plays against itself; name two different bots"),
        (b"a,b,points_a,points_b\nA,\x1b[2J,1,1\n", "line 2: a name contains the control character"),
        (b"a,b,points_a,points_b\nA,\xff,1,1\n", "line 2: "),
        (b"a,b,points_a,points_b\r\nA,B,1,1\r\nA,B,3,1\r\n", "line 3: points_a is \"3\""),
        (b"{\"game\":1}\n", "line 1: the header has no column \"a\""),
    ];
    for (place, (text, problem)) in cases.into_iter().enumerate() {
        let error = rate(&format!("bad-{place}.csv"), text).unwrap_err().to_string();
        assert!(error.contains(&format!("bad-{place}.csv, {problem}")), "{error} instead of {problem}");
        assert!(!error.contains('\u{1b}') && error.len() < 500, "{error}");
    }
    let error = rate("long.csv", format!("a,b,points_a,points_b\n{long},B,1,1\n").as_bytes()).unwrap_err();
    assert!(error.to_string().contains("a name has 201 characters; the limit is 200"), "{error}");
    let nowhere = sources::add(&mut Pool::default(), Path::new("nowhere.csv")).unwrap_err().to_string();
    assert!(nowhere.starts_with("cannot read nowhere.csv: "), "{nowhere}");
}

#[test]
fn a_million_lines_are_read_and_too_many_bots_refused() {
    let mut text = "a,b,points_a,points_b\n".to_owned();
    for line in 0..1_000_000 {
        let _ = writeln!(
            text,
            "bot {},bot {},{}",
            line % 20,
            (line + 1 + line % 7) % 20,
            ["2,0", "1,1", "0.5,1.5"][line % 3]
        );
    }
    let bots = rate("million.csv", text.as_bytes()).unwrap();
    assert_eq!((bots.len(), bots.iter().map(|bot| bot.pairs).sum::<u64>()), (20, 2_000_000));

    let mut text = "a,b,points_a,points_b\n".to_owned();
    for line in 0..1001 {
        let _ = writeln!(text, "bot {line},bot {},1,1", line + 1);
    }
    let error = rate("many.csv", text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("line 1001: more than 1000 bots; rate fewer bots at once"), "{error}");
}

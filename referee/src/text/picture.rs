//! Draws a position as a picture: SVG that needs no other file.

use std::fmt::Write as _;

use bao_rules::{Pit, Side};

use super::board::Board;

const CELL: usize = 60;
const TALL: usize = 78;
/// Colours of South's and North's rims, homes and reserved pits.
const RIMS: [&str; 2] = ["#e0863f", "#4fb3c0"];
const RESERVED: [&str; 2] = ["#9c2f10", "#14606b"];

/// Draws a board, under a title and over a line of text.
pub(crate) fn svg(board: &Board, title: &str, caption: &str) -> String {
    let position = &board.position;
    let variant = position.variant();
    let (rows, columns) = (variant.info().rows, variant.info().columns);
    let (width, tall) = (columns * CELL + 56, rows * TALL + 52);
    let height = tall + 74;
    let mut text = String::new();
    let out = &mut text;
    let mut put = |piece: std::fmt::Arguments<'_>| out.write_fmt(piece).expect("a string takes everything");
    put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, 'Noto Sans', sans-serif\">\n<title>{}</title>\n<desc>{position}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#faf6ef\"/>\n\
         <text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"17\" font-weight=\"600\" fill=\"#2b241e\">{}</text>\n\
         <g transform=\"translate(0 36)\">\n\
         <rect x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"18\" fill=\"#a9683a\" stroke=\"#7d4620\" stroke-width=\"2\"/>\n\
         <line x1=\"16\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"#7d4620\" stroke-width=\"2\"/>\n",
        escaped(title),
        width / 2,
        escaped(title),
        width - 2,
        tall - 2,
        width - 16,
        tall / 2,
        tall / 2
    ));
    for (number, row) in variant.rows().enumerate() {
        let top = 26 + number * TALL;
        let letter = row.first().map_or("", |pit| &pit.name()[..1]);
        for x in [14, width - 14] {
            put(format_args!("{}", label(x, top + 36, letter)));
        }
        for (place, pit) in row.iter().enumerate() {
            let x = 28 + place * CELL + CELL / 2;
            if number == 0 || number + 1 == rows {
                let y = if number == 0 { 19 } else { tall - 7 };
                put(format_args!("{}", label(x, y, &pit.name()[1..])));
            }
            put(format_args!(
                "<g transform=\"translate({x} {})\">{}</g>\n",
                top + 30,
                self::pit(board, *pit)
            ));
        }
    }
    put(format_args!(
        "</g>\n<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"15\" fill=\"#2b241e\">{}</text>\n</svg>\n",
        width / 2,
        height - 14,
        escaped(caption)
    ));
    text
}

fn label(x: usize, y: usize, text: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"14\" fill=\"#fff6e4\">{text}</text>\n"
    )
}

fn pit(board: &Board, pit: Pit) -> String {
    let seeds = usize::from(board.position.seeds(pit));
    let side = |side: Side| side as usize;
    let (fill, rim) = match board.position.reserved(pit) {
        Some(by) => (RESERVED[side(by)], "#ffffff"),
        None => ("#7a4520", RIMS[side(pit.owner())]),
    };
    let mut text = format!("<circle r=\"26\" fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"2.5\"/>");
    for (x, y, r) in places(seeds) {
        let _ = write!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"#f4e6cc\"/>");
    }
    let mut ring = |dashes: &str| {
        let _ =
            write!(text, "<circle r=\"26\" fill=\"none\" stroke=\"#ffd24d\" stroke-width=\"4\"{dashes}/>");
    };
    if board.lifted == Some(pit) {
        ring(" stroke-dasharray=\"7 5\"");
    }
    if board.last == Some(pit) {
        ring("");
    }
    let _ = write!(
        text,
        "<text y=\"44\" text-anchor=\"middle\" font-size=\"16\" font-weight=\"700\" fill=\"#fff6e4\">{seeds}</text>"
    );
    text
}

/// Returns the places of seeds in a pit, and their size: few seeds in a square, many in a spiral.
fn places(seeds: usize) -> Vec<(f64, f64, f64)> {
    let side = [1usize, 2, 3, 4].into_iter().find(|side| side * side >= seeds);
    let place = |number: usize| match side {
        Some(side) => {
            let gap = if side > 3 { 9.0 } else { 10.5 };
            let at = |place: usize| (place as f64 - (side - 1) as f64 / 2.0) * gap;
            (at(number % side), at(number / side), if side > 3 { 3.8 } else { 4.6 })
        }
        None => {
            let gap = 22.0 / (seeds as f64).sqrt();
            let far = gap * (number as f64 + 0.5).sqrt();
            let turn = number as f64 * 2.4;
            (far * turn.cos(), far * turn.sin(), (gap * 0.6).min(3.4))
        }
    };
    (0..seeds).map(place).collect()
}

/// Escapes what has a meaning in XML, and leaves out characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            c if super::shown::is_hidden(c) => shown.push('\u{fffd}'),
            c => shown.push(c),
        }
    }
    shown
}

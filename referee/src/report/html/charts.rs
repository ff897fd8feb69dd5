//! Pictures as inline SVG, drawn by hand: a few shapes that take their colours from the page's style, so that they are
//! right in light, in dark and on paper.

use maud::{Markup, html};

use super::scale::{Scale, shown};
use crate::report::page::{Figure, Plot};
use crate::report::words::signed;
use crate::report::words::{clean, count, elo, time};

/// The width of every picture, in its own units; pages scale it.
const WIDTH: f64 = 640.0;
/// What is left free at the sides.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
/// The height of pictures with two scales, and what is left free below.
const HEIGHT: f64 = 285.0;
const BELOW: f64 = 52.0;
/// The height of a named bar.
const ROW: f64 = 46.0;
/// How many colours the page's style has for curves.
const COLOURS: usize = 8;

/// Shows a picture with its caption.
pub(super) fn figure(figure: &Figure) -> Markup {
    let (height, drawing) = match &figure.plot {
        Plot::Intervals { unit, rows } => intervals(unit, rows),
        Plot::Lines { axes, times, lines, marks } => curves(axes, *times, lines, marks),
        Plot::Columns { axes, columns: bars } => columns(axes, bars),
        Plot::Shares { parts, rows } => shares(parts, rows),
        Plot::Spreads { rows } => spreads(rows),
    };
    html! {
        figure {
            figcaption { bdi { (figure.title) } }
            svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(figure.title) { (drawing) }
            (legend(&figure.plot))
        }
    }
}

/// Names the colours, where there are several.
fn legend(plot: &Plot) -> Markup {
    match plot {
        Plot::Lines { lines, .. } if lines.len() > 1 => html! {
            ul.legend {
                @for (number, (name, _)) in lines.iter().enumerate() {
                    li { i class={ "swatch c" (number % COLOURS) } {} bdi { (clean(name, 60)) } }
                }
            }
        },
        Plot::Shares { parts, .. } => html! {
            ul.legend { @for (number, part) in parts.iter().enumerate() { li { i class={ "swatch p" (number) } {} (part) } } }
        },
        Plot::Intervals { .. } | Plot::Lines { .. } | Plot::Columns { .. } | Plot::Spreads { .. } => html! {},
    }
}

fn intervals(unit: &str, rows: &[(String, [f64; 3])]) -> (f64, Markup) {
    let ends = |of: fn(f64, f64) -> f64| rows.iter().flat_map(|(_, bar)| bar).copied().fold(0.0, of);
    let scale = Scale::linear(ends(f64::min), ends(f64::max), 24.0, WIDTH - 24.0);
    let bottom = rows.len() as f64 * ROW;
    let drawing = html! {
        (grid_below(&scale, bottom, |mark| signed(&shown(mark))))
        line.zero x1=(scale.place(0.0)) x2=(scale.place(0.0)) y1="0" y2=(bottom) {}
        @for (number, (name, bar)) in rows.iter().enumerate() {
            @let top = number as f64 * ROW;
            @let [low, middle, high] = bar.map(|value| scale.place(value));
            g {
                title { (clean(name, 80)) ": " (shown_elo(bar[1])) ", from " (shown_elo(bar[0])) " to " (shown_elo(bar[2])) }
                text.name x="24" y=(top + 17.0) { (clean(name, 40)) }
                text.value.end x=(WIDTH - 24.0) y=(top + 17.0) { (shown_elo(bar[1])) }
                line.bar x1=(low) x2=(high) y1=(top + 30.0) y2=(top + 30.0) {}
                line.bar x1=(low) x2=(low) y1=(top + 25.0) y2=(top + 35.0) {}
                line.bar x1=(high) x2=(high) y1=(top + 25.0) y2=(top + 35.0) {}
                circle.dot cx=(middle) cy=(top + 30.0) r="6" {}
            }
        }
        text.axis.middle x=(WIDTH / 2.0) y=(bottom + 46.0) { (unit) }
    };
    (bottom + BELOW, drawing)
}

fn shown_elo(value: f64) -> String {
    signed(&elo(value))
}

/// Vertical lines at a scale's round values, with the values below.
fn grid_below(scale: &Scale, bottom: f64, label: impl Fn(f64) -> String) -> Markup {
    html! {
        @for mark in scale.marks() {
            line.grid x1=(scale.place(mark)) x2=(scale.place(mark)) y1="0" y2=(bottom) {}
            text.tick.middle x=(scale.place(mark)) y=(bottom + 22.0) { (label(mark)) }
        }
    }
}

/// Horizontal lines at a scale's round values, with the values beside.
fn grid_beside(scale: &Scale, label: impl Fn(f64) -> String) -> Markup {
    html! {
        @for mark in scale.marks() {
            line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(scale.place(mark)) y2=(scale.place(mark)) {}
            text.tick.end x=(LEFT - 8.0) y=(scale.place(mark) + 5.0) { (label(mark)) }
        }
    }
}

fn axis_names([across, up]: &[&str; 2]) -> Markup {
    html! {
        text.axis.middle x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 6.0) { (across) }
        text.axis x="0" y="17" { (up) }
    }
}

fn curves(
    axes: &[&str; 2],
    times: bool,
    lines: &[(String, Vec<(f64, f64)>)],
    marks: &[(f64, String)],
) -> (f64, Markup) {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let last = points().map(|point| point.0).fold(1.0, f64::max);
    let heights = || points().map(|point| point.1).chain(marks.iter().map(|mark| mark.0));
    let (low, high) = (heights().fold(0.0, f64::min), heights().fold(0.0, f64::max));
    let across = Scale::linear(0.0, last, LEFT, WIDTH - RIGHT);
    let up = Scale::linear(low, high, HEIGHT - BELOW, 40.0);
    let label = |mark: f64| if times { time(mark) } else { signed(&shown(mark)) };
    let drawing = html! {
        (grid_beside(&up, label))
        @for mark in across.marks() {
            text.tick.middle x=(across.place(mark)) y=(HEIGHT - BELOW + 22.0) { (shown(mark)) }
        }
        (axis_names(axes))
        @for (height, meaning) in marks {
            line.mark x1=(LEFT) x2=(WIDTH - RIGHT) y1=(up.place(*height)) y2=(up.place(*height)) {}
            text.note.end x=(WIDTH - RIGHT - 4.0) y=(up.place(*height) - 6.0) { (signed(meaning)) }
        }
        @for (number, (name, points)) in lines.iter().enumerate() {
            @let places: Vec<String> =
                points.iter().map(|(x, y)| format!("{},{}", across.place(*x), up.place(*y))).collect();
            polyline class={ "curve c" (number % COLOURS) } points=(places.join(" ")) { title { (clean(name, 80)) } }
        }
    };
    (HEIGHT, drawing)
}

fn columns(axes: &[&str; 2], columns: &[(String, u64)]) -> (f64, Markup) {
    let most = columns.iter().map(|(_, height)| *height).max().unwrap_or(0);
    let up = Scale::linear(0.0, most.max(1) as f64, HEIGHT - BELOW, 40.0);
    let width = (WIDTH - LEFT - RIGHT) / columns.len().max(1) as f64;
    // Labels must not run into each other, on a phone neither.
    let longest = columns.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(1);
    let every = ((longest as f64 * 12.0 + 14.0) / width).ceil().max(1.0) as usize;
    let whole = |mark: f64| if mark.fract() == 0.0 { count(mark as u64) } else { String::new() };
    let drawing = html! {
        (grid_beside(&up, whole))
        (axis_names(axes))
        @for (number, (label, height)) in columns.iter().enumerate() {
            @let left = LEFT + number as f64 * width;
            @let top = up.place(*height as f64);
            rect.column x=(tenth(left + width * 0.1)) y=(top) width=(tenth(width * 0.8))
                height=(tenth(HEIGHT - BELOW - top)) rx="2" { title { (label) ": " (count(*height)) } }
            @if number % every == 0 {
                text.tick.middle x=(tenth(left + width / 2.0)) y=(HEIGHT - BELOW + 22.0) { (label) }
            }
        }
    };
    (HEIGHT, drawing)
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn shares(parts: &[&str], rows: &[(String, Vec<u64>)]) -> (f64, Markup) {
    let drawing = html! {
        @for (number, (name, sizes)) in rows.iter().enumerate() {
            @let top = number as f64 * (ROW + 8.0);
            @let all = sizes.iter().sum::<u64>().max(1) as f64;
            text.name x="0" y=(top + 17.0) { (clean(name, 40)) }
            @for (part, size) in sizes.iter().enumerate() {
                @let before = sizes[..part].iter().sum::<u64>() as f64 / all * WIDTH;
                @let width = *size as f64 / all * WIDTH;
                @if *size > 0 {
                    rect class={ "part p" (part) } x=(tenth(before)) y=(top + 24.0) width=(tenth(width)) height="24" {
                        title { (parts[part]) ": " (count(*size)) }
                    }
                    @if width > 60.0 {
                        text.onpart.middle x=(tenth(before + width / 2.0)) y=(top + 41.0) { (count(*size)) }
                    }
                }
            }
        }
    };
    (rows.len() as f64 * (ROW + 8.0), drawing)
}

fn spreads(rows: &[(String, [f64; 5])]) -> (f64, Markup) {
    let all = || rows.iter().flat_map(|(_, times)| times).copied();
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    let scale = Scale::logarithmic(low, high, 24.0, WIDTH - 40.0);
    let bottom = rows.len() as f64 * ROW;
    let drawing = html! {
        (grid_below(&scale, bottom, time))
        @for (number, (name, times)) in rows.iter().enumerate() {
            @let top = number as f64 * ROW;
            @let [least, lower, middle, upper, most] = times.map(|us| scale.place(us));
            g {
                title { (clean(name, 80)) ": half of its moves within " (time(times[2])) ", 95 % within " (time(times[4])) }
                text.name x="24" y=(top + 17.0) { (clean(name, 40)) }
                text.value.end x=(WIDTH - 24.0) y=(top + 17.0) { (time(times[2])) }
                line.bar x1=(least) x2=(most) y1=(top + 30.0) y2=(top + 30.0) {}
                line.half x1=(lower) x2=(upper.max(lower + 1.0)) y1=(top + 30.0) y2=(top + 30.0) {}
                circle.dot cx=(middle) cy=(top + 30.0) r="6" {}
            }
        }
        text.axis.middle x=(WIDTH / 2.0) y=(bottom + 46.0) { "time for a move" }
    };
    (bottom + BELOW, drawing)
}

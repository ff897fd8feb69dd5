//! A knockout's bracket as HTML: lists in lists, which a style puts side by side.

use maud::{Markup, html};

use crate::report::page::{Bracket, Duel, Seat};

/// Shows a bracket.
pub(super) fn bracket(bracket: &Bracket) -> Markup {
    html! {
        div.wide.bracket role="group" aria-label="Bracket" tabindex="0" {
            ol.rounds {
                @for (title, duels) in &bracket.rounds {
                    li {
                        h3 { (title) }
                        ol.duels { @for duel in duels { li { (self::duel(duel)) } } }
                    }
                }
            }
        }
    }
}

fn duel(duel: &Duel) -> Markup {
    html! {
        div.duel {
            @for place in 0..2 {
                @match duel.seats.get(place) {
                    Some(seat) => (self::seat(seat, duel.game)),
                    None if duel.seats.is_empty() => div.seat.open { "open" },
                    None => div.seat.open { "no opponent" },
                }
            }
        }
    }
}

fn seat(seat: &Seat, game: Option<u64>) -> Markup {
    html! {
        div.seat .through[seat.through] {
            bdi { (seat.name) }
            @if seat.through { span.sign role="img" aria-label="goes on" { "✓" } }
            @match (&seat.points, game) {
                (Some(points), Some(game)) => a href={ "#game-" (game) } { (points) },
                (Some(points), None) => span { (points) },
                (None, _) => {}
            }
        }
    }
}

//! Writes numbers of things.

/// Writes a number of things whose plural has an s, as in `1 game` and `2 games`.
pub fn count(number: u64, thing: &str) -> String {
    plural(number, thing, &format!("{thing}s"))
}

/// Writes a number of things, as in `1 ply` and `2 plies`.
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

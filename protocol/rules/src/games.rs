//! The list of the games, one line each.

/// Hands the list of games to a macro, which makes a type, a table or a `match` of it.
///
/// A line is the game's variant and its module, which holds `Position`, an implementation of
/// [`Rules`](crate::Rules), and `info::INFO`.
macro_rules! games {
    ($make:ident $($argument:tt)*) => {
        $make! {
            [$($argument)*]
            /// Bao Kigogo: four rows of twelve pits, 92 seeds; each side sows in its own two rows.
            Kigogo => kigogo,
            /// Bao Kingulu: two rows of six pits, 48 seeds; both sides sow through both rows.
            Kingulu => kingulu,
            /// A small Kalah, which proves that a game is one module and one line; for this project's tests only.
            #[cfg(feature = "kalah")]
            Kalah => kalah,
        }
    };
}

pub(crate) use games;

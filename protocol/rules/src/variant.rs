//! The games.

use core::fmt;
use core::str::FromStr;

use crate::games::games;
use crate::info::Info;
use crate::name::UnknownName;

macro_rules! variants {
    ([] $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $variant:ident => $game:ident,)*) => {
        /// One of the games of this crate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Variant {
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $variant,)*
        }

        /// Every game, in the order of the list.
        const ALL: &[Variant] = &[$($(#[cfg($cfg)])? Variant::$variant,)*];

        impl Variant {
            /// Returns the facts of the game: names, board, words.
            ///
            /// ```
            /// use bao_rules::Variant;
            ///
            /// let info = Variant::Kigogo.info();
            /// assert_eq!((info.title, info.rows, info.columns, info.seeds), ("Bao Kigogo", 4, 12, 92));
            /// ```
            #[inline]
            pub const fn info(self) -> &'static Info {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => &crate::$game::info::INFO,)*
                }
            }
        }
    };
}

games!(variants);

impl Variant {
    /// The number of games.
    pub const COUNT: usize = ALL.len();

    /// Every game, in the order in which the documents name them.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [ALL[0]; Self::COUNT];
        let mut place = 0;
        while place < Self::COUNT {
            all[place] = ALL[place];
            place += 1;
        }
        all
    };

    /// The names of [`Variant::ALL`], in the same order.
    pub const NAMES: [&'static str; Self::COUNT] = {
        let mut names = [""; Self::COUNT];
        let mut place = 0;
        while place < Self::COUNT {
            names[place] = ALL[place].name();
            place += 1;
        }
        names
    };

    /// Returns the name by which the protocol, the records and the command line call the game.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the number of pits of one side: 24 in Bao Kigogo, 6 in Bao Kingulu.
    #[inline]
    pub const fn pits_per_side(self) -> usize {
        self.info().pits_per_side()
    }

    /// Returns the number of seeds with which the game starts: 92 in Bao Kigogo, 48 in Bao Kingulu.
    pub const fn seeds(self) -> u32 {
        self.info().seeds
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = UnknownName;

    /// Reads what [`Variant::name`] returns.
    ///
    /// ```
    /// use bao_rules::Variant;
    ///
    /// assert_eq!("bao-kingulu".parse(), Ok(Variant::Kingulu));
    /// let error = "chess".parse::<Variant>().unwrap_err();
    /// assert!(error.to_string().starts_with("unknown game \"chess\": known are bao-kigogo, bao-kingulu"));
    /// ```
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|variant| variant.name() == text);
        known.ok_or_else(|| UnknownName::new("game", text, &Self::NAMES))
    }
}

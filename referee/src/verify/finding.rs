//! The findings of a verification.

use std::fmt;

use serde::Serialize;

use crate::text::shown::shown;

/// How many findings about one game are reported.
const MOST: usize = 20;
/// How much of a value is shown, in characters.
const SHOWN: usize = 200;

/// Something that a verification reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether something is wrong or only unfinished.
    #[serde(rename = "event")]
    pub kind: Kind,
    /// The file, within the record's directory.
    pub file: String,
    /// The line in that file, from 1, if there is one to name.
    pub line: Option<u64>,
    /// The game, if the finding is about one.
    pub game: Option<u64>,
    /// What it is about, printable.
    pub what: String,
    /// The value found, printable and shortened.
    pub is: Option<String>,
    /// The value expected.
    pub should: Option<String>,
}

/// What a finding means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The record differs from its own evidence, the rules or its plan.
    Difference,
    /// The referee was ended before it had written everything; the run can continue.
    Unfinished,
}

impl Finding {
    pub(super) fn differs(file: &str, what: &str) -> Self {
        let (file, what) = (file.to_owned(), shown(what, 600));
        Self { kind: Kind::Difference, file, line: None, game: None, what, is: None, should: None }
    }

    pub(super) fn unfinished(file: &str, what: &str) -> Self {
        Self { kind: Kind::Unfinished, ..Self::differs(file, what) }
    }

    #[must_use]
    pub(super) fn at_line(self, line: u64) -> Self {
        Self { line: Some(line), ..self }
    }

    #[must_use]
    pub(super) fn of_game(self, game: u64) -> Self {
        Self { game: Some(game), ..self }
    }

    #[must_use]
    pub(super) fn showing(self, is: &str, should: &str) -> Self {
        Self { is: Some(shown(is, SHOWN)), should: Some(shown(should, SHOWN)), ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Unfinished {
            f.write_str("unfinished: ")?;
        }
        f.write_str(&self.file)?;
        if let Some(game) = self.game.filter(|_| self.file.strip_suffix(".jsonl.gz").is_some()) {
            write!(f, ", game {game}")?;
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)?;
        if let Some(is) = &self.is {
            write!(f, ": is {is}")?;
        }
        match &self.should {
            Some(should) => write!(f, ", should be {should}"),
            None => Ok(()),
        }
    }
}

/// The findings about one game, limited in number.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    more: u64,
}

impl Findings {
    pub(super) fn push(&mut self, finding: Finding) {
        if self.list.len() < MOST {
            self.list.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// Returns the findings; a note that names `file` is added if some were left out.
    pub(super) fn into_list(mut self, file: &str) -> Vec<Finding> {
        if self.more > 0 {
            let what = format!("{} more differences about this are left out", self.more);
            let game = self.list.last().and_then(|finding| finding.game);
            self.list.push(Finding { game, ..Finding::differs(file, &what) });
        }
        self.list
    }
}

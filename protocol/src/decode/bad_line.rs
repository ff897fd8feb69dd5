//! What is wrong with a line.

/// Why a line could not be read, in terms that its author can act on.
///
/// Every text is short and printable ASCII, whatever the line was.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadLine {
    /// The field at fault (`info.depth`), or empty where the line as a whole is.
    pub field: String,
    /// What is wrong, in a sentence: what was found, what was expected.
    pub problem: String,
    /// The well-known slip behind it, and its cure, where one is recognised.
    pub hint: Option<&'static str>,
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        f.write_str(&self.problem)?;
        if let Some(hint) = self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

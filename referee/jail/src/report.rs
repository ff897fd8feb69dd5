//! The report of the shim to the referee: one line per step on the status pipe.

use std::fmt;

/// The steps of the shim, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Descriptors beyond the three of the bot are closed.
    Descriptors,
    /// The parent-death signal is set and the parent is still alive.
    Parent,
    /// Its own session.
    Session,
    /// The processors to run on.
    Processors,
    /// umask and out-of-memory preference.
    Manners,
    /// Joins the control group.
    Cgroup,
    /// Resource limits.
    Limits,
    /// Own user id, or no capabilities.
    Identity,
    /// Landlock: files, signals, TCP.
    Landlock,
    /// seccomp: refused system calls.
    Seccomp,
    /// Becomes the bot.
    Exec,
}

impl Step {
    const ALL: [(Self, &'static str); 11] = [
        (Self::Descriptors, "descriptors"),
        (Self::Parent, "parent"),
        (Self::Session, "session"),
        (Self::Processors, "processors"),
        (Self::Manners, "manners"),
        (Self::Cgroup, "cgroup"),
        (Self::Limits, "limits"),
        (Self::Identity, "identity"),
        (Self::Landlock, "landlock"),
        (Self::Seccomp, "seccomp"),
        (Self::Exec, "exec"),
    ];

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find_map(|(step, name)| (name == text).then_some(step))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.into_iter().find_map(|(step, name)| (step == *self).then_some(name));
        f.write_str(name.expect("ALL lists every step"))
    }
}

/// How a step went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Taken; the text is a detail such as a Landlock version.
    Done(String),
    /// Not possible here, and not asked for strictly.
    Skipped(String),
    /// Not possible, and the bot does not start.
    Failed(String),
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) step: Step,
    pub(crate) outcome: Outcome,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, text) = match &self.outcome {
            Outcome::Done(text) => ("done", text),
            Outcome::Skipped(text) => ("skip", text),
            Outcome::Failed(text) => ("fail", text),
        };
        // A newline in a reason would split the line.
        writeln!(f, "{word} {}: {}", self.step, text.replace('\n', " "))
    }
}

impl Line {
    /// Reads one line without its newline; `None` if it is not from a shim.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ')?;
        let (step, text) = rest.split_once(": ")?;
        let outcome = match word {
            "done" => Outcome::Done(text.to_owned()),
            "skip" => Outcome::Skipped(text.to_owned()),
            "fail" => Outcome::Failed(text.to_owned()),
            _ => return None,
        };
        Some(Self { step: Step::parse(step)?, outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_report_reads_back() {
        for (step, _) in Step::ALL {
            for outcome in [
                Outcome::Done("7".into()),
                Outcome::Skipped("no: really".into()),
                Outcome::Failed(String::new()),
            ] {
                let line = Line { step, outcome };
                assert_eq!(Line::parse(line.to_string().trim_end_matches('\n')), Some(line));
            }
        }
    }

    #[test]
    fn a_reason_with_a_newline_stays_one_line() {
        let line = Line { step: Step::Exec, outcome: Outcome::Failed("a\nb".into()) };
        assert_eq!(line.to_string(), "fail exec: a b\n");
    }
}

//! Shows the organiser what a bot may read, write and run.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use bao_jail::{Host, Quarters, Sandbox, Why};
use serde::Serialize;

/// What a bot may read, write and run.
#[derive(Debug, Serialize)]
pub(super) struct May {
    /// What it may read and run in addition to the system's files, and why; `None` if isolation is off.
    reads: Option<Vec<Read>>,
    /// What it may change in addition to its own empty directory.
    writes: Vec<PathBuf>,
    /// The runtime that its command names, if it is known.
    runtime: Option<&'static str>,
    /// The variables that it gets in addition to the referee's own.
    variables: BTreeMap<String, String>,
    /// Why it gets no user id of its own, if other bots do.
    no_user: Option<String>,
}

#[derive(Debug, Serialize)]
struct Read {
    path: PathBuf,
    why: &'static str,
}

impl May {
    /// Finds out what a command may do.
    pub(super) fn of(command: &[String], host: &Host, sandbox: &Sandbox) -> Self {
        let quarters = Quarters::of(command, sandbox);
        let closed = quarters.as_ref().and_then(|quarters| quarters.open_to_all().err());
        let runtime = quarters.as_ref().and_then(Quarters::runtime).map(|runtime| runtime.name);
        let variables = quarters.as_ref().map_or(&sandbox.env, Quarters::variables).clone();
        let reads = quarters.map(|quarters| {
            let read = |grant: &bao_jail::Grant| Read { path: grant.path.clone(), why: why(grant.why) };
            quarters.grants().iter().map(read).collect()
        });
        Self {
            reads,
            writes: sandbox.writable.clone(),
            runtime,
            variables,
            no_user: closed.filter(|_| host.gives_users()).map(|why| why.to_string()),
        }
    }

    /// Prints it for people.
    pub(super) fn print(&self, out: &mut impl Write, name: &str) -> io::Result<()> {
        let Some(reads) = &self.reads else {
            return writeln!(out, "{name} may read, write and run what the referee may: isolation is off");
        };
        writeln!(out, "{name} may read and run")?;
        for read in reads {
            writeln!(out, "  {}  ({})", read.path.display(), read.why)?;
        }
        writeln!(out, "  {}  (the system's programs, libraries and settings)", bao_jail::SYSTEM.join(" "))?;
        writeln!(out, "and write")?;
        for path in &self.writes {
            writeln!(out, "  {}  (--sandbox write)", path.display())?;
        }
        writeln!(out, "  its own directory, which is empty at its start and removed at its end")?;
        let runtime = self.runtime.filter(|name| !name.is_empty());
        let runtime = runtime.map_or(String::new(), |name| format!(" (its runtime: {name})"));
        writeln!(
            out,
            "and gets these variables beside PATH, HOME, TMPDIR and the language settings{runtime}"
        )?;
        for (name, value) in &self.variables {
            writeln!(out, "  {name}={value}")?;
        }
        let Some(why) = &self.no_user else { return Ok(()) };
        writeln!(
            out,
            "\nIt gets no user id of its own: {why}.\nIt runs as root without root's rights, and the other layers hold it. \
             To give it one:\n  - put its program and its interpreter where everybody may enter and read (/opt, /usr/local, \
             /srv), or\n  - open the way: chmod o+x on each closed directory above it, chmod -R o+rX on its own, or\n  - make \
             its environment with the system's interpreter: /usr/bin/python3 -m venv /srv/bots/NAME/venv"
        )
    }
}

fn why(why: Why) -> &'static str {
    match why {
        Why::Named => "the command names it",
        Why::Installation => "the installation of its program",
        Why::Link => "a link in the command leads there",
        Why::Setting => "--sandbox read",
    }
}

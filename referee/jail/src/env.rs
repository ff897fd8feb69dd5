//! The environment that a bot gets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::SYSTEM;
use crate::sandbox::Sandbox;

/// The variable by which a bot's processes are known.
pub(crate) const MARKER: &str = "BAO_REFEREE_BOT";

/// The search path when the referee itself has none.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Makes the environment: a short list of the referee's own variables, the private places, and the bot's settings.
///
/// `readable` are the directories beyond the system's that the bot can use: the search path keeps to those, since a
/// program that is found but refused is worse than one that is not found.
pub(crate) fn build(
    sandbox: &Sandbox,
    own: impl Iterator<Item = (String, String)>,
    scratch: &Path,
    readable: &[PathBuf],
) -> BTreeMap<String, String> {
    let kept = |name: &str| matches!(name, "PATH" | "LANG" | "LANGUAGE" | "TZ") || name.starts_with("LC_");
    let mut env: BTreeMap<_, _> = own.filter(|(name, _)| kept(name)).collect();
    let path = env.remove("PATH").unwrap_or_else(|| PATH.to_owned());
    env.insert("PATH".into(), usable_path(&path, readable));
    for name in ["HOME", "TMPDIR"] {
        env.insert(name.into(), scratch.to_string_lossy().into_owned());
    }
    env.extend(sandbox.env.clone());
    env
}

/// Lists the referee's own variables, those that are text.
pub(crate) fn own() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

fn usable_path(path: &str, readable: &[PathBuf]) -> String {
    let inside = |entry: &&str| {
        let entry = Path::new(entry);
        SYSTEM.iter().any(|root| entry.starts_with(root))
            || readable.iter().any(|root| entry.starts_with(root))
    };
    path.split(':').filter(inside).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_listed_variables_get_in() {
        let own = [
            ("PATH", "/root/x/bin:/usr/bin:/opt/jdk/bin"),
            ("SECRET", "s"),
            ("LC_ALL", "C"),
            ("PYTHONUNBUFFERED", "1"),
            ("HOME", "/root"),
        ];
        let own = own.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let sandbox = Sandbox { env: BTreeMap::from([("DEPTH".into(), "3".into())]), ..Sandbox::default() };
        let env = build(&sandbox, own, Path::new("/tmp/s"), &[PathBuf::from("/opt/jdk")]);
        let seen: Vec<_> = env.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            seen,
            ["DEPTH=3", "HOME=/tmp/s", "LC_ALL=C", "PATH=/usr/bin:/opt/jdk/bin", "TMPDIR=/tmp/s"]
        );
    }
}

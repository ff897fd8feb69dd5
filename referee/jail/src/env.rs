//! The environment that a bot gets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::SYSTEM;
use crate::sandbox::Sandbox;

/// The variable that marks a bot's processes.
pub(crate) const MARKER: &str = "BAO_REFEREE_BOT";

/// The search path when the referee itself has none.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Makes the environment: a short list of the referee's own variables, the private places, and the bot's settings.
///
/// `readable` are the directories that the bot can use in addition to the system's. The search path has only these,
/// because a program that is found but refused is worse than one that is not found. `needed` has the variables for
/// the bot's runtime.
pub(crate) fn build(
    sandbox: &Sandbox,
    own: impl Iterator<Item = (String, String)>,
    scratch: &Path,
    readable: &[PathBuf],
    needed: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let kept = |name: &str| matches!(name, "PATH" | "LANG" | "LANGUAGE" | "TZ") || name.starts_with("LC_");
    let mut env: BTreeMap<_, _> = own.filter(|(name, _)| kept(name)).collect();
    let path = env.remove("PATH").unwrap_or_else(|| PATH.to_owned());
    env.insert("PATH".into(), usable_path(&path, readable));
    for name in ["HOME", "TMPDIR"] {
        env.insert(name.into(), scratch.to_string_lossy().into_owned());
    }
    env.extend(set(sandbox, &scratch.to_string_lossy(), needed));
    env
}

/// Returns the variables that a bot gets in addition to the referee's own: those for runtimes, and the organiser's
/// settings.
pub(crate) fn set(
    sandbox: &Sandbox,
    temporary: &str,
    needed: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut env = needed.clone();
    env.extend(limits(sandbox.memory_bytes, temporary));
    env.extend(sandbox.env.clone());
    env
}

/// Returns the variables that tell runtimes their memory limit, because most use the size of the machine's memory.
///
/// Every bot gets all of them: a bot may start its runtime with its own script. Options on a runtime's command line
/// override them. A heap gets two thirds of the limit; Go's limit counts nearly all of its memory.
fn limits(memory_bytes: Option<u64>, temporary: &str) -> BTreeMap<String, String> {
    let mut java = Vec::new();
    let mut env = BTreeMap::new();
    if let Some(bytes) = memory_bytes {
        java.push(format!("-XX:MaxRAM={bytes} -XX:MaxRAMPercentage=66 -XX:MinRAMPercentage=66"));
        let heap = bytes / 3 * 2;
        env.insert("NODE_OPTIONS".to_owned(), format!("--max-old-space-size={}", (heap >> 20).max(1)));
        env.insert("DOTNET_GCHeapHardLimit".to_owned(), format!("{heap:#x}"));
        env.insert("GOMEMLIMIT".to_owned(), (bytes / 8 * 7).to_string());
    }
    // Java reads no TMPDIR. Its launcher splits at spaces outside quotes.
    if !temporary.contains(['"', '\\']) {
        let option = format!("-Djava.io.tmpdir={temporary}");
        let spaced = temporary.contains(char::is_whitespace);
        java.push(if spaced { format!("\"{option}\"") } else { option });
    }
    if !java.is_empty() {
        env.insert("JDK_JAVA_OPTIONS".to_owned(), java.join(" "));
    }
    env
}

/// Lists those of the referee's own variables that are text.
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
        let needed = BTreeMap::from([("LUA_PATH".into(), "/bot/?.lua;;".into())]);
        let env = build(&sandbox, own, Path::new("/tmp/s"), &[PathBuf::from("/opt/jdk")], &needed);
        let seen: Vec<_> = env.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            seen,
            [
                "DEPTH=3",
                "DOTNET_GCHeapHardLimit=0x2aaaaaaa",
                "GOMEMLIMIT=939524096",
                "HOME=/tmp/s",
                "JDK_JAVA_OPTIONS=-XX:MaxRAM=1073741824 -XX:MaxRAMPercentage=66 -XX:MinRAMPercentage=66 \
                 -Djava.io.tmpdir=/tmp/s",
                "LC_ALL=C",
                "LUA_PATH=/bot/?.lua;;",
                "NODE_OPTIONS=--max-old-space-size=682",
                "PATH=/usr/bin:/opt/jdk/bin",
                "TMPDIR=/tmp/s",
            ]
        );
    }

    #[test]
    fn without_a_limit_runtimes_learn_the_temporary_directory_alone() {
        let env = limits(None, "/tmp/my bots");
        assert_eq!(
            env.into_iter().collect::<Vec<_>>(),
            [("JDK_JAVA_OPTIONS".to_owned(), "\"-Djava.io.tmpdir=/tmp/my bots\"".to_owned())]
        );
        assert_eq!(limits(None, "/tmp/\"").len(), 0);
    }
}

//! The command lines with which engines carry out a bundle or a wave.

use std::path::Path;

use crate::farm::engine::Engine;

/// What is known of a wave's place when its command is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places<'a> {
    /// The directory of the wave.
    pub(super) wave: &'a Path,
    /// The bundle, for an engine that takes one at a time.
    pub(super) bundle: &'a Path,
    /// How many bundles the wave has.
    pub(super) bundles: usize,
    /// The program of the referee on the workers.
    pub(super) referee: &'a str,
    /// What the organiser adds: hosts, or options of the engine.
    pub(super) options: &'a str,
    /// The organiser's own command.
    pub(super) command: &'a str,
}

/// Returns whether an engine takes a whole wave at once.
pub(super) fn takes_waves(engine: Engine) -> bool {
    matches!(engine, Engine::Parallel | Engine::Slurm)
}

/// Returns the shell command that carries out a bundle or a wave, and ends when it is over.
pub(super) fn command(engine: Engine, places: &Places<'_>) -> String {
    let quoted = |path: &Path| shell_words::quote(&path.to_string_lossy()).into_owned();
    let (wave, bundle, referee) =
        (quoted(places.wave), quoted(places.bundle), shell_words::quote(places.referee));
    let Places { bundles, options, command, .. } = places;
    match engine {
        Engine::Local => format!("exec {referee} task {bundle}"),
        Engine::Command => command
            .replace("{bundle}", &bundle)
            .replace("{shards}", &quoted(&places.wave.join("shards")))
            .replace("{referee}", &referee),
        // Every bundle goes to a host by itself, and its shard comes back: no shared disk is needed.
        Engine::Parallel => format!(
            "cd {wave} && exec parallel --will-cite {options} --retries 3 --transferfile {{}} --return {{.}}.tar --cleanup \
             {referee} task {{}} --shard {{.}}.tar ::: bundle-*.json"
        ),
        // `sbatch --wait` looks ever more rarely whether its job is over.
        Engine::Slurm => format!(
            "cd {wave} && job=$(sbatch --parsable --array=1-{bundles} --job-name=referee --output=bundle-%a.log \
             --signal=B:TERM@120 {options} --wrap 'exec {referee} task . --index \"$SLURM_ARRAY_TASK_ID\"') && \
             trap 'scancel \"$job\"' TERM INT && while squeue --noheader --jobs=\"$job\" 2>/dev/null | grep -q .; do sleep 1; \
             done"
        ),
    }
}

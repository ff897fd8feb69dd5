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
    matches!(engine, Engine::Parallel | Engine::Slurm | Engine::Hq | Engine::Kubernetes)
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
        Engine::Hq => format!(
            "cd {wave} && exec hq submit --array=1-{bundles} --name=referee --stdout=none --stderr='bundle-%{{TASK_ID}}.log' \
             --wait {options} -- {referee} task ."
        ),
        Engine::Kubernetes => format!(
            "cd {wave} && cat >job.yaml <<'END' && kubectl create -f job.yaml && trap 'kubectl delete -f job.yaml' TERM INT \
             && kubectl wait --for=condition=complete --timeout=24h -f job.yaml\n{}END\n",
            manifest(places)
        ),
    }
}

/// Returns the Indexed Job of a wave. The options are words: `image=`, `claim=` (a volume that all nodes may write) and
/// `path=` (where it is mounted, here and there).
fn manifest(places: &Places<'_>) -> String {
    let option = |key: &str, usual: &str| {
        let mut words = places.options.split_whitespace();
        words.find_map(|word| word.strip_prefix(key)?.strip_prefix('=')).unwrap_or(usual).to_owned()
    };
    let (image, claim, path) =
        (option("image", "referee"), option("claim", "referee"), option("path", "/event"));
    let (wave, bundles, referee) = (places.wave.display(), places.bundles, places.referee);
    let number = places.wave.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    format!(
        r#"apiVersion: batch/v1
kind: Job
metadata:
  name: referee-{number}
spec:
  completionMode: Indexed
  completions: {bundles}
  parallelism: {bundles}
  backoffLimitPerIndex: 3
  maxFailedIndexes: {bundles}
  ttlSecondsAfterFinished: 3600
  podFailurePolicy:
    rules:
      - action: FailIndex
        onExitCodes:
          containerName: task
          operator: In
          values: [2]
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 120
      containers:
        - name: task
          image: "{image}"
          command: ["{referee}", "task", "{wave}"]
          resources:
            requests: {{cpu: "2", memory: 4Gi}}
            limits: {{cpu: "2", memory: 4Gi}}
          volumeMounts:
            - {{name: event, mountPath: "{path}"}}
      volumes:
        - name: event
          persistentVolumeClaim: {{claimName: "{claim}"}}
"#
    )
}

//! Events that are played by many workers come out as if one referee had played them, whatever dies.
//!
//! `BAO_KILLS=100 cargo test -p bao-tests --test tournament farm` kills more often; `BAO_SEED` at other moments.

use std::process::{Command, Stdio};
use std::time::Duration;

use bao_tests::{Chance, Place, Referee, number, program, skip};
use serde_json::Value;

use super::{BOTH_GAMES, SAMPLE_BOTS, TWO_BOTS, tournament};

/// How many kills are tried without `BAO_KILLS`.
const KILLS: u64 = 10;
/// How many kills one event lives through.
const KILLS_EACH: u64 = 5;

const FORMATS: [&str; 5] = [
    "[format.round_robin]\ncycles = 1",
    "[format.gauntlet]\nchallengers = 2\ncycles = 1",
    "[format.swiss]\nrounds = 3",
    "[format.knockout]\nbest_of = 2",
    "[format.sprt]\nelo0 = 0\nelo1 = 200\nmax_pairs = 10",
];

fn file(format: &str) -> String {
    let bots = if format.contains("sprt") { TWO_BOTS } else { SAMPLE_BOTS };
    format!("seed = 11\n{format}\n{BOTH_GAMES}\n{bots}")
}

/// Verifies a record to its end; returns its course digest.
fn course(place: Place, context: &str) -> (Place, String) {
    let verified = Referee::at(place, ["verify", "record", "--json"]).unverified().run();
    assert_eq!(verified.code(), 0, "{context}: {}", verified.stdout);
    let summary: Value =
        serde_json::from_str(verified.stdout.lines().last().expect("a summary")).expect("JSON");
    assert_eq!(summary["unfinished"], 0, "{context}: {}", verified.stdout);
    (verified.place, summary["course_sha256"].as_str().expect("a digest").to_owned())
}

fn farmed(file: &str, arguments: &[&str], context: &str) -> (Place, String) {
    let place = Place::new();
    place.file("cup.toml", file);
    let all = ["farm", "cup.toml", "--out", "record", "--quiet"].into_iter().chain(arguments.iter().copied());
    let farm = Referee::at(place, all).memory_kib(64 << 10).run();
    assert_eq!(farm.code(), 0, "{context}: {}", farm.stderr);
    course(farm.place, context)
}

#[test]
fn every_format_comes_out_the_same_over_any_number_of_bundles() {
    for format in FORMATS {
        let file = file(format);
        let whole = tournament(Place::new(), &file, "1").run().exits(0);
        let (_, alone) = course(whole.place, format);
        for (slots, bundle) in [("1", "40"), ("2", "1"), ("3", "7")] {
            let context = format!("{format}, {slots} slots, bundles of {bundle}");
            let (_, digest) = farmed(&file, &["--slots", slots, "--bundle", bundle], &context);
            assert_eq!(digest, alone, "{context}");
        }
    }
}

#[test]
fn whatever_dies_the_same_command_goes_on() {
    let (kills, seed) = (number("BAO_KILLS", KILLS), number("BAO_SEED", 1));
    let mut chance = Chance::new(seed);
    for round in 0..kills.div_ceil(KILLS_EACH) {
        let format = FORMATS[round as usize % FORMATS.len()];
        let file = file(format);
        let context = format!("BAO_SEED={seed}, round {round}, {format}");
        let (_, alone) = course(tournament(Place::new(), &file, "1").run().exits(0).place, &context);
        let place = Place::new();
        place.file("cup.toml", &file);
        for _ in 0..KILLS_EACH {
            let mut farm = Command::new(program("referee"))
                .args(["farm", "cup.toml", "--out", "record", "--slots", "2", "--quiet"])
                .current_dir(place.dir())
                .env("BAO_TEST_MARK", place.mark())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the referee starts");
            // Any moment is right: it is drawn, and nothing is waited for.
            std::thread::sleep(Duration::from_millis(chance.below(700)));
            if chance.below(2) == 0 {
                kill_a_worker(farm.id());
            } else {
                let _gone = farm.kill();
            }
            std::thread::sleep(Duration::from_millis(chance.below(200)));
            let _gone = farm.kill();
            farm.wait().expect("it is ours");
            // A tool that copies files may leave half of one, or one twice.
            let shards = place.record().join("waves/000001/shards");
            if place.record().join("run.json").exists() && std::fs::create_dir_all(&shards).is_ok() {
                std::fs::write(shards.join("0001.half.tar"), b"not a shard").expect("it is ours");
            }
        }
        let farm = Referee::at(place, ["farm", "cup.toml", "--out", "record", "--slots", "2", "--quiet"])
            .memory_kib(64 << 10)
            .run();
        assert_eq!(farm.code(), 0, "{context}: {}", farm.stderr);
        let (_, digest) = course(farm.place, &context);
        assert_eq!(digest, alone, "{context}");
    }
}

/// Kills one child of a farm.
fn kill_a_worker(farm: u32) {
    let children = std::fs::read_to_string(format!("/proc/{farm}/task/{farm}/children")).unwrap_or_default();
    let worker = children.split_whitespace().next().and_then(|pid| pid.parse().ok());
    if let Some(worker) = worker.and_then(rustix::process::Pid::from_raw) {
        let _gone = rustix::process::kill_process(worker, rustix::process::Signal::KILL);
    }
}

#[test]
fn an_engine_is_any_command_and_a_wave_can_be_carried_out_by_hand() {
    let file = file(FORMATS[0]);
    let (_, alone) = course(tournament(Place::new(), &file, "1").run().exits(0).place, "alone");
    let command = "{referee} task {bundle} --deliver {shards}";
    let arguments = ["--engine", "command", "--slots", "2", "--bundle", "3", "--command", command];
    let (_, digest) = farmed(&file, &arguments, "command");
    assert_eq!(digest, alone);
    // Nothing is played by this: it only begins the record.
    let place = Place::new();
    place.file("cup.toml", &file);
    let never =
        ["farm", "cup.toml", "--out", "record", "--engine", "command", "--command", "exit 75", "--quiet"];
    let failed = Referee::at(place, never).unverified().run();
    assert_eq!(failed.code(), 3, "{}", failed.stderr);
    assert!(failed.stderr.contains("never came home"), "{}", failed.stderr);
    let mut place = failed.place;
    std::fs::remove_dir_all(place.record().join("waves")).expect("it is ours");
    for _ in 0..3 {
        let wave = Referee::at(place, ["wave", "record", "--bundles", "3", "--pairs", "3"])
            .unverified()
            .run()
            .exits(0);
        let bundles: Vec<String> = wave.stdout.lines().map(str::to_owned).collect();
        place = wave.place;
        for bundle in &bundles {
            place = Referee::at(place, ["task", bundle]).unverified().run().exits(0).place;
            // Again: a requeued task costs a game, and no result.
            place = Referee::at(place, ["task", bundle]).unverified().run().exits(0).place;
        }
        let gathered = Referee::at(place, ["gather", "record"]).unverified().run().exits(0);
        assert!(gathered.stdout.contains("0 shards were set aside"), "{}", gathered.stdout);
        place = gathered.place;
    }
    assert_eq!(course(place, "by hand").1, alone);
}

#[test]
fn a_machine_that_cannot_play_says_so_and_decides_nothing() {
    let place = Place::new();
    place.file("bot.py", "import sys\nsys.exit(3)\n");
    let bots = "[[bot]]\ncommand = \"python3 bot.py\"\n[[bot]]\ncommand = \"random-bot\"\n";
    let file =
        format!("seed = 1\n[format.round_robin]\ncycles = 1\n[[game]]\nname = \"bao-kingulu\"\n{bots}");
    place.file("cup.toml", &file);
    // Nobody can start the bot: at the third time that is the bot's own fault.
    let farm = Referee::at(place, ["farm", "cup.toml", "--out", "record", "--slots", "1", "--quiet"])
        .unverified()
        .run();
    assert_eq!(farm.code(), 0, "{}", farm.stderr);
    let rows = farm.games();
    assert!(rows.iter().all(|row| row.north == "random-bot" || row.south == "random-bot"));
    let changed = farm.place;
    changed.file("cup2.toml", &file.replace("seed = 1", "seed = 2"));
    let refused =
        Referee::at(changed, ["farm", "cup2.toml", "--out", "record", "--quiet"]).unverified().run().exits(2);
    assert!(refused.stderr.contains("seed: 1 in the record, 2 in this command"), "{}", refused.stderr);
}

/// Three machines that are one: daemons of ssh on ports of their own.
struct Hosts {
    dir: tempfile::TempDir,
}

impl Hosts {
    /// Starts them; `None` where ssh, rsync or GNU parallel is missing, or this is not root.
    fn start() -> Option<Self> {
        let there = |name: &str| Command::new(name).arg("--version").output().is_ok();
        let root = rustix::process::geteuid().is_root();
        if !root || !["parallel", "rsync", "ssh-keygen", "/usr/sbin/sshd"].into_iter().all(there) {
            return None;
        }
        let dir = tempfile::Builder::new().prefix("bao-hosts-").tempdir().expect("a directory");
        let script = format!("D={} N={}\n{HOSTS}", dir.path().display(), std::process::id() % 20_000);
        let started = Command::new("bash").arg("-c").arg(script).output().expect("bash is everywhere");
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        Some(Self { dir })
    }

    /// Kills a daemon with its sessions.
    fn kill(&self, host: u32) {
        let pid = std::fs::read_to_string(self.dir.path().join(format!("{host}.pid"))).unwrap_or_default();
        let script = format!(
            "for child in $(pgrep -P {0}); do kill -9 $(pgrep -P $child) $child; done; kill -9 {0}",
            pid.trim()
        );
        let _gone = Command::new("bash").arg("-c").arg(script).output();
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in 1..=3 {
            self.kill(host);
        }
    }
}

const HOSTS: &str = r#"
set -e
cd $D
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f key
mkdir -p /run/sshd
for host in 1 2 3; do
    port=$((40000 + (N * 3 + host) % 20000))
    printf '%s\n' "Port $port" "ListenAddress 127.0.0.1" "HostKey $D/host" "AuthorizedKeysFile $D/key.pub" "PidFile $D/$host.pid" \
        "StrictModes no" "UsePAM no" "PermitRootLogin yes" "MaxStartups 100" "MaxSessions 100" >$host.conf
    /usr/sbin/sshd -f $D/$host.conf
    echo "1/ssh -p $port -i $D/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR root@127.0.0.1" >>hosts
done
for try in $(seq 100); do
    if [ -s 1.pid ] && [ -s 2.pid ] && [ -s 3.pid ]; then exit 0; fi
    sleep 0.1
done
exit 1
"#;

#[test]
fn gnu_parallel_carries_out_waves_over_ssh_and_a_host_may_die() {
    let Some(hosts) = Hosts::start() else {
        let why = "GNU parallel, rsync, sshd or root is missing";
        return skip("gnu_parallel_carries_out_waves_over_ssh_and_a_host_may_die", why);
    };
    let file = file(FORMATS[2]);
    let (_, alone) = course(tournament(Place::new(), &file, "1").run().exits(0).place, "alone");
    let place = Place::new();
    place.file("cup.toml", &file);
    let options = format!("--options=--sshloginfile {}", hosts.dir.path().join("hosts").display());
    let arguments =
        ["farm", "cup.toml", "--out", "record", "--quiet", "--json", "--engine", "parallel", "--slots", "6"];
    let mut farm = Referee::at(place, arguments)
        .with(["--bundle", "2", "--deadline", "30", &*options])
        .memory_kib(64 << 10)
        .within(Duration::from_secs(240))
        .start();
    farm.until(|event| {
        event["event"] == "progress" && event["finished"].as_u64().is_some_and(|games| games >= 4)
    });
    hosts.kill(2);
    let ended = farm.finish();
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    assert_eq!(course(ended.place, "parallel").1, alone);
}

/// A Slurm of two nodes on this machine, for a test.
struct Slurm {
    dir: tempfile::TempDir,
}

impl Slurm {
    /// Starts its daemons; `None` where they are not installed, or this is not root.
    fn start() -> Option<Self> {
        // Without a configuration, not all of them tell their version.
        let there = |name: &str| Command::new(name).arg("-V").output().is_ok();
        if !rustix::process::geteuid().is_root() || !["slurmctld", "slurmd", "sbatch"].into_iter().all(there)
        {
            return None;
        }
        let dir = tempfile::Builder::new().prefix("bao-slurm-").tempdir().expect("a directory");
        let script = format!("D={} N={}\n{SLURM}", dir.path().display(), std::process::id() % 20_000);
        let started = Command::new("bash").arg("-c").arg(script).output().expect("bash is everywhere");
        let said =
            String::from_utf8_lossy(&started.stdout).into_owned() + &String::from_utf8_lossy(&started.stderr);
        let slurm = Self { dir };
        if started.status.success() {
            return Some(slurm);
        }
        skip(
            "slurm_carries_out_waves",
            &format!("Slurm does not start here: {}", said.trim().replace('\n', "; ")),
        );
        drop(slurm);
        None
    }

    fn conf(&self) -> String {
        self.dir.path().join("slurm.conf").display().to_string()
    }

    /// Kills a daemon, and everything that it started.
    fn kill(&self, name: &str) {
        let pid = std::fs::read_to_string(self.dir.path().join(format!("{name}.pid"))).unwrap_or_default();
        if let Some(pid) = pid.trim().parse().ok().and_then(rustix::process::Pid::from_raw) {
            let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _jobs =
            Command::new("scancel").args(["--name", "referee"]).env("SLURM_CONF", self.conf()).output();
        for name in ["slurmd-n1", "slurmd-n2", "slurmctld"] {
            self.kill(name);
        }
    }
}

/// Starts the daemons and waits until both nodes are idle.
const SLURM: &str = r#"
set -e
H=$(hostname -s)
mkdir -p $D/state $D/log $D/spool-n1 $D/spool-n2
install -d -o munge -g munge -m 755 /run/munge
pgrep -x munged >/dev/null || runuser -u munge -- env -u BAO_CI_MARK /usr/sbin/munged
cat > $D/slurm.conf <<C
ClusterName=referee
SlurmctldHost=$H(127.0.0.1)
SlurmctldPort=$((20000 + N))
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool-%n
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd-%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
SchedulerParameters=sched_min_interval=200000,batch_sched_delay=0
NodeName=n1 NodeHostname=$H NodeAddr=127.0.0.1 Port=$((20001 + N)) CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=$H NodeAddr=127.0.0.1 Port=$((20002 + N)) CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
C
export SLURM_CONF=$D/slurm.conf
slurmctld -c -i; slurmd -N n1; slurmd -N n2
for try in $(seq 100); do
    if [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" = 2 ]; then exit 0; fi
    sleep 0.1
done
sinfo -N
exit 1
"#;

#[test]
fn slurm_carries_out_waves_and_a_node_may_die() {
    let Some(slurm) = Slurm::start() else {
        return skip(
            "slurm_carries_out_waves_and_a_node_may_die",
            "there is no Slurm (slurmctld, slurmd, munge), or no root",
        );
    };
    let file = file("[format.round_robin]\ncycles = 4");
    let (_, alone) = course(tournament(Place::new(), &file, "1").run().exits(0).place, "alone");
    let place = Place::new();
    place.file("cup.toml", &file);
    let arguments =
        ["farm", "cup.toml", "--out", "record", "--quiet", "--json", "--engine", "slurm", "--slots", "6"];
    let mut farm = Referee::at(place, arguments)
        .with(["--bundle", "4", "--deadline", "20"])
        .env("SLURM_CONF", &slurm.conf())
        .memory_kib(64 << 10)
        .within(Duration::from_secs(240))
        .start();
    // In the middle of the event.
    farm.until(|event| {
        event["event"] == "progress" && event["finished"].as_u64().is_some_and(|games| games >= 8)
    });
    slurm.kill("slurmd-n2");
    let ended = farm.finish();
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    assert_eq!(course(ended.place, "slurm").1, alone);
}

/// What `kubectl create` and `kubectl wait` do with an Indexed Job, without a cluster: the command of every index, with the
/// variable that it finds there. A manifest that Kubernetes would refuse is refused, if its validator is installed.
const KUBECTL: &str = r#"#!/usr/bin/env python3
import json, os, re, subprocess, sys
if sys.argv[1] != "create":
    sys.exit(0)
text = open(sys.argv[3]).read()
try:
    import kubernetes_validate, yaml
    kubernetes_validate.validate(yaml.safe_load(text), "1.33", strict=True)
    open(os.environ["VALIDATED"], "w").write("yes")
except ImportError:
    pass
command = json.loads(re.search(r"command: (\[.*\])", text)[1])
for index in range(int(re.search(r"completions: (\d+)", text)[1])):
    subprocess.run(command, env=dict(os.environ, JOB_COMPLETION_INDEX=str(index)), check=True)
"#;

/// What `hq submit --array` does, without HyperQueue, whose program is in no package.
const HQ: &str = r#"#!/usr/bin/env python3
import os, subprocess, sys
words = sys.argv[1:]
last = int(next(word for word in words if word.startswith("--array=")).split("-")[-1])
for index in range(1, last + 1):
    subprocess.run(words[words.index("--") + 1 :], env=dict(os.environ, HQ_TASK_ID=str(index)), check=True)
"#;

#[test]
fn the_commands_for_kubernetes_and_hyperqueue_play_what_they_should() {
    let file = file(FORMATS[0]);
    let (_, alone) = course(tournament(Place::new(), &file, "1").run().exits(0).place, "alone");
    for (engine, tool, text) in [("kubernetes", "kubectl", KUBECTL), ("hq", "hq", HQ)] {
        let place = Place::new();
        place.file("cup.toml", &file);
        place.file(&format!("tools/{tool}"), text);
        let path =
            format!("{}:{}", place.dir().join("tools").display(), std::env::var("PATH").unwrap_or_default());
        let validated = place.dir().join("validated");
        let farm = Referee::at(place, ["farm", "cup.toml", "--out", "record", "--quiet", "--engine", engine])
            .with(["--slots", "3", "--bundle", "3"])
            .env("PATH", &path)
            .env("VALIDATED", &validated.display().to_string())
            .memory_kib(64 << 10)
            .run();
        assert_eq!(farm.code(), 0, "{engine}: {}", farm.stderr);
        if engine == "kubernetes" && !validated.exists() {
            skip(
                "kubernetes-validate",
                "its Python package is not installed: the manifest was not validated",
            );
        }
        assert_eq!(course(farm.place, engine).1, alone, "{engine}");
    }
}

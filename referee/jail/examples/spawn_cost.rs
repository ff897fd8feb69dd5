//! What isolation costs a spawn: `cargo run --release -p bao-jail --example spawn_cost`.
//!
//! Prints for each stage what the quickest tenth of many starts of `/bin/true` stays below, in microseconds: a busy
//! machine delays the rest.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use bao_jail::{ControlGroup, Host, Launch, Level, Sandbox, run_if_asked};

const STARTS: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    run_if_asked();
    let before = now();
    let host = Host::probe();
    println!("probe of the machine: {} us", now().saturating_sub(before).as_micros());
    let plain = repeat(|stages| {
        let before = now();
        let mut child = quiet(&mut Command::new("/bin/true")).spawn()?;
        child.wait()?;
        stages[5].push(now().saturating_sub(before));
        Ok(())
    })?;
    println!("{:<12} prepare   spawn started    exit   sweep     all", "");
    print("plain", plain);
    for level in [Level::Off, Level::BestEffort] {
        let sandbox = Sandbox { level, ..Sandbox::default() };
        print(&level.to_string(), repeat(|stages| start(&host, &sandbox, stages))?);
    }
    watch(&host)
}

/// Prints what a look at a running bot costs, and what it costs to stop and to resume it.
fn watch(host: &Host) -> Result<(), Box<dyn Error>> {
    for control_group in [ControlGroup::Never, ControlGroup::Always] {
        let sandbox = Sandbox { control_group, ..Sandbox::default() };
        let args = ["-c".into(), "for i in 1 2 3; do sleep 1000 & done; wait".into()];
        let launch = Launch::prepare(host, &sandbox, Path::new("/bin/sh"), &args)?;
        let mut child = quiet(&mut launch.command()?).spawn()?;
        let mut jail = launch.spawned(child.id());
        jail.started(Duration::from_secs(10))?;
        let mut meter = jail.meter();
        while meter.processes() < 4 {}
        let looks = [
            ("memory", repeat(|stages| timed(stages, || meter.over(1 << 30)))?),
            ("cpu time", repeat(|stages| timed(stages, || meter.cpu_us()))?),
            ("stop", repeat(|stages| timed(stages, || meter.stop()))?),
            ("resume", repeat(|stages| timed(stages, || meter.resume()))?),
        ];
        println!("four processes, control group {control_group:?}, nanoseconds:");
        for (name, stages) in looks {
            let mut times = stages[5].clone();
            times.sort_unstable();
            println!("  {name:<10} {:>7}", times[times.len() / 10].as_nanos());
        }
        jail.kill();
        child.wait()?;
    }
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "what is repeated may fail")]
fn timed<T>(stages: &mut Stages, run: impl FnOnce() -> T) -> Result<(), Box<dyn Error>> {
    let before = now();
    run();
    stages[5].push(now().saturating_sub(before));
    Ok(())
}

type Stages = [Vec<Duration>; 6];

fn start(host: &Host, sandbox: &Sandbox, stages: &mut Stages) -> Result<(), Box<dyn Error>> {
    let mut times = vec![now()];
    let launch = Launch::prepare(host, sandbox, Path::new("/bin/true"), &[])?;
    let mut command = launch.command()?;
    times.push(now());
    let mut child = quiet(&mut command).spawn()?;
    times.push(now());
    let mut jail = launch.spawned(child.id());
    jail.started(Duration::from_secs(10))?;
    times.push(now());
    jail.kill();
    child.wait()?;
    times.push(now());
    jail.sweep();
    times.push(now());
    for (stage, pair) in stages.iter_mut().zip(times.windows(2)) {
        stage.push(pair[1].saturating_sub(pair[0]));
    }
    stages[5].push(times[5].saturating_sub(times[0]));
    Ok(())
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped())
}

fn repeat(mut run: impl FnMut(&mut Stages) -> Result<(), Box<dyn Error>>) -> Result<Stages, Box<dyn Error>> {
    let mut stages = Stages::default();
    for _ in 0..STARTS {
        run(&mut stages)?;
    }
    Ok(stages)
}

fn print(name: &str, stages: Stages) {
    let cells = stages.map(|mut times| {
        times.sort_unstable();
        times.get(times.len() / 10).map_or_else(|| "-".to_owned(), |quick| quick.as_micros().to_string())
    });
    println!("{name:<12} {}", cells.map(|cell| format!("{cell:>7}")).join(" "));
}

fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

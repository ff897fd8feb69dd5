//! Memory, CPU time, stop and resume.

use std::time::Duration;

use bao_jail::measure::Meter;
use bao_jail::{ControlGroup, Guard, Host, Sandbox};

use crate::kit::{Running, Skip, Test, finish, kept_by, live, program, read_line, start};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("private_memory_of_a_child_is_measured", private_memory),
    ("shared_memory_is_measured_once", shared_memory),
    ("a_block_far_beyond_the_limit_is_refused_before_the_watchdog_looks", far_beyond),
    ("cpu_time_of_a_bot_and_its_children_is_measured", cpu_time),
    ("a_control_group_measures_stops_and_kills", control_group),
    ("a_stopped_bot_uses_no_cpu_time_and_goes_on_when_resumed", stopped),
];

const MIB: u64 = 1 << 20;

fn python(host: &Host, code: &str) -> Result<(Running, Meter), Skip> {
    python_in(host, &Sandbox::default(), code)
}

fn python_in(host: &Host, sandbox: &Sandbox, code: &str) -> Result<(Running, Meter), Skip> {
    program("/usr/bin/python3")?;
    let running = start(host, sandbox, "/usr/bin/python3", &["-c", code]);
    let running = running.unwrap_or_else(|error| panic!("{error}"));
    let meter = running.jail.meter();
    Ok((running, meter))
}

fn private_memory(host: &Host) -> Result<(), Skip> {
    let code = "
import os, time
input()
if os.fork() == 0:
    block = b'x' * (100 << 20)
    print('full', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, code)?;
    let before = meter.memory_bytes();
    assert!(before < 50 * MIB, "{before}");
    tell(&mut running);
    assert_eq!(read_line(&mut running.child), "full");
    let (resident, exact) = (meter.rss_bytes(), meter.memory_bytes());
    assert!((100 * MIB..150 * MIB).contains(&exact), "{exact}");
    assert!(resident >= exact, "{resident} {exact}");
    assert_eq!(meter.processes(), 2);
    assert_eq!(meter.over(150 * MIB), None);
    assert!(meter.over(90 * MIB).is_some());
    finish(running);
    assert_eq!(meter.rss_bytes(), 0);
    Ok(())
}

fn shared_memory(host: &Host) -> Result<(), Skip> {
    let code = "
import os, time, mmap
block = mmap.mmap(-1, 100 << 20)
for page in range(0, 100 << 20, 4096): block[page] = 1
if os.fork() == 0:
    sum(block[page] for page in range(0, 100 << 20, 4096))
    print('full', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, code)?;
    assert_eq!(read_line(&mut running.child), "full");
    let exact = meter.memory_bytes();
    assert!((100 * MIB..150 * MIB).contains(&exact), "{exact}");
    assert!(meter.rss_bytes() >= 200 * MIB);
    finish(running);
    Ok(())
}

fn far_beyond(host: &Host) -> Result<(), Skip> {
    let python = program("/usr/bin/python3")?;
    let sandbox = Sandbox { memory_bytes: Some(64 << 20), ..Sandbox::default() };
    let code = "
import mmap, os
try:
    mmap.mmap(-1, 2 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
except OSError as error:
    print(error.errno)
";
    let life = live(host, &sandbox, python.to_str().unwrap(), &["-c", code], "");
    assert_eq!(life.out, format!("{}\n", rustix::io::Errno::NOMEM.raw_os_error()));
    Ok(())
}

fn cpu_time(host: &Host) -> Result<(), Skip> {
    let code = "
import os, time
def burn(ms):
    end = time.process_time() + ms / 1000
    while time.process_time() < end: pass
burn(100)
if os.fork() == 0:
    burn(200)
    os._exit(0)
os.wait()
print('burnt', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, code)?;
    assert_eq!(read_line(&mut running.child), "burnt");
    let used = meter.cpu_us();
    assert!((280_000..1_000_000).contains(&used), "{used}");
    finish(running);
    Ok(())
}

fn stopped(host: &Host) -> Result<(), Skip> {
    stopped_in(host, &Sandbox::default())
}

fn control_group(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox { control_group: ControlGroup::Always, ..Sandbox::default() };
    if kept_by(&host.promises(&sandbox), Guard::CpuTime) != Some("cpu.stat") {
        return Err(Skip("this machine lets us make no control group".into()));
    }
    stopped_in(host, &sandbox)?;
    Ok(())
}

fn stopped_in(host: &Host, sandbox: &Sandbox) -> Result<(), Skip> {
    let (mut running, mut meter) = python_in(host, sandbox, "print('up', flush=True)\nwhile True: pass")?;
    assert_eq!(read_line(&mut running.child), "up");
    meter.stop();
    // Stopping is asked for, not waited for: two equal looks show that it has happened.
    let mut settled = false;
    for _ in 0..1000 {
        let before = meter.cpu_us();
        std::thread::sleep(Duration::from_millis(20));
        settled = before == meter.cpu_us();
        if settled {
            break;
        }
    }
    assert!(settled, "the bot goes on");
    let before = meter.cpu_us();
    meter.resume();
    let goes_on = (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        meter.cpu_us() > before
    });
    assert!(goes_on, "the bot stays stopped");
    finish(running);
    Ok(())
}

fn tell(running: &mut Running) {
    use std::io::Write;
    running.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
}

//! Which files a command needs: what is granted and what is refused, on a made-up machine.

use super::*;
use crate::scratch;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// An event: `NAME` is a directory, `NAME: TEXT` a program, `NAME -> TARGET` a link.
const EVENT: &str = "\
    opponent/engine: x\n\
    opponent/bin/engine: x\n\
    opponent/lib/book: x\n\
    third/engine: x\n\
    home/py/bin/python3.12: x\n\
    home/py/lib\n\
    pyenv/shims/python3: x\n\
    home/bin/strange: x\n\
    venv/bin/python -> ../../home/py/bin/python3.12\n\
    venv/lib\n\
    venv/pyvenv.cfg: x\n\
    record\n\
    real/b.py: #!/bin/sh\n\
    link/b.py -> ../real/b.py\n\
    bin/engine: x\n\
    jdk/bin/java: x\n\
    jdk/lib\n\
    jdk/conf\n\
    jdk/record\n\
    java/classes/Bot.class: x\n\
    java/lib/json.jar: x\n\
    java/bot.jar: x\n\
    Bot.class: x\n\
    pkg/__main__.py: x\n\
    node/package.json: {}\n\
    node/node_modules/x/index.js: x\n\
    node/src/bot.js: x\n\
    thief/node_modules -> ../opponent\n\
    thief/src/bot.js: x\n\
    bot/plain: x\n\
    tool/java: x\n\
    tool/dotnet: x\n\
    tool/node: x\n\
    tool/ruby: x\n\
    out/Bot.dll: x\n\
    bot/lua: #!/usr/bin/env lua5.4\n\
    bot/sh: #!/bin/sh\n\
    bot/env: #!/usr/bin/env python3\n\
    bot/own: #!{event}/bot/tool/run -x\n\
    bot/tool/run: x\n\
    bot/inside -> tool/run\n\
    thief/line: #!{event}/opponent/engine\n\
    thief/unset: #!/usr/bin/env -S -u {event}/opponent/engine /bin/sh\n\
    thief/named: #!/usr/bin/env strange\n\
    thief/out: #!{event}/record/run\n\
    thief/engine -> ../opponent/engine\n\
    thief/other -> ../third/engine\n\
    thief/directory -> ../opponent\n\
    thief/bin/python -> ../../opponent/bin/engine\n\
    thief/share -> ../opponent\n\
    thief/bin/engine: x\n";

struct Event(PathBuf);

impl Event {
    fn set_up() -> Self {
        let event = scratch::create(None).unwrap().canonicalize().unwrap();
        for line in EVENT.lines() {
            let line = line.replace("{event}", event.to_str().unwrap());
            let name = line.split([':', ' ']).next().unwrap();
            let path = event.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if let Some((_, target)) = line.split_once(" -> ") {
                symlink(target, path).unwrap();
            } else if let Some((_, text)) = line.split_once(": ") {
                fs::write(&path, format!("{text}\n")).unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
            } else {
                fs::create_dir_all(path).unwrap();
            }
        }
        Self(event)
    }

    /// Returns the grants and refusals of a command as text.
    fn resolve(&self, command: &str) -> String {
        let mut words = command.split(' ');
        let program = words.next().unwrap();
        let args: Vec<OsString> = words.map(OsString::from).collect();
        let search =
            ["pyenv/shims", "home/bin", "tool"].map(|name| self.0.join(name).display().to_string()).join(":");
        let foreign = ["opponent", "record"].map(|name| self.0.join(name));
        let given = Surroundings {
            base: &self.0,
            search: &format!("{search}:/usr/bin:/bin"),
            readable: &[],
            foreign: &foreign,
        };
        let resolved = resolve(Path::new(program), &args, &given).unwrap();
        let show = |path: &Path| match path.strip_prefix(&self.0) {
            Ok(inside) if inside.as_os_str().is_empty() => "{event}".to_owned(),
            Ok(inside) => inside.display().to_string(),
            Err(_) => path.display().to_string(),
        };
        // The files of the machine's own runtimes do not matter here.
        let of_event = resolved.grants.iter().filter(|grant| grant.path.starts_with(&self.0));
        let granted = of_event.map(|grant| match grant.why {
            Why::Link => format!("->{}", show(&grant.path)),
            Why::Named | Why::Installation | Why::Setting => show(&grant.path),
        });
        let refused = resolved.refused.iter().map(|refused| format!("NOT {}", show(&refused.to)));
        granted.chain(refused).collect::<Vec<_>>().join(" ")
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        scratch::remove(&self.0).unwrap();
    }
}

/// The grants of each kind of command: honest bots get what they need, and thieves get nothing of others.
#[test]
fn an_authors_bytes_widen_nothing() {
    let event = Event::set_up();
    for (command, expected) in [
        // A program or a script: its directory.
        ("bot/sh", "bot"),
        ("/bin/sh bot/sh", "bot"),
        // A `#!` line: the bot's own, the system's, a runtime on the search path.
        ("bot/own", "bot"),
        ("bot/env", "bot pyenv pyenv/shims"),
        ("bot/inside", "bot"),
        // A runtime on the search path, by its name or its path.
        ("python3 bot/sh", "bot pyenv pyenv/shims"),
        ("pyenv/shims/python3 bot/sh", "bot pyenv pyenv/shims"),
        // A link that the organiser has named: the one file.
        ("link/b.py", "link ->real/b.py"),
        ("/bin/sh link/b.py", "link ->real/b.py"),
        // A `bin`: the installation's parts, and nothing else there.
        ("bin/engine", "bin"),
        ("jdk/bin/java", "jdk/bin jdk/conf jdk/lib"),
        // A virtual environment, and the Python that it was made with.
        (
            "venv/bin/python bot/sh",
            "bot home/py/bin ->home/py/bin/python3.12 home/py/lib venv/bin venv/lib venv/pyvenv.cfg",
        ),
        // Thieves.
        ("thief/line", "thief NOT opponent/engine"),
        ("thief/unset", "thief NOT opponent/engine"),
        ("thief/named", "thief NOT home/bin/strange"),
        ("thief/out", "thief"),
        ("thief/engine", "thief NOT opponent/engine"),
        ("/bin/sh thief/engine", "thief NOT opponent/engine"),
        ("thief/directory/engine", " NOT opponent NOT opponent/engine"),
        ("/bin/sh thief/directory/engine", "NOT opponent NOT opponent/engine"),
        ("thief/bin/python", "thief/bin NOT opponent/bin/engine"),
        ("thief/bin/engine", "thief/bin"),
        ("node thief/src/bot.js", "thief/src tool"),
        // What runtimes take for paths.
        ("java -cp java/classes Bot", "java/classes tool"),
        ("java -cp java/bot.jar:java/lib/* pkg.Bot", "java java/lib tool"),
        ("java --class-path=java/classes Bot", "java/classes tool"),
        ("java -jar java/bot.jar", "java tool"),
        ("java Bot", "{event} tool"),
        ("java None", "tool"),
        ("dotnet out/Bot.dll", "out tool"),
        ("python3 -m pkg", "{event} pkg pyenv pyenv/shims"),
        ("python3 -m http.server", "pyenv pyenv/shims"),
        ("node node/src/bot.js", "node/node_modules node/package.json node/src tool"),
        ("sh bot/plain", "bot"),
        ("env DEEP=1 python3 bot/sh", "bot pyenv pyenv/shims"),
        ("ruby -Ijava/lib bot/plain", "bot java/lib tool"),
        // Not known as another bot's: only this file, and the organiser gets a warning.
        ("thief/other", "thief ->third/engine"),
    ] {
        assert_eq!(event.resolve(command), expected.trim(), "{command}");
    }
}

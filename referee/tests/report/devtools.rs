//! A browser at the end of two pipes, spoken to in the DevTools protocol: as much of it as the tests need.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// A headless browser with one page.
#[derive(Debug)]
pub(crate) struct Browser {
    child: Child,
    commands: File,
    messages: Receiver<Value>,
    session: Option<String>,
    last_id: u64,
    /// What happened meanwhile, in order.
    events: Vec<Value>,
    profile: PathBuf,
}

impl Browser {
    /// Starts Chromium; `None` with a loud word where there is none.
    pub(crate) fn start(test: &str) -> Option<Self> {
        let Some(program) = find() else {
            skip(test, "no chromium in PATH (apt-get install chromium)");
            return None;
        };
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("browser")
            .join(format!("{test}-{}", std::process::id()));
        let _was_not_there = fs::remove_dir_all(&profile);
        fs::create_dir_all(&profile).unwrap();
        let pipes = ["commands", "messages"].map(|name| profile.join(name));
        assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            // Tests change the address more often than anybody could.
            "--disable-ipc-flooding-protection",
            "--remote-debugging-pipe",
            "about:blank",
        ];
        let child = Command::new("sh")
            .args(["-c", r#"commands=$1; messages=$2; shift 2; exec "$@" 3<"$commands" 4>"$messages""#, "sh"])
            .args(&pipes)
            .arg(program)
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let commands = OpenOptions::new().write(true).open(&pipes[0]).unwrap();
        let mut from_browser = BufReader::new(File::open(&pipes[1]).unwrap());
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while from_browser.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let sent = serde_json::from_slice(&message).ok().map(|message| sender.send(message));
                if !matches!(sent, Some(Ok(()))) {
                    return;
                }
                message.clear();
            }
        });
        let mut browser =
            Self { child, commands, messages, session: None, last_id: 0, events: Vec::new(), profile };
        let target =
            browser.call("Target.createTarget", &json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Asks for something and waits for the answer.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let message = self.next_message();
            if message["id"] == json!(self.last_id) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    /// Opens a file, and waits until it is loaded.
    pub(crate) fn open(&mut self, file: &Path, fragment: &str) {
        self.events.clear();
        // Another page first, since a fragment alone does not load anything.
        self.call("Page.navigate", &json!({ "url": "about:blank" }));
        self.wait_for_load();
        self.call("Page.navigate", &json!({ "url": format!("file://{}{fragment}", file.display()) }));
        self.wait_for_load();
    }

    fn wait_for_load(&mut self) {
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let message = self.next_message();
            self.events.push(message);
        }
        self.events.retain(|event| event["method"] != "Page.loadEventFired");
    }

    /// Evaluates an expression, a promise too, and returns its value.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", &parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", &json!({ "type": kind, "key": key, "code": key }));
        }
    }

    /// Gives the page another width, and the other scheme of colours.
    pub(crate) fn look(&mut self, width: u32, dark: bool) {
        let screen = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", &screen);
        self.media("", &[("prefers-color-scheme", if dark { "dark" } else { "light" })]);
    }

    /// Shows the page on another medium (`print`; none is the screen), to a reader with these preferences.
    pub(crate) fn media(&mut self, media: &str, preferences: &[(&str, &str)]) {
        let features: Vec<Value> =
            preferences.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.call("Emulation.setEmulatedMedia", &json!({ "media": media, "features": features }));
    }

    /// Returns what the page complained of since it was opened: console, exceptions, policy, failed requests.
    pub(crate) fn complaints(&self) -> Vec<&Value> {
        let complaints = [
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
            "Network.loadingFailed",
        ];
        self.events
            .iter()
            .filter(|event| complaints.iter().any(|method| event["method"] == *method))
            .collect()
    }

    /// Returns the addresses that the page asked for.
    pub(crate) fn requests(&self) -> Vec<&str> {
        let requests = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        requests.filter_map(|event| event["params"]["request"]["url"].as_str()).collect()
    }

    fn next_message(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("the browser answers")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _gone_already = self.commands.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        // It closes the pipe when it is done with its children.
        while self.messages.recv_timeout(Duration::from_secs(20)).is_ok() {}
        let _gone_already = self.child.kill();
        let _reaped = self.child.wait();
        let _in_use = fs::remove_dir_all(&self.profile);
    }
}

/// Says that a test was skipped and why: on standard error, and in the file that `BAO_SKIPS` names, if it names one.
fn skip(test: &str, why: &str) {
    let line = format!("SKIPPED report::browser::{test}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
    if let Some(path) = std::env::var_os("BAO_SKIPS") {
        OpenOptions::new().create(true).append(true).open(path).unwrap().write_all(line.as_bytes()).unwrap();
    }
}

/// Returns the checks of axe-core; `None` with a loud word where they are not installed.
///
/// They are under the MPL 2.0 and no part of this repository.
pub(crate) fn axe(test: &str) -> Option<String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?;
    let source = fs::read_to_string(target.join("axe/node_modules/axe-core/axe.min.js")).ok();
    if source.is_none() {
        skip(test, "no axe-core (npm install --prefix target/axe axe-core)");
    }
    source
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |dir| dir.join(name)))
        .find(|file| file.is_file())
}

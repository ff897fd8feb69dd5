//! Records made in the test's own process: scripted bots, a clock that is counted, the referee's own machine,
//! scribe and ledger. The same scripts make the same bytes, except for the date.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use bao_jail::Sandbox;
use bao_protocol::Reason;
use bao_protocol::record::{
    Channel, Event, GameRow, Host, Machine, MoveRow, OnlyHost, Run, RunBot, WireLine,
};
use bao_protocol::to_bot::ToBot;
use bao_protocol::{Seat, VoidCause};
use bao_referee::game::setup::{Known, Measure, Setup};
use bao_referee::game::spec::GameSpec;
use bao_referee::game::verdict::{Loss, Verdict};
use bao_referee::game::{Cpu, Game, Heard, Input, Note, Out};
use bao_referee::plan::{BotPlan, Format, GamePlan, Openings, Plan, setup};
use bao_referee::record::outlet::Backlog;
use bao_referee::record::{
    Entry, Files, Finished, Layout, Ledger, Scribe, Tail, Written, end, game_row, hex, plan_sha256, read,
    survey, write_run,
};
use bao_referee::results::standings::Standings;
use bao_referee::schedule::{GameResult, Next, Schedule};
use bao_rules::{BySide, Position, Side, Variant};
use sha2::{Digest, Sha256};

/// What a scripted bot does at one of its turns, beside the legal move that it finds by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Says this line and nothing else.
    Says(Vec<u8>),
    /// Says this line, then moves.
    SaysAndMoves(Vec<u8>),
    /// Moves after this many microseconds.
    Thinks(u64),
    /// Says nothing until its time is up.
    Sleeps,
    /// Resigns.
    Resigns,
    /// Its program ends in the middle of a line.
    Crashes,
    /// The operator stops the run.
    IsStopped,
}

/// The deeds of a game: at which ply (from 1), what.
pub(crate) type Script = Vec<(u64, Deed)>;

/// Eight games, one for every reason that bots can be scripted to, and attempts that did not count; a bot says
/// `hello` with one of its moves.
pub(crate) fn for_every_reason(hello: &[u8]) -> Vec<(u64, Script)> {
    vec![
        (1, vec![(3, Deed::IsStopped)]),
        (1, vec![(2, Deed::IsStopped)]),
        (1, Vec::new()),
        (2, vec![(4, Deed::Resigns)]),
        (3, vec![(5, Deed::Sleeps)]),
        (4, vec![(2, Deed::Crashes)]),
        (5, vec![(2, Deed::SaysAndMoves(hello.to_vec())), (4, Deed::Thinks(300_000))]),
        (6, vec![(3, Deed::Says(b"{\"type\":\"move\"}".to_vec()))]),
        (7, vec![(3, Deed::Thinks(3_000_000))]),
        (7, vec![(3, Deed::Thinks(1_900_000))]),
        (8, vec![(2, Deed::Says(vec![b'x'; 70_000]))]),
    ]
}

/// A match of two bots that know moves only.
pub(crate) fn plan(variant: Variant, games: u64) -> Plan {
    let bot = |name: &str| BotPlan {
        name: name.to_owned(),
        command: vec![format!("./{name}"), "--fast".to_owned()],
        clock: "2s+50ms".parse().unwrap(),
        options: vec![("level".to_owned(), "3".to_owned())],
        sandbox: Sandbox::default(),
    };
    Plan {
        event: None,
        format: Format::Match { games },
        games: vec![GamePlan { variant: variant.name().to_owned(), openings: Openings::None {} }],
        bots: vec![bot("ant"), bot("bee")],
        grace_us: 50_000,
        measure: Measure::Wall,
        max_plies: 60,
        adjudication: None,
        restart: false,
        handshake_us: 1_000_000,
        ready_us: 1_000_000,
        withdraw_after: None,
        tiebreaks: Vec::new(),
        openings_per: bao_protocol::record::OpeningsPer::default(),
        before: Vec::new(),
        seed: 7,
    }
}

/// Plays games into a record: each with its number and what is special about it; a number may come again.
pub(crate) fn record(dir: &Path, plan: &Plan, games: &[(u64, Script)]) {
    play_all(dir, run(plan), plan, games);
}

/// The same in version 1.
pub(crate) fn record_apart(dir: &Path, plan: &Plan, games: &[(u64, Script)]) {
    play_all(dir, run_apart(plan), plan, games);
}

fn play_all(dir: &Path, mut run: Run, plan: &Plan, games: &[(u64, Script)]) {
    let files = Files::new(dir);
    write_run(&files, &run).unwrap();
    let mut ledger = open(&files, Tail::of_new(&run));
    let mut known = [Known::NOTHING; 2];
    for (game, script) in games {
        let finished = play(&ledger, plan, &spec(plan, *game), script, &mut known, &mut run);
        ledger.entries.enter(Entry::Finished(Box::new(finished)));
        ledger.durable.blocking_recv().unwrap().unwrap();
    }
    ledger.close();
    complete(&files, &mut run, plan);
}

/// Opens a ledger.
pub(crate) fn open(files: &Files, tail: Tail) -> Ledger {
    Ledger::open(Some((files.clone(), tail)), &Backlog::default()).unwrap()
}

/// Writes the head of a record for the last time.
pub(crate) fn complete(files: &Files, run: &mut Run, plan: &Plan) {
    let mut schedule = Schedule::new(plan).unwrap();
    let mut rows = read::Rows::open(&files.games()).unwrap();
    while let Some(row) = rows.next_row::<read::GameBrief<'_>>().unwrap() {
        // What fits no schedule is a matter for the tests.
        let _ignored = GameResult::of(&row, plan).and_then(|result| schedule.finished(&result));
    }
    schedule.settle();
    if Layout::of(run) == Layout::Packed && schedule.next_game() == Next::Over {
        run.end = Some(end(files, run, None, |_| false, |pair| schedule.wants(pair)).unwrap());
    }
    write_run(files, run).unwrap();
}

/// Plays a game whose wire file is written and whose row is not, as when the referee is killed.
pub(crate) fn unrecorded(dir: &Path, plan: &Plan, game: u64, script: &Script) {
    let files = Files::new(dir);
    let mut run = read::run(&files).unwrap();
    let tail = survey(&files, &run, |_, _| {}, |_| Ok::<(), std::convert::Infallible>(())).unwrap();
    let layout = tail.layout;
    let ledger = open(&files, tail);
    let finished = play(&ledger, plan, &spec(plan, game), script, &mut [Known::NOTHING; 2], &mut run);
    ledger.entries.enter(Entry::Wire(game, finished.wire.unwrap()));
    ledger.close();
    if finished.row.reason == Reason::Void && layout == Layout::Apart {
        files.keep_void(game).unwrap();
    }
}

/// Plays a game in new processes, whose row is still to be handed in.
pub(crate) fn next(ledger: &Ledger, dir: &Path, plan: &Plan, game: u64) -> Finished {
    let mut run = read::run(&Files::new(dir)).unwrap();
    play(ledger, plan, &spec(plan, game), &Vec::new(), &mut [Known::NOTHING; 2], &mut run)
}

/// A game of a match from the start of the game.
fn spec(plan: &Plan, game: u64) -> GameSpec {
    let variant: Variant = plan.games[0].variant.parse().unwrap();
    let seats = if game % 2 == 1 { [0, 1] } else { [1, 0] };
    let position = Position::start(variant);
    GameSpec { game, pair: game.div_ceil(2), round: None, opening: None, position, seats }
}

/// Plays a whole schedule into a record, several games at once: which of them ends next follows from `luck`. Every
/// try at a game has the script that `script` gives it, or none where one of its programs cannot be started.
///
/// Returns the schedule and the standings of the run.
pub(crate) fn tournament(
    dir: &Path,
    plan: &Plan,
    mut luck: u64,
    script: impl Fn(&GameSpec, u64) -> Result<Script, Side>,
) -> (Schedule, Standings) {
    let files = Files::new(dir);
    let mut run = run(plan);
    write_run(&files, &run).unwrap();
    let mut ledger = open(&files, Tail::of_new(&run));
    let (mut schedule, mut standings) = (Schedule::new(plan).unwrap(), Standings::new(plan));
    let (mut running, mut tries) = (Vec::new(), BTreeMap::new());
    loop {
        while running.len() < 3
            && let Next::Game(spec) = schedule.next_game()
        {
            running.push(spec);
        }
        if running.is_empty() {
            break;
        }
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let spec = running.swap_remove((luck >> 33) as usize % running.len());
        let tried = tries.entry(spec.game).or_default();
        *tried += 1;
        // Every game in new processes.
        let finished = match script(&spec, *tried) {
            Ok(script) => play(&ledger, plan, &spec, &script, &mut [Known::NOTHING; 2], &mut run),
            Err(absent) => {
                let verdict = Verdict {
                    fault: Some(absent),
                    ..Verdict::void(VoidCause::Program, "its program cannot be started")
                };
                let game = Game::new(setup(plan, &spec, [Known::NOTHING; 2]));
                let started = "2026-01-02T03:04:06.001Z".to_owned();
                let row = game_row(&spec, &game, &verdict, started, 0);
                Finished { row, moves: Vec::new(), wire: None, stderr: BySide::default(), host: None }
            }
        };
        ledger.entries.enter(Entry::Finished(Box::new(finished)));
        let row = ledger.durable.blocking_recv().unwrap().unwrap().row;
        let brief = (&row).into();
        let result = GameResult::of(&brief, plan).unwrap();
        schedule.finished(&result).unwrap();
        standings.add(&brief, &result);
    }
    ledger.close();
    complete(&files, &mut run, plan);
    (schedule, standings)
}

/// Chains the lines of a wire file of version 1 again and puts its SHA-256 into the game's row: a forger's work.
pub(crate) fn chain_anew(dir: &Path, game: u64, forge: impl Fn(&mut WireLine<'_>)) {
    let files = Files::new(dir);
    let old = fs::read_to_string(files.wire(game)).unwrap();
    let (mut new, mut prev) = (Vec::new(), "0".repeat(64));
    for line in old.lines() {
        let mut line: WireLine<'_> = serde_json::from_str(line).unwrap();
        forge(&mut line);
        line.prev = Some(prev.into());
        let start = new.len();
        serde_json::to_writer(&mut new, &line).unwrap();
        new.push(b'\n');
        prev = hex(&Sha256::digest(&new[start..]));
    }
    let [before, after] = [old.as_bytes(), &new].map(|bytes| hex(&Sha256::digest(bytes)));
    fs::write(files.wire(game), new).unwrap();
    let rows = fs::read_to_string(files.games()).unwrap();
    fs::write(files.games(), rows.replace(&before, &after)).unwrap();
    chain_rows(dir);
}

/// Packs the evidence of all rows again, each changed by `forge`, and corrects its place in rows and head: the
/// work of a forger. `honest` says whether the rows get its SHA-256 too.
pub(crate) fn repack(dir: &Path, honest: bool, forge: impl Fn(u64, &str) -> String) {
    let files = Files::new(dir);
    let mut packed = Vec::new();
    let mut rows = Vec::new();
    for line in fs::read_to_string(files.games()).unwrap().lines() {
        let mut row: GameRow = serde_json::from_str(line).unwrap();
        let mut place = row.packed.unwrap();
        assert_eq!(place.wire_segment, 1);
        let segment = fs::read(files.segment(1)).unwrap();
        let member = &segment[place.wire_start as usize..][..place.wire_length as usize];
        let mut text = String::new();
        flate2::read::GzDecoder::new(member).read_to_string(&mut text).unwrap();
        let text = forge(row.game, &text);
        place.wire_start = packed.len() as u64;
        let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
        place.wire_length = packed.len() as u64 - place.wire_start;
        row.packed = Some(place);
        if honest {
            row.wire_sha256 = hex(&Sha256::digest(&text));
        }
        rows.push(serde_json::to_string(&row).unwrap() + "\n");
    }
    fs::write(files.segment(1), packed).unwrap();
    fs::write(files.games(), rows.concat()).unwrap();
    chain_rows(dir);
    seal(dir);
}

/// Writes down what the record has now, as if it had always been so: the work of a forger.
pub(crate) fn seal(dir: &Path) {
    let files = Files::new(dir);
    let mut run = read::run(&files).unwrap();
    if run.end.is_some() {
        run.end = Some(end(&files, &run, None, |_| false, |_| true).unwrap());
    }
    write_run(&files, &run).unwrap();
}

/// Chains the rows of games again, and the first to the plan.
pub(crate) fn chain_rows(dir: &Path) {
    let files = Files::new(dir);
    let mut prev = plan_sha256(&bao_referee::record::read::run(&files).unwrap().plan);
    let mut new = Vec::new();
    for line in fs::read_to_string(files.games()).unwrap().lines() {
        let mut row: GameRow = serde_json::from_str(line).unwrap();
        row.prev_sha256 = Some(prev);
        let start = new.len();
        serde_json::to_writer(&mut new, &row).unwrap();
        new.push(b'\n');
        prev = hex(&Sha256::digest(&new[start..]));
    }
    fs::write(files.games(), new).unwrap();
}

/// What `run.json` says of a plan.
pub(crate) fn run(plan: &Plan) -> Run {
    let bots = plan.bots.iter().map(|bot| RunBot {
        name: bot.name.clone(),
        command: bot.command.clone(),
        program_sha256: None,
        files_sha256: BTreeMap::new(),
        hello: None,
    });
    Run {
        record: bao_protocol::record::VERSION,
        protocol: bao_protocol::VERSION,
        rules: 1,
        referee: bao_referee::NAME.to_owned(),
        started: "2026-01-02T03:04:05.678Z".to_owned(),
        seed: plan.seed,
        plan: serde_json::to_value(plan).unwrap(),
        bots: bots.collect(),
        only: None,
        hosts: vec![Host {
            name: "here".to_owned(),
            boot_id: None,
            machine: machine(),
            user: 1000,
            concurrency: 1,
            pinning: None,
            since: "2026-01-02T03:04:05.679Z".to_owned(),
            isolation: None,
        }],
        end: None,
    }
}

/// What `run.json` of version 1 says of a plan.
pub(crate) fn run_apart(plan: &Plan) -> Run {
    let only = Some(OnlyHost { host: machine(), isolation: None });
    Run { record: 1, only, hosts: Vec::new(), ..run(plan) }
}

fn machine() -> Machine {
    Machine { system: "Linux 6".to_owned(), architecture: "x86_64".to_owned(), cpus: 2, memory_bytes: None }
}

fn play(
    ledger: &Ledger,
    plan: &Plan,
    spec: &GameSpec,
    script: &Script,
    known: &mut [Known; 2],
    run: &mut Run,
) -> Finished {
    // Of two bots that stay the processes are known by their places in the plan, of others by their seats.
    let places = if plan.bots.len() == 2 { spec.seats } else { [0, 1] };
    let setup = setup(plan, spec, places.map(|place| known[place]));
    let setup = Setup { plan_sha256: Some(plan_sha256(&run.plan)), ..setup };
    let scribe = Scribe::new(Some((ledger.entries.clone(), Layout::of(run))), &setup, None);
    let mut hall = Hall { scribe, now_us: 0, asked: Vec::new() };
    let mut game = Game::new(setup);
    while game.verdict().is_none() {
        hall.now_us += 7;
        if Side::BOTH.into_iter().any(|side| game.due(side)) {
            game.step(hall.now_us, Input::Ask, &mut hall);
        }
        for (side, line) in std::mem::take(&mut hall.asked) {
            answer(&mut game, &mut hall, side, &line, script);
        }
    }
    let verdict = game.verdict().cloned().unwrap();
    if verdict.reason == Reason::Crash {
        let half = Event::HalfLine { side: Seat::South, bytes: 7, text: "{'type'".to_owned() };
        hall.scribe.event(hall.now_us, &half);
    }
    let stderr = "north says: \"hm\"\nand \u{e9}\n";
    hall.scribe.stderr(hall.now_us + 20, Side::North, stderr.to_owned());
    for side in Side::BOTH {
        let bot = spec.seats[side as usize];
        let lost = verdict.fault == Some(side) || verdict.reason == Reason::Void;
        known[places[side as usize]] = match lost {
            true => Known::NOTHING,
            false => Known { greeted: Some(game.greeted(side)), next_id: game.next_id(side) },
        };
        if let Some(hello) = game.hello(side) {
            run.bots[bot].hello.get_or_insert_with(|| serde_json::to_value(hello).unwrap());
        }
    }
    let end_us = hall.now_us + 20;
    let Written { mut moves, wire, stderr } =
        hall.scribe.finish(end_us, &verdict, game.plies(), &game.position().to_string());
    let started = "2026-01-02T03:04:06.001Z".to_owned();
    let row = game_row(spec, &game, &verdict, started, end_us);
    if verdict.reason == Reason::Void {
        moves.clear();
    }
    Finished { row, moves, wire, stderr, host: None }
}

/// What represents the two processes and the driver.
struct Hall {
    scribe: Scribe,
    now_us: u64,
    asked: Vec<(Side, Vec<u8>)>,
}

impl Out for Hall {
    fn send(&mut self, side: Side, line: &[u8]) {
        let channel = Channel::to(side);
        self.scribe.wire(self.now_us, channel, &line[..line.len() - 1]);
        self.asked.push((side, line.to_vec()));
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        self.scribe.ply(row);
    }

    fn note(&mut self, side: Side, note: &Note<'_>) {
        self.scribe.note(self.now_us, side, note);
    }
}

impl Hall {
    fn says(&mut self, game: &mut Game, side: Side, line: &[u8]) {
        self.now_us += 11;
        let channel = Channel::from(side);
        self.scribe.wire(self.now_us, channel, line);
        let lag_us = self.now_us % 5;
        game.step(self.now_us, Input::Line(Heard { side, bytes: line, lag_us, cpu: Cpu::default() }), self);
    }
}

fn answer(game: &mut Game, hall: &mut Hall, side: Side, line: &[u8], script: &Script) {
    match ToBot::read(line).unwrap() {
        Some(ToBot::Hello(_)) => {
            let hello = br#"{"type":"hello","protocol":1,"name":"x","version":"1","author":"me","games":["bao-kigogo","bao-kingulu"],"capabilities":["history"],"options":[{"name":"seed","kind":"integer","default":"0"}]}"#;
            hall.says(game, side, hello);
        }
        Some(ToBot::NewGame(new)) => {
            hall.says(game, side, format!(r#"{{"type":"ready","id":{}}}"#, new.id).as_bytes());
        }
        Some(ToBot::Go(go)) => {
            let legal: Vec<&str> = go.legal.split(' ').collect();
            let pick = (go.ply * 7 + game.setup().game * 5) as usize % legal.len();
            let info = r#""info":{"depth":3,"score":-12,"nodes":99}"#;
            let mv = format!(r#"{{"type":"move","id":{},"move":"{}",{info}}}"#, go.id, legal[pick]);
            let deeds: Vec<_> =
                script.iter().filter(|(ply, _)| *ply == go.ply + 1).map(|(_, deed)| deed).collect();
            if deeds.is_empty() {
                hall.says(game, side, mv.as_bytes());
            }
            for deed in deeds {
                act(game, hall, side, deed, &mv, go.id);
            }
        }
        Some(_) | None => {}
    }
}

fn act(game: &mut Game, hall: &mut Hall, side: Side, deed: &Deed, mv: &str, id: u64) {
    match deed {
        Deed::Says(line) => hall.says(game, side, line),
        Deed::SaysAndMoves(line) => {
            hall.says(game, side, line);
            hall.says(game, side, mv.as_bytes());
        }
        Deed::Thinks(us) => {
            hall.now_us += us;
            hall.says(game, side, mv.as_bytes());
        }
        Deed::Sleeps => {
            hall.now_us = game.awaited(side).unwrap();
            hall.scribe.event(hall.now_us, &Event::Tick {});
            game.step(hall.now_us, Input::Tick, hall);
        }
        Deed::Resigns => hall.says(game, side, format!(r#"{{"type":"resign","id":{id}}}"#).as_bytes()),
        Deed::Crashes => {
            let loss =
                Loss { reason: Reason::Crash, detail: "exit code 3".to_owned(), line: "half a l".to_owned() };
            hall.scribe.event(hall.now_us, &Event::Lost { side: side.into(), loss: loss.clone() });
            game.step(hall.now_us, Input::Lost { side, loss: &loss }, hall);
        }
        Deed::IsStopped => {
            let why = "stopped by the operator";
            let cause = VoidCause::Operator;
            hall.scribe.event(hall.now_us, &Event::Stop { why: why.to_owned(), cause });
            game.step(hall.now_us, Input::Stop { cause, why }, hall);
        }
    }
}

//! The one writer of a farmed record: chooses what goes out, and takes what comes home.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bao_protocol::record::{Host, Run};

use crate::arbiter::Rulings;
use crate::cli::failure::Failure;
use crate::cli::recorded;
use crate::farm::bundle::{Bundle, Wave, Waves};
use crate::farm::shard::{self, BadShard};
use crate::plan::Plan;
use crate::record::outlet::Backlog;
use crate::record::read::{self, GameBrief, Rows};
use crate::record::{self, Entry, Files, Finished, Ledger};
use crate::results::standings::Standings;
use crate::run::RunError;
use crate::schedule::planned::Planned;
use crate::schedule::{Schedule, Stray, Total};
use crate::verify::{Kind, verify_part};
use bao_protocol::record::GameRow;

/// After how many workers that could not play a pair it goes out as it is: its bots then lose what they cannot play.
const UNABLE: u64 = 3;
/// After how many workers that failed in any way the farm gives up.
const HOPELESS: u64 = 8;

/// A record that is written here and played elsewhere.
#[derive(Debug)]
pub(super) struct Coordinator {
    files: Files,
    _lock: File,
    run: Run,
    planned: Planned,
    pub(super) standings: Standings,
    ledger: Ledger,
    pub(super) waves: Waves,
    next_wave: u64,
    /// What is out: the pairs of each bundle, by wave and number.
    out: BTreeMap<(u64, u64), Vec<u64>>,
    /// How often workers could not play a pair, and how often they failed at all.
    unable: BTreeMap<u64, [u64; 2]>,
    /// What has happened so far.
    pub(super) tally: Tally,
}

/// What came home.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Games that count, or were given up.
    pub(super) games: u64,
    /// Pairs that were at home already.
    pub(super) twice: u64,
    /// Shards that cannot be used.
    pub(super) bad: u64,
}

/// How a worker ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// It delivered.
    Done,
    /// It was stopped, and delivered what was complete.
    Stopped,
    /// Its machine cannot play this.
    Unable,
    /// It failed.
    Failed,
}

impl Coordinator {
    /// Opens the record in a directory.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be continued.
    pub(super) fn open(dir: &Path) -> Result<Self, Failure> {
        let files = Files::new(dir);
        read::run(&files)?;
        let lock = recorded::lock(&files)?;
        let run = read::run(&files)?;
        let rulings = Rulings::read(&files, &run)?;
        let mut standings = Standings::new(&rulings.plan);
        let mut planned = Planned::new(rulings.clone())?;
        let rule = |number, row: &mut GameBrief<'_>| rulings.rule(number, row);
        let tail = record::survey(&files, &run, rule, |row| -> Result<(), Stray> {
            let result = planned.continue_with(row)?;
            standings.add(row, &result);
            Ok(())
        });
        let tail = tail.map_err(Failure::Broken)?;
        let ledger =
            Ledger::open(Some((files.clone(), tail)), &Backlog::default()).map_err(RunError::from)?;
        let waves = Waves::new(dir);
        let failed = |source| Failure::Page { path: waves.dir().to_owned(), source };
        std::fs::create_dir_all(waves.dir()).map_err(failed)?;
        let numbers = waves.numbers().map_err(failed)?;
        let next_wave = numbers.last().map_or(1, |last| last + 1);
        let tally = Tally { games: planned.schedule().done(), ..Tally::default() };
        let mut coordinator = Self {
            files,
            _lock: lock,
            run,
            planned,
            standings,
            ledger,
            waves,
            next_wave,
            out: BTreeMap::new(),
            unable: BTreeMap::new(),
            tally,
        };
        for wave in numbers.iter().filter_map(|wave| coordinator.waves.read(*wave)) {
            if wave.deadline > seconds() {
                let bundles = (1..).zip(wave.bundles).map(|(number, pairs)| ((wave.wave, number), pairs));
                coordinator.out.extend(bundles);
            }
        }
        Ok(coordinator)
    }

    pub(super) fn plan(&self) -> &Plan {
        self.planned.plan()
    }

    /// Returns whether everything is played.
    pub(super) fn is_over(&mut self) -> bool {
        self.planned.still_to_come().is_none()
    }

    /// Returns how many games there will be, as far as is known.
    pub(super) fn total(&mut self) -> u64 {
        match self.planned.schedule().total() {
            Total::Exactly(games) | Total::AtMost(games) => games,
        }
    }

    /// Returns how many bundles are out.
    pub(super) fn bundles_out(&self) -> usize {
        self.out.len()
    }

    /// Writes a wave of at most this many bundles of at most this many pairs; returns the paths of its bundles, empty if
    /// nothing can be played now.
    pub(super) fn send(
        &mut self,
        engine: &str,
        bundles: usize,
        pairs: usize,
        deadline: u64,
    ) -> Result<Vec<PathBuf>, Failure> {
        self.forget_late();
        let out: BTreeSet<u64> = self.out.values().flatten().copied().collect();
        let most = bundles.saturating_mul(pairs);
        let playable = self.planned.continued().playable(most, &out);
        if playable.is_empty() {
            return Ok(Vec::new());
        }
        // As even as possible: nobody waits for one bundle.
        let each = playable.len().div_ceil(bundles).max(1);
        let wave = self.next_wave;
        let mut head = Run { hosts: Vec::new(), end: None, ..self.run.clone() };
        // Hellos that were said elsewhere would be in no game of a shard.
        head.bots.iter_mut().for_each(|bot| bot.hello = None);
        let plan = self.planned.rulings().json.clone();
        let bundles: Vec<Bundle> = (1..)
            .zip(playable.chunks(each))
            .map(|(number, pairs)| Bundle {
                wave,
                number,
                run: head.clone(),
                plan: plan.clone(),
                walkover: pairs
                    .iter()
                    .any(|pair| self.unable.get(&pair.number).is_some_and(|times| times[0] >= UNABLE)),
                pairs: pairs.to_vec(),
            })
            .collect();
        let numbers = |bundle: &Bundle| bundle.pairs.iter().map(|pair| pair.number).collect::<Vec<_>>();
        let sent = Wave {
            wave,
            at: record::timestamp(),
            engine: engine.to_owned(),
            deadline,
            bundles: bundles.iter().map(numbers).collect(),
        };
        let failed = |source| Failure::Page { path: self.waves.wave(wave), source };
        self.waves.write(&sent, &bundles).map_err(failed)?;
        self.next_wave += 1;
        for bundle in &bundles {
            self.out.insert((wave, bundle.number), numbers(bundle));
        }
        Ok(bundles.iter().map(|bundle| self.waves.bundle(wave, bundle.number)).collect())
    }

    /// Notes how a worker ended: what it did not deliver goes out again.
    ///
    /// # Errors
    /// [`Failure::Hopeless`] if the same pair failed too often.
    pub(super) fn ended(&mut self, wave: u64, number: u64, how: Ended) -> Result<(), Failure> {
        let pairs = self.out.remove(&(wave, number)).unwrap_or_default();
        let left: Vec<u64> =
            pairs.into_iter().filter(|pair| self.planned.continued().is_open(*pair)).collect();
        if how != Ended::Stopped {
            for pair in &left {
                let times = self.unable.entry(*pair).or_default();
                // What was delivered and set aside counts, too.
                times[0] += u64::from(how == Ended::Unable);
                times[1] += 1;
                if times[1] >= HOPELESS {
                    return Err(Failure::Hopeless {
                        pair: *pair,
                        times: times[1],
                        log: self.waves.log(wave, number),
                    });
                }
            }
        }
        if self.out.keys().all(|(other, _)| *other != wave) && how == Ended::Done && left.is_empty() {
            let _stays = std::fs::remove_dir_all(self.waves.wave(wave));
        }
        Ok(())
    }

    /// Lets go out again what is not at home although its time is over.
    fn forget_late(&mut self) {
        let late: BTreeSet<u64> = self.out.keys().map(|(wave, _)| *wave).collect();
        for wave in late {
            let deadline = self.waves.read(wave).map_or(0, |wave| wave.deadline);
            if deadline > 0 && deadline <= seconds() {
                self.out.retain(|(other, _), _| *other != wave);
            }
        }
    }

    /// Takes the shards that are there.
    ///
    /// # Errors
    /// [`Failure`] if the record cannot be written; a shard that cannot be used is set aside.
    pub(super) fn gather(&mut self) -> Result<(), Failure> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| Failure::Page { path, source }
        };
        for wave in self.waves.numbers().map_err(failed(self.waves.dir()))? {
            for dir in [self.waves.wave(wave), self.waves.shards(wave)] {
                // Read again every time: some file systems show new files late.
                let Ok(entries) = std::fs::read_dir(&dir) else { continue };
                let mut shards: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                shards.retain(|path| path.extension().is_some_and(|extension| extension == "tar"));
                shards.sort();
                for path in shards {
                    match self.take(wave, &path)? {
                        Ok(()) => std::fs::remove_file(&path).map_err(failed(&path))?,
                        Err(bad) => {
                            self.tally.bad += 1;
                            tracing::warn!("{} is set aside: {bad}", path.display());
                            std::fs::rename(&path, path.with_extension("bad")).map_err(failed(&path))?;
                        }
                    }
                }
            }
        }
        let planned = &mut self.planned;
        self.out.retain(|_, pairs| pairs.iter().any(|pair| planned.continued().is_open(*pair)));
        Ok(())
    }

    /// Takes a shard: verifies it, and writes what is new in it.
    fn take(&mut self, wave: u64, path: &Path) -> Result<Result<(), BadShard>, Failure> {
        let failed = |source| Failure::Page { path: self.waves.dir().to_owned(), source };
        let scratch =
            tempfile::Builder::new().prefix("unpack-").tempdir_in(self.waves.dir()).map_err(failed)?;
        let checked = self.check(wave, path, scratch.path());
        let (bundle, shard_run, finished) = match checked {
            Ok(checked) => checked,
            Err(bad) => return Ok(Err(bad)),
        };
        let hosts: Vec<u64> = shard_run.hosts.iter().map(|host| self.host(host)).collect();
        for (known, bot) in self.run.bots.iter_mut().zip(&shard_run.bots) {
            known.hello = known.hello.take().or_else(|| bot.hello.clone());
        }
        // The machines are in the head before a row names them.
        record::write_run(&self.files, &self.run).map_err(RunError::from)?;
        let mut by_pair: BTreeMap<u64, Vec<Finished>> = BTreeMap::new();
        for attempt in finished {
            by_pair.entry(attempt.row.pair).or_default().push(attempt);
        }
        let mut entered = 0;
        for pair in &bundle.pairs {
            let Some(attempts) = by_pair.remove(&pair.number) else { continue };
            if !self.planned.continued().is_open(pair.number) {
                self.tally.twice += 1;
                continue;
            }
            for mut attempt in attempts {
                attempt.host = attempt.host.and_then(|host| hosts.get(usize::try_from(host).ok()?).copied());
                self.ledger.entries.enter(Entry::Finished(Box::new(attempt)));
                entered += 1;
            }
        }
        for _ in 0..entered {
            let durable = self.ledger.durable.blocking_recv();
            let finished = durable.ok_or(Failure::LedgerGone)?.map_err(RunError::from)?;
            let brief = GameBrief::from(&finished.row);
            let result =
                self.planned.continue_with(&brief).map_err(|stray| Failure::Misplaced(stray.to_string()))?;
            self.standings.add(&brief, &result);
        }
        self.tally.games = self.planned.schedule().done();
        Ok(Ok(()))
    }

    /// Unpacks a shard and verifies it; returns its bundle, its head, and the attempts of its complete pairs.
    fn check(&self, wave: u64, path: &Path, into: &Path) -> Result<(Bundle, Run, Vec<Finished>), BadShard> {
        let manifest = shard::unpack(path, into)?;
        let bundles = (1..).map(|number| self.waves.bundle(wave, number)).take_while(|path| path.exists());
        let bundle = bundles.filter_map(|path| Waves::read_bundle(&path).ok());
        let found = bundle.into_iter().find(|(_, sha256)| *sha256 == manifest.bundle_sha256);
        let (bundle, _) = found.ok_or(BadShard::OtherBundle)?;
        let files = Files::new(into);
        let of_record = |error: read::ReadError| BadShard::Record(error.to_string());
        let run = read::run(&files).map_err(of_record)?;
        if run.plan != self.run.plan || run.seed != self.run.seed {
            return Err(BadShard::OtherRun("plan"));
        }
        if run.referee != self.run.referee {
            return Err(BadShard::OtherRun("referee"));
        }
        let part = || {
            Planned::of_pairs(self.plan().clone(), self.run.plan.clone(), bundle.pairs.clone())
                .map_err(|error| BadShard::Record(error.to_string()))
        };
        let mut wrong = None;
        let summary = verify_part(&files, part()?, |finding| {
            if finding.kind == Kind::Difference && wrong.is_none() {
                wrong = Some(finding.to_string());
            }
        });
        let summary = summary.map_err(of_record)?;
        if let Some(wrong) = wrong.filter(|_| summary.differences > 0) {
            return Err(BadShard::Differs(wrong));
        }
        let mut planned = part()?;
        if files.games().exists() {
            let mut rows = Rows::open(&files.games()).map_err(of_record)?;
            while let Some(row) = rows.next_row::<GameRow>().map_err(of_record)? {
                let brief = GameBrief::from(&row);
                planned.continue_with(&brief).map_err(|stray| BadShard::Record(stray.to_string()))?;
            }
        }
        let complete: BTreeSet<u64> = bundle
            .pairs
            .iter()
            .map(|pair| pair.number)
            .filter(|pair| !planned.continued().is_open(*pair))
            .collect();
        let mut attempts = Vec::new();
        record::attempts(&files, |attempt| {
            if complete.contains(&attempt.row.pair) {
                attempts.push(attempt);
            }
        })
        .map_err(of_record)?;
        Ok((bundle, run, attempts))
    }

    /// Returns the place of a machine among the record's hosts; a new one is added.
    fn host(&mut self, host: &Host) -> u64 {
        // Of one machine, each bundle tells about its own bots.
        let agrees = |known: &Host| match (&known.isolation, &host.isolation) {
            (Some(known), Some(told)) => {
                told.iter().all(|(bot, told)| known.get(bot).is_none_or(|known| known == told))
            }
            (_, _) => true,
        };
        let like = |known: &Host| {
            let (since, isolation) = (host.since.clone(), host.isolation.clone());
            Host { since, isolation, ..known.clone() } == *host && agrees(known)
        };
        let place = self.run.hosts.iter().position(like).unwrap_or(self.run.hosts.len());
        match self.run.hosts.get_mut(place) {
            Some(known) => {
                known.isolation.get_or_insert_default().extend(host.isolation.clone().unwrap_or_default());
            }
            None => self.run.hosts.push(host.clone()),
        }
        place as u64
    }

    /// Writes the end of the record, if everything is played, and clears up.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be written.
    pub(super) fn close(mut self) -> Result<(Plan, Schedule, Standings), Failure> {
        let over = self.is_over();
        let Self { files, mut run, planned, standings, ledger, waves, _lock, .. } = self;
        drop(ledger.close());
        let plan = planned.plan().clone();
        let (mut schedule, rulings) = planned.into_schedule();
        schedule.settle();
        if over {
            run.end = Some(recorded::end(&files, &run, &rulings, &schedule)?);
            record::write_run(&files, &run).map_err(RunError::from)?;
            let _stays = std::fs::remove_dir_all(waves.dir());
        }
        Ok((plan, schedule, standings))
    }
}

/// Returns the seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "deadlines are dates, for whoever reads them")]
pub(super) fn seconds() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

//! Records made, verified, shown, forged and spoilt.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod continued;
mod corrupt;
mod finished;
mod forged;
mod forgeries;
mod frozen;
mod kit;
mod packed;
mod program;
mod stranger;
mod tournaments;
mod unfinished;

use std::path::Path;

use bao_referee::record::Files;
use bao_referee::record::read::ReadError;
use bao_referee::verify::{Finding, Summary, verify};

/// Verifies a record and collects what is found.
fn verified(dir: &Path) -> Result<(Summary, Vec<Finding>), ReadError> {
    let mut findings = Vec::new();
    let summary = verify(&Files::new(dir), |finding| findings.push(finding.clone()))?;
    Ok((summary, findings))
}

/// The findings as a person reads them.
fn told(dir: &Path) -> Vec<String> {
    let (_, findings) = verified(dir).unwrap();
    findings.iter().map(ToString::to_string).collect()
}

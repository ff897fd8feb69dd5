//! Tests that a machine cannot run say so aloud.

use std::io::Write;

/// Says that a test was skipped and why: on standard error, and in the file that `BAO_SKIPS` names, if it names one.
pub fn skip(test: &str, why: &str) {
    let line = format!("SKIPPED {test}: {why}\n");
    let _nobody_reads = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os("BAO_SKIPS") {
        let file = std::fs::File::options().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("BAO_SKIPS: {}: {error}", path.display()));
    }
}

//! Bots in a few lines of Python, written into a test's own directory.

use bao_tests::Place;

/// Writes a bot.
pub(crate) fn write(place: &Place, name: &str, text: &str) {
    std::fs::write(place.dir().join(name), text).expect("a test's own directory is writable");
}

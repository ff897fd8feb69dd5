//! The error messages of the operating system, for people.

use std::io;

/// Returns why a system call failed, as in `no such file or directory`, without the number of the error.
pub fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        // An abbreviation keeps its capitals.
        Some(first) if !letters.as_str().starts_with(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_error_is_left_out() {
        assert_eq!(cause(&io::Error::from_raw_os_error(2)), "no such file or directory");
        assert_eq!(cause(&io::Error::other("EOF too early")), "EOF too early");
        assert_eq!(cause(&io::Error::other("")), "");
    }
}

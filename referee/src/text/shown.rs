//! Foreign text for people's eyes: as it is, but for what would act on a terminal or hide.

/// Tells whether a character is none that is looked at: one that moves the cursor, turns the direction of writing, or is
/// invisible.
pub fn is_hidden(c: char) -> bool {
    let invisible = matches!(c,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    invisible || c.is_control()
}

/// Shows the first `most` characters of a text as they are; hidden ones are escaped, as in `\n` or `\u{7}`.
pub fn shown(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(most));
    for c in text.chars().take(most) {
        if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    if text.chars().nth(most).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_hides_is_escaped() {
        for (text, expected) in [
            ("Bät-kete ハト", "Bät-kete ハト"),
            (r#"{"type":"log","text":"a\\b"}"#, r#"{"type":"log","text":"a\\b"}"#),
            ("a\x1b[31mb\n\u{202e}c", r"a\u{1b}[31mb\n\u{202e}c"),
            ("12345678901", "1234567890..."),
            ("1234567890", "1234567890"),
        ] {
            assert_eq!(shown(text, if text.starts_with('1') { 10 } else { 100 }), expected);
        }
    }
}

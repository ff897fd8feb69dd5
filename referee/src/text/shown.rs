//! Makes foreign text safe to show: hidden characters and those that control a terminal are escaped.

/// Returns whether a character moves the cursor, turns the direction of writing, or cannot be seen.
///
/// These are the control characters, and those that Unicode lists as `Default_Ignorable_Code_Point` or as
/// separators of lines: soft hyphens, joiners, marks of direction, fillers, variation selectors, tags.
pub fn is_hidden(c: char) -> bool {
    let invisible = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
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
    fn what_cannot_be_seen_is_hidden_and_every_script_is_not() {
        for hidden in "\u{ad}\u{61c}\u{180e}\u{3164}\u{e0041}\u{200d}\u{202e}\u{feff}\x1b\t".chars() {
            assert!(is_hidden(hidden), "{}", hidden.escape_default());
        }
        for seen in "aä ハ한ᠠ\u{627}é🏆".chars() {
            assert!(!is_hidden(seen), "{seen}");
        }
    }

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

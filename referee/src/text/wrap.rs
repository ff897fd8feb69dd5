//! Breaks lines to fit a terminal.

/// Breaks lines that are longer than `width` characters at spaces; a text in double quotes stays whole.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let first = line.split(' ').next().unwrap_or_default();
        // A position with its side and numbers stays in one line, so that a person can copy it.
        if line.chars().count() <= width || first.contains('/') {
            lines.push_str(line);
        } else {
            fill(&mut lines, line, width);
        }
        lines.push_str(end);
    }
    lines
}

fn fill(lines: &mut String, line: &str, width: usize) {
    let (mut used, mut quoted) = (0, false);
    for (place, word) in line.split(' ').enumerate() {
        let length = word.chars().count();
        // Do not break at a space within quotes.
        if place > 0 && !quoted && used + 1 + length > width {
            lines.push('\n');
            used = 0;
        } else if place > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += length;
        quoted ^= word.matches('"').count() % 2 == 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_never_in_a_quote() {
        assert_eq!(wrapped("one two\nthree four five\n", 10), "one two\nthree four\nfive\n");
        assert_eq!(wrapped("give \"a b c d e f\" again", 10), "give \"a b c d e f\"\nagain");
        assert_eq!(wrapped("  a drawing\n\n", 20), "  a drawing\n\n");
        assert_eq!(wrapped("2,2,2/2,2,2 S 0 0", 10), "2,2,2/2,2,2 S 0 0");
    }
}

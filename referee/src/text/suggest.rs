//! Finds the word that a person probably meant.

/// Returns the candidate that is nearest to a misspelt word, if one is near enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = word.to_lowercase();
    let slips = |candidate: &str| strsim::osa_distance(&plain, &candidate.to_lowercase());
    let near = candidates.into_iter().filter(|candidate| *candidate != word);
    let near = near.map(|candidate| (slips(candidate), candidate)).min_by_key(|(slips, _)| *slips)?;
    let most = if word.chars().count() < 4 { 1 } else { 1 + word.chars().count() / 5 };
    (near.0 <= most).then_some(near.1)
}

/// Returns `; did you mean ...?` for the nearest candidate, or nothing.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let bots = ["random-bot", "greedy-bot", "search-bot"];
        for (word, meant) in [
            ("gredy-bot", Some("greedy-bot")),
            ("Greedy-Bot", Some("greedy-bot")),
            ("serach-bot", Some("search-bot")),
            ("random_bot", Some("random-bot")),
            ("my-bot", None),
            ("greedy-bot", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, bots), meant, "{word}");
        }
        assert_eq!(nearest("a3", ["A3", "A4"]), Some("A3"));
        assert_eq!(did_you_mean("A33", ["A3"]), "; did you mean `A3`?");
    }
}

//! What a run's plan says that a reader of the report wants to know.
//!
//! Plans grow with the referee, and an old record must still be readable: what is looked for here may be missing.

use bao_protocol::record::Run;
use serde_json::Value;

use bao_stats::{Model, Sprt};

/// What the plan says.
#[derive(Debug)]
pub(super) struct About {
    /// What the organiser calls it, if it has a name.
    pub(super) event: Option<String>,
    /// The kind of competition, as in `round robin`.
    pub(super) format: Option<String>,
    /// Whether who loses is out.
    pub(super) is_knockout: bool,
    /// Whether the points decide the order and not the ratings.
    pub(super) by_points: bool,
    /// The bots' clocks, each once.
    pub(super) clocks: Vec<String>,
    /// The sequential test, where there is one.
    pub(super) sprt: Option<Sequential>,
}

/// A sequential test and what it asks, for people.
#[derive(Debug)]
pub(super) struct Sequential {
    /// The test.
    pub(super) test: Sprt,
    /// The question in words.
    pub(super) question: String,
}

impl About {
    /// Reads what it can find.
    pub(super) fn of(run: &Run) -> Self {
        let plan = &run.plan;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let kind = plan.get("format").and_then(|format| text(format.get("kind").or(Some(format))));
        let mut clocks: Vec<String> = Vec::new();
        for bot in plan.get("bots").and_then(Value::as_array).into_iter().flatten() {
            clocks.extend(text(bot.get("clock")));
        }
        clocks.sort();
        clocks.dedup();
        Self {
            event: text(plan.get("event")).filter(|event| !event.is_empty()),
            is_knockout: kind.as_deref() == Some("knockout"),
            by_points: matches!(kind.as_deref(), Some("swiss" | "knockout")),
            format: kind.map(|kind| match kind.as_str() {
                "swiss" => "Swiss".to_owned(),
                "sprt" => "sequential test".to_owned(),
                other => other.replace('_', " "),
            }),
            clocks,
            sprt: find(plan, &|value| value.get("elo0").is_some() && value.get("elo1").is_some())
                .and_then(sequential),
        }
    }
}

/// Finds the first object that fits, at any depth.
fn find<'a>(value: &'a Value, fits: &impl Fn(&Value) -> bool) -> Option<&'a Value> {
    if fits(value) {
        return Some(value);
    }
    match value {
        Value::Object(fields) => fields.values().find_map(|value| find(value, fits)),
        Value::Array(items) => items.iter().find_map(|value| find(value, fits)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn sequential(plan: &Value) -> Option<Sequential> {
    let number = |name: &str| plan.get(name).and_then(Value::as_f64);
    let model: Model = match plan.get("model").and_then(Value::as_str) {
        Some(name) => name.parse().ok()?,
        None => Model::default(),
    };
    let (elo0, elo1) = (number("elo0")?, number("elo1")?);
    let (alpha, beta) = (number("alpha").unwrap_or(0.05), number("beta").unwrap_or(0.05));
    let test = Sprt::new(model, elo0, elo1, alpha, beta).ok()?;
    let question = format!(
        "H0: {elo0} {model} Elo, H1: {elo1} {model} Elo; wrongly H1 in {} %, wrongly H0 in {} % of all tests",
        alpha * 100.0,
        beta * 100.0
    );
    Some(Sequential { test, question })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{About, Run};

    fn about(plan: &serde_json::Value) -> About {
        let run = json!({ "record": 1, "protocol": 1, "rules": 1, "referee": "", "started": "", "seed": 1,
            "plan": plan, "bots": [], "isolation": null,
            "host": { "system": "", "architecture": "", "cpus": 1, "memory_bytes": null } });
        About::of(&serde_json::from_value::<Run>(run).unwrap())
    }

    #[test]
    fn a_sequential_test_is_found_wherever_the_plan_has_it() {
        let test = json!({ "kind": "sprt", "elo0": 0, "elo1": 5.0, "model": "logistic" });
        for plan in [json!({ "format": test }), json!({ "sprt": test }), json!({ "a": [{ "b": test }] })] {
            let about = about(&plan);
            assert!(about.sprt.unwrap().question.starts_with("H0: 0 logistic Elo, H1: 5 logistic Elo;"));
        }
        assert_eq!(about(&json!({ "format": { "kind": "round_robin" } })).format.unwrap(), "round robin");
    }

    #[test]
    fn a_plan_that_says_nothing_is_no_error() {
        for plan in
            [json!(null), json!({}), json!({ "elo0": 5, "elo1": 0 }), json!({ "bots": 3, "event": "" })]
        {
            let about = about(&plan);
            assert!(about.sprt.is_none() && about.event.is_none() && about.clocks.is_empty());
        }
    }
}

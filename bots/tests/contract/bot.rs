//! The bot in Rust, and what every one of these bots says of itself.

use ::bot::{Answer, Bot, BotOption, Identity, Turn};
use bao_protocol::FromBot;
use bao_protocol::from_bot::{Hello, OptionKind, OptionSpec, Thought};
use bao_rules::{Pit, Position, Variant};

/// The bot in Rust.
pub(crate) struct ContractBot;

impl Bot for ContractBot {
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
        let note = turn.settings.string("note").to_owned();
        let legal: Vec<&str> = turn.legal.iter().map(Pit::name).collect();
        match note.as_str() {
            "resign" => return Answer::Resign,
            "talk" => {
                turn.log("choosing", "debug");
                let (pv, text) = (Some(legal[..2].join(" ")), Some("so far".to_owned()));
                turn.tell(Thought { depth: Some(2), score: Some(-5), nodes: Some(7), pv, text });
            }
            _ => {}
        }
        let up = match note.as_str() {
            "early" => turn.time_is_up().to_string(),
            "wait" => {
                while !turn.time_is_up() {
                    std::hint::spin_loop();
                }
                (turn.elapsed() >= turn.budget).to_string()
            }
            _ => "unknown".to_owned(),
        };
        let variant = turn.position.variant();
        let seen = |text| turn.seen(&Position::parse(variant, text).expect("a position"));
        let asked = turn.settings.string("ask").split(';').filter(|text| !text.is_empty());
        let text = format!(
            "budget={} up={up} clock={} moves={} seen={} seed={} depth={} wide={} book={} style={} note={note}",
            turn.budget.as_millis(),
            serde_json::to_value(turn.clock).expect("a clock")["kind"].as_str().expect("its kind"),
            turn.go.moves.as_deref().unwrap_or("none").replace(' ', ","),
            asked.map(|text| if seen(text) { 'y' } else { 'n' }).collect::<String>(),
            turn.settings.integer("seed"),
            turn.settings.integer("depth"),
            turn.settings.integer("wide"),
            turn.settings.boolean("book"),
            turn.settings.string("style"),
        );
        let wanted = turn.legal.iter().find(|pit| pit.name() == note);
        let thought = Thought { text: Some(text), ..Thought::default() };
        Answer::Thoughtful(wanted.unwrap_or(turn.legal[0]), thought)
    }
}

pub(crate) fn identity() -> Identity {
    Identity {
        name: "contract-bot",
        games: vec![Variant::Kingulu],
        history: true,
        options: vec![
            BotOption::integer("depth", 3, 1..=9),
            BotOption::integer("wide", 0, ..),
            BotOption::boolean("book", true),
            BotOption::choice("style", "calm", &["calm", "wild"]),
            BotOption::string("ask", ""),
            BotOption::string("note", ""),
        ],
        ..Identity::default()
    }
}

/// What every one of these bots says of itself.
pub(crate) fn hello() -> FromBot {
    let option = |name: &str, kind, default: &str| OptionSpec {
        name: name.to_owned(),
        kind,
        default: default.to_owned(),
        min: None,
        max: None,
        choices: Vec::new(),
    };
    FromBot::Hello(Hello {
        protocol: 1,
        name: "contract-bot".to_owned(),
        version: "0.1".to_owned(),
        author: String::new(),
        games: vec!["bao-kingulu".to_owned()],
        capabilities: vec!["verify".to_owned(), "history".to_owned()],
        options: vec![
            OptionSpec { min: Some(0), max: Some((1 << 53) - 1), ..option("seed", OptionKind::Integer, "0") },
            OptionSpec { min: Some(1), max: Some(9), ..option("depth", OptionKind::Integer, "3") },
            option("wide", OptionKind::Integer, "0"),
            option("book", OptionKind::Boolean, "true"),
            OptionSpec {
                choices: vec!["calm".to_owned(), "wild".to_owned()],
                ..option("style", OptionKind::Choice, "calm")
            },
            option("ask", OptionKind::String, ""),
            option("note", OptionKind::String, ""),
        ],
    })
}

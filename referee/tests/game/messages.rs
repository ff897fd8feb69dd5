//! The exact lines of a game, from hello to game_over.

use crate::script::Play;

#[test]
fn these_are_the_lines_of_a_short_game() {
    let play = Play::of("fresh option clock=1s plies=1", "S hello; N hello; S ready; N ready; S +250ms move");
    let said: Vec<String> = play.heard.said.iter().map(|(side, line)| format!("{side} {line}")).collect();
    let expected = include_str!("short-game.txt").replace("REFEREE", bao_referee::NAME);
    assert_eq!(said.join("\n"), expected.trim_end());
}

#[test]
fn a_fault_names_the_request_the_line_and_the_moves_that_there_were() {
    let play = Play::of("clock=1s", r#"S line {"type":"move","id":2,"move":7}"#);
    let fault = &play.heard.said[play.heard.said.len() - 3];
    assert!(fault.1.starts_with(r#"{"type":"fault","id":2,"code":"bad_message","detail":""#), "{}", fault.1);
    assert!(
        fault.1.contains(r#""line":"{\"type\":\"move\",\"id\":2,\"move\":7}","legal":"A"#),
        "{}",
        fault.1
    );
}

#[test]
fn a_bot_that_failed_before_the_game_hears_of_it_at_once() {
    let mut play = Play::of("fresh", "S crashes");
    let fault = play.heard.said.last().unwrap().clone();
    assert!(fault.1.starts_with(r#"{"type":"fault","id":0,"code":"crash""#), "{}", fault.1);
    play.run("N hello; N ready");
    let ends: Vec<&str> =
        play.heard.said.iter().rev().take(2).map(|(_, line)| line.split(',').next().unwrap()).collect();
    assert_eq!(ends, [r#"{"type":"game_over""#; 2]);
}

#[test]
fn the_seed_is_set_before_every_game_and_history_comes_where_it_is_wanted() {
    let play = Play::of("clock=1s history seed", "S move; N move");
    let said = |at: usize| play.heard.said[at].1.as_str();
    assert!(said(0).starts_with(r#"{"type":"set_option","id":1,"name":"seed","value":""#), "{}", said(0));
    assert!(said(1).starts_with(r#"{"type":"new_game","id":2,"#), "{}", said(1));
    let last = &play.heard.said.last().unwrap().1;
    assert!(last.contains(&format!(r#""moves":"{}""#, play.game.moves())), "{last}");
}

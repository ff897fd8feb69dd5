//! `referee play`, driven through a pipe.

use bao_rules::{Pit, Position, Variant};
use bao_tests::bots::hostile;
use bao_tests::{Ended, Place, Referee};

/// Types lines to a game against a bot that always makes the first legal move.
fn typed(game: &str, lines: &str, arguments: &[&str]) -> Ended {
    typed_to(&hostile("nothing"), game, lines, arguments)
}

fn typed_to(bot: &str, game: &str, lines: &str, arguments: &[&str]) -> Ended {
    let ended = Referee::new(["play", game, bot]).with(arguments.iter().copied()).reads(lines).run().exits(0);
    assert!(ended.stdout.is_ascii(), "{}", ended.stdout);
    ended
}

fn has(ended: &Ended, parts: &[&str]) {
    for part in parts {
        assert!(ended.stdout.contains(part), "\"{part}\" is not in\n{}", ended.stdout);
    }
}

/// Plays a game in which both sides make the first legal move; gives South's moves.
fn first_moves(variant: Variant) -> (Vec<Pit>, Position) {
    let (mut position, mut south) = (Position::start(variant), Vec::new());
    while let Some(pit) = position.legal_moves().iter().next() {
        if pit.owner() == bao_rules::Side::South {
            south.push(pit);
        }
        let play = position.play(pit).expect("it is legal");
        position = play.after.expect("these sowings end");
        if play.over.is_some() {
            break;
        }
    }
    (south, position)
}

#[test]
fn a_whole_game_is_played_through_a_pipe() {
    let (moves, last) = first_moves(Variant::Kingulu);
    let lines: Vec<&str> = moves.iter().map(|pit| pit.name()).collect();
    let lines = lines.join("\n") + "\n";
    let ended = typed("bao-kingulu", &lines, &[]);
    let seeds = bao_rules::Side::BOTH.map(|side| last.score(side));
    let result = match seeds[0].cmp(&seeds[1]) {
        std::cmp::Ordering::Less => "The bot wins",
        std::cmp::Ordering::Equal => "The game is drawn",
        std::cmp::Ordering::Greater => "You win",
    };
    let seeds = format!("Seeds: South {}, North {}.", seeds[0], seeds[1]);
    has(&ended, &["Bao Kingulu: you play South", result, "and the seeds are counted", &seeds]);
}

#[test]
fn moves_are_shown_lap_by_lap_and_the_board_with_the_names_of_its_pits() {
    let ended = typed("bao-kigogo", "moves\nb1\n", &[]);
    has(
        &ended,
        &[
            "\n a12  a11  a10   a9",
            "\n  B1   B2   B3",
            "\nB1: 8 laps to A1, captures 4\n",
            "\nSouth, you lift B1: B1 lifts 2 to B3, B3 lifts 3 to B6",
            "; takes a12 (2), b12 (2).\n",
            "\nNorth, the bot lifts b1: ",
        ],
    );
}

#[test]
fn plain_is_sentences_only() {
    let ended = typed("bao-kingulu", "A5\n", &["--plain"]);
    has(
        &ended,
        &[
            "North's row, a6 to a1: 4, 4, 4, 4, 4, 4.\n",
            "South, you lift A5: A5 lifts 4 to a3, ",
            "South is to move.\n",
        ],
    );
    for drawn in ["----", "[", "(2)", "  A1"] {
        assert!(!ended.stdout.contains(drawn), "\"{drawn}\" is in\n{}", ended.stdout);
    }
}

#[test]
fn what_cannot_be_done_is_said_and_the_game_goes_on() {
    let ended = typed("bao-kingulu", "A1\nfly\nundo\nundo none\nlaps\nA5\n", &[]);
    has(
        &ended,
        &[
            "You cannot lift A1: the first lap from A1",
            "\"fly\" is neither one of your pits nor a command",
            "You have made no move that could be taken back.",
            "undo takes a number from 1",
            "No move has been made yet.",
            "South, you lift A5",
        ],
    );
}

#[test]
fn the_end_of_the_input_leaves_a_position_to_go_on_from() {
    let ended = typed("bao-kingulu", "", &[]);
    let command = "--side S --position \"4,4,4,4,4,4/4,4,4,4,4,4 S 0 0\"";
    has(&ended, &["The game is not over", command]);
    let text = "10,1,9,4,2,4/1,4,1,0,2,10 S 0 0";
    let ended = typed("bao-kingulu", "position\nquit\nA3\n", &["--side", "N", "--position", text]);
    // The bot, South, moves first.
    has(&ended, &["South, the bot lifts A3", "\n10,1,9,0,2,4/1,4,0,0,2,10 N 5 0\n"]);
    assert!(!ended.stdout.contains("North, you lift"), "{}", ended.stdout);
}

#[test]
fn a_move_is_taken_back_with_the_answer_to_it_and_the_game_goes_on_from_there() {
    let ended = typed("bao-kingulu", "A5\nundo\nposition\nA5\nA3\nundo 2\nposition\nA6\n", &[]);
    has(&ended, &["2 moves are taken back.", "4 moves are taken back.", "South, you lift A6"]);
    assert_eq!(ended.stdout.matches("\n4,4,4,4,4,4/4,4,4,4,4,4 S 0 0\n").count(), 2, "{}", ended.stdout);
}

#[test]
fn a_hint_comes_from_the_bot_and_from_a_look_one_move_ahead() {
    let ended = typed("bao-kigogo", "hint\nB1\nhint\n", &[]);
    has(&ended, &["The bot would play B1. Looking one move ahead, ", " takes most: 4 seeds."]);
    assert_eq!(ended.stdout.matches("The bot would play").count(), 2, "{}", ended.stdout);
}

#[test]
fn resigning_ends_the_game_and_it_can_be_taken_back() {
    let ended = typed("bao-kingulu", "A5\nresign\nA3\nundo\nA6\n", &[]);
    has(&ended, &["The bot wins: South gave up.", "The game is over. Type undo", "South, you lift A6"]);
}

#[test]
fn a_bot_that_fails_loses_and_comes_back_when_its_move_is_taken_back() {
    let ended = typed_to(&hostile("panic --game 1"), "bao-kingulu", "A5\nundo\nA5\n", &[]);
    has(
        &ended,
        &["You win: crash, the program exited with code 101", "On its standard error: ", "2 moves"].map(
            |part| {
                // The bot never made its second move.
                if part == "2 moves" { "One move is taken back." } else { part }
            },
        ),
    );
    has(&ended, &["North, the bot lifts a"]);
}

#[test]
fn a_bot_that_cannot_play_is_an_error_that_says_why() {
    let _ended = Referee::new(["play", "bao-kigogo", "nobody-bot"]).run().exits(2);
    let ended = Referee::new(["play", "bao-kigogo", &hostile("wrong_game")]).run().exits(2);
    assert!(ended.stderr.contains("does not play bao-kigogo; its hello lists: chess"), "{}", ended.stderr);
    let ended = Referee::new(["play", "bao-kigogo", &hostile("exit_at_start --code 7")]).run().exits(2);
    assert!(ended.stderr.contains("exited with code 7"), "{}", ended.stderr);
    let ended =
        Referee::at(Place::new(), ["play", "bao-kigogo", "random-bot", "--side", "West"]).run().exits(2);
    assert!(ended.stderr.contains("[possible values: S, N]"), "{}", ended.stderr);
}

#[test]
fn the_seed_that_a_person_sets_is_the_only_one_that_the_bot_is_given() {
    let place = Place::new();
    let bot = "import json, sys\n\
               seeds = []\n\
               for line in sys.stdin:\n\
               \x20   said = json.loads(line)\n\
               \x20   if said['type'] == 'hello':\n\
               \x20       seed = {'name': 'seed', 'kind': 'integer', 'default': '1'}\n\
               \x20       print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'seeded', 'options': [seed],\n\
               \x20                         'games': ['bao-kingulu']}), flush=True)\n\
               \x20   elif said['type'] == 'set_option':\n\
               \x20       seeds.append(said['value'])\n\
               \x20   elif said['type'] == 'new_game':\n\
               \x20       sys.exit('seeds: ' + ' '.join(seeds))\n";
    std::fs::write(place.dir().join("seeded.py"), bot).expect("a test's own directory is writable");
    let typed = |place, arguments: &[&str]| {
        let command = ["play", "bao-kingulu", "python3 seeded.py", "--side", "north"];
        Referee::at(place, command).with(arguments.iter().copied()).run().exits(0)
    };
    let chosen = typed(place, &["--option", "seed=77"]);
    has(&chosen, &["seeds: 77\n"]);
    let given = typed(chosen.place, &[]);
    assert!(given.stdout.contains("seeds: ") && !given.stdout.contains("seeds: 77"), "{}", given.stdout);
}

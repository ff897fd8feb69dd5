//! A second implementation of the games: seed by seed, as the rulebook reads, and as slow as that is.
//!
//! It shares nothing with the rules core, not even the reading of position texts.

use std::collections::HashSet;

/// What lifting a pit comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The code of the broken rule.
    Illegal(&'static str),
    Endless,
    Played {
        laps: u64,
        /// `None`: in the bank.
        last: Option<String>,
        after: String,
    },
}

#[derive(Clone)]
pub(crate) struct Plain {
    game: Game,
    /// The pits in the order of the text.
    rows: Vec<Vec<u32>>,
    reserved: Vec<Vec<bool>>,
    /// `S` or `N`.
    side: char,
    captured: [u32; 2],
}

#[derive(Clone, Copy, PartialEq)]
enum Game {
    Kigogo,
    Kingulu,
    Kalah,
}

/// A place in the text: row and column.
type Place = (usize, usize);

impl Plain {
    pub(crate) fn read(game: &str, text: &str) -> Self {
        let game = match game {
            "bao-kigogo" => Game::Kigogo,
            "bao-kingulu" => Game::Kingulu,
            _ => Game::Kalah,
        };
        let parts: Vec<&str> = text.split(' ').collect();
        let pits = |row: &str| row.split(',').map(|pit| pit.trim_end_matches('*').parse().unwrap()).collect();
        Self {
            game,
            rows: parts[0].split('/').map(pits).collect(),
            reserved: parts[0]
                .split('/')
                .map(|row| row.split(',').map(|pit| pit.ends_with('*')).collect())
                .collect(),
            side: parts[1].chars().next().unwrap(),
            captured: [parts[2].parse().unwrap(), parts[3].parse().unwrap()],
        }
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for (row, reserved) in self.rows.iter().zip(&self.reserved) {
            let pits: Vec<String> = row
                .iter()
                .zip(reserved)
                .map(|(seeds, reserved)| format!("{seeds}{}", if *reserved { "*" } else { "" }))
                .collect();
            rows.push(pits.join(","));
        }
        format!("{} {} {} {}", rows.join("/"), self.side, self.captured[0], self.captured[1])
    }

    fn is_kigogo(&self) -> bool {
        self.game == Game::Kigogo
    }

    /// The pits through which a side sows, in order, by name.
    fn track(&self, side: char) -> Vec<String> {
        let mut track = Vec::new();
        if self.is_kigogo() {
            track.extend((1..=12).map(|number| format!("B{number}")));
            track.extend((1..=12).rev().map(|number| format!("A{number}")));
            if side == 'N' {
                track = track.iter().map(|name| name.to_lowercase()).collect();
            }
        } else {
            let width = self.rows[0].len();
            track.extend((1..=width).map(|number| format!("A{number}")));
            track.extend((1..=width).map(|number| format!("a{number}")));
        }
        track
    }

    fn place(&self, name: &str) -> Place {
        let number: usize = name[1..].parse().unwrap();
        let row = match (&name[..1], self.is_kigogo()) {
            ("b", _) | ("a", false) => 0,
            ("a", true) | ("A", false) => 1,
            ("A", true) => 2,
            _ => 3,
        };
        let width = self.rows[row].len();
        let south = name.starts_with(char::is_uppercase);
        (row, if south { number - 1 } else { width - number })
    }

    fn seeds(&mut self, name: &str) -> &mut u32 {
        let (row, column) = self.place(name);
        &mut self.rows[row][column]
    }

    fn is_reserved(&self, name: &str) -> bool {
        let (row, column) = self.place(name);
        self.reserved[row][column]
    }

    fn is_own(&self, name: &str) -> bool {
        name.starts_with(char::is_uppercase) == (self.side == 'S')
    }

    fn other(&self) -> char {
        if self.side == 'S' { 'N' } else { 'S' }
    }

    fn captured(&mut self, side: char) -> &mut u32 {
        &mut self.captured[usize::from(side == 'N')]
    }

    /// The pit of the other side in the same column of the neighbouring front row.
    fn facing(name: &str, columns: u32) -> String {
        let number: u32 = name[1..].parse().unwrap();
        let letter = if name.starts_with('A') { 'a' } else { 'A' };
        format!("{letter}{}", columns + 1 - number)
    }

    /// Lifts a pit and plays the whole move.
    pub(crate) fn play(mut self, name: &str) -> Outcome {
        if !self.is_own(name) {
            return Outcome::Illegal("not_your_pit");
        }
        match self.game {
            Game::Kigogo => self.play_kigogo(name),
            Game::Kingulu => self.play_kingulu(name),
            Game::Kalah => self.play_kalah(name),
        }
    }

    fn play_kigogo(&mut self, name: &str) -> Outcome {
        let track = self.track(self.side);
        let next = |pit: &str| track[(track.iter().position(|name| name == pit).unwrap() + 1) % 24].clone();
        let mut clone = self.clone();
        let most = track.iter().map(|pit| *clone.seeds(pit)).max().unwrap();
        match *self.seeds(name) {
            0 => return Outcome::Illegal("empty_pit"),
            1 if most > 1 => return Outcome::Illegal("single_seed"),
            1 if *clone.seeds(&next(name)) > 0 => return Outcome::Illegal("single_seed_blocked"),
            _ => {}
        }
        let (mut seen, mut pit, mut laps) = (HashSet::new(), name.to_owned(), 0);
        loop {
            if !seen.insert((self.rows.clone(), pit.clone())) {
                return Outcome::Endless;
            }
            let mut hand = std::mem::take(self.seeds(&pit));
            laps += 1;
            while hand > 0 {
                pit = next(&pit);
                *self.seeds(&pit) += 1;
                hand -= 1;
            }
            if *self.seeds(&pit) == 1 {
                break;
            }
        }
        if pit.to_uppercase().starts_with('A') {
            let front = Self::facing(&pit, 12);
            if *self.seeds(&front) > 0 {
                let back = front.replace('a', "b").replace('A', "B");
                let taken = std::mem::take(self.seeds(&front)) + std::mem::take(self.seeds(&back));
                *self.captured(self.side) += taken;
            }
        }
        self.side = self.other();
        Outcome::Played { laps, last: Some(pit), after: self.text() }
    }

    fn play_kingulu(&mut self, name: &str) -> Outcome {
        if self.is_reserved(name) {
            return Outcome::Illegal("reserved_pit");
        }
        if *self.seeds(name) == 0 {
            return Outcome::Illegal("empty_pit");
        }
        let track = self.track(self.side);
        let place = |pit: &str| track.iter().position(|name| name == pit).unwrap();
        let (mut seen, mut pit, mut laps) = (HashSet::new(), name.to_owned(), 0);
        loop {
            if !seen.insert((self.rows.clone(), self.captured, pit.clone())) {
                return Outcome::Illegal("endless");
            }
            let mut hand = std::mem::take(self.seeds(&pit));
            let lifted = hand;
            laps += 1;
            while hand > 0 {
                pit.clone_from(&track[(place(&pit) + 1) % 12]);
                hand -= 1;
                if self.is_reserved(&pit) {
                    let reserver = if pit.starts_with('A') { 'N' } else { 'S' };
                    *self.captured(reserver) += 1;
                } else {
                    *self.seeds(&pit) += 1;
                }
            }
            let (own, now) = (self.is_own(&pit), *self.seeds(&pit));
            if self.is_reserved(&pit) {
                break;
            }
            if now == 1 {
                let facing = Self::facing(&pit, 6);
                if own && *self.seeds(&facing) > 0 && !self.is_reserved(&facing) {
                    let taken = std::mem::take(self.seeds(&facing)) + std::mem::take(self.seeds(&pit));
                    *self.captured(self.side) += taken;
                }
                break;
            }
            if !own && now == 4 {
                let before = track[(place(&pit) + 11) % 12].clone();
                if lifted > 1 && !self.is_reserved(&before) {
                    *self.seeds(&before) -= 1;
                    *self.seeds(&pit) += 1;
                }
                let (row, column) = self.place(&pit);
                self.reserved[row][column] = true;
                break;
            }
            if own && laps == 1 {
                return Outcome::Illegal("first_lap_own_row");
            }
        }
        self.side = self.other();
        Outcome::Played { laps, last: Some(pit), after: self.text() }
    }

    fn play_kalah(&mut self, name: &str) -> Outcome {
        let width = self.rows[0].len() as u32;
        let mut hand = std::mem::take(self.seeds(name));
        if hand == 0 {
            return Outcome::Illegal("empty_pit");
        }
        // The bank comes after the last own pit.
        let mut track = self.track('S');
        if self.side == 'N' {
            track.rotate_left(width as usize);
        }
        track.insert(width as usize, "bank".to_owned());
        let mut place = track.iter().position(|pit| pit == name).unwrap();
        while hand > 0 {
            place = (place + 1) % track.len();
            hand -= 1;
            match track[place].as_str() {
                "bank" => *self.captured(self.side) += 1,
                pit => *self.seeds(pit) += 1,
            }
        }
        let last = track[place].clone();
        if last != "bank" && self.is_own(&last) && *self.seeds(&last) == 1 {
            let facing = Self::facing(&last, width);
            if *self.seeds(&facing) > 0 {
                let taken = std::mem::take(self.seeds(&facing)) + std::mem::take(self.seeds(&last));
                *self.captured(self.side) += taken;
            }
        }
        self.side = self.other();
        let last = (last != "bank").then_some(last);
        Outcome::Played { laps: 1, last, after: self.text() }
    }
}

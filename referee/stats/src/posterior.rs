//! What the strengths may be, given the results: draws from their joint distribution.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_distr::{ChiSquared, Distribution, StandardNormal};

use super::bradley_terry::{Duel, Expected, fit, height};
use super::dispersion::Dispersion;
use super::field::Field;
use super::triangle::{Triangle, places};

/// How many steps a path through the strengths has: a quarter of a turn in all.
const STEPS: u32 = 5;

/// How many paths are walked before the first draw.
const WARMING: u32 = 20;

/// Draws strengths by Hamiltonian Monte Carlo (S. Duane and others, "Hybrid Monte Carlo", 1987).
///
/// The likelihood is that of [`Field`], weighed down by the dispersion of pairs as in R. W. M. Wedderburn's
/// quasi-likelihood, times that of the added draws. How well the dispersion itself is known widens the draws about their
/// middle as Student's distribution does.
#[derive(Debug)]
pub(super) struct Posterior<'a> {
    field: &'a Field,
    /// The most likely strengths under this prior.
    mode: Vec<f64>,
    /// All points, real ones weighed down and added draws.
    duels: Vec<Duel>,
    /// The coordinate of each bot; one bot of every group has none and stays where it is.
    places: Vec<Option<usize>>,
    shape: Triangle,
    rng: ChaCha8Rng,
    widening: ChiSquared<f64>,
    /// Where the walk is, by coordinate: shifts from the most likely strengths.
    here: Vec<f64>,
    energy: f64,
}

impl<'a> Posterior<'a> {
    pub(super) fn new(field: &'a Field, seed: u64) -> Self {
        let weight = 1.0 / field.dispersion.share;
        let (places, size) = places(&field.groups);
        let draws = prior_weight(size);
        let duels: Vec<Duel> = field
            .duels
            .iter()
            .zip(&field.draws)
            .map(|(duel, added)| Duel {
                points: duel.points.map(|points| points * weight + draws * added / 2.0),
                ..*duel
            })
            .collect();
        let mut mode = field.strengths.clone();
        fit(&mut mode, &duels);
        let spread = |duel: &Duel| Expected::of(mode[duel.a] - mode[duel.b], duel.points).spread;
        let shape =
            Triangle::of(size, duels.iter().map(|duel| (places[duel.a], places[duel.b], spread(duel))));
        let widening =
            ChiSquared::new(field.dispersion.freedom).expect("imaginary pairs make it more than 0");
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let mut this =
            Self { field, mode, duels, places, shape, rng, widening, here: vec![0.0; size], energy: 0.0 };
        this.energy = this.energy_at(&this.here);
        for _ in 0..WARMING {
            this.walk();
        }
        this
    }

    /// Returns the next strengths.
    pub(super) fn draw(&mut self) -> Vec<f64> {
        self.walk();
        let Dispersion { share, freedom, most } = self.field.dispersion;
        let widened = share * freedom / self.widening.sample(&mut self.rng).max(f64::MIN_POSITIVE);
        let scale = (widened.min(most) / share).sqrt();
        let shift = |place: Option<usize>| place.map_or(0.0, |place| self.here[place] * scale);
        self.mode.iter().zip(&self.places).map(|(strength, place)| strength + shift(*place)).collect()
    }

    /// Walks one path and stays at its end, or, as often as its energy asks for it, goes back.
    fn walk(&mut self) {
        // Coordinates in which the distribution is about that of independent normal numbers.
        let mut speed: Vec<f64> = self.here.iter().map(|_| StandardNormal.sample(&mut self.rng)).collect();
        let jitter = 0.8 + 0.4 * self.uniform();
        let step = jitter * std::f64::consts::FRAC_PI_2 / f64::from(STEPS);
        let before = self.energy + half_square(&speed);
        let mut there = self.here.clone();
        let mut slope = self.slope_at(&there);
        for _ in 0..STEPS {
            nudge(&mut speed, &slope, step / 2.0);
            let shift = self.shape.spread(&speed);
            nudge(&mut there, &shift, step);
            slope = self.slope_at(&there);
            nudge(&mut speed, &slope, step / 2.0);
        }
        let energy = self.energy_at(&there);
        if self.uniform() < (before - energy - half_square(&speed)).exp() {
            (self.here, self.energy) = (there, energy);
        }
    }

    fn lead(&self, shifts: &[f64], duel: &Duel) -> f64 {
        let strength = |bot: usize| self.mode[bot] + self.places[bot].map_or(0.0, |place| shifts[place]);
        strength(duel.a) - strength(duel.b)
    }

    fn energy_at(&self, shifts: &[f64]) -> f64 {
        -self.duels.iter().map(|duel| height(self.lead(shifts, duel), duel.points)).sum::<f64>()
    }

    /// Returns the direction in which the likelihood grows, in the coordinates of the speed.
    fn slope_at(&self, shifts: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; shifts.len()];
        for duel in &self.duels {
            let surplus = Expected::of(self.lead(shifts, duel), duel.points).surplus;
            if let Some(place) = self.places[duel.a] {
                slope[place] += surplus;
            }
            if let Some(place) = self.places[duel.b] {
                slope[place] -= surplus;
            }
        }
        self.shape.gather(slope)
    }

    fn uniform(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Returns how often the prior of H. Jeffreys is taken where games tell this many differences.
///
/// For one difference alone it is right as it is. With more, every other one shifts the middle of the distribution once
/// more, away from the most likely strengths towards bots that are farther apart than they are; a second time the prior
/// takes that back.
fn prior_weight(differences: usize) -> f64 {
    2.0 - 1.0 / differences.max(1) as f64
}

fn nudge(place: &mut [f64], by: &[f64], share: f64) {
    for (place, by) in place.iter_mut().zip(by) {
        *place += share * by;
    }
}

fn half_square(speed: &[f64]) -> f64 {
    speed.iter().map(|x| x * x).sum::<f64>() / 2.0
}

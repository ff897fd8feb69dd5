//! Scales of pictures: from values to places, with round numbers to mark.

/// A straight or logarithmic scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    step: f64,
    logarithmic: bool,
}

impl Scale {
    /// Makes a scale on which the values between `low` and `high`, and the round numbers around them, are between the
    /// places `start` and `end`.
    pub(super) fn linear(low: f64, high: f64, start: f64, end: f64) -> Self {
        let step = step(low, high);
        let (from, mut to) = ((low / step).floor() * step, (high / step).ceil() * step);
        if to <= from {
            to = from + step;
        }
        Self { from, to, start, end, step, logarithmic: false }
    }

    /// Makes a scale of powers of ten; values below 1 stand at 1.
    pub(super) fn logarithmic(low: f64, high: f64, start: f64, end: f64) -> Self {
        let (from, mut to) = (low.max(1.0).log10().floor(), high.max(1.0).log10().ceil());
        if to <= from {
            to = from + 1.0;
        }
        let step = ((to - from) / 6.0).ceil();
        Self { from, to, start, end, step, logarithmic: true }
    }

    /// Returns the place of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.max(1.0).log10() } else { value };
        let place = self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start);
        // A tenth of a unit is finer than any screen.
        (place * 10.0).round() / 10.0
    }

    /// Returns the values to mark.
    pub(super) fn marks(&self) -> Vec<f64> {
        // A whole number, except for rounding, or between two of a logarithmic scale.
        let count = ((self.to - self.from) / self.step + 1e-6).floor() as u32;
        let marks = (0..=count).map(|number| self.from + f64::from(number) * self.step);
        if self.logarithmic { marks.map(|mark| 10f64.powf(mark)).collect() } else { marks.collect() }
    }
}

/// Returns a round step that divides a range into about five.
fn step(low: f64, high: f64) -> f64 {
    let rough = (high - low) / 5.0;
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough * 0.999);
    round.unwrap_or(10.0) * power
}

/// Shows a marked value without needless digits.
pub(super) fn shown(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6 + 0.0;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn a_scale_holds_its_values_between_round_marks() {
        for (low, high) in [(0.0, 1.0), (-613.2, -40.0), (0.0, 0.0), (3.0, 1e9), (-0.001, 0.002)] {
            let scale = Scale::linear(low, high, 10.0, 110.0);
            let marks = scale.marks();
            assert!((2..=13).contains(&marks.len()), "{low} {high} {marks:?}");
            assert!((9.9..=110.1).contains(&scale.place(low)) && (9.9..=110.1).contains(&scale.place(high)));
        }
        let scale = Scale::logarithmic(0.0, 5e6, 0.0, 70.0);
        assert_eq!(scale.marks().len(), 4);
        assert!((scale.place(10.0) - 10.0).abs() < 0.1);
    }
}

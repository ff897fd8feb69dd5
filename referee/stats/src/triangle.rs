//! What all strengths together are known to: the matrix of second derivatives, taken apart.

/// Gives every bot but one of each group a coordinate, since games tell only differences; returns how many there are.
pub(super) fn places(groups: &[usize]) -> (Vec<Option<usize>>, usize) {
    let mut size = 0;
    let place = |(bot, group): (usize, &usize)| {
        (bot != *group).then(|| {
            size += 1;
            size - 1
        })
    };
    (groups.iter().enumerate().map(place).collect(), size)
}

/// The lower triangle of A.-L. Cholesky: times its own transpose it gives the matrix of second derivatives.
#[derive(Debug)]
pub(super) struct Triangle {
    /// Row by row, each as long as its number and one.
    rows: Vec<Vec<f64>>,
}

impl Triangle {
    /// Takes the second derivatives as duels of this spread between two coordinates, or one and a fixed bot.
    pub(super) fn of(size: usize, duels: impl Iterator<Item = (Option<usize>, Option<usize>, f64)>) -> Self {
        let mut rows: Vec<Vec<f64>> = (0..size).map(|row| vec![0.0; row + 1]).collect();
        for (a, b, spread) in duels {
            for place in [a, b].into_iter().flatten() {
                rows[place][place] += spread;
            }
            if let (Some(a), Some(b)) = (a, b) {
                rows[a.max(b)][a.min(b)] -= spread;
            }
        }
        for row in 0..size {
            let (done, rest) = rows.split_at_mut(row);
            let own = &mut rest[0];
            for column in 0..row {
                let other = &done[column];
                let sum: f64 = own[..column].iter().zip(other).map(|(x, y)| x * y).sum();
                own[column] = (own[column] - sum) / other[column];
            }
            let sum: f64 = own[..row].iter().map(|x| x * x).sum();
            // Rounding may eat what all but undetermined strengths leave.
            own[row] = (own[row] - sum).max(f64::MIN_POSITIVE.sqrt()).sqrt();
        }
        Self { rows }
    }

    /// Solves `transpose · x = y`: independent numbers become shifts that are spread as the results allow.
    pub(super) fn spread(&self, y: &[f64]) -> Vec<f64> {
        let mut x = y.to_vec();
        for row in (0..x.len()).rev() {
            x[row] /= self.rows[row][row];
            let found = x[row];
            for (x, factor) in x[..row].iter_mut().zip(&self.rows[row]) {
                *x -= factor * found;
            }
        }
        x
    }

    /// Solves `triangle · x = y`.
    pub(super) fn gather(&self, mut x: Vec<f64>) -> Vec<f64> {
        for row in 0..x.len() {
            let sum: f64 = self.rows[row][..row].iter().zip(&x).map(|(factor, x)| factor * x).sum();
            x[row] = (x[row] - sum) / self.rows[row][row];
        }
        x
    }

    /// Returns for every coordinate the numbers in which what is known of it is independent; the squared distance of two
    /// is the variance of their difference.
    pub(super) fn columns(&self) -> Vec<Vec<f64>> {
        let size = self.rows.len();
        let column = |place: usize| {
            let mut column = vec![0.0; size];
            column[place] = 1.0 / self.rows[place][place];
            for row in place + 1..size {
                let factors = &self.rows[row];
                let sum: f64 = factors[place..row].iter().zip(&column[place..row]).map(|(x, y)| x * y).sum();
                column[row] = -sum / factors[row];
            }
            column
        };
        (0..size).map(column).collect()
    }
}

//! The largest matching of a graph.

use std::collections::VecDeque;

/// No vertex.
const NONE: usize = usize::MAX;

/// Returns how many disjoint pairs of vertices joined by an edge there can be.
///
/// J. Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965): as long as a path connects one unmatched
/// vertex to another over edges that are alternately out of and in the matching, the path is inverted. Odd cycles
/// on the way are treated as one vertex. The time is at most cubic in the number of vertices.
pub(crate) fn largest_matching(vertices: usize, joined: impl Fn(usize, usize) -> bool) -> usize {
    let mut mates = vec![NONE; vertices];
    // Most of the matching is found without a search.
    for a in 0..vertices {
        if mates[a] == NONE
            && let Some(b) = (a + 1..vertices).find(|b| mates[*b] == NONE && joined(a, *b))
        {
            (mates[a], mates[b]) = (b, a);
        }
    }
    for root in 0..vertices {
        if mates[root] == NONE {
            let mut search = Search::new(&mates, root);
            let end = search.path(&joined);
            let parents = search.parents;
            if let Some(end) = end {
                turn_over(&mut mates, &parents, end);
            }
        }
    }
    mates.iter().filter(|mate| **mate != NONE).count() / 2
}

fn turn_over(mates: &mut [usize], parents: &[usize], mut end: usize) {
    while end != NONE {
        let before = parents[end];
        let next = mates[before];
        (mates[end], mates[before]) = (before, end);
        end = next;
    }
}

/// The search for one path, breadth first.
struct Search<'a> {
    mates: &'a [usize],
    root: usize,
    /// The vertex from which an inner vertex was reached.
    parents: Vec<usize>,
    /// The vertex that represents the blossom in which a vertex is, or itself.
    bases: Vec<usize>,
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(mates: &'a [usize], root: usize) -> Self {
        let vertices = mates.len();
        let mut outer = vec![false; vertices];
        outer[root] = true;
        Self {
            mates,
            root,
            parents: vec![NONE; vertices],
            bases: (0..vertices).collect(),
            outer,
            queue: VecDeque::from([root]),
        }
    }

    /// Returns the unmatched vertex at the other end of a path; `parents` and mates lead back along the path.
    fn path(&mut self, joined: &impl Fn(usize, usize) -> bool) -> Option<usize> {
        while let Some(from) = self.queue.pop_front() {
            for to in 0..self.mates.len() {
                if to == from
                    || self.bases[from] == self.bases[to]
                    || self.mates[from] == to
                    || !joined(from, to)
                {
                    continue;
                }
                if to == self.root || (self.mates[to] != NONE && self.parents[self.mates[to]] != NONE) {
                    self.shrink(from, to);
                } else if self.parents[to] == NONE {
                    self.parents[to] = from;
                    if self.mates[to] == NONE {
                        return Some(to);
                    }
                    self.outer[self.mates[to]] = true;
                    self.queue.push_back(self.mates[to]);
                }
            }
        }
        None
    }

    /// Merges into one vertex the odd cycle that the edge between two outer vertices closes.
    fn shrink(&mut self, a: usize, b: usize) {
        let base = self.common_base(a, b);
        let mut inside = vec![false; self.mates.len()];
        self.mark(&mut inside, a, base, b);
        self.mark(&mut inside, b, base, a);
        for vertex in 0..self.mates.len() {
            if inside[self.bases[vertex]] {
                self.bases[vertex] = base;
                if !self.outer[vertex] {
                    self.outer[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    fn common_base(&self, a: usize, mut b: usize) -> usize {
        let mut on_the_way = vec![false; self.mates.len()];
        let mut vertex = self.bases[a];
        loop {
            on_the_way[vertex] = true;
            if self.mates[vertex] == NONE {
                break;
            }
            vertex = self.bases[self.parents[self.mates[vertex]]];
        }
        b = self.bases[b];
        while !on_the_way[b] {
            b = self.bases[self.parents[self.mates[b]]];
        }
        b
    }

    fn mark(&mut self, inside: &mut [bool], mut vertex: usize, base: usize, mut child: usize) {
        while self.bases[vertex] != base {
            let mate = self.mates[vertex];
            inside[self.bases[vertex]] = true;
            inside[self.bases[mate]] = true;
            self.parents[vertex] = child;
            child = mate;
            vertex = self.parents[mate];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::largest_matching;
    use proptest::prelude::*;

    /// Tries everything.
    fn by_hand(left: &[usize], joined: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((first, rest)) = left.split_first() else { return 0 };
        let alone = by_hand(rest, joined);
        rest.iter()
            .filter(|other| joined(*first, **other))
            .map(|other| {
                let rest: Vec<usize> = rest.iter().copied().filter(|vertex| vertex != other).collect();
                1 + by_hand(&rest, joined)
            })
            .fold(alone, usize::max)
    }

    proptest! {
        #[test]
        fn it_is_as_large_as_trying_everything_finds(vertices in 0usize..9, edges in any::<u64>()) {
            let joined = |a: usize, b: usize| {
                let (a, b) = (a.min(b), a.max(b));
                edges >> (b * (b - 1) / 2 + a) & 1 == 1
            };
            let all: Vec<usize> = (0..vertices).collect();
            prop_assert_eq!(largest_matching(vertices, joined), by_hand(&all, &joined));
        }
    }
}

//! Kekulé structures: double bonds that account for aromatic ones.
//!
//! Every aromatic atom with a free valence takes part in exactly one double bond, so a
//! structure is a perfect matching among these atoms along aromatic bonds. It is found with
//! Edmonds' blossom algorithm, since odd rings make the graph non-bipartite.
//!
//! Edmonds, J.: Paths, trees, and flowers. Canadian Journal of Mathematics 17 (1965), 449–467.

use std::collections::VecDeque;

/// How an atom takes part in double bonds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// It must have one.
    Must,
    /// It may have one.
    May,
    /// It has none.
    Never,
}

/// Returns the partner of every atom, or `None` where an atom that must have one stays alone.
///
/// `neighbours` lists the atoms that share an aromatic bond.
pub(crate) fn pair(needs: &[Need], neighbours: &[Vec<usize>]) -> Option<Vec<Option<usize>>> {
    let mut search = Search {
        neighbours,
        needs,
        partner: vec![None; needs.len()],
        parent: vec![None; needs.len()],
        base: (0..needs.len()).collect(),
        reached: vec![false; needs.len()],
        touched: Vec::new(),
    };
    for atom in 0..needs.len() {
        if needs[atom] == Need::Must && search.partner[atom].is_none() {
            let open = |&&n: &&usize| needs[n] == Need::Must && search.partner[n].is_none();
            if let Some(&other) = neighbours[atom].iter().find(open) {
                search.partner[atom] = Some(other);
                search.partner[other] = Some(atom);
            }
        }
    }
    for atom in 0..needs.len() {
        if needs[atom] == Need::Must && search.partner[atom].is_none() && !search.augment(atom) {
            return None;
        }
    }
    Some(search.partner)
}

struct Search<'a> {
    neighbours: &'a [Vec<usize>],
    needs: &'a [Need],
    partner: Vec<Option<usize>>,
    /// The atom an inner atom was reached from.
    parent: Vec<Option<usize>>,
    /// The base of the blossom that holds an atom.
    base: Vec<usize>,
    reached: Vec<bool>,
    /// Atoms whose entries must be reset after the search.
    touched: Vec<usize>,
}

impl Search<'_> {
    /// Looks for an alternating path from an unpaired atom to another, and swaps along it.
    fn augment(&mut self, root: usize) -> bool {
        for atom in std::mem::take(&mut self.touched) {
            self.parent[atom] = None;
            self.base[atom] = atom;
            self.reached[atom] = false;
        }
        self.reached[root] = true;
        self.touched.push(root);
        let mut queue = VecDeque::from([root]);
        while let Some(atom) = queue.pop_front() {
            for index in 0..self.neighbours[atom].len() {
                let other = self.neighbours[atom][index];
                if self.needs[other] == Need::Never
                    || self.base[atom] == self.base[other]
                    || self.partner[atom] == Some(other)
                {
                    continue;
                }
                let outer =
                    other == root || self.partner[other].is_some_and(|p| self.parent[p].is_some());
                if outer {
                    self.contract(atom, other, &mut queue);
                } else if self.parent[other].is_none() {
                    self.parent[other] = Some(atom);
                    self.touched.push(other);
                    match self.partner[other] {
                        None => {
                            self.swap(other);
                            return true;
                        }
                        Some(next) => {
                            self.reached[next] = true;
                            self.touched.push(next);
                            queue.push_back(next);
                        }
                    }
                }
            }
        }
        false
    }

    fn swap(&mut self, end: usize) {
        let mut at = Some(end);
        while let Some(atom) = at {
            let Some(previous) = self.parent[atom] else {
                break;
            };
            let next = self.partner[previous];
            self.partner[atom] = Some(previous);
            self.partner[previous] = Some(atom);
            at = next;
        }
    }

    /// The base where the paths of two outer atoms to the root meet.
    fn meeting(&self, a: usize, b: usize) -> usize {
        let mut on_path = Vec::new();
        let mut at = a;
        loop {
            at = self.base[at];
            on_path.push(at);
            match self.partner[at].and_then(|p| self.parent[p]) {
                Some(up) => at = up,
                None => break,
            }
        }
        let mut at = b;
        loop {
            at = self.base[at];
            if on_path.contains(&at) {
                return at;
            }
            match self.partner[at].and_then(|p| self.parent[p]) {
                Some(up) => at = up,
                None => return at,
            }
        }
    }

    /// Shrinks the odd ring that an edge between two outer atoms closes.
    fn contract(&mut self, a: usize, b: usize, queue: &mut VecDeque<usize>) {
        let base = self.meeting(a, b);
        let mut inside = Vec::new();
        for (mut at, mut child) in [(a, b), (b, a)] {
            while self.base[at] != base {
                let Some(inner) = self.partner[at] else {
                    break;
                };
                inside.push(self.base[at]);
                inside.push(self.base[inner]);
                self.parent[at] = Some(child);
                self.touched.push(at);
                child = inner;
                let Some(up) = self.parent[inner] else {
                    break;
                };
                at = up;
            }
        }
        for index in 0..self.touched.len() {
            let atom = self.touched[index];
            if inside.contains(&self.base[atom]) {
                self.base[atom] = base;
                if !self.reached[atom] {
                    self.reached[atom] = true;
                    queue.push_back(atom);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn listed(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); count];
        for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
            if !lists[a].contains(&b) {
                lists[a].push(b);
                lists[b].push(a);
            }
        }
        lists
    }

    fn by_trying(lists: &[Vec<usize>], used: &mut Vec<bool>) -> bool {
        let Some(first) = used.iter().position(|u| !u) else {
            return true;
        };
        used[first] = true;
        for &other in &lists[first] {
            if !used[other] {
                used[other] = true;
                if by_trying(lists, used) {
                    return true;
                }
                used[other] = false;
            }
        }
        used[first] = false;
        false
    }

    #[test]
    fn odd_rings_need_a_way_out() {
        let triangle = listed(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(pair(&[Need::Must; 3], &triangle), None);
        let free = pair(&[Need::Must, Need::May, Need::Must], &triangle).expect("one may rest");
        assert_eq!(free, [Some(2), None, Some(0)]);
    }

    proptest! {
        #[test]
        fn perfect_matchings_are_found(edges in prop::collection::vec((0_usize..10, 0_usize..10), 0..25)) {
            let lists = listed(10, &edges);
            let found = pair(&[Need::Must; 10], &lists);
            prop_assert_eq!(found.is_some(), by_trying(&lists, &mut vec![false; 10]));
            for (atom, partner) in found.into_iter().flatten().enumerate() {
                let partner = partner.expect("perfect");
                prop_assert!(lists[atom].contains(&partner));
            }
        }
    }
}

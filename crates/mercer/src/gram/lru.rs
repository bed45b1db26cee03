//! Which cached row was used longest ago.

const NONE: u32 = u32::MAX;

/// A list of row numbers ordered by their last use, with constant-time updates.
pub(super) struct UseOrder {
    /// Neighbour towards the most recent use; slot n is the list's own anchor.
    newer: Vec<u32>,
    older: Vec<u32>,
}

impl UseOrder {
    pub(super) fn new(n: usize) -> Self {
        let mut order = Self {
            newer: vec![NONE; n + 1],
            older: vec![NONE; n + 1],
        };
        order.newer[n] = n as u32;
        order.older[n] = n as u32;
        order
    }

    fn anchor(&self) -> usize {
        self.newer.len() - 1
    }

    /// Marks a row as used now, entering it if it is new.
    pub(super) fn touch(&mut self, row: usize) {
        if self.newer[row] != NONE {
            self.unlink(row);
        }
        let anchor = self.anchor();
        let newest = self.older[anchor] as usize;
        self.older[row] = newest as u32;
        self.newer[row] = anchor as u32;
        self.newer[newest] = row as u32;
        self.older[anchor] = row as u32;
    }

    /// Removes and returns the row used longest ago.
    pub(super) fn pop_oldest(&mut self) -> Option<usize> {
        let anchor = self.anchor();
        let oldest = self.newer[anchor] as usize;
        if oldest == anchor {
            return None;
        }
        self.unlink(oldest);
        self.newer[oldest] = NONE;
        Some(oldest)
    }

    fn unlink(&mut self, row: usize) {
        let (newer, older) = (self.newer[row] as usize, self.older[row] as usize);
        self.older[newer] = older as u32;
        self.newer[older] = newer as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_used_longest_ago_leaves_first() {
        let mut order = UseOrder::new(4);
        for row in [2, 0, 3, 2] {
            order.touch(row);
        }
        assert_eq!(order.pop_oldest(), Some(0));
        order.touch(1);
        assert_eq!(order.pop_oldest(), Some(3));
        assert_eq!(order.pop_oldest(), Some(2));
        assert_eq!(order.pop_oldest(), Some(1));
        assert_eq!(order.pop_oldest(), None);
    }
}

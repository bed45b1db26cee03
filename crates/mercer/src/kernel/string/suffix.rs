//! `order` sorts all suffixes of a text; `common[k]` = letters shared by the suffixes `order[k − 1]` and `order[k]`.
//!
//! Suffixes are sorted by induction (Nong, Zhang & Chan 2009): the sorted leftmost-smaller suffixes of stretches of rising
//! letters give all suffixes in two scans, and they are sorted by the same method on a text at most half as long. Shared
//! letters come from one walk in text order (Kärkkäinen, Manzini & Puglisi 2009). Both take time linear in the text.

/// Set in an entry that the running scan has nothing to induce from.
const MARK: u32 = 1 << 31;

/// A letter of a text that is sorted: its rank in the alphabet.
trait Letter: Copy + Ord {
    /// Ends every string; smaller than all other letters.
    const SEPARATOR: Self;
    fn from_rank(rank: u32) -> Self;
    fn rank(self) -> usize;
}

impl Letter for u8 {
    const SEPARATOR: Self = 0;
    #[inline(always)]
    fn from_rank(rank: u32) -> Self {
        rank as u8
    }
    #[inline(always)]
    fn rank(self) -> usize {
        self as usize
    }
}

impl Letter for u32 {
    const SEPARATOR: Self = 0;
    #[inline(always)]
    fn from_rank(rank: u32) -> Self {
        rank
    }
    #[inline(always)]
    fn rank(self) -> usize {
        self as usize
    }
}

/// The sorted suffixes of several strings.
///
/// The strings are laid end to end, each with a separator behind it that matches nothing. Suffixes that start with a
/// separator come first and are left out here.
#[derive(Clone, Debug)]
pub(super) struct Suffixes {
    /// Where each suffix starts in the joined text.
    pub(super) order: Vec<u32>,
    /// Letters that a suffix shares with the one before it; 0 for the first.
    pub(super) common: Vec<u32>,
    /// Where each string starts in the joined text, and behind the last one the length of the text.
    pub(super) starts: Vec<u32>,
}

impl Suffixes {
    /// Sorts the suffixes of all strings together.
    ///
    /// # Panics
    ///
    /// When the strings have 2³¹ letters or more, separators included.
    pub(super) fn of(strings: &[&[u32]]) -> Self {
        let mut starts = Vec::with_capacity(strings.len() + 1);
        let mut total = 0_usize;
        for string in strings {
            starts.push(total as u32);
            total += string.len() + 1;
            assert!(total < MARK as usize, "text of {total} letters");
        }
        starts.push(total as u32);
        let (ranks, letters) = ranks(strings, total);
        let (order, common) = if letters <= 256 {
            let text: Vec<u8> = ranks.iter().map(|&rank| u8::from_rank(rank)).collect();
            drop(ranks);
            sorted(&text, letters, strings.len())
        } else {
            sorted(&ranks, letters, strings.len())
        };
        Self {
            order,
            common,
            starts,
        }
    }
}

/// The joined text as ranks (separators 0, letters from 1) and the size of its alphabet.
fn ranks(strings: &[&[u32]], total: usize) -> (Vec<u32>, usize) {
    let mut text = Vec::with_capacity(total);
    let largest = strings.iter().flat_map(|s| s.iter()).copied().max();
    let largest = largest.unwrap_or(0) as usize;
    // A table of all symbols up to the largest is quickest while it is not much larger than the text.
    if largest <= (1 << 16) + 2 * total {
        let mut table = vec![0_u32; largest + 1];
        for string in strings {
            for &symbol in *string {
                table[symbol as usize] = 1;
            }
        }
        let mut letters = 1;
        for place in &mut table {
            if *place == 1 {
                *place = letters;
                letters += 1;
            }
        }
        for string in strings {
            text.extend(string.iter().map(|&symbol| table[symbol as usize]));
            text.push(0);
        }
        return (text, letters as usize);
    }
    let mut places = Vec::with_capacity(total);
    for string in strings {
        for &symbol in *string {
            places.push((u64::from(symbol) << 32) | text.len() as u64);
            text.push(0);
        }
        text.push(0);
    }
    places.sort_unstable();
    let (mut letters, mut before) = (0_u32, None);
    for place in places {
        let symbol = place >> 32;
        letters += u32::from(before != Some(symbol));
        before = Some(symbol);
        text[(place & 0xffff_ffff) as usize] = letters;
    }
    (text, letters as usize + 1)
}

fn sorted<T: Letter>(text: &[T], letters: usize, separators: usize) -> (Vec<u32>, Vec<u32>) {
    let mut order = vec![0; text.len()];
    sort(text, letters, &mut order);
    let shared = shared_in_text_order(text, &order);
    let order = order.split_off(separators);
    let mut common: Vec<u32> = order.iter().map(|&at| shared[at as usize]).collect();
    if let Some(first) = common.first_mut() {
        *first = 0;
    }
    (order, common)
}

/// Letters that each suffix, in text order, shares with its predecessor in sorted order.
///
/// The number falls by at most one from a suffix to the next, which makes the comparisons linear.
fn shared_in_text_order<T: Letter>(text: &[T], order: &[u32]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut shared = vec![NONE; text.len()];
    for pair in order.windows(2) {
        shared[pair[1] as usize] = pair[0];
    }
    let mut length = 0_usize;
    for at in 0..text.len() {
        let before = shared[at];
        if before == NONE {
            length = 0;
        } else {
            let (own, other) = (&text[at + length..], &text[before as usize + length..]);
            let same = own
                .iter()
                .zip(other)
                .take_while(|(a, b)| a == b && **a != T::SEPARATOR);
            length += same.count();
        }
        shared[at] = length as u32;
        length = length.saturating_sub(1);
    }
    shared
}

/// Calls `visit` with every position whose letter starts a rising stretch after a fall, from right to left.
#[inline(always)]
fn valleys<T: Letter>(text: &[T], mut visit: impl FnMut(usize)) {
    let mut rising = false;
    for at in (0..text.len() - 1).rev() {
        let (here, next) = (text[at], text[at + 1]);
        if here < next {
            rising = true;
        } else if here > next {
            if rising {
                visit(at + 1);
            }
            rising = false;
        }
    }
}

/// Buckets of suffixes that start with the same letter.
struct Buckets {
    sizes: Vec<u32>,
    edges: Vec<u32>,
}

impl Buckets {
    fn of<T: Letter>(text: &[T], letters: usize) -> Self {
        let mut sizes = vec![0; letters];
        for letter in text {
            sizes[letter.rank()] += 1;
        }
        let edges = vec![0; letters];
        Self { sizes, edges }
    }

    fn open_starts(&mut self) {
        let mut sum = 0;
        for (edge, size) in self.edges.iter_mut().zip(&self.sizes) {
            *edge = sum;
            sum += size;
        }
    }

    fn open_ends(&mut self) {
        let mut sum = 0;
        for (edge, size) in self.edges.iter_mut().zip(&self.sizes) {
            sum += size;
            *edge = sum;
        }
    }

    #[inline(always)]
    fn take_first<T: Letter>(&mut self, letter: T) -> usize {
        let edge = &mut self.edges[letter.rank()];
        *edge += 1;
        *edge as usize - 1
    }

    #[inline(always)]
    fn take_last<T: Letter>(&mut self, letter: T) -> usize {
        let edge = &mut self.edges[letter.rank()];
        *edge -= 1;
        *edge as usize
    }
}

/// Sorts the suffixes of `text`, whose letters have ranks below `letters`.
fn sort<T: Letter>(text: &[T], letters: usize, order: &mut [u32]) {
    let length = text.len();
    order.fill(0);
    if length < 2 {
        return;
    }
    let mut buckets = Buckets::of(text, letters);
    buckets.open_ends();
    let mut count = 0;
    valleys(text, |at| {
        order[buckets.take_last(text[at])] = at as u32;
        count += 1;
    });
    if count > 1 {
        sort_stretches(text, &mut buckets, order);
        sort_valleys(text, order, count);
        buckets.open_ends();
        order[count..].fill(0);
        for k in (0..count).rev() {
            let at = std::mem::take(&mut order[k]);
            order[buckets.take_last(text[at as usize])] = at;
        }
    }
    induce(text, &mut buckets, order);
}

/// Sorts the stretches between valleys; leaves the valleys in that order at the front of `order`.
///
/// Entries are 0 where empty: position 0 is no valley, and nothing is induced from it.
fn sort_stretches<T: Letter>(text: &[T], buckets: &mut Buckets, order: &mut [u32]) {
    let length = text.len();
    let mark_if = |condition: bool| if condition { MARK } else { 0 };
    buckets.open_starts();
    let last = length - 1;
    order[buckets.take_first(text[last])] = last as u32 | mark_if(text[last - 1] < text[last]);
    for k in 0..length {
        let entry = order[k];
        if entry & MARK != 0 {
            order[k] = entry ^ MARK;
        } else if entry != 0 {
            order[k] = 0;
            let at = entry as usize - 1;
            if at > 0 {
                let letter = text[at];
                let place = buckets.take_first(letter);
                order[place] = at as u32 | mark_if(text[at - 1] < letter);
            }
        }
    }
    buckets.open_ends();
    for k in (0..length).rev() {
        let entry = order[k];
        if entry != 0 && entry & MARK == 0 {
            order[k] = 0;
            let at = entry as usize - 1;
            if at > 0 {
                let letter = text[at];
                let place = buckets.take_last(letter);
                order[place] = at as u32 | mark_if(text[at - 1] > letter);
            }
        }
    }
    let mut found = 0;
    for k in 0..length {
        let entry = order[k];
        if entry & MARK != 0 {
            order[found] = entry ^ MARK;
            found += 1;
        }
    }
}

/// Sorts the suffixes at the `count` valleys, given in the order of their stretches at the front of `order`.
fn sort_valleys<T: Letter>(text: &[T], order: &mut [u32], count: usize) {
    let (sorted, names) = order.split_at_mut(count);
    // Valleys are at least two apart, so that half of a position is a place of its own.
    names.fill(0);
    let mut next = None;
    valleys(text, |at| {
        // The last stretch ends with the text and equals no other one: length 0.
        names[at / 2] = next.map_or(0, |next: usize| (next - at + 1) as u32);
        next = Some(at);
    });
    let (mut name, mut before) = (0, (0_usize, 0_usize));
    for &at in sorted.iter() {
        let at = at as usize;
        let length = names[at / 2] as usize;
        let same = length != 0
            && length == before.1
            && text[at..at + length] == text[before.0..before.0 + length];
        name += u32::from(!same);
        names[at / 2] = name;
        before = (at, length);
    }
    if name as usize == count {
        return;
    }
    let reduced: Vec<u32> = names.iter().filter(|&&n| n > 0).map(|&n| n - 1).collect();
    sort(&reduced, name as usize, sorted);
    let mut places = reduced;
    let mut k = count;
    valleys(text, |at| {
        k -= 1;
        places[k] = at as u32;
    });
    for entry in sorted {
        *entry = places[*entry as usize];
    }
}

/// Sorts all suffixes, given the sorted valleys at the ends of their buckets.
fn induce<T: Letter>(text: &[T], buckets: &mut Buckets, order: &mut [u32]) {
    let length = text.len();
    let mark_if = |condition: bool| if condition { MARK } else { 0 };
    buckets.open_starts();
    let last = length - 1;
    order[buckets.take_first(text[last])] = last as u32 | mark_if(text[last - 1] < text[last]);
    for k in 0..length {
        let entry = order[k];
        order[k] = entry ^ MARK;
        if entry & MARK == 0 {
            if entry == 0 {
                order[k] = 0;
                continue;
            }
            let at = entry as usize - 1;
            let letter = text[at];
            let place = buckets.take_first(letter);
            order[place] = at as u32 | mark_if(at == 0 || text[at - 1] < letter);
        }
    }
    buckets.open_ends();
    for k in (0..length).rev() {
        let entry = order[k];
        if entry & MARK != 0 {
            order[k] = entry ^ MARK;
        } else if entry != 0 {
            let at = entry as usize - 1;
            let letter = text[at];
            let place = buckets.take_last(letter);
            order[place] = at as u32 | mark_if(at == 0 || text[at - 1] > letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(strings: &[&[u32]]) {
        let found = Suffixes::of(strings);
        let mut plain: Vec<(&[u32], u32)> = Vec::new();
        for (string, &start) in strings.iter().zip(&found.starts) {
            for at in 0..string.len() {
                plain.push((&string[at..], start + at as u32));
            }
        }
        let suffix = |at: u32| plain.iter().find(|p| p.1 == at).unwrap().0;
        let mut words: Vec<&[u32]> = found.order.iter().map(|&at| suffix(at)).collect();
        for (k, pair) in words.windows(2).enumerate() {
            assert!(pair[0] <= pair[1], "{strings:?}");
            let same = pair[0].iter().zip(pair[1]).take_while(|(a, b)| a == b);
            assert_eq!(found.common[k + 1] as usize, same.count(), "{strings:?}");
        }
        let mut expected: Vec<&[u32]> = plain.iter().map(|p| p.0).collect();
        expected.sort_unstable();
        words.sort_unstable();
        assert_eq!(words, expected);
        let mut places = found.order;
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), plain.len());
    }

    #[test]
    fn regular_texts() {
        check(&[]);
        check(&[&[]]);
        check(&[&[], &[], &[7]]);
        let mut fibonacci = (vec![1_u32], vec![1_u32, 0]);
        for _ in 0..9 {
            let next = [fibonacci.1.as_slice(), &fibonacci.0].concat();
            fibonacci = (fibonacci.1, next);
        }
        check(&[&fibonacci.1]);
        check(&[&[5; 100], &[5; 40]]);
        let period: Vec<u32> = (0..120).map(|k| [3, 1, 2, 1][k % 4]).collect();
        check(&[&period]);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(2000))]
        #[test]
        fn suffixes_are_sorted(
            strings in prop::collection::vec(prop::collection::vec(0_u32..3, 0..30), 0..5),
        ) {
            let views: Vec<&[u32]> = strings.iter().map(Vec::as_slice).collect();
            check(&views);
        }

        #[test]
        fn any_symbols(string in prop::collection::vec(any::<u32>(), 0..60), wide in 0_u32..2) {
            let string: Vec<u32> = string.iter().map(|s| s >> (16 * wide)).collect();
            check(&[&string, &string]);
        }

        #[test]
        fn many_letters(string in prop::collection::vec(0_u32..400, 700..900)) {
            check(&[&string]);
        }
    }
}

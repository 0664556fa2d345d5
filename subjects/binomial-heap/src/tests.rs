//! The heap against a sorted vector.

use super::*;

/// The whole invariant: binomial trees in heap order that hold every node once.
fn check(heap: &BinomialHeap) {
    assert!(heap.has_sound_roots());
    let mut n_nodes = 0;
    let mut stack: Vec<usize> = heap.roots.iter().copied().flatten().collect();
    while let Some(idx) = stack.pop() {
        n_nodes += 1;
        let mut next = heap.nodes[idx].child;
        for degree in (0..heap.nodes[idx].degree).rev() {
            let child = next.expect("a node has as many children as its degree says");
            assert_eq!(heap.nodes[child].degree, degree);
            assert_eq!(heap.nodes[child].parent, Some(idx));
            assert!(heap.nodes[child].key >= heap.nodes[idx].key);
            stack.push(child);
            next = heap.nodes[child].sibling;
        }
        assert_eq!(next, None);
    }
    assert_eq!(n_nodes, heap.len());
}

/// A fixed sequence of numbers that looks random.
fn scrambled(n: u32) -> impl Iterator<Item = u32> {
    (0..n).scan(54321u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(*state >> 16)
    })
}

fn take(model: &mut Vec<i32>, key: i32) -> bool {
    let place = model.iter().position(|&other| other == key);
    place.map(|place| model.swap_remove(place)).is_some()
}

#[test]
fn the_heap_does_what_a_bag_of_keys_does() {
    let (mut heap, mut model) = (BinomialHeap::new(), Vec::<i32>::new());
    for number in scrambled(6000) {
        let key = (number / 8 % 40) as i32 - 20;
        match number % 8 {
            0..=3 => {
                heap.insert(key);
                model.push(key);
            }
            4 => {
                let min = model.iter().copied().min();
                assert_eq!(heap.extract_min(), min);
                min.map(|min| take(&mut model, min));
            }
            5 => assert_eq!(heap.delete(key), take(&mut model, key)),
            6 => {
                let was_there = take(&mut model, key);
                if was_there {
                    model.push(key - 5);
                }
                assert_eq!(heap.decrease_key(key, key - 5), was_there);
            }
            _ => assert_eq!(heap.contains(key), model.contains(&key)),
        }
        check(&heap);
        assert_eq!(heap.find_min(), model.iter().copied().min());
        assert_eq!(heap.len(), model.len());
    }
}

#[test]
fn appending_moves_every_key() {
    for (n_left, n_right) in [(0, 0), (0, 5), (7, 0), (7, 9), (8, 8)] {
        let (mut left, mut right) = (BinomialHeap::new(), BinomialHeap::new());
        (0..n_left).for_each(|key| left.insert(key));
        (0..n_right).for_each(|key| right.insert(-key));
        left.append(&mut right);
        check(&left);
        check(&right);
        assert!(right.is_empty());
        let keys: Vec<i32> = std::iter::from_fn(|| left.extract_min()).collect();
        assert!(keys.is_sorted());
        assert_eq!(keys.len(), (n_left + n_right) as usize);
    }
}

#[test]
fn keys_never_grow_and_extremes_are_keys_like_others() {
    let mut heap = BinomialHeap::new();
    heap.insert(i32::MAX);
    heap.insert(i32::MIN);
    assert!(!heap.decrease_key(i32::MIN, 0));
    assert!(heap.decrease_key(i32::MAX, i32::MIN));
    assert!(heap.delete(i32::MIN));
    check(&heap);
    heap.clear();
    assert_eq!(heap.extract_min(), None);
}

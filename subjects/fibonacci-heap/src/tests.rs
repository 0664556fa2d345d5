//! The heap against a list of handles and keys.

use super::*;

/// The whole invariant: rings are closed, trees are in heap order and hold every key once.
fn check(heap: &FibonacciHeap) {
    assert!(heap.has_sound_min());
    let mut n_nodes = 0;
    let mut rings: Vec<(Option<usize>, usize)> =
        heap.min.map(|min| (None, min)).into_iter().collect();
    while let Some((parent, start)) = rings.pop() {
        let ring = ring::members(&heap.nodes, start);
        assert!(parent.is_none_or(|parent| heap.nodes[parent].degree == ring.len()));
        for idx in ring {
            n_nodes += 1;
            let node = &heap.nodes[idx];
            assert!(node.is_occupied);
            assert_eq!(heap.nodes[node.right].left, idx);
            assert_eq!(node.parent, parent);
            assert!(
                node.key
                    >= parent
                        .or(heap.min)
                        .map_or(i32::MIN, |above| heap.nodes[above].key)
            );
            assert!(!(parent.is_none() && node.is_marked));
            match node.child {
                Some(child) => rings.push((Some(idx), child)),
                None => assert_eq!(node.degree, 0),
            }
        }
    }
    assert_eq!(n_nodes, heap.len());
    assert_eq!(heap.is_empty(), n_nodes == 0);
}

/// A fixed sequence of numbers that looks random.
fn scrambled(n: u32) -> impl Iterator<Item = u32> {
    (0..n).scan(99u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(*state >> 16)
    })
}

#[test]
fn the_heap_does_what_a_bag_of_keys_does() {
    let mut heap = FibonacciHeap::new();
    let mut model: Vec<(Handle, i32)> = Vec::new();
    for number in scrambled(8000) {
        let key = (number / 8 % 100) as i32;
        let pick = number as usize / 8 % model.len().max(1);
        let min = model.iter().map(|&(_, key)| key).min();
        match number % 8 {
            0..=3 => model.push((heap.insert(key), key)),
            4 => {
                assert_eq!(heap.extract_min(), min);
                // Of several equal keys the heap chooses: the one whose handle went stale.
                model.retain(|&(handle, _)| heap.key(handle).is_some());
            }
            5 if !model.is_empty() => {
                let (handle, key) = model.swap_remove(pick);
                assert_eq!(heap.delete(handle), Some(key));
                assert_eq!(heap.delete(handle), None);
                assert!(!heap.decrease_key(handle, i32::MIN));
            }
            6 | 7 if !model.is_empty() => {
                let (handle, old_key) = model[pick];
                let is_decrease = key <= old_key;
                assert_eq!(heap.decrease_key(handle, key), is_decrease);
                if is_decrease {
                    model[pick].1 = key;
                }
            }
            _ => {}
        }
        check(&heap);
        assert_eq!(heap.len(), model.len());
        assert!(
            model
                .iter()
                .all(|&(handle, key)| heap.key(handle) == Some(key))
        );
        assert_eq!(heap.find_min(), model.iter().map(|&(_, key)| key).min());
    }
}

#[test]
fn many_cuts_cascade() {
    let mut heap = FibonacciHeap::new();
    let handles: Vec<Handle> = (0..200).map(|key| heap.insert(key)).collect();
    assert_eq!(heap.extract_min(), Some(0));
    for (key, &handle) in handles.iter().enumerate().skip(1).rev() {
        assert!(heap.decrease_key(handle, -(key as i32)));
        check(&heap);
    }
    assert_eq!(heap.find_min(), Some(-199));
    let keys: Vec<i32> = std::iter::from_fn(|| heap.extract_min()).collect();
    assert_eq!(keys.len(), 199);
    assert!(keys.is_sorted());
}

#[test]
fn handles_of_cleared_and_reused_places_are_stale() {
    let mut heap = FibonacciHeap::new();
    let old = heap.insert(1);
    heap.clear();
    assert!(heap.is_empty());
    let new = heap.insert(2);
    assert_ne!(old, new);
    assert_eq!((heap.key(old), heap.key(new)), (None, Some(2)));
    assert_eq!(FibonacciHeap::new().delete(new), None);
    check(&heap);
}

//! The map against std's, and the invariant of red-black trees.

use std::collections::BTreeMap;

use super::*;

/// The whole invariant: links agree, keys ascend, no red node has a red parent, and all ways down
/// meet equally many black nodes.
fn check(map: &TreeMap) {
    assert!(map.has_sound_root());
    let mut keys = Vec::new();
    if let Some(root) = map.root {
        check_below(map, root, &mut keys);
    }
    assert_eq!(keys.len(), map.len());
    assert!(keys.is_sorted_by(|a, b| a < b));
}

/// Checks a subtree and gives its black height; a balanced tree is not deep.
fn check_below(map: &TreeMap, idx: usize, keys: &mut Vec<i32>) -> usize {
    let node = &map.nodes[idx];
    let height_at = |side: Side, keys: &mut Vec<i32>| {
        node.child(side).map_or(0, |child| {
            assert_eq!(map.nodes[child].parent, Some(idx));
            assert!(!(node.is_red && map.nodes[child].is_red));
            check_below(map, child, keys)
        })
    };
    let left = height_at(Side::Left, keys);
    keys.push(node.key);
    let right = height_at(Side::Right, keys);
    assert_eq!(left, right);
    left + usize::from(!node.is_red)
}

/// A fixed sequence of numbers that looks random.
fn scrambled(n: u32) -> impl Iterator<Item = u32> {
    (0..n).scan(777u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(*state >> 16)
    })
}

#[test]
fn the_map_does_what_std_s_does() {
    let (mut map, mut model) = (TreeMap::new(), BTreeMap::new());
    for (round, number) in scrambled(20_000).enumerate() {
        let (key, value) = ((number / 16 % 100) as i32 - 50, round as i32);
        // Grow for a while, then shrink for a while, so that both reach many shapes.
        let n_inserting = if round / 500 % 2 == 0 { 9 } else { 5 };
        match number % 16 {
            kind if kind < n_inserting => {
                assert_eq!(map.insert(key, value), model.insert(key, value));
            }
            15 => assert_eq!(map.pop_first(), model.pop_first()),
            _ => assert_eq!(map.remove(key), model.remove(&key)),
        }
        check(&map);
        assert_eq!(map.get(-key), model.get(&-key).copied());
        assert_eq!(map.contains_key(key), model.contains_key(&key));
        assert_eq!(map.len(), model.len());
        assert_eq!(map.is_empty(), model.is_empty());
        let copied = |(&key, &value): (&i32, &i32)| (key, value);
        assert_eq!(map.first_key_value(), model.first_key_value().map(copied));
        assert_eq!(map.last_key_value(), model.last_key_value().map(copied));
    }
}

#[test]
fn rising_and_falling_keys_stay_balanced() {
    for sign in [1, -1] {
        let mut map = TreeMap::new();
        for key in 0..1000 {
            map.insert(sign * key, key);
        }
        check(&map);
        for key in (0..1000).step_by(3) {
            assert_eq!(map.remove(sign * key), Some(key));
            check(&map);
        }
    }
}

#[test]
fn equality_is_of_entries_not_of_shape() {
    let (mut left, mut right) = (TreeMap::new(), TreeMap::new());
    for key in 0..6 {
        left.insert(key, 0);
        right.insert(5 - key, 0);
    }
    assert_eq!(left, right);
    assert_ne!(format!("{left:?}"), format!("{right:?}"));
    right.insert(3, 1);
    assert_ne!(left, right);
    left.clear();
    assert_eq!(left, TreeMap::new());
    assert_ne!(left, right);
}

#[test]
fn extreme_keys_are_keys_like_others() {
    let mut map = TreeMap::new();
    for key in [i32::MAX, 0, i32::MIN] {
        map.insert(key, key);
    }
    assert_eq!(map.first_key_value(), Some((i32::MIN, i32::MIN)));
    assert_eq!(map.last_key_value(), Some((i32::MAX, i32::MAX)));
    assert_eq!(map.remove(i32::MIN), Some(i32::MIN));
    check(&map);
}

//! Objects come, are used again and go.

use super::*;

fn text(content: &str) -> Object {
    Object::Text(content.to_owned())
}

fn id(place: usize) -> ObjectId {
    ObjectId(place)
}

#[test]
fn a_place_is_given_out_once_until_the_next_test() {
    let mut pool = Pool::new();
    assert_eq!(
        [pool.put(Object::Int(1)), pool.put(text("a"))],
        [id(0), id(1)]
    );
    assert_eq!(pool.remove(id(0)), Some(Object::Int(1)));
    assert_eq!(
        [pool.remove(id(0)), pool.replace(id(0), text("b"))],
        [None, None]
    );
    assert_eq!(pool.put(Object::Char('x')), id(2));
    pool.reset();
    assert_eq!((pool.count(Kind::Any), pool.get(id(0))), (0, None));
    assert_eq!(pool.put(text("b")), id(0));
}

#[test]
fn what_refers_to_an_object_is_known() {
    let mut pool = Pool::new();
    let pair = |one, other| Object::Pair(id(one), id(other));
    for object in [Object::Int(1), pair(0, 0), pair(1, 9)] {
        pool.put(object);
    }
    assert_eq!(
        (pool.users(id(0)), pool.users(id(9))),
        (vec![id(1)], vec![id(2)])
    );
    assert_eq!(pool.reach(id(2)), [id(0), id(1), id(2)]);
    assert_eq!(pool.replace(id(0), pair(2, 0)), Some(Object::Int(1)));
    assert_eq!(pool.users(id(0)), [id(0), id(1)]);
    assert_eq!(pool.remove(id(1)), Some(pair(0, 0)));
    assert_eq!(
        (pool.reach(id(2)), pool.reach(id(9))),
        (vec![id(2)], vec![])
    );
}

#[test]
fn every_live_object_of_a_kind_is_picked_some_time() {
    let mut pool = Pool::new();
    for number in 0..4 {
        pool.put(Object::Int(number));
        pool.put(text("a"));
    }
    pool.put(Object::Char('c'));
    let mut picked = |kind| -> BTreeSet<usize> {
        (0..200)
            .filter_map(|_| pool.pick(kind))
            .map(|id| id.0)
            .collect()
    };
    assert_eq!(picked(Kind::Int), [0, 2, 4, 6].into());
    assert_eq!(picked(Kind::Scalar), [0, 2, 4, 6, 8].into());
    assert_eq!(picked(Kind::Any).len(), 9);
    assert_eq!(pool.pick(Kind::Pair), None);
    let counts = [Kind::Any, Kind::Int, Kind::Text].map(|kind| pool.count(kind));
    assert_eq!(counts, [9, 4, 4]);
}

#[test]
fn fresh_objects_are_clones_of_the_base_domain() {
    let mut pool = Pool::new();
    assert_eq!(pool.fresh(Kind::Any), None);
    pool.add_base(text("a"));
    pool.add_base(text("a"));
    assert_eq!(pool.fresh(Kind::Text), Some(id(0)));
    assert_eq!(pool.replace(id(0), text("b")), Some(text("a")));
    assert_eq!(pool.fresh(Kind::Any), Some(id(1)));
    assert_eq!(pool.get(id(1)), Some(&text("a")));
    assert_eq!((pool.fresh(Kind::Pair), pool.base.len()), (None, 1));
}

#[test]
fn what_is_obtained_is_new_or_old() {
    let mut pool = Pool::new();
    assert_eq!(pool.obtain(Kind::Int), None);
    pool.put(Object::Int(5));
    assert!(
        (0..20).all(|_| pool.obtain(Kind::Int) == Some(id(0))),
        "there is no base domain"
    );
    pool.add_base(Object::Int(6));
    let obtained: Vec<_> = (0..20).filter_map(|_| pool.obtain(Kind::Int)).collect();
    assert!((2..20).contains(&pool.count(Kind::Int)) && obtained.len() == 20);
}

//! Objects come, are used again and go.

use super::*;

fn text(content: &str) -> Object {
    Object::Text(content.to_owned())
}

#[test]
fn an_index_is_given_out_once_until_the_next_test() {
    let mut pool = Pool::new(9);
    assert_eq!(
        (pool.put(Object::Int(1)), pool.put(text("a"))),
        (Ok(0), Ok(1))
    );
    assert_eq!(pool.remove(0), Ok(Object::Int(1)));
    assert_eq!(pool.get(0), None);
    assert_eq!(pool.remove(0), Err(Refusal::Missing(0)));
    assert_eq!(pool.put(Object::Char('x')), Ok(2));
    pool.reset();
    assert_eq!((pool.count(Kind::Any), pool.put(text("b"))), (0, Ok(0)));
}

#[test]
fn a_full_pool_takes_nothing_until_something_goes() {
    let mut pool = Pool::new(1);
    assert_eq!(pool.put(Object::Int(1)), Ok(0));
    assert_eq!(pool.put(Object::Int(2)), Err(Refusal::Full));
    assert_eq!(pool.remove(0), Ok(Object::Int(1)));
    assert_eq!(pool.put(Object::Int(2)), Ok(1));
}

#[test]
fn what_is_referred_to_stays() {
    let mut pool = Pool::new(9);
    assert_eq!(pool.put(Object::List(vec![0])), Err(Refusal::Missing(0)));
    assert_eq!(pool.put(Object::Int(1)), Ok(0));
    assert_eq!(pool.put(Object::List(vec![0, 0])), Ok(1));
    assert_eq!(pool.remove(0), Err(Refusal::InUse { index: 0, by: 1 }));
    assert_eq!(pool.replace(0, Object::List(vec![1])), Ok(Object::Int(1)));
    assert_eq!((pool.reach(1), pool.reach(7)), (vec![0, 1], vec![]));
    assert_eq!(
        pool.replace(1, Object::List(vec![1])),
        Ok(Object::List(vec![0, 0]))
    );
    assert_eq!(pool.replace(5, text("a")), Err(Refusal::Missing(5)));
    assert_eq!(
        pool.replace(0, Object::List(vec![5])),
        Err(Refusal::Missing(5))
    );
    assert_eq!(pool.remove(0), Ok(Object::List(vec![1])));
    assert_eq!(
        pool.remove(1),
        Ok(Object::List(vec![1])),
        "only it itself refers to it"
    );
}

#[test]
fn every_live_object_of_a_kind_is_picked_some_time() {
    let mut pool = Pool::new(99);
    for number in 0..4 {
        pool.put(Object::Int(number)).expect("room");
        pool.put(text("a")).expect("room");
    }
    pool.put(Object::Char('c')).expect("room");
    let picked = |pool: &mut Pool, kind| -> BTreeSet<usize> {
        (0..200).filter_map(|_| pool.pick(kind)).collect()
    };
    assert_eq!(picked(&mut pool, Kind::Int), [0, 2, 4, 6].into());
    assert_eq!(picked(&mut pool, Kind::Scalar), [0, 2, 4, 6, 8].into());
    assert_eq!(picked(&mut pool, Kind::Any).len(), 9);
    assert_eq!(pool.pick(Kind::List), None);
    assert_eq!(
        [Kind::Any, Kind::Int, Kind::Text].map(|kind| pool.count(kind)),
        [9, 4, 4]
    );
}

#[test]
fn fresh_objects_are_clones_of_the_base_domain() {
    let mut pool = Pool::new(3);
    assert_eq!(pool.fresh(Kind::Any), Err(Refusal::NoBase(Kind::Any)));
    pool.add_base(text("a"));
    pool.add_base(text("a"));
    pool.add_base(Object::List(vec![7]));
    assert_eq!(pool.fresh(Kind::Text), Ok(0));
    assert_eq!(pool.replace(0, text("b")), Ok(text("a")));
    assert_eq!(pool.fresh(Kind::Text), Ok(1));
    assert_eq!(pool.get(1), Some(&text("a")));
    assert_eq!(pool.fresh(Kind::List), Err(Refusal::Missing(7)));
    assert_eq!(pool.fresh(Kind::Int), Err(Refusal::NoBase(Kind::Int)));
}

#[test]
fn what_is_obtained_is_new_or_old_and_old_if_there_is_no_room() {
    let mut pool = Pool::new(2);
    assert_eq!(pool.obtain(Kind::Int), Err(Refusal::NoBase(Kind::Int)));
    pool.add_base(Object::Int(5));
    let obtained: BTreeSet<usize> = (0..100)
        .map(|_| pool.obtain(Kind::Int).expect("one at least"))
        .collect();
    assert_eq!(obtained, [0, 1].into());
    assert_eq!(pool.obtain(Kind::Text), Err(Refusal::NoBase(Kind::Text)));
}

#[test]
fn refusals_say_why() {
    let refusals = [
        (Refusal::Full, "the pool is full"),
        (Refusal::Missing(3), "there is no object 3"),
        (
            Refusal::InUse { index: 1, by: 2 },
            "object 2 refers to object 1",
        ),
        (
            Refusal::NoBase(Kind::Text),
            "nothing in the base domain is of kind Text",
        ),
    ];
    for (refusal, said) in refusals {
        assert_eq!(refusal.to_string(), said);
    }
}

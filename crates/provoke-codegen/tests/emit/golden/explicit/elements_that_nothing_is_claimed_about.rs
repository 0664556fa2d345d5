// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn elements_that_nothing_is_claimed_about() {
    let mut vec: Vec<Tracked> = Vec::<Tracked>::new();
    let tracked: Tracked = Tracked::new(7u8);
    Vec::<Tracked>::push(&mut vec, tracked);
    let _: Tracked = Vec::<Tracked>::remove(&mut vec, 0usize);

    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    struct Tracked(u8);

    #[allow(dead_code)]
    impl Tracked {
        fn new(value: u8) -> Tracked {
            Tracked(value)
        }
    }
}

use std::panic::catch_unwind;
use std::sync::Mutex;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn an_element_is_dropped_twice_in_a_panic() {
    let _ = catch_unwind(|| {
        let mut vec = Vec::<Tracked>::new();
        vec.push(Tracked::new(7));
        let _ = vec.remove(0);
    });
    assert_eq!(Tracked::dropped_twice(), 0);

    /// An element that knows how often it was dropped.
    struct Tracked {
        id: usize,
    }

    /// How often each element was dropped.
    static DROPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

    impl Tracked {
        fn new(_value: u8) -> Tracked {
            let mut drops = DROPS.lock().unwrap();
            drops.push(0);
            let id = drops.len();
            Tracked { id }
        }

        fn dropped_twice() -> usize {
            DROPS.lock().unwrap().iter().filter(|n| **n > 1).count()
        }
    }

    impl Drop for Tracked {
        fn drop(&mut self) {
            let mut drops = DROPS.lock().unwrap();
            match drops.get_mut(self.id.wrapping_sub(1)) {
                Some(n) => *n += 1,
                // It was never made.
                None => drops.push(2),
            }
        }
    }
}

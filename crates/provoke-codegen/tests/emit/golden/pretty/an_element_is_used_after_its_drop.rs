use std::sync::Mutex;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn an_element_is_used_after_its_drop() {
    let mut vec = Vec::<Tracked>::new();
    vec.push(Tracked::new(7));
    let tracked = Tracked::new(0);
    let tracked2 = tracked.clone();
    let _ = vec.contains(&tracked2);

    /// An element that knows how often it was dropped.
    struct Tracked {
        value: u8,
        id: usize,
    }

    /// How often each element was dropped.
    static DROPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

    impl Tracked {
        fn new(value: u8) -> Tracked {
            let mut drops = DROPS.lock().unwrap();
            drops.push(0);
            let id = drops.len();
            Tracked { value, id }
        }

        fn value(&self) -> u8 {
            let n_drops = DROPS.lock().unwrap().get(self.id.wrapping_sub(1)).copied();
            assert!(n_drops == Some(0), "an element was used that is not alive");
            self.value
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

    impl Clone for Tracked {
        fn clone(&self) -> Tracked {
            Tracked::new(self.value())
        }
    }

    impl PartialEq for Tracked {
        fn eq(&self, other: &Tracked) -> bool {
            self.value() == other.value()
        }
    }
}

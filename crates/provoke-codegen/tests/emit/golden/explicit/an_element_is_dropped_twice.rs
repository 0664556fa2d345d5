use std::cmp::Ordering;
use std::fmt;
use std::hash::Hash;
use std::hash::Hasher;
use std::sync::Mutex;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn an_element_is_dropped_twice() {
    {
        let mut vec: Vec<Tracked> = Vec::<Tracked>::new();
        let tracked: Tracked = Tracked::new(7u8);
        Vec::<Tracked>::push(&mut vec, tracked);
        let _tracked: Tracked = Vec::<Tracked>::remove(&mut vec, 0usize);
        drop(vec);
    }
    assert_eq!(Tracked::dropped_twice(), 0);

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

    impl Clone for Tracked {
        fn clone(&self) -> Tracked {
            Tracked::new(self.value)
        }
    }

    impl Default for Tracked {
        fn default() -> Tracked {
            Tracked::new(0)
        }
    }

    impl fmt::Debug for Tracked {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "Tracked({})", self.value)
        }
    }

    impl PartialEq for Tracked {
        fn eq(&self, other: &Tracked) -> bool {
            self.value == other.value
        }
    }

    impl Eq for Tracked {}

    impl PartialOrd for Tracked {
        fn partial_cmp(&self, other: &Tracked) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Tracked {
        fn cmp(&self, other: &Tracked) -> Ordering {
            self.value.cmp(&other.value)
        }
    }

    impl Hash for Tracked {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.value.hash(state);
        }
    }
}

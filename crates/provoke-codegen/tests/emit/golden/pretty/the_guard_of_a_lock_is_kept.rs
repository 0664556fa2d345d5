use std::sync::Mutex;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_guard_of_a_lock_is_kept() {
    let mutex = Mutex::new(5u8);
    let _guard = mutex.lock();
}

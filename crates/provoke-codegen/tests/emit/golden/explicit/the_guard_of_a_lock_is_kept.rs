use std::sync::LockResult;
use std::sync::Mutex;
use std::sync::MutexGuard;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_guard_of_a_lock_is_kept() {
    let mutex: Mutex<u8> = <Mutex<u8>>::new(5u8);
    let _guard: LockResult<MutexGuard<'_, u8>> = <Mutex<u8>>::lock(&mutex);
}

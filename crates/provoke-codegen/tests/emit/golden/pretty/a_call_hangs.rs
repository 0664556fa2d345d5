use std::sync::mpsc;
use std::thread;
use std::time::Duration;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_call_hangs() {
    let (done, finished) = mpsc::channel();
    thread::spawn(move || {
        let duration = Duration::from_secs(1);
        let _ = duration.checked_add(duration);
        let _ = std::iter::repeat(1u8).count(); // does not return
        done.send(()).unwrap();
    });
    finished
        .recv_timeout(Duration::from_secs(5))
        .expect("the last call should return within 5 seconds");
}

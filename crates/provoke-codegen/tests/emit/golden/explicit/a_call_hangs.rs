use std::sync::mpsc;
use std::thread;
use std::time::Duration;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_call_hangs() {
    let (done, finished) = mpsc::channel();
    thread::spawn(move || {
        let duration: Duration = <Duration>::from_secs(1u64);
        let _: Option<Duration> = <Duration>::checked_add(duration, duration);
        let _: usize = std::iter::repeat::<u8>(1u8).count(); // does not return
        done.send(()).unwrap();
    });
    finished
        .recv_timeout(Duration::from_secs(5))
        .expect("the last call should return within 5 seconds");
}

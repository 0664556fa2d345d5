// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_process_aborts() {
    let _vec: Vec<u8> = Vec::new();
    std::process::abort(); // aborts the test process
}

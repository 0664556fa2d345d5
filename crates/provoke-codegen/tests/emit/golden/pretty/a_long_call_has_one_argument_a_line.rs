use std::net::Ipv6Addr;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_long_call_has_one_argument_a_line() {
    let address = Ipv6Addr::new(12345, 12346, 12347, 12348, 12349, 12350, 12351, 12352);
    let _ = address.is_loopback();
    let mut string = "short".to_string();
    string.push_str("a text that is so long that the call has no room for it on one line, however it is indented");
    let _ = Ipv6Addr::new(0, 1, 2, 3, 4, 5, 6, 7);
}

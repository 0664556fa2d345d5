use std::net::Ipv6Addr;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_long_call_has_one_argument_a_line() {
    let address: Ipv6Addr = <Ipv6Addr>::new(
        12345u16, 12346u16, 12347u16, 12348u16, 12349u16, 12350u16, 12351u16, 12352u16,
    );
    let _: bool = <Ipv6Addr>::is_loopback(&address);
    let mut string = "short".to_string();
    <String>::push_str(&mut string, "a text that is so long that the call has no room for it on one line, however it is indented");
    let _: Ipv6Addr = <Ipv6Addr>::new(0u16, 1u16, 2u16, 3u16, 4u16, 5u16, 6u16, 7u16);
}

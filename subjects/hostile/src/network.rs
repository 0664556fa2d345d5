//! Attempts to talk to somebody. Blocked.

use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};

use crate::is_armed;

/// Phones home.
pub fn connects() {
    let port = option_env!("HOSTILE_PORT").and_then(|port| port.parse::<u16>().ok());
    if let Some(port) = port {
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    }
}

/// Opens a door.
pub fn listens() {
    if is_armed() {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    }
}

/// Sends without asking.
pub fn sends_a_datagram() {
    if is_armed() {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        socket.send_to(b"secret", (Ipv4Addr::LOCALHOST, 9)).unwrap();
    }
}

/// Talks to a service of the system.
pub fn talks_to_a_local_service() {
    if is_armed() {
        UnixDatagram::unbound().unwrap().send_to(b"<0>help", "/dev/log").unwrap();
    }
}

/// Asks for an address, which tells the name to somebody. There is no answer here.
pub fn asks_for_an_address() -> bool {
    is_armed() && TcpStream::connect("provoke.invalid:80").is_ok()
}

/// Nothing wrong with that: nobody else can hear it.
pub fn talks_to_itself() -> bool {
    use std::io::{Read, Write};
    let (mut one, mut other) = UnixStream::pair().unwrap();
    one.write_all(b"hello").unwrap();
    let mut heard = [0; 5];
    other.read_exact(&mut heard).unwrap();
    heard == *b"hello"
}

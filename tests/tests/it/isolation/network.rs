//! Bots that want to talk to somebody else.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use bao_tests::Place;

use super::{assert_possible_without, assert_refused, intruder, intruder_at};

#[test]
fn tcp_to_this_machine_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let bot = intruder(&format!("tcp={}", listener.local_addr().expect("it is bound")));
    assert_possible_without(&bot);
    listener.set_nonblocking(true).expect("a listener can be polled");
    let arrived = || listener.incoming().take_while(Result::is_ok).count();
    assert_eq!(arrived(), 2, "without isolation both games' attempts come through");
    assert_refused("tcp_to_this_machine_is_refused", "network", &bot);
    assert_eq!(arrived(), 0);
}

#[test]
fn listening_for_tcp_is_refused() {
    assert_possible_without(&intruder("tcp_listen"));
    assert_refused("listening_for_tcp_is_refused", "network", &intruder("tcp_listen"));
}

#[test]
fn udp_and_the_resolver_are_refused() {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let bot = intruder(&format!("udp={}", socket.local_addr().expect("it is bound")));
    assert_possible_without(&bot);
    assert_refused("udp_is_refused", "network", &bot);
    assert_refused("dns_is_refused", "network", &intruder("dns"));
}

#[test]
fn other_families_of_sockets_are_refused() {
    assert_possible_without(&intruder("netlink"));
    for family in ["netlink", "vsock", "packet"] {
        assert_refused(&format!("{family}_is_refused"), "network", &intruder(family));
    }
}

#[test]
fn unix_sockets_of_others_are_refused() {
    let place = Place::new();
    let path = place.dir().join("socket");
    let _by_path = UnixListener::bind(&path).expect("a test's own directory is writable");
    let name = SocketAddr::from_abstract_name(place.mark()).expect("a short name");
    let _abstract = UnixListener::bind_addr(&name).expect("a free name");
    for bot in [intruder_at("unix_path", &path), intruder(&format!("unix_abstract={}", place.mark()))] {
        assert_possible_without(&bot);
        assert_refused("unix_sockets_of_others_are_refused", "network", &bot);
    }
}

#[test]
fn a_bot_that_may_use_the_network_can() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let bot = intruder(&format!("tcp={}", listener.local_addr().expect("it is bound")));
    let ended = super::play(&bot, &["--first-sandbox", "network=yes"]);
    assert_eq!(super::tell(&ended), super::Attempt::Done);
    listener.accept().expect("the connection came through");
}

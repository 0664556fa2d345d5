//! Graphs and what is printed of them.

use super::*;

/// A tree of lists with `depth` levels of them.
fn nested(graph: &mut Graph, depth: usize) -> NodeId {
    let mut inner = graph.list();
    for _ in 1..depth {
        let outer = graph.list();
        graph.link(outer, "", inner);
        inner = outer;
    }
    inner
}

fn with_width(width: usize) -> Show {
    Show {
        width,
        ..Show::default()
    }
}

#[test]
fn values_are_printed_as_they_are_written() {
    let mut graph = Graph::new();
    let long = "ä".repeat(41);
    let cases = [
        (graph.null(), "null".to_owned()),
        (graph.bool(true), "true".to_owned()),
        (graph.bool(false), "false".to_owned()),
        (graph.int(-31), "-31".to_owned()),
        (graph.char('\n'), "'\\n'".to_owned()),
        (graph.text("a\"b"), "\"a\\\"b\"".to_owned()),
        (graph.text(&long), format!("\"{}\"...", "ä".repeat(40))),
        (graph.list(), "[]".to_owned()),
        (graph.map(), "{}".to_owned()),
        (graph.record("Unit"), "Unit".to_owned()),
        (graph.record(""), "record".to_owned()),
        (NodeId(99), "?".to_owned()),
    ];
    for (id, text) in cases {
        assert_eq!(Show::default().print(&graph, id), text);
    }
    let (low, high) = (graph.int(i64::MIN), graph.int(255));
    let show = Show {
        is_hexadecimal: true,
        ..Show::default()
    };
    assert_eq!(show.print(&graph, low), "-0x8000000000000000");
    assert_eq!(show.print(&graph, high), "0xff");
}

#[test]
fn only_what_is_there_and_has_parts_can_be_linked() {
    let mut graph = Graph::new();
    let (list, map, record) = (graph.list(), graph.map(), graph.record("R"));
    let (one, nowhere) = (graph.int(1), NodeId(99));
    for from in [one, nowhere] {
        assert!(!graph.link(from, "x", list));
    }
    for from in [list, map, record] {
        assert!(!graph.link(from, "x", nowhere) && graph.link(from, "x", one));
    }
    assert!(graph.link(record, "x", map) && graph.link(map, "x", record));
    assert_eq!(
        Show::default().print(&graph, record),
        "@0 R { x: {\"x\" => @0} }"
    );
}

#[test]
fn what_does_not_fit_on_a_line_is_a_block() {
    let mut graph = Graph::new();
    let (list, map, record) = (graph.list(), graph.map(), graph.record("Box"));
    let (one, text) = (graph.int(1), graph.text("a text"));
    graph.link(list, "", one);
    graph.link(list, "", text);
    graph.link(map, "k", list);
    graph.link(map, "a", one);
    graph.link(record, "z", map);
    graph.link(record, "a", one);
    let flat = "Box { z: {\"k\" => [1, \"a text\"], \"a\" => 1}, a: 1 }";
    assert_eq!(Show::default().print(&graph, record), flat);
    assert_eq!(with_width(flat.len()).print(&graph, record), flat);
    let narrow = Show {
        is_sorted: true,
        ..with_width(0)
    };
    let block = "Box\n  a: 1\n  z: map\n    \"a\" => 1\n    \"k\" => list\n      [0] 1\n      [1] \"a text\"";
    assert_eq!(narrow.print(&graph, record), block);
}

#[test]
fn cycles_and_shared_objects_are_printed_once() {
    let mut graph = Graph::new();
    let (list, map, inner) = (graph.list(), graph.map(), graph.list());
    for part in [map, inner, inner] {
        graph.link(list, "", part);
    }
    graph.link(map, "in", inner);
    graph.link(map, "out", list);
    let flat = "@0 [{\"in\" => @1 [], \"out\" => @0}, @1, @1]";
    assert_eq!(Show::default().print(&graph, list), flat);
    let block = "@0 list\n  [0] map\n    \"in\" => @1 []\n    \"out\" => @0\n  [1] @1\n  [2] @1";
    assert_eq!(with_width(5).print(&graph, list), block);
}

#[test]
fn depth_and_parts_are_limited() {
    let mut graph = Graph::new();
    let deep = nested(&mut graph, 100);
    let with_depth = |depth| Show {
        depth,
        ..with_width(1000)
    };
    assert_eq!(with_depth(2).print(&graph, deep), "[[[...]]]");
    assert_eq!(with_depth(0).print(&graph, deep), "[...]");
    let text = with_depth(usize::MAX).print(&graph, deep);
    assert_eq!(text.matches('[').count(), MAX_DEPTH + 1);
    let (list, record) = (graph.list(), graph.record("R"));
    for number in 0..5 {
        let item = graph.int(number);
        graph.link(list, "", item);
        graph.link(record, &number.to_string(), item);
    }
    let with_items = |items| Show {
        items,
        ..with_width(15)
    };
    assert_eq!(with_items(2).print(&graph, list), "[0, 1, 3 more]");
    assert_eq!(with_items(0).print(&graph, list), "[5 more]");
    let block = "R\n  0: 0\n  4 more";
    assert_eq!(with_items(1).print(&graph, record), block);
}

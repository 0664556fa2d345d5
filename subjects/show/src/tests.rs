//! Graphs and what is printed of them.

use super::*;

/// A tree of lists with `depth` levels of them.
fn nested(graph: &mut Graph, depth: usize) -> NodeId {
    let mut inner = graph.list();
    for _ in 1..depth {
        let outer = graph.list();
        graph.push(outer, inner);
        inner = outer;
    }
    inner
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
        assert_eq!(Show::new().print(&graph, id), text);
    }
    let (low, high) = (graph.int(i64::MIN), graph.int(255));
    let show = Show::default().hexadecimal();
    assert_eq!(show.print(&graph, low), "-0x8000000000000000");
    assert_eq!(show.print(&graph, high), "0xff");
}

#[test]
fn only_what_is_there_and_fits_can_be_linked() {
    let mut graph = Graph::new();
    let (list, map, record) = (graph.list(), graph.map(), graph.record("R"));
    let nowhere = NodeId(99);
    assert!(!graph.push(map, list) && !graph.push(list, nowhere) && !graph.push(nowhere, list));
    assert!(!graph.insert(list, map, map) && !graph.insert(map, nowhere, list));
    assert!(!graph.insert(map, list, nowhere) && !graph.set(record, "x", nowhere));
    assert!(!graph.set(list, "x", map));
    assert!(graph.set(record, "x", list) && graph.set(record, "x", map));
    assert!(graph.insert(map, list, list) && graph.insert(map, list, record));
    assert_eq!(Show::new().print(&graph, record), "R @0 { x: {[] => @0} }");
}

#[test]
fn what_does_not_fit_on_a_line_is_a_block() {
    let mut graph = Graph::new();
    let (list, map, record) = (graph.list(), graph.map(), graph.record("Box"));
    let (one, text) = (graph.int(1), graph.text("a text"));
    graph.push(list, one);
    graph.push(list, text);
    graph.insert(map, text, list);
    graph.insert(map, one, one);
    graph.set(record, "z", map);
    graph.set(record, "a", one);
    let flat = "Box { z: {\"a text\" => [1, \"a text\"], 1 => 1}, a: 1 }";
    assert_eq!(Show::new().print(&graph, record), flat);
    assert_eq!(Show::new().width(flat.len()).print(&graph, record), flat);
    let narrow = Show::new().width(0).sorted();
    let block = "Box\n  a: 1\n  z: map\n    \"a text\" => list\n      [0] 1\n      [1] \"a text\"\n    1 => 1";
    assert_eq!(narrow.print(&graph, record), block);
}

#[test]
fn cycles_and_shared_objects_are_printed_once() {
    let mut graph = Graph::new();
    let (list, map, inner) = (graph.list(), graph.map(), graph.list());
    graph.push(list, map);
    graph.push(list, inner);
    graph.push(list, inner);
    graph.insert(map, inner, list);
    assert_eq!(
        Show::new().print(&graph, list),
        "[{[] @1 => @0}, @1, @1] @0"
    );
    let block = "list @0\n  [0] map\n    [] @1 => @0\n  [1] @1\n  [2] @1";
    assert_eq!(Show::new().width(5).print(&graph, list), block);
}

#[test]
fn depth_and_parts_are_limited() {
    let mut graph = Graph::new();
    let deep = nested(&mut graph, 100);
    assert_eq!(Show::new().depth(2).print(&graph, deep), "[[[...]]]");
    assert_eq!(Show::new().depth(0).print(&graph, deep), "[...]");
    let text = Show::new()
        .depth(usize::MAX)
        .width(1000)
        .print(&graph, deep);
    assert_eq!(text.matches('[').count(), MAX_DEPTH + 1);
    let (list, record) = (graph.list(), graph.record("R"));
    for number in 0..5 {
        let item = graph.int(number);
        graph.push(list, item);
        graph.set(record, &number.to_string(), item);
    }
    assert_eq!(Show::new().items(2).print(&graph, list), "[0, 1, 3 more]");
    assert_eq!(Show::new().items(0).print(&graph, list), "[5 more]");
    let block = "R\n  0: 0\n  4 more";
    assert_eq!(Show::new().items(1).width(3).print(&graph, record), block);
}

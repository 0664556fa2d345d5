//! One graph being printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use crate::graph::{Graph, Label, Node, NodeId};
use crate::{MAX_DEPTH, Show};

/// How far each level is indented.
const INDENT: usize = 2;

/// Longer texts are cut.
const MAX_TEXT: usize = 40;

/// How an object is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// All on the line that was begun.
    Line,
    /// A line for each part, indented so far.
    Block(usize),
}

pub(crate) struct Printer<'a> {
    show: &'a Show,
    graph: &'a Graph,
    /// What is referred to more than once.
    shared: BTreeSet<NodeId>,
    /// What was printed of those; their places are their numbers.
    numbered: Vec<NodeId>,
    out: String,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(show: &'a Show, graph: &'a Graph, root: NodeId) -> Self {
        Printer {
            show,
            graph,
            shared: shared(graph, root),
            numbered: Vec::new(),
            out: String::new(),
        }
    }

    pub(crate) fn text(mut self, root: NodeId) -> String {
        self.node(root, 0, Layout::Block(0));
        self.out
    }

    /// Prints an object that is so many levels below the first one.
    fn node(&mut self, id: NodeId, level: usize, layout: Layout) {
        let (show, graph) = (self.show, self.graph);
        let Some(node) = graph.node(id) else {
            self.out += "?";
            return;
        };
        if node.has_identity() {
            if let Some(number) = self.numbered.iter().position(|known| *known == id) {
                self.say(format_args!("@{number}"));
                return;
            }
            if level > show.depth.min(MAX_DEPTH) {
                self.out += "...";
                return;
            }
        }
        let mut parts = node.parts();
        let is_block = layout != Layout::Line && !parts.is_empty();
        if is_block && self.fits_on_a_line(id, level) {
            return;
        }
        if self.shared.contains(&id) {
            self.say(format_args!("@{} ", self.numbered.len()));
            self.numbered.push(id);
        }
        let (open, close) = match node {
            Node::Null => ("null", ""),
            Node::Bool(true) => ("true", ""),
            Node::Bool(false) => ("false", ""),
            Node::Int(value) if show.is_hexadecimal && *value < 0 => {
                return self.say(format_args!("-{:#x}", value.unsigned_abs()));
            }
            Node::Int(value) if show.is_hexadecimal => {
                return self.say(format_args!("{value:#x}"));
            }
            Node::Int(value) => return self.say(format_args!("{value}")),
            Node::Char(value) => return self.say(format_args!("{value:?}")),
            Node::Text(value) => match value.char_indices().nth(MAX_TEXT) {
                Some((end, _)) => return self.say(format_args!("{:?}...", &value[..end])),
                None => return self.say(format_args!("{value:?}")),
            },
            Node::List(_) if is_block => ("list", ""),
            Node::List(_) => ("[", "]"),
            Node::Map(_) if is_block => ("map", ""),
            Node::Map(_) => ("{", "}"),
            Node::Record { name, .. } => {
                self.out += if name.is_empty() {
                    "record"
                } else {
                    name.as_str()
                };
                if is_block || parts.is_empty() {
                    ("", "")
                } else {
                    (" { ", " }")
                }
            }
        };
        self.out += open;
        if show.is_sorted {
            parts.sort_by_key(|(label, _)| label.name());
        }
        let n_more = parts.len().saturating_sub(show.items);
        for (place, (label, part)) in parts.into_iter().take(show.items).enumerate() {
            match layout {
                Layout::Line if place > 0 => self.out += ", ",
                Layout::Line => {}
                Layout::Block(indent) => self.new_line(indent),
            }
            match label {
                Label::Item(place) if is_block => self.say(format_args!("[{place}] ")),
                Label::Item(_) => {}
                Label::Key(key) => self.say(format_args!("{key:?} => ")),
                Label::Field(field) => self.say(format_args!("{field}: ")),
            }
            self.node(part, level + 1, layout.deeper());
        }
        if n_more > 0 {
            match layout {
                Layout::Line if show.items > 0 => self.out += ", ",
                Layout::Line => {}
                Layout::Block(indent) => self.new_line(indent),
            }
            self.say(format_args!("{n_more} more"));
        }
        self.out += close;
    }

    /// Prints an object on the line that was begun, if it is short enough.
    fn fits_on_a_line(&mut self, id: NodeId, level: usize) -> bool {
        let (n_bytes, n_numbered) = (self.out.len(), self.numbered.len());
        self.node(id, level, Layout::Line);
        if self.out[n_bytes..].chars().count() <= self.show.width {
            return true;
        }
        self.out.truncate(n_bytes);
        self.numbered.truncate(n_numbered);
        false
    }

    fn new_line(&mut self, indent: usize) {
        let width = indent + INDENT;
        self.say(format_args!("\n{:width$}", ""));
    }

    fn say(&mut self, text: fmt::Arguments<'_>) {
        // There is always room in a string.
        let _ = self.out.write_fmt(text);
    }
}

impl Layout {
    /// That of the parts.
    fn deeper(self) -> Layout {
        match self {
            Layout::Line => Layout::Line,
            Layout::Block(indent) => Layout::Block(indent + INDENT),
        }
    }
}

/// The objects with an identity that are referred to more than once, by others or from outside.
fn shared(graph: &Graph, root: NodeId) -> BTreeSet<NodeId> {
    let mut n_references: BTreeMap<NodeId, usize> = BTreeMap::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        let node = graph.node(id).filter(|node| node.has_identity());
        let Some(node) = node else { continue };
        let n_here = n_references.entry(id).or_default();
        *n_here += 1;
        if *n_here == 1 {
            pending.extend(node.parts().into_iter().map(|(_, part)| part));
        }
    }
    let shared = n_references.into_iter().filter(|(_, n_here)| *n_here > 1);
    shared.map(|(id, _)| id).collect()
}

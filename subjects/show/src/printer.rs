//! One graph being printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use crate::Show;
use crate::graph::{Graph, Node, NodeId};

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
            if level > show.depth {
                self.out += "...";
                return;
            }
        }
        if let Layout::Block(_) = layout
            && !node.parts().is_empty()
            && self.fits_on_a_line(id, level)
        {
            return;
        }
        let mut number = None;
        if self.shared.contains(&id) {
            number = Some(self.numbered.len());
            self.numbered.push(id);
        }
        match node {
            Node::Null => self.out += "null",
            Node::Bool(true) => self.out += "true",
            Node::Bool(false) => self.out += "false",
            Node::Int(value) if show.is_hexadecimal && *value < 0 => {
                self.say(format_args!("-{:#x}", value.unsigned_abs()));
            }
            Node::Int(value) if show.is_hexadecimal => self.say(format_args!("{value:#x}")),
            Node::Int(value) => self.say(format_args!("{value}")),
            Node::Char(value) => self.say(format_args!("{value:?}")),
            Node::Text(value) => match value.char_indices().nth(MAX_TEXT) {
                Some((end, _)) => self.say(format_args!("{:?}...", &value[..end])),
                None => self.say(format_args!("{value:?}")),
            },
            Node::List(items) if items.is_empty() => {
                self.out += "[]";
                self.mark(number);
            }
            Node::List(items) => {
                if layout == Layout::Line {
                    self.out += "[";
                } else {
                    self.out += "list";
                    self.mark(number);
                }
                for (place, item) in items.iter().take(show.n_items).enumerate() {
                    match layout {
                        Layout::Line if place > 0 => self.out += ", ",
                        Layout::Line => {}
                        Layout::Block(indent) => {
                            self.new_line(indent);
                            self.say(format_args!("[{place}] "));
                        }
                    }
                    self.node(*item, level + 1, layout.deeper());
                }
                self.rest(items.len(), layout);
                if layout == Layout::Line {
                    self.out += "]";
                    self.mark(number);
                }
            }
            Node::Map(entries) if entries.is_empty() => {
                self.out += "{}";
                self.mark(number);
            }
            Node::Map(entries) => {
                if layout == Layout::Line {
                    self.out += "{";
                } else {
                    self.out += "map";
                    self.mark(number);
                }
                for (place, (key, value)) in entries.iter().take(show.n_items).enumerate() {
                    match layout {
                        Layout::Line if place > 0 => self.out += ", ",
                        Layout::Line => {}
                        Layout::Block(indent) => self.new_line(indent),
                    }
                    self.node(*key, level + 1, Layout::Line);
                    self.out += " => ";
                    self.node(*value, level + 1, layout.deeper());
                }
                self.rest(entries.len(), layout);
                if layout == Layout::Line {
                    self.out += "}";
                    self.mark(number);
                }
            }
            Node::Record { name, fields } => {
                self.out += if name.is_empty() {
                    "record"
                } else {
                    name.as_str()
                };
                self.mark(number);
                let mut fields: Vec<&(String, NodeId)> = fields.iter().collect();
                if show.is_sorted {
                    fields.sort();
                }
                if layout == Layout::Line && !fields.is_empty() {
                    self.out += " { ";
                }
                for (place, (field, value)) in fields.iter().take(show.n_items).enumerate() {
                    match layout {
                        Layout::Line if place > 0 => self.out += ", ",
                        Layout::Line => {}
                        Layout::Block(indent) => self.new_line(indent),
                    }
                    self.out += field;
                    self.out += ": ";
                    self.node(*value, level + 1, layout.deeper());
                }
                self.rest(fields.len(), layout);
                if layout == Layout::Line && !fields.is_empty() {
                    self.out += " }";
                }
            }
        }
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

    /// Says how many parts are not printed.
    fn rest(&mut self, n_parts: usize, layout: Layout) {
        let n_more = n_parts.saturating_sub(self.show.n_items);
        if n_more == 0 {
            return;
        }
        match layout {
            Layout::Line if self.show.n_items > 0 => self.out += ", ",
            Layout::Line => {}
            Layout::Block(indent) => self.new_line(indent),
        }
        self.say(format_args!("{n_more} more"));
    }

    /// Prints the number of an object that has one.
    fn mark(&mut self, number: Option<usize>) {
        if let Some(number) = number {
            self.say(format_args!(" @{number}"));
        }
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
            pending.extend(node.parts());
        }
    }
    let shared = n_references.into_iter().filter(|(_, n_here)| *n_here > 1);
    shared.map(|(id, _)| id).collect()
}

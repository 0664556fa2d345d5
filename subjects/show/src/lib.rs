//! Prints object graphs, those with shared objects and cycles included.
//!
//! A port of `Show`, the third subject of section 5 of *Trace-based Reflexive Testing of OO Programs*
//! (Prasetya, Vos, Baars, 2007): what T2 prints the states of objects with (figure 2 there). Java's
//! reflection finds the fields of any object; here the objects are nodes of a [`Graph`] that is built
//! by hand. As in the original nearly everything happens in one method with a branch for each kind
//! of object (of a cyclomatic complexity of 33 there).
//!
//! ```
//! use show::{Graph, Show};
//!
//! let mut graph = Graph::new();
//! let (list, max) = (graph.list(), graph.int(29));
//! graph.push(list, max);
//! let sorted_list = graph.record("SortedList");
//! graph.set(sorted_list, "s", list);
//! graph.set(sorted_list, "max", max);
//! assert_eq!(Show::new().print(&graph, sorted_list), "SortedList { s: [29], max: 29 }");
//!
//! graph.set(sorted_list, "next", sorted_list);
//! let text = "SortedList @0\n  s: [29]\n  max: 29\n  next: @0";
//! assert_eq!(Show::new().width(20).print(&graph, sorted_list), text);
//! ```

mod graph;
mod printer;

pub use graph::{Graph, NodeId};

use printer::Printer;

/// No graph is followed further than this, so that no graph exhausts the stack.
const MAX_DEPTH: usize = 64;

/// How graphs are printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Show {
    depth: usize,
    width: usize,
    n_items: usize,
    is_sorted: bool,
    is_hexadecimal: bool,
}

impl Show {
    /// Prints eight levels, what fits into 60 characters on one line, and up to 100 parts of each object.
    pub fn new() -> Self {
        Show {
            depth: 8,
            width: 60,
            n_items: 100,
            is_sorted: false,
            is_hexadecimal: false,
        }
    }

    /// Prints objects only up to so many levels below the first one (64 at most), and `...` for those
    /// below.
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth.min(MAX_DEPTH);
        self
    }

    /// Prints an object on one line if that takes up to so many characters, and otherwise a line for
    /// each part.
    pub fn width(mut self, width: usize) -> Self {
        self.width = width;
        self
    }

    /// Prints only so many parts of each object and says how many more there are.
    pub fn items(mut self, n_items: usize) -> Self {
        self.n_items = n_items;
        self
    }

    /// Prints fields by their names, not in the order in which they were set first.
    pub fn sorted(mut self) -> Self {
        self.is_sorted = true;
        self
    }

    /// Prints numbers with sixteen digits.
    pub fn hexadecimal(mut self) -> Self {
        self.is_hexadecimal = true;
        self
    }

    /// Prints an object with all that it refers to.
    ///
    /// What is referred to more than once is printed once, with a number such as `@0` that stands
    /// for it everywhere else. Numbers, texts and the like are simply repeated.
    pub fn print(&self, graph: &Graph, root: NodeId) -> String {
        Printer::new(self, graph, root).text(root)
    }
}

impl Default for Show {
    fn default() -> Self {
        Show::new()
    }
}

#[cfg(test)]
mod tests;

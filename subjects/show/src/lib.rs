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
//! graph.link(list, "", max);
//! let sorted_list = graph.record("SortedList");
//! graph.link(sorted_list, "s", list);
//! graph.link(sorted_list, "max", max);
//! assert_eq!(Show::default().print(&graph, sorted_list), "SortedList { s: [29], max: 29 }");
//!
//! graph.link(sorted_list, "next", sorted_list);
//! let text = "@0 SortedList\n  s: [29]\n  max: 29\n  next: @0";
//! let show = Show { width: 20, ..Show::default() };
//! assert_eq!(show.print(&graph, sorted_list), text);
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
    /// Objects are printed up to so many levels below the first one (64 at most), and `...` is printed
    /// for those below. 8 by default.
    pub depth: usize,
    /// An object is printed on one line if that takes up to so many characters, and otherwise on a
    /// line for each part. 60 by default.
    pub width: usize,
    /// So many parts of each object are printed, and how many more there are. 100 by default.
    pub items: usize,
    /// Fields and keys are printed by their names, not in the order in which they were linked first.
    pub is_sorted: bool,
    /// Numbers are printed with sixteen digits.
    pub is_hexadecimal: bool,
}

impl Show {
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
        Show {
            depth: 8,
            width: 60,
            items: 100,
            is_sorted: false,
            is_hexadecimal: false,
        }
    }
}

#[cfg(test)]
mod tests;

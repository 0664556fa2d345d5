//! The graph of objects that is printed.

/// An object of a [`Graph`], which made it. In another graph it stands for whatever has the same
/// place there, if anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) usize);

/// Objects that refer to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Char(char),
    Text(String),
    List(Vec<NodeId>),
    /// In the order in which they came first; a key is there once.
    Map(Vec<(String, NodeId)>),
    /// Likewise for fields.
    Record {
        name: String,
        fields: Vec<(String, NodeId)>,
    },
}

/// What a part is to its whole.
pub(crate) enum Label<'a> {
    Item(usize),
    Key(&'a str),
    Field(&'a str),
}

impl Graph {
    /// Makes a graph without objects.
    pub fn new() -> Self {
        Graph::default()
    }

    /// Adds nothing, as an object.
    pub fn null(&mut self) -> NodeId {
        self.add(Node::Null)
    }

    /// Adds a truth value.
    pub fn bool(&mut self, value: bool) -> NodeId {
        self.add(Node::Bool(value))
    }

    /// Adds a number.
    pub fn int(&mut self, value: i64) -> NodeId {
        self.add(Node::Int(value))
    }

    /// Adds a character.
    pub fn char(&mut self, value: char) -> NodeId {
        self.add(Node::Char(value))
    }

    /// Adds a text.
    pub fn text(&mut self, value: &str) -> NodeId {
        self.add(Node::Text(value.to_owned()))
    }

    /// Adds an empty list.
    pub fn list(&mut self) -> NodeId {
        self.add(Node::List(Vec::new()))
    }

    /// Adds an empty map.
    pub fn map(&mut self) -> NodeId {
        self.add(Node::Map(Vec::new()))
    }

    /// Adds an object with a name and without fields.
    pub fn record(&mut self, name: &str) -> NodeId {
        self.add(Node::Record {
            name: name.to_owned(),
            fields: Vec::new(),
        })
    }

    /// Lets one object refer to another: a list by one more item, whatever the label, a map by the
    /// key and a record by the field of that name, in the place of what it was before. `false` if
    /// the first is none of these, or one of them is not there.
    pub fn link(&mut self, from: NodeId, label: &str, to: NodeId) -> bool {
        if self.node(to).is_none() {
            return false;
        }
        let parts = match self.nodes.get_mut(from.0) {
            Some(Node::List(items)) => {
                items.push(to);
                return true;
            }
            Some(Node::Map(parts) | Node::Record { fields: parts, .. }) => parts,
            _ => return false,
        };
        match parts.iter_mut().find(|(known, _)| known == label) {
            Some((_, old)) => *old = to,
            None => parts.push((label.to_owned(), to)),
        }
        true
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(node);
        id
    }
}

impl Node {
    /// What this refers to, in order.
    pub(crate) fn parts(&self) -> Vec<(Label<'_>, NodeId)> {
        let labelled = |(place, item): (usize, &NodeId)| (Label::Item(place), *item);
        match self {
            Node::List(items) => items.iter().enumerate().map(labelled).collect(),
            Node::Map(entries) => entries
                .iter()
                .map(|(key, value)| (Label::Key(key), *value))
                .collect(),
            Node::Record { fields, .. } => fields
                .iter()
                .map(|(field, value)| (Label::Field(field), *value))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it makes a difference which of several equal ones is meant.
    pub(crate) fn has_identity(&self) -> bool {
        matches!(self, Node::List(_) | Node::Map(_) | Node::Record { .. })
    }
}

impl<'a> Label<'a> {
    /// What it is sorted by; items stay in their order.
    pub(crate) fn name(&self) -> &'a str {
        match self {
            Label::Item(_) => "",
            Label::Key(name) | Label::Field(name) => name,
        }
    }
}

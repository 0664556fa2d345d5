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
    /// In the order of their insertion; a key is there once.
    Map(Vec<(NodeId, NodeId)>),
    Record {
        name: String,
        fields: Vec<(String, NodeId)>,
    },
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

    /// Appends to a list; `false` if it is none, or there is no such item.
    pub fn push(&mut self, list: NodeId, item: NodeId) -> bool {
        let is_known = self.node(item).is_some();
        match self.nodes.get_mut(list.0) {
            Some(Node::List(items)) if is_known => {
                items.push(item);
                true
            }
            _ => false,
        }
    }

    /// Lets a key of a map refer to a value, in the place of the one before; `false` if it is no map,
    /// or one of the others is not there.
    pub fn insert(&mut self, map: NodeId, key: NodeId, value: NodeId) -> bool {
        let is_known = self.node(key).is_some() && self.node(value).is_some();
        match self.nodes.get_mut(map.0) {
            Some(Node::Map(entries)) if is_known => {
                match entries.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, old)) => *old = value,
                    None => entries.push((key, value)),
                }
                true
            }
            _ => false,
        }
    }

    /// Lets a field of a record refer to a value, in the place of the one before; `false` if it is no
    /// record, or there is no such value.
    pub fn set(&mut self, record: NodeId, field: &str, value: NodeId) -> bool {
        let is_known = self.node(value).is_some();
        match self.nodes.get_mut(record.0) {
            Some(Node::Record { fields, .. }) if is_known => {
                match fields.iter_mut().find(|(known, _)| known == field) {
                    Some((_, old)) => *old = value,
                    None => fields.push((field.to_owned(), value)),
                }
                true
            }
            _ => false,
        }
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
    pub(crate) fn parts(&self) -> Vec<NodeId> {
        match self {
            Node::List(items) => items.clone(),
            Node::Map(entries) => entries
                .iter()
                .flat_map(|(key, value)| [*key, *value])
                .collect(),
            Node::Record { fields, .. } => fields.iter().map(|(_, value)| *value).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it makes a difference which of several equal ones is meant.
    pub(crate) fn has_identity(&self) -> bool {
        matches!(self, Node::List(_) | Node::Map(_) | Node::Record { .. })
    }
}

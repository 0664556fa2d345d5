//! Keeping the tree balanced: no red node has a red parent, and every way down meets equally
//! many black nodes.

use crate::TreeMap;
use crate::node::Side;

impl TreeMap {
    /// Mends the colours after the red node `idx` was added.
    pub(crate) fn repair_insertion(&mut self, mut idx: usize) {
        while let Some(parent) = self.nodes[idx].parent
            && self.nodes[parent].is_red
            && let Some(grandparent) = self.nodes[parent].parent
        {
            let side = self.side_of(grandparent, parent);
            let uncle = self.nodes[grandparent].child(side.other());
            if let Some(uncle) = uncle.filter(|&uncle| self.nodes[uncle].is_red) {
                self.nodes[parent].is_red = false;
                self.nodes[uncle].is_red = false;
                self.nodes[grandparent].is_red = true;
                idx = grandparent;
                continue;
            }
            let mut top = parent;
            if self.side_of(parent, idx) != side {
                self.rotate(parent, side);
                top = idx;
            }
            self.nodes[top].is_red = false;
            self.nodes[grandparent].is_red = true;
            self.rotate(grandparent, side.other());
            break;
        }
        if let Some(root) = self.root {
            self.nodes[root].is_red = false;
        }
    }

    /// Mends the colours after a black node without black children was taken from under `parent`
    /// at `side`: the ways down there are one black node short.
    pub(crate) fn repair_removal(&mut self, parent: usize, side: Side) {
        let mut short = Some((parent, side));
        while let Some((parent, side)) = short {
            // A black node had as many black nodes beside it, so there is a sibling.
            let Some(mut sibling) = self.nodes[parent].child(side.other()) else {
                return;
            };
            if self.nodes[sibling].is_red {
                self.nodes[sibling].is_red = false;
                self.nodes[parent].is_red = true;
                self.rotate(parent, side);
                let Some(new_sibling) = self.nodes[parent].child(side.other()) else {
                    return;
                };
                sibling = new_sibling;
            }
            let far = self.red_child(sibling, side.other());
            let near = self.red_child(sibling, side);
            let (top, far) = match (far, near) {
                (Some(far), _) => (sibling, far),
                (None, Some(near)) => {
                    self.rotate(sibling, side.other());
                    (near, sibling)
                }
                (None, None) => {
                    self.nodes[sibling].is_red = true;
                    if self.nodes[parent].is_red {
                        self.nodes[parent].is_red = false;
                        return;
                    }
                    let above = self.nodes[parent].parent;
                    short = above.map(|above| (above, self.side_of(above, parent)));
                    continue;
                }
            };
            self.nodes[top].is_red = self.nodes[parent].is_red;
            self.nodes[parent].is_red = false;
            self.nodes[far].is_red = false;
            self.rotate(parent, side);
            return;
        }
    }

    fn red_child(&self, idx: usize, side: Side) -> Option<usize> {
        let child = self.nodes[idx].child(side);
        child.filter(|&child| self.nodes[child].is_red)
    }

    /// Moves `idx` down towards `side`; its child on the other side takes its place.
    fn rotate(&mut self, idx: usize, side: Side) {
        let Some(riser) = self.nodes[idx].child(side.other()) else {
            return;
        };
        let inner = self.nodes[riser].child(side);
        self.nodes[idx].set_child(side.other(), inner);
        if let Some(inner) = inner {
            self.nodes[inner].parent = Some(idx);
        }
        let parent = self.nodes[idx].parent;
        self.replace_child(parent, idx, Some(riser));
        self.nodes[riser].parent = parent;
        self.nodes[riser].set_child(side, Some(idx));
        self.nodes[idx].parent = Some(riser);
    }
}

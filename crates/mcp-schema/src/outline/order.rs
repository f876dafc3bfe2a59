//! Orders the nodes so that each comes after those that apply to the same value, and finds where
//! that is impossible (Tarjan's components, without recursion).

use super::graph::{NodeId, Outline};

/// The order, and the cycles in it.
#[derive(Debug)]
pub(crate) struct Order {
    /// Every node, after the nodes that its edges in place lead to.
    pub(super) nodes: Vec<NodeId>,
    /// A node's index in this order.
    pub(super) place: Vec<usize>,
    /// The size of the cycle that a node is on; 1 where it is on none.
    pub(super) cycle: Vec<usize>,
    /// A node whose cycle branches: its expansion has no bound worth computing.
    pub(super) tangled: Option<NodeId>,
}

const UNSEEN: usize = usize::MAX;

struct Search<'a> {
    outline: &'a Outline,
    index: Vec<usize>,
    low: Vec<usize>,
    open: Vec<NodeId>,
    component: Vec<usize>,
    order: Order,
    next: usize,
}

/// Orders all nodes.
pub(super) fn order(outline: &Outline) -> Order {
    let count = outline.nodes.len();
    let mut search = Search {
        outline,
        index: vec![UNSEEN; count],
        low: vec![0; count],
        open: Vec::new(),
        component: vec![UNSEEN; count],
        order: Order {
            nodes: Vec::with_capacity(count),
            place: vec![0; count],
            cycle: vec![1; count],
            tangled: None,
        },
        next: 0,
    };
    for id in 0..count {
        if search.index[id] == UNSEEN {
            search.from(id);
        }
    }
    search.order
}

impl Search<'_> {
    fn from(&mut self, start: NodeId) {
        let outline = self.outline;
        self.open(start);
        let mut path = vec![(start, outline.nodes[start].here())];
        while let Some((id, edges)) = path.last_mut() {
            let id = *id;
            match edges.next() {
                Some(edge) if self.index[edge.to] == UNSEEN => {
                    self.open(edge.to);
                    path.push((edge.to, outline.nodes[edge.to].here()));
                }
                Some(edge) if self.component[edge.to] == UNSEEN => {
                    self.low[id] = self.low[id].min(self.index[edge.to]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[id]);
                    }
                    if self.low[id] == self.index[id] {
                        self.close(id);
                    }
                }
            }
        }
    }

    fn open(&mut self, id: NodeId) {
        self.index[id] = self.next;
        self.low[id] = self.next;
        self.next += 1;
        self.open.push(id);
    }

    /// Closes the component whose first node is `root`.
    fn close(&mut self, root: NodeId) {
        let start = self.open.iter().rposition(|id| *id == root).unwrap_or(0);
        let members = self.open.split_off(start);
        for id in &members {
            self.component[*id] = root;
        }
        let inner = members.iter().flat_map(|id| self.outline.nodes[*id].here());
        let inner = inner.filter(|edge| self.component[edge.to] == root).count();
        if inner > members.len() {
            self.order.tangled = Some(root);
        }
        for id in &members {
            self.order.cycle[*id] = if inner == 0 { 1 } else { members.len() + 1 };
        }
        // Within a cycle any order will do.
        for id in members.into_iter().rev() {
            self.order.place[id] = self.order.nodes.len();
            self.order.nodes.push(id);
        }
    }
}

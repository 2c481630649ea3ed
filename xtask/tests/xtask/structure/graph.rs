//! Finds the cycles of a graph.

use std::collections::{BTreeMap, BTreeSet};

/// What uses what, and the names it uses.
pub(super) type Edges = BTreeMap<(String, String), Vec<String>>;

/// A directed graph.
pub(super) struct Graph {
    edges: Edges,
}

impl Graph {
    pub(super) fn new(mut edges: Edges) -> Self {
        edges.retain(|(from, to), _| from != to);
        Self { edges }
    }

    /// The strongly connected components of more than one node, each as the edges within it.
    pub(super) fn cycles(&self) -> Vec<String> {
        let nodes: BTreeSet<&str> = self.edges.keys().map(|(from, _)| from.as_str()).collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            nodes.iter().map(|node| (*node, self.reached_from(node))).collect();
        let mut cycles = Vec::new();
        let mut seen = BTreeSet::new();
        for node in nodes {
            let reaches =
                |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
            let component: BTreeSet<&str> =
                reached[node].iter().copied().filter(|other| reaches(other, node)).collect();
            if component.len() > 1 && seen.insert(component.clone()) {
                cycles.push(self.within(&component));
            }
        }
        cycles
    }

    fn reached_from<'a>(&'a self, node: &'a str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let next =
                self.edges.keys().filter(|(from, _)| from == node).map(|(_, to)| to.as_str());
            open.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    }

    fn within(&self, component: &BTreeSet<&str>) -> String {
        let is_within = |node: &String| component.contains(node.as_str());
        let edges = self.edges.iter().filter(|((from, to), _)| is_within(from) && is_within(to));
        let lines =
            edges.map(|((from, to), names)| format!("  {from} -> {to}: {}", names.join(", ")));
        lines.collect::<Vec<_>>().join("\n")
    }
}

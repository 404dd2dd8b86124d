/** Circles of a directed graph: its strongly connected components of two and more nodes, each in the order in which they were reached. */
export function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  // Tarjan's algorithm.
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    path.push(node);
    onPath.add(node);
    let low = index;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (onPath.has(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === index) {
      const circle = path.splice(path.indexOf(node));
      for (const member of circle) onPath.delete(member);
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

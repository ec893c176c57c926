/** What each node leads to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The nodes in groups: those that lead to each other are one group, every other node is a group of its own. A group comes after
 * all groups that it leads to (Tarjan).
 */
export function groupsOf(graph: Graph): string[][] {
  const groups: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    isOpen.add(node);
    let low = own;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === own) {
      const group = open.splice(open.indexOf(node));
      for (const member of group) isOpen.delete(member);
      groups.push(group.toSorted());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return groups;
}

/** For each node the groups on the longest way down from it, its own first; of equally long ways the first by name. */
export function longestWays(graph: Graph): Map<string, readonly string[][]> {
  const ways = new Map<string, readonly string[][]>();
  for (const group of groupsOf(graph)) {
    const below = new Set(group.flatMap((node) => [...(graph.get(node) ?? [])]));
    let longest: readonly string[][] = [];
    for (const next of [...below].filter((node) => !group.includes(node)).toSorted()) {
      const way = ways.get(next) ?? [];
      if (way.length > longest.length) longest = way;
    }
    for (const node of group) ways.set(node, [group, ...longest]);
  }
  return ways;
}

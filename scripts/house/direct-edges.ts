import type { Edge, House } from "./house.ts";
import { type Graph, groupsOf } from "./longest-path.ts";

/** What each of these rooms imports among them. */
export function graphAmong(names: readonly string[], edges: readonly Edge[]): Graph {
  return new Map(
    names.map((name) => [
      name,
      new Set(edges.filter(({ from, to }) => from === name && names.includes(to)).map(({ to }) => to)),
    ]),
  );
}

/** The edges that no other way leads around; among rooms that import each other, all of theirs. */
export function directEdges({ edges, rooms }: House): Edge[] {
  const names = rooms.map(({ name }) => name);
  const graph = graphAmong(names, edges);
  const groups = new Map(groupsOf(graph).flatMap((group) => group.map((name) => [name, group] as const)));
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(graph.get(from) ?? [])].some((next) => reaches(next, to, seen));
  };
  return edges.filter(({ from, to }) => {
    const [own, target] = [groups.get(from), groups.get(to)];
    if (own === target) return true;
    const others = [...(graph.get(from) ?? [])].filter(
      (next) => groups.get(next) !== own && groups.get(next) !== target,
    );
    return !others.some((next) => reaches(next, to, new Set([from])));
  });
}

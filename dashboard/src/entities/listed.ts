import type { Network, NetworkEdge, NetworkNode } from './network-marks.ts';

/** An entity of a network with its ties to those that are nearer. */
export type Listed = NetworkNode & {
  readonly relations: string;
  readonly times: number;
  readonly since: string | null;
};

/** The entities of a network, each with what ties it to the one that was asked about: those as far away tie others. */
export function listed({ nodes, edges }: Network): readonly Listed[] {
  const hops = new Map(nodes.map(({ id, hops }) => [id, hops]));
  const ties = new Map<number, NetworkEdge[]>();
  for (const edge of edges) {
    const [from, to] = [hops.get(edge.from) ?? 0, hops.get(edge.to) ?? 0];
    if (from === to) continue;
    const farther = from < to ? edge.to : edge.from;
    ties.set(farther, [...(ties.get(farther) ?? []), edge]);
  }
  return nodes.map((node) => {
    const of = ties.get(node.id) ?? [];
    const days = of.flatMap(({ since }) => (since ? [since] : [])).sort();
    return {
      ...node,
      relations: [...new Set(of.map(({ relation }) => relation))].join(', '),
      times: of.reduce((sum, { count }) => sum + count, 0),
      since: days[0] ?? null,
    };
  });
}

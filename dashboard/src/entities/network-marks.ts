import type { Schemas } from '@lastro/sdk';
import type { Place } from './layout.ts';
import { shownKey } from './shown-key.ts';

export type Network = Schemas['Network'];
export type NetworkNode = Network['nodes'][number];
export type NetworkEdge = Network['edges'][number];

/** Networks of at most so many entities are drawn with all names. */
export const namedUpTo = 45;

export type Pair = { readonly from: number; readonly to: number; readonly count: number };

/** Ties between the same two as one line. */
export function pairsOf(edges: readonly NetworkEdge[]): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { from, to, count } of edges) {
    const [a, b] = from < to ? [from, to] : [to, from];
    const key = `${a} ${b}`;
    pairs.set(key, { from: a, to: b, count: (pairs.get(key)?.count ?? 0) + count });
  }
  return [...pairs.values()];
}

export const radiusOf = (hops: number): number => [9, 7, 5.5, 4.5][hops] ?? 4.5;
export const lineWidthOf = (count: number): number => Math.min(4, 0.8 + Math.log2(count + 1) / 2);

const shownMost = 18;

/** What an entity is called: its key, or where that says who a person is, the number of its row in the data. */
export function nodeName({ table, row, key }: Pick<NetworkNode, 'table' | 'row' | 'key'>): string {
  return key === null ? `${table} #${row}` : shownKey(key);
}

/** The network with the keys that the path between two entities tells as well: those that were typed. */
export function withKeysOf(path: Schemas['NetworkPath'] | undefined, network: Network): Network {
  if (path?.snapshot_id !== network.snapshot_id) return network;
  const keys = new Map(path.nodes.map(({ row, key }) => [row, key]));
  return { ...network, nodes: network.nodes.map((node) => ({ ...node, key: node.key ?? keys.get(node.row) ?? null })) };
}

/** How many rows of which tables an entity shares with others of a network, the most first. */
export function sharedOf({ edges }: Network, node: number): readonly { relation: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { from, to, relation, count } of edges)
    if (from === node || to === node) counts.set(relation, (counts.get(relation) ?? 0) + count);
  return [...counts].map(([relation, count]) => ({ relation, count })).sort((one, other) => other.count - one.count);
}

/** A name beside its mark in a drawing. */
export function shortName(node: NetworkNode): string {
  const shown = nodeName(node);
  return shown.length > shownMost ? `${shown.slice(0, shownMost - 1)}…` : shown;
}

const lettersWidth = 6.6;
const lineHeight = 13;

/**
 * The entities beside whose marks there is room for their names: the nearest ones first, each where it lies over no mark
 * and no name that is there. `unit`: how large a pixel is in the drawing.
 */
export function namedWithRoom(
  nodes: readonly NetworkNode[],
  places: ReadonlyMap<number, Place>,
  unit: number,
): ReadonlySet<number> {
  type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  const taken: Box[] = [];
  for (const { id, hops } of nodes) {
    const place = places.get(id);
    const radius = radiusOf(hops) * unit;
    if (place)
      taken.push({ left: place.x - radius, right: place.x + radius, top: place.y - radius, bottom: place.y + radius });
  }
  const named = new Set<number>();
  for (const node of nodes.toSorted((one, other) => one.hops - other.hops)) {
    const { id, hops } = node;
    const place = places.get(id);
    if (!place) continue;
    const half = (shortName(node).length * lettersWidth * unit) / 2;
    const top = place.y + (radiusOf(hops) + 3) * unit;
    const box = { left: place.x - half, right: place.x + half, top, bottom: top + lineHeight * unit };
    const isFree = taken.every(
      (other) =>
        other.right <= box.left || other.left >= box.right || other.bottom <= box.top || other.top >= box.bottom,
    );
    if (!isFree) continue;
    named.add(id);
    taken.push(box);
  }
  return named;
}

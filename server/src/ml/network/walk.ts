import { firstAfter } from '../graph/as-of/search.ts';
import { isKnown } from '../graph/as-of/values.ts';
import type { Incidence } from './incidence.ts';

/** Rows shared by more than so many are no link between them: a shop, a bank, a city. */
export const hubMembersMax = 50;
/** Shared rows of one entity that are looked at: the first in order of their tables. */
const nodesMax = 1_000;

/** An entity at a moment, or a new row that refers to what others share. */
export type Subject = {
  /** Row among the entities; -1 for one that is not there. */
  readonly entity: number;
  /** What a new row refers to; of an entity the tables say it. */
  readonly nodes: readonly number[] | null;
  /** Nothing later is known, microseconds. */
  readonly readableUntil: number;
};

/**
 * Visits what an entity shared by `readableUntil`, with the others who did by then: `from` to `to` among the members.
 */
export function eachShared(
  incidence: Incidence,
  { entity, nodes, readableUntil }: Subject,
  visit: (node: number, since: number, from: number, to: number) => void,
): void {
  const { nodeOffsets, memberSince } = incidence;
  const look = (node: number, since: number) => {
    const from = nodeOffsets[node];
    const end = Math.min(nodeOffsets[node + 1], from + hubMembersMax + 1);
    const to = firstAfter(memberSince, from, end, readableUntil);
    if (to - from <= hubMembersMax) visit(node, since, from, to);
  };
  if (nodes) {
    for (const node of nodes) look(node, readableUntil);
    return;
  }
  if (entity < 0) return;
  // Those not there yet do not count among them, or they would push out others before their time.
  let left = nodesMax;
  for (let k = incidence.offsets[entity]; k < incidence.offsets[entity + 1] && left > 0; k++) {
    if (!isKnown(incidence.since, k, readableUntil)) continue;
    look(incidence.nodes[k], incidence.since[k]);
    left--;
  }
}

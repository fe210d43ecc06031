import { firstAfter } from '../graph/as-of/search.ts';
import { isKnown } from '../graph/as-of/values.ts';
import type { Incidence } from './incidence.ts';

/** A row shared by more entities than this is not a link: a shop, a bank, a city. */
export const hubMembersMax = 50;
/** Most shared rows of one entity that are visited, in order of their tables. */
const nodesMax = 1_000;

/** An entity at a moment, or a new row that refers to shared rows. */
export type Subject = {
  /** The entity's row; -1 for an entity that is not in the tables. */
  readonly entity: number;
  /** The shared rows that a new row refers to; null for an entity, whose links are in the tables. */
  readonly nodes: readonly number[] | null;
  /** Nothing later is read, microseconds. */
  readonly readableUntil: number;
};

/**
 * Visits each row that the entity shared by `readableUntil`, with the members linked to it by then: `members[from]` to
 * before `members[to]`.
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
  // Links that are not known yet do not count toward the limit: they must not displace earlier ones.
  let left = nodesMax;
  for (let k = incidence.offsets[entity]; k < incidence.offsets[entity + 1] && left > 0; k++) {
    if (!isKnown(incidence.since, k, readableUntil)) continue;
    look(incidence.nodes[k], incidence.since[k]);
    left--;
  }
}

import { readSections, writeSections } from '../../lib/files/sections.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { scannedColumns } from '../vector-search/neighborhood.ts';
import type { Embedder } from './embed.ts';
import { entityKinds, type FactStore } from './facts/store.ts';
import type { FactGraph } from './graph.ts';

/** Prefixes of all entities known at the end of a period, for scanning neighbors. */
export type Period = {
  /** Microseconds. */
  readonly end: number;
  /** Ascending. */
  readonly entities: Int32Array;
  /** The first 64 numbers of each vector, not normalised. */
  readonly prefixes: Float32Array;
};

const periodDays = 91;
const entitiesAtOnce = 1_024;
const sectionsKind = 'gfm period';
/** The kinds that can be searched. */
const kinds = ['company', 'individual', 'asset'] as const;

/** The ends of `count` quarters, ascending; the last is the time of the newest fact. */
export function periodEnds({ facts }: FactStore, count: number): number[] {
  let newest = Number.NEGATIVE_INFINITY;
  for (const known of facts.known) newest = Math.max(newest, known);
  return Array.from({ length: count }, (_, i) => newest - (count - 1 - i) * periodDays * microsecondsPerDay);
}

/** Writes a period's file: prefixes as of its end, by the encoder and the rotations that all periods share. */
export async function writePeriod(
  path: string,
  { store, bornAt, entities }: FactGraph,
  embedder: Pick<Embedder, 'embedPrefixes'>,
  end: number,
  report: (done: number, of: number) => void,
): Promise<void> {
  const isAsked = entityKinds.map((kind) => kinds.some((asked) => asked === kind));
  const known = Int32Array.from({ length: entities }, (_, e) => e).filter(
    (e) => isAsked[store.kinds[e]] && bornAt[e] <= end,
  );
  const prefixes = new Float32Array(known.length * scannedColumns);
  for (let from = 0; from < known.length; from += entitiesAtOnce) {
    report(from, known.length);
    const part = known.subarray(from, from + entitiesAtOnce);
    prefixes.set(embedder.embedPrefixes(part, end, scannedColumns), from * scannedColumns);
  }
  await writeSections(path, sectionsKind, { end }, [known, prefixes]);
}

/** Reads a period's file. Throws Failure 'invalid' if it is damaged. */
export async function readPeriod(path: string): Promise<Period> {
  const { body, sections } = await readSections(path, sectionsKind);
  const [entities, prefixes] = sections as [Int32Array, Float32Array];
  return { end: (body as { end: number }).end, entities, prefixes };
}

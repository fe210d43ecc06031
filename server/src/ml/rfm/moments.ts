import { microsecondsPerDay } from '../contract/contract.ts';
import type { Events } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Random } from '../statistics/random.ts';

/**
 * Entities at moments: row `rows[i]` of the entity table as of `at[i]`, nothing later than `readableUntil[i]` known
 * (microseconds).
 */
export type Moments = { readonly rows: Int32Array; readonly at: Float64Array; readonly readableUntil: Float64Array };

export type MomentOptions = {
  /** Moments lie in [from, until]. */
  readonly from: number;
  readonly until: number;
  /** How long after an event its entity may be asked about. */
  readonly after: number;
  /** How far apart the two moments of a pair may lie. */
  readonly apart: number;
  /** How old the data may be at a moment; 0 for data that are always fresh. */
  readonly gapMax: number;
};

/** How moments lie about events, and the two of a pair about each other. */
export function stretchOf(horizonsDays: readonly number[], gapMaxDays: number) {
  const middle = horizonsDays[Math.floor(horizonsDays.length / 2)] * microsecondsPerDay;
  return { after: 2 * middle, apart: middle, gapMax: gapMaxDays * microsecondsPerDay };
}

/** The events that lead straight to rows of `entity`, by table. */
export function datedEvents(graph: Graph, entity: string): Events[] {
  return [...graph.tables.values()].flatMap((source) =>
    source.time && !source.values && source.name !== entity
      ? [...source.references]
          .filter(([, { table }]) => table === entity)
          .map(([reference]) => ({ table: source.name, via: [reference] }))
      : [],
  );
}

/** How many moments in which data are stale, where they may be. */
const staleShare = 0.5;

/** How many pairs are drawn by entity: each alike, however little goes on with it. */
const byEntityShare = 0.5;

/**
 * Draws `pairs` pairs of moments, the two of a pair of one entity and next to each other: half of them after events of
 * any of the kinds of `events` alike, so that entities are asked about when something goes on with them; half at any
 * moment between the first event of an entity and some time after its last, so that those of few events are not
 * unknown. Null when no event lies in the stretch. Rows that are not readable by `until` change nothing.
 */
export function drawMoments(
  graph: Graph,
  events: readonly Events[],
  pairs: number,
  options: MomentOptions,
  random: Random,
): Moments | null {
  const { from, until, after, apart, gapMax } = options;
  const found = events.map((each) => eventsWithin(graph, each, from, until)).filter(({ rows }) => rows.length > 0);
  if (found.length === 0) return null;
  const moments = {
    rows: new Int32Array(2 * pairs),
    at: new Float64Array(2 * pairs),
    readableUntil: new Float64Array(2 * pairs),
  };
  for (let pair = 0; pair < pairs; pair++) {
    const { rows, at, starts } = found[Math.floor(random() * found.length)];
    let [k, first] = [0, 0];
    if (random() < byEntityShare) {
      const entity = Math.floor(random() * (starts.length - 1));
      k = starts[entity];
      const last = Math.min(until, at[starts[entity + 1] - 1] + after);
      first = Math.floor(at[k] + (last - at[k]) * random());
    } else {
      k = Math.floor(random() * rows.length);
      // Squared: more often soon after the event than long after it.
      first = Math.min(until, at[k] + Math.floor(after * random() ** 2));
    }
    const distance = Math.floor(apart * random());
    const second = first + distance <= until ? first + distance : Math.max(from, first - distance);
    for (const [side, moment] of [first, second].entries()) {
      const i = 2 * pair + side;
      const isStale = random() < staleShare;
      const gap = Math.floor(gapMax * random());
      moments.rows[i] = rows[k];
      moments.at[i] = moment;
      moments.readableUntil[i] = isStale ? moment - gap : moment;
    }
  }
  return moments;
}

/** Entity and moment of every event of the stretch, by entity and time; where each entity starts, and the end. */
function eventsWithin(graph: Graph, events: Events, from: number, until: number) {
  const { time, offsets, entities } = graph.index(events);
  const isWithin = (p: number) => time[p] >= from && time[p] <= until;
  let count = 0;
  for (let p = 0; p < time.length; p++) if (isWithin(p)) count++;
  const rows = new Int32Array(count);
  const at = new Float64Array(count);
  const starts: number[] = [];
  let k = 0;
  for (let entity = 0; entity < entities; entity++) {
    const start = k;
    for (let p = offsets[entity]; p < offsets[entity + 1]; p++) {
      if (!isWithin(p)) continue;
      rows[k] = entity;
      at[k++] = time[p];
    }
    if (k > start) starts.push(start);
  }
  return { rows, at, starts: [...starts, k] };
}

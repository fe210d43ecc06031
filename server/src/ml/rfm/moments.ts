import { microsecondsPerDay } from '../contract/contract.ts';
import type { Events } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Random } from '../statistics/random.ts';

/**
 * Entities at moments: row `rows[i]` of the entity table as of `at[i]`, reading nothing later than `readableUntil[i]`
 * (microseconds).
 */
export type Moments = { readonly rows: Int32Array; readonly at: Float64Array; readonly readableUntil: Float64Array };

export type MomentOptions = {
  /** Moments lie in [from, until]. */
  readonly from: number;
  readonly until: number;
  /** How long after an event a moment may be. */
  readonly after: number;
  /** Largest distance between the two moments of a pair. */
  readonly apart: number;
  /** Largest age of the data at a moment; 0 if data are always fresh. */
  readonly gapMax: number;
};

/** The distances between moments and events, and between the two moments of a pair, derived from the horizons. */
export function stretchOf(horizonsDays: readonly number[], gapMaxDays: number) {
  const middle = horizonsDays[Math.floor(horizonsDays.length / 2)] * microsecondsPerDay;
  return { after: 2 * middle, apart: middle, gapMax: gapMaxDays * microsecondsPerDay };
}

/** The dated events that refer directly to rows of `entity`, one entry per reference. */
export function datedEvents(graph: Graph, entity: string): Events[] {
  return [...graph.tables.values()].flatMap((source) =>
    source.time && !source.values && source.name !== entity
      ? [...source.references]
          .filter(([, { table }]) => table === entity)
          .map(([reference]) => ({ table: source.name, via: [reference] }))
      : [],
  );
}

/** Share of moments with stale data, if data may be stale. */
const staleShare = 0.5;

/** Share of pairs drawn by entity, with equal probability however few events it has. */
const byEntityShare = 0.5;

/**
 * Draws `pairs` pairs of moments. The two moments of a pair have the same entity and are near each other. Half of the
 * pairs follow an event, with equal probability per kind of `events`, so that entities are sampled when they are
 * active. The other half are at any moment between the first event of an entity and some time after its last, so that
 * entities with few events are represented. Null when there is no event in the period. Rows not readable by `until`
 * have no effect.
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
      // Squared, so that moments soon after the event are more frequent.
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

/**
 * Entity and moment of every event in the period, by entity and time, and where each entity starts; the last entry is
 * the end.
 */
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

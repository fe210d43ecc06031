import { microsecondsPerDay } from '../contract/contract.ts';
import type { Events } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';

/** Share of the events, earliest first, that the first network learns from. */
const trainShare = 0.85;
const trainShareMin = 0.5;
/** Length of the evaluated part, as a multiple of the longest horizon. */
const evaluatedHorizons = 1.5;

/** Most event times sampled per table to estimate quantiles of time. */
const quantileEventsMax = 200_000;

/**
 * The moment that separates the training part of the first network from its evaluation part. It is late, but early
 * enough that the longest horizon ends before `until` for some of the evaluation part.
 */
export function cutOf(graph: Graph, events: readonly Events[], until: number, horizonsDays: readonly number[]): number {
  const times = joinTimes(
    events.map((each) => {
      const known = graph.index(each).time.filter((at) => at <= until);
      const step = Math.ceil(known.length / quantileEventsMax);
      return step <= 1 ? known : known.filter((_, p) => p % step === 0);
    }),
  ).sort();
  const momentOf = (share: number) => times[Math.floor(share * times.length)] ?? until;
  const longest = horizonsDays.at(-1)! * microsecondsPerDay;
  return Math.max(momentOf(trainShareMin), Math.min(momentOf(trainShare), until - evaluatedHorizons * longest));
}

function joinTimes(parts: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let from = 0;
  for (const part of parts) {
    joined.set(part, from);
    from += part.length;
  }
  return joined;
}

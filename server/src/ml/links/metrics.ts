/** What ranks of true entities amount to; `standard_error` is that of the MRR over whole periods, which go up and down together. */
export type RankMeasures = {
  readonly questions: number;
  readonly mrr: number;
  readonly standard_error: number;
  readonly hits_at_1: number;
  readonly hits_at_3: number;
  readonly hits_at_10: number;
};

/** The rank of an entity that `better` others outscore and `equal` others tie with: the middle of those it may have. */
export function averageRank(better: number, equal: number): number {
  return 1 + better + equal / 2;
}

/**
 * The rank of `truth` among all entities under scores of some of them. Other truths of the same question are passed over
 * (the time-aware filter). What has no score stands behind all that have, in order of `rest`, which is as of the same
 * time and holds one value per entity; with null it all ties, at the score `least`.
 */
export function rankTruth(
  truth: number,
  isTruth: Uint8Array,
  candidates: { readonly size: number; readonly entities: Int32Array; readonly places: Int32Array },
  scores: (place: number) => number,
  rest: Float64Array | { readonly least: number; readonly entities: number; readonly truths: number },
): number {
  const { size, entities, places } = candidates;
  const place = places[truth] - 1;
  const ranksRest = ArrayBuffer.isView(rest);
  const own = place >= 0 ? scores(place) : ranksRest ? Number.NEGATIVE_INFINITY : rest.least;
  let [better, equal, scoredTruths] = [0, 0, 0];
  for (let p = 0; p < size; p++) {
    const entity = entities[p];
    if (isTruth[entity] !== 0) {
      scoredTruths++;
      continue;
    }
    const score = scores(p);
    if (score > own) better++;
    else if (score === own) equal++;
  }
  if (!ranksRest) {
    const others = rest.entities - size - (rest.truths - scoredTruths);
    if (rest.least > own) better += others;
    else if (rest.least === own) equal += others;
  } else if (place < 0) {
    for (let entity = 0; entity < rest.length; entity++) {
      if (isTruth[entity] !== 0 || places[entity] > 0) continue;
      if (rest[entity] > rest[truth]) better++;
      else if (rest[entity] === rest[truth]) equal++;
    }
  }
  return averageRank(better, equal);
}

/** Ranks as they come, period by period. */
export class Tally {
  private readonly hits = [0, 0, 0];
  private readonly periods = new Map<number, { questions: number; reciprocal: number }>();

  add(rank: number, time: number): void {
    let period = this.periods.get(time);
    if (period === undefined) this.periods.set(time, (period = { questions: 0, reciprocal: 0 }));
    period.questions++;
    period.reciprocal += 1 / rank;
    for (const [at, bound] of hitBounds.entries()) if (rank <= bound) this.hits[at]++;
  }

  /** Measures are NaN without a rank; the error is NaN of less than two periods. */
  measures(): RankMeasures {
    const periods = [...this.periods.values()];
    const questions = periods.reduce((sum, period) => sum + period.questions, 0);
    const mrr = periods.reduce((sum, period) => sum + period.reciprocal, 0) / questions;
    // Of a ratio of sums over clusters (Cochran 1977, 2.11).
    const squares = periods.reduce((sum, { reciprocal, questions: n }) => sum + (reciprocal - mrr * n) ** 2, 0);
    const error = Math.sqrt((squares * periods.length) / (periods.length - 1)) / questions;
    const [hits1, hits3, hits10] = this.hits.map((hits) => hits / questions);
    return { questions, mrr, standard_error: error, hits_at_1: hits1, hits_at_3: hits3, hits_at_10: hits10 };
  }
}

const hitBounds = [1, 3, 10] as const;

/**
 * Measures of the ranks of true entities. `standard_error` is that of the MRR with whole periods as clusters, because
 * the questions of a period are not independent.
 */
export type RankMeasures = {
  readonly questions: number;
  readonly mrr: number;
  readonly standard_error: number;
  readonly hits_at_1: number;
  readonly hits_at_3: number;
  readonly hits_at_10: number;
};

/** The rank of an entity with `better` entities above it and `equal` ties: the middle of its possible ranks. */
export function averageRank(better: number, equal: number): number {
  return 1 + better + equal / 2;
}

/** Entities with a score each, by place. `places` maps an entity to its place + 1, or to 0 when it has no score. */
export type Scored = { readonly size: number; readonly entities: Int32Array; readonly places: Int32Array };

/**
 * The rank of `truth` among all entities. Entities without a score come after all scored ones, ordered by `activity`
 * (one value per entity). Other truths of the same question are skipped (the time-aware filter).
 */
export function rankTruth(
  truth: number,
  isTruth: Uint8Array,
  scored: Scored,
  scoreAt: (place: number) => number,
  activity: Float64Array,
): number {
  const place = scored.places[truth] - 1;
  if (place >= 0) {
    const { better, equal } = compareScores(scoreAt(place), isTruth, scored, scoreAt);
    return averageRank(better, equal);
  }
  let { better } = compareScores(Number.NEGATIVE_INFINITY, isTruth, scored, scoreAt);
  let equal = 0;
  for (let entity = 0; entity < activity.length; entity++) {
    if (isTruth[entity] !== 0 || scored.places[entity] > 0) continue;
    if (activity[entity] > activity[truth]) better++;
    else if (activity[entity] === activity[truth]) equal++;
  }
  return averageRank(better, equal);
}

/**
 * Like `rankTruth`, but all entities without a score tie at `least`, the lowest possible score. truths: the number of
 * distinct entities that are true for the question.
 */
export function rankByView(
  truth: number,
  isTruth: Uint8Array,
  scored: Scored,
  scoreAt: (place: number) => number,
  { least, entities, truths }: { readonly least: number; readonly entities: number; readonly truths: number },
): number {
  const place = scored.places[truth] - 1;
  const own = place < 0 ? least : scoreAt(place);
  const { better, equal, passed } = compareScores(own, isTruth, scored, scoreAt);
  const others = entities - scored.size - (truths - passed);
  return averageRank(better, own === least ? equal + others : equal);
}

/**
 * Among the scored entities: how many score higher than `own`, how many tie with it, and how many are skipped as true.
 */
function compareScores(own: number, isTruth: Uint8Array, scored: Scored, scoreAt: (place: number) => number) {
  let [better, equal, passed] = [0, 0, 0];
  for (let place = 0; place < scored.size; place++) {
    if (isTruth[scored.entities[place]] !== 0) {
      passed++;
      continue;
    }
    const score = scoreAt(place);
    if (score > own) better++;
    else if (score === own) equal++;
  }
  return { better, equal, passed };
}

/** Collects ranks by period. */
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

  /** Measures are NaN without a rank. The standard error is NaN with fewer than two periods. */
  measures(): RankMeasures {
    const periods = [...this.periods.values()];
    const questions = periods.reduce((sum, period) => sum + period.questions, 0);
    const mrr = periods.reduce((sum, period) => sum + period.reciprocal, 0) / questions;
    // The standard error of a ratio of sums over clusters (Cochran 1977, 2.11).
    const squares = periods.reduce((sum, { reciprocal, questions: n }) => sum + (reciprocal - mrr * n) ** 2, 0);
    const error = Math.sqrt((squares * periods.length) / (periods.length - 1)) / questions;
    const [hits1, hits3, hits10] = this.hits.map((hits) => hits / questions);
    return { questions, mrr, standard_error: error, hits_at_1: hits1, hits_at_3: hits3, hits_at_10: hits10 };
  }
}

const hitBounds = [1, 3, 10] as const;

/**
 * What ranks of true entities amount to; `standard_error` is that of the MRR over whole periods, which go up and down
 * together.
 */
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

/** Entities with a score each, by place; `places` holds by entity its place + 1, or 0 for those without. */
export type Scored = { readonly size: number; readonly entities: Int32Array; readonly places: Int32Array };

/**
 * The rank of `truth` among all entities, where those that are not scored stand behind all that are, in order of
 * `activity`, one value per entity. Other truths of the same question are passed over (the time-aware filter).
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
 * The same, where all that are not scored tie at `least`, below which no score lies. truths: how many distinct entities
 * are true for the question.
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

/** Of the scored: how many outscore `own`, how many tie with it, and how many are true and passed over. */
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

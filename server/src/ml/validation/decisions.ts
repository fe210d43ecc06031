import type { SegmentedRows } from '../evaluation/segments.ts';
import { type Cutoff, cutoffs } from '../training/cutoffs.ts';

/** What a version would decide where all rows with at least a score are accepted. */
export type Decided = Omit<Cutoff, 'score'>;

export type DecisionsRow = {
  readonly score: number;
  readonly model: Decided;
  readonly compare_with: Decided | null;
  /** Rows of the present that the version accepts and the one before does not, and the other way round. */
  readonly swapped_in: number | null;
  readonly swapped_out: number | null;
};

type Predictions = { readonly own: Float64Array; readonly before: Float64Array | null };
type Labelled = Pick<SegmentedRows, 'labels' | 'values'>;
type Judged = { readonly own: Labelled; readonly before: Labelled | null };

/**
 * What would be decided at each cut-off of the score, by the version and the one before: of the rows of the present,
 * the share that is accepted and the probability of default that it is given, and of the judged rows that are accepted,
 * the share that defaulted. `scoreOf` maps a probability to a score. `judged` is null where there are too few.
 */
export function decisionsAt(
  scoreOf: (probability: number) => number,
  { own, before }: Predictions,
  judged: Judged | null,
): DecisionsRow[] {
  const decided = (values: Float64Array, rows: Labelled | null | undefined) => {
    const observed = rows ? cutoffs(rows.labels, rows.values, scoreOf) : null;
    // What becomes of the present is not known yet: what came is told of judged rows, or of none.
    const unknown = new Float64Array(values.length).fill(Number.NaN);
    return cutoffs(unknown, values, scoreOf).map(({ score, ...of }, k) => ({
      score,
      decided: { ...of, observed_default: observed ? observed[k].observed_default : null },
    }));
  };
  const [ofOwn, ofBefore] = [decided(own, judged?.own), before && decided(before, judged?.before)];
  const [scores, scoresBefore] = [own.map((p) => scoreOf(p)), before?.map((p) => scoreOf(p))];
  const countOf = (score: number, a: Float64Array, b: Float64Array) =>
    a.reduce((sum, _, row) => sum + Number(a[row] >= score && b[row] < score), 0);
  return ofOwn.map(({ score, decided: model }, k) => ({
    ...{ score, model, compare_with: ofBefore?.[k].decided ?? null },
    swapped_in: scoresBefore ? countOf(score, scores, scoresBefore) : null,
    swapped_out: scoresBefore ? countOf(score, scoresBefore, scores) : null,
  }));
}

import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { differenceInterval, meanInterval, rateInterval } from '../../ml/statistics/standard-errors.ts';
import type { PromisedField } from '../models/read-observed.ts';
import { type MeasuredRow, measureRows, newestClosed } from '../monitors/outcomes/measure.ts';
import { type Arm, type ArmCounts, countArm } from './sql.ts';

export type AskedArm = Arm & {
  readonly arm: 'alias' | 'split';
  readonly share: number;
  readonly fields: readonly PromisedField[];
};

type Outcomes = ReturnType<typeof outcomesOf>;

export type SplitComparison = {
  readonly arms: readonly (ArmCounts & {
    readonly arm: 'alias' | 'split';
    readonly version_id: string;
    readonly share: number;
    readonly outcomes: readonly Outcomes[];
  })[];
  readonly differences: readonly {
    readonly output: string;
    readonly observed: number;
    readonly low: number;
    readonly high: number;
  }[];
};

/** Compares what two versions answered to one alias, each those of its share, and what came of it by `now`. */
export async function compareArms(
  tx: Tx,
  ctx: Context,
  asked: readonly [AskedArm, AskedArm],
  now: Date,
): Promise<SplitComparison> {
  const arms: SplitComparison['arms'][number][] = [];
  for (const { arm, share, fields, ...own } of asked) {
    const outcomes: Outcomes[] = [];
    for (const field of fields) {
      const closed = await newestClosed(tx, ctx, own.versionId, field, { now, among: own });
      const rows = [...new Map(closed.toReversed().map((row) => [row.entity, row])).values()];
      if (rows.length > 0) outcomes.push(outcomesOf(field, rows));
    }
    arms.push({ arm, version_id: own.versionId, share, ...(await countArm(tx, ctx, own)), outcomes });
  }
  const [alias, split] = arms;
  const differences = alias.outcomes.flatMap((before) => {
    const after = split.outcomes.find(({ output }) => output === before.output);
    const [a, b] = [before, after].map((one) => one && intervalOf(one));
    return a && b ? [{ output: before.output, observed: b.value - a.value, ...differenceInterval(a, b) }] : [];
  });
  return { arms, differences };
}

function outcomesOf(field: PromisedField, rows: readonly MeasuredRow[]) {
  const { observed, expected, bands, metrics } = measureRows(field, rows);
  const labels = Float64Array.from(rows, ({ label }) => label);
  const interval =
    field.kind === 'regression' ? meanInterval(labels) : rateInterval(Math.round(observed * rows.length), rows.length);
  return {
    ...{ output: field.name, rows: rows.length, expected, observed },
    ...{ observed_low: interval?.low ?? null, observed_high: interval?.high ?? null },
    ...{ metrics, bands },
  };
}

function intervalOf({ observed: value, observed_low: low, observed_high: high }: Outcomes) {
  return low === null || high === null ? null : { value, low, high };
}

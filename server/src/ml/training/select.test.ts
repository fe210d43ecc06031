import { expect, test } from 'vitest';
import { draws } from '../../../tests/samples.ts';
import { openTeam } from '../../lib/threads/team.ts';
import { modelCalls } from './learning-calls.ts';
import { selectFeatures } from './select.ts';

const rows = 2_000;

/** Sales of shops whose sizes differ a thousandfold: the week before last, and last week. The two rank nearly alike. */
function weeks() {
  const draw = draws(5);
  const before = new Float64Array(rows);
  const last = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    before[row] = 10 ** (3 * draw.next());
    last[row] = before[row] * (0.8 + 0.4 * draw.next());
  }
  return { before, last, draw };
}

async function select(columns: readonly Float64Array[], labels: Float64Array): Promise<number[]> {
  const values = new Float32Array(columns.length * rows);
  for (const [f, column] of columns.entries()) values.set(column, f * rows);
  const matrix = { rows, features: columns.length, values };
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  const labelled = { rows: all, labels, loss: { kind: 'squared' } } as const;
  const [ranking] = await selectFeatures(openTeam(modelCalls, '', 0, null), matrix, [labelled], 10);
  return ranking;
}

test('of features that say nearly the same of a label that little is told of, one is kept', async () => {
  const { before, last, draw } = weeks();
  const labels = Float64Array.from(last, (sales) => Math.log(sales) * draw.next());
  expect(await select([before, last, before.map(() => draw.next())], labels)).not.toEqual(
    expect.arrayContaining([0, 1]),
  );
});

test('both are kept where one tells nearly all, and what sets them apart the rest', async () => {
  const { before, last } = weeks();
  const labels = Float64Array.from(last, (sales, row) => Math.log(sales * (sales / before[row])));
  expect((await select([before, last], labels)).sort()).toEqual([0, 1]);
});

test('a copy is left out however much it tells', async () => {
  const { last } = weeks();
  expect(await select([last, Float64Array.from(last, (sales) => 2 * sales + 1)], last.map(Math.log))).toHaveLength(1);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, sampleRows, sampleTables } from '../../../tests/samples.ts';
import { sellerContract, sellerData, sellerTasks } from '../../../tests/support/samples/answers.ts';
import type { Rows } from '../../lib/files/column.ts';
import { keyValue } from '../graph/keys.ts';
import { type OpenVersion, openVersion } from '../inference/predict.ts';
import { outputsOfTarget } from '../tasks/labels.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { fit } from '../training/fit.ts';

const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = sellerData();
const tables = sampleTables(sellerContract, data);
const now = at('2025-01-01');
const asOf = at('2024-07-01');
const options = { asOf, dataUntil: asOf, factors: 3, language: 'en' } as const;

type Kind = keyof typeof sellerTasks;
const taskOf = (kind: Kind, definition: string = sellerTasks[kind]) =>
  resolveTask(parseTask(definition, kind, 'task.yaml'), sellerContract, 'task.yaml');

async function trained(kind: Kind): Promise<OpenVersion> {
  const task = taskOf(kind);
  const out = join(folder, kind);
  const input = { tables, contract: sellerContract, task, ...outputsOfTarget(task, tables, now) };
  await fit({ ...input, regime: { kind: 'rolling' } }, out, () => {});
  return openVersion(out, tables);
}

const everybody: Rows = sampleRows(
  sellerContract.tables[1],
  data.customer!.map(({ customer_id }) => ({ customer_id })),
);

/** The answer's columns as lists of values. */
function valuesOf(answer: Rows): Record<string, unknown[]> {
  return Object.fromEntries(
    [...answer.columns].map(([name, column]) => [
      name,
      Array.from({ length: answer.rows }, (_, row) => keyValue(column, row)),
    ]),
  );
}

/** Checks every value of the answer against the declaration of its field. */
function checkDeclared({ outputs }: OpenVersion, values: Record<string, unknown[]>): void {
  for (const { name, type, minimum = -Infinity, maximum = Infinity, enum: allowed } of outputs) {
    for (const value of values[name]) {
      if (type === 'string')
        expect([name, typeof value, allowed?.includes(String(value)) ?? true]).toEqual([name, 'string', true]);
      else expect([name, Number(value) >= minimum && Number(value) <= maximum]).toEqual([name, true]);
      if (type === 'integer') expect(Number.isInteger(value)).toBe(true);
    }
  }
}

const namesOf = ({ outputs }: OpenVersion) => outputs.map(({ name }) => name);
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test('lead scoring gives a probability, and the decile and range of the value, by the training cohort', async () => {
  const open = await trained('lead_scoring');
  expect(namesOf(open)).toEqual([
    'conversion_probability',
    'ltv_decile',
    'ltv_range',
    'risk_factors',
    'data_coverage',
    'data_coverage_share',
    'as_of',
  ]);
  const values = valuesOf(open.predict(everybody, options));
  checkDeclared(open, values);
  const deciles = values.ltv_decile as number[];
  expect(new Set(deciles).size).toBeGreaterThan(5);
  const { cohort } = open.version.outputs[1];
  for (const [row, range] of (values.ltv_range as string[]).entries()) {
    const [from, to] = range.split('–').map(Number);
    expect(to).toBeGreaterThanOrEqual(from!);
    if (deciles[row] > 1) expect(from).toBeCloseTo(cohort.percentiles[10 * (deciles[row] - 1)], 1);
  }
  const spent = (row: number) =>
    data
      .purchase!.filter(({ customer_id, bought }) => customer_id === `c${row}` && Number(bought) > asOf)
      .reduce((sum, { amount }) => sum + Number(amount), 0);
  const of = (isIn: (decile: number) => boolean) =>
    mean([...deciles.keys()].filter((row) => isIn(deciles[row])).map(spent));
  expect(of((decile) => decile >= 8)).toBeGreaterThan(2 * of((decile) => decile <= 3));
  expect((JSON.parse(values.risk_factors![0] as string) as string[]).length).toBeGreaterThan(0);
  const again = valuesOf(open.predict({ rows: 1, columns: new Map(everybody.columns) }, options));
  expect(again).toEqual(Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.slice(0, 1)])));
  open.close();
});

test('paid media gives a score, a value, the audience both say, and a risk of leaving', async () => {
  const open = await trained('paid_media');
  expect(namesOf(open)).toEqual([
    'lead_score',
    'ltv_forecast',
    'segment',
    'churn_risk',
    'data_coverage',
    'data_coverage_share',
    'as_of',
  ]);
  const values = valuesOf(open.predict(everybody, options));
  checkDeclared(open, values);
  const [leads, worth] = [values.lead_score as number[], values.ltv_forecast as number[]];
  const rank = (words: readonly string[], segment: unknown) =>
    words.findIndex((word) => String(segment).includes(word));
  for (const [a, one] of values.segment!.entries()) {
    for (const [b, other] of values.segment!.entries()) {
      const [values, warmth] = [
        ['low', 'mid', 'high'],
        ['cold', 'warm', 'hot'],
      ];
      if (worth[a] < worth[b]) expect(rank(values, one)).toBeLessThanOrEqual(rank(values, other));
      if (leads[a] < leads[b]) expect(rank(warmth, one)).toBeLessThanOrEqual(rank(warmth, other));
    }
  }
  expect(new Set(values.segment).size).toBeGreaterThan(2);
  open.close();
});

test('field sales gives a propensity, a growth signal and the warm paths', async () => {
  const open = await trained('field_sales');
  expect(namesOf(open)).toEqual([
    'propensity_score',
    'growth_signal',
    'network_density',
    'risk_factors',
    'data_coverage',
    'data_coverage_share',
    'as_of',
  ]);
  const values = valuesOf(open.predict(everybody, options));
  checkDeclared(open, values);
  expect(new Set(values.growth_signal).size).toBeGreaterThan(1);
  const bought = new Set(data.purchase!.filter((row) => Number(row.bought) <= asOf).map((row) => row.customer_id));
  const expected = data.customer!.map(
    ({ customer_id, device_id }) =>
      data.customer!.filter(
        (other) => other.customer_id !== customer_id && other.device_id === device_id && bought.has(other.customer_id),
      ).length,
  );
  expect(values.network_density).toEqual(expected);
  expect(new Set(expected)).toEqual(new Set([0, 2]));
  open.close();
});

test('fraud gives a score, its reasons, and who stands near that is known', async () => {
  const open = await trained('fraud');
  expect(namesOf(open)).toEqual([
    'fraud_score',
    'risk_factors',
    'network_flags',
    'data_coverage',
    'data_coverage_share',
    'as_of',
  ]);
  const values = valuesOf(open.predict(everybody, options));
  checkDeclared(open, values);
  const flags = (values.network_flags as string[]).map((text) => JSON.parse(text) as { kind: string }[]);
  const isRing = (row: number) => row % 10 >= 7;
  // Of each ring, c7, c8 and c9 share one device.
  expect(flags.every((own, row) => isRing(row) === own.length > 0)).toBe(true);
  expect(flags[7].map(({ kind }) => kind)).toEqual(['suspicious_cluster', 'known_bad_actor', 'known_bad_actor']);
  const scores = values.fraud_score as number[];
  const of = (ring: boolean) => mean(scores.filter((_, row) => isRing(row) === ring));
  expect(of(true)).toBeGreaterThan(5 * of(false));
  open.close();
});

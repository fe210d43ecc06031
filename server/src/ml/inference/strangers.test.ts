import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleRows, sampleTables } from '../../../tests/samples.ts';
import type { Rows } from '../../lib/files/column.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { fit } from '../training/fit.ts';
import { openVersion } from './predict.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-strangers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [clients, moments] = [40, 40];
const contract = sampleContract([
  { name: 'client', key: 'client_id', columns: { client_id: 'integer', size: 'number' } },
]);
const textOf = (rows: Rows, name: string): string => {
  const column = rows.columns.get(name)!;
  if (column.kind !== 'text') throw new Error(`${name} is no text`);
  return column.dictionary[column.codes[0]];
};
const draw = draws(3);
const clientsFrom = (first: number) =>
  Array.from({ length: clients }, (_, i) => ({ client_id: first + i, size: draw.next() }));

test('a model that reads earlier labels answers where the data have none of those whose labels it knows', async () => {
  const asked = Array.from({ length: clients * moments }, (_, i) => i);
  const time = Float64Array.from(asked, (i) => at('2020-01-01') + Math.floor(i / clients) * 30 * day);
  const habit = Array.from({ length: clients }, () => 10 * draw.next());
  const examples = {
    rows: Int32Array.from(asked, (i) => i % clients),
    at: time,
    labels: Float64Array.from(asked, (i) => habit[i % clients] + draw.next()),
    closes: time.map((each) => each + 30 * day),
  };
  const task = parseTask('entity: client\nkey: client_id\nlabel: paid\nkind: regression\n', 'paid', 'task.yaml');
  const objective = { kind: 'regression', metric: 'mae', classes: [] } as const;
  const tables = sampleTables(contract, { client: clientsFrom(1) });
  const input = { tables, contract, task, outputs: [{ name: 'prediction', objective, examples }] };
  const version = join(folder, 'version');
  const report = await fit({ ...input, regime: { kind: 'rolling' } }, version, () => {});
  expect(report.features.some(({ table }) => table === '@labels')).toBe(true);

  const others = await openVersion(version, sampleTables(contract, { client: clientsFrom(1_001) }));
  const rows = sampleRows({ ...contract.tables[0], columns: contract.tables[0].columns.slice(0, 1) }, [
    { client_id: 1_001 },
  ]);
  const moment = { asOf: at('2024-01-01'), dataUntil: Number.POSITIVE_INFINITY };
  const answer = others.predict(rows, { ...moment, factors: 2, language: 'en', unknown: true });
  const prediction = answer.columns.get('prediction')!;
  expect(prediction.kind !== 'text' && Number.isFinite(prediction.values[0])).toBe(true);
  // What is usual of all who have earlier labels is no knowledge about one who has none.
  expect(textOf(answer, 'data_coverage')).toBe('partial');
  expect(JSON.parse(textOf(answer, 'unknown'))).toMatchObject([{ kind: 'history', name: 'client_id' }]);
  const reasons: string[] = JSON.parse(textOf(answer, 'key_factors'));
  expect(reasons.filter((text) => /earlier.*: \d/.test(text))).toEqual([]);
  others.close();

  const own = await openVersion(version, tables);
  const known = sampleRows({ ...contract.tables[0], columns: contract.tables[0].columns.slice(0, 1) }, [
    { client_id: 1 },
  ]);
  const told = own.predict(known, { ...moment, factors: 2, language: 'en', unknown: true });
  expect(textOf(told, 'data_coverage')).toBe('full');
  expect(JSON.parse(textOf(told, 'unknown'))).toEqual([]);
  expect(JSON.parse(textOf(told, 'key_factors'))[0]).toMatch(/earlier.*: \d/);
  own.close();
});

test('a text that no row has is told as a value, and a text column is not required', async () => {
  const rowsCount = 2_400;
  // More than get an input of their own: the model looks up what came of each.
  const slots = Array.from({ length: 30 }, (_, s) => `slot ${(s * 7) % 30}`);
  const orders = sampleContract([
    {
      name: 'order',
      key: 'order_id',
      time: 'placed',
      columns: { order_id: 'integer', placed: 'date', slot: 'string', weight: 'number' },
    },
  ]);
  const order = Array.from({ length: rowsCount }, (_, i) => ({
    ...{ order_id: i + 1, placed: at('2021-01-01') + Math.floor(i / 4) * day },
    ...{ slot: slots[draw.between(0, slots.length - 1)], weight: draw.next() },
  }));
  const placed = Float64Array.from(order, (row) => row.placed);
  const examples = {
    rows: Int32Array.from(order.keys()),
    at: placed,
    labels: Float64Array.from(order, (row) => Number(draw.next() < 0.05 + 0.03 * slots.indexOf(row.slot))),
    closes: placed.map((each) => each + 3 * day),
  };
  const task = parseTask(
    'entity: order\nkey: order_id\ntime: placed\nlabel: late\nkind: binary\nwindow: 3d\n',
    'late',
    'task.yaml',
  );
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const tables = sampleTables(orders, { order });
  const outputs = [{ name: 'prediction', objective, examples }];
  const version = join(folder, 'orders');
  await fit({ tables, contract: orders, task, outputs, regime: { kind: 'rolling' } }, version, () => {});
  const opened = await openVersion(version, tables);
  expect(opened.inputs.find(({ name }) => name === 'slot')).toMatchObject({ required: false });
  const ask = (slot: string | null) => {
    const rows = sampleRows(orders.tables[0], [{ order_id: 9_999, placed: at('2021-11-01'), slot, weight: 0.5 }]);
    const moment = { asOf: at('2021-11-02'), dataUntil: Number.POSITIVE_INFINITY };
    return JSON.parse(
      textOf(opened.predict(rows, { ...moment, factors: 2, language: 'en', unknown: true }), 'unknown'),
    );
  };
  expect(ask('slot 3')).toEqual([]);
  expect(ask('night')).toMatchObject([{ kind: 'value', name: 'slot' }]);
  expect(ask(null)).toMatchObject([{ kind: 'input', name: 'slot' }]);
  opened.close();
});

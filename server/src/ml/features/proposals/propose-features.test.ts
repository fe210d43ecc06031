import { expect, test } from 'vitest';
import { at, sampleContract, sampleTables } from '../../../../tests/samples.ts';
import { parseTask } from '../../tasks/parse-task.ts';
import { resolveTask } from '../../tasks/resolve.ts';
import { anchorsOf, readableUntilAt, withLabels } from '../anchors.ts';
import { evaluate } from '../evaluate.ts';
import { openGraph } from '../graph.ts';
import { proposeFeatures } from './propose-features.ts';

test('what is hidden is not read where names have dots', () => {
  const columns = { id: 'integer', 'paid.late': 'number', paid: 'number', size: 'number' } as const;
  const contract = sampleContract([{ name: 'crm.client', key: 'id', columns }]);
  const client = Array.from({ length: 50 }, (_, id) => ({ id, 'paid.late': id % 7, paid: id % 5, size: id }));
  const text = 'entity: crm.client\nkey: id\nlabel: y\nkind: binary\nhide: [crm.client.paid.late]\n';
  const task = resolveTask(parseTask(text, 'pays', 'task.yaml'), contract, 'task.yaml');
  const tables = sampleTables(contract, { 'crm.client': client });
  const rows = Int32Array.from(client.keys());
  const moment = new Float64Array(rows.length).fill(at('2024-01-01'));
  const sample = { table: tables.get('crm.client')!, fresh: false, rows, own: rows.map(() => -1) };
  const anchors = { ...sample, ownTable: 'crm.client', at: moment, readableUntil: moment };
  const { features, unused } = proposeFeatures(openGraph(tables), task, anchors, at('2024-01-01'));
  const read = new Set(features.flatMap((feature) => ('column' in feature.read ? [feature.read.column] : [])));
  expect([...read].sort()).toEqual(['paid', 'size']);
  expect(unused).toContainEqual(expect.objectContaining({ table: 'crm.client', column: 'paid.late' }));
});

test('a column of numbers with some texts is read as numbers, and frequent texts by themselves', () => {
  const read = readsOf((i) => (i % 20 === 0 ? 'POS' : i === 1 ? 'lost' : String(30 + i / 10)));
  expect(read).toEqual([
    { kind: 'measure', column: 'found' },
    { kind: 'attribute_is', column: 'found', value: 'POS' },
  ]);
});

test('codes stay a category', () => {
  expect(readsOf((i) => (i % 20 === 0 ? 'V27' : `${250 + (i % 50)}.01`)).map(({ kind }) => kind)).not.toContain(
    'measure',
  );
  expect(readsOf((i) => `0${1_234 + (i % 9)}`).map(({ kind }) => kind)).toContain('attribute_is');
});

test('dates in another form are not read, nor by their words', () => {
  expect(readsOf((i) => `${String((i % 28) + 1).padStart(2, '0')}/08/1997`)).toEqual([]);
});

test.each([
  ['a table that the task ignores', 'ignore: [partner]'],
  ['a table by a column that it hides', 'hide: [deal.partner_id]'],
])('events that refer to %s are read without it', (_, words) => {
  const contract = sampleContract([
    { name: 'client', key: 'id', columns: { id: 'integer' } },
    {
      name: 'partner',
      key: 'partner_id',
      time: 'joined',
      columns: { partner_id: 'integer', joined: 'date', size: 'number' },
    },
    {
      name: 'deal',
      key: 'deal_id',
      time: 'won',
      references: { id: 'client', partner_id: 'partner' },
      columns: { deal_id: 'integer', id: 'integer', partner_id: 'integer', won: 'date', amount: 'number' },
    },
  ]);
  const client = Array.from({ length: 40 }, (_, id) => ({ id }));
  const partner = [1, 2].map((partner_id) => ({ partner_id, joined: at('2020-01-01'), size: partner_id }));
  const deal = Array.from({ length: 200 }, (_, i) => ({
    ...{ deal_id: i, id: i % 40, partner_id: 1 + (i % 2), won: at('2023-01-01') + i * 86_400_000_000, amount: i },
  }));
  const text = 'entity: client\nkey: id\nlabel: y\nkind: binary\nwindow: 30d\n';
  const task = resolveTask(parseTask(`${text}${words}\n`, 'pays', 'task.yaml'), contract, 'task.yaml');
  const tables = sampleTables(contract, { client, partner, deal });
  const rows = Int32Array.from(client.keys());
  const moment = new Float64Array(rows.length).fill(at('2023-12-01'));
  const examples = { rows, at: moment, labels: Float64Array.from(rows, (row) => row % 2), closes: moment };
  const graph = withLabels(task, tables, examples, false, { kind: 'binary', metric: 'auroc', classes: [] });
  const sample = { table: tables.get('client')!, fresh: false, rows, own: rows.map(() => -1) };
  const anchors = { ...sample, ownTable: 'client', at: moment, readableUntil: moment };
  const { features } = proposeFeatures(graph, task, anchors, at('2023-12-01'));
  expect(features.some(({ read }) => read.kind === 'number' && read.events.table === 'deal')).toBe(true);
  expect(JSON.stringify(features)).not.toMatch(/partner/);
});

test('outcomes of others of the same region are read, three references away', () => {
  const contract = sampleContract([
    { name: 'region', key: 'region_id', columns: { region_id: 'integer' } },
    {
      name: 'branch',
      key: 'branch_id',
      references: { region_id: 'region' },
      columns: { branch_id: 'integer', region_id: 'integer' },
    },
    {
      name: 'client',
      key: 'client_id',
      references: { branch_id: 'branch' },
      columns: { client_id: 'integer', branch_id: 'integer' },
    },
    {
      name: 'loan',
      key: 'loan_id',
      time: 'granted',
      references: { client_id: 'client' },
      columns: { loan_id: 'integer', client_id: 'integer', granted: 'date' },
    },
  ]);
  const start = at('2023-01-01');
  const day = 86_400_000_000;
  const tables = sampleTables(contract, {
    region: [0, 1].map((region_id) => ({ region_id })),
    branch: [0, 1, 2, 3].map((branch_id) => ({ branch_id, region_id: branch_id % 2 })),
    client: Array.from({ length: 40 }, (_, client_id) => ({ client_id, branch_id: client_id % 4 })),
    loan: Array.from({ length: 100 }, (_, i) => ({ loan_id: i, client_id: (7 * i) % 40, granted: start + i * day })),
  });
  const text = 'entity: loan\nkey: loan_id\nlabel: late\nkind: binary\nwindow: 30d\n';
  const task = resolveTask(parseTask(text, 'late', 'task.yaml'), contract, 'task.yaml');
  const rows = Int32Array.from({ length: 100 }, (_, i) => i);
  const moment = Float64Array.from(rows, (i) => start + i * day);
  const labels = Float64Array.from(rows, (i) => Number(i % 3 === 0));
  const examples = { rows, at: moment, labels, closes: moment.map((each) => each + 30 * day) };
  const graph = withLabels(task, tables, examples, true, { kind: 'binary', metric: 'auroc', classes: [] });
  const anchors = anchorsOf(task, graph.tables, examples, true, readableUntilAt(task, Number.POSITIVE_INFINITY));
  const { features } = proposeFeatures(graph, task, anchors, start + 100 * day);
  const asked = features.find(
    ({ read }) => read.kind === 'number' && read.events.via.join() === 'entity,client_id,branch_id,region_id',
  )!;
  const { values } = evaluate(graph, [asked], anchors);
  const regionOf = (i: number) => ((7 * i) % 40) % 2;
  for (const i of rows) {
    const known = [...rows].filter((other) => other + 30 <= i && regionOf(other) === regionOf(i));
    const mean = known.reduce((sum, other) => sum + labels[other], 0) / known.length;
    if (known.length === 0) expect(values[i]).toBeNaN();
    else expect(values[i]).toBeCloseTo(mean, 6);
  }
});

/** The features proposed for a text column of a root's rows. */
function readsOf(value: (i: number) => string) {
  const contract = sampleContract([{ name: 'exams', key: 'id', columns: { id: 'integer', found: 'string' } }]);
  const exams = Array.from({ length: 400 }, (_, id) => ({ id, found: value(id) }));
  const task = resolveTask(
    parseTask('entity: exams\nkey: id\nlabel: y\nkind: binary\n', 'ill', 'task.yaml'),
    contract,
    'task.yaml',
  );
  const tables = sampleTables(contract, { exams });
  const rows = Int32Array.from(exams.keys());
  const moment = new Float64Array(rows.length).fill(at('2024-01-01'));
  const sample = { table: tables.get('exams')!, fresh: false, rows, own: rows.map(() => -1) };
  const anchors = { ...sample, ownTable: 'exams', at: moment, readableUntil: moment };
  const { features } = proposeFeatures(openGraph(tables), task, anchors, at('2024-01-01'), () => ['08']);
  return features.flatMap(({ focus, read }) => (focus.kind === 'root' && 'column' in read ? [read] : []));
}

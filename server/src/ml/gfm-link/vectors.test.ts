import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws, sampleContract, sampleRows, sampleTables } from '../../../tests/samples.ts';
import { dayAt, sampleStore, saveTwice, sectorsOf, withFacts } from '../../../tests/support/samples/gfm.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import { openEmbedder } from '../gfm/embed.ts';
import { openFactGraph } from '../gfm/graph.ts';
import type { Gfm } from '../gfm/version.ts';
import { withIdentifiers } from '../graph/named.ts';
import type { Tables } from '../graph/tables.ts';
import { openVersion } from '../inference/predict.ts';
import { eraseIdentifier, growIdentifiers, noIdentifiers } from '../lake/identifiers.ts';
import { auroc } from '../statistics/metrics.ts';
import type { Examples } from '../tasks/examples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { fit } from '../training/fit.ts';
import { readVersion } from '../version/version.ts';
import { countKnown, findLink } from './link.ts';
import { type OpenGraphModel, openGraphModel } from './reading.ts';
import { withVectors } from './vectors.ts';

const companies = 60;
const store = sampleStore({ companies });
const contractOf = (graphKey: boolean) =>
  sampleContract([
    {
      name: 'client',
      key: 'client_id',
      columns: { client_id: 'integer', document: { type: 'string', graphKey }, size: 'number' },
    },
    {
      name: 'invoice',
      key: 'invoice_id',
      time: 'day',
      references: { client_id: 'client' },
      columns: { invoice_id: 'integer', day: 'timestamp', client_id: 'integer', total: 'number' },
    },
  ]);
const contract = contractOf(true);
const draw = draws(4);
const tables = sampleTables(contract, {
  client: Array.from({ length: companies + 1 }, (_, client_id) => ({
    client_id,
    document: client_id < companies ? `c${client_id}` : 'nobody',
    size: draw.next(),
  })),
  invoice: [],
});
const task = parseTask(
  'entity: client\nkey: client_id\ntime: date\nlabel: leaves\nkind: binary\nmetric: auroc\nwindow: 30d\n',
  'leaves',
  'task.yaml',
);

/** Companies of some sectors leave; only the graph has the sector. */
const sectors = sectorsOf(store);
const leaves = Array.from(sectors.codes, (code) => ['s0', 's1'].includes(sectors.dictionary[code]));

const examples: Examples = (() => {
  const asked = Array.from({ length: 10 * companies }, (_, i) => ({
    company: i % companies,
    at: dayAt(300 + 30 * Math.floor(i / companies)),
  }));
  return {
    rows: Int32Array.from(asked, ({ company }) => tables.get('client')!.rowOf.get(company)!),
    at: Float64Array.from(asked, ({ at }) => at),
    labels: Float64Array.from(asked, ({ company }) => Number(draw.next() < (leaves[company] ? 0.8 : 0.2))),
    // Labels never close, so no label history can identify a client.
    closes: new Float64Array(asked.length).fill(Number.POSITIVE_INFINITY),
  };
})();

const folder = mkdtempSync(join(tmpdir(), 'lastro-graph-vectors-'));
let model: OpenGraphModel;
beforeAll(async () => {
  await saveTwice(folder, store, dayAt(200));
  model = await openGraphModel(join(folder, 'model'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const link = findLink(task, contract, false);

test('rows lead to a graph by a column that is marked or named, of new rows only that of what they refer to', () => {
  expect(link).toEqual({ focus: { kind: 'root' }, table: 'client', column: 'document' });
  expect(findLink(task, contract, false, 'client.size').column).toBe('size');
  expect(() => findLink(task, contract, false, 'client.shoe')).toThrow(/client\.shoe is no column that client/);
  expect(() => findLink(task, contractOf(false), false)).toThrow(/mark the column .* graphKey/);
  const invoices = { ...task, entity: 'invoice' };
  expect(findLink(invoices, contract, true)).toMatchObject({
    focus: { kind: 'parent', reference: 'client_id' },
    table: 'client',
  });
  expect(() => findLink(task, contract, true)).toThrow(/nothing links client/);
});

test('of what became known later vectors know nothing, and of whom the graph does not have they say nothing', () => {
  const asked = dayAt(500);
  const read = (gfm: Gfm) => {
    const graph = withVectors(openGraph(tables), gfm, link);
    const features = Array.from(
      { length: graph.vectors!.columns },
      (_, place): Feature => ({
        focus: link.focus,
        read: { kind: 'embedding', of: 'graph', place },
      }),
    );
    const rows = Int32Array.from({ length: companies + 1 }, (_, row) => row);
    const at = new Float64Array(rows.length).fill(asked + dayAt(1));
    return evaluate(graph, features, {
      table: tables.get('client')!,
      ...{ fresh: false, rows, own: rows.map(() => -1), ownTable: 'client', at, readableUntil: at.map(() => asked) },
    });
  };
  const over = (keep: (fact: number) => boolean): Gfm => {
    const graph = openFactGraph(withFacts(store, keep));
    return { ...model.gfm, graph, ...openEmbedder(graph, model.gfm) };
  };
  const { known } = store.facts;
  expect(known.some((moment) => moment > asked)).toBe(true);
  const told = read(model.gfm);
  expect(read(over((fact) => known[fact] <= asked)).values).toEqual(told.values);
  expect(read(over((fact) => known[fact] <= asked - dayAt(100))).values).not.toEqual(told.values);
  const [first, stranger] = [told.values[0], told.values[companies]];
  expect([Number.isNaN(first), Number.isNaN(stranger)]).toEqual([false, true]);
});

/** The vectors of every client as of one moment. */
function vectorsAt(of: Tables, readableUntil: number): Float32Array {
  const { vectors } = withVectors(openGraph(of), model.gfm, link);
  const rows = Int32Array.from({ length: companies + 1 }, (_, row) => row);
  const at = new Float64Array(rows.length).fill(readableUntil);
  const state = { table: of.get('client'), fresh: false, own: rows.map(() => -1), ownTable: 'client' };
  return vectors!.encode({ ...state, rows, at, readableUntil: at });
}

test('a graph is read as of the last day that was over', () => {
  const dayEnd = dayAt(500) - 1;
  const said = vectorsAt(tables, dayEnd);
  for (const later of [1, dayAt(0.5), dayAt(1) - 1]) expect(vectorsAt(tables, dayEnd + later)).toEqual(said);
  expect(vectorsAt(tables, dayEnd - 1)).not.toEqual(said);
  expect(vectorsAt(tables, dayEnd + dayAt(1))).not.toEqual(said);
});

test('numbers of a dictionary lead to a graph by the names that they stand for', () => {
  const client = tables.get('client')!;
  const book = growIdentifiers(noIdentifiers);
  const column = client.columns.get('document')!;
  if (column.kind !== 'text') throw new Error('documents are texts');
  // Numbers that are neither in a client row nor in the graph.
  for (let k = 0; k < 1_000; k++) book.numberFor('asset', `other ${k}`);
  const numbers = Float64Array.from(column.codes, (code) => book.numberFor('company', column.dictionary[code]));
  const numbered = {
    ...client,
    columns: new Map([...client.columns, ['document', { kind: 'number' as const, values: numbers }]]),
    numbers: { columns: new Set(['document']) },
  };
  const named = withIdentifiers(new Map([...tables, ['client', numbered]]), book);
  expect(countKnown(named, model.gfm, link)).toBe(companies);
  expect(vectorsAt(named, dayAt(500))).toEqual(vectorsAt(tables, dayAt(500)));
  // A client whose name was erased cannot be found.
  const { identifiers } = eraseIdentifier(book, 'c0');
  expect(countKnown(withIdentifiers(named, identifiers), model.gfm, link)).toBe(companies - 1);
});

test('a version that the folds let read no graph model needs none', async () => {
  const out = join(folder, 'without');
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const sizes = tables.get('client')!.columns.get('size')!;
  if (sizes.kind === 'text') throw new Error('sizes are numbers');
  const labels = examples.labels.map((_, i) => Number(sizes.values[examples.rows[i]] + draw.next() > 1));
  const outputs = [{ name: 'leaves', objective, examples: { ...examples, labels } }];
  const graphModel = { model, link };
  await fit({ tables, contract, task, outputs, regime: { kind: 'rolling' }, graphModel }, out, () => {});
  expect(readVersion(out).graphModel).toBeUndefined();
  (await openVersion(out, tables)).close();
});

test('what only the graph knows is told with it, and the version answers with that graph model alone', async () => {
  const out = join(folder, 'version');
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const outputs = [{ name: 'leaves', objective, examples }];
  const given = { model, link };
  const report = await fit(
    { tables, contract, task, outputs, regime: { kind: 'rolling' }, graphModel: given, withLayers: true },
    out,
    () => {},
  );
  const [output] = report.outputs;
  expect(output!.recipe).toContain('graph');
  expect(output!.layers!.map(({ layer }) => layer)).toEqual(['features', 'neighbors', 'gfm']);
  // Of sixty companies the interval of a gain is wide: what tells nothing gains nothing.
  expect(output!.layers!.at(-1)!.added!.gain).toBeGreaterThan(0.02);
  expect(readVersion(out).graphModel).toEqual({ id: model.id, modelSnapshot: model.gfm.modelSnapshot, link });
  const rows = sampleRows(
    contract.tables[0],
    Array.from({ length: companies }, (_, client_id) => ({ client_id })),
  );
  const version = await openVersion(out, tables, { model });
  const asOf = { asOf: dayAt(700), dataUntil: Number.POSITIVE_INFINITY, factors: 3, language: 'en' } as const;
  const answer = version.predict(rows, asOf);
  version.close();
  const said = answer.columns.get('leaves') ?? answer.columns.get('probability');
  expect(said?.kind, [...answer.columns.keys()].join()).toBe('number');
  const told = said as { values: Float64Array };
  expect(auroc(leaves.map(Number), told.values)).toBeGreaterThan(0.7);
  await expect(openVersion(out, tables)).rejects.toThrow(/give its folder/);
  const other = await openGraphModel(join(folder, 'other'));
  await expect(openVersion(out, tables, { model: other })).rejects.toThrow(/was given demo-2@/);
});

test('of many new rows of one day each entity is embedded once', () => {
  const given = sampleTables(contract, {
    client: Array.from({ length: companies }, (_, client_id) => ({ client_id, document: `c${client_id}`, size: 1 })),
    invoice: Array.from({ length: 90 }, (_, i) => ({ invoice_id: i, day: dayAt(500) + i, client_id: i % 3, total: 1 })),
  });
  const invoices = findLink({ ...task, entity: 'invoice' }, contract, true);
  const embedded: number[] = [];
  const counting: Gfm = {
    ...model.gfm,
    embedAll(entities, t) {
      embedded.push(...entities);
      return model.gfm.embedAll(entities, t);
    },
  };
  const read = (gfm: Gfm, rows: Int32Array) => {
    const feature: Feature = { focus: invoices.focus, read: { kind: 'embedding', of: 'graph', place: 5 } };
    const at = Float64Array.from(rows, (row) => dayAt(500) + row);
    const asked = {
      table: given.get('invoice')!,
      fresh: true,
      rows,
      own: rows,
      ownTable: 'invoice',
      at,
      readableUntil: at,
    };
    return Array.from(evaluate(withVectors(openGraph(given), gfm, invoices), [feature], asked).values);
  };
  const rows = Int32Array.from({ length: 90 }, (_, row) => row);
  const values = read(counting, rows);
  expect(embedded.length).toBe(3);
  expect(values).toEqual(Array.from(rows, (row) => read(model.gfm, Int32Array.of(row))[0]));
  expect(new Set(values).size).toBe(3);
});

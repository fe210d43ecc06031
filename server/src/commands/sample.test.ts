/** What is learned from a sample of large tables is what would be learned of the same rows among all. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anchorsOf, readableUntilAt, withLabels } from '../ml/features/anchors.ts';
import { openCompleteness } from '../ml/features/complete.ts';
import { evaluate } from '../ml/features/evaluate.ts';
import type { Feature } from '../ml/features/feature.ts';
import { proposeFeatures } from '../ml/features/proposals/propose-features.ts';
import { filesOfTable } from '../ml/graph/files.ts';
import { loadTables } from '../ml/graph/load.ts';
import { partitionBy, partitionFor } from '../ml/graph/partition.ts';
import { drawShare, openSampler, planSample, type Sampled } from '../ml/graph/sample.ts';
import type { Tables } from '../ml/graph/tables.ts';
import { type Examples, pickExamples } from '../ml/tasks/examples.ts';
import { readOutputs } from '../ml/tasks/labels.ts';
import { type Dataset, openDataset, openTask } from './dataset.ts';
import { generateLender } from './demo/lender.ts';
import { fitFolder } from './fit.ts';
import { predictFile } from './predict.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-sample-'));
const silent = { say: () => {}, phase: () => {} };
const taskName = 'default-90d';
let all: Dataset;
let some: Tables;
let sampled: Sampled;

beforeAll(async () => {
  await generateLender(folder, { customers: 600, seed: 4, from: '2023-01-01', until: '2025-12-31' });
  all = await openDataset(folder, silent);
  const sampler = openSampler(all.contract, partitionBy(all.contract, 'customers')!, drawShare(0.3));
  some = (await loadTables(folder, all.contract, () => {}, Number.POSITIVE_INFINITY, sampler)).tables;
  sampled = sampler.sampled();
});
afterAll(() => rmSync(folder, { recursive: true }));

const labelsOver = async (tables: Tables): Promise<Examples> => {
  const files = ['train.csv', 'val.csv'].map((file) => join(folder, 'tasks', taskName, file));
  const { outputs } = await readOutputs(openTask(all, taskName), tables, files, [], Number.POSITIVE_INFINITY);
  return outputs[0].examples;
};

const keyIn = (tables: Tables, row: number): string => {
  const column = tables.get('customers')!.columns.get('legal_document')!;
  return column.kind === 'text' ? column.dictionary[column.codes[row]] : '';
};

describe('a sample', () => {
  test('has about the asked share of customers, all that hangs on them, and both sides of what several do', () => {
    const share = sampled.rows / sampled.of;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
    expect(sampled.of).toBe(600);
    expect([...sampled.loose].sort()).toEqual(['invoices.buyer', 'invoices.customer']);
    const [whole, part] = [all.tables.get('loans')!, some.get('loans')!];
    const customersOf = whole.references.get('customer')!.rows;
    const drawn = new Set(Array.from({ length: sampled.rows }, (_, row) => keyIn(some, row)));
    expect(part.rows).toBe(customersOf.filter((row) => drawn.has(keyIn(all.tables, row))).length);
    expect(part.rows).toBeGreaterThan(0);
  });

  test('of labels has those of its customers, without a warning', async () => {
    const [whole, part] = [await labelsOver(all.tables), await labelsOver(some)];
    const drawn = new Set(Array.from({ length: sampled.rows }, (_, row) => keyIn(some, row)));
    expect(part.rows.length).toBe(whole.rows.filter((row) => drawn.has(keyIn(all.tables, row))).length);
    expect(part.rows.every((row) => row >= 0)).toBe(true);
  });

  test('gives every feature that may be read the same bits, and others not', async () => {
    const task = openTask(all, taskName);
    const part = await labelsOver(some);
    const few = pickExamples(
      part,
      Array.from(part.rows.keys()).filter((i) => i % 7 === 0),
    );
    const rows = few.rows.map((row) => all.tables.get('customers')!.rowOf.get(keyIn(some, row))!);
    const anchorsIn = (tables: Tables, rows: Int32Array) =>
      anchorsOf(task, tables, { ...few, rows }, false, readableUntilAt(task, Number.POSITIVE_INFINITY));
    const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
    const graphs = [
      withLabels(task, all.tables, await labelsOver(all.tables), false, objective),
      withLabels(task, some, part, false, objective),
    ];
    const anchors = [anchorsIn(graphs[0].tables, rows), anchorsIn(graphs[1].tables, few.rows)];
    const cut = few.at.reduce((latest, at) => Math.max(latest, at));
    const { features } = proposeFeatures(graphs[0], task, anchors[0], cut);
    const mayRead = openCompleteness(graphs[1], task.entity, sampled);
    const differing = (asked: readonly Feature[]): Feature[] => {
      const [whole, sample] = graphs.map((graph, k) => evaluate(graph, asked, anchors[k]).values);
      const n = few.rows.length;
      return asked.filter((_, f) => {
        for (let i = f * n; i < (f + 1) * n; i++) if (!Object.is(whole[i], sample[i])) return true;
        return false;
      });
    };
    const [may, mayNot] = [features.filter(mayRead), features.filter((feature) => !mayRead(feature))];
    expect(may.length).toBeGreaterThan(500);
    expect(differing(may)).toEqual([]);
    expect(differing(mayNot).length).toBeGreaterThan(mayNot.length / 4);
  });
});

test('a file is scored in parts to the same bytes as over all tables at once', async () => {
  const [version, asked] = [join(folder, 'version'), join(folder, 'asked.csv')];
  await fitFolder(folder, taskName, version, silent, { cellsMax: 120_000 });
  const { notes } = JSON.parse(readFileSync(join(version, 'report.json'), 'utf8')) as { notes: string[] };
  expect(notes).toContainEqual(expect.stringMatching(/^learned from \d+ of 600 rows of customers/));
  const keys = Array.from({ length: 600 }, (_, row) => keyIn(all.tables, row));
  const bare = (key: string, k: number) => (k % 3 === 0 ? key.replaceAll(/[./-]/g, '') : key);
  const lines = [...keys.map(bare), keys[1], '11.222.333/0001-81', ''].map((key) => `${key},2025-06-30`);
  writeFileSync(asked, `legal_document,reference_date\n${lines.join('\n')}\n`);
  const said: string[] = [];
  const scored = async (name: string, cellsMax: number): Promise<string> => {
    const out = join(folder, name);
    const options = { now: Date.UTC(2026, 0, 1), asOf: null, factors: 4, language: 'en', warnings: true, cellsMax };
    await predictFile(version, folder, asked, out, options as never, { ...silent, say: (line) => said.push(line) });
    return readFileSync(out, 'utf8');
  };
  const whole = await scored('whole.csv', 1e9);
  expect(said.filter((line) => line.startsWith('read instalments'))).toHaveLength(1);
  expect(await scored('parts.csv', 60_000)).toBe(whole);
  expect(said.filter((line) => line.startsWith('read instalments')).length).toBeGreaterThan(2);
  expect(said).not.toContainEqual(expect.stringContaining('are read whole'));
});

describe('what is sampled by', () => {
  const rowsOf = (sizes: Readonly<Record<string, number>>) => (table: string) => sizes[table] ?? 0;

  test('is the farthest table with rows enough, so that all of one customer stays together', () => {
    const sizes = { customers: 20_000, loans: 50_000, instalments: 400_000 };
    expect(partitionFor(all.contract, 'loans', rowsOf(sizes))?.root).toBe('customers');
    expect(partitionFor(all.contract, 'loans', rowsOf({ ...sizes, customers: 9_999 }))?.root).toBe('loans');
  });

  test('is nothing where tables are small, or refer to one another in a circle', async () => {
    const files = (table: string) => filesOfTable(join(folder, 'tables'), table);
    expect(await planSample(all.contract, 'customers', files, 1e9)).toBe('small');
    const tables = all.contract.tables.map((table) =>
      table.name === 'customers'
        ? { ...table, references: [{ column: 'state', table: 'loans', key: 'loan_id' }] }
        : table,
    );
    const inCircle = { ...all.contract, tables };
    expect(partitionBy(inCircle, 'customers')).toBeNull();
    expect(partitionFor(inCircle, 'loans', () => 1e6)).toBeNull();
  });
});

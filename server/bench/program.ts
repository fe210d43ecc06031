// The feature program on a relational set: how its cost grows with the tables, and what one row costs against a batch.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset, openLabels, openTask } from '../src/commands/dataset.ts';
import { generateLender } from '../src/commands/demo/lender.ts';
import { fitFolder } from '../src/commands/fit.ts';
import type { Rows } from '../src/lib/files/column.ts';
import { anchorsOf, readableUntilAt } from '../src/ml/features/anchors.ts';
import { evaluate } from '../src/ml/features/evaluate.ts';
import type { Feature } from '../src/ml/features/feature.ts';
import { openGraph } from '../src/ml/features/graph.ts';
import type { Tables } from '../src/ml/graph/tables.ts';
import { type OpenVersion, openVersion } from '../src/ml/inference/predict.ts';
import { type Examples, pickExamples } from '../src/ml/tasks/examples.ts';
import type { Task } from '../src/ml/tasks/task.ts';
import { readVersion } from '../src/ml/version/version.ts';
import { compareFigures, measure, type Row } from './figures.ts';

const seed = 1;
const fitCustomers = 1_000;
const sizes = [1_000, 4_000, 16_000];
const anchorsAsked = 4_000;
const batchRows = 1_000;
const singleCalls = 300;
const turns = 3;
const silent = { phase: () => {}, say: () => {} };
const asOf = Date.parse('2025-12-31T23:59:59Z') * 1000;

/**
 * Features of the demo lender at three sizes, and predictions of one row and of 1,000; about two minutes on one core.
 */
export async function benchProgram(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-program-'));
  try {
    const version = join(folder, 'version');
    await generateLender(join(folder, String(fitCustomers)), { customers: fitCustomers, seed });
    await fitFolder(join(folder, String(fitCustomers)), 'default-90d', version, silent);
    const { features } = readVersion(version);
    const costs: Cost[] = [];
    for (const customers of sizes) {
      const data = join(folder, String(customers));
      if (customers !== fitCustomers) await generateLender(data, { customers, seed });
      costs.push(await costOfSize(data, features));
    }
    const singles = await compareSingles(version, join(folder, String(sizes[1])));
    return [...compareSizes(costs, features.length), ...singles];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** CPU seconds of the first evaluation, which builds indexes, and of the same again. */
type Cost = { readonly tableRows: number; readonly first: number; readonly again: number };

async function costOfSize(folder: string, features: readonly Feature[]): Promise<Cost> {
  const dataset = await openDataset(folder, silent);
  const task = openTask(dataset, 'default-90d');
  const [labels] = await openLabels(dataset, task, ['train.csv'], []);
  const anchors = spreadAnchors(task, dataset.tables, labels.parts[0]);
  // Known labels are of the fitted size alone; their features are few and left out.
  const read = features.filter((feature) => !JSON.stringify(feature).includes('@labels'));
  const graph = openGraph(dataset.tables);
  const first = await measure(() => evaluate(graph, read, anchors));
  const again: number[] = [];
  for (let turn = 0; turn < turns; turn++) again.push(await measure(() => evaluate(graph, read, anchors)));
  const tableRows = [...dataset.tables.values()].reduce((sum, { rows }) => sum + rows, 0);
  return { tableRows, first, again: Math.min(...again) };
}

/** So many of the labels, evenly. */
function spreadAnchors(task: Task, tables: Tables, examples: Examples) {
  const step = Math.max(1, examples.rows.length / anchorsAsked);
  const count = Math.min(anchorsAsked, examples.rows.length);
  const picked = pickExamples(
    examples,
    Int32Array.from({ length: count }, (_, k) => Math.floor(k * step)),
  );
  return anchorsOf(task, tables, picked, false, readableUntilAt(task, Number.POSITIVE_INFINITY));
}

function compareSizes(costs: readonly Cost[], features: number): Row[] {
  const perSecond = ({ again }: Cost): number => anchorsAsked / again;
  return costs.slice(1).map((cost) =>
    compareFigures(
      `features of ${cost.tableRows} table rows, vs ${costs[0].tableRows}`,
      perSecond(cost),
      perSecond(costs[0]),
      {
        unit: 'rows per CPU s',
        better: 'more',
        target: 0.5,
        note: `${anchorsAsked} anchors, ${features} features; the first time, with indexes, ${cost.first.toFixed(2)} CPU s`,
      },
    ),
  );
}

async function compareSingles(version: string, folder: string): Promise<Row[]> {
  const { tables } = await openDataset(folder, silent);
  const open = await openVersion(version, tables);
  try {
    return [0, 4].map((factors) => compareSingle(open, tables, factors));
  } finally {
    open.close();
  }
}

/** A median call with one row against a row's share of a call with 1,000; clock time, of one thread. */
function compareSingle(open: OpenVersion, tables: Tables, factors: number): Row {
  const options = { asOf, dataUntil: Number.POSITIVE_INFINITY, factors, language: 'en' as const };
  const batch = keysOf(tables, 0, batchRows);
  const batches: number[] = [];
  const singles: number[] = [];
  for (let call = 0; call < 10; call++) batches.push(timeOf(() => open.predict(batch, options)) / batchRows);
  for (let call = 0; call < singleCalls; call++) {
    const row = keysOf(tables, call, 1);
    singles.push(timeOf(() => open.predict(row, options)));
  }
  return compareFigures(
    `one row with ${factors} factors, vs its share of ${batchRows}`,
    median(singles),
    median(batches),
    {
      unit: 'us',
      note: `medians; the slowest twentieth of single rows took ${quantile(singles, 0.95).toFixed(0)} us or more`,
    },
  );
}

function keysOf(tables: Tables, from: number, rows: number): Rows {
  const column = tables.get('customers')!.columns.get('legal_document')!;
  if (column.kind !== 'text') throw new Error('legal_document is text');
  const dictionary = Array.from(column.codes.subarray(from, from + rows), (code) => column.dictionary[code]);
  const codes = Int32Array.from(dictionary.keys());
  return { rows, columns: new Map([['legal_document', { kind: 'text', codes, dictionary }]]) };
}

function timeOf(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) * 1000;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

import { join } from 'node:path';
import { Failure } from '../../../lib/failure.ts';
import { type Column, toDoubles } from '../../../lib/files/column.ts';
import { readTable } from '../../../lib/files/read.ts';
import { microsecondsPerDay } from '../../contract/contract.ts';
import { fitLinear, scoreLinear } from '../../linear/linear.ts';
import type { FeatureMatrix } from '../../statistics/matrix.ts';
import { auroc } from '../../statistics/metrics.ts';
import { seedRandom } from '../../statistics/random.ts';
import { bootstrapDifference } from '../../statistics/standard-errors.ts';
import { binFeatures } from '../../trees/binning.ts';
import { defaultForestOptions } from '../../trees/options.ts';
import { loadForest } from '../../trees/scorer.ts';
import { trainForest } from '../../trees/train.ts';
import { type Embedder, openEmbedder } from '../embed.ts';
import { prefixLengths } from '../evaluate/prefixes.ts';
import { shuffleObjects } from '../evaluate/shuffle.ts';
import { entityOf } from '../facts/store.ts';
import { fitEncoder } from '../fit.ts';
import { openFactGraph } from '../graph.ts';
import { openInputs, scaleInputs } from '../inputs.ts';
import { project } from '../vectors.ts';
import type { Gfm } from '../version.ts';

/** How much the network adds to predicting defaults of companies with little history of their own. */
export type DefaultMeasures = {
  readonly rows: Readonly<Record<Split, { readonly rows: number; readonly defaults: number }>>;
  /** AUROC of models without vectors, with vectors, and with vectors of a graph with shuffled ends. */
  readonly own: Readonly<Record<Held, number>>;
  readonly withVectors: Readonly<Record<Held, Gain>>;
  readonly withShuffled: Readonly<Record<Held, Gain>>;
  /** AUROC by the number of leading numbers of the vector that are used. */
  readonly byPrefix: readonly (Readonly<Record<Held, number>> & { readonly dimension: number })[];
};
type Gain = { readonly auroc: number; readonly gain: number; readonly low: number; readonly high: number };
type Split = 'train' | 'val' | 'test';
type Held = 'val' | 'test';

/** Most payments in the year before, for a history to be thin. */
const paymentsMax = 2;
const yearUs = 365 * microsecondsPerDay;
const rowsMax: Readonly<Record<Split, number>> = { train: 6_000, val: 3_000, test: 4_000 };
const prefix = 64;
const ridge = 1_000;
const forests = 3;
const replicates = 300;

/**
 * Learns the defaults of the synthetic economy that a version was fitted on, from companies with at most two payments
 * in the year before. One model uses what is known of the company alone (attributes, payments, counts of its own
 * facts), another also the first 64 numbers of its vector as of the day. A model is the sum of a ridge-penalised
 * logistic model and boosted trees, with the same settings for all. All defaults are kept, other rows are sampled;
 * gains have a 95 % interval, resampled by company. The shuffled graph has the objects of facts permuted, so that every
 * entity keeps what it had and when. Throws Failure 'not_found' when the folder is not an economy.
 */
export async function measureDefaults(
  gfm: Gfm,
  folder: string,
  options: { readonly seed: number; readonly prefixes?: readonly number[] },
  progress: (phase: string, done: number, of: number) => void = () => {},
): Promise<DefaultMeasures> {
  const random = seedRandom(options.seed);
  const payments = await readPayments(folder, gfm);
  const examples = (await readExamples(folder, gfm)).filter(
    ({ entity, t }) =>
      (payments.get(entity) ?? []).filter(({ paid }) => paid <= t && paid > t - yearUs).length <= paymentsMax,
  );
  const rows = (['train', 'val', 'test'] as const).flatMap((split) => {
    const own = examples.filter((example) => example.split === split);
    const others = own.filter(({ isDefault }) => !isDefault).length;
    return own.filter(({ isDefault }) => isDefault || random() < rowsMax[split] / others);
  });
  if (!rows.some(({ split, isDefault }) => split === 'train' && isDefault))
    throw new Failure('invalid', `${folder} has no defaults to learn from: make up a larger economy`);
  progress('learning from what is known of companies', 0, 1);
  const own = ownFeatures(gfm, rows, payments);
  const alone = learn(rows, own);
  const vectors = vectorFeatures(gfm, rows, prefixLengths[0], (done, of) => progress('reading vectors', done, of));
  progress(`learning from ${prefix} numbers`, 0, 1);
  const real = learn(rows, own.concat(vectors.slice(0, prefix)));
  const byPrefix = (options.prefixes ?? []).map((dimension) => {
    if (dimension !== prefix) progress(`learning from ${dimension} numbers`, 0, 1);
    const scores = dimension === prefix ? real : learn(rows, own.concat(vectors.slice(0, dimension)));
    return { dimension, val: measure(rows, 'val', scores), test: measure(rows, 'test', scores) };
  });
  progress('shuffling the graph', 0, 1);
  const graph = openFactGraph(shuffleObjects(gfm.graph.store, options.seed));
  const { sizes, halfLives } = gfm.encoder;
  const shuffled = openEmbedder(
    graph,
    fitEncoder(graph, { until: gfm.until, sizes, halfLives }, (phase, done, of) =>
      progress(`shuffled graph: ${phase}`, done, of),
    ),
  );
  const placebo = learn(
    rows,
    own.concat(
      vectorFeatures(shuffled, rows, prefix, (done, of) => progress('shuffled graph: reading vectors', done, of)),
    ),
  );

  progress('comparing', 0, 1);
  const count = (split: Split) => {
    const those = rows.filter((row) => row.split === split);
    return { rows: those.length, defaults: those.filter(({ isDefault }) => isDefault).length };
  };
  const gains = (scores: Float64Array) => ({
    val: gainOf(rows, 'val', alone, scores),
    test: gainOf(rows, 'test', alone, scores),
  });
  return {
    rows: { train: count('train'), val: count('val'), test: count('test') },
    own: { val: measure(rows, 'val', alone), test: measure(rows, 'test', alone) },
    withVectors: gains(real),
    withShuffled: gains(placebo),
    byPrefix,
  };
}

type StressExample = {
  readonly entity: number;
  readonly t: number;
  readonly split: Split;
  readonly isDefault: boolean;
};
type Payment = { readonly paid: number; readonly late: number };

async function readExamples(folder: string, gfm: Gfm): Promise<StressExample[]> {
  const files = {
    train: join(folder, 'tasks', 'default-180d', 'train.csv'),
    val: join(folder, 'tasks', 'default-180d', 'val.csv'),
    test: join(folder, 'truth', 'default-180d.csv'),
  };
  const examples: StressExample[] = [];
  for (const split of ['train', 'val', 'test'] as const) {
    const { rows } = await readTable(
      [files[split]],
      [
        { name: 'date', type: 'date', required: true },
        { name: 'company_id', type: 'string', required: true },
        { name: 'default', type: 'boolean', required: true },
      ],
    );
    const [date, label] = [numbersOf(rows.columns.get('date')), numbersOf(rows.columns.get('default'))];
    const entity = entitiesOf(rows.columns.get('company_id'), gfm);
    for (let row = 0; row < rows.rows; row++)
      // The label window starts with this day, so only what was known before the day is read.
      examples.push({ entity: entity(row), t: date[row] - 1, split, isDefault: label[row] === 1 });
  }
  return examples;
}

async function readPayments(folder: string, gfm: Gfm): Promise<Map<number, Payment[]>> {
  const { rows } = await readTable(
    [join(folder, 'tables', 'payments.csv')],
    [
      { name: 'company_id', type: 'string', required: true },
      { name: 'paid_at', type: 'date', required: true },
      { name: 'days_late', type: 'number', required: true },
    ],
  );
  const [paid, late] = [numbersOf(rows.columns.get('paid_at')), numbersOf(rows.columns.get('days_late'))];
  const entity = entitiesOf(rows.columns.get('company_id'), gfm);
  const payments = new Map<number, Payment[]>();
  for (let row = 0; row < rows.rows; row++) {
    const own = payments.get(entity(row)) ?? [];
    payments.set(entity(row), own);
    own.push({ paid: paid[row] + microsecondsPerDay - 1, late: late[row] });
  }
  return payments;
}

function numbersOf(column: Column | undefined): Float64Array {
  if (column === undefined || column.kind === 'text') throw new Error('a column of numbers was asked for');
  return toDoubles(column.values);
}

function entitiesOf(column: Column | undefined, { graph }: Gfm): (row: number) => number {
  if (column?.kind !== 'text') throw new Error('a column of text was asked for');
  const entities = column.dictionary.map((id) => entityOf(graph.store, id, 'company'));
  if (entities.includes(-1))
    throw new Failure('invalid', 'the economy has companies that the version does not know: it was trained on another');
  return (row) => entities[column.codes[row]];
}

/** Features by column, each as long as `rows`. */
type Columns = readonly Float64Array[];

function ownFeatures(
  { graph, encoder }: Gfm,
  rows: readonly StressExample[],
  payments: ReadonlyMap<number, readonly Payment[]>,
): Float64Array[] {
  const { columns } = encoder.inputs;
  const read = openInputs(graph, columns, encoder.halfLives);
  const own = new Float64Array(columns.length);
  const along = new Float64Array(encoder.profileAxes.length / columns.length);
  const table = rows.map(({ entity, t }) => {
    read(entity, t, own);
    const known = (payments.get(entity) ?? []).filter(({ paid }) => paid <= t);
    const recent = known.filter(({ paid }) => paid > t - yearUs);
    const last = known.at(-1);
    const mean = recent.reduce((sum, { late }) => sum + late, 0) / recent.length;
    const scaled = own.slice();
    scaleInputs(encoder.inputs, scaled);
    project(scaled, encoder.profileAxes, along);
    return [
      ...own,
      ...along,
      known.length,
      recent.length,
      last?.late ?? Number.NaN,
      last ? t - last.paid : Number.NaN,
      mean,
    ];
  });
  return table[0].map((_, k) => Float64Array.from(table, (row) => row[k]));
}

function vectorFeatures(
  embedder: Pick<Embedder, 'embedAll'>,
  rows: readonly StressExample[],
  size: number,
  progress: (done: number, of: number) => void,
): Float64Array[] {
  const columns = Array.from({ length: size }, () => new Float64Array(rows.length).fill(Number.NaN));
  let done = 0;
  for (const [t, places] of Map.groupBy(rows.keys(), (row) => rows[row].t)) {
    progress(done, rows.length);
    done += places.length;
    const vectors = embedder.embedAll(
      places.map((row) => rows[row].entity),
      t,
    );
    for (const [i, row] of places.entries())
      for (let k = 0; k < size; k++) columns[k][row] = vectors[i]?.[k] ?? Number.NaN;
  }
  return columns;
}

/** Margins of all rows, by models trained on the training rows. */
function learn(rows: readonly StressExample[], columns: Columns): Float64Array {
  const values = new Float32Array(columns.length * rows.length);
  for (const [k, column] of columns.entries()) values.set(column, k * rows.length);
  const matrix: FeatureMatrix = { rows: rows.length, features: columns.length, values };
  const training = Int32Array.from(rows.keys()).filter((row) => rows[row].split === 'train');
  const labels = Float64Array.from(training, (row) => (rows[row].isDefault ? 1 : 0));
  const features = Int32Array.from(columns.keys());
  const linear = fitLinear(matrix, training, labels, null, { loss: 'logistic', l2: ridge, scaling: 'rank', features });
  const margins = scoreLinear(linear, matrix);
  const binned = binFeatures(matrix, training);
  for (let seed = 1; seed <= forests; seed++) {
    const scorer = loadForest(trainForest(binned, labels, null, { ...defaultForestOptions, seed }));
    for (const [row, margin] of scorer.score(matrix, 0, rows.length).entries())
      margins[row] = margins[row] + margin / forests;
    scorer.close();
  }
  return margins;
}

function measure(rows: readonly StressExample[], split: Held, scores: Float64Array): number {
  const places = Array.from(rows.keys()).filter((row) => rows[row].split === split);
  return auroc(
    places.map((row) => Number(rows[row].isDefault)),
    places.map((row) => scores[row]),
  );
}

function gainOf(rows: readonly StressExample[], split: Held, first: Float64Array, second: Float64Array): Gain {
  const places = Array.from(rows.keys()).filter((row) => rows[row].split === split);
  const of = (scores: Float64Array) => places.map((row) => scores[row]);
  const { difference, low, high } = bootstrapDifference(
    (labels, predictions) => auroc(labels, predictions),
    places.map((row) => Number(rows[row].isDefault)),
    of(first),
    of(second),
    places.map((row) => rows[row].entity),
    { replicates, seed: 1 },
  );
  return { auroc: measure(rows, split, second), gain: difference, low, high };
}

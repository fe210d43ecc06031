// Made-up rows of 50 numbers in files, and versions that score them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fitFolder } from '../src/commands/fit.ts';
import { openDuckDb, quoteText } from '../src/lib/duckdb/duckdb.ts';
import type { ColumnContract, Contract } from '../src/ml/contract/contract.ts';
import { writeContract } from '../src/ml/contract/write.ts';
import type { Feature } from '../src/ml/features/feature.ts';
import type { FeatureMatrix } from '../src/ml/statistics/matrix.ts';
import { binFeatures } from '../src/ml/trees/binning.ts';
import { forestGains } from '../src/ml/trees/forest.ts';
import { defaultForestOptions } from '../src/ml/trees/options.ts';
import { trainForest } from '../src/ml/trees/train.ts';
import { inputFields } from '../src/ml/version/schema.ts';
import { readVersion, saveVersion } from '../src/ml/version/version.ts';
import { sheetColumns } from './sheet-columns.ts';

const trainRows = 12_000;
/** Rows to score carry ids that no training row has. */
export const firstScoredId = 10_000_000;
const seed = 20_261_120;

/** A number in [0, 1) that depends on the row and `salt` alone. */
function uniform(salt: number): string {
  return `((hash(i * 4096 + ${salt}, ${seed}) & 16777215)::double / 16777216)`;
}

/** Bell-shaped floats, 2 % missing. */
function numberColumn(name: string, c: number): string {
  const bell = `2 * (${[0, 1, 2].map((k) => uniform(c * 8 + k)).join(' + ')} - 1.5)`;
  return `case when ${uniform(c * 8 + 3)} < 0.02 then null else (${bell})::float end as ${name}`;
}

const numberColumns = sheetColumns.map(numberColumn).join(', ');

/** Writes rows `from` … `from + rows - 1`: an id and 50 floats, to a .parquet (snappy) or a .csv. */
export async function writeSheet(path: string, from: number, rows: number): Promise<void> {
  const format = path.endsWith('.csv') ? 'format csv, header' : "format parquet, compression 'snappy'";
  const duckdb = await openDuckDb({ folders: [join(path, '..')] });
  await duckdb.run(`copy (select i::bigint as id, ${numberColumns} from range(${from}, ${from + rows}) as t(i))
    to ${quoteText(path)} (${format})`);
  duckdb.close();
}

/** What a model of the sheet is learned from. */
export type TrainingSheet = {
  readonly folder: string;
  readonly matrix: FeatureMatrix;
  readonly labels: Float64Array;
};

function column(name: string, type: ColumnContract['type'], required: boolean): ColumnContract {
  return { name, type, required, unique: name === 'id', planned: false, mutable: false, pii: false };
}

const contract: Contract = {
  id: 'sheet',
  version: '1.0.0',
  tables: [
    {
      name: 'rows',
      key: ['id'],
      references: [],
      time: { column: 'seen_at' },
      columns: [
        column('id', 'integer', true),
        column('seen_at', 'date', true),
        ...sheetColumns.map((name) => column(name, 'number', false)),
      ],
    },
  ],
};

/**
 * Makes a data set of 12,000 labelled rows, one table and one task. Labels come from main effects and products, with
 * noise.
 */
export async function makeTrainingSheet(folder: string): Promise<TrainingSheet> {
  mkdirSync(join(folder, 'tables'), { recursive: true });
  mkdirSync(join(folder, 'tasks', 'yes'), { recursive: true });
  writeFileSync(join(folder, 'contract.yaml'), writeContract(contract));
  writeFileSync(
    join(folder, 'tasks', 'yes', 'task.yaml'),
    'entity: rows\nkey: id\ntime: seen_at\nlabel: yes_or_no\nkind: binary\nmetric: auroc\n',
  );
  const duckdb = await openDuckDb({ folders: [folder] });
  const of = (name: string) => `coalesce(${name}, 0)`;
  const margin = sheetColumns
    .slice(0, 10)
    .map((name, c) => {
      const strength = (1 / (1 + c / 4)).toFixed(4);
      return `${strength} * (0.5 * ${of(name)} + ${of(name)} * ${of(sheetColumns[c + 1])} + 0.7 * (${of(sheetColumns[c + 2])} > 0.5)::int)`;
    })
    .join(' + ');
  await duckdb.run(`create table sheet as
    select i::bigint as id, date '2024-01-01' + (i // ${trainRows / 600})::int as seen_at, ${numberColumns}, i
    from range(0, ${trainRows}) as t(i)`);
  await duckdb.run(`create table labelled as
    select *, (${uniform(4001)} < 1 / (1 + exp(-(${margin} - 0.5))))::int as yes_or_no from sheet`);
  await duckdb.run(`copy (select * exclude (i, yes_or_no) from labelled order by id)
    to ${quoteText(join(folder, 'tables', 'rows.parquet'))} (format parquet)`);
  await duckdb.run(`copy (select id, seen_at, yes_or_no from labelled order by id)
    to ${quoteText(join(folder, 'tasks', 'yes', 'train.csv'))} (format csv, header)`);
  const matrix = { rows: trainRows, features: sheetColumns.length, values: new Float32Array(trainRows * 50) };
  const labels = new Float64Array(trainRows);
  const list = ['yes_or_no', ...sheetColumns].map((name) => `${name}::double`).join(', ');
  let row = 0;
  for await (const batch of duckdb.stream(`select ${list} from labelled order by id`)) {
    labels.set(batch.doubles(0).values.subarray(0, batch.rows), row);
    for (let c = 0; c < sheetColumns.length; c++) {
      const { values, validity } = batch.doubles(c + 1);
      for (let r = 0; r < batch.rows; r++) {
        const isThere = validity === null || (validity[r >>> 5] >>> (r & 31)) & 1;
        matrix.values[c * trainRows + row + r] = isThere ? values[r] : Number.NaN;
      }
    }
    row += batch.rows;
  }
  duckdb.close();
  return { folder, matrix, labels };
}

/** How large a version's trees are, for a peer of the same size. */
export type TreeSize = { readonly trees: number; readonly leaves: number; readonly depth: number };

/** The version that `fit` makes of the task. Returns the size of its trees; it may hold linear models besides. */
export async function fitSheet(sheet: TrainingSheet, out: string): Promise<TreeSize> {
  await fitFolder(sheet.folder, 'yes', out, { phase: () => {}, say: () => {} });
  const forests = readVersion(out).outputs[0].head.flatMap((model) => (model.kind === 'trees' ? [model.forest] : []));
  const trees = forests.flatMap((forest) => forest.trees);
  const leaves = Math.max(...trees.map((tree) => tree.feature.filter((feature) => feature < 0).length));
  return { trees: trees.length, leaves, depth: Math.ceil(Math.log2(leaves)) };
}

export const plainSize: TreeSize = { trees: 200, leaves: 31, depth: 8 };

/** The same version with one forest of 200 trees of 31 leaves over the 50 columns in place of its models. */
export async function plainVersion(sheet: TrainingSheet, fitted: string, out: string): Promise<void> {
  const version = readVersion(fitted);
  const features = sheetColumns.map(
    (column): Feature => ({ focus: { kind: 'root' }, read: { kind: 'attribute', column } }),
  );
  const rows = Int32Array.from(sheet.labels.keys());
  const forest = trainForest(binFeatures(sheet.matrix, rows), sheet.labels, null, {
    ...defaultForestOptions,
    rounds: plainSize.trees,
    depthMax: plainSize.depth,
    leavesMax: plainSize.leaves,
    minChildWeight: 1e-3,
    learningRate: 0.1,
    rowSample: 1,
    columnSample: 1,
  });
  const plain = {
    ...version,
    features,
    usual: new Float32Array(features.length),
    outputs: [{ ...version.outputs[0], head: [{ kind: 'trees' as const, forest }] }],
    inputFields: inputFields(version.task, version.contract, true, features, forestGains(forest)),
  };
  await saveVersion(out, plain, null, new Map(), {});
}

/** Writes a sheet's numbers as float32, row by row, NaN where missing. */
export async function writeRawSheet(parquet: string, path: string): Promise<void> {
  const file = await open(path, 'w');
  const duckdb = await openDuckDb({ folders: [join(parquet, '..')] });
  const list = sheetColumns.map((name) => `coalesce(${name}, 'nan'::float)::double`).join(', ');
  for await (const batch of duckdb.stream(`select ${list} from read_parquet(${quoteText(parquet)})`)) {
    const values = new Float32Array(batch.rows * sheetColumns.length);
    for (let c = 0; c < sheetColumns.length; c++) {
      const column = batch.doubles(c).values;
      for (let r = 0; r < batch.rows; r++) values[r * sheetColumns.length + c] = column[r];
    }
    await file.write(values);
  }
  duckdb.close();
  await file.close();
}

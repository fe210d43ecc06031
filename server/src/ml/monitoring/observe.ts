import { type Column, pickRows, textColumn } from '../../lib/files/column.ts';
import { labelByTables } from '../evaluation/read-labels.ts';
import { isProtected } from '../explain/protected.ts';
import { describeFeature } from '../explain/wording.ts';
import { findKeys } from '../graph/keys.ts';
import { featureGains } from '../heads/gains.ts';
import { anchorsFor } from '../inference/anchors.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { entityTable } from '../tasks/examples.ts';
import { type Bins, countsOf, layNumberBins, placeOf } from './bins.ts';

/** Predictions about entities: whom, and as of when (microseconds of local time). */
export type AskedEntities = { readonly keys: readonly string[]; readonly at: Float64Array };

/** A feature that leads a model, in words, and how its values are counted. */
export type LeadingFeature = {
  /** The position among the features of the version. */
  readonly feature: number;
  readonly said: Readonly<Record<'en' | 'pt-BR', string>>;
  readonly bins: Bins;
};

const leadingMax = 10;
/** Anchors that the model learned from, of whose values bins are made. */
const referenceRowsMax = 5_000;
const rowsAtOnce = 2_000;

/**
 * The features that matter most to a version, without those that read protected or personal columns, with bins that
 * hold a tenth each of the rows that it learned from; none where it keeps no labels, or answers for new rows.
 */
export function leadingFeatures(opened: OpenVersion): LeadingFeature[] {
  const { version, labels, tables } = opened;
  const { features, contract, task, fresh } = version;
  const learned = labels.rows.length;
  if (fresh || learned === 0) return [];
  const gains = featureGains(
    version.outputs.map(({ head }) => head),
    features.length,
  );
  const source = { entity: task.entity, contract, ...(version.history && { history: version.history }) };
  const leading = [...features.keys()]
    .filter((f) => gains[f] > 0 && !isProtected(source, features[f]))
    .sort((a, b) => gains[b] - gains[a] || a - b)
    .slice(0, leadingMax);
  const step = Math.max(1, Math.ceil(learned / referenceRowsMax));
  const known = [...labels.rows.keys()].filter((i) => i % step === 0 && labels.rows[i] >= 0);
  const table = entityTable(task, tables);
  const key = table.contract.key[0];
  const rows = pickRows(
    { rows: table.rows, columns: new Map([[key, table.columns.get(key)!]]) },
    known.map((i) => labels.rows[i]),
  );
  const values = readFeatures(
    opened,
    rows.columns.get(key)!,
    Float64Array.from(known, (i) => labels.at[i]),
    leading,
  );
  return leading.map((feature, place) => ({
    feature,
    said: {
      en: describeFeature(features[feature], contract, 'en', source),
      'pt-BR': describeFeature(features[feature], contract, 'pt-BR', source),
    },
    bins: layNumberBins(values[place]),
  }));
}

/** Counts what a version read of entities by days: for each day the counts of each feature. */
export function countFeatures(
  opened: OpenVersion,
  leading: readonly LeadingFeature[],
  { keys, at }: AskedEntities,
  days: ArrayLike<number>,
): Map<number, number[][]> {
  const counted = new Map<number, number[][]>();
  if (leading.length === 0) return counted;
  const positions = leading.map(({ feature }) => feature);
  const values = readFeatures(opened, keyColumn(opened, keys), at, positions);
  for (let row = 0; row < keys.length; row++) {
    const own = counted.get(days[row]) ?? leading.map(({ bins }) => new Array<number>(countsOf(bins)).fill(0));
    for (const [f, { bins }] of leading.entries()) own[f][placeOf(bins, values[f][row])]++;
    counted.set(days[row], own);
  }
  return counted;
}

/** Rows of the table that a version predicts for, by their keys, and as of when; null where a row has none. */
type AskedRows = { readonly keys: readonly (string | null)[]; readonly at: Float64Array };

/**
 * The labels that the tables tell by now of predictions about entities, and about rows that were new and are in their
 * table by now, for each output of the version: NaN where they tell none, or the window has not closed by the end of
 * the data. `until`: nothing later is read.
 */
export function tableLabels(opened: OpenVersion, { keys, at }: AskedRows, until: number): Float64Array[] {
  const { rowOf } = entityTable(opened.version.task, opened.tables);
  const entities = findKeys(keyColumn(opened, keys), keys.length, rowOf);
  return labelByTables(opened, { entities, at }, until).map(({ labels, isOpen }) =>
    labels.map((label, row) => (isOpen[row] === 1 || entities[row] < 0 ? Number.NaN : label)),
  );
}

function keyColumn({ inputs, version }: OpenVersion, keys: readonly (string | null)[]): Column {
  const type = inputs.find(({ name }) => name === nameOfKey(version))?.type;
  return type === 'integer' || type === 'number'
    ? { kind: 'number', values: Float64Array.from(keys, (key) => (key === null ? Number.NaN : Number(key))) }
    : textColumn(keys);
}

function nameOfKey({ contract, task }: OpenVersion['version']): string {
  return contract.tables.find(({ name }) => name === task.entity)!.key[0];
}

function anchorsOf({ version, tables }: OpenVersion, keys: Column, at: Float64Array) {
  const rows = { rows: at.length, columns: new Map([[nameOfKey(version), keys]]) };
  const anchors = anchorsFor(version, tables, rows, { asOf: at, dataUntil: Number.POSITIVE_INFINITY });
  return { anchors, own: anchors.rows };
}

/** The values of some features, one array for each, read in portions. */
function readFeatures(
  opened: OpenVersion,
  keys: Column,
  at: Float64Array,
  features: readonly number[],
): Float64Array[] {
  const values = features.map(() => new Float64Array(at.length));
  for (let from = 0; from < at.length; from += rowsAtOnce) {
    const places = Array.from({ length: Math.min(rowsAtOnce, at.length - from) }, (_, i) => from + i);
    const picked = pickRows({ rows: at.length, columns: new Map([['key', keys]]) }, places).columns.get('key')!;
    const matrix = opened.featuresAt(anchorsOf(opened, picked, at.subarray(from, from + places.length)).anchors);
    for (const [f, feature] of features.entries())
      for (let row = 0; row < places.length; row++) values[f][from + row] = matrix.values[feature * matrix.rows + row];
  }
  return values;
}

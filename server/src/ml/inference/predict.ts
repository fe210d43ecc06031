import { assert, Failure } from '../../lib/failure.ts';
import { type Column, type Rows, sameText, textColumn } from '../../lib/files/column.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { answerColumns, readsNetwork } from '../answers/answers.ts';
import { intervalsOf } from '../answers/intervals.ts';
import type { NetworkAnswers } from '../answers/kind.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type OpenHead, openHead } from '../explain/contributions.ts';
import { type Factors, openFactors, type TellFactors } from '../explain/factors.ts';
import { openProgram } from '../features/evaluate.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { resolveKeys } from '../graph/keys.ts';
import { isByDay, linkedSince, type ResolvedReference, type Table, type Tables } from '../graph/tables.ts';
import { endOfDay } from '../graph/times.ts';
import { emptyColumn, viewTables } from '../graph/view.ts';
import { openNetwork } from '../network/network.ts';
import { bringVectors, openGivenVectors, vectorFormat } from '../rfm/given-vectors.ts';
import { withEncoder } from '../rfm/open.ts';
import { entityTable } from '../tasks/examples.ts';
import { withLabels } from '../training/anchors.ts';
import { type OpenGraphModel, requireModel, withVectors } from '../training/graph-vectors.ts';
import { outputOf } from '../training/output.ts';
import type { FeatureMatrix } from '../trees/matrix.ts';
import { echoed, type Field } from './schema.ts';
import { readLabels, readVersion, type Version } from './version.ts';

/** A version opened over the tables it reads. */
export type OpenVersion = {
  readonly version: Version;
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  /** The columns of `predict`'s answer, in order. */
  readonly columns: readonly WriteColumn[];
  predict(rows: Rows, options: PredictOptions): Rows;
  /** Why each row's answer differs from the expected one: of the output that decides; nothing of classes. */
  explain(rows: Rows, options: PredictOptions): Factors[];
  close(): void;
};

export type PredictOptions = {
  /** The moment asked about where a row names none, microseconds; one for all rows, or one each. */
  readonly asOf: number | Float64Array;
  /** Nothing later is read, whatever the moment asked about; likewise. Infinity for no bound. */
  readonly dataUntil: number | Float64Array;
  readonly factors: number;
  readonly language: 'en' | 'pt-BR';
  /** Whether answers say how sure they are, in the column `intervalColumn`. */
  readonly interval?: boolean;
};

/** Bounds by field, as JSON; there when asked for. */
export const intervalColumn: WriteColumn = { name: 'interval', type: 'string' };

/**
 * Opens a version folder over tables, of which it sees what its own contract names (`viewTables`). `known.version` is what
 * `readVersion` says of the folder, where that is known; `known.model` the graph model that it reads, or its encoder does.
 * Throws Failure as `readVersion` does, or when the tables lack what it reads, or it reads another graph model or one that is not given.
 */
export async function openVersion(
  folder: string,
  given: Tables,
  known: { readonly version?: Version; readonly model?: OpenGraphModel | undefined } = {},
): Promise<OpenVersion> {
  const version = known.version ?? readVersion(folder);
  const tables = viewTables(given, version.contract);
  const { task, outputs } = version;
  const labels = await readLabels(folder, version, tables);
  const plain = withLabels(task, tables, labels, version.fresh, outputs[0].aim);
  const encoded = version.encoder ? withEncoder(plain, version.encoder, { model: known.model }) : plain;
  const graph = version.graphModel
    ? withVectors(encoded, requireModel(version.graphModel, known.model, 'the version'), version.graphModel.link)
    : encoded;
  const heads = outputs.map(({ head }) => openHead(head));
  const program = openProgram(graph, version.features);
  const writeGiven = version.encoder ? openGivenVectors(version.encoder, version.features) : null;
  const network = readsNetwork(task) ? openNetwork(task, tables, labels) : null;
  let room: Float32Array | undefined;
  const compute = (rows: Rows, options: PredictOptions) => {
    const anchors = anchorsFor(version, graph.tables, rows, options);
    // Pieces of a file mostly have the same number of rows, and megabytes of memory are dear to come by.
    const matrix = program(anchors, room);
    room = matrix.values;
    writeGiven?.(rows, matrix);
    return { anchors, matrix };
  };
  const told = new Map<string, TellFactors>();
  // Looking up how features are told costs as much as telling a few rows.
  const factorsOf = (matrix: FeatureMatrix, options: PredictOptions): Factors[] => {
    const key = `${options.factors} ${options.language}`;
    let tell = told.get(key);
    if (!tell) told.set(key, (tell = tellFor(version, options)));
    return tellRows(tell, heads[deciding(version)], matrix);
  };
  return {
    version,
    inputs: version.inputFields,
    outputs: version.outputFields,
    columns: writtenColumns(version),
    predict(rows, options) {
      const { anchors, matrix } = compute(rows, options);
      const margins = heads.map((head) => head.score(matrix, 0, matrix.rows));
      const values = outputs.map((output, o) => outputOf(output.aim, output, margins[o]));
      const factors = !tellsFactors(version) || options.factors === 0 ? [] : factorsOf(matrix, options);
      const near = () => {
        assert(network, 'the network is open for kinds that tell of it');
        return {
          flags: () => network.flags(anchors, options.language),
          warmPaths: () => network.warmPaths(anchors),
        };
      };
      const answer = answerRows(version, graph, rows, anchors, values, factors, near);
      if (!options.interval) return answer;
      const intervals = intervalsOf(task, outputs, margins, values, rows.rows);
      const column = textColumn(intervals.map((bounds) => JSON.stringify(bounds)));
      return { ...answer, columns: new Map([...answer.columns, [intervalColumn.name, column]]) };
    },
    explain(rows, options) {
      if (outputs[deciding(version)].aim.kind === 'multiclass') return Array.from({ length: rows.rows }, () => untold);
      return factorsOf(compute(rows, options).matrix, options);
    },
    close() {
      for (const head of heads) head.close();
    },
  };
}

/** What moved one class against the others is not told. */
const untold: Factors = { factors: [], unworded: 0, others: 0 };

/** The output that factors explain: the head that decides, or the longest horizon, from which the score is made. */
function deciding({ task, outputs }: Version): number {
  return task.heads ? 0 : outputs.length - 1;
}

function tellsFactors({ outputFields }: Version): boolean {
  return outputFields.some(({ name }) => name === 'key_factors' || name === 'risk_factors');
}

function tellFor({ features, usual, contract, task }: Version, { factors, language }: PredictOptions): TellFactors {
  return openFactors(usual, features, contract, {
    most: factors,
    language,
    entity: task.entity,
    ...(task.kind === 'credit' || task.kind === 'fraud' ? { higherIsWorse: true } : {}),
  });
}

/** Rows taken apart at a time, so that their contributions stay in a near cache. */
const rowsPerTelling = 256;

function tellRows(tell: TellFactors, head: OpenHead, matrix: FeatureMatrix): Factors[] {
  const width = matrix.features + 1;
  const told: Factors[] = [];
  for (let from = 0; from < matrix.rows; from += rowsPerTelling) {
    const to = Math.min(matrix.rows, from + rowsPerTelling);
    const contributions = head.contributions(matrix, from, to);
    for (let row = from; row < to; row++) {
      const own = contributions.subarray((row - from) * width, (row - from + 1) * width);
      told.push(tell(own, matrix.values, row, matrix.rows));
    }
  }
  return told;
}

/** Rows to predict as questions to the feature program. */
export function anchorsFor(version: Version, tables: Tables, rows: Rows, options: PredictOptions): Anchors {
  const { task, fresh } = version;
  const table = entityTable(task, tables);
  const keyName = table.contract.key[0];
  const asked = rows.columns.get('reference_date');
  const days = asked?.kind === 'time' ? endOfDay(asked.values) : null;
  const keys = rows.columns.get(keyName);
  const known = keys ? resolveKeys(keys, rows.rows, table.rowOf) : new Int32Array(rows.rows).fill(-1);
  const own = fresh ? newRows(table, tables, rows) : null;
  const at = new Float64Array(rows.rows);
  const limit = new Float64Array(rows.rows);
  for (let row = 0; row < rows.rows; row++) {
    const until = valueAt(options.dataUntil, row);
    const day = days ? days[row] : Number.NaN;
    // A new row stands at its own moment: of a day its start, as in training, so that nothing of that day is read. A day
    // that is asked about bounds what is read, and does not move it.
    let moment = own ? own.moments[row] : Number.NaN;
    if (Number.isNaN(moment)) moment = Number.isNaN(day) ? valueAt(options.asOf, row) : day;
    at[row] = moment;
    limit[row] = Math.min(task.strict ? moment - 1 : moment, Number.isNaN(day) ? until : Math.min(day, until));
  }
  return {
    table: own ? own.table : table,
    fresh,
    rows: own ? new Int32Array(rows.rows).map((_, row) => row) : known,
    own: fresh ? known : new Int32Array(rows.rows).fill(-1),
    ownTable: task.entity,
    at,
    limit,
  };
}

function valueAt(values: number | Float64Array, row: number): number {
  return typeof values === 'number' ? values : values[row];
}

/** Rows to predict as a table of their own, with references into the tables and the start of each row's moment. */
function newRows(table: Table, tables: Tables, rows: Rows): { table: Table; moments: Float64Array } {
  const references = new Map<string, ResolvedReference>();
  for (const [column, { table: name, values }] of table.references) {
    const given = rows.columns.get(column);
    const target = tables.get(name)!;
    references.set(column, {
      table: name,
      rows: given ? resolveKeys(given, rows.rows, target.rowOf) : new Int32Array(rows.rows).fill(-1),
      ...(values ? { values } : {}),
    });
  }
  const moments = new Float64Array(rows.rows).fill(Number.NaN);
  const { time } = table.contract;
  const inherited = time && 'reference' in time ? references.get(time.reference) : undefined;
  if (inherited) {
    const parent = tables.get(inherited.table)!;
    const offset = (time as { offset: number }).offset - (isByDay(parent, tables) ? microsecondsPerDay - 1 : 0);
    for (let row = 0; row < rows.rows; row++)
      if (inherited.rows[row]! >= 0 && parent.time) moments[row] = parent.time[inherited.rows[row]!]! + offset;
  }
  const dated = time && 'column' in time ? rows.columns.get(time.column) : undefined;
  const clock = time && 'column' in time && time.clock !== undefined ? rows.columns.get(time.clock) : undefined;
  if (dated?.kind === 'time') {
    for (let row = 0; row < rows.rows; row++)
      moments[row] = dated.values[row] + (clock?.kind === 'time' ? clock.values[row] || 0 : 0);
  }
  const isDay = isByDay(table, tables, clock !== undefined);
  const readableFrom = isDay ? moments.map((moment) => moment + microsecondsPerDay - 1) : moments;
  return {
    table: {
      contract: table.contract,
      name: table.name,
      rows: rows.rows,
      columns: rows.columns,
      rowOf: new Map(),
      references,
      time: readableFrom,
    },
    moments,
  };
}

function writtenColumns(version: Version): WriteColumn[] {
  const { task, contract, outputFields } = version;
  const table = contract.tables.find(({ name }) => name === task.entity)!;
  const key = table.columns.find(({ name }) => name === table.key[0])!;
  return [
    { name: key.name, type: key.type },
    ...echoed.map((name) => ({ name, type: 'string' as const })),
    ...outputFields.map(({ name, type }) => ({ name, type })),
  ];
}

function answerRows(
  version: Version,
  graph: Graph,
  rows: Rows,
  anchors: Anchors,
  values: readonly Float64Array[],
  factors: readonly Factors[],
  network: () => NetworkAnswers,
): Rows {
  const columns = new Map<string, Column>();
  const missing: Column = { kind: 'text', codes: new Int32Array(rows.rows).fill(-1), dictionary: [] };
  const [key] = writtenColumns(version);
  columns.set(key.name, rows.columns.get(key.name) ?? emptyColumn(key.type, rows.rows));
  for (const name of echoed) columns.set(name, rows.columns.get(name) ?? missing);
  const told = factors.map((own) => JSON.stringify(own.factors.map(({ text }) => text)));
  const given = {
    rows: rows.rows,
    values,
    told: told.length > 0 ? textColumn(told) : sameText(rows.rows, '[]'),
    network,
  };
  for (const [name, column] of answerColumns(version.task, version.outputs, given)) columns.set(name, column);
  columns.set('data_coverage', coverage(anchors, graph.tables, version.encoder ? bringVectors(rows) : () => false));
  columns.set('as_of', { kind: 'time', values: anchors.at });
  return { rows: rows.rows, columns };
}

/** full: the entity, or everything the new row refers to, was known by then; none: nothing of it was, and the row brings no vector either. */
function coverage(
  { table, fresh, rows, limit }: Anchors,
  tables: Tables,
  bringsVector: (row: number) => boolean,
): Column {
  const dictionary = ['full', 'partial', 'none'];
  const references = fresh
    ? [...table.references.values()].flatMap(({ table: name, rows: to, values }) =>
        values ? [] : [{ to, target: tables.get(name)! }],
      )
    : [];
  const codes = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    let found = 0;
    for (const { to, target } of references)
      if (to[rows[i]] >= 0 && linkedSince(target, to[rows[i]]) <= limit[i]) found++;
    if (!fresh) codes[i] = rows[i] >= 0 && linkedSince(table, rows[i]) <= limit[i] ? 0 : 2;
    else codes[i] = found === references.length ? 0 : found > 0 ? 1 : 2;
    if (codes[i] === 2 && bringsVector(i)) codes[i] = 1;
  }
  return { kind: 'text', codes, dictionary };
}

/** The columns a file of rows to predict is read with. `present`: those the file has; a missing required one is refused. */
export function inputRequests(version: Version, present: ReadonlySet<string>) {
  const { columns } = version.contract.tables.find(({ name }) => name === version.task.entity)!;
  const wanted = version.inputFields.map(({ name, type, required, format }): ColumnRequest => {
    const missing = columns.find((column) => column.name === name)?.missingValues;
    return { name, type, required, ...(missing && { missing }), ...(format === vectorFormat && { takesLists: true }) };
  });
  const lacking = wanted.filter(({ name, required }) => required && !present.has(name));
  if (lacking.length > 0) {
    throw new Failure(
      'invalid',
      `the file lacks ${lacking.map(({ name }) => name).join(', ')}; this version needs ${wanted
        .filter((field) => field.required)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  return [...wanted, ...echoed.map((name) => ({ name, type: 'string' as const, required: false }))].filter(({ name }) =>
    present.has(name),
  );
}

// Counts and sums over past windows of events, as of each label: the event index against DuckDB and pandas.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDb, openDuckDb } from '../src/lib/duckdb/duckdb.ts';
import { assert } from '../src/lib/failure.ts';
import type { ColumnContract, TableContract } from '../src/ml/contract/contract.ts';
import {
  buildEventIndex,
  type EventIndex,
  emptySummary,
  entityOrder,
  type IndexedNumbers,
  indexNumbers,
  questionsMax,
  type Summary,
  summarise,
} from '../src/ml/events/event-index.ts';
import { evaluate } from '../src/ml/features/evaluate.ts';
import type { Feature, Read } from '../src/ml/features/feature.ts';
import { openGraph } from '../src/ml/features/graph.ts';
import { eachFirstAfter } from '../src/ml/graph/as-of/search.ts';
import type { Table } from '../src/ml/graph/tables.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { compareFigures, compareTurns, measure, type Row } from './figures.ts';
import { findPython, type Peer, startPeer } from './processes.ts';

const entities = 100_000;
const events = 5_000_000;
const labels = 200_000;
const historyDays = 1_500;
const windowDays = [30, 90, 365];
/** Events are counted in every window, and their values summed in this one. */
const summedDays = 90;
const parts = windowDays.length + 1;
const dayUs = 86_400_000_000;
const turns = 3;

/** Rows of `labels` figures: the count of each window, then the sum. */
type Answer = Float64Array;

/** 200k labels over 5M events of 100k entities, 3 windows; about two minutes on one core. */
export async function benchWindows(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-windows-'));
  const python = findPython('windows', ['pandas']);
  const pandas = python ? startPeer(python, 'peers/windows.py') : null;
  const duckdb = await openDuckDb({ memoryLimitMb: 6_000, threads: 1 });
  try {
    return await compareEngines(makeData(), duckdb, pandas, folder);
  } finally {
    duckdb.close();
    pandas?.child.kill();
    await rm(folder, { recursive: true });
  }
}

async function compareEngines(data: Data, duckdb: DuckDb, pandas: Peer | null, folder: string): Promise<Row[]> {
  await fillDuckDb(duckdb, data);
  const files = pandas ? await writeData(folder, data) : {};
  const table = eventTable(data);
  let index!: EventIndex;
  let numbers!: IndexedNumbers;
  const builds: number[] = [];
  const times = { index: [] as number[], program: [] as number[], duckdb: [] as number[], pandas: [] as number[] };
  // The first turn warms up.
  for (let turn = 0; turn <= turns; turn++) {
    const add = (to: number[], seconds: number): void => {
      if (turn > 0) to.push(seconds);
    };
    builds.push(
      await measure(() => {
        index = buildEventIndex(table, data.eventEntity, entities);
        numbers = indexNumbers(index, data.eventValue);
      }),
    );
    let ours!: Answer;
    add(times.index, await measure(() => (ours = askIndex(index, numbers, data))));
    let theirs!: Answer;
    add(times.duckdb, await measure(async () => (theirs = await askDuckDb(duckdb))));
    assertSame(ours, theirs, 'DuckDB');
    let evaluated!: Answer;
    add(times.program, await measureProgram(table, data, (answer) => (evaluated = answer)));
    assertSame(ours, evaluated, 'the feature program');
    if (!pandas) continue;
    const { seconds, values } = await pandas.ask({ ...files, windowDays, summedDays, labels });
    add(times.pandas, seconds);
    const totals = Array.from({ length: parts }, (_, part) => sumOf(ours, part));
    assert(values?.join() === totals.join(), `pandas counts and sums ${values} where the index does ${totals}`);
  }
  const unit = 'CPU s per 200k labels';
  const bytes = [index.offsets, index.rows, index.time, index.blockOffsets, numbers.values, numbers.blocks];
  const perEvent = (arrays: readonly { byteLength: number }[]): number =>
    arrays.reduce((sum, { byteLength }) => sum + byteLength, 0) / events;
  const totals = windowDays.map((_, w) => sumOf(askIndex(index, numbers, data), w));
  const note = `counts of ${totals.join(' / ')} alike in all engines`;
  return [
    compareTurns('windows: event index, vs DuckDB', times.index, times.duckdb, { unit, target: 9, note }),
    compareTurns('windows: feature program over the index, vs DuckDB', times.program, times.duckdb, { unit }),
    ...(pandas
      ? [compareTurns('windows: event index, vs pandas', times.index, times.pandas, { unit, target: 38 })]
      : []),
    compareFigures(
      'windows: building the index of 5M events, vs one answer of DuckDB',
      Math.min(...builds),
      Math.min(...times.duckdb),
      {
        unit: 'CPU s',
      },
    ),
    compareFigures('windows: memory of the index, vs entity, time and value as they came', perEvent(bytes), 4 + 8 + 8, {
      unit: 'bytes per event',
      note: `positions ${perEvent([index.offsets, index.rows, index.time, index.blockOffsets]).toFixed(2)}, a value column ${perEvent([numbers.values]).toFixed(2)}, its blocks ${perEvent([numbers.blocks]).toFixed(2)}`,
    }),
  ];
}

type Data = {
  readonly eventEntity: Int32Array;
  readonly eventTime: Float64Array;
  readonly eventValue: Float64Array;
  readonly labelEntity: Int32Array;
  readonly labelTime: Float64Array;
};

/** Values are whole, so that sums are exact in any order. */
function makeData(): Data {
  const random = seedRandom(20_261_120);
  const whole = (below: number): number => Math.floor(random() * below);
  const moments = (count: number, from: number, days: number): Float64Array =>
    new Float64Array(count).map(() => (from + whole(days)) * dayUs + whole(86_400) * 1e6);
  return {
    eventEntity: new Int32Array(events).map(() => whole(entities)),
    // As tables come: in time order.
    eventTime: moments(events, 18_000, historyDays).sort(),
    eventValue: new Float64Array(events).map(() => whole(10_000)),
    labelEntity: new Int32Array(labels).map(() => whole(entities)),
    labelTime: moments(labels, 18_000 + 365, historyDays - 365),
  };
}

function eventTable({ eventEntity, eventTime, eventValue }: Data): Table {
  const column = (name: string, type: ColumnContract['type']): ColumnContract => ({
    ...{ name, type, required: true, unique: false, planned: false, mutable: false, pii: false },
  });
  const contract: TableContract = {
    name: 'events',
    key: [],
    references: [{ column: 'entity', table: 'entities', key: 'id' }],
    columns: [column('value', 'number')],
  };
  return {
    contract,
    name: 'events',
    rows: events,
    columns: new Map([['value', { kind: 'number', values: eventValue }]]),
    rowOf: new Map(),
    references: new Map([['entity', { table: 'entities', rows: eventEntity }]]),
    time: eventTime,
  };
}

/**
 * As the feature program does: entity by entity, so that an entity's events are still at hand, and many side by side.
 */
function askIndex(index: EventIndex, numbers: IndexedNumbers, data: Data): Answer {
  const answer = new Float64Array(labels * parts);
  const order = entityOrder(data.labelEntity, index.entities);
  const scratch = {
    ...{ start: new Int32Array(questionsMax), from: new Int32Array(questionsMax), end: new Int32Array(questionsMax) },
    ...{ readableUntil: new Float64Array(questionsMax), summary: emptySummary() },
  };
  for (let first = 0; first < labels; first += questionsMax)
    askSome(index, numbers, data, order.subarray(first, first + questionsMax), scratch, answer);
  return answer;
}

type Scratch = {
  readonly start: Int32Array;
  readonly from: Int32Array;
  readonly end: Int32Array;
  readonly readableUntil: Float64Array;
  readonly summary: Summary;
};

function askSome(
  index: EventIndex,
  numbers: IndexedNumbers,
  { labelEntity, labelTime }: Data,
  asked: Int32Array,
  { start, from, end, readableUntil, summary }: Scratch,
  answer: Answer,
): void {
  for (let k = 0; k < asked.length; k++) {
    const entity = labelEntity[asked[k]];
    start[k] = from[k] = index.offsets[entity];
    end[k] = index.offsets[entity + 1];
    readableUntil[k] = labelTime[asked[k]];
  }
  eachFirstAfter(index.time, start, end, readableUntil, 0, asked.length, end);
  // The widest window first: the others start inside of it.
  for (let w = windowDays.length - 1; w >= 0; w--) {
    eachFirstAfter(index.time, from, end, readableUntil, windowDays[w] * dayUs, asked.length, from);
    for (let k = 0; k < asked.length; k++) answer[w * labels + asked[k]] = end[k] - from[k];
    if (windowDays[w] !== summedDays) continue;
    for (let k = 0; k < asked.length; k++) {
      const block = index.blockOffsets[labelEntity[asked[k]]];
      const first = from[k] - start[k];
      const to = end[k] - start[k];
      summarise(numbers, start[k], block, first, to, Number.POSITIVE_INFINITY, readableUntil[k], summary, 'mean');
      answer[windowDays.length * labels + asked[k]] = summary.sum;
    }
  }
}

/** The same by features as a model has them, on an index that stands. */
async function measureProgram(table: Table, data: Data, take: (answer: Answer) => void): Promise<number> {
  const customers: Table = {
    contract: { name: 'entities', key: [], references: [], columns: [] },
    name: 'entities',
    rows: entities,
    columns: new Map(),
    rowOf: new Map(),
    references: new Map(),
  };
  const graph = openGraph(
    new Map([
      ['events', table],
      ['entities', customers],
    ]),
  );
  const through = { table: 'events', via: ['entity'] };
  const reads: Read[] = [
    ...windowDays.map((days): Read => ({ kind: 'count', events: through, span: { days } })),
    {
      kind: 'number',
      events: through,
      signal: { kind: 'column', path: [], column: 'value' },
      span: { days: summedDays },
      aggregate: 'sum',
    },
  ];
  const features = reads.map((read): Feature => ({ focus: { kind: 'root' }, read }));
  const anchors = {
    table: customers,
    fresh: false,
    rows: data.labelEntity,
    own: new Int32Array(labels).fill(-1),
    ownTable: 'entities',
    at: data.labelTime,
    readableUntil: data.labelTime,
  };
  const few = {
    ...anchors,
    rows: anchors.rows.subarray(0, 1),
    at: anchors.at.subarray(0, 1),
    readableUntil: anchors.readableUntil.subarray(0, 1),
  };
  evaluate(graph, features, few);
  let values!: Float32Array;
  const seconds = await measure(() => ({ values } = evaluate(graph, features, anchors)));
  // No event has no sum.
  take(Float64Array.from(values, (value) => value || 0));
  return seconds;
}

async function fillDuckDb(duckdb: DuckDb, data: Data): Promise<void> {
  const fill = async (table: string, columns: readonly (Int32Array | Float64Array)[]): Promise<void> => {
    await duckdb.run(`create table loading (${columns.map((_, c) => `c${c} double`).join(', ')})`);
    const appender = await duckdb.appender(
      'loading',
      columns.map(() => 'double'),
    );
    const { length } = columns[0];
    for (let from = 0; from < length; from += 2048) {
      const to = Math.min(length, from + 2048);
      appender.append(
        to - from,
        columns.map((column) => Float64Array.from(column.subarray(from, to))),
      );
    }
    appender.close();
    const values = columns.length > 2 ? ', c2 as value' : '';
    await duckdb.run(`create table ${table} as select c0::int as entity, c1::bigint as at${values} from loading`);
    await duckdb.run('drop table loading');
  };
  await fill('events', [data.eventEntity, data.eventTime, data.eventValue]);
  await fill('labels', [data.labelEntity, data.labelTime]);
}

async function askDuckDb(duckdb: DuckDb): Promise<Answer> {
  const inside = (days: number) => `filter (e.at > l.at - ${days * dayUs})`;
  const figures = [
    ...windowDays.map((days) => `(count(e.at) ${inside(days)})::double`),
    `coalesce(sum(e.value) ${inside(summedDays)}, 0)`,
  ];
  const sql = `select l.rowid::double as row, ${figures.join(', ')} from labels l left join events e
    on e.entity = l.entity and e.at <= l.at and e.at > l.at - ${Math.max(...windowDays) * dayUs} group by l.rowid`;
  const answer = new Float64Array(labels * parts);
  for await (const batch of duckdb.stream(sql)) {
    const rows = batch.doubles(0).values;
    for (let part = 0; part < parts; part++) {
      const { values } = batch.doubles(part + 1);
      for (let r = 0; r < batch.rows; r++) answer[part * labels + rows[r]] = values[r];
    }
  }
  return answer;
}

async function writeData(folder: string, data: Data) {
  const files = Object.keys(data).map((name) => [name, join(folder, name)]);
  for (const [name, path] of files) await writeFile(path, data[name as keyof Data]);
  return Object.fromEntries(files) as Record<string, string>;
}

function assertSame(ours: Answer, theirs: Answer, who: string): void {
  for (let i = 0; i < ours.length; i++)
    assert(ours[i] === theirs[i], `figure ${i}: the index has ${ours[i]}, ${who} ${theirs[i]}`);
}

function sumOf(answer: Answer, part: number): number {
  let sum = 0;
  for (let i = part * labels; i < (part + 1) * labels; i++) sum += answer[i];
  return sum;
}

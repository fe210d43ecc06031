/** Loans of a real bank, asked about before and after they stand in its tables. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fitCommand } from '../src/commands/fit.ts';
import { predictCommand } from '../src/commands/predict.ts';
import { pickRows, type Rows } from '../src/lib/files/column.ts';
import { readTable } from '../src/lib/files/read.ts';
import { withLabels } from '../src/ml/features/anchors.ts';
import { evaluate } from '../src/ml/features/evaluate.ts';
import { linkTables } from '../src/ml/graph/link.ts';
import { loadTables } from '../src/ml/graph/load.ts';
import type { Tables } from '../src/ml/graph/tables.ts';
import { anchorsFor } from '../src/ml/inference/anchors.ts';
import { openVersion } from '../src/ml/inference/predict.ts';
import { inputRequests } from '../src/ml/version/input-requests.ts';
import { readLabels, readVersion } from '../src/ml/version/version.ts';

const berka = fileURLToPath(new URL('../../../shared/data/berka', import.meta.url));
const isHere = existsSync(join(berka, 'tables', 'loan.csv'));
if (!isHere) console.warn(`SKIPPED: the berka data are not at ${berka}; nothing is checked on real loans`);

const folder = mkdtempSync(join(tmpdir(), 'berka-'));
const version = join(folder, 'version');
const rows = join(folder, 'loans.csv');
/** The tables without the loans that are asked about. */
const without = join(folder, 'without');
const quiet = () => {};
afterAll(() => rmSync(folder, { recursive: true }));

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);

describe.skipIf(!isHere)('loans', () => {
  beforeAll(async () => {
    await fitCommand([berka, '--task', 'loan-default', '--out', version], quiet);
    const [, ...test] = lines(join(berka, 'tasks', 'loan-default', 'test.csv'));
    const asked = new Set(test.map((line) => line.split(',')[1]));
    const [header, ...loans] = lines(join(berka, 'tables', 'loan.csv'));
    expect(header.startsWith('loan_id,')).toBe(true);
    const isAsked = (line: string) => asked.has(line.split(',')[0]);
    writeFileSync(rows, `${[header, ...loans.filter(isAsked)].join('\n')}\n`);
    mkdirSync(without);
    for (const name of readdirSync(join(berka, 'tables')))
      if (name !== 'loan.csv') copyFileSync(join(berka, 'tables', name), join(without, name));
    writeFileSync(join(without, 'loan.csv'), `${[header, ...loans.filter((line) => !isAsked(line))].join('\n')}\n`);
  });

  const predict = async (data: string, asked: string, name: string) => {
    const out = join(folder, name);
    await predictCommand([version, '--data', data, '--in', asked, '--out', out], quiet);
    return readFileSync(out, 'utf8');
  };

  test('the same question twice gives the same file, one of less history another', async () => {
    const answers = await predict(berka, rows, 'answers.csv');
    expect(answers.split('\n').length).toBe(211);
    expect((await predict(berka, rows, 'again.csv')) === answers).toBe(true);
    const [header, ...loans] = lines(rows);
    const bounded = join(folder, 'asked-bounded.csv');
    writeFileSync(
      bounded,
      `${[`${header},reference_date`, ...loans.map((line) => `${line},1996-12-31`)].join('\n')}\n`,
    );
    expect((await predict(berka, bounded, 'bounded.csv')) === answers).toBe(false);
  });

  test('the first loan asked about gets the same answer without it and all later ones in the tables', async () => {
    const first = join(folder, 'first.csv');
    writeFileSync(first, `${lines(rows).slice(0, 2).join('\n')}\n`);
    const known = await predict(berka, first, 'known.csv');
    expect((await predict(without, first, 'fresh.csv')) === known).toBe(true);
  });

  test('without one loan in the tables, its answer and every value the model reads have the same bits', async () => {
    const { contract } = readVersion(version);
    const { tables } = await loadTables(berka, contract);
    const asked = await readRows();
    const known = await ask(tables, asked);
    const { rowOf } = tables.get('loan')!;
    const keys = numbersOf(asked, 'loan_id');
    for (let row = 0; row < asked.rows; row += 30) {
      const fewer = new Map([...tables].map(([name, table]): [string, Rows] => [name, table]));
      fewer.set('loan', rowsBut(tables.get('loan')!, rowOf.get(keys[row])!));
      const alone = await ask(linkTables(contract, fewer, []), rowsOnly(asked, row));
      expect(alone.features).toEqual(known.features.filter((_, k) => k % asked.rows === row));
      expect(alone.answers).toEqual([known.answers[row]]);
    }
  });

  test('without all of them in the tables, every value the model reads and every answer has the same bits', async () => {
    const { contract } = readVersion(version);
    const asked = await readRows();
    const known = await ask((await loadTables(berka, contract)).tables, asked);
    const fresh = await ask((await loadTables(without, contract)).tables, asked);
    expect(fresh).toEqual(known);
  });
});

async function readRows(): Promise<Rows> {
  const names = new Set(lines(rows)[0].split(','));
  const requests = inputRequests(readVersion(version)).filter(({ name }) => names.has(name));
  return (await readTable([rows], requests)).rows;
}

/** Bits of each feature of each row (feature by feature), and the answers. */
async function ask(tables: Tables, asked: Rows): Promise<{ features: string[]; answers: number[] }> {
  const opened = readVersion(version);
  const options = { asOf: 0, dataUntil: Number.POSITIVE_INFINITY, factors: 0, language: 'en' } as const;
  const graph = withLabels(
    opened.task,
    tables,
    await readLabels(version, opened, tables),
    opened.fresh,
    opened.outputs[0].objective,
  );
  const { values } = evaluate(graph, opened.features, anchorsFor(opened, graph.tables, asked, options));
  const open = await openVersion(version, tables);
  const answers = numbersOf(open.predict(asked, options), 'prediction');
  open.close();
  return { features: Array.from(new Uint32Array(values.buffer), (bits) => bits.toString(16)), answers };
}

function numbersOf(from: Rows, name: string): number[] {
  const column = from.columns.get(name);
  if (column?.kind !== 'number') throw new Error(`${name} is a number`);
  return Array.from(column.values);
}

const rowsOnly = (from: Rows, row: number) => pickRows(from, [row]);
const rowsBut = (from: Rows, row: number) =>
  pickRows(
    from,
    Array.from({ length: from.rows }, (_, k) => k).filter((k) => k !== row),
  );

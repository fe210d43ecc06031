/** A process that serves: it opens frozen tables and a version, answers, and never loads DuckDB. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { fitCommand } from '../src/commands/fit.ts';
import { predictCommand } from '../src/commands/predict.ts';
import type { Numbers } from '../src/lib/files/column.ts';
import type { Contract } from '../src/ml/contract/contract.ts';
import { tableNameOf } from '../src/ml/contract/files.ts';
import { inferContract } from '../src/ml/contract/infer.ts';
import { parseContract } from '../src/ml/contract/parse.ts';
import { freezeTables, thawTables } from '../src/ml/graph/frozen.ts';
import { loadTables } from '../src/ml/graph/load.ts';
import { withIdentifiers } from '../src/ml/graph/named.ts';
import type { Tables } from '../src/ml/graph/tables.ts';
import { openVersion } from '../src/ml/inference/predict.ts';
import type { IncomingFile } from '../src/ml/lake/files.ts';
import { noIdentifiers } from '../src/ml/lake/identifiers.ts';
import { ingestFiles } from '../src/ml/lake/ingest.ts';
import { loadSnapshot } from '../src/ml/lake/load.ts';
import type { Manifest, Mode } from '../src/ml/lake/manifest.ts';
import { readOutputs } from '../src/ml/tasks/labels.ts';
import { parseTask } from '../src/ml/tasks/parse-task.ts';
import { fit } from '../src/ml/training/fit.ts';
import { readVersion } from '../src/ml/version/version.ts';
import { at } from './samples.ts';
import { csv, customerRows, orderRows, shopText, writeShop } from './shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'serving-'));
afterAll(() => rmSync(folder, { recursive: true }));
const source = (path: string) => new URL(`../src/${path}`, import.meta.url).href;

const child = `
import { readFileSync } from 'node:fs';
import { thawTables } from '${source('ml/graph/frozen.ts')}';
import { openVersion } from '${source('ml/inference/predict.ts')}';
const [frozen, version] = process.argv.slice(1);
const open = await openVersion(version, await thawTables(frozen));
const rows = { rows: 2, columns: new Map([['customer_id', { kind: 'text', codes: Int32Array.of(0, 1), dictionary: ['C3', 'C4'] }]]) };
const answer = open.predict(rows, { asOf: Date.UTC(2023, 9, 1) * 1000 - 1, dataUntil: Infinity, factors: 2, language: 'en' });
open.close();
const libraries = new Set(readFileSync('/proc/self/maps', 'utf8').split('\\n').map((line) => line.split('/').at(-1)));
console.log(JSON.stringify({
  predictions: [...answer.columns.get('prediction').values],
  factors: answer.columns.get('key_factors').dictionary,
  duckdb: [...libraries].filter((name) => /duckdb/i.test(name)),
}));
`;

test.runIf(process.platform === 'linux')(
  'one row is predicted without DuckDB, with the bits of the command',
  async () => {
    const shop = writeShop();
    const version = join(folder, 'shop-version');
    await fitCommand([shop, '--task', 'returns', '--out', version], () => {});
    const contract = parseContract(readFileSync(join(shop, 'contract.yaml'), 'utf8'), 'contract.yaml');
    const manifest = await ingestFolder(join(shop, 'tables'), contract, 1);
    const { tables } = await loadSnapshot(manifest, partPath);
    const frozen = join(folder, 'shop.frozen');
    await freezeTables(tables, frozen);
    const asked = join(folder, 'asked.csv');
    writeFileSync(asked, 'customer_id\nC3\nC4\n');
    const answers = join(folder, 'answers.jsonl');
    await predictCommand(
      [version, '--data', shop, '--in', asked, '--out', answers, '--reference-date', '2023-09-30', '--factors', '2'],
      () => {},
    );
    const expected = readFileSync(answers, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', child, frozen, version], {
      encoding: 'utf8',
    });
    const { predictions, factors, duckdb } = JSON.parse(said);
    expect(duckdb).toEqual([]);
    expect(predictions).toEqual(expected.map(({ prediction }) => prediction));
    expect(factors).toEqual([...new Set(expected.map(({ key_factors }) => key_factors))]);
  },
);

test('credit learned from label files is a score, and one probability named after the window', async () => {
  const definition = shopText('tasks/returns/task.yaml').replace('binary', 'credit').replace('30d', '45d');
  const shop = writeShop({ 'tasks/returns/task.yaml': definition });
  const version = join(folder, 'credit-version');
  await fitCommand([shop, '--task', 'returns', '--out', version], () => {});
  writeFileSync(join(folder, 'credit.csv'), 'customer_id\nC3\nC4\n');
  const answers = join(folder, 'credit.jsonl');
  await predictCommand(
    [version, '--data', shop, '--in', join(folder, 'credit.csv'), '--out', answers, '--reference-date', '2023-09-30'],
    () => {},
  );
  for (const line of readFileSync(answers, 'utf8').trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({
      score: expect.any(Number),
      pd_45d: expect.any(Number),
      risk_band: expect.any(String),
    });
});

test('a version goes on answering when rows are changed and the contract has moved on', async () => {
  const shop = writeShop();
  const version = join(folder, 'changing-version');
  await fitCommand([shop, '--task', 'returns', '--out', version], () => {});
  const contract = parseContract(readFileSync(join(shop, 'contract.yaml'), 'utf8'), 'contract.yaml');
  const manifest = await ingestFolder(join(shop, 'tables'), contract, 1);
  const { tables: before } = await loadSnapshot(manifest, partPath);
  const moment = at('2024-02-01');

  // Every fourth order turns out larger, and the contract has a column more in both tables.
  const wider: Contract = {
    ...contract,
    version: '2',
    tables: contract.tables.map((table) => ({
      ...table,
      columns: [...table.columns, { ...table.columns[1], name: 'channel' }],
    })),
  };
  const changed = {
    customers: csv(
      'customer_id,segment,since,channel',
      customerRows.map(([id, segment, since]) => [id, segment, since, 'web']),
    ),
    orders: csv(
      'order_id,customer_id,ordered_at,amount,channel',
      orderRows.map(([id, customer, day, amount], i) => [
        id,
        customer,
        day,
        i % 4 === 0 ? Number(amount) * 3 : amount,
        'web',
      ]),
    ),
  };
  const files = Object.entries(changed).map(([table, text]) => upload(`${table}.csv`, text, 'upsert'));
  const ingested = await ingestFiles({
    contract: wider,
    previous: manifest,
    pathOf: partPath,
    files,
    out: parts,
    now: moment,
  });
  if (ingested.kind !== 'accepted') throw new Error(JSON.stringify(ingested));
  expect(ingested.report.files.map(({ changed: rows }) => rows)).toEqual([customerRows.length, orderRows.length]);
  const frozen = join(folder, 'changed.frozen');
  await freezeTables((await loadSnapshot(ingested.manifest, partPath)).tables, frozen);
  const own = readVersion(version).contract;
  const after = await thawTables(frozen);
  const replaced = writeShop({ 'tables/customers.csv': changed.customers, 'tables/orders.csv': changed.orders });
  const { tables: asReplaced } = await loadTables(replaced, own);

  const keys = customerRows.map(([id]) => String(id));
  const ask = async (tables: Tables, asOf: number) => {
    const open = await openVersion(version, tables);
    const rows = {
      rows: keys.length,
      columns: new Map([
        ['customer_id', { kind: 'text', codes: Int32Array.from(keys.keys()), dictionary: keys } as const],
      ]),
    };
    const answer = open.predict(rows, { asOf, dataUntil: Number.POSITIVE_INFINITY, factors: 2, language: 'en' });
    open.close();
    return [answer.columns.get('prediction'), answer.columns.get('key_factors')];
  };
  expect(await ask(after, moment - 1)).toEqual(await ask(before, moment - 1));
  expect(await ask(after, moment)).toEqual(await ask(asReplaced, moment));
  expect(await ask(after, moment)).not.toEqual(await ask(before, moment));
});

test('a version learned from numbers in place of names answers by name what one learned from names does', async () => {
  const shop = writeShop();
  const plain = join(folder, 'plain-version');
  await fitCommand([shop, '--task', 'returns', '--out', plain], () => {});
  const file = join(shop, 'contract.yaml');
  const { tables: known, ...rest } = parseContract(readFileSync(file, 'utf8'), file);
  const contract: Contract = {
    ...rest,
    tables: known.map((table) =>
      table.name === 'customers' ? { ...table, entityKind: 'individual' as const } : table,
    ),
  };
  const files = readdirSync(join(shop, 'tables')).map((name) =>
    upload(name, readFileSync(join(shop, 'tables', name), 'utf8'), 'append'),
  );
  const now = at('2024-02-01');
  const ingested = await ingestFiles({
    contract,
    previous: null,
    pathOf: partPath,
    files,
    out: parts,
    now,
    identifiers: noIdentifiers,
  });
  if (ingested.kind !== 'accepted') throw new Error(JSON.stringify(ingested));
  const identifiers = ingested.identifiers!;
  const read = await loadSnapshot(ingested.manifest, partPath, () => {}, { identifiers });
  const task = parseTask(readFileSync(join(shop, 'tasks', 'returns', 'task.yaml'), 'utf8'), 'returns', 'task.yaml');
  const labelFiles = ['train.csv', 'val.csv'].map((name) => join(shop, 'tasks', 'returns', name));
  const labels = await readOutputs(task, read.tables, labelFiles, [], now);
  const version = join(folder, 'numbers-version');
  await fit(
    { tables: read.tables, contract: read.contract, task, ...labels, regime: { kind: 'rolling' } },
    version,
    () => {},
  );
  const texts = readdirSync(version).filter((name) => /\.(json|yaml|md)$/.test(name));
  for (const name of texts) expect(readFileSync(join(version, name), 'utf8')).not.toMatch(/\bC\d+\b/);
  const namesIn = (of: string) => readFileSync(join(of, 'labels.bin')).includes('C38C39');
  expect([namesIn(plain), namesIn(version)]).toEqual([true, false]);

  const frozen = join(folder, 'numbers.frozen');
  await freezeTables(read.tables, frozen);
  const rows = {
    rows: 3,
    columns: new Map([
      ['customer_id', { kind: 'text', codes: Int32Array.of(0, 1, 2), dictionary: ['C3', 'C4', 'nobody'] } as const],
    ]),
  };
  const options = { asOf: now, dataUntil: Number.POSITIVE_INFINITY, factors: 2, language: 'en' } as const;
  const answers = [];
  for (const [of, tables] of [
    [plain, (await loadTables(shop, contract)).tables],
    [version, withIdentifiers(await thawTables(frozen), identifiers)],
  ] as const) {
    const open = await openVersion(of, tables);
    answers.push(open.predict(rows, options));
    open.close();
  }
  expect(answers[1]).toEqual(answers[0]);
  // What are names in the tables must not be taken for numbers.
  await expect(openVersion(version, (await loadTables(shop, contract)).tables)).rejects.toThrow(
    /these tables hold names/,
  );
});

const parts = join(folder, 'parts');
mkdirSync(parts);
const partPath = ({ path }: { path: string }) => join(parts, path);

function upload(name: string, text: string, mode: Mode): IncomingFile {
  const path = join(mkdtempSync(join(folder, 'upload-')), name);
  writeFileSync(path, text);
  return { path, name, table: tableNameOf(name), mode, sha256: createHash('sha256').update(text).digest('hex') };
}

/** Appends the tables of a folder in `pieces` calls, each with its share of every table's lines. */
async function ingestFolder(tables: string, contract: Contract, pieces: number): Promise<Manifest> {
  let manifest: Manifest | null = null;
  for (let piece = 0; piece < pieces; piece++) {
    const files = readdirSync(tables).map((name) => {
      const [header, ...lines] = readFileSync(join(tables, name), 'utf8').trimEnd().split(/\r?\n/);
      const from = Math.floor((lines.length * piece) / pieces);
      const own = lines.slice(from, Math.floor((lines.length * (piece + 1)) / pieces));
      const text = `${[header, ...own].join('\n')}\n`;
      return upload(name, text, 'append');
    });
    const ingested = await ingestFiles({
      contract,
      previous: manifest,
      pathOf: partPath,
      files,
      out: parts,
      now: Date.now() * 1000,
    });
    if (ingested.kind !== 'accepted') throw new Error(JSON.stringify(ingested));
    manifest = ingested.manifest;
  }
  return manifest!;
}

const data = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const isHere = existsSync(join(data, 'berka', 'tables', 'loan.csv'));
if (!isHere) console.warn(`SKIPPED: the real data sets are not at ${data}; no snapshot of a real bank is served`);

describe.skipIf(!isHere)(
  'real data as they came, under the contract inferred from them, appended in two pieces',
  () => {
    test.each(['berka', 'rel-f1'])('%s is read, frozen and thawed as its folder is, to the bit', async (name) => {
      const real = join(data, name);
      const { contract } = await inferContract(real, () => {});
      const { tables: folderTables, report } = await loadTables(real, contract);
      expect(report.rejectedTotal).toBe(0);
      const { tables } = await loadSnapshot(await ingestFolder(join(real, 'tables'), contract, 2), partPath);
      const frozen = join(folder, `${name}.frozen`);
      await freezeTables(tables, frozen);
      const thawed = await thawTables(frozen);
      const bits = digestTables(folderTables);
      expect(digestTables(tables)).toEqual(bits);
      expect(digestTables(thawed)).toEqual(bits);
    });
  },
);

/** Everything a table holds, by what it is. */
function digestTables(tables: Tables): [string, string][] {
  const found: [string, string][] = [];
  const say = (name: string, ...values: (Numbers | Int32Array | string)[]) => {
    const hash = createHash('sha256');
    for (const value of values) hash.update(value);
    found.push([name, hash.digest('hex')]);
  };
  for (const [name, { columns, references, time, rows }] of tables) {
    say(name, String(rows));
    for (const [column, data] of columns)
      if (data.kind === 'text') say(`${name}.${column}`, data.codes, JSON.stringify(data.dictionary));
      else say(`${name}.${column}`, data.values);
    for (const [column, to] of references) say(`${name}.${column} to ${to.table}`, to.rows);
    if (time) say(`${name} time`, time);
  }
  return found;
}

/** Scoring of local files, as child processes run it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csv, writeShop } from '../../../../tests/shop.ts';
import { writersIn } from '../../../../tests/support/write-files.ts';
import { fitCommand } from '../../../commands/fit.ts';
import { openDuckDb, quoteText } from '../../../lib/duckdb/duckdb.ts';
import { freezeTables } from '../../../ml/graph/frozen.ts';
import { loadTables } from '../../../ml/graph/load.ts';
import { readVersion } from '../../../ml/version/version.ts';
import { type ScoreTask, scoreUnit } from './score-unit.ts';

const folder = mkdtempSync(join(tmpdir(), 'batches-'));
afterAll(() => rmSync(folder, { recursive: true }));

const version = join(folder, 'version');
const frozen = join(folder, 'frozen');
beforeAll(async () => {
  const shop = writeShop();
  await fitCommand([shop, '--task', 'returns', '--out', version], () => {});
  const { tables } = await loadTables(shop, readVersion(version).contract, () => {});
  await freezeTables(tables, frozen);
});

const quiet = { progress: () => {}, signal: new AbortController().signal };
const asked = Date.parse('2026-01-31T12:00:00Z');

const { write, writeParquet } = writersIn(folder);

function taskOf(path: string, out: string, change: Partial<ScoreTask> = {}): ScoreTask {
  return {
    path,
    name: path.split('/').at(-1)!,
    range: null,
    isRepeating: false,
    data: { id: 'data', frozen, identifiers: null },
    targets: [{ modelId: 'mdl_1', versionId: 'ver_1', folder: version, graphModel: null }],
    endpoints: null,
    fallback: 0,
    timeZone: 'America/Sao_Paulo',
    language: 'en',
    now: asked,
    asOf: asked,
    isDayGiven: false,
    out: join(folder, out),
    format: 'csv',
    csv: { formulas: 'escape' },
    errors: join(folder, `${out}.errors`),
    ...change,
  };
}

describe('scoring', () => {
  test('ranges of rows give together what all of them give, byte for byte', async () => {
    const path = await writeParquet(
      'many.parquet',
      "select 'C' || (i % 45) as customer_id from range(50000) t(i)",
      8192,
    );
    const whole = await scoreUnit(taskOf(path, 'whole'), quiet);
    expect(whole).toMatchObject({ succeeded: 50_000, failed: 0, isWhole: true });
    const pieces: Buffer[] = [];
    for (const [first, count] of [
      [0, 8192],
      [8192, 20_000],
      [28_192, 21_808],
    ]) {
      const piece = await scoreUnit(taskOf(path, 'piece', { range: { first, count } }), quiet);
      expect(piece).toMatchObject({ succeeded: count, headerBytes: whole.headerBytes });
      pieces.push(readFileSync(join(folder, 'piece')).subarray(first === 0 ? 0 : piece.headerBytes));
    }
    expect(Buffer.concat(pieces).equals(readFileSync(join(folder, 'whole')))).toBe(true);
  });

  test('a request to stop keeps the rows scored until then', async () => {
    const path = await writeParquet('stopped.parquet', "select 'C1' as customer_id from range(100000)", 98_304);
    const stop = new AbortController();
    const progress = () => stop.abort();
    const { succeeded, isWhole } = await scoreUnit(taskOf(path, 'stopped'), { progress, signal: stop.signal });
    expect(isWhole).toBe(false);
    expect(succeeded).toBeGreaterThan(0);
    expect(readFileSync(join(folder, 'stopped'), 'utf8').trimEnd().split('\n')).toHaveLength(succeeded + 1);
  });

  test('every row that cannot be answered is told, however many they are', async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => (row % 3 === 0 ? `C1,x` : 'C1,2023-09-15'));
    const path = write('bad.csv', `customer_id,reference_date\n${rows.join('\n')}\nC1,2023-09-15,too many\n`);
    const result = await scoreUnit(taskOf(path, 'bad'), quiet);
    expect(result).toMatchObject({ succeeded: 20_000, failed: 10_001 });
    const errors = readFileSync(join(folder, 'bad.errors'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(errors.map(({ row }) => row)).toEqual([...Array.from({ length: 10_000 }, (_, at) => 3 * at + 1), 30_001]);
    expect(errors.at(-1)).toMatchObject({ column: null, code: 'unreadable_row' });
  });

  test('a day means its end in the zone of the workspace, and today what was known when it was asked', async () => {
    const path = write(
      'zones.csv',
      csv('customer_id,reference_date', [
        ['C1', '2026-01-30'],
        ['C1', '2026-01-31'],
        ['C1', ''],
      ]),
    );
    const asOf = async (timeZone: string) => {
      const out = taskOf(path, 'zones', { timeZone, format: 'jsonl', asOf: asked - 1000 });
      await scoreUnit(out, quiet);
      const lines = readFileSync(out.out, 'utf8').trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line).as_of);
    };
    expect(await asOf('America/Sao_Paulo')).toEqual([
      '2026-01-31T02:59:59.999Z',
      '2026-01-31T12:00:00Z',
      '2026-01-31T11:59:59Z',
    ]);
    expect(await asOf('Asia/Tokyo')).toEqual([
      '2026-01-30T14:59:59.999Z',
      '2026-01-31T12:00:00Z',
      '2026-01-31T11:59:59Z',
    ]);
  });

  test('days are read in the form that the file writes them in, and those in another are refused', async () => {
    const days = ['2023-09-15', '2023-10-02', '2023-11-30'];
    const answersTo = async (name: string, written: readonly string[]) => {
      const path = write(
        name,
        csv(
          'customer_id,reference_date',
          written.map((day) => ['C1', day]),
        ),
      );
      const result = await scoreUnit(taskOf(path, `${name}.out`), quiet);
      const errors = readFileSync(join(folder, `${name}.out.errors`), 'utf8');
      return { result, answers: readFileSync(join(folder, `${name}.out`), 'utf8'), errors };
    };
    const iso = await answersTo('iso-days.csv', days);
    const dayFirst = days.map((day) => day.split('-').reverse().join('/'));
    expect((await answersTo('day-first.csv', dayFirst)).answers).toBe(iso.answers);
    expect(
      (
        await answersTo(
          'digits.csv',
          days.map((day) => day.replaceAll('-', '')),
        )
      ).answers,
    ).toBe(iso.answers);
    const mixed = await answersTo('mixed.csv', [...Array.from({ length: 200 }, () => '15/09/2023'), '11/30/2023']);
    expect(mixed.result).toMatchObject({ succeeded: 200, failed: 1 });
    expect(mixed.errors).toContain('expected a date such as 31/12/2024 or 2024-12-31');
  });

  test('columns that nothing reads are repeated as texts where that is wished, beside those of their names', async () => {
    const rows = [
      ['C1', '007', 'Ana; Lda', '=1+1'],
      ['', 'gone', 'x', 'y'],
      ['C2', '', 'Zé', 'z'],
    ];
    const path = write('branches.csv', csv('customer_id,branch,Name,prediction', rows));
    const answersTo = async (out: string, isRepeating: boolean) => {
      await scoreUnit(taskOf(path, out, { isRepeating, format: 'jsonl' }), quiet);
      const lines = readFileSync(join(folder, out), 'utf8').trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    };
    const [plain, repeated] = [await answersTo('plain', false), await answersTo('repeated', true)];
    const own = [
      { branch: '007', Name: 'Ana; Lda', input_prediction: '=1+1' },
      { branch: null, Name: 'Zé', input_prediction: 'z' },
    ];
    expect(repeated).toEqual(plain.map((answer, at) => ({ ...answer, ...own[at] })));
    const asCsv = await scoreUnit(taskOf(path, 'repeated.csv', { isRepeating: true }), quiet);
    expect(asCsv).toMatchObject({ succeeded: 2, failed: 1 });
    const [head, first] = readFileSync(join(folder, 'repeated.csv'), 'utf8').split('\n');
    expect(head.endsWith(',branch,Name,input_prediction')).toBe(true);
    expect(first.endsWith(`,007,Ana; Lda,'=1+1`)).toBe(true);
    const alike = [['C1', 'mensal', 'a', 'b']];
    const named = write('alike.csv', csv('customer_id,interval,prediction,input_prediction', alike));
    await scoreUnit(taskOf(named, 'alike', { isRepeating: true, format: 'jsonl' }), quiet);
    expect(JSON.parse(readFileSync(join(folder, 'alike'), 'utf8'))).toMatchObject({
      ...{ input_interval: 'mensal', input_prediction: 'b', input_input_prediction: 'a' },
    });
    const typed =
      "select 'C1' as customer_id, [1, 2] as tags, 1.5 as rate, date '2024-01-31' as day, {'a': 1} as nested";
    const parquet = await writeParquet('typed.parquet', typed, 8192);
    expect(await scoreUnit(taskOf(parquet, 'typed', { isRepeating: true, format: 'jsonl' }), quiet)).toMatchObject({
      ...{ succeeded: 1, failed: 0 },
    });
    const [told] = readFileSync(join(folder, 'typed'), 'utf8').split('\n');
    expect(JSON.parse(told)).toMatchObject({ rate: '1.5', day: '2024-01-31' });
  });

  test('a file without rows has a result without rows', async () => {
    const path = write('none.csv', 'customer_id\n');
    for (const format of ['csv', 'parquet', 'jsonl'] as const)
      expect(await scoreUnit(taskOf(path, `none-result.${format}`, { format }), quiet)).toMatchObject({ succeeded: 0 });
    const duckdb = await openDuckDb({ folders: [folder] });
    const found = await duckdb.rows(
      `select customer_id, version_id from read_parquet(${quoteText(join(folder, 'none-result.parquet'))})`,
    );
    duckdb.close();
    expect(found).toEqual([]);
    expect(readFileSync(join(folder, 'none-result.csv'), 'utf8')).toMatch(/^customer_id,.*version_id\n$/);
  });
});

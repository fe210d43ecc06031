/** Inspection of local files, as child processes run it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleContract } from '../../../../tests/samples.ts';
import { csv } from '../../../../tests/shop.ts';
import { writersIn } from '../../../../tests/support/write-files.ts';
import { writeContract } from '../../../ml/contract/write.ts';
import { inspectFiles } from './inspect-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'batches-'));
afterAll(() => rmSync(folder, { recursive: true }));

const quiet = { progress: () => {}, signal: new AbortController().signal };

const { write, writeParquet } = writersIn(folder);

const contract = writeContract(sampleContract([{ name: 'things', key: 'id', columns: { id: 'string' } }]));

describe('planning', () => {
  const plan = async (path: string, targets: string[] = []) =>
    (
      await inspectFiles(
        { files: [{ path, name: path.split('/').at(-1)! }], contract, dayColumn: 'reference_date', targets },
        quiet as never,
      )
    )[0];

  test('counts rows of Parquet by its footer, and of text by its lines', async () => {
    const parquet = await writeParquet('rows.parquet', 'select i from range(10000) t(i)', 4096);
    expect(await plan(parquet)).toMatchObject({
      format: 'parquet',
      rows: 10_000,
      rowGroupRowsMax: 4096,
      columns: ['i'],
    });
    const text = 'id,note\r\n1,"two\nlines"\r\n\r\n2,plain\r\n3,last';
    expect(await plan(write('rows.csv', text))).toMatchObject({ format: 'csv', rows: 3, endpoints: null });
    expect(await plan(write('rows.csv.gz', gzipSync(text)))).toMatchObject({ format: 'csv', rows: 3 });
    expect(await plan(write('rows.jsonl', '{"id":1}\n\n{"id":2}'))).toMatchObject({ format: 'jsonl', rows: 2 });
  });

  test('finds the targets that rows name, also where a key comes late', async () => {
    const targets = ['m/production', 'm/challenger', 'n/production'];
    const rows = [['n/production'], ['m/production'], ['m/gone'], ['n/production']];
    expect(await plan(write('named.csv', csv('Endpoint', rows)), targets)).toMatchObject({
      endpoints: ['m/production', 'n/production'],
      namesNone: false,
    });
    const late = `${'{"id":1}\n'.repeat(2000)}{"id":2,"endpoint":"m/production"}\n`;
    expect(await plan(write('late.jsonl', late), targets)).toMatchObject({
      endpoints: ['m/production'],
      namesNone: true,
      rows: 2001,
    });
  });

  test('finds the form in which the days of rows are written', async () => {
    const formOf = async (...days: string[]) => {
      const found = await plan(
        write(
          'days.csv',
          csv(
            'id,Reference_Date',
            days.map((day) => ['1', day]),
          ),
        ),
      );
      return found.kind === 'readable' ? found.dayForm : found.detail;
    };
    expect(await formOf('31/12/2024', '01/02/2024', '')).toEqual({ form: 'dd/MM/yyyy', isGuessed: false });
    expect(await formOf('12/31/2024', '01/02/2024')).toEqual({ form: 'MM/dd/yyyy', isGuessed: false });
    // Nothing tells the day from the month.
    expect(await formOf('01/02/2024')).toEqual({ form: 'dd/MM/yyyy', isGuessed: true });
    // Rows with anything else are refused alone, and change nothing of the others.
    expect(await formOf('15/10/2026', '31/02/2026', 'yesterday')).toEqual({ form: 'dd/MM/yyyy', isGuessed: false });
    expect(await formOf('2026-10-15', '31/10/2026')).toEqual({
      ...{ form: 'dd/MM/yyyy', isGuessed: false },
      mixed: { rows: 1, iso: 1 },
    });
    expect(await formOf('1760486400', '1760572800', 'x')).toEqual({ form: 'epoch_seconds', isGuessed: false });
    expect(await formOf('20241231', '20240102')).toEqual({ form: 'yyyyMMdd', isGuessed: false });
    expect(await formOf('2024-12-31')).toBe(null);
    expect(await formOf('some day')).toBe(null);
    expect(await plan(write('undated.csv', 'id\n1\n'))).toMatchObject({ dayForm: null });
  });

  test('says what a file that cannot be read is, and goes on', async () => {
    const files = ['empty.csv', 'cut.parquet', 'fine.csv'].map((name) => ({
      path: write(name, name === 'fine.csv' ? 'a\n1\n' : name === 'empty.csv' ? '' : 'PAR1'),
      name,
    }));
    const plans = await inspectFiles({ files, contract, dayColumn: 'reference_date', targets: [] }, quiet as never);
    expect(plans.map(({ kind }) => kind)).toEqual(['unreadable', 'unreadable', 'readable']);
    expect(plans[1]).toMatchObject({ detail: expect.stringContaining('cut.parquet') });
  });
});

/** The program as people start it: real processes over a made-up lender, from tables to predictions. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateLender } from '../src/commands/demo/lender.ts';
import { describeFile, readTable } from '../src/lib/files/read.ts';
import { lastro as run } from './shop.ts';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');

type Ended = { readonly code: number; readonly out: string; readonly said: string };

function lastro(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { maxBuffer: 1 << 26 }, (error, out, said) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, said }),
    );
  });
}

let place: string;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'lastro-commands-'));
});

afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

describe('a journey from tables to predictions', () => {
  const at = (...names: string[]) => join(place, 'lender', ...names);
  const task = (file: string) => at('tasks', 'default-90d', file);

  beforeAll(async () => {
    await generateLender(at(), { customers: 200, seed: 1, from: '2023-01-01' });
  });

  test('contract infer finds keys, references and times, and its contract holds', async () => {
    const inferred = await lastro('contract', 'infer', at(), '--out', at('contract.yaml'));
    expect(inferred.code).toBe(0);
    expect(inferred.said).toMatch(/^customers +legal_document +joined_at/m);
    expect(inferred.said).toMatch(/^instalments .*loan_id → loans|^instalments .*loans/m);
    const checked = await lastro('contract', 'check', at('contract.yaml'), at());
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringContaining('customers: 200 rows, as the contract says'),
    });
  });

  test('fit writes a version that documents itself', async () => {
    const { code, said } = await lastro('fit', at(), '--task', 'default-90d', '--out', at('version'));
    expect(code, said).toBe(0);
    expect(said).toMatch(/prediction: auroc 0\.\d{4}.*brier 0\.\d{4}/);
    expect(said).toMatch(/calibration error 0\.\d{4} of 10 bins .*slope .* ± .*, intercept .* ± .*, Spiegelhalter's z/);
    const names = readdirSync(at('version'));
    for (const name of ['manifest.json', 'contract.yaml', 'program.json', 'report.json', 'model.md'])
      expect(names).toContain(name);
    expect(readFileSync(at('version', 'model.md'), 'utf8')).toMatch(
      /## How sure[\s\S]*- prediction: calibration error 0\.\d{4}[\s\S]*- prediction: bounds 0\.\d{4} to 0\.\d{4}/,
    );
    expect(readdirSync(at()).filter((name) => name.includes('partial'))).toEqual([]);
    const again = await lastro('fit', at(), '--task', 'default-90d', '--out', at('version'));
    expect(again).toMatchObject({ code: 2, said: expect.stringContaining('exists already') });
  });

  test('predict answers every row in order, the same as CSV and as Parquet', async () => {
    const asked = lines(at('applications.csv'));
    for (const format of ['csv', 'parquet']) {
      const { code, said } = await lastro(
        ...['predict', at('version'), '--data', at(), '--in', at('applications.csv')],
        ...['--out', at(`scored.${format}`), '--language', 'pt-BR', '--factors', '2'],
      );
      expect(code, said).toBe(0);
      expect(said).toContain(`${asked.length - 1} rows predicted, 0 rejected`);
    }
    const promised = [
      ...['legal_document', 'correlation_id', 'reference_id'],
      ...['prediction', 'key_factors', 'data_coverage', 'data_coverage_share', 'as_of'],
    ];
    const read = async (format: string) => {
      const { columns } = await describeFile(at(`scored.${format}`));
      expect(columns.map(({ name }) => name)).toEqual(promised);
      const numbers = ['prediction', 'data_coverage_share'];
      const texts = promised.filter((name) => !numbers.includes(name));
      const { rows } = await readTable(
        [at(`scored.${format}`)],
        [
          ...texts.map((name) => ({ name, type: 'string' as const })),
          ...numbers.map((name) => ({ name, type: 'number' as const })),
        ].filter(({ name }) => name !== 'as_of'),
      );
      return new Map(
        [...rows.columns].map(([name, column]) => [
          name,
          column.kind === 'text'
            ? Array.from(column.codes, (code) => column.dictionary[code] ?? null)
            : Array.from(column.values),
        ]),
      );
    };
    const [csv, parquet] = [await read('csv'), await read('parquet')];
    const last = (format: string) =>
      lines(at(`scored.${format}`))[1]
        .split(',')
        .at(-1);
    expect(last('csv')).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+$/);
    expect(parquet).toEqual(csv);
    const header = asked[0].split(',');
    for (const name of ['legal_document', 'correlation_id'])
      expect(csv.get(name)).toEqual(asked.slice(1).map((line) => line.split(',')[header.indexOf(name)]));
    for (const p of csv.get('prediction') as number[]) expect(p > 0 && p < 1).toBe(true);
    for (const text of csv.get('key_factors') as string[]) {
      const factors: unknown[] = JSON.parse(text);
      expect(factors.length).toBeLessThanOrEqual(2);
    }
  });

  test('eval keeps the rows of test.csv as they stand and reports what it did', async () => {
    // Without validation rows it learns once instead of seven times; what it says of them is tested on a smaller data
    // set.
    rmSync(task('val.csv'));
    const { code, said } = await lastro(
      ...['eval', at(), '--task', 'default-90d', '--fit', 'train'],
      ...['--out', at('predictions.csv'), '--report', at('report.json')],
    );
    expect(code, said).toBe(0);
    const [asked, answered] = [lines(task('test.csv')), lines(at('predictions.csv'))];
    expect(answered[0]).toBe(`${asked[0]},prediction`);
    expect(answered.slice(1).map((line) => line.slice(0, line.lastIndexOf(',')))).toEqual(asked.slice(1));
    for (const line of answered.slice(1)) {
      const p = Number(line.slice(line.lastIndexOf(',') + 1));
      expect(p > 0 && p < 1).toBe(true);
    }
    const report = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    expect(report.rows).toMatchObject({ train: lines(task('train.csv')).length - 1, test: asked.length - 1 });
    expect(report.model.features.length).toBeGreaterThan(0);
  });
});

describe('usage', () => {
  test('every command explains itself', async () => {
    const general = await run('--help');
    expect(general.code).toBe(0);
    for (const command of ['contract', 'fit', 'predict', 'eval', 'demo']) {
      expect(general.out).toContain(`  ${command} `);
      const { code, out, said } = await run(command, '--help');
      expect([command, code, said]).toEqual([command, 0, '']);
      expect(out).toMatch(/^usage:/);
      expect(out).toContain(command);
    }
  });

  test('a program whose command is refused says so as the command does', async () => {
    const args = ['contract', 'guess'];
    const { out, said, ...ended } = await lastro(...args);
    expect({ ...ended, out, said: said.trimEnd() }).toEqual(await run(...args));
  });

  const refused: readonly (readonly [string, string[], RegExp])[] = [
    ['an unknown command', ['fly'], /^error: there is no command fly\n\nlastro: predictions/],
    ['an unknown verb', ['contract', 'guess'], /contract guess is not a command: use infer, check or diff/],
    ['an unknown option', ['fit', 'here', '--tsk', 'x'], /^error: Unknown option '--tsk'\nusage: lastro fit/],
    ['a word too few', ['fit', '--task', 'x', '--out', 'y'], /^error: expected 1 argument, got 0\nusage: lastro fit/],
    ['an option left out', ['fit', 'here', '--task', 'x'], /^error: --out is missing\nusage: lastro fit/],
    ['too small a demo', ['demo', '--customers', 'few'], /^error: customers must be a whole number from 200/],
  ];
  test.each(refused)('%s ends with exit code 2, a sentence and no stack trace', async (_name, args, message) => {
    const { code, out, said } = await run(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(said).toMatch(message);
    expect(said).not.toMatch(/^ +at /m);
  });

  test('so does bad data', async () => {
    const file = join(place, 'rows.csv');
    writeFileSync(file, 'a,A\n1,2\n');
    const { code, said } = await run('contract', 'infer', place);
    expect(code).toBe(2);
    expect(said).toContain('rows.csv: columns 1 and 2 are both called "a" and "A"');
    expect(said).not.toMatch(/^ +at /m);
  });
});

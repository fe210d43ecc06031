/** Spoilt rows to predict, spoilt version folders, and options that cannot be, put through predict. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { lastro, type Outcome, shopText, writeShop } from './shop.ts';

let folder: string;
let version: string;
let runs = 0;

beforeAll(async () => {
  folder = writeShop();
  version = join(folder, 'version');
  expect((await lastro('fit', folder, '--task', 'returns', '--out', version)).code).toBe(0);
});

type Prediction = Outcome & { readonly answers: string[][]; readonly rejects: string | null };

/** Predicts rows given as text, in a folder of their own; answers without their header, cell by cell. */
async function predict(
  rows: string,
  more: { from?: string; out?: string; options?: string[] } = {},
): Promise<Prediction> {
  const place = join(folder, `run-${runs++}`);
  mkdirSync(place);
  const [input, out] = [join(place, 'rows.csv'), join(place, more.out ?? 'scored.csv')];
  writeFileSync(input, rows);
  const outcome = await lastro(
    ...['predict', more.from ?? version, '--data', folder, '--in', input, '--out', out],
    ...(more.options ?? []),
  );
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  const lines = read(out)?.trimEnd().split('\n').slice(1) ?? [];
  return { ...outcome, answers: lines.map((line) => line.split(',')), rejects: read(`${out}.rejects.csv`) };
}

describe('rows', () => {
  test('a missing required column is refused', async () => {
    const { code, said } = await predict('client\nC1\n');
    expect(code).toBe(2);
    expect(said).toContain('the file lacks customer_id, which the model needs');
  });

  test('names are found whatever their case, and columns nobody reads are named', async () => {
    const { code, said, answers } = await predict('Customer_ID,remark\nC1,x\n');
    expect(code).toBe(0);
    expect(said).toContain('warning: columns not read: remark');
    expect(answers.map(([key]) => key)).toEqual(['C1']);
  });

  test('inputs are read from the columns that are named, and a mapping that cannot be is refused', async () => {
    const rows = 'CNPJ;Data base;note\nC1;2023-06-01;x\n??;soon;y\nNobody;2023-06-01;z\n';
    const mapped = (mapping: string, ...more: string[]) =>
      predict(rows, { options: ['--column-mapping', mapping, ...more] });
    for (const mapping of [
      'customer_id=cnpj,reference_date=Data base',
      '{"customer_id":"CNPJ","reference_date":"Data base"}',
    ]) {
      const { code, said, answers, rejects } = await mapped(mapping, '--warnings');
      expect(code, said).toBe(0);
      expect(answers.map((cells) => [cells[0], cells.at(-1)])).toEqual([
        ['C1', ''],
        ['Nobody', 'unknown_entities'],
      ]);
      expect(rejects).toContain('2,Data base,');
      expect(said).toContain('columns not read: note');
    }
    const excel = await mapped('customer_id=CNPJ', '--csv-dialect', 'excel_semicolon');
    expect(excel.answers[0][0]).toMatch(/^C1;/);
    for (const [mapping, told] of [
      ['customer_id=CPF', /the file lacks CPF \(for customer_id\), named in --column-mapping/],
      ['client=CNPJ', /client is no input of the model, which takes customer_id, reference_date/],
      ['customer_id', /must be like document=CNPJ/],
      ['{"customer_id":1}', /must be like/],
      ['customer_id=CNPJ,customer_id=note', /names customer_id twice/],
    ] as const)
      expect(await mapped(mapping)).toMatchObject({ code: 2, said: expect.stringMatching(told) });
  });

  test('those with a value that does not convert are rejected and not guessed at, the others keep their order', async () => {
    const { code, said, answers, rejects } = await predict(
      'customer_id,reference_date\nC3,2023-06-01\nC2,30/02/2023\n,2023-06-01\nC1\nC1,2023-06-01\n',
    );
    expect(code).toBe(0);
    expect(answers.map(([key]) => key)).toEqual(['C3', 'C1']);
    expect(said).toContain('2 rows predicted, 3 rejected');
    expect(rejects!.split('\n')).toEqual([
      'row,column,reason,value',
      '2,reference_date,"expected a date such as 2024-01-31, found ""30/02/2023""",30/02/2023',
      '3,customer_id,the value is missing and the column is required,',
      '4,,"expected 2 fields, found 1",C1',
      '',
    ]);
  });

  test('those that ask about a day to come are rejected', async () => {
    const { answers, rejects } = await predict('customer_id,reference_date\nC1,2093-01-01\nC2,2023-06-01\n');
    expect(answers.map(([key]) => key)).toEqual(['C2']);
    expect(rejects).toContain('1,reference_date,the day lies in the future,2093-01-01');
  });

  test('when all are bad the answers are empty and the reasons are written', async () => {
    const { code, said, answers, rejects } = await predict('customer_id,reference_date\nC1,soon\nC2,later\n');
    expect(code).toBe(0);
    expect(said).toContain('has no row to predict');
    expect(said).toContain('0 rows predicted, 2 rejected');
    expect(answers).toEqual([]);
    expect(rejects!.trimEnd().split('\n')).toHaveLength(3);
  });

  test('unknown keys are answered, and said to be unknown', async () => {
    const { code, answers } = await predict('customer_id\nX1\nC1\n', { options: ['--factors', '0'] });
    expect(code).toBe(0);
    expect(answers.map((row) => [row[0], row.at(-3)])).toEqual([
      ['X1', 'none'],
      ['C1', 'full'],
    ]);
  });

  test('no rows make a file of no answers, an empty file is refused', async () => {
    expect(await predict('customer_id\n')).toMatchObject({ code: 0, answers: [], rejects: null });
    const none = await predict('');
    expect(none).toMatchObject({ code: 2, said: expect.stringContaining('rows.csv: the file is empty') });
  });

  test('rejects of an earlier run do not stay', async () => {
    const [input, out] = [join(folder, 'again.csv'), join(folder, 'again-scored.csv')];
    const run = async (rows: string) => {
      writeFileSync(input, rows);
      await lastro('predict', version, '--data', folder, '--in', input, '--out', out);
      return existsSync(`${out}.rejects.csv`);
    };
    expect(await run('customer_id\n""\n')).toBe(true);
    expect(await run('customer_id\nC1\n')).toBe(false);
  });
});

describe('options', () => {
  const cases: readonly (readonly [string, string[], RegExp])[] = [
    ['a day that is none', ['--reference-date', 'soon'], /--reference-date must be a day such as 2025-12-31, not soon/],
    ['a day to come', ['--reference-date', '2093-01-01'], /--reference-date 2093-01-01 lies in the future/],
    ['too many factors', ['--factors', '99'], /--factors must be a whole number from 0 to 50, not 99/],
    ['another language', ['--language', 'fr'], /--language must be en or pt-BR, not fr/],
    ['an unknown option', ['--speed', '9'], /Unknown option '--speed'\nusage: lastro predict/],
  ];
  test.each(cases)('%s is refused', async (_name, options, message) => {
    const { code, said } = await predict('customer_id\nC1\n', { options });
    expect(code).toBe(2);
    expect(said).toMatch(message);
  });

  test('outputs that cannot be are refused', async () => {
    const rows = 'customer_id\nC1\n';
    expect((await predict(rows, { out: 'scored.xlsx' })).said).toMatch(/--out must end in \.parquet, \.csv or \.jsonl/);
    for (const ending of ['csv', 'parquet'])
      expect((await predict(rows, { out: `none/scored.${ending}` })).said).toMatch(/--out .*there is no folder .*none/);
    const same = await predict(rows, { out: 'rows.csv' });
    expect(same).toMatchObject({ code: 2, said: expect.stringContaining('is the file of --in; choose another name') });
  });

  test('inputs that are not there are refused', async () => {
    const run = (data: string, input: string) =>
      lastro('predict', version, '--data', data, '--in', input, '--out', join(folder, 'never.csv'));
    const input = join(folder, 'some.csv');
    writeFileSync(input, 'customer_id\nC1\n');
    expect(await run(folder, join(folder, 'none.csv'))).toMatchObject({
      code: 2,
      said: 'error: none.csv: there is no such file',
    });
    expect(await run(folder, folder)).toMatchObject({
      code: 2,
      said: expect.stringContaining('a folder, where a file is expected'),
    });
    expect(await run(join(folder, 'none'), input)).toMatchObject({
      code: 2,
      said: expect.stringContaining('none is not a folder'),
    });
    const other = writeShop({ 'tables/orders.csv': shopText('tables/orders.csv').replace('order_id', 'number') });
    expect(await run(other, input)).toMatchObject({ code: 2, said: expect.stringContaining('"order_id" is absent') });
    expect(existsSync(join(folder, 'never.csv'))).toBe(false);
  });
});

describe('a version folder', () => {
  const copy = () => {
    const to = join(folder, `copy-${runs++}`);
    cpSync(version, to, { recursive: true });
    return to;
  };
  const rows = 'customer_id\nC1\n';

  test('is refused when one byte of any file differs', async () => {
    const files = readdirSync(version);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const damaged = copy();
      const bytes = readFileSync(join(damaged, file));
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(join(damaged, file), bytes);
      const { code, said } = await predict(rows, { from: damaged });
      expect([file, code]).toEqual([file, 2]);
      expect(said).toMatch(/is missing or not what the manifest says|manifest\.json is damaged/);
    }
  });

  test.each(['', '{', '[]', '{"format":1,"files":{}}'])('is refused with the manifest %j', async (manifest) => {
    const damaged = copy();
    writeFileSync(join(damaged, 'manifest.json'), manifest);
    const { code, said } = await predict(rows, { from: damaged });
    expect(code).toBe(2);
    expect(said).toContain('manifest.json is damaged');
  });

  test('is refused without one of its files, and when it is none', async () => {
    const damaged = copy();
    rmSync(join(damaged, 'program.json'));
    expect(await predict(rows, { from: damaged })).toMatchObject({
      code: 2,
      said: expect.stringContaining('program.json is missing'),
    });
    expect(await predict(rows, { from: folder })).toMatchObject({
      code: 2,
      said: expect.stringContaining('is not a version folder'),
    });
  });
});

/** Dates in other forms than ISO 8601: which form a contract gets for them, and what is left as it is. */
import { describe, expect, test } from 'vitest';
import { day, infer, rows, type Sheet, tableOf } from '../../../tests/support/samples/contract.ts';
import { saveParquet } from '../../../tests/support/samples/lib-files.ts';
import { inferFromFiles } from './infer.ts';
import { parseContract } from './parse.ts';
import { warnOfGuesses } from './warnings.ts';
import { writeContract } from './write.ts';

/** The day `i` days after 2020-01-01, as the letters say. */
function written(i: number, as: string): string {
  const [year, month, date] = day(i).split('-');
  return as.replace('yyyy', year).replace('MM', month).replace('dd', date);
}

/** A table `visits` with a key and one column, of 200 rows. */
function visits(column: string, cell: (i: number) => string | number): Readonly<Record<string, Sheet>> {
  return { visits: { header: `visit_id,${column}`, rows: rows(200, (i) => [i + 1, cell(i)]) } };
}

/** What the contract says of the column after the key, and the guess of its type. */
async function found(column: string, cell: (i: number) => string | number) {
  const inference = await infer('dates', visits(column, cell));
  const table = tableOf(inference, 'visits');
  const [, own] = table.columns;
  const guess = inference.guesses.find((one) => one.column === column && one.kind === 'type');
  const again = parseContract(writeContract(inference.contract), 'again.yaml');
  expect(again.tables[0].columns[1].dateForm).toBe(own.dateForm);
  return {
    ...{
      type: own.type,
      form: own.dateForm ?? null,
      time: table.time && 'column' in table.time,
      missing: own.missingValues,
    },
    ...{ confidence: guess?.confidence, reason: guess?.reason ?? '', warnings: warnOfGuesses(inference.guesses) },
  };
}

const epoch = (i: number): number => 1_600_000_000 + i * 86_400;

describe('a column of dates gets its form', () => {
  test.each<[string, string, string, (i: number) => string | number, string | RegExp]>([
    ['dd/MM/yyyy', 'date', 'high', (i) => written(i, 'dd/MM/yyyy'), /the day first, which \d+ of 200 rows show/],
    ['dd/MM/yyyy', 'date', 'high', (i) => written(i, 'dd.MM.yyyy'), /the day first/],
    ['dd/MM/yyyy', 'date', 'high', (i) => written(i, 'dd-MM-yyyy').replace(/^0/, ''), /the day first/],
    ['dd/MM/yyyy', 'timestamp', 'high', (i) => `${written(i, 'dd/MM/yyyy')} ${10 + (i % 9)}:30`, /the day first/],
    ['dd/MM/yyyy', 'date', 'medium', (i) => (i === 7 ? '13/02/2020' : `0${1 + (i % 9)}/02/2020`), /1 of 200 rows/],
    ['MM/dd/yyyy', 'date', 'high', (i) => written(i, 'MM/dd/yyyy'), /the month first, .* second part above 12/],
    ['yyyy/MM/dd', 'date', 'high', (i) => written(i, 'yyyy/MM/dd'), /the year first/],
    ['yyyyMMdd', 'date', 'high', (i) => written(i, 'yyyyMMdd'), /YYYYMMDD/],
    ['yyyyMMdd', 'date', 'high', (i) => `${written(i, 'yyyyMMdd')}.0`, /YYYYMMDD/],
    ['yyyyMMdd', 'timestamp', 'high', (i) => `${written(i, 'yyyyMMdd')} 10:00`, /YYYYMMDD/],
    ['epoch_seconds', 'timestamp', 'medium', (i) => epoch(i) + 7, /seconds since 1970/],
    ['epoch_milliseconds', 'timestamp', 'medium', (i) => epoch(i) * 1000 + 7, /milliseconds since 1970/],
    ['epoch_seconds', 'timestamp', 'medium', (i) => epoch(i) + 0.25, /seconds since 1970/],
    ['epoch_seconds', 'date', 'medium', (i) => epoch(i) - (epoch(i) % 86_400), /seconds since 1970/],
  ])('%s as %s, with confidence %s', async (form, type, confidence, cell, reason) => {
    const column = await found('made_at', cell);
    expect(column).toMatchObject({ form, type, confidence, time: true, warnings: [] });
    expect(column.reason).toMatch(reason);
  });

  test('beside ISO 8601, whichever of them is more frequent', async () => {
    for (const share of [2, 3, 100])
      expect(
        await found('made_on', (i) => (i % share === 0 ? written(i, 'dd/MM/yyyy') : day(i))),
        `one in ${share}`,
      ).toMatchObject({ type: 'date', form: 'dd/MM/yyyy', time: true });
    expect(await found('made_on', day)).toMatchObject({ type: 'date', form: null });
    expect(await found('made_on', (i) => (i % 2 === 0 ? written(i, 'yyyyMMdd') : day(i)))).toMatchObject({
      ...{ type: 'date', form: 'yyyyMMdd' },
    });
  });

  test('although a few values are none, which are told, and words for a missing value are listed', async () => {
    const slips = await found('made_on', (i) => (i < 4 ? `3${1 + (i % 2)}/02/20${20 + i}` : written(i, 'dd/MM/yyyy')));
    expect(slips).toMatchObject({ type: 'date', form: 'dd/MM/yyyy' });
    expect(slips.reason).toMatch(/^4 of 200 values are not of it, such as "31\/02\/2020"/);
    const absent = await found('made_on', (i) => (i % 4 === 0 ? '00/00/0000' : written(i, 'dd/MM/yyyy')));
    expect(absent).toMatchObject({ type: 'date', form: 'dd/MM/yyyy', missing: ['00/00/0000'] });
    const many = await found('made_on', (i) => (i % 10 === 0 ? `x${i}` : written(i, 'dd/MM/yyyy')));
    expect(many).toMatchObject({ type: 'string', form: null });
  });

  test('of typed numbers too, but not of those that are something else', async () => {
    const path = await saveParquet(
      `select i + 1 as visit_id, strftime(date '2020-01-01' + i::int, '%Y%m%d')::int as day,
        case when i % 3 = 0 then null else strftime(date '2020-01-01' + i::int, '%Y%m%d')::double end as paid,
        1600000000 + i * 86400 as seen_at, 1600000000 + i * 86400 as steps from range(200) t(i)`,
    );
    const { contract } = await inferFromFiles('typed', [{ table: 'visits', paths: [path] }]);
    expect(contract.tables[0].columns.map(({ name, type, dateForm }) => [name, type, dateForm])).toEqual([
      ['visit_id', 'integer', undefined],
      ['day', 'date', 'yyyyMMdd'],
      ['paid', 'date', 'yyyyMMdd'],
      ['seen_at', 'timestamp', 'epoch_seconds'],
      ['steps', 'integer', undefined],
    ]);
  });
});

describe('the order of day and month', () => {
  const either = (i: number): string => `${1 + (i % 12)}/${1 + ((i * 5) % 12)}/2020`;

  test('that no value shows has the day first, and this is told and warned of', async () => {
    const column = await found('made_on', either);
    expect(column).toMatchObject({ type: 'date', form: 'dd/MM/yyyy', confidence: 'low', time: true });
    expect(column.reason).toMatch(/^written as "1\/1\/2020": read with the day before the month, which no value shows/);
    expect(column.warnings).toEqual([{ code: 'unsure_order', table: 'visits', columns: ['made_on'] }]);
  });

  test('is that of other columns of the table, or else of all tables, where they agree', async () => {
    const table = (other: (i: number) => string): Sheet => ({
      header: 'visit_id,made_on,paid_on',
      rows: rows(200, (i) => [i + 1, either(i), other(i)]),
    });
    const inference = await infer('orders', {
      visits: table((i) => written(i, 'MM/dd/yyyy')),
      walks: table((i) => written(i, 'dd/MM/yyyy')),
      calls: table(either),
    });
    const formsOf = (name: string) => tableOf(inference, name).columns.map(({ dateForm }) => dateForm);
    expect(formsOf('visits')).toEqual([undefined, 'MM/dd/yyyy', 'MM/dd/yyyy']);
    expect(formsOf('walks')).toEqual([undefined, 'dd/MM/yyyy', 'dd/MM/yyyy']);
    expect(formsOf('calls')).toEqual([undefined, 'dd/MM/yyyy', 'dd/MM/yyyy']);
    expect(warnOfGuesses(inference.guesses)).toEqual([
      { code: 'unsure_order', table: 'calls', columns: ['made_on', 'paid_on'] },
    ]);
    const agreed = await infer('agreed', { visits: table((i) => written(i, 'MM/dd/yyyy')), calls: table(either) });
    expect(tableOf(agreed, 'calls').columns.map(({ dateForm }) => dateForm)).toEqual([
      ...[undefined, 'MM/dd/yyyy', 'MM/dd/yyyy'],
    ]);
    expect(warnOfGuesses(agreed.guesses)).toEqual([]);
  });

  test('that values contradict leaves a text, with a warning', async () => {
    const column = await found('made_on', (i) => written(i, i % 20 === 0 ? 'MM/dd/yyyy' : 'dd/MM/yyyy'));
    expect(column).toMatchObject({ type: 'string', form: null, time: undefined });
    expect(column.reason).toMatch(
      /^some of its dates have the day first, such as "\d\d\/\d\d\/2020", and some the month/,
    );
    expect(column.warnings).toEqual([{ code: 'unread_dates', table: 'visits', columns: ['made_on'] }]);
  });
});

describe('what looks like dates and is none stays', () => {
  test.each<[string, string, (i: number) => string | number]>([
    ['amounts of eight digits', 'amount', (i) => Number(written(i, 'yyyyMMdd'))],
    ['numbers of invoices', 'invoice_number', (i) => Number(written(i, 'yyyyMMdd'))],
    ['whole numbers of which one is no day', 'day', (i) => (i === 9 ? 20_201_301 : Number(written(i, 'yyyyMMdd')))],
    ['two whole numbers', 'size', (i) => (i % 2 === 0 ? 20_200_101 : 20_200_102)],
    ['large numbers under another name', 'views', epoch],
    ['moments before 1990', 'made_at', (i) => 400_000_000 + i],
    ['a key of moments', 'made_at_id', epoch],
  ])('%s', async (_, column, cell) => {
    expect(await found(column, cell)).toMatchObject({ type: 'integer', form: null, warnings: [] });
  });

  test('keys that are made of days, and references to them', async () => {
    const inference = await infer('calendar', {
      dim_date: { header: 'date_key,weekday', rows: rows(400, (i) => [Number(written(i, 'yyyyMMdd')), i % 7]) },
      sales: {
        header: 'sale_id,date_key,sold_on,amount',
        rows: rows(400, (i) => [i + 1, Number(written(i % 90, 'yyyyMMdd')), Number(written(i + 400, 'yyyyMMdd')), i]),
      },
    });
    expect(tableOf(inference, 'dim_date')).toMatchObject({ key: ['date_key'] });
    expect(tableOf(inference, 'sales').references).toEqual([
      { column: 'date_key', table: 'dim_date', key: 'date_key' },
    ]);
    const formsOf = (name: string) => tableOf(inference, name).columns.map(({ type, dateForm }) => dateForm ?? type);
    expect(formsOf('dim_date')).toEqual(['integer', 'integer']);
    expect(formsOf('sales')).toEqual(['integer', 'integer', 'yyyyMMdd', 'integer']);
    expect(tableOf(inference, 'sales').time).toEqual({ column: 'sold_on' });
  });

  test('texts of two-digit years, versions and telephone numbers', async () => {
    expect(await found('made_on', (i) => written(i, 'dd/MM/yyyy').replace('/20', '/'))).toMatchObject({ form: null });
    expect(await found('release', (i) => `1.${i % 40}.${2000 + i}`)).toMatchObject({ type: 'string', form: null });
    expect(await found('phone', (i) => `55-11-9${8000 + i}`)).toMatchObject({ type: 'string', form: null });
  });
});

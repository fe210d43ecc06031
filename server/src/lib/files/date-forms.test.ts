import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cells, save, saveParquet, us } from '../../../tests/support/samples/lib-files.ts';
import type { LogicalType } from './column.ts';
import { type DateForm, dateForms, isOfNumbers } from './date-forms.ts';
import { readJsonValue } from './json-value.ts';
import { readTable } from './read.ts';
import { mismatch, valueOfText } from './values.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Writes a day as the form says, without the code that reads it. */
const written: Record<DateForm, (day: Date, separator: string, isPadded: boolean) => string> = {
  'dd/MM/yyyy': (day, separator, isPadded) => partsOf(day, isPadded).toReversed().join(separator),
  'MM/dd/yyyy': (day, separator, isPadded) => {
    const [year, month, date] = partsOf(day, isPadded);
    return [month, date, year].join(separator);
  },
  'yyyy/MM/dd': (day, separator, isPadded) => partsOf(day, isPadded).join(separator),
  yyyyMMdd: (day) => partsOf(day, true).join(''),
  epoch_seconds: (day) => String(day.getTime() / 1000),
  epoch_milliseconds: (day) => String(day.getTime()),
};

function partsOf(day: Date, isPadded: boolean): string[] {
  const [month, date] = [day.getUTCMonth() + 1, day.getUTCDate()];
  return [String(day.getUTCFullYear()), ...[month, date].map((part) => (isPadded ? two(part) : String(part)))];
}

/** Every day of 1900 to 2100. */
const days = Array.from({ length: 73_414 }, (_, i) => new Date(Date.UTC(1900, 0, 1 + i)));

describe.each(dateForms)('the form %s', (form) => {
  test('reads every day from 1900 to 2100 as Date.UTC has it, and ISO 8601 beside', () => {
    expect(days.at(-1)!.toISOString()).toMatch(/^2100-12-31/);
    const wrong: unknown[] = [];
    for (const day of days)
      for (const separator of isOfNumbers(form) ? [''] : ['/', '.', '-'])
        for (const isPadded of [true, false]) {
          const text = written[form](day, separator, isPadded);
          const iso = day.toISOString();
          const read = [
            ...[valueOfText('date', text, form), valueOfText('timestamp', ` ${text} `, form)],
            ...[valueOfText('date', iso.slice(0, 10), form), valueOfText('timestamp', iso, form)],
          ];
          if (read.some((value) => value !== day.getTime() * 1000)) wrong.push([text, read]);
        }
    expect(wrong).toEqual([]);
  });

  test('reads a text exactly where an independent reading does', () => {
    const part = fc.oneof(fc.integer({ min: 0, max: 33 }).map(String), fc.integer({ min: 0, max: 13 }).map(two));
    const year = fc.constantFrom('2023', '2024', '1900', '1900', '2024', '24', '20245');
    const separator = fc.constantFrom('/', '.', '-', '', ' ');
    const clock = fc.constantFrom('', '', '', ' 00:00', 'T00:00:00Z', ' 0:00', ' 10:00', ' x', '.0', '.5', ' ');
    const dated = fc
      .tuple(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), part, part, year, separator, separator, clock)
      .map(([order, ...[a, b, c, first, second, rest]]) => {
        const [x, y, z] = order.map((at) => [a, b, c][at]);
        return `${x}${first}${y}${fc.sample(fc.boolean(), 1)[0] ? first : second}${z}${rest}`;
      });
    const count = fc
      .integer({ min: -400, max: 40_000 })
      .map((day) => String(day * (form === 'epoch_seconds' ? 86_400 : 43_200_000)));
    const noise = fc.string({ unit: fc.constantFrom(...'0123456789/.- :T'), maxLength: 12 });
    const texts = fc.sample(fc.oneof(dated, count, noise), 40_000).filter((text) => text.trim() !== '');
    const read = texts.map((text) => valueOfText('date', text, form));
    expect(texts.filter((text, i) => !Object.is(read[i], expectedDay(form, text) ?? Number.NaN))).toEqual([]);
    expect(read.filter((value) => !Number.isNaN(value)).length).toBeGreaterThan(100);
  });

  test('is told in a mismatch', () => {
    const sample = written[form](new Date('2024-12-31'), '/', true);
    expect(mismatch('date', '31/02/2024', form).reason).toBe(
      `expected a date such as ${sample} or 2024-12-31, found "31/02/2024"`,
    );
    const text = mismatch('timestamp', 'x', form).reason;
    expect(text).toMatch(/^expected a timestamp such as .* or 2024-12-31T18:30:00Z, found "x"$/);
    const example = /such as (.*) or/.exec(text)![1];
    expect(valueOfText('timestamp', example, form)).toBe(us('2024-12-31T18:30:00Z'));
  });

  test('reads the same values of CSV, JSONL and Parquet, and the same are missing', async () => {
    const some = days.filter((_, i) => i % 401 === 0);
    const texts = some.map((day) => written[form](day, '/', true));
    const absent = written[form](new Date('9999-12-31'), '/', true);
    const cellsOf = [...texts, absent, '9999-12-31', '31/02/2024'];
    const isNumbers = isOfNumbers(form);
    const asNumbers = cellsOf.slice(0, -2);
    const paths = [
      save('csv', `v\n${cellsOf.join('\n')}\n`),
      save('jsonl', cellsOf.map((v) => JSON.stringify({ v })).join('\n')),
      await saveParquet(`select unnest([${cellsOf.map((text) => `'${text}'`).join(', ')}]) v`),
      ...(isNumbers
        ? [
            save('jsonl', asNumbers.map((text) => `{"v":${text}}`).join('\n')),
            await saveParquet(`select unnest([${asNumbers.join(', ')}])::bigint v`),
            await saveParquet(`select unnest([${asNumbers.join(', ')}])::double v`),
          ]
        : []),
    ];
    for (const path of paths) {
      const missing = [absent, '9999-12-31'];
      const read = await readTable([path], [{ name: 'v', type: 'date', form, missing }]);
      const values = cells(read.rows, 'v');
      expect(values.slice(0, some.length)).toEqual(some.map((day) => day.getTime() * 1000));
      expect(values.slice(some.length).every((value) => value === null)).toBe(true);
      expect(read.rejects.map(({ value }) => value)).toEqual(values.length === cellsOf.length ? ['31/02/2024'] : []);
    }
  });
});

/** The day of a text by regular expressions and Date.UTC, in microseconds; null where there is none. */
function expectedDay(form: DateForm, text: string): number | null {
  const part = /^\s*(\S+?)(?:[ Tt]0?0:00(?::00(?:\.0*)?)?(?: ?[Zz]| ?[+-]\d\d(?::?\d\d)?)?)?\s*$/.exec(text);
  const dayOf = (year: string, month: string, date: string) => {
    const day = new Date(0);
    day.setUTCFullYear(Number(year), Number(month) - 1, Number(date));
    const isThere = day.getUTCMonth() === Number(month) - 1 && day.getUTCDate() === Number(date);
    return isThere ? day.getTime() * 1000 : null;
  };
  if (part === null) return null;
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(part[1]);
  // An hour of one digit follows a form, and not ISO 8601.
  const isShort = /[ Tt]\d:/.test(text);
  if (iso && !(isShort && form !== 'yyyy/MM/dd')) return dayOf(iso[1], iso[2], iso[3]);
  if (form === 'epoch_seconds' || form === 'epoch_milliseconds') {
    if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text)) return null;
    const moment = Number(text) * (form === 'epoch_seconds' ? 1000 : 1);
    const isDay = Math.round(moment * 1000) % 86_400_000_000 === 0;
    return isDay && moment >= Date.parse('0000-01-01') && moment < 253_402_300_800_000
      ? Math.round(moment * 1000) + 0
      : null;
  }
  if (form === 'yyyyMMdd') {
    const found = /^(\d{4})(\d\d)(\d\d)$/.exec(part[1]) ?? /^\s*(\d{4})(\d\d)(\d\d)\.0*\s*$/.exec(text);
    return found && dayOf(found[1], found[2], found[3]);
  }
  const found = /^(\d+)([/.-])(\d\d?)\2(\d+)$/.exec(part[1]);
  if (!found) return null;
  const [, a, , b, c] = found;
  const isYearFirst = form === 'yyyy/MM/dd';
  if (isYearFirst ? a.length !== 4 || c.length > 2 : c.length !== 4 || a.length > 2) return null;
  if (isYearFirst) return dayOf(a, b, c);
  return form === 'dd/MM/yyyy' ? dayOf(c, b, a) : dayOf(c, a, b);
}

describe('moments and numbers in forms', () => {
  test.each<[LogicalType, DateForm, string, string | null]>([
    ['timestamp', 'dd/MM/yyyy', '31/12/2024 9:05', '2024-12-31T09:05:00Z'],
    ['timestamp', 'dd/MM/yyyy', '31-12-2024 09:05:07.25', '2024-12-31T09:05:07.250Z'],
    ['timestamp', 'dd/MM/yyyy', '1.2.2024T23:59:59-03:00', '2024-02-02T02:59:59Z'],
    ['timestamp', 'MM/dd/yyyy', '2/1/2024 8:26', '2024-02-01T08:26:00Z'],
    ['timestamp', 'yyyy/MM/dd', '2024/2/1 08:26:00', '2024-02-01T08:26:00Z'],
    ['timestamp', 'yyyyMMdd', '20240201 08:26', '2024-02-01T08:26:00Z'],
    ['timestamp', 'epoch_seconds', '1735669800.5', '2024-12-31T18:30:00.500Z'],
    ['timestamp', 'epoch_milliseconds', '1735669800500', '2024-12-31T18:30:00.500Z'],
    ['timestamp', 'epoch_seconds', '-1', '1969-12-31T23:59:59Z'],
    ['timestamp', 'epoch_seconds', '1735669800500', null],
    ['date', 'dd/MM/yyyy', '31/12/2024 00:00:00', '2024-12-31'],
    ['date', 'dd/MM/yyyy', '31/12/2024 10:00', null],
    ['date', 'yyyyMMdd', '20241231.0', '2024-12-31'],
    ['date', 'yyyyMMdd', '20241231.5', null],
    ['date', 'yyyyMMdd', '20240230', null],
    ['date', 'epoch_seconds', '1735669800', null],
    ['date', 'dd/MM/yyyy', '31/12/24', null],
    ['date', 'dd/MM/yyyy', '31/12.2024', null],
    ['date', 'dd/MM/yyyy', '29/02/2023', null],
    ['date', 'MM/dd/yyyy', '31/12/2024', null],
    ['timestamp', 'dd/MM/yyyy', '31/12/2024 24:00', null],
    ['timestamp', 'dd/MM/yyyy', '31/12/2024 9:05 PM', null],
  ])('as %s, of %s, %j is %j', (type, form, text, moment) => {
    expect(valueOfText(type, text, form)).toBe(moment === null ? Number.NaN : us(moment));
  });

  test('numbers of JSON are moments in the forms of numbers alone', () => {
    expect(readJsonValue('date', 20_241_231, 'yyyyMMdd')).toBe(us('2024-12-31'));
    expect(readJsonValue('date', 20_240_230, 'yyyyMMdd')).toBeNaN();
    expect(readJsonValue('date', 2_024_123.5, 'yyyyMMdd')).toBeNaN();
    expect(readJsonValue('timestamp', 1_735_669_800.25, 'epoch_seconds')).toBe(us('2024-12-31T18:30:00.250Z'));
    expect(readJsonValue('timestamp', 1_735_669_800, 'dd/MM/yyyy')).toBeNaN();
    expect(readJsonValue('timestamp', 1_735_669_800)).toBeNaN();
  });

  test('a date with a time of day is told as such, and a number of Parquet that is none with its number', async () => {
    expect(mismatch('date', '31/12/2024 10:00', 'dd/MM/yyyy').reason).toMatch(/: the time of day is not midnight$/);
    const path = await saveParquet('select unnest([20240229, 20230229, null]) v');
    const read = await readTable([path], [{ name: 'v', type: 'date', form: 'yyyyMMdd' }]);
    expect(cells(read.rows, 'v')).toEqual([us('2024-02-29'), null, null]);
    expect(read.rejects).toMatchObject([
      { row: 2, reason: 'expected a date such as 20241231 or 2024-12-31, found "20230229"', value: '20230229' },
    ]);
    const strict = { name: 'v', type: 'date', form: 'yyyyMMdd', required: true } as const;
    expect((await readTable([path], [strict])).rows.rows).toBe(1);
  });

  test('numbers too coarse for days, and numbers without a form, are no dates', async () => {
    const float = await saveParquet('select 20240229::float v');
    const whole = await saveParquet('select 20240229 v');
    await expect(readTable([float], [{ name: 'v', type: 'date', form: 'yyyyMMdd' }])).rejects.toThrow(/holds FLOAT/);
    await expect(readTable([whole], [{ name: 'v', type: 'date', form: 'dd/MM/yyyy' }])).rejects.toThrow(/INTEGER/);
    await expect(readTable([whole], [{ name: 'v', type: 'date' }])).rejects.toThrow(/INTEGER/);
  });
});

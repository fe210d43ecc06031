import type { Schemas } from '@lastro/sdk';

type Written = Pick<Schemas['ModelVersion']['inputs'][number], 'type' | 'format' | 'decimal_separator'>;

/**
 * A value of a file as its type writes it without a form of its own: `1234.56` for `1.234,56`, `2024-12-31` for
 * `31/12/2024`. What is not written in the input's form stays as it is; with a decimal comma, '' stands for
 * what is no number.
 */
export function plainText(text: string, { type, format, decimal_separator }: Written): string {
  if (decimal_separator === ',') return plainDecimal(text);
  return type === 'date' || type === 'timestamp' ? (plainMoment(text, format) ?? text) : text;
}

const decimal = /^([+-]?)(\d+|\d{1,3}(?:\.\d{3})+)?(?:,(\d+))?(e[+-]?\d+)?$/i;

function plainDecimal(text: string): string {
  const [, sign = '', whole, fraction, exponent = ''] = decimal.exec(text) ?? [];
  if (whole === undefined && fraction === undefined) return '';
  return `${sign}${whole?.replaceAll('.', '') ?? '0'}${fraction === undefined ? '' : `.${fraction}`}${exponent}`;
}

/** Where year, month and day stand in dates whose parts are apart. */
const places: Readonly<Record<string, readonly [year: number, month: number, day: number]>> = {
  'dd/MM/yyyy': [3, 2, 1],
  'MM/dd/yyyy': [3, 1, 2],
  'yyyy/MM/dd': [1, 2, 3],
};

function plainMoment(text: string, format: string | undefined): string | null {
  const clockOf = (rest: string) => rest.replace(/^([T ])(\d:)/, '$10$2');
  if (format === 'yyyyMMdd') {
    const [, year, month, day, rest = ''] = /^(\d{4})(\d\d)(\d\d)(?:\.0+$)?(.*)$/.exec(text) ?? [];
    return year === undefined ? null : `${year}-${month}-${day}${clockOf(rest)}`;
  }
  if (format === 'epoch_seconds' || format === 'epoch_milliseconds') {
    const count = text === '' ? Number.NaN : Number(text);
    const moment = new Date(Math.round(count * (format === 'epoch_seconds' ? 1000 : 1)));
    return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
  }
  const at = format === undefined ? undefined : places[format];
  const parts = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?!\d)(.*)$/.exec(text);
  if (!at || !parts) return null;
  const numbers = [parts[1], parts[3], parts[4]];
  const [year, month, day] = at.map((place) => numbers[place - 1]!);
  if (year!.length !== 4 || day!.length > 2) return null;
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}${clockOf(parts[5]!)}`;
}

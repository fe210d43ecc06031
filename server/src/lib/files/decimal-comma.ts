// Numbers as Brazil and most of Europe write them: 1.234,56.

/** Digits, which points may set off by threes, and a fraction after a comma; an exponent as spreadsheets write it. */
const written = /^([+-]?)(\d+|\d{1,3}(?:\.\d{3})+)?(?:,(\d+))?(e[+-]?\d+)?$/i;

/** A number written with a decimal comma, with a point and no thousands separator instead; null: it is none. */
export function plainDecimal(text: string): string | null {
  const [, sign = '', whole, fraction, exponent = ''] = written.exec(text.trim()) ?? [];
  if (whole === undefined && fraction === undefined) return null;
  return `${sign}${whole?.replaceAll('.', '') ?? '0'}${fraction === undefined ? '' : `.${fraction}`}${exponent}`;
}

/**
 * What the comma of a text is: the decimal sign (`0,5`, `12,50`, `1.234,567`), a mark that may as well set off
 * thousands (`1,234`), or null where the text has none or is no such number.
 */
export function commaOf(text: string): 'decimal' | 'either' | null {
  const [, , whole, fraction] = written.exec(text.trim()) ?? [];
  if (fraction === undefined) return null;
  const isGrouped = whole !== undefined && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3;
  return isGrouped ? 'either' : 'decimal';
}

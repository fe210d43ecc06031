/** What CSV does with texts that a spreadsheet would run: put an apostrophe before them, or leave them as they are. */
export const csvFormulas = ['escape', 'raw'] as const;
export type CsvFormulas = (typeof csvFormulas)[number];

/** How a formula begins, by OWASP's "CSV Injection"; the wide forms of the signs too. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-]?(?:\d{1,30}(?:[.,]\d{0,30})?|[.,]\d{1,30})(?:[eE][+-]?\d{1,3})?%?$/;

/**
 * The text with an apostrophe before it, when a spreadsheet would take it as a formula; it then shows the text without
 * the apostrophe. What is a plain number, such as -5 or +3.2, runs nothing and stays as it is.
 */
export function escapeFormula(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

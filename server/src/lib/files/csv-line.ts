import { escapeFormula } from './formulas.ts';

/** A line of CSV (RFC 4180), without texts that a spreadsheet would run as formulas. Null is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(escapeFormula(cell ?? ''))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

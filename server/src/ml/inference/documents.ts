import { isCnpj, isCpf, isMistypedDocument } from '../../lib/brazil-documents.ts';
import type { Column } from '../../lib/files/column.ts';
import { keyTextOf } from '../graph/key-text.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { subjectsOf } from '../version/subjects.ts';
import type { Version } from '../version/version.ts';

/** Keys that are looked at, spread over a table, and as few of which say nothing. */
const keysSeen = 500;
const keysLeast = 20;
/** Keys are documents where at least so many of them are; some may be mistyped in the data themselves. */
const documentsShareMin = 0.98;

/** The inputs of a version that name somebody by CPF or CNPJ: by the data, as a contract need not say so. */
export function documentInputs(version: Version, tables: Tables): ReadonlySet<string> {
  const named = subjectsOf(version).filter(({ table }) => areDocuments(tables.get(table)!));
  return new Set(named.map(({ input }) => input));
}

function areDocuments(table: Table): boolean {
  const step = Math.max(1, Math.floor(table.rows / keysSeen));
  const keys: string[] = [];
  for (let row = 0; row < table.rows; row += step) {
    const key = keyTextOf(table, row);
    if (key !== null) keys.push(key);
  }
  const documents = keys.filter((key) => isCpf(key) || isCnpj(key)).length;
  return keys.length >= keysLeast && documents >= documentsShareMin * keys.length;
}

/**
 * Whether a row names something by a document whose check digits are wrong, or by what is none at all though all others
 * are named by one (`documentInputs`).
 */
export function isMistyped(column: Column | undefined, row: number, isByDocument: boolean): boolean {
  if (column?.kind !== 'text' || column.codes[row] < 0) return false;
  const text = column.dictionary[column.codes[row]];
  return isMistypedDocument(text) || (isByDocument && !isCpf(text) && !isCnpj(text));
}

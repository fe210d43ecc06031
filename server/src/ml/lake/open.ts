import { thawTables } from '../graph/frozen.ts';
import { withIdentifiers } from '../graph/named.ts';
import type { Tables } from '../graph/tables.ts';
import { openIdentifiers } from './identifiers.ts';

/**
 * Opens frozen tables, asked by the names of a dictionary (a file of `writeIdentifiers`; null where there is none).
 * Needs no DuckDB. Throws Failure 'not_found', 'invalid'.
 */
export async function openTables(frozen: string, identifiers: string | null): Promise<Tables> {
  const tables = await thawTables(frozen);
  return identifiers === null ? tables : withIdentifiers(tables, await openIdentifiers(identifiers));
}

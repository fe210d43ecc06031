import { thawTables } from '../graph/frozen.ts';
import { withIdentifiers } from '../graph/named.ts';
import type { Tables } from '../graph/tables.ts';
import { openIdentifiers } from './identifiers.ts';

/**
 * Opens frozen tables. `identifiers` is a file of `writeIdentifiers`, by whose identifiers the tables are looked up;
 * null when there is none. With `isShared` threads share the memory of the tables. Does not need DuckDB. Throws
 * Failure 'not_found' and 'invalid'.
 */
export async function openTables(frozen: string, identifiers: string | null, isShared = false): Promise<Tables> {
  const tables = await thawTables(frozen, isShared);
  return identifiers === null ? tables : withIdentifiers(tables, await openIdentifiers(identifiers));
}

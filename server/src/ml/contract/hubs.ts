import { identifierShape, isCalledAfter, isNamedAfter, subjectOf, wordsOf } from './names.ts';
import { isUnique, type Profile, type TableProfile } from './profile.ts';

/** For each unique column that repeats another table's identifier, once per row: the column it copies. */
export type Hubs = ReadonlyMap<Profile, Profile>;

type Holder = { readonly table: TableProfile; readonly column: Profile };

const inclusionMin = 0.9;

/**
 * When several tables hold the same identifier once per row, one of them is the hub and all others extend it. The
 * values alone cannot tell which. The hub is the table that has no other identifier, is named after the column or
 * begins with it, holds the most of the values, and has the most other columns.
 */
export function findHubs(tables: readonly TableProfile[], rowNumbers: ReadonlySet<string>): Hubs {
  const holders = tables.flatMap((table) =>
    table.columns.filter((column) => isUnique(column) && isTextOrWhole(column)).map((column) => ({ table, column })),
  );
  const telling = holders.filter(
    ({ column }) =>
      identifierShape(column.name) > 0 && subjectOf(column.name).length > 0 && !rowNumbers.has(nameOf(column)),
  );
  const hubs = new Map<Profile, Profile>();
  for (const holder of telling) {
    const hub = plainHub(holder, holders) ?? namesakeHub(holder, telling, tables);
    if (hub !== null) hubs.set(holder.column, hub.column);
  }
  return hubs;
}

/**
 * Whether a column identifies the rows of its own table, and not those of a table they belong to. It is called `id`,
 * the table is named after it, or it is the first column and no other table has its name.
 */
export function isOwnIdentifier(table: TableProfile, column: Profile, tables: readonly TableProfile[]): boolean {
  if (!isUnique(column) || !isTextOrWhole(column) || identifierShape(column.name) === 0) return false;
  if (subjectOf(column.name).length === 0 || isCalledAfter(table.name, column.name)) return true;
  return column.position === 0 && !tables.some((other) => other !== table && isNamedAfter(column.name, other.name));
}

/** The table whose column `id` a column copies under the name of that table: `book_id` for `books.id`. */
function plainHub({ table, column }: Holder, holders: readonly Holder[]): Holder | null {
  if (isCalledAfter(table.name, column.name)) return null;
  const hub = holders.find(
    (other) =>
      other.table !== table &&
      identifierShape(other.column.name) === 2 &&
      subjectOf(other.column.name).length === 0 &&
      isNamedAfter(column.name, other.table.name) &&
      isWithin(column, other.column),
  );
  return hub ?? null;
}

function namesakeHub(holder: Holder, telling: readonly Holder[], tables: readonly TableProfile[]): Holder | null {
  const namesakes = telling.filter(({ column }) => nameOf(column) === nameOf(holder.column));
  if (namesakes.length < 2) return null;
  const most = {
    values: Math.max(...namesakes.map(({ column }) => column.distinct)),
    columns: Math.max(...namesakes.map(({ table }) => table.columns.length)),
  };
  const ranked = namesakes
    .filter((other) => other === holder || (other.table !== holder.table && isWithin(holder.column, other.column)))
    .map((other) => ({ other, score: hubScore(other, most, tables) }));
  // The sort is stable: among equals the first table is the hub, and the same for all holders of the column.
  const best = ranked.sort((a, b) => b.score - a.score)[0].other;
  return best === holder ? null : best;
}

function hubScore(
  { table, column }: Holder,
  most: { readonly values: number; readonly columns: number },
  tables: readonly TableProfile[],
): number {
  const hasOther = table.columns.some((other) => other !== column && isOwnIdentifier(table, other, tables));
  return (
    (hasOther ? 0 : 4) +
    (isCalledAfter(table.name, column.name) ? 4 : 0) +
    (column.position === 0 ? 2 : 0) +
    (column.distinct / most.values) * 6 +
    table.columns.filter((other) => identifierShape(other.name) === 0).length / most.columns +
    (table.columns.some(({ type }) => type === 'date' || type === 'timestamp') ? 0.5 : 0)
  );
}

function isWithin(column: Profile, other: Profile): boolean {
  if (column.type !== other.type || column.distinct * inclusionMin > other.distinct) return false;
  const values = new Set(other.texts);
  return column.texts.filter((text) => values.has(text)).length >= column.distinct * inclusionMin;
}

function isTextOrWhole(column: Profile): boolean {
  return column.type === 'integer' || column.type === 'string';
}

function nameOf(column: Profile): string {
  return wordsOf(column.name).join();
}

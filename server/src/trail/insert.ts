import type { Columns } from './audit-entry.ts';

/** The SQL that inserts rows from one `text[]` parameter per column; the first parameter is `$first`. */
export function insertText(table: string, columns: Columns<never>, first: number): string {
  const names = Object.keys(columns);
  const values = names.map((name) => (columns[name].type === 'text' ? name : `${name}::${columns[name].type}`));
  const arrays = names.map((_, at) => `$${first + at}::text[]`);
  return `insert into ${table} (${names.join(', ')})
      select ${values.join(', ')} from unnest(${arrays.join(', ')}) as item (${names.join(', ')})`;
}

/** The values of each column as texts, in the columns' order. */
export function columnTexts<T>(columns: Columns<T>, rows: readonly T[]): (string | null)[][] {
  return Object.values(columns).map(({ read }) => rows.map(read));
}

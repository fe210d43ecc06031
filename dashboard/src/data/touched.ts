import { nameInQuery } from '../tasks/name-in-query.ts';
import type { ContractTable } from './contract.ts';
import type { Change } from './report.ts';

/** A column, or (`column` is null) how the rows of a table are told apart, dated or named. */
export type Touched = { readonly table: string; readonly column: string | null };

/** Of a table itself, in the paths of changes. */
const ofTable = ['key', 'eventTime', 'knownAt', 'entityKind'];

/** What changes are about, among the tables of before: what is new nobody reads yet. */
export function touchedBy(
  changes: readonly Pick<Change, 'path'>[],
  tables: readonly Pick<ContractTable, 'name' | 'columns'>[],
): readonly Touched[] {
  const paths = changes.map(({ path }) => path);
  return tables.flatMap(({ name: table, columns }) => [
    ...(paths.some((path) => path === table || ofTable.some((field) => path === `${table}.${field}`))
      ? [{ table, column: null }]
      : []),
    ...columns
      // Names may have dots: a path is held against those that there are, and not taken apart.
      .filter(({ name }) => paths.some((path) => path === `${table}.${name}` || path.startsWith(`${table}.${name}.`)))
      .map(({ name }) => ({ table, column: name })),
  ]);
}

/** What a feature of a model reads. */
export type ReadFeature = {
  readonly table: string | null;
  readonly columns: readonly string[];
  readonly path: readonly string[];
};

/** The models that read any of it, by name, and those that may: whose features are not all known (`isWhole`). */
export function readersOf(
  models: readonly {
    readonly name: string;
    readonly features: readonly ReadFeature[];
    readonly isWhole: boolean;
  }[],
  touched: readonly Touched[],
): { readonly reading: readonly string[]; readonly untold: readonly string[] } {
  const [reading, others] = [true, false].map((isIt) => models.filter((one) => isRead(one.features, touched) === isIt));
  return {
    reading: reading.map(({ name }) => name),
    untold: others.filter(({ isWhole }) => !isWhole).map(({ name }) => name),
  };
}

/** Whether features of a model read any of it. */
export function isRead(features: readonly ReadFeature[], touched: readonly Touched[]): boolean {
  return features.some((feature) =>
    touched.some(({ table, column }) =>
      column === null ? feature.table === table : [...feature.columns, ...feature.path].includes(`${table}.${column}`),
    ),
  );
}

/** Whether the definition of a task names any of it: the table, and of a column the column too. */
export function isNamed(definition: string, touched: readonly Touched[]): boolean {
  const has = (name: string) => [nameInQuery(name), name].some((one) => wordOf(one).test(definition));
  return touched.some(({ table, column }) => has(table) && (column === null || has(column)));
}

const wordOf = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d_])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\d_])`, 'u');

import { Failure } from '../../lib/failure.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import type { Feature } from '../features/feature.ts';
import type { Steering } from '../tasks/task.ts';
import { reasonCode } from './factors.ts';
import { categoriesRead, columnsRead, type LineageSource, referencesRead, tableRead, tablesRead } from './lineage.ts';

/** Which features a task lets be read, and which it keeps. Only ever narrows what the tables offer. */
export type OpenSteering = {
  readonly mayRead: (feature: Feature) => boolean;
  readonly isKept: (feature: Feature) => boolean;
  /**
   * Of the paths, those that no feature asked about so far has to do with. Throws Failure 'invalid' where one of them
   * is neither a column nor a table, so that it can only be a misspelt code.
   */
  readonly unmatched: (name: string) => string[];
};

/**
 * Prepares the words of a task. A path is a column (`table.column`), a table, or a code as lists of features print it.
 * `drop` matches a feature that reads or passes any of them; `only` and `keep` one that is about them: all that it
 * reads is named, or a reference that it follows, or its code.
 */
export function openSteering(source: LineageSource, { only, drop = [], keep = [] }: Steering = {}): OpenSteering {
  const [onlySet, dropSet, keepSet] = [new Set(only), new Set(drop), new Set(keep)];
  const all = [...new Set([...(only ?? []), ...drop, ...keep])];
  const met = new Set<string>();
  const codes = new Set<string>();
  const isSteered = all.length > 0;
  const isAbout = (paths: ReadonlySet<string>, { subjects, references, code }: Touched) =>
    paths.has(code) ||
    references.some((reference) => paths.has(reference)) ||
    (subjects.length > 0 && subjects.every(({ name, table }) => paths.has(name) || paths.has(table)));
  return {
    mayRead: (feature) => {
      if (!isSteered) return true;
      const touched = touchedBy(source, feature);
      const names = [
        touched.code,
        ...touched.references,
        ...touched.subjects.flatMap(({ name, table }) => [name, table]),
      ];
      codes.add(touched.code);
      for (const name of [...names, ...touched.tables]) met.add(name);
      if ([...names, ...touched.tables].some((name) => dropSet.has(name))) return false;
      return only === undefined || isAbout(onlySet, touched);
    },
    isKept: (feature) => keep.length > 0 && isAbout(keepSet, touchedBy(source, feature)),
    unmatched: (name) => {
      const missed = all.filter((path) => !met.has(path));
      const known = new Set(
        source.contract.tables.flatMap((table) => [
          table.name,
          ...table.columns.map((column) => `${table.name}.${column.name}`),
        ]),
      );
      const wrong = missed.find((path) => !known.has(path) && !path.startsWith('@'));
      if (wrong === undefined) return missed;
      throw new Failure(
        'invalid',
        `task ${name}: features names ${wrong}, which is neither a column (table.column), a table nor the code of a feature${didYouMean(wrong, [...known, ...codes])}`,
      );
    },
  };
}

type Touched = {
  /** What a feature is about: the columns that it reads; where it reads none, the table whose rows it counts. */
  readonly subjects: readonly { readonly name: string; readonly table: string }[];
  readonly references: readonly string[];
  readonly tables: readonly string[];
  readonly code: string;
};

function touchedBy(source: LineageSource, feature: Feature): Touched {
  const references = referencesRead(source, feature);
  const columns = columnsRead(source, feature).map(({ table, column }) => ({
    name: `${table?.name}.${column.name}`,
    table: `${table?.name}`,
  }));
  // A category that leads to its value's history is read itself.
  const categories = categoriesRead(source, feature).map(({ table, column }) => ({
    name: `${table!.name}.${column.name}`,
    table: table!.name,
  }));
  const read = tableRead(source, feature);
  const subjects = [...columns, ...categories];
  return {
    subjects: subjects.length > 0 || read === undefined ? subjects : [{ name: read, table: read }],
    references,
    tables: [...tablesRead(source, feature)],
    code: reasonCode(feature),
  };
}

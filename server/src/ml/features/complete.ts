import { pathOf, type Signal } from '../events/signals.ts';
import { referenceName, type Sampled } from '../graph/sample.ts';
import { type Events, type Feature, type Focus, isComparison, labelsTable, type Read } from './feature.ts';
import { type Graph, targetTable } from './graph.ts';

/**
 * Whether a feature of rows of `entity` is the same over a sample as over all rows. All rows that hang on what was
 * drawn are in the sample. Of what several share (a region, all rows together) it has only some events; references that
 * are loose lead out of it; and of earlier labels it has those of its own rows alone.
 */
export function openCompleteness(
  graph: Graph,
  entity: string,
  { partitioned, loose }: Pick<Sampled, 'partitioned' | 'loose'>,
): (feature: Feature) => boolean {
  /** Whether a path of references from a table stays in the sample. */
  const staysInside = (table: string, path: readonly string[]): boolean => {
    let name = table;
    for (const column of path) {
      if (loose.has(referenceName(name, column))) return false;
      name = graph.table(name).references.get(column)?.table ?? name;
    }
    return true;
  };
  const areWhole = (events: Events): boolean => {
    if (events.when && !staysInside(events.table, events.when.path)) return false;
    if (events.table === labelsTable) return false;
    return partitioned.has(targetTable(graph, events)) || !partitioned.has(events.table);
  };
  const isSignalWhole = (table: string, signal: Signal): boolean => {
    switch (signal.kind) {
      case 'column':
      case 'interval':
        return staysInside(table, pathOf(signal));
      case 'reference':
        return staysInside(table, [signal.column]);
      case 'rank':
        return areWhole({ table, via: [signal.within] }) && staysInside(table, [signal.within]);
    }
  };
  const isReadWhole = (table: string | null, read: Read): boolean => {
    if (!('events' in read)) return read.kind !== 'words' && !(read.kind === 'embedding' && !read.of);
    const { events } = read;
    // A smoothed mean is drawn to that of all rows.
    if (read.kind === 'number' && read.aggregate === 'smoothed' && partitioned.has(events.table)) return false;
    if ('signal' in read && !isSignalWhole(events.table, read.signal)) return false;
    if (read.kind === 'rating' && !staysInside(events.table, [read.against])) return false;
    if (isComparison(read) && table !== null && !staysInside(table, events.via)) return false;
    return areWhole(events);
  };
  /** The table whose row a focus is, null for all rows together; undefined where it is not whole. */
  const tableOf = (focus: Focus): string | null | undefined => {
    if (focus.kind === 'root') return entity;
    if (focus.kind === 'all') return null;
    const of = tableOf(focus.of);
    if (of === undefined) return undefined;
    if (focus.kind === 'last' || focus.kind === 'recent')
      return areWhole(focus.events) && staysInside(focus.events.table, [focus.to])
        ? targetTable(graph, { table: focus.events.table, via: [focus.to] })
        : undefined;
    if (of === null) return undefined;
    const followed = focus.kind === 'apart' ? [focus.reference, focus.from] : [focus.reference];
    return followed.every((column) => staysInside(of, [column]))
      ? targetTable(graph, { table: of, via: [focus.reference] })
      : undefined;
  };
  return ({ focus, read }) => {
    const table = tableOf(focus);
    return table !== undefined && isReadWhole(table, read);
  };
}

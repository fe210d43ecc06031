import type { ColumnContract, Contract, TableContract } from '../contract/contract.ts';
import { pathOf, type Signal } from '../events/signals.ts';
import { allTable, type Events, type Feature, type Focus, labelsTable } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { pairOf } from '../graph/pairs.ts';
import { decidingObjective } from '../kinds/kinds.ts';
import type { Task } from '../tasks/task.ts';
import { snake } from './names.ts';

/** What is known of a feature's task: the entity table, its kind, and what is predicted. */
export type KnownTask = Partial<{
  readonly [Name in 'entity' | 'kind' | 'target' | 'label']: Task[Name] | undefined;
}> & {
  /** Whether it asks about each row once, as a new row. */
  readonly fresh?: boolean | undefined;
};

/**
 * The form in which a version tells its reasons, as stored in it: what was answered is told again in the same words.
 * Since 2, sums of rates are told as what they are, a usual value says against what it moves the answer, and reasons
 * that read the same on two paths are one. Since 3, what came of earlier cases is told as a sentence, and a stretch of
 * the past that is longer than the data as all of it. Since 4, what is said of rows stands before which rows they are,
 * and a time that the rows are of after whose they are.
 */
export type ReasonsForm = 2 | 3 | 4;
export const newestReasons: ReasonsForm = 4;

/** Whether reasons are told in this form, or in a newer one. */
export function isToldSince({ reasons }: Telling, form: ReasonsForm): boolean {
  return reasons !== undefined && reasons >= form;
}

/** How many days of each table's rows there were, by the newest moment that a version learned from. */
export type History = Readonly<Record<string, number>>;

/** How a version tells: `history` of what it learned from, where it says it. */
export type Telling = { readonly reasons?: ReasonsForm | undefined; readonly history?: History | undefined };

/** The contract in which a feature's names are looked up, the task, and how it is told. */
export type LineageSource = KnownTask & Telling & { readonly contract: Contract };

/**
 * A column whose values a feature reads. `table` is undefined if the entity is not given and several tables have the
 * column.
 */
export type ReadColumn = {
  readonly table: TableContract | undefined;
  readonly column: ColumnContract;
  readonly isReference: boolean;
};

/** The contract of the tables of a graph, without tables of our own. */
export function contractOf({ tables }: Pick<Graph, 'tables'>): Contract {
  const own = [...tables.values()].map(({ contract }) => contract).filter(({ name }) => !name.startsWith('@'));
  return { id: '', version: '', tables: own };
}

export function tableOf(source: LineageSource, name: string | undefined): TableContract | undefined {
  return source.contract.tables.find((table) => table.name === name);
}

/**
 * The table that a reference leads to. Labels refer to their entity by 'entity', and to neighbors by `table.reference`.
 */
export function referredTable(source: LineageSource, table: string | undefined, reference: string): string | undefined {
  if (table === labelsTable) {
    if (reference === 'entity') return source.entity;
    const dot = reference.lastIndexOf('.');
    return referredTable(source, reference.slice(0, dot), reference.slice(dot + 1));
  }
  const found = tableOf(source, table)?.references.find(({ column }) => column === reference);
  if (found || table !== undefined) return found?.table;
  // Without an entity, a reference name that leads to a single table in the whole contract is still unambiguous.
  const ends = new Set(
    source.contract.tables.flatMap((each) =>
      each.references.flatMap((candidate) => (candidate.column === reference ? [candidate.table] : [])),
    ),
  );
  return ends.size === 1 ? [...ends][0] : undefined;
}

/** The table of the focus row; undefined for all rows together, or where it is not known. */
export function focusTable(source: LineageSource, focus: Focus): string | undefined {
  switch (focus.kind) {
    case 'root':
      return source.entity;
    case 'all':
      return undefined;
    case 'parent':
    case 'apart':
      return referredTable(source, focusTable(source, focus.of), focus.reference);
    case 'last':
    case 'recent':
      return referredTable(source, focus.events.table, focus.to);
  }
}

/** Columns of this name in the table; if the table is not known, in every table. */
export function columnsNamed(source: LineageSource, table: string | undefined, name: string): ReadColumn[] {
  const tables = table === undefined ? source.contract.tables : source.contract.tables.filter((t) => t.name === table);
  return tables.flatMap((each) =>
    each.columns.flatMap((column) =>
      column.name === name
        ? [{ table: each, column, isReference: each.references.some((reference) => reference.column === name) }]
        : [],
    ),
  );
}

/** Every column whose values the feature reads; with an unknown table, every column it may read. */
export function columnsRead(source: LineageSource, feature: Feature): ReadColumn[] {
  const found = columnsOfRead(source, feature);
  const events = 'events' in feature.read ? feature.read.events : undefined;
  if (!events?.when) return found;
  const { path, column } = events.when;
  return [...found, ...columnsNamed(source, endOf(source, events.table, path), column)];
}

function columnsOfRead(source: LineageSource, { focus, read }: Feature): ReadColumn[] {
  if ('signal' in read) {
    const { signal, events } = read;
    const found = columnsNamed(source, signalTable(source, events.table, signal), signal.column);
    const from = signal.kind === 'interval' ? signal.from : undefined;
    return from === undefined ? found : [...found, ...columnsNamed(source, events.table, from)];
  }
  if ('column' in read)
    return columnsNamed(source, 'events' in read ? read.events.table : focusTable(source, focus), read.column);
  if (read.kind !== 'age') return [];
  const name = focusTable(source, focus);
  const tables = name === undefined ? source.contract.tables : source.contract.tables.filter((t) => t.name === name);
  return tables.flatMap((table) =>
    table.time && 'column' in table.time ? columnsNamed(source, table.name, table.time.column) : [],
  );
}

/** The first column a feature reads, as `table.column`; the table whose rows it counts, where it reads none. */
export function placeRead(source: LineageSource & { readonly entity: string }, feature: Feature): string {
  const [read] = columnsRead(source, feature);
  if (read?.table) return `${read.table.name}.${read.column.name}`;
  return 'events' in feature.read ? feature.read.events.table : source.entity;
}

/**
 * The table whose rows a feature reads: of a column, the one that has it. Undefined where it reads no rows, or those
 * that all anchors share.
 */
export function tableRead(source: LineageSource, { focus, read }: Feature): string | undefined {
  if ('signal' in read) return signalTable(source, read.events.table, read.signal);
  if ('events' in read) return read.events.table;
  return read.kind === 'calendar' || read.kind === 'data_age' ? undefined : focusTable(source, focus);
}

/**
 * The references that a feature follows, as `table.column`, from the row that is asked about outward. The name of a
 * table that is not known is empty.
 */
export function referencesRead(source: LineageSource, { focus, read }: Feature): string[] {
  const followed: string[] = [];
  const add = (table: string | undefined, steps: readonly string[]) => {
    const names: string[] = [];
    steps.reduce<string | undefined>((at, step) => {
      // References of labels are named as those of the rows they come from.
      if (at === labelsTable) names.push(...(step.includes('.') ? [step] : []));
      else if (step !== allTable) names.push(...(pairOf(step) ?? [step]).map((link) => `${at ?? ''}.${link}`));
      return referredTable(source, at, step);
    }, table);
    return names;
  };
  const addEvents = ({ table, via, when }: Events) => {
    followed.push(...add(table, via).reverse());
    if (when) followed.push(...add(table, when.path));
  };
  const addFocus = (each: Focus) => {
    if (each.kind === 'root' || each.kind === 'all') return;
    addFocus(each.of);
    if (each.kind === 'parent') followed.push(...add(focusTable(source, each.of), [each.reference]));
    else if (each.kind === 'apart')
      followed.push(...[each.reference, each.from].flatMap((step) => add(focusTable(source, each.of), [step])));
    else {
      addEvents(each.events);
      followed.push(...add(each.events.table, [each.to]));
    }
  };
  addFocus(focus);
  if ('events' in read) addEvents(read.events);
  if (read.kind === 'rating') followed.push(...add(source.entity, [read.against]));
  if ('signal' in read) {
    const { signal } = read;
    followed.push(...add(read.events.table, pathOf(signal)));
    if (signal.kind === 'rank') followed.push(...add(read.events.table, [signal.within]));
  }
  return [...new Set(followed)];
}

/** The categories by whose value a feature chooses the rows that it reads, such as those with the same bank. */
export function categoriesRead(source: LineageSource, feature: Feature): ReadColumn[] {
  return referencesRead(source, feature).flatMap((name) => {
    const table = source.contract.tables.find((each) => name.startsWith(`${each.name}.`))?.name;
    if (table === undefined && !name.startsWith('.')) return [];
    const column = name.slice((table ?? '').length + 1);
    return columnsNamed(source, table, column).filter(({ isReference }) => !isReference);
  });
}

/** Every table whose rows a feature reads, besides the root rows themselves. */
export function tablesRead(source: LineageSource, { focus, read }: Feature): ReadonlySet<string> {
  const tables = new Set<string | undefined>();
  const addEvents = ({ table, via, when }: Events) => {
    tables.add(table);
    if (when) tables.add(endOf(source, table, when.path));
    via.reduce<string | undefined>((at, step) => {
      const next = referredTable(source, at, step);
      tables.add(next);
      return next;
    }, table);
  };
  const addFocus = (each: Focus) => {
    if (each.kind === 'root' || each.kind === 'all') return;
    addFocus(each.of);
    if ('events' in each) addEvents(each.events);
    tables.add(focusTable(source, each));
    if (each.kind === 'parent' || each.kind === 'apart')
      for (const link of pairOf(each.reference) ?? [])
        tables.add(referredTable(source, focusTable(source, each.of), link));
  };
  addFocus(focus);
  if ('events' in read) addEvents(read.events);
  if ('signal' in read) tables.add(signalTable(source, read.events.table, read.signal));
  return new Set([...tables].filter((name) => name !== undefined));
}

/** The table of a signal's column. */
export function signalTable(source: LineageSource, table: string, signal: Signal): string {
  return endOf(source, table, pathOf(signal));
}

/** Whether a signal is 1 or 0 for each event: a yes-or-no column, a word, or the outcome of a yes-or-no question. */
export function isFlag(source: LineageSource, table: string, signal: Signal): boolean {
  if (signal.kind !== 'column') return false;
  if (table === labelsTable && signal.path.length === 0)
    return source.kind !== undefined && decidingObjective(source.kind) === 'binary';
  if (signal.word !== undefined) return true;
  return columnsNamed(source, signalTable(source, table, signal), signal.column)[0]?.column.type === 'boolean';
}

/**
 * The steps to a focus that tell events apart: those where a table refers to the next one by several references, or to
 * no table at all. Events of a table that are reached without such a step are the same ones on any path.
 */
export function tellingSteps(source: LineageSource, { table, via }: Events): readonly string[] {
  const telling: string[] = [];
  let at: string | undefined = table;
  for (const step of via) {
    const end = referredTable(source, at, step);
    const owner = at === labelsTable && step !== 'entity' ? step.slice(0, step.lastIndexOf('.')) : at;
    const alike = tableOf(source, owner)?.references.filter((reference) => reference.table === end).length ?? 1;
    if (end === undefined || alike > 1) telling.push(step);
    at = end;
  }
  return telling;
}

/** Units, and the first or last word of names, of columns whose sum over rows is no amount. */
const rateUnits = /^(%|percent|ratio|rate|share)|\bper\b|[/%]|\ba\.[ma]\.|\bao (dia|m[eê]s|ano)\b/i;
const rateNames: ReadonlySet<string> = new Set([
  ...['rate', 'ratio', 'share', 'percent', 'percentage', 'pct'],
  ...['taxa', 'percentual', 'porcentagem', 'proporcao', 'aliquota', 'indice'],
]);

/** Whether a signal is a rate, a share or a percentage of each event, by the unit or the name of its column. */
export function isRate(source: LineageSource, table: string, signal: Signal): boolean {
  if (signal.kind !== 'column' || signal.word !== undefined) return false;
  const [found] = columnsNamed(source, signalTable(source, table, signal), signal.column);
  if (!found) return false;
  if (found.column.unit !== undefined) return rateUnits.test(found.column.unit);
  const words = snake(found.column.name).split('_');
  return rateNames.has(words[0]) || rateNames.has(words.at(-1)!);
}

/** The table that a path of references from a table leads to. */
function endOf(source: LineageSource, table: string, path: readonly string[]): string {
  return path.reduce((at, step) => referredTable(source, at, step) ?? at, table);
}

/** Which of several references the events lead to their focus by; undefined when there is only one. */
export function roleOf(
  source: LineageSource,
  events: Events,
): { kind: 'as' | 'through'; reference: string } | undefined {
  const [first, second] = events.via;
  if (events.table === labelsTable && first === 'entity' && second !== undefined && source.entity !== undefined)
    return roleOf(source, { table: source.entity, via: events.via.slice(1) });
  if (first === undefined || first === allTable || events.table === labelsTable) return undefined;
  const pair = pairOf(first);
  if (pair) return roleOf(source, { table: events.table, via: [pair[0]] });
  const references = tableOf(source, events.table)?.references ?? [];
  const end = events.via.reduce<string | undefined>((at, step) => referredTable(source, at, step), events.table);
  const direct = references.filter(({ table }) => table === end).length;
  if (events.via.length === 1) return direct > 1 ? { kind: 'as', reference: first } : undefined;
  const indirect = references.flatMap(({ table }) =>
    (tableOf(source, table)?.references ?? []).filter((next) => next.table === end),
  ).length;
  return direct + indirect > 1 ? { kind: 'through', reference: first } : undefined;
}

import type { Column, Rows } from '../../lib/files/column.ts';
import { type Feature, isComparison, tellsRowsApart } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { openReference } from '../graph/as-of/references.ts';
import { isThere } from '../graph/as-of/rows.ts';
import { featureGains } from '../heads/gains.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { referencesRead } from '../version/schema.ts';
import type { Version } from '../version/version.ts';
import { isMistyped } from './documents.ts';

/** Something that the model reads and that was not known of a row. */
export type Unknown = {
  /**
   * 'input': it was not given. 'entity': the row it refers to, or is about, was not in the data. 'value': its text was
   * not. 'history': that row was, and none of its events that the model reads.
   */
  readonly kind: 'input' | 'entity' | 'value' | 'history';
  /** The input; of an entity and its history the input that names it. */
  readonly name: string;
  /** The share of the model's importance that comes by it, 0 to 1. What comes by several counts for each. */
  readonly importance: number;
};

export type Coverage = {
  /** Per row: 'full' when nothing is unknown, 'none' when everything is, else 'partial'. */
  readonly level: Column;
  /** Per row: the share of the model's importance whose features have a value, 0 to 1. */
  readonly share: Float64Array;
  /** What is unknown of a row, the most important first. */
  unknown(row: number): Unknown[];
  /** By input: the rows that name by it what was not in the data. */
  readonly absent: ReadonlyMap<string, readonly number[]>;
  /** By input: the rows that name nobody by it, though nearly all rows of the data do. */
  readonly unnamed: ReadonlyMap<string, readonly number[]>;
  /** By input: those of them that name it by a mistyped document (`isMistyped`). */
  readonly mistyped: ReadonlyMap<string, readonly number[]>;
};

type Check = {
  readonly unknown: Unknown;
  /** Of an entity: whether a row names one. */
  readonly isNamed?: (row: number) => boolean;
  /** Whether nearly all rows of the data name one. */
  readonly isUsual?: boolean;
  /** Whether it is known of a row. */
  readonly isKnown: (row: number) => boolean;
};

const levels = ['full', 'partial', 'none'];
/** Where at least this share of the rows of the data name an entity, one that names none is said. */
const usualShareMin = 0.95;
/** Shares are told to this many digits after the point. */
const shareDigits = 4;

/**
 * Prepares to tell how much of what a version reads was known of a row. What is the same for all rows, such as base
 * rates and the calendar, does not count. Of the matrix given later, NaN is what is not known of the row itself.
 * `bringsVector`: the row brings an embedding, by which something is known of it. `documents`: as of
 * `documentInputs`.
 */
export function openCoverage(
  version: Version,
  graph: Graph,
  documents: ReadonlySet<string>,
): (rows: Rows, anchors: Anchors, matrix: FeatureMatrix, bringsVector: (row: number) => boolean) => Coverage {
  const { features, outputs, fresh } = version;
  const heads = outputs.map(({ head }) => head);
  const gained = featureGains(heads, features.length);
  // Of a model that learned nothing all features count alike.
  const gains = gained.some((gain) => gain > 0) ? gained : gained.fill(1);
  const own = features.flatMap((feature, f) => (gains[f] > 0 && tellsRowsApart(feature) ? [f] : []));
  const total = own.reduce((sum, f) => sum + gains[f], 0);
  const importanceOf = (which: readonly number[]) => rounded(which.reduce((sum, f) => sum + gains[f], 0) / total);
  const key = keyColumnOf(version);
  const inputs = fresh ? Map.groupBy(own, (f) => ownColumn(features[f])) : new Map<string | null, number[]>();
  const entities = fresh
    ? Map.groupBy(
        own.flatMap((f) => referencesRead(features[f]).map((reference) => ({ f, reference }))),
        ({ reference }) => reference,
      )
    : new Map([[key, own.map((f) => ({ f, reference: key }))]]);

  const usual = new Set([...entities.keys()].filter((name) => fresh && isUsuallyNamed(graph, version, name)));

  return (rows, anchors, matrix, bringsVector) => {
    const { table, readableUntil } = anchors;
    const isFilled = (f: number, row: number) => !Number.isNaN(matrix.values[f * matrix.rows + row]);
    const checks: Check[] = [];
    for (const [column, which] of inputs) {
      if (column === null || entities.has(column)) continue;
      checks.push({
        unknown: { kind: 'input', name: column, importance: importanceOf(which) },
        isKnown: givenIn(rows.columns.get(column)),
      });
    }
    for (const [name, group] of entities) {
      const which = group.map(({ f }) => f);
      const importance = importanceOf(which);
      const isValue = fresh && graph.table(version.task.entity).references.get(name)?.values === true;
      const find = fresh
        ? follow(anchors, graph, name)
        : (row: number) => isThere(table, anchors.rows[row], readableUntil[row]);
      checks.push({
        unknown: { kind: isValue ? 'value' : 'entity', name, importance },
        isKnown: find,
        isNamed: givenIn(rows.columns.get(name)),
        isUsual: usual.has(name),
      });
      const events = which.filter((f) => readsEvents(features[f], fresh ? name : null));
      if (events.length === 0) continue;
      const tells = events.map((f) => ({ f, isCount: isCount(features[f]) }));
      checks.push({
        unknown: { kind: 'history', name, importance: importanceOf(events) },
        // Of nobody there is no history either, which is not told twice.
        isKnown: (row) =>
          !find(row) ||
          tells.some(({ f, isCount }) => (isCount ? matrix.values[f * matrix.rows + row] > 0 : isFilled(f, row))),
      });
    }
    const share = new Float64Array(matrix.rows);
    for (const f of own)
      for (let row = 0; row < matrix.rows; row++) if (isFilled(f, row)) share[row] += gains[f] / total;
    const codes = new Int32Array(matrix.rows);
    const absent = new Map<string, number[]>();
    const unnamed = new Map<string, number[]>();
    const mistyped = new Map<string, number[]>();
    for (let row = 0; row < matrix.rows; row++) {
      let known = 0;
      let things = 0;
      let isWhole = true;
      for (const { unknown, isKnown, isNamed, isUsual } of checks) {
        const is = isKnown(row);
        if (isUsual && !isNamed!(row)) addTo(unnamed, unknown.name, row);
        if (!is && isNamed?.(row)) {
          const { name } = unknown;
          addTo(absent, name, row);
          if (isMistyped(rows.columns.get(name), row, documents.has(name))) addTo(mistyped, name, row);
        }
        isWhole &&= is;
        if (unknown.kind === 'history') continue;
        things++;
        if (is) known++;
      }
      const isNone = things > 0 && known === 0 && !bringsVector(row);
      codes[row] = isNone ? 2 : isWhole ? 0 : 1;
      share[row] = isNone ? 0 : rounded(share[row]);
    }
    return {
      level: { kind: 'text', codes, dictionary: levels },
      share,
      absent,
      unnamed,
      mistyped,
      unknown: (row) =>
        checks
          .filter(({ isKnown }) => !isKnown(row))
          .map(({ unknown, isNamed }) => (isNamed && !isNamed(row) ? { ...unknown, kind: 'input' as const } : unknown))
          .sort((a, b) => b.importance - a.importance),
    };
  };
}

function isUsuallyNamed(graph: Graph, { task }: Version, name: string): boolean {
  const { references, rows } = graph.table(task.entity);
  const found = references.get(name);
  if (found === undefined || found.values === true || rows === 0) return false;
  const named = found.rows.reduce((count, row) => count + Number(row >= 0), 0);
  return named >= usualShareMin * rows;
}

/** Adds a row to those of a name. */
export function addTo(groups: Map<string, number[]>, name: string, row: number): void {
  const rows = groups.get(name);
  if (rows) rows.push(row);
  else groups.set(name, [row]);
}

function rounded(share: number): number {
  return Number(Math.min(1, share).toFixed(shareDigits));
}

/** The column of the row itself that a feature reads; null if it reads none. */
function ownColumn({ focus, read }: Feature): string | null {
  return focus.kind === 'root' && 'column' in read && !isComparison(read) ? read.column : null;
}

/** Whether a feature reads events of the row itself (`reference` null), or of the row that a reference leads to. */
function readsEvents({ focus, read }: Feature, reference: string | null): boolean {
  if (!('events' in read) || isComparison(read)) return false;
  if (reference === null) return focus.kind === 'root';
  return focus.kind === 'parent' && focus.of.kind === 'root' && focus.reference === reference;
}

/** Whether a feature is 0 where there are no events. */
function isCount({ read }: Feature): boolean {
  return (
    read.kind === 'count' ||
    read.kind === 'rate' ||
    read.kind === 'last_is' ||
    (read.kind === 'number' && read.aggregate === 'sum') ||
    read.kind === 'variety' ||
    read.kind === 'share'
  );
}

function givenIn(column: Column | undefined): (row: number) => boolean {
  if (column === undefined) return () => false;
  return column.kind === 'text' ? (row) => column.codes[row] >= 0 : (row) => !Number.isNaN(column.values[row]);
}

/** Whether the row that a reference of a new row leads to was in the data. */
function follow({ table, rows, readableUntil }: Anchors, { tables }: Graph, name: string): (row: number) => boolean {
  const target = tables.get(table.references.get(name)!.table)!;
  const find = openReference(table, name, target);
  return (row) => find(rows[row], readableUntil[row]) >= 0;
}

function keyColumnOf({ task, contract }: Version): string {
  return contract.tables.find(({ name }) => name === task.entity)!.key[0];
}

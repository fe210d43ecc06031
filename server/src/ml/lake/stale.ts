import type { ColumnRequest } from '../../lib/files/read.ts';
import type { Contract, EntityKind, TableContract } from '../contract/contract.ts';
import { type Layout, layoutOf } from './layout.ts';

/** A table whose stored rows are not what its files would give under another contract. */
export type StaleTable = {
  readonly table: string;
  /** What the other contract says otherwise, such as `score is number, was string`. */
  readonly reasons: readonly string[];
};

/**
 * The tables whose files must be read again when the stored rows change from one contract to another, because their
 * parts were written otherwise: values of another type or under other numbers, texts that are values now, columns that
 * were not kept, and versions told apart by another key. Whatever else a contract says acts on files as they come in
 * (rules) or on tables as they are read (times, references, more missing texts, columns left out), so that parts stay
 * as they are. A column that the earlier contract lacks is missing in its rows: files that had it were refused.
 */
export function staleTables(before: Contract, after: Contract, isNumbered: boolean): StaleTable[] {
  return after.tables.flatMap((table): StaleTable[] => {
    const earlier = before.tables.find(({ name }) => name === table.name);
    if (earlier === undefined) return [];
    const reasons = [
      ...identityReasons(earlier, table),
      ...columnReasons(
        { table: earlier, layout: layoutOf(before, earlier, isNumbered) },
        layoutOf(after, table, isNumbered),
      ),
    ];
    return reasons.length === 0 ? [] : [{ table: table.name, reasons }];
  });
}

function identityReasons(before: TableContract, after: TableContract): string[] {
  const tell = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(' + '));
  return [
    ...(tell(before.key) === tell(after.key) ? [] : [`the key is ${tell(after.key)}, was ${tell(before.key)}`]),
    ...(before.knownAt === after.knownAt
      ? []
      : [`knownAt is ${after.knownAt ?? 'none'}, was ${before.knownAt ?? 'none'}`]),
  ];
}

function columnReasons(before: { table: TableContract; layout: Layout }, after: Layout): string[] {
  return after.kept.flatMap(({ name }): string[] => {
    const now = formOf(after, name)!;
    const then = formOf(before.layout, name);
    if (then === null)
      return before.table.columns.some((column) => column.name === name) ? [`${name} is kept, was personal`] : [];
    if (now.kind !== then.kind)
      return [`${name} holds ${tellKind(now.kind)}, held ${tellKind(then.kind)} (entityKind)`];
    // Every integer is a number, and is stored as the same value.
    if (now.type !== then.type && !(then.type === 'integer' && now.type === 'number' && now.kind === null))
      return [`${name} is ${now.type}, was ${then.type}`];
    if (JSON.stringify(now.form) !== JSON.stringify(then.form)) {
      const usual = now.type === 'date' || now.type === 'timestamp' ? 'ISO 8601' : 'decimal_point';
      const tell = (form: ColumnRequest['form']) =>
        typeof form === 'object' ? `${form.form ?? usual} on the clocks of ${form.zone}` : (form ?? usual);
      return [`${name} is written as ${tell(now.form)}, was written as ${tell(then.form)}`];
    }
    const lost = then.missing.filter((text) => !now.missing.includes(text));
    const isOther = now.kind !== null && now.missing.length !== then.missing.length;
    return lost.length > 0 || isOther ? [`${name} has other missingValues`] : [];
  });
}

type Form = {
  /** As read from files. */
  readonly type: ColumnRequest['type'];
  readonly missing: readonly string[];
  readonly form: ColumnRequest['form'];
  /** The kind of entity whose dictionary numbers are stored; null where values are stored as they come. */
  readonly kind: EntityKind | null;
};

function formOf({ read, numbered }: Layout, name: string): Form | null {
  const request = read.find((column) => column.name === name);
  if (request === undefined) return null;
  return { type: request.type, missing: request.missing ?? [], form: request.form, kind: numbered.get(name) ?? null };
}

function tellKind(kind: EntityKind | null): string {
  return kind === null ? 'values as they come' : `names (${kind})`;
}

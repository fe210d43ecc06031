import type { ColumnContract, Contract, TableContract } from './contract.ts';
import { formatOffset } from './offset.ts';

/** One difference between two contracts. `path` names tables and columns: `orders.buyer_id.type`. */
export type Change = {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
  /**
   * Whether a file that keeps the old contract may break the new one, or a model built on the old one cannot read the
   * new.
   */
  readonly breaking: boolean;
};

/** The changes from `a` to `b`, in the order of their tables and columns. Empty when both mean the same. */
export function diffContracts(a: Contract, b: Contract): Change[] {
  const changes: Change[] = [];
  // Models have learned hours and days on the clocks of before.
  compare('timeZone', a.timeZone, b.timeZone, () => true, changes);
  const [earlier, later] = [byName(a.tables), byName(b.tables)];
  for (const name of namesOf(a.tables, b.tables)) {
    const before = earlier.get(name);
    const after = later.get(name);
    if (before === undefined)
      changes.push(
        added(
          name,
          after!.columns.map((column) => column.name),
          false,
        ),
      );
    else if (after === undefined)
      changes.push(
        removed(
          name,
          before.columns.map((column) => column.name),
          true,
        ),
      );
    else diffTables(name, before, after, changes);
  }
  return changes;
}

function diffTables(path: string, a: TableContract, b: TableContract, changes: Change[]): void {
  compare(`${path}.description`, a.description, b.description, () => false, changes);
  compare(`${path}.businessName`, a.businessName, b.businessName, () => false, changes);
  compare(`${path}.key`, list(a.key), list(b.key), () => true, changes);
  compare(`${path}.eventTime`, timeText(a), timeText(b), () => true, changes);
  compare(`${path}.knownAt`, a.knownAt, b.knownAt, () => true, changes);
  // Names are numbered by kind, so that versions of before do not know their entities any more.
  compare(`${path}.entityKind`, a.entityKind, b.entityKind, (before) => before !== undefined, changes);
  const [earlier, later] = [byName(a.columns), byName(b.columns)];
  const [earlierTargets, laterTargets] = [targetsByColumn(a), targetsByColumn(b)];
  for (const name of namesOf(a.columns, b.columns)) {
    const before = earlier.get(name);
    const after = later.get(name);
    const at = `${path}.${name}`;
    if (before === undefined) changes.push(added(at, after!.type, after!.required));
    else if (after === undefined) changes.push(removed(at, before.type, true));
    else {
      diffColumns(at, before, after, changes);
      const targets = [earlierTargets.get(name) ?? [], laterTargets.get(name) ?? []];
      compare(`${at}.references`, list(targets[0]), list(targets[1]), () => true, changes);
    }
  }
}

/** The first of each name. */
function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.toReversed().map((item) => [item.name, item]));
}

function targetsByColumn({ references }: TableContract): ReadonlyMap<string, readonly string[]> {
  const targets = new Map<string, string[]>();
  for (const { column, table, key } of references) {
    const known = targets.get(column) ?? [];
    known.push(`${table}.${key}`);
    targets.set(column, known);
  }
  return targets;
}

function diffColumns(path: string, a: ColumnContract, b: ColumnContract, changes: Change[]): void {
  const compareField = <K extends keyof ColumnContract>(
    field: K,
    isBreaking: (before: ColumnContract[K], after: ColumnContract[K]) => boolean,
  ): void => compare(`${path}.${field}`, a[field], b[field], isBreaking, changes);
  // Every integer is a number. After any other change of type some values may be unreadable.
  compareField('type', (before, after) => !(before === 'integer' && after === 'number'));
  compareField('description', () => false);
  compareField('businessName', () => false);
  compareField('required', (_, after) => after);
  compareField('unique', (_, after) => after);
  compareField('enum', (before, after) =>
    after === undefined ? false : before === undefined || before.some((value) => !after.includes(value)),
  );
  compareField('minimum', (before, after) => after !== undefined && (before === undefined || after > before));
  compareField('maximum', (before, after) => after !== undefined && (before === undefined || after < before));
  compareField('pattern', (_, after) => after !== undefined);
  compareField('format', (_, after) => after !== undefined && after !== 'text' && after !== 'identifier');
  // ISO 8601 is read beside every form.
  compareField('dateForm', (before) => before !== undefined);
  compareField('decimalSeparator', () => true);
  compareField('unit', () => true);
  compareField('missingValues', (before, after) => before?.some((text) => !after?.includes(text)) === true);
  compareField('aliases', (before, after) => before?.some((name) => !after?.includes(name)) === true);
  compareField('knownFrom', () => true);
  compareField('planned', () => true);
  compareField('mutable', (_, after) => after);
  compareField('pii', () => false);
  compareField('graphKey', () => false);
}

function compare<T>(
  path: string,
  before: T,
  after: T,
  isBreaking: (before: T, after: T) => boolean,
  changes: Change[],
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  changes.push({
    path,
    kind,
    before: before ?? null,
    after: after ?? null,
    breaking: isBreaking(before, after),
  });
}

function added(path: string, after: unknown, breaking: boolean): Change {
  return { path, kind: 'added', before: null, after, breaking };
}

function removed(path: string, before: unknown, breaking: boolean): Change {
  return { path, kind: 'removed', before, after: null, breaking };
}

function list(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(', ');
}

function timeText(table: TableContract): string | undefined {
  const time = table.time;
  if (time === undefined) return undefined;
  if (!('column' in time)) return `${time.reference} ${formatOffset(time.offset)}`;
  return time.clock === undefined ? time.column : `${time.column} + ${time.clock}`;
}

function namesOf(a: readonly { name: string }[], b: readonly { name: string }[]): string[] {
  return [...new Set([...a, ...b].map((item) => item.name))];
}

import { linkedSince } from './as-of/rows.ts';
import { changesUndated, isFilledLater, laterOf } from './as-of/values.ts';
import type { KeyValue, ResolvedReference, Table, Tables } from './tables.ts';

/** Two references of a row, or a reference and a category, as one: who pays and who is paid, a player and a ground. */
export type Pair = readonly [first: string, second: string];

const prefix = '@pair ';

/** The name of the reference to the pair's row. No column of a contract can have it. */
export function pairName(pair: Pair): string {
  return prefix + JSON.stringify(pair);
}

/** The two references that a name made by `pairName` stands for; null for any other reference. */
export function pairOf(reference: string): Pair | null {
  return reference.startsWith(prefix) ? JSON.parse(reference.slice(prefix.length)) : null;
}

/**
 * Gives the table `entity` references to pairs: what two of the rows that a row refers to had to do with each other
 * before is then read like what is known about any other row. Each pair of a row of one table and a row of another is a
 * row of a table of pairs, whatever the roles are in which they met; of two rows of one table there is a pair for
 * either order. Pairs are found when they are first asked for. References that are filled in or changed later make no
 * pairs, nor do those of rows that are sent again.
 */
export function withPairTables(tables: Tables, entity: string): Tables {
  const table = tables.get(entity);
  if (!table || table.versions) return tables;
  const pairs = pairsOf(table);
  if (pairs.length === 0) return tables;
  const extended = new Map(tables);
  const references = new Map<string, ResolvedReference>(table.references);
  for (const [name, group] of Map.groupBy(pairs, ({ to }) => to)) {
    const met = once(() => findMet(table, group, tables));
    extended.set(name, pairTable(name, met));
    for (const { pair } of group)
      references.set(pairName(pair), {
        table: name,
        get rows() {
          return met().rowsOf(pair);
        },
        get since() {
          return met().sinceOf(pair);
        },
        values: true,
      });
  }
  extended.set(entity, { ...table, references });
  return extended;
}

/** The rows of pairs that new rows refer to; a row without events for those that never met. Found when first read. */
export function pairReference(
  { table: name }: Pick<ResolvedReference, 'table'>,
  pair: Pair,
  tables: Tables,
  references: ReadonlyMap<string, ResolvedReference>,
): ResolvedReference {
  const links = () => pair.map((link) => references.get(link)!);
  const since = once(() => sinceOf(links(), tables));
  const rows = once(() => {
    const [first, second] = links();
    const seconds = tables.get(second.table)!.rows;
    const { rowOf, rows: all } = tables.get(name)!;
    return first.rows.map((a, i) =>
      a < 0 || second.rows[i] < 0 ? -1 : (rowOf.get(a * seconds + second.rows[i]) ?? all - 1),
    );
  });
  return {
    table: name,
    get since() {
      return since();
    },
    get rows() {
      return rows();
    },
    values: true,
  };
}

/** The pairs that may be read, each with the name of its table. */
function pairsOf(table: Table): { pair: Pair; to: string }[] {
  const links = [...table.references].filter(([name, to]) => to.table !== table.name && isSteady(table, name));
  const found: { pair: Pair; to: string }[] = [];
  const add = (first: (typeof links)[number], second: (typeof links)[number]) =>
    found.push({ pair: [first[0], second[0]], to: prefix + JSON.stringify([first[1].table, second[1].table]) });
  links.forEach((one, k) => {
    for (const other of links.slice(k + 1)) {
      if (one[1].values && other[1].values) continue;
      if (one[1].table === other[1].table) {
        add(one, other);
        add(other, one);
        // A category stands second, and so does the table that comes later by its name.
      } else if (other[1].values || (!one[1].values && one[1].table < other[1].table)) add(one, other);
      else add(other, one);
    }
  });
  return found;
}

function isSteady(table: Table, name: string): boolean {
  const column = table.contract.columns.find((one) => one.name === name);
  return column !== undefined && !isFilledLater(table, name) && !changesUndated(table, column);
}

type Met = {
  readonly size: number;
  get(key: KeyValue): number | undefined;
  rowsOf(pair: Pair): Int32Array;
  sinceOf(pair: Pair): Float64Array | undefined;
};

/** The moment from which both rows are there that a row refers to; undefined where all always are. */
function sinceOf(links: readonly ResolvedReference[], tables: Tables): Float64Array | undefined {
  return links.reduce<Float64Array | undefined>((since, { table, rows }) => {
    const target = tables.get(table)!;
    if (!target.time && !target.versions) return since;
    return laterOf(
      since,
      Float64Array.from(rows, (row) => (row < 0 ? Number.NEGATIVE_INFINITY : linkedSince(target, row))),
    );
  }, undefined);
}

/** What `make` returns, made at the first call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Numbers the pairs that occur in any of a group's roles. */
function findMet(table: Table, group: readonly { readonly pair: Pair }[], tables: Tables): Met {
  const numbers = new Map<number, number>();
  const rows = new Map<string, Int32Array>();
  const since = new Map<string, () => Float64Array | undefined>();
  for (const { pair } of group) {
    const [first, second] = pair.map((link) => table.references.get(link)!);
    const seconds = tables.get(second.table)!.rows;
    since.set(
      pairName(pair),
      once(() => sinceOf([first, second], tables)),
    );
    rows.set(
      pairName(pair),
      first.rows.map((a, row) => {
        if (a < 0 || second.rows[row] < 0) return -1;
        const key = a * seconds + second.rows[row];
        let number = numbers.get(key);
        if (number === undefined) numbers.set(key, (number = numbers.size));
        return number;
      }),
    );
  }
  return {
    size: numbers.size,
    get: (key) => numbers.get(Number(key)),
    rowsOf: (pair) => rows.get(pairName(pair))!,
    sinceOf: (pair) => since.get(pairName(pair))!(),
  };
}

function pairTable(name: string, met: () => Met): Table {
  return {
    contract: { name, key: [], references: [], columns: [] },
    name,
    // The last row stands for all pairs that never met.
    get rows() {
      return met().size + 1;
    },
    columns: new Map(),
    rowOf: { get: (key) => met().get(key) },
    references: new Map(),
    values: true,
  };
}

/** A condition on rows, in three-valued logic: a comparison with a missing value is neither true nor false. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'compare'; readonly column: string; readonly is: Comparison; readonly value: Value }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly Value[] }
  | { readonly kind: 'missing'; readonly column: string }
  /**
   * For entities only: how many rows of a table an entity had by that moment, or in the last `days` when given. Without
   * `than`: at least one.
   */
  | { readonly kind: 'past'; readonly rows: RowsOf; readonly days?: number; readonly than?: Threshold };

export type Comparison = '=' | '!=' | '>' | '>=' | '<' | '<=';
export type Threshold = { readonly is: Comparison; readonly value: number };
/** `moment` is microseconds. A day stands for its start. */
export type Value = number | string | boolean | { readonly moment: number };

/**
 * Rows of a table that lead to an entity by `reference` (references followed in order). Without it the path is still to
 * be found (`resolveTask`).
 */
export type RowsOf = {
  readonly table: string;
  readonly reference?: readonly string[];
  readonly where?: Condition;
};

/** The columns of its own table that a condition reads, without repeats. */
export function columnsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...new Set(condition.of.flatMap(columnsOf))];
    case 'not':
      return columnsOf(condition.of);
    case 'past':
      return [];
    default:
      return [condition.column];
  }
}

/** The `past` parts of a condition. */
export function pastsOf(condition: Condition): (Condition & { kind: 'past' })[] {
  if (condition.kind === 'past') return [condition];
  if (condition.kind === 'not') return pastsOf(condition.of);
  return 'of' in condition ? condition.of.flatMap(pastsOf) : [];
}

/** A value as stored in a column: booleans are 0 or 1, moments are microseconds. */
export type Cell = number | string | null;

/**
 * Whether a condition holds for a row; null when a missing value leaves it undecided. `cell` gives the value of a
 * column, `past` the truth of a `past` part.
 */
export function holds(
  condition: Condition,
  cell: (column: string) => Cell,
  past: (part: Condition & { kind: 'past' }) => boolean = refusePast,
): boolean | null {
  switch (condition.kind) {
    case 'and': {
      let all: boolean | null = true;
      for (const part of condition.of) {
        const one = holds(part, cell, past);
        if (one === false) return false;
        if (one === null) all = null;
      }
      return all;
    }
    case 'or': {
      let any: boolean | null = false;
      for (const part of condition.of) {
        const one = holds(part, cell, past);
        if (one === true) return true;
        if (one === null) any = null;
      }
      return any;
    }
    case 'not': {
      const one = holds(condition.of, cell, past);
      return one === null ? null : !one;
    }
    case 'past':
      return past(condition);
    case 'missing':
      return cell(condition.column) === null;
    case 'in': {
      const value = cell(condition.column);
      return value === null ? null : condition.values.some((one) => plain(one) === value);
    }
    case 'compare': {
      const value = cell(condition.column);
      return value === null ? null : compare(value, condition.is, plain(condition.value));
    }
  }
}

function plain(value: Value): number | string {
  return typeof value === 'object' ? value.moment : typeof value === 'boolean' ? Number(value) : value;
}

export function compare(left: number | string, is: Comparison, right: number | string): boolean {
  if (is === '=') return left === right;
  if (is === '!=') return left !== right;
  if (is === '>') return left > right;
  if (is === '>=') return left >= right;
  return is === '<' ? left < right : left <= right;
}

function refusePast(): never {
  throw new Error('only entities have a past');
}

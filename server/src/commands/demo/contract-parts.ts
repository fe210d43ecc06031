import type { LogicalType } from '../../lib/files/column.ts';
import type { ColumnContract, EntityKind, EventTime, TableContract } from '../../ml/contract/contract.ts';

type Traits = Partial<Omit<ColumnContract, 'name' | 'type'>> & { readonly to?: string };
/** A column, and the key (`table.column`) that it refers to. */
export type Made = { readonly column: ColumnContract; readonly to: string | undefined };

/** Returns a table whose key is its first column. Without an `entityKind` its keys are stored as they are. */
export function table(
  name: string,
  description: string,
  time: EventTime | null,
  entityKind: EntityKind | null,
  made: Made[],
): TableContract {
  return {
    ...{ name, description },
    ...(time && { time }),
    ...(entityKind && { entityKind }),
    key: made.slice(0, 1).map((each) => each.column.name),
    references: made.flatMap(({ column, to }) => {
      const [parent, parentKey] = to?.split('.') ?? [];
      return parent && parentKey ? [{ column: column.name, table: parent, key: parentKey }] : [];
    }),
    columns: made.map((each) => each.column),
  };
}

/** Returns a required and unique column. */
export function key(name: string): Made {
  return column(name, 'string', { required: true, unique: true });
}

/** Returns a column that is neither required nor unique unless its traits say so. `to` is the key that it refers to. */
export function column(name: string, type: LogicalType, traits: Traits = {}): Made {
  const { to, ...rest } = traits;
  const base = { name, type, required: false, unique: false, planned: false, mutable: false, pii: false };
  return { column: { ...base, ...rest }, to };
}

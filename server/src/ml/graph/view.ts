import type { Column, LogicalType } from '../../lib/files/column.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { columnRequests } from './load.ts';
import type { ResolvedReference, Table, Tables } from './tables.ts';

/**
 * Shows tables as `contract` describes them, even if they were read under another contract. What the contract does not
 * name is left out. Tables, columns and references that are missing or hold another kind of value are empty. A model
 * version can thus read tables whose contract has since changed. Row versions are kept. The arrays are shared with
 * `tables`.
 */
export function viewTables(tables: Tables, contract: Contract): Tables {
  return new Map(
    contract.tables.map((own): [string, Table] => [own.name, viewTable(tables.get(own.name), own, contract)]),
  );
}

function viewTable(source: Table | undefined, own: TableContract, contract: Contract): Table {
  const rows = source?.rows ?? 0;
  const types = new Map(columnRequests(contract, own).map(({ name, type }) => [name, type]));
  const columns = new Map<string, Column>();
  for (const { name } of own.columns) {
    const kind = kindOf(types.get(name)!);
    const found = source?.columns.get(name);
    const isFit = found?.kind === kind || source?.numbers?.columns.has(name);
    columns.set(name, found && isFit ? found : emptyColumn(types.get(name)!, rows));
  }
  const references = new Map<string, ResolvedReference>();
  for (const { column, table } of own.references) {
    if (!contract.tables.some(({ name }) => name === table)) continue;
    const found = source?.references.get(column);
    const isSame = found?.table === table;
    references.set(column, isSame ? found : { table, rows: new Int32Array(rows).fill(-1) });
  }
  const key = own.key.length === 1 ? source?.contract.key[0] : undefined;
  const hasKey = source !== undefined && key === own.key[0] && source.contract.key.length === 1;
  const { versions, numbers } = source ?? {};
  return {
    contract: versions === undefined ? own : withVersions(own, source!),
    name: own.name,
    rows,
    columns: versions === undefined ? columns : new Map([...columns, ...knownAtOf(source!)]),
    rowOf: hasKey ? source.rowOf : { get: () => undefined },
    references,
    ...(own.time && { time: source?.time ?? new Float64Array(rows).fill(Number.NaN) }),
    ...(versions && { versions }),
    ...(numbers && { numbers }),
  };
}

/** The contract of a table, with the column that dates its versions. */
function withVersions(own: TableContract, { contract }: Table): TableContract {
  const knownAt = contract.knownAt!;
  const dated = contract.columns.filter(
    ({ name }) => name === knownAt && !own.columns.some((other) => other.name === name),
  );
  return { ...own, knownAt, columns: [...own.columns, ...dated] };
}

function knownAtOf({ contract, columns }: Table): [string, Column][] {
  const column = columns.get(contract.knownAt!);
  return column === undefined ? [] : [[contract.knownAt!, column]];
}

function kindOf(type: LogicalType): Column['kind'] {
  if (type === 'string') return 'text';
  return type === 'date' || type === 'timestamp' || type === 'time' ? 'time' : 'number';
}

/** A column of the given type in which every value is missing. */
export function emptyColumn(type: LogicalType, rows: number): Column {
  const kind = kindOf(type);
  if (kind === 'text') return { kind, codes: new Int32Array(rows).fill(-1), dictionary: [] };
  return { kind, values: new Float64Array(rows).fill(Number.NaN) };
}

import { Failure } from '../../lib/failure.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { dayInput, echoed, type Field } from './schema.ts';

/** The other names of columns, by `table.column`; columns without any are left out. */
export type OtherNames = Readonly<Record<string, readonly string[]>>;

/** The columns of a file that inputs are read from, by input, where they are not called as these are. */
export type ColumnMapping = Readonly<Record<string, string>>;

/** Which columns a file has, by name, whatever its case. */
export type FileColumns = {
  /** Whether it may have the column: a key of JSONL may first appear after the lines that were inspected. */
  has(name: string): boolean;
  /** Whether the column was seen in it. */
  isSeen(name: string): boolean;
};

/** What a contract says files may call the columns of its tables, besides their own names. */
export function otherNamesOf(tables: Iterable<TableContract>): OtherNames {
  return Object.fromEntries(
    Array.from(tables).flatMap(({ name: table, columns }) =>
      columns.flatMap(({ name, aliases }) => (aliases ? [[`${table}.${name}`, aliases]] : [])),
    ),
  );
}

/**
 * The inputs, which rows may also have under the other names of their columns. What names another input stays the name
 * of that one.
 */
export function alsoNamed(inputs: readonly Field[], others: OtherNames): readonly Field[] {
  const own = new Set<string>([...inputs.map(({ name }) => name), ...echoed]);
  return inputs.map((input) => (input.source ? withNames(input, own, others, input.source) : input));
}

/** The inputs, of which those that are mapped are read from the column named and from no other. */
export function mapInputs(inputs: readonly Field[], mapping: ColumnMapping): readonly Field[] {
  return inputs.map((input) =>
    Object.hasOwn(mapping, input.name) ? { ...input, column: mapping[input.name] } : input,
  );
}

/** The column that a file has the day of each row in. */
export function dayColumnOf(mapping: ColumnMapping = {}): string {
  return mapping[dayInput] ?? dayInput;
}

/** The contract, by which files may have its columns under these names too. */
export function alsoNamedIn(contract: Contract, others: OtherNames): Contract {
  const tables = contract.tables.map((table) => {
    const own = new Set(table.columns.flatMap(namesOf));
    const columns = table.columns.map((one) => withNames(one, own, others, { table: table.name, column: one.name }));
    return { ...table, columns };
  });
  return { ...contract, tables };
}

function withNames<T extends Named>(
  one: T,
  taken: ReadonlySet<string>,
  others: OtherNames,
  { table, column }: NonNullable<Field['source']>,
): T {
  const { aliases: known = [] } = one;
  const at = `${table}.${column}`;
  const given = Object.hasOwn(others, at) ? others[at].filter((name) => !taken.has(name)) : [];
  const aliases = new Set([...known, ...given]);
  return aliases.size === known.length ? one : { ...one, aliases: [...aliases] };
}

/**
 * The name under which a file has an input, its own first; null when it has it under none. Throws Failure 'invalid'
 * when the file has it under two.
 */
export function nameInFile(input: Named, { has, isSeen }: FileColumns): string | null {
  const twice = describeTwice(input, isSeen);
  if (twice !== null) throw new Failure('invalid', twice);
  const [own, ...others] = namesOf(input);
  return [own, ...others].find(isSeen) ?? (has(own) ? own : null);
}

/** Says that a file has an input under two names; null where it does not. */
export function describeTwice(input: Named, isSeen: FileColumns['isSeen']): string | null {
  const seen = namesOf(input).filter(isSeen);
  return seen.length > 1 ? `the file has ${seen.join(' and ')}, names of one column: leave one of them` : null;
}

/** The names under which a row may have an input, its own first; one alone where its column is mapped. */
export function namesOf({ name, aliases = [], column }: Named): readonly string[] {
  return column === undefined ? [name, ...aliases] : [column];
}

type Named = Pick<Field, 'name' | 'aliases' | 'column'>;

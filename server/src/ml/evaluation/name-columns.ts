import type { Rows } from '../../lib/files/column.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import type { ColumnMapping } from '../version/other-names.ts';
import { refuseEvaluation } from './refusals.ts';

/** A file whose columns are called otherwise than they are read: as if each had the name by which it is. */
export type NamedColumns = {
  /** Its columns by the names by which they are read. What has such a name itself is hidden by what is mapped. */
  readonly header: readonly string[];
  /** What the file calls a column. */
  inFile(name: string): string;
  /** The name by which a column of the file is read. */
  asRead(column: string): string;
  request(request: ColumnRequest): ColumnRequest;
  /** Rows that were read by the requests in the file's names, by the names of `requests`. */
  rows(rows: Rows, requests: readonly ColumnRequest[]): Rows;
};

/** Reads columns by `mapping`. Throws Failure 'invalid' where the file lacks one that it names. */
export function nameColumns(file: string, columns: readonly string[], mapping: ColumnMapping): NamedColumns {
  const mapped = Object.entries(mapping);
  const lacking = mapped.filter(([, column]) => !columns.some((one) => isSame(one, column)));
  if (lacking.length > 0)
    throw refuseEvaluation({ code: 'labelled_lacks_mapped', file, columns, lacking: lacking.map(([, one]) => one) });
  const asRead = (column: string) => mapped.find(([, one]) => isSame(one, column))?.[0] ?? column;
  const inFile = (name: string) => mapped.find(([one]) => isSame(one, name))?.[1] ?? name;
  const request = (asked: ColumnRequest): ColumnRequest => {
    const named = [asked.name, ...(asked.aliases ?? [])].find((one) => inFile(one) !== one);
    if (named === undefined) return asked;
    const { aliases: _, ...own } = asked;
    return { ...own, name: inFile(named) };
  };
  return {
    header: columns.filter((one) => asRead(one) !== one || isSame(inFile(one), one)).map(asRead),
    inFile,
    asRead,
    request,
    rows: ({ rows, columns: read }, requests) => ({
      rows,
      columns: new Map(
        requests.flatMap((asked) => {
          const column = read.get(request(asked).name);
          return column ? [[asked.name, column] as const] : [];
        }),
      ),
    }),
  };
}

/** Whether two names are of one column: their case does not count. */
export function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

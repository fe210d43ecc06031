import type { Rows } from '../../lib/files/column.ts';
import { sayFileNotice } from '../../lib/files/notices.ts';
import { type ColumnRequest, readTable } from '../../lib/files/read.ts';
import type { Reject } from '../../lib/files/rejects.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { tablesFolder } from '../contract/files.ts';
import type { Notice } from '../contract/notices.ts';
import { writtenForm, zonedForm } from '../contract/written.ts';
import { filesOfTable } from './files.ts';
import { linkTables, referenceMatchMin } from './link.ts';
import type { Sampled, Sampler } from './sample.ts';
import type { Table, Tables } from './tables.ts';
import { warnOfRejects, warnOfRows, warnOfTimes } from './warnings.ts';

/** What loading noticed without failing: shown to the user and kept in the report. */
export type LoadReport = { readonly warnings: Notice[]; readonly rejects: Reject[]; rejectedTotal: number };

/**
 * Reads every table of `contract` from `folder` (see `tablesFolder`) and resolves its references.
 * Dates after `now` (microseconds) or before 1900 are kept and named in the report. `sampler`: reads a sample.
 * Throws Failure as `filesOfTable` does, and 'invalid' when a key column is missing or fewer than half of a reference's
 * values match.
 */
export async function loadTables(
  folder: string,
  contract: Contract,
  progress: (line: string) => void = () => {},
  now = Number.POSITIVE_INFINITY,
  sampler?: Sampler,
): Promise<{ tables: Tables; report: LoadReport }> {
  const source = tablesFolder(folder);
  return await readTables(contract, (name) => filesOfTable(source, name), { progress, now, sampler });
}

export type ReadTablesOptions = {
  readonly progress: (line: string) => void;
  /** Microseconds; later dates are named in the report. */
  readonly now: number;
  /** Whether a reference with few matching values is only a warning, because the rows were accepted before. */
  readonly isTolerant?: boolean;
  /** What a file of a table is called in messages; its base name by default. */
  readonly nameOf?: (table: string, path: string) => string;
  /** How the columns of a table are read, when that differs from what the contract says. */
  readonly requestsOf?: (table: TableContract) => readonly ColumnRequest[];
  /** Reads a sample of the tables. */
  readonly sampler?: Sampler | undefined;
};

/**
 * Reads every table of `contract` and resolves its references. `filesOf` gives the files of a table, in the order to
 * read them. A table without files has no rows. Throws Failure as `loadTables` does.
 */
export async function readTables(
  contract: Contract,
  filesOf: (table: string) => readonly string[],
  { progress, now, isTolerant = false, nameOf, requestsOf, sampler }: ReadTablesOptions,
): Promise<{ tables: Tables; report: LoadReport }> {
  const report: LoadReport = { warnings: [], rejects: [], rejectedTotal: 0 };
  const rowsOf = new Map<string, Rows>();
  const named = new Map(contract.tables.map((table) => [table.name, table]));
  for (const name of sampler?.order ?? named.keys()) {
    const table = named.get(name)!;
    const naming = nameOf ? { nameOf: (path: string) => nameOf(table.name, path) } : {};
    const requests = requestsOf?.(table) ?? columnRequests(contract, table);
    const keep = sampler?.keepOf(name);
    const read = await readTable(filesOf(name), requests, { ...naming, ...(keep && { keep }) });
    sampler?.take(name, read.rows);
    // Files of one name may give the same warning.
    report.warnings.push(...new Map(read.warnings.map((notice) => [sayFileNotice(notice), notice])).values());
    if (read.unknownColumns.length > 0)
      report.warnings.push({ code: 'ignored_columns', table: table.name, columns: read.unknownColumns });
    for (const reject of read.rejects) if (report.rejects.length < 1000) report.rejects.push(reject);
    report.rejectedTotal += read.rejectedTotal;
    report.warnings.push(...warnOfRejects(table.name, read), ...warnOfRows(table, read.rows, now));
    rowsOf.set(table.name, read.rows);
    progress(`read ${table.name}: ${read.rows.rows} rows`);
  }
  const noticed: Notice[] = [];
  const linked = linkTables(contract, rowsOf, noticed, isTolerant || sampler ? 0 : referenceMatchMin);
  // What a sample leaves out is no mistake of the file.
  report.warnings.push(...noticed.filter(({ code }) => !sampler || code !== 'unmatched'));
  const tables = sampler ? markSample(linked, sampler.sampled()) : linked;
  report.warnings.push(...warnOfTimes(tables));
  return { tables, report };
}

function markSample(tables: Tables, { partitioned }: Sampled): Tables {
  const mark = (table: Table): Table => (partitioned.has(table.name) ? { ...table, isSample: true } : table);
  return new Map([...tables].map(([name, table]) => [name, mark(table)]));
}

/** The columns to read from the files of a table, with their types. */
export function columnRequests(contract: Contract, table: TableContract): ColumnRequest[] {
  return table.columns.map((column) => {
    const reference = table.references.find((r) => r.column === column.name);
    const target = reference && contract.tables.find((t) => t.name === reference.table);
    const key = target?.columns.find((c) => c.name === reference?.key);
    // A reference is read with the type of the key it points to: a zero-padded text key read as an integer would match
    // nothing.
    const type = key?.type ?? column.type;
    const { name, missingValues: missing, aliases } = column;
    const dated = column.dateForm ?? key?.dateForm;
    const form =
      type === 'timestamp'
        ? zonedForm(dated, contract.timeZone)
        : type === 'date'
          ? dated
          : type === column.type
            ? writtenForm(column)
            : undefined;
    return {
      ...{ name, type, required: table.key.includes(name) },
      ...(missing && { missing }),
      ...(aliases && { aliases }),
      ...(form && { form }),
    };
  });
}

import { type FileNotice, sayFileNotice } from '../../lib/files/notices.ts';
import { sayWorded, type Worded } from '../../lib/files/worded.ts';
import { type Reason, sayReasons } from './reasons.ts';

/** What is noticed of tables and files as they are taken in and read, in English, by its code. */
const wording = {
  // Of a proposed contract.
  lost_key: ({ table, column, because }: OfColumn & { readonly because: readonly Reason[] }) =>
    `table ${table} has no key: ${column} ${sayReasons(because)}. Correct these rows, or nothing can refer to the table, and rows sent again stand beside themselves`,
  unread_dates: ({ table, columns }: OfColumns) =>
    `table ${table}: dates of ${columns.join(', ')} are not read, because some have another form than the others, or one that is not known: send all of them in one form, best as YYYY-MM-DD, or they neither date rows nor are read by a model`,
  unsure_order: ({ table, columns }: OfColumns) =>
    `table ${table}: dates of ${columns.join(', ')} are read with the day before the month, which no value shows to be right: where the month comes first, change their form in the contract from dd/MM/yyyy to MM/dd/yyyy`,
  // Of files as they are taken in.
  present_file: ({ file }: { readonly file: string }) =>
    `${file}: its very bytes were taken in before, so that its rows were not read again`,
  kept_as_text: ({ key }: { readonly key: string }) =>
    `${key} is kept as it comes, so that none of its names can be erased: give the table an entityKind (company, individual, asset; event where nobody is meant) in the contract`,
  // Of what files did to a table.
  not_compared: ({ table, hasKey }: OfTable & { readonly hasKey: boolean }) =>
    `${table} ${hasKey ? 'was stored in another form under the contract that it was taken in under' : 'has no key'}: its rows before and after are counted, and not compared`,
  rows_kept: ({ table, modes, rows, of }: OfRows & { readonly modes: readonly string[] }) =>
    `${modes.join(' and ')} never removes rows: ${rows} of the ${of} rows of ${table} are not in what was sent, and stay; if they are gone, send the whole table with mode replace`,
  rows_removed: ({ table, rows, of }: OfRows) =>
    `replace removed ${rows} of the ${of} rows of ${table}, which are not in what was sent; if they are to stay, send the whole table again with mode replace, or what is new with append`,
  column_gone: ({ table, column }: OfColumn) =>
    `${table}.${column} is not in the contract any more: models that read it find it missing in every row (GET /v1/api/models/{model_id}/versions/{version_id}/features says what one reads): train them again`,
  // Of the rows of tables.
  no_rows: ({ table }: OfTable) => `table ${table}: no rows`,
  ignored_columns: ({ table, columns }: OfColumns) =>
    `table ${table}: columns not in the contract were ignored: ${columns.join(', ')}`,
  rejected: ({ table, count, looked, examples, isMore }: Rejected) => {
    const total = count > looked ? `, of which the first ${looked} were looked at` : '';
    const told = examples.map(({ file, row, column, reason, others }) => {
      const at = `${file}, row ${row}${column === null ? '' : `, column ${column}`}`;
      return `${at}: ${reason}${others > 0 ? ` (and ${others} more like it)` : ''}`;
    });
    return `table ${table}: ${count} values or rows rejected${total}: ${[...told, ...(isMore ? ['…'] : [])].join('; ')}`;
  },
  before_1900: ({ day, ...values }: OfDates) => `${tellDates(values)} lie before 1900, the earliest on ${day}`,
  no_date: ({ day, isPlanned, ...values }: OfDates & { readonly isPlanned: boolean }) =>
    `${tellDates(values)} seem to stand for no date (list it in missingValues as files write it; until then it is ${isPlanned ? 'read as a date' : 'not read'}): ${day}`,
  in_future: ({ day, ...values }: OfDates) =>
    `${tellDates(values)} lie in the future and are not read until then (mark the column planned if they are known ahead), the latest on ${day}`,
  undated_rows: ({ table, rows, of }: OfRows) =>
    `table ${table}: ${rows} of ${of} rows have no event time and do not count as events`,
  timeless: ({ tables }: { readonly tables: readonly string[] }) =>
    `without an event time, so taken as known at every moment: ${tables.join(', ')}`,
  repeated_keys: ({ table, column, rows }: OfColumn & { readonly rows: number }) =>
    `table ${table}: ${rows} rows repeat a key of ${column}; references lead to the first of them`,
  unmatched: ({ table, column, rows, of, to }: OfColumn & OfRows & { readonly to: string }) =>
    `table ${table}: ${rows} of ${of} values of ${column} are not in ${to}`,
  // Of the labels of a task.
  silent_table: ({ table, newest, end, days }: OfTable & Silence) =>
    `${table} has no row after ${newest}, though other tables go on to ${end}, ${days} days later: windows that end after ${newest} have no label, since what is missing may not have been sent; if nothing happened any more, send a later row`,
  classes_alike: ({ classes, more }: { readonly classes: readonly (readonly string[])[]; readonly more: number }) => {
    const shown = classes.map((names) => names.map((name) => JSON.stringify(name)).join(' and ')).join('; ');
    const rest = more > 0 ? `; and ${more} more` : '';
    return `classes of the label differ only in upper and lower case, and are learned as different ones: ${shown}${rest}; write them alike if they are the same`;
  },
  unknown_keys: ({ file, rows, of, to }: OfFile & { readonly to: string }) =>
    `${file}: ${rows} of ${of} keys are not in ${to}`,
  unlabelled_rows: ({ file, rows, of, column }: OfFile & { readonly column: string }) =>
    `${file}: ${rows} of ${of} rows have no ${column} and are not learned from`,
  future_anchors: ({ file, rows, of, column }: OfFile & { readonly column: string }) =>
    `${file}: ${rows} of ${of} rows have a ${column} in the future`,
  ancient_anchors: ({ file, rows, of, column }: OfFile & { readonly column: string }) =>
    `${file}: ${rows} of ${of} rows have a ${column} before 1900`,
  repeated_anchors: ({ file, rows, of, columns }: OfFile & { readonly columns: readonly string[] }) =>
    `${file}: ${rows} of ${of} rows repeat ${columns.join(' and ')} of an earlier row`,
};

type OfFile = { readonly file: string; readonly rows: number; readonly of: number };
/** Days: of the newest row of the table, and of the data; and how many lie between. */
type Silence = { readonly newest: string; readonly end: string; readonly days: number };
type OfTable = { readonly table: string };
type OfColumn = OfTable & { readonly column: string };
type OfColumns = OfTable & { readonly columns: readonly string[] };
type OfRows = OfTable & { readonly rows: number; readonly of: number };
type OfDates = OfColumn & OfRows & { readonly day: string };
type Rejected = OfTable & {
  readonly count: number;
  readonly looked: number;
  readonly examples: readonly {
    readonly file: string;
    readonly row: number;
    readonly column: string | null;
    readonly reason: string;
    readonly others: number;
  }[];
  readonly isMore: boolean;
};

type Own = Worded<typeof wording>;
/** What was noticed: a code, and the values that its sentence names. */
export type Notice = FileNotice | Own;

export function sayNotice(notice: Notice): string {
  if (!Object.hasOwn(wording, notice.code)) return sayFileNotice(notice as FileNotice);
  return sayWorded(wording, notice as Own);
}

function tellDates({ table, column, rows, of }: OfColumn & OfRows): string {
  return `table ${table}: ${rows} of ${of} values of ${column}`;
}

import type { ContractTable } from '../data/contract.ts';
import { dateForms } from '../data/corrections.ts';
import type { Head } from '../uploads/head-of-file.ts';

/** What is said behind a line of which something has to be written or looked at. */
export type LineHints = {
  entity(tables: string): string;
  readonly key: string;
  readonly time: string;
  readonly label: string;
  readonly kind: string;
  readonly metric: string;
  or(others: string): string;
  readonly isoDays: string;
  readonly fewNumbers: string;
};

/**
 * A definition of a task whose labels are those of a file, as far as its first rows tell: a line of which they say
 * nothing is empty, with what to write there. `head` is null where the file cannot be read here.
 */
export function definitionOfFile(head: Head | null, tables: readonly ContractTable[], hints: LineHints): string {
  const columns = (head?.columns ?? []).map((name, at) => ({ name, values: valuesAt(head!, at) }));
  const subjects = subjectsIn(columns, tables);
  const [subject] = subjects;
  const free = columns.filter(({ name }) => name !== subject?.column.name);
  const times = timesIn(free, subject?.table);
  const [time] = times;
  const left = free.filter((column) => !times.includes(column));
  const plain = left.filter((column) => !subjects.some((one) => one.column === column));
  const labels = plain.length > 0 ? plain : left;
  const label = labels.at(-1);
  const kind = label && kindOf(label.values);
  const isWrittenOtherwise = time && !isIso(time) && !isFormKnown(time, subject?.table);
  const or = (chosen: string | undefined, all: readonly string[]): string | false => {
    const others = listed(all.filter((name) => name !== chosen));
    return others !== '' && hints.or(others);
  };
  const tableNames = listed(tables.map(({ name }) => name));
  return [
    line('entity', subject?.table.name, hints.entity(tableNames), [
      or(
        subject?.table.name,
        subjects.map(({ table }) => table.name),
      ),
    ]),
    line('key', subject?.column.name, hints.key, [
      or(subject?.column.name, namesOf(subjects.map((one) => one.column))),
    ]),
    line('time', time?.name, hints.time, [or(time?.name, namesOf(times)), isWrittenOtherwise && hints.isoDays]),
    line('label', label?.name, hints.label, [or(label?.name, namesOf(labels))]),
    line('kind', kind, hints.kind, [kind === 'regression' && isFew(label!.values) && hints.fewNumbers]),
    line('metric', kind && metrics[kind], hints.metric, []),
    '',
  ].join('\n');
}

type Column = { readonly name: string; readonly values: readonly string[] };
type Subject = { readonly table: ContractTable; readonly column: Column };

const metrics = { binary: 'auroc', regression: 'mae', multiclass: 'accuracy' } as const;
const othersShown = 4;

function line(
  field: string,
  value: string | undefined,
  missing: string,
  notes: readonly (string | false | undefined)[],
) {
  if (value === undefined) return `${field}:  # ${missing}`;
  const said = notes.filter(Boolean).join('; ');
  return `${field}: ${plainName.test(value) ? value : JSON.stringify(value)}${said && `  # ${said}`}`;
}

/** A text that YAML reads as itself without quotes. */
const plainName = /^(?!(?:true|false|null)$)[\p{L}_][\p{L}\d_.-]*$/iu;

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name);
const isAlike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.slice(0, othersShown).join(', ') + (all.length > othersShown ? ', …' : '');
}

function valuesAt({ rows }: Head, at: number): readonly string[] {
  return rows.map((row) => String(row[at] ?? '').trim()).filter((value) => value !== '');
}

/**
 * What a file may be about, the likeliest first: a table whose only key has the name of a column, else one that a
 * column of that name refers to. Of several columns the one with the most values, of several tables the one that most
 * refer to.
 */
function subjectsIn(columns: readonly Column[], tables: readonly ContractTable[]): readonly Subject[] {
  const references = tables.flatMap((table) =>
    table.columns.flatMap(({ name, references: to }) => to.map((one) => ({ name, table: one.table }))),
  );
  const referring = ({ name }: ContractTable) => references.filter(({ table }) => table === name).length;
  const ordered = [...tables]
    .filter(({ columns: own }) => own.filter(({ isKey }) => isKey).length === 1)
    .sort((one, other) => referring(other) - referring(one));
  const finest = [...columns].sort((one, other) => new Set(other.values).size - new Set(one.values).size);
  const subjects = (isOf: (column: Column, table: ContractTable) => boolean) =>
    finest.flatMap((column) => ordered.filter((table) => isOf(column, table)).map((table) => ({ table, column })));
  return [
    ...subjects((column, { columns: own }) => own.some(({ name, isKey }) => isKey && isAlike(name, column.name))),
    ...subjects((column, { name: table }) =>
      references.some((one) => one.table === table && isAlike(one.name, column.name)),
    ),
  ];
}

/** Columns of days or moments, the likeliest first: by their values, where there are none by their names. */
function timesIn(columns: readonly Column[], entity: ContractTable | undefined): readonly Column[] {
  const dated = columns.filter(
    ({ name, values }) =>
      values.length > 0 &&
      values.every(
        (value) => isoDay.test(value) || otherDay.test(value) || (timeName.test(name) && digitDay.test(value)),
      ),
  );
  const found = dated.length > 0 ? dated : columns.filter(({ name }) => timeName.test(name));
  const rank = ({ name }: Column) =>
    isAlike(name, entity?.eventTime ?? '') ? 0 : isAlike(name, 'date') ? 1 : timeName.test(name) ? 2 : 3;
  return [...found].sort((one, other) => rank(one) - rank(other));
}

const isoDay = /^\d{4}-\d\d-\d\d(?:$|[T ])/;
const otherDay = /^(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}[/.]\d{1,2}[/.]\d{1,2})(?:$|[T ])/;
const digitDay = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const timeName =
  /(?:^|_)(?:date|data|day|dia|time|timestamp|moment|momento|quando|when|anchor|as_of|at|em)(?:_|$)|date$|(?:^|_)dt_/i;

const isIso = ({ values }: Column) => values.every((value) => isoDay.test(value));

/** Whether the table has a column of that name which is written in a form that the contract names. */
const isFormKnown = ({ name }: Column, entity: ContractTable | undefined) =>
  entity?.columns.some((column) => isAlike(column.name, name) && dateForms.includes(column.format ?? '')) ?? false;

function kindOf(values: readonly string[]): keyof typeof metrics | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => yesOrNo.test(value))) return 'binary';
  return values.every((value) => aNumber.test(value)) ? 'regression' : 'multiclass';
}

/** As the service reads the labels of a binary task. */
const yesOrNo = /^(?:[01](?:\.0)?|t|f|true|false|y|n|yes|no)$/i;
const aNumber = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/** Whether numbers are so few and whole that they may be names of classes. */
const isFew = (values: readonly string[]) =>
  new Set(values).size <= 10 && values.length > 20 && values.every((value) => /^\d+$/.test(value));

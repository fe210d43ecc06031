import type { Schemas } from '@lastro/sdk';
import { textOf } from '../kit/text-of.ts';
import type { Head } from '../uploads/head-of-file.ts';
import { dayColumns } from './day-columns.ts';
import { documentColumn, documentsOf } from './document-columns.ts';
import type { Mapping } from './mapping.ts';

export type Input = Schemas['ModelVersion']['inputs'][number];

/** Columns that any file of rows to predict may have beside the inputs of a version. */
export const reserved = ['endpoint', 'reference_date', 'correlation_id', 'reference_id'];

/** What the columns of files are mapped for. `dayNames`: how files may call the input that says of which day a row is. */
export type Mapped = {
  readonly reserved: readonly string[];
  readonly datedBy: string;
  readonly dayNames: readonly string[];
};

type Guessed = 'name' | 'values' | 'days';

/** From which column an input is read, and from which it may be. */
export type MappedInput = {
  readonly input: Input;
  /** '' where it is read from none. */
  readonly column: string;
  /** Whether files have a column of its name, so that it is read from one. */
  readonly isNamed: boolean;
  /** By what the column was found that is not of its name: a name that is alike, or documents or days in it. */
  readonly guessedBy: Guessed | null;
  /** The columns of days among which was not guessed. */
  readonly dayColumns: readonly string[];
  readonly columns: readonly string[];
  /** The first value in the column. */
  readonly example: string;
};

/**
 * Which column each input is read from in these files: what was chosen, else the one of its name, else the only one
 * whose name is the same but for case, accents and punctuation, or is that of the document that the input holds, else,
 * of an input that holds documents, the only one whose values are such, and of the input that dates the rows, the only
 * one whose values are days, none of them later than `today`.
 */
export function mapColumns(
  heads: readonly Head[],
  inputs: readonly Input[],
  chosen: Mapping,
  { mapped = rowsToPredict, today }: { readonly mapped?: Mapped; readonly today?: string } = {},
): readonly MappedInput[] {
  const isFreeToName = (column: string) => !mapped.reserved.includes(column.toLowerCase());
  const columns = columnsOf(heads);
  const named = new Map(inputs.map((input) => [input.name, columns.find((column) => isNamed(input, column)) ?? '']));
  const taken = new Set([...named.values(), ...Object.values(chosen)].map((column) => column.toLowerCase()));
  const free = () => columns.filter((column) => !taken.has(column.toLowerCase()));
  const given = ({ name }: Input) =>
    name in chosen && (chosen[name] === '' || columns.includes(chosen[name])) ? chosen[name] : undefined;
  const guesses = new Map<string, { readonly column: string; readonly by: Guessed }>();
  const guess = (by: Guessed, columnOf: (input: Input) => string) => {
    for (const input of inputs) {
      if (named.get(input.name) !== '' || given(input) !== undefined || guesses.has(input.name)) continue;
      const column = columnOf(input);
      if (column === '') continue;
      taken.add(column.toLowerCase());
      guesses.set(input.name, { column, by });
    }
  };
  guess('name', (input) => alikeOf(input, free(), mapped));
  guess('values', (input) => documentColumn(heads, free().filter(isFreeToName), documentsOf(input)));
  const days = new Map(
    datingInputs(inputs, mapped, ({ name }) => Boolean(chosen[name] || named.get(name) || guesses.has(name))).map(
      (input) => {
        const form = {
          isFormFound: input.name === mapped.datedBy,
          until: input.dates_row === 'any' ? undefined : today,
        };
        return [input.name, dayColumns(heads, free().filter(isFreeToName), input, form)];
      },
    ),
  );
  guess('days', ({ name }) => (days.get(name)?.length === 1 ? days.get(name)![0]! : ''));
  const found = inputs.map((input) => {
    const own = named.get(input.name)!;
    const guessed = guesses.get(input.name);
    return { input, own, guessed, column: given(input) || own || guessed?.column || '' };
  });
  const read = new Map(found.flatMap(({ input, column }) => (column === '' ? [] : [[column, input.name]])));
  return found.map(({ input, own, guessed, column }) => ({
    ...{ input, column, isNamed: own !== '', guessedBy: guessed?.by ?? null },
    dayColumns: column === '' && given(input) === undefined ? (days.get(input.name) ?? []) : [],
    columns: columns.filter(
      (one) => (read.get(one) ?? input.name) === input.name && (isFreeToName(one) || one === own),
    ),
    example: exampleOf(heads, column),
  }));
}

/** What a request says of them: the inputs that are read from a column of another name. */
export function mappingOf(mapped: readonly MappedInput[]): Mapping {
  return Object.fromEntries(
    mapped.flatMap(({ input, column }) => (column === '' || isNamed(input, column) ? [] : [[input.name, column]])),
  );
}

/** Whether an input is read from a column without being mapped to it. */
export function isNamed({ name, aliases = [] }: Input, column: string): boolean {
  return [name, ...aliases].some((one) => one.toLowerCase() === column.toLowerCase());
}

/** All columns of the files, each once whatever its case. */
function columnsOf(heads: readonly Head[]): readonly string[] {
  const columns = new Map<string, string>();
  for (const head of heads)
    for (const column of head.columns) {
      const name = column.trim();
      if (name !== '' && !columns.has(name.toLowerCase())) columns.set(name.toLowerCase(), name);
    }
  return [...columns.values()];
}

/** How files call the day as of which a row is asked, in English and Portuguese. */
const dayNames = ['as of', 'as of date', 'data base', 'data de referência', 'data referência', 'dt referência'];
const rowsToPredict: Mapped = { reserved, datedBy: 'reference_date', dayNames };
/** Labelled rows, of which the column `datedBy` says the moment. */
export const labelledRows = (datedBy: string): Mapped => ({
  reserved: [],
  datedBy,
  dayNames: ['reference_date', ...dayNames, 'date', 'day', 'data', 'dia'],
});

/** The inputs by which rows are dated, as long as nothing dates them: the column of a new row, else the day asked about. */
function datingInputs(
  inputs: readonly Input[],
  { datedBy }: Mapped,
  isRead: (input: Input) => boolean,
): readonly Input[] {
  const own = inputs.filter(({ dates_row }) => dates_row !== undefined);
  const asked = inputs.filter(({ name }) => name === datedBy);
  return [...own, ...asked].some(isRead) ? [] : own.length > 0 ? own : asked;
}

function alikeOf(input: Input, columns: readonly string[], { datedBy, dayNames }: Mapped): string {
  const { name, aliases = [] } = input;
  const kinds = documentsOf(input);
  const others = [...(name === datedBy ? dayNames : []), ...kinds];
  const names = new Set([name, ...aliases, ...others].map(plain));
  const alike = columns.filter((column) => names.has(plain(column)));
  return alike.length === 1 ? alike[0] : '';
}

/** A name without case, accents and punctuation. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '');
}

function exampleOf(heads: readonly Head[], column: string): string {
  for (const { columns, rows } of heads) {
    const at = columns.findIndex((one) => one.trim().toLowerCase() === column.toLowerCase());
    const found = at < 0 ? undefined : rows.find((row) => textOf(row[at]).trim() !== '');
    if (found) return textOf(found[at]).trim();
  }
  return '';
}

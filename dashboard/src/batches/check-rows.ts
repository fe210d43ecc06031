import { bare, documentKind, isMistyped } from '../kit/documents.ts';
import { textOf } from '../kit/text-of.ts';
import type { Head } from '../uploads/head-of-file.ts';
import { type Input, reserved } from './column-mapping.ts';
import { documentsOf } from './document-columns.ts';
import type { Mapping } from './mapping.ts';
import { plainText } from './plain-text.ts';
import { dateForms, isOfType } from './value-types.ts';

/** What is wrong with the first rows of a file. */
export type Finding =
  /** The file would be refused as a whole. */
  | { readonly kind: 'missing'; readonly columns: readonly string[] }
  /** Read by nobody. */
  | { readonly kind: 'unknown'; readonly columns: readonly string[] }
  /** Rows with more values than there are columns, which would be left out: from row 1. */
  | { readonly kind: 'wide'; readonly rows: number; readonly row: number; readonly value: string }
  /**
   * Rows that would be left out of the result; and mistyped documents, and what a spreadsheet made numbers of, of which
   * nothing would be known where the contract does not say that they are documents: from row 1.
   */
  | {
      readonly kind: Fault;
      readonly input: Input;
      readonly rows: number;
      readonly row: number;
      readonly value: string;
    };

/**
 * The columns that every file has and nobody reads, one of which may be the reference. Null where they are not known: of
 * Parquet, and of rows that name their models.
 */
export function unreadColumns(
  files: readonly { readonly head: Head | null; readonly findings: readonly Finding[] }[],
): readonly string[] | null {
  const named = (columns: readonly string[], name: string) =>
    columns.some((column) => column.trim().toLowerCase() === name.toLowerCase());
  const known = files.filter(({ head }) => head !== null && !named(head.columns, 'endpoint'));
  if (known.length < files.length || known.length === 0) return null;
  const [first, ...others] = known.map(({ findings }) =>
    findings.flatMap((one) => (one.kind === 'unknown' ? one.columns : [])),
  );
  return first.filter((name) => name !== '' && others.every((columns) => named(columns, name)));
}

/**
 * Holds the first rows of a file against the inputs of a version, by the rules of the service: names match whatever
 * their case, and numbers have a decimal point. What a contract lists as texts for missing values is not known here.
 * `datedBy`: the input that says of which moment a row is, whose form the service finds by its values.
 */
export function checkRows(
  head: Head,
  inputs: readonly Input[],
  isDayGiven: boolean,
  mapping: Mapping = {},
  datedBy = 'reference_date',
): readonly Finding[] {
  const places = new Map(head.columns.map((column, at) => [column.trim().toLowerCase(), at]));
  const has = (name: string) => places.has(name.toLowerCase());
  /** Where it is mapped to a column, that one alone; else any of its names. */
  const namesOf = ({ name, aliases = [] }: Input) => (mapping[name] ? [mapping[name]] : [name, ...aliases]);
  const placeOf = (input: Input) =>
    namesOf(input)
      .map((one) => places.get(one.toLowerCase()))
      .find((place) => place !== undefined);
  // Rows that name their model are of other versions, too.
  const isRouted = has('endpoint');
  const isDated = isDayGiven || has(mapping.reference_date ?? 'reference_date');
  const isNeeded = ({ required, dates_row }: Input) => required && !(dates_row && isDated);
  // A key of JSONL may come in a later line.
  const isSure = !isRouted && (head.format === 'csv' || head.isWhole);
  const missing = !isSure ? [] : inputs.filter((input) => isNeeded(input) && placeOf(input) === undefined);
  const names = inputs.flatMap(namesOf);
  const known = new Set([...names.map((name) => name.toLowerCase()), ...reserved]);
  const unknown = isRouted ? [] : head.columns.filter((column) => !known.has(column.trim().toLowerCase()));
  return [
    ...wideRows(head),
    ...(missing.length > 0 ? [{ kind: 'missing' as const, columns: missing.map(({ name }) => name) }] : []),
    ...inputs.flatMap((input) => {
      const at = placeOf(input);
      if (at === undefined) return [];
      const isFound = input.name === datedBy && input.format === undefined;
      const asRead = isFound ? inFoundForm(head, at, input) : input;
      return checkColumn(head, at, asRead, isNeeded(input) && !input.nullable && !isRouted);
    }),
    ...(unknown.length > 0 ? [{ kind: 'unknown' as const, columns: unknown }] : []),
  ];
}

/** Rows of CSV with more values than the head has, as a comma in a number makes them. */
function wideRows({ format, columns, rows }: Head): readonly Finding[] {
  const wide = format === 'csv' ? rows.filter((row) => row.length > columns.length) : [];
  if (wide.length === 0) return [];
  const value = wide[0]!.map(textOf).join(', ');
  return [{ kind: 'wide', rows: wide.length, row: rows.indexOf(wide[0]!) + 1, value }];
}

/**
 * What is no document: what a spreadsheet makes of one that it takes for a number (`1,38236E+13`, or fewer digits), and
 * among documents whatever has another length.
 */
function isNoDocument(text: string, isAmongDocuments: boolean): boolean {
  const isOfLength = [11, 14].includes(bare(text).length);
  return /^\d([.,]\d+)?e\+?\d+$/i.test(text) || (!isOfLength && (isAmongDocuments || /^\d+$/.test(text)));
}

function checkColumn({ rows }: Head, at: number, input: Input, isNeeded: boolean): readonly Finding[] {
  const found = new Map<Fault, { rows: number; row: number; value: string }>();
  const areDocuments = rows.some((row) => documentKind(textOf(row[at]).trim()) !== null);
  rows.forEach((row, index) => {
    const kind = faultOf(row[at], input, isNeeded, areDocuments);
    if (kind === null) return;
    const known = found.get(kind);
    if (known) known.rows++;
    else found.set(kind, { rows: 1, row: index + 1, value: textOf(row[at]) });
  });
  return Array.from(found, ([kind, one]) => ({ kind, input, ...one }));
}

/** An input of days in the form in which the most values of its column are days. */
function inFoundForm({ rows }: Head, at: number, input: Input): Input {
  const faults = (tried: Input) => rows.filter((row) => faultOf(row[at], tried, false) !== null).length;
  let best = { input, faults: faults(input) };
  for (const format of dateForms) {
    if (best.faults === 0) break;
    const tried = { ...input, format };
    const count = faults(tried);
    if (count < best.faults) best = { input: tried, faults: count };
  }
  return best.input;
}

/** Whether the service would refuse the whole file, or each of its rows, of which all have been seen. */
export function isRefusedWhole(
  head: Head | null | undefined,
  findings: readonly Finding[] | null | undefined,
): boolean {
  if (!head || !findings) return false;
  return findings.some((finding) => {
    if (finding.kind === 'missing') return true;
    if (finding.kind === 'unknown' || ('input' in finding && !isLeftOut(finding))) return false;
    return head.isWhole && finding.rows === head.rows.length;
  });
}

/** Whether rows with a fault would be left out; others would be answered as somebody unknown. */
export const isLeftOut = ({ kind, input }: { readonly kind: Fault; readonly input: Input }): boolean =>
  (kind !== 'digits' && kind !== 'document') || isDeclared(input);

/** Whether the contract says that an input has documents: then the service refuses what is none. */
const isDeclared = ({ format }: Input): boolean => format === 'cpf' || format === 'cnpj';

/** The format of labels of yes and no, which may be words. */
export const labelFormat = 'label';

function isAnswer(text: string, { type, format }: Input): boolean {
  const words = /^(y|n|1\.0|0\.0|s|sim|não|nao|verdadeiro|falso)$/i;
  return type === 'boolean' && format === labelFormat && words.test(text);
}

type Fault = 'type' | 'range' | 'empty' | 'digits' | 'document';

function faultOf(value: unknown, input: Input, isNeeded: boolean, isAmongDocuments = false): Fault | null {
  const text = textOf(value).trim();
  if (text === '' || text === '\\N') return isNeeded ? 'empty' : null;
  const plain = typeof value === 'string' ? plainText(text, input) : text;
  if (!isOfType(plain, value, input.type) && !isAnswer(text, input)) return 'type';
  if (isMistyped(text)) return 'digits';
  const areDeclared = isDeclared(input);
  if (documentsOf(input).length > 0 && isNoDocument(text, isAmongDocuments || areDeclared)) return 'document';
  if (areDeclared && documentKind(text) !== input.format) return 'type';
  const { minimum, maximum } = input;
  if (minimum === undefined && maximum === undefined) return null;
  const number = Number(plain);
  return number < (minimum ?? -Infinity) || number > (maximum ?? Infinity) ? 'range' : null;
}

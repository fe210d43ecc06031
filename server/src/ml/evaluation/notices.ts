import type { DateForm } from '../../lib/files/date-forms.ts';
import { sayDayForm } from '../contract/date-form-of.ts';
import type { Seen } from './compare.ts';

/** What is to be known of an evaluation, in English, by its code. */
const wording = {
  day_form: ({ form, guessed: isGuessed, rows, iso }: DayForm) =>
    sayDayForm({ form, isGuessed, ...(rows !== undefined && iso !== undefined && { mixed: { rows, iso } }) }),
  unknown_learning: (_: object) =>
    'the version does not say what it learned from: figures flatter where it has seen these rows',
  learned_rows: ({ rows, matched, of, newest, seen }: Learned) =>
    `${2 * (matched ?? 0) > of ? 'most of these rows were learned from: this measures memory; ' : ''}${count(rows)} of ${count(of)} rows are from ${newest} or before and may have been learned from${matched ? `, ${count(matched)} of them surely, which have the key and moment of a label of the training` : ''}: their figures flatter${byVersion(seen)}; ${rows === of ? 'send later rows' : 'later has the others apart'}`,
  open_rows: ({ output, rows }: OfOutput & { readonly rows: number }) =>
    `${output}: ${count(rows)} rows are left out, as the window of their label had not closed`,
  none_measured: ({ output }: OfOutput) => `${output}: no row has a label that was known`,
  few_rows: ({ output, rows, positives }: OfOutput & { readonly rows: number; readonly positives: number | null }) =>
    `${output}: ${sayFew(rows, positives)} too few to say much`,
};

type DayForm = {
  readonly form: DateForm;
  readonly guessed: boolean;
  /** Of the first rows, where some are written as ISO 8601 besides. */
  readonly rows?: number;
  readonly iso?: number;
};
type OfOutput = { readonly output: string };
type Learned = {
  readonly rows: number;
  /** Of them, those whose key and moment a label of the training has; null where the version keeps none. */
  readonly matched: number | null;
  readonly of: number;
  /** The day of the newest label that was learned from. */
  readonly newest: string;
  /** Null where one version is evaluated. */
  readonly seen: Seen | null;
};

type Wording = typeof wording;
export type EvaluationNotice = {
  [Code in keyof Wording]: { readonly code: Code } & Parameters<Wording[Code]>[0];
}[keyof Wording];

export function sayNotice(notice: EvaluationNotice): string {
  return (wording[notice.code] as (values: EvaluationNotice) => string)(notice);
}

/** Of two versions, which has learned from how many rows. */
function byVersion(seen: Seen | null): string {
  if (seen === null) return '';
  const told = (rows: number | null) => (rows === null ? 'unknown' : count(rows));
  return ` (model: ${told(seen.model)}, compare_with: ${told(seen.compare_with)})`;
}

/** Fewer rows are few whatever they say. */
export const rowsMin = 100;

/** What is few: the rows, or those of the rarer label among them. */
function sayFew(rows: number, positives: number | null): string {
  if (positives === null || rows < rowsMin)
    return `${count(rows)} rows${positives === null ? '' : ` with ${positives} positives`} are`;
  const isPositive = positives < rows - positives;
  const few = count(isPositive ? positives : rows - positives);
  return `only ${few} of ${count(rows)} rows are ${isPositive ? 'positive' : 'negative'},`;
}

function count(rows: number): string {
  return rows.toLocaleString('en');
}

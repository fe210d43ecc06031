import { type RowReason, sayRowReason } from '../../lib/files/row-reasons.ts';
import { sayWorded, type Worded } from '../../lib/files/worded.ts';
import type { CheckedFormat } from '../contract/formats.ts';

/** Why a row that is asked about is refused, in English, by its code. */
const wording = {
  out_of_range: ({ minimum, maximum, found }: Range & { readonly found: number | null }) =>
    `must be ${sayRange({ minimum, maximum })}${found === null ? '' : `, and is ${found}`}`,
  wrong_format: ({ format }: { readonly format: CheckedFormat }) => `must be ${formatNames[format]}`,
  undated: ({ input }: { readonly input: string }) =>
    `the value is missing and dates the row: give it, or ${input} for the row to stand at`,
  dated_ahead: ({ day, today }: { readonly day: string; readonly today: string }) =>
    `${day} lies in the future, and dates the row; today is ${today}`,
  long_text: ({ most }: { readonly most: number }) =>
    `is longer than ${most.toLocaleString('en')} characters, and is copied to the answer`,
  day_ahead: () => 'lies in the future of the batch',
  before_year_1: () => 'lies before the year 1',
  no_target: () => 'names no target, and the batch has none of its own',
  unknown_target: ({ target }: { readonly target: string }) =>
    `${target} named no model with that alias or active version when the batch was accepted`,
  unread_future: ({ until }: { readonly until: string }) => `lies after ${until}, up to which data are read`,
  lacking_of_new: ({ table }: { readonly table: string }) =>
    `the value is missing and the column is required: ${table} has no such key, and a new row needs its inputs`,
};

/** The least and the greatest value; null where there is none. */
type Range = { readonly minimum: number | null; readonly maximum: number | null };

const formatNames: Readonly<Record<CheckedFormat, string>> = {
  cpf: 'a CPF with right check digits',
  cnpj: 'a CNPJ with right check digits',
  email: 'an address of mail',
  phone: 'a telephone number',
  url: 'an address of the web',
  uuid: 'a UUID',
};

type Own = Worded<typeof wording>;
export type InputReason = RowReason | Own;

export function sayInputReason(reason: InputReason): string {
  if (!Object.hasOwn(wording, reason.code)) return sayRowReason(reason as RowReason);
  return sayWorded(wording, reason as Own);
}

/** A reason as problems carry it; one that has no code is a sentence. */
export function tellInputReason(reason: InputReason | string): {
  readonly message: string;
  readonly because?: InputReason;
} {
  return typeof reason === 'string' ? { message: reason } : { message: sayInputReason(reason), because: reason };
}

function sayRange({ minimum, maximum }: Range): string {
  if (minimum === null) return `at most ${maximum}`;
  return maximum === null ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

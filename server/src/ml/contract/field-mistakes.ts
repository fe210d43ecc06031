import { sayWorded, type Worded } from '../../lib/files/worded.ts';

/** What is wrong with a field of a YAML text, in English, by its code. What is said comes after the field's place. */
const wording = {
  no_map: ({ found }: OfFound) => `must be a map of fields, not ${sayFound(found)}`,
  unknown_field: ({ known, meant }: { readonly known: readonly string[]; readonly meant: string | null }) =>
    `unknown field${meant === null ? `; known here: ${known.join(', ')}` : `; did you mean ${meant}?`}`,
  wrong_kind: ({ kind, found }: OfFound & { readonly kind: FieldKind }) =>
    `must be ${kinds[kind]}, not ${sayFound(found)}${kind === 'string' && found.as === 'number' ? ': put it in quotes' : ''}`,
  missing_field: () => 'is missing',
  not_among: ({ known }: { readonly known: readonly string[] }) => `must be one of ${known.join(', ')}`,
  no_span: ({ text, meant }: { readonly text: string; readonly meant: number | null }) =>
    `must be a number of days such as 30d, not ${text}${meant === null ? '' : `: months and years differ in length; did you mean ${meant}d?`}`,
  long_span: ({ text, most }: { readonly text: string; readonly most: number }) =>
    `must be at most ${most} days, not ${text}`,
  no_day: ({ text }: { readonly text: string }) => `must be a day such as 2010-01-01, not ${text}`,
  said_by_query: () => 'is said by the query: leave it out',
  excluded: ({ other }: { readonly other: string }) => `and ${other} exclude each other`,
  without_target: () => 'needs a target or a delinquency',
  headed_alone: ({ kinds }: { readonly kinds: readonly string[] }) =>
    `is for kinds with several heads (${kinds.join(', ')})`,
  no_head: ({ kind, heads }: { readonly kind: string; readonly heads: readonly string[] }) =>
    `is no head of ${kind}, which has ${heads.join(', ')}`,
  no_aggregate: ({ text }: { readonly text: string }) =>
    `must be exists, count, first, sum(column) or next(column), not ${text}`,
  many_horizons_listed: ({ most }: { readonly most: number }) => `must list 1 to ${most}`,
  before_from: () => 'lies before anchors.from',
  many_moments: ({ count, most }: { readonly count: number; readonly most: number }) =>
    `makes ${count} moments; at most ${most}`,
  of_label_files: () => 'is a column of label files, and these labels are made from the tables',
  empty_list: () => 'is empty: name columns, tables or codes, or leave it out',
  no_text: ({ text }: { readonly text: string }) => `must be a text, not ${text}`,
  dropped_too: ({ name }: { readonly name: string }) => `names ${name}, which drop names too`,
  no_entity_kind: ({ name, known }: { readonly name: string; readonly known: readonly string[] }) =>
    `${name} is not an entity kind; known: ${known.join(', ')}`,
  no_column_type: ({ name, known }: { readonly name: string | null; readonly known: readonly string[] }) =>
    `${name === null ? 'is missing' : `${name} is not one`}; known types: ${known.join(', ')}`,
  no_reference_form: ({ name }: { readonly name: string }) => `${name} is not of the form table.column`,
  no_such_table: ({ name, meant }: { readonly name: string; readonly meant: string | null }) =>
    `there is no table ${name}${meant === null ? '' : `; did you mean ${meant}?`}`,
};

export type FieldKind = 'string' | 'boolean' | 'number' | 'list' | 'map';
/** What stands in a field: what it is, and its value as JSON where that is short. */
export type Found = { readonly as: FieldKind | 'empty'; readonly text: string | null };
type OfFound = { readonly found: Found };

export type FieldMistake = Worded<typeof wording>;

export function sayFieldMistake(mistake: FieldMistake): string {
  return sayWorded(wording, mistake);
}

const kinds: Readonly<Record<FieldKind, string>> = {
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  list: 'a list',
  map: 'a map of fields',
};

function sayFound({ as, text }: Found): string {
  const names: Readonly<Record<Found['as'], string>> = {
    ...{ empty: 'empty', list: 'a list', map: 'a map' },
    ...{ string: `the text ${text}`, number: `the number ${text}`, boolean: `the boolean ${text}` },
  };
  return names[as];
}

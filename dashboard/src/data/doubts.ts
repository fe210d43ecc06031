import type { ContractColumn, ContractTable } from './contract.ts';
import { isDated, saidInstead } from './corrections.ts';
import type { Guess } from './report.ts';

/** What one click notes about a table (`column` is null) or a column. */
export type Remedy = {
  readonly does:
    | 'refer'
    | 'unrefer'
    | 'key'
    | 'unkey'
    | 'date'
    | 'rowsAre'
    | 'plan'
    | 'otherForm'
    | 'number'
    | 'knownFrom'
    | 'identify';
  /** What it names: a key of another table, a column, or what rows are. */
  readonly to: string;
  readonly column: string | null;
  readonly values: Readonly<Record<string, string | boolean>>;
};

/** Of guesses that are likely, those of which a wrong one costs most. */
const weighty = new Set(['key', 'reference', 'time', 'entityKind']);
/** Dates that one click each would make the date of the rows. */
const datesOffered = 3;
const kindsOffered = ['company', 'individual', 'asset', 'event', 'other'];
const formatOf = /\b(?:dd\/MM\/yyyy|MM\/dd\/yyyy)$/;

/**
 * What somebody should look at, as long as it is not corrected: what is a mere guess and could be otherwise. Bounds that
 * numbers were merely seen in are none, nor is a date of birth that dates no rows; and no date is, where another does.
 */
export function doubtsOf(
  table: ContractTable,
  before: ContractTable,
  guesses: readonly Guess[],
  confidence: 'low' | 'medium' = 'low',
): readonly Guess[] {
  return guesses.filter((guess) => {
    const { kind, column: name } = guess;
    if (guess.confidence !== confidence || kind === 'range') return false;
    if (confidence === 'medium' && !weighty.has(kind)) return false;
    if (kind === 'time' && name !== null && (table.eventTime !== null || isBirth(guess))) return false;
    // Personal data are not kept, and no model reads them.
    if (kind === 'format' && table.columns.some((one) => one.name === name && one.isPersonal)) return false;
    return saidInstead(guess, table, before).length === 0;
  });
}

const isBirth = ({ because = [] }: Guess): boolean => because.some(({ code }) => code === 'named_founding');

/** What one click can do where a guess is wrong. */
export function remediesOf(guess: Guess, table: ContractTable): readonly Remedy[] {
  const { kind, value, column, applied = true } = guess;
  const of = (does: Remedy['does'], to: string, values: Remedy['values']): Remedy => ({ does, to, column, values });
  const own = table.columns.find(({ name }) => name === column);
  if (kind === 'entityKind')
    return kindsTo(
      table,
      kindsOffered.filter((one) => one !== value),
    );
  if (kind === 'time' && column === null) return datesTo(guess, table);
  if (!own) return [];
  switch (kind) {
    case 'time':
      return [{ does: 'date', to: own.name, column: null, values: { eventTime: own.name } }];
    case 'reference':
      return [applied ? of('unrefer', value, { reference: '' }) : of('refer', value, { reference: value })];
    case 'key':
      if (!applied) return [of('key', own.name, { isKey: true })];
      // A key of several columns is taken apart in the table, where all of them are in sight.
      return value === own.name ? [of('unkey', own.name, { isKey: false })] : [];
    case 'planned':
      return applied ? [] : [of('plan', own.name, { isPlanned: true })];
    case 'knownFrom':
      return applied ? [] : [of('knownFrom', value, { knownFrom: value })];
    case 'format':
      return applied || value !== 'identifier' ? [] : [of('identify', own.name, { isIdentifier: true })];
    case 'type':
      return typesTo(guess, own);
    default:
      return [];
  }
}

/** What is said of rows that others refer to by one click. */
export const kindsTo = (table: ContractTable, kinds: readonly string[] = kindsOffered): readonly Remedy[] =>
  kinds
    .filter((kind) => kind !== table.entityKind)
    .map((kind) => ({ does: 'rowsAre', to: kind, column: null, values: { entityKind: kind } }));

/** The dates that lie within a day of the one taken, or else the other dates of the table. */
function datesTo({ because = [] }: Guess, table: ContractTable): readonly Remedy[] {
  const near = because.flatMap(({ code, columns }) => (code === 'rival_dates' ? (columns as readonly string[]) : []));
  const dates = table.columns.filter((one) => isDated(one.type) && !one.isPersonal).map(({ name }) => name);
  return (near.length > 0 ? near : dates)
    .filter((name) => name !== table.eventTime && dates.includes(name))
    .slice(0, datesOffered)
    .map((name) => ({ does: 'date', to: name, column: null, values: { eventTime: name } }));
}

function typesTo({ value, because = [] }: Guess, { name: column, format }: ContractColumn): readonly Remedy[] {
  if (formatOf.test(value) && format !== null) {
    const other = format.startsWith('dd') ? 'MM/dd/yyyy' : 'dd/MM/yyyy';
    return [{ does: 'otherForm', to: other, column, values: { format: other } }];
  }
  if (!because.some(({ code }) => code === 'comma_of_either')) return [];
  return [{ does: 'number', to: column, column, values: { type: 'number', decimalSeparator: ',' } }];
}

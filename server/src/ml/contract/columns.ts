import { type DateForm, formExamples } from '../../lib/files/date-forms.ts';
import { commaOf } from '../../lib/files/decimal-comma.ts';
import { startOf } from '../../lib/files/values.ts';
import type { ColumnContract, ColumnFormat } from './contract.ts';
import { isNamedDay } from './dates.ts';
import { isOfFormat } from './formats.ts';
import { because, type Guess } from './guess.ts';
import { findNumbers, type NumbersFound } from './measures.ts';
import { identifierShape, wordsOf } from './names.ts';
import { type Profile, readText, type TableProfile, valuesOf, type WrittenDates } from './profile.ts';
import type { Reason } from './reasons.ts';
import { findStandIn, isDatedProfile, isNamedBirth, isNamedPlanned, isUnreadDate } from './times.ts';

export type TableFacts = {
  readonly table: TableProfile;
  readonly key: readonly Profile[];
  readonly references: ReadonlySet<string>;
  readonly births: ReadonlySet<Profile>;
  /** The table's own event time and its clock, by name. */
  readonly timeColumns: readonly string[];
  /** Event time of each row, own or inherited; null for tables without. */
  readonly times: Float64Array | null;
  /** The last event time of all tables, microseconds. */
  readonly lastEvent: number;
};

const enumValuesMax = 20;
const rowsPerValueMin = 20;
const rowsForRules = 100;
/**
 * With at least this many values of another kind in the column, a word for a missing value is taken as one with high
 * confidence.
 */
const filledForWords = 20;
const formatShareMin = 0.98;
const formatSamples = 2_000;
/** With at least this share of dates, texts are meant as dates. */
const datesShareMin = 0.95;
/** What fewer rows than five share on average identifies them; what more share says what they have in common. */
const identifyingShareMin = 0.2;
const textLengthMin = 40;
/** Characters shown of an example. */
const exampleLength = 30;
/** Dates at fixed terms, such as terms of payment: at most this many distinct gaps, each of at least a week. */
const fixedTermsMax = 6;
const fixedTermDaysMin = 7;
const dayUs = 86_400_000_000;
/** The farthest moment a Date holds, in milliseconds. Parquet can hold farther ones. */
const dateMsMax = 8.64e15;
const storedFormats: readonly ColumnFormat[] = ['cnpj', 'cpf', 'email', 'url', 'uuid', 'phone'];

/**
 * Infers the contract of every column of a table, with a guess for each rule that does not follow directly from the
 * data.
 */
export function inferColumns(facts: TableFacts): { columns: ColumnContract[]; guesses: Guess[] } {
  const guesses: Guess[] = [];
  const columns = facts.table.columns.map((profile) => inferColumn(facts, profile, guesses));
  return { columns, guesses };
}

function inferColumn(facts: TableFacts, profile: Profile, guesses: Guess[]): ColumnContract {
  const { table, key, references } = facts;
  const say = (
    kind: Guess['kind'],
    value: string,
    confidence: Guess['confidence'],
    ...reasons: readonly Reason[]
  ): boolean => {
    guesses.push({ table: table.name, column: profile.name, kind, value, confidence, ...because(...reasons) });
    return confidence !== 'low';
  };
  const isKey = key.includes(profile);
  const isLink = isKey || references.has(profile.name);
  const isTime = facts.timeColumns.includes(profile.name);
  const numbers = isLink || profile.type !== 'string' ? null : numbersOf(profile);
  const format = isLink && profile.type !== 'string' ? null : findFormat(profile, isLink, numbers !== null);
  if (numbers !== null && !numbers.isMarked && (format === null || format.confidence === 'low'))
    sayNumbers(profile, say);
  else sayType(profile, say);
  if (profile.missing.length > 0) sayMissing(profile, say);
  if (!isLink && !isTime && isDatedProfile(profile)) sayStandIn(profile, facts.lastEvent, say);
  if (format !== null) say('format', format.format, format.confidence, ...format.reasons);
  const values = isLink ? null : findEnum(profile);
  if (values !== null) {
    say('enum', values.join(', '), profile.filled >= values.length * 50 ? 'high' : 'medium', {
      code: 'few_values',
      values: values.length,
      rows: profile.filled,
    });
  }
  const range = isLink ? {} : findRange(profile, say);
  const isPlanned =
    !isTime && !facts.births.has(profile) && isDatedProfile(profile) && findPlanned(facts, profile, say);
  const knownFrom = isLink || isTime ? null : findKnownFrom(facts, profile, say);
  const isPrivate = sayPrivate(facts.births.has(profile), profile, format?.format, say);
  return {
    name: profile.name,
    type: profile.type,
    required: isKey || (isTime && profile.filled === profile.rows && profile.type !== 'time'),
    unique: isKey && key.length === 1,
    ...(values !== null && { enum: values }),
    ...range,
    ...(format !== null && format.confidence !== 'low' && { format: format.format }),
    ...(profile.written !== null && { dateForm: profile.written.form }),
    ...(profile.isComma && { decimalSeparator: ',' as const }),
    ...(profile.missing.length > 0 && { missingValues: profile.missing.map(({ text }) => text) }),
    ...(knownFrom !== null && { knownFrom }),
    planned: isPlanned,
    mutable: false,
    pii: isPrivate,
    ...((format?.format === 'cnpj' || format?.format === 'cpf') && { graphKey: true }),
  };
}

type Say = (
  kind: Guess['kind'],
  value: string,
  confidence: Guess['confidence'],
  ...reasons: readonly Reason[]
) => boolean;

function sayType(profile: Profile, say: Say): void {
  if (profile.typeDoubt !== null)
    say('type', profile.type, profile.type === 'string' ? 'medium' : 'low', profile.typeDoubt);
  if (profile.written !== null) sayWritten(profile, profile.written, say);
  if (profile.isComma) sayComma(profile, say);
  const isEpoch = profile.minimum > 3e14 && profile.maximum < 4e15;
  if (profile.type === 'integer' && isEpoch && isNamedDay(profile.name))
    say('type', 'integer', 'low', { code: 'microseconds' });
  if (profile.type === 'string' && profile.filled > 0) {
    const sample = profile.texts.slice(0, 200);
    const unread = sayUnreadDates(profile);
    if (unread !== null) say('type', 'string', 'low', unread);
    else if (sample.every((text) => /^\s*-?\d{1,3}(?:\.?\d{3})*,\d+\s*$/.test(text))) {
      say('type', 'string', 'low', { code: 'comma_of_either' });
    }
  }
}

/** Rows that tell the day from the month, or a decimal comma from one of thousands, from which on it is sure. */
const decidedSure = 20;

function sayComma({ texts, counts }: Profile, say: Say): void {
  const isDecimal = texts.map((text) => commaOf(text) === 'decimal');
  const rows = isDecimal.reduce((sum, is, code) => sum + (is ? counts[code] : 0), 0);
  const example = startOf(texts[isDecimal.indexOf(true)], exampleLength);
  say('type', 'number', rows >= decidedSure ? 'high' : 'medium', { code: 'decimal_comma', example });
}

/** Says in which form the dates of a column are written, and how it was found. */
function sayWritten(profile: Profile, written: WrittenDates, say: Say): void {
  const { type, name, filled, texts, counts } = profile;
  const { form, decided, isAsOthers } = written;
  const first = form === 'dd/MM/yyyy' ? 'day' : 'month';
  const tell = (confidence: Guess['confidence'], reason: Reason): void => {
    const iso = texts.reduce((sum, text, code) => sum + (Number.isNaN(readText(type, text)) ? 0 : counts[code]), 0);
    const example = texts.find((text) => Number.isNaN(readText(type, text))) ?? formExamples[form].date;
    const shown: Reason = { code: 'written_as', example: startOf(example, exampleLength), iso, filled };
    say('type', `${type} ${form}`, confidence, shown, reason);
  };
  if (form === 'yyyy/MM/dd') tell('high', { code: 'year_first' });
  else if (form === 'yyyyMMdd') tell(isNamedDay(name) ? 'high' : 'medium', { code: 'days_of_digits' });
  else if (form === 'epoch_seconds') tell('medium', { code: 'since_1970', unit: 'seconds' });
  else if (form === 'epoch_milliseconds') tell('medium', { code: 'since_1970', unit: 'milliseconds' });
  else if (decided > 0)
    tell(decided >= decidedSure ? 'high' : 'medium', { code: 'shown_first', first, decided, filled });
  else if (isAsOthers) tell('medium', { code: 'first_as_others', first });
  else tell('low', { code: 'either_first', first });
}

function isNamed({ name }: Profile, ...names: readonly string[]): boolean {
  return wordsOf(name).some((word) => names.includes(word));
}

/** Says that a column has dates of which some or all cannot be read; null where it has not. */
function sayUnreadDates({ texts, counts, filled }: Profile): Reason | null {
  const rowsOf = (isIt: (text: string) => boolean) =>
    texts.reduce((sum, text, code) => sum + (isIt(text) ? counts[code] : 0), 0);
  const unread = rowsOf(isUnreadDate);
  if (unread === 0) return null;
  const read = rowsOf((text) => !Number.isNaN(readText('timestamp', text)));
  if (unread + read < filled * datesShareMin) return null;
  const inOrder = (form: DateForm, other: DateForm) =>
    texts.find(
      (text) => !Number.isNaN(readText('timestamp', text, form)) && Number.isNaN(readText('timestamp', text, other)),
    );
  const [day, month] = [inOrder('dd/MM/yyyy', 'MM/dd/yyyy'), inOrder('MM/dd/yyyy', 'dd/MM/yyyy')];
  const shown = (text: string) => startOf(text, exampleLength);
  if (day !== undefined && month !== undefined) return { code: 'mixed_dates', day: shown(day), month: shown(month) };
  const count = read === 0 ? filled : unread;
  return { code: 'unread_dates', count, filled, example: shown(texts.find(isUnreadDate)!) };
}

/** Whether a column tells of a person: a date of birth, or of a name or form that one person has. */
function sayPrivate(isBirth: boolean, profile: Profile, format: ColumnFormat | undefined, say: Say): boolean {
  if (isBirth && isNamedBirth(profile)) return say('pii', 'true', 'medium', { code: 'named_birth' });
  // Those made up or masked for others have wrong check digits.
  if (format === undefined && isNamed(profile, 'cpf')) return say('pii', 'true', 'medium', { code: 'named_cpf' });
  if (format !== 'cpf' && format !== 'email' && format !== 'phone') return false;
  return say('pii', 'true', 'medium', { code: 'values_of_form', form: format });
}

/** The numbers found in a text column; null when it is not read as numbers. */
function numbersOf({ name, texts, counts }: Profile): NumbersFound | null {
  return findNumbers({ dictionary: texts }, counts.entries(), identifierShape(name) === 0);
}

/** At most this many of the texts that are no numbers are shown. */
const othersShown = 3;

function sayNumbers({ texts, counts, filled }: Profile, say: Say): void {
  const others = texts
    .map((text, code) => ({ text, rows: counts[code] }))
    .filter(({ text }) => Number.isNaN(readText('number', text)))
    .sort((a, b) => b.rows - a.rows);
  const rows = others.reduce((sum, other) => sum + other.rows, 0);
  const found = others.slice(0, othersShown).map(({ text, rows }) => ({ text: startOf(text, exampleLength), rows }));
  const percent = Math.floor(1000 * (1 - rows / filled)) / 10;
  say('type', 'string', 'low', { code: 'numbers_in_text', percent, found, isMore: others.length > found.length });
}

function sayMissing({ missing, rows, filled, type, typeDoubt }: Profile, say: Say): void {
  const found = missing.map(({ text, rows }) => ({ text, rows }));
  const isWords = missing.every(({ isWord }) => isWord);
  say(
    'missingValues',
    missing.map(({ text }) => text).join(', '),
    isWords && typeDoubt === null && filled >= filledForWords ? 'high' : 'medium',
    { code: 'missing_texts', found, rows, filled, type, isNearly: typeDoubt !== null && isWords, isWords },
  );
}

/** Notes a date that stands for no date, as the text that the file has for it. */
function sayStandIn(profile: Profile, lastEvent: number, say: Say): void {
  const { numbers, texts, counts, rows, written } = profile;
  const day = findStandIn(valuesOf(profile), Number.isFinite(lastEvent) ? lastEvent : Number.POSITIVE_INFINITY);
  if (day === null) return;
  const codes = [...numbers!.keys()].filter((code) => Math.floor(numbers![code] / dayUs) * dayUs === day);
  const found = codes.reduce((sum, code) => sum + counts[code], 0);
  say(
    'missingValues',
    [...new Set(codes.map((code) => textOfDate(texts[code], day, written !== null)))].slice(0, othersShown).join(', '),
    'low',
    { code: 'far_ahead', count: found, rows },
  );
}

/** A date as a file writes it. Typed files contain no text, so their dates are formatted. */
function textOfDate(text: string, day: number, isWritten: boolean): string {
  return !isWritten && /^-?\d+$/.test(text)
    ? new Date(Math.min(day / 1000, dateMsMax)).toISOString().split('T', 1)[0]
    : text;
}

function findFormat(
  profile: Profile,
  isLink: boolean,
  isNumbers: boolean,
): { format: ColumnFormat; confidence: Guess['confidence']; reasons: readonly Reason[] } | null {
  if (profile.filled === 0) return null;
  const step = Math.max(1, Math.floor(profile.texts.length / formatSamples));
  const sample = profile.texts.filter((_, i) => i % step === 0);
  if (profile.type === 'string') {
    for (const format of storedFormats) {
      // Documents with wrong check digits look like phone numbers.
      if (format === 'phone' && isNamed(profile, 'cpf', 'cnpj')) continue;
      const hits = sample.reduce((sum, text) => sum + (isOfFormat(format, text) ? 1 : 0), 0);
      if (hits < sample.length * formatShareMin) continue;
      const isSure = sample.length >= 20 && format !== 'phone';
      return {
        format,
        confidence: isSure ? 'high' : sample.length >= 5 ? 'medium' : 'low',
        reasons: [{ code: 'of_form', count: hits, looked: sample.length, form: format }],
      };
    }
    if (isLink) return null;
    const length = sample.reduce((sum, text) => sum + text.length, 0) / sample.length;
    const spaced = sample.filter((text) => /\s/.test(text.trim())).length / sample.length;
    if (length >= textLengthMin && spaced >= 0.5 && profile.distinct >= 20) {
      return { format: 'text', confidence: 'medium', reasons: [{ code: 'free_text', characters: Math.round(length) }] };
    }
  }
  if (isLink) return null;
  const isCodes = profile.type === 'string' || profile.type === 'integer';
  if (
    isCodes &&
    identifierShape(profile.name) === 2 &&
    profile.distinct > Math.max(50, profile.filled * identifyingShareMin)
  ) {
    return {
      format: 'identifier',
      confidence: 'medium',
      reasons: [{ code: 'named_identifier' }, { code: 'many_values' }],
    };
  }
  if (profile.type === 'string' && !isNumbers && profile.distinct === profile.filled && profile.rows >= rowsForRules) {
    const isCode = sample.every((text) => !/\s/.test(text)) && profile.rows >= 1_000;
    return { format: 'identifier', confidence: isCode ? 'medium' : 'low', reasons: [{ code: 'all_different' }] };
  }
  return null;
}

function findEnum(profile: Profile): string[] | null {
  if (profile.type !== 'string' || profile.distinct < 2 || profile.distinct > enumValuesMax) return null;
  if (profile.filled < Math.max(rowsForRules, profile.distinct * rowsPerValueMin)) return null;
  return profile.texts.some((text) => text.length > textLengthMin) ? null : profile.texts.toSorted();
}

/** Bounds that follow from the thing measured. Bounds merely seen so far are noted, not set. */
function findRange(profile: Profile, say: Say): { minimum?: number; maximum?: number } {
  if (profile.type !== 'integer' && profile.type !== 'number') return {};
  if (profile.filled < rowsForRules || profile.distinct < 3) return {};
  const { minimum, maximum } = profile;
  const seen: Reason = { code: 'seen', minimum, maximum };
  if (minimum < 0) {
    say('range', `${minimum} … ${maximum}`, 'low', { code: 'as_seen' });
    return {};
  }
  const isShare = profile.type === 'number' && maximum <= 1 && maximum > 0.9;
  const isPercentage = maximum === 100 && minimum <= 1;
  if (isShare || isPercentage) {
    const top = isShare ? 1 : 100;
    say('range', `0 … ${top}`, 'medium', seen, { code: isShare ? 'like_share' : 'like_percentage' });
    return { minimum: 0, maximum: top };
  }
  say('range', '≥ 0', 'medium', seen);
  return { minimum: 0 };
}

/** A date that is empty in more rows than this says too little. */
const plannedFilledMin = 0.5;

/**
 * Whether a date is planned: as a rule filled and ahead of its row. A date that merely happens to be filled by now (in
 * an old file every order is delivered) must not count, because it would reveal the future. Therefore only dates that
 * are named like plans or lie at fixed terms count.
 */
function findPlanned(facts: TableFacts, profile: Profile, say: Say): boolean {
  if (facts.times === null || profile.filled < profile.rows * plannedFilledMin) return false;
  const isFilled = profile.filled >= profile.rows * 0.995;
  const values = valuesOf(profile);
  const terms = new Set<number>();
  let ahead = 0;
  let compared = 0;
  for (let row = 0; row < values.length; row++) {
    const gap = Math.floor(values[row] / dayUs) - Math.floor(facts.times[row] / dayUs);
    if (Number.isNaN(gap)) continue;
    compared++;
    if (gap > 0) ahead++;
    terms.add(gap);
  }
  if (compared < 10 || ahead < compared * 0.5) return false;
  const isBeyond = profile.maximum > facts.lastEvent + dayUs;
  if (!isFilled) {
    if (ahead < compared * 0.99) return false;
    const filled: Reason = { code: 'filled_in', percent: Math.round((profile.filled / profile.rows) * 100) };
    // What is written when something ends lies never beyond the last event.
    if (isNamedPlanned(profile) && isBeyond)
      return say(
        'planned',
        'true',
        'medium',
        { code: 'named_plan' },
        filled,
        { code: 'ahead' },
        { code: 'beyond_data' },
      );
    say('planned', 'true', 'low', filled, { code: 'after_row' });
    return false;
  }
  if (ahead >= compared * 0.9 && isNamedPlanned(profile)) {
    const named: Reason[] = [{ code: 'named_plan' }, { code: 'always_filled' }, { code: 'ahead' }];
    return say('planned', 'true', 'medium', ...named, ...(isBeyond ? [{ code: 'beyond_data' } as const] : []));
  }
  const isTerms = terms.size <= fixedTermsMax && [...terms].every((gap) => gap >= fixedTermDaysMin);
  if (isTerms && compared >= rowsForRules) {
    return say('planned', 'true', 'medium', { code: 'always_filled' }, { code: 'fixed_terms', terms: terms.size });
  }
  say('planned', 'true', 'low', { code: 'always_filled' }, { code: 'ahead' }, { code: 'perhaps_old' });
  return false;
}

/** The date column that is filled exactly where this column is: the value came into being on that date. */
function findKnownFrom(facts: TableFacts, profile: Profile, say: Say): string | null {
  if (isDatedProfile(profile)) return null;
  const missing = profile.rows - profile.filled;
  if (missing === 0 || profile.filled === 0) return null;
  const matching = facts.table.columns.filter(
    (date) =>
      isDatedProfile(date) &&
      !facts.births.has(date) &&
      !facts.timeColumns.includes(date.name) &&
      date.filled === profile.filled &&
      profile.codes.every((code, row) => code < 0 === date.codes[row] < 0),
  );
  if (matching.length === 0) return null;
  // Of several dates, the latest is the safe one.
  const mean = (date: Profile): number =>
    date.numbers!.reduce((sum, value, code) => sum + (value * date.counts[code]) / date.filled, 0);
  const from = matching.reduce((a, b) => (mean(b) > mean(a) ? b : a));
  const isSure = missing >= 20 && profile.filled >= 20;
  const isSet = say(
    'knownFrom',
    from.name,
    isSure ? 'high' : Math.min(missing, profile.filled) >= 3 ? 'medium' : 'low',
    { code: 'empty_with', column: from.name, missing, rows: profile.rows },
  );
  return isSet ? from.name : null;
}

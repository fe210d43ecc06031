import type { Contract } from '../contract/contract.ts';
import { pathOf } from '../events/signals.ts';
import { type Events, type Feature, labelsTable, type Read } from '../features/feature.ts';
import type { ExplainedNumber } from './effects.ts';
import { columnsNamed, type KnownTask, type LineageSource, newestReasons, type Telling } from './lineage.ts';
import { formatNumber, formatValue, type Measure, measureOf, quoteText } from './measure.ts';
import { nameEvents, nameFeature, toldFeature } from './name-feature.ts';
import type { Missing, Move, Phrases } from './phrases.ts';
import { english } from './wording-en.ts';
import { portuguese } from './wording-pt.ts';

export type Language = 'en' | 'pt-BR';

const languages: Record<Language, Phrases> = { en: english, 'pt-BR': portuguese };

/** The value of a feature in the row (NaN: missing), its usual value, and what the feature does to the answer. */
type WordedFactor = {
  readonly value: number;
  readonly usual: number;
  /** The contribution to the margin; its sign is the direction. */
  readonly contribution: number;
  /** The effect on the explained number, in its unit. */
  readonly effect: number;
};

/** `statement`: what, its value and the usual value. `text`: the statement, and what it does to the answer. */
type Worded = { readonly statement: string; readonly text: string };

/**
 * A noun phrase for what a feature reads, from its lineage: "average days late of payments in the last 90 days".
 * Without `asked`, units of the entity's columns may be missing.
 */
export function describeFeature(
  read: Feature,
  contract: Contract,
  language: Language,
  asked: KnownTask & Pick<Telling, 'history'> = {},
): string {
  const source: LineageSource = { ...asked, contract, reasons: newestReasons };
  const feature = toldFeature(source, read);
  const phrases = languages[language];
  const noun = nameFeature(source, feature, phrases);
  const measure = measureOf(source, feature);
  return measure.kind === 'statement' ? phrases.whether(phrases.is(noun, quoteText(measure.value, phrases))) : noun;
}

/**
 * Prepares sentences about one feature, for many rows. A sentence tells what the feature reads, its value, the usual
 * value, and what it does to the answer: "Average days late of instalments in the last 90 days: 12.4 (usually 0.8);
 * raises the risk by 3.1 percentage points". A value of a category is told like one: "State: SP (usually not)".
 * Where the value is the usual one, it says against what the answer is moved, in the newer form of reasons.
 * It does not check what may be told: `openFactors` leaves out personal and protected columns.
 */
export function openWording(
  read: Feature,
  contract: Contract,
  language: Language,
  asked: KnownTask & Telling = {},
  explained?: Pick<ExplainedNumber, 'what' | 'unit' | 'name' | 'column'>,
): (factor: WordedFactor) => Worded {
  const source: LineageSource = { ...asked, contract };
  const feature = toldFeature(source, read);
  const phrases = languages[language];
  const measure = measureOf(source, feature);
  const noun = nameFeature(source, feature, phrases);
  const start = capitalise(noun);
  const isMoving = asked.reasons !== undefined && explained !== undefined;
  const asUsual = phrases.asUsual(isMoving);
  const sayUsual = openUsual(feature, measure, phrases, asUsual);
  // A single number of an embedding has no meaning, so its value is not shown.
  const isSaid = feature.read.kind !== 'embedding';
  let missing: string | undefined;
  const state = (value: number, usual: number): string => {
    if (!isSaid) return start;
    if (!Number.isFinite(value))
      return `${start}: ${(missing ??= sayMissing(source, feature, phrases))}${sayUsual(usual, undefined)}`;
    if (measure.kind === 'statement') return `${start}: ${stateValue(measure, value, usual, phrases, asUsual)}`;
    return `${start}: ${formatValue(value, measure, phrases)}${sayUsual(usual, formatValue(value, measure, phrases, true))}`;
  };
  return ({ value, usual, contribution, effect }) => {
    const statement = state(value, usual);
    if (!explained || contribution === 0) return { statement, text: statement };
    const size = sayEffect(Math.abs(effect), explained, phrases);
    const { what, name } = explained;
    const isAgainstAverage = isMoving && statement.endsWith(asUsual);
    return {
      statement,
      text: `${statement}; ${phrases.move({ what, name, isUp: contribution > 0, isAgainstAverage, size })}`,
    };
  };
}

/** A value of a category, or that the value is another one: `SP (usually not)`, `not SP (usually SP)`. */
function stateValue(
  { value: of }: Measure & { kind: 'statement' },
  value: number,
  usual: number,
  phrases: Phrases,
  asUsual: string,
): string {
  const named = quoteText(of, phrases);
  const holds = value >= 0.5;
  const said = holds ? named : phrases.not(named);
  if (!Number.isFinite(usual)) return said;
  if (holds === usual >= 0.5) return `${said} ${asUsual}`;
  return `${said} ${phrases.usual(holds ? phrases.not() : named)}`;
}

/**
 * Words the usual value, after the value as it is said in brief; undefined where it is missing. The usual value is the
 * same for every row, so it is worded once.
 */
function openUsual(
  { read }: Feature,
  measure: Measure,
  phrases: Phrases,
  asUsual: string,
): (usual: number, said: string | undefined) => string {
  // A calendar date has no usual value; a statement shows its usual value itself.
  if (read.kind === 'calendar' || measure.kind === 'statement') return () => '';
  let last = Number.NaN;
  let worded = '';
  return (usual, said) => {
    if (!Number.isFinite(usual)) return '';
    if (!Object.is(usual, last)) {
      last = usual;
      worded = formatValue(usual, measure, phrases, true);
    }
    if (said === worded) return ` ${asUsual}`;
    return ` ${worded === '0' || worded === '0%' ? phrases.mostly(worded) : phrases.usual(worded)}`;
  };
}

/** The size of an effect as text; undefined where it rounds to nothing. */
function sayEffect(
  size: number,
  { unit, column }: Pick<ExplainedNumber, 'unit' | 'column'>,
  phrases: Phrases,
): Move['size'] {
  if (unit === 'points') {
    const points = Math.round(size);
    return points === 0 ? undefined : { kind: 'points', text: formatNumber(points, 0, phrases) };
  }
  if (unit === 'percentage_points') {
    const decimals = size >= 0.95 ? 1 : 2;
    return size < 0.005 ? undefined : { kind: 'percentage_points', text: formatNumber(size, decimals, phrases) };
  }
  if (!(size > 0)) return undefined;
  const measure: Measure = unit === 'days' && !column ? { kind: 'days', isAhead: false } : { kind: 'amount', column };
  // More digits than two would claim more than a share of a difference can.
  const shown = size < 100 ? Number(size.toPrecision(2)) : size;
  return { kind: 'amount', text: formatValue(shown, measure, phrases) };
}

/** Why a value is missing, as far as the lineage makes it certain. */
function sayMissing(source: LineageSource, { focus, read }: Feature, phrases: Phrases): string {
  if (!('events' in read)) return phrases.missing('unknown', '');
  const { many, having } = nameEvents(source, read.events, phrases);
  const isCertain = focus.kind === 'root' || focus.kind === 'all';
  return phrases.missing(isCertain ? whyMissing(source, read) : unknownOf(read), `${many}${having}`);
}

/** No event has the value: because there is none, or because it is not known. */
function unknownOf(read: Extract<Read, { readonly events: Events }>): Missing {
  return 'signal' in read ? 'none_known' : 'unknown';
}

function whyMissing(source: LineageSource, read: Extract<Read, { readonly events: Events }>): Missing {
  const { table, when } = read.events;
  if (when && (when.path.length > 0 || !isAlwaysKnown(source, table, when.column))) return unknownOf(read);
  switch (read.kind) {
    case 'count':
    case 'rating':
    case 'against':
    case 'same':
      return 'unknown';
    case 'rate':
      return 'season' in read.span ? 'few' : 'none';
    case 'since':
      return 'none';
    case 'gap':
      return 'few';
    default: {
      const { signal } = read;
      if (signal.kind === 'rank' || pathOf(signal).length > 0) return 'none_known';
      if (table !== labelsTable && !isAlwaysKnown(source, table, signal.column)) return 'none_known';
      if (read.kind === 'number' && (read.aggregate === 'sd' || read.aggregate === 'slope')) return 'few';
      if (read.kind === 'variety' && read.as === 'changes') return 'few';
      return 'span' in read && ('days' in read.span || 'season' in read.span) ? 'none_in_span' : 'none';
    }
  }
}

function isAlwaysKnown(source: LineageSource, table: string, name: string): boolean {
  const [found] = columnsNamed(source, table, name);
  return found?.column.required === true && found.column.knownFrom === undefined;
}

function capitalise(text: string): string {
  return text.replace(/^“?\p{Ll}/u, (start) => start.toUpperCase());
}

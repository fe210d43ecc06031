import type { Contract } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import { type Events, type Feature, type Focus, labelsTable, type Read, type Span } from '../features/feature.ts';
import {
  columnsNamed,
  focusTable,
  type KnownTask,
  type LineageSource,
  referredTable,
  roleOf,
  signalTable,
  tableOf,
} from './lineage.ts';
import { formatValue, type Measure, measureOf, quoteValue } from './measure.ts';
import { columnName, dateName, referenceNames, tableNames } from './names.ts';
import type { ColumnWords, EventWords, Missing, Phrases, PredictedWords, SignalWords, Whose } from './phrases.ts';
import { english } from './wording-en.ts';
import { portuguese } from './wording-pt.ts';

export type Language = 'en' | 'pt-BR';

const languages: Record<Language, Phrases> = { en: english, 'pt-BR': portuguese };

/** The value of a feature in the row (NaN: missing), its usual value, and its contribution. */
type WordedFactor = {
  readonly value: number;
  readonly usual: number;
  readonly contribution: number;
  /** Added at the end of the sentence, by the contribution's sign: `raises the risk`, `lowers the risk`. */
  readonly direction?: { readonly up: string; readonly down: string };
};

/**
 * A noun phrase for what a feature reads, from its lineage: "mean days late of payments in the last 90 days". Without
 * `asked`, units of the entity's columns may be missing.
 */
export function describeFeature(
  feature: Feature,
  contract: Contract,
  language: Language,
  asked: KnownTask = {},
): string {
  const source: LineageSource = { ...asked, contract };
  const phrases = languages[language];
  const noun = nameFeature(source, feature, phrases);
  const measure = measureOf(source, feature);
  return measure.kind === 'statement' ? phrases.whether(phrases.is(noun, measure.value, true)) : noun;
}

/**
 * Prepares sentences about one feature, for many rows. A sentence tells what the feature reads, its value and the usual
 * value: "Mean days late of instalments in the last 90 days: 12.4 (usual: 0.8)". A value of a category is worded as a
 * statement: "State is SP (usually not)". It does not check what may be told: `openFactors` leaves out personal and
 * protected columns.
 */
export function openWording(
  feature: Feature,
  contract: Contract,
  language: Language,
  asked: KnownTask = {},
): (factor: WordedFactor) => string {
  const source: LineageSource = { ...asked, contract };
  const phrases = languages[language];
  const measure = measureOf(source, feature);
  const noun = nameFeature(source, feature, phrases);
  const start = capitalise(noun);
  const sayUsual = openUsual(feature, measure, phrases);
  // A single number of an embedding has no meaning, so its value is not shown.
  const isSaid = feature.read.kind !== 'embedding';
  let missing: string | undefined;
  const sayValue = (value: number): string =>
    Number.isFinite(value) ? formatValue(value, measure, phrases) : (missing ??= sayMissing(source, feature, phrases));
  return ({ value, usual, contribution, direction }) => {
    const sentence =
      measure.kind === 'statement' && Number.isFinite(value)
        ? capitalise(stateValue(noun, measure, value, usual, phrases))
        : isSaid
          ? `${start}: ${sayValue(value)}${sayUsual(usual)}`
          : start;
    if (!direction || contribution === 0) return sentence;
    return `${sentence}; ${contribution > 0 ? direction.up : direction.down}`;
  };
}

function stateValue(
  subject: string,
  { value: of }: Measure & { kind: 'statement' },
  value: number,
  usual: number,
  phrases: Phrases,
): string {
  const statement = phrases.is(subject, of, value >= 0.5);
  return Number.isFinite(usual) ? `${statement} ${phrases.usually(value >= 0.5, usual >= 0.5)}` : statement;
}

/** Words the usual value, after the value. It is the same for every row, so it is worded once. */
function openUsual({ read }: Feature, measure: Measure, phrases: Phrases): (usual: number) => string {
  // A calendar date has no usual value; a statement shows its usual value itself.
  if (read.kind === 'calendar' || measure.kind === 'statement') return () => '';
  let last = Number.NaN;
  let said = '';
  return (usual) => {
    if (!Object.is(usual, last)) {
      last = usual;
      said = Number.isFinite(usual) ? ` ${phrases.usual(formatValue(usual, measure, phrases))}` : '';
    }
    return said;
  };
}

function nameFeature(source: LineageSource, { focus, read }: Feature, phrases: Phrases): string {
  const whose = whoseState(source, focus, phrases);
  const table = focusTable(source, focus);
  switch (read.kind) {
    case 'calendar':
      return phrases.calendar(read.part);
    case 'data_age':
      return phrases.dataAge();
    case 'embedding':
      return read.of === 'graph' ? phrases.graph() : phrases.embedding();
    case 'attribute': {
      const isFlag = columnsNamed(source, table, read.column)[0]?.column.type === 'boolean';
      return focus.kind === 'recent' && isFlag
        ? phrases.neighborShare(columnName(read.column), undefined, whose)
        : phrases.attribute(columnName(read.column), whose);
    }
    case 'attribute_is':
      return focus.kind === 'recent'
        ? phrases.neighborShare(columnName(read.column), quoteValue(read.value), whose)
        : phrases.attribute(columnName(read.column), whose);
    case 'measure':
      return phrases.attribute(columnName(read.column), whose);
    case 'length':
      return phrases.length(columnName(read.column), whose);
    case 'word':
      return phrases.word(columnName(read.column), quoteValue(read.word), whose);
    case 'words':
      return phrases.words(read.as, columnName(read.column), nameOutcomes(source, phrases), whose);
    case 'interval': {
      const { name, isPlain } = nameDate(read.column);
      const isAhead = columnsNamed(source, table, read.column)[0]?.column.planned;
      return isAhead ? phrases.untilDate(name, isPlain, whose) : phrases.sinceDate(name, isPlain, whose);
    }
    case 'age': {
      const time = tableOf(source, table)?.time;
      if (!time || !('column' in time)) return phrases.age(whose);
      const { name, isPlain } = nameDate(time.column);
      return phrases.sinceDate(name, isPlain, whose);
    }
    case 'count':
      return phrases.count(nameEvents(source, read.events, phrases), read.span, whose);
    case 'rate':
      return phrases.rate(nameEvents(source, read.events, phrases), read.span, whose);
    case 'since':
      return phrases.since(nameEvents(source, read.events, phrases), read.which, whose);
    case 'gap':
      return phrases.gap(nameEvents(source, read.events, phrases), read.as, whose);
    case 'number': {
      const events = nameEvents(source, read.events, phrases);
      const signal = nameSignal(source, read.events, read.signal);
      const isFlag =
        read.signal.kind === 'column' &&
        columnsNamed(source, signalTable(source, read.events.table, read.signal), read.signal.column)[0]?.column
          .type === 'boolean';
      const isWord = read.signal.kind === 'column' && read.signal.word !== undefined;
      return (isFlag || isWord) && read.aggregate === 'mean'
        ? phrases.share(signal, undefined, events, read.span, whose)
        : phrases.number(read.aggregate, signal, events, read.span, whose);
    }
    case 'share':
    case 'last_is': {
      const events = nameEvents(source, read.events, phrases);
      const signal = nameSignal(source, read.events, read.signal);
      const value = quoteValue(read.value);
      if (read.kind === 'share') return phrases.share(signal, value, events, read.span, whose);
      return focus.kind === 'recent'
        ? phrases.neighborShare(phrases.last(signal, events, { kind: 'own' }), value, whose)
        : phrases.last(signal, events, whose);
    }
    case 'against':
      return phrases.against(columnName(read.column), read.as, ...parentOf(source, read.events, phrases, read.span));
    case 'same':
      return phrases.same(columnName(read.column), ...parentOf(source, read.events, phrases, read.span));
    case 'variety':
      return phrases.variety(
        read.as,
        nameSignal(source, read.events, read.signal),
        nameEvents(source, read.events, phrases),
        read.span,
        whose,
      );
  }
}

function whoseState(source: LineageSource, focus: Focus, phrases: Phrases): Whose {
  switch (focus.kind) {
    case 'root':
      return { kind: 'own' };
    case 'all':
      return { kind: 'all', entity: source.entity === undefined ? undefined : tableNames(source.entity).many };
    case 'parent': {
      const { one } = referenceNames(focus.reference, focusTable(source, focus));
      return { kind: 'parent', one, of: whoseState(source, focus.of, phrases) };
    }
    case 'last':
    case 'recent': {
      const { one, many } = referenceNames(focus.to, focusTable(source, focus));
      const events = nameEvents(source, focus.events, phrases).many;
      return { kind: focus.kind, one, many, events, of: whoseState(source, focus.of, phrases) };
    }
  }
}

function nameEvents(source: LineageSource, events: Events, phrases: Phrases): EventWords {
  if (events.table === labelsTable) return nameOutcomes(source, phrases);
  const role = roleOf(source, events);
  const target = role && referredTable(source, events.table, role.reference);
  const names = tableNames(events.table);
  return {
    ...(events.when
      ? phrases.narrowed(names, nameColumn(source, events.table, events.when), quoteValue(events.when.value))
      : names),
    role: role && { kind: role.kind, name: referenceNames(role.reference, target).one },
    isDated: !events.arriving && tableOf(source, events.table)?.time !== undefined,
  };
}

function nameOutcomes(source: LineageSource, phrases: Phrases): EventWords {
  return { ...phrases.outcomes(namePredicted(source)), role: undefined, isDated: true };
}

/** What the task predicts, for wording earlier outcomes; undefined where it is not known. */
function namePredicted({ target, label }: LineageSource): PredictedWords | undefined {
  if (!target) return label ? { kind: 'label', name: columnName(label) } : undefined;
  const names = tableNames(target.table);
  // The outcomes are those of the shortest window.
  const [days] = target.horizonsDays ?? [undefined];
  if (target.kind === 'delinquency') return { kind: 'delinquency', ...names, days };
  const { aggregate, overdue, than, where } = target;
  const [as, column] =
    typeof aggregate === 'string'
      ? ([aggregate, undefined] as const)
      : 'sum' in aggregate
        ? (['sum', aggregate.sum] as const)
        : (['next', aggregate.next] as const);
  return {
    ...{ kind: 'rows', as, ...names, days, overdueDays: overdue?.days, isNarrowed: where !== undefined },
    column: column === undefined ? '' : columnName(column),
    than: than && `${than.is} ${than.value}`,
  };
}

/** The earlier rows that a row is compared with, and their common parent. The parent names the role already. */
function parentOf(source: LineageSource, events: Events, phrases: Phrases, span: Span): [EventWords, Span, Whose] {
  const [reference] = events.via;
  const { one } = referenceNames(reference, referredTable(source, events.table, reference));
  const words = { ...nameEvents(source, events, phrases), role: undefined };
  return [words, span, { kind: 'parent', one, of: { kind: 'own' } }];
}

function nameSignal(source: LineageSource, events: Events, signal: Signal): SignalWords {
  switch (signal.kind) {
    case 'column': {
      if (events.table === labelsTable) return { kind: 'outcome' };
      const word = signal.word === undefined ? {} : { word: quoteValue(signal.word) };
      return { ...nameColumn(source, events.table, signal), ...word };
    }
    case 'interval': {
      const { name, isPlain } = nameDate(signal.column);
      return { kind: 'days', to: name, isPlain };
    }
    case 'rank': {
      const within = referenceNames(signal.within, referredTable(source, events.table, signal.within)).one;
      return { kind: 'rank', name: columnName(signal.column), within, as: signal.as };
    }
    case 'reference':
      return {
        kind: 'reference',
        ...referenceNames(signal.column, referredTable(source, events.table, signal.column)),
      };
  }
}

/** A column of a table's rows, or of the rows that `path` leads to. */
function nameColumn(
  source: LineageSource,
  table: string,
  { path, column }: { readonly path: readonly string[]; readonly column: string },
): ColumnWords {
  const last = path.at(-1);
  const before = signalTable(source, table, { kind: 'column', path: path.slice(0, -1), column });
  const of = last === undefined ? undefined : referenceNames(last, referredTable(source, before, last)).one;
  return { kind: 'column', name: columnName(column), of };
}

function nameDate(column: string): { name: string; isPlain: boolean } {
  const rest = dateName(column);
  return rest === '' || /(?:date|dated|day)$/.test(rest)
    ? { name: columnName(column), isPlain: true }
    : { name: rest, isPlain: false };
}

/** Why a value is missing, as far as the lineage makes it certain. */
function sayMissing(source: LineageSource, { focus, read }: Feature, phrases: Phrases): string {
  if (!('events' in read)) return phrases.missing('unknown', '');
  const { many } = nameEvents(source, read.events, phrases);
  const isCertain = focus.kind === 'root' || focus.kind === 'all';
  return phrases.missing(isCertain ? whyMissing(source, read) : 'unknown', many);
}

function whyMissing(source: LineageSource, read: Extract<Read, { readonly events: Events }>): Missing {
  const { table, when } = read.events;
  if (when && (when.path.length > 0 || !isAlwaysKnown(source, table, when.column))) return 'unknown';
  switch (read.kind) {
    case 'count':
    case 'against':
    case 'same':
      return 'unknown';
    case 'since':
    case 'rate':
      return 'none';
    case 'gap':
      return 'few';
    default: {
      const { signal } = read;
      if (signal.kind === 'rank' || (signal.kind === 'column' && signal.path.length > 0)) return 'unknown';
      if (table !== labelsTable && !isAlwaysKnown(source, table, signal.column)) return 'unknown';
      if (read.kind === 'number' && (read.aggregate === 'sd' || read.aggregate === 'slope')) return 'few';
      if (read.kind === 'variety' && read.as === 'changes') return 'few';
      return 'span' in read && 'days' in read.span ? 'none_in_span' : 'none';
    }
  }
}

function isAlwaysKnown(source: LineageSource, table: string, name: string): boolean {
  const [found] = columnsNamed(source, table, name);
  return found?.column.required === true && found.column.knownFrom === undefined;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

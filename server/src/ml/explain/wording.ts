import type { Contract } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import { type Events, type Feature, type Focus, labelsTable, type Read, type Span } from '../features/feature.ts';
import type { ExplainedNumber } from './effects.ts';
import {
  columnsNamed,
  focusTable,
  isFlag,
  type KnownTask,
  type LineageSource,
  referredTable,
  roleOf,
  signalTable,
  tableOf,
} from './lineage.ts';
import { formatNumber, formatValue, type Measure, measureOf, quoteText } from './measure.ts';
import { columnName, dateName, humanWords, referenceNames, tableNames } from './names.ts';
import type { ColumnWords, EventWords, Missing, Move, Phrases, PredictedWords, SignalWords, Whose } from './phrases.ts';
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
  feature: Feature,
  contract: Contract,
  language: Language,
  asked: KnownTask = {},
): string {
  const source: LineageSource = { ...asked, contract };
  const phrases = languages[language];
  const noun = nameFeature(source, feature, phrases);
  const measure = measureOf(source, feature);
  return measure.kind === 'statement' ? phrases.whether(phrases.is(noun, quoteText(measure.value, phrases))) : noun;
}

/**
 * Prepares sentences about one feature, for many rows. A sentence tells what the feature reads, its value, the usual
 * value, and what it does to the answer: "Average days late of instalments in the last 90 days: 12.4 (usually 0.8);
 * raises the risk by 3.1 percentage points". A value of a category is told like one: "State: SP (usually not)".
 * It does not check what may be told: `openFactors` leaves out personal and protected columns.
 */
export function openWording(
  feature: Feature,
  contract: Contract,
  language: Language,
  asked: KnownTask = {},
  explained?: Pick<ExplainedNumber, 'what' | 'unit' | 'name' | 'column'>,
): (factor: WordedFactor) => Worded {
  const source: LineageSource = { ...asked, contract };
  const phrases = languages[language];
  const measure = measureOf(source, feature);
  const noun = nameFeature(source, feature, phrases);
  const start = capitalise(noun);
  const sayUsual = openUsual(feature, measure, phrases);
  // A single number of an embedding has no meaning, so its value is not shown.
  const isSaid = feature.read.kind !== 'embedding';
  let missing: string | undefined;
  const state = (value: number, usual: number): string => {
    if (!isSaid) return start;
    if (!Number.isFinite(value))
      return `${start}: ${(missing ??= sayMissing(source, feature, phrases))}${sayUsual(usual, undefined)}`;
    if (measure.kind === 'statement') return `${start}: ${stateValue(measure, value, usual, phrases)}`;
    return `${start}: ${formatValue(value, measure, phrases)}${sayUsual(usual, formatValue(value, measure, phrases, true))}`;
  };
  return ({ value, usual, contribution, effect }) => {
    const statement = state(value, usual);
    if (!explained || contribution === 0) return { statement, text: statement };
    const size = sayEffect(Math.abs(effect), explained, phrases);
    const { what, name } = explained;
    return { statement, text: `${statement}; ${phrases.move({ what, name, isUp: contribution > 0, size })}` };
  };
}

/** A value of a category, or that the value is another one: `SP (usually not)`, `not SP (usually SP)`. */
function stateValue(
  { value: of }: Measure & { kind: 'statement' },
  value: number,
  usual: number,
  phrases: Phrases,
): string {
  const named = quoteText(of, phrases);
  const holds = value >= 0.5;
  const said = holds ? named : phrases.not(named);
  if (!Number.isFinite(usual)) return said;
  if (holds === usual >= 0.5) return `${said} ${phrases.asUsual()}`;
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
    if (said === worded) return ` ${phrases.asUsual()}`;
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

function nameFeature(source: LineageSource, { focus, read }: Feature, phrases: Phrases): string {
  const table = focusTable(source, focus);
  const whose =
    isOfNewRow(source, { focus, read }) && table !== undefined
      ? ({ kind: 'parent', one: nameTable(source, table, phrases).one, of: { kind: 'own' } } as const)
      : whoseState(source, focus, phrases);
  // A column of the row itself stands alone; of any other its table is named beside it.
  const named = (column: string) => (whose.kind === 'own' ? nameOf : nameWithin)(source, table, column, phrases);
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
        ? phrases.neighborShare(named(read.column), undefined, whose)
        : phrases.attribute(named(read.column), whose);
    }
    case 'attribute_is':
      return focus.kind === 'recent'
        ? phrases.neighborShare(named(read.column), quoteText(read.value, phrases), whose)
        : phrases.attribute(named(read.column), whose);
    case 'measure':
      return phrases.attribute(named(read.column), whose);
    case 'length':
      return phrases.length(named(read.column), whose);
    case 'word':
      return phrases.word(named(read.column), quoteWord(read.word), whose);
    case 'words':
      return phrases.words(read.as, named(read.column), namePredicted(source, phrases), whose);
    case 'interval': {
      const { name, isPlain } = nameDate(source, table, read.column, phrases);
      const isAhead = columnsNamed(source, table, read.column)[0]?.column.planned;
      return isAhead ? phrases.untilDate(name, isPlain, whose) : phrases.sinceDate(name, isPlain, whose);
    }
    case 'age': {
      const time = tableOf(source, table)?.time;
      if (!time || !('column' in time)) return phrases.age(whose);
      const { name, isPlain } = nameDate(source, table, time.column, phrases);
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
      return phrases.number(
        read.aggregate,
        nameSignal(source, read.events, read.signal, phrases),
        events,
        read.span,
        whose,
      );
    }
    case 'share':
    case 'last_is': {
      const events = nameEvents(source, read.events, phrases);
      const signal = nameSignal(source, read.events, read.signal, phrases);
      const value = quoteText(read.value, phrases);
      if (read.kind === 'share') return phrases.share(signal, value, events, read.span, whose);
      return focus.kind === 'recent'
        ? phrases.neighborShare(phrases.last(signal, events, { kind: 'own' }), value, whose)
        : phrases.last(signal, events, whose);
    }
    case 'against':
      return phrases.against(
        nameWithin(source, read.events.table, read.column, phrases),
        read.as,
        ...parentOf(source, read.events, phrases, read.span),
      );
    case 'same':
      return phrases.same(
        nameWithin(source, read.events.table, read.column, phrases),
        ...parentOf(source, read.events, phrases, read.span),
      );
    case 'variety':
      return phrases.variety(
        read.as,
        nameSignal(source, read.events, read.signal, phrases),
        nameEvents(source, read.events, phrases),
        read.span,
        whose,
      );
  }
}

/** Whether a column of a new row is read, which is told apart from those of the rows that it refers to. */
function isOfNewRow({ fresh }: LineageSource, { focus, read }: Feature): boolean {
  return fresh === true && focus.kind === 'root' && 'column' in read && !('events' in read);
}

/** A word, told apart from those of the sentence. */
function quoteWord(word: string): string {
  return `“${word}”`;
}

function whoseState(source: LineageSource, focus: Focus, phrases: Phrases): Whose {
  switch (focus.kind) {
    case 'root':
      return { kind: 'own' };
    case 'all':
      return { kind: 'all' };
    case 'parent': {
      const table = focusTable(source, focus.of);
      const of = whoseState(source, focus.of, phrases);
      if (isCategory(source, table, focus.reference))
        return { kind: 'alike', column: nameOf(source, table, focus.reference, phrases), of };
      return { kind: 'parent', one: nameReference(source, table, focus.reference, phrases).one, of };
    }
    case 'last':
    case 'recent': {
      const { table } = focus.events;
      const of = whoseState(source, focus.of, phrases);
      const named = nameEvents(source, focus.events, phrases);
      // Where both roles lead to the same table, the name of one tells the other.
      const isOtherRole = referredTable(source, table, focus.to) === focusTable(source, focus.of);
      const events = isOtherRole ? { ...named, role: undefined } : named;
      if (isCategory(source, table, focus.to))
        return {
          kind: 'alike',
          column: nameOf(source, table, focus.to, phrases),
          of: { kind: 'event', which: focus.kind, events, of },
        };
      const { one, many } = nameReference(source, table, focus.to, phrases);
      return {
        kind: focus.kind,
        one,
        many,
        events,
        of,
        isPlain: one !== many && !events.role && isMetThere(source, focus, phrases),
      };
    }
  }
}

/** Whether a reference leads to no table, but to all rows with the same value. */
function isCategory(source: LineageSource, table: string | undefined, reference: string): boolean {
  return tableOf(source, table) !== undefined && referredTable(source, table, reference) === undefined;
}

/** Whether neighbors of this name are met in no other events. */
function isMetThere(
  source: LineageSource,
  { events, to }: Focus & { kind: 'last' | 'recent' },
  phrases: Phrases,
): boolean {
  if (events.when || events.table === labelsTable) return false;
  const { one } = nameReference(source, events.table, to, phrases);
  return source.contract.tables.every(
    ({ name, references }) =>
      name === events.table ||
      references.every(({ column }) => nameReference(source, name, column, phrases).one !== one),
  );
}

function nameEvents(source: LineageSource, events: Events, phrases: Phrases): EventWords {
  if (events.table === labelsTable) {
    const asked = source.fresh && source.entity !== undefined ? nameTable(source, source.entity, phrases) : undefined;
    // A reference of earlier cases is named by the rows it comes from: `payments.customer`.
    const [through] = events.via[0]?.split('.') ?? [];
    const isOther = events.via[0]?.includes('.') && through !== source.entity;
    const role = isOther ? { kind: 'through' as const, name: nameTable(source, through!, phrases).many } : undefined;
    return { ...phrases.outcomes(asked), having: '', role, isDated: true, isOutcome: true };
  }
  const role = roleOf(source, events);
  const names = nameTable(source, events.table, phrases);
  return {
    ...names,
    having: events.when
      ? phrases.narrowed(nameColumn(source, events.table, events.when, phrases), quoteText(events.when.value, phrases))
      : '',
    role: role && { kind: role.kind, name: nameReference(source, events.table, role.reference, phrases).one },
    isDated: !events.arriving && tableOf(source, events.table)?.time !== undefined,
    isOutcome: false,
  };
}

/** What the task predicts, for wording earlier outcomes; undefined where it is not known. */
function namePredicted(source: LineageSource, phrases: Phrases): PredictedWords | undefined {
  const { target, label } = source;
  if (!target) return label ? { kind: 'label', name: columnName(label) } : undefined;
  const names = nameTable(source, target.table, phrases);
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
    column: column === undefined ? '' : nameOf(source, target.table, column, phrases),
    than: than && `${than.is} ${than.value}`,
  };
}

/** The earlier rows that a row is compared with, and their common parent. The parent names the role already. */
function parentOf(source: LineageSource, events: Events, phrases: Phrases, span: Span): [EventWords, Span, Whose] {
  const [reference] = events.via;
  const words = { ...nameEvents(source, events, phrases), role: undefined };
  const own = { kind: 'own' } as const;
  if (isCategory(source, events.table, reference))
    return [words, span, { kind: 'alike', column: nameOf(source, events.table, reference, phrases), of: own }];
  return [words, span, { kind: 'parent', one: nameReference(source, events.table, reference, phrases).one, of: own }];
}

function nameSignal(source: LineageSource, events: Events, signal: Signal, phrases: Phrases): SignalWords {
  switch (signal.kind) {
    case 'column': {
      const isYesNo = isFlag(source, events.table, signal);
      const isLabel = events.table === labelsTable && signal.path.length === 0;
      if (isLabel) return { kind: 'outcome', of: namePredicted(source, phrases), isYesNo };
      const word = signal.word === undefined ? {} : { word: quoteWord(signal.word) };
      return { ...nameColumn(source, events.table, signal, phrases), ...word, isYesNo };
    }
    case 'interval': {
      const { name, isPlain } = nameDate(source, events.table, signal.column, phrases);
      return { kind: 'days', to: name, isPlain, isYesNo: false };
    }
    case 'rank': {
      const within = nameReference(source, events.table, signal.within, phrases).one;
      return {
        kind: 'rank',
        name: nameWithin(source, events.table, signal.column, phrases),
        within,
        as: signal.as,
        isYesNo: false,
      };
    }
    case 'reference':
      return {
        kind: 'reference',
        ...nameReference(source, events.table, signal.column, phrases),
        isYesNo: false,
      };
  }
}

/** A column of a table's rows, or of the rows that `path` leads to. The table's own name is not repeated in it. */
function nameColumn(
  source: LineageSource,
  table: string,
  { path, column }: { readonly path: readonly string[]; readonly column: string },
  phrases: Phrases,
): ColumnWords {
  const last = path.at(-1);
  const before = signalTable(source, table, { kind: 'column', path: path.slice(0, -1), column });
  const of = last === undefined ? undefined : nameReference(source, before, last, phrases).one;
  const owner = signalTable(source, table, { kind: 'column', path, column });
  return { kind: 'column', name: nameWithin(source, owner, column, phrases), of };
}

/** What people call a column: the contract's name for them, or the readable one. */
function nameOf(source: LineageSource, table: string | undefined, column: string, phrases: Phrases): string {
  const called = businessNameOf(source, table, column);
  if (called !== undefined) return phrases.translate(called, 'thing') ?? called;
  const name = columnName(column);
  // The mark of an identifier tells two columns apart where both are there: award and award_id.
  const full = humanWords(column).join(' ');
  if (name.length < full.length && isShared(source, table, column, name)) return full;
  return phrases.translate(name, 'thing') ?? name;
}

/** The name of a column where its table is named beside it: of the orders' `order_status`, status. */
function nameWithin(source: LineageSource, table: string | undefined, column: string, phrases: Phrases): string {
  const prefix = table === undefined ? '' : `${tableNames(table, prefixOf(source)).one} `;
  const name = columnName(column);
  const short = columnName(name.slice(prefix.length));
  const isRepeated = table !== undefined && name.startsWith(prefix) && !isShared(source, table, column, short);
  if (!isRepeated || businessNameOf(source, table, column) !== undefined) return nameOf(source, table, column, phrases);
  return phrases.translate(short, 'thing') ?? short;
}

/** Whether another column of the table has this readable name. */
function isShared(source: LineageSource, table: string | undefined, column: string, name: string): boolean {
  const others = tableOf(source, table)?.columns ?? [];
  return others.some((other) => other.name !== column && columnName(other.name) === name);
}

function businessNameOf(source: LineageSource, table: string | undefined, column: string): string | undefined {
  return columnsNamed(source, table, column)[0]?.column.businessName;
}

function nameTable(source: LineageSource, table: string, phrases: Phrases): { many: string; one: string } {
  const many = tableOf(source, table)?.businessName;
  const names = many === undefined ? tableNames(table, prefixOf(source)) : { many, one: phrases.singular(many) };
  return translated(names, phrases);
}

function translated(names: { many: string; one: string }, phrases: Phrases): { many: string; one: string } {
  const one = phrases.translate(names.one, 'thing');
  return one === undefined ? names : { one, many: phrases.plural(one) };
}

/** The word that the names of all tables begin with, of three tables and more. */
function prefixOf({ contract: { tables } }: LineageSource): string | undefined {
  const [first] = humanWords(tables[0]?.name ?? '');
  const isShared =
    tables.length >= 3 && tables.every(({ name }) => humanWords(name)[0] === first && humanWords(name)[1]);
  return isShared ? first : undefined;
}

/** What people call the rows that a reference of a table leads to, in its role. */
function nameReference(
  source: LineageSource,
  table: string | undefined,
  column: string,
  phrases: Phrases,
): { one: string; many: string } {
  if (table === labelsTable) {
    // References of earlier cases are named by the rows they come from: `payments.customer`.
    if (column === 'entity' && source.entity !== undefined) return nameTable(source, source.entity, phrases);
    const dot = column.lastIndexOf('.');
    if (dot > 0) return nameReference(source, column.slice(0, dot), column.slice(dot + 1), phrases);
  }
  const one = businessNameOf(source, table, column);
  if (one !== undefined) return translated({ one, many: phrases.plural(one) }, phrases);
  const target = referredTable(source, table, column);
  const named = referenceNames(column, target, prefixOf(source));
  // A role that the table's own name gives goes by what the table is called.
  if (target !== undefined && named.one === tableNames(target, prefixOf(source)).one)
    return nameTable(source, target, phrases);
  return translated(named, phrases);
}

function nameDate(
  source: LineageSource,
  table: string | undefined,
  column: string,
  phrases: Phrases,
): { name: string; isPlain: boolean } {
  const called = businessNameOf(source, table, column);
  if (called !== undefined) return { name: called, isPlain: true };
  const rest = dateName(column);
  if (rest === '' || /(?:date|dated|day)$/.test(rest))
    return { name: columnName(column).replace(/(?<=^\p{L}{3,})date$/u, ' date'), isPlain: true };
  return { name: phrases.translate(rest, 'date') ?? rest, isPlain: false };
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
      if (signal.kind === 'rank' || (signal.kind === 'column' && signal.path.length > 0)) return 'none_known';
      if (table !== labelsTable && !isAlwaysKnown(source, table, signal.column)) return 'none_known';
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
  return text.replace(/^“?\p{Ll}/u, (start) => start.toUpperCase());
}

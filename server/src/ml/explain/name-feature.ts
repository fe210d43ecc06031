import { pathOf, type Signal } from '../events/signals.ts';
import { type Events, type Feature, type Focus, labelsTable, type Span } from '../features/feature.ts';
import {
  columnsNamed,
  focusTable,
  isFlag,
  isRate,
  isToldSince,
  type LineageSource,
  referredTable,
  roleOf,
  signalTable,
  tableOf,
} from './lineage.ts';
import { quoteText } from './measure.ts';
import { nameColumn, nameDate, nameOf, nameReference, nameTable, nameWithin, ownerOf } from './name-columns.ts';
import { columnName } from './names.ts';
import type { EventWords, Phrases, PredictedWords, SignalWords, Whose } from './phrases.ts';

/** A noun phrase for what a feature reads, without its value. */
export function nameFeature(source: LineageSource, { focus, read }: Feature, phrases: Phrases): string {
  if (focus.kind === 'apart') {
    const [first, second] = [focus.reference, focus.from].map(
      (reference): Focus => ({ kind: 'parent', of: focus.of, reference }),
    );
    return phrases.apartFrom(nameFeature(source, { focus: first, read }, phrases), whoseState(source, second, phrases));
  }
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
    case 'category':
    case 'measure':
      return phrases.attribute(named(read.column), whose);
    case 'length':
      return phrases.length(named(read.column), whose);
    case 'word':
      return phrases.word(named(read.column), quoteWord(read.word), whose);
    case 'words':
      return phrases.words(read.as, named(read.column), namePredicted(source, phrases), whose);
    case 'interval': {
      const date = nameDate(source, table, read.column, phrases);
      const isAhead = columnsNamed(source, table, read.column)[0]?.column.planned;
      return isAhead ? phrases.untilDate(date, whose) : phrases.sinceDate(date, whose);
    }
    case 'age': {
      const time = tableOf(source, table)?.time;
      if (!time || !('column' in time)) return phrases.age(whose);
      return phrases.sinceDate(nameDate(source, table, time.column, phrases), whose);
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
    case 'rating': {
      const outcome = read.outcome === undefined ? undefined : quoteText(read.outcome, phrases);
      return phrases.rating(read.as, nameEvents(source, read.events, phrases), outcome, whose);
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

/** How much longer than the data a stretch of the past is to be told as all of it: the data grow while it is told. */
const beyondHistory = 1.5;

/** The feature as it is told: the last twelve years of three years of data are all that there is. */
export function toldFeature(source: LineageSource, feature: Feature): Feature {
  const { read } = feature;
  const { history } = source;
  if (!isToldSince(source, 3) || !('span' in read) || !('days' in read.span)) return feature;
  const days = history?.[read.events.table];
  if (days === undefined || read.span.days < beyondHistory * days) return feature;
  return { ...feature, read: { ...read, span: { all: true } } as Feature['read'] };
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
    case 'apart':
      return whoseState(source, { ...focus, kind: 'parent' }, phrases);
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

/** The rows that a feature reads: of which table, on which conditions, by which reference. */
export function nameEvents(source: LineageSource, events: Events, phrases: Phrases): EventWords {
  const words = nameRows(source, events, phrases);
  return isToldSince(source, 4) ? { ...words, isFourth: true } : words;
}

function nameRows(source: LineageSource, events: Events, phrases: Phrases): EventWords {
  if (events.table === labelsTable) {
    const asked = source.fresh && source.entity !== undefined ? nameTable(source, source.entity, phrases) : undefined;
    // A reference of earlier cases is named by the rows it comes from: `payments.customer`.
    const [through] = events.via[0]?.split('.') ?? [];
    const isOther = events.via[0]?.includes('.') && through !== source.entity;
    const own = roleOf(source, events);
    const role = isOther
      ? { kind: 'through' as const, name: nameTable(source, through!, phrases).many }
      : own && { kind: own.kind, name: nameReference(source, source.entity, own.reference, phrases).one };
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
    ...(isToldSince(source, 4) && { isFourth: true as const }),
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
      const isSentence = isYesNo && isToldSince(source, source.fresh ? 4 : 3) ? { isSentence: true as const } : {};
      const isOfNew = source.fresh ? { isOfNew: true as const } : {};
      if (isLabel) return { kind: 'outcome', of: namePredicted(source, phrases), isYesNo, ...isSentence, ...isOfNew };
      const word = signal.word === undefined ? {} : { word: quoteWord(signal.word) };
      const rate =
        source.reasons !== undefined && isRate(source, events.table, signal) ? { isRate: true as const } : {};
      return { ...nameColumn(source, events.table, signal, phrases), ...word, ...rate, isYesNo };
    }
    case 'interval': {
      const from = signal.from === undefined ? undefined : nameDate(source, events.table, signal.from, phrases);
      const to = nameDate(source, signalTable(source, events.table, signal), signal.column, phrases);
      const of = ownerOf(source, events.table, pathOf(signal), phrases);
      return { kind: 'days', ...(from && { from }), to, ...(of === undefined ? {} : { of }), isYesNo: false };
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

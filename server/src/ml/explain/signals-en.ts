// What is told by numbers of events, and what was predicted, in English.
import type { Aggregate, Span } from '../features/feature.ts';
import { all, held, oneOf, who } from './events-en.ts';
import {
  type ColumnWords,
  type DateWords,
  daysIn,
  type EventWords,
  type PredictedWords,
  type SignalWords,
  type Whose,
} from './phrases.ts';

export function numberOf(
  aggregate: Aggregate,
  signal: SignalWords,
  events: EventWords,
  span: Span,
  whose: Whose,
): string {
  const isTime = signal.kind === 'days';
  const isTheirs = !isTime && !isOfAnother(signal, events);
  const name = isOfAnother(signal, events) ? `${signal.name} of the ${signal.of}` : nameSignal(signal, events);
  const among = all(events, span, whose);
  const of = isTheirs ? `${name} of ${among}` : `${name}, over ${among}`;
  switch (aggregate) {
    case 'mean':
      return `average ${of}`;
    case 'sum':
      if (signal.kind === 'column' && signal.isRate)
        return `${name} added up over ${among}, which grows with their number`;
      return name.startsWith('total ') ? `sum of ${of}` : `total ${of}`;
    case 'sd':
      return `variation in ${name} across ${among}`;
    case 'min':
      return `${isTime ? 'shortest' : 'lowest'} ${of}`;
    case 'max':
      return `${isTime ? 'longest' : 'highest'} ${of}`;
    case 'last':
      return ofLatest(signal, events, whose);
    case 'smoothed':
      return `estimated average ${of}`;
    case 'trend':
      return `latest ${name} compared with its average over ${among}`;
    case 'slope':
      return `trend in ${name} over ${among}`;
    case 'swing':
      return `${numberOf('mean', signal, events, span, whose)}, compared with ${thatYear(events)}`;
  }
}

/** Phrases for how each event's number compares with others. */
export function numberOfRank(
  aggregate: Aggregate,
  signal: SignalWords,
  events: EventWords,
  span: Span,
  whose: Whose,
): string {
  const name = nameSignal(signal, events);
  const among = all(events, span, whose);
  switch (aggregate) {
    case 'mean':
      return `${name}, on average over ${among}`;
    case 'sum':
      return `${name}, in total over ${among}`;
    case 'sd':
      return `variation in ${name} across ${among}`;
    case 'min':
      return `${name}, the lowest of ${among}`;
    case 'max':
      return `${name}, the highest of ${among}`;
    case 'last':
      return `${name}, in ${held(whose, events, 'latest ', events.one)}`;
    case 'smoothed':
      return `${name}, estimated average over ${among}`;
    case 'trend':
      return `latest ${name}, compared with the average of ${among}`;
    case 'slope':
      return `trend in ${name} over ${among}`;
    case 'swing':
      return `${numberOfRank('mean', signal, events, span, whose)}, compared with ${thatYear(events)}`;
  }
}

/** Phrases for what is yes or no for each event. */
export function numberOfYes(
  aggregate: Aggregate,
  signal: SignalWords,
  events: EventWords,
  span: Span,
  whose: Whose,
): string {
  const came = signal.kind === 'outcome' && signal.isSentence ? sayCame(signal.of) : undefined;
  const isOfNew = signal.kind === 'outcome' && signal.isOfNew === true;
  const looked = came === undefined || events.role || isOfNew ? undefined : lastLooked(whose);
  if (aggregate === 'last' && looked !== undefined) return `${looked}, ${came}`;
  if (came !== undefined && events.isFourth) return numberOfCame(aggregate, came, events, span, whose);
  const name = nameSignal(signal, events);
  const among = all(events, span, whose);
  const yes = nameYes(signal, events);
  switch (aggregate) {
    case 'mean':
      return shareOf(yes, events, span, whose);
    case 'sum':
      return shareOf(yes, events, span, whose).replace('share', 'number');
    case 'sd':
      return `variation in ${name} across ${among}`;
    case 'min':
      return `${name} in ${events.isFourth ? oneOf('every one of', events, span, whose) : `every one of ${among}`}`;
    case 'max':
      return `${name} in ${events.isFourth ? oneOf('at least one of', events, span, whose) : `any of ${among}`}`;
    case 'last':
      return `${name} in ${held(whose, events, 'latest ', events.one)}`;
    case 'smoothed':
      return `estimated ${shareOf(yes, events, span, whose)}`;
    case 'trend':
      return `latest ${name} compared with ${events.isFourth ? 'how often in' : 'the share of'} ${among}`;
    case 'slope':
      return `trend in ${name} over ${among}`;
    case 'swing':
      return `${numberOfYes('mean', signal, events, span, whose)}, compared with ${thatYear(events)}`;
  }
}

/** Phrases for what came of cases, where it is told as a sentence. */
function numberOfCame(aggregate: Aggregate, came: string, events: EventWords, span: Span, whose: Whose): string {
  const among = all(events, span, whose);
  const latest = held(whose, events, 'latest ', events.one);
  switch (aggregate) {
    case 'mean':
      return `how often ${came}, in ${among}`;
    case 'sum':
      return `number of times ${came}, in ${among}`;
    case 'sd':
      return `variation in whether ${came}, across ${among}`;
    case 'min':
      return `${came}, in ${oneOf('every one of', events, span, whose)}`;
    case 'max':
      return `${came}, in ${oneOf('at least one of', events, span, whose)}`;
    case 'last':
      return `${came}, in ${latest}`;
    case 'smoothed':
      return `how often ${came}, estimated from ${among}`;
    case 'trend':
      return `whether ${came}, in ${latest} compared with how often in ${among}`;
    case 'slope':
      return `trend in how often ${came}, over ${among}`;
    case 'swing':
      return `${numberOfCame('mean', came, events, span, whose)}, compared with ${thatYear(events)}`;
  }
}

/**
 * The share of events of which something is said, which stands first where the events are told at length: of the last
 * 10 visits, but among all visits of the campaign. `mark`: what then stands after it.
 */
export function shareOf(said: string, events: EventWords, span: Span, whose: Whose, mark = ''): string {
  const among = all(events, span, whose);
  const isBrief = whose.kind === 'own' && ('all' in span || 'last' in span);
  return events.isFourth && !isBrief ? `share ${said}${mark} among ${among}` : `share of ${among} ${said}`;
}

/** A value of the newest event. */
export function ofLatest(signal: SignalWords, events: EventWords, whose: Whose): string {
  const name = possessed(signal, events);
  const isTheirs = !events.isFourth || (signal.kind !== 'days' && !isOfAnother(signal, events));
  return `${name}${isTheirs ? ' of' : ', in'} ${held(whose, events, 'latest ', events.one)}`;
}

/** What an event has, and what a row has that it refers to: `state`, `the lead's state`. */
export function possessed(signal: SignalWords, events: EventWords): string {
  return isOfAnother(signal, events) ? `the ${signal.of}'s ${signal.name}` : nameSignal(signal, events);
}

/** Whether a row that the event refers to has it, and its name does not say so. */
function isOfAnother(
  signal: SignalWords,
  { isFourth }: EventWords,
): signal is ColumnWords & { of: string } & SignalWords {
  if (!isFourth || signal.kind !== 'column' || signal.word !== undefined) return false;
  return signal.of !== undefined && !signal.name.startsWith(signal.of);
}

function thatYear({ isFourth }: EventWords): string {
  return isFourth ? 'all of that year' : 'that year';
}

/** `any orders within 60 days`. */
function namePredicted(of: PredictedWords): string {
  if (of.kind === 'label') return of.name;
  const within = of.days === undefined ? '' : ` within ${lasting(of.days)}`;
  if (of.kind === 'delinquency') return `delinquency of ${of.many}${within}`;
  const overdue = of.overdueDays === undefined ? '' : ` ${lasting(of.overdueDays)} overdue`;
  const rows = `${of.many}${overdue}`;
  const next = of.isFourth && of.one !== of.many ? `${of.one}${overdue}` : `of ${rows}`;
  const ending = `${of.than === undefined ? '' : ` ${of.than}`}${within}${of.isNarrowed ? ", by the task's condition" : ''}`;
  switch (of.as) {
    case 'exists':
      return `any ${rows}${ending}`;
    case 'count':
      return `number of ${rows}${ending}`;
    case 'sum':
      return `total ${of.column} of ${rows}${ending}`;
    case 'next':
      return `${of.column} of the next ${next}${ending}`;
    case 'first':
      return `days until the first ${next}${ending}`;
  }
}

/** What came of a case: `orders came within the next 90 days`; undefined of what is no sentence. */
function sayCame(of: PredictedWords | undefined): string | undefined {
  if (of === undefined || of.kind === 'label') return undefined;
  const within = of.days === undefined ? '' : ` within the next ${lasting(of.days).replace(/^1 /, '')}`;
  if (of.kind === 'delinquency') return `there was delinquency of ${of.many}${within}`;
  if (of.as !== 'exists') return undefined;
  const came = of.overdueDays === undefined ? 'came' : `fell ${lasting(of.overdueDays)} overdue`;
  return `${of.many} ${came}${within}${of.isNarrowed ? ", by the task's condition" : ''}`;
}

/** When a case was asked about last; undefined of rows that have no short name. */
function lastLooked(whose: Whose): string | undefined {
  if (whose.kind === 'own') return 'last time it was looked at';
  if (whose.kind === 'all') return 'last time anyone was looked at';
  return whose.kind === 'parent' ? `last time ${who(whose)} was looked at` : undefined;
}

export function predicted(of: PredictedWords | undefined): string {
  return of === undefined ? 'outcome' : `“${namePredicted(of)}”`;
}

function lasting(days: number): string {
  const { count, unit } = daysIn({ days });
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

export function nameSignal(signal: SignalWords, events: EventWords): string {
  switch (signal.kind) {
    case 'column':
      return signal.word === undefined ? nameColumn(signal) : `the word ${signal.word} in ${nameColumn(signal)}`;
    case 'days':
      return `time from ${signal.from ? dateName(signal.from) : events.one} to ${signal.of === undefined ? '' : `the ${signal.of}'s `}${dateName(signal.to)}`;
    case 'rank':
      return signal.as === 'percentile'
        ? `${signal.name} compared with others of the same ${signal.within}`
        : `${signal.name} compared with the average of the same ${signal.within}`;
    case 'reference':
      return signal.one;
    case 'outcome':
      return predicted(signal.of);
  }
}

export function dateName({ name, isPlain }: DateWords): string {
  return isPlain ? name : `${name} date`;
}

/** Which events are meant, of those with yes or no. */
function nameYes(signal: SignalWords, events: EventWords): string {
  if (signal.kind === 'outcome') {
    const came = signal.isSentence ? sayCame(signal.of) : undefined;
    return came === undefined ? `that ended in ${nameSignal(signal, events)}` : `in which ${came}`;
  }
  if (signal.kind === 'column' && signal.word === undefined)
    return signal.of === undefined ? marked(signal.name) : `where ${possessed(signal, events)} is yes`;
  return `with ${nameSignal(signal, events)}`;
}

/** Rows of which a yes-or-no column is true: `isActive` → that are active, `disputed` → marked as disputed. */
export function marked(column: string): string {
  const [, verb, rest] = /^(is|are|was|were|has|have|had) (.+)$/.exec(column) ?? [];
  if (verb === undefined) return `marked as ${column}`;
  const plurals: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have' };
  return `that ${plurals[verb] ?? verb} ${rest}`;
}

export function nameColumn({ name, of }: ColumnWords): string {
  return of === undefined || name.startsWith(of) ? name : `${of} ${name}`;
}

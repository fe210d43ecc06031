import type { Aggregate, Span } from '../features/feature.ts';
import {
  type ColumnWords,
  daysIn,
  type EventWords,
  isInline,
  type Phrases,
  type PredictedWords,
  type SignalWords,
  type Whose,
} from './phrases.ts';

export const english: Phrases = {
  decimal: '.',
  thousands: ',',
  yes: 'yes',
  no: 'no',
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June'],
    ...['July', 'August', 'September', 'October', 'November', 'December'],
  ],
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  date: (day, month, year) => `${day} ${english.months[month]} ${year}`,
  money: (amount, unit) => signFirst(amount, `${unit} `),
  unit: (amount, unit) => `${amount} ${unit}`,
  deviation: (amount) => `${amount} standard deviations`,

  outcomes: (of) => {
    const predicted = of === undefined ? 'what is predicted' : `“${namePredicted(of)}”`;
    return { many: `earlier outcomes of ${predicted}`, one: `known outcome of ${predicted}` };
  },
  narrowed: ({ many, one }, column, value) => {
    const having = `with ${nameColumn(column)} ${value}`;
    return { many: `${many} ${having}`, one: `${one} ${having}` };
  },
  attribute: (column, whose) => `${whose.kind === 'recent' ? 'mean ' : ''}${column}${owned(whose)}`,
  neighborShare: (column, value, whose) =>
    value === undefined
      ? `share of ${who(whose)} with ${column}`
      : `share of ${who(whose)} whose ${column} is ${value}`,
  length: (column, whose) => `length of ${column}${owned(whose)}, in characters`,
  word: (column, word, whose) =>
    whose.kind === 'recent'
      ? `share of ${who(whose)} with the word ${word} in ${column}`
      : `word ${word} in ${column}${owned(whose)}`,
  words: (as, column, outcomes, whose) =>
    `${{ mean: 'mean', sum: 'total difference', highest: 'highest', lowest: 'lowest' }[as]} of ${outcomes.many} with the words of ${column}${owned(whose)}`,
  sinceDate: (date, isPlain, whose) => `days since the ${isPlain ? date : `${date} date`}${owned(whose)}`,
  untilDate: (date, isPlain, whose) => `days until the ${isPlain ? date : `${date} date`}${owned(whose)}`,
  age: (whose) => (whose.kind === 'own' ? 'days since its own date' : `days since the date${owned(whose)}`),
  count: (events, span, whose) => `number of ${some(events, span, whose)}${after(whose)}`,
  rate: (events, span, whose) =>
    `pace of ${some(events, span, whose)} against the long run, as a multiple${after(whose)}`,
  since: (events, which, whose) => `days since the ${which} ${one(events, whose)}${after(whose)}`,
  gap: (events, as, whose) =>
    `${as === 'mean' ? 'mean' : 'variation of the'} days between ${many(events, whose)}${after(whose)}`,
  number: (aggregate, signal, events, span, whose) => {
    if (signal.kind === 'outcome') return outcome(aggregate, events, span, whose);
    const name = nameSignal(signal, events);
    const among = all(events, span, whose);
    switch (aggregate) {
      case 'mean':
        return `mean ${name} of ${among}${after(whose)}`;
      case 'sum':
        return `total ${name} of ${among}${after(whose)}`;
      case 'sd':
        return `variation in ${name} of ${among}${after(whose)}`;
      case 'min':
        return `lowest ${name} of ${among}${after(whose)}`;
      case 'max':
        return `highest ${name} of ${among}${after(whose)}`;
      case 'last':
        return `${name} of the last ${one(events, whose)}${after(whose)}`;
      case 'smoothed':
        return `mean ${name} of ${among}, drawn to the usual${after(whose)}`;
      case 'trend':
        return `latest ${name} less the mean of ${among}${after(whose)}`;
      case 'slope':
        return `change per day in ${name} over ${among}${after(whose)}`;
    }
  },
  share: (signal, value, events, span, whose) =>
    signal.kind === 'outcome'
      ? `share of ${all(events, span, whose)} that were ${value}${after(whose)}`
      : `share of ${all(events, span, whose)} with ${nameSignal(signal, events)}${value === undefined ? '' : ` ${value}`}${after(whose)}`,
  last: (signal, events, whose) =>
    `${signal.kind === 'outcome' ? '' : `${nameSignal(signal, events)} of the `}last ${one(events, whose)}${after(whose)}`,
  variety: (as, signal, events, span, whose) => {
    const among = `${all(events, span, whose)}${after(whose)}`;
    if (signal.kind === 'outcome')
      return {
        entropy: `variety of ${among}`,
        changes: `how often one differs from the one before of ${among}`,
        distinct: `number of different values of ${among}`,
      }[as];
    if (as === 'entropy') return `variety of ${nameSignal(signal, events)} in ${among}`;
    if (as === 'changes') return `how often the ${nameSignal(signal, events)} changes from one to the next in ${among}`;
    return signal.kind === 'reference'
      ? `number of different ${signal.many} in ${among}`
      : `number of different values of ${nameSignal(signal, events)} in ${among}`;
  },
  against: (column, as, events, span, parent) =>
    `${column} against the ${as === 'difference' ? 'mean' : 'usual spread'} of ${earlier(events, span, parent)}`,
  same: (column, events, span, parent) => `share of ${earlier(events, span, parent)} with the same ${column}`,
  calendar: (part) => (part === 'month' ? 'month of the year' : part === 'weekday' ? 'day of the week' : 'date'),
  dataAge: () => 'days since the newest data',
  graph: () => 'its place in the network of companies, people and assets',
  embedding: () => 'what a history like this one usually leads to',

  whether: (statement) => `whether ${statement}`,
  is: (subject, value, holds) => `${subject} ${holds ? 'is' : 'is not'} ${value}`,
  usually: (holds, usuallyHolds) =>
    holds === usuallyHolds ? '(as usual)' : holds ? '(usually not)' : '(usually it is)',
  usual: (value) => `(usual: ${value})`,
  missing: (why, events) => {
    if (why === 'none') return `no ${events} yet`;
    if (why === 'none_in_span') return `no ${events} in that time`;
    return why === 'few' ? `too few ${events} yet` : 'not known';
  },
};

function who(whose: Whose): string {
  switch (whose.kind) {
    case 'own':
      return '';
    case 'all':
      return whose.entity === undefined ? 'everyone' : `all ${whose.entity}`;
    case 'parent':
      return `the ${whose.one}${owned(whose.of)}`;
    case 'last':
      return `the last ${whose.one} met in ${whose.events}${owned(whose.of)}`;
    case 'recent':
      return `the ${whose.many} in recent ${whose.events}${owned(whose.of)}`;
  }
}

function owned(whose: Whose): string {
  return whose.kind === 'own' ? '' : ` of ${who(whose)}`;
}

function inline(whose: Whose): string {
  return isInline(whose) ? owned(whose) : '';
}

function after(whose: Whose): string {
  if (isInline(whose)) return '';
  if (whose.kind === 'all') return `, ${who(whose)} together`;
  return `, ${whose.kind === 'recent' ? 'on average over' : 'of'} ${who(whose)}`;
}

function role({ role }: EventWords): string {
  if (!role) return '';
  return role.kind === 'as' ? ` (as ${role.name})` : ` (through ${role.name})`;
}

function many(events: EventWords, whose: Whose): string {
  return `${events.many}${role(events)}${inline(whose)}`;
}

function one(events: EventWords, whose: Whose): string {
  return `${events.one}${role(events)}${inline(whose)}`;
}

/** Events of a span, for counts: `payments so far`. */
function some(events: EventWords, span: Span, whose: Whose): string {
  if ('days' in span) return `${many(events, whose)} in the last ${during(span)}`;
  if ('last' in span) return all(events, span, whose);
  return `${many(events, whose)}${events.isDated ? ' so far' : ''}`;
}

/** Events of a span, as a whole: `all payments so far`. */
function all(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span)
    return span.last === 1 ? `the last ${one(events, whose)}` : `the last ${span.last} ${many(events, whose)}`;
  return `${'all' in span ? 'all ' : ''}${some(events, span, whose)}`;
}

/** The earlier events of a row's parent: `the card's earlier payments`. */
function earlier(events: EventWords, span: Span, parent: Whose): string {
  const whose = `${who(parent)}'s`;
  if ('days' in span) return `${whose} ${events.many} in the last ${during(span)}`;
  if ('all' in span) return `${whose} earlier ${events.many}`;
  return span.last === 1 ? `${whose} last ${events.one}` : `${whose} last ${span.last} ${events.many}`;
}

function during(span: { readonly days: number }): string {
  const { count, unit } = daysIn(span);
  return count === 1 ? unit.slice(0, -1) : `${count} ${unit}`;
}

/** Phrases for outcomes. They are numbers themselves, so no column is named. */
function outcome(aggregate: Aggregate, events: EventWords, span: Span, whose: Whose): string {
  const earlier = all(events, span, whose);
  const among = `${earlier}${after(whose)}`;
  const last = `last ${one(events, whose)}`;
  switch (aggregate) {
    case 'mean':
      return `mean of ${among}`;
    case 'sum':
      return `total of ${among}`;
    case 'sd':
      return `variation in ${among}`;
    case 'min':
      return `lowest of ${among}`;
    case 'max':
      return `highest of ${among}`;
    case 'last':
      return `${last}${after(whose)}`;
    case 'smoothed':
      return `mean of ${earlier}, drawn to the usual${after(whose)}`;
    case 'trend':
      return `${last} less the mean of ${them(span)}${after(whose)}`;
    case 'slope':
      return `change per day over ${among}`;
  }
}

function them(span: Span): string {
  if ('days' in span) return `those in the last ${during(span)}`;
  return 'last' in span ? `the last ${span.last}` : 'them all';
}

/** `any orders within 60 days`. */
function namePredicted(of: PredictedWords): string {
  if (of.kind === 'label') return of.name;
  const within = of.days === undefined ? '' : ` within ${lasting(of.days)}`;
  if (of.kind === 'delinquency') return `delinquency of ${of.many}${within}`;
  const rows = `${of.many}${of.overdueDays === undefined ? '' : ` ${lasting(of.overdueDays)} overdue`}`;
  const ending = `${of.than === undefined ? '' : ` ${of.than}`}${within}${of.isNarrowed ? ", by the task's condition" : ''}`;
  switch (of.as) {
    case 'exists':
      return `any ${rows}${ending}`;
    case 'count':
      return `number of ${rows}${ending}`;
    case 'sum':
      return `total ${of.column} of ${rows}${ending}`;
    case 'next':
      return `${of.column} of the next of ${rows}${ending}`;
    case 'first':
      return `days until the first of ${rows}${ending}`;
  }
}

function lasting(days: number): string {
  const { count, unit } = daysIn({ days });
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

function nameSignal(signal: Exclude<SignalWords, { kind: 'outcome' }>, events: EventWords): string {
  switch (signal.kind) {
    case 'column':
      if (signal.word !== undefined) return `the word ${signal.word} in ${signal.name}`;
      return nameColumn(signal);
    case 'days':
      return `days from ${events.one} to ${signal.to}${signal.isPlain ? '' : ' date'}`;
    case 'rank':
      return signal.as === 'percentile'
        ? `rank by ${signal.name} within the ${signal.within}`
        : `${signal.name} against the average of the ${signal.within}`;
    case 'reference':
      return signal.one;
  }
}

function nameColumn({ name, of }: ColumnWords): string {
  return of === undefined || name.startsWith(of) ? name : `${of} ${name}`;
}

function signFirst(amount: string, before: string): string {
  return /^[+-]/.test(amount) ? `${amount[0]}${before}${amount.slice(1)}` : `${before}${amount}`;
}

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
  blank: 'blank',
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June'],
    ...['July', 'August', 'September', 'October', 'November', 'December'],
  ],
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  date: (day, month, year) => `${day} ${english.months[month]} ${year}`,
  money: (amount, unit) => signFirst(amount, `${unit} `),
  unit: (amount, unit) => `${amount} ${unit}`,
  time: (amount, unit) => `${amount} ${isOne(amount) ? unit.slice(0, -1) : unit}`,
  deviations: (amount) => `${amount} standard ${isOne(amount) ? 'deviation' : 'deviations'}`,
  ofLongRun: (times) => `${times} the long-run average`,
  higherThan: (share) => `higher than ${share}`,
  extreme: (end) => `the ${end}`,
  apart: (amount, sign) => (sign === 0 ? 'the same' : `${amount} ${sign > 0 ? 'above' : 'below'}`),
  perMonth: (change) => `${change} a month`,
  kinds: (amount) => `about ${amount} ${isOne(amount) ? 'kind' : 'kinds'}`,

  outcomes: (of) => ({ many: `earlier ${of?.many ?? 'cases'}`, one: `known ${of?.one ?? 'case'}` }),
  narrowed: ({ many, one }, column, value) => {
    const having = `with ${nameColumn(column)} ${value}`;
    return { many: `${many} ${having}`, one: `${one} ${having}` };
  },
  attribute: (column, whose) => (whose.kind === 'recent' ? `average ${column}${owned(whose)}` : its(whose, column)),
  neighborShare: (column, value, whose) => `share of ${who(whose)} where ${column} is ${value ?? 'yes'}`,
  length: (column, whose) => `length of ${column}${owned(whose)}, in characters`,
  word: (column, word, whose) =>
    whose.kind === 'recent'
      ? `share of ${who(whose)} with the word ${word} in ${column}`
      : `the word ${word} in ${column}${owned(whose)}`,
  words: (as, column, of, whose) => {
    const known = `${predicted(of)} in earlier cases with`;
    if (as === 'mean') return `average of ${known} the words of ${column}${owned(whose)}`;
    if (as === 'sum') return `total lean of the words of ${column}${owned(whose)} towards ${predicted(of)}`;
    return `${as} average of ${known} one of the words of ${column}${owned(whose)}`;
  },
  sinceDate: (date, isPlain, whose) =>
    `time since ${whose.kind === 'own' ? 'the ' : ''}${its(whose, isPlain ? date : `${date} date`)}`,
  untilDate: (date, isPlain, whose) =>
    `time until ${whose.kind === 'own' ? 'the ' : ''}${its(whose, isPlain ? date : `${date} date`)}`,
  age: (whose) => (whose.kind === 'own' ? 'time since its own date' : `time since the date${owned(whose)}`),
  count: (events, span, whose) => tell(whose, `number of ${some(events, span, whose)}`),
  rate: (events, span, whose) => tell(whose, `pace of ${some(events, span, whose)}`),
  since: (events, which, whose) =>
    tell(whose, `time since ${the(events, which === 'last' ? 'latest' : 'first', whose)}`),
  gap: (events, as, whose) =>
    tell(whose, `${as === 'mean' ? 'average' : 'variation in the'} time between ${held(whose, events)}`),
  number: (aggregate, signal, events, span, whose) =>
    tell(
      whose,
      signal.isYesNo
        ? numberOfYes(aggregate, signal, events, span, whose)
        : numberOf(aggregate, signal, events, span, whose),
    ),
  share: (signal, value, events, span, whose) =>
    tell(whose, `share of ${all(events, span, whose)} where ${nameSignal(signal, events)} is ${value}`),
  last: (signal, events, whose) => tell(whose, `${nameSignal(signal, events)} of ${the(events, 'latest', whose)}`),
  variety: (as, signal, events, span, whose) => {
    const among = all(events, span, whose);
    const name = nameSignal(signal, events);
    if (as === 'entropy') return tell(whose, `variety of ${name} in ${among}`);
    if (as === 'changes') return tell(whose, `how often the ${name} changes from one to the next in ${among}`);
    const different = signal.kind === 'reference' ? signal.many : `values of ${name}`;
    return tell(whose, `number of different ${different} in ${among}`);
  },
  against: (column, as, events, span, parent) =>
    `${column} against the ${as === 'difference' ? 'average' : 'usual range'} of ${earlier(events, span, parent)}`,
  same: (column, events, span, parent) => `share of ${earlier(events, span, parent)} with the same ${column}`,
  calendar: (part) => (part === 'month' ? 'month of the year' : part === 'weekday' ? 'day of the week' : 'date'),
  dataAge: () => 'time since the newest data',
  graph: () => 'its place in the network of companies, people and assets',
  embedding: () => 'what a history like this one usually leads to',

  whether: (statement) => `whether ${statement}`,
  is: (subject, value) => `${subject} is ${value}`,
  not: (value) => (value === undefined ? 'not' : `other than ${value}`),
  usual: (value) => `(usually ${value})`,
  mostly: (zero) => `(${zero} for most)`,
  asUsual: () => '(as usual)',
  missing: (why, events) => {
    switch (why) {
      case 'none':
        return `no ${events} yet`;
      case 'none_in_span':
        return `no ${events} in that time`;
      case 'few':
        return `too few ${events} yet`;
      case 'none_known':
        return 'none known';
      case 'unknown':
        return 'not known';
    }
  },
  move: ({ what, name, isUp, size }) => {
    const chance = name === undefined ? what : `${what} of “${name}”`;
    const moved = what === 'estimate' && name !== undefined ? `expected ${name}` : chance;
    const moves = `${isUp ? 'raises' : 'lowers'} the ${moved}`;
    if (!size) return `${moves} a little`;
    if (size.kind === 'points')
      return `${moves} (score ${isUp ? 'down' : 'up'} ${size.text} ${isOne(size.text) ? 'point' : 'points'})`;
    if (size.kind === 'amount') return `${moves} by ${size.text}`;
    return `${moves} by ${size.text} percentage ${isOne(size.text) ? 'point' : 'points'}`;
  },
};

function isOne(amount: string): boolean {
  return /^[+-]?1$/.test(amount);
}

/** The row or rows described: `the district of the account`, `recent buyers in the customer's invoices`. */
function who(whose: Whose): string {
  switch (whose.kind) {
    case 'own':
      return '';
    case 'all':
      return 'everyone';
    case 'parent':
      return whose.of.kind === 'parent' && whose.of.of.kind === 'own'
        ? `the ${whose.of.one}'s ${whose.one}`
        : `the ${whose.one}${owned(whose.of)}`;
    case 'last':
      return `the latest ${whose.one} in ${met(whose)}`;
    case 'recent':
      return `recent ${whose.many} in ${met(whose)}`;
  }
}

/** The events that neighbors are met in. The neighbors' own name tells the role. */
function met({ of, events }: Extract<Whose, { kind: 'last' | 'recent' }>): string {
  return held(of, { ...events, role: undefined });
}

function owned(whose: Whose): string {
  return whose.kind === 'own' ? '' : ` of ${who(whose)}`;
}

/** A column of its owner: `the customer's state`. */
function its(whose: Whose, column: string): string {
  return whose.kind === 'parent' && whose.of.kind === 'own'
    ? `the ${whose.one}'s ${column}`
    : `${column}${owned(whose)}`;
}

/**
 * Says whose state a phrase describes, where its events do not: `the latest buyer in invoices – number of its loans`.
 */
function tell(whose: Whose, phrase: string): string {
  if (isInline(whose) || whose.kind === 'all') return phrase;
  const isSaid = !isAveraged(whose) || phrase.startsWith('average ');
  return `${who(whose).replace(/^the /, '')} – ${phrase}${isSaid ? '' : ', on average'}`;
}

function isAveraged(whose: Whose): boolean {
  return whose.kind === 'recent' || (whose.kind === 'parent' && isAveraged(whose.of));
}

/** Events with their owner: `the customer's loans`, `loans of the account's district`, `its loans`. */
function held(whose: Whose, events: EventWords, before = '', noun = events.many): string {
  const named = `${before}${noun}${role(events)}`;
  if (whose.kind === 'all') return `everyone's ${named}`;
  if (!isInline(whose)) return `${isAveraged(whose) ? 'their' : 'its'} ${named}`;
  if (whose.kind !== 'parent') return named;
  if (whose.of.kind === 'own') return `the ${whose.one}'s ${named}`;
  return `${before === '' ? '' : 'the '}${named}${owned(whose)}`;
}

function role({ role }: EventWords): string {
  if (!role) return '';
  return role.kind === 'as' ? ` (as ${role.name})` : ` (through ${role.name})`;
}

/** One event: `the customer's latest loan`. */
function the(events: EventWords, which: 'latest' | 'first', whose: Whose): string {
  const named = held(whose, events, `${which} `, events.one);
  return whose.kind === 'own' ? `the ${named}` : named;
}

/** Events of a span, for counts: `payments so far`. */
function some(events: EventWords, span: Span, whose: Whose): string {
  const named = held(whose, events);
  if ('last' in span) return all(events, span, whose);
  if ('all' in span) return `${named}${events.isOutcome ? ' whose outcome is known' : events.isDated ? ' so far' : ''}`;
  return `${named}${events.isOutcome ? ' whose outcome became known' : ''} in the last ${during(span)}`;
}

/** Events of a span, as a whole: `all payments`. */
function all(events: EventWords, span: Span, whose: Whose): string {
  if ('days' in span) return some(events, span, whose);
  if ('all' in span) return `all ${held(whose, events)}`;
  if (span.last === 1) return the(events, 'latest', whose);
  const named = held(whose, events, `last ${span.last} `);
  return whose.kind === 'own' ? `the ${named}` : named;
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

function numberOf(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal, events);
  const isTime = signal.kind === 'days';
  const among = all(events, span, whose);
  const of = signal.kind === 'rank' || isTime ? `${name}, over ${among}` : `${name} of ${among}`;
  switch (aggregate) {
    case 'mean':
      return `average ${of}`;
    case 'sum':
      return `total ${of}`;
    case 'sd':
      return `variation in ${of}`;
    case 'min':
      return `${isTime ? 'shortest' : 'lowest'} ${of}`;
    case 'max':
      return `${isTime ? 'longest' : 'highest'} ${of}`;
    case 'last':
      return `${name} of ${the(events, 'latest', whose)}`;
    case 'smoothed':
      return `average ${of}, adjusted for small numbers`;
    case 'trend':
      return `latest ${name} against the average of ${among}`;
    case 'slope':
      return `trend of ${name} over ${among}`;
  }
}

/** Phrases for what is yes or no for each event. */
function numberOfYes(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal, events);
  const among = all(events, span, whose);
  const having = `${among} ${nameYes(signal, events)}`;
  switch (aggregate) {
    case 'mean':
      return `share of ${having}`;
    case 'sum':
      return `number of ${having}`;
    case 'sd':
      return `variation in ${name} over ${among}`;
    case 'min':
      return `${name} in every one of ${among}`;
    case 'max':
      return `${name} in any of ${among}`;
    case 'last':
      return `${name} in ${the(events, 'latest', whose)}`;
    case 'smoothed':
      return `share of ${having}, adjusted for small numbers`;
    case 'trend':
      return `latest ${name} against the share of ${among}`;
    case 'slope':
      return `trend of ${name} over ${among}`;
  }
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

function predicted(of: PredictedWords | undefined): string {
  return of === undefined ? 'outcome' : `“${namePredicted(of)}”`;
}

function lasting(days: number): string {
  const { count, unit } = daysIn({ days });
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

function nameSignal(signal: SignalWords, events: EventWords): string {
  switch (signal.kind) {
    case 'column':
      return signal.word === undefined ? nameColumn(signal) : `the word ${signal.word} in ${nameColumn(signal)}`;
    case 'days':
      return `time from ${events.one} to ${signal.to}${signal.isPlain ? '' : ' date'}`;
    case 'rank':
      return signal.as === 'percentile'
        ? `rank by ${signal.name} in the ${signal.within}`
        : `${signal.name} against the ${signal.within}'s average`;
    case 'reference':
      return signal.one;
    case 'outcome':
      return predicted(signal.of);
  }
}

/** Which events are meant, of those with yes or no. */
function nameYes(signal: SignalWords, events: EventWords): string {
  if (signal.kind === 'column' && signal.word === undefined) return `where ${nameColumn(signal)} is yes`;
  return `with ${nameSignal(signal, events)}`;
}

function nameColumn({ name, of }: ColumnWords): string {
  return of === undefined || name.startsWith(of) ? name : `${of} ${name}`;
}

function signFirst(amount: string, before: string): string {
  return /^[+-]/.test(amount) ? `${amount[0]}${before}${amount.slice(1)}` : `${before}${amount}`;
}

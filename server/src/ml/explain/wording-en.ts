import { singular } from '../contract/names.ts';
import { type Aggregate, gapEventsMax, type Season, type Span } from '../features/feature.ts';
import { plural } from './names.ts';
import {
  type ColumnWords,
  daysIn,
  type EventWords,
  type Phrases,
  type PredictedWords,
  type SignalWords,
  spanOf,
  type Whose,
  yearsAgo,
} from './phrases.ts';

export const english: Phrases = {
  decimal: '.',
  thousands: ',',
  anotherValue: 'another value',
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
  ofThatYear: (times) => `${times} the average of that year`,
  higherThan: (share) => `higher than ${share} of them`,
  extreme: (end) => `the ${end}`,
  apart: (amount, sign) => (sign === 0 ? 'the same' : `${amount} ${sign > 0 ? 'above' : 'below'}`),
  passed: (time) => `passed ${time} ago`,
  perMonth: (change) => `${change} a month`,
  spread: (amount) => `±${amount}`,
  kinds: (amount) => `about ${amount} ${isOne(amount) ? 'kind' : 'kinds'}`,

  outcomes: (of) => ({ many: `earlier ${of?.many ?? 'cases'}`, one: `known ${of?.one ?? 'case'}` }),
  narrowed: (column, value) => ` with ${nameColumn(column)} ${value}`,
  both: (first, second) => `${first} and ${second}`,
  translate: (name, as) => (as === 'date' ? dates.get(name) : undefined),
  singular: (many) => singular(many),
  plural: (one) => plural(one),
  attribute: (column, whose) => (whose.kind === 'recent' ? `average ${column}${owned(whose)}` : its(whose, column)),
  neighborShare: (column, value, whose) =>
    `share of ${who(whose)} ${value === undefined ? marked(column) : `whose ${column} is ${value}`}`,
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
  sinceDate: (date, isPlain, whose) => `time since ${its(whose, isPlain ? date : `${date} date`, 'the ')}`,
  untilDate: (date, isPlain, whose) => `time until ${its(whose, isPlain ? date : `${date} date`, 'the ')}`,
  age: (whose) => (whose.kind === 'own' ? 'time since its own date' : `time since the date${owned(whose)}`),
  count: (events, span, whose) => averaged(whose, `number of ${some(events, span, whose)}`),
  rate: (events, span, whose) => averaged(whose, `pace of ${some(events, span, whose)}`),
  since: (events, which, whose) =>
    averaged(whose, `time since ${held(whose, events, which === 'last' ? 'latest ' : 'first ', events.one)}`),
  gap: (events, as, whose) => {
    const between = `time between ${held(whose, events, `last ${gapEventsMax} `)}`;
    return as === 'mean' ? `average ${between}` : averaged(whose, `variation in the ${between}`);
  },
  number: (aggregate, signal, events, span, whose) => {
    const number = signal.isYesNo ? numberOfYes : signal.kind === 'rank' ? numberOfRank : numberOf;
    const phrase = number(aggregate, signal, events, span, whose);
    return aggregate === 'mean' || aggregate === 'smoothed' ? phrase : averaged(whose, phrase);
  },
  share: (signal, value, events, span, whose) =>
    `share of ${all(events, span, whose)} where ${nameSignal(signal, events)} is ${value}`,
  last: (signal, events, whose) =>
    averaged(whose, `${nameSignal(signal, events)} of ${held(whose, events, 'latest ', events.one)}`),
  variety: (as, signal, events, span, whose) => {
    const among = all(events, span, whose);
    const name = nameSignal(signal, events);
    if (as === 'entropy') return averaged(whose, `variety of ${name} in ${among}`);
    if (as === 'changes') return averaged(whose, `how often the ${name} changes from one to the next in ${among}`);
    const different = signal.kind === 'reference' ? signal.many : `values of ${name}`;
    return averaged(whose, `number of different ${different} in ${among}`);
  },
  against: (column, as, events, span, parent) =>
    `${column} compared with the ${as === 'difference' ? 'average' : 'usual range'} of ${earlier(events, span, parent)}`,
  same: (column, events, span, parent) => `share of ${earlier(events, span, parent)} with the same ${column}`,
  rating: (as, events, value, whose) => {
    const strength = `${as === 'recent' ? 'recent strength' : 'strength'}${owned(whose)}`;
    return `${strength}, by ${value === undefined ? 'the outcomes of' : `how often ${value} came of`} ${events.many}`;
  },
  apartFrom: (read, other) => `${read}, compared with ${who(other)}`,
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

/** What participles and verbs in the names of dates stand for: approved_at is the approval date. */
const dates = new Map(
  Object.entries({
    ...{ approved: 'approval', created: 'creation', delivered: 'delivery', granted: 'grant', issued: 'issue' },
    ...{ joined: 'joining', matures: 'maturity', opened: 'opening', paid: 'payment', started: 'start' },
  }),
);

function isOne(amount: string): boolean {
  return /^[+-]?1$/.test(amount);
}

/**
 * The row or rows described: `the account's district`, `the latest buyer`, `recent buyers`. Where the name alone leaves
 * open in which events they were met, these are named: `the constructor of the latest result`.
 */
function who(whose: Whose): string {
  switch (whose.kind) {
    case 'own':
      return '';
    case 'all':
      return 'everyone';
    case 'parent':
      return named(whose.of, whose.one);
    case 'alike':
      return `all with ${likeness(whose)}`;
    case 'event':
      return whose.which === 'last' ? latest(whose) : recent(whose);
    case 'last':
      return whose.isPlain ? named(whose.of, whose.one, 'latest ') : `the ${whose.one} of ${latest(whose)}`;
    case 'recent': {
      if (!whose.isPlain) return `the ${whose.many} of ${recent(whose)}`;
      return whose.of.kind === 'own' ? `recent ${whose.many}` : named(whose.of, whose.many, 'recent ');
    }
  }
}

type Met = { readonly events: EventWords; readonly of: Whose };

function latest({ of, events }: Met): string {
  return held(of, events, 'latest ', events.one);
}

function recent({ of, events }: Met): string {
  return of.kind === 'own' ? `recent ${events.many}${role(events)}${events.having}` : held(of, events, 'recent ');
}

/** What an owner has: `the customer's latest buyer`, `the district of the account's owner`. */
function named(owner: Whose, noun: string, before = ''): string {
  const possessive = possessiveOf(owner);
  return possessive === '' ? `the ${before}${noun}${owned(owner)}` : `${possessive} ${before}${noun}`;
}

/** `the customer's`, `recent buyers'`, for owners of a short name; the others follow after `of`. */
function possessiveOf(whose: Whose): string {
  const isShort =
    whose.kind === 'all' ||
    (whose.kind === 'parent' && whose.of.kind === 'own') ||
    ((whose.kind === 'last' || whose.kind === 'recent') && whose.isPlain && whose.of.kind === 'own');
  if (!isShort) return '';
  const name = who(whose);
  if (!name.endsWith('s')) return `${name}'s`;
  return whose.kind === 'recent' && whose.many !== whose.one ? `${name}'` : '';
}

function owned(whose: Whose): string {
  return whose.kind === 'own' ? '' : ` of ${who(whose)}`;
}

/** A column of its owner: `the customer's state`. `article`: where no owner stands before it. */
function its(whose: Whose, column: string, article = ''): string {
  const possessive = possessiveOf(whose);
  return possessive === '' ? `${article}${column}${owned(whose)}` : `${possessive} ${column}`;
}

/** Says of a number of several rows, which is no average itself, that it is averaged over them. */
function averaged(whose: Whose, phrase: string): string {
  return isAveraged(whose) ? `${phrase}, on average` : phrase;
}

function isAveraged(whose: Whose): boolean {
  if (whose.kind === 'recent') return true;
  if (whose.kind === 'event') return whose.which === 'recent' || isAveraged(whose.of);
  return 'of' in whose && isAveraged(whose.of);
}

/** Events with their owner: `loans`, `the customer's latest loan`, `the last 3 loans of the account's district`. */
function held(whose: Whose, events: EventWords, before = '', noun = events.many): string {
  const words = `${before}${noun}${role(events)}`;
  const possessive = possessiveOf(whose);
  if (possessive !== '') return `${possessive} ${words}${events.having}`;
  const told = before === '' ? words : `the ${words}`;
  if (whose.kind === 'alike') return `${told}${events.having} with ${likeness(whose)}`;
  return `${told}${owned(whose)}${events.having}`;
}

/** `the same bank as the customer`. */
function likeness({ column, of }: Whose & { kind: 'alike' }): string {
  return `the same ${column}${of.kind === 'own' ? '' : ` as ${who(of)}`}`;
}

function role({ role }: EventWords): string {
  if (!role) return '';
  return role.kind === 'as' ? ` (as ${role.name})` : ` (through ${role.name})`;
}

/** Events of a span, for counts: `payments so far`. */
function some(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return all(events, span, whose);
  if ('days' in span || 'season' in span)
    return `${held(whose, events)}${events.isOutcome && 'days' in span ? ' resolved' : ''} ${during(span, events)}${knownUntil(events, span)}`;
  if (events.isOutcome) {
    const known = `${events.many} with a known outcome`;
    return whose.kind === 'alike' ? `${known}${role(events)} and ${likeness(whose)}` : held(whose, events, '', known);
  }
  return `${held(whose, events)}${events.isDated ? ' so far' : ''}`;
}

/** Events of a span, as a whole: `all payments`. */
function all(events: EventWords, span: Span, whose: Whose): string {
  if ('days' in span || 'season' in span) return some(events, span, whose);
  if ('all' in span) return `all ${held(whose, events)}`;
  return span.last === 1 ? held(whose, events, 'latest ', events.one) : held(whose, events, `last ${span.last} `);
}

/** The earlier events of a row's parent: `the card's earlier payments`. */
function earlier(events: EventWords, span: Span, parent: Whose): string {
  if (parent.kind === 'alike') {
    const same = `${events.having} with the same ${parent.column}`;
    if ('days' in span || 'season' in span) return `${events.many}${same} ${during(span, events)}`;
    if ('all' in span) return `earlier ${events.many}${same}`;
    return span.last === 1 ? `the last ${events.one}${same}` : `the last ${span.last} ${events.many}${same}`;
  }
  const whose = `${who(parent)}'s`;
  if ('days' in span || 'season' in span) return `${whose} ${events.many} ${during(span, events)}`;
  if ('all' in span) return `${whose} earlier ${events.many}`;
  return span.last === 1 ? `${whose} last ${events.one}` : `${whose} last ${span.last} ${events.many}`;
}

/** Days of outcomes count back from the newest one that is known of anybody. */
function knownUntil({ isOutcome }: EventWords, span: Span): string {
  return isOutcome && 'days' in span ? ' of known outcomes' : '';
}

function during(span: { readonly days: number } | Season, { isOutcome }: EventWords): string {
  if ('season' in span) {
    const years = yearsAgo(span);
    // Outcomes are those of rows asked about then, and known later.
    if (years === 0) return `${isOutcome ? 'from' : 'on'} the same day a week earlier`;
    return `${isOutcome ? 'from' : 'in'} the same weeks ${years === 1 ? 'a year' : `${years} years`} earlier`;
  }
  const { count, unit } = spanOf(span);
  return `in the last ${count === 1 ? unit.slice(0, -1) : `${count} ${unit}`}`;
}

function numberOf(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal, events);
  const isTime = signal.kind === 'days';
  const among = all(events, span, whose);
  const of = isTime ? `${name}, over ${among}` : `${name} of ${among}`;
  switch (aggregate) {
    case 'mean':
      return `average ${of}`;
    case 'sum':
      return name.startsWith('total ') ? `sum of ${of}` : `total ${of}`;
    case 'sd':
      return `variation in ${name} across ${among}`;
    case 'min':
      return `${isTime ? 'shortest' : 'lowest'} ${of}`;
    case 'max':
      return `${isTime ? 'longest' : 'highest'} ${of}`;
    case 'last':
      return `${name} of ${held(whose, events, 'latest ', events.one)}`;
    case 'smoothed':
      return `estimated average ${of}`;
    case 'trend':
      return `latest ${name} compared with its average over ${among}`;
    case 'slope':
      return `trend in ${name} over ${among}`;
    case 'swing':
      return `${numberOf('mean', signal, events, span, whose)}, compared with that year`;
  }
}

/** Phrases for how each event's number compares with others. */
function numberOfRank(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
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
      return `${numberOfRank('mean', signal, events, span, whose)}, compared with that year`;
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
      return `variation in ${name} across ${among}`;
    case 'min':
      return `${name} in every one of ${among}`;
    case 'max':
      return `${name} in any of ${among}`;
    case 'last':
      return `${name} in ${held(whose, events, 'latest ', events.one)}`;
    case 'smoothed':
      return `estimated share of ${having}`;
    case 'trend':
      return `latest ${name} compared with the share of ${among}`;
    case 'slope':
      return `trend in ${name} over ${among}`;
    case 'swing':
      return `${numberOfYes('mean', signal, events, span, whose)}, compared with that year`;
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
      return `time from ${events.one} to ${signal.of === undefined ? '' : `the ${signal.of}'s `}${signal.to}${signal.isPlain ? '' : ' date'}`;
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

/** Which events are meant, of those with yes or no. */
function nameYes(signal: SignalWords, events: EventWords): string {
  if (signal.kind === 'outcome') return `that ended in ${nameSignal(signal, events)}`;
  if (signal.kind === 'column' && signal.word === undefined)
    return signal.of === undefined ? marked(signal.name) : `where ${nameColumn(signal)} is yes`;
  return `with ${nameSignal(signal, events)}`;
}

/** Rows of which a yes-or-no column is true: `isActive` → that are active, `disputed` → marked as disputed. */
function marked(column: string): string {
  const [, verb, rest] = /^(is|are|was|were|has|have|had) (.+)$/.exec(column) ?? [];
  if (verb === undefined) return `marked as ${column}`;
  const plurals: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have' };
  return `that ${plurals[verb] ?? verb} ${rest}`;
}

function nameColumn({ name, of }: ColumnWords): string {
  return of === undefined || name.startsWith(of) ? name : `${of} ${name}`;
}

function signFirst(amount: string, before: string): string {
  return /^[+-]/.test(amount) ? `${amount[0]}${before}${amount.slice(1)}` : `${before}${amount}`;
}

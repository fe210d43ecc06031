import { singular } from '../contract/names.ts';
import { gapEventsMax } from '../features/feature.ts';
import { all, averaged, earlier, held, its, owned, some, who } from './events-en.ts';
import { plural } from './names.ts';
import type { Phrases } from './phrases.ts';
import {
  dateName,
  marked,
  nameColumn,
  numberOf,
  numberOfRank,
  numberOfYes,
  ofLatest,
  possessed,
  predicted,
  shareOf,
} from './signals-en.ts';

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
  late: (time, sign) => (sign === 0 ? 'on the day' : `${time} ${sign > 0 ? 'late' : 'early'}`),
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
  sinceDate: (date, whose) => `time since ${its(whose, dateName(date), 'the ')}`,
  untilDate: (date, whose) => `time until ${its(whose, dateName(date), 'the ')}`,
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
    shareOf(`where ${possessed(signal, events)} is ${value}`, events, span, whose, ','),
  last: (signal, events, whose) => averaged(whose, ofLatest(signal, events, whose)),
  variety: (as, signal, events, span, whose) => {
    const among = all(events, span, whose);
    const name = possessed(signal, events);
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
  move: ({ what, name, isUp, isAgainstAverage, size }) => {
    const chance = name === undefined ? what : `${what} of “${name}”`;
    const moved = what === 'estimate' && name !== undefined ? `expected ${name}` : chance;
    const moves = `${isUp ? 'raises' : 'lowers'} the ${moved}${isAgainstAverage ? ' against the average case' : ''}`;
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

function signFirst(amount: string, before: string): string {
  return /^[+-]/.test(amount) ? `${amount[0]}${before}${amount.slice(1)}` : `${before}${amount}`;
}

// Events, and whose they and their values are, in English.
import type { Season, Span } from '../features/feature.ts';
import { type EventWords, isAveraged, spanOf, type Whose, yearsAgo } from './phrases.ts';

/**
 * The row or rows described: `the account's district`, `the latest buyer`, `recent buyers`. Where the name alone leaves
 * open in which events they were met, these are named: `the constructor of the latest result`.
 */
export function who(whose: Whose): string {
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
      if (whose.isPlain) return named(whose.of, whose.one, 'latest ');
      return isShort(whose) ? `${latest(whose)}'s ${whose.one}` : `the ${whose.one} of ${latest(whose)}`;
    case 'recent': {
      if (!whose.isPlain) return `the ${whose.many} of ${recent(whose)}`;
      return whose.of.kind === 'own' ? `recent ${whose.many}` : named(whose.of, whose.many, 'recent ');
    }
  }
}

/** Whether the newest event has a name that can have an ending: `the latest click's campaign`. */
function isShort({ of, events: { isFourth, one, role, having } }: Met): boolean {
  return isFourth === true && of.kind === 'own' && !role && having === '' && !one.endsWith('s');
}

type Met = { readonly events: EventWords; readonly of: Whose };

export function latest({ of, events }: Met): string {
  return held(of, events, 'latest ', events.one);
}

export function recent({ of, events }: Met): string {
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

export function owned(whose: Whose): string {
  return whose.kind === 'own' ? '' : ` of ${who(whose)}`;
}

/** A column of its owner: `the customer's state`. `article`: where no owner stands before it. */
export function its(whose: Whose, column: string, article = ''): string {
  const possessive = possessiveOf(whose);
  return possessive === '' ? `${article}${column}${owned(whose)}` : `${possessive} ${column}`;
}

/** Says of a number of several rows, which is no average itself, that it is averaged over them. */
export function averaged(whose: Whose, phrase: string): string {
  return isAveraged(whose) ? `${phrase}, on average` : phrase;
}

/** Events with their owner: `loans`, `the customer's latest loan`, `the last 3 loans of the account's district`. */
export function held(whose: Whose, events: EventWords, before = '', noun = events.many): string {
  const words = `${before}${noun}${role(events)}`;
  const possessive = possessiveOf(whose);
  if (possessive !== '') return `${possessive} ${words}${events.having}`;
  const told = before === '' ? words : `the ${words}`;
  if (events.isFourth) return `${told}${events.having}${ofOwner(events, whose)}`;
  if (whose.kind === 'alike') return `${told}${events.having} with ${likeness(whose)}`;
  return `${told}${owned(whose)}${events.having}`;
}

/** Whose events are, after what they have. */
function ofOwner({ having }: EventWords, whose: Whose): string {
  if (whose.kind !== 'alike') return owned(whose);
  return `${having === '' ? ' with' : ' and'} ${likeness(whose)}`;
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
export function some(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return all(events, span, whose);
  if (events.isFourth && ('days' in span || 'season' in span)) return timed(events, span, whose, held(whose, events));
  if ('days' in span || 'season' in span)
    return `${held(whose, events)}${events.isOutcome && 'days' in span ? ' resolved' : ''} ${during(span, events)}${knownUntil(events, span)}`;
  if (events.isOutcome) {
    const known = `${events.many} with a known outcome`;
    if (events.isFourth) {
      const cases = `${held({ kind: 'own' }, events)} with a known outcome`;
      return whose.kind === 'alike' ? `${cases} and ${likeness(whose)}` : `${held(whose, events)} with a known outcome`;
    }
    return whose.kind === 'alike' ? `${known}${role(events)} and ${likeness(whose)}` : held(whose, events, '', known);
  }
  return `${held(whose, events)}${events.isDated ? ' so far' : ''}`;
}

/** Events of a time, which stands after whose they are: `payments of the latest loan, in the last 90 days`. */
function timed(events: EventWords, span: { readonly days: number } | Season, whose: Whose, told: string): string {
  if (events.isOutcome && 'days' in span) {
    const known = ` whose outcome became known ${during(span, events)}`;
    if (whose.kind !== 'alike') return `${told}${known}`;
    return `${held({ kind: 'own' }, events)}${known}, with ${likeness(whose)}`;
  }
  return `${told}${whose.kind === 'own' || possessiveOf(whose) !== '' ? '' : ','} ${during(span, events)}`;
}

/** The events of a span, each of them: `at least one of the last 10 payments`, `the latest payment`. */
export function oneOf(before: string, events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return span.last === 1 ? all(events, span, whose) : `${before} ${all(events, span, whose)}`;
  const told = 'all' in span ? held(whose, events) : timed(events, span, whose, held(whose, events));
  const these = possessiveOf(whose) === '' ? `the ${told}` : told;
  return `${before} ${these}${'all' in span && events.isDated && !events.isOutcome ? ' so far' : ''}`;
}

/** Events of a span, as a whole: `all payments`. */
export function all(events: EventWords, span: Span, whose: Whose): string {
  if ('days' in span || 'season' in span) return some(events, span, whose);
  if ('all' in span && events.isFourth)
    return `all ${events.many}${role(events)}${events.having}${ofOwner(events, whose)}`;
  if ('all' in span) return `all ${held(whose, events)}`;
  return span.last === 1 ? held(whose, events, 'latest ', events.one) : held(whose, events, `last ${span.last} `);
}

/** The earlier events of a row's parent: `the card's earlier payments`. */
export function earlier(events: EventWords, span: Span, parent: Whose): string {
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

/** What is read from a history: how many events and when, what their numbers and categories come to. */

import {
  type Aggregate,
  allTable,
  type Comparison,
  type Events,
  type Read,
  type Season,
  yearDays,
  yearOf,
} from '../../../src/ml/features/feature.ts';
import { day, type Value } from '../../samples.ts';
import { type Event, history, type Question, type Subject, within } from './history.ts';
import { type Answer, average, exactly, none } from './numbers.ts';
import { signalAt } from './signals.ts';
import type { World } from './world.ts';

type EventRead = Exclude<Extract<Read, { events: Events }>, Comparison>;

export function readEvents(world: World, what: EventRead, subject: Subject, question: Question): Answer {
  const { readableUntil } = question;
  const events = history(world, what.events, subject, question);
  const inSpan = 'span' in what ? within(events, what.span, question) : events;
  switch (what.kind) {
    case 'count': {
      const { span } = what;
      if (!('season' in span)) return exactly(inSpan.length);
      const end = question.at - (span.since - span.season) * day;
      const isReadable = end <= readableUntil || span.season === yearDays;
      return isReadable && events.some(({ time }) => time <= end) ? exactly(inSpan.length) : none;
    }
    case 'since':
      if (events.length === 0) return none;
      return exactly((readableUntil - (what.which === 'last' ? events.at(-1)! : events[0]).time) / day);
    case 'rate': {
      if ('season' in what.span) {
        const { span } = what;
        const start = question.at - span.since * day;
        const ofYear = within(events, yearOf(span), question).length;
        if (start + span.season * day > readableUntil || !events.some(({ time }) => time <= start) || ofYear === 0)
          return none;
        const lasted = Math.min(yearDays, (readableUntil - start) / day);
        return exactly(inSpan.length / span.season / (ofYear / lasted));
      }
      if (events.length === 0 || !('days' in what.span)) return none;
      const lived = Math.max((readableUntil - events[0].time) / day, 1);
      return exactly(inSpan.length / Math.min(what.span.days, lived) / (events.length / lived));
    }
    case 'gap': {
      const times = events.slice(-10).map(({ time }) => time);
      const gaps = times.slice(1).map((time, k) => (time - times[k]) / day);
      if (gaps.length < (what.as === 'mean' ? 1 : 2)) return none;
      const mean = average(gaps);
      const scale = Math.max(...gaps);
      if (what.as === 'mean') return { value: mean, scale };
      return { value: Math.sqrt(average(gaps.map((gap) => (gap - mean) ** 2))), scale };
    }
    case 'rating':
      throw new Error('ratings have tests of their own');
    default: {
      const values = (of: readonly Event[]) =>
        of.map(({ row, time }) => ({
          time,
          value: signalAt(world, what.events.table, row, what.signal, readableUntil),
        }));
      if (what.kind === 'number') {
        const { aggregate } = what;
        if (aggregate === 'swing')
          return swing(values(inSpan), values(within(events, yearOf(what.span as Season), question)));
        if (aggregate !== 'smoothed') return readNumbers(aggregate, values(events), values(inSpan));
        const { table, when } = what.events;
        const all: Events = { table, via: [allTable], ...(when ? { when } : {}) };
        return smooth(values(inSpan), values(history(world, all, { table: allTable, key: 0 }, question)));
      }
      return readCategories(what, values(events), values(inSpan));
    }
  }
}

type Valued = { readonly value: Value; readonly time: number };
const filled = (valued: readonly Valued[]) => valued.filter(({ value }) => value !== null);

function swing(inSeason: readonly Valued[], inYear: readonly Valued[]): Answer {
  const [own, all] = [inSeason, inYear].map((values) => filled(values).map(({ value }) => Number(value)));
  if (own.length === 0) return none;
  return { value: average(own) - average(all), scale: Math.max(...all.map(Math.abs)) };
}

function smooth(inSpan: readonly Valued[], everything: readonly Valued[]): Answer {
  const [own, all] = [inSpan, everything].map((values) => filled(values).map(({ value }) => Number(value)));
  if (all.length === 0) return none;
  const drawn = [...own, ...Array.from({ length: 10 }, () => average(all))];
  return { value: average(drawn), scale: Math.max(...all.map(Math.abs)) };
}

function readNumbers(
  aggregate: Exclude<Aggregate, 'smoothed' | 'swing'>,
  all: readonly Valued[],
  inSpan: readonly Valued[],
): Answer {
  const known = filled(inSpan);
  const x = known.map(({ value }) => Number(value));
  if (x.length === 0) return none;
  const mean = average(x);
  const scale = Math.max(...x.map(Math.abs));
  const last = filled(all.slice(-32)).at(-1)?.value ?? Number.NaN;
  switch (aggregate) {
    case 'mean':
      return { value: mean, scale };
    case 'sum':
      return { value: mean * x.length, scale: scale * x.length };
    case 'sd': {
      if (x.length < 2) return none;
      const m2 = x.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      return { value: Math.sqrt(m2 / (x.length - 1)), scale: scale * 1e-3 };
    }
    case 'min':
      return exactly(Math.min(...x));
    case 'max':
      return exactly(Math.max(...x));
    case 'last':
      return exactly(Number(last));
    case 'trend':
      return { value: Number(last) - mean, scale };
    case 'slope': {
      if (x.length < 3) return none;
      const t = known.map(({ time }) => (time - known[0].time) / day);
      const middle = average(t);
      let across = 0;
      let along = 0;
      t.forEach((time, k) => {
        across += (time - middle) * (x[k] - mean);
        along += (time - middle) ** 2;
      });
      return along > 0 ? { value: across / along, scale: (scale * x.length) / Math.sqrt(along) } : none;
    }
  }
}

type CategoryRead = Extract<Read, { kind: 'share' | 'last_is' | 'variety' }>;

function readCategories(what: CategoryRead, all: readonly Valued[], inSpan: readonly Valued[]): Answer {
  if (what.kind === 'last_is') {
    const last = all.at(-1)?.value ?? null;
    return last === null ? none : exactly(last === what.value ? 1 : 0);
  }
  const known = filled(what.kind === 'variety' ? inSpan.slice(-100) : inSpan).map(({ value }) => value);
  if (known.length === 0) return none;
  if (what.kind === 'share') return exactly(known.filter((value) => value === what.value).length / known.length);
  const counts = [...new Set(known)].map((value) => known.filter((other) => other === value).length);
  if (what.as === 'distinct') return exactly(counts.length);
  if (what.as === 'entropy')
    return { value: -counts.reduce((sum, n) => sum + (n / known.length) * Math.log(n / known.length), 0), scale: 1 };
  if (known.length < 2) return none;
  return exactly(known.slice(1).filter((value, k) => value !== known[k]).length / (known.length - 1));
}

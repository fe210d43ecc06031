import { expect, test } from 'vitest';
import { dataAge, eventDaysOf } from './event-days.ts';

const us = (text: string) => Date.parse(`${text}Z`) * 1000;
const times = (...texts: string[]) => Float64Array.from(texts, (text) => (text ? us(text) : Number.NaN));
const versionsFrom = (...texts: string[]) => ({
  from: Float64Array.from(texts, (text) => (text ? us(text) : Number.POSITIVE_INFINITY)),
  until: new Float64Array(texts.length).fill(Number.POSITIVE_INFINITY),
  offsets: new Int32Array(),
  rows: new Int32Array(),
});
const ageOf = (tables: Parameters<typeof eventDaysOf>[0], at: string) => dataAge(eventDaysOf(tables), us(at));

test('the age is counted from the newest event that could be read by then', () => {
  const tables = [{ time: times('2024-03-01T12:00', '2024-03-10T15:00', '', '2024-03-07T08:00') }, {}];
  expect(ageOf(tables, '2024-03-10T15:00')).toBe(0);
  expect(ageOf(tables, '2024-03-10T14:59'), 'the event later that day is still to come').toBe(3);
  expect(ageOf(tables, '2024-03-31T00:00')).toBe(21);
  expect(ageOf(tables, '2024-03-01T12:00')).toBe(0);
  expect(ageOf(tables, '2024-03-01T11:59')).toBeNull();
  expect(ageOf([{}], '2024-03-01T12:00')).toBeNull();
});

test('an event before 1970 has an age as well', () => {
  expect(ageOf([{ time: times('1969-12-30T12:00') }], '1970-01-01T00:00')).toBe(2);
});

test('what became known later than it happened counts from when it was known', () => {
  const late = {
    time: times('2024-03-05T00:00', '2024-03-08T00:00', '2024-03-09T00:00'),
    versions: versionsFrom('2024-03-05T00:00', '2024-03-12T09:00', ''),
  };
  expect(ageOf([late], '2024-03-10T00:00')).toBe(5);
  expect(ageOf([late], '2024-03-12T08:59')).toBe(7);
  expect(ageOf([late], '2024-03-12T09:00')).toBe(4);
  // Another event of that day, readable at once, counts at once.
  expect(ageOf([late, { time: times('2024-03-08T10:00') }], '2024-03-10T00:00')).toBe(2);
});

test('a row of an earlier moment has the age of the data then, and one past the data that may be read a larger one', () => {
  const tables = [{ time: times('2016-12-30T12:00', '2017-04-28T09:00', '2017-07-28T10:00') }];
  const days = eventDaysOf(tables);
  const age = (moment: string, until: string) => dataAge(days, us(moment), us(until));
  expect(age('2017-05-01T00:00', '2026-11-24T12:00'), 'from 28 April').toBe(3);
  expect(age('2017-05-01T00:00', '2018-01-01T23:59')).toBe(3);
  // One day of December, 31 of January, 28, 31, 30 of April and the first of May.
  expect(age('2017-05-01T00:00', '2016-12-31T23:59')).toBe(1 + 31 + 28 + 31 + 30 + 1);
  expect(age('2017-05-01T00:00', '2016-12-30T11:59')).toBeNull();
});

import { expect, test } from 'vitest';
import { bucketsOf } from './time-buckets.ts';

const at = (text: string) => Date.parse(text);
const told = (starts: readonly number[]) => starts.map((ms) => new Date(ms).toISOString());

test('days begin at midnight on the clocks of the zone, the first where it was asked from', () => {
  const starts = bucketsOf('America/Sao_Paulo', 'day', at('2026-01-01T12:00:00Z'), at('2026-01-04T03:00:00Z'));
  expect(told(starts)).toEqual(['2026-01-01T12:00:00.000Z', '2026-01-02T03:00:00.000Z', '2026-01-03T03:00:00.000Z']);
});

test('hours begin at whole hours of clocks that are half an hour off', () => {
  const starts = bucketsOf('Asia/Kolkata', 'hour', at('2026-01-01T00:00:00Z'), at('2026-01-01T01:31:00Z'));
  expect(told(starts)).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:30:00.000Z', '2026-01-01T01:30:00.000Z']);
});

test('the day on which clocks are set forward has 23 hours, and the one on which they are set back 25', () => {
  const lengthOf = (day: string) => {
    const [from, to] = bucketsOf('Europe/Berlin', 'day', at(`${day}T12:00:00Z`), at(`${day}T12:00:00Z`) + 4e8).slice(1);
    return (to - from) / 3_600_000;
  };
  expect([lengthOf('2026-03-28'), lengthOf('2026-03-27'), lengthOf('2026-10-24')]).toEqual([23, 24, 25]);
  expect(bucketsOf('Europe/Berlin', 'hour', at('2026-03-28T23:00:00Z'), at('2026-03-29T22:00:00Z'))).toHaveLength(23);
});

test('nothing lies between a moment and itself', () => {
  expect(bucketsOf('UTC', 'day', 5, 5)).toEqual([]);
});
